"""A connection as the shared statements use it: psycopg's, with their wording, and bound to one namespace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, TypeVar

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.types.numeric import Int8Dumper

from remanence.store.postgres import faults
from remanence.store.postgres.dialect import reworded

NO_SPACE = -1
_MOST_HELD = 1000
_BIND = "SELECT set_config('remanence.space', $1, false)"
Raw = psycopg.Connection[tuple[Any, ...]]
T = TypeVar("T")


class _Whole(Loader):
    """Sums of numbers come as numeric: whole ones are ints."""

    def load(self, data: Buffer) -> float:
        text = bytes(data)
        return float(text) if b"." in text or b"N" in text else int(text)


def prepare(raw: Raw) -> None:
    """Teach a new connection the types that statements count on."""
    from pgvector.psycopg import register_vector

    raw.adapters.register_dumper(int, Int8Dumper)
    raw.adapters.register_loader("numeric", _Whole)
    raw.prepared_max = 400
    register_vector(raw)


class Result:
    """The rows of a statement."""

    __slots__ = ("_rows",)

    def __init__(self, rows: list[tuple[Any, ...]]) -> None:
        self._rows = rows

    @property
    def get(self) -> Any:
        if not self._rows:
            return None
        if len(self._rows) == 1:
            row = self._rows[0]
            return row[0] if len(row) == 1 else row
        return [row[0] if len(row) == 1 else row for row in self._rows]

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self._rows

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._rows)


class Connection:
    """One connection while a store uses it.

    In `pipelined`, which is meant for transactions, what gives no rows is held back, and sent together with the next
    statement that gives some, or by `settled`, which ends it: one answer is waited for, not one a statement. Nothing is
    on its way in between, so that the server sees a transaction whose client is frozen as what it is: idle.

    `renew`, where it is set, gives another connection for one that was lost: only reads outside a transaction may be
    asked again.
    """

    __slots__ = ("_changed", "_cursor", "_held", "_pipeline", "_total", "_waits", "raw", "renew", "space")

    def __init__(self, raw: Raw, space: int = NO_SPACE) -> None:
        self.raw = raw
        self.space = space
        self.renew: Callable[[Connection], Connection] | None = None
        self._cursor = psycopg.RawCursor(raw)
        self._waits = ExitStack()
        self._pipeline: psycopg.Pipeline | None = None
        self._held: list[tuple[str, Sequence[Any]]] = []
        self._changed = self._total = 0

    def speak_for(self, space: int) -> None:
        """From now on this connection is for that namespace, and the server holds it to that."""
        self.space = space
        if getattr(self.raw, "remanence_space", None) != space:
            self._cursor.execute(_BIND, (str(space),))
            self.raw.remanence_space = space  # type: ignore[attr-defined]

    def pipelined(self) -> None:
        self._pipeline = self._waits.enter_context(self.raw.pipeline())

    def settled(self) -> bool:
        """Send what is held back and wait until it is done; whether it was pipelined until now."""
        if self._pipeline is None:
            return False
        try:
            self._arrive()
        finally:
            self._held.clear()
            self._pipeline = None
            self._waits.close()
        return True

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Result:
        statement = reworded(sql)
        given = (self.space, *values) if statement.takes_space else values
        if self._pipeline is not None:
            if statement.gives_rows:
                return Result(self._arrive(statement.text, given, counts=not statement.only_reads))
            self._hold([(statement.text, given)])
            return Result([])
        cursor = self._asked(lambda: self._cursor.execute(statement.text, given))
        if not statement.only_reads:
            self._count(cursor)
        return Result(cursor.fetchall() if statement.gives_rows else [])

    def fetched(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Rows whose values come as they are, not as text: of vectors a small part of the time."""
        statement = reworded(sql)
        given = (self.space, *values) if statement.takes_space else values
        if self._pipeline is not None:
            return self._arrive(statement.text, given, binary=True)
        return self._asked(lambda: psycopg.RawCursor(self.raw).execute(statement.text, given, binary=True)).fetchall()

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        statement = reworded(sql)
        given = [(self.space, *row) for row in rows] if statement.takes_space else list(rows)
        if self._pipeline is not None:
            self._hold([(statement.text, row) for row in given])
        elif given:
            self._cursor.executemany(statement.text, given)
            self._count(self._cursor)

    def changes(self) -> int:
        if self._held:
            self._arrive()
        return self._changed

    def total_changes(self) -> int:
        if self._held:
            self._arrive()
        return self._total

    def _asked(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except psycopg.Error as error:
            if self.renew is None or not faults.is_gone(error):
                raise
        self.raw = self.renew(self).raw
        self._cursor = psycopg.RawCursor(self.raw)
        return ask()

    def _hold(self, statements: list[tuple[str, Sequence[Any]]]) -> None:
        self._held += statements
        if len(self._held) > _MOST_HELD:
            self._arrive()

    def _arrive(
        self, text: str = "", given: Sequence[Any] = (), *, binary: bool = False, counts: bool = False
    ) -> list[tuple[Any, ...]]:
        """Send what is held back, and this, whose rows are given back; all of it is done then."""
        assert self._pipeline is not None
        held, self._held = self._held, []
        sent = [psycopg.RawCursor(self.raw).execute(*one) for one in held]
        cursor = psycopg.RawCursor(self.raw).execute(text, given, binary=binary) if text else None
        self._pipeline.sync()
        for one in sent:
            self._count(one)
        if cursor is None:
            return []
        if counts:
            self._count(cursor)
        return cursor.fetchall()

    def _count(self, cursor: psycopg.RawCursor[tuple[Any, ...]]) -> None:
        self._changed = max(cursor.rowcount, 0)
        self._total += self._changed
