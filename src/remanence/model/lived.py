"""How a namespace was lived in: the days on which somebody was there, and what was missed after rules had archived it.

A day is a number in UTC, 0 is 1970-01-01. The days before `today` are known; today counts as soon as somebody was
there, and of the days to come it is taken that somebody will be there on each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from remanence.model.moment import MICROS_PER_DAY, to_micros


class Missed(NamedTuple):
    """Of one kind: how many memories that rules had archived were missed, of how many archived ones."""

    memories: int
    archived: int


@dataclass(frozen=True, slots=True)
class Lived:
    """What the activity clock and the feedback of regrets go by; `late_days` came when dates were made already."""

    days: tuple[int, ...]
    today: int
    late_days: int = 0
    missed: Mapping[str, Missed] = field(default_factory=dict)


def day_of(moment: datetime) -> int:
    """The number of a moment's day: 86,400 seconds after 1970 it is 1."""
    return to_micros(moment) // MICROS_PER_DAY
