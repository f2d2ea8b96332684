"""Search by meaning in the server: few rows are compared one by one, many are found by an index and then compared.

An index of a partition holds the vectors of many namespaces. Asked for those of one that are in some state, it goes on
until it has met enough of them, which costs the more the rarer they are; comparing all of them costs the more the more
they are. Which is less is estimated, and done. What was found is compared again by its stored vector, so that answers
are those of the other store; an index may miss some, and is asked for more than are wanted.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pgvector import Vector

from remanence.index import codecs, passes
from remanence.index.search import Fetch
from remanence.model.moment import to_micros
from remanence.model.selection import Selection
from remanence.store.postgres.vector_index import MOST_DIMENSIONS
from remanence.store.postgres.vectors import as_bits
from remanence.store.sql import rows, selecting
from remanence.store.sql.connection import Connection
from remanence.store.sql.nearest import Field, Nearest, Numbers, Rows
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.vectors import FINEST, Vectors

_COUNT_AGAIN, _COUNT_SHARE = 64, 500
_FEW = 2_000
# What it costs to compare one row, and to meet one by the index, in about a microsecond.
_COMPARED, _MET = 2.0, 12.0
_MORE, _MORE_COARSE = 2, 10
_HELD = (
    f"SELECT state, count(*), count(*) FILTER (WHERE bits <> {FINEST}) FROM meanings WHERE /*here*/ model = ? "
    "GROUP BY state"
)
_BESIDE = (
    "SELECT greatest(sum(reltuples), 1) FROM pg_class WHERE oid IN (SELECT tableoid FROM vectors WHERE /*here*/ true "
    "LIMIT 1)"
)
_MEANT = (
    "SELECT coalesce(sum(memories), 0) FROM counts "
    "WHERE /*here*/ shelf = ANY(?::bigint[]) AND state = ANY(?::integer[])"
)
_FOUND = (
    "SELECT v.no FROM vectors v JOIN lives l ON /*l.here*/ l.no = v.no WHERE /*v.here*/ v.model = ?1 "
    "AND v.dimension = {dimension} AND v.{column} IS NOT NULL AND l.state = ANY(?2::integer[]){more} "
    "ORDER BY {order} LIMIT ?4"
)
_ON_SHELVES = " AND l.shelf = ANY(?{}::bigint[])"
_UNEXPIRED = f" AND (l.expires_at IS NULL OR l.expires_at >= ?{{}} OR l.state <> {rows.LIVE})"
_AMONG = " AND v.no = ANY(?{}::bigint[])"
_WHOLE = "v.whole::halfvec({0}) <=> ?3::halfvec({0})"
_WHOLE_ONE_BY_ONE = "(v.whole <=> ?3::vector) + 0"
_SIGNS = "v.signs::bit({0}) <~> ?3::bit({0})"
_SIGNS_ONE_BY_ONE = "(v.signs::bit({0}) <~> ?3::bit({0})) + 0"


class _Counted(NamedTuple):
    """How many vectors a namespace has of a model, and coarse ones, by state; how many the table has, and when."""

    vectors: Mapping[int, int]
    coarse: Mapping[int, int]
    beside: float
    asked: int

    def number(self, states: Collection[int] | None = None) -> int:
        return sum(number for state, number in self.vectors.items() if states is None or state in states)


class InServer(Nearest):
    """Finds the nearest of one namespace."""

    def __init__(self, shelves: Shelves, vectors: Vectors) -> None:
        super().__init__(shelves, vectors)
        self._asked = 0
        self._counted: dict[int, _Counted] = {}

    def matrix(self, connection: Connection, model: str, dimension: int) -> Held | None:
        number = self._vectors.model(connection, model, dimension)
        if number is None:
            return None
        self._asked += 1
        known = self._counted.get(number)
        if known is None or known.number() < _FEW or self._asked - known.asked >= _pause(known.number()):
            known = self._count(connection, number)
        return Held(connection, number, dimension, known)

    def _count(self, connection: Connection, model: int) -> _Counted:
        found = connection.execute(_HELD, (model,)).fetchall()
        vectors = {state: number for state, number, _ in found}
        beside = float(sum(vectors.values()))
        if beside >= _FEW:  # fewer are compared one by one, whatever stands beside them
            beside = max(float(connection.execute(_BESIDE).get or 1), beside)
        coarse = {state: number for state, _, number in found if number}
        self._counted[model] = _Counted(vectors, coarse, beside, self._asked)
        return self._counted[model]

    def among(self, connection: Connection, selection: Selection, *, exactly: bool) -> Any:
        """The numbers of the rows, or a moment: what has expired then is left out by the server."""
        if selecting.narrows(selection) or selection.unexpired_at is None:
            return super().among(connection, selection, exactly=exactly)
        return to_micros(selection.unexpired_at)

    def number(self, connection: Connection, field: Field | None) -> int:
        if not isinstance(field, Held):
            return 0
        is_fresh = field.counted.asked == self._asked
        return (field.counted if is_fresh else self._count(connection, field.model)).number()


def _pause(number: int) -> int:
    """After how many questions to count again: counting costs the more the more there are."""
    return max(_COUNT_AGAIN, number // _COUNT_SHARE)


class _Asked(NamedTuple):
    """Which vectors are meant, in the words of a statement, and about how many those are."""

    states: list[int]
    more: str
    values: list[object]
    allowed: float


class Held:
    """The vectors of one model, on one connection."""

    def __init__(self, connection: Connection, model: int, dimension: int, counted: _Counted) -> None:
        self._connection = connection
        self.model = model
        self._dimension = dimension
        self.counted = counted

    def __len__(self) -> int:
        return self.counted.number()

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
    ) -> tuple[Numbers, Rows]:
        """As `index.search.Matrix` finds them; `among` as `InServer.among` gives it."""
        more, allowed = "", float(self.counted.number(states))
        values: list[object] = []
        if shelves is not None:
            more += _ON_SHELVES.format(5 + len(values))
            values.append(shelves.tolist())
            allowed = min(allowed, float(self._connection.execute(_MEANT, (shelves.tolist(), list(states))).get))
        if isinstance(among, int):
            more += _UNEXPIRED.format(5 + len(values))
            values.append(among)
        elif among is not None:
            more += _AMONG.format(5 + len(values))
            values.append(among.tolist())
            allowed = min(allowed, len(among))
        asked = _Asked(list(states), more, values, allowed)
        nos = self._found("whole", query.astype(np.float32), k * _MORE, asked)
        if any(state in self.counted.coarse for state in states):
            nos += self._found("signs", as_bits(query), k * _MORE_COARSE, asked)
        rows = np.array(nos, dtype=np.int64)
        if not len(rows):
            return rows, np.zeros(0, dtype=np.float32)
        return passes.best(rows, self.similarities(query, rows, fetch), k)

    def near_each(self, queries: Rows, k: int, *, states: Collection[int], fetch: Fetch) -> list[tuple[Numbers, Rows]]:
        """The same for each of these, at once where all vectors are whole."""
        if any(state in self.counted.coarse for state in states):
            return [self.nearest(query, k, states=states, fetch=fetch) for query in queries]
        wanted = k * _MORE
        one_by_one = self._goes_one_by_one(wanted, float(self.counted.number(states)))
        order = (_WHOLE_ONE_BY_ONE if one_by_one else _WHOLE).format(self._dimension)
        inner = _FOUND.format(dimension=self._dimension, column="whole", more="", order=order)
        sql = (
            "SELECT q.place, n.no FROM unnest(?3::vector[]) WITH ORDINALITY q(query, place), "
            f"LATERAL ({inner.replace('?3', 'q.query')}) n"
        )
        given = [Vector(query) for query in queries.astype(np.float32)]
        found: list[list[int]] = [[] for _ in given]
        for place, no in self._connection.execute(sql, (self.model, list(states), given, wanted)):
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

    def _goes_one_by_one(self, wanted: int, allowed: float) -> bool:
        """Whether comparing all that are allowed costs less than an index that passes over the others."""
        if self._dimension > MOST_DIMENSIONS:
            return True
        by_index = _MET * wanted * self.counted.beside / max(allowed, 1.0)
        return allowed * _COMPARED < by_index * math.log2(2 + self.counted.beside)

    def _found(self, column: str, query: object, number: int, asked: _Asked) -> list[int]:
        wanted = max(number, 40)
        one_by_one = self._goes_one_by_one(wanted, asked.allowed)
        if column == "whole":
            order = _WHOLE_ONE_BY_ONE if one_by_one else _WHOLE.format(self._dimension)
        else:
            order = (_SIGNS_ONE_BY_ONE if one_by_one else _SIGNS).format(self._dimension)
        sql = _FOUND.format(dimension=self._dimension, column=column, more=asked.more, order=order)
        found = self._connection.execute(sql, (self.model, asked.states, query, wanted, *asked.values))
        return [no for (no,) in found]

    def similarities(self, query: Rows, nos: Numbers, fetch: Fetch) -> Rows:
        bits, vectors = fetch(nos)
        return codecs.similarity(query.astype(np.float32), vectors, bits)

    def vectors(self, nos: Numbers, fetch: Fetch) -> Rows:
        return fetch(nos)[1]
