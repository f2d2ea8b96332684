"""Moments: exact to the microsecond, never without a zone."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.model.moment import from_micros, later, moment_problems, parse_moment, to_micros


@given(st.datetimes(timezones=st.just(UTC)))
def test_micros_are_exact(moment: datetime) -> None:
    assert from_micros(to_micros(moment)) == moment
    assert parse_moment(moment.isoformat()) == moment


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_micros_keep_the_order(a: datetime, b: datetime) -> None:
    assert (a < b) is (to_micros(a) < to_micros(b))


@pytest.mark.parametrize(
    "value",
    [
        None,
        5,
        "2026-01-01",
        date(2026, 1, 1),
        datetime(2026, 1, 1),
        datetime.min,
        timedelta(1),
        True,
        datetime.min.replace(tzinfo=timezone(timedelta(hours=1))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))),
    ],
)
def test_no_moments(value: object) -> None:
    (problem,) = moment_problems(value, "since")
    assert problem.startswith("since")


@pytest.mark.parametrize(
    "value",
    [
        datetime.min.replace(tzinfo=UTC),
        datetime.max.replace(tzinfo=UTC),
        datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=14))),
    ],
)
def test_moments(value: datetime) -> None:
    assert moment_problems(value, "since") == []


@pytest.mark.parametrize("text", ["2026-03-01", "20260301", "2026-03-01T09:00", "2026-03-01 09:00:30", "2026-W09-7"])
def test_what_has_no_zone_is_answered_with_what_is_taken(text: str) -> None:
    with pytest.raises(ValueError, match="has no zone") as refused:
        parse_moment(text)
    assert parse_moment(str(refused.value).partition("write for example ")[2]).date() == date(2026, 3, 1)


def test_zones_are_read_as_utc() -> None:
    assert parse_moment("2026-01-01T02:00:00+02:00") == datetime(2026, 1, 1, tzinfo=UTC)
    assert parse_moment("2026-01-01T00:00:00Z").utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    "text", ["", "2026-01-01", "2026-01-01T00:00:00", "yesterday", "0001-01-01T00:00:00+23:00", "\ud800"]
)
def test_no_moment_texts(text: str) -> None:
    with pytest.raises(ValueError):
        parse_moment(text)


def test_later_stops_at_the_end_of_the_calendar() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    assert later(start, timedelta(days=1)) == datetime(2026, 1, 2, tzinfo=UTC)
    assert later(start, timedelta.max) == datetime.max.replace(tzinfo=UTC)
