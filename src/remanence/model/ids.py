"""Ids: UUIDv7, so that later ids sort after earlier ones.

48 bits of milliseconds, then 74 of randomness. Ids only rise, even when the clock stands still or goes back: the next
one is then the last plus one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime

from remanence.model.moment import LAST_MOMENT, from_micros, to_micros

RANDOM_BYTES = 10
_VERSION = 0x7 << 76
_VARIANT = 0b10 << 62
_RANDOM_LOW = (1 << 62) - 1
_RANDOM_HIGH = (1 << 12) - 1


class Ids:
    """Gives one id after the other; threads may share it through the lock they bring."""

    def __init__(self, entropy: Callable[[int], bytes], guard: AbstractContextManager[object]) -> None:
        self._entropy = entropy
        self._guard = guard
        self._last = 0

    def __call__(self, now: datetime) -> str:
        with self._guard:
            self._last = following(self._last, now, self._entropy(RANDOM_BYTES))
            return written(self._last)


def made_at(id: str) -> datetime:
    """When an id was given, to the millisecond."""
    return from_micros(min(int(id.replace("-", "")[:12], 16) * 1000, LAST_MOMENT))


def following(last: int, now: datetime, chance: bytes) -> int:
    """The number of the next id: later than `last`, whatever the clock says."""
    millis = max(0, to_micros(now) // 1000) & ((1 << 48) - 1)
    fresh = millis << 74 | (int.from_bytes(chance, "big") & ((1 << 74) - 1))
    return max(fresh, last + 1)


def written(number: int) -> str:
    """An id's number with version and variant put in, in the usual hyphened form."""
    millis, high, low = number >> 74, number >> 62 & _RANDOM_HIGH, number & _RANDOM_LOW
    text = f"{millis << 80 | _VERSION | high << 64 | _VARIANT | low:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
