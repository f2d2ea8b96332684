"""Under which policy the memories of a namespace are dated, and what dates those that are written.

A store knows no rules: the dater it was given tells when one could next act. Where the namespace is dated under
another policy than the dater's, or there is no dater, what is written gets the date 0, "look at it at the next sweep":
that is never too late. A re-dating goes through the rows by number; `dated_to` says how far it has come.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from remanence.model.memory import Memory
from remanence.model.moment import to_micros
from remanence.store.protocol import Dater
from remanence.store.sql import rows
from remanence.store.sql.activity import Activity
from remanence.store.sql.connection import Connection, Engine, Transaction
from remanence.store.sql.shelves import Shelves

Wakes = Callable[[int, int], bool]
_FIND = "SELECT dated_under, dated_to FROM policies WHERE space=?"
_SET = (
    "INSERT INTO policies(space, dated_under, dated_to) VALUES(?,?,?) "
    "ON CONFLICT(space) DO UPDATE SET dated_under = excluded.dated_under, dated_to = excluded.dated_to"
)
_CHOOSE = (
    "INSERT INTO policies(space, chosen, chosen_at) VALUES(?,?,?) "
    "ON CONFLICT(space) DO UPDATE SET chosen = excluded.chosen, chosen_at = excluded.chosen_at"
)


class Dating:
    """The policy of one namespace. What was read in one transaction is used in the next, until `forget`."""

    def __init__(self, engine: Engine, shelves: Shelves, transaction: Transaction) -> None:
        self._engine = engine
        self._shelves = shelves
        self._transaction = transaction
        self.activity = Activity(engine, shelves, transaction)
        self._dater: Dater | None = None
        self._counts: tuple[int, ...] = ()
        self._fingerprint: str | None = None
        self._own: str | None = None
        self._known: tuple[str | None] | None = None

    def date_with(self, dater: Dater) -> None:
        """Date what is written with this, from now on."""
        self._counts = tuple(sorted(dater.counts))
        self._own = self._fingerprint = dater.fingerprint
        self._dater = dater

    def ready(self) -> None:
        """Memories are about to be dated, in a transaction."""
        if self._dater is not None:
            self._dater.ready()

    def forget(self) -> None:
        """Drop what was read: others wrote meanwhile, or it was written inside what was rolled back."""
        self._known = None
        self.activity.forget()

    def dater(self, connection: Connection) -> Callable[[Memory], int | None]:
        """What dates a live or superseded memory as it is written; called inside a transaction."""
        if self._known is None:
            self._known = (self._read(connection)[0],)
        (under,) = self._known
        if self._dater is None:
            return _at_once
        if under is None:
            under = self._fingerprint
            connection.execute(_SET, (self._shelves.space, under, None))
            self._known = (under,)
        return self._dater.due_at if under == self._fingerprint else _at_once

    def wakes(self, connection: Connection) -> Wakes:
        """Whether a memory whose count of accesses goes from one number to another must be looked at again.

        Dates made under a policy that this store does not know may hang on any count.
        """
        under, _ = self._read(connection)
        if not under:
            return lambda _, __: False
        if under != self._fingerprint:
            return lambda _, __: True
        if self._dater is not None and self._dater.every_access:
            return lambda _, __: True
        counts = self._counts
        return lambda before, after: any(before < count <= after for count in counts)

    def under(self) -> tuple[str | None, bool]:
        """The fingerprint that dates were made under, if any, and whether all of them were."""
        with self._engine.read() as connection:
            under, to = self._read(connection)
        return under or None, to is None

    def begin(self, fingerprint: str) -> None:
        """Date everything anew under this policy; where that has begun already, it goes on."""
        with self._transaction() as connection:
            self._shelves.enter(connection)
            if self._read(connection)[0] != fingerprint:
                connection.execute(_SET, (self._shelves.space, fingerprint, 0))
                self._known = (fingerprint,)
        self._own = fingerprint

    def reached(self, connection: Connection) -> int | None:
        """The last row that the re-dating has come to; None when it is complete, or is not this store's."""
        under, to = self._read(connection)
        return to if self._is_own(under) else None

    def is_own(self, connection: Connection) -> bool:
        """Whether the namespace is still dated under the policy that this store dates with."""
        return self._is_own(self._read(connection)[0])

    def move(self, connection: Connection, before: int | None, to: int | None) -> None:
        """Note how far the re-dating has come (None: to the end), unless it has moved on from where it was."""
        connection.execute(
            "UPDATE policies SET dated_to=? WHERE space=? AND dated_to=?", (to, self._shelves.space, before)
        )

    def left(self) -> int:
        """How many rows a re-dating has still before it."""
        with self._engine.read() as connection:
            _, to = self._read(connection)
            ahead = f"SELECT count(*) FROM lives WHERE space=? AND no > ? AND state IN {rows.DATED}"
            return 0 if to is None else int(connection.execute(ahead, (self._shelves.space, to)).get)

    def choose(self, text: str | None, at: datetime) -> None:
        with self._transaction() as connection:
            self._shelves.enter(connection)
            connection.execute(_CHOOSE, (self._shelves.space, text, to_micros(at)))

    def _is_own(self, under: str | None) -> bool:
        return self._own is None or under == self._own

    def _read(self, connection: Connection) -> tuple[str | None, int | None]:
        return connection.execute(_FIND, (self._shelves.space,)).get or (None, None)


def _at_once(_: Memory) -> int:
    return 0
