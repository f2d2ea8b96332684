"""Tiers: the worked days, the seed's formula computed a second time, the limits, and laws for any stored value."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle.retention import elapsed_days
from remanence.lifecycle.tiers import OTHER_SALIENCE, SALIENCE, TIER_NAMES, TIERS, salience, score, tier_numbers
from tests.lifecycle.pages import DAY, counts, days, moments, padded, silence_demanded

SECOND = 1_000_000

weights = st.floats(0, 1)
histories = st.lists(moments, max_size=20).map(sorted)


def tier(value: float) -> str:
    return TIER_NAMES[int(tier_numbers(value))]


@pytest.mark.parametrize(("age", "left", "name"), [(120, 0.1506, "cold"), (121, 0.1491, "evictable")])
def test_a_fact_at_the_edge(age: float, left: float, name: str) -> None:
    value = float(score(salience(SALIENCE.get("fact", OTHER_SALIENCE), 0), age, padded([]), 0)[0])
    assert value == pytest.approx(left, abs=5e-5)
    assert tier(value) == name


def test_salience_by_hand() -> None:
    assert salience(SALIENCE["bug"], 3) == pytest.approx(0.76)
    assert salience(SALIENCE["architecture"], [9, 10, 11, 2**62]).tolist() == pytest.approx([1.08, 1.1, 1.1, 1.1])


def test_accesses_by_hand() -> None:
    """The seed: accessed yesterday adds 0.3, 30 days ago 0.01."""
    assert score(0.0, 0, padded([0]), DAY) == pytest.approx(0.3)
    assert score(0.0, 0, padded([0]), 30 * DAY) == pytest.approx(0.01)
    assert score(0.5, 100, padded([0, 29 * DAY]), 30 * DAY) == pytest.approx(0.5 / math.e + 0.31)


def seed_004(weight: float, access_count: int, age: float, accesses: list[float]) -> float:
    boost = sum(0.3 / since for since in accesses if since >= 1 / 86_400)
    return min(1.0, (weight + min(0.2, access_count * 0.02)) * math.exp(-0.01 * age) + boost)


def test_computed_a_second_time() -> None:
    rows = list(product([*SALIENCE, "fact"], range(0, 401, 4), (0, 1, 5, 20)))
    expected, page, weight, ages, numbers = [], [], [], [], []
    for kind, age, number in rows:
        accesses = [float(since) for since in range(3 * number, 0, -3)]
        weight.append(SALIENCE.get(kind, OTHER_SALIENCE))
        ages.append(float(age))
        numbers.append(number)
        page.append([-round(since * DAY) for since in accesses])
        expected.append(seed_004(weight[-1], number, age, accesses))
    found = score(salience(weight, numbers), ages, padded(*page), 0)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


# --- limits


def test_at_a_limit_a_memory_stays() -> None:
    below = [float(np.nextafter(limit, 0.0)) for limit in TIERS.values()]
    assert [tier(value) for value in (1.0, *TIERS.values(), *below, 0.0)] == [
        *("hot", "hot", "warm", "cold"),
        *("warm", "cold", "evictable", "evictable"),
    ]
    assert TIERS == {"hot": 0.7, "warm": 0.4, "cold": 0.15}
    assert TIER_NAMES == ("hot", "warm", "cold", "evictable")


def test_thresholds_are_configuration() -> None:
    found = tier_numbers(np.array([0.95, 0.6, 0.3, 0.2]), {"hot": 0.9, "warm": 0.5, "cold": 0.25})
    assert found.tolist() == [0, 1, 2, 3]
    assert found.dtype == np.int8


def test_an_access_counts_from_a_second_on() -> None:
    at = [SECOND - 1, 0, -DAY, SECOND]
    assert [float(score(0.5, 0, padded([0]), now)[0]) for now in at] == [0.5, 0.5, 0.5, 1.0]


# --- laws


@given(weights, counts, days, histories, moments)
def test_a_score_lies_between_0_and_1(weight: float, number: int, age: float, history: list[int], now: int) -> None:
    with silence_demanded():
        value = score(salience(weight, number), age, padded(history), now)
        assert 0 <= value <= 1
        assert value.dtype == np.float64
        assert 0 <= tier_numbers(value) <= 3


@given(weights, moments, histories, moments, moments)
def test_a_score_never_rises_while_idle(weight: float, created: int, history: list[int], one: int, other: int) -> None:
    """From a second after the last access on."""
    settled = max([created, *(time + SECOND for time in history)])
    sooner, later = sorted(max(moment, settled) for moment in (one, other))
    recent = padded(history)
    with silence_demanded():
        before = score(weight, elapsed_days(created, sooner), recent, sooner)
        after = score(weight, elapsed_days(created, later), recent, later)
    assert after <= before + 1e-15
    assert tier_numbers(after) >= tier_numbers(before) or after == pytest.approx(before, abs=1e-15)


@given(weights, weights, counts, counts, days)
def test_kind_and_use_never_lower_a_score(one: float, other: float, few: int, many: int, age: float) -> None:
    low, high = sorted((one, other))
    fewer, more = sorted((few, many))
    none = padded([])
    assert score(salience(low, fewer), age, none, 0) <= score(salience(high, fewer), age, none, 0)
    assert score(salience(low, fewer), age, none, 0) <= score(salience(low, more), age, none, 0)


@given(st.lists(st.tuples(weights, days, histories, moments), min_size=1, max_size=6))
def test_a_row_alone_and_in_a_page_are_the_same_bits(rows: list[tuple[float, float, list[int], int]]) -> None:
    weight, age, history, now = zip(*rows, strict=True)
    page = score(weight, age, padded(*history), np.array(now))
    alone = [
        score(weight, age, padded(history, width=len(history)), now).tolist() for weight, age, history, now in rows
    ]
    assert alone == [[value] for value in page.tolist()]


def test_nothing_stored_gives_nothing() -> None:
    assert score(np.empty(0), np.empty(0), padded(), 0).shape == (0,)
    assert tier_numbers(np.empty(0)).shape == (0,)
