"""Idleness: which moments have a known outcome, what is left out, and what weighs how much."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from remanence.lifecycle.idleness import CHECKPOINTS_DAYS, idle, known_at, whole_from
from remanence.model.columns import columns_of
from remanence.model.moment import MICROS_PER_DAY, to_micros
from remanence.model.policy import Policy
from remanence.model.trace import Trace
from remanence.policies.reading import read
from tests.lifecycle.worlds import NOW, memory

CURVE = read("extends: halflife\ncurve: power\nstability_days: 30\ndecay_exponent: 0.1542", "plain.yml")
NOW_MICROS = to_micros(NOW)


def trace(*uses: tuple[float, ...], age_days: float = 100, kinds: tuple[str, ...] = (), **more: object) -> Trace:
    """Memories of that age, each used so many days after its birth."""
    named = kinds or ("fact",) * len(uses)
    made = [memory(age_days, number=row + 1, kind=kind, **more) for row, kind in enumerate(named)]
    born = to_micros(NOW - timedelta(days=age_days))
    moments = [[born + round(day * MICROS_PER_DAY) for day in some] for some in uses]
    return Trace.from_events(columns_of(made), moments, begins=born, ends=NOW_MICROS)


def asked(found: Trace, policy: Policy = CURVE) -> list[tuple[float, bool]]:
    """Days idle and whether it was used again, sorted."""
    seen = idle(found, policy)
    return sorted(zip(seen.days.tolist(), seen.used.tolist(), strict=True))


def test_what_was_never_used_is_asked_about_until_the_horizon() -> None:
    assert asked(trace(())) == [(day, False) for day in CHECKPOINTS_DAYS if day + 30 <= 100]
    assert asked(trace((), age_days=31)) == [(1.0, False)]
    assert asked(trace((), age_days=30.9)) == []


def test_a_use_answers_for_the_thirty_days_before_it() -> None:
    """Used on day 40: idle 1 to 8 days it was not used within 30 days, idle 16 or 32 days it was."""
    found = asked(trace((40,)))
    from_birth = [(1.0, False), (2.0, False), (4.0, False), (8.0, False), (16.0, True), (32.0, True)]
    since_use = [(day, False) for day in (1.0, 2.0, 4.0, 8.0, 16.0)]
    assert found == sorted([*from_birth, *since_use])


def test_a_use_whose_window_is_cut_off_is_not_asked_about() -> None:
    """Known uses with unknown absences beside them would make everything look used."""
    assert asked(trace((70,), age_days=80)) == [(day, False) for day in (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)]
    assert asked(trace((70,), age_days=94))[-1] == (64.0, True)


def test_what_is_older_than_the_trace_is_asked_about_from_its_beginning_on() -> None:
    """Of the time before nobody knows: it was not in the store."""
    found = trace(())
    later = replace(found, begins=found.begins + 10 * MICROS_PER_DAY)
    assert asked(later) == [(16.0, False), (32.0, False), (64.0, False)]


def test_what_left_otherwise_is_asked_about_until_then() -> None:
    found = replace(trace(()), left_at=np.array([NOW_MICROS - 60 * MICROS_PER_DAY]))
    assert asked(found) == [(1.0, False), (2.0, False), (4.0, False), (8.0, False)]


def test_what_never_decays_teaches_nothing() -> None:
    found = trace((), (), (), kinds=("fact", "identity", "crystal"))
    policy = replace(CURVE, exempt_kinds=("identity",))
    assert idle(found, policy).memories == 1
    assert idle(trace((), exempt=True), CURVE).memories == 0


def test_where_moments_were_let_go_only_the_last_ninety_days_count() -> None:
    """Else those that were used would be missing, and those that were not used would be there."""
    found = trace((50, 60), (), age_days=200)
    assert whole_from(found) == found.begins
    pruned = replace(found, unplaced=np.array([3, 0]))
    assert whole_from(pruned) == NOW_MICROS - 90 * MICROS_PER_DAY
    assert idle(found, CURVE).memories == 2
    assert idle(pruned, CURVE).memories == 0


def test_more_than_twenty_uses_hide_only_their_own_past() -> None:
    found = trace(tuple(range(1, 21)), (), age_days=200)
    dense = replace(found, unplaced=np.array([7, 0]))
    assert whole_from(dense) == dense.begins
    assert idle(dense, CURVE).memories == 2


def test_observations_of_one_memory_hang_together() -> None:
    seen = idle(trace((), ()), CURVE)
    assert len(seen) == 14
    assert seen.events == pytest.approx(2 * 7**0.5)
    assert seen.weight.sum() == pytest.approx(2 * 7**0.5)


@pytest.mark.parametrize(("told", "weight"), [({}, 1), ({"uses": 5}, 2), ({"rejections": 5}, 0.5)])
def test_what_hosts_say_of_a_use_counts(told: dict[str, int], weight: float) -> None:
    """Outcomes known by number alone come with the uses: before the first use none is known."""
    plain, spoken = (idle(trace((10, 40), **more), CURVE) for more in ({}, told))  # type: ignore[arg-type]
    after = spoken.used & (spoken.spaced > 0)
    assert after.any()
    assert (spoken.weight / plain.weight)[after] == pytest.approx(weight)
    assert (spoken.weight / plain.weight)[~spoken.used] == pytest.approx(1)


def test_when_enough_will_be_known() -> None:
    found = trace((), (), (), age_days=10)
    assert known_at(found, 3) == NOW_MICROS + 21 * MICROS_PER_DAY
    assert known_at(found, 4) is None
