"""Which rows of a Matrix are worth comparing with a query: what is allowed, what the signs promise, what is best.

Everything here is arithmetic on the arrays of one `Rows`; nothing is fetched and nothing is kept.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from remanence.index.codecs import Floats, handicaps, packed
from remanence.index.rows import Ints, Positions, Rows

Counts = NDArray[np.uint8] | NDArray[np.uint16]

# The share of the query's components, the weakest, that the first pass leaves out.
WEAK = 0.4
# The share of rows whose vectors must be in memory for comparing them to be cheaper than estimating.
_CACHED = 0.75
# A quick look counts two lines of all rows and the others of the best eighth, or of so many; of those it compares so
# many for each that is wanted, and reads few.
FIRST_LINES = 2
FEW_FIRST = 1000
FEW_CLOSE = 16
FEW_READ = 11
_READ_ALWAYS = 8
_FEW_ROWS = 500
_BLOCK = 16_384
_SAMPLED = 8
_NEVER = 255
_WIDEST_TABLE = 1 << 20
_BITS_OF_BYTES = np.ascontiguousarray(
    np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").T, dtype=np.float32
)


def allowed(rows: Rows, states: Collection[int], shelves: NDArray[np.int32] | None, among: Ints | None) -> Positions:
    """Ascending positions of the rows that may be found."""
    if among is not None:
        at = np.unique(rows.positions(np.asarray(among, dtype=np.int64)))
        at = at[at >= 0]
        kept = _any_of(rows.states[at], states)
        if shelves is not None:
            kept &= _on(rows.shelves[at], shelves)
        return at[kept]
    kept = _any_of(rows.states[: rows.count], states)
    if shelves is not None:
        kept &= _on(rows.shelves[: rows.count], shelves)
    return _numbers(1 << rows.count.bit_length())[: rows.count] if kept.all() else np.flatnonzero(kept)


@lru_cache(maxsize=1)
def _numbers(room: int) -> Positions:
    """The numbers below this one, kept, since making them takes as long as counting signs."""
    numbers = np.arange(room)
    numbers.flags.writeable = False
    return numbers


def promising(rows: Rows, at: Positions, query: Floats, k: int, few: bool) -> Positions:
    """Of these rows the ones whose signs say that they may be among the k nearest.

    Where the vectors of the closest are in memory, those are compared at once: that costs less than estimating more.
    """
    wanted, strong = _looked_for(query)
    counts = _differing(rows, at, wanted, strong)
    if few:
        return _readable(rows, at[_closest(counts, FEW_CLOSE * k)], query, FEW_READ + k)
    first, finalists = passing(len(at), k)
    close = _closest(counts, first)
    closest = at[close[_closest(counts[close], comparing(len(at), k))]]
    if np.count_nonzero(rows.slots[closest] >= 0) >= _CACHED * len(closest):
        return closest
    return _most_alike(rows, at[close], query, finalists)


def likely(rows: Rows, states: Collection[int], query: Floats, k: int, exact: int) -> Positions | None:
    """A rougher look for a few of the nearest among all rows in these states; None where a whole look is needed.

    Two lines of the signs say which rows are counted on, and a sample about how low a count must be.
    """
    close, first = FEW_CLOSE * k, max(FEW_FIRST, rows.count // 8)
    kept = _any_of(rows.states[: rows.count], states)
    number = np.count_nonzero(kept)
    if number <= max(exact, close, first):
        return None
    wanted, strong = _looked_for(query)
    lines, later = slice(FIRST_LINES), slice(FIRST_LINES, None)
    counts = _counted([line[: rows.count] for line in rows.words[lines]], wanted[lines], strong[lines])
    if number < rows.count:
        counts[~kept] = _NEVER
    at = _about(counts, first)
    counts = counts.take(at)
    # Where those that count stand at regular distances, a sample may miss them.
    if number < rows.count and counts.max() == _NEVER:
        return None
    words = rows.words[later].take(at, axis=1)
    words ^= wanted[later, None]
    words &= strong[later, None]
    counts = np.add.reduce(np.bitwise_count(words), axis=0, dtype=np.uint16) + counts
    return _readable(rows, at.take(_about(counts, close)), query, FEW_READ + k)


def _about(counts: Counts, number: int) -> Positions:
    """Ascending indexes of about so many of the lowest counts, as a sample tells, and no more than twice as many."""
    sample, place = counts[::_SAMPLED].copy(), number // _SAMPLED
    if place >= len(sample):
        return np.arange(len(counts))
    sample.sort(kind="stable")
    at = (counts <= sample[place]).nonzero()[0]
    # Thousands may be equally near, as copies of one text are.
    return at if len(at) <= 2 * number else _closest(counts, number)


def _readable(rows: Rows, at: Positions, query: Floats, most: int) -> Positions:
    """Of these rows those whose vectors are in memory, and the best of the others: so many where all are to be read."""
    lacking = rows.slots[at] < 0
    number = int(np.count_nonzero(lacking))
    most = -(-most * number // len(at)) if number else 0
    if number <= max(most, _READ_ALWAYS):
        return at
    return np.concatenate((at[~lacking], _most_alike(rows, at[lacking], query, most)))


def _most_alike(rows: Rows, at: Positions, query: Floats, most: int) -> Positions:
    """Of these rows the ones whose signs say that they are the most alike; of equal ones the newer."""
    if len(at) <= most:
        return at
    estimates = _estimates(rows, at, query)
    least = np.partition(estimates, len(at) - most)[len(at) - most]
    return at[_without_first(estimates >= least, estimates == least, most)]


def _looked_for(query: Floats) -> NDArray[np.uint64]:
    """The signs of a query, and which of them count: all but the weakest."""
    sizes, weak = np.abs(query), int(WEAK * len(query))
    ordered = sizes.copy()
    ordered.partition(weak)
    both = np.empty((2, len(query)), dtype=bool)
    np.greater(query, 0, out=both[0])
    np.greater_equal(sizes, ordered[weak], out=both[1])
    return packed(both)


def passing(count: int, k: int) -> tuple[int, int]:
    """How many of `count` rows pass the first and the second look at the signs; 2,200 and 500 of 100,000 for ten."""
    return 1000 + count // 100 + 20 * k, 300 + count // 1000 + 10 * k


def comparing(count: int, k: int) -> int:
    """How many of `count` rows are compared where that needs no reading; 1,540 of 100,000 for ten."""
    return 1000 + count // 200 + 4 * k


def best(nos: Ints, scores: Floats, k: int) -> tuple[Ints, Floats]:
    if 0 < k <= len(scores) <= _FEW_ROWS:
        order = np.lexsort((-nos, -scores))[:k]
        if scores[order[-1]] == scores[order[-1]]:  # what is no number comes last
            return nos[order], scores[order]
    known = np.flatnonzero(~np.isnan(scores))
    if 0 < k < len(known):
        worst = np.partition(scores[known], len(known) - k)[len(known) - k]
        known = known[scores[known] >= worst]
    nos, scores = nos[known], scores[known]
    order = np.lexsort((-nos, -scores))[: max(k, 0)]
    return nos[order], scores[order]


def _any_of(column: NDArray[np.int8], values: Collection[int]) -> NDArray[np.bool_]:
    wanted = [value for value in set(values) if value >= 0]
    if len(wanted) == 1:
        return column == wanted[0]
    kept = np.zeros(len(column), dtype=bool)
    for value in wanted:
        kept |= column == value
    return kept


def _on(column: NDArray[np.int32], shelves: NDArray[np.int32]) -> NDArray[np.bool_]:
    wanted = np.asarray(shelves, dtype=np.int32)
    if not len(wanted) or not len(column):
        return np.zeros(len(column), dtype=bool)
    widest = int(max(wanted.max(), column.max()))
    if widest >= _WIDEST_TABLE or min(wanted.min(), column.min()) < 0:
        return np.isin(column, wanted)
    table = np.zeros(widest + 1, dtype=bool)
    table[wanted] = True
    return table.take(column)


def _differing(rows: Rows, at: Positions, wanted: NDArray[np.uint64], mask: NDArray[np.uint64]) -> Counts:
    """In how many of the masked bits each row differs from what is wanted."""
    # Where most rows are allowed, counting all of them is cheaper than picking.
    if 2 * len(at) > rows.count:
        counts = _counted([line[: rows.count] for line in rows.words], wanted, mask)
        return counts if len(at) == rows.count else counts.take(at)
    return _counted([line.take(at) for line in rows.words], wanted, mask)


def _counted(lines: list[NDArray[np.uint64]], wanted: NDArray[np.uint64], mask: NDArray[np.uint64]) -> Counts:
    most = int(np.bitwise_count(mask).sum())
    size = len(lines[0])
    counts: Counts = np.empty(size, dtype=np.uint8) if most < 256 else np.empty(size, dtype=np.uint16)
    # In blocks, since temporary arrays that fit the processor's cache are quicker.
    differing, counted = np.empty(min(size, _BLOCK), dtype=np.uint64), np.empty(min(size, _BLOCK), dtype=np.uint8)
    for low in range(0, size, _BLOCK):
        part = counts[low : low + _BLOCK]
        differ, ones = differing[: len(part)], counted[: len(part)]
        for place, (line, bits, masked) in enumerate(zip(lines, wanted, mask, strict=True)):
            np.bitwise_xor(line[low : low + _BLOCK], bits, out=differ)
            np.bitwise_and(differ, masked, out=differ)
            if place:
                np.add(part, np.bitwise_count(differ, out=ones), out=part)
            else:
                part[:] = np.bitwise_count(differ, out=ones)
    return counts


def _closest(counts: Counts, most: int) -> Positions:
    """Ascending indexes of the `most` lowest counts; of equal ones the later, which are the newer rows."""
    if len(counts) <= most:
        return np.arange(len(counts))
    # A sample tells about where the limit is, and counting says exactly.
    sample = counts[::_SAMPLED]
    limit = np.partition(sample, min(most // _SAMPLED, len(sample) - 1))[min(most // _SAMPLED, len(sample) - 1)]
    chosen = counts <= limit
    while np.count_nonzero(chosen) < most:
        limit += 1
        chosen = counts <= limit
    while limit and np.count_nonzero(fewer := counts < limit) >= most:
        limit, chosen = limit - 1, fewer
    return _without_first(chosen, counts == limit, most)


def _without_first(chosen: NDArray[np.bool_], equal: NDArray[np.bool_], most: int) -> Positions:
    """Where chosen is set, at most `most`: of those that are equal the first, the older rows, are left out."""
    chosen[np.flatnonzero(equal)[: np.count_nonzero(chosen) - most]] = False
    return np.flatnonzero(chosen)


def _estimates(rows: Rows, at: Positions, query: Floats) -> Floats:
    """The similarity as far as signs tell it.

    Where a row's components are normal, its cosine is about √(π/2d) times the sum of the query's, taken by its signs.
    """
    words = rows.words.take(at, axis=1)
    scale = np.float32(np.sqrt(np.pi / 2 / len(query)))
    if len(at) <= _FEW_ROWS:
        signed = np.unpackbits(_bytes(words), axis=1, count=len(query), bitorder="little")
        return (2 * (np.vecdot(signed.astype(np.float32), query)) - query.sum()) * scale - handicaps(rows.bits[at])
    filled = np.zeros(64 * len(words), dtype=np.float32)
    filled[: len(query)] = query
    sums = filled.reshape(-1, 8) @ _BITS_OF_BYTES
    positive = sums.ravel().take(_bytes(words) + np.arange(0, sums.size, 256)).sum(axis=1)
    return (2 * positive - query.sum()) * scale - handicaps(rows.bits[at])


def _bytes(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """The signs of each row, given in lines, as bytes."""
    return np.ascontiguousarray(words.T).astype("<u8", copy=False).view(np.uint8)
