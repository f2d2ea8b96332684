"""R16: every earlier schema opens with its contents; a migration is whole, once, and after a backup.

`fixtures/schema1.sql` is a store of schema 1 as text, made by `fixtures/schema1.py`; it is never made again once
schema 2 exists. The machinery is tried with a further step that only these tests know.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from remanence.errors import StoreTooNew
from remanence.store.sqlite import migrations
from tests.crash.conftest import Child
from tests.crash.operations import Cut, CutOff, build, one_more_schema
from tests.crash.stores import drift, dump, everything, opened, sound

FIXTURES = Path(__file__).with_name("fixtures")


def from_text(text: str, path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(text)
    connection.close()


def test_schema_1_opens_with_its_contents(path: Path) -> None:
    from_text((FIXTURES / "schema1.sql").read_text(), path)
    expected = json.loads((FIXTURES / "schema1.json").read_text())
    with opened(path) as mind:
        held = everything(mind)
        assert {memory["state"] for memory in held.values()} == {
            "live",
            "superseded",
            "archived",
            "forgotten",
            "quarantined",
        }
        assert held == expected["memories"]
        assert [entry.to_dict() for entry in mind.journal(limit=1000)] == expected["journal"]
        assert [hit.memory.id for hit in mind.recall("harbour", reinforce=False)] == expected["harbour"]
        assert [hit.memory.id for hit in mind.recall("東京", reinforce=False)] == expected["東京"]
        assert mind.remember("The purged words of the fixture").outcome == "blocked"
        assert mind.remember("Anything", key="harbour").memory.id == expected["harbour"][0]
        assert mind.undo(expected["forget"]).applied
        assert mind.check().problems == ()
    sound(path)


def without_schema_2(tables: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """What a store held before the step of these tests."""
    kept = {name: rows for name, rows in tables.items() if name not in ("moods", "schema")}
    return kept | {"receipts": [row[:7] for row in tables["receipts"]]}


def migrated(path: Path, before: dict[str, list[Any]]) -> None:
    """The file has schema 2, its contents are those of before, and the copy made first is the file of before."""
    after = dump(path)
    assert after["schema"] == [(2,)]
    assert len(after["moods"]) == len(after["memories"])
    assert without_schema_2(after) == without_schema_2(before)
    (copy,) = migrations.backups_of(path)
    assert copy.name == f"{path.name}.before-schema-2"
    assert dump(copy) == before
    assert drift(path) == []
    assert drift(copy) == []


def test_a_backup_is_made_before_the_step(path: Path) -> None:
    build(path.parent)
    before = dump(path)
    with one_more_schema(), opened(path) as mind:
        assert mind.stats().schema == 2
        assert mind.recall("release train")
        mind.remember("Written after the migration")
        assert mind.check().ok
        for file in path.parent.glob("*.before-schema-*"):
            assert dump(file) == before
    with pytest.raises(StoreTooNew, match="schema 2"):
        opened(path)


def test_cut_off_at_each_statement_it_starts_again(path: Path) -> None:
    build(path.parent)
    before = dump(path)
    shutil.copytree(path.parent, path.parent.parent / "base")
    with one_more_schema():
        with Cut() as whole:
            opened(path).close()
        assert any("CREATE TABLE moods" in sql for sql in whole.statements)
        migrated(path, before)
        for at in range(1, whole.seen + 1):
            shutil.rmtree(path.parent)
            shutil.copytree(path.parent.parent / "base", path.parent)
            with Cut(at) as cut, contextlib.suppress(CutOff):
                opened(path).close()
            found = dump(path)
            assert found["schema"] in ([(1,)], [(2,)]), cut.statements[-1]
            if found["schema"] == [(1,)]:
                assert found == before, cut.statements[-1]
            opened(path).close()
            migrated(path, before)


def test_killed_at_each_statement_it_starts_again(path: Path, start: Callable[..., Child]) -> None:
    build(path.parent)
    before = dump(path)
    base = shutil.copytree(path.parent, path.parent.parent / "base")
    forker = start("migrate_cut_off")
    at = status = 0
    while status != 0 or at == 0:
        at += 1
        shutil.rmtree(path.parent)
        shutil.copytree(base, path.parent)
        forker.say([str(path), at])
        status = forker.next()
        found = dump(path)
        assert found["schema"] in ([(1,)], [(2,)])
        if found["schema"] == [(1,)]:
            assert found == before
        with one_more_schema():
            opened(path).close()
        migrated(path, before)
        assert not list(path.parent.glob("*.part"))
    assert at > 20
    forker.say(None)
    forker.finish()


def test_four_at_once_migrate_once(path: Path, start: Callable[..., Child]) -> None:
    build(path.parent)
    before = dump(path)
    children = [start("migrate", path) for _ in range(4)]
    assert [child.next() for child in children] == ["ready"] * 4
    for child in children:
        child.say()
    steps = [child.finish() for child in children]
    assert sorted(steps) == [[0], [0], [0], [1]], "one takes the step, the others find it done"
    migrated(path, before)


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    build(path.parent)
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    for _ in range(2):
        with pytest.raises(StoreTooNew, match="99"):
            opened(path)
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_an_older_copy_put_back_is_copied_before_it_is_migrated_again(path: Path, tmp_path: Path) -> None:
    """The copy of an earlier migration holds another store's contents: it does not stand in for a new one."""
    build(path.parent)
    with opened(path) as mind:
        old = mind.backup(tmp_path / "old.db")
    with one_more_schema():
        opened(path).close()
    shutil.copy(old, path)
    with opened(path) as mind:
        mind.remember("Written to the copy that was put back")
    before = dump(path)
    with one_more_schema():
        opened(path).close()
    assert before in [dump(copy) for copy in migrations.backups_of(path)]
