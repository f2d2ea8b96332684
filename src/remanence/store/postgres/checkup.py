"""Looking for damage in one namespace: hashes, and every derived row against what it is derived from.

PostgreSQL checks its own pages (data_checksums, amcheck); this is about what the rows say. When derived rows differ,
`repair` makes them anew from the memories, in one transaction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from remanence.model.report import Checkup, Problem
from remanence.model.words import segmented
from remanence.store.postgres.engine import Engine
from remanence.store.postgres.kin import ArrayKin
from remanence.store.postgres.words import Stems
from remanence.store.sql import entities, rows
from remanence.store.sql.checking import Derived, Findings, Stored, examine
from remanence.store.sql.connection import Connection
from remanence.store.sql.kin import complete
from remanence.store.sql.vectors import EMBED, hash_of

_PAGE = 2_000
_ROW = (
    "SELECT m.no, m.id, m.shelf, m.digest, m.source, m.words, m.text, m.categories, m.concepts, m.files, m.lineage, "
    "m.origin, m.metadata, l.shelf = m.shelf, l.hash, "
    f"{', '.join('l.' + name for name in rows.LIFE.split(', '))} "
    "FROM memories m LEFT JOIN lives l ON /*l.here*/ l.no = m.no WHERE /*m.here*/ m.no > ? ORDER BY m.no LIMIT ?"
)
_DAYS = (
    f"SELECT space, state, floor(created_at::numeric / {rows.DAY})::bigint AS day, count(*) AS memories, "
    "sum(tokens)::bigint AS tokens FROM lives WHERE /*here*/ true GROUP BY 1, 2, 3"
)
_COUNTS = (
    "SELECT space, shelf, state, count(*) AS memories, sum(tokens)::bigint AS tokens FROM lives "
    "WHERE /*here*/ true GROUP BY 1, 2, 3"
)
_NOT_THERE = "SELECT count(*) FROM {} x WHERE /*x.here*/ NOT EXISTS (SELECT 1 FROM {} m WHERE /*m.here*/ m.no = x.{})"
_ACTIVE = "SELECT space, count(*) AS days FROM activity WHERE /*here*/ true GROUP BY space"
_STRAY = (
    ("life without a memory", "lives", "memories", "no", False),
    ("kin index", "kin", "memories", "no", True),
    ("tags", "tags", "memories", "no", True),
    ("paths", "paths", "memories", "no", True),
    ("descents", "descents", "memories", "no", True),
    ("words", "stems", "memories", "no", True),
    ("meanings", "meanings", "lives", "no", True),
    ("vectors", "vectors", "meanings", "no", True),
    ("recall log", "recalled", "memories", "memory", True),
    ("recall log", "recalled", "recalls", "recall", True),
    ("recall log", "regrets", "memories", "no", True),
    ("memory on no shelf", "memories", "shelves", "shelf", False),
)
_QUESTIONS: tuple[tuple[str, str, bool], ...] = (
    (
        "counters",
        f"SELECT count(*) FROM ({_COUNTS}) a FULL JOIN (SELECT * FROM counts WHERE /*here*/ memories <> 0) c "
        "ON c.shelf = a.shelf AND c.state = a.state "
        "WHERE a.memories IS DISTINCT FROM c.memories OR a.tokens IS DISTINCT FROM c.tokens",
        True,
    ),
    (
        "counters of days",
        f"SELECT count(*) FROM ({_DAYS}) a FULL JOIN (SELECT * FROM days WHERE /*here*/ memories <> 0) d "
        "ON d.state = a.state AND d.day = a.day "
        "WHERE a.memories IS DISTINCT FROM d.memories OR a.tokens IS DISTINCT FROM d.tokens",
        True,
    ),
    (
        "counter of active days",
        f"SELECT count(*) FROM ({_ACTIVE}) a FULL JOIN (SELECT * FROM policies WHERE /*here*/ active_days <> 0) p "
        "ON p.space = a.space WHERE a.days IS DISTINCT FROM p.active_days",
        True,
    ),
    (
        "copied sources",
        "SELECT count(*) FROM lives l JOIN memories m ON /*m.here*/ m.no = l.no WHERE /*l.here*/ l.source <> m.source",
        True,
    ),
    (
        "due dates",
        f"SELECT count(*) FROM lives WHERE /*here*/ due_at IS NOT NULL AND state NOT IN {rows.DATED}",
        True,
    ),
    (
        "state against the journal",
        "SELECT count(*) FROM lives l WHERE /*l.here*/ l.state IS DISTINCT FROM (SELECT j.state_after FROM journal j "
        "WHERE /*j.here*/ j.no = l.no ORDER BY j.receipt DESC, j.item DESC LIMIT 1)",
        False,
    ),
    (
        "words",
        "SELECT count(*) FROM memories m WHERE /*m.here*/ NOT EXISTS "
        "(SELECT 1 FROM stems x WHERE /*x.here*/ x.no = m.no)",
        True,
    ),
    (
        "counters of words",
        "SELECT count(*) FROM (SELECT count(*) AS memories, coalesce(sum(length), 0) AS length FROM stems "
        "WHERE /*here*/ true) a FULL JOIN (SELECT memories, length FROM wordage WHERE /*here*/ true) w ON true "
        "WHERE a.memories <> coalesce(w.memories, 0) OR a.length <> coalesce(w.length, 0)",
        True,
    ),
    (
        "counters of words",
        "SELECT count(*) FROM (SELECT s.stem, count(*) AS held FROM stems x, unnest(x.stems) s(stem) WHERE /*x.here*/ "
        "x.no <= (SELECT w.settled_to FROM wordage w WHERE /*w.here*/ true) GROUP BY 1) a "
        "FULL JOIN (SELECT stem, held FROM terms WHERE /*here*/ true) t ON t.stem = a.stem "
        "WHERE a.held IS DISTINCT FROM t.held",
        True,
    ),
    (
        "meanings",
        "SELECT count(*) FROM lives l LEFT JOIN meanings e ON /*e.here*/ e.no = l.no WHERE /*l.here*/ (e.no IS NULL "
        "OR e.shelf <> l.shelf OR e.state <> l.state OR (e.model IS NULL AND e.waits = 0))",
        True,
    ),
    (
        "sessions",
        "SELECT count(*) FROM sessions s LEFT JOIN LATERAL (SELECT max(o.place) - (s.no << 32) AS last, "
        "min(o.at) AS oldest FROM observations o WHERE /*o.here*/ o.place > s.no << 32 "
        "AND o.place < (s.no + 1) << 32) o ON true WHERE /*s.here*/ (coalesce(o.last, 0) > s.observations "
        "OR s.processed_to > s.observations OR s.processed_to < 0 OR s.oldest_at IS DISTINCT FROM o.oldest)",
        False,
    ),
    (
        "observations",
        "SELECT count(*) FROM observations o WHERE /*o.here*/ NOT EXISTS "
        "(SELECT 1 FROM sessions s WHERE /*s.here*/ s.no = o.place >> 32)",
        False,
    ),
)
_KEPT = (
    "SELECT e.no, e.model, e.bits, e.hash, v.dimension, v.model, v.whole, v.code, v.signs IS NOT NULL FROM meanings e "
    "LEFT JOIN vectors v ON /*v.here*/ v.no = e.no WHERE /*e.here*/ e.model IS NOT NULL AND e.no > ? "
    "ORDER BY e.no LIMIT ?"
)


class Check:
    """One look at a namespace."""

    def __init__(
        self, engine: Engine, words: Stems, kin: ArrayKin, progress: Callable[[int, int], None] | None
    ) -> None:
        self._engine = engine
        self._words = words
        self._kin = kin
        self._progress = progress
        self._findings = Findings()

    def look(self) -> tuple[tuple[Problem, ...], int]:
        """What is wrong, and how many memories were looked at; on one snapshot."""
        with self._engine.read() as connection:
            checked = self._memories(connection)
            for kind, table, other, column, mendable in _STRAY:
                found = connection.execute(_NOT_THERE.format(table, other, column)).get
                self._findings.add(kind, f"{table} that belong to nothing", repairable=mendable, count=found)
            for kind, sql, mendable in _QUESTIONS:
                found = connection.execute(sql).get
                self._findings.add(kind, "rows that do not fit", repairable=mendable, count=found)
            misfits, example = entities.look(connection)
            self._findings.add("names", example, repairable=True, count=misfits)
            broken = broken_vectors(connection)
            self._findings.add("vectors", f"row {broken[:1]}", repairable=True, count=len(broken))
        return self._findings.problems(), checked

    def _memories(self, connection: Connection) -> int:
        total = connection.execute("SELECT count(*) FROM memories WHERE /*here*/ true").get
        last = checked = 0
        while page := connection.execute(_ROW, (last, _PAGE)).fetchall():
            derived = _Rows(connection, page[0][0], page[-1][0])
            for row in page:
                self._memory(row, derived)
            last = page[-1][0]
            checked += len(page)
            if self._progress is not None:
                self._progress(checked, total)
        return checked

    def _memory(self, row: tuple[Any, ...], derived: _Rows) -> None:
        no, raw, shelf, digest, source, indexed, *rest = row
        said, placed, hash_, life = tuple(rest[:7]), rest[7], rest[8], tuple(rest[9:])
        memory = Stored(no, raw, shelf, digest, source, indexed, said, bool(placed), hash_, life)

        def kin(text: str, live: bool) -> bool:
            places = [place for one in derived.kin[no] for place in self._kin.found(one, shelf, text)]
            return complete(places, shelf, text) if live else not places

        tags, paths = ([name.encode() for name in held[no]] for held in (derived.tags, derived.paths))
        examine(memory, Derived(tags, paths, derived.parents[no], kin), self._findings)
        if rest[0] is not None:
            times, length = self._words.numbers(indexed or rest[0])
            held = {(frozenset(stems), length) for stems, length in derived.stems[no]}
            if held and held != {(frozenset(times), length)}:
                self._findings.add("words", rows.id_text(raw), repairable=True)


class _Rows:
    """The rows of the derived tables that belong to a range of memories."""

    def __init__(self, connection: Connection, first: int, last: int) -> None:
        def grouped(columns: str, table: str) -> dict[int, list[Any]]:
            found: dict[int, list[Any]] = defaultdict(list)
            sql = f"SELECT no, {columns} FROM {table} WHERE /*here*/ no BETWEEN ? AND ?"
            for no, *rest in connection.execute(sql, (first, last)):
                found[no].append(tuple(rest) if len(rest) > 1 else rest[0])
            return found

        self.kin = grouped("size, front, back", "kin")
        self.tags = grouped("category", "tags")
        self.paths = grouped("name", "paths")
        self.parents = grouped("parent", "descents")
        self.stems = grouped("stems, length", "stems")


def broken_vectors(connection: Connection) -> list[int]:
    """The memories whose vectors do not hold."""
    from remanence.index import codecs

    broken: list[int] = []
    last = -1
    while page := connection.execute(_KEPT, (last, _PAGE)).fetchall():
        last = page[-1][0]
        for no, model, bits, hash_, dimension, made_by, whole, code, has_signs in page:
            raw = whole.to_numpy().astype("<f4").tobytes() if code is None and whole is not None else code
            if (
                raw is None
                or made_by != model
                or bits not in codecs.BITS
                or len(raw) != codecs.code_bytes(bits, dimension)
                or hash_of(no, model, bits, raw) != hash_
                or has_signs != (whole is None)
            ):
                broken.append(no)
    return broken


def mend(connection: Connection, words: Stems, kin: ArrayKin) -> None:
    """Make every derived row of the namespace anew from the memories."""
    for table in ("kin", "tags", "paths", "descents", "counts", "days", "stems", "terms", "wordage", *entities.TABLES):
        connection.execute(f"DELETE FROM {table} WHERE /*here*/ true")
    last = 0
    while page := connection.execute(
        "SELECT m.no, m.shelf, m.text, m.categories, m.lineage, m.files, l.state FROM memories m "
        "LEFT JOIN lives l ON /*l.here*/ l.no = m.no WHERE /*m.here*/ m.no > ? ORDER BY m.no LIMIT ?",
        (last, _PAGE),
    ).fetchall():
        for no, shelf, text, categories, lineage, files, state in page:
            indexed = segmented(text)
            fix = "UPDATE memories SET words=? WHERE /*here*/ no=? AND words IS DISTINCT FROM ?::text"
            connection.execute(fix, (indexed, no, indexed))
            words.enter(connection, no, indexed or text)
            if state == rows.LIVE:
                kin.enter(connection, shelf, no, text)
            try:
                names = {rows.file_name(path) for path in rows.listed(files)}
                tags, parents = rows.listed(categories), [rows.id_bytes(parent) for parent in rows.listed(lineage)]
            except ValueError:  # its hash has failed: nothing can be derived from it
                continue
            add = "INSERT INTO {} VALUES(/*?,*/ ?,?) ON CONFLICT DO NOTHING"
            connection.executemany(add.format("tags"), [(tag, no) for tag in tags])
            connection.executemany(add.format("paths"), [(name, no) for name in names])
            connection.executemany(add.format("descents"), [(parent, no) for parent in parents])
        last = page[-1][0]
    words.settle(connection)
    connection.execute(f"INSERT INTO counts {_COUNTS}")
    connection.execute(f"INSERT INTO days {_DAYS}")
    connection.execute("UPDATE policies SET active_days = 0 WHERE /*here*/ true")
    connection.execute(
        f"INSERT INTO policies(space, active_days) {_ACTIVE} "
        "ON CONFLICT(space) DO UPDATE SET active_days = excluded.active_days"
    )
    connection.execute(
        "UPDATE lives SET source = m.source FROM memories m WHERE /*m.here*/ m.no = lives.no "
        "AND lives.space = m.space AND m.source <> lives.source"
    )
    looked_at = f"CASE WHEN state IN {rows.DATED} THEN 0 END"
    connection.execute(f"UPDATE lives SET due_at = {looked_at} WHERE /*here*/ due_at IS DISTINCT FROM {looked_at}")
    for table, other, column in (
        ("meanings", "lives", "no"),
        ("vectors", "meanings", "no"),
        ("recalled", "memories", "memory"),
        ("recalled", "recalls", "recall"),
        ("regrets", "memories", "no"),
    ):
        gone = f"NOT EXISTS (SELECT 1 FROM {other} m WHERE /*m.here*/ m.no = {table}.{column})"
        connection.execute(f"DELETE FROM {table} WHERE /*here*/ {gone}")
    for no in broken_vectors(connection):
        connection.execute("DELETE FROM vectors WHERE /*here*/ no=?", (no,))
        connection.execute(
            "UPDATE meanings SET waits=?, model=NULL, bits=NULL, signs=NULL, hash=NULL, fades_at=NULL "
            "WHERE /*here*/ no=?",
            (EMBED, no),
        )
    connection.execute(
        "INSERT INTO meanings(space, no, shelf, state, waits) SELECT space, no, shelf, state, ? FROM lives l "
        "WHERE /*l.here*/ true ON CONFLICT(space, no) DO UPDATE SET shelf = excluded.shelf, state = excluded.state",
        (EMBED,),
    )
    connection.execute("UPDATE meanings SET waits=? WHERE /*here*/ model IS NULL AND waits = 0", (EMBED,))


def check(
    engine: Engine, words: Stems, kin: ArrayKin, *, repair: bool, progress: Callable[[int, int], None] | None
) -> Checkup:
    """Look at everything of the namespace; with `repair`, make derived rows anew and look again."""
    found, checked = Check(engine, words, kin, progress).look()
    mendable = tuple(problem for problem in found if problem.repairable)
    if not (repair and mendable):
        return Checkup(found, checked)
    with engine.write() as connection:
        mend(connection, words, kin)
        engine.generation += 1
    left, checked = Check(engine, words, kin, progress).look()
    remaining = {problem.kind for problem in left}
    return Checkup(left, checked, tuple(problem for problem in mendable if problem.kind not in remaining))
