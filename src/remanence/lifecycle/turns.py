"""Turns: who of many is looked at today, where a run may look at few.

The choice is the same all day, so that a second run changes nothing, and another every day, so that nobody starves.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from hashlib import blake2b


def of_the_day(items: Iterable[str], now: datetime, most: int) -> list[str]:
    """So many of the items, others every day: what bounds a run must not starve anyone, nor change within a day."""
    day = now.date().isoformat()
    return sorted(items, key=lambda item: blake2b(f"{day} {item}".encode(), digest_size=8).digest())[:most]
