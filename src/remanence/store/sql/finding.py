"""Finding memories: candidates by words, meaning and file, and what the store holds in memory for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from remanence.model.memory import Memory, State
from remanence.model.selection import Selection
from remanence.store.protocol import Candidates, Embedded
from remanence.store.sql import selecting, statistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from remanence.store.sql.accesses import Accesses
    from remanence.store.sql.columns import Lives
    from remanence.store.sql.connection import Connection, Engine, Transaction
    from remanence.store.sql.loading import Loader
    from remanence.store.sql.meanings import SqlMeanings
    from remanence.store.sql.nearest import Nearest
    from remanence.store.sql.searching import Searching
    from remanence.store.sql.shelves import Shelves
    from remanence.store.sql.vectors import Vectors
    from remanence.store.sql.words import Words


class Finding:
    """How one namespace is searched; the store it is a part of holds what it works with."""

    _engine: Engine
    _shelves: Shelves
    _accesses: Accesses
    _loader: Loader
    _vectors: Vectors
    _words: Words
    _recalled: dict[str, int]
    transaction: Transaction

    if TYPE_CHECKING:

        @property
        def _lives(self) -> Lives: ...

    def count(self, selection: Selection) -> int:
        condition, values = selecting.where(selection, self._shelves.space)
        with self._engine.read(snapshot=False) as connection:
            return int(connection.execute(f"SELECT count(*) FROM lives l WHERE {condition}", values).get)

    def counts(self, selection: Selection, of: str) -> dict[str, int]:
        """How many of each scope, kind, layer, source or state, the most first."""
        return statistics.counts(self._engine, *selecting.where(selection, self._shelves.space), of)

    def matching(
        self, query: str, selection: Selection, limit: int | None, *, every_word: bool = False
    ) -> list[tuple[Memory, float]]:
        """Memories by words, best first, with their BM25 score (more is better)."""
        condition = selecting.where(selection, self._shelves.space, searching=True)
        look = self._words.asked()
        broad = selecting.is_broad(selection) and self._words.is_large()

        def read(connection: Connection) -> list[tuple[int, Memory, float]]:
            if look:
                self._words.look(connection)
            for expression in self._words.expressions(connection, query, every_word=every_word):
                if found := self._words.best(connection, expression, condition, limit, broad=broad):
                    return [(row[0], self._loader.memory(row), row[-1]) for row in found]
            return []

        found = self._engine.recalling(partial(self._accesses.steadily, read, snapshot=look or broad))
        self._recalled = {memory.id: no for no, memory, _ in found}
        return [(memory, score) for _, memory, score in found]

    def candidates(
        self,
        query: str | None,
        embedded: Embedded | None,
        selection: Selection,
        number: int,
        *,
        files: Sequence[str] = (),
        ids: Sequence[str] = (),
        exactly: bool = False,
        quick: bool = False,
    ) -> Candidates:
        """What a recall may choose from: the best by words, by meaning and by file, and those named by id.

        Among the best by meaning may be some that have expired, unless it is to be exact.
        """
        also = [no for id in ids if (no := self._loader.number(id)) is not None]
        search = partial(self._searching.candidates, query, embedded, selection, number, files, also)
        return self._engine.recalling(partial(search, exactly=exactly, quick=quick))

    def holds(self, state: State) -> bool:
        return statistics.holds(self._engine, self._shelves.space, state)

    def counted(self, candidates: Candidates, places: Sequence[int]) -> NDArray[np.float64]:
        return self._engine.recalling(partial(self._searching.counted, candidates, places))

    def before_in_session(self, rows: Sequence[int]) -> dict[int, int]:
        return self._searching.before_in_session(rows)

    def memories(self, rows: Sequence[int]) -> dict[int, Memory]:
        """The memories of these rows, but for those that were purged."""
        load = partial(self._loader.loaded, numbers=rows)
        found = self._engine.recalling(partial(self._accesses.steadily, load, snapshot=False))
        if len(found) < len(rows):  # purged, being written by another thread, or damaged: which, one snapshot tells
            found = self._accesses.steadily(partial(self._loader.lived, numbers=rows))
        self._recalled = {memory.id: no for no, memory in found.items()}
        return found

    def _number(self, id: str) -> int | None:
        """The row of a memory; what was recalled last is known."""
        return self._recalled.get(id) or self._loader.number(id)

    @cached_property
    def meanings(self) -> SqlMeanings:
        from remanence.store.sql.meanings import SqlMeanings

        return SqlMeanings(
            self._engine, self._shelves, self._loader, self._lives, self._vectors, self._nearest, self.transaction
        )

    @cached_property
    def _nearest(self) -> Nearest:
        """What finds by meaning; apart from the store because it needs numpy."""
        raise NotImplementedError

    @cached_property
    def _searching(self) -> Searching:
        from remanence.store.sql.searching import Searching

        return Searching(self._engine, self._shelves, self._nearest, self._words)
