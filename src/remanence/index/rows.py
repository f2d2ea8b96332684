"""What a Matrix holds at one moment: a row of labels and signs for each memory, and the vectors decoded so far.

A `Rows` never changes for those who read it. Rows are added behind its count, where nobody looks yet; every other
change copies the few small arrays it touches. A reader that holds one has a consistent state for as long as it likes.

The vectors are a cache with slots, filled in the order of need: a slot is written once, under the matrix's lock, and
only then named in `slots`. Memory is reserved for all slots at once, and taken by the system as they fill. Where a
vector is replaced there is a new array of slots, so a reader late with the old one writes where nobody looks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Positions = NDArray[np.intp]
Column = TypeVar("Column", bound=NDArray[Any])
GONE = -1
_LEAST_GONE = 1024
_LEAST_ROOM = 256


class Cache:
    """Decoded vectors with the bits they were stored in, by slot."""

    def __init__(self, size: int, dimension: int) -> None:
        self.vectors = np.empty((size, dimension), dtype=np.float32)
        self.bits = np.empty(size, dtype=np.int8)
        self.used = 0


@dataclass(frozen=True, slots=True)
class Rows:
    """Ascending numbers with labels, in arrays of `count` or more; `words` are the signs, a line for 64 components."""

    count: int
    gone: int
    nos: Ints
    shelves: NDArray[np.int32]
    states: NDArray[np.int8]
    bits: NDArray[np.int8]
    words: NDArray[np.uint64]
    slots: NDArray[np.int32]
    cache: Cache

    def positions(self, nos: Ints) -> Positions:
        """Where each number is; -1 where it is not, or no longer."""
        at = self._places(nos)
        at[at >= 0] = np.where(self.states[at[at >= 0]] == GONE, -1, at[at >= 0])
        return at

    def merged(self, given: Rows) -> Rows:
        """With these rows, ascending and each number once, in place of those with the same numbers or added."""
        if given.count and (not self.count or given.nos[0] > self.nos[self.count - 1]):
            return self._added(given)
        at = self._places(given.nos)
        known = np.flatnonzero(at >= 0)
        rows = self._replaced(at[known], given.taken(known)) if len(known) else self
        return rows._added(given.taken(np.flatnonzero(at < 0))) if len(known) < given.count else rows

    def fits_behind(self, no: int) -> bool:
        """Whether there is room for a row and a vector behind the others, and this number is above theirs."""
        behind = not self.count or no > self.nos[self.count - 1]
        return behind and self.count < len(self.nos) and self.cache.used < len(self.cache.bits)

    def with_one(
        self, no: int, shelf: int, state: int, bits: int, words: NDArray[np.uint64], vector: NDArray[np.float32]
    ) -> Rows:
        """With one more row, and its vector in the cache."""
        at, slot, cache = self.count, self.cache.used, self.cache
        cache.vectors[slot], cache.bits[slot] = vector, bits
        cache.used = slot + 1
        self.nos[at], self.shelves[at], self.states[at], self.bits[at] = no, shelf, state, bits
        self.slots[at], self.words[:, at] = slot, words
        return Rows(
            at + 1, self.gone, self.nos, self.shelves, self.states, self.bits, self.words, self.slots, self.cache
        )

    def without(self, at: Positions) -> Rows:
        """With these rows marked as gone; without all that are, once they are many."""
        rows = replace(self, states=_with(self.states, at, GONE), gone=self.gone + len(at))
        return rows.compact() if rows.gone > max(_LEAST_GONE, rows.count // 4) else rows

    def compact(self) -> Rows:
        return replace(self.taken(np.flatnonzero(self.states[: self.count] != GONE)), gone=0)

    def taken(self, order: Positions) -> Rows:
        """The chosen rows alone, in this order, in arrays that they fill."""
        columns: dict[str, Any] = {name: getattr(self, name)[order] for name in _COLUMNS}
        return replace(self, count=len(order), words=self.words[:, order], **columns)

    def _places(self, nos: Ints) -> Positions:
        if not self.count:
            return np.full(len(nos), -1, dtype=np.intp)
        at = np.minimum(np.searchsorted(self.nos[: self.count], nos), self.count - 1)
        return np.where(self.nos[at] == nos, at, -1)

    def _replaced(self, at: Positions, given: Rows) -> Rows:
        rows = replace(
            self,
            shelves=_with(self.shelves, at, given.shelves),
            states=_with(self.states, at, given.states),
            bits=_with(self.bits, at, given.bits),
            slots=_with(self.slots, at, -1),
            gone=self.gone - int(np.count_nonzero(self.states[at] == GONE)),
        )
        if np.array_equal(self.words[:, at], given.words):
            return rows
        # By far the largest array; a coarser code keeps the signs, so that only a new vector comes here.
        words = self.words.copy()
        words[:, at] = given.words
        return replace(rows, words=words)

    def _added(self, given: Rows) -> Rows:
        """With rows whose numbers are new: behind the others where that keeps the order, else all in new arrays."""
        total, part = self.count + given.count, slice(self.count, self.count + given.count)
        rows = replace(self if total <= len(self.nos) else self._roomier(total), count=total)
        for name in _COLUMNS:
            getattr(rows, name)[part] = getattr(given, name)
        rows.words[:, part] = given.words
        if not self.count or given.nos[0] > self.nos[self.count - 1]:
            return rows
        return rows.taken(np.argsort(rows.nos[:total]))

    def _roomier(self, count: int) -> Rows:
        room = max(_LEAST_ROOM, count + count // 2)
        columns: dict[str, Any] = {name: _longer(getattr(self, name)[: self.count], room) for name in _COLUMNS}
        return replace(self, words=_longer(self.words[:, : self.count], room), **columns)


_COLUMNS = ("nos", "shelves", "states", "bits", "slots")


def _with(column: Column, at: Positions, values: NDArray[Any] | int) -> Column:
    copied = column.copy()
    copied[at] = values
    return copied


def _longer(column: NDArray[Any], room: int) -> NDArray[Any]:
    longer = np.empty((*column.shape[:-1], room), dtype=column.dtype)
    longer[..., : column.shape[-1]] = column
    return longer
