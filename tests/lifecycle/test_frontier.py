"""The curve of savings against loss: budgets are kept, bounds bound, and equal savings are compared."""

from __future__ import annotations

import numpy as np
import pytest

from remanence.lifecycle.frontier import (
    difference_error,
    lost_at,
    mean_lost,
    oracle_order,
    outcomes_of,
    own_order,
    point,
    random_order,
)
from remanence.lifecycle.replay import Spells, by_rules
from remanence.model.backtest import Point
from remanence.model.moment import NEVER
from remanence.policies.reading import preset
from remanence.simulator.worlds import world
from tests.lifecycle.test_replay import BEGINS, DAY, traced

SPELLS = Spells.of(world(7, memories=150, days=250).trace)
BUDGETS = (1.0, 0.7, 0.4, 0.1)


def lots(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random(len(SPELLS))


@pytest.mark.parametrize("budget", BUDGETS)
def test_after_every_cut_the_budget_is_kept(budget: float) -> None:
    ((outcome,),) = outcomes_of(SPELLS, [random_order(lots())], [budget])
    for moment in SPELLS.steps():
        current = SPELLS.current(moment)
        tokens = SPELLS.tokens[current]
        kept = tokens[outcome.gone_at[current] > moment]
        assert kept.sum() <= budget * tokens.sum()
    if budget == 1.0:
        assert point(budget, outcome) == Point(budget=1.0, saved=0.0, lost=0.0, lost_uses=0)


def test_a_policy_lies_between_a_perfect_choice_and_chance() -> None:
    policy = preset("halflife")
    orders = [oracle_order(SPELLS), own_order(policy, by_rules(SPELLS, policy)), random_order(lots())]
    oracle, own, chance = (
        [point(*pair) for pair in zip(BUDGETS, outcomes, strict=True)]
        for outcomes in outcomes_of(SPELLS, orders, BUDGETS)
    )
    for saved in (0.2, 0.4, 0.6, 0.8):
        assert lost_at(oracle, saved) < lost_at(own, saved) < lost_at(chance, saved)
    assert [one.lost for one in own] == sorted(one.lost for one in own)


def test_a_perfect_choice_lets_go_what_saves_most_before_it_is_used() -> None:
    """Ten tokens each: one never used again, one used on day 9, one on day 200; half may stay, then a tenth."""
    spells = Spells.of(traced(({}, []), ({}, [9]), ({}, [200])))
    order = oracle_order(spells)
    current = spells.current(BEGINS + 7 * DAY)
    assert order(current, spells.columns(current), BEGINS + 7 * DAY).tolist() == [0, 2, 1]


def test_what_rules_remove_comes_first_then_the_lowest_and_exempt_rows_never() -> None:
    policy = preset("halflife")
    spells = Spells.of(traced(({"importance": 0.9}, []), ({"importance": 0.3}, []), ({"pinned": True}, [])))
    moment = BEGINS + 50 * DAY
    current = spells.current(moment)
    plain = own_order(policy, np.full(len(spells), NEVER))(current, spells.columns(current), moment)
    assert plain.tolist() == [1, 0]
    by_rule = np.array([moment, NEVER, NEVER])
    assert own_order(policy, by_rule)(current, spells.columns(current), moment).tolist() == [0, 1]


def a_point(saved: float, lost: float) -> Point:
    return Point(budget=1 - saved, saved=saved, lost=lost, lost_uses=0)


def test_losses_at_equal_savings() -> None:
    """From (0, 0) over (0.4, 0.1) to (0.8, 0.5): 0.05 at 0.2, 0.3 at 0.6; on average up to 0.8 about 0.178."""
    points = [a_point(0.8, 0.5), a_point(0.4, 0.1)]
    assert lost_at(points, 0.2) == pytest.approx(0.05)
    assert lost_at(points, 0.6) == pytest.approx(0.3)
    assert mean_lost(points, 0.8) == pytest.approx(0.18, abs=0.006)


def test_the_error_of_a_difference() -> None:
    """Of 3 memories, one order loses a use of one: carried 1, 0 and 0 of 2 uses → √(3·var(0.5·w, 0, 0))."""
    spells = Spells.of(traced(({}, [100]), ({}, [100]), ({}, [])))
    first = np.array([0.0, 0.5, 0.6, 0.9, 0.1])
    (one,), (other,) = outcomes_of(spells, [random_order(first), random_order(1 - first)], [0.7])
    points = [[point(0.7, one)], [point(0.7, other)]]
    assert [len(one.lost), len(other.lost)] == [1, 1]
    assert difference_error([one], [one], [points[0], points[0]], 0.2) == 0.0
    weights = [mean_lost([a_point(some[0].saved, 1.0)], 0.2) for some in points]
    carried = np.zeros(3)
    for sign, outcome, weight in ((1, one, weights[0]), (-1, other, weights[1])):
        carried[spells.row[outcome.lost]] += sign * weight / 2
    found = difference_error([one], [other], points, 0.2)
    assert found == pytest.approx(np.sqrt(3 * np.var(carried, ddof=1)))
    assert found > 0


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    outcomes_of(SPELLS, [random_order(lots())], [0.5], lambda done, total: seen.append((done, total)))
    assert seen[-1] == (35, 35)
