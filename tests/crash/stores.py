"""Stores that repeat exactly, and what can be read off a file without asking the product.

`dump` is every row of a file, `drift` compares every derived row with what it is derived from by means of its own,
`holders` searches the raw bytes of a folder. None of them uses the product's reading or checking code.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw

from remanence import Mind
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan
from remanence.settings import Settings

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
BOOKKEEPING = ("ledger_bytes", "purge_pending")
_WORDS = 400


def opened(path: Path, seed: int = 0, at: datetime | None = START, wait_seconds: float = 2.0) -> Mind:
    """A mind by words whose ids and times repeat and that does nothing unasked; `at=None` lets the clock run."""
    chance = random.Random(seed)
    clock = None if at is None else lambda: at
    entropy = None if at is None else chance.randbytes
    settings = Settings(purge__wait_seconds=wait_seconds, upkeep__on_open=False)
    return Mind(path, namespace="main", clock=clock, entropy=entropy, settings=settings, embedder=False)


def vocabulary(chance: random.Random, size: int = _WORDS) -> list[str]:
    return ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(4, 9))) for _ in range(size)]


def statement(chance: random.Random, words: Sequence[str], least: int = 6, most: int = 12) -> str:
    return " ".join(chance.sample(words, chance.randint(least, most)))


def archive(mind: Mind, memory: Memory) -> None:
    """No verb of the foundation archives; a plan does."""
    mind.apply(Plan((Change.of(memory, "tested", state=State.ARCHIVED),), verb="archive"))


def everything(mind: Mind) -> dict[str, dict[str, Any]]:
    """Every memory in every state, by id."""
    found: dict[str, dict[str, Any]] = {}
    while page := mind.list(state="all", limit=1000, offset=len(found)):
        found |= {memory.id: memory.to_dict() for memory in page}
    return found


def dump(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of a file, and every word of its full-text index."""
    connection = apsw.Connection(str(path))
    try:
        names = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type='table' ORDER BY name")
            if not name.startswith(("search", "sqlite_"))
        ]
        tables = {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in names}
        if "meta" in tables:
            tables["meta"] = [row for row in tables["meta"] if row[0] not in BOOKKEEPING]
            connection.execute("CREATE VIRTUAL TABLE temp.said USING fts5vocab(main, search, instance)")
            tables["search"] = sorted(connection.execute("SELECT * FROM temp.said"))
        tables["schema"] = [(connection.execute("PRAGMA user_version").get,)]
        return tables
    finally:
        connection.close()


def differences(one: dict[str, list[Any]], other: dict[str, list[Any]]) -> list[str]:
    """The tables in which two dumps differ, with their first differing rows."""
    found = []
    for name in sorted(one.keys() | other.keys()):
        left, right = one.get(name, []), other.get(name, [])
        if left != right:
            gone = [row for row in left if row not in right][:2]
            come = [row for row in right if row not in left][:2]
            found.append(f"{name}: {len(left)} and {len(right)} rows; only left {gone}; only right {come}")
    return found


def drift(path: Path) -> list[str]:
    """What the derived tables of a file say otherwise than its memories, all at one moment: a mind may be writing.

    Of a database, the same of the few tables that a server's keeper can read as they are.
    """
    if "://" in str(path):
        return _database_drift(str(path))
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(30_000)
    problems = []

    def compare(name: str, derived: str, source: str) -> None:
        left, right = sorted(connection.execute(derived)), sorted(connection.execute(source))
        if left != right:
            problems.append(f"{name}: {len(left)} derived rows, {len(right)} expected")

    try:
        connection.execute("BEGIN IMMEDIATE")  # checking the full-text index counts as a write
        if (found := connection.execute("PRAGMA integrity_check").get) != "ok":
            problems.append(f"file: {found}")
        try:
            connection.execute("INSERT INTO search(search, rank) VALUES('integrity-check', 1)")
        except apsw.Error as reason:
            problems.append(f"search: {reason}")
        compare("lives", "SELECT no, shelf FROM lives", "SELECT no, shelf FROM memories")
        compare(
            "tags",
            "SELECT no, category FROM tags",
            "SELECT m.no, j.value FROM memories m, json_each(m.categories) j WHERE m.categories IS NOT NULL",
        )
        compare(
            "descents",
            "SELECT no, lower(hex(parent)) FROM descents",
            "SELECT DISTINCT m.no, replace(j.value, '-', '') FROM memories m, json_each(m.lineage) j "
            "WHERE m.lineage IS NOT NULL",
        )
        compare(
            "kin",
            "SELECT no, shelf FROM (SELECT DISTINCT no, shelf FROM kin UNION ALL "
            "SELECT no, shelf FROM kin_news WHERE places IS NOT NULL) "
            "WHERE no NOT IN (SELECT no FROM kin_news WHERE places IS NULL)",
            "SELECT no, shelf FROM lives WHERE state = 0",
        )
        compare(
            "counts",
            "SELECT shelf, state, memories, tokens FROM counts WHERE memories <> 0 OR tokens <> 0",
            "SELECT shelf, state, count(*), sum(tokens) FROM lives GROUP BY shelf, state",
        )
        if connection.execute("PRAGMA user_version").get > 1:
            compare("source", "SELECT no, source FROM lives", "SELECT no, source FROM memories")
            compare(
                "days",
                "SELECT space, state, date(day * 86400, 'unixepoch'), memories, tokens FROM days "
                "WHERE memories <> 0 OR tokens <> 0",
                "SELECT space, state, date(created_at / 1000000, 'unixepoch'), count(*), sum(tokens) FROM lives "
                "GROUP BY 1, 2, 3",
            )
            compare(
                "due",
                "SELECT no, due_at FROM lives WHERE due_at IS NOT NULL",
                "SELECT no, due_at FROM lives WHERE typeof(due_at) = 'integer' AND state IN (0, 1)",
            )
        if connection.execute("PRAGMA user_version").get > 6:
            compare(
                "active days",
                "SELECT space, active_days FROM policies WHERE active_days > 0",
                "SELECT space, count(*) FROM activity GROUP BY space",
            )
        compare(
            "journal",
            "SELECT no, state FROM lives",
            "SELECT no, state_after FROM (SELECT no, state_after, row_number() OVER "
            "(PARTITION BY no ORDER BY receipt DESC, item DESC) AS place FROM journal) "
            "WHERE place = 1 AND state_after IS NOT NULL",
        )
        if connection.execute("PRAGMA user_version").get >= 6:
            problems += _session_drift(connection)
        compare("tombstones", "SELECT no FROM memories WHERE no IN (SELECT no FROM tombstones)", "SELECT 1 WHERE FALSE")
        return problems
    finally:
        connection.close()


