"""Search by meaning: what finds the nearest of a namespace's vectors, in the way of each database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from remanence.index import codecs
from remanence.index.search import Fetch
from remanence.model.selection import Selection
from remanence.store.sql import selecting
from remanence.store.sql.connection import Connection
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.vectors import FINEST, Vectors

Numbers = NDArray[np.int64]
Rows = NDArray[np.float32]


class Field(Protocol):
    """The vectors of one model, as `index.search.Matrix` has them."""

    def __len__(self) -> int: ...
    def nearest(
        self,
        query: Rows,
        k: int,
        *,
        states: Collection[int],
        fetch: Fetch,
        shelves: NDArray[np.int32] | None = None,
        among: Any = None,
        few: bool = False,
    ) -> tuple[Numbers, Rows]: ...
    def near_each(
        self, queries: Rows, k: int, *, states: Collection[int], fetch: Fetch
    ) -> list[tuple[Numbers, Rows]]: ...
    def similarities(self, query: Rows, nos: Numbers, fetch: Fetch) -> Rows: ...
    def vectors(self, nos: Numbers, fetch: Fetch) -> Rows: ...


@lru_cache(maxsize=8)
def _sizes(dimension: int) -> dict[int, int]:
    """How many bytes a code takes at each precision."""
    return {bits: codecs.code_bytes(bits, dimension) for bits in codecs.BITS}


class Nearest:
    """Finds the nearest in one namespace.

    `held` is whether what it holds in memory was read, `in_step` whether that is as the last write left it.
    """

    held = True
    in_step = False

    def __init__(self, shelves: Shelves, vectors: Vectors) -> None:
        self._shelves = shelves
        self._vectors = vectors

    def matrix(self, connection: Connection, model: str, dimension: int) -> Field | None:
        """The vectors of a model, no older than this connection sees them; None when it has made none."""
        raise NotImplementedError

    def took(
        self,
        nos: Sequence[int],
        shelves: Sequence[int],
        said: Sequence[tuple[int, int, bytes, bytes]],
        vectors: Sequence[Rows],
    ) -> None:
        """New vectors of live memories were written, and what is held was in step until then."""

    def among(self, connection: Connection, selection: Selection, *, exactly: bool) -> Any:
        """What a field takes to keep to a selection beyond its place and its states; None: all may be found.

        Here the numbers of the rows; those that have expired are left out only where it is asked for exactly.
        """
        if not (exactly or selecting.narrows(selection)):
            return None
        condition, values = selecting.where(selection, self._shelves.space)
        found = connection.execute(f"SELECT l.no FROM lives l WHERE {condition}", values)
        return np.fromiter((no for (no,) in found), np.int64)

    def number(self, connection: Connection, field: Field | None) -> int:
        """How many vectors there are now."""
        return 0 if field is None else len(field)

    def last(self, connection: Connection) -> int:
        """The number of the newest meaning this connection sees."""
        newest = "SELECT coalesce(max(no), 0) FROM meanings WHERE space=?"
        return int(connection.execute(newest, (self._shelves.space,)).get)

    def reader(
        self, connection: Connection, model: str, dimension: int
    ) -> Callable[[Numbers], tuple[NDArray[np.int8], Rows]]:
        """Reads precision and vectors of rows for whoever misses them; NaN where a row has none of the model."""
        sizes = _sizes(dimension)

        def read(nos: Numbers) -> tuple[NDArray[np.int8], Rows]:
            number = self._vectors.model(connection, model, dimension)
            bits = np.full(len(nos), FINEST, dtype=np.int8)
            asked = nos.tolist()
            found = self._vectors.codes(connection, asked)
            codes = [code for _, made_by, had, code, _ in found if had == FINEST and made_by == number]
            if len(codes) == len(asked) and {*map(len, codes)} == {sizes[FINEST]}:
                return bits, codecs.decode(codes, FINEST, dimension)
            vectors = np.full((len(nos), dimension), np.nan, dtype=np.float32)
            places = dict(zip(asked, range(len(asked)), strict=True))
            by_bits: dict[int, tuple[list[int], list[bytes]]] = {}
            for no, made_by, had, code, _ in found:
                if made_by == number and len(code) == sizes.get(had):
                    at, held = by_bits.setdefault(had, ([], []))
                    at.append(places[no])
                    held.append(code)
            for had, (at, held) in by_bits.items():
                vectors[at] = codecs.decode(held, had, dimension)
                bits[at] = had
            return bits, vectors

        return read
