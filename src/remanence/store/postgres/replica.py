"""A copy of the database, which recalls are read from while it has all that this process wrote."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from remanence import errors
from remanence.store.postgres import faults, statements
from remanence.store.postgres.connection import Connection
from remanence.store.postgres.pool import Address, Limits, join, leave

_LEFT_ALONE_SECONDS = 30.0


class _Behind(Exception):
    """It lacks what this process wrote."""


class Replica:
    """The connections to it; it need not be there when a store is opened."""

    def __init__(self, address: Address, limits: Limits) -> None:
        self.pool = join(address, limits, tried=False)
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
            return self.pool.begun(begun, patient=False)
        except _Behind:
            return None
        except (errors.RemanenceError, *faults.EVERY):
            self.leave()
            return None

    def leave(self) -> None:
        """Do without it for some seconds."""
        self._asked_from = time.monotonic() + _LEFT_ALONE_SECONDS

    def close(self) -> None:
        leave(self.pool)
