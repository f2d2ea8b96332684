"""R2: an operation cut off at any of its statements leaves the store as before or as after, and can be run again."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.crash.operations import OPERATIONS, Cut, CutOff, build, run, run_again
from tests.crash.stores import buried, differences, drift, dump, holders, ledger, opened
from tests.reliability.recording import Measured

pytestmark = pytest.mark.promise("R2")

PURGED_WORDS = ("Old note about the maple", "Everything about maple", "release train leaves")


class Case:
    """An operation, the store before and after it, and fresh copies of the store to cut it off on."""

    def __init__(self, name: str, folder: Path, make: Callable[[Path], Path] = build) -> None:
        self.name = name
        self._folder = folder
        (folder / "base").mkdir()
        make(folder / "base")
        self.before = dump(self.copy() / "memory.db")
        whole = Cut()
        run(name, self.copy(), whole)
        self.statements = whole.seen
        self.after = dump(self._last / "memory.db")
        assert self.before != self.after
        inside = Cut(inside=True)
        run(name, self.copy(), inside)
        self.turns = inside.seen

    def copy(self) -> Path:
        self._last = self._folder / "copy"
        shutil.rmtree(self._last, ignore_errors=True)
        shutil.copytree(self._folder / "base", self._last)
        return self._last

    def verify(self, folder: Path, at: str) -> None:
        """The store is whole, before or after; running the operation again gets it to after."""
        path = folder / "memory.db"
        found = dump(path)
        assert found in (self.before, self.after), f"{at}: {differences(self.before, found)}"
        run_again(self.name, folder)
        if found == self.before:
            assert not differences(self.after, dump(path)), at
        assert drift(path) == [], at
        with opened(path) as mind:
            assert mind.check().problems == (), at
        assert ledger(path) == buried(path), f"{at}: the ledger is not whole"
        if self.name == "purge":
            assert holders(folder, PURGED_WORDS) == {}, at


@pytest.fixture(params=OPERATIONS)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Case]:
    yield Case(request.param, tmp_path)


def test_an_error_at_each_statement(case: Case, measured: Measured) -> None:
    measured("each statement of each operation", cut_at=case.statements)
    for at in range(1, case.statements + 1):
        folder = case.copy()
        cut = Cut(at)
        with pytest.raises(CutOff):
            run(case.name, folder, cut)
        case.verify(folder, f"statement {at} of {case.statements}, {cut.statements[at - 1]!r}")


def test_an_interrupt_inside_statements(case: Case) -> None:
    step = max(1, case.turns // 40)
    for at in range(1, case.turns + 1, step):
        folder = case.copy()
        with contextlib.suppress(apsw.InterruptError):
            run(case.name, folder, Cut(at, inside=True))
        case.verify(folder, f"turn {at} of {case.turns}")


def test_a_kill_at_each_statement(case: Case, start: Callable[..., Any], measured: Measured) -> None:
    forker = start("cut_off")
    stride = 1 if case.name in ("purge", "supersede", "relearn") else 4
    places = range(1, case.statements + 1, stride)
    measured("each statement, or each fourth", killed_at=len(places))
    for at in places:
        folder = case.copy()
        forker.say([case.name, str(folder), at])
        assert forker.next() == -9
        case.verify(folder, f"killed at statement {at} of {case.statements}")
    forker.say(None)
    forker.finish()
