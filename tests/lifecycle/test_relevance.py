"""Relevance: by hand, from the seed's own lines, at the edges of a day, and laws for any stored value."""

from __future__ import annotations

import warnings
from datetime import UTC, datetime, timedelta
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle.relevance import KIND_WEIGHTS, OTHER_KIND_WEIGHT, relevance

days = st.floats(0, 4e6)
counts = st.integers(0, 2**62)
weights = st.floats(0, 1)


@pytest.mark.parametrize(
    ("kind", "age", "number", "idle", "expected"),
    [
        ("decision", 30, 5, 7, 0.6),
        ("decision", 0, 10, 0, 1.0),
        ("fact", 0, 0, 0, 0.6),
        ("tool_output", 0, 0, 0, 0.56),
        ("observation", 90, 0, 7, 0.275),
        ("observation", 90, 0, 90, 0.175 + 0.2 * 7 / 97),
        ("gotcha", 270, 2, 63, 0.03 + 0.06 + 0.02 + 0.18),
        ("finding", 60, 100, 14, 0.1 + 0.3 + 0.2 / 3 + 0.14),
        ("preference", 29.999, 0, 6.999, 0.3 / (1 + 29 / 30) + 0.2 / (1 + 6 / 7) + 0.16),
    ],
)
def test_by_hand(kind: str, age: float, number: int, idle: float, expected: float) -> None:
    found = relevance(age, number, idle, KIND_WEIGHTS.get(kind, OTHER_KIND_WEIGHT))
    assert float(found) == pytest.approx(expected, abs=1e-12)


def seed_001(kind: str, created: datetime, last_accessed: datetime, access_count: int, now: datetime) -> float:
    """The lines of the seed."""
    age_days = (now - created).days
    recency = 1.0 / (1 + age_days / 30)
    access_freq = min(access_count / 10, 1.0)
    last_access_days = (now - last_accessed).days
    freshness = 1.0 / (1 + last_access_days / 7)
    type_weights = {
        "decision": 1.0,
        "gotcha": 0.9,
        "preference": 0.8,
        "finding": 0.7,
        "observation": 0.5,
        "tool_output": 0.3,
    }
    type_weight = type_weights.get(kind, 0.5)
    return 0.3 * recency + 0.3 * access_freq + 0.2 * freshness + 0.2 * type_weight


def test_computed_a_second_time() -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    rows = list(product([*KIND_WEIGHTS, "lesson"], range(0, 401, 5), (0, 1, 5, 10, 11, 400), (0.0, 0.3, 1.0)))
    expected, ages, numbers, idles, kinds = [], [], [], [], []
    for kind, age, number, share in rows:
        idle = age * share + 0.25
        created, last = now - timedelta(days=age + 0.5), now - timedelta(days=idle)
        expected.append(seed_001(kind, created, last, number, now))
        ages.append(age + 0.5)
        idles.append(idle)
        numbers.append(number)
        kinds.append(KIND_WEIGHTS.get(kind, OTHER_KIND_WEIGHT))
    np.testing.assert_allclose(relevance(ages, numbers, idles, kinds), expected, rtol=1e-12)


def test_a_value_holds_for_a_day() -> None:
    late = np.nextafter(90.0, 0.0)
    assert relevance([89, late], 0, 0, 0.5).tolist()[0] == relevance(late, 0, 0, 0.5)
    assert relevance(90, 0, 0, 0.5) < relevance(late, 0, 0, 0.5)
    assert relevance(400, 0, 7, 0.5) < relevance(400, 0, np.nextafter(7.0, 0.0), 0.5)


@given(st.tuples(days, days), st.tuples(counts, counts), st.tuples(days, days), st.tuples(weights, weights))
def test_falls_with_time_and_rises_with_use_and_kind(
    ages: tuple[float, float],
    numbers: tuple[int, int],
    idles: tuple[float, float],
    kinds: tuple[float, float],
) -> None:
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        best = relevance(min(ages), max(numbers), min(idles), max(kinds))
        for less in (
            relevance(max(ages), max(numbers), min(idles), max(kinds)),
            relevance(min(ages), min(numbers), min(idles), max(kinds)),
            relevance(min(ages), max(numbers), max(idles), max(kinds)),
            relevance(min(ages), max(numbers), min(idles), min(kinds)),
        ):
            assert 0 <= less <= best <= 1


@given(st.lists(st.tuples(days, counts, days, weights), min_size=1, max_size=40))
def test_a_row_alone_and_in_a_page_are_the_same_bits(rows: list[tuple[float, int, float, float]]) -> None:
    ages, numbers, idles, kinds = map(np.array, zip(*rows, strict=True))
    assert [float(relevance(*row)) for row in rows] == relevance(ages, numbers, idles, kinds).tolist()
