"""R1, R2, R3, R6 for captured sessions: nothing acknowledged is lost, nothing comes twice, no step is half done."""

from __future__ import annotations

import contextlib
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep
from typing import Any

import apsw
import pytest

from remanence.errors import LeaseLost
from remanence.store.sqlite import migrations
from tests.crash.conftest import Child
from tests.crash.operations import CAPTURED, CAPTURED_MARK, Cut, CutOff, build_captured, run
from tests.crash.session_workers import START, observation
from tests.crash.steps import one_more_schema
from tests.crash.stores import drift, dump, holders, opened, sound
from tests.crash.test_cut_off import Case
from tests.reliability.recording import Measured

FULL = [pytest.mark.full, pytest.mark.timeout(3600)]
SCRIPT = Path(__file__).with_name("session_workers.py")


@pytest.fixture
def begin() -> Iterator[Callable[..., Child]]:
    """Starts jobs of session_workers.py; those still running at the end of the test are killed."""
    children: list[Child] = []

    def begin_(job: str, *arguments: Any) -> Child:
        children.append(Child(job, *arguments, script=SCRIPT))
        return children[-1]

    yield begin_
    for child in children:
        child.end()


def go(children: list[Child]) -> list[list[Any]]:
    """Let them go at once, when all are ready; their answers."""
    assert [child.next() for child in children] == ["ready"] * len(children)
    for child in children:
        child.say()
    return [child.finish() for child in children]


# -- cut off anywhere (R2)


class Captured(Case):
    """An operation on a store with sessions."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(name, folder, build_captured)

    def verify(self, folder: Path, at: str) -> None:
        super().verify(folder, at)
        if self.name == "purge_project":
            assert holders(folder, [CAPTURED_MARK]) == {}, at
            assert not dump(folder / "memory.db")["sessions"], at
        elif self.name == "purge_learned":
            # The path of a transcript is no part of what was said, and one session was not read.
            assert holders(folder, [f"Use {CAPTURED_MARK}", f"About {CAPTURED_MARK}"]) == {}, at


@pytest.fixture(params=CAPTURED)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Captured:
    return Captured(request.param, tmp_path)


@pytest.mark.promise("R2")
def test_an_error_at_each_statement(case: Captured, measured: Measured) -> None:
    measured("each statement of each operation on sessions", cut_at=case.statements)
    for at in range(1, case.statements + 1):
        folder = case.copy()
        cut = Cut(at)
        with pytest.raises(CutOff):
            run(case.name, folder, cut)
        case.verify(folder, f"statement {at} of {case.statements}, {cut.statements[at - 1]!r}")


@pytest.mark.promise("R2")
def test_an_interrupt_inside_statements(case: Captured) -> None:
    for at in range(1, case.turns + 1, max(1, case.turns // 12)):
        folder = case.copy()
        with contextlib.suppress(apsw.InterruptError):
            run(case.name, folder, Cut(at, inside=True))
        case.verify(folder, f"turn {at} of {case.turns}")


@pytest.mark.promise("R2")
@pytest.mark.parametrize("stride", [25, pytest.param(1, marks=FULL)])
def test_a_kill_at_a_statement(case: Captured, start: Callable[..., Any], stride: int, measured: Measured) -> None:
    measured("each statement of each operation on sessions", killed_at=case.statements // stride)
    forker = start("cut_off")
    for at in range(1, case.statements + 1, stride):
        folder = case.copy()
        forker.say([case.name, str(folder), at])
        assert forker.next() == -9
        case.verify(folder, f"killed at statement {at} of {case.statements}")
    forker.say(None)
    forker.finish()


# -- killed at any moment (R1)


@pytest.mark.promise("R1")
@pytest.mark.parametrize("kills", [6, pytest.param(200, marks=FULL)])
def test_nothing_acknowledged_is_lost(
    path: Path, seeded: Callable[[int], random.Random], begin: Callable[..., Child], kills: int, measured: Measured
) -> None:
    chance = seeded(601)
    opened(path).close()
    held: dict[str, list[str]] = {}
    read: dict[str, int] = {}
    for number in range(kills):
        child = begin("append_until_killed", path, f"w{number}", chance.randrange(2**32))
        answers = [child.next()]
        sleep(chance.uniform(0, 0.4))
        assert child.process.poll() is None, child.errors
        under_way: dict[str, Any] = {}
        for answer in answers + child.kill():
            if "try" in answer:
                under_way = answer
            else:
                under_way = {}
                if answer["done"] == "append":
                    held.setdefault(answer["session"], []).extend(answer["texts"])
                else:
                    read[answer["session"]] = answer["upto"]
        with opened(path, at=None) as mind:
            if under_way.get("try") == "append":
                id = under_way["session"]
                found = [one.text for page in mind._store.sessions.observations(id) for one in page]
                assert found in (held.get(id, []), held.get(id, []) + under_way["texts"]), (
                    f"kill {number}: half a batch"
                )
                if found:
                    held[id] = found
            elif under_way.get("try") == "read":
                id = under_way["session"]
                mark = mind._store.sessions.get(id).processed_to
                assert mark in (read.get(id, 0), under_way["upto"])
                read[id] = mark
            assert mind.check().problems == (), f"kill {number}, during {under_way}"
        assert drift(path) == [], f"kill {number}, during {under_way}"
    with opened(path, at=None) as mind:
        sessions = mind._store.sessions
        assert {one.id: one.processed_to for one in sessions.listed() if one.processed_to} == {
            id: upto for id, upto in read.items() if upto
        }
        for id, texts in held.items():
            assert [one.text for page in sessions.observations(id) for one in page] == texts, id
    measured(f"{kills} kills", seed=601, observations_acked=sum(map(len, held.values())), lost=0)


# -- many at once (R3, R6)


@pytest.mark.promise("R3")
@pytest.mark.parametrize(
    ("processes", "number", "batch"), [(3, 120, 7), (8, 25, 1), pytest.param(8, 2000, 3, marks=FULL)]
)
def test_many_tell_of_one_session_and_of_their_own(
    path: Path, begin: Callable[..., Child], processes: int, number: int, batch: int
) -> None:
    """Of the one session all tell the same, each as a way of its own: every line is there once, in order."""
    opened(path).close()
    names = [f"way{n}" for n in range(processes)]
    answers = go([begin("tell_together", path, name, "shared", number, batch) for name in names])
    assert sum(answer[-1] for answer in answers) == number, "each line was new to one of them"
    with opened(path) as mind:
        sessions = mind._store.sessions
        shared = [one for page in sessions.observations("shared") for one in page]
        assert [(one.seq, one.text) for one in shared] == [(n + 1, f"line {n % 50}") for n in range(number)]
        for name in names:
            own = [one.text for page in sessions.observations(name) for one in page]
            assert own == [f"{name} {n}" for n in range(number)]
        assert sessions.count() == processes + 1
    sound(path)


@pytest.mark.promise("R6")
def test_workers_at_once_read_each_session_once(path: Path, begin: Callable[..., Child]) -> None:
    with opened(path) as mind:
        for number in range(40):
            mind._store.sessions.begin(f"s{number}", "/", "test", START)
            mind._store.sessions.append(f"s{number}", [observation("something", number)], "hook")
    answers = go([begin("work_together", path, f"worker {n}") for n in range(3)])
    assert sorted(id for answer in answers for id in answer[-1]) == sorted(f"s{number}" for number in range(40))
    with opened(path) as mind:
        assert mind._store.sessions.changed() == []
        assert mind.count() == 40, "what was learned was learned once"
    sound(path)


@pytest.mark.promise("R6")
def test_the_mark_of_who_was_replaced_is_refused(path: Path) -> None:
    """A worker that froze over its time finds another's mark, and a purge in between stops the other too."""
    with opened(path, at=None) as mind, opened(path, at=None) as other:
        sessions = mind._store.sessions
        sessions.begin("s", "/project/api", "test", START)
        sessions.append("s", [observation(f"line {n}", n) for n in range(4)], "hook")
        frozen = mind._store.claim("stage1:s", "frozen", START, 1.0)
        quick = other._store.claim("stage1:s", "quick", mind.clock(), 60.0)
        with pytest.raises(LeaseLost):
            sessions.processed("s", 4, START, summary="late", lease=frozen)
        mind.purge(ids=[mind.remember("line 2 says more than enough").memory.id], reason="asked to")
        with pytest.raises(LeaseLost):
            other._store.sessions.processed("s", 4, START, summary="late", lease=quick)
        assert (sessions.get("s").processed_to, sessions.get("s").summary) == (0, None)
    sound(path)


