"""R1, R2, R6, R7, R11: a dream cut off, killed or frozen anywhere leaves whole claims, and no fact is out of recall."""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from remanence import Mind
from remanence.flows.dream.run import LEASE_SECONDS
from remanence.model.memory import State
from tests.crash.conftest import Child
from tests.crash.operations import DREAMS, Cut, CutOff, build_to_dream, dreaming, run, run_again
from tests.crash.stores import differences, drift, dump
from tests.facts import TOPICS, facts, reaches, remembered
from tests.reliability.recording import Measured


def whole(mind: Mind, at: str) -> None:
    """Every fact is in recall or, with all the others of it, in one summary that is; nothing in between."""
    memories = {memory.id: memory for memory in _all(mind)}
    merged: dict[str, str] = {}
    for summary in (memory for memory in memories.values() if memory.kind == "summary"):
        sources = [memories[id] for id in summary.lineage]
        if summary.state is State.LIVE:
            assert {source.state for source in sources} == {State.ARCHIVED}, at
            merged |= {source.id: summary.id for source in sources}
            assert all(source.text in summary.text for source in sources), at
        else:
            assert summary.state is State.FORGOTTEN, at
    for memory in memories.values():
        if memory.kind == "fact" and memory.importance >= 0.5:
            assert (memory.state is State.LIVE) == (memory.id not in merged), f"{at}: {memory}"


# --- R2: cut off at a statement


