"""A copy that was begun and not ended: it may be read, and whoever writes to it is told so.

The target is marked in the transaction that finds nothing in it which the source lacks, and the mark goes in the one
that ends the move. It stands where an engine looks anyway before a write: in `meta` of a file, in the namespace's row
of `turns` of a database. A move that begins anew takes the mark over, and the one before it can write no more. What is
counted of recalls is written all the same, and written over by the move.
"""

from __future__ import annotations

import secrets

from remanence.errors import Conflict, StoreUnavailable
from remanence.store.sql.connection import Connection

_PREFIX = "unfinished:"
_FIRST = f"SELECT name FROM meta WHERE name > '{_PREFIX}' AND name < 'unfinished;' LIMIT 1"
_ERA_BITS = 50
_UNFINISHED = 1 << 62
_ADD_TO_TURNS = (
    f"UPDATE turns SET writes = CASE WHEN writes < 0 THEN writes + {1 << _ERA_BITS} ELSE writes - {_UNFINISHED} END "
    "WHERE /*here*/ true RETURNING writes"
)
_TAKE_FROM_TURNS = f"UPDATE turns SET writes = writes & {(1 << _ERA_BITS) - 1} WHERE /*here*/ writes < 0"


class InMeta:
    """The marks of a file, a row each, for all its namespaces: its receipts have one row of numbers."""

    def __init__(self, location: str) -> None:
        self._location = location
        self._own: tuple[str, int] | None = None
        self._seen: int | None = None

    def set(self, connection: Connection, namespace: str) -> None:
        self._own = (_PREFIX + namespace, secrets.randbits(62))
        self._seen = None
        connection.execute("INSERT OR REPLACE INTO meta VALUES(?,?)", self._own)

    def take_off(self, connection: Connection) -> None:
        if self._own is not None:
            connection.execute("DELETE FROM meta WHERE name=?", self._own[:1])
            self._own = self._seen = None

    def look(self, connection: Connection, version: int) -> None:
        """Refuse who may not write; only others' commits, by which the version changes, can have changed that."""
        if version == self._seen:
            return
        if self._own is None:
            if (found := connection.execute(_FIRST).get) is not None:
                raise _unfinished(found.removeprefix(_PREFIX), self._location)
        elif connection.execute("SELECT value FROM meta WHERE name=?", self._own[:1]).get != self._own[1]:
            raise _taken_over(self._own[0].removeprefix(_PREFIX), self._location)
        self._seen = version


class InTurns:
    """The mark of one namespace of a database: its writes are counted below zero, from a number that tells the move."""

    def __init__(self, namespace: str, location: str) -> None:
        self._namespace = namespace
        self._location = location
        self._era: int | None = None

    def set(self, connection: Connection) -> None:
        self._era = connection.execute(_ADD_TO_TURNS).get >> _ERA_BITS

    def take_off(self, connection: Connection) -> None:
        connection.execute(_TAKE_FROM_TURNS)
        self._era = None

    def look(self, writes: int) -> None:
        """Refuse who may not write, by the number of the turn."""
        if self._era is None:
            if writes < 0:
                raise _unfinished(self._namespace, self._location)
        elif writes >> _ERA_BITS != self._era:
            raise _taken_over(self._namespace, self._location)


def _unfinished(namespace: str, location: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"{location} holds an unfinished copy of the namespace {namespace!r}: it may be read, and nothing was written. "
        "Finish it first, run again: rem migrate --from STORE --to STORE"
    )


def _taken_over(namespace: str, location: str) -> Conflict:
    return Conflict(
        f"Another rem migrate copies the namespace {namespace!r} into {location}, or has done so; this one wrote no "
        "more. Let that one end"
    )
