"""Writing vectors: each in the precision its retention earns, with its model and a hash, in its memory's transaction.

A memory without a vector waits for one. Which meanings changed after they were first written stands in `meaning_news`,
so that a process which holds them in memory can follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import apsw

from remanence.store.protocol import Embedded
from remanence.store.sqlite import rows
from remanence.store.sqlite.engine import Engine
from remanence.store.sqlite.shelves import Shelves

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PART = 768
FINEST, COARSEST = 32, 2
EMBED, JUDGE = 1, 2
"""What a memory waits for: a vector, or a vector and then its surprise."""
_NEWS_KEPT = 50_000
_ADD = (
    "INSERT INTO meanings(space, no, shelf, state, waits, model, bits, signs, hash, fades_at) "
    "VALUES(?,?,?,?,?,?,?,?,?,?)"
)
_SET = "UPDATE meanings SET waits=?, model=?, bits=?, signs=?, hash=?, fades_at=? WHERE space=? AND no=?"
_RECODED = "UPDATE meanings SET bits=?, hash=? WHERE space=? AND no=?"
_NEWS = "INSERT INTO meaning_news(space, no) VALUES(?,?)"


def hash_of(no: int, model: int, bits: int, code: bytes) -> bytes:
    """Eight bytes over a vector as it is kept."""
    return blake2b(b"%d %d %d " % (no, model, bits) + code, digest_size=8).digest()


class Vectors:
    """The vectors of one namespace, written inside a transaction."""

    def __init__(self, engine: Engine, shelves: Shelves) -> None:
        self._engine = engine
        self._shelves = shelves
        self._generation = engine.generation
        self._models: dict[tuple[str, int], int] = {}

    def forget(self) -> None:
        """Drop the numbers of models: others wrote meanwhile, or they were given inside what was rolled back."""
        self._models.clear()
        self._generation = self._engine.generation

    def model(self, connection: apsw.Connection, name: str, dimension: int) -> int | None:
        """The number of a model, where it has made a vector before."""
        if self._generation != self._engine.generation:
            self.forget()
        known = self._models.get((name, dimension))
        if known is None:
            find = "SELECT no FROM models WHERE name=? AND dimension=?"
            known = connection.execute(find, (name, dimension)).get
            if known is not None:
                self._models[name, dimension] = known
        return known

    def _model(self, connection: apsw.Connection, name: str, dimension: int) -> int:
        known = self.model(connection, name, dimension)
        if known is None:
            connection.execute("INSERT INTO models(name, dimension) VALUES(?,?)", (name, dimension))
            known = self._models[name, dimension] = connection.last_insert_rowid()
        return known

    def enter(
        self,
        connection: apsw.Connection,
        no: int,
        shelf: int,
        state: int,
        embedded: Embedded | None,
        fades_at: int,
        waits: int,
    ) -> None:
        """A new memory's meaning: its vector, or that it waits for one."""
        if embedded is None:
            connection.execute(_ADD, (self._shelves.space, no, shelf, state, waits, None, None, None, None, None))
            return
        kept = self._kept(connection, no, embedded, FINEST if state == rows.LIVE else COARSEST)
        connection.execute(_ADD, (self._shelves.space, no, shelf, state, 0, *kept, fades_at))

    def put(self, connection: apsw.Connection, no: int, embedded: Embedded, *, live: bool) -> None:
        """Give a memory that is there its vector, in the place of an older one."""
        kept = self._kept(connection, no, embedded, FINEST if live else COARSEST)
        connection.execute(_SET, (0, *kept, 0 if live else None, self._shelves.space, no))
        self._news(connection, no)

    def move(self, connection: apsw.Connection, no: int, state: int) -> None:
        """A memory changed its state: soon its precision is looked at again."""
        connection.execute(
            "UPDATE meanings SET state=?, fades_at = CASE WHEN model IS NOT NULL THEN 0 END WHERE space=? AND no=?",
            (state, self._shelves.space, no),
        )
        self._news(connection, no)

    def strike(self, connection: apsw.Connection, no: int) -> None:
        """A memory was purged."""
        connection.execute("DELETE FROM vectors WHERE no=?", (no,))
        connection.execute("DELETE FROM meanings WHERE space=? AND no=?", (self._shelves.space, no))
        self._news(connection, no)

    def recode(self, connection: apsw.Connection, nos: Sequence[int], bits: int) -> None:
        """Keep these vectors, which are finer, in so many bits."""
        from remanence.index import codecs

        alike: dict[tuple[int, int], list[tuple[int, int, bytes]]] = {}
        for no, model, had, code, dimension in self.codes(connection, nos):
            if len(code) == codecs.code_bytes(had, dimension):  # what is damaged is left for the check to find
                alike.setdefault((had, dimension), []).append((no, model, code))
        for (had, dimension), found in alike.items():
            coarse = codecs.recode([code for _, _, code in found], had, bits, dimension)
            for (no, model, _), code in zip(found, coarse, strict=True):
                kept = self._written(connection, no, model, bits, code)
                connection.execute(_RECODED, (bits, kept, self._space, no))
                self._news(connection, no)

    @property
    def _space(self) -> int:
        return self._shelves.space

    def codes(self, connection: apsw.Connection, nos: Sequence[int]) -> list[tuple[int, int, int, bytes, int]]:
        """(number, model, bits, code, dimension) of those of these rows that have a vector."""
        found = []
        for start in range(0, len(nos), 500):
            part = nos[start : start + 500]
            marks = ",".join("?" * len(part))
            codes: dict[int, list[bytes]] = {}
            parts = connection.execute(f"SELECT no, code FROM vectors WHERE no IN ({marks}) ORDER BY no, part", part)
            for no, code in parts:
                codes.setdefault(no, []).append(code)
            found += [
                (no, model, bits, b"".join(codes.get(no, ())), dimension)
                for no, model, bits, dimension in connection.execute(
                    "SELECT e.no, e.model, e.bits, m.dimension FROM meanings e JOIN models m ON m.no = e.model "
                    f"WHERE e.space=? AND e.no IN ({marks})",
                    (self._space, *part),
                )
            ]
        return found

    def _kept(self, connection: apsw.Connection, no: int, embedded: Embedded, bits: int) -> tuple[Any, ...]:
        """Write a vector; what its meaning says of it: model, bits, signs, hash."""
        from remanence.index import codecs

        vectors: NDArray[np.float32] = embedded.vector[None, :]
        model = self._model(connection, embedded.model, vectors.shape[1])
        (code,) = codecs.encode(vectors, bits)
        hash_ = self._written(connection, no, model, bits, code)
        return model, bits, *codecs.signs_bytes(codecs.signs(vectors)), hash_

    @staticmethod
    def _written(connection: apsw.Connection, no: int, model: int, bits: int, code: bytes) -> bytes:
        parts = [(no, at // PART, code[at : at + PART]) for at in range(0, len(code), PART)]
        connection.execute("DELETE FROM vectors WHERE no=? AND part >= ?", (no, len(parts)))
        connection.executemany("INSERT OR REPLACE INTO vectors VALUES(?,?,?)", parts)
        return hash_of(no, model, bits, code)

    def _news(self, connection: apsw.Connection, no: int) -> None:
        connection.execute(_NEWS, (self._space, no))
        if (last := connection.last_insert_rowid()) % 4096 == 0:
            connection.execute("DELETE FROM meaning_news WHERE seq <= ?", (last - _NEWS_KEPT,))