class Case:
    """A dream, the store before and after it, and fresh copies of the store to cut it off on."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._folder = folder
        (folder / "base").mkdir()
        build_to_dream(folder / "base")
        self.before = dump(self.copy() / "memory.db")
        cut = Cut()
        run(name, self.copy(), cut)
        self.statements = cut.seen
        self.begins = next(n for n, sql in enumerate(cut.statements) if sql.startswith("BEGIN IMMEDIATE"))
        self.after = dump(folder / "copy" / "memory.db")
        with dreaming(folder / "copy" / "memory.db") as mind:
            self.contents = contents(mind)
            assert mind.count(kind="summary") == 1

    def copy(self) -> Path:
        shutil.rmtree(self._folder / "copy", ignore_errors=True)
        return Path(shutil.copytree(self._folder / "base", self._folder / "copy"))

    def places(self, stride: int) -> list[int]:
        """Every so many statements from the first write on; before, where it only reads, a few."""
        return [*range(1, self.begins, 10 * stride), *range(self.begins, self.statements + 1, stride)]

    def verify(self, folder: Path, at: str) -> None:
        path = folder / "memory.db"
        if self.name == "dream":
            found = dump(path)
            assert found in (self.before, self.after), f"{at}: {differences(self.before, found)}"
        with dreaming(path) as mind:
            whole(mind, at)
        run_again(self.name, folder)
        with dreaming(path) as mind:
            assert contents(mind) == self.contents, at
            assert mind.check().problems == (), at
        assert drift(path) == [], at


def contents(mind: Mind) -> list[tuple[Any, ...]]:
    """What is remembered, without ids of what a dream made."""
    some = mind.list(state="all", limit=1000)
    return sorted((one.kind, one.text, one.state, one.depth, one.lineage, one.recent_accesses) for one in some)


@pytest.fixture(params=DREAMS)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    return Case(request.param, tmp_path)


FULL = pytest.param(1, marks=[pytest.mark.full, pytest.mark.timeout(3600)])


@pytest.mark.promise("R2")
@pytest.mark.parametrize("stride", [5, FULL])
def test_an_error_at_a_statement(case: Case, stride: int, measured: Measured) -> None:
    measured("each statement", cut_at=len(case.places(stride)))
    for at in case.places(stride):
        folder = case.copy()
        cut = Cut(at)
        with pytest.raises(CutOff):
            run(case.name, folder, cut)
        case.verify(folder, f"statement {at} of {case.statements}, {cut.statements[at - 1]!r}")


@pytest.mark.promise("R2")
@pytest.mark.parametrize("stride", [13, FULL])
def test_a_kill_at_a_statement(case: Case, stride: int, start: Callable[..., Child], measured: Measured) -> None:
    measured("each statement", killed_at=len(case.places(stride)))
    forker = start("cut_off")
    for at in case.places(stride):
        folder = case.copy()
        forker.say([case.name, str(folder), at])
        assert forker.next() == -9
        case.verify(folder, f"killed at statement {at} of {case.statements}")
    forker.say(None)
    forker.finish()


# --- R1: killed at any moment


@pytest.mark.promise("R1")
@pytest.mark.parametrize("kills", [12, pytest.param(200, marks=[pytest.mark.full, pytest.mark.timeout(3600)])])
def test_kills_at_any_moment(
    path: Path, seeded: Callable[[int], random.Random], start: Callable[..., Child], kills: int, measured: Measured
) -> None:
    chance = seeded(404)
    acknowledged: dict[str, str] = {}
    during: dict[str, int] = {}
    for number in range(kills):
        child = start("dream_until_killed", path, f"/round{number}", chance.randrange(2**32))
        answers = [child.next()]
        sleep(chance.uniform(0.05, 0.7))
        assert child.process.poll() is None, child.errors
        answers += child.kill()
        doing = answers[-1].get("doing", "nothing")
        during[doing] = during.get(doing, 0) + 1
        for answer in answers:
            acknowledged |= answer.get("facts", {})
        with dreaming(path, at=None) as mind:
            whole(mind, f"kill {number}, during {doing}")
            assert acknowledged.items() <= {m.id: m.text for m in _all(mind) if m.kind == "fact"}.items()
            assert mind.check().problems == (), f"kill {number}, during {doing}"
        assert drift(path) == [], f"kill {number}, during {doing}"
    told = ", ".join(f"{doing} {times}" for doing, times in sorted(during.items()))
    measured(f"{kills} kills", seed=404, facts_acked=len(acknowledged), lost=0, killed_during=told)


def _all(mind: Mind) -> list[Any]:
    found: list[Any] = []
    while page := mind.list(state="all", limit=1000, offset=len(found)):
        found += page
    return found


# --- R6, R7: who dreams


@pytest.fixture
def held(path: Path, start: Callable[..., Child]) -> Child:
    """A process that dreams, and waits for its language model."""
    with dreaming(path, at=None) as mind:
        remembered(mind, facts("garden", 6))
    child = start("dream_when_told", path)
    assert child.next() == "asked", child.errors
    return child


@pytest.mark.promise("R7")
def test_a_killed_dreamer_is_replaced_at_once(path: Path, held: Child) -> None:
    with dreaming(path, at=None) as mind:
        refused = mind.dreams.run("cluster")
        assert (refused.ran, refused.merged) == (False, 0)
        held.kill()
        done = mind.dreams.run("cluster")
        assert (done.ran, done.merged) == (True, 6)
        whole(mind, "replaced")
    assert drift(path) == []


@pytest.mark.promise("R6")
def test_a_frozen_dreamer_is_replaced_when_its_lease_is_over_and_fenced_out(path: Path, held: Child) -> None:
    os.kill(held.process.pid, signal.SIGSTOP)
    try:
        with dreaming(path, at=None) as mind:
            assert not mind.dreams.run("cluster").ran
        with dreaming(path, at=datetime.now(UTC) + timedelta(seconds=LEASE_SECONDS + 5)) as successor:
            done = successor.dreams.run("cluster")
            assert (done.ran, done.merged) == (True, 6)
    finally:
        os.kill(held.process.pid, signal.SIGCONT)
    before = dump(path)
    held.say()
    answers = held.finish()
    assert (answers[-1]["ran"], answers[-1]["receipts"], answers[-1]["merged"]) == (False, {}, 0)
    after = dump(path)
    assert {name for name in after if after[name] != before[name]} <= {"spending"}, "nothing of it was written"
    with dreaming(path, at=None) as mind:
        whole(mind, "fenced out")
    assert drift(path) == []


@pytest.mark.promise("R6")
def test_a_frozen_dreamer_that_nobody_replaced_goes_on(path: Path, held: Child) -> None:
    os.kill(held.process.pid, signal.SIGSTOP)
    sleep(0.3)
    os.kill(held.process.pid, signal.SIGCONT)
    held.say()
    held.say()
    assert held.finish()[-1]["merged"] == 6
    with dreaming(path, at=None) as mind:
        whole(mind, "went on")


# --- R11: recall during a dream


@pytest.mark.promise("R11")
@pytest.mark.parametrize("dreams", [4, pytest.param(40, marks=[pytest.mark.full, pytest.mark.timeout(3600)])])
def test_no_fact_is_ever_out_of_recall(
    path: Path, tmp_path: Path, start: Callable[..., Child], dreams: int, measured: Measured
) -> None:
    with dreaming(path, at=None) as mind:
        for topic in TOPICS[:6]:
            remembered(mind, facts(topic, 8), scope=f"/{topic}")
    reader = start("recall_until_told", path, tmp_path / "stop")
    assert reader.next() == "ready", reader.errors
    reader.say()
    merged = 0
    begun = datetime.now(UTC)
    for number in range(dreams):
        with dreaming(path, seed=number, at=begun + timedelta(days=31 * number)) as mind:
            done = mind.dreams.run("cluster")
            merged += done.merged
            sleep(0.2)
            mind.undo(done.receipts["cluster"])
            sleep(0.2)
    (tmp_path / "stop").touch()
    (told,) = reader.finish()
    asked = 48 * told["rounds"]
    measured(f"{dreams} dreams taken back", merged=merged, recalls=asked, unreachable=len(told["missing"]))
    assert merged >= 8 * dreams
    assert told["rounds"] >= 2
    assert told["missing"] == []
    with dreaming(path, at=None) as mind:
        assert all(reaches(mind, memory) for memory in _all(mind) if memory.kind == "fact")
