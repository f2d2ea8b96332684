"""The index of words in a file is merged while accesses are written behind: fewer parts, the same hits."""

from __future__ import annotations

import random
from pathlib import Path

import apsw
import pytest

from remanence import Mind
from tests.conftest import only_files

SETTINGS = {"upkeep": {"on_open": False}}
WORDS = [f"w{number}" for number in range(200)]


def parts(path: Path) -> int:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return int(connection.execute("SELECT count(DISTINCT segid) FROM search_idx").get)
    finally:
        connection.close()


def filled(path: Path) -> list[str]:
    chance = random.Random(7)
    with Mind(path, embedder="none", settings=SETTINGS) as mind:
        for _ in range(40):
            mind.remember(" ".join(chance.sample(WORDS, 12)))
    return [" ".join(chance.sample(WORDS, 4)) for _ in range(30)]


def found(mind: Mind, queries: list[str]) -> list[list[tuple[str, float]]]:
    each = [mind.recall(query, limit=100) for query in queries]
    return [sorted((hit.memory.text, hit.parts["text"]) for hit in hits) for hits in each]


@only_files
def test_recalls_leave_fewer_parts_and_find_the_same(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    queries = filled(path)
    before = parts(path)
    with Mind(path, embedder="none", settings=SETTINGS) as mind:
        first = found(mind, queries)
    assert parts(path) == 1 < before
    with Mind(path, embedder="none", settings=SETTINGS) as mind:
        assert found(mind, queries) == first
        assert mind.check().ok


@only_files
def test_a_damaged_index_keeps_no_access_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.db"
    (query, *_) = filled(path)
    with Mind(path, embedder="none", settings=SETTINGS) as mind:
        ids = [hit.memory.id for hit in mind.recall(query)]
        with apsw.Connection(str(path)) as other:
            other.execute("DELETE FROM search_data WHERE id > 10")
    with Mind(path, embedder="none", settings=SETTINGS) as mind:
        assert [mind.get(id).access_count for id in ids] == [1] * len(ids) != []
