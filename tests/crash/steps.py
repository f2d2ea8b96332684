"""Migrations to be cut off, killed and run at once: the real one from schema 1, and one that only these tests know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from remanence.flows.entities import name_all
from remanence.store.sqlite import migrations
from tests.crash.operations import build
from tests.crash.stores import opened

Tables = dict[str, list[Any]]
FIXTURES = Path(__file__).with_name("fixtures")
NOW = migrations.current_schema()
EXTRA_STEP = """
CREATE TABLE moods(no INTEGER PRIMARY KEY, mood TEXT NOT NULL) STRICT;
INSERT INTO moods SELECT no, 'calm' FROM memories;
ALTER TABLE receipts ADD COLUMN weather TEXT;
CREATE INDEX receipts_verb ON receipts(verb);
UPDATE receipts SET weather = 'fair';
"""


@contextmanager
def one_more_schema() -> Iterator[None]:
    """As if the next version of the product had a further step."""
    known = migrations.steps
    steps = (*known(), EXTRA_STEP)
    migrations.steps = lambda: steps
    try:
        yield
    finally:
        migrations.steps = known


@dataclass(frozen=True)
class Step:
    """From a file of one schema to one of the next: what makes the file, and what the step leaves as it was."""

    name: str
    to: int
    make: Callable[[Path], object]
    taking: Callable[[], AbstractContextManager[None]]
    kept: Callable[[Tables], Tables]
    marker: str


def from_text(text: str, path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(text)
    connection.close()


BACK_TO_6 = """
DROP TABLE activity;
ALTER TABLE policies DROP COLUMN active_days;
ALTER TABLE policies DROP COLUMN dated_day;
ALTER TABLE policies DROP COLUMN late_days;
ALTER TABLE policies DROP COLUMN missed;
PRAGMA user_version=6;
"""
"""Takes off a store of today what schema 7 brought."""
BACK_TO_5 = """
DROP TABLE sessions;
DROP TABLE observations;
DROP TABLE observation_keys;
DROP TABLE tellings;
DROP TABLE intakes;
DROP TABLE erased;
DROP TABLE tasks;
PRAGMA user_version=5;
"""
"""Takes off a store of schema 6 what it brought."""
BACK_TO_4 = """
DROP TABLE entities;
DROP TABLE mentions;
DROP TABLE definitions;
DROP TABLE naming;
DROP TABLE unnamed;
PRAGMA user_version=4;
"""
"""Takes off a store of schema 5 what it brought."""
BACK_TO_3 = """
DROP INDEX lives_quarantined;
DROP INDEX lives_challenged;
ALTER TABLE lives DROP COLUMN trust_limit;
DROP TABLE spending;
PRAGMA user_version=3;
"""
"""Takes off a store of schema 4 what it brought."""
OF_SCHEMA_5 = ("entities", "mentions", "definitions", "naming", "unnamed")
OF_SCHEMA_6 = ("sessions", "observations", "observation_keys", "tellings", "intakes", "erased", "tasks")
OF_SCHEMA_7 = ("activity",)


def schema_6(path: Path) -> None:
    build(path.parent)
    with opened(path) as mind:
        name_all(mind._store)
    from_text(BACK_TO_6, path)


def schema_5(path: Path) -> None:
    schema_6(path)
    from_text(BACK_TO_5, path)


def schema_4(path: Path) -> None:
    schema_5(path)
    from_text(BACK_TO_4, path)


def schema_3(path: Path) -> None:
    schema_4(path)
    from_text(BACK_TO_3, path)


def schema_1(path: Path) -> None:
    from_text((FIXTURES / "schema1.sql").read_text(), path)


def _kept_of_schema_1(tables: Tables) -> Tables:
    of_schema_2 = ("days", "policies", "leases")
    of_schema_3 = ("models", "meanings", "vectors", "meaning_news", "paths", "recalls", "recalled", "regrets")
    since = ("spending", *OF_SCHEMA_5, *OF_SCHEMA_6, *OF_SCHEMA_7)
    new = (*of_schema_2, *of_schema_3, *since, "sqlite_sequence", "schema")
    kept = {name: rows for name, rows in tables.items() if name not in new}
    return kept | {"lives": [(*row[:26], *row[27:29]) for row in tables["lives"]]}


def _kept_of_schema_3(tables: Tables) -> Tables:
    return _kept_of_schema_6(tables, "spending", *OF_SCHEMA_5, *OF_SCHEMA_6) | {
        "lives": [row[:32] for row in tables["lives"]]
    }


def _kept_of_schema_4(tables: Tables) -> Tables:
    return _kept_of_schema_6(tables, *OF_SCHEMA_5, *OF_SCHEMA_6)


def _kept_of_schema_5(tables: Tables) -> Tables:
    return _kept_of_schema_6(tables, *OF_SCHEMA_6)


def _kept_of_schema_6(tables: Tables, *new: str) -> Tables:
    kept = {name: rows for name, rows in tables.items() if name not in (*new, *OF_SCHEMA_7, "schema")}
    kept["lives"] = [row[:33] for row in tables["lives"]]
    return kept | {"policies": [row[:5] for row in tables["policies"]]}


def _kept_of_now(tables: Tables) -> Tables:
    kept = {name: rows for name, rows in tables.items() if name not in ("moods", "schema")}
    return kept | {"receipts": [row[:7] for row in tables["receipts"]]}


STEPS = {
    step.name: step
    for step in (
        Step("from schema 1", NOW, schema_1, nullcontext, _kept_of_schema_1, "CREATE TABLE leases"),
        Step("from schema 3", NOW, schema_3, nullcontext, _kept_of_schema_3, "CREATE TABLE spending"),
        Step("from schema 4", NOW, schema_4, nullcontext, _kept_of_schema_4, "CREATE TABLE entities"),
        Step("from schema 5", NOW, schema_5, nullcontext, _kept_of_schema_5, "CREATE TABLE sessions"),
        Step("from schema 6", NOW, schema_6, nullcontext, _kept_of_schema_6, "CREATE TABLE activity"),
        Step("further", NOW + 1, lambda path: build(path.parent), one_more_schema, _kept_of_now, "CREATE TABLE moods"),
    )
}