_ALIKE = {
    "lives": ("SELECT space, no, shelf FROM lives", "SELECT space, no, shelf FROM memories"),
    "counts": (
        "SELECT space, shelf, state, memories, tokens FROM counts WHERE memories <> 0 OR tokens <> 0",
        "SELECT space, shelf, state, count(*), sum(tokens) FROM lives GROUP BY 1, 2, 3",
    ),
    "tombstones": (
        "SELECT space, no FROM memories JOIN tombstones USING (space, no)",
        "SELECT 1 WHERE false",
    ),
}


def _database_drift(address: str) -> list[str]:
    import psycopg

    with psycopg.connect(address, options="-c search_path=remanence,public") as raw:
        raw.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        found = {
            name: [sorted(tuple(map(int, row)) for row in raw.execute(sql)) for sql in pair]  # type: ignore[arg-type]
            for name, pair in _ALIKE.items()
        }
    return [f"{name}: {len(one)} and {len(other)} rows" for name, (one, other) in found.items() if one != other]


def _session_drift(connection: apsw.Connection) -> list[str]:
    """What the rows of sessions say otherwise than what was observed in them; read row by row, without indexes."""
    seen: dict[int, dict[int, int]] = {}
    for place, at in connection.execute("SELECT place, at FROM observations NOT INDEXED"):
        seen.setdefault(place >> 32, {})[place & 0xFFFFFFFF] = at
    problems = []
    sessions = "SELECT no, observations, processed_to, oldest_at FROM sessions NOT INDEXED"
    for no, last, read, oldest in connection.execute(sessions):
        held = seen.pop(no, {})
        ahead = any(place > read for place in held)
        if max(held, default=0) > last or not 0 <= read <= last or ahead is not (read < last):
            problems.append(f"session {no}: read to {read} of {last}, holds {sorted(held)}")
        if oldest != min(held.values(), default=None):
            problems.append(f"session {no}: its oldest is not {oldest}")
    problems += [f"observations of session {no}, which is not there" for no in seen]
    for table in ("tellings", "observation_keys"):
        lost = f"SELECT count(*) FROM {table} WHERE session NOT IN (SELECT no FROM sessions)"
        problems += [f"{table} of no session"] if connection.execute(lost).get else []
    gone = "SELECT count(*) FROM tellings WHERE (session << 32) + seq NOT IN (SELECT place FROM observations)"
    problems += ["tellings of what is gone"] if connection.execute(gone).get else []
    return problems


def sound(path: Path) -> None:
    """The file is whole by the product's own check and by ours."""
    with opened(path, at=None) as mind:
        assert mind.check().problems == ()
    assert drift(path) == []


def holders(folder: Path, needles: Iterable[str]) -> dict[str, list[str]]:
    """The needles that stand in some file of the folder, in whatever case, and in which files."""
    files = {str(path.relative_to(folder)): path.read_bytes().lower() for path in folder.rglob("*") if path.is_file()}
    found = {
        needle: [name for name, content in files.items() if needle.lower().encode() in content] for needle in needles
    }
    return {needle: names for needle, names in found.items() if names}


def ledger(path: Path) -> dict[str, int | None]:
    """What the ledger beside a file lists as purged: memories by id, with when each was allowed again, and sessions."""
    file = path.with_name(path.name + ".purged")
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    stretches = {f"{one['session']} {one['first']}-{one['last']}": one["at"] for one in lines if "session" in one}
    return {line["id"].replace("-", ""): line["lifted"] for line in lines if "id" in line} | stretches


def buried(path: Path) -> dict[str, int | None]:
    """The same, by the rows in the file."""
    tables = dump(path)
    stretches = {f"{session.hex()} {first}-{last}": at for _, session, at, first, last in tables.get("erased", [])}
    return {row[2].hex(): row[5] for row in tables["tombstones"]} | stretches
