"""Recency: how much it says that a memory was used lately, learned from how the memories beside it were used.

Where people talk, what was recalled yesterday is wanted tomorrow hardly more than anything else; where work goes on,
hardly anything else is. So nobody has to know which it is: each of the newest uses is held against the others' last use
before it. What that shows, the lift, is 0 where uses pay no regard to recency, and 1 where the last used is always the
next. Uses on the same UTC day are one use, or whatever is recalled twice in a session would show a lift.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.retention import Floats
from remanence.model.columns import Columns
from remanence.model.moment import MICROS_PER_DAY, NEVER

WEIGHT = 6.0
EXPONENT = 3
"""Recency counts by the cube of its lift: one of .7 for 2.1, one of .25, as related talk alone shows, for .09."""
DOUBT = 20
"""So many uses are half convincing."""
_NEWEST_USES = 100
_OTHERS = 500
_LEAST_USES = 10
_UNKNOWN = np.iinfo(np.int64).min


class Lift(NamedTuple):
    """How far uses go by recency, from 0 to 1; the usual days between two uses of a memory; how many uses showed it."""

    share: float
    gap_days: float
    uses: int


def recency(columns: Columns, idle_days: Floats) -> Floats:
    """What being unused costs each memory, as a logarithm: 0 for one used just now, or where recency says nothing.

    At a lift of .7 that 100 uses showed, and gaps of 8 days, 24 days cost 6 · .7^3 · 100/120 · ln(1 + 24/8) = 2.38.
    """
    lift = lift_of(columns)
    weight = WEIGHT * lift.share**EXPONENT * lift.uses / (lift.uses + DOUBT)
    return 0.0 - weight * np.log1p(np.maximum(idle_days, 0.0) / lift.gap_days)


def lift_of(columns: Columns) -> Lift:
    """The lift that the newest uses of these memories show; none where there are hardly any."""
    days = np.where(columns.recent == NEVER, _UNKNOWN, columns.recent // MICROS_PER_DAY)
    born = columns.created_at // MICROS_PER_DAY
    all_known = columns.access_count <= (days != _UNKNOWN).sum(axis=1)
    before = np.column_stack([np.where(all_known, born, _UNKNOWN), days])[:, :-1]
    row, place = np.nonzero((before != _UNKNOWN) & (days > before))
    newest = np.argsort(days[row, place], kind="stable")[-_NEWEST_USES:]
    used, last = days[row, place][newest], before[row, place][newest]
    some = np.arange(0, len(columns), max(1, len(columns) // _OTHERS))
    seen = np.column_stack([born, days])[some]
    passed_over = [share for day, since in zip(used, last, strict=True) if (share := _later(seen, day, since)) >= 0]
    number = len(passed_over)
    if number < _LEAST_USES:
        return Lift(0.0, 1.0, number)
    return Lift(max(0.0, 1.0 - 2.0 * float(np.mean(passed_over))), float(np.median(used - last)), number)


def _later(seen: NDArray[np.int64], day: np.int64, since: np.int64) -> float:
    """Of the memories there before a day, the share last used later than then, ties by half; -1 for too few."""
    lasts = np.where(seen < day, seen, _UNKNOWN).max(axis=1)
    lasts = lasts[lasts != _UNKNOWN]
    if len(lasts) < _LEAST_USES:
        return -1.0
    return float(((lasts > since).sum() + (lasts == since).sum() / 2) / len(lasts))
