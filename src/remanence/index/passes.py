"""Which rows of a Matrix are worth comparing with a query: what is allowed, what the signs promise, what is best.

Everything here is arithmetic on the arrays of one `Rows`; nothing is fetched and nothing is kept.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from remanence.index.codecs import Floats, handicaps, signs
from remanence.index.rows import Ints, Positions, Rows

Counts = NDArray[np.uint8] | NDArray[np.uint16]

# The share of the query's components, the weakest, that the first pass leaves out.
WEAK = 0.4
FEW_LINES = 3
FEW_FIRST = 1000
FEW_FINALISTS = 48
_BLOCK = 32_768
_WIDEST_TABLE = 1 << 20
_BYTE_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.float32)


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
    return np.flatnonzero(kept)


def promising(rows: Rows, at: Positions, query: Floats, k: int, few: bool) -> Positions:
    """Of these rows the ones whose signs say that they may be among the k nearest."""
    sizes = np.abs(query)
    weak = int(WEAK * len(query))
    wanted, strong = signs(query)[0], signs(sizes >= np.partition(sizes, weak)[weak])[0]
    lines = np.arange(len(wanted))
    first, finalists = passing(len(at), k)
    if few:
        first, finalists = FEW_FIRST + 20 * k, FEW_FINALISTS + k
        lines = np.argsort(-np.add.reduceat(sizes, 64 * lines))[:FEW_LINES]
    at = at[_closest(_differing(rows, at, wanted, strong, lines), first)]
    if len(at) <= finalists:
        return at
    estimates = _estimates(rows, at, query)
    least = np.partition(estimates, len(at) - finalists)[len(at) - finalists]
    return at[_without_first(estimates >= least, estimates == least, finalists)]


def passing(count: int, k: int) -> tuple[int, int]:
    """How many of `count` rows pass the first and the second look at the signs; 2,200 and 500 of 100,000 for ten."""
    return 1000 + count // 100 + 20 * k, 300 + count // 1000 + 10 * k


def best(nos: Ints, scores: Floats, k: int) -> tuple[Ints, Floats]:
    known = np.flatnonzero(~np.isnan(scores))
    if 0 < k < len(known):
        worst = np.partition(scores[known], len(known) - k)[len(known) - k]
        known = known[scores[known] >= worst]
    nos, scores = nos[known], scores[known]
    order = np.lexsort((-nos, -scores))[: max(k, 0)]
    return nos[order], scores[order]


def _any_of(column: NDArray[np.int8], values: Collection[int]) -> NDArray[np.bool_]:
    kept = np.zeros(len(column), dtype=bool)
    for value in set(values):
        if value >= 0:
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


def _differing(
    rows: Rows, at: Positions, wanted: NDArray[np.uint64], mask: NDArray[np.uint64], lines: Positions
) -> Counts:
    """In how many of the masked bits of these lines each row differs from what is wanted."""
    # Where most rows are allowed, counting all of them is cheaper than picking.
    if 2 * len(at) > rows.count:
        counts = _counted([rows.words[line, : rows.count] for line in lines], wanted[lines], mask[lines])
        return counts if len(at) == rows.count else counts.take(at)
    return _counted([rows.words[line].take(at) for line in lines], wanted[lines], mask[lines])


def _counted(lines: list[NDArray[np.uint64]], wanted: NDArray[np.uint64], mask: NDArray[np.uint64]) -> Counts:
    most = int(np.bitwise_count(mask).sum())
    size = len(lines[0])
    counts: Counts = np.zeros(size, dtype=np.uint8) if most < 256 else np.zeros(size, dtype=np.uint16)
    # In blocks, since temporary arrays that fit the processor's cache are quicker.
    for low in range(0, len(counts), _BLOCK):
        part = counts[low : low + _BLOCK]
        for line, bits, masked in zip(lines, wanted, mask, strict=True):
            np.add(part, np.bitwise_count((line[low : low + _BLOCK] ^ bits) & masked), out=part)
    return counts


def _closest(counts: Counts, most: int) -> Positions:
    """Ascending indexes of the `most` lowest counts; of equal ones the later, which are the newer rows."""
    if len(counts) <= most:
        return np.arange(len(counts))
    limit = int(np.searchsorted(np.cumsum(np.bincount(counts)), most))
    return _without_first(counts <= limit, counts == limit, most)


def _without_first(chosen: NDArray[np.bool_], equal: NDArray[np.bool_], most: int) -> Positions:
    """Where chosen is set, at most `most`: of those that are equal the first, the older rows, are left out."""
    chosen[np.flatnonzero(equal)[: np.count_nonzero(chosen) - most]] = False
    return np.flatnonzero(chosen)


def _estimates(rows: Rows, at: Positions, query: Floats) -> Floats:
    """The similarity as far as signs tell it.

    Where a row's components are normal, its cosine is about √(π/2d) times the sum of the query's, taken by its signs.
    """
    words = rows.words[:, at]
    filled = np.zeros(64 * len(words), dtype=np.float32)
    filled[: len(query)] = query
    sums = filled.reshape(-1, 8) @ _BYTE_BITS.T
    codes = np.ascontiguousarray(words.T).astype("<u8", copy=False).view(np.uint8)
    places: NDArray[np.uint32] = codes + np.arange(len(sums), dtype=np.uint32) * np.uint32(256)
    positive = sums.ravel().take(places).sum(axis=1)
    scale = np.float32(np.sqrt(np.pi / 2 / len(query)))
    return (2 * positive - query.sum()) * scale - handicaps(rows.bits[at])
