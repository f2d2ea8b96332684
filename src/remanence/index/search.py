"""The nearest vectors of one namespace and one embedding model, from memory; the file is asked only for finalists.

What is not allowed (state, shelf, among) is left out before anything is compared. Up to EXACT rows every vector is
compared. Above, two passes over the signs choose: first the bits that differ from the query's, its weakest components
left out, as they are the likeliest to differ by chance; then, among the best of those, the sum of the query's
components with the row's signs, which estimates the cosine. The finalists are compared by `codecs.similarity`. Where
most of the closest by the first pass are in memory, they are compared without the second. How many pass was measured
on MiniLM vectors for a recall@10 of .999 (docs/decisions/0020-vector-search.md).

Any number of threads may read while one writes: each call works on the `Rows` it found at its start. The lock is for
writers, and for putting fetched vectors into the cache; nothing is compared or fetched under it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from remanence.index import passes
from remanence.index.codecs import BITS, MOST_DIMENSIONS, Floats, signs_from_bytes, similarity, without_lost
from remanence.index.rows import Cache, Ints, Positions, Rows

Fetch = Callable[[Ints], tuple[NDArray[np.int8], Floats]]

EXACT = 2000
MOST_CACHED = 150_000
_LEAST_CACHED = 4096
_BLOCK = 256
_KNOWN = np.isin(np.arange(256), BITS)


class Matrix:
    """The vectors of one namespace and model: signs of all, whole vectors of those that were asked for."""

    def __init__(self, dimension: int, *, most_cached: int = MOST_CACHED) -> None:
        if not 1 <= dimension <= MOST_DIMENSIONS:
            raise ValueError(f"{dimension} dimensions; it must be 1 to {MOST_DIMENSIONS}")
        self.dimension = dimension
        self._most_cached = most_cached
        self._lock = threading.Lock()
        none = np.zeros(0, dtype=np.int8)
        self._rows = Rows(
            count=0,
            gone=0,
            nos=none.astype(np.int64),
            shelves=none.astype(np.int32),
            states=none,
            bits=none,
            words=np.zeros((-(-dimension // 64), 0), dtype=np.uint64),
            slots=none.astype(np.int32),
            cache=self._new_cache(0),
        )

    def __len__(self) -> int:
        rows = self._rows
        return rows.count - rows.gone

    # --- writing

    def put(
        self,
        nos: Ints,
        shelves: NDArray[np.int32],
        states: NDArray[np.int8],
        bits: NDArray[np.int8],
        signs: NDArray[np.uint64],
        vectors: Floats | None = None,
    ) -> None:
        """Add rows, or replace those with these numbers; of a number given twice the last counts.

        Vectors, where given, go into the cache; without them, what was cached for these numbers is forgotten.
        """
        nos = np.asarray(nos, dtype=np.int64)
        given = Rows(
            count=len(nos),
            gone=0,
            nos=nos,
            shelves=np.asarray(shelves, dtype=np.int32),
            states=np.asarray(states, dtype=np.int8),
            bits=np.asarray(bits, dtype=np.int8),
            words=np.asarray(signs, dtype=np.uint64).reshape(len(nos), -(-self.dimension // 64)).T,
            slots=np.full(len(nos), -1, dtype=np.int32),
            cache=self._rows.cache,
        )
        _check(given)
        order = None
        if len(nos) != 1 and not np.all(nos[1:] > nos[:-1]):
            order = np.argsort(nos, kind="stable")
            order = order[np.append(np.diff(nos[order]) > 0, len(nos) > 0)]
            given = given.taken(order)
        with self._lock:
            rows = self._rows = self._rows.merged(given)
        if vectors is not None:
            whole = np.asarray(vectors, dtype=np.float32)
            self._keep(rows, rows.positions(given.nos), given.bits, whole if order is None else whole[order])

    def append(self, no: int, shelf: int, state: int, bits: int, signs: bytes, vector: Floats) -> None:
        """Add one row with its vector; what `put` would do, without its arrays where the number is the highest."""
        words = signs_from_bytes([signs], self.dimension)
        with self._lock:
            if self._rows.fits_behind(no) and state >= 0 and bits in BITS:
                self._rows = self._rows.with_one(no, shelf, state, bits, words[0], vector)
                return
        shelves, states, widths = (np.array([shelf], np.int32), np.array([state], np.int8), np.array([bits], np.int8))
        self.put(np.array([no]), shelves, states, widths, words, vector[None])

    def drop(self, nos: Ints) -> None:
        """Take rows out. Their signs and vectors leave memory when a quarter of the rows is gone, or with `forget`."""
        with self._lock:
            at = self._rows.positions(np.unique(np.asarray(nos, dtype=np.int64)))
            self._rows = self._rows.without(at[at >= 0])

    def forget(self) -> None:
        """Empty the cache of vectors and let go of dropped rows: nothing of them stays in memory."""
        with self._lock:
            self._rows = self._emptied(self._rows.compact())

    # --- reading

    def nearest(
        self,
        query: Floats,
        k: int,
        *,
        states: Collection[int],
        fetch: Fetch,
        shelves: NDArray[np.int32] | None = None,
        among: Ints | None = None,
        few: bool = False,
    ) -> tuple[Ints, Floats]:
        """Numbers and similarities of the k rows most alike to the query (length 1), best first, ties by higher number.

        Only rows in one of `states` count, and where given, those on one of `shelves` and with a number in `among`.
        `fetch` gives the stored bits and decoded rows of the numbers it is asked for, rows of NaN for those it lacks.
        `few` is a quicker, rougher look, for about five of the nearest.
        """
        rows, query = self._rows, self._checked(query)
        allowed = None
        if few and shelves is None and among is None and rows.count > EXACT:
            allowed = passes.likely(rows, states, query, k, EXACT)
        if allowed is None:
            allowed = passes.allowed(rows, states, shelves, among)
            if len(allowed) > EXACT:
                allowed = passes.promising(rows, allowed, query, k, few)
        return passes.best(rows.nos[allowed], self._scores(rows, allowed, query, fetch), k)

    def near_each(self, queries: Floats, k: int, *, states: Collection[int], fetch: Fetch) -> list[tuple[Ints, Floats]]:
        """A quick look for each of these queries."""
        return [self.nearest(query, k, states=states, fetch=fetch, few=True) for query in queries]

    def similarities(self, query: Floats, nos: Ints, fetch: Fetch) -> Floats:
        """How alike the query is to each of these, in this order; NaN for a number that is not here."""
        rows, query = self._rows, self._checked(query)
        at = rows.positions(np.asarray(nos, dtype=np.int64))
        found = np.full(len(at), np.nan, dtype=np.float32)
        found[at >= 0] = self._scores(rows, at[at >= 0], query, fetch)
        return found

    def vectors(self, nos: Ints, fetch: Fetch) -> Floats:
        """The whole vectors of these, in this order; NaN for a number that is not here."""
        rows = self._rows
        at = rows.positions(np.asarray(nos, dtype=np.int64))
        found = np.full((len(at), self.dimension), np.nan, dtype=np.float32)
        found[at >= 0] = self._vectors(rows, at[at >= 0], fetch)[0]
        return found

    def _scores(self, rows: Rows, at: Positions, query: Floats, fetch: Fetch) -> Floats:
        slots = rows.slots[at]
        lacking = (slots < 0).nonzero()[0]
        if not len(lacking):
            return self._cached_scores(rows, slots, query)
        scores = np.empty(len(at), dtype=np.float32)
        held = (slots >= 0).nonzero()[0]
        scores[held] = self._cached_scores(rows, slots[held], query)
        # No answer holds more whole vectors at once than an exact look needs, however many numbers were asked for.
        for low in range(0, len(lacking), EXACT):
            some = lacking[low : low + EXACT]
            vectors, bits = self._fetched(rows, at[some], fetch)
            scores[some] = similarity(query, vectors, bits)
        return scores

    def _cached_scores(self, rows: Rows, slots: NDArray[np.int32], query: Floats) -> Floats:
        cosines = np.empty(len(slots), dtype=np.float32)
        copies = np.empty((min(len(slots), _BLOCK), self.dimension), dtype=np.float32)
        for low in range(0, len(slots), _BLOCK):
            some = slots[low : low + _BLOCK]
            first, last = int(some[0]), int(some[-1])
            if last - first == len(some) - 1 and (some == np.arange(first, last + 1)).all():
                held = rows.cache.vectors[first : last + 1]  # side by side, as they were read: no copy is needed
            else:
                held = rows.cache.vectors.take(some, axis=0, out=copies[: len(some)], mode="clip")
            np.vecdot(held, query, out=cosines[low : low + _BLOCK])
        return without_lost(cosines, rows.cache.bits.take(slots))

    def _vectors(self, rows: Rows, at: Positions, fetch: Fetch) -> tuple[Floats, NDArray[np.int8]]:
        slots = rows.slots[at]
        lacking = np.flatnonzero(slots < 0)
        vectors, bits = rows.cache.vectors.take(slots, axis=0, mode="clip"), rows.cache.bits.take(slots, mode="clip")
        if len(lacking):
            vectors[lacking], bits[lacking] = self._fetched(rows, at[lacking], fetch)
        return vectors, bits

    def _fetched(self, rows: Rows, at: Positions, fetch: Fetch) -> tuple[Floats, NDArray[np.int8]]:
        """The vectors of these rows from the file; they are in memory from now on."""
        bits, vectors = fetch(rows.nos[at])
        self._keep(rows, at, bits, vectors)
        return vectors, bits

    def _keep(self, rows: Rows, at: Positions, bits: NDArray[np.int8], vectors: Floats) -> None:
        """Put vectors into the cache, unless someone has, or the rows they belong to were replaced meanwhile."""
        with self._lock:
            # What was read in another precision than the row has now was read on an older snapshot of the file.
            fit = (rows.slots[at] < 0) & (bits == rows.bits[at]) & (vectors[:, 0] == vectors[:, 0])
            new = fit.nonzero()[0]
            if rows.slots is not self._rows.slots or not len(new):
                return
            if rows.cache.used + len(new) > len(rows.cache.bits):
                rows = self._rows = self._emptied(self._rows)
                if len(new) > len(rows.cache.bits):
                    return
            cache, low = rows.cache, rows.cache.used
            cache.used += len(new)
            if len(new) < len(at):
                vectors, bits, at = vectors[new], bits[new], at[new]
            cache.vectors[low : cache.used], cache.bits[low : cache.used] = vectors, bits
            rows.slots[at] = np.arange(low, cache.used, dtype=np.int32)

    def _emptied(self, rows: Rows) -> Rows:
        return replace(rows, slots=np.full(len(rows.nos), -1, dtype=np.int32), cache=self._new_cache(rows.count))

    def _new_cache(self, count: int) -> Cache:
        return Cache(max(1, min(self._most_cached, max(_LEAST_CACHED, 2 * count))), self.dimension)

    def _checked(self, query: Floats) -> Floats:
        query = np.ascontiguousarray(query, dtype=np.float32)
        if query.shape != (self.dimension,):
            raise ValueError(f"a query of shape {query.shape}; these vectors have {self.dimension} dimensions")
        return query


def _check(given: Rows) -> None:
    lengths = {len(given.nos), len(given.shelves), len(given.states), len(given.bits)}
    if len(lengths) > 1:
        raise ValueError(f"columns of different lengths: {sorted(lengths)}")
    if len(given.states) and given.states.min() < 0:  # below 0 is the mark of a dropped row
        raise ValueError(f"a state of {given.states.min()}; it must be 0 or more")
    known = _KNOWN.take(given.bits.view(np.uint8))
    if not known.all():
        raise ValueError(f"{given.bits[~known].min()} bits a component; it must be one of {', '.join(map(str, BITS))}")
