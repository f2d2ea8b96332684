"""Captured sessions, with what was observed in them."""

from __future__ import annotations

from typing import Any

from remanence.store.sql.connection import Connection
from remanence.store.sql.moving.parts import PAGE, Part, all_of, summable
from remanence.store.sql.observations import LAST, SEQ_BITS, first_place, last_place
from remanence.store.sql.store import SqlStore

_SESSION = (
    "id, project, agent, started_at, last_at, ended_at, observations, processed_to, processed_at, summary, transcript, "
    "oldest_at"
)
_OBSERVED = (
    f"SELECT place & {LAST}, at, role, failed, tool, call, text FROM observations "
    "WHERE /*here*/ place > ? AND place <= ? ORDER BY place LIMIT ?"
)


class Captured(Part):
    """The sessions of a namespace."""

    def copy(self) -> None:
        """Write sessions anew that differ, whole."""
        sql = f"SELECT no, {_SESSION} FROM sessions WHERE space=?"
        wanted, had = ({row[1]: row for row in all_of(store, sql)} for store in (self.source, self.target))
        for id in sorted(wanted):
            self.tally.compare("sessions", wanted[id][1:])
            signs = [self._signature(self.source, wanted[id][0])]
            self.tally.compare("observations", (id, *signs))
            if id in had:
                signs.append(self._signature(self.target, had[id][0]))
            if id not in had or had[id][1:] != wanted[id][1:] or signs[0] != signs[1]:
                self._session(wanted[id], had.get(id))
        with self.target.transaction() as connection:
            for id in had.keys() - wanted.keys():
                self._drop_session(connection, had[id][0])

    @staticmethod
    def _signature(store: SqlStore, no: int) -> tuple[Any, ...]:
        """What tells whether two sessions hold the same observations, keys and tellings."""
        signs = (f"place & {LAST}", *summable("at"), "length(text)")
        seen = (
            f"SELECT count(*), {', '.join(f'coalesce(sum({one}), 0)' for one in signs)} "
            "FROM observations WHERE /*here*/ place > ? AND place <= ?"
        )
        with store._engine.read() as connection:
            found = tuple(connection.execute(seen, (first_place(no), last_place(no))).get)
            for table in ("observation_keys", "tellings"):
                counted = f"SELECT count(*), coalesce(sum(seq), 0) FROM {table} WHERE /*here*/ session=?"
                found += tuple(connection.execute(counted, (no,)).get)
        return tuple(int(number) for number in found)

    def _drop_session(self, connection: Connection, no: int) -> None:
        connection.execute(
            "DELETE FROM observations WHERE /*here*/ place > ? AND place <= ?", (first_place(no), last_place(no))
        )
        for table in ("observation_keys", "tellings"):
            connection.execute(f"DELETE FROM {table} WHERE /*here*/ session=?", (no,))
        connection.execute("DELETE FROM sessions WHERE /*here*/ no=?", (no,))

    def _session(self, row: tuple[Any, ...], had: tuple[Any, ...] | None) -> None:
        with self.target.transaction() as connection:
            self.target._shelves.enter(connection)
            if had is not None:
                self._drop_session(connection, had[0])
            marks = ",".join("?" * (len(row) - 1))
            add = f"INSERT INTO sessions(space, {_SESSION}) VALUES(?,{marks}) RETURNING no"
            no = connection.execute(add, (self.target._shelves.space, *row[1:])).get
            begin, end = (row[0],), (last_place(row[0]),)
            seq = 0
            while True:
                with self.source._engine.read() as read:
                    page = read.execute(_OBSERVED, (first_place(begin[0]) + seq, *end, PAGE)).fetchall()
                if not page:
                    break
                connection.executemany(
                    "INSERT INTO observations VALUES(/*?,*/ ?,?,?,?,?,?,?)",
                    [((no << SEQ_BITS) + one[0], *one[1:]) for one in page],
                )
                seq = page[-1][0]
            for table, columns in (("observation_keys", "key, seq"), ("tellings", "digest, seq, via")):
                with self.source._engine.read() as read:
                    told = read.execute(f"SELECT {columns} FROM {table} WHERE /*here*/ session=?", begin).fetchall()
                marks = ",".join("?" * (1 + len(columns.split(","))))
                connection.executemany(f"INSERT INTO {table} VALUES(/*?,*/ {marks})", [(no, *one) for one in told])
        self.tally.written += 1
