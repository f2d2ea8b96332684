"""Search by meaning: the meanings of one namespace and model held in memory, in step with the file.

What is held is derived: it is read from the file at first use, and before every search the rows that are new since
then (their numbers go up) and those listed as changed are read again. So it is right when other processes write, and
can be thrown away at any time. Rows read inside a transaction that was rolled back are: then all is read anew.

It is in step once a transaction has looked at the file, until something is written that is not handed over here: a
change of state, or anything by another connection. As long as it is, a transaction need not look again, and the
vectors it writes are held as they are written.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from remanence.index import codecs
from remanence.index.search import Matrix
from remanence.store.sql.connection import Connection
from remanence.store.sql.nearest import Nearest, Rows
from remanence.store.sql.rows import LIVE
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.vectors import FINEST
from remanence.store.sqlite.engine import Engine
from remanence.store.sqlite.vectors import FileVectors

_ROWS = "SELECT no, shelf, state, bits, signs FROM meanings WHERE space=? AND model=? AND no > ? ORDER BY no"
_CHANGED = "SELECT no, shelf, state, bits, signs FROM meanings WHERE space=? AND model=? AND no IN ({})"
_NEWS = "SELECT DISTINCT no FROM meaning_news WHERE seq > ? AND space=?"
_STAND = (
    "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name='meaning_news'), 0), "
    "coalesce((SELECT min(seq) FROM meaning_news), 0), coalesce((SELECT max(no) FROM meanings WHERE space=?), 0)"
)
_AT_ONCE = 500


class HeldInMemory(Nearest):
    """The meanings a store holds in memory: one model's at a time."""

    def __init__(self, engine: Engine, shelves: Shelves, vectors: FileVectors) -> None:
        super().__init__(shelves, vectors)
        self._engine = engine
        self._file = vectors
        self._guard = threading.Lock()
        self._held: Matrix | None = None
        self._of: tuple[int, int, int] | None = None
        self._seq = self._last = 0
        vectors.follower = self

    @property
    def held(self) -> bool:  # type: ignore[override]
        return self._held is not None

    def matrix(self, connection: Connection, model: str, dimension: int) -> Matrix | None:
        """The meanings of a model, no older than this connection sees them; None when it has made none.

        Whoever sees an older moment than another thread does uses what is held: the rows it lacks it will not find.
        """
        number = self._vectors.model(connection, model, dimension)
        if number is None:
            return None
        space = self._shelves.space
        within = self._engine.in_transaction
        with self._guard:
            if within and self.in_step and self._of == (space, number, self._engine.generation):
                return self._held
            seq, oldest, last = connection.execute(_STAND, (space,)).get
            of = (space, number, self._engine.generation)
            missed = self._seq + 1 < oldest
            if self._held is None or self._of != of or missed:
                self._held = Matrix(dimension)
                self._of, self._seq, self._last = of, seq, 0
                self.in_step = False
            elif seq > self._seq:
                self._follow(connection, [no for (no,) in connection.execute(_NEWS, (self._seq, space))], number)
            if last > self._last:
                self._take(connection.execute(_ROWS, (space, number, self._last)))
            self._seq, self._last = max(seq, self._seq), max(last, self._last)
            if within:
                self.in_step = True
            return self._held

    def entered(self, no: int, shelf: int, state: int, model: int, bits: int, signs: bytes, vector: Rows) -> None:
        """Hold a row that this process writes, if all that stands before it is held."""
        with self._guard:
            of = (self._shelves.space, model, self._engine.generation)
            if self._held is None or not self.in_step or self._of != of:
                return
            if bits == FINEST:
                self._held.append(no, shelf, state, bits, signs, vector)
                self._last = no
            else:
                self.in_step = False

    def took(
        self,
        nos: Sequence[int],
        shelves: Sequence[int],
        said: Sequence[tuple[int, int, bytes, bytes]],
        vectors: Sequence[Rows],
    ) -> None:
        """Hold new vectors of live memories; this was in step until they were written."""
        models, bits, signs, _ = zip(*said, strict=True)
        with self._guard:
            if self._held is None or self._of != (self._shelves.space, models[0], self._engine.generation):
                return
            self._held.put(
                np.array(nos, dtype=np.int64),
                np.array(shelves, dtype=np.int32),
                np.full(len(nos), LIVE, dtype=np.int8),
                np.array(bits, dtype=np.int8),
                codecs.signs_from_bytes(signs, self._held.dimension),
                np.stack(vectors),
            )
            self._seq, self._last, self.in_step = self._file.last_news, max(self._last, *nos), True

    def behind(self) -> None:
        self.in_step = False

    def _follow(self, connection: Connection, changed: list[int], number: int) -> None:
        """Read these rows again; those that are no longer there, or not of this model, leave no trace in memory."""
        assert self._held is not None
        gone = set(changed)
        for start in range(0, len(changed), _AT_ONCE):
            part = [no for no in changed[start : start + _AT_ONCE] if no <= self._last]
            sql = _CHANGED.format(",".join("?" * len(part)))
            gone -= self._take(connection.execute(sql, (self._shelves.space, number, *part)))
        if gone:
            self._held.drop(np.array(sorted(gone), dtype=np.int64))
            self._held.forget()

    def _take(self, found: Iterable[tuple[Any, ...]]) -> set[int]:
        """Hold these rows, but for those that are damaged, which the check will find; their numbers."""
        assert self._held is not None
        width = codecs.signs_width(self._held.dimension)
        rows = [row for row in found if row[3] in codecs.BITS and isinstance(row[4], bytes) and len(row[4]) == width]
        if rows:
            nos, shelves, states, bits, signs = zip(*rows, strict=True)
            self._held.put(
                np.array(nos, dtype=np.int64),
                np.array(shelves, dtype=np.int32),
                np.array(states, dtype=np.int8),
                np.array(bits, dtype=np.int8),
                codecs.signs_from_bytes(signs, self._held.dimension),
            )
        return {row[0] for row in rows}
