"""Which sets are alike: every pair of one group whose Jaccard overlap (shared / all) is above a threshold.

Exactly the pairs that comparing all with all would find, at a cost that follows what is alike. Two sets above 0.9
share one of their rarest tokens (of 20 tokens one of the two rarest), so each is looked up under those alone; sizes and
a 64-bit sketch of what differs rule out nearly all that meet by chance, and the rest is counted in whole numbers.

A set may carry marks, a second small set (the numbers a text states). Marks nest when one side holds all of the
other's; pairs whose marks must nest are looked up under their rarest mark, so that a hundred thousand alike sets of
which no two nest cost no more than as many strangers.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

_CHUNK = 50_000
_FIRST_WINDOW = 256
_GROWTH = 16
_MOST_MARK_KEYS = 4096
_SPREADS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93))

Size = TypeVar("Size", int, NDArray[np.int64])
_List = tuple[NDArray[np.int32], NDArray[np.uint64]]


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of numbers in one array: row i is values[starts[i]:starts[i + 1]]."""

    values: NDArray[np.int32]
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> NDArray[np.int32]:
        return self.values[self.starts[row] : self.starts[row + 1]]

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.starts)

    def take(self, rows: NDArray[np.intp]) -> Ragged:
        """The chosen rows, in this order."""
        sizes = self.sizes[rows]
        starts = _running(sizes)
        values = np.empty(starts[-1], dtype=np.int32)
        for low, high in _chunks(len(rows)):
            shift = np.repeat(self.starts[rows[low:high]] - starts[low:high], sizes[low:high])
            values[starts[low] : starts[high]] = self.values[shift + np.arange(starts[low], starts[high])]
        return Ragged(values, starts)


@dataclass(slots=True)
class Rows:
    """Rows of numbers as they come in: four bytes a number, eight a row."""

    values: array[int] = field(default_factory=lambda: array("i"))
    starts: array[int] = field(default_factory=lambda: array("q", [0]))

    def add(self, numbers: Iterable[int]) -> None:
        self.values.extend(numbers)
        self.starts.append(len(self.values))

    def taken(self, order: NDArray[np.intp]) -> Ragged:
        """The rows in this order; nothing is left here, since two copies would be held for nothing."""
        rows = self.ragged().take(order)
        self.values, self.starts = array("i"), array("q", [0])
        return rows

    def ragged(self) -> Ragged:
        return Ragged(np.asarray(self.values, dtype=np.int32), np.asarray(self.starts, dtype=np.int64))


class Match(NamedTuple):
    """A row that is alike, how many tokens are shared, and those that only the row asked for or only this row has."""

    row: int
    shared: int
    missing: set[int]
    added: set[int]

    @property
    def jaccard(self) -> float:
        return self.shared / (self.shared + len(self.missing) + len(self.added))


def alike_pairs(
    sets: Sequence[Collection[Hashable]], groups: Sequence[Collection[Hashable]], threshold: float
) -> Iterator[tuple[int, int]]:
    """Every pair (i, j), i < j, of sets above the threshold that share a group; each once."""
    likeness = Likeness(_numbered(sets), _numbered(groups), threshold)
    for row in range(len(sets)):
        for match in likeness.alike(row):
            yield match.row, row
        likeness.enter(row)


