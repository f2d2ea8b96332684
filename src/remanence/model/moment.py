"""Moments: aware datetimes in UTC outside, whole microseconds since 1970 inside a store.

A datetime without a zone is refused, since two readers would read two moments.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

MICROS_PER_DAY = 86_400_000_000
LAST_MOMENT = 253_402_300_799_999_999  # the end of the year 9999
NEVER = 2**63 - 1  # where there is no moment, among numbers of 64 bits
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def moment_problems(value: object, name: str) -> list[str]:
    """Why this value is no moment; empty when it is one."""
    if not isinstance(value, datetime):
        return [f"{name} must be a datetime with a zone, not {type(value).__name__}"]
    if value.tzinfo is None or value.utcoffset() is None:
        return [f"{name} {value.isoformat()} has no zone: add tzinfo, for example datetime.UTC"]
    try:
        value.astimezone(UTC)
    except OverflowError:
        return [f"{name} {value.isoformat()} is outside the years 1 to 9999 in UTC"]
    return []


def to_micros(value: datetime) -> int:
    """Microseconds since 1970-01-01 UTC, exact."""
    return (value - _EPOCH) // _MICROSECOND


def from_micros(value: int) -> datetime:
    """The moment in UTC; exact inverse of `to_micros`."""
    return _EPOCH + timedelta(0, 0, value)


def parse_moment(text: str) -> datetime:
    """An ISO 8601 text with a zone as a moment in UTC; ValueError when it is not one."""
    try:
        value = datetime.fromisoformat(text)
    except (ValueError, TypeError):
        raise ValueError(
            f"{str(text)[:60]!r} is no moment: write ISO 8601 with a zone, such as 2026-03-01T09:00Z"
        ) from None
    if value.tzinfo is None:
        raise ValueError(f"{text!r} has no zone: write for example {text}{'T00:00' if _is_date(text) else ''}Z")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{text!r} is outside the years 1 to 9999 in UTC") from None


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def moment_in(values: Mapping[str, Any], name: str) -> datetime | None:
    """The moment that stands in metadata under this name; None where anything else does, since callers write there."""
    value = values.get(name)
    if not isinstance(value, str):
        return None
    try:
        return parse_moment(value)
    except ValueError:
        return None


def earlier(moment: datetime, span: timedelta) -> datetime:
    """moment - span, at least the first moment a calendar has."""
    try:
        return moment - span
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


def later(moment: datetime, span: timedelta) -> datetime:
    """moment + span, at most the last moment a calendar has."""
    try:
        return moment + span
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)
