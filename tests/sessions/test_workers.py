"""R1, R6, R7 for sessions: workers do each job once; one killed or frozen is replaced, and leaves nothing half done."""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import pytest

from remanence import Mind
from remanence.model.session import STAGE_ONE, STAGE_TWO
from tests.conftest import dump
from tests.crash.conftest import Child
from tests.sessions.projects import marks
from tests.sessions.workers import PROJECTS, SHARED, opened, prepare, state

SCRIPT = Path(__file__).with_name("workers.py")
LEASE_SECONDS = 1.0
GRACE_SECONDS = 5.0
HELD = {1: "s001", 2: PROJECTS[0]}
"""Whose job of each stage comes first."""


@pytest.fixture
def start() -> Iterator[Callable[..., Child]]:
    """Starts jobs of workers.py; those still running at the end of the test are killed."""
    children: list[Child] = []

    def start_(job: str, *arguments: Any) -> Child:
        children.append(Child(job, *arguments, script=SCRIPT))
        return children[-1]

    yield start_
    for child in children:
        child.end()


def prepared(folder: Path, sessions: int) -> tuple[Path, dict[str, Any]]:
    """A store with these sessions, and what one worker alone makes of them."""
    prepare(folder / "base" / "memory.db", sessions)
    with opened(copied(folder, "alone")) as mind:
        done = mind.sessions.run()
        while done.left:
            done = mind.sessions.run()
        alone = state(mind)
    assert alone["memories"].total() >= 3 * sessions
    assert next(key[5] for key in alone["memories"] if key[0] == SHARED) == sessions // 2 - 1
    return copied(folder, "copy"), alone


def copied(folder: Path, name: str) -> Path:
    shutil.rmtree(folder / name, ignore_errors=True)
    shutil.copytree(folder / "base", folder / name)
    return folder / name / "memory.db"


def settled(path: Path, alone: dict[str, Any]) -> None:
    """A clean run later everything is as if nothing had happened, and another changes nothing more."""
    with opened(path) as mind:
        while (done := mind.sessions.run()).left:
            assert done.failed == ()
        assert done.failed == ()
        assert state(mind) == alone
        assert mind.sessions.queue() == []
        before = dump(mind)
        again = mind.sessions.run()
        assert (again.processed, again.written) == ((), ())
        assert dump(mind) == before
        for project in PROJECTS:
            assert mind.sessions.rebuild(project).written == ()  # type: ignore[union-attr]
        assert mind.check().problems == ()


@pytest.mark.promise("R6")
@pytest.mark.parametrize(
    ("workers", "sessions"),
    [(2, 30), (4, 30), pytest.param(8, 300, marks=[pytest.mark.full, pytest.mark.timeout(600)])],
)
def test_each_job_is_done_once(tmp_path: Path, start: Callable[..., Child], workers: int, sessions: int) -> None:
    path, alone = prepared(tmp_path, sessions)
    children = [start("run", path) for _ in range(workers)]
    assert [child.next() for child in children] == ["ready"] * workers
    for child in children:
        child.say()
    answers = [child.finish()[-1] for child in children]
    assert [answer["failed"] for answer in answers] == [[]] * workers
    done = [id for answer in answers for id in answer["processed"]]
    assert len(done) == len(set(done)) <= sessions
    if sessions <= 64:
        assert len(done) == sessions
    settled(path, alone)


def test_a_kill_between_any_two_transactions_and_inside_them(tmp_path: Path, start: Callable[..., Child]) -> None:
    """What a run leaves at each of them is whole, and the next run makes the rest of it."""
    _, alone = prepared(tmp_path, 2)
    forker = start("forked")
    forker.say([str(copied(tmp_path, "counted")), 0, None])
    places = forker.next()
    assert forker.next() == 0
    assert len(places) > 20
    for at in places:
        path = copied(tmp_path, "killed")
        forker.say([str(path), at, None])
        assert forker.next() == -signal.SIGKILL
        with opened(path) as mind:
            assert mind.check().problems == (), at
        settled(path, alone)
    forker.say(None)
    forker.finish()


