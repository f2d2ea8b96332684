"""Durations: a whole number and a unit."""

from datetime import timedelta

import pytest

from remanence.model.duration import duration, duration_problems


@pytest.mark.parametrize(
    ("text", "days"),
    [("1h", 1 / 24), ("12h", 0.5), ("1d", 1), ("30d", 30), ("2w", 14), ("6m", 180), ("1y", 365), ("007d", 7)],
)
def test_durations(text: str, days: float) -> None:
    assert duration_problems(text, "ttl") == []
    assert duration(text) == timedelta(days=days)


def test_a_span_is_a_duration() -> None:
    span = timedelta(seconds=1)
    assert duration_problems(span, "ttl") == []
    assert duration(span) is span


@pytest.mark.parametrize(
    "value",
    [
        "",
        "d",
        "1",
        "1s",
        "1M",
        "1 d",
        " 1d",
        "1d ",
        "1d\n",
        "-1d",
        "+1d",
        "1.5d",
        "1,5d",
        "0d",
        "000h",
        "1d2h",
        "٣d",
        "1000000d",
        None,
        1,
        1.0,
        True,
        b"1d",
        [],
        timedelta(0),
        timedelta(days=-1),
    ],
)
def test_no_durations(value: object) -> None:
    (problem,) = duration_problems(value, "ttl")
    assert problem.startswith("ttl")


def test_the_longest_fits() -> None:
    assert duration("999999y") == timedelta(days=365 * 999_999)


@pytest.mark.parametrize("text", ["1s", "soon"])
def test_reading_what_is_none_fails(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        duration(text)
