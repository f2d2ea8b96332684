"""Worth: nine factors by hand, a second time in plain Python, and laws that hold for any stored value."""

from __future__ import annotations

import math
import statistics
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from remanence.lifecycle.worth import (
    WEIGHTS,
    activation,
    confirmation,
    factors,
    frequency,
    layer_weight,
    stability,
    trust,
    worth,
)
from remanence.model.columns import LAYERS, SOURCES
from remanence.model.memory import Layer, Source
from tests.lifecycle.pages import DAY, LAST, counts, moments, padded, silence_demanded, unit

histories = st.lists(moments, max_size=20).map(sorted)
memories = st.fixed_dictionaries(
    {
        "importance": unit,
        "access_count": counts,
        "recency": unit,
        "valence": st.floats(-1, 1),
        "layer": st.integers(0, len(LAYERS) - 1),
        "source": st.integers(0, len(SOURCES) - 1),
        "confirmations": counts,
        "created_at": moments,
        "now": moments,
    }
)


# --- worked numbers


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (frequency([0, 5, 50, 51, 2**62]), [0, 0.4557, 1, 1, 1]),
        (confirmation([0, 1, 5, 2**62]), [0, 0.3869, 1, 1]),
        (stability(padded([0, DAY, 4 * DAY]), 3), [0.6667]),
        (activation(-4 * DAY, padded([-DAY]), 0), [0.6]),
        (activation(-4 * DAY, padded([]), 0), [1 / 3]),
        (worth({name: np.array(0.5) for name in WEIGHTS}), 0.5),
    ],
)
def test_worked_numbers(value: NDArray[np.float64], expected: float | list[float]) -> None:
    assert value == pytest.approx(np.array(expected), abs=5e-5)


def test_fifty_recalls_and_five_confirmations_are_full_marks() -> None:
    assert frequency([49, 50]).tolist()[0] < frequency(50) == 1
    assert confirmation([4, 5]).tolist()[0] < confirmation(5) == 1


def test_layers_and_sources_by_number() -> None:
    layers = dict(zip(LAYERS, layer_weight(np.arange(len(LAYERS), dtype=np.int8)).tolist(), strict=True))
    assert layers == {
        Layer.SEMANTIC: 1.0,
        Layer.PROCEDURAL: 0.8,
        Layer.CODEBASE: 0.6,
        Layer.EPISODIC: 0.4,
        Layer.WORKING: 0.0,
    }
    sources = dict(zip(SOURCES, trust(np.arange(len(SOURCES), dtype=np.int8)).tolist(), strict=True))
    assert sources == {
        Source.HUMAN: 1.0,
        Source.AI: 0.7,
        Source.EXTRACTED: 0.7,
        Source.INGEST: 0.5,
        Source.DREAM: 0.4,
    }


def test_weights_are_a_whole() -> None:
    assert math.fsum(WEIGHTS.values()) == 1.0
    assert len(WEIGHTS) == 9


def test_a_memory_by_hand() -> None:
    """A semantic fact of a person, 100 days old, recalled 20, 10 and 1 days ago, confirmed twice."""
    found = factors(
        importance=0.6,
        access_count=3,
        recency=0.97,
        valence=-0.5,
        recent=padded([80 * DAY, 90 * DAY, 99 * DAY]),
        layer=LAYERS.index(Layer.SEMANTIC),
        source=SOURCES.index(Source.HUMAN),
        confirmations=2,
        created_at=0,
        now=100 * DAY,
    )
    summed = 100**-0.5 + 20**-0.5 + 10**-0.5 + 1
    expected = {
        "importance": 0.6,
        "frequency": math.log(4) / math.log(51),
        "recency": 0.97,
        "valence": 0.5,
        "stability": (1 - (0.5 - 9.5) / (0.5 + 9.5)) / 2,
        "layer": 1.0,
        "trust": 1.0,
        "confirmations": math.log(3) / math.log(6),
        "activation": summed / (1 + summed),
    }
    assert {name: float(value.reshape(())) for name, value in found.items()} == pytest.approx(expected, abs=1e-12)
    by_hand = sum(WEIGHTS[name] * value for name, value in expected.items())
    assert worth(found) == pytest.approx(by_hand, abs=1e-12)
    assert list(found) == list(WEIGHTS)


# --- a second computation


def second_stability(history: list[int]) -> float:
    gaps = [(later - earlier) / DAY for earlier, later in pairwise(history)]
    if len(history) < 3 or not any(gaps):
        return 0.5
    mean, deviation = statistics.fmean(gaps), statistics.pstdev(gaps)
    burstiness = (deviation - mean) / (deviation + mean)
    return (1 - burstiness) / 2


def second_activation(created: int, history: list[int], now: int) -> float:
    spans = [max((now - time) / DAY, 1 / 1440) for time in [created, *history]]
    return 1 / (1 + math.exp(-math.log(math.fsum(span**-0.5 for span in spans))))


