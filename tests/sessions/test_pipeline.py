"""The pipeline by a hand-set clock: which sessions are ready, how many a run takes, and that nothing is done twice."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from remanence import Mind, settings
from remanence.errors import NotFound
from remanence.model.session import STAGE_ONE, STAGE_TWO, SUMMARY, Session
from remanence.settings import Settings
from tests.conftest import START, Clock, Entropy, dump, new_mind
from tests.sessions.projects import API, folder_of, marks

PNPM = "Always use pnpm for the packages of the shop."
RIVER = "The river Elm runs past the mill and the old bridge."
CENTS = "We decided to keep prices in integer cents, because floats gave wrong totals."


class Scripted:
    """A model that does what the test says when it is asked about a session, and has nothing to say of a project."""

    model = "scripted"

    def __init__(self, reply: Callable[[], Any], *, concurrent: bool = False) -> None:
        self._reply = reply
        self.concurrent = concurrent

    def complete(self, prompt: str, *, schema: Any = None, **_: Any) -> str:
        answer = self._reply() if "synopsis" in schema["properties"] else {"facts": [], "skills": []}
        return answer if isinstance(answer, str) else json.dumps(answer)


def told(*texts: str) -> dict[str, Any]:
    """An answer that takes these for what is worth keeping."""
    return {"synopsis": "", "memories": [{"text": text, "kind": "fact", "importance": 0.9} for text in texts]}


@pytest.fixture
def mind(clock: Clock, tmp_path: Path) -> Iterator[Mind]:
    """A mind on a file; sound when the test is over."""
    with new_mind(tmp_path / "memory.db", clock) as mind:
        yield mind
        assert mind.check().problems == ()


def held(mind: Mind, id: str, *said: str, project: str = API) -> Session:
    """A session in which this was said just now."""
    session = mind.sessions.start(project, id=id)
    for text in said or (PNPM,):
        session = mind.sessions.observe(session, text)
    return session


def done(mind: Mind, **given: Any) -> list[str]:
    """The sessions that a run processes."""
    run = mind.sessions.run(**given)
    assert run.failed == ()
    return [one.session for one in run.processed]


def another(mind: Mind, clock: Clock) -> Mind:
    """A second worker on the same file, as in another process."""
    return new_mind(mind._store._engine.path, clock, entropy=Entropy(1))  # type: ignore[attr-defined]


def waits(mind: Mind) -> dict[str, str]:
    """What the queue says of each job."""
    return {task.name: task.why for task in mind.sessions.queue()}


def loaded(**memories: object) -> Settings:
    """Settings as a person gives them, in either spelling."""
    given = {"memories": memories, "upkeep": {"on_open": False}}
    return settings.load(given, environment={"REMANENCE_CONFIG": "/nowhere"})


@pytest.mark.parametrize(
    ("idle", "why"),
    [
        (timedelta(), "active within the last 12 hours"),
        (timedelta(hours=11, minutes=59), "active within the last 12 hours"),
        (timedelta(hours=12) - timedelta(microseconds=1), "active within the last 12 hours"),
        (timedelta(hours=12), None),
        (timedelta(days=30), None),
        (timedelta(days=30, seconds=1), "older than 30 days"),
        (timedelta(days=31), "older than 30 days"),
    ],
)
def test_a_session_is_ready_after_12_hours_and_for_30_days(
    mind: Mind, clock: Clock, idle: timedelta, why: str | None
) -> None:
    held(mind, "s")
    before = dump(mind)
    clock.now += idle
    assert waits(mind) == {STAGE_ONE + "s": why or "ready"}
    assert done(mind) == ([] if why else ["s"])
    if why:
        assert dump(mind) == before
        assert not folder_of(mind).exists()
    else:
        assert waits(mind) == {}
        assert PNPM in mind.guidance(API)


def test_one_that_runs_is_left_alone(mind: Mind, clock: Clock) -> None:
    """Observed again, or begun again, or ended a moment ago: it rests from then on."""
    for id in ("observed", "begun", "ended", "quiet"):
        held(mind, id, f"Always run the {id} suite before a release.")
    clock.advance(hours=11)
    mind.sessions.observe("observed", "Never skip the slow tests.")
    mind.sessions.start(API, id="begun")
    mind.sessions.end("ended")
    clock.advance(hours=1)
    assert done(mind) == ["quiet"]
    clock.advance(hours=11)
    assert done(mind) == ["begun", "ended", "observed"]


def test_a_session_in_which_nothing_was_said_is_no_work(mind: Mind, clock: Clock) -> None:
    mind.sessions.end(mind.sessions.start(API))
    clock.advance(hours=13)
    assert waits(mind) == {}
    assert done(mind) == []


def test_at_most_64_a_run_and_the_newest_first(mind: Mind, clock: Clock) -> None:
    ids = []
    for number in range(70):
        clock.advance(minutes=1)
        ids.append(held(mind, f"s{number:02}", f"Always read page {number} of the {number * 7} manuals first.").id)
    clock.advance(hours=12)
    first = mind.sessions.run()
    assert [one.session for one in first.processed] == ids[6:]
    assert (first.left, len(first.written)) == (6, 1)
    second = mind.sessions.run()
    assert [one.session for one in second.processed] == ids[:6]
    assert second.left == 0
    summaries = [one for one in mind.list(limit=1000) if one.kind == SUMMARY]
    assert sorted(one.origin or "" for one in summaries) == [f"session:{id}" for id in ids]


@pytest.mark.parametrize(
    "memories",
    [
        {"minRolloutIdleHours": 2, "maxRolloutAgeDays": 3, "maxRolloutsPerStartup": 2},
        {"min_rollout_idle_hours": 2, "max_rollout_age_days": 3, "max_rollouts_per_startup": 2},
    ],
)
def test_settings_change_the_numbers(tmp_path: Path, clock: Clock, memories: dict[str, object]) -> None:
    with new_mind(tmp_path / "memory.db", clock, settings=loaded(**memories)) as mind:
        held(mind, "old", project="/project/old")
        clock.advance(days=3, minutes=-1)
        for number in range(3):
            clock.advance(seconds=20)
            held(mind, f"s{number}", f"Always water plant {number} on day {number * 3}.")
        clock.advance(hours=1, minutes=59)
        assert done(mind) == []
        assert waits(mind)[STAGE_ONE + "s2"] == "active within the last 2 hours"
        assert waits(mind)[STAGE_ONE + "old"] == "older than 3 days"
        clock.advance(minutes=1)
        run = mind.sessions.run()
        assert ([one.session for one in run.processed], run.left) == (["s1", "s2"], 1)


def test_zero_sessions_a_run_is_none(tmp_path: Path, clock: Clock) -> None:
    with new_mind(tmp_path / "memory.db", clock, settings=loaded(maxRolloutsPerStartup=0)) as mind:
        held(mind, "s")
        clock.advance(days=1)
        run = mind.sessions.run()
        assert (run.processed, run.left) == ((), 1)


def test_an_unchanged_session_is_not_processed_twice(mind: Mind, clock: Clock) -> None:
    held(mind, "s", PNPM, CENTS)
    clock.advance(hours=12)
    (first,) = mind.sessions.run().processed
    assert (first.read, first.outcomes, first.llm) == (2, {"added": 2}, False)
    before, files = dump(mind), marks(folder_of(mind))
    assert files
    for _ in range(3):
        clock.advance(days=1)
        again = mind.sessions.run()
        assert (again.processed, again.written, again.failed, again.left) == ((), (), (), 0)
        mind.sessions.enqueue("s")  # wanted by name, it still tells nothing new
        assert done(mind) == []
        assert done(mind, only=["s"]) == []
        assert dump(mind) == before
        assert marks(folder_of(mind)) == files
    mind.sessions.start(API, id="s")
    clock.advance(hours=12)
    assert done(mind) == []


def test_one_that_goes_on_is_read_for_what_is_new(mind: Mind, clock: Clock) -> None:
    held(mind, "s", "Please find out why the totals are off by a cent.", PNPM)
    clock.advance(hours=12)
    assert done(mind) == ["s"]
    (first,) = (one for one in mind.list() if one.kind == SUMMARY)
    mind.sessions.observe("s", CENTS)
    mind.sessions.observe("s", "Please write a test for the totals of refunds.")
    assert waits(mind) == {STAGE_ONE + "s": "active within the last 12 hours"}
    assert done(mind) == []
    clock.advance(hours=12)
    (processed,) = mind.sessions.run().processed
    assert (processed.read, processed.outcomes) == (2, {"added": 1})
    (summary,) = (one for one in mind.list() if one.kind == SUMMARY)
    assert (summary.supersedes, summary.id) == (first.id, processed.summary)
    assert "totals are off" in summary.text and "totals of refunds" in summary.text
    assert mind.get(first.id).state == "superseded"
    assert mind.sessions.show("s").session.summary == summary.id
    texts = {mind.get(id).text: mind.get(id) for id in mind.sessions.show("s").learned}
    assert {PNPM, CENTS} <= texts.keys()
    assert (texts[PNPM].lineage, texts[CENTS].lineage) == ((first.id,), (summary.id,))
    for one in texts.values():
        assert (one.source, one.origin, one.scope) == ("extracted", "session:s", API)
    assert texts[CENTS].created_at == START + timedelta(hours=12), "born when it was said"


def test_wanted_by_name_whatever_its_age(mind: Mind, clock: Clock) -> None:
    held(mind, "old", "Always keep the oldest backup of all.")
    clock.advance(days=40)
    held(mind, "new", "Never deploy on a Friday.")
    held(mind, "other", "Always lock the door of the server room.")
    assert done(mind) == []
    assert mind.sessions.enqueue("old").wanted_at == clock.now
    assert waits(mind)[STAGE_ONE + "old"] == "ready"
    assert done(mind) == ["old"]
    assert done(mind, only=["new"]) == ["new"]
    assert waits(mind) == {STAGE_ONE + "other": "active within the last 12 hours"}
    with pytest.raises(NotFound, match="rem session list"):
        mind.sessions.run(only=["nobody"])
    assert done(mind) == []


def test_what_is_wanted_comes_before_what_is_newer(tmp_path: Path, clock: Clock) -> None:
    with new_mind(tmp_path / "memory.db", clock, settings=loaded(maxRolloutsPerStartup=1)) as mind:
        held(mind, "old", "Always keep the oldest backup of all.")
        clock.advance(days=1)
        held(mind, "new", "Never deploy on a Friday.")
        clock.advance(days=1)
        mind.sessions.enqueue("old")
        run = mind.sessions.run()
        assert ([one.session for one in run.processed], run.left) == (["old"], 1)


def test_projects_are_apart_and_each_is_written_once(mind: Mind, clock: Clock) -> None:
    for number in range(4):
        held(
            mind,
            f"s{number}",
            f"Always read chapter {number} before page {number}7.",
            project=f"/project/p{number % 2}",
        )
    clock.advance(hours=12)
    seen: list[tuple[int, int]] = []
    run = mind.sessions.run(progress=lambda at, of: seen.append((at, of)))
    assert [(one.project, bool(one.written)) for one in run.written] == [("/project/p0", True), ("/project/p1", True)]
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    for number in range(4):
        ours, others = f"/project/p{number % 2}", f"/project/p{1 - number % 2}"
        assert f"chapter {number} " in mind.guidance(ours)
        assert f"chapter {number} " not in mind.guidance(others)


def test_what_another_has_processed_meanwhile_is_passed_over(mind: Mind, clock: Clock) -> None:
    """A run lists its sessions at the start; it asks again right before each."""
    for number in range(3):
        held(mind, f"s{number}", f"Always read chapter {number} before page {number}7.")
    clock.advance(hours=12)
    with another(mind, clock) as other:
        others: list[Any] = []
        run = mind.sessions.run(progress=lambda at, of: others.append((at, of, done(other))))
    assert [one.session for one in run.processed] == ["s0"]
    assert others == [(1, 3, ["s1", "s2"]), (2, 3, []), (3, 3, [])]
    assert sum(one.kind == SUMMARY for one in mind.list()) == 3
    assert len(dump(mind)["receipts"]) == 3


def test_artifacts_wanted_by_name_are_written_by_the_next_run(mind: Mind) -> None:
    mind.remember(CENTS, scope=API, kind="decision")
    mind.artifacts.enqueue(API)
    assert waits(mind) == {STAGE_TWO + API: "ready"}
    (written,) = mind.sessions.run().written
    assert (written.project, "MEMORY.md" in written.written) == (API, True)
    assert waits(mind) == {}


def test_with_a_model_several_are_read_at_once_and_no_more_than_set(tmp_path: Path, clock: Clock) -> None:
    lock, now, most, together = threading.Lock(), 0, 0, threading.Barrier(3, timeout=20)

    def reply() -> dict[str, Any]:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        together.wait()
        sleep(0.2)  # long enough for a fourth to come
        with lock:
            now -= 1
        return told()

    options = {"llm": Scripted(reply, concurrent=True), "settings": loaded(stageOneConcurrency=3)}
    with new_mind(tmp_path / "memory.db", clock, **options) as mind:
        ids = [
            held(mind, f"s_{number}", f"Always paint door {number} in colour {number * 7}.").id for number in range(9)
        ]
        clock.advance(hours=12)
        assert done(mind) == ids
        assert most == 3
        assert sum(one.kind == SUMMARY for one in mind.list()) == 9
        assert mind.check().ok


def _talkative(mind: Mind, id: str) -> None:
    """A session that a model reads in three parts."""
    for number in range(9):
        held(mind, id, f"Chapter {number}. " + f"The river {number} runs past the mill and the old bridge. " * 80)


def test_a_slow_model_keeps_its_lease_by_beating(tmp_path: Path, clock: Clock) -> None:
    """Four minutes a part, five minutes a lease: whoever else comes meanwhile finds the job taken."""
    asked: list[list[str]] = []

    def reply() -> dict[str, Any]:
        clock.advance(minutes=4)
        asked.append(done(other))
        return told()

    with new_mind(tmp_path / "memory.db", clock, llm=Scripted(reply)) as mind, another(mind, clock) as other:
        _talkative(mind, "s")
        clock.advance(hours=12)
        assert done(mind) == ["s"]
    assert len(asked) >= 3
    assert all(found == [] for found in asked)


class Slow:
    """An embedder that takes its time over the synopsis, which comes last before all is written."""

    model, dimension, local = "slow", 4, True

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        self._meanwhile = meanwhile

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if texts[0].startswith("Asked: "):
            self._meanwhile()
        return [[1.0, 0.0, 0.0, 0.0] for _ in texts]


@pytest.mark.parametrize("slow", ["model", "embedder"])
def test_one_that_took_too_long_is_replaced_and_writes_nothing(tmp_path: Path, clock: Clock, slow: str) -> None:
    """Whether it finds out when it beats, or only when it writes."""
    taken: list[list[str]] = []
    states: list[Any] = []

    def meanwhile() -> None:
        clock.advance(minutes=5)
        taken.append(done(other))
        states.append((written(other), marks(folder_of(other))))

    def reply() -> dict[str, Any]:
        meanwhile()
        return told(RIVER)

    options = {"llm": Scripted(reply)} if slow == "model" else {"embedder": Slow(meanwhile)}
    with new_mind(tmp_path / "memory.db", clock, **options) as mind, another(mind, clock) as other:
        held(mind, "s", "Please look at the old bridge.", RIVER, PNPM)
        clock.advance(hours=12)
        run = mind.sessions.run()
        assert (run.processed, run.written, run.failed) == ((), (), ())
        assert taken == [["s"]]
        assert (written(mind), marks(folder_of(mind))) == states[0]
        assert mind.check().ok


def written(mind: Mind) -> dict[str, Any]:
    """Every row but those that count what a model was given, or name it."""
    return {name: rows for name, rows in dump(mind).items() if name not in ("spending", "models")}


def test_the_model_that_answers_nonsense_fails_no_job(tmp_path: Path, clock: Clock) -> None:
    for number, reply in enumerate(("no JSON", {"memories": 5})):
        with new_mind(tmp_path / f"{number}.db", clock, llm=Scripted(lambda reply=reply: reply)) as mind:
            held(mind, "s", PNPM)
            clock.advance(hours=12)
            run = mind.sessions.run()
            (processed,) = run.processed
            assert (processed.llm, run.failed) == (False, ())
            assert "without a model" in processed.notes[-1]
            assert PNPM in mind.guidance(API)
