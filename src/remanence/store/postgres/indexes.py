"""The indexes that a store should have, those that it lacks, and making them while others write.

What there should be is read from the steps of the schema, and from the dimensions of the vectors in use. On a
partitioned table the index of the whole is made first, without those of its partitions; each of these is made while
others write, and attached. The index of the whole counts once all of them are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from time import sleep
from typing import NamedTuple

import psycopg

from remanence.store.postgres import migrations
from remanence.store.postgres.connection import Raw
from remanence.store.postgres.pool import SCHEMA
from remanence.store.postgres.vector_index import MOST_DIMENSIONS, USUAL_DIMENSION, vector_indexes

_WAITS_MS, _PAUSE_SECONDS = 100, 0.4
_MADE = re.compile(r"CREATE (UNIQUE )?INDEX (\w+) ON (\w+)\s*(.*)", re.DOTALL)
_DROPPED = re.compile(r"DROP INDEX (\w+)")
_THERE = (
    "SELECT c.relname, t.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
    "JOIN pg_class t ON t.oid = i.indrelid WHERE c.relnamespace = %s::regnamespace"
)
_PARTS = (
    "SELECT t.relname FROM pg_inherits h JOIN pg_index i ON i.indexrelid = h.inhrelid "
    "JOIN pg_class t ON t.oid = i.indrelid WHERE h.inhparent = %s::regclass"
)


class Index(NamedTuple):
    """One index: its name, its table, and what it is made on."""

    name: str
    table: str
    on: str
    unique: bool = False


class Found(NamedTuple):
    """What is wrong with the indexes of a store: those it lacks or cannot use, and broken ones that are not its own."""

    missing: list[Index]
    strange: list[str]

    def of_vectors(self, *, yes: bool) -> list[str]:
        return [index.name for index in self.missing if (index.table == "vectors") == yes]


@cache
def of_schema() -> dict[str, Index]:
    """What the steps of the schema make."""
    made: dict[str, Index] = {}
    for statement in migrations.statements():
        if found := _MADE.match(statement):
            made[found[2]] = Index(found[2], found[3], found[4], bool(found[1]))
        elif found := _DROPPED.match(statement):
            made.pop(found[1], None)
    return made


def wanted(raw: Raw) -> Iterator[Index]:
    """Every index that the store should have."""
    yield from of_schema().values()
    used = {int(size) for (size,) in raw.execute("SELECT DISTINCT dimension FROM models").fetchall()}
    for dimension in sorted(used | {USUAL_DIMENSION}):
        if dimension <= MOST_DIMENSIONS:
            yield from (Index(name, "vectors", on) for name, on in vector_indexes(dimension))


def look(raw: Raw) -> Found:
    there = {str(name): (str(table), bool(valid)) for name, table, valid in raw.execute(_THERE, (SCHEMA,)).fetchall()}
    missing = [index for index in wanted(raw) if there.get(index.name) != (index.table, True)]
    own = {name for index in missing for name in there if re.fullmatch(rf"{index.name}(_\d+)?", name)}
    return Found(missing, sorted(name for name, (_, valid) in there.items() if not valid and name not in own))


def make(raw: Raw, index: Index, partitions: int) -> None:
    """Make an index that is missing, while others write; what an earlier try left half made is made anew."""
    if partitions == 1 or index.table not in migrations.tables():
        _made(raw, index)
        return
    _soon(raw, f"{_create(index)} IF NOT EXISTS {index.name} ON ONLY {index.table} {index.on}")
    has = {str(table) for (table,) in raw.execute(_PARTS, (f"{SCHEMA}.{index.name}",)).fetchall()}
    for part in range(partitions):
        one = index._replace(name=f"{index.name}_{part}", table=f"{index.table}_{part}")
        if one.table not in has:
            _made(raw, one)
            raw.execute(f"ALTER INDEX {index.name} ATTACH PARTITION {one.name}")


def _soon(raw: Raw, statement: str) -> None:
    """Do what nobody may write beside. Who comes while it waits for a writer waits too, so it never waits for long."""
    while True:
        try:
            with raw.transaction():
                raw.execute(f"SET LOCAL lock_timeout = {_WAITS_MS}")
                raw.execute(statement)
            return
        except psycopg.errors.LockNotAvailable:
            sleep(_PAUSE_SECONDS)


def _made(raw: Raw, index: Index) -> None:
    there = raw.execute(f"{_THERE} AND c.relname = %s", (SCHEMA, index.name)).fetchone()
    if there is not None and not there[2]:
        raw.execute(f"DROP INDEX CONCURRENTLY {index.name}")
    raw.execute(f"{_create(index)} CONCURRENTLY IF NOT EXISTS {index.name} ON {index.table} {index.on}")


def _create(index: Index) -> str:
    return "CREATE UNIQUE INDEX" if index.unique else "CREATE INDEX"
