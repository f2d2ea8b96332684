"""Rows that are written one by one are gathered and sent together where they are many: by COPY, or a list a column.

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
from pgvector import Vector

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

    __slots__ = ("_gathered", "_tables", "plain")

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection.raw, connection.space)
        self.plain = connection
        self._gathered: dict[str, list[Sequence[Any]]] = {}
        self._tables: set[str] = set()

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Result:
        plain = _plain(sql)
        if plain is not None:
            self._gathered.setdefault(sql, []).append(values)
            self._tables.add(plain.table)
            return Result([])
        self._flush_for(sql)
        return self.plain.execute(sql, values)

    def fetched(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        self._flush_for(sql)
        return self.plain.fetched(sql, values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        plain = _plain(sql)
        if plain is None:
            self._flush_for(sql)
            self.plain.executemany(sql, rows)
            return
        self._gathered.setdefault(sql, []).extend(rows)
        self._tables.add(plain.table)

    def changes(self) -> int:
        return self.plain.changes()

    def total_changes(self) -> int:
        return self.plain.total_changes()

    def _flush_for(self, sql: str) -> None:
        if self._tables and not self._tables.isdisjoint(_named(sql)):
            self.flush()

    def flush(self) -> None:
        held, self._gathered = self._gathered, {}
        self._tables.clear()
        for sql, rows in held.items():
            plain = _plain(sql)
            if len(rows) < _FEWEST_COPIED or plain is None:
                self.plain.executemany(sql, rows)
            else:
                self._copy(plain, rows)

    def _copy(self, plain: _Plain, rows: list[Sequence[Any]]) -> None:
        if self._is_walled():
            self._insert(plain, rows)
            return
        columns = "" if plain.columns is None else f"({plain.columns})"
        was_pipelined = self.plain.settled()  # COPY knows no pipeline
        with psycopg.Cursor(self.raw) as cursor, cursor.copy(f"COPY {plain.table}{columns} FROM STDIN") as copy:
            for row in rows:
                copy.write_row((self.space, *row) if plain.takes_space else row)
        if was_pipelined:
            self.plain.pipelined()

    def _is_walled(self) -> bool:
        """Whether rows of other namespaces are hidden from this role; then the server takes no COPY."""
        known: bool | None = getattr(self.raw, "remanence_walled", None)
        if known is None:
            known = bool(self.plain.execute("SELECT row_security_active('remanence.lives')").get)
            self.raw.remanence_walled = known  # type: ignore[attr-defined]
        return known

    def _insert(self, plain: _Plain, rows: list[Sequence[Any]]) -> None:
        """In one statement, a list for each column."""
        types = _types(self.plain, plain)
        named = "" if plain.columns is None else f"({plain.columns})"
        # A list of lists would be taken for one: those go as text.
        listed = [kind.endswith("[]") for kind in types]
        lists = ", ".join(f"${place + 1}::{'text' if listed[place] else kind}[]" for place, kind in enumerate(types))
        read = ", ".join(f"c{place}::{kind}" if listed[place] else f"c{place}" for place, kind in enumerate(types))
        names = ", ".join(f"c{place}" for place in range(len(types)))
        columns = [list(column) for column in zip(*rows, strict=True)]
        if plain.takes_space:
            columns.insert(0, [self.space] * len(rows))
        given = [_given(column, kind) for column, kind in zip(columns, types, strict=True)]
        self.plain.execute(f"INSERT INTO {plain.table}{named} SELECT {read} FROM unnest({lists}) u({names})", given)


def _given(column: list[Any], kind: str) -> list[Any]:
    if kind.endswith("[]"):
        return [f"{{{','.join(map(str, numbers))}}}" for numbers in column]
    return [Vector(one) for one in column] if kind == "vector" else column


_kinds: dict[_Plain, list[str]] = {}


def _types(connection: Connection, plain: _Plain) -> list[str]:
    """The types of the columns that are written, in their order."""
    if plain not in _kinds:
        sql = (
            "SELECT a.attname, format_type(a.atttypid, NULL) FROM pg_attribute a "
            "WHERE a.attrelid = ?::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' "
            "ORDER BY a.attnum"
        )
        found: dict[str, str] = dict(connection.execute(sql, (f"remanence.{plain.table}",)))
        names = list(found) if plain.columns is None else [name.strip() for name in plain.columns.split(",")]
        _kinds[plain] = [found[name] for name in names]
    return _kinds[plain]
