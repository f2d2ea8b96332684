"""Search by meaning in the server: few rows are compared one by one, many are found by an index and then compared.

An index of a partition holds the vectors of many namespaces. Asked for those of one that are in some state, it goes on
until it has met enough of them, which costs the more the rarer they are; comparing all of them costs the more the more
they are. Which is less is estimated, and done. What was found is compared again by its stored vector, so that answers
are those of the other store; an index may miss some, and is asked for more than are wanted.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray
from pgvector import Vector

from remanence.index import codecs, passes
from remanence.index.search import Fetch
from remanence.store.postgres.vector_index import MOST_DIMENSIONS
from remanence.store.postgres.vectors import as_bits
from remanence.store.sql.connection import Connection
from remanence.store.sql.nearest import Nearest, Numbers, Rows
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.vectors import Vectors

_COUNT_AGAIN = 64
_FEW = 2_000
# What it costs to compare one row, and to meet one by the index, in about a microsecond.
_COMPARED, _MET = 2.0, 12.0
_MORE, _MORE_COARSE = 2, 10
_HELD = (
    "SELECT count(*), count(signs) FROM vectors WHERE /*here*/ model = ?",
    "SELECT greatest(sum(reltuples), 1) FROM pg_class WHERE oid IN (SELECT tableoid FROM vectors WHERE /*here*/ true "
    "LIMIT 1)",
)
_FOUND = (
    "SELECT v.no FROM vectors v JOIN meanings e ON /*e.here*/ e.no = v.no WHERE /*v.here*/ v.model = ?1 "
    "AND v.dimension = {dimension} AND v.{column} IS NOT NULL AND e.state = ANY(?2::integer[]){more} "
    "ORDER BY {order} LIMIT ?4"
)
_WHOLE = "v.whole::halfvec({0}) <=> ?3::halfvec({0})"
_WHOLE_ONE_BY_ONE = "(v.whole <=> ?3::vector) + 0"
_SIGNS = "v.signs::bit({0}) <~> ?3::bit({0})"
_SIGNS_ONE_BY_ONE = "(v.signs::bit({0}) <~> ?3::bit({0})) + 0"


class InServer(Nearest):
    """Finds the nearest of one namespace."""

    def __init__(self, shelves: Shelves, vectors: Vectors) -> None:
        super().__init__(shelves, vectors)
        self._asked = 0
        self._held: dict[int, tuple[int, int, float]] = {}

    def matrix(self, connection: Connection, model: str, dimension: int) -> Held | None:
        number = self._vectors.model(connection, model, dimension)
        if number is None:
            return None
        self._asked += 1
        known = self._held.get(number)
        if known is None or known[0] < _FEW or self._asked % _COUNT_AGAIN == 0:
            vectors, coarse = connection.execute(_HELD[0], (number,)).get
            beside = connection.execute(_HELD[1]).get or 1
            known = self._held[number] = (vectors, coarse, max(float(beside), vectors))
        return Held(connection, number, dimension, *known)


class Held:
    """The vectors of one model, on one connection."""

    def __init__(
        self, connection: Connection, model: int, dimension: int, number: int, coarse: int, beside: float
    ) -> None:
        self._connection = connection
        self._model = model
        self._dimension = dimension
        self._number = number
        self._coarse = coarse
        self._beside = beside

    def __len__(self) -> int:
        return self._number

    def nearest(
        self,
        query: Rows,
        k: int,
        *,
        states: Collection[int],
        fetch: Fetch,
        shelves: NDArray[np.int32] | None = None,
        among: Numbers | None = None,
        few: bool = False,
    ) -> tuple[Numbers, Rows]:
        """As `index.search.Matrix` finds them."""
        more, allowed = "", float(self._number)
        values: list[object] = []
        if shelves is not None:
            more += f" AND e.shelf = ANY(?{5 + len(values)}::bigint[])"
            values.append(shelves.tolist())
            allowed /= 4
        if among is not None:
            more += f" AND v.no = ANY(?{5 + len(values)}::bigint[])"
            values.append(among.tolist())
            allowed = min(allowed, len(among))
        wanted = list(states)
        nos = self._found("whole", query.astype(np.float32), wanted, k * _MORE, more, values, allowed)
        if self._coarse:
            nos += self._found("signs", as_bits(query), wanted, k * _MORE_COARSE, more, values, allowed)
        rows = np.array(nos, dtype=np.int64)
        if not len(rows):
            return rows, np.zeros(0, dtype=np.float32)
        return passes.best(rows, self.similarities(query, rows, fetch), k)

    def near_each(self, queries: Rows, k: int, *, states: Collection[int], fetch: Fetch) -> list[tuple[Numbers, Rows]]:
        """The same for each of these, at once where all vectors are whole."""
        if self._coarse:
            return [self.nearest(query, k, states=states, fetch=fetch) for query in queries]
        wanted = k * _MORE
        by_index = self._dimension <= MOST_DIMENSIONS and not self._is_cheaper(wanted, float(self._number))
        order = _WHOLE if by_index else _WHOLE_ONE_BY_ONE
        inner = _FOUND.format(dimension=self._dimension, column="whole", more="", order=order.format(self._dimension))
        sql = (
            "SELECT q.place, n.no FROM unnest(?3::vector[]) WITH ORDINALITY q(query, place), "
            f"LATERAL ({inner.replace('?3', 'q.query')}) n"
        )
        given = [Vector(query) for query in queries.astype(np.float32)]
        found: list[list[int]] = [[] for _ in given]
        for place, no in self._connection.execute(sql, (self._model, list(states), given, wanted)):
            found[place - 1].append(no)
        nos = np.array(sorted({no for some in found for no in some}), dtype=np.int64)
        bits, vectors = fetch(nos)
        at = {no: place for place, no in enumerate(nos.tolist())}
        answers = []
        for query, some in zip(queries.astype(np.float32), found, strict=True):
            places = [at[no] for no in some]
            scores = codecs.similarity(query, vectors[places], bits[places])
            answers.append(passes.best(nos[places], scores, k))
        return answers

    def _is_cheaper(self, wanted: int, allowed: float) -> bool:
        """Whether comparing all that are allowed costs less than an index that passes over the others."""
        by_index = _MET * wanted * self._beside / max(allowed, 1.0)
        return allowed * _COMPARED < by_index * math.log2(2 + self._beside)

    def _found(
        self,
        column: str,
        query: object,
        states: list[int],
        number: int,
        more: str,
        values: list[object],
        allowed: float,
    ) -> list[int]:
        wanted = max(number, 40)
        one_by_one = self._dimension > MOST_DIMENSIONS or self._is_cheaper(wanted, allowed)
        if column == "whole":
            order = _WHOLE_ONE_BY_ONE if one_by_one else _WHOLE.format(self._dimension)
        else:
            order = (_SIGNS_ONE_BY_ONE if one_by_one else _SIGNS).format(self._dimension)
        sql = _FOUND.format(dimension=self._dimension, column=column, more=more, order=order)
        found = self._connection.execute(sql, (self._model, states, query, wanted, *values))
        return [no for (no,) in found]

    def similarities(self, query: Rows, nos: Numbers, fetch: Fetch) -> Rows:
        bits, vectors = fetch(nos)
        return codecs.similarity(query.astype(np.float32), vectors, bits)

    def vectors(self, nos: Numbers, fetch: Fetch) -> Rows:
        return fetch(nos)[1]
