"""Looking for damage: pages, hashes, and every derived row against what it is derived from.

SQLite's own check misses most flipped bits, so each row carries a hash. Full-text index, kin, tags, descents, counters
and copied columns are derived from the memories: when they differ, `repair` makes them anew. It trusts no due date
either: every memory that can have one is looked at by the next sweep. A memory whose own hash fails cannot be mended
here and is reported by id.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import apsw

from remanence.model.report import Checkup, Problem
from remanence.model.words import segmented
from remanence.store.sql import entities, rows
from remanence.store.sql.checking import Derived, Findings, Stored, examine, named
from remanence.store.sqlite import kin, meaning_checkup, session_checkup
from remanence.store.sqlite.engine import Engine

_PAGE = 20_000
_TEXTS = ("m.words", "m.text", "m.categories", "m.concepts", "m.files", "m.lineage", "m.origin", "m.metadata")
_ROW = (
    f"SELECT m.no, m.id, m.shelf, m.digest, m.source, {', '.join(f'CAST({name} AS BLOB)' for name in _TEXTS)}, "
    f"l.space = m.space AND l.shelf = m.shelf, l.hash, CAST(l.challenged_by AS BLOB), "
    f"{', '.join('l.' + name for name in rows.LIFE.split(', '))} "
    "FROM memories m LEFT JOIN lives l ON l.no = m.no WHERE m.no > ? ORDER BY m.no LIMIT ?"
).replace("l.challenged_by, l.valid_from", "NULL, l.valid_from")
_CHALLENGED_AT = rows.LIFE.split(", ").index("challenged_by")

_DAYS = (
    f"SELECT space, state, (created_at - (created_at % {rows.DAY} + {rows.DAY}) % {rows.DAY}) / {rows.DAY} AS day, "
    "count(*) AS memories, sum(tokens) AS tokens FROM lives GROUP BY 1, 2, 3"
)
_ACTIVE = "SELECT space, count(*) AS days FROM activity GROUP BY space"


def check(engine: Engine, *, repair: bool, progress: Callable[[int, int], None] | None) -> Checkup:
    """Look at everything; with `repair`, make derived rows anew and look again."""
    found, checked = _look(engine, progress)
    mendable = tuple(problem for problem in found if problem.repairable)
    if not (repair and mendable):
        return Checkup(found, checked)
    with engine.write() as connection:
        _mend(connection)
        engine.generation += 1
    left, checked = _look(engine, progress)
    remaining = {problem.kind for problem in left}
    return Checkup(left, checked, tuple(problem for problem in mendable if problem.kind not in remaining))


def _look(engine: Engine, progress: Callable[[int, int], None] | None) -> tuple[tuple[Problem, ...], int]:
    findings = Findings()
    with engine.write() as connection:  # one moment for everything, and full-text checking is a write
        for (line,) in connection.execute("PRAGMA integrity_check(20)"):
            if "fts5" in line.lower():
                findings.add("full-text index", line, repairable=True)
            elif line != "ok":
                findings.add("file structure", line, repairable=False)
        try:
            connection.execute("INSERT INTO search(search, rank) VALUES('integrity-check', 1)")
        except (apsw.Error, UnicodeDecodeError):
            findings.add("full-text index", "differs from the texts", repairable=True)
        checked = _memories(connection, findings, progress)
        _totals(connection, findings)
        for part in (meaning_checkup, session_checkup):
            part.look(connection, lambda kind, detail, count: findings.add(kind, detail, repairable=True, count=count))
        misfits, example = entities.look(connection)
        findings.add("names", example, repairable=True, count=misfits)
    return findings.problems(), checked


def _memories(connection: apsw.Connection, findings: Findings, progress: Callable[[int, int], None] | None) -> int:
    total = connection.execute("SELECT count(*) FROM memories").get
    last = checked = 0
    while page := connection.execute(_ROW, (last, _PAGE)).fetchall():
        derived = _Derived(connection, page[0][0], page[-1][0])
        for row in page:
            _memory(row, derived, findings)
        last = page[-1][0]
        checked += len(page)
        if progress is not None:
            progress(checked, total)
    return checked


class _Derived:
    """The rows of the derived tables that belong to a range of memories."""

    def __init__(self, connection: apsw.Connection, first: int, last: int) -> None:
        def grouped(sql: str) -> dict[int, list[Any]]:
            found: dict[int, list[Any]] = defaultdict(list)
            for no, *rest in connection.execute(sql, (first, last)):
                found[no].append(tuple(rest) if len(rest) > 1 else rest[0])
            return found

        self.kin = grouped("SELECT no, shelf, size, row, token FROM kin WHERE no BETWEEN ? AND ?")
        self.kin_news = grouped("SELECT no, shelf, size, places FROM kin_news WHERE no BETWEEN ? AND ?")
        self.tags = grouped("SELECT no, CAST(category AS BLOB) FROM tags WHERE no BETWEEN ? AND ?")
        self.parents = grouped("SELECT no, parent FROM descents WHERE no BETWEEN ? AND ?")
        self.paths = grouped("SELECT no, CAST(name AS BLOB) FROM paths WHERE no BETWEEN ? AND ?")


def _memory(row: tuple[Any, ...], derived: _Derived, findings: Findings) -> None:
    no, raw, shelf, digest, source, *rest = row
    texts, placed, hash_, challenged_by = rest[:8], rest[8], rest[9], rest[10]
    try:
        indexed, *said = (None if text is None else bytes(text).decode() for text in texts)
        challenger = None if challenged_by is None else bytes(challenged_by).decode()
    except UnicodeDecodeError:
        findings.add("text changed outside remanence", named(raw), repairable=False)
        return
    life = (*rest[11 : 11 + _CHALLENGED_AT], challenger, *rest[12 + _CHALLENGED_AT :])
    memory = Stored(no, raw, shelf, digest, source, indexed, tuple(said), bool(placed), hash_, life)
    examine(
        memory,
        Derived(
            tags=[bytes(tag) for tag in derived.tags[no]],
            paths=[bytes(name) for name in derived.paths[no]],
            parents=derived.parents[no],
            kin=lambda text, live: kin.stands(derived.kin[no], derived.kin_news[no], shelf, text, live=live),
        ),
        findings,
    )


def _totals(connection: apsw.Connection, findings: Findings) -> None:
    """Rows that belong to no memory, counters, and states against the journal."""
    questions = {
        "life without a memory": ("SELECT count(*) FROM lives WHERE no NOT IN (SELECT no FROM memories)", False),
        "kin index": (
            "SELECT (SELECT count(*) FROM kin WHERE no NOT IN (SELECT no FROM memories)) "
            "+ (SELECT count(*) FROM kin_news WHERE no NOT IN (SELECT no FROM memories))",
            True,
        ),
        "memory on no shelf": ("SELECT count(*) FROM memories WHERE shelf NOT IN (SELECT no FROM shelves)", False),
        "tags": ("SELECT count(*) FROM tags WHERE no NOT IN (SELECT no FROM memories)", True),
        "paths": ("SELECT count(*) FROM paths WHERE no NOT IN (SELECT no FROM memories)", True),
        "descents": ("SELECT count(*) FROM descents WHERE no NOT IN (SELECT no FROM memories)", True),
        "counters": (
            "SELECT count(*) FROM (SELECT shelf, state, count(*) n, sum(tokens) t FROM lives GROUP BY shelf, state) a "
            "FULL JOIN (SELECT * FROM counts WHERE memories <> 0) c ON c.shelf = a.shelf AND c.state = a.state "
            "WHERE a.n IS NOT c.memories OR a.t IS NOT c.tokens",
            True,
        ),
        "counters of days": (
            f"SELECT count(*) FROM ({_DAYS}) a FULL JOIN (SELECT * FROM days WHERE memories <> 0) d "
            "ON d.space = a.space AND d.state = a.state AND d.day = a.day "
            "WHERE a.memories IS NOT d.memories OR a.tokens IS NOT d.tokens",
            True,
        ),
        "counter of active days": (
            f"SELECT count(*) FROM ({_ACTIVE}) a FULL JOIN (SELECT * FROM policies WHERE active_days <> 0) p "
            "ON p.space = a.space WHERE a.days IS NOT p.active_days",
            True,
        ),
        "copied sources": (
            "SELECT count(*) FROM lives l JOIN memories m ON m.no = l.no WHERE l.source <> m.source",
            True,
        ),
        "due dates": (
            f"SELECT count(*) FROM lives WHERE due_at IS NOT NULL AND (state NOT IN {rows.DATED} "
            "OR typeof(due_at) <> 'integer')",
            True,
        ),
        "state against the journal": (
            "SELECT count(*) FROM lives l WHERE l.state IS NOT (SELECT j.state_after FROM journal j WHERE j.no = l.no "
            "ORDER BY j.receipt DESC, j.item DESC LIMIT 1)",
            False,
        ),
    }
    for kind, (sql, mendable) in questions.items():
        findings.add(kind, "rows that do not fit", repairable=mendable, count=connection.execute(sql).get)


def _mend(connection: apsw.Connection) -> None:
    """Make every derived row anew from the memories."""
    for table in ("kin", "kin_news", "tags", "paths", "descents", "counts", "days"):
        connection.execute(f"DELETE FROM {table}")
    index = kin.FileKin()
    last = 0
    while page := connection.execute(
        "SELECT m.no, m.shelf, CAST(m.text AS BLOB), CAST(m.categories AS BLOB), CAST(m.lineage AS BLOB), "
        "CAST(m.files AS BLOB), l.state "
        "FROM memories m LEFT JOIN lives l ON l.no = m.no WHERE m.no > ? ORDER BY m.no LIMIT ?",
        (last, _PAGE),
    ).fetchall():
        for no, shelf, *texts, state in page:
            try:
                text, categories, lineage, files = (None if t is None else bytes(t).decode() for t in texts)
                tags, parents = rows.listed(categories), [rows.id_bytes(parent) for parent in rows.listed(lineage)]
                names = {rows.file_name(path) for path in rows.listed(files)}
            except ValueError:  # its hash has failed: nothing can be derived from it
                continue
            if text is None:
                continue
            words = segmented(text)
            connection.execute("UPDATE memories SET words=? WHERE no=? AND words IS NOT ?", (words, no, words))
            if state == rows.LIVE:
                index.enter(connection, shelf, no, text)
            connection.executemany("INSERT OR IGNORE INTO tags VALUES(?,?)", [(tag, no) for tag in tags])
            connection.executemany("INSERT INTO paths VALUES(?,?)", [(name, no) for name in names])
            connection.executemany("INSERT OR IGNORE INTO descents VALUES(?,?)", [(parent, no) for parent in parents])
        last = page[-1][0]
    meaning_checkup.mend(connection)
    session_checkup.mend(connection)
    entities.mend(connection)
    connection.execute("INSERT INTO search(search) VALUES('rebuild')")
    connection.execute("INSERT INTO counts SELECT shelf, state, count(*), sum(tokens) FROM lives GROUP BY shelf, state")
    connection.execute(f"INSERT INTO days {_DAYS}")
    connection.execute("UPDATE policies SET active_days = 0")
    connection.execute(
        f"INSERT INTO policies(space, active_days) SELECT * FROM ({_ACTIVE}) WHERE TRUE "
        "ON CONFLICT(space) DO UPDATE SET active_days = excluded.active_days"
    )
    connection.execute(
        "UPDATE lives SET source = m.source FROM memories m WHERE m.no = lives.no AND m.source <> lives.source"
    )
    looked_at = f"CASE WHEN state IN {rows.DATED} THEN 0 END"
    connection.execute(f"UPDATE lives SET due_at = {looked_at} WHERE due_at IS NOT {looked_at}")
