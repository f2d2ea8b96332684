"""A connection as the shared statements use it: psycopg's, with their wording, and bound to one namespace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.types.numeric import Int8Dumper

from remanence.store.postgres.dialect import reworded

NO_SPACE = -1
_BIND = "SELECT set_config('remanence.space', $1, false)"
Raw = psycopg.Connection[tuple[Any, ...]]


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
    """One connection while a store uses it."""

    __slots__ = ("_changed", "_cursor", "_total", "raw", "space")

    def __init__(self, raw: Raw, space: int = NO_SPACE) -> None:
        self.raw = raw
        self.space = space
        self._cursor = psycopg.RawCursor(raw)
        self._changed = self._total = 0

    def speak_for(self, space: int) -> None:
        """From now on this connection is for that namespace, and the server holds it to that."""
        self.space = space
        if getattr(self.raw, "remanence_space", None) != space:
            self._cursor.execute(_BIND, (str(space),))
            self.raw.remanence_space = space  # type: ignore[attr-defined]

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Result:
        statement = reworded(sql)
        given = (self.space, *values) if statement.takes_space else values
        cursor = self._cursor.execute(statement.text, given)
        self._changed = max(cursor.rowcount, 0)
        if cursor.description is None:
            self._total += self._changed
            return Result([])
        if not sql.startswith(("SELECT", "WITH")):
            self._total += self._changed
        return Result(cursor.fetchall())

    def fetched(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Rows whose values come as they are, not as text: of vectors a small part of the time."""
        statement = reworded(sql)
        given = (self.space, *values) if statement.takes_space else values
        with psycopg.RawCursor(self.raw) as cursor:
            return cursor.execute(statement.text, given, binary=True).fetchall()

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        statement = reworded(sql)
        given = [(self.space, *row) for row in rows] if statement.takes_space else list(rows)
        if given:
            self._cursor.executemany(statement.text, given)
            self._changed = max(self._cursor.rowcount, 0)
            self._total += self._changed

    def changes(self) -> int:
        return self._changed

    def total_changes(self) -> int:
        return self._total
