"""Jobs that fail: tried again after 10, 20, 40 minutes, dead after five tries, listed with the reason, and revived."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, StoreUnavailable
from remanence.model.session import STAGE_ONE, STAGE_TWO, Task
from remanence.sessions import stage_one
from remanence.settings import Settings
from tests.conftest import Clock, dump, new_mind
from tests.sessions.projects import API, folder_of
from tests.sessions.test_pipeline import PNPM, another, done, held, waits

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
MINUTES = (10, 20, 40, 80)


@pytest.fixture
def mind(clock: Clock, tmp_path: Path) -> Iterator[Mind]:
    with new_mind(tmp_path / "memory.db", clock) as mind:
        yield mind
        assert mind.check().problems == ()


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes stage 1 raise an error, in one project or in all; None: it works as ever."""
    works = stage_one.learned

    def faulty_(error: BaseException | None, project: str | None = None) -> None:
        def learned(observations: Any, of: str, *earlier: Any) -> Any:
            if error is not None and project in (None, of):
                raise error
            return works(observations, of, *earlier)

        monkeypatch.setattr(stage_one, "learned", learned)

    return faulty_


def failed(mind: Mind) -> Task:
    """The one job that a run fails at."""
    (task,) = mind.sessions.run().failed
    assert task in mind._store.queue.tasks()
    return task


def fail_until_dead(mind: Mind, clock: Clock, name: str) -> Task:
    """Fail five times, each as late as it should be and no earlier; the job as it is then."""
    for number, minutes in enumerate(MINUTES, 1):
        task = failed(mind)
        assert (task.name, task.tries, task.dead) == (name, number, False)
        assert (task.failed_at, task.again_at) == (clock.now, clock.now + timedelta(minutes=minutes))
        assert waits(mind)[name].startswith("failed") == name.startswith(STAGE_ONE)
        clock.advance(minutes=minutes, microseconds=-1)
        assert mind.sessions.run().failed == ()
        clock.advance(microseconds=1)
    task = failed(mind)
    assert (task.tries, task.again_at, task.dead) == (5, None, True)
    clock.advance(days=3)
    assert mind.sessions.run().failed == ()
    return task


def test_stage_one_is_tried_again_later_each_time_and_then_no_more(
    mind: Mind, clock: Clock, faulty: Callable[..., None]
) -> None:
    held(mind, "s")
    clock.advance(hours=12)
    faulty(RuntimeError(f"no use of {TOKEN}"))
    task = fail_until_dead(mind, clock, STAGE_ONE + "s")
    assert task.why == "unexpected RuntimeError", "it is not ours: it may quote what was said"
    assert waits(mind) == {STAGE_ONE + "s": "dead after 5 tries: unexpected RuntimeError"}
    assert mind.count() == 0
    faulty(None)
    assert done(mind) == [], "dead is dead until it is wanted"
    revived = mind.sessions.enqueue("s")
    assert (revived.tries, revived.dead, revived.why) == (0, False, "")
    assert waits(mind) == {STAGE_ONE + "s": "ready"}
    assert done(mind) == ["s"]
    assert waits(mind) == {}
    assert PNPM in mind.guidance(API)


def test_wanted_anew_it_has_five_tries_again(mind: Mind, clock: Clock, faulty: Callable[..., None]) -> None:
    held(mind, "s")
    clock.advance(hours=12)
    faulty(InvalidInput("the sky is green"))
    fail_until_dead(mind, clock, STAGE_ONE + "s")
    mind.sessions.enqueue("s")
    task = fail_until_dead(mind, clock, STAGE_ONE + "s")
    assert task.why == "the sky is green", "our own errors are told as they are"


def test_wanted_by_a_compaction_it_keeps_its_tries_and_its_time(
    mind: Mind, clock: Clock, faulty: Callable[..., None]
) -> None:
    """An agent that compacts again and again must not have a broken job tried at each step."""
    held(mind, "s")
    clock.advance(hours=12)
    faulty(RuntimeError())
    first = failed(mind)
    mind._store.queue.want(first.name, clock.now)
    (wanted,) = mind._store.queue.tasks()
    assert (wanted.tries, wanted.again_at, wanted.why) == (1, first.again_at, first.why)
    assert mind.sessions.run().failed == ()


def test_wanted_by_a_person_it_is_tried_by_the_next_run(mind: Mind, clock: Clock, faulty: Callable[..., None]) -> None:
    held(mind, "s")
    clock.advance(hours=12)
    faulty(RuntimeError())
    failed(mind)
    mind.sessions.enqueue("s")
    assert failed(mind).tries == 1


def test_by_name_it_is_tried_at_once(mind: Mind, clock: Clock, faulty: Callable[..., None]) -> None:
    held(mind, "s")
    clock.advance(hours=12)
    faulty(RuntimeError())
    failed(mind)
    faulty(None)
    assert done(mind) == []
    assert done(mind, only=["s"]) == ["s"]
    assert waits(mind) == {}


