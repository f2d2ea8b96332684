"""A preset may be given any curve; numbers of a curve that it does not set are the curve's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import exp, log

import pytest

from remanence import Mind
from remanence.model.policy import CURVES, Policy
from remanence.policies.reading import PRESETS, from_values

START = datetime(2027, 5, 3, 7, tzinfo=UTC)
AFTER_48_DAYS = {
    "halflife": 0.5 ** (48 / 30),
    "l2": 0.5 ** (48 / 30),
    "huber": 0.5**0.5 * (1 - log(2) * 33 / 30),
    "elastic": 0.3 * (1 - 48 / 60) + 0.7 * 0.5 ** (48 / 30),
    "exponential": exp(-0.48),
    "hyperbolic": 1 / (1 + 48 / 30),
    "power": (1 + (0.9 ** (-1 / 0.1542) - 1) * 48 / 30) ** -0.1542,
}


def _retention(policy: Policy) -> float:
    moments = [START]
    with Mind(":memory:", policy=policy, clock=lambda: moments[0], embedder="none") as mind:
        memory = mind.remember("Ducks keep slugs off the beds", importance=0.5).memory
        assert memory is not None
        moments[0] += timedelta(days=48)
        mind.apply(mind.sweep())
        return mind.explain(memory.id).retention


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_curve_goes_with_every_preset(preset: str, curve: str) -> None:
    policy = from_values({"extends": preset, "curve": curve, "active_clock": False}, "a file", "mine")
    assert _retention(policy) == pytest.approx(AFTER_48_DAYS[curve], abs=1e-9)


@pytest.mark.parametrize("curve", CURVES)
def test_a_policy_made_in_python_needs_no_numbers(curve: str) -> None:
    assert _retention(Policy(name="mine", curve=curve)) == pytest.approx(AFTER_48_DAYS[curve], abs=1e-9)


def test_reinforcement_may_be_switched_on_where_no_number_says_how_much() -> None:
    policy = from_values({"extends": "halflife", "reinforced": True}, "a file", "mine")
    assert _retention(policy) == pytest.approx(0.5 ** (48 / 30), abs=1e-9)
