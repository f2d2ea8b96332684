"""R17 on PostgreSQL: what a derived row says otherwise than its memory is found, and made anew from the memories."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.conftest import Clock, new_mind
from tests.crash.operations import build
from tests.crash.stores import drift, everything, opened
from tests.database.test_cut_off import Folder
from tests.database.test_leases import rows
from tests.embedders import Toy
from tests.postgres import Cluster

LIVE = "(SELECT min(no) FROM lives WHERE state = 0)"
SPACE = "(SELECT min(space) FROM memories)"
DRIFT = {
    "words lost": f"DELETE FROM stems WHERE no = {LIVE}",
    "words invented": f"UPDATE stems SET stems = stems || 77::bigint WHERE no = {LIVE}",
    "words of no memory": f"INSERT INTO stems SELECT {SPACE}, 999999, '{{5}}', '\\x01', 1",
    "another length": f"UPDATE stems SET length = length + 1 WHERE no = {LIVE}",
    "counter of words wrong": "UPDATE wordage SET memories = memories + 1",
    "counter of words lost": "DELETE FROM wordage",
    "words counted wrong": f"INSERT INTO terms SELECT {SPACE}, 77, 3",
    "kin lost": f"DELETE FROM kin WHERE no = {LIVE}",
    "kin under other words": "UPDATE kin SET front = array_replace(front, front[1], 77), back = '{78}'",
    "kin of other size": "UPDATE kin SET size = size + 3",
    "kin of no memory": f"INSERT INTO kin SELECT {SPACE}, 999999, 1, 3, '{{5}}', '{{6}}'",
    "kin of a memory that is not live": "UPDATE kin SET no = (SELECT min(no) FROM lives WHERE state <> 0) "
    "WHERE no = (SELECT max(no) FROM kin)",
    "counter wrong": "UPDATE counts SET memories = memories + 1 WHERE state = 0",
    "counter lost": "DELETE FROM counts WHERE state = 0",
    "counter of no shelf": f"INSERT INTO counts SELECT {SPACE}, 777, 0, 3, 30",
    "tokens counted wrong": "UPDATE counts SET tokens = tokens - 1",
    "day counted wrong": "UPDATE days SET memories = memories + 1 WHERE state = 0",
    "day lost": "DELETE FROM days WHERE state = 0",
    "another day": "UPDATE days SET day = day + 1",
    "source copied wrong": f"UPDATE lives SET source = 3 WHERE no = {LIVE}",
    "due date of what is gone": "UPDATE lives SET due_at = 5 WHERE state NOT IN (0, 1)",
    "tag lost": "DELETE FROM tags WHERE category = 'plan'",
    "tag invented": f"INSERT INTO tags SELECT {SPACE}, 'invented', {LIVE}",
    "tag changed": "UPDATE tags SET category = 'other' WHERE category = 'plan'",
    "tag of no memory": f"INSERT INTO tags SELECT {SPACE}, 'nobody', 999999",
    "descent lost": "DELETE FROM descents",
    "descent of another parent": "UPDATE descents SET parent = decode(md5(parent), 'hex')",
    "descent of no memory": f"INSERT INTO descents SELECT {SPACE}, '\\x00', 999999",
    "indexed words wrong": f"UPDATE memories SET words = 'quite other words' WHERE no = {LIVE}",
    "meaning lost": f"DELETE FROM meanings WHERE no = {LIVE}",
    "meaning of no memory": f"INSERT INTO meanings(space, no, shelf, state, waits) SELECT {SPACE}, 999999, 1, 0, 1",
    "meaning in another state": f"UPDATE meanings SET state = 1 WHERE no = {LIVE}",
}
_VECTORS = {
    "vector lost": f"DELETE FROM vectors WHERE no = {LIVE}",
    "vector of another": "UPDATE vectors v SET whole = w.whole, code = w.code, signs = w.signs FROM vectors w "
    f"WHERE v.no = {LIVE} AND w.no = v.no + 1",
    "vector of another model": f"UPDATE vectors SET model = model + 1 WHERE no = {LIVE}",
    "hash of a vector wrong": f"UPDATE meanings SET hash = '\\x00' WHERE no = {LIVE}",
}


@pytest.fixture(scope="module")
def built(cluster: Cluster, template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database with something of every kind in it, to be copied."""
    name = cluster.new_database(template)
    folder = Folder(tmp_path_factory.mktemp("built"))
    folder.url = cluster.url(name)
    build(folder)
    yield name
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


def seeded(url: str, statement: str) -> None:
    with psycopg.connect(url, options="-c search_path=remanence,public") as raw:
        assert raw.execute(statement).rowcount > 0, "this test was to change something"  # type: ignore[call-overload]


@pytest.mark.promise("R17")
@pytest.mark.parametrize("kind", DRIFT)
def test_seeded_drift_is_found_and_mended(cluster: Cluster, built: str, kind: str) -> None:
    name = cluster.new_database(built)
    url = cluster.url(name)
    with opened(url) as mind:  # type: ignore[arg-type]
        before, memories = rows(url), everything(mind)
        seeded(url, DRIFT[kind])
        found = mind.check()
        assert not found.ok, "drift was not noticed"
        assert all(problem.repairable for problem in found.problems), found.problems
        mended = mind.check(repair=True)
        assert mended.ok and mended.repaired, mended.problems
        assert mind.check().ok
        assert everything(mind) == memories
        told = [hit.memory.text for hit in mind.recall("release train", reinforce=False)]
        assert told == ["The release train leaves on Tuesday at noon"]
    after = rows(url)
    for table in ("memories", "tags", "descents", "journal", "receipts", "revisions", "tombstones", "stems"):
        assert after[table] == before[table], table
    assert drift(url) == []  # type: ignore[arg-type]
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.promise("R17")
@pytest.mark.parametrize("kind", _VECTORS)
def test_a_vector_that_is_not_what_it_was_is_found_and_made_anew(url: str, clock: Clock, kind: str) -> None:
    with new_mind(url, clock, embedder=Toy()) as mind:
        mind.remember_many([f"word{n} word{n + 1} word{n + 2} {n * 7919}" for n in range(4)])
        mind.meaning.reembed()
        seeded(url, _VECTORS[kind])
        found = mind.check()
        assert not found.ok and all(problem.repairable for problem in found.problems), found.problems
        assert mind.check(repair=True).ok
        assert mind.meaning.waiting == 1
        mind.meaning.reembed()
        assert mind.check().ok and mind.meaning.waiting == 0
