"""What is small: keys, policies, jobs, spending, what was recalled lately."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from remanence.store.sql import rows
from remanence.store.sql.connection import Connection
from remanence.store.sql.moving.parts import Part, all_of, numbers_of
from remanence.store.sql.store import SqlStore

# Dates that are not all made yet are made from the first row on: numbers of rows are a store's own.
_DATED = "CASE WHEN dated_to IS NULL THEN dated_under ELSE '' END, CASE WHEN dated_to IS NOT NULL THEN 0 END"
_WHOLE = {
    "policies": "chosen, chosen_at, active_days, dated_day, late_days, missed, dated_under, dated_to",
    "activity": "day",
    "leases": "name, token, finished_at",
    "tasks": "name, wanted_at, tries, failed_at, again_at, why, dead",
    "intakes": "source, upto, at",
    "erased": "session, at, first, last",
    "spending": "day, model, calls, failed, tokens_in, tokens_out",
}


class Rest(Part):
    """The rest of a namespace."""

    def copy(self) -> None:
        """Write what differs, a table at a time."""
        self._keys()
        for table, columns in _WHOLE.items():
            self._whole(table, columns)
        self._recalls()

    def _keys(self) -> None:
        sql = "SELECT k.key, m.id FROM keys k JOIN memories m ON /*m.here*/ m.no = k.no WHERE k.space=?"
        wanted, had = (all_of(store, sql) for store in (self.source, self.target))
        for row in sorted(wanted):
            self.tally.compare("keys", row)
        if wanted == had:
            return
        with self.target.transaction() as connection:
            connection.execute("DELETE FROM keys WHERE space=?", (self.target._shelves.space,))
            for key, id in wanted:
                self.target._links.claim_key(connection, key, rows.id_text(id))
        self.tally.written += len(wanted ^ had)

    def _whole(self, table: str, columns: str) -> None:
        told = columns.replace("dated_under, dated_to", _DATED)
        sql = f"SELECT {told} FROM {table} WHERE space=?"
        wanted, had = (all_of(store, sql) for store in (self.source, self.target))
        for row in sorted(wanted, key=repr):
            self.tally.compare(table, row)
        if wanted == had:
            return
        with self.target.transaction() as connection:
            self.target._shelves.enter(connection)
            space = self.target._shelves.space
            connection.execute(f"DELETE FROM {table} WHERE space=?", (space,))
            marks = ",".join("?" * (1 + len(columns.split(","))))
            add = f"INSERT INTO {table}(space, {columns}) VALUES({marks})"
            connection.executemany(add, [(space, *row) for row in wanted])
            if table == "erased":
                self.target._engine.purged(connection)
                self.target._engine.destroyed(connection)
                self.tally.is_purged = True
        self.tally.written += len(wanted ^ had)

    def _recalls(self) -> None:
        """What was asked lately, with what was found; and what was missed."""
        asked = "SELECT no, at, query FROM recalls WHERE space=? ORDER BY no"
        with self.source._engine.read() as connection:
            wanted = connection.execute(asked, (self.source._shelves.space,)).fetchall()
            found = self._found(self.source, connection, wanted)
            missed = self._missed(self.source, connection)
        with self.target._engine.read() as connection:
            had = connection.execute(asked, (self.target._shelves.space,)).fetchall()
            same = [row[1:] for row in had] == [row[1:] for row in wanted]
            same = same and self._found(self.target, connection, had) == found
            same = same and self._missed(self.target, connection) == missed
        for row in wanted:
            self.tally.compare("recalls", row[1:])
        if same:
            return
        with self.target.transaction() as connection:
            self.target._shelves.enter(connection)
            space = self.target._shelves.space
            own = "SELECT no FROM recalls WHERE space=?"
            connection.execute(f"DELETE FROM recalled WHERE /*here*/ recall IN ({own})", (space,))
            for table in ("recalls", "regrets"):
                connection.execute(f"DELETE FROM {table} WHERE space=?", (space,))
            ids = {rows.id_text(id) for hits in found for id, _ in hits} | {rows.id_text(id) for id in missed}
            numbers = numbers_of(self.target, connection, list(ids), "memories")
            for (_, at, query), hits in zip(wanted, found, strict=True):
                add = "INSERT INTO recalls(space, at, query) VALUES(?,?,?) RETURNING no"
                recall = connection.execute(add, (space, at, query)).get
                connection.executemany(
                    "INSERT INTO recalled VALUES(/*?,*/ ?,?,?)",
                    [(numbers[id], recall, place) for id, place in hits if id in numbers],
                )
            connection.executemany(
                "INSERT INTO regrets(no, space, times, last_at) VALUES(?,?,?,?)",
                [(numbers[id], space, *times) for id, times in missed.items() if id in numbers],
            )
        self.tally.written += len(wanted)

    @staticmethod
    def _found(
        store: SqlStore, connection: Connection, recalls: Sequence[tuple[Any, ...]]
    ) -> list[list[tuple[Any, ...]]]:
        sql = (
            "SELECT m.id, h.place FROM recalled h JOIN memories m ON /*m.here*/ m.no = h.memory "
            "WHERE /*h.here*/ h.recall=? ORDER BY h.place"
        )
        return [connection.execute(sql, (no,)).fetchall() for no, *_ in recalls]

    @staticmethod
    def _missed(store: SqlStore, connection: Connection) -> dict[bytes, tuple[int, int]]:
        sql = "SELECT m.id, g.times, g.last_at FROM regrets g JOIN memories m ON /*m.here*/ m.no = g.no WHERE g.space=?"
        return {id: (times, last) for id, times, last in connection.execute(sql, (store._shelves.space,))}