# -- copies (R23)


@pytest.mark.promise("R23")
def test_a_backup_holds_sessions_and_an_export_memories_alone(path: Path, tmp_path: Path) -> None:
    build_captured(path.parent)
    with opened(path) as mind:
        copy = mind.backup(tmp_path / "copy.db")
        mind.export(tmp_path / "out.jsonl")
        lines = (tmp_path / "out.jsonl").read_text().splitlines()
        assert len(lines) == mind.count(state="all"), "memory lines only"
        assert "Said as number" not in "".join(lines)
    assert dump(copy) == dump(path)
    with opened(tmp_path / "fresh.db", seed=3) as fresh:
        fresh.import_(tmp_path / "out.jsonl")
        assert (fresh._store.sessions.count(), fresh._store.queue.tasks()) == (0, [])
    sound(copy)


@pytest.mark.promise("R23")
def test_a_backup_while_others_tell_holds_all_that_was_acknowledged(
    path: Path, tmp_path: Path, begin: Callable[..., Child]
) -> None:
    opened(path).close()
    child = begin("append_until_killed", path, "w", 5)
    held: dict[str, list[str]] = {}
    answers = [child.next() for _ in range(60)]
    with opened(path, at=None) as mind:
        copy = mind.backup(tmp_path / "copy.db")
    child.kill()
    for answer in answers:
        if answer.get("done") == "append":
            held.setdefault(answer["session"], []).extend(answer["texts"])
    assert held
    with opened(copy, at=None) as mind:
        for id, texts in held.items():
            found = [one.text for page in mind._store.sessions.observations(id) for one in page]
            assert found[: len(texts)] == texts
    sound(copy)


@pytest.mark.promise("R16")
def test_what_was_captured_since_is_copied_before_it_is_migrated_again(path: Path, tmp_path: Path) -> None:
    """Capturing leaves no receipt; the copy of an earlier migration does not stand in for what came after it."""
    build_captured(path.parent)
    with opened(path) as mind:
        old = mind.backup(tmp_path / "old.db")
    with one_more_schema():
        opened(path).close()
    shutil.copy(old, path)
    with opened(path) as mind:
        mind._store.sessions.append("unread", [observation("Told to the copy that was put back", 1)], "hook")
    before = dump(path)
    with one_more_schema():
        opened(path).close()
    assert before in [dump(copy) for copy in migrations.backups_of(path)]