@pytest.mark.promise("R1")
@pytest.mark.parametrize("kills", [20, pytest.param(200, marks=[pytest.mark.full, pytest.mark.timeout(1200)])])
def test_kills_at_random_moments(tmp_path: Path, start: Callable[..., Child], kills: int) -> None:
    """One store is run and killed until all is done, then another; each ends as if nobody had been killed."""
    chance = random.Random(int(os.environ.get("CRASH_SEED", "7")))
    path, alone = prepared(tmp_path, 30)
    forker = start("forked")
    killed = hit = 0
    while killed < kills:
        forker.say([str(path), 0, chance.uniform(0.02, 0.5)])
        ended = forker.next()
        killed += ended == -signal.SIGKILL
        with opened(path) as mind:
            assert mind.check().problems == (), f"kill {killed}"
            left = len(mind.sessions.queue())
        hit += 0 < left < 30
        if left == 0:
            settled(path, alone)
            path = copied(tmp_path, "copy")
    assert hit, "no kill met a worker in the middle of its work"
    settled(path, alone)
    forker.say(None)
    forker.finish()


def held(start: Callable[..., Child], path: Path, stage: int, holder: str | None = None) -> Child:
    """A worker that holds a job of a stage and waits for its model."""
    child = start("ask", path, LEASE_SECONDS, holder)
    while (asked := child.next()["asked"]) < stage:
        child.say()
    assert asked == stage
    return child


def taken_over(mind: Mind, stage: int) -> float:
    """Run until the job that was held is done; how many seconds that took."""
    begun = perf_counter()
    while True:
        run = mind.sessions.run()
        done = {one.session for one in run.processed} | {one.project for one in run.written}
        if HELD[stage] in done:
            return perf_counter() - begun
        assert perf_counter() - begun < LEASE_SECONDS + GRACE_SECONDS
        sleep(0.02)


@pytest.mark.promise("R7")
@pytest.mark.parametrize("stage", [1, 2])
@pytest.mark.parametrize("holder", [None, "process 1 (elsewhere pid:[1] 0a1b2c3d)"], ids=["here", "elsewhere"])
def test_a_killed_worker_is_replaced(
    tmp_path: Path, start: Callable[..., Child], stage: int, holder: str | None
) -> None:
    """At once where it can be seen that it has ended; else when its time is up. Nothing of its job was written."""
    prepare(tmp_path / "memory.db", 2)
    with opened(tmp_path / "memory.db", LEASE_SECONDS) as mind:
        child = held(start, tmp_path / "memory.db", stage, holder)
        before = mind.count()
        assert (before == 0) == (stage == 1)
        child.kill()
        name = {1: STAGE_ONE, 2: STAGE_TWO}[stage] + HELD[stage]
        until = mind._store.job(name).until
        assert until is not None
        taken_over(mind, stage)
        assert (mind.clock() >= until) == (holder is not None)
        assert mind._store.job(name).token == 2
        assert SHARED in mind.guidance(PROJECTS[0])
        assert mind.check().problems == ()


@pytest.mark.promise("R6")
@pytest.mark.parametrize("stage", [1, 2])
def test_a_frozen_worker_is_replaced_and_fenced_out(tmp_path: Path, start: Callable[..., Child], stage: int) -> None:
    """R6: taken over within its lease and five seconds; thawed, it writes neither to the store nor to a file."""
    path = tmp_path / "memory.db"
    prepare(path, 2)
    with opened(path, LEASE_SECONDS) as mind:
        child = held(start, path, stage)
        os.kill(child.process.pid, signal.SIGSTOP)
        try:
            assert taken_over(mind, stage) <= LEASE_SECONDS + GRACE_SECONDS
            while mind.sessions.queue():
                mind.sessions.run()
            rows, files = without_spending(mind), artifacts(mind)
            assert len(files) == 8
        finally:
            os.kill(child.process.pid, signal.SIGCONT)
        answer: dict[str, Any] = {"asked": stage}
        while "asked" in answer:
            child.say()
            answer = child.next()
        done = 0 if stage == 1 else 2
        assert (len(answer["processed"]), answer["written"]) == (done, [])
        child.finish()
        assert without_spending(mind) == rows
        assert artifacts(mind) == files
        assert mind.check().problems == ()


def without_spending(mind: Mind) -> dict[str, Any]:
    """Every row but those that count what its model was given."""
    return {name: rows for name, rows in dump(mind).items() if name != "spending"}


def artifacts(mind: Mind) -> dict[str, Any]:
    return marks(Path(mind.artifacts.folder(PROJECTS[0])).parent)
