"""Rules: which one acts on which memory, at the limits, in order, and whatever the schedule of sweeps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.lifecycle.due import due_at, next_hold
from remanence.lifecycle.forgetting import NO_RULE, decide, rules_of
from remanence.model.columns import LAYERS, columns_of
from remanence.model.memory import Layer, Memory, Source, State
from remanence.model.moment import MICROS_PER_DAY, NEVER
from remanence.model.policy import Policy
from remanence.policies.reading import PRESETS, preset, read
from tests.lifecycle.worlds import NOW, NOW_MICROS, memories, memory

POLICIES = {
    **{name: preset(name) for name in PRESETS},
    "l2": read("extends: layered\nretention_mode: l2", "l2.yml"),
    "elastic": read("extends: layered\nretention_mode: elastic", "elastic.yml"),
    "overridden": read(
        "extends: halflife\noverrides:\n  /project: {half_life_days: 5}\n  finding: {prune_after_days: 3, ttl: 9d}\n",
        "overridden.yml",
    ),
    "mixed": read(
        "extends: relevance\nrules:\n  - {name: gone, action: forget, when: {idle_days: '> 40', worth: '< 0.6'}}\n"
        "  - {name: cooled, action: demote, when: {layer: semantic, idle_days: '> 50', access_count: '< 5'}}\n",
        "mixed.yml",
    ),
}


def fate(memory: Memory, policy: str | Policy, at: int = NOW_MICROS) -> str | None:
    """The name of the rule that removes it, or None."""
    chosen = POLICIES[policy] if isinstance(policy, str) else policy
    number = int(decide(columns_of([memory]), chosen, at).removed[0])
    return None if number == NO_RULE else rules_of(chosen)[number].name


def offer(memory: Memory, policy: str) -> str | None:
    number = int(decide(columns_of([memory]), POLICIES[policy], NOW_MICROS).offered[0])
    return None if number == NO_RULE else rules_of(POLICIES[policy])[number].name


SECOND = 1 / 86400


@pytest.mark.parametrize(
    ("policy", "made", "rule"),
    [
        # halflife: effective < 0.05 and idle > 30 d, both strict
        ("halflife", {"age_days": 100, "importance": 0.5}, "faded"),
        ("halflife", {"age_days": 99, "importance": 0.5}, None),
        ("halflife", {"age_days": 30, "importance": 0.05}, None),
        ("halflife", {"age_days": 30 + SECOND, "importance": 0.05}, "faded"),
        ("halflife", {"age_days": 30, "importance": 0.0}, None),
        ("halflife", {"age_days": 30 + SECOND, "importance": 0.1}, "faded"),
        ("halflife", {"age_days": 30, "importance": 0.1}, None),
        ("halflife", {"age_days": 400, "idle_days": 3, "reads": 1, "importance": 0.1}, None),
        ("halflife", {"age_days": 400, "importance": 0.1, "scope": "/user"}, None),
        ("halflife", {"age_days": 400, "importance": 0.1, "scope": "/user/ann"}, None),
        ("halflife", {"age_days": 400, "importance": 0.1, "scope": "/username"}, "faded"),
        ("halflife", {"age_days": 400, "importance": 0.1, "pinned": True}, None),
        ("halflife", {"age_days": 400, "importance": 0.1, "exempt": True}, None),
        ("halflife", {"age_days": 400, "importance": 0.1, "state": State.SUPERSEDED}, None),
        # layered: age > 90 d, retention < 0.15, importance < 0.3, reads < 3
        ("layered", {"age_days": 91, "importance": 0.29, "reads": 2, "idle_days": 91}, "faded"),
        ("elastic", {"age_days": 91, "importance": 0.29, "reads": 2, "idle_days": 91}, "faded"),
        ("l2", {"age_days": 91, "importance": 0.29, "reads": 2, "idle_days": 91}, None),
        ("layered", {"age_days": 90, "importance": 0.29}, None),
        ("layered", {"age_days": 90 + SECOND, "importance": 0.29}, "faded"),
        ("layered", {"age_days": 91, "importance": 0.3}, None),
        ("layered", {"age_days": 91, "importance": 0.29, "reads": 3, "idle_days": 91}, None),
        ("layered", {"age_days": 400, "importance": 0.1, "layer": Layer.SEMANTIC}, None),
        ("layered", {"age_days": 400, "importance": 0.1, "layer": Layer.PROCEDURAL}, None),
        ("layered", {"age_days": 400, "importance": 0.1, "layer": Layer.CODEBASE}, None),
        ("layered", {"age_days": 95, "importance": 0.1, "source": Source.EXTRACTED}, "faded"),
        # tiered: score < 0.15
        ("tiered", {"age_days": 120}, None),
        ("tiered", {"age_days": 121}, "evictable"),
        ("tiered", {"age_days": 179, "kind": "architecture"}, None),
        ("tiered", {"age_days": 180, "kind": "architecture"}, "evictable"),
        ("tiered", {"age_days": 300, "idle_days": 1, "reads": 1}, None),
        ("tiered", {"age_days": 300, "idle_days": 0, "reads": 1}, None),
        ("tiered", {"age_days": 90, "kind": "observation", "importance": 0.29}, None),
        ("tiered", {"age_days": 90 + SECOND, "kind": "observation", "importance": 0.29}, "low importance"),
        ("tiered", {"age_days": 91, "kind": "observation", "importance": 0.3}, None),
        ("tiered", {"age_days": 181, "kind": "observation", "importance": 0.2}, "low value"),
        ("tiered", {"age_days": 90, "state": State.SUPERSEDED}, None),
        ("tiered", {"age_days": 90 + SECOND, "state": State.SUPERSEDED}, "old version"),
        ("tiered", {"age_days": 71, "kind": "lesson", "confidence": 0.6}, "unlearned"),
        ("tiered", {"age_days": 69, "kind": "lesson", "confidence": 0.6}, None),
        ("tiered", {"age_days": 300, "kind": "lesson", "confidence": 0.6, "confirmations": 1}, None),
        # relevance (a): the kind's time, strict
        ("relevance", {"age_days": 1, "kind": "session_state"}, None),
        ("relevance", {"age_days": 1 + SECOND, "kind": "session_state"}, "time is up"),
        ("relevance", {"age_days": 7, "kind": "tool_output"}, None),
        ("relevance", {"age_days": 7 + SECOND, "kind": "tool_output"}, "time is up"),
        ("relevance", {"age_days": 365, "kind": "decision"}, None),
        ("relevance", {"age_days": 365 + SECOND, "kind": "decision"}, "time is up"),
        ("relevance", {"age_days": 730, "kind": "preference"}, None),
        ("relevance", {"age_days": 5000, "kind": "identity"}, None),
        ("relevance", {"age_days": 5000, "kind": "active_decision"}, None),
        # (b) graduated
        ("relevance", {"age_days": 7, "kind": "observation"}, None),
        ("relevance", {"age_days": 7 + SECOND, "kind": "observation"}, "raw after a week"),
        ("relevance", {"age_days": 40, "kind": "observation", "reads": 10, "idle_days": 1}, None),
        ("relevance", {"age_days": 90, "kind": "gotcha"}, None),
        ("relevance", {"age_days": 90 + SECOND, "kind": "gotcha"}, "details after three months"),
        ("relevance", {"age_days": 400, "kind": "gotcha", "reads": 10, "idle_days": 1}, None),
        ("relevance", {"age_days": 77, "kind": "fact"}, None),
        ("relevance", {"age_days": 78, "kind": "fact"}, "irrelevant"),
        # whatever the policy: an own expiry, strict; not for the pinned, not while kept
        ("balanced", {"age_days": 1, "expires_at": NOW}, None),
        ("balanced", {"age_days": 1, "expires_at": NOW.replace(hour=11)}, "expired"),
        ("balanced", {"age_days": 1, "expires_at": NOW.replace(hour=11), "exempt": True}, "expired"),
        ("balanced", {"age_days": 1, "expires_at": NOW.replace(hour=11), "pinned": True}, None),
        ("halflife", {"age_days": 400, "importance": 0.1, "kept_until": NOW.replace(hour=13)}, None),
        ("halflife", {"age_days": 400, "importance": 0.1, "kept_until": NOW}, "faded"),
        ("relevance", {"age_days": 100, "expires_at": NOW.replace(year=2027)}, None),
    ],
)
def test_rules_at_their_limits(policy: str, made: dict[str, Any], rule: str | None) -> None:
    assert fate(memory(**made), policy) == rule


def test_findings_are_offered_to_compaction_for_two_months() -> None:
    ages = {30: None, 31: "to be summarised", 90: "to be summarised"}
    for age, expected in ages.items():
        made = memory(age, kind="finding")
        assert (offer(made, "relevance"), fate(made, "relevance")) == (expected, None)
    assert fate(memory(91, kind="finding"), "relevance") == "details after three months"
    assert offer(memory(60, kind="finding", reads=10, idle_days=1), "relevance") is None


def moved(made: Memory, policy: str = "layered") -> list[tuple[str, str]]:
    moves = decide(columns_of([made]), POLICIES[policy], NOW_MICROS).moves
    return [(LAYERS[move.before[0]], LAYERS[move.after[0]]) for move in moves]


@pytest.mark.parametrize("policy", PRESETS)
def test_working_becomes_episodic_becomes_semantic(policy: str) -> None:
    half_an_hour = 30 / 1440
    assert moved(memory(half_an_hour, layer=Layer.WORKING), policy) == []
    assert moved(memory(half_an_hour + SECOND, layer=Layer.WORKING), policy) == [("working", "episodic")]
    assert moved(memory(0, reads=1, layer=Layer.WORKING), policy) == []
    assert moved(memory(0, reads=2, layer=Layer.WORKING), policy) == [("working", "episodic")]
    assert moved(memory(1, reads=5, importance=0.7), policy) == [("episodic", "semantic")]
    assert moved(memory(1, reads=5, importance=0.69), policy) == []
    assert moved(memory(1, reads=4, importance=0.7), policy) == []
    assert moved(memory(1, reads=5, importance=0.7, pinned=True), policy) == []
    assert moved(memory(1, reads=5, importance=0.7, layer=Layer.PROCEDURAL), policy) == []
    both = [("working", "episodic"), ("episodic", "semantic")]
    assert moved(memory(1, reads=5, importance=0.7, layer=Layer.WORKING), policy) == both


def test_promoted_and_then_due_is_one_decision() -> None:
    made = memory(100, importance=0.1, layer=Layer.WORKING)
    assert moved(made) == [("working", "episodic")]
    assert fate(made, "layered") == "faded"


def test_of_rules_with_different_actions_the_one_that_held_first_acts() -> None:
    """Forgotten at 100 days by fading, archived at 150 by its own expiry: late sweeps decide as daily ones would."""
    fades_first = memory(200, importance=0.5, expires_at=NOW.replace(day=1, month=5))
    expires_first = memory(200, importance=0.5, expires_at=NOW.replace(year=2025, month=11, day=20))
    assert fate(fades_first, "halflife") == "faded"
    assert fate(expires_first, "halflife") == "expired"


def test_a_missed_window_is_not_missed() -> None:
    """Archived after a week by daily sweeps; one after 35 days finds it relevant again, and archives it too."""
    early = memory(35, kind="observation", reads=10, idle_days=34)
    assert fate(early, "relevance") == "raw after a week"
    assert fate(memory(35, kind="observation", reads=10, idle_days=4), "relevance") is None


WHO = st.sampled_from(sorted(POLICIES))
DAYS = st.floats(0, 2000)


@given(memories(), WHO, DAYS, DAYS)
@settings(max_examples=400, deadline=None)
def test_what_holds_keeps_holding_and_with_the_same_action(made: Memory, name: str, one: float, other: float) -> None:
    """So sweeps at any times, and one late sweep, end alike."""
    policy = POLICIES[name]
    early, late = (NOW_MICROS + int(days * MICROS_PER_DAY) for days in sorted((one, other)))
    before, after = (fate(made, policy, at) for at in (early, late))
    actions = {rule.name: rule.action for rule in rules_of(policy)}
    if before is not None:
        assert after is not None
        assert actions[after] == actions[before]


@given(memories(), WHO, st.floats(0, 1))
@settings(max_examples=600, deadline=None)
def test_a_due_date_is_never_late(made: Memory, name: str, share: float) -> None:
    """Before it no rule acts: anywhere between the last access and the date."""
    policy, columns = POLICIES[name], columns_of([made])
    due = int(due_at(columns, policy)[0])
    last = int(columns.last_accessed_at[0])
    end = min(due, NOW_MICROS + 4000 * MICROS_PER_DAY)
    if end > last:
        at = last + int((end - 1 - last) * share)
        assert not decide(columns, policy, at).touched[0]


@given(memories(), WHO)
@settings(max_examples=200, deadline=None)
def test_the_next_moment_is_exact(made: Memory, name: str) -> None:
    policy, columns = POLICIES[name], columns_of([made])
    moment = next_hold(columns, policy, NOW_MICROS)
    if moment is None:
        assert not decide(columns, policy, NOW_MICROS + 4000 * MICROS_PER_DAY).touched[0]
    else:
        assert decide(columns, policy, moment).touched[0]
        assert moment == NOW_MICROS or not decide(columns, policy, moment - 1).touched[0]


@given(st.lists(memories(), min_size=1, max_size=8), WHO)
@settings(max_examples=100, deadline=None)
def test_a_row_alone_and_among_others_has_one_fate(made: list[Memory], name: str) -> None:
    policy, columns = POLICIES[name], columns_of(made)
    together, dates = decide(columns, policy, NOW_MICROS), due_at(columns, policy)
    for number, one in enumerate(made):
        alone = decide(columns_of([one]), policy, NOW_MICROS)
        assert alone.removed[0] == together.removed[number]
        assert alone.offered[0] == together.offered[number]
        assert bool(alone.touched[0]) == bool(together.touched[number])
        assert int(due_at(columns_of([one]), policy)[0]) == int(dates[number])


@given(memories(), WHO, st.floats(0, 500))
@settings(max_examples=300, deadline=None)
def test_an_access_never_brings_the_end_nearer(made: Memory, name: str, wait: float) -> None:
    """Save where a rule asks for many accesses, which the store is told about."""
    policy = POLICIES[name]
    at = NOW_MICROS + int(wait * MICROS_PER_DAY)
    if made.state is not State.LIVE or fate(made, policy, at) is not None or name == "mixed":
        return
    from remanence.model.moment import from_micros

    moment = max(from_micros(at), made.last_accessed_at)
    recalled = made.but(
        access_count=made.access_count + 1,
        last_accessed_at=moment,
        recent_accesses=(*made.recent_accesses, moment)[-20:],
    )
    for days in (0, 1, 40, 100, 400, 2000):
        later = at + days * MICROS_PER_DAY
        if fate(recalled, policy, later) is not None:
            assert fate(made, policy, later) is not None


def test_empty_columns_are_no_trouble() -> None:
    for policy in POLICIES.values():
        columns = columns_of([])
        assert len(decide(columns, policy, NOW_MICROS).removed) == 0
        assert len(due_at(columns, policy)) == 0


def test_the_last_days_of_the_calendar() -> None:
    for policy in POLICIES.values():
        made = memory(0)
        end = int(np.int64(253_402_300_799_999_999))
        decide(columns_of([made]), policy, end)
        due = int(due_at(columns_of([made]), policy)[0])
        assert due == NEVER or due <= end
