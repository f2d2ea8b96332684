"""The activity clock: it runs on days on which somebody was there, and stands still on all others.

Times are microseconds since 1970 (int64), spans are days (float). A day is one of 24 hours in UTC, and active as a
whole. From a day on, which lies ahead of what is known, every day counts as active. The clock never runs faster than
the calendar and never backwards; between two moments of which the second is the earlier, no time passes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remanence.lifecycle.retention import elapsed_days
from remanence.model.lived import Lived
from remanence.model.moment import LAST_MOMENT, MICROS_PER_DAY, NEVER

Floats = NDArray[np.float64]
Times = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ActivityClock:
    """Active days, sorted, all of them before the day from which on every day is active."""

    days: Times
    open_from: int

    @property
    def opens_at(self) -> int:
        """The moment from which on every day is active."""
        return self.open_from * MICROS_PER_DAY

    def micros(self, at: ArrayLike) -> Times:
        """The active time before each moment, in microseconds: with days 0 and 10 active, noon of day 10 → 1.5 days."""
        moments = np.asarray(at, dtype=np.int64)
        number = len(self.days)
        ahead = number * MICROS_PER_DAY + (moments - self.opens_at)
        if not moments.size or moments.min() >= self.opens_at or not number:
            return np.where(moments >= self.opens_at, ahead, 0)
        day = moments // MICROS_PER_DAY
        before = np.searchsorted(self.days, day)
        active = self.days[np.minimum(before, number - 1)] == day
        passed = before * MICROS_PER_DAY + np.where(active, moments - day * MICROS_PER_DAY, 0)
        return np.where(moments >= self.opens_at, ahead, passed)

    def first_at(self, since: Times, days: ArrayLike, more_micros: int = 0) -> Times:
        """The first moment so many active days (floored to a microsecond) after another; NEVER beyond any calendar.

        With days 0 and 10 active, one day after noon of day 0 is noon of day 10.
        """
        span = np.asarray(days, dtype=np.float64) * MICROS_PER_DAY
        fits = np.isfinite(span) & (span < LAST_MOMENT) & (since != NEVER)
        micros = np.where(fits, np.floor(span), 0).astype(np.int64) + more_micros
        wanted = self.micros(since) + micros
        found = self.opens_at + (wanted - len(self.days) * MICROS_PER_DAY)
        if len(self.days):
            place = np.clip((wanted - 1) // MICROS_PER_DAY, 0, len(self.days) - 1)
            within = self.days[place] * MICROS_PER_DAY + (wanted - place * MICROS_PER_DAY)
            found = np.where(wanted > len(self.days) * MICROS_PER_DAY, found, within)
        found = np.where(micros > 0, found, since + micros)
        return np.where(fits & (found < LAST_MOMENT), found, NEVER)


def activity_clock(lived: Lived, *, ahead: bool = False) -> ActivityClock:
    """The clock as it stands: today counts where somebody was there. `ahead` counts today, too: somebody may come."""
    open_from = lived.today if ahead else lived.today + 1
    days = np.array(lived.days, dtype=np.int64)
    return ActivityClock(days[days < open_from], open_from)


def active_days(clock: ActivityClock, since: ArrayLike, until: ArrayLike) -> Floats:
    """Active days between two moments: with days 0 and 10 active, from noon of 0 to 6:00 of 10 → 0.75, not 9.75."""
    return elapsed_days(clock.micros(since), clock.micros(until))
