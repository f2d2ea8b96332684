"""Durations as people write them: "12h", "30d", "2w", "6m" (months of 30 days), "1y" (365 days).

To other parsers "6m" is six minutes; here a memory's life is never that short, so m is a month.
"""

from __future__ import annotations

import re
from datetime import timedelta

_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "m": 24 * 30, "y": 24 * 365}
_FORM = re.compile(r"([0-9]{1,6})([hdwmy])", re.ASCII)
_HELP = "a whole number and one of h, d, w, m (30 days) or y (365 days), such as 12h, 30d or 6m"


def duration_problems(value: object, name: str) -> list[str]:
    """Why this value is no duration; empty when it is one."""
    if isinstance(value, timedelta):
        return [] if value > timedelta(0) else [f"{name} must be longer than nothing"]
    if not isinstance(value, str):
        return [f"{name} must be {_HELP}, not {type(value).__name__}"]
    match = _FORM.fullmatch(value)
    if match is None:
        return [f"{name} {value[:40]!r} is not a duration: write {_HELP}"]
    return [] if int(match[1]) else [f"{name} {value!r} must be longer than nothing"]


def duration(value: str | timedelta) -> timedelta:
    """The span a valid duration stands for; "6m" is 180 days."""
    if isinstance(value, timedelta):
        return value
    match = _FORM.fullmatch(value)
    if match is None:
        raise ValueError(value)
    return timedelta(hours=int(match[1]) * _HOURS[match[2]])