def test_one_that_fails_keeps_no_other_waiting(mind: Mind, clock: Clock, faulty: Callable[..., None]) -> None:
    for name in ("bad", "good"):
        for number in range(3):
            held(mind, f"{name}{number}", f"Always ask {name} person number {number}.", project=f"/project/{name}")
    clock.advance(hours=12)
    faulty(RuntimeError(), "/project/bad")
    run = mind.sessions.run()
    assert [one.session for one in run.processed] == ["good0", "good1", "good2"]
    assert sorted(task.name for task in run.failed) == [f"{STAGE_ONE}bad{number}" for number in range(3)]
    assert [one.project for one in run.written] == ["/project/good"]
    assert mind.guidance("/project/bad") == ""


def test_numbers_are_settings(tmp_path: Path, clock: Clock, faulty: Callable[..., None]) -> None:
    settings = Settings(upkeep__on_open=False, memories__max_tries=2, memories__retry_minutes=1.5)
    with new_mind(tmp_path / "memory.db", clock, settings=settings) as mind:
        held(mind, "s")
        clock.advance(hours=12)
        faulty(RuntimeError())
        assert failed(mind).again_at == clock.now + timedelta(seconds=90)
        clock.advance(seconds=90)
        assert failed(mind).dead


class Dead:
    """An embedder that is out of order."""

    model = "dead"
    dimension = 4

    def embed(self, texts: object) -> list[list[float]]:
        raise RuntimeError("down")


def test_an_embedder_that_is_down_is_no_failure(tmp_path: Path, clock: Clock) -> None:
    with new_mind(tmp_path / "memory.db", clock, embedder=Dead()) as mind:
        held(mind, "s", PNPM)
        clock.advance(hours=12)
        assert done(mind) == ["s"]
        assert PNPM in mind.guidance(API)
        assert mind.meaning.waiting == 2, "the summary and what was learned get their vectors later"


@pytest.mark.parametrize("error", [StoreUnavailable("the disk is gone"), KeyboardInterrupt()], ids=repr)
def test_what_is_not_the_jobs_fault_is_not_counted(
    mind: Mind, clock: Clock, faulty: Callable[..., None], error: BaseException
) -> None:
    held(mind, "s")
    clock.advance(hours=12)
    before = {name: rows for name, rows in dump(mind).items() if name != "leases"}
    faulty(error)
    with pytest.raises(type(error)):
        mind.sessions.run()
    assert {name: rows for name, rows in dump(mind).items() if name != "leases"} == before
    assert waits(mind) == {STAGE_ONE + "s": "ready"}
    faulty(None)
    with another(mind, clock) as other:
        assert done(other) == ["s"], "it is let go at once, not when its time is up"


def test_artifacts_that_cannot_be_written_are_tried_again(mind: Mind, clock: Clock) -> None:
    """A file stands where their folder should be; what was learned is there all the same."""
    held(mind, "s")
    clock.advance(hours=12)
    folder_of(mind).parent.parent.write_text("in the way")
    assert fail_until_dead(mind, clock, STAGE_TWO + API).why.startswith("The artifacts in ")
    assert PNPM in mind.guidance(API)
    assert waits(mind)[STAGE_TWO + API].startswith("The artifacts in ")
    with pytest.raises(StoreUnavailable, match="could not be written: The artifacts in"):
        mind.sessions.rebuild(API)
    folder_of(mind).parent.parent.unlink()
    mind.artifacts.enqueue(API)
    (written,) = mind.sessions.run().written
    assert {"MEMORY.md", "guidance.md"} <= set(written.written)
    assert PNPM in (folder_of(mind) / "guidance.md").read_text("utf-8")
    assert waits(mind) == {}


def test_a_project_that_cannot_be_written_keeps_no_other_waiting(mind: Mind, clock: Clock) -> None:
    for name in ("bad", "good"):
        held(mind, name, f"Always ask the {name} people first.", project=f"/project/{name}")
    folder = folder_of(mind, "/project/bad")
    folder.parent.mkdir(parents=True)
    folder.write_text("in the way")
    clock.advance(hours=12)
    run = mind.sessions.run()
    assert [one.project for one in run.written] == ["/project/good"]
    assert [task.name for task in run.failed] == [STAGE_TWO + "/project/bad"]
    assert folder.read_text() == "in the way"


def test_ended_between_the_stages_the_next_run_writes_the_artifacts(
    mind: Mind, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memories without their artifacts would not be seen by the next session."""
    held(mind, "s")
    clock.advance(hours=12)

    def ended(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(type(mind._store), "finish", ended)
        mind.sessions.run()
    assert mind.count() == 2
    (written,) = mind.sessions.run().written
    assert written.project == API
    assert PNPM in (folder_of(mind) / "guidance.md").read_text("utf-8")
