"""R2 on PostgreSQL: an operation cut off at any of its statements leaves all or nothing, and can be run again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PosixPath
from types import TracebackType
from typing import Any

import psycopg
import pytest

from tests.crash.operations import DREAMS, OPERATIONS, CutOff, build, build_to_dream, run, run_again
from tests.crash.stores import everything, opened
from tests.database.test_leases import rows
from tests.postgres import Cluster
from tests.reliability.recording import Measured


class Cut:
    """Counts the statements that go to any server while it stands, and raises before the chosen one."""

    def __init__(self, at: int = 0) -> None:
        self.at = at
        self.seen = 0
        self.ended = False
        self.statements: list[str] = []
        self._execute, self._executemany = psycopg.Cursor.execute, psycopg.Cursor.executemany

    def _counted(self, sends: Callable[..., Any]) -> Callable[..., Any]:
        def counted(cursor: Any, query: Any, *values: Any, **options: Any) -> Any:
            if not self.ended:
                self.seen += 1
                self.statements.append(str(query))
                if self.seen == self.at:
                    raise CutOff(f"at statement {self.at}: {query}")
            return sends(cursor, query, *values, **options)

        return counted

    def __enter__(self) -> Cut:
        psycopg.Cursor.execute = self._counted(self._execute)  # type: ignore[method-assign]
        psycopg.Cursor.executemany = self._counted(self._executemany)  # type: ignore[method-assign]
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, _: TracebackType | None) -> None:
        psycopg.Cursor.execute = self._execute  # type: ignore[method-assign]
        psycopg.Cursor.executemany = self._executemany  # type: ignore[method-assign]
        self.ended = True


class Folder(PosixPath):
    """A folder whose memories are in a database."""

    url: str

    def __truediv__(self, name: Any) -> Any:
        return self.url if name == "memory.db" else super().__truediv__(name)


def contents(url: str) -> Any:
    """What is remembered, and what was done, without numbers of rows: those of a cut-off try are not given again."""
    with opened(url) as mind:  # type: ignore[arg-type]
        return everything(mind), [(entry.memory_id, entry.verb, entry.reason) for entry in mind.journal(1000)]


class Case:
    """An operation, the store before and after it, and fresh copies of the store to cut it off on."""

    def __init__(self, name: str, cluster: Cluster, template: str, folder: Path) -> None:
        self.name, self._cluster = name, cluster
        self._folder = Folder(folder)
        self._base = cluster.new_database(template)
        self._folder.url = cluster.url(self._base)
        (build_to_dream if name in DREAMS else build)(self._folder)
        self.url = ""
        self.rows, self.before = rows(self.copied()), contents(self.url)
        run(name, self._folder, whole := Cut())  # type: ignore[arg-type]
        self.statements = whole.seen
        self.after = contents(self.url)
        assert self.before != self.after

    def copied(self) -> str:
        """A store as it was before."""
        self.close()
        self.url = self._folder.url = self._cluster.url(self._cluster.new_database(self._base))
        return self.url

    def close(self) -> None:
        if self.url:
            self._cluster.execute(f"DROP DATABASE {self.url.rpartition('/')[2]} WITH (FORCE)")

    def cut(self, at: int) -> bool:
        """Cut it off there; whether the store is as it was before."""
        cut = Cut(at)
        with pytest.raises(CutOff):
            run(self.name, self._folder, cut)  # type: ignore[arg-type]
        where = f"statement {at} of {self.statements}, {cut.statements[at - 1]!r}"
        found = contents(self.url)
        assert found in (self.before, self.after), where
        if found == self.before:
            assert rows(self.url) == self.rows, where
        with opened(self.url) as mind:  # type: ignore[arg-type]
            assert mind.check().problems == (), where
        return found == self.before

    def again(self, at: int) -> None:
        run_again(self.name, self._folder)
        assert contents(self.url) == self.after, f"again, after statement {at}"
        with opened(self.url) as mind:  # type: ignore[arg-type]
            assert mind.check().problems == (), at


NAMES = [*OPERATIONS, "dream"]


@pytest.fixture(params=NAMES)
def case(request: pytest.FixtureRequest, cluster: Cluster, template: str, tmp_path: Path) -> Iterator[Case]:
    made = Case(request.param, cluster, template, tmp_path)
    yield made
    made.close()


@pytest.mark.promise("R2")
@pytest.mark.parametrize("stride", [23, pytest.param(1, marks=[pytest.mark.full, pytest.mark.timeout(3600)])])
def test_an_error_at_a_statement(case: Case, stride: int, measured: Measured) -> None:
    """A store that is as before is cut off once more, at the next place; every tenth is gone on with."""
    places = range(1, case.statements + 1, stride)
    measured("each statement of each operation", cut_at=len(places))
    fresh = False
    for number, at in enumerate(places):
        if not fresh:
            case.copied()
        fresh = case.cut(at)
        if fresh and number % 10 == 0:
            case.again(at)
            fresh = False
