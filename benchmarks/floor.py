"""The floor: the least that stores memories and finds them by words, against which everything else is a ratio.

Plain SQLite in WAL mode with an FTS5 index over the table (external content), one transaction per add, recall by an OR
query ordered by bm25 with a scope filter. Words that stand in more than 1 % of the memories are left out of a query
when a rarer one exists; the counts are read once, before the timed part. It finds no duplicates, supersedes nothing,
keeps no journal and never forgets, so nothing that does can cost less by much.

Variants: `synchronous` NORMAL or FULL; with or without a 384-dimension float32 vector stored in each row (written, not
searched); through the standard library's SQLite or through apsw's.
"""

from __future__ import annotations

import importlib
import math
import struct
from functools import lru_cache
from pathlib import Path
from typing import Any

DIMENSIONS = 384
COMMON_SHARE = 0.01
COMMON_LEAST = 20

SCHEMA = """
CREATE TABLE memory(id INTEGER PRIMARY KEY, scope TEXT, text TEXT, kind TEXT, created REAL, importance REAL,
                    accesses INTEGER, last_access REAL, score REAL, vector BLOB);
CREATE INDEX memory_scope ON memory(scope);
CREATE VIRTUAL TABLE words USING fts5(text, content='memory', content_rowid='id');
"""
INSERT_MEMORY = "INSERT INTO memory VALUES(?,?,?,?,?,?,?,?,?,?)"
INSERT_WORDS = "INSERT INTO words(rowid, text) VALUES(?,?)"
MATCH = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT ?"
MATCH_SCOPE = """
SELECT memory.id FROM words JOIN memory ON memory.id = words.rowid
WHERE words MATCH ? AND memory.scope = ? ORDER BY bm25(words) LIMIT ?
"""


class Floor:
    """One connection, one file. Rows to store are tuples made by `prepare`, outside the timed part."""

    def __init__(self, *, synchronous: str = "NORMAL", vectors: bool = False, engine: str = "sqlite3") -> None:
        self.synchronous = synchronous
        self.vectors = vectors
        self.engine = engine
        self._next_id = 1
        self._counts: dict[str, int] = {}

    def load(self) -> None:
        """Import what the variant needs."""
        self._driver = importlib.import_module(self.engine)

    def engine_version(self) -> str:
        if self.engine == "apsw":
            return f"SQLite {self._driver.sqlite_lib_version()} (apsw)"
        return f"SQLite {self._driver.sqlite_version} (standard library)"

    def open(self, folder: Path) -> None:
        path = str(folder / "floor.db")
        if self.engine == "apsw":
            self._db: Any = self._driver.Connection(path)
        else:
            self._db = self._driver.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL").fetchall()
        self._db.execute(f"PRAGMA synchronous={self.synchronous}")
        self._db.execute("PRAGMA mmap_size=1073741824").fetchall()
        if not self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'memory'").fetchall():
            for statement in filter(str.strip, SCHEMA.split(";")):
                self._db.execute(statement)
        self._next_id = self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM memory").fetchall()[0][0]

    def prepare(self, row: dict[str, Any], now: float) -> tuple[Any, ...]:
        """The row as stored; making its vector is no part of any figure."""
        number, self._next_id = self._next_id, self._next_id + 1
        created = now - row["age_seconds"]
        vector = embed(row["text"]) if self.vectors else None
        return (number, row["scope"], row["text"], row["kind"], created, row["importance"], 0, created, 0.0, vector)

    def add_many(self, items: list[tuple[Any, ...]]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(INSERT_MEMORY, items)
        self._db.executemany(INSERT_WORDS, [(item[0], item[2]) for item in items])
        self._db.execute("COMMIT")

    def add(self, item: tuple[Any, ...]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute(INSERT_MEMORY, item)
        self._db.execute(INSERT_WORDS, (item[0], item[2]))
        self._db.execute("COMMIT")

    def settle(self) -> None:
        """Read how many memories hold each word; called once between the adds and the recalls."""
        self._db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, 'row')")
        self._counts = dict(self._db.execute("SELECT term, doc FROM vocabulary").fetchall())

    def recall(self, words: str, scope: str | None, limit: int) -> list[tuple[Any, ...]]:
        match = " OR ".join(f'"{word}"' for word in self._rare(words))
        if scope is None:
            found = self._db.execute(MATCH, (match, limit)).fetchall()
        else:
            found = self._db.execute(MATCH_SCOPE, (match, scope, limit)).fetchall()
        ids = [row[0] for row in found]
        marks = ",".join("?" * len(ids))
        select = f"SELECT id, text, scope, kind, created, importance FROM memory WHERE id IN ({marks})"
        rows = {row[0]: row for row in self._db.execute(select, ids).fetchall()}
        return [rows[number] for number in ids]

    def texts(self, hits: list[tuple[Any, ...]]) -> list[str]:
        return [hit[1] for hit in hits]

    def close(self) -> None:
        self._db.close()

    def _rare(self, words: str) -> list[str]:
        limit = max(COMMON_LEAST, COMMON_SHARE * (self._next_id - 1))
        by_count = sorted(words.split(), key=lambda word: self._counts.get(word, 0))
        return [word for word in by_count if self._counts.get(word, 0) < limit] or by_count[:1]


def embed(text: str) -> bytes:
    """A unit vector by signed feature hashing, 8 places a word, as float32 bytes."""
    sums = [0.0] * DIMENSIONS
    for word in text.split():
        for place, sign in _places(word):
            sums[place] += sign
    length = math.sqrt(sum(value * value for value in sums)) or 1.0
    return struct.pack(f"<{DIMENSIONS}f", *(value / length for value in sums))


@lru_cache(maxsize=4096)  # bounded, so that it does not show in the memory figure
def _places(word: str) -> tuple[tuple[int, float], ...]:
    state = 2166136261
    for byte in word.encode():
        state = ((state ^ byte) * 16777619) & 0xFFFFFFFF
    places = []
    for _ in range(8):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        places.append(((state >> 8) % DIMENSIONS, 1.0 if state >> 31 else -1.0))
    return tuple(places)
