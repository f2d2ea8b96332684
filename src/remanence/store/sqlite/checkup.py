"""Looking for damage: pages, hashes, and every derived row against what it is derived from.

SQLite's own check misses most flipped bits, so each row carries a hash. Full-text index, kin, tags, descents and
counters are derived from the memories: when they differ, `repair` makes them anew. A memory whose own hash fails
cannot be mended here and is reported by id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from remanence.model.report import Checkup, Problem, Stats
from remanence.model.words import segmented, words
from remanence.store.sqlite import kin, migrations, rows
from remanence.store.sqlite.engine import Engine

_PAGE = 500
_ROW = (
    "SELECT m.no, m.id, m.shelf, m.digest, m.words, l.shelf, l.hash, "
    "m.source, m.text, m.categories, m.concepts, m.files, m.lineage, m.origin, m.metadata, l.state, k.entries, "
    "(SELECT count(*) FROM tags t WHERE t.no = m.no AND t.category IN (SELECT value FROM json_each(m.categories))), "
    f"{', '.join('l.' + name for name in rows.LIFE.split(', '))} "
    "FROM memories m LEFT JOIN lives l ON l.no = m.no LEFT JOIN temp.kin_entries k ON k.no = m.no "
    "WHERE m.no > ? ORDER BY m.no LIMIT ?"
)


@dataclass(slots=True)
class _Findings:
    """How often each kind of damage was met, with the first example."""

    seen: dict[str, tuple[int, str, bool]] = field(default_factory=dict)

    def add(self, kind: str, detail: str, *, repairable: bool, count: int = 1) -> None:
        before, first, _ = self.seen.get(kind, (0, detail, repairable))
        if count:
            self.seen[kind] = (before + count, first, repairable)

    def problems(self) -> tuple[Problem, ...]:
        return tuple(Problem(kind, count, detail, mend) for kind, (count, detail, mend) in self.seen.items())


def check(engine: Engine, *, repair: bool, progress: Callable[[int, int], None] | None) -> Checkup:
    """Look at everything; with `repair`, make derived rows anew and look again."""
    found, checked = _look(engine, progress)
    mendable = tuple(problem for problem in found if problem.repairable)
    if not (repair and mendable):
        return Checkup(found, checked)
    with engine.write() as connection:
        _mend(connection)
    left, checked = _look(engine, progress)
    remaining = {problem.kind for problem in left}
    return Checkup(left, checked, tuple(problem for problem in mendable if problem.kind not in remaining))


def _look(engine: Engine, progress: Callable[[int, int], None] | None) -> tuple[tuple[Problem, ...], int]:
    findings = _Findings()
    with engine.write() as connection:  # one moment for everything, and full-text checking is a write
        for (line,) in connection.execute("PRAGMA integrity_check(20)"):
            if line != "ok":
                findings.add("file structure", line, repairable=False)
        try:
            connection.execute("INSERT INTO search(search, rank) VALUES('integrity-check', 1)")
        except apsw.Error:
            findings.add("full-text index", "differs from the texts", repairable=True)
        checked = _rows(connection, findings, progress)
        _totals(connection, findings)
    return findings.problems(), checked


def _rows(connection: apsw.Connection, findings: _Findings, progress: Callable[[int, int], None] | None) -> int:
    connection.execute("DROP TABLE IF EXISTS temp.kin_entries")
    connection.execute("CREATE TEMP TABLE kin_entries(no INTEGER PRIMARY KEY, entries INTEGER)")
    connection.execute("INSERT INTO temp.kin_entries SELECT no, count(*) FROM kin GROUP BY no")
    total = connection.execute("SELECT count(*) FROM memories").get
    last = checked = 0
    while page := connection.execute(_ROW, (last, _PAGE)).fetchall():
        for row in page:
            _row(row, findings)
        last = page[-1][0]
        checked += len(page)
        if progress is not None:
            progress(checked, total)
    connection.execute("DROP TABLE temp.kin_entries")
    return checked


def _row(row: tuple, findings: _Findings) -> None:
    no, raw, shelf, digest, indexed, life_shelf, hash_, *rest = row
    said, state, entries, tagged, life = tuple(rest[:8]), rest[8], rest[9], rest[10], tuple(rest[11:])
    id = rows.id_text(raw)
    text = said[1]
    if not isinstance(text, str) or rows.digest_of(raw, shelf, said) != digest:
        findings.add("text changed outside remanence", id, repairable=False)
        return
    if hash_ is None:
        findings.add("memory without a life", id, repairable=False)
        return
    if life_shelf != shelf or rows.hash_of((no, shelf, *life)) != hash_:
        findings.add("life changed outside remanence", id, repairable=False)
    if segmented(text) != indexed:
        findings.add("words for the full-text index", id, repairable=True)
    if (entries or 0) != (_kin_entries(text) if state == rows.LIVE else 0):
        findings.add("kin index", id, repairable=True)
    if tagged != len(rows.listed(said[2])):
        findings.add("tags", id, repairable=True)


def _kin_entries(text: str) -> int:
    return kin.indexed_share(len(set(words(text)))) + 1 if words(text) else 1


def _totals(connection: apsw.Connection, findings: _Findings) -> None:
    """Rows that belong to no memory, counters, and states against the journal."""
    orphans = {
        "life without a memory": ("SELECT count(*) FROM lives WHERE no NOT IN (SELECT no FROM memories)", False),
        "kin index": ("SELECT count(*) FROM kin WHERE no NOT IN (SELECT no FROM memories)", True),
        "tags": ("SELECT count(*) FROM tags WHERE no NOT IN (SELECT no FROM memories)", True),
        "descents": (
            "SELECT abs((SELECT count(*) FROM descents) - "
            "(SELECT coalesce(sum(json_array_length(lineage)), 0) FROM memories WHERE lineage IS NOT NULL))",
            True,
        ),
        "counters": (
            "SELECT count(*) FROM (SELECT shelf, state, count(*) n, sum(tokens) t FROM lives GROUP BY shelf, state) a "
            "FULL JOIN (SELECT * FROM counts WHERE memories <> 0) c ON c.shelf = a.shelf AND c.state = a.state "
            "WHERE a.n IS NOT c.memories OR a.t IS NOT c.tokens",
            True,
        ),
        "state against the journal": (
            "SELECT count(*) FROM lives l WHERE l.state IS NOT (SELECT j.state_after FROM journal j WHERE j.no = l.no "
            "ORDER BY j.receipt DESC, j.item DESC LIMIT 1)",
            False,
        ),
    }
    for kind, (sql, mendable) in orphans.items():
        findings.add(kind, "rows that do not fit", repairable=mendable, count=connection.execute(sql).get)


def _mend(connection: apsw.Connection) -> None:
    """Make every derived row anew from the memories."""
    for no, text in connection.execute("SELECT no, text FROM memories").fetchall():
        connection.execute(
            "UPDATE memories SET words=? WHERE no=? AND words IS NOT ?", (segmented(text), no, segmented(text))
        )
    connection.execute("INSERT INTO search(search) VALUES('rebuild')")
    connection.execute("DELETE FROM kin")
    rarity = kin.Rarity()
    for no, shelf, text in connection.execute(
        "SELECT m.no, m.shelf, m.text FROM memories m JOIN lives l ON l.no = m.no WHERE l.state=?", (rows.LIVE,)
    ).fetchall():
        kin.enter(connection, rarity, shelf, no, text)
    connection.execute("DELETE FROM tags")
    connection.execute(
        "INSERT OR IGNORE INTO tags SELECT j.value, m.no FROM memories m, json_each(m.categories) j "
        "WHERE m.categories IS NOT NULL"
    )
    connection.execute("DELETE FROM descents")
    for no, lineage in connection.execute("SELECT no, lineage FROM memories WHERE lineage IS NOT NULL").fetchall():
        for parent in rows.listed(lineage):
            connection.execute("INSERT OR IGNORE INTO descents VALUES(?,?)", (rows.id_bytes(parent), no))
    connection.execute("DELETE FROM counts")
    connection.execute("INSERT INTO counts SELECT shelf, state, count(*), sum(tokens) FROM lives GROUP BY shelf, state")


def stats(engine: Engine, namespace: str, space: int, pending_accesses: int) -> Stats:
    """What the namespace holds, and what the file costs."""
    states = ",".join(f"({number}, '{state.value}')" for number, state in enumerate(rows.STATES))
    with engine.read() as connection:

        def tally(sql: str) -> dict[str, int]:
            return dict(connection.execute(sql, (space,)))

        counts = "FROM counts c JOIN shelves s ON s.no = c.shelf WHERE s.space=? AND c.memories > 0"
        by_state = (
            f"WITH names(no, name) AS (VALUES {states}) SELECT n.name, sum(c.{{}}) FROM counts c "
            "JOIN shelves s ON s.no = c.shelf JOIN names n ON n.no = c.state "
            "WHERE s.space=? AND c.memories > 0 GROUP BY n.no ORDER BY n.no"
        )
        layers: Counter[str] = Counter()
        for layer, number in connection.execute(
            "SELECT l.layer, count(*) FROM lives l JOIN shelves s ON s.no = l.shelf "
            "WHERE s.space=? AND l.state=? GROUP BY l.layer",
            (space, rows.LIVE),
        ):
            layers[rows.LAYERS[layer].value] = number
        return Stats(
            namespace=namespace,
            memories=tally(by_state.format("memories")),
            tokens=tally(by_state.format("tokens")),
            scopes=tally(f"SELECT s.scope, sum(c.memories) {counts} AND c.state=0 GROUP BY 1 ORDER BY 2 DESC, 1"),
            kinds=tally(f"SELECT s.kind, sum(c.memories) {counts} AND c.state=0 GROUP BY 1 ORDER BY 2 DESC, 1"),
            layers=layers,
            receipts=connection.execute("SELECT count(*) FROM receipts WHERE space=?", (space,)).get,
            tombstones=connection.execute("SELECT count(*) FROM tombstones WHERE space=?", (space,)).get,
            purge_pending=bool(connection.execute("SELECT value FROM meta WHERE name='purge_pending'").get),
            location=str(engine.path or ":memory:"),
            schema=migrations.current_schema(),
            file_bytes=_bytes(engine.path),
            pending_accesses=pending_accesses,
        )


def _bytes(path: Path | None) -> int:
    if path is None:
        return 0
    return sum(file.stat().st_size for file in (path, Path(f"{path}-wal")) if file.exists())
