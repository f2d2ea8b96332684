"""Jobs that are wanted, or failed: a row each, until they are done.

Who may do a job is said by its lease, which is verified in the same transaction as what is written here. A job that is
wanted again while it is done stays; one that failed for the last time is dead, and listed, until it is wanted anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from remanence.model.lease import Lease
from remanence.model.moment import from_micros, to_micros
from remanence.model.session import Task
from remanence.store.sql.connection import Engine, Transaction
from remanence.store.sql.leases import Leases
from remanence.store.sql.shelves import Shelves

LONGEST_WHY = 300
_COLUMNS = "name, wanted_at, tries, failed_at, again_at, why, dead"
_WANT = (
    "INSERT INTO tasks(space, name, wanted_at, tries, why, dead) VALUES(?,?,?,0,'',0) "
    "ON CONFLICT(space, name) DO UPDATE SET wanted_at = max(coalesce(tasks.wanted_at, "
    "excluded.wanted_at), excluded.wanted_at), tries = CASE WHEN tasks.dead = 1 THEN 0 ELSE tasks.tries END, "
    "failed_at = CASE WHEN tasks.dead = 0 THEN tasks.failed_at END, "
    "again_at = CASE WHEN tasks.dead = 0 THEN tasks.again_at END, "
    "why = CASE WHEN tasks.dead = 1 THEN '' ELSE tasks.why END, dead = 0"
)
_LIST = f"SELECT {_COLUMNS} FROM tasks WHERE space=?1 AND substr(name, 1, length(?2)) = ?2 ORDER BY name"
_DONE = "DELETE FROM tasks WHERE space=? AND name=? AND (wanted_at IS NULL OR wanted_at <= ?)"
_WANTED_AGAIN = (
    "UPDATE tasks SET tries = 0, failed_at = NULL, again_at = NULL, why = '', dead = 0 WHERE space=? AND name=?"
)
_FAILED = (
    "INSERT INTO tasks(space, name, tries, failed_at, again_at, why, dead) VALUES(?,?,1,?,?,?,?) "
    "ON CONFLICT(space, name) DO UPDATE SET tries = tasks.tries + 1, failed_at = excluded.failed_at, "
    f"again_at = excluded.again_at, why = excluded.why, dead = excluded.dead RETURNING {_COLUMNS}"
)


class SqlQueue:
    """The jobs of one namespace."""

    def __init__(
        self,
        engine: Engine,
        shelves: Shelves,
        leases: Leases,
        transaction: Transaction,
    ) -> None:
        self._engine = engine
        self._shelves = shelves
        self._leases = leases
        self._transaction = transaction

    def want(self, name: str, at: datetime) -> None:
        """Have a job done; one that was given up is tried anew."""
        with self._transaction() as connection:
            self._shelves.enter(connection)
            connection.execute(_WANT, (self._shelves.space, name, to_micros(at)))
            self._engine.wanted()

    def tasks(self, prefix: str = "") -> list[Task]:
        """The jobs whose names begin so, by name."""
        with self._engine.read() as connection:
            found = connection.execute(_LIST, (self._shelves.space, prefix)).fetchall()
        return [_task(row) for row in found]

    def done(self, lease: Lease, *, wanted_before: datetime) -> None:
        """Take a job off, unless it was wanted after that moment: then it is as if wanted for the first time."""
        with self._transaction() as connection:
            self._leases.verify(connection, lease)
            connection.execute(_DONE, (self._shelves.space, lease.name, to_micros(wanted_before)))
            connection.execute(_WANTED_AGAIN, (self._shelves.space, lease.name))

    def failed(self, lease: Lease, at: datetime, why: str, again_at: datetime | None) -> Task:
        """Note that a try failed and when the next one is due; without a next one the job is dead."""
        again = None if again_at is None else to_micros(again_at)
        with self._transaction() as connection:
            self._leases.verify(connection, lease)
            values = (self._shelves.space, lease.name, to_micros(at), again, why[:LONGEST_WHY], int(again is None))
            return _task(connection.execute(_FAILED, values).get)

    def drop(self, names: Iterable[str]) -> None:
        """Take jobs off, done or not."""
        with self._transaction() as connection:
            for name in names:
                connection.execute("DELETE FROM tasks WHERE space=? AND name=?", (self._shelves.space, name))


def _task(row: tuple[Any, ...]) -> Task:
    name, wanted_at, tries, failed_at, again_at, why, dead = row
    wanted, failed, again = (None if at is None else from_micros(at) for at in (wanted_at, failed_at, again_at))
    return Task(name=name, wanted_at=wanted, tries=tries, failed_at=failed, again_at=again, why=why, dead=bool(dead))
