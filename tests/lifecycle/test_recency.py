"""How much it says that a memory was used lately."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import log

import numpy as np
import pytest

from remanence.lifecycle.recency import Lift, lift_of, recency
from remanence.model.columns import Columns, columns_of
from remanence.model.memory import Layer, Memory, Source

BORN = datetime(2026, 1, 1, 12, tzinfo=UTC)


def used(*days: list[float], count: int | None = None) -> Columns:
    """A memory for each list of days since birth on which it was used."""
    return columns_of(
        [
            Memory(
                id=str(number),
                namespace="test",
                scope="/",
                layer=Layer.EPISODIC,
                kind="fact",
                text="text",
                source=Source.HUMAN,
                importance=0.5,
                created_at=BORN,
                last_accessed_at=BORN + timedelta(days=max(some, default=0.0)),
                access_count=len(some) if count is None else count,
                recent_accesses=tuple(BORN + timedelta(days=day) for day in some),
            )
            for number, some in enumerate(days)
        ]
    )


def idle() -> list[list[float]]:
    return [[] for _ in range(30)]


def test_the_same_used_again_and_again_is_a_lift() -> None:
    lift = lift_of(used([float(day) for day in range(8, 160, 8)], *idle()))
    assert lift.share == pytest.approx(0.91, abs=0.02), "the first use, of one of many born together, shows nothing"
    assert lift.gap_days == 8
    assert lift.uses == 19


def test_each_used_in_turn_is_none() -> None:
    in_turn: list[list[float]] = [[number + 1.0, number + 31.0, number + 61.0] for number in range(30)]
    assert lift_of(used(*in_turn)).share == 0, "always the one that was used longest ago"


def test_uses_on_one_day_are_one() -> None:
    often = [8 + hour / 48 for hour in range(20)]
    assert lift_of(used(often, *idle())).uses == 1
    assert recency(used(often, *idle()), np.array([9.0] * 31)).tolist() == [0.0] * 31, "one use is no lift"


def test_what_was_before_the_uses_that_are_known_is_not_guessed() -> None:
    days = [float(day) for day in range(300, 400, 5)]
    assert lift_of(used(days, *idle())).uses == 20
    assert lift_of(used(days, *idle(), count=500)).uses == 19, "the first of those known was not the first"


def test_nothing_is_no_error() -> None:
    assert lift_of(used()) == Lift(0.0, 1.0, 0)
    assert recency(used(), np.zeros(0)).tolist() == []


def test_the_worked_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remanence.lifecycle.recency.lift_of", lambda columns: Lift(0.7, 8.0, 100))
    now, late = recency(used([], []), np.array([0.0, 24.0])).tolist()
    assert now == 0
    assert late == pytest.approx(-6 * 0.343 * 100 / 120 * log(4))
    assert late == pytest.approx(-2.38, abs=0.005)
