"""Leases: who may do a named job alone, until when, and how a successor is told from who was there before.

Whoever claims a job that is free, was finished, or whose holder has ended or not beaten in time gets the next token. A
token is never given twice, so a holder that was frozen past its time, and replaced, is refused by its token whatever
the clock says. A holder whose time is up but whom nobody replaced may go on. Where the clock was set back so far that a
lease would last for more than ten times its span, it may be taken over at once.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from remanence.errors import LeaseLost
from remanence.model.lease import Job, Lease
from remanence.model.moment import from_micros, later, to_micros
from remanence.store.holder import is_gone
from remanence.store.sql.connection import Connection, Engine, Transaction
from remanence.store.sql.shelves import Shelves

_MOST_SPANS = 10
_FIND = "SELECT holder, token, until, span, finished_at FROM leases WHERE space=? AND name=?"
_TAKE = (
    "INSERT INTO leases(space, name, holder, token, until, span) "
    "VALUES(?1,?2,?3,1 + coalesce((SELECT value FROM meta WHERE /*here*/ name='lease_floor'), 0),?4,?5) "
    "ON CONFLICT(space, name) DO UPDATE SET holder = excluded.holder, token = leases.token + 1, "
    "until = excluded.until, span = excluded.span RETURNING token"
)
_BEAT = "UPDATE leases SET until=?, span=? WHERE space=? AND name=?"
_FINISH = "UPDATE leases SET holder=NULL, until=NULL, span=NULL, finished_at=? WHERE space=? AND name=?"
_TAKE_BACK = (
    "UPDATE leases SET holder=NULL, until=NULL, span=NULL, token=token+1 "
    "WHERE space=?1 AND name >= ?2 AND substr(name, 1, length(?2)) = ?2 AND holder IS NOT NULL"
)


class Leases:
    """The leases of one namespace."""

    def __init__(self, engine: Engine, shelves: Shelves, transaction: Transaction) -> None:
        self._engine = engine
        self._shelves = shelves
        self._transaction = transaction

    def claim(self, name: str, holder: str, at: datetime, seconds: float) -> Lease | None:
        """The job, for so many seconds; None while it is held, be it by the same holder."""
        until = _until(at, seconds)
        with self._transaction() as connection:
            self._shelves.enter(connection)
            if not _is_free(self._row(connection, name), to_micros(at)):
                return None
            span = to_micros(until) - to_micros(at)
            values = (self._shelves.space, name, holder, to_micros(until), span)
            token = int(connection.execute(_TAKE, values).get)
        return Lease(name=name, holder=holder, token=token, until=until)

    def beat(self, lease: Lease, at: datetime, seconds: float) -> Lease:
        """Hold the job for so many seconds from now; LeaseLost when another has it."""
        until = _until(at, seconds)
        with self._transaction() as connection:
            self.verify(connection, lease)
            span = to_micros(until) - to_micros(at)
            connection.execute(_BEAT, (to_micros(until), span, self._shelves.space, lease.name))
        return Lease(name=lease.name, holder=lease.holder, token=lease.token, until=until)

    def finish(self, lease: Lease, at: datetime) -> None:
        """The job is done, and free; LeaseLost when another has it."""
        with self._transaction() as connection:
            self.verify(connection, lease)
            connection.execute(_FINISH, (to_micros(at), self._shelves.space, lease.name))

    def verify(self, connection: Connection, lease: Lease) -> None:
        """LeaseLost unless this is the lease in force; called inside the transaction that it is to guard."""
        holder, token, *_ = self._row(connection, lease.name) or (None, 0)
        if token == lease.token and holder == lease.holder:
            return
        if holder is not None and token >= lease.token:
            why = f"it took longer than its lease, and {holder} took over since"
        elif token > lease.token:
            why = "another process took over and did it since, or what it reads was purged"
        elif token == lease.token:
            why = "it was finished already"
        else:
            why = "this store knows nothing of it"
        raise LeaseLost(
            f"The job {lease.name!r} is no longer held by {lease.holder}: {why}. Nothing more was written; "
            "what is left to do is done by the next run"
        )

    def take_back(self, connection: Connection, *beginnings: str) -> None:
        """Whoever holds a job whose name begins so can write no more; inside a transaction."""
        for beginning in beginnings:
            connection.execute(_TAKE_BACK, (self._shelves.space, beginning))

    def job(self, name: str) -> Job:
        """What is known of a job."""
        with self._engine.read() as connection:
            found = self._row(connection, name)
        if found is None:
            return Job(name=name)
        holder, token, until, _, finished_at = found
        return Job(
            name=name,
            holder=holder,
            token=token,
            until=None if until is None else from_micros(until),
            finished_at=None if finished_at is None else from_micros(finished_at),
        )

    def _row(self, connection: Connection, name: str) -> tuple[Any, ...] | None:
        found: tuple[Any, ...] | None = connection.execute(_FIND, (self._shelves.space, name)).get
        return found


def _is_free(row: tuple[Any, ...] | None, at: int) -> bool:
    if row is None or row[0] is None:
        return True
    holder, _, until, span, _ = row
    return bool(at >= until or at < until - _MOST_SPANS * span) or is_gone(holder)


def _until(at: datetime, seconds: float) -> datetime:
    return later(at, timedelta(seconds=seconds))
