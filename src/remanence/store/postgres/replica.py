"""A copy of the database, which recalls are read from while it has all that this process wrote."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from remanence import errors
from remanence.model.report import Finding
from remanence.store.postgres import faults, statements
from remanence.store.postgres.connection import Connection, Raw
from remanence.store.postgres.pool import Address, Limits, Pool, join, leave, place_of

_LEFT_ALONE_SECONDS = 30.0
_BEHIND = "SELECT pg_is_in_recovery(), pg_wal_lsn_diff(%s::pg_lsn, pg_last_wal_replay_lsn())::bigint"


class _Behind(Exception):
    """It lacks what this process wrote."""


class Replica:
    """The connections to it; it need not be there when a store is opened."""

    def __init__(self, address: Address, limits: Limits, of: Pool) -> None:
        self.pool = join(address, limits, tried=False)
        self._of = of
        self._is_a_copy = False
        self._written: str | None = "0/0"
        self._asked_from = 0.0

    def note(self, connection: Connection) -> None:
        """How far it must have come to be read from; None, and so never, where the connection is lost."""
        self._written = None
        with suppress(*faults.EVERY):
            self._written = connection.execute("SELECT pg_current_wal_insert_lsn()::text").get

    def begun(self, begin: Callable[[Connection], None]) -> Connection | None:
        """A connection on which this was begun; None where it is behind, or could not be read from some seconds ago."""
        if self._written is None or time.monotonic() < self._asked_from:
            return None

        def begun(connection: Connection) -> None:
            if not connection.execute(statements.REPLAYED, (self._written,)).get:
                raise _Behind
            begin(connection)

        try:
            if not self._is_a_copy:
                self._look()
            return self.pool.begun(begun, patient=False)
        except _Behind:
            return None
        except errors.InvalidInput:
            raise
        except (errors.RemanenceError, *faults.EVERY):
            self.leave()
            return None

    def _look(self) -> None:
        """Refuse a database of its own, whose memories are others."""
        with self.pool.borrowed(patient=False) as raw:
            place = place_of(raw)
        with self._of.borrowed() as raw:
            is_copy = place_of(raw) == place
        if not is_copy:
            raise errors.InvalidInput(
                f"postgres.replica: {self.pool.address} is no replica of {self._of.address}. Give the address of one "
                "that streams from it, or none"
            )
        self._is_a_copy = True

    def leave(self) -> None:
        """Do without it for some seconds."""
        self._asked_from = time.monotonic() + _LEFT_ALONE_SECONDS

    def close(self) -> None:
        leave(self.pool)


def look_at(address: Address, limits: Limits, of: Raw) -> Finding:
    """Whether a replica answers, is one of the database at this connection, and how far it has come."""
    pool = join(address, limits, tried=False)
    try:
        pool.try_it()
        with pool.alone() as raw:
            if place_of(raw) != place_of(of):
                return Finding("replica", False, f"{address} is no copy of this store", "set postgres.replica right")
            row = raw.execute(_BEHIND, of.execute("SELECT pg_current_wal_lsn()").fetchone()).fetchone()
    except errors.RemanenceError as away:
        return Finding("replica", False, str(away), "recalls go to the server that writes, as long as it is away")
    finally:
        leave(pool)
    copies, behind = row or (False, None)
    detail = f"{address} is {max(behind or 0, 0):,} bytes behind" if copies else f"{address} is the server that writes"
    return Finding("replica", True, detail, "")
