"""Ids: UUIDv7, so that later ids sort after earlier ones.

48 bits of milliseconds, then randomness. Within one maker ids only rise, even when the clock stands still or goes
back: the next one is then the last plus one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

from remanence.model.moment import to_micros

_VERSION = 0x7 << 76
_VARIANT = 0b10 << 62
_RANDOM_LOW = (1 << 62) - 1
_RANDOM_HIGH = (1 << 12) - 1


class Ids:
    """Makes ids from a clock reading and a source of random bytes."""

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self._entropy = entropy
        self._guard = threading.Lock()
        self._last = 0

    def next(self, now: datetime) -> str:
        millis = max(0, to_micros(now) // 1000) & ((1 << 48) - 1)
        chance = int.from_bytes(self._entropy(10), "big")
        fresh = millis << 74 | (chance & ((1 << 74) - 1))
        with self._guard:
            self._last = max(fresh, self._last + 1)
            return _written(self._last)


def _written(value: int) -> str:
    """74 + 48 free bits with version and variant put between them, in the usual hyphened form."""
    millis, high, low = value >> 74, value >> 62 & _RANDOM_HIGH, value & _RANDOM_LOW
    text = f"{millis << 80 | _VERSION | high << 64 | _VARIANT | low:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
