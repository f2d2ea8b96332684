"""What any store must do as sessions are let go and erased: nothing else moves, nothing comes back, nobody goes on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from remanence.errors import LeaseLost
from remanence.model.lease import Lease
from remanence.store.protocol import Store
from tests.conftest import START
from tests.contract.sessions_contract import HOOK, HOUR, MINUTE, TRANSCRIPT, SessionsStore, said

SECRET = "The vault opens with the word xylophone and with no other"
NOW = START + HOUR


class ErasingContract(SessionsStore):
    def erase(self, *ids: str, store: Store | None = None, **what: Any) -> int:
        return (store or self.store).sessions.erase(ids, NOW, **what)

    # -- letting go of what is old

    def test_what_is_older_is_let_go_and_nothing_moves(self) -> None:
        self.begin()
        self.append("a", "b", "c", "d")  # at minutes 1 to 4
        self.read(3)
        sessions = self.store.sessions
        assert sessions.prunable(START + MINUTE) == 0 == sessions.prune(START + MINUTE), "at the limit it stays"
        assert sessions.prunable(START + 2.5 * MINUTE) == 2 == sessions.prune(START + 2.5 * MINUTE)
        assert sessions.prunable(START + 2.5 * MINUTE) == 0 == sessions.prune(START + 2.5 * MINUTE)
        for store in self.before_and_after_reopening():
            assert [(one.seq, one.text) for one in self.seen(store=store)] == [(3, "c"), (4, "d")]
        assert (self.session().observations, self.session().processed_to) == (4, 3)
        self.append("e")
        assert [one.seq for one in self.seen()] == [3, 4, 5]
        assert self.store.check().ok

    def test_what_is_let_go_unread_counts_as_read(self) -> None:
        self.begin()
        self.append("a", "b", "c")
        self.store.sessions.prune(START + 2.5 * MINUTE)
        assert (self.session().processed_to, self.session().changed) == (2, True)
        self.store.sessions.prune(NOW)
        assert (self.session().processed_to, self.session().changed, self.session().observations) == (3, False, 3)
        assert self.store.sessions.changed() == []
        self.append("d")
        assert ([one.seq for one in self.seen()], self.session().changed) == ([4], True)
        assert self.store.check().ok

    def test_what_was_told_out_of_order_goes_by_its_moment(self) -> None:
        self.begin()
        self.store.sessions.append("s1", [said("late", 50), said("early", -50), said("later", 55)], HOOK)
        assert self.store.sessions.prune(START) == 1
        assert [(one.seq, one.text) for one in self.seen()] == [(1, "late"), (3, "later")]
        assert self.read(1).processed_to == 2, "there is nothing between the first and the third"
        assert self.store.check().ok

    def test_what_has_a_key_does_not_come_back(self) -> None:
        self.begin()
        one, other = said("a", key="k1"), said("b", key="k2")
        self.store.sessions.append("s1", [one, other], HOOK)
        self.store.sessions.prune(NOW)
        for via in (HOOK, TRANSCRIPT):
            assert self.store.sessions.append("s1", [one, other], via) == 0
        assert self.store.check().ok
        assert self.store.sessions.append("s1", [said("a", 61)], TRANSCRIPT) == 1, "said again it is another"
        assert self.store.check().ok

    def test_every_session_is_let_go_of_however_many(self) -> None:
        for number in range(230):
            self.begin(f"s{number}", at=START - timedelta(days=number))
            self.store.sessions.append(f"s{number}", [said("old", -1440 * number)], HOOK)
        moment = START - timedelta(days=9.5)
        assert self.store.sessions.prunable(moment) == 220 == self.store.sessions.prune(moment)
        assert self.store.sessions.prunable(moment) == 0
        assert self.store.sessions.count() == 230
        assert self.store.check().ok

    # -- erasing what was read of a session

    def test_what_was_read_of_a_session_is_erased_and_the_rest_stays(self) -> None:
        for id in ("s1", "s2"):
            self.begin(id)
            self.append("a", "b", "c", id=id)
        self.read(2)
        assert self.erase("s1", "s1", "nobody") == 2
        for store in self.before_and_after_reopening():
            assert [(one.seq, one.text) for one in self.seen(store=store)] == [(3, "c")]
            assert self.texts("s2", store=store) == ["a", "b", "c"]
        assert (self.session().observations, self.session().processed_to, self.session().changed) == (3, 2, True)
        assert self.erase("s1") == 0
        assert self.store.check().ok

    def test_what_stands_at_named_places_is_erased(self) -> None:
        for id in ("s1", "s2"):
            self.begin(id)
            self.append("a", "b", "c", "d", id=id)
        assert self.erase(places={"s1": [4, 2, 2, 99], "s2": [], "nobody": [1]}) == 2
        for store in self.before_and_after_reopening():
            assert [(one.seq, one.text) for one in self.seen(store=store)] == [(1, "a"), (3, "c")]
            assert self.texts("s2", store=store) == ["a", "b", "c", "d"]
        assert self.erase(places={"s1": [2, 4]}) == 0
        assert self.store.check().ok

    def test_summaries_that_are_gone_are_named_no_more(self) -> None:
        for id in ("s1", "s2"):
            self.begin(id)
            self.append("a", id=id)
            self.read(1, id, summary=f"memory of {id}")
        assert self.erase(summaries=["memory of s1", "another"]) == 0
        assert (self.session("s1").summary, self.session("s2").summary) == (None, "memory of s2")
        assert self.session("s1").processed_to == 1

    # -- erasing scopes

    def test_the_sessions_of_a_scope_go_whole(self) -> None:
        for id, project in (("a", "/project/api"), ("b", "/project/api/web"), ("c", "/project/apis"), ("d", "/")):
            self.begin(id, project, transcript=f"/t/{id}")
            self.store.sessions.append(id, [said("x", key="k"), said("y")], HOOK)
            self.store.queue.want(f"stage1:{id}", START)
            self.store.queue.want(f"stage2:{project}", START)
        assert self.erase(scopes=["/project/api"]) == 4
        assert {one.id for one in self.store.sessions.listed()} == {"c", "d"}
        assert [task.name for task in self.store.queue.tasks()] == [
            "stage1:c",
            "stage1:d",
            "stage2:/",
            "stage2:/project/apis",
        ]
        assert self.store.sessions.get("a") is None and list(self.store.sessions.observations("a")) == []
        assert self.texts("c") == ["x", "y"]
        assert self.begin("a").observations == 0
        assert self.store.sessions.append("a", [said("x", key="k")], HOOK) == 1, "it is another session now"
        assert self.erase(scopes=["/"]) == 5
        assert (self.store.sessions.count(), self.store.queue.tasks()) == (0, [])
        assert self.store.check().ok

    def test_the_place_of_an_erased_session_is_given_to_nobody(self) -> None:
        """Who was reading it when it was erased meets no other session in its place, be it of another namespace."""
        self.begin()
        self.append("a", "b")
        pages = self.store.sessions.observations("s1", size=1)
        next(pages)
        self.erase(scopes=["/"])
        other = self.open_store("other")
        self.begin(store=other)
        self.append("x", "theirs", "theirs too", store=other)
        assert list(pages) == []
        other.close()

    def test_how_far_a_source_was_read_outlives_a_purge(self) -> None:
        """So that what was purged is not read again from the same file."""
        self.begin(transcript="/t/one.jsonl")
        self.store.sessions.note_read("/t/one.jsonl", 4096, START)
        self.erase(scopes=["/"])
        for store in self.before_and_after_reopening():
            assert store.sessions.read_to("/t/one.jsonl") == 4096

    # -- erasing texts

    @pytest.mark.parametrize(
        "observed",
        [
            SECRET,
            f"Please remember: {SECRET.upper()}!",
            "the vault   opens\nwith the word\txylophone and with no other",
            f"…{SECRET[:50]}",
            f"{SECRET[-50:]}…",
        ],
    )
    @pytest.mark.parametrize("where", ["text", "call"])
    def test_what_holds_a_text_goes(self, observed: str, where: str) -> None:
        self.begin()
        self.append("before")
        held = said(observed) if where == "text" else said("done", role="tool", tool="Bash", call=observed)
        self.store.sessions.append("s1", [held, said("after")], HOOK)
        assert self.erase(texts=[SECRET]) == 1
        assert [(one.seq, one.text) for one in self.seen()] == [(1, "before"), (3, "after")]
        assert self.store.check().ok

    def test_what_says_something_else_stays(self) -> None:
        self.begin()
        kept = ("The vault opens at nine", "no other", "xylophone", "", "ok, go on", "the vault opens with the word")
        self.append(*kept)
        assert self.erase(texts=[SECRET, "ok", "vault!!"]) == 0
        assert self.texts() == list(kept)
        assert self.erase(texts=["OK,  go on", "XYLOPHON", " xylophone "]) == 2, (
            "a short text must be all that was said"
        )

    @pytest.mark.parametrize("number", [1, 5, 40, 300])
    def test_one_of_many_texts_is_found_as_well_as_one(self, number: int) -> None:
        self.begin()
        texts = [f"Statement {place} of many that are alike but for {place * 7919}" for place in range(number)]
        short = [f"Tag {place:05d}" for place in range(number)]
        self.append(*(f"{'·' * (place % 11)} {text}, was said" for place, text in enumerate(texts)))
        self.append(*(f"{'·' * (place % 11)}{text}" for place, text in enumerate(short)))
        self.append("Statement 1 of few", "Tag 9999", "Statement")
        assert self.erase(texts=[*texts, *short]) == 2 * number
        assert self.texts() == ["Statement 1 of few", "Tag 9999", "Statement"]

    @pytest.mark.parametrize(
        "text",
        [
            "東京タワーの地下にある金庫の番号は四二七九である",
            "Über die Brücke führt nur der schmale Weg, sagte Zoë am Abend",
            "e\u0301" * 40,
            "ẞtraße und ﬁnale: die Größe entscheidet über alles",
            "👍🏽 the emoji vault code is four two seven nine 👍🏽 of course",
        ],
    )
    def test_in_any_script(self, text: str) -> None:
        import unicodedata

        self.begin()
        for form in ("NFC", "NFD"):
            self.append(f"«{unicodedata.normalize(form, text)}» was said", "nothing of it")
        assert self.erase(texts=[text]) == 2
        assert self.texts() == ["nothing of it"] * 2

    def test_what_was_erased_is_not_told_by_its_key_again(self) -> None:
        self.begin()
        one = said(SECRET, key="k1")
        self.store.sessions.append("s1", [one, said("x")], HOOK)
        self.erase(texts=[SECRET])
        for via in (HOOK, TRANSCRIPT):
            assert self.store.sessions.append("s1", [one], via) == 0
        assert self.texts() == ["x"]
        assert self.store.check().ok

    # -- whom it stops, and whom not

    def held(self, name: str) -> Lease:
        lease = self.store.claim(name, "a", START, 60.0)
        assert lease is not None
        return lease

    @pytest.mark.parametrize("what", [{"texts": [SECRET]}, {"scopes": ["/"]}])
    def test_who_has_read_what_is_gone_can_write_no_more(self, what: dict[str, Any]) -> None:
        self.begin()
        self.append(SECRET)
        names = ("stage1:s1", "stage2:/project/api")
        leases = [self.held(name) for name in names]
        sweep = self.held("sweep")
        self.erase(**what)
        for lease in leases:
            with pytest.raises(LeaseLost):
                self.store.beat(lease, START, 60.0)
            with pytest.raises(LeaseLost):
                self.store.sessions.processed("s1", 1, START, summary="late", lease=lease)
        self.store.beat(sweep, START, 60.0)
        self.begin()
        for lease in leases:
            assert self.held(lease.name).token > lease.token, "a token is never given again"
            with pytest.raises(LeaseLost):
                self.store.finish(lease, START)

    def test_a_purge_of_nothing_stops_nobody(self) -> None:
        lease = self.held("stage1:s1")
        assert self.erase("nobody", scopes=["/nowhere"]) == 0
        self.store.beat(lease, START, 60.0)

    def test_other_namespaces_are_untouched(self) -> None:
        other = self.open_store("other")
        for store in (self.store, other):
            self.begin(store=store)
            self.append(SECRET, "old", store=store)
            store.sessions.processed("s1", 1, START, summary="m1")
            store.queue.want("stage1:s1", START)
        theirs = other.claim("stage1:s1", "b", START, 60.0)
        assert theirs is not None
        before = other.sessions.get("s1")
        self.store.sessions.prune(START + 1.5 * MINUTE)
        self.erase("s1", texts=[SECRET], summaries=["m1"])
        self.erase(scopes=["/"])
        assert self.store.sessions.count() == 0
        assert other.sessions.get("s1") == before
        assert self.texts(store=other) == [SECRET, "old"]
        assert len(other.queue.tasks()) == 1
        other.beat(theirs, START, 60.0)
        assert other.check().ok
        other.close()

    def test_what_is_rolled_back_is_there_still(self) -> None:
        self.begin()
        self.append(SECRET)
        with pytest.raises(ZeroDivisionError), self.store.transaction():
            assert self.erase(scopes=["/"]) == 1
            raise ZeroDivisionError
        assert self.texts() == [SECRET]
        assert self.store.check().ok
