"""Precision: how many bits a retention earns, its limits, and the date at which it earns fewer."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.lifecycle.measures import Measures
from remanence.lifecycle.precision import COARSEST, bits_for, precision
from remanence.model.columns import columns_of
from remanence.model.memory import Memory, State
from remanence.model.moment import LAST_MOMENT, NEVER, to_micros
from remanence.policies.reading import PRESETS, preset
from tests.lifecycle.worlds import NOW, memories, memory

POLICIES = {name: preset(name) for name in PRESETS}
AT = to_micros(NOW)


@pytest.mark.parametrize(
    ("retention", "bits"),
    [
        (1.0, 32),
        (0.81, 32),
        (0.8, 8),
        (0.79, 8),
        (0.51, 8),
        (0.5, 4),
        (0.21, 4),
        (0.2, 2),
        (0.0, 2),
        (np.nextafter(0.8, 1), 32),
        (np.nextafter(0.5, 1), 8),
        (np.nextafter(0.2, 1), 4),
    ],
)
def test_the_limits(retention: float, bits: int) -> None:
    assert bits_for(np.array([retention])).tolist() == [bits]


def test_many_at_once_and_none() -> None:
    assert bits_for(np.array([0.9, 0.1, 0.6])).tolist() == [32, 2, 8]
    assert bits_for(np.zeros(0)).tolist() == []


def of(*some: Memory, policy: str = "halflife", at: int = AT) -> list[tuple[int, int]]:
    bits, fades_at = precision(Measures(columns_of(some), POLICIES[policy]), at)
    return list(zip(bits.tolist(), fades_at.tolist(), strict=True))


def test_the_dates_of_a_half_life_of_30_days() -> None:
    """0.5^(d/30) is 0.8 after 9.66 days, 0.5 after 30, 0.2 after 69.66."""
    found = of(memory(), memory(age_days=20), memory(age_days=40), memory(age_days=80))
    assert [bits for bits, _ in found] == [32, 8, 4, 2]
    for (_, fades_at), age, falls in zip(found, (0, 20, 40), (9.658, 30.0, 69.658), strict=False):
        due = to_micros(NOW - timedelta(days=age)) + falls * 86_400e6
        assert 0.997 * (due - AT) <= fades_at - AT <= due - AT
    assert found[3][1] == NEVER


@pytest.mark.parametrize("state", [state for state in State if state is not State.LIVE])
def test_what_is_not_live_is_kept_in_two_bits(state: State) -> None:
    assert of(memory(state=state)) == [(COARSEST, NEVER)]
    assert of(memory(state=state, exempt=True)) == [(COARSEST, NEVER)]


def test_what_never_decays_stays_whole() -> None:
    assert of(memory(age_days=4000, exempt=True)) == [(32, NEVER)]
    assert of(memory(age_days=4000, layer="working"), policy="layered") == [(32, NEVER)]


@settings(max_examples=25)
@given(st.lists(memories(), min_size=1, max_size=6), st.sampled_from(sorted(POLICIES)), st.floats(-10, 2000))
def test_a_date_is_never_late(some: list[Memory], policy: str, days: float) -> None:
    """Until it the bits are earned, given no more accesses."""
    at = to_micros(NOW + timedelta(days=days))
    measures = Measures(columns_of(some), POLICIES[policy])
    bits, fades_at = precision(measures, at)
    assert set(bits.tolist()) <= {32, 8, 4, 2}
    just_before = np.where(fades_at == NEVER, LAST_MOMENT, np.maximum(fades_at - 1, at))
    for row in range(len(some)):
        one = Measures(measures.columns.take(np.array([row])), POLICIES[policy])
        then, _ = precision(one, int(just_before[row]))
        assert then[0] == bits[row]


@pytest.mark.parametrize("level", [0.8, 0.5, 0.2])
@pytest.mark.parametrize("before", [1, 400_000, 999_999, 2_000_000])
def test_a_row_that_is_about_to_fall_is_dated_ahead_of_now(level: float, before: int) -> None:
    """A date at or before now would make fading look at the row again and again without an end."""
    half_life = 30 * 86_400e6
    falls = AT + round(-np.log2(level) * half_life)
    now = falls - before
    ((bits, fades_at),) = of(memory(), at=now)
    retention = 0.5 ** ((now - AT) / half_life)
    assert bits == bits_for(np.array([retention]))[0]
    assert fades_at > now
