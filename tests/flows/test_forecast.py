"""forecast on real stores: who leaves when and why, under this policy or another, and nothing is touched."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import InvalidInput
from remanence.policies.reading import PRESETS, preset, read
from tests.activity import attend_until
from tests.conftest import START, Clock, dump, new_mind


def remember(mind: Mind, number: int, start: int = 0, **fields: Any) -> list[str]:
    """Ids of so many memories that share no word with each other."""
    texts = ({"text": f"w{n} x{n} y{n}"} | fields for n in range(start, start + number))
    return [made.memory.id for made in mind.remember_many(texts)]


def a_bit_of_everything(mind: Mind, clock: Clock) -> None:
    for number, kind in enumerate(("fact", "tool_output", "observation", "decision", "finding", "session_state")):
        remember(mind, 4, number * 10, kind=kind, importance=0.1, scope=f"/project/p{number % 2}")
        clock.advance(days=9)
    remember(mind, 2, 100, layer="working")
    remember(mind, 1, 110, pinned=True, importance=0.0)
    remember(mind, 1, 120, ttl="20d")
    for town in ("Oslo", "Rome"):
        mind.remember(f"The deploy server stands in {town}")
    mind.recall("w1")
    mind._store.flush()


@pytest.mark.parametrize("name", PRESETS)
def test_nothing_is_touched_under_this_or_another_policy(clock: Clock, name: str) -> None:
    with new_mind(clock=clock) as mind:
        a_bit_of_everything(mind, clock)
        clock.advance(days=50)
        mind.sweep()
        before = dump(mind)
        first = mind.forecast(name, days=200)
        assert mind.forecast(name, days=200) == first
        assert dump(mind) == before
        assert mind.policies.current.name == "balanced"
        assert first.policy == name


@pytest.mark.parametrize("name", PRESETS)
def test_daily_sweeps_do_what_was_told(clock: Clock, name: str) -> None:
    """Day by day, under the store's own policy and told from another one's store."""
    with new_mind(clock=clock, policy=name) as mind:
        a_bit_of_everything(mind, clock)
        start = clock.now
        forecast = mind.forecast(days=120)
        told = {leaving.memory_id: (leaving.at, leaving.rule, leaving.action) for leaving in forecast.leaving}
        seen: dict[str, tuple[datetime, str, str]] = {}
        for day in range(121):
            attend_until(mind, clock, start + timedelta(days=day))
            for change in mind.apply(mind.sweep(), force=True).changes:
                if "state" in change.after:
                    seen[change.memory_id] = (clock.now, change.reason, change.action.value)
            if day:
                counts = (mind.count(), mind.count(state="archived"), mind.count(state="forgotten"))
                assert counts == (forecast.live[day], forecast.archived[day], forecast.forgotten[day])
        assert seen == told
        assert forecast.leaves == len(seen) == sum(forecast.by_rule.values())
        assert forecast.by_rule == Counter(rule for _, rule, _ in seen.values())
        memories = {memory.id: memory for memory in mind.list(state="all")}
        assert forecast.by_kind == Counter(memories[id].kind for id in seen)
        assert forecast.by_scope == Counter(memories[id].scope for id in seen)


def test_a_cap_spreads_them_over_days_the_lowest_first(clock: Clock) -> None:
    with new_mind(clock=clock, policy=read("extends: tiered\nmax_evict: 10", "mine.yml")) as mind:
        ids = []
        for number in range(35):
            ids += remember(mind, 1, number)
            clock.advance(hours=1)
        clock.advance(days=200)
        start = clock.now
        forecast = mind.forecast(days=10)
        assert forecast.live[:6] == (35, 15, 5, 0, 0, 0)
        told = {leaving.memory_id: leaving.at for leaving in forecast.leaving}
        for day in range(5):
            clock.now = start + timedelta(days=day)
            for id in mind.apply(mind.sweep(), force=True).applied:
                assert told.pop(id) == clock.now
        assert not told
        assert forecast.by_rule == {"evictable": 35}


def test_who_waits_in_line_may_leave_by_another_rule(clock: Clock) -> None:
    """Evictable as the sixth of six, one a day, but its own time is up on the third day."""
    with new_mind(clock=clock, policy=read("extends: tiered\nmax_evict: 1", "mine.yml")) as mind:
        for number in range(5):
            remember(mind, 1, number)
            clock.advance(hours=1)
        (id,) = remember(mind, 1, 5, expires_at=START + timedelta(days=202))
        clock.now = START + timedelta(days=200)
        forecast = mind.forecast(days=10)
        for _ in range(3):
            mind.apply(mind.sweep(), force=True)
            clock.advance(days=1)
        assert [change.reason for change in mind.sweep() if change.memory_id == id] == ["expired"]

        assert forecast.by_rule == {"evictable": 5, "expired": 1}


def test_what_a_cap_leaves_for_later_is_not_told(clock: Clock) -> None:
    with new_mind(clock=clock, policy=read("extends: tiered\nmax_evict: 2", "mine.yml")) as mind:
        remember(mind, 20)
        clock.advance(days=200)
        forecast = mind.forecast(days=3)
        assert (forecast.leaves, forecast.live[-1]) == (8, 12)
        assert len(forecast.leaving) == 8


def test_sizes_of_today_are_told(clock: Clock) -> None:
    with new_mind(clock=clock, policy=read("extends: relevance\nproject_tokens: 15", "mine.yml")) as mind:
        remember(mind, 4, kind="decision", scope="/project/a")
        forecast = mind.forecast(days=5)
        plan = mind.sweep()
        assert forecast.by_rule == {"project size": len(plan)}
        assert {leaving.memory_id for leaving in forecast.leaving} == {change.memory_id for change in plan}
        assert any("over its target" in warning for warning in forecast.warnings)


def test_promotions_and_tokens_are_counted(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        (gone,) = remember(mind, 1, importance=0.1)
        remember(mind, 2, 10, layer="working", importance=0.9)
        forecast = mind.forecast(days=60)
        assert (forecast.leaves, forecast.promoted) == (1, 2)
        clock.advance(days=60)
        (freed,) = (c.evidence["tokens"] for c in mind.sweep() if c.memory_id == gone)
        assert forecast.tokens == freed > 0


def test_a_memory_promoted_twice_is_one_memory(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        mind.remember("lonely heron", layer="working", importance=0.9)
        for _ in range(5):
            mind.recall("heron")

        assert mind.forecast(days=1).promoted == 1


def test_the_pinned_and_the_exempt_never_leave(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        remember(mind, 3, pinned=True, importance=0.0, ttl="1d")
        remember(mind, 3, 10, exempt=True, importance=0.0)
        for name in PRESETS:
            forecast = mind.forecast(name, days=3650)
            assert (forecast.leaves, forecast.live[-1]) == (0, 6)


def test_what_is_told_of_older_versions_is_not_told_of_live_ones(clock: Clock) -> None:
    with new_mind(clock=clock, policy="tiered") as mind:
        for town in ("Oslo", "Rome", "Paris"):
            mind.remember(f"The deploy server stands in {town}", kind="architecture")
        forecast = mind.forecast(days=100)
        assert forecast.by_rule == {"old version": 2}
        assert (forecast.live[0], forecast.live[-1], forecast.forgotten[-1]) == (1, 1, 2)

        assert "2 of 1 leave" not in str(forecast)


def test_in_words_and_in_json(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        remember(mind, 3, importance=0.1)
        remember(mind, 1, 10, importance=0.9)
        forecast = mind.forecast(days=40)
        assert str(forecast) == "In 40 days under halflife: 3 of 4 leave (3 faded)"
        told = json.loads(json.dumps(forecast.to_dict()))
        assert told["live"][0] == 4
        assert len(told["live"]) == len(told["archived"]) == len(told["forgotten"]) == 41
        assert told["leaving"][0]["rule"] == "faded"
        assert forecast.leaving[0].at == START + timedelta(days=31), "the first daily sweep after it is due"


def test_an_empty_store_has_a_forecast(mind: Mind) -> None:
    forecast = mind.forecast(days=1)
    assert (forecast.live, forecast.leaves, forecast.by_rule) == ((0, 0), 0, {})


def test_a_policy_by_name_path_or_itself(clock: Clock, tmp_path: Path) -> None:
    (tmp_path / "mine.yml").write_text("extends: halflife\nhalf_life_days: 5\n")
    with new_mind(clock=clock) as mind:
        remember(mind, 3, importance=0.5)
        by_path = mind.forecast(tmp_path / "mine.yml", days=40)
        assert by_path == mind.forecast(str(tmp_path / "mine.yml"), days=40)
        assert by_path == mind.forecast(read("extends: halflife\nhalf_life_days: 5", "mine.yml"), days=40)
        assert (by_path.leaves, by_path.policy) == (3, "mine")
        assert mind.forecast("halflife", days=40) == mind.forecast(preset("halflife"), days=40)
        assert mind.forecast("halflife", days=40).leaves == 0


def test_a_policy_that_is_switched_off_lets_nothing_leave(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        remember(mind, 3, importance=0.0, ttl="1d")
        forecast = mind.forecast(read("extends: halflife\nenabled: false", "mine.yml"), days=100)
        assert (forecast.leaves, forecast.live[-1]) == (0, 3)
        assert "switched off" in forecast.warnings[0]


@pytest.mark.parametrize("days", [0, -1, 3651, True, 1.5, "90", None, float("nan"), 2**63])
def test_days_that_are_none(mind: Mind, days: Any) -> None:
    with pytest.raises(InvalidInput, match="days"):
        mind.forecast(days=days)


@pytest.mark.parametrize("policy", ["nope", "", 5, "/nowhere/mine.yml", b"tiered"])
def test_policies_that_are_none(mind: Mind, policy: Any) -> None:
    with pytest.raises(InvalidInput):
        mind.forecast(policy)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("now", [datetime.max.replace(tzinfo=UTC), START - timedelta(days=365)])
def test_at_any_time(clock: Clock, name: str, now: datetime) -> None:
    with new_mind(clock=clock, policy=name) as mind:
        remember(mind, 5, importance=0.2)
        clock.now = now
        forecast = mind.forecast(days=3650)
        assert len(forecast.live) == 3651
        assert all(0 <= number <= 5 for number in forecast.live)


def test_another_namespace_is_not_counted(clock: Clock, open_mind: Any) -> None:
    remember(open_mind("other"), 5, importance=0.0)
    mind = open_mind("mine")
    remember(mind, 1, importance=0.0)
    assert mind.forecast("halflife", days=40).live[0] == 1
    assert mind.forecast("halflife", days=40).leaves == 1
