"""Replay: what would have left and what that would have cost, against numbers by hand and a day-by-day simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from remanence.lifecycle.forgetting import NO_RULE, decide
from remanence.lifecycle.replay import Outcome, Spells, by_rules, replay
from remanence.model.columns import columns_of
from remanence.model.memory import Layer
from remanence.model.moment import MICROS_PER_DAY, NEVER, to_micros
from remanence.model.policy import Policy
from remanence.model.trace import Trace
from remanence.policies.reading import PRESETS, preset, read
from remanence.simulator.worlds import world
from tests.lifecycle.worlds import NOW, memory

DAY = MICROS_PER_DAY
BEGINS = to_micros(NOW) - 300 * DAY
HALFLIFE = preset("halflife")


def traced(*lives: tuple[dict[str, Any], list[float]], **more: Any) -> Trace:
    """A trace of 300 days: fields of memories, each with the days of its uses."""
    made = [memory(**{"age_days": 300, "number": n} | fields) for n, (fields, _) in enumerate(lives)]
    columns = replace(columns_of(made), tokens=np.full(len(made), 10))
    rows = [row for row, (_, uses) in enumerate(lives) for _ in uses]
    moments = [BEGINS + round(day * DAY) for _, uses in lives for day in uses]
    return Trace.from_uses(columns, rows, moments, begins=BEGINS, ends=to_micros(NOW), **more)


def days_of(outcome: Outcome) -> list[float | None]:
    """When the memory of each spell leaves, in days since the beginning."""
    return [None if at == NEVER else (at - BEGINS) / DAY for at in outcome.gone_at.tolist()]


def test_a_use_of_what_has_left_is_lost_and_brings_it_back() -> None:
    """0.5·0.5^(d/30) falls below 0.05 after 99.66 days: out by day 100, used on day 150, out again by day 250."""
    outcome = replay(traced(({}, [150]), ({"importance": 0.5}, [60, 140, 220])), HALFLIFE)
    assert days_of(outcome) == [100, 250, None, None, None, None]
    assert (outcome.memories, len(outcome.lost), outcome.spells.uses) == (1, 1, 4)
    assert outcome.tokens == 10
    assert outcome.saved_token_days == 10 * (50 + 50)
    assert outcome.saved_share == pytest.approx(1000 / 6000)
    assert outcome.lost_share == 0.25
    assert outcome.by_kind() == {"fact": (1, 10, 1)}


def test_a_hundred_tokens_that_are_out_for_thirty_days_save_3000() -> None:
    trace = traced(({}, []), left_at=[BEGINS + 130 * DAY])
    outcome = replay(replace(trace, columns=replace(trace.columns, tokens=np.array([100]))), HALFLIFE)
    assert outcome.saved_token_days == 3000


def test_a_past_of_many_years_is_looked_at_in_longer_steps() -> None:
    trace = traced(({}, []))
    assert len(Spells.of(trace).steps()) == 42
    assert len(Spells.of(replace(trace, begins=BEGINS - 2000 * 365 * DAY)).steps()) <= 1000


def test_sweeps_run_as_often_as_told() -> None:
    assert days_of(replay(traced(({}, [])), HALFLIFE, every_days=30)) == [120]
    assert days_of(replay(traced(({}, [])), HALFLIFE, every_days=0.25)) == [99.75]


def test_what_is_protected_stays() -> None:
    lives: list[tuple[dict[str, Any], list[float]]] = [({"pinned": True}, []), ({"scope": "/user"}, [])]
    assert days_of(replay(traced(*lives, ({}, [])), HALFLIFE)) == [None, None, 100]


def test_what_ended_otherwise_saves_nothing_afterwards() -> None:
    outcome = replay(traced(({}, []), ({}, []), left_at=[BEGINS + 150 * DAY, BEGINS + 90 * DAY]), HALFLIFE)
    assert days_of(outcome) == [100, None]
    assert outcome.saved_token_days == 10 * 50
    assert outcome.spells.token_days == 10 * (150 + 90)


def test_a_memory_is_judged_from_its_oldest_known_moment_on() -> None:
    """It was used seven times before day 250, nobody knows when: no sweep before that can be asked."""
    outcome = replay(traced(({}, [250]), unplaced=[7]), HALFLIFE)
    assert days_of(outcome) == [None, None]
    assert outcome.spells.uses == 0, "that use cannot be lost"
    assert outcome.spells.token_days == 10 * 50


def test_memories_of_before_the_trace_are_judged_from_its_beginning() -> None:
    outcome = replay(traced(({"age_days": 450}, [20])), HALFLIFE)
    assert days_of(outcome) == [0, 120]
    assert outcome.saved_token_days == 10 * (20 + 180)


def test_a_policy_that_is_switched_off_takes_nothing() -> None:
    off = replace(preset("relevance"), enabled=False)
    assert days_of(replay(traced(({"kind": "tool_output"}, [])), off)) == [None]


def test_nothing_at_all() -> None:
    outcome = replay(traced(), HALFLIFE)
    assert (outcome.memories, outcome.saved_share, outcome.lost_share, outcome.by_kind()) == (0, 0.0, 0.0, {})


def simulated(trace: Trace, policy: Policy) -> np.ndarray:
    """The same day by day, with a state for each memory: the moments of leaving by spell."""
    spells = Spells.of(trace)
    gone_at = np.full(len(spells), NEVER)
    out = np.zeros(len(trace), dtype=bool)
    before = np.zeros(len(trace), dtype=np.int64)
    for moment in range(trace.begins, trace.ends, DAY):
        used = trace.used_by(moment)
        out &= used == before
        before = used
        rows = trace.living(moment)
        rows = rows[~out[rows]]
        removed = rows[decide(trace.knowing(rows, used[rows]), policy, moment).removed != NO_RULE]
        out[removed] = True
        gone_at[spells.first[removed] + used[removed]] = moment
    return gone_at


@pytest.mark.parametrize("name", PRESETS)
def test_it_is_what_daily_sweeps_would_have_done(name: str) -> None:
    made = world(len(name), memories=60, days=200).trace
    policy = replace(preset(name), targets=())
    assert np.array_equal(by_rules(Spells.of(made), policy), simulated(made, policy))


# --- targets


def targets_alone(text: str) -> Policy:
    return replace(read(text, "sizes.yml"), rules=())


BUDGET = targets_alone("extends: balanced\nscope_tokens: 35\n")


def test_a_full_scope_lets_the_lowest_go_every_week() -> None:
    lives = [({"importance": share, "scope": "/a"}, []) for share in (0.9, 0.2, 0.6, 0.4, 0.8)]
    outcome = replay(traced(*lives, ({"importance": 0.1, "scope": "/b"}, [])), BUDGET)
    assert days_of(outcome) == [None, 7, None, 7, None, None], "35 tokens hold three of ten"


def test_what_comes_back_pushes_another_out() -> None:
    lives = [({"importance": share}, []) for share in (0.9, 0.8, 0.7)]
    outcome = replay(traced(*lives, ({"importance": 0.69}, [50])), BUDGET)
    assert days_of(outcome)[3:] == [7, None], "as recalled it is worth more than the third"
    assert days_of(outcome)[2] == 56
    assert len(outcome.lost) == 1


def test_targets_by_kind_and_age_and_what_is_reviewed_apart() -> None:
    text = "extends: relevance\nidentity_tokens: 5\nhistorical_days: 100\nhistorical_tokens: 5\nproject_tokens: never"
    lives = [({"kind": kind, "age_days": age}, []) for kind, age in (("fact", 290), ("identity", 290), ("fact", 150))]
    outcome = replay(traced(*lives), targets_alone(text))
    assert days_of(outcome) == [112, None, 252], "once 100 whole days old at a weekly look; identity is looked at apart"


def test_a_target_over_many_scopes_counts_memories() -> None:
    lives = [({"kind": "observation", "importance": share}, []) for share in (0.3, 0.2, 0.9)]
    outcome = replay(traced(*lives, ({"importance": 0.1}, [])), targets_alone("extends: tiered\nmax_observations: 2"))
    assert days_of(outcome) == [None, 7, None, None]


def test_layers_are_those_of_now() -> None:
    lasting = replay(traced(({"layer": Layer.SEMANTIC, "importance": 0.1}, [])), preset("layered"))
    fading = replay(traced(({"importance": 0.1}, [])), preset("layered"))
    assert days_of(lasting) == [None]
    assert days_of(fading) == [91]
