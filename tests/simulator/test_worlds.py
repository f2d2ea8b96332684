"""Worlds: made from a seed, as they were drawn; and back-tests on them name the policy that is truly better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.recovery import PAIRS, policies, recovered

from remanence.lifecycle.measures import Measures
from remanence.lifecycle.replay import Outcome, Spells
from remanence.model.moment import MICROS_PER_DAY, NEVER
from remanence.policies.reading import preset
from remanence.simulator.worlds import BEGINS, LIVES, Life, World, world

DAY = MICROS_PER_DAY


@pytest.fixture(scope="module")
def made() -> World:
    return world(1, memories=1500)


def by_kind(made: World, kind: str) -> np.ndarray:
    return np.flatnonzero(np.array(made.trace.columns.kinds) == kind)


def test_the_same_seed_makes_the_same_world() -> None:
    one, same, other = world(5, 80), world(5, 80), world(6, 80)
    assert one.texts == same.texts
    assert np.array_equal(one.trace.moments, same.trace.moments)
    assert np.array_equal(one.needed_until, same.needed_until)
    assert not np.array_equal(one.trace.columns.created_at, other.trace.columns.created_at)


def test_kinds_are_needed_as_long_as_was_drawn(made: World) -> None:
    days = (made.needed_until - made.trace.columns.created_at) / DAY
    for life in LIVES:
        rows = by_kind(made, life.kind)
        needed = days[rows] > 0
        assert needed.mean() == pytest.approx(life.needed, abs=0.08)
        assert np.median(days[rows][needed]) == pytest.approx(life.need_days, rel=0.35)


def test_what_is_not_needed_is_used_by_accident_alone(made: World) -> None:
    rows = np.repeat(np.arange(len(made.trace)), made.trace.number)
    later = made.trace.moments > made.needed_until[rows]
    assert 0 < later.mean() < 0.05
    quiet = world(2, 200, accidents_per_day=0.0)
    rows = np.repeat(np.arange(200), quiet.trace.number)
    assert (quiet.trace.moments <= quiet.needed_until[rows]).all()


def test_nobody_is_there_on_idle_days(made: World) -> None:
    days = (made.trace.moments - made.trace.begins) // DAY
    assert made.active[days].all()
    gaps = np.diff(np.flatnonzero(made.active))
    assert gaps.max() > 7, "there are idle weeks"
    births = (made.trace.columns.created_at - made.trace.begins) // DAY
    assert made.active[births].all()


def test_uses_come_in_bursts_and_lengthening_gaps() -> None:
    """Half of all gaps are far below the mean; where gaps lengthen, later ones are longer."""
    plain = world(3, 400, lives=[Life("fact", 1, 1.0, 300, 8.0)], accidents_per_day=0)
    gaps = np.concatenate([np.diff(one) for one in plain.trace.uses]) / DAY
    assert np.median(gaps) < 0.65 * gaps.mean()
    spaced = world(3, 400, lives=[Life("fact", 1, 1.0, 3000, 4.0, lengthening=1.3)], accidents_per_day=0)
    long = [np.diff(one) for one in spaced.trace.uses if len(one) > 8]
    assert np.mean([one[5:7].mean() for one in long]) > 2 * np.mean([one[:2].mean() for one in long])


def test_the_loss_that_truth_expects() -> None:
    """Out for 10 needed days at gaps of 5 days: 2 uses; out when no longer needed: none."""
    made = world(4, 2, lives=[Life("fact", 1, 1.0, 100, 5.0)], accidents_per_day=0)
    spells = Spells.of(made.trace)
    plain = replace(spells, ends_at=np.full(len(spells), NEVER - 1))
    gone_at = np.full(len(spells), NEVER)
    row = 0
    gone_at[spells.first[row]] = made.needed_until[row] - 10 * DAY
    assert made.expected_loss(Outcome(plain, gone_at)) == pytest.approx(2.0)
    gone_at[spells.first[row]] = made.needed_until[row] + DAY
    assert made.expected_loss(Outcome(plain, gone_at)) == 0.0


def test_texts_and_activity_go_with_it(made: World) -> None:
    assert len(made.texts) == len(made.trace)
    assert any(" keeps the " in text for text in made.texts)
    first = int(BEGINS.timestamp()) // 86_400
    assert made.lived.days[0] == first
    assert len(made.lived.days) == made.active.sum()
    policy = replace(preset("balanced"), lived=made.lived)
    columns = made.trace.as_of(made.trace.ends)
    assert (Measures(columns, policy).retention(made.trace.ends) > 0).all()


def test_a_back_test_names_the_better_policy() -> None:
    known = policies()
    for one, other in PAIRS[:2]:
        found = recovered((known[one], known[other]), range(4), memories=300, reference=(100_000,))
        assert found.ratio > 1.3
        assert found.share == 1.0


@pytest.mark.full
@pytest.mark.parametrize("pair", PAIRS[:4])
def test_a_back_test_names_the_better_policy_of_a_hundred_years(pair: tuple[str, str]) -> None:
    known = policies()
    found = recovered((known[pair[0]], known[pair[1]]), range(100))
    assert found.share >= 0.95, [seed for seed, right in enumerate(found.right) if not right]
    assert found.clearly_wrong == 0