class Likeness:
    """Finds the entered sets that are alike to a given one. Rows must be entered in ascending order."""

    def __init__(self, sets: Ragged, groups: Ragged, threshold: float, marks: Ragged | None = None) -> None:
        self._percent = round(threshold * 100)
        self._sets = _rarest_first(sets)
        self._sizes = sets.sizes
        self._sketches, self._second_sketches = (_sketches(self._sets, spread) for spread in _SPREADS)
        self._marks = None if marks is None else _rarest_first(marks)
        groups = _with_peers(groups, self._sizes, self._percent)
        # An alike set holds more than the threshold's share of these tokens: it cannot miss all of the rarest.
        rarest = self._sizes - self._percent * self._sizes // 100
        self._tokens, _ = _keys(groups, self._sets, rarest)
        keys_of_marks = np.zeros(len(sets), dtype=np.int64) if marks is None else groups.sizes * marks.sizes
        # Sets with a great many marks are looked up like sets without any, and still compared by their marks.
        self._marked = (keys_of_marks > 0) & (keys_of_marks <= _MOST_MARK_KEYS)
        per_key = np.repeat(self._marked, self._tokens.sizes)
        self._by_token = (_Postings(self._tokens.values, ~per_key), _Postings(self._tokens.values, per_key))
        if self._marks is not None:
            self._mark_keys, self._leads = _keys(groups, self._marks, self._marks.sizes * self._marked)
            every = np.ones(len(self._leads), dtype=bool)
            self._by_mark = _Postings(self._mark_keys.values, every)
            self._by_rarest_mark = _Postings(self._mark_keys.values, self._leads)

    def enter(self, row: int) -> None:
        """From now on this row is found."""
        sketch = self._sketches[row]
        self._by_token[bool(self._marked[row])].enter(row, sketch, self._tokens[row])
        if self._marks is not None:
            keys, leads = self._keys_of_marks(row)
            self._by_mark.enter(row, sketch, keys)
            self._by_rarest_mark.enter(row, sketch, keys[leads])

    def alike(self, row: int, *, nested: bool = False) -> Iterator[Match]:
        """The entered sets that are alike to this one, ascending; `nested`: and whose marks nest with its own."""
        lists = self._nested_lists(row) if nested and self._marked[row] else self._all_lists(row)
        if not lists:
            return
        size = int(self._sizes[row])
        most_apart = int(self._spare(size + (100 * size - 1) // self._percent))
        tokens = set(self._sets[row].tolist())
        for window in _windows(lists, self._sketches[row], most_apart):
            for other in self._likely(row, window):
                others = self._sets[other].tolist()
                shared = len(tokens.intersection(others))
                if 100 * shared <= self._percent * (size + len(others) - shared):
                    continue
                if not nested or self.marks_nest(row, other):
                    yield Match(other, shared, tokens.difference(others), set(others).difference(tokens))

    def marks_nest(self, row: int, other: int) -> bool:
        """Whether one of the two has all the marks of the other."""
        if self._marks is None:
            return True
        mine, theirs = set(self._marks[row].tolist()), set(self._marks[other].tolist())
        return mine <= theirs or theirs <= mine

    def _all_lists(self, row: int) -> list[_List]:
        keys = self._tokens[row]
        return [*self._by_token[False].under(keys), *self._by_token[True].under(keys)]

    def _nested_lists(self, row: int) -> list[_List]:
        """Sets without marks, sets whose rarest mark is one of these, and sets that hold the rarest of these."""
        keys, leads = self._keys_of_marks(row)
        return [
            *self._by_token[False].under(self._tokens[row]),
            *self._by_rarest_mark.under(keys),
            *self._by_mark.under(keys[leads]),
        ]

    def _keys_of_marks(self, row: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        starts = self._mark_keys.starts
        return self._mark_keys[row], self._leads[starts[row] : starts[row + 1]]

    def _likely(self, row: int, others: NDArray[np.int32]) -> list[int]:
        """Those whose sizes and second sketches allow for enough shared tokens."""
        sizes = self._sizes[others]
        spare = self._spare(sizes + self._sizes[row])
        apart = np.bitwise_count(self._second_sketches[others] ^ self._second_sketches[row])
        fits = (np.abs(sizes - self._sizes[row]) <= spare) & (apart <= spare) & (others != row)
        likely: list[int] = others[fits].tolist()
        return likely

    def _spare(self, both: Size) -> Size:
        """In how many tokens two sets may differ, that have so many together, and still be alike."""
        return both - 2 * (self._percent * both // (100 + self._percent) + 1)


class _Postings:
    """The entered rows under each key, ascending, each with its sketch. Room for all that may come is set aside."""

    def __init__(self, keys: NDArray[np.int32], enters: NDArray[np.bool_]) -> None:
        most = int(keys.max()) + 1 if len(keys) else 0
        self._starts = _running(np.bincount(keys[enters], minlength=most))
        self._filled = np.zeros(most, dtype=np.int32)
        self._rows = np.empty(self._starts[-1], dtype=np.int32)
        self._sketches = np.empty(self._starts[-1], dtype=np.uint64)

    def enter(self, row: int, sketch: np.uint64, keys: NDArray[np.int32]) -> None:
        if len(keys):
            places = self._starts[keys] + self._filled[keys]
            self._rows[places] = row
            self._sketches[places] = sketch
            self._filled[keys] += 1

    def under(self, keys: NDArray[np.int32]) -> list[_List]:
        if not len(keys):
            return []
        keys = keys[self._filled[keys] > 0]
        starts = self._starts[keys]
        ends = starts + self._filled[keys]
        return [
            (self._rows[start:end], self._sketches[start:end])
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ]


def _windows(lists: list[_List], sketch: np.uint64, most_apart: int) -> Iterator[NDArray[np.int32]]:
    """Rows of ascending lists, each once, in ascending and growing windows: who stops early has paid little.

    Left out is what a sketch tells to be too far apart: two sketches never differ in more bits than the sets in tokens.
    """
    reach = _FIRST_WINDOW
    while lists:
        longer = [rows[reach - 1] for rows, _ in lists if len(rows) > reach]
        if longer:
            last = min(longer)
            ends = [int(np.searchsorted(rows, last, side="right")) for rows, _ in lists]
        else:
            ends = [len(rows) for rows, _ in lists]
        found = [
            rows[:end][np.bitwise_count(sketches[:end] ^ sketch) <= most_apart]
            for (rows, sketches), end in zip(lists, ends, strict=True)
        ]
        near = found[0] if len(found) == 1 else np.concatenate(found)
        if len(near):
            yield near if len(found) == 1 else np.unique(near)
        lists = [
            (rows[end:], sketches[end:]) for (rows, sketches), end in zip(lists, ends, strict=True) if end < len(rows)
        ]
        reach *= _GROWTH


def _numbered(sets: Iterable[Collection[Hashable]]) -> Ragged:
    numbers: dict[Hashable, int] = {}
    rows = Rows()
    for each in sets:
        rows.add([numbers.setdefault(token, len(numbers)) for token in set(each)])
    return rows.ragged()


def _rarest_first(sets: Ragged) -> Ragged:
    """The same rows, each sorted by how rare its numbers are over all rows."""
    width = int(sets.values.max()) + 1 if len(sets.values) else 1
    order = np.argsort(np.bincount(sets.values, minlength=width), kind="stable")
    rank = np.empty(width, dtype=np.int64)
    rank[order] = np.arange(width)
    values = np.empty(len(sets.values), dtype=np.int32)
    sizes = sets.sizes
    for low, high in _chunks(len(sets)):
        part = slice(sets.starts[low], sets.starts[high])
        ranked = np.repeat(np.arange(high - low) * width, sizes[low:high]) + rank[sets.values[part]]
        ranked.sort()
        values[part] = order[ranked % width]
    return Ragged(values, sets.starts)


def _sketches(sets: Ragged, spread: np.uint64) -> NDArray[np.uint64]:
    """64 bits for each row: each of its numbers flips one of them."""
    sketches = np.zeros(len(sets), dtype=np.uint64)
    for low, high in _chunks(len(sets)):
        numbers = sets.values[sets.starts[low] : sets.starts[high]].astype(np.uint64)
        flips = np.uint64(1) << ((numbers * spread) >> np.uint64(58))
        filled = np.flatnonzero(sets.sizes[low:high])
        if len(filled):
            sketches[low + filled] = np.bitwise_xor.reduceat(flips, sets.starts[low + filled] - sets.starts[low])
    return sketches


def _with_peers(groups: Ragged, sizes: NDArray[np.int64], percent: int) -> Ragged:
    """The groups of each row in which another one is near enough in size to be alike."""
    rows = np.repeat(np.arange(len(groups)), groups.sizes)
    order = np.lexsort((sizes[rows], groups.values))
    group, size = groups.values[order], sizes[rows][order]
    near = (group[1:] == group[:-1]) & (100 * size[:-1] > percent * size[1:])
    kept = np.zeros(len(rows), dtype=bool)
    kept[order[1:][near]] = True
    kept[order[:-1][near]] = True
    return Ragged(groups.values[kept], _running(kept)[groups.starts])


def _keys(groups: Ragged, terms: Ragged, lengths: NDArray[np.int64]) -> tuple[Ragged, NDArray[np.bool_]]:
    """A number for each (group, term) of each row's first terms that another row has too; whether it is the first."""
    counts = groups.sizes * lengths
    starts = _running(counts)
    names = np.empty(starts[-1], dtype=np.int64)
    leads = np.empty(starts[-1], dtype=bool)
    width = int(terms.values.max()) + 1 if len(terms.values) else 1
    for low, high in _chunks(len(groups)):
        part = slice(starts[low], starts[high])
        row = np.repeat(np.arange(low, high), counts[low:high])
        nth_group, nth_term = np.divmod(np.arange(part.start, part.stop) - starts[row], lengths[row])
        group = groups.values[groups.starts[row] + nth_group].astype(np.int64)
        names[part] = group * width + terms.values[terms.starts[row] + nth_term]
        leads[part] = nth_term == 0
    ordered = np.sort(names)
    met = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    del ordered
    numbers = np.searchsorted(met, names)
    kept = np.zeros(len(names), dtype=bool)
    if len(met):
        kept = met[np.minimum(numbers, len(met) - 1)] == names
    return Ragged(numbers[kept].astype(np.int32), _running(kept)[starts]), leads[kept]


def _running(counts: NDArray[np.int64] | NDArray[np.bool_]) -> NDArray[np.int64]:
    """0 and the running total."""
    totals = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=totals[1:])
    return totals


def _chunks(rows: int) -> Iterator[tuple[int, int]]:
    """Row ranges small enough for temporary arrays."""
    return ((low, min(low + _CHUNK, rows)) for low in range(0, rows, _CHUNK))
