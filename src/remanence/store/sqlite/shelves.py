"""Numbers for what many rows share: the namespace (a space) and each scope and kind in it (a shelf)."""

from __future__ import annotations

import apsw

from remanence.store.sqlite.engine import Engine


class Shelves:
    """The shelves of one namespace; numbers are kept once known, since rows keep theirs for life."""

    def __init__(self, engine: Engine, namespace: str) -> None:
        self._engine = engine
        self._namespace = namespace
        self._space: int | None = None
        self._known: dict[tuple[str, str], int] = {}
        self._sure: set[int] = set()

    @property
    def space(self) -> int:
        """The namespace's number; -1, which no row has, until something is written to it."""
        if self._space is None:
            with self._engine.read() as connection:
                self._space = connection.execute("SELECT no FROM spaces WHERE name=?", (self._namespace,)).get
        return -1 if self._space is None else self._space

    def enter(self, connection: apsw.Connection) -> None:
        """Give the namespace its number; called inside a transaction."""
        if self._space is None:
            connection.execute("INSERT INTO spaces(name) VALUES(?) ON CONFLICT DO NOTHING", (self._namespace,))
            self._space = connection.execute("SELECT no FROM spaces WHERE name=?", (self._namespace,)).get

    def number(self, scope: str, kind: str) -> int:
        """The shelf of this scope and kind, made when it is new; called inside a transaction."""
        known = self.find(scope, kind)
        if known is None:
            with self._engine.write() as connection:
                connection.execute("INSERT INTO shelves(space, scope, kind) VALUES(?,?,?)", (self.space, scope, kind))
                known = self._known[scope, kind] = connection.last_insert_rowid()
        return known

    def find(self, scope: str, kind: str) -> int | None:
        """The shelf of this scope and kind, if there is one; a purge takes away shelves that hold nothing."""
        known = self._known.get((scope, kind))
        if known in self._sure and self._engine.in_transaction:
            return known
        with self._engine.read() as connection:
            if known is not None:
                row = connection.execute("SELECT space, scope, kind FROM shelves WHERE no=?", (known,)).get
                if row == (self.space, scope, kind):
                    self._sure.add(known)
                    return known
            find = "SELECT no FROM shelves WHERE space=? AND scope=? AND kind=?"
            known = connection.execute(find, (self.space, scope, kind)).get
        if known is not None:
            self._known[scope, kind] = known
        return known

    def begin(self) -> None:
        """A new transaction: what was sure in the last one may be gone."""
        self._sure.clear()

    def forget_unsaved(self) -> None:
        """Drop remembered numbers after a rollback: they may have been given inside it."""
        self._space = None
        self._known.clear()
        self._sure.clear()
