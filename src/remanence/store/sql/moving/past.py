"""What happened to memories: tombstones of what was purged, receipts, the journal, earlier images."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

from remanence.errors import StoreDamaged
from remanence.store.sql import rows
from remanence.store.sql.connection import Connection
from remanence.store.sql.moving.memories import BY_ID, SHELF_AT, TOKENS_AT
from remanence.store.sql.moving.parts import PAGE, Part, listed_ids, numbers_of, pages_of, summable
from remanence.store.sql.moving.strangers import taken_numbers
from remanence.store.sql.store import SqlStore
from remanence.store.sql.writing import Writer

_RECEIPTS = (
    "SELECT no, at, verb, note, undoes, schema FROM receipts WHERE space=? AND no <= ? AND no > ? ORDER BY no LIMIT ?"
)
_NEWEST = "SELECT coalesce(max(no), 0) FROM receipts WHERE space=?"
_ADD_RECEIPT = (
    "INSERT INTO receipts(space, no, at, verb, note, undoes, schema) VALUES(?,?,?,?,?,?,?) ON CONFLICT DO NOTHING"
)
_ITEMS = "SELECT receipt, count(*) FROM journal WHERE /*here*/ receipt BETWEEN ? AND ? GROUP BY receipt"
_JOURNAL = (
    "SELECT j.receipt, j.item, coalesce(m.id, t.id), j.action, j.reason, j.evidence, j.state_before, j.state_after, "
    "j.effective_at, v.before, v.after FROM journal j "
    "LEFT JOIN memories m ON /*m.here*/ m.no = j.no LEFT JOIN tombstones t ON /*t.here*/ t.no = j.no "
    "LEFT JOIN revisions v ON /*v.here*/ v.receipt = j.receipt AND v.item = j.item "
    "WHERE /*j.here*/ j.receipt IN (SELECT value FROM json_each(?)) AND (j.receipt, j.item) > (?,?) "
    "ORDER BY j.receipt, j.item LIMIT ?"
)
_TOMBSTONES = "SELECT id, digest, purged_at, lifted_at FROM tombstones WHERE space=?"
_SUMS = (
    ("receipts", "r WHERE r.space=?", ("r.no", *summable("r.at"))),
    (
        "journal",
        "j JOIN receipts r ON r.no = j.receipt WHERE /*j.here*/ r.space=?",
        ("j.receipt", "j.item", "j.action", "length(j.reason)", "j.state_after"),
    ),
    (
        "revisions",
        "v JOIN receipts r ON r.no = v.receipt WHERE /*v.here*/ r.space=?",
        ("v.receipt", "v.item", "length(v.before)", "length(v.after)"),
    ),
)


class Past(Part):
    """The past of a namespace."""

    def copy_tombstones(self) -> None:
        """Bury in the target what was purged in the source."""
        with self.source._engine.read() as connection:
            wanted = {row[0]: row for row in connection.execute(_TOMBSTONES, (self.source._shelves.space,))}
        with self.target._engine.read() as connection:
            had = {row[0]: row for row in connection.execute(_TOMBSTONES, (self.target._shelves.space,))}
        for id in sorted(wanted):
            self.tally.compare("tombstones", wanted[id])
        stale = [row for id, row in wanted.items() if had.get(id) != row]
        for start in range(0, len(stale), PAGE):
            with self.target.transaction() as connection:
                self.target._shelves.enter(connection)
                writer = self.target.writer(connection, lambda _: None)
                for row in stale[start : start + PAGE]:
                    self._bury(connection, writer, row)
                writer.settle()
            self.tally.written += len(stale[start : start + PAGE])

    def _bury(self, connection: Connection, writer: Writer, row: tuple[Any, ...]) -> None:
        """What the target held of it goes as in a purge there; its tombstone is the source's."""
        id, digest, purged_at, lifted_at = row
        space = self.target._shelves.space
        found = connection.execute(BY_ID, (space, listed_ids([id]))).get
        if found is not None:
            memory = self.target._loader.memory(found)
            writer._purge(found[0], found[SHELF_AT], found[TOKENS_AT], memory)
            self.tally.purged.append(memory.text)
            self.tally.is_purged = True
        elif connection.execute("SELECT no FROM tombstones WHERE space=? AND id=?", (space, id)).get is None:
            add = "INSERT INTO tombstones(no, space, id, digest, purged_at) VALUES(?,?,?,?,?)"
            connection.execute(add, (self.target._shelves.next_row(connection), space, id, digest, purged_at))
        set_ = "UPDATE tombstones SET digest=?, purged_at=?, lifted_at=? WHERE space=? AND id=?"
        connection.execute(set_, (digest, purged_at, lifted_at, space, id))
        self.target._engine.purged(connection)

    def newest(self) -> int:
        """The number of the source's last receipt."""
        with self.source._engine.read() as connection:
            return int(connection.execute(_NEWEST, (self.source._shelves.space,)).get)

    def copy_journal(self, upto: int) -> None:
        """Write receipts up to one whose memories were copied after it was written, and what the journal says of them.

        A receipt may be added to later, and a stop may come anywhere: of each, the number of items tells.
        """
        space = self.source._shelves.space
        for page in pages_of(self.source, _RECEIPTS, (space, upto), (0,), lambda row: (row[0],)):
            ends = (page[0][0], page[-1][0])
            told = [_items(store, ends) for store in (self.source, self.target)]
            self._add_receipts(page, ends)
            differ = [no for no, *_ in page if told[0].get(no) != told[1].get(no)]
            if not differ:
                continue
            for items in pages_of(self.source, _JOURNAL, (json.dumps(differ),), (differ[0], -1), lambda row: row[:2]):
                self._add_items(items)

    def _add_receipts(self, page: list[tuple[Any, ...]], ends: tuple[int, int]) -> None:
        mine = "SELECT no FROM receipts WHERE space=? AND no BETWEEN ? AND ?"
        with self.target._engine.read() as connection:
            had = {no for (no,) in connection.execute(mine, (self.target._shelves.space, *ends))}
        missing = [row for row in page if row[0] not in had]
        if not missing:
            return
        with self.target.transaction() as connection:
            self.target._shelves.enter(connection)
            space = self.target._shelves.space
            connection.executemany(_ADD_RECEIPT, [(space, *row) for row in missing])
            if len(connection.execute(mine, (space, *ends)).fetchall()) != len(page):
                raise taken_numbers(self.target)
        self.tally.written += len(missing)

    def _add_items(self, page: list[tuple[Any, ...]]) -> None:
        """Those whose memories are not there yet come with the next pass."""
        with self.target.transaction() as connection:
            before = connection.total_changes()
            ids = [rows.id_text(row[2]) for row in page if row[2] is not None]
            held, buried = (numbers_of(self.target, connection, ids, table) for table in ("memories", "tombstones"))
            numbers = buried | held
            connection.executemany(
                "INSERT INTO journal VALUES(/*?,*/ ?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
                [(*row[:2], numbers[row[2]], *row[3:9]) for row in page if row[2] in numbers],
            )
            connection.executemany(
                "INSERT INTO revisions VALUES(/*?,*/ ?,?,?,?,?) ON CONFLICT DO NOTHING",
                [(*row[:2], held[row[2]], *row[9:]) for row in page if row[2] in held and row[9] is not None],
            )
            self.tally.written += connection.total_changes() - before

    def compare(self) -> None:
        """What happened is only ever added to, so both are equal where their sums are."""
        for table, columns, signs in _SUMS:
            sql = f"SELECT count(*), {', '.join(f'coalesce(sum({one}), 0)' for one in signs)} FROM {table} {columns}"
            told = []
            for store in (self.source, self.target):
                with store._engine.read() as connection:
                    told.append(tuple(map(int, connection.execute(sql, (store._shelves.space,)).get)))
            if told[0] != told[1]:
                raise StoreDamaged(
                    f"The {table} of {self.target.namespace!r} differ after they were copied: {told[0]} and {told[1]}. "
                    "The source is as it was; check both stores with: rem check"
                )
            self.tally.compared[table] = told[0][0]
            self.tally.hashes[table] = blake2b(repr(told[0]).encode(), digest_size=16)


def _items(store: SqlStore, ends: tuple[int, int]) -> dict[int, int]:
    """How many items the journal has of each receipt from one to another."""
    with store._engine.read() as connection:
        return dict(connection.execute(_ITEMS, ends))
