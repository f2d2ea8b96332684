"""Tombstones: what was purged leaves its number, its id, and a keyed digest of its text, by which the same text is
refused later.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from remanence.model.memory import Memory
from remanence.model.words import folded
from remanence.store.sql import rows
from remanence.store.sql.connection import Connection, Engine


class Tombs:
    """The tombstones of one namespace."""

    def __init__(self, engine: Engine, namespace: str, space: int, key: bytes) -> None:
        self._engine = engine
        self._namespace = namespace.encode()
        self.space = space
        self._key = key
        self._none: bool | None = None

    def digest(self, text: str) -> bytes:
        """A keyed digest: equal for equal folded texts of a namespace, telling nothing to who lacks the key."""
        return blake2b(self._namespace + b"\0" + folded(text).encode(), key=self._key, digest_size=16).digest()

    def bury(self, connection: Connection, no: int, memory: Memory, at: int) -> None:
        connection.execute(
            "INSERT INTO tombstones(no, space, id, digest, purged_at) VALUES(?,?,?,?,?)",
            (no, self.space, rows.id_bytes(memory.id), self.digest(memory.text), at),
        )
        self._none = False
        self._engine.purged(connection)
        self._engine.destroyed(connection)

    def blocked(self, connection: Connection, texts: Iterable[str]) -> set[str]:
        """Those of the texts that were purged here and not lifted since."""
        if self._none is None:
            self._none = connection.execute("SELECT 1 FROM tombstones t WHERE /*t.here*/ t.no <> 0 LIMIT 1").get is None
        if self._none:
            return set()
        find = "SELECT 1 FROM tombstones WHERE digest=? AND space=? AND lifted_at IS NULL LIMIT 1"
        return {text for text in texts if connection.execute(find, (self.digest(text), self.space)).get}

    def lift(self, connection: Connection, texts: Iterable[str], at: int) -> None:
        """Allow these texts to be learned again."""
        self._engine.purged(connection)
        for text in texts:
            connection.execute(
                "UPDATE tombstones SET lifted_at=? WHERE digest=? AND space=? AND lifted_at IS NULL",
                (at, self.digest(text), self.space),
            )
