"""R16: every earlier schema opens with its contents; a migration is whole, once, and after a backup.

`fixtures/schema1.sql` is a store of schema 1 as text, made by `fixtures/schema1.py` with the last version that wrote
it. The machinery is tried on the step from there, and on a further step that only these tests know.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from remanence.errors import StoreTooNew
from remanence.model.lived import day_of
from remanence.model.memory import TRUST, Source
from remanence.model.selection import EVERY_STATE, Selection
from remanence.store.sqlite import migrations
from tests.activity import be_there
from tests.crash.conftest import Child
from tests.crash.operations import Cut, CutOff, build
from tests.crash.steps import BACK_TO_6, FIXTURES, NOW, STEPS, Step, Tables, from_text, one_more_schema, schema_1
from tests.crash.stores import START, drift, dump, everything, opened, sound
from tests.reliability.recording import Measured


@pytest.fixture(params=STEPS)
def step(request: pytest.FixtureRequest) -> Step:
    return STEPS[request.param]


@pytest.mark.promise("R16")
def test_schema_1_opens_with_its_contents(path: Path) -> None:
    schema_1(path)
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
        unheard = {"uses": 0, "rejections": 0, "trust_limit": 1.0}  # which schema 1 did not know
        known = {id: memory | unheard for id, memory in expected["memories"].items()}
        assert held == {id: memory | {"trust": TRUST[Source(memory["source"])]} for id, memory in known.items()}
        told = [entry.to_dict() for entry in mind.journal(limit=1000)]
        assert [{name: value for name, value in line.items() if name != "place"} for line in told] == expected[
            "journal"
        ]
        assert [hit.memory.id for hit in mind.recall("harbour", reinforce=False)] == expected["harbour"]
        assert [hit.memory.id for hit in mind.recall("東京", reinforce=False)] == expected["東京"]
        assert mind.remember("The purged words of the fixture").outcome == "blocked"
        assert mind.remember("Anything", key="harbour").memory.id == expected["harbour"][0]
        assert mind.undo(expected["forget"]).applied
        assert mind.check().problems == ()
    sound(path)


def test_what_schema_1_held_is_looked_at_by_the_next_sweep(path: Path) -> None:
    """Its memories are undated: due at once, and ahead of a dating."""
    schema_1(path)
    with opened(path) as mind:
        store = mind._store
        held = store.columns(Selection(states=EVERY_STATE))
        alive = [state in (0, 1) for state in held.state.tolist()]
        assert any(alive) and not all(alive)
        assert store.dated_under() == (None, False)
        assert store.undated_count() == store.due_count(mind.clock()) == sum(alive)
        found = [row for page in store.due(mind.clock()) for row in page.rows.tolist()]
        assert found == [row for row, is_alive in zip(held.rows.tolist(), alive, strict=True) if is_alive]
        sources = {memory["id"]: memory["source"] for memory in everything(mind).values()}
        assert len(set(sources.values())) > 1
        from remanence.model.columns import SOURCES

        assert {id: SOURCES[n].value for id, n in zip(held.ids, held.source.tolist(), strict=True)} == sources


def test_the_days_before_schema_7_are_those_of_births_accesses_and_observations(path: Path) -> None:
    born = [START - timedelta(days=30), datetime(1969, 12, 31, 23, tzinfo=UTC), START]
    with opened(path, at=START + timedelta(days=9)) as mind:
        for number, moment in enumerate(born):
            mind.remember(f"Statement {number} about lamps", created_at=moment)
        mind.forget(ids=[mind.list()[0].id])
        be_there(mind, START - timedelta(days=4))
    with opened(path, at=START + timedelta(days=5)) as mind:
        mind.recall("lamps")
    from_text(BACK_TO_6, path)
    with opened(path, at=START + timedelta(days=50)) as mind:
        lived = mind._store.in_force(mind.clock())[1]
        first = day_of(START)
        assert lived.days == (-1, first - 30, first - 4, first, first + 5)
        assert lived.late_days == 0
        assert mind.check().problems == ()
    assert drift(path) == []


def migrated(path: Path, before: Tables, step: Step) -> None:
    """The file has the schema, its contents are those of before, and the copy made first is the file of before."""
    after = dump(path)
    assert after["schema"] == [(step.to,)]
    if step.to > NOW:
        assert len(after["moods"]) == len(after["memories"])
    assert step.kept(after) == step.kept(before)
    # One that was stopped between two steps has a copy of that state, too.
    copy, *between = migrations.backups_of(path)
    assert copy.name == f"{path.name}.before-schema-{before['schema'][0][0] + 1}"
    assert dump(copy) == before
    assert all(before["schema"] < dump(other)["schema"] < after["schema"] for other in between)
    assert drift(path) == []
    assert drift(copy) == []


@pytest.mark.promise("R16")
def test_a_backup_is_made_before_the_step(path: Path) -> None:
    build(path.parent)
    before = dump(path)
    with one_more_schema(), opened(path) as mind:
        assert mind.stats().schema == NOW + 1
        assert mind.recall("release train")
        mind.remember("Written after the migration")
        assert mind.check().ok
        for file in path.parent.glob("*.before-schema-*"):
            assert dump(file) == before
    with pytest.raises(StoreTooNew, match=f"schema {NOW + 1}"):
        opened(path)


@pytest.mark.promise("R2")
def test_cut_off_at_each_statement_it_starts_again(path: Path, step: Step, measured: Measured) -> None:
    step.make(path)
    before = dump(path)
    shutil.copytree(path.parent, path.parent.parent / "base")
    with step.taking():
        with Cut() as whole:
            opened(path).close()
        assert any(step.marker in sql for sql in whole.statements)
        migrated(path, before, step)
        measured("each statement, from each schema", cut_at=whole.seen)
        for at in range(1, whole.seen + 1):
            shutil.rmtree(path.parent)
            shutil.copytree(path.parent.parent / "base", path.parent)
            with Cut(at) as cut, contextlib.suppress(CutOff):
                opened(path).close()
            found = dump(path)
            assert before["schema"] <= found["schema"] <= [(step.to,)], cut.statements[-1]
            if found["schema"] == before["schema"]:
                assert found == before, cut.statements[-1]
            opened(path).close()
            migrated(path, before, step)


@pytest.mark.promise("R16")
def test_killed_at_each_statement_it_starts_again(
    path: Path, step: Step, start: Callable[..., Child], measured: Measured
) -> None:
    step.make(path)
    before = dump(path)
    base = shutil.copytree(path.parent, path.parent.parent / "base")
    forker = start("migrate_cut_off", step.name)
    at = status = 0
    while status != 0 or at == 0:
        at += 1
        shutil.rmtree(path.parent)
        shutil.copytree(base, path.parent)
        forker.say([str(path), at])
        status = forker.next()
        found = dump(path)
        assert before["schema"] <= found["schema"] <= [(step.to,)]
        if found["schema"] == before["schema"]:
            assert found == before
        with step.taking():
            opened(path).close()
        migrated(path, before, step)
        assert not list(path.parent.glob("*.part"))
    measured("each statement, from each schema", killed_at=at - 1)
    assert at > 20
    forker.say(None)
    forker.finish()


@pytest.mark.promise("R16")
def test_four_at_once_migrate_once(path: Path, step: Step, start: Callable[..., Child]) -> None:
    step.make(path)
    before = dump(path)
    children = [start("migrate", step.name, path) for _ in range(4)]
    assert [child.next() for child in children] == ["ready"] * 4
    for child in children:
        child.say()
    taken = [child.finish() for child in children]
    assert sorted(taken) == [[0], [0], [0], [1]], "one takes the step, the others find it done"
    migrated(path, before, step)


@pytest.mark.promise("R12")
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


@pytest.mark.promise("R16")
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


def test_a_file_without_a_log_is_opened_by_many_at_once(path: Path) -> None:
    """Of connections that give a file its log at once, SQLite refuses one; ours take turns."""

    def open_it(other: Path, gate: threading.Barrier) -> None:
        gate.wait()
        opened(other).close()

    for number in range(10):
        other = path.with_name(f"{number}.db")
        schema_1(other)
        gate = threading.Barrier(6)
        with ThreadPoolExecutor(6) as pool:
            for done in [pool.submit(open_it, other, gate) for _ in range(6)]:
                done.result()
