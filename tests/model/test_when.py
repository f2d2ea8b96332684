"""When, in words: the first and the last moment of what is said, on a Wednesday."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.model.when import WEEKDAYS, told

NOW = datetime(2026, 3, 4, 15, 30, 20, tzinfo=UTC)
TICK = timedelta(microseconds=1)


def day(month: int, day: int, year: int = 2026) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "first", "after"),
    [
        ("today", day(3, 4), day(3, 5)),
        ("yesterday", day(3, 3), day(3, 4)),
        ("  YesterDay ", day(3, 3), day(3, 4)),
        ("this week", day(3, 2), day(3, 9)),
        ("last week", day(2, 23), day(3, 2)),
        ("last\tweek", day(2, 23), day(3, 2)),
        ("this month", day(3, 1), day(4, 1)),
        ("last month", day(2, 1), day(3, 1)),
        ("this year", day(1, 1), day(1, 1, 2027)),
        ("last year", day(1, 1, 2025), day(1, 1)),
        ("monday", day(3, 2), day(3, 3)),
        ("wednesday", day(3, 4), day(3, 5)),
        ("thursday", day(2, 26), day(2, 27)),
        ("last monday", day(3, 2), day(3, 3)),
        ("last wednesday", day(2, 25), day(2, 26)),
        ("last thursday", day(2, 26), day(2, 27)),
        ("2026-03-01", day(3, 1), day(3, 2)),
        ("2024-02-29", day(2, 29, 2024), day(3, 1, 2024)),
    ],
)
def test_a_span_has_a_first_and_a_last_moment(words: str, first: datetime, after: datetime) -> None:
    assert told(words, NOW) == first
    assert told(words, NOW, end=True) == after - TICK


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("now", NOW),
        ("7d", NOW - timedelta(days=7)),
        ("12h", NOW - timedelta(hours=12)),
        ("2w", NOW - timedelta(days=14)),
        ("6m", NOW - timedelta(days=180)),
        ("1y", NOW - timedelta(days=365)),
        ("3 days ago", NOW - timedelta(days=3)),
        ("a day ago", NOW - timedelta(days=1)),
        ("an hour ago", NOW - timedelta(hours=1)),
        ("90 minutes ago", NOW - timedelta(minutes=90)),
        ("2 weeks ago", NOW - timedelta(days=14)),
        ("2 months ago", NOW - timedelta(days=60)),
        ("0 days ago", NOW),
        ("2026-03-01T12:00Z", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01T12:00+02:00", datetime(2026, 3, 1, 10, tzinfo=UTC)),
    ],
)
def test_a_moment_is_the_same_from_both_ends(words: str, moment: datetime) -> None:
    assert told(words, NOW) == told(words, NOW, end=True) == moment
    assert told(words, NOW).utcoffset() is not None


@pytest.mark.parametrize(
    "words",
    [
        "",
        " ",
        "soon",
        "next week",
        "last",
        "last fortnight",
        "tomorrowish",
        "yesterday morning",
        "3 days",
        "-3 days ago",
        "three days ago",
        "99999999 days ago",
        "2026-02-30",
        "2026-13-01",
        "2026-03-01 and later",
        "'; DROP TABLE recalls; --",
        "١٢٣",
        "last week\x00",
        "x" * 10_000,
    ],
)
def test_what_says_nothing_known_is_refused_with_examples(words: str) -> None:
    with pytest.raises(ValueError, match=r"last week|calendar"):
        told(words, NOW)


def test_the_refusal_is_short(words: str = "x" * 100_000) -> None:
    with pytest.raises(ValueError) as refused:
        told(words, NOW)
    assert len(str(refused.value)) < 300


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        told("2026-03-01T12:00", NOW)


@pytest.mark.parametrize("words", ["9999-12-31", "yesterday", "last year", "last week", "last month", "this year"])
def test_the_ends_of_the_calendar_are_said_or_refused(words: str) -> None:
    for now in (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC)):
        for end in (False, True):
            try:
                assert told(words, now, end=end).year >= 1
            except ValueError as refused:
                assert "calendar" in str(refused), "it is a known word: the calendar is what ends"


@pytest.mark.parametrize("words", ["999999y", "999999 years ago", "100000d"])
def test_counting_back_stops_at_the_beginning_of_time(words: str) -> None:
    assert told(words, NOW) <= datetime(1800, 1, 1, tzinfo=UTC)


def test_days_are_those_of_utc() -> None:
    late = datetime(2026, 3, 4, 23, 30, tzinfo=timezone(-timedelta(hours=5)))
    assert told("today", late) == day(3, 5)
    assert told("yesterday", late) == day(3, 4)


@given(
    st.datetimes(datetime(1000, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC)),
    st.sampled_from(
        ["today", "yesterday", *(f"{which} {unit}" for which in ("this", "last") for unit in ("week", "month", "year"))]
    ),
)
def test_spans_on_any_day(now: datetime, words: str) -> None:
    first, last = told(words, now), told(words, now, end=True)
    assert first < last
    after = last + TICK
    assert first.time() == after.time() == datetime.min.time()
    if words.startswith("last") or words == "yesterday":
        assert last < now
    else:
        assert first <= now <= last
    before = {"last": "this", "yesterday": "today"}.get(words.split(maxsplit=1)[0])
    if before:
        following = before if before == "today" else f"{before} {words.split()[1]}"
        assert told(following, now) == after, "what is last ends where this begins"


@given(st.datetimes(datetime(1000, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC)), st.sampled_from(WEEKDAYS))
def test_weekdays_lie_within_the_last_seven_days(now: datetime, name: str) -> None:
    latest, last = told(name, now), told(f"last {name}", now)
    assert latest.weekday() == last.weekday() == WEEKDAYS.index(name)
    assert timedelta(0) <= now - latest < timedelta(days=7)
    assert timedelta(days=1) <= now - last < timedelta(days=8)
