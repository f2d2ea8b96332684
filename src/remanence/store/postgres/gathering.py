"""Rows that are written one by one are gathered and sent together: by COPY where they are many.

The shared code writes a plan memory by memory, a few rows in a dozen tables each. A server on another machine would
answer each of them. So rows that are only added are held back until the plan is written, or until a statement names
one of their tables; then those of a table go in one piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import psycopg

from remanence.store.postgres.connection import Connection, Result
from remanence.store.postgres.dialect import reworded

_FEWEST_COPIED = 20
_INSERT = re.compile(r"INSERT INTO (\w+)\s*(?:\(([^)]*)\))?\s*VALUES\s*\(([^()]*)\)\s*$")
_WORD = re.compile(r"\w+")


class _Plain(NamedTuple):
    """An insert of given values, without conditions: its table, columns, and whether the first is the namespace's."""

    table: str
    columns: str | None
    takes_space: bool


@cache
def _plain(sql: str) -> _Plain | None:
    statement = reworded(sql)
    found = _INSERT.match(statement.text)
    if found is None:
        return None
    values = [value.strip().split("::")[0] for value in found[3].split(",")]
    if values != [f"${number}" for number in range(1, len(values) + 1)]:
        return None
    return _Plain(found[1], found[2], statement.takes_space)


@cache
def _named(sql: str) -> frozenset[str]:
    return frozenset(_WORD.findall(sql))


class Gathering(Connection):
    """A connection that holds back rows to be added; `flush` sends them."""

    __slots__ = ("_held", "_tables", "plain")

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection.raw, connection.space)
        self.plain = connection
        self._held: dict[str, list[Sequence[Any]]] = {}
        self._tables: set[str] = set()

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Result:
        plain = _plain(sql)
        if plain is not None:
            self._held.setdefault(sql, []).append(values)
            self._tables.add(plain.table)
            return Result([])
        if self._tables and not self._tables.isdisjoint(_named(sql)):
            self.flush()
        return super().execute(sql, values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        plain = _plain(sql)
        if plain is None:
            if self._tables and not self._tables.isdisjoint(_named(sql)):
                self.flush()
            super().executemany(sql, rows)
            return
        self._held.setdefault(sql, []).extend(rows)
        self._tables.add(plain.table)

    def flush(self) -> None:
        held, self._held = self._held, {}
        self._tables.clear()
        for sql, rows in held.items():
            plain = _plain(sql)
            if len(rows) < _FEWEST_COPIED or plain is None:
                super().executemany(sql, rows)
            else:
                self._copy(plain, rows)

    def _copy(self, plain: _Plain, rows: list[Sequence[Any]]) -> None:
        columns = "" if plain.columns is None else f"({plain.columns})"
        with psycopg.Cursor(self.raw) as cursor, cursor.copy(f"COPY {plain.table}{columns} FROM STDIN") as copy:
            for row in rows:
                copy.write_row((self.space, *row) if plain.takes_space else row)
