"""R2 for dates: a dating cut off at any of its statements has dated whole pages, and goes on from there."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crash.operations import TEST_POLICY, Cut, CutOff, build, run
from tests.crash.stores import differences, drift, dump, opened

DUE_AT = 26


class Dated:
    """A store before and after a dating, and fresh copies to cut it off on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "base").mkdir()
        build(folder / "base")
        self.before = dump(self.copy() / "memory.db")
        whole = Cut()
        run("date_anew", self.copy(), whole)
        self.statements = whole.seen
        self.after = dump(self._last / "memory.db")
        assert self.after["policies"][0][3:5] == (TEST_POLICY, None)
        assert {row[DUE_AT] for row in self.after["lives"]} > {None}

    def copy(self) -> Path:
        self._last = self._folder / "copy"
        shutil.rmtree(self._last, ignore_errors=True)
        shutil.copytree(self._folder / "base", self._last)
        return self._last

    def verify(self, folder: Path, at: str) -> None:
        """Rows up to where the dating came have their new date, the others the old one; run again, all have it."""
        path = folder / "memory.db"
        found = dump(path)
        _, _, _, under, to, *_ = found["policies"][0]
        old, new = (dict(_dates(tables)) for tables in (self.before, self.after))
        reached = -1 if under != TEST_POLICY else max(new) if to is None else to
        assert dict(_dates(found)) == {no: new[no] if no <= reached else old[no] for no in new}, at
        assert drift(path) == [], at
        run("date_anew", folder, Cut())
        assert differences(self.after, dump(path)) == [], at
        with opened(path) as mind:
            assert mind.check().problems == (), at


def _dates(tables: dict[str, list[Any]]) -> Iterator[tuple[int, int | None]]:
    return ((row[0], row[DUE_AT]) for row in tables["lives"])


@pytest.fixture
def dated(tmp_path: Path) -> Dated:
    return Dated(tmp_path)


@pytest.mark.promise("R2")
def test_an_error_at_each_statement(dated: Dated) -> None:
    for at in range(1, dated.statements + 1):
        folder = dated.copy()
        with pytest.raises(CutOff):
            run("date_anew", folder, Cut(at))
        dated.verify(folder, f"statement {at} of {dated.statements}")


@pytest.mark.promise("R2")
def test_a_kill_at_each_statement(dated: Dated, start: Callable[..., Any]) -> None:
    forker = start("cut_off")
    for at in range(1, dated.statements + 1):
        folder = dated.copy()
        forker.say(["date_anew", str(folder), at])
        assert forker.next() == -9
        dated.verify(folder, f"killed at statement {at} of {dated.statements}")
    forker.say(None)
    forker.finish()