@given(st.lists(st.tuples(moments, histories), min_size=1, max_size=4), moments)
def test_stability_and_activation_computed_a_second_time(rows: list[tuple[int, list[int]]], now: int) -> None:
    created, recent = np.array([row[0] for row in rows]), padded(*(row[1] for row in rows))
    number = [len(row[1]) for row in rows]
    np.testing.assert_allclose(stability(recent, number), [second_stability(row[1]) for row in rows], rtol=1e-9)
    np.testing.assert_allclose(
        activation(created, recent, now), [second_activation(*row, now) for row in rows], rtol=1e-12
    )


def test_counts_computed_a_second_time() -> None:
    numbers = range(400)
    often = [min(1, math.log(1 + n) / math.log(51)) for n in numbers]
    agreed = [min(1, math.log(1 + n) / math.log(6)) for n in numbers]
    np.testing.assert_allclose(frequency(numbers), often, rtol=1e-12)
    np.testing.assert_allclose(confirmation(numbers), agreed, rtol=1e-12)


# --- limits


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ([], 0.5),
        ([5], 0.5),
        ([5, 5 + DAY], 0.5),
        ([5, 5, 5], 0.5),
        ([5, 5, 5 + DAY], 0.5),
        ([5, 5 + DAY, 5 + 2 * DAY], 1.0),
        ([n * DAY for n in range(20)], 1.0),
        ([*range(19), 400 * DAY], 1 / (1 + math.sqrt(18))),
    ],
)
def test_regular_and_bursty(history: list[int], expected: float) -> None:
    assert stability(padded(history), len(history)) == pytest.approx(expected, abs=1e-9)


def test_accesses_whose_times_are_gone() -> None:
    assert stability(padded([5, 5 + DAY]), 40) == 0.5
    assert stability(padded([], width=0), 40) == 0.5


def test_activation_counts_no_less_than_a_minute() -> None:
    at_once = math.sqrt(1440)
    assert activation([0, 5, LAST], padded([], [], []), 0).tolist() == [at_once / (1 + at_once)] * 3
    assert activation(0, padded([], width=0), 60_000_000) == at_once / (1 + at_once)


def test_weights_are_configuration() -> None:
    held = {name: np.array([0.2, 0.9]) for name in WEIGHTS}
    assert worth(held, {"importance": 3.0, "layer": 5.0}).tolist() == pytest.approx([0.2, 0.9])
    assert worth(held, dict.fromkeys(WEIGHTS, 0.0)).tolist() == [0, 0]
    assert worth(held, {}) == 0
    assert worth({name: np.ones(1) for name in WEIGHTS}) == 1


# --- laws


@given(memories, histories)
def test_every_factor_and_worth_lie_between_0_and_1(memory: dict[str, Any], history: list[int]) -> None:
    with silence_demanded():
        found = factors(**memory, recent=padded(history))
        total = worth(found)
    for value in (*found.values(), total):
        assert value.dtype == np.float64
        assert ((value >= 0) & (value <= 1)).all()


@given(st.lists(st.tuples(unit, unit), min_size=9, max_size=9), st.lists(st.floats(0, 10), min_size=9, max_size=9))
def test_raising_any_factor_never_lowers_worth(pairs: list[tuple[float, float]], weights: list[float]) -> None:
    low = {name: np.array([min(pair)]) for name, pair in zip(WEIGHTS, pairs, strict=True)}
    high = {name: np.array([max(pair)]) for name, pair in zip(WEIGHTS, pairs, strict=True)}
    for chosen in (WEIGHTS, dict(zip(WEIGHTS, weights, strict=True))):
        with silence_demanded():
            for name in WEIGHTS:
                assert worth(low | {name: high[name]}, chosen) >= worth(low, chosen)
            assert worth(high, chosen) >= worth(low, chosen)


@given(moments, histories, moments, moments)
def test_activation_never_rises_with_time(created: int, history: list[int], one: int, other: int) -> None:
    recent = padded(history)
    with silence_demanded():
        assert activation(created, recent, max(one, other)) <= activation(created, recent, min(one, other))


@given(moments, histories.filter(lambda history: len(history) < 20), moments)
def test_a_recall_never_lowers_activation(created: int, history: list[int], now: int) -> None:
    again = sorted([*history, now])
    before, after = activation(created, padded(history), now), activation(created, padded(again), now)
    assert after >= before


@given(st.lists(st.tuples(memories, histories), min_size=1, max_size=6))
def test_a_row_alone_and_in_a_page_are_the_same_bits(rows: list[tuple[dict[str, Any], list[int]]]) -> None:
    columns = {name: np.array([memory[name] for memory, _ in rows]) for name in rows[0][0]}
    page = factors(**columns, recent=padded(*(history for _, history in rows)))
    together = worth(page)
    for place, (memory, history) in enumerate(rows):
        row = factors(**memory, recent=padded(history, width=len(history)))
        assert {name: float(value.reshape(())) for name, value in row.items()} == {
            name: float(value[place]) for name, value in page.items()
        }
        assert float(worth(row).reshape(())) == together[place]


def test_nothing_stored_gives_nothing() -> None:
    none = np.empty(0, dtype=np.int64)
    assert stability(padded(), none).shape == (0,)
    assert activation(none, padded(), 0).shape == (0,)
