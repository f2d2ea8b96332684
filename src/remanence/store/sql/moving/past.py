"""What happened to memories: tombstones of what was purged, receipts, the journal, earlier images."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from remanence.errors import InvalidInput, StoreDamaged
from remanence.store.sql import rows
from remanence.store.sql.connection import Connection
from remanence.store.sql.moving.memories import BY_ID, SHELF_AT, TOKENS_AT, memory_of
from remanence.store.sql.moving.parts import PAGE, Part, listed_ids, numbers_of, pages_of
from remanence.store.sql.writing import Writer

_RECEIPTS = (
    "SELECT no, at, verb, note, undoes, schema FROM receipts WHERE space=? AND no <= ? AND no > ? ORDER BY no LIMIT ?"
)
_NEWEST = "SELECT coalesce(max(no), 0) FROM receipts WHERE space=?"
_ADD_RECEIPT = (
    "INSERT INTO receipts(space, no, at, verb, note, undoes, schema) VALUES(?,?,?,?,?,?,?) ON CONFLICT DO NOTHING"
)
_JOURNAL = (
    "SELECT j.receipt, j.item, coalesce(m.id, t.id), j.action, j.reason, j.evidence, j.state_before, j.state_after, "
    "j.effective_at, v.before, v.after FROM journal j "
    "LEFT JOIN memories m ON /*m.here*/ m.no = j.no LEFT JOIN tombstones t ON /*t.here*/ t.no = j.no "
    "LEFT JOIN revisions v ON /*v.here*/ v.receipt = j.receipt AND v.item = j.item "
    "JOIN receipts r ON r.no = j.receipt WHERE /*j.here*/ r.space=? AND j.receipt <= ? AND (j.receipt, j.item) > (?,?) "
    "ORDER BY j.receipt, j.item LIMIT ?"
)
_TOMBSTONES = "SELECT id, digest, purged_at, lifted_at FROM tombstones WHERE space=?"
_SUMS = (
    ("receipts", "r WHERE r.space=?", ("r.no", "r.at")),
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
        id, digest, purged_at, lifted_at = row
        space = self.target._shelves.space
        found = connection.execute(BY_ID, (space, listed_ids([id]))).get
        if found is not None:
            writer.displace(found[0], found[SHELF_AT], found[TOKENS_AT], memory_of(self.target, found))
        no = None if found is None else found[0]
        if connection.execute("SELECT no FROM tombstones WHERE space=? AND id=?", (space, id)).get is None:
            add = "INSERT INTO tombstones(no, space, id, digest, purged_at, lifted_at) VALUES(?,?,?,?,?,?)"
            number = self.target._shelves.next_row(connection) if no is None else no
            connection.execute(add, (number, space, id, digest, purged_at, lifted_at))
        else:
            connection.execute("UPDATE tombstones SET lifted_at=? WHERE space=? AND id=?", (lifted_at, space, id))
        self.target._engine.purged(connection)
        self.target._engine.destroyed(connection)

    def newest(self) -> int:
        """The number of the source's last receipt."""
        with self.source._engine.read() as connection:
            return int(connection.execute(_NEWEST, (self.source._shelves.space,)).get)

    def copy_journal(self, upto: int) -> None:
        """Write what was added to receipts and journal, up to one whose memories were copied after it was written."""
        source, target = self.source._shelves.space, self.target._shelves.space
        with self.target._engine.read() as connection:
            known = int(connection.execute(_NEWEST, (target,)).get)
            items = "SELECT coalesce(max(item), -1) FROM journal WHERE /*here*/ receipt=?"
            item = int(connection.execute(items, (known,)).get)
        for page in pages_of(self.source, _RECEIPTS, (source, upto), (known,), lambda row: (row[0],)):
            with self.target.transaction() as connection:
                self.target._shelves.enter(connection)
                target = self.target._shelves.space
                connection.executemany(_ADD_RECEIPT, [(target, *row) for row in page])
                mine = "SELECT count(*) FROM receipts WHERE space=? AND no BETWEEN ? AND ?"
                if connection.execute(mine, (target, page[0][0], page[-1][0])).get != len(page):
                    raise InvalidInput(
                        f"{self.target._engine.location} has receipts of other namespaces under the same numbers: "
                        "move into a store of its own"
                    )
            self.tally.written += len(page)
        for page in pages_of(self.source, _JOURNAL, (source, upto), (known, item), lambda row: row[:2]):
            with self.target.transaction() as connection:
                ids = [row[2] for row in page if row[2] is not None]
                numbers: dict[bytes, int] = {}
                for table in ("memories", "tombstones"):
                    numbers |= numbers_of(self.target, connection, [rows.id_text(id) for id in ids], table)
                told = [row for row in page if row[2] in numbers]
                connection.executemany(
                    "INSERT INTO journal VALUES(/*?,*/ ?,?,?,?,?,?,?,?,?)",
                    [(*row[:2], numbers[row[2]], *row[3:9]) for row in told],
                )
                connection.executemany(
                    "INSERT INTO revisions VALUES(/*?,*/ ?,?,?,?,?)",
                    [(*row[:2], numbers[row[2]], *row[9:]) for row in told if row[9] is not None],
                )
            self.tally.written += len(page)

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
