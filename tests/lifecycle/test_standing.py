"""How memories stand, one by one and by columns: the same numbers under every policy, and where plain ones give up."""

from __future__ import annotations

import pickle
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.lifecycle.measures import Measures
from remanence.lifecycle.ranking import standing
from remanence.lifecycle.standing import MOST, stand
from remanence.model.columns import columns_of
from remanence.model.lived import Lived, Missed, day_of
from remanence.model.memory import Memory
from remanence.model.moment import to_micros
from remanence.model.policy import Policy
from remanence.policies.reading import PRESETS, preset, read
from tests.lifecycle import worlds

CURVES = ("halflife", "l2", "huber", "elastic", "exponential", "hyperbolic", "power")
NUMBERS = {"lambda": 0.01, "tau_days": 30.0, "rho": 0.3, "delta": 0.5, "half_life_days": 30.0}
TODAY = day_of(worlds.NOW)


def by_columns(memories: list[Memory], policy: Policy, at: int) -> list[dict[str, float]]:
    values, factors = standing(Measures(columns_of(memories), policy), at)
    columns = {**values, "factor": factors}
    return [{name: float(column[row]) for name, column in columns.items()} for row in range(len(memories))]


def one_by_one(memories: list[Memory], policy: Policy, at: int) -> list[dict[str, float]]:
    factors, values = stand(memories, policy, at)
    return [{**each, "factor": factor} for each, factor in zip(values, factors, strict=True)]


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """A preset, with any curve, on either clock, on a store that was lived in somehow."""
    policy = preset(draw(st.sampled_from(sorted(PRESETS))))
    days = draw(st.lists(st.integers(TODAY - 900, TODAY + 10), unique=True, max_size=12))
    missed = {"fact": Missed(draw(st.integers(0, 9)), 9), "decision": Missed(1, 1)}
    numbers = {**preset("balanced").numbers, **NUMBERS, **policy.numbers}
    return replace(
        policy,
        curve=draw(st.sampled_from([policy.curve, *CURVES])),
        clock=draw(st.sampled_from(["created", "accessed"])),
        trust_weighted=draw(st.booleans()),
        active_clock=draw(st.booleans()),
        numbers=numbers,
        lived=draw(st.none() | st.just(Lived(tuple(sorted(days)), TODAY, 0, missed))),
    )


@settings(max_examples=300)
@given(st.lists(worlds.memories(), min_size=1, max_size=5), policies(), st.floats(-400, 4000))
def test_one_by_one_they_stand_as_columns_say(memories: list[Memory], policy: Policy, days: float) -> None:
    at = to_micros(worlds.NOW + timedelta(days=days))
    for plain, column in zip(one_by_one(memories, policy, at), by_columns(memories, policy, at), strict=True):
        assert plain == pytest.approx(column, rel=1e-12, abs=1e-12)


def test_a_number_of_their_own_where_a_policy_has_one() -> None:
    policy = read("extends: halflife\noverrides: [{scope: /project, half_life_days: 10}]", "mine")
    memories = [worlds.memory(age_days=10), worlds.memory(age_days=10, scope="/project/api", number=2)]
    _, values = stand(memories, policy, worlds.NOW_MICROS)
    assert [each["retention"] for each in values] == pytest.approx([0.5 ** (1 / 3), 0.5])


def test_a_number_beyond_floats_is_left_to_columns() -> None:
    policy = preset("balanced")
    policy = replace(policy, numbers={**policy.numbers, "feedback_exponent": 1e6})
    memories = [worlds.memory(age_days=99, uses=5), worlds.memory(age_days=99, rejections=5, number=2)]
    found = one_by_one(memories, policy, worlds.NOW_MICROS)
    assert found[0]["retention"] == 1.0 > 10 * found[1]["retention"]
    assert found == by_columns(memories, policy, worlds.NOW_MICROS)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_policy_that_ranked_can_be_sent_to_another_process(name: str) -> None:
    policy = replace(preset(name), lived=Lived((TODAY,), TODAY))
    stand([worlds.memory(age_days=9)], policy, worlds.NOW_MICROS)
    assert pickle.loads(pickle.dumps(policy)) == policy


def test_many_stand_as_few_do() -> None:
    memories = [worlds.memory(age_days=age, reads=age % 4, number=age) for age in range(1, MOST + 2)]
    policy = preset("balanced")
    many, few = one_by_one(memories, policy, worlds.NOW_MICROS), one_by_one(memories[:-1], policy, worlds.NOW_MICROS)
    assert [each["worth"] for each in many[:-1]] == pytest.approx([each["worth"] for each in few])
