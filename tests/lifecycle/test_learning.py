"""Learning: a known curve is found again, little data moves little, and made-up years are told as they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from remanence.lifecycle import learning
from remanence.lifecycle.idleness import NAMES, Idle, idle
from remanence.lifecycle.learning import chance, fit, held_out, learned, log_loss
from remanence.lifecycle.retention import power
from remanence.policies.reading import preset, read
from remanence.simulator.worlds import world

BALANCED = preset("balanced")
BEFORE = (30.0, 4.0, 3.0, 0.1542)
KINDS = ("fact", "finding")


def drawn(number: int, *, reach: float = 0.6, days: tuple[float, ...] = (4.0, 40.0), seed: int = 7) -> Idle:
    """Memories of two kinds, 90 % of which are left after 4 and after 40 days, each asked about once."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 2, number)
    idle_days = 2.0 ** rng.integers(0, 9, number)
    spaced = rng.integers(0, 3, number).astype(float)
    told = np.log(rng.choice([1.0, 2.0, 0.5], number))
    stability = np.array(days)[kind] * (1.0 + 2.0 * spaced) * np.exp(1.5 * told)
    return Idle(
        memory=np.arange(number),
        at=np.arange(number),
        kind=kind,
        kinds=KINDS,
        days=idle_days,
        spaced=spaced,
        told=told,
        numbers=np.tile(np.array(BEFORE)[:, None], (1, number)),
        used=rng.random(number) < reach * power(idle_days, stability, 0.6),
        weight=np.ones(number),
    )


def test_a_curve_that_outcomes_were_drawn_from_is_found() -> None:
    found = learned(drawn(60_000), BALANCED)
    fact, finding = (kind.number("stability_days") for kind in found.kinds)
    assert found.reach == pytest.approx(0.6, abs=0.03)
    assert fact.fitted == pytest.approx(4.0, rel=0.35)
    assert finding.fitted == pytest.approx(40.0, rel=0.35)
    assert finding.fitted / fact.fitted == pytest.approx(10.0, rel=0.25)
    assert found.every.number("feedback_exponent").fitted == pytest.approx(1.5, abs=0.2)
    assert found.every.number("decay_exponent").fitted == pytest.approx(0.6, abs=0.1)
    assert found.log_loss_after < found.log_loss_before


def test_without_data_nothing_moves() -> None:
    found = learned(drawn(12), BALANCED)
    for number in found.every.numbers:
        assert number.fitted == pytest.approx(number.before, rel=0.9)
        assert number.confidence < 0.6
    assert all(kind.memories >= learning.LEAST_OF_KIND for kind in found.kinds)


def test_what_says_nothing_of_a_number_leaves_it_alone() -> None:
    """No feedback was given: its exponent stays as it is, and nothing of it is known."""
    seen = replace(drawn(4000), told=np.zeros(4000))
    number = learned(seen, BALANCED).every.number("feedback_exponent")
    assert number.after == number.before == 3.0
    assert number.confidence == pytest.approx(0, abs=1e-6)


def test_more_data_move_further_and_are_surer() -> None:
    few, many = (learned(drawn(number), BALANCED).kinds[0].number("stability_days") for number in (100, 20_000))
    assert abs(np.log(many.fitted / 4.0)) < abs(np.log(few.fitted / 4.0))
    assert many.confidence > few.confidence
    assert many.standard_error / many.after < few.standard_error / few.after


def test_the_same_data_teach_the_same() -> None:
    assert learned(drawn(500), BALANCED) == learned(drawn(500), BALANCED)


def test_a_proposal_changes_the_pace_at_most_tenfold() -> None:
    found = learned(drawn(20_000, days=(0.02, 0.2)), BALANCED)
    every = found.every.number("stability_days")
    assert every.fitted < 1.0
    assert every.after == 3.0
    fact, finding = (kind.number("stability_days") for kind in found.kinds)
    assert finding.after / fact.after == pytest.approx(finding.fitted / fact.fitted, rel=0.1)


def test_numbers_that_a_kind_has_of_its_own_are_where_it_starts() -> None:
    policy = read("extends: balanced\noverrides: {finding: {stability_days: 300}}", "own.yml")
    seen = drawn(2000)
    seen.numbers[0, seen.kind == 1] = 300.0
    found = learned(seen, policy)
    assert [kind.number("stability_days").before for kind in found.kinds] == [30.0, 300.0]


def test_a_coin_has_a_log_loss_of_0_6931() -> None:
    assert log_loss(np.full(100, 0.5), drawn(100)) == pytest.approx(0.6931, abs=5e-5)


def test_reach_times_retention_is_the_chance() -> None:
    """Idle for its stability of 30 days: 90 % of a reach of one half."""
    seen = replace(drawn(1), days=np.array([30.0]), spaced=np.zeros(1), told=np.zeros(1))
    assert chance(seen, np.zeros(len(NAMES)), 0.0) == pytest.approx(0.45)


def test_the_last_third_is_told_by_what_was_known_before_it() -> None:
    seen = idle(world(3, 400).trace, BALANCED)
    before, after = held_out(seen) or (0.0, 1.0)
    assert after < before
    assert held_out(drawn(20)) is None


def test_no_outcome_at_all_is_learned_from_without_harm() -> None:
    for used in (np.ones(50, dtype=bool), np.zeros(50, dtype=bool)):
        found = fit(replace(drawn(50), used=used))
        assert np.isfinite([*found.factors, *found.errors, found.odds]).all()


@pytest.mark.parametrize("seed", range(3))
def test_on_made_up_years_stabilities_come_near_the_truth(seed: int) -> None:
    """The truth: whether each memory was really needed, which learning does not see."""
    year = world(seed)
    seen = idle(year.trace, BALANCED)
    needed = year.needed_until[seen.memory] > seen.at
    true = {kind.kind: kind.number("stability_days").fitted for kind in fit_of(seen, needed)}
    found = {kind.kind: kind.number("stability_days") for kind in learned(seen, BALANCED).kinds}
    assert sorted(true, key=true.__getitem__)[:2] == sorted(found, key=lambda kind: found[kind].fitted)[:2]
    near = [abs(np.log(number.fitted / true[kind])) for kind, number in found.items()]
    far = [abs(np.log(number.before / true[kind])) for kind, number in found.items()]
    assert np.mean(near) < np.mean(far) / 3


def fit_of(seen: Idle, needed: np.ndarray) -> tuple[learning.LearnedKind, ...]:
    return learned(replace(seen, used=needed), BALANCED).kinds
