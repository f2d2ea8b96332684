"""What any store must do for captured sessions: all observed once and in order, read up to a mark, walled off."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from remanence.errors import InvalidInput, LeaseLost, NotFound
from remanence.model.lease import Lease
from remanence.model.session import ASSISTANT, SYSTEM, TOOL, USER, Observation, Session
from remanence.store.protocol import Store
from tests.conftest import START
from tests.contract.opened_store import OpenedStore

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
HOOK, TRANSCRIPT = "hook", "transcript"


def said(text: str, minutes: float = 0, role: str = USER, key: str | None = None, **fields: Any) -> Observation:
    return Observation(role=role, text=text, at=START + minutes * MINUTE, key=key, **fields)


class SessionsStore(OpenedStore):
    """A store with the means to capture."""

    def begin(self, id: str = "s1", project: str = "/project/api", at: datetime = START, **fields: Any) -> Session:
        store = fields.pop("store", self.store)
        return store.sessions.begin(id, project, fields.pop("agent", "claude-code"), at, **fields)

    def append(self, *texts: str, id: str = "s1", via: str = HOOK, store: Store | None = None) -> int:
        """Things said a minute apart, the first one minute after what was said before."""
        sessions = (store or self.store).sessions
        last = sessions.get(id)
        assert last is not None
        first = last.observations + 1
        return sessions.append(id, [said(text, first + place) for place, text in enumerate(texts)], via)

    def texts(self, id: str = "s1", after: int = 0, store: Store | None = None) -> list[str]:
        return [one.text for one in self.seen(id, after, store)]

    def seen(self, id: str = "s1", after: int = 0, store: Store | None = None) -> list[Observation]:
        return [one for page in (store or self.store).sessions.observations(id, after) for one in page]

    def session(self, id: str = "s1") -> Session:
        found = self.store.sessions.get(id)
        assert found is not None
        return found

    def read(self, upto: int, id: str = "s1", summary: str | None = None) -> Session:
        self.store.sessions.processed(id, upto, START + HOUR, summary=summary)
        return self.session(id)


class SessionsContract(SessionsStore):
    """Capturing and reading."""

    def test_a_session_is_begun_once_and_known_again(self) -> None:
        assert self.store.sessions.get("s1") is None
        begun = self.begin(transcript="/t/one.jsonl")
        assert begun == Session(
            id="s1",
            project="/project/api",
            agent="claude-code",
            started_at=START,
            last_at=START,
            transcript="/t/one.jsonl",
        )
        for store in self.before_and_after_reopening():
            assert store.sessions.get("s1") == begun
            assert store.sessions.count() == 1
        again = self.begin(project="/project/web", agent="codex", at=START + HOUR)
        assert again == replace(begun, last_at=START + HOUR), "what was known stays"
        assert self.begin(at=START - HOUR).started_at == START - HOUR
        assert self.begin(transcript="/t/two.jsonl").transcript == "/t/two.jsonl"
        assert self.store.sessions.count() == 1

    def test_what_was_not_known_of_it_is_learned(self) -> None:
        self.begin(project="/", agent="")
        assert (self.begin().project, self.begin().agent) == ("/project/api", "claude-code")
        assert self.begin(project="/").project == "/project/api"

    def test_an_end_is_taken_back_by_going_on(self) -> None:
        self.begin()
        self.store.sessions.end("s1", START + HOUR)
        ended = self.session()
        assert (ended.ended_at, ended.last_at) == (START + HOUR, START + HOUR)
        self.store.sessions.end("s1", START + MINUTE)
        assert self.session().last_at == START + HOUR, "the last moment does not go back"
        assert self.begin(at=START + MINUTE).ended_at is None

    def test_observations_come_back_as_they_were_without_keys(self) -> None:
        self.begin()
        given = [
            said("Use pnpm", 1, key="k1"),
            said("Sure 👍\n  東京", 2, ASSISTANT),
            said("2 failed", 3, TOOL, "k2", tool="Bash", call="pnpm test", failed=True),
            said("", 4, TOOL, tool="Write", call='{"path": "a.py"}'),
            said("context compacted", 5, SYSTEM),
        ]
        assert self.store.sessions.append("s1", given, HOOK) == 5
        expected = [replace(one, key=None, seq=place) for place, one in enumerate(given, 1)]
        for store in self.before_and_after_reopening():
            assert self.seen(store=store) == expected
        assert (self.session().observations, self.session().last_at) == (5, START + 5 * MINUTE)
        assert self.store.check().ok

    def test_pages_have_their_size_and_begin_after_a_place(self) -> None:
        self.begin()
        self.append(*(f"line {number}" for number in range(1, 8)))
        pages = list(self.store.sessions.observations("s1", size=3))
        assert [[one.seq for one in page] for page in pages] == [[1, 2, 3], [4, 5, 6], [7]]
        assert [one.seq for page in self.store.sessions.observations("s1", after=5, size=1) for one in page] == [6, 7]
        for after in (7, 100, 2**40):
            assert self.seen(after=after) == []
        assert len(self.seen(after=-5)) == 7
        assert list(self.store.sessions.observations("nobody")) == []

    def test_what_is_appended_while_pages_are_read_is_read_too(self) -> None:
        self.begin()
        self.append("a", "b")
        pages = self.store.sessions.observations("s1", size=1)
        assert [one.text for one in next(pages)] == ["a"]
        self.append("c")
        assert [one.text for page in pages for one in page] == ["b", "c"]

    def test_an_observation_from_before_the_session_moves_its_start(self) -> None:
        self.begin()
        self.store.sessions.append("s1", [said("earlier", -30), said("now")], HOOK)
        assert (self.session().started_at, self.session().last_at) == (START - 30 * MINUTE, START)

    def test_a_key_is_known_again_by_every_way(self) -> None:
        self.begin()
        one = said("Use pnpm", 1, key="k1")
        for via, new in ((HOOK, 1), (HOOK, 0), (TRANSCRIPT, 0)):
            assert self.store.sessions.append("s1", [one], via) == new
        assert self.store.sessions.append("s1", [replace(one, text="Use pnpm, changed since")], HOOK) == 0
        assert self.store.sessions.append("s1", [one, one, replace(one, key="k2")], HOOK) == 1
        assert self.texts() == ["Use pnpm", "Use pnpm"]
        self.begin("s2")
        assert self.store.sessions.append("s2", [one], HOOK) == 1, "a key is of one session"

    def test_two_ways_tell_the_same_once(self) -> None:
        self.begin()
        assert self.append("yes", "go on", "yes", via=HOOK) == 3
        assert self.append("yes", "go on", "yes", via=TRANSCRIPT) == 0
        assert self.append("yes", via=TRANSCRIPT) == 1, "its third is news"
        assert self.append("yes", via=HOOK) == 0, "and this is the hook's third"
        assert self.append("yes", via="import") == 0
        assert self.texts() == ["yes", "go on", "yes", "yes"]

    @pytest.mark.parametrize("change", [{"role": ASSISTANT}, {"call": "ls"}, {"text": "Yes"}])
    def test_what_differs_in_role_call_or_text_is_another_thing(self, change: dict[str, Any]) -> None:
        self.begin()
        self.store.sessions.append("s1", [said("yes")], HOOK)
        assert self.store.sessions.append("s1", [replace(said("yes"), **change)], TRANSCRIPT) == 1

    def test_keys_of_one_way_and_words_of_the_other(self) -> None:
        self.begin()
        self.append("yes", "yes", via=HOOK)
        keyed = [said("yes", key="u1"), said("yes", key="u2"), said("yes", key="u3")]
        assert self.store.sessions.append("s1", keyed, TRANSCRIPT) == 1
        assert self.store.sessions.append("s1", keyed, "import") == 0
        assert self.append("yes", via=HOOK) == 0

    def test_nothing_new_leaves_the_session_alone(self) -> None:
        self.begin()
        self.store.sessions.append("s1", [said("yes", 1, key="k")], HOOK)
        before = self.session()
        assert self.store.sessions.append("s1", [said("yes", 50, key="k")], HOOK) == 0
        assert self.store.sessions.append("s1", [], HOOK) == 0
        assert self.session() == before

    def test_a_wrong_role_stores_nothing(self) -> None:
        self.begin()
        with pytest.raises(InvalidInput, match="robot"):
            self.store.sessions.append("s1", [said("good"), said("bad", role="robot")], HOOK)
        assert self.texts() == []
        assert self.append("good", via=HOOK) == 1

    def test_what_is_rolled_back_was_never_told(self) -> None:
        self.begin()
        with pytest.raises(ZeroDivisionError), self.store.transaction():
            self.append("yes", "no")
            self.begin("s2")
            raise ZeroDivisionError
        assert (self.texts(), self.store.sessions.count()) == ([], 1)
        assert self.append("yes", via=TRANSCRIPT) == 1
        assert self.store.check().ok

    def test_an_unknown_session_is_told_so(self) -> None:
        lease = self.store.claim("stage1:nobody", "a", START, 60.0)
        for act in (
            lambda: self.store.sessions.append("nobody", [said("yes")], HOOK),
            lambda: self.store.sessions.end("nobody", START),
            lambda: self.store.sessions.processed("nobody", 1, START, summary=None),
            lambda: self.store.sessions.processed("nobody", 1, START, summary=None, lease=lease),
        ):
            with pytest.raises(NotFound, match="nobody"):
                act()
        assert self.store.sessions.count() == 0

    def test_sessions_are_listed_by_scope_last_first(self) -> None:
        for minutes, (id, project) in enumerate(
            [("a", "/project/api"), ("b", "/project/apis"), ("c", "/project/api/web"), ("d", "/"), ("e", "/project")]
        ):
            self.begin(id, project, START + minutes * MINUTE)
        self.begin("a", at=START + HOUR)

        def listed(*scopes: str, **options: Any) -> list[str]:
            return [one.id for one in self.store.sessions.listed(scopes or None, **options)]

        assert listed() == ["a", "e", "d", "c", "b"]
        assert listed("/project/api") == ["a", "c"]
        assert listed("/project/api", "/project/apis") == ["a", "c", "b"]
        assert listed("/") == listed()
        assert (listed("/project/a"), listed("/project/api/")) == ([], [])
        assert (listed(limit=2), listed(limit=2, offset=2), listed(offset=4)) == (["a", "e"], ["d", "c"], ["b"])
        assert listed("/project", limit=1, offset=1) == ["e"]
        assert self.store.sessions.listed([]) == []
        assert self.store.sessions.projects() == ["/", "/project", "/project/api", "/project/api/web", "/project/apis"]

    def test_equal_moments_are_listed_newest_session_first(self) -> None:
        for id in ("b", "c", "a"):
            self.begin(id)
        assert [one.id for one in self.store.sessions.listed()] == ["a", "c", "b"]

    def test_a_mark_says_how_far_it_was_read(self) -> None:
        self.begin()
        assert self.store.sessions.changed() == [], "nothing was observed yet"
        self.append("a", "b", "c")
        assert [one.id for one in self.store.sessions.changed()] == ["s1"]
        half = self.read(2, summary="m1")
        assert (half.processed_to, half.processed_at, half.summary, half.changed) == (2, START + HOUR, "m1", True)
        assert self.texts(after=half.processed_to) == ["c"]
        done = self.read(3)
        assert (done.processed_to, done.summary, done.changed) == (3, "m1", False), "a summary stays without another"
        assert self.store.sessions.changed() == []
        self.append("d")
        for store in self.before_and_after_reopening():
            assert [one.id for one in store.sessions.changed()] == ["s1"]

    def test_a_mark_never_goes_back_or_beyond_what_is_there(self) -> None:
        self.begin()
        self.append("a", "b", "c")
        assert self.read(2).processed_to == 2
        for upto in (1, 0, -5):
            assert self.read(upto).processed_to == 2
        assert self.read(99).processed_to == 3
        self.append("d")
        assert self.session().changed, "what comes after a mark that was too far is not read yet"

    def test_changed_sessions_last_first(self) -> None:
        for minutes, id in enumerate(("a", "b", "c")):
            self.begin(id, at=START + minutes * MINUTE)
            self.store.sessions.append(id, [said("yes", minutes)], HOOK)
        self.read(1, "b")
        assert [one.id for one in self.store.sessions.changed()] == ["c", "a"]

    def test_only_who_holds_the_job_moves_the_mark(self) -> None:
        self.begin()
        self.append("a", "b")
        first = self.store.claim("stage1:s1", "one", START, 60.0)
        second = self.store.claim("stage1:s1", "two", START + 2 * MINUTE, 60.0)
        assert isinstance(first, Lease) and isinstance(second, Lease)
        with pytest.raises(LeaseLost):
            self.store.sessions.processed("s1", 2, START, summary="m1", lease=first)
        assert (self.session().processed_to, self.session().summary) == (0, None)
        self.store.sessions.processed("s1", 2, START, summary="m2", lease=second)
        assert (self.session().processed_to, self.session().summary) == (2, "m2")
        self.store.finish(second, START + 2 * MINUTE)
        with pytest.raises(LeaseLost):
            self.store.sessions.processed("s1", 2, START, summary="m3", lease=second)

    def test_how_far_a_source_was_read(self) -> None:
        sessions = self.store.sessions
        assert sessions.read_to("/t/one.jsonl") == 0
        sessions.note_read("/t/one.jsonl", 4096, START)
        sessions.note_read("/T/one.jsonl", 7, START)
        for store in self.before_and_after_reopening():
            assert (store.sessions.read_to("/t/one.jsonl"), store.sessions.read_to("/T/one.jsonl")) == (4096, 7)
        self.store.sessions.note_read("/t/one.jsonl", 12, START + MINUTE)
        assert self.store.sessions.read_to("/t/one.jsonl") == 12, "a file that was written anew begins anew"

    def test_namespaces_do_not_meet(self) -> None:
        other = self.open_store("other")
        assert (other.sessions.get("s1"), other.sessions.listed(), other.sessions.projects()) == (None, [], [])
        self.begin()
        self.append("mine")
        self.store.sessions.note_read("file", 5, START)
        assert (other.sessions.get("s1"), other.sessions.changed(), other.sessions.count()) == (None, [], 0)
        assert (list(other.sessions.observations("s1")), other.sessions.read_to("file")) == ([], 0)
        assert (other.sessions.listed(), other.sessions.listed(["/"]), other.sessions.projects()) == ([], [], [])
        with pytest.raises(NotFound):
            other.sessions.append("s1", [said("theirs")], HOOK)
        self.begin(store=other, project="/theirs")
        self.append("theirs", "mine", store=other)
        other.sessions.processed("s1", 2, START, summary="m")
        other.sessions.end("s1", START)
        assert (self.texts(), self.texts(store=other)) == (["mine"], ["theirs", "mine"])
        mine = self.session()
        assert (mine.processed_to, mine.summary, mine.ended_at, mine.project) == (0, None, None, "/project/api")
        assert other.sessions.changed() == []
        assert (self.store.sessions.projects(), other.sessions.projects()) == (["/project/api"], ["/theirs"])
        assert self.store.check().ok
        other.close()

    def test_threads_that_tell_at_once_lose_and_double_nothing(self) -> None:
        self.begin()
        told = [f"line {number % 7}" for number in range(40)]
        ready = threading.Barrier(4)

        def tell(via: str) -> None:
            ready.wait()
            for text in told:
                self.store.sessions.append("s1", [said(text)], via)

        threads = [threading.Thread(target=tell, args=(f"way {number}",)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert self.texts() == told
        assert self.store.check().ok
