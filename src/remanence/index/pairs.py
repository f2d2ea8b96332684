"""Which vectors of a group are alike: pairs whose cosine is above a threshold, at a cost far below all against all.

Groups of a few thousand are compared whole, in blocks. Larger ones are hashed: a table gives each row the signs of its
products with 16 random planes, and rows of one table and hash are candidates. Two rows at angle a agree on a plane with
probability 1 - a/π, so there are as many tables as leave a pair at the threshold unseen with a probability below MISS;
a closer pair is missed still more rarely. At a cosine of .92 one table in 9 sees a pair, and 79 tables leave 1 pair in
10,000. Candidates are looked at by 256 signs, then exactly, so no pair is ever wrong. Where hashing hardly parts the
rows, they are compared whole.

A row alike to very many would make as many pairs: each row is given at most `most_each` earlier partners. Ten thousand
copies of one text give half a million pairs, which connect them all, not fifty million.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from remanence.index.codecs import Floats

Ints = NDArray[np.int64]

MOST_EACH = 50
MISS = 1e-4
PLANES = 16
# Comparing n rows whole costs n² / 2 products of two rows, hashing them about 25 a row and table.
_WHOLE = 50
_TABLES_AT_ONCE = 8
_SKETCH_BITS = 256
_SKETCH_DEVIATIONS = 5.5
_SEED = 20
_BLOCK = 256
_FIRST_BLOCK = 64
_WIDE = 4096
# Buckets up to this size are compared pair by pair, larger ones by a product of matrices.
_SMALL = 32
_CHUNK = 1 << 16
# So near the threshold the cosine is counted again with more digits.
_SLACK = 1e-5


def similar_pairs(
    vectors: Floats,
    threshold: float,
    *,
    groups: Ints | None = None,
    most_each: int = MOST_EACH,
    progress: Callable[[float], None] | None = None,
) -> tuple[Ints, Ints, Floats]:
    """All i < j of one group with a cosine above the threshold, sorted, and the cosines; rows must have length 1.

    A row with more than `most_each` partners before it is given that many of them, the first ones in a group that was
    compared whole. `progress` is told which share of the work is done, and may raise to stop it.
    """
    rows = np.ascontiguousarray(vectors, dtype=np.float32)
    if not 0 < threshold <= 1:
        raise ValueError(f"a threshold of {threshold}; it must be above 0 and at most 1")
    found = _Found(rows, threshold, most_each)
    tell = progress or (lambda share: None)
    done = 0
    for group in _members(np.zeros(len(rows), dtype=np.int64) if groups is None else np.asarray(groups)):
        if len(group) <= _WHOLE * tables(threshold):
            found.compare(group)
        else:
            for share in _hashed(found, group):
                tell((done + share * len(group)) / len(rows))
        done += len(group)
        tell(done / len(rows))
    return found.sorted()


def tables(threshold: float) -> int:
    """How many tables leave a pair at this cosine unseen with a probability below MISS: 79 at .92, 356 at .8."""
    seen = (1 - math.acos(threshold) / math.pi) ** PLANES
    return 1 if seen >= 1 else math.ceil(math.log(MISS) / math.log1p(-seen))


class _Found:
    """The pairs so far. A pair is kept as one number, j times the number of rows plus i."""

    def __init__(self, rows: Floats, threshold: float, most_each: int) -> None:
        self.rows, self.threshold, self.most_each = rows, threshold, most_each
        self.keys = np.zeros(0, dtype=np.int64)
        self.partners = np.zeros(len(rows), dtype=np.int64)
        self._fresh: list[Ints] = []

    def compare(self, members: Ints) -> None:
        """Every pair of these ascending rows; what has its measure is no longer looked for as the later one."""
        held = self.rows if len(members) == len(self.rows) else self.rows[members]
        wanting = np.flatnonzero(self.partners[members] < self.most_each)
        counts = np.zeros(len(members), dtype=np.int64)
        low = 0
        while low < len(members) and len(wanting):
            # The first block is small: where all are alike, it gives every row its measure.
            high = min(len(members), low + (_BLOCK if low else _FIRST_BLOCK))
            wanting = wanting[wanting > low]
            for start in range(0, len(wanting), _WIDE):
                later = wanting[start : start + _WIDE]
                cosines = held[later] @ held[low:high].T
                at, first = np.divmod(np.flatnonzero(cosines > self.threshold - _SLACK), high - low)
                rough = cosines[at, first]
                first, last = first + low, later[at]
                # Both ascend, the later row first, so that the count within a row is a place in a run.
                kept = (first < last) & (counts[last] + _nth(last) < self.most_each)
                self.add(members[first[kept]], members[last[kept]], rough[kept])
                counts += np.bincount(last[kept], minlength=len(members))
            wanting = wanting[counts[wanting] < self.most_each]
            low = high

    def add(self, first: Ints, later: Ints, rough: Floats) -> None:
        """Keep what is above the threshold."""
        above = rough > self.threshold
        near = np.flatnonzero(np.abs(rough - self.threshold) <= _SLACK)
        above[near] = self.cosines(first[near], later[near]) > self.threshold
        self._fresh.append(later[above] * len(self.rows) + first[above])

    def known(self, keys: Ints) -> NDArray[np.bool_]:
        if not len(self.keys):
            return np.zeros(len(keys), dtype=bool)
        return self.keys[np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)] == keys

    def settle(self) -> None:
        """Join what was added; each row keeps its earliest partners."""
        keys = np.sort(np.concatenate([self.keys, *self._fresh]), kind="stable")  # np.unique would hash them
        keys = keys[np.diff(keys, prepend=-1) != 0]
        later = keys // max(len(self.rows), 1)
        self._fresh, self.keys = [], keys[_nth(later) < self.most_each]
        self.partners = np.bincount(self.keys // max(len(self.rows), 1), minlength=len(self.rows))

    def cosines(self, first: Ints, later: Ints) -> NDArray[np.float64]:
        cosines = np.empty(len(first))
        for low in range(0, len(first), _WIDE):
            part = slice(low, low + _WIDE)
            np.einsum("ij,ij->i", self.rows[first[part]], self.rows[later[part]], dtype=np.float64, out=cosines[part])
        return np.minimum(cosines, 1)

    def sorted(self) -> tuple[Ints, Ints, Floats]:
        self.settle()
        later, first = np.divmod(self.keys, max(len(self.rows), 1))
        order = np.lexsort((later, first))
        first, later = first[order], later[order]
        return first, later, self.cosines(first, later).astype(np.float32)


def _hashed(found: _Found, members: Ints) -> Iterator[float]:
    """Compare what meets in a table; yields the share of tables done."""
    held = found.rows if len(members) == len(found.rows) else found.rows[members]
    rng = np.random.default_rng(_SEED)
    sketches = _hashes(held, rng, _SKETCH_BITS).view(np.uint64).T.copy()
    unlike = math.acos(found.threshold) / math.pi
    deviation = math.sqrt(_SKETCH_BITS * unlike * (1 - unlike))
    most_differing = _SKETCH_BITS * unlike + _SKETCH_DEVIATIONS * deviation
    count = tables(found.threshold)
    for table in range(count):
        if table % _TABLES_AT_ONCE == 0:
            found.settle()
            hashes = _hashes(held, rng, PLANES * min(_TABLES_AT_ONCE, count - table)).view(np.uint16)
            yield table / count
        buckets = hashes[:, table % _TABLES_AT_ONCE]
        order = np.argsort(buckets, kind="stable")
        sizes = np.bincount(buckets)
        # Rows so much alike that hashing hardly parts them: comparing all of them once is the shorter way.
        if count * int((sizes * (sizes - 1)).sum()) > len(members) ** 2:
            found.compare(members)
            return
        _small_buckets(found, members, sketches, order, buckets[order], sizes, most_differing)
        starts = np.cumsum(sizes) - sizes
        for large in np.flatnonzero(sizes > _SMALL):
            found.compare(members[order[starts[large] : starts[large] + sizes[large]]])


def _small_buckets(
    found: _Found,
    members: Ints,
    sketches: NDArray[np.uint64],
    order: NDArray[np.intp],
    buckets: NDArray[np.uint16],
    sizes: NDArray[np.intp],
    most_differing: float,
) -> None:
    """Pairs of rows that share a small bucket: those at distance 1 in the order of buckets, at distance 2 and so on."""
    small = np.flatnonzero((sizes[buckets] <= _SMALL) & (sizes[buckets] > 1))
    order, buckets = order[small], buckets[small]
    for distance in range(1, _SMALL):
        met = np.flatnonzero(buckets[distance:] == buckets[:-distance])
        if not len(met):
            return
        for low in range(0, len(met), _CHUNK):
            first, later = order[met[low : low + _CHUNK]], order[met[low : low + _CHUNK] + distance]
            differing = np.zeros(len(first), dtype=np.uint16)
            for line in sketches:
                differing += np.bitwise_count(line[first] ^ line[later])
            near = differing <= most_differing
            i, j = members[first[near]], members[later[near]]
            new = ~found.known(j * len(found.rows) + i)
            i, j = i[new], j[new]
            found.add(i, j, found.cosines(i, j).astype(np.float32))


def _hashes(rows: Floats, rng: np.random.Generator, bits: int) -> NDArray[np.uint8]:
    """The signs of each row's products with random planes."""
    planes = rng.standard_normal((rows.shape[1], bits), dtype=np.float32)
    hashes = np.empty((len(rows), bits // 8), dtype=np.uint8)
    for low in range(0, len(rows), _CHUNK >> 3):
        part = slice(low, low + (_CHUNK >> 3))
        hashes[part] = np.packbits(rows[part] @ planes > 0, axis=1)
    return hashes


def _nth(ascending: Ints) -> Ints:
    """For each of these how many equal ones stand before it."""
    return np.arange(len(ascending)) - np.searchsorted(ascending, ascending)


def _members(groups: Ints) -> Iterator[Ints]:
    """The rows of each group that has more than one, ascending."""
    order = np.argsort(groups, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        if len(members) > 1:
            yield members
