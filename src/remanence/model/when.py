"""When, in words: "last week", "3 days ago", "yesterday", "7d", a date, or ISO 8601 with a zone.

A span has a first and a last moment: `since` takes the first, `until` the last. Days, weeks (from Monday), months and
years are those of the calendar in UTC; "7d" and "3 days ago" count back from now.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from remanence.model.duration import duration, duration_problems
from remanence.model.moment import earlier, parse_moment

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_AGO = re.compile(r"(\d{1,6}|an?)\s*(minute|hour|day|week|month|year)s?\s+ago")
_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1, "week": 7, "month": 30, "year": 365}
_LAST_MICROSECOND = timedelta(microseconds=1)
_KNOWN = 'write for example "last week", "3 days ago", 7d, 2026-03-01 or 2026-03-01T12:00Z'


def told(text: str, now: datetime, *, end: bool = False) -> datetime:
    """The first moment of what the words say, or the last; ValueError when they say nothing known."""
    words = " ".join(text.casefold().split())
    if words == "now":
        return now
    if not duration_problems(words, "when"):
        return earlier(now, duration(words))
    if match := _AGO.fullmatch(words):
        number = 1 if match[1].startswith("a") else int(match[1])
        return earlier(now, timedelta(days=min(number * _DAYS[match[2]], 4_000_000)))
    try:
        span = _span(words, now.astimezone(UTC).date())
    except OverflowError:
        raise ValueError(f"{text[:60]!r} is outside the calendar") from None
    if span is None:
        return _moment(text)
    return _midnight(span[1]) - _LAST_MICROSECOND if end else _midnight(span[0])


def _moment(text: str) -> datetime:
    try:
        return parse_moment(text)
    except ValueError as reason:
        raise ValueError(str(reason) if "no zone" in str(reason) else f"{text[:60]!r} is no moment: {_KNOWN}") from None


def _span(words: str, today: date) -> tuple[date, date] | None:
    """The first day, and the day after the last; OverflowError where the calendar ends."""
    which, _, unit = words.partition(" ")
    if words in ("today", "yesterday"):
        day = today - timedelta(days=words == "yesterday")
        return day, day + timedelta(days=1)
    if which in ("this", "last") and unit in ("week", "month", "year"):
        return _turn(unit, today, back=which == "last")
    name = unit if which == "last" else words
    if name in WEEKDAYS:
        day = today - timedelta(days=(today.weekday() - WEEKDAYS.index(name)) % 7 or (7 if which == "last" else 0))
        return day, day + timedelta(days=1)
    try:
        day = date.fromisoformat(words)
    except ValueError:
        return None
    return day, day + timedelta(days=1)


def _turn(unit: str, today: date, *, back: bool) -> tuple[date, date]:
    """This week, month or year, or the one before."""
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return monday, monday + timedelta(days=7)
    if unit == "month":
        first = today.replace(day=1)
        first = (first - timedelta(days=1)).replace(day=1) if back else first
        return first, (first + timedelta(days=32)).replace(day=1)
    year = today.year - back
    if not date.min.year <= year < date.max.year:
        raise OverflowError
    return date(year, 1, 1), date(year + 1, 1, 1)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
