"""Retention: the worked numbers, the seeds' formulas computed a second time, and laws for any stored value."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from remanence.lifecycle import retention
from remanence.lifecycle.retention import (
    CURVES,
    DECAY_TRUST,
    LAYER_HALF_LIFE,
    elapsed_days,
    elastic,
    feedback_factor,
    halflife,
    huber,
    lesson_confidence,
    power,
    reinforced_confidence,
    reinforcement,
    spaced_recalls,
    stability_days,
    strength,
    trusted_half_life,
)
from remanence.model.columns import LAYERS, SOURCES
from remanence.model.memory import Layer, Source
from remanence.model.moment import NEVER
from tests.lifecycle.pages import DAY, FIRST, LAST, counts, days, moments, padded, silence_demanded, unit

spans = st.floats(0, 1e7) | st.just(math.inf)
histories = st.lists(moments, max_size=40).map(sorted)


def stability(created: int, history: list[int], *, base: float = 1.0, known: int = 20, width: int = 20) -> float:
    """The stability of one memory of which the newest `known` accesses are still stored."""
    recent = padded(history[len(history) - min(known, len(history)) :], width=width)
    newest = max([created, *history])
    return float(stability_days(base, len(history), recent, created, newest)[0])


# --- worked numbers


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (elapsed_days(0, DAY // 2), 0.5),
        (0.8 * halflife(30, 30), 0.4),
        (huber(30, 30), 0.4620),
        (huber(58.27, 30), 0.00018),
        (huber(58.2808512267, 30), 0),
        (elastic(30, 30), 0.5),
        (retention.exponential(100), 0.3679),
        (retention.hyperbolic([30, 90]), [0.5, 0.25]),
        (power([1, 10], 1), [0.9, 0.6928]),
        (power(90, 90), 0.9),
        (trusted_half_life(30, DECAY_TRUST), [30, 18.75, 15, 10, 13.6364]),
        (reinforcement([0, 2, 403, 2**62]), [0, 0.0549, 0.3, 0.3]),
        (strength(0.8, 95), 0.5832),
        (lesson_confidence(0.6, 20), 0.5),
        (reinforced_confidence(0.6), 0.64),
        (spaced_recalls(3, padded([2 * DAY, 3 * DAY, 3 * DAY + DAY // 2]), 0), [1.75]),
        (stability_days(1.0, 3, padded([2 * DAY, 3 * DAY, 3 * DAY + DAY // 2]), 0), [8]),
        (feedback_factor(2, 1), 3.375),
        (feedback_factor([0, 1, 0, 2**62], [0, 0, 1, 2**62]), [1, 8, 0.125, 1]),
        (stability_days(1.0, 1, padded([2 * DAY]), 0, uses=1), [40]),
        (stability_days(1.0, 1, padded([2 * DAY]), 0, rejections=1), [0.625]),
    ],
)
def test_worked_numbers(value: NDArray[np.float64], expected: float | list[float]) -> None:
    assert value == pytest.approx(np.array(expected), abs=5e-5)


def test_halves_are_exact() -> None:
    assert 0.8 * float(halflife(30, 30)) == 0.4
    assert float(halflife(90, 90)) == 0.5
    assert float(strength(0.8, 95)) == 0.8 * 0.9**3


@pytest.mark.parametrize(("curve", "left"), [("huber", 0.0549), ("elastic", 0.1404), ("l2", 0.1771)])
def test_91_days_unread_after_two_reads(curve: str, left: float) -> None:
    h = trusted_half_life(LAYER_HALF_LIFE[LAYERS.index(Layer.EPISODIC)], DECAY_TRUST[SOURCES.index(Source.HUMAN)])
    assert float(CURVES[curve](91, h) + reinforcement(2)) == pytest.approx(left, abs=5e-5)


def test_tables_follow_the_numbers_of_layers_and_sources() -> None:
    assert dict(zip(LAYERS, LAYER_HALF_LIFE.tolist(), strict=True)) == {
        Layer.WORKING: math.inf,
        Layer.EPISODIC: 30,
        Layer.SEMANTIC: math.inf,
        Layer.PROCEDURAL: math.inf,
        Layer.CODEBASE: math.inf,
    }
    assert dict(zip(SOURCES, DECAY_TRUST.tolist(), strict=True)) == {
        Source.HUMAN: 1.0,
        Source.AI: 0.7,
        Source.INGEST: 0.5,
        Source.EXTRACTED: 0.0,
        Source.DREAM: 0.4,
    }
    assert not LAYER_HALF_LIFE.flags.writeable
    assert not DECAY_TRUST.flags.writeable


def test_the_chosen_stability_at_work() -> None:
    """Unread for a month and a year: a memory never recalled, and one recalled ten times two days apart."""
    never = stability_days(retention.BASE_STABILITY_DAYS, 0, padded([]), 0)
    often = stability_days(retention.BASE_STABILITY_DAYS, 10, padded([2 * DAY * n for n in range(1, 11)]), 0)
    useful = stability_days(retention.BASE_STABILITY_DAYS, 1, padded([2 * DAY]), 0, uses=1)
    assert often == pytest.approx(0.04 * 41)
    assert useful == pytest.approx(0.04 * 5 * 8)
    assert power([30, 365], never) == pytest.approx([0.361, 0.246], abs=5e-4)
    assert power([30, 365], often) == pytest.approx([0.635, 0.436], abs=5e-4)
    assert power([30, 365], useful) == pytest.approx([0.633, 0.434], abs=5e-4)


# --- a second computation, from the seeds' own formulas


def l2_of_seed(days: float, h: float) -> float:
    return 0.5 ** (days / h)


def huber_of_seed(days: float, h: float) -> float:
    knee = 0.5 * h
    if days <= knee:
        return l2_of_seed(days, h)
    at_knee = 0.5 ** (knee / h)
    slope = -at_knee * math.log(2) / h
    return max(0.0, at_knee + slope * (days - knee))


def elastic_of_seed(days: float, h: float) -> float:
    return 0.3 * max(0.0, 1 - days / (2 * h)) + 0.7 * l2_of_seed(days, h)


@pytest.mark.parametrize(("curve", "second"), [("halflife", l2_of_seed), ("l2", l2_of_seed), ("huber", huber_of_seed)])
def test_curves_computed_a_second_time(curve: str, second: Callable[[float, float], float]) -> None:
    half_life = {"human": 30.0, "ai": 18.75, "ingest": 15.0, "extracted": 10.0, "dream": 30 / 2.2}
    for source, h in half_life.items():
        ages = np.arange(0, 400.25, 0.25)
        found = CURVES[curve](ages, trusted_half_life(30.0, DECAY_TRUST[SOURCES.index(Source(source))]))
        np.testing.assert_allclose(found, [second(age, h) for age in ages.tolist()], rtol=1e-12, atol=1e-12)


def test_elastic_computed_a_second_time() -> None:
    ages = np.arange(0, 400.25, 0.25)
    for h in (10.0, 30.0, 90.0):
        expected = [elastic_of_seed(age, h) for age in ages.tolist()]
        np.testing.assert_allclose(elastic(ages, h), expected, rtol=1e-12, atol=1e-12)


def test_power_computed_a_second_time() -> None:
    factor = 0.9 ** (-1 / 0.1542) - 1
    for s in (0.075, 1.0, 30.0):
        expected = [(1 + factor * age / s) ** -0.1542 for age in range(401)]
        np.testing.assert_allclose(power(np.arange(401), s), expected, rtol=1e-12)


def test_strength_computed_a_second_time() -> None:
    for base in (0.1, 0.5, 0.8, 1.0):
        idle = [age + 0.5 for age in range(2_000)]
        expected = [max(0.1, base * math.pow(0.9, math.floor(age / 30))) if age > 30 else base for age in idle]
        np.testing.assert_allclose(strength(base, idle), expected, rtol=1e-12)


def second_stability(created: int, history: list[int], known: int) -> float:
    """What the docstring says, one access at a time."""
    times = [max(created, time) for time in history]
    forgotten, kept = times[: len(times) - known], times[len(times) - known :]
    if not kept:
        return 1 + 4 * min(len(forgotten), (max([created, *times]) - created) / DAY / 2)
    spaced = min(len(forgotten) + 1, (kept[0] - created) / DAY / 2)
    for before, time in pairwise(kept):
        spaced += min(1, (time - before) / DAY / 2)
    return 1 + 4 * spaced


@given(moments, histories, st.integers(0, 20))
def test_stability_computed_a_second_time(created: int, history: list[int], known: int) -> None:
    known = min(known, len(history))
    assert stability(created, history, known=known) == pytest.approx(second_stability(created, history, known))


# --- limits


def test_time_that_did_not_pass() -> None:
    assert elapsed_days([5, 6, NEVER, 4], 5).tolist() == [0, 0, 0, 1 / DAY]
    assert elapsed_days(LAST, FIRST) == 0
    assert elapsed_days(NEVER, FIRST) == 0
    assert elapsed_days(FIRST, LAST) == pytest.approx(3_652_058)
    assert elapsed_days(0, 90 * DAY) == 90
    assert elapsed_days(0, 90 * DAY + 1) > 90


@pytest.mark.parametrize("curve", sorted(CURVES))
def test_what_never_decays(curve: str) -> None:
    endless = 0.0 if curve == "exponential" else math.inf
    assert CURVES[curve](4e6, endless) == 1
    assert CURVES[curve]([0, -1], 30).tolist() == [1, 1]


def test_l2_is_halflife() -> None:
    assert CURVES["l2"] is CURVES["halflife"]


def test_strength_falls_at_each_full_period() -> None:
    assert strength(0.8, [29.999, 30, 59.999, 60]).tolist() == [0.8, 0.8 * 0.9, 0.8 * 0.9, 0.8 * 0.9**2]
    assert strength(0.8, 4e6) == 0.1


def test_strength_below_the_floor_neither_falls_nor_rises() -> None:
    assert strength(0.05, [0, 29, 31, 4e6]).tolist() == [0.05] * 4


def test_lessons_fade_by_whole_weeks() -> None:
    assert lesson_confidence(0.6, [6.999, 7, 13.999, 14]).tolist() == pytest.approx([0.6, 0.55, 0.55, 0.5])
    assert lesson_confidence(0.6, 4e6) == 0


# --- laws


@given(days, days, spans, st.sampled_from(sorted(CURVES)))
def test_retention_never_rises_with_time(one: float, other: float, span: float, curve: str) -> None:
    if curve == "exponential":
        span = 1 / span if span else 1e9
    with silence_demanded():
        sooner, later = CURVES[curve](sorted((one, other)), span).tolist()
    assert 0 <= later <= sooner + 1e-15
    assert sooner <= 1


@given(unit, days, days)
def test_strength_and_confidence_never_rise_with_time(base: float, one: float, other: float) -> None:
    idle = sorted((one, other))
    with silence_demanded():
        for sooner, later in (strength(base, idle).tolist(), lesson_confidence(base, idle).tolist()):
            assert 0 <= later <= sooner <= max(base, 0)


@given(unit, counts, counts)
def test_use_never_weakens(confidence: float, one: int, other: int) -> None:
    with silence_demanded():
        fewer, more = reinforcement(sorted((one, other))).tolist()
        assert 0 <= fewer <= more <= 0.3
        assert confidence <= float(reinforced_confidence(confidence)) <= 1


@given(moments, histories, counts, st.floats(0, 4e6))
def test_stability_is_finite_and_never_below_its_base(created: int, history: list[int], more: int, base: float) -> None:
    with silence_demanded():
        found = stability_days(base, len(history) + more, padded(history), created, max([created, *history]))
        assert 0 <= float(power(4e6, found)[0]) <= 1
    assert np.isfinite(found).all()
    assert (found >= base).all()


@given(moments, histories, st.data())
def test_one_more_recall_never_lowers_stability(created: int, history: list[int], data: st.DataObject) -> None:
    before = stability(created, history)
    # At the end as a rule; in the middle or before creation when clocks disagree.
    now = data.draw(st.integers(max([created, *history]), LAST) | moments)
    assert stability(created, sorted([*history, now])) >= before * (1 - 1e-12)


told = st.integers(0, 2**40)


@given(moments, histories, told, told, st.floats(0, 10))
def test_a_confirmed_use_raises_stability_more_than_a_mere_recall_and_a_rejection_never(
    created: int, history: list[int], uses: int, rejections: int, exponent: float
) -> None:
    recent, now = padded(history), max([created, *history])

    def found(used: int, rejected: int, recent: NDArray[np.int64] = recent, more: int = 0) -> float:
        counts = {"uses": used, "rejections": rejected, "feedback_exponent": exponent}
        return float(stability_days(1.0, len(history) + more, recent, created, now, **counts)[0])

    with silence_demanded():
        before = found(uses, rejections)
        assert np.isfinite(before)
        assert before >= 0
        assert found(uses + 1, rejections) >= before * (1 - 1e-9)
        assert found(uses, rejections + 1) <= before * (1 + 1e-9)
        again = padded([*history, now])
        merely, confirmed = found(uses, rejections, again, 1), found(uses + 1, rejections, again, 1)
    assert confirmed >= merely * (1 - 1e-9)


def test_a_use_moves_stability_whatever_is_known_of_recalls() -> None:
    assert stability_days(1.0, 0, padded([]), 0, uses=1) == pytest.approx(8)
    assert stability_days(1.0, 0, padded([]), 0, uses=[3], rejections=[3]) == 1
    assert stability_days(np.inf, 0, padded([]), 0, rejections=2**62) == np.inf


@given(moments, histories, st.integers(0, 20))
def test_forgetting_when_it_was_recalled_never_lowers_stability(created: int, history: list[int], known: int) -> None:
    assert stability(created, history, known=known) >= stability(created, history) * (1 - 1e-12)


@given(st.integers(0, 60), st.floats(0.01, 400), st.floats(0.01, 400))
def test_wider_spacing_never_lowers_stability(recalls: int, one: float, other: float) -> None:
    narrow, wide = (stability(0, [int(DAY * gap * n) for n in range(1, recalls + 1)]) for gap in sorted((one, other)))
    assert narrow <= wide * (1 + 1e-9)


def test_a_recall_right_after_another_adds_next_to_nothing() -> None:
    spaced = [10 * DAY * n for n in range(1, 6)]
    once = stability(0, spaced)
    burst = stability(0, [*spaced, *(spaced[-1] + 60_000_000 * n for n in range(1, 15))])
    assert 0 < burst - once < 0.02
    later = stability(0, [*spaced, spaced[-1] + 10 * DAY])
    assert later - once == pytest.approx(4)


def test_a_burst_of_any_length_in_young_memories_adds_no_more_than_its_time() -> None:
    burst = stability_days(1.0, 2**62, padded([DAY // 24 - n for n in range(20, 0, -1)]), 0)
    assert burst == pytest.approx(1 + 4 / 48, rel=1e-6)


def test_recalls_known_by_number_alone() -> None:
    assert stability_days(1.0, 5, padded([]), 0, 100 * DAY) == 21
    assert stability_days(1.0, 5, padded([]), 0, 4 * DAY) == 9
    assert stability_days(1.0, 5, padded([]), 0) == 1
    assert stability_days([1.0, np.inf], 0, padded([], []), 0).tolist() == [1, math.inf]


@given(st.lists(st.tuples(moments, histories), min_size=1, max_size=6), days)
def test_a_row_alone_and_in_a_page_are_the_same_bits(rows: list[tuple[int, list[int]]], base: float) -> None:
    created = np.array([row[0] for row in rows])
    number = np.array([len(row[1]) for row in rows])
    page = stability_days(base, number, padded(*(row[1] for row in rows)), created)
    for place, (start, history) in enumerate(rows):
        narrow = padded(history, width=min(20, len(history)))
        assert stability_days(base, len(history), narrow, start).tolist() == [page[place]]


@given(
    st.lists(
        st.tuples(histories, st.integers(0, 99), st.integers(0, 99), st.floats(0.1, 9), st.floats(0.1, 50)),
        min_size=1,
        max_size=70,
    )
)
def test_numbers_of_its_own_for_each_row_are_the_same_bits(
    rows: list[tuple[list[int], int, int, float, float]],
) -> None:
    histories, uses, rejections, exponents, spacings = zip(*rows, strict=True)
    counts = [len(history) for history in histories]
    numbers = {"uses": uses, "rejections": rejections, "feedback_exponent": exponents, "spacing_days": spacings}
    page = stability_days(1.0, counts, padded(*histories), FIRST, gain=exponents, **numbers)
    for place, (history, used, rejected, exponent, spacing) in enumerate(rows):
        one = {"uses": used, "rejections": rejected, "feedback_exponent": exponent, "spacing_days": spacing}
        assert stability_days(1.0, len(history), padded(history), FIRST, gain=exponent, **one).tolist() == [page[place]]


@given(st.lists(st.tuples(days, st.floats(1e-3, 1e6)), min_size=1, max_size=40), st.sampled_from(sorted(CURVES)))
def test_a_number_alone_and_in_an_array_are_the_same_bits(pairs: list[tuple[float, float]], curve: str) -> None:
    elapsed, span = np.array(pairs).T
    found = CURVES[curve](elapsed, span)
    assert found.dtype == np.float64
    assert [float(CURVES[curve](*pair)) for pair in pairs] == found.tolist()


def test_nothing_stored_gives_nothing() -> None:
    assert stability_days(1.0, np.empty(0), padded(), np.empty(0, dtype=np.int64)).shape == (0,)
    assert stability_days(1.0, [0, 3], padded([], [], width=0), 0).tolist() == [1, 1]
    assert all(CURVES[curve](np.empty(0), 30).shape == (0,) for curve in CURVES)
