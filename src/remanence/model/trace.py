"""A trace: what is known of a namespace's past, as rules could have seen it at any moment.

It holds all memories as they are now and every known moment at which one was used, in microseconds since 1970. A use
is a recall that found the memory, one that missed it while it was archived, or a host's word that it was of use.
Accesses known by number alone (`unplaced`) count as before the oldest known one. `left_at` is when a memory left for
another reason than its age: replaced, merged, put away by hand. What else is told of a memory (importance, layer, pins)
is as it is now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remanence.errors import InvalidInput
from remanence.model.columns import STATES, Columns
from remanence.model.memory import State
from remanence.model.moment import LAST_MOMENT, NEVER, from_micros

Moments = NDArray[np.int64]
Rows = NDArray[np.intp]
RECENT = 20
_NAMED = 10  # of the problems of a trace, so many are told in full
_LIVE = STATES.index(State.LIVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Memories and their uses: those of row i are `moments[first[i]:first[i + 1]]`, oldest first."""

    columns: Columns
    moments: Moments
    first: NDArray[np.int64]
    unplaced: NDArray[np.int64]
    left_at: Moments
    begins: int
    ends: int
    left_out: int = 0
    """How many uses had broken times and are not here."""

    def __len__(self) -> int:
        return len(self.columns)

    @classmethod
    def from_events(
        cls,
        columns: Columns,
        uses: Sequence[Sequence[Any]],
        *,
        begins: int,
        ends: int,
        left_at: ArrayLike | None = None,
    ) -> Trace:
        """A trace from the uses of each row; InvalidInput names every broken time."""
        problems = [] if len(uses) == len(columns) else [f"{len(columns)} memories, but uses of {len(uses)}"]
        if begins > ends:
            problems.append(f"the trace ends {told(ends)}, before it begins {told(begins)}")
        rows: list[int] = []
        moments: list[int] = []
        for row, some in enumerate(uses):
            for moment in some:
                if isinstance(moment, bool) or not isinstance(moment, int | float | np.integer | np.floating):
                    problems.append(f"row {row}: use {moment!r} is no number of microseconds")
                elif not -LAST_MOMENT <= float(moment) <= LAST_MOMENT:
                    problems.append(f"row {row}: use {moment!r} is outside the calendar")
                else:
                    rows.append(row)
                    moments.append(int(moment))
        if not problems:
            born = columns.created_at.tolist()
            for row, moment in zip(rows, moments, strict=True):
                if moment < born[row]:
                    problems.append(f"row {row}: used {told(moment)}, before its birth {told(born[row])}")
                elif moment > ends:
                    problems.append(f"row {row}: used {told(moment)}, after the end {told(ends)}")
        if problems:
            more = len(problems) - _NAMED
            raise InvalidInput([*problems[:_NAMED], *([f"and {more:,} more broken times"] if more > 0 else [])])
        return cls.from_uses(columns, rows, moments, begins=begins, ends=ends, left_at=left_at)

    @classmethod
    def from_uses(
        cls,
        columns: Columns,
        rows: ArrayLike,
        moments: ArrayLike,
        *,
        begins: int,
        ends: int,
        left_at: ArrayLike | None = None,
        unplaced: ArrayLike | None = None,
    ) -> Trace:
        """A trace from pairs of row and moment in any order; broken times are left out and counted."""
        size = len(columns)
        of, at = np.asarray(rows, dtype=np.intp), np.asarray(moments, dtype=np.int64)
        left = np.full(size, NEVER) if left_at is None else np.asarray(left_at, dtype=np.int64)
        sound = (at >= columns.created_at[of]) & (at <= ends)
        kept = sound & (at <= left[of])
        order = np.lexsort((at[kept], of[kept]))
        of, at = of[kept][order], at[kept][order]
        return cls(
            columns=columns,
            moments=at,
            first=np.append(0, np.cumsum(np.bincount(of, minlength=size))).astype(np.int64),
            unplaced=np.zeros(size, dtype=np.int64) if unplaced is None else np.asarray(unplaced, dtype=np.int64),
            left_at=left,
            begins=begins,
            ends=ends,
            left_out=int((~sound).sum()),
        )

    @property
    def uses(self) -> tuple[Moments, ...]:
        """The known uses of each row, oldest first."""
        return tuple(np.split(self.moments, self.first[1:-1])) if len(self) else ()

    @property
    def number(self) -> NDArray[np.int64]:
        """How many known uses each row has."""
        return np.diff(self.first)

    @property
    def known_from(self) -> Moments:
        """From when on every use of a row is known: its birth, or its oldest known use where earlier ones are not.

        Of a row that was used at moments which nobody knows, nothing is known before the end.
        """
        known = self.columns.created_at.copy()
        known[(self.unplaced > 0) & (self.number == 0)] = self.ends
        if len(self.moments):
            oldest = self.moments[np.minimum(self.first[:-1], len(self.moments) - 1)]
            partly = (self.unplaced > 0) & (self.number > 0)
            known[partly] = oldest[partly]
        return known

    def used_by(self, moment: int) -> NDArray[np.int64]:
        """How many of its known uses each row has had by a moment."""
        counted = np.append(0, np.cumsum(self.moments <= moment))
        return np.diff(counted[self.first])

    def living(self, moment: int) -> Rows:
        """The rows that are born by a moment and have not left for another reason than their age."""
        return np.flatnonzero((self.columns.created_at <= moment) & (self.left_at > moment))

    def as_of(self, moment: int) -> Columns:
        """The memories living at a moment, with the accesses known by then."""
        rows = self.living(moment)
        return self.knowing(rows, self.used_by(moment)[rows])

    def knowing(self, rows: Rows, number: NDArray[np.int64]) -> Columns:
        """Some rows, live, each as it was after so many of its known uses."""
        columns = self.columns.take(rows)
        start, number = self.first[rows], np.asarray(number, dtype=np.int64)
        shown = np.minimum(number, RECENT)
        width = int(shown.max(initial=0))
        place = np.arange(width)[None, :]
        at = (start + number - shown)[:, None] + place
        recent = np.where(place < shown[:, None], self.moments[np.minimum(at, len(self.moments) - 1)], NEVER)
        last = columns.created_at.copy()
        used = number > 0
        last[used] = self.moments[(start + number - 1)[used]]
        count = self.unplaced[rows] + number
        share = np.minimum(count / np.maximum(self.unplaced[rows] + self.number[rows], 1), 1.0)
        return replace(
            columns,
            state=np.full(len(rows), _LIVE, dtype=np.int8),
            access_count=count,
            # Confirmed uses and rejections are known by number alone: they come as the accesses do.
            uses=np.floor(columns.uses * share).astype(np.int64),
            rejections=np.floor(columns.rejections * share).astype(np.int64),
            last_accessed_at=last,
            recent=recent.astype(np.int64).reshape(len(rows), width),
            # What a restore kept for a while was not kept before it, and a replay brings back by use.
            kept_until=np.full(len(rows), NEVER, dtype=np.int64),
        )


def told(moment: int) -> str:
    """A moment in words; the number itself where it is outside the calendar."""
    try:
        return f"{from_micros(moment):%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError):
        return str(moment)
