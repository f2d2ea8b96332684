"""R17: rows and all that is derived from them agree after anything; seeded drift is found and mended."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from remanence.errors import StoreDamaged
from remanence.model.session import ROLES
from remanence.store.sqlite import kin
from tests.crash.operations import build, build_captured
from tests.crash.stores import drift, dump, everything, opened, sound
from tests.reliability.recording import Measured


@pytest.mark.promise("R17")
@pytest.mark.parametrize(
    ("steps", "kills"), [(600, 8), pytest.param(10_000, 60, marks=[pytest.mark.full, pytest.mark.timeout(3600)])]
)
def test_random_verbs_with_kills_leave_no_drift(
    path: Path,
    seeded: Callable[[int], random.Random],
    start: Callable[..., Any],
    steps: int,
    kills: int,
    measured: Measured,
) -> None:
    chance, killed = seeded(171), kills
    verbs: Counter[str] = Counter()
    while verbs.total() < steps or kills > 0:
        child = start("churn", path, chance.randrange(2**32), steps // 5)
        answers = [child.next()]
        if kills > 0:
            kills -= 1
            for _ in range(chance.randrange(steps // 8)):
                answers.append(child.next())
            answers += child.kill()
        else:
            answers += child.finish()
        unexpected = [answer for answer in answers if answer and answer.get("refused") not in (None, "InvalidInput")]
        assert unexpected == []
        verbs.update(answer["verb"] for answer in answers if answer)
        with opened(path, at=None) as mind:
            assert mind.check().problems == ()
        assert drift(path) == []
    measured(f"{verbs.total():,} operations, {killed} kills", seed=171, differences=0)


LIVE = "(SELECT no FROM lives WHERE state = 0 ORDER BY no LIMIT 1)"
DRIFT = {
    "full text lost": (
        f"INSERT INTO search(search, rowid, text) SELECT 'delete', no, coalesce(words, text) FROM memories "
        f"WHERE no = {LIVE}"
    ),
    "full text invented": f"INSERT INTO search(rowid, text) SELECT {LIVE}, 'invented'",
    "full text of no memory": "INSERT INTO search(rowid, text) VALUES(999999, 'nobody')",
    "full text emptied": "DELETE FROM search_data WHERE id > 10",
    "kin lost": "DELETE FROM kin WHERE no = (SELECT min(no) FROM kin)",
    "kin under other words": "UPDATE kin SET token = token + 1",
    "kin of other size": "UPDATE kin SET size = size + 3",
    "kin of no memory": "INSERT INTO kin VALUES(1, 0, 5, 999999, 3)",
    "kin of a memory that is not live": "INSERT INTO kin SELECT shelf, 0, 5, no, 3 FROM lives WHERE state <> 0",
    "kin on another shelf": "UPDATE kin SET shelf = shelf + 100",
    "kin in the other row": "UPDATE kin SET row = 1 - row",
    "kin in one row": "UPDATE OR IGNORE kin SET row = 1",
    "note lost": f"DELETE FROM kin_news WHERE no = {LIVE}",
    "note of other words": "UPDATE kin_news SET places = zeroblob(length(places)) WHERE places IS NOT NULL",
    "note of fewer words": "UPDATE kin_news SET places = substr(places, 1, 8) WHERE places IS NOT NULL",
    "note of other size": "UPDATE kin_news SET size = size + 3 WHERE places IS NOT NULL",
    "note of no memory": "INSERT INTO kin_news VALUES(1, 999999, 0, NULL)",
    "note of a memory that is not live": (
        "INSERT OR REPLACE INTO kin_news SELECT shelf, no, 1, zeroblob(8) FROM lives WHERE state <> 0"
    ),
    "note that a live memory left": "UPDATE kin_news SET places = NULL",
    "note on another shelf": "UPDATE kin_news SET shelf = shelf + 100",
    "counter wrong": "UPDATE counts SET memories = memories + 1 WHERE state = 0",
    "counter lost": "DELETE FROM counts WHERE state = 0",
    "counter of no shelf": "INSERT INTO counts VALUES(777, 0, 3, 30)",
    "tokens counted wrong": "UPDATE counts SET tokens = tokens - 1",
    "day counted wrong": "UPDATE days SET memories = memories + 1 WHERE state = 0",
    "tokens of a day counted wrong": "UPDATE days SET tokens = tokens - 1",
    "day lost": "DELETE FROM days WHERE state = 0",
    "another day": "UPDATE days SET day = day + 1",
    "day of no namespace": "INSERT INTO days VALUES(77, 0, 20000, 3, 30)",
    "source copied wrong": f"UPDATE lives SET source = 3 WHERE no = {LIVE}",
    "due date of what is gone": "UPDATE lives SET due_at = 5 WHERE state NOT IN (0, 1)",
    "due date that is none": f"UPDATE lives SET due_at = 'soon' WHERE no = {LIVE}",
    "tag lost": "DELETE FROM tags WHERE category = 'plan'",
    "tag invented": f"INSERT INTO tags SELECT 'invented', {LIVE}",
    "tag changed": "UPDATE tags SET category = 'other' WHERE category = 'plan'",
    "tag of no memory": "INSERT INTO tags VALUES('nobody', 999999)",
    "descent lost": "DELETE FROM descents",
    "descent of another parent": "UPDATE descents SET parent = randomblob(16)",
    "descent of no memory": "INSERT INTO descents VALUES(zeroblob(16), 999999)",
    "words wrong": f"UPDATE memories SET words = 'quite other words' WHERE no = {LIVE}",
}


@pytest.mark.promise("R17")
@pytest.mark.parametrize("kind", DRIFT)
def test_seeded_drift_is_found_and_mended(path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind.startswith("kin"):
        monkeypatch.setattr(kin, "_MOST_NEWS", 2)  # so that most stand in the index, some as notes, some as both
    build(path.parent)
    with opened(path) as mind:
        before, memories = dump(path), everything(mind)
        connection = apsw.Connection(str(path))
        connection.execute(DRIFT[kind])
        assert connection.total_changes(), "this test was to change something"
        connection.close()
        found = mind.check()
        assert not found.ok, "drift was not noticed"
        assert all(problem.repairable for problem in found.problems), found.problems
        mended = mind.check(repair=True)
        assert mended.ok, mended.problems
        assert mended.repaired
        assert mind.check().ok
        assert everything(mind) == memories
        assert [hit.memory.text for hit in mind.recall("release train")] == [
            "The release train leaves on Tuesday at noon"
        ]
    after = dump(path)
    assert drift(path) == []
    for table in ("memories", "tags", "descents", "search", "journal", "receipts", "revisions", "tombstones"):
        assert after[table] == before[table], table
    assert places(after) == places(before)
    assert after["days"] == before["days"]
    assert {(row[3] in (0, 1), row[26]) for row in after["lives"]} == {(True, 0), (False, None)}, "no date is trusted"


ANY_SESSION = "(SELECT no FROM sessions WHERE id = 'read')"
SESSION_DRIFT = {
    "fewer places than observations": ("UPDATE sessions SET observations = 2 WHERE id = 'unread'", True),
    "read further than there is": ("UPDATE sessions SET processed_to = 99 WHERE id = 'read'", False),
    "read before the beginning": ("UPDATE sessions SET processed_to = -1 WHERE id = 'unread'", True),
    "nothing left to read": ("UPDATE sessions SET observations = 9, processed_to = 4 WHERE id = 'read'", False),
    "observations lost": ("DELETE FROM observations WHERE place & 4294967295 > 3", False),
    "another oldest": ("UPDATE sessions SET oldest_at = oldest_at + 1", True),
    "no oldest": ("UPDATE sessions SET oldest_at = NULL", True),
    "an oldest of nothing": ("DELETE FROM observations", False),
    "observation of no session": ("INSERT INTO observations VALUES(99 << 32 | 1, 0, 0, 0, NULL, '', 'lost')", True),
    "observation before the first": (
        f"INSERT INTO observations VALUES({ANY_SESSION} << 32, 0, 0, 0, NULL, '', 'lost')",
        True,
    ),
    "observation of no role": (f"UPDATE observations SET role = 9 WHERE place = ({ANY_SESSION} << 32) + 1", False),
    "session lost": ("DELETE FROM sessions WHERE id = 'other'", False),
    "key of no session": ("INSERT INTO observation_keys VALUES(99, zeroblob(16), 1)", True),
    "key of a place that was never given": (
        f"INSERT INTO observation_keys VALUES({ANY_SESSION}, zeroblob(16), 77)",
        True,
    ),
    "telling of no session": ("INSERT INTO tellings VALUES(99, zeroblob(16), 1, 'hook')", True),
    "telling of nothing": (f"INSERT INTO tellings VALUES({ANY_SESSION}, zeroblob(16), 77, 'hook')", True),
}


@pytest.mark.parametrize("kind", SESSION_DRIFT)
def test_seeded_drift_of_sessions_is_found_and_mended(path: Path, kind: str) -> None:
    """Where nothing was lost, everything is as it was; where something was, the rest fits together."""
    seed, is_all_back = SESSION_DRIFT[kind]
    build_captured(path.parent)
    before = dump(path)
    connection = apsw.Connection(str(path))
    connection.execute(seed)
    assert connection.total_changes(), "this test was to change something"
    connection.close()
    with opened(path) as mind:
        found = mind.check()
        assert {problem.kind for problem in found.problems} & {"sessions", "observations"}, "drift was not noticed"
        assert all(problem.repairable for problem in found.problems), found.problems
        mended = mind.check(repair=True)
        assert mended.ok and mended.repaired, mended.problems
        assert mind.check().ok
        for session in mind.sessions.list():
            shown = mind.sessions.show(session.id)
            assert all(one.text != "lost" and one.role in ROLES for one in shown.observations)
        assert len(mind._store.queue.tasks()) == 4, "jobs are left alone"
    assert drift(path) == []
    after = dump(path)
    if is_all_back:
        for table in ("sessions", "observations", "observation_keys", "tellings", "intakes", "erased", "tasks"):
            assert after[table] == before[table], table
    assert after["memories"] == before["memories"]


def test_what_is_sound_is_left_as_it_is_by_a_repair_of_something_else(path: Path) -> None:
    build_captured(path.parent)
    before = dump(path)
    connection = apsw.Connection(str(path))
    connection.execute("DELETE FROM tags")
    connection.close()
    with opened(path) as mind:
        assert mind.check(repair=True).ok
    after = dump(path)
    for table in ("sessions", "observations", "observation_keys", "tellings", "intakes", "erased", "tasks"):
        assert after[table] == before[table], table


def places(tables: dict[str, list[Any]]) -> Counter[int]:
    """Under how many places each live memory stands."""
    left = {no for _, no, _, packed in tables["kin_news"] if packed is None}
    found = Counter(no for _, _, _, no, _ in tables["kin"] if no not in left)
    found.update({no: len(packed) // 4 - 1 for _, no, _, packed in tables["kin_news"] if packed is not None})
    return found


@pytest.mark.parametrize("lost", ["shelves", "memories"])
def test_a_row_that_misses_a_part_is_damage_and_not_silence(path: Path, lost: str) -> None:
    build(path.parent)
    with opened(path) as mind:
        connection = apsw.Connection(str(path))
        connection.execute(f"DELETE FROM {lost}")
        connection.close()
        with pytest.raises(StoreDamaged, match="rem check"):
            mind.recall("release train")
        assert not mind.check().ok


def _flip(path: Path, needle: bytes, offset: int, bit: int) -> None:
    """Flip one bit of the file, `offset` bytes into the only place where the needle stands in a row."""
    content = bytearray(path.read_bytes())
    place = content.index(needle)
    content[place + offset] ^= 1 << bit
    path.write_bytes(content)


@pytest.mark.parametrize("bit", [0, 5, 7])
def test_a_flipped_bit_of_a_text_is_reported_and_not_repaired_away(path: Path, bit: int) -> None:
    build(path.parent)
    with opened(path) as mind:
        id = next(memory.id for memory in mind.list() if memory.text.startswith("The release"))
    _flip(path, b"The release train leaves", 5, bit)
    with opened(path) as mind:
        found = {problem.kind: problem for problem in mind.check().problems}
        assert found["text changed outside remanence"].detail == id
        assert not found["text changed outside remanence"].repairable
        left = mind.check(repair=True)
        assert not left.ok
        assert [problem.kind for problem in left.problems] == ["text changed outside remanence"]
    content = path.read_bytes()
    assert b"The release train leaves" not in content


@pytest.mark.parametrize(
    "change",
    [
        "importance = 0.9",
        "state = 3",
        "pinned = 1",
        "layer = 2",
        "created_at = created_at - 1",
        "expires_at = 1",
        "version = 7",
        "superseded_by = zeroblob(16)",
        "valence = -valence - 0.5",
    ],
)
def test_a_life_changed_by_another_hand_is_reported_and_not_repaired_away(path: Path, change: str) -> None:
    build(path.parent)
    column = change.split(maxsplit=1)[0]
    connection = apsw.Connection(str(path))
    no = connection.execute(f"SELECT {LIVE}").get
    connection.execute(f"UPDATE lives SET {change} WHERE no = ?", (no,))
    changed = connection.execute(f"SELECT {column} FROM lives WHERE no = ?", (no,)).get
    connection.close()
    with opened(path) as mind:
        assert "life changed outside remanence" in {problem.kind for problem in mind.check().problems}
        left = mind.check(repair=True)
        assert "life changed outside remanence" in {problem.kind for problem in left.problems}
    connection = apsw.Connection(str(path))
    assert connection.execute(f"SELECT {column} FROM lives WHERE no = ?", (no,)).get == changed
    connection.close()


def test_a_flipped_bit_in_a_life_is_reported(path: Path) -> None:
    import struct

    with opened(path) as mind:
        mind.remember("A value that no other row has", importance=0.123456789)
    sound(path)
    _flip(path, struct.pack(">d", 0.123456789), 6, 3)
    with opened(path) as mind:
        problems = mind.check(repair=True).problems
        assert [problem.kind for problem in problems] == ["life changed outside remanence"]


@pytest.mark.parametrize("field", ["categories", "concepts", "files", "origin", "metadata", "lineage"])
def test_a_change_of_what_goes_with_a_text_is_reported(path: Path, field: str) -> None:
    parent = "019b8d62-7a80-741c-acd8-be6f9f6209c2"
    given = {"categories": ["a"], "concepts": ["b"], "files": ["c"], "origin": "docs", "metadata": {"e": 1}}
    with opened(path) as mind:
        mind.remember("A text with everything", **given, lineage=[parent])
    connection = apsw.Connection(str(path))
    connection.execute(f"UPDATE memories SET {field} = replace({field}, substr({field}, -3, 1), 'z')")
    connection.close()
    with opened(path) as mind:
        assert "text changed outside remanence" in {problem.kind for problem in mind.check().problems}
        assert "text changed outside remanence" in {problem.kind for problem in mind.check(repair=True).problems}
