"""Numbers: for a memory's rows, and for what many rows share, the namespace (a space) and each scope and kind in it
(a shelf). What was read inside one transaction is used in the next, until `forget`.

Numbers of memories go up, and no two namespaces share one: where they are not counted for the whole file, those of a
namespace begin at its number times 2^40.
"""

from __future__ import annotations

from remanence.store.sql.connection import Connection, Engine

_FIND = "SELECT no FROM spaces WHERE name=?"
_LAST_ROW = (
    "SELECT max(coalesce((SELECT max(m.no) FROM memories m WHERE /*m.here*/ m.no > 0), 0), "
    "coalesce((SELECT max(t.no) FROM tombstones t WHERE /*t.here*/ t.no > 0), 0))"
)
NUMBER_BITS = 40


class Shelves:
    """The shelves of one namespace."""

    def __init__(self, engine: Engine, namespace: str, *, own_numbers: bool = False) -> None:
        self._engine = engine
        self._own_numbers = own_numbers
        self._namespace = namespace
        self._space: int | None = None
        self._known: dict[tuple[str, str], int] = {}
        self._last_row: int | None = None

    @property
    def space(self) -> int:
        """The namespace's number; -1, which no row has, until something is written to it."""
        if self._space is None:
            with self._engine.read() as connection:
                self._space = connection.execute(_FIND, (self._namespace,)).get
        return -1 if self._space is None else self._space

    @property
    def before_first(self) -> int:
        """The number before that of the first memory."""
        return self.space << NUMBER_BITS if self._own_numbers else 0

    def enter(self, connection: Connection) -> None:
        """Give the namespace its number; called inside a transaction."""
        if self._space is None:
            self._space = connection.execute(_FIND, (self._namespace,)).get
        if self._space is None:
            connection.execute("INSERT INTO spaces(name) VALUES(?) ON CONFLICT DO NOTHING", (self._namespace,))
            self._space = connection.execute(_FIND, (self._namespace,)).get

    def number(self, scope: str, kind: str) -> int:
        """The shelf of this scope and kind, made when it is new; called inside a transaction."""
        known = self.find(scope, kind)
        if known is None:
            with self._engine.write() as connection:
                add = "INSERT INTO shelves(space, scope, kind) VALUES(?,?,?) RETURNING no"
                known = self._known[scope, kind] = connection.execute(add, (self.space, scope, kind)).get
        return known

    def find(self, scope: str, kind: str) -> int | None:
        """The shelf of this scope and kind, if there is one; a purge takes away shelves that hold nothing."""
        within = self._engine.in_transaction
        if within and (scope, kind) in self._known:
            return self._known[scope, kind]
        find = "SELECT no FROM shelves WHERE space=? AND scope=? AND kind=?"
        with self._engine.read() as connection:
            found: int | None = connection.execute(find, (self.space, scope, kind)).get
        if within and found is not None:
            self._known[scope, kind] = found
        return found

    def next_row(self, connection: Connection) -> int:
        """The number of the next memory; called inside a transaction."""
        if self._last_row is None:
            self._last_row = max(int(connection.execute(_LAST_ROW).get), self.before_first)
        self._last_row += 1
        return self._last_row

    def give_back(self, no: int) -> None:
        """The number that was given last was not needed."""
        self._last_row = no - 1

    def forget(self) -> None:
        """Drop the numbers that were read: others wrote meanwhile, or they were given inside what was rolled back."""
        self._space = None
        self._known.clear()
        self._last_row = None
