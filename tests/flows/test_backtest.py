"""Back-tests of real stores: what a policy would have cost on the past that was, and pasts that are too short."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import InvalidInput
from remanence.flows.backtest import BUDGETS, LEAST_BUDGET
from remanence.flows.trace import recorded
from remanence.lifecycle.replay import replay
from remanence.model.moment import NEVER, from_micros
from remanence.policies.reading import preset, read
from tests.conftest import START, Clock, dump, new_mind

DAY = timedelta(days=1)


def lived(mind: Mind, clock: Clock, days: int = 200) -> list[str]:
    """Ids of thirty memories: the first ten are recalled every 20 days, the next five once, on day 150."""
    drafts = [{"text": f"w{n} x{n} y{n}", "importance": 0.4, "kind": "fact" if n % 2 else "finding"} for n in range(30)]
    ids = [made.memory.id for made in mind.remember_many(drafts)]
    for day in range(10, days, 10):
        clock.now = START + day * DAY
        for number in [*(range(10) if day % 20 == 0 else ()), *(range(10, 15) if day == 150 else ())]:
            assert mind.recall(f"w{number}", limit=1)
    clock.now = START + days * DAY
    return ids


@pytest.fixture
def past(mind: Mind, clock: Clock) -> tuple[Mind, list[str]]:
    return mind, lived(mind, clock)


def test_what_a_policy_would_have_cost(past: tuple[Mind, list[str]]) -> None:
    """0.4·0.5^(d/30) falls below 0.05 after 90 days: by day 91 what was never recalled, and five are wanted on 150."""
    mind, ids = past
    found = mind.policies.backtest("halflife")
    assert (found.memories, found.uses, round(found.days)) == (30, 95, 200)
    one = found.policy
    assert (one.policy, one.memories, one.lost_uses, one.lost_memories) == ("halflife", 20, 5, 5)
    assert one.lost == pytest.approx(5 / 95)
    tokens = found.tokens / 30
    assert one.saved_token_days == pytest.approx(tokens * (15 * 109 + 5 * 59), rel=0.05)
    assert sum(kind["lost_uses"] for kind in one.by_kind.values()) == 5
    assert {loss.memory_id for loss in one.losses} == set(ids[10:15])
    assert {(loss.left_at, loss.used_at, loss.times) for loss in one.losses} == {
        (START + 91 * DAY, START + 150 * DAY, 1)
    }
    assert found.current is not None
    assert (found.current.policy, found.current.memories, found.current.lost_uses) == ("balanced", 0, 0)
    assert [curve.name for curve in found.curves] == ["halflife", "balanced", "oracle", "random"]
    assert all([point.budget for point in curve.points] == list(BUDGETS) for curve in found.curves)
    own, _, oracle, chance = found.curves
    assert oracle.points[2].lost <= own.points[2].lost < chance.points[2].lost


def test_nothing_is_touched_and_the_same_is_told_twice(past: tuple[Mind, list[str]]) -> None:
    mind, _ = past
    mind._store.flush()
    before = dump(mind)
    assert mind.policies.backtest("tiered") == mind.policies.backtest("tiered")
    assert dump(mind) == before
    assert mind.policies.current.name == "balanced"


def test_the_policy_in_force_alone(past: tuple[Mind, list[str]]) -> None:
    mind, _ = past
    for name in (None, "balanced", mind.policies.current):
        found = mind.policies.backtest(name, [0.5])
        assert found.current is None
        assert [curve.name for curve in found.curves] == ["balanced", "oracle", "random"]
        assert "name another one" in found.verdict


def test_it_says_what_real_sweeps_did(clock: Clock) -> None:
    """A year of sweeps every ten days: what left in them left in the replay, at the same sweep."""
    with new_mind(clock=clock, policy="halflife") as mind:
        drafts = [{"text": f"w{n} x{n} y{n}", "importance": 0.1 + 0.02 * n} for n in range(30)]
        ids = [made.memory.id for made in mind.remember_many(drafts)]
        left: dict[str, datetime] = {}
        for day in range(10, 300, 10):
            clock.now = START + day * DAY
            if day % 40 == 0:
                for number in range(0, 30, 3):
                    mind.recall(f"w{number}", limit=1)
            for change in mind.apply(mind.sweep(), force=True).changes:
                left[change.memory_id] = clock.now
        clock.now = START + 300 * DAY
        outcome = replay(recorded(mind._store, clock.now), preset("halflife"), every_days=10)
        trace = outcome.spells.trace
        names = mind._store.ids(trace.columns.rows.tolist())
        told = {
            names[row]: from_micros(at)
            for row, at in zip(outcome.spells.row.tolist(), outcome.gone_at.tolist(), strict=True)
            if at != NEVER
        }
        assert told == left
        assert 5 < len(left) < len(ids)
        assert trace.number.sum() > 20


def test_what_an_archive_was_asked_for_is_a_loss_of_the_policy_that_archived(clock: Clock) -> None:
    with new_mind(clock=clock, policy="layered") as mind:
        lived(mind, clock)
        old = mind.remember("zebra stripes fade", importance=0.1).memory.id
        clock.advance(days=120)
        mind.apply(mind.sweep(), force=True)
        assert mind.get(old).state == "archived"
        clock.advance(days=5)
        mind.recall("zebra stripes")
        found = mind.policies.backtest("halflife")
        assert old in {loss.memory_id for loss in found.policy.losses}
        assert found.current is not None
        assert old in {loss.memory_id for loss in found.current.losses}
        assert any("regrets" in note for note in found.notes)


def test_a_past_that_was_taken_in_from_another_store_counts(clock: Clock, tmp_path: Path) -> None:
    with new_mind(clock=clock) as mind:
        lived(mind, clock)
        mind.export(tmp_path / "all.jsonl")
        before = mind.policies.backtest("halflife")
    with new_mind(clock=clock) as other:
        other.import_(tmp_path / "all.jsonl")
        after = other.policies.backtest("halflife")
    assert after.uses == before.uses - 10, "the very first ones cannot have been lost"
    assert after.policy.lost_uses == before.policy.lost_uses
    assert after.begins == START + 20 * DAY, "from its first known use on"


@pytest.mark.parametrize(("active", "lost"), [("true", 0), ("false", 30)])
def test_a_user_who_was_away_ages_nothing_on_the_activity_clock(clock: Clock, active: str, lost: int) -> None:
    """Four months away: by the calendar all would have faded, by the days on which anybody was there nothing."""
    numbers = "archive_after_days: 60\narchive_below: 0.9\naccesses_below: 50\n"
    with new_mind(clock=clock) as mind:
        lived(mind, clock, 40)
        clock.advance(days=120)
        for number in range(30):
            mind.recall(f"w{number}", limit=1)
        policy = read(f"extends: balanced\nactive_clock: {active}\n{numbers}", "mine.yml")
        assert mind.policies.backtest(policy).policy.lost_uses == lost


# --- bad input


def problems(mind: Mind, *given: Any, **more: Any) -> list[str]:
    before = dump(mind)
    with pytest.raises(InvalidInput) as raised:
        mind.policies.backtest(*given, **more)
    assert dump(mind) == before
    return list(raised.value.problems)


def test_an_empty_store_and_one_that_was_never_asked_say_so(mind: Mind, clock: Clock) -> None:
    assert f"namespace {mind.stats().namespace!r} holds no memories" in problems(mind)[0]
    mind.remember_many([f"w{n} x{n} y{n}" for n in range(40)])
    clock.advance(days=100)
    (problem,) = problems(mind)
    assert "nothing was ever recalled" in problem
    assert "rem forecast" in problem


def test_too_little_history_says_what_is_missing(mind: Mind, clock: Clock) -> None:
    mind.remember_many([f"w{n} x{n} y{n}" for n in range(7)])
    clock.advance(days=12)
    for number in range(3):
        mind.recall(f"w{number}", limit=1)
    mind._store.flush()
    (problem,) = problems(mind, "tiered")
    assert problem.startswith("7 memories and 3 later uses in 12 days are too little history")
    assert "at least 20 memories, 10 later uses and 28 days" in problem


def test_budgets_that_are_none_are_all_named(past: tuple[Mind, list[str]]) -> None:
    mind, _ = past
    mind._store.flush()
    assert problems(mind, "tiered", [0]) == ["budgets has 0, which is outside 0.001 to 1: 0.3 keeps 30 % of the tokens"]
    assert len(problems(mind, "tiered", [0.5, 1.5, -1, float("nan"), "half", True])) == 5
    for wrong in ([], "0.5", [0.5] * 21, [30], None, 0.5):
        assert len(problems(mind, "tiered", wrong)) == 1


def test_numbers_follow_the_names(past: tuple[Mind, list[str]]) -> None:
    mind, _ = past
    found = replace(mind.policies.backtest("tiered"), mean_lost=(0.222, 0.212), standard_error=0.1)
    assert found.verdict.endswith("tiered and balanced lose about as many later uses (22.2% and 21.2% on average)")
    clear = replace(found, standard_error=0.001)
    assert clear.verdict.endswith("balanced loses fewer later uses than tiered: 21.2% against 22.2% on average")


def test_two_of_one_name_are_told_apart(past: tuple[Mind, list[str]]) -> None:
    mind, _ = past
    mind.policies.use(read("extends: balanced\nname: mine", "mine.yml"))
    found = mind.policies.backtest(read("extends: balanced\nname: mine\narchive_after_days: 9", "mine.yml"))
    clear = replace(found, mean_lost=(0.1, 0.3), standard_error=0.001)
    assert "the new mine loses fewer later uses than the mine in force" in clear.verdict


def test_the_gentlest_and_the_harshest_budget(past: tuple[Mind, list[str]]) -> None:
    mind, _ = past
    found = mind.policies.backtest("halflife", [1, LEAST_BUDGET])
    gentle, harsh = found.curves[0].points
    assert (gentle.saved, gentle.lost) == (0.0, 0.0)
    assert harsh.saved > 0.85


def test_an_unknown_policy(past: tuple[Mind, list[str]]) -> None:
    mind, _ = past
    assert "nonesuch" in problems(mind, "nonesuch")[0]


def test_a_policy_that_is_switched_off_says_so(past: tuple[Mind, list[str]]) -> None:
    mind, _ = past
    found = mind.policies.backtest(read("extends: halflife\nenabled: false\n", "off.yml"))
    assert found.policy.memories == 0
    assert any("switched off" in note for note in found.notes)


# --- what is told


def test_it_is_told_as_json_and_in_words(past: tuple[Mind, list[str]]) -> None:
    mind, _ = past
    found = mind.policies.backtest("halflife")
    told = json.loads(json.dumps(found.to_dict()))
    assert told["policy"]["lost_uses"] == 5
    assert told["verdict"] == found.verdict
    assert "halflife would have let 20 memories go" in str(found)
    assert "5 later uses (5.3%) of 5 memories would have been lost" in str(found)


def test_a_verdict_goes_by_more_than_chance(past: tuple[Mind, list[str]]) -> None:
    found = past[0].policies.backtest("halflife")

    def verdict(mine: float, theirs: float, error: float | None) -> str:
        return replace(found, mean_lost=(mine, theirs), standard_error=error).verdict

    assert "halflife loses fewer" in verdict(0.01, 0.05, 0.01)
    assert "balanced loses fewer" in verdict(0.05, 0.01, 0.01)
    assert "about as many" in verdict(0.05, 0.04, 0.01)
    assert "cannot be compared" in verdict(0.0, 0.0, None)


def test_progress_goes_from_the_start_to_the_end(past: tuple[Mind, list[str]]) -> None:
    mind, _ = past
    seen: list[int] = []
    mind.policies.backtest("tiered", progress=lambda done, total: seen.append(round(100 * done / total)))
    assert seen == sorted(seen)
    assert seen[-1] == 100
