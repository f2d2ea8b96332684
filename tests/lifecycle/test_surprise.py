"""Surprise: worked numbers, limits, and laws for any neighbours."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle.surprise import adjusted, judged, surprise
from tests.lifecycle.worlds import memory

cosines = st.lists(st.floats(-1, 1), min_size=1, max_size=8)
shares = st.floats(0, 1)


@pytest.mark.parametrize(
    ("near", "expected"),
    [
        ([1.0] * 5, 0.0293),
        ([0.65] * 5, 0.5),
        ([0.0] * 5, 0.9985),
        ([1.0], 0.0293),
        ([0.8, 0.5], 0.5),
        ([1.0] * 5 + [-1.0] * 3, 0.0293),
        ([-1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0], 0.0293),
        ([-1.0] * 5, 1.0),
    ],
)
def test_how_surprising(near: list[float], expected: float) -> None:
    assert surprise(near) == pytest.approx(expected, abs=5e-5)


def test_no_neighbours_no_surprise() -> None:
    assert surprise([]) is None
    alone = memory(importance=0.5)
    assert judged(alone, []) is alone


@pytest.mark.parametrize(
    ("importance", "s", "expected"),
    [(0.5, 0.0293, 0.2176), (0.5, 0.5, 0.5), (0.5, 1.0, 0.8), (0.2, 0.0, 0.05), (0.0, 0.5, 0.05), (0.9, 1.0, 1.0)],
)
def test_what_it_does_to_an_importance(importance: float, s: float, expected: float) -> None:
    assert adjusted(importance, s) == pytest.approx(expected, abs=5e-5)


def test_five_at_distance_0_give_the_numbers_of_the_page() -> None:
    found = judged(memory(importance=0.5), [(f"{n}", 1.0) for n in range(5)])
    assert found.surprise == pytest.approx(0.0293, abs=5e-5)
    assert found.importance == pytest.approx(0.2176, abs=5e-5)


@pytest.mark.parametrize(("cosine", "named"), [(0.92, True), (0.9199999, False), (1.0, True), (0.0, False)])
def test_what_it_may_duplicate_is_named_from_a_cosine_of_092(cosine: float, named: bool) -> None:
    new = memory(metadata={"own": 1})
    found = judged(new, [("near", cosine), ("far", -0.5)])
    assert found.metadata == {"own": 1} | ({"duplicate_of": "near"} if named else {})
    assert new.metadata == {"own": 1}
    assert found.state == new.state, "a flag: both stay"


def test_of_two_equally_near_one_is_named_whatever_the_order() -> None:
    pair = [("a", 0.99), ("b", 0.99)]
    assert judged(memory(), pair).metadata == judged(memory(), pair[::-1]).metadata == {"duplicate_of": "b"}


@given(shares, cosines)
def test_it_stays_within_its_bounds_and_changes_nothing_else(importance: float, near: list[float]) -> None:
    before = memory(importance=importance)
    after = judged(before, [(f"{n}", cosine) for n, cosine in enumerate(near)])
    assert after.surprise is not None and 0 <= after.surprise <= 1
    assert 0.05 <= after.importance <= 1
    assert abs(after.importance - max(0.05, importance)) <= 0.3 + 1e-6
    assert replace(after, importance=importance, surprise=None, metadata={}) == before


@given(cosines, st.floats(0, 1))
def test_nearer_is_never_more_surprising(near: list[float], by: float) -> None:
    nearer = [min(1.0, cosine + by) for cosine in near]
    first, second = surprise(near), surprise(nearer)
    assert first is not None and second is not None
    assert second <= first + 1e-12
    assert adjusted(0.5, second) <= adjusted(0.5, first) + 1e-12
