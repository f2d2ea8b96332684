"""explain on real stores: the numbers are those rules compare, the date is exact, and the advice works."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound
from remanence.lifecycle import content
from remanence.model.explanation import Left
from remanence.policies.reading import PRESETS, read
from tests.activity import attend, attend_until
from tests.conftest import START, Clock, dump, new_mind

TINY = timedelta(microseconds=1)
UNKNOWN = "01900000-0000-7000-8000-000000000000"


def policy(text: str) -> Any:
    return text if text in PRESETS else read(text, "mine.yml")


def lived(mind: Mind, clock: Clock, recalls: tuple[float, ...] = (), **fields: Any) -> str:
    """A memory born now and recalled so many days after its birth."""
    born = clock.now
    id = mind.remember("lonely heron", **fields).memory.id
    for day in recalls:
        attend_until(mind, clock, born + timedelta(days=day))
        mind.recall("heron")
    return id


# --- the number each policy compares, worked out a second time

TRUST = {"human": 1.0, "ai": 0.7, "ingest": 0.5, "dream": 0.4, "extracted": 0.0}
BELIEVED = {"human": 1.0, "ai": 0.7, "extracted": 0.7, "ingest": 0.5, "dream": 0.4}


def halflife(days: float, recalls: tuple[float, ...], importance: float, source: str, kind: str) -> float:
    return importance * 0.5 ** ((days - max(recalls, default=0.0)) / 30)


def relevance(days: float, recalls: tuple[float, ...], importance: float, source: str, kind: str) -> float:
    weight = {"decision": 1.0, "gotcha": 0.9, "preference": 0.8, "finding": 0.7, "tool_output": 0.3}.get(kind, 0.5)
    idle = math.floor(days - max(recalls, default=0.0))
    return 0.3 / (1 + math.floor(days) / 30) + 0.3 * min(len(recalls) / 10, 1) + 0.2 / (1 + idle / 7) + 0.2 * weight


def layered(days: float, recalls: tuple[float, ...], importance: float, source: str, kind: str) -> float:
    half_life = 30 / (1 + 2 * (1 - TRUST[source]))
    knee = 0.5 * half_life
    idle = days - max(recalls, default=0.0)
    curve = 0.5 ** (idle / half_life)
    if idle > knee:
        curve = max(0.0, 0.5**0.5 * (1 - math.log(2) / half_life * (idle - knee)))
    return min(1.0, curve + min(0.3, 0.05 * math.log(1 + len(recalls))))


def tiered(days: float, recalls: tuple[float, ...], importance: float, source: str, kind: str) -> float:
    weight = {"architecture": 0.9, "preference": 0.85, "pattern": 0.8, "bug": 0.7, "workflow": 0.6}.get(kind, 0.5)
    salience = weight + min(0.2, 0.02 * len(recalls))
    boosts = (0.3 / (days - recall) for recall in recalls[-20:] if days - recall >= 1 / 86_400)
    return min(1.0, salience * math.exp(-0.01 * days) + sum(boosts))


def balanced(days: float, recalls: tuple[float, ...], importance: float, source: str, kind: str) -> float:
    moments = (0.0, *recalls)
    spaced = sum(min(1.0, (later - earlier) / 2) for earlier, later in pairwise(moments))
    stability = 30 * (1 + 4 * spaced)
    factor = 0.9 ** (-1 / 0.1542) - 1
    idle = (days - moments[-1]) * (1 + 2 * (1 - TRUST[source]))
    gaps = [later - earlier for earlier, later in pairwise(recalls)]
    regular = 0.5
    if len(recalls) >= 3 and any(gaps):
        mean = sum(gaps) / len(gaps)
        deviation = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / len(gaps))
        regular = (1 - (deviation - mean) / (deviation + mean)) / 2
    traces = sum(max(days - moment, 1 / 1440) ** -0.5 for moment in moments)
    return (
        0.30 * importance
        + 0.12 * min(1.0, math.log(1 + len(recalls)) / math.log(51))
        + 0.12 * (1 + factor * idle / stability) ** -0.1542
        + 0.06 * 0.0
        + 0.06 * regular
        + 0.12 * 0.4
        + 0.08 * BELIEVED[source]
        + 0.06 * 0.0
        + 0.08 / (1 + math.exp(-math.log(traces)))
    )


SECOND_TIME = {
    "halflife": (halflife, "effective_importance"),
    "relevance": (relevance, "relevance"),
    "layered": (layered, "retention"),
    "tiered": (tiered, "score"),
    "balanced": (balanced, "worth"),
}
LIVES: list[tuple[float, tuple[float, ...], float, str, str]] = [
    (0.0, (), 0.5, "human", "fact"),
    (7.5, (), 0.5, "human", "finding"),
    (30.0, (), 0.8, "ai", "preference"),
    (40.0, (2.0, 5.0, 9.0), 0.3, "human", "gotcha"),
    (91.0, (0.5, 0.75), 0.29, "ingest", "bug"),
    (120.0, (), 0.5, "human", "fact"),
    (121.0, (), 0.5, "extracted", "fact"),
    (400.0, tuple(float(day) for day in range(10, 34, 2)), 0.9, "extracted", "architecture"),
]


@pytest.mark.parametrize("life", LIVES)
@pytest.mark.parametrize("name", PRESETS)
def test_the_value_is_the_number_the_policys_rules_compare(
    clock: Clock, name: str, life: tuple[float, tuple[float, ...], float, str, str]
) -> None:
    days, recalls, importance, source, kind = life
    again, value_name = SECOND_TIME[name]
    with new_mind(clock=clock, policy=name) as mind:
        id = lived(mind, clock, recalls, importance=importance, source=source, kind=kind)
        attend_until(mind, clock, START + timedelta(days=days))
        told = mind.explain(id)
        expected = again(days, recalls, importance, source, kind)
        assert (told.value_name, told.policy) == (value_name, name)
        assert told.value == pytest.approx(expected, abs=1e-12)
        assert told.measures[value_name] == told.value
        assert told.measures["age_days"] == pytest.approx(days)
        assert told.measures["idle_days"] == pytest.approx(days - max(recalls, default=0.0))
        assert told.measures["access_count"] == len(recalls)
        assert told.worth == told.measures["worth"]


@pytest.mark.parametrize(
    ("text", "days", "reads", "expected"),
    [
        ("layered", 91, 2, 0.0549),
        ("extends: layered\nretention_mode: elastic", 91, 2, 0.1404),
        ("extends: layered\nretention_mode: l2", 91, 2, 0.1771),
        ("tiered", 120, 0, 0.1506),
        ("tiered", 121, 0, 0.1491),
        ("halflife", 30, 0, 0.25),
    ],
)
def test_the_worked_numbers(clock: Clock, text: str, days: float, reads: int, expected: float) -> None:
    with new_mind(clock=clock, policy=policy(text)) as mind:
        id = lived(mind, clock, (0.0,) * reads)
        attend_until(mind, clock, START + timedelta(days=days))
        assert round(mind.explain(id).value, 4) == expected


def test_idle_for_thirty_days_it_is_half_and_stays_so(clock: Clock) -> None:
    """0.8 idle 30 days is 0.4, ever: also after a sweep, and importance itself is never written over."""
    with new_mind(clock=clock, policy="halflife") as mind:
        id = lived(mind, clock, importance=0.8)
        for _ in range(30):
            clock.advance(days=1)
            mind.upkeep()
        told = mind.explain(id)
        assert told.value == told.effective_importance == pytest.approx(0.4, abs=1e-12)
        assert mind.get(id).importance == 0.8


def test_every_factor_of_worth_is_told(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        id = lived(mind, clock, (1.0,), valence=-0.4, importance=0.6, source="ai", layer="semantic")
        mind.confirm(id)
        told = mind.explain(id)
        expected = {
            "importance": 0.6,
            "frequency": math.log(2) / math.log(51),
            "valence": 0.4,
            "stability": 0.5,
            "layer": 1.0,
            "trust": 0.7,
            "confirmations": math.log(2) / math.log(6),
        }
        assert {name: told.parts[name] for name in expected} == pytest.approx(expected)
        assert told.parts.keys() == {*expected, "recency", "activation"}
        assert all(0 <= part <= 1 for part in told.parts.values())


def test_procedures_and_lessons_show_what_is_left_of_them(clock: Clock) -> None:
    with new_mind(clock=clock, policy="tiered") as mind:
        procedure = mind.remember("Deploy by pushing", kind="procedure", confidence=0.8).memory.id
        lesson = mind.remember("Never push late", kind="lesson", confidence=0.6).memory.id
        clock.advance(days=20)
        assert mind.explain(lesson).measures["lesson_confidence"] == pytest.approx(0.5)
        clock.advance(days=75)
        assert mind.explain(procedure).measures["strength"] == pytest.approx(0.5832)
        assert "strength" not in mind.explain(lesson).measures


@pytest.mark.parametrize(
    ("days", "tier"), [(0, "warm"), (22, "warm"), (23, "cold"), (120, "cold"), (121, "evictable"), (900, "evictable")]
)
def test_tiers_of_a_fact(clock: Clock, days: int, tier: str) -> None:
    """0.5·e^(-0.01·22) = 0.4013 is warm, of 23 days 0.3973 is cold."""
    with new_mind(clock=clock, policy="tiered") as mind:
        id = lived(mind, clock)
        clock.advance(days=days)
        assert mind.explain(id).tier == tier


def test_an_access_of_this_very_second_adds_nothing_yet(clock: Clock) -> None:
    with new_mind(clock=clock, policy="tiered") as mind:
        id = lived(mind, clock, (10.0,))
        assert mind.explain(id).value == pytest.approx(0.52 * math.exp(-0.1))
        clock.advance(seconds=1)
        assert mind.explain(id).tier == "hot"


# --- when and by which rule

DATED: list[tuple[str, dict[str, Any], tuple[float, ...]]] = [
    ("halflife", {"importance": 0.5}, ()),
    ("halflife", {"importance": 0.5}, (3.0, 20.25)),
    ("halflife", {"importance": 0.05}, ()),
    ("relevance", {"kind": "session_state"}, ()),
    ("relevance", {"kind": "tool_output"}, (2.0,)),
    ("relevance", {"kind": "observation"}, ()),
    ("relevance", {"kind": "finding"}, (1.0,)),
    ("relevance", {"kind": "fact"}, (0.3, 0.9)),
    ("relevance", {"kind": "gotcha", "ttl": "100d"}, ()),
    ("relevance", {"kind": "gotcha", "ttl": "8y"}, ()),
    ("layered", {"importance": 0.2}, ()),
    ("layered", {"importance": 0.2, "source": "extracted"}, (10.0, 60.5)),
    ("extends: layered\nretention_mode: l2", {"importance": 0.2}, (10.0, 60.5)),
    ("extends: layered\nretention_mode: elastic", {"importance": 0.2, "source": "ai"}, (70.0,)),
    ("tiered", {"kind": "fact"}, ()),
    ("tiered", {"kind": "bug"}, (0.001, 3.0, 100.0)),
    ("tiered", {"kind": "observation", "importance": 0.1}, (5.0,)),
    ("tiered", {"kind": "lesson", "confidence": 0.6}, ()),
    ("balanced", {"importance": 0.05}, ()),
    ("balanced", {"importance": 0.2, "source": "ai"}, (1.0,)),
    ("balanced", {"kind": "observation", "importance": 0.29}, (1.0, 2.0)),
    ("balanced", {"kind": "session_state"}, ()),
    ("balanced", {"layer": "working"}, ()),
    ("balanced", {"ttl": "36h"}, ()),
]


@pytest.mark.parametrize(("text", "fields", "recalls"), DATED)
def test_the_date_is_exact_to_the_microsecond(
    clock: Clock, text: str, fields: dict[str, Any], recalls: tuple[float, ...]
) -> None:
    """A sweep just before it does nothing to the memory; at that moment the named rule acts."""
    with new_mind(clock=clock, policy=policy(text)) as mind:
        id = lived(mind, clock, recalls, **fields)
        told = mind.explain(id)
        assert told.due_at is not None
        assert told.due_at > clock.now
        attend_until(mind, clock, told.due_at - TINY)
        assert id not in [change.memory_id for change in mind.sweep()]
        assert (mind.explain(id).due_at, mind.explain(id).next_rule) == (told.due_at, told.next_rule)
        attend_until(mind, clock, told.due_at)
        (change,) = (change for change in mind.sweep() if change.memory_id == id)
        assert (change.reason, change.action) == (told.next_rule, told.next_action)
        assert "at the next sweep" in mind.explain(id).text


def test_a_recall_moves_the_date(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        id = lived(mind, clock, importance=0.5)
        first = mind.explain(id).due_at
        assert first is not None
        assert first - START == pytest.approx(timedelta(days=30 * math.log2(10)), abs=timedelta(milliseconds=1))
        clock.advance(days=9)
        mind.recall("heron")
        assert mind.explain(id).due_at == first + timedelta(days=9)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("fields", [{"pinned": True}, {"exempt": True}])
def test_no_rule_will_act_on_what_is_kept(clock: Clock, name: str, fields: dict[str, Any]) -> None:
    with new_mind(clock=clock, policy=name) as mind:
        id = lived(mind, clock, importance=0.01, **fields)
        attend(mind, clock, days=2000)
        told = mind.explain(id)
        assert (told.due_at, told.next_rule, told.next_action) == (None, None, None)
        word = "pinned" if "pinned" in fields else "exempt"
        assert any(word in reason for reason in told.protected_by)
        assert f"No rule will act on it: it is {word}" in told.text


def test_a_pinned_memory_that_expired_stays_by_its_pin(mind: Mind, clock: Clock) -> None:
    id = lived(mind, clock, ttl="1h", pinned=True)
    clock.advance(days=1)
    assert mind.explain(id).next_rule is None


@pytest.mark.parametrize(
    ("name", "fields", "reason"),
    [
        ("halflife", {"scope": "/user/ann"}, "scope /user is exempt"),
        ("layered", {"layer": "codebase"}, "layer codebase is exempt"),
        ("balanced", {"kind": "identity"}, "kind identity is exempt"),
    ],
)
def test_what_the_policy_exempts_says_so(clock: Clock, name: str, fields: dict[str, Any], reason: str) -> None:
    with new_mind(clock=clock, policy=name) as mind:
        told = mind.explain(lived(mind, clock, importance=0.01, **fields))
        assert told.next_rule is None
        assert any(reason in why for why in told.protected_by)
        assert reason in told.text


def test_what_an_override_exempts_says_so_too(clock: Clock) -> None:
    text = "extends: halflife\noverrides: {decision: {exempt: true}, /user/scratch: {exempt: false}}"
    with new_mind(clock=clock, policy=policy(text)) as mind:
        kept = mind.explain(lived(mind, clock, kind="decision"))
        taken = mind.explain(mind.remember("grey stork", scope="/user/scratch").memory.id)
        assert (kept.next_rule, taken.next_rule) == (None, "faded")

        assert kept.protected_by
        assert not taken.protected_by


def test_what_came_back_is_kept_until_a_day(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        id = lived(mind, clock, importance=0.1)
        clock.advance(days=100)
        mind.undo(mind.apply(mind.sweep()).id)
        told = mind.explain(id)
        assert told.due_at == clock.now + timedelta(days=30)
        assert "kept until 9 July 2026" in told.text
        clock.now = told.due_at
        assert [change.memory_id for change in mind.sweep()] == [id]


def test_what_leaves_by_size_at_the_next_sweep_says_so(clock: Clock) -> None:
    with new_mind(clock=clock, policy=policy("extends: relevance\nproject_tokens: 5")) as mind:
        id = lived(mind, clock, scope="/project/zoo")
        mind.remember("grey stork", scope="/project/zoo")
        (change,) = (change for change in mind.sweep() if change.memory_id == id)
        assert change.reason == "project size"

        assert mind.explain(id).next_rule == "project size"


def test_nothing_acts_while_sweeps_are_switched_off(clock: Clock) -> None:
    with new_mind(clock=clock, policy=policy("extends: halflife\nenabled: false")) as mind:
        told = mind.explain(lived(mind, clock))
        assert "switched off" in told.text

        assert (told.due_at, told.next_rule) == (None, None)


# --- what to do


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("halflife", {"importance": 0.5}),
        ("layered", {"importance": 0.1}),
        ("tiered", {}),
        ("tiered", {"kind": "lesson", "confidence": 0.3}),
        ("relevance", {}),
        ("balanced", {"importance": 0.1}),
        ("relevance", {"kind": "tool_output"}),
        ("relevance", {"kind": "observation"}),
        ("relevance", {"kind": "gotcha"}),
        ("tiered", {"kind": "observation", "importance": 0.1}),
        ("balanced", {"kind": "session_state"}),
    ],
)
def test_following_the_advice_keeps_it(clock: Clock, name: str, fields: dict[str, Any]) -> None:
    """Recalled right before the day it names, where it says so; pinned, where it says that."""
    with new_mind(clock=clock, policy=name) as mind:
        id = lived(mind, clock, **fields)
        told = mind.explain(id)
        assert told.due_at is not None
        advice = " ".join(told.advice)
        assert "pin it" in advice
        clock.now = told.due_at - timedelta(minutes=1)
        if "recall it" in advice:
            mind.recall("heron")
            clock.now = told.due_at
            assert id not in [change.memory_id for change in mind.sweep()]
        clock.now = told.due_at
        mind.pin(id)
        assert not mind.sweep().changes


def test_the_text_says_when_why_and_what_to_do(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        id = lived(mind, clock, importance=0.5)
        text = mind.explain(id).text
        assert text.startswith("Live, warm: effective importance 0.5000 under halflife")
        assert "Rule 'faded' forgets it from 9 June 2026 on" in text
        assert "Recall it before 9 June 2026, or pin it." in text
        assert str(mind.explain(id)) == text
        clock.advance(days=120)
        assert "Recall it before the next sweep, or pin it." in mind.explain(id).text


def test_a_new_memory_is_told_without_repetition_and_with_a_month_ahead(mind: Mind, clock: Clock) -> None:
    told = mind.explain(mind.remember("The heron stands by the river").memory.id)
    assert told.text.splitlines()[0].count("worth") == 1
    assert told.curve.moments[-1] - clock.now > timedelta(days=30)


def test_an_expiry_can_only_be_moved(clock: Clock, mind: Mind) -> None:
    """No recall helps against a date; the advice names commands that take what it says."""
    id = lived(mind, clock, ttl="2d")
    told = mind.explain(id)
    assert (told.next_rule, told.due_at) == ("expired", clock.now + timedelta(days=2) + TINY)
    assert not any("recall" in advice for advice in told.advice)
    assert any("rem revise" in advice for advice in told.advice)
    revised = mind.revise(id, ttl="9d").memory.id
    assert mind.explain(revised).due_at == clock.now + timedelta(days=9) + TINY


# --- in every state


@pytest.mark.parametrize("state", ["archived", "forgotten"])
def test_what_left_can_be_brought_back(clock: Clock, state: str) -> None:
    with new_mind(clock=clock, policy="halflife" if state == "forgotten" else "balanced") as mind:
        id = lived(mind, clock, importance=0.05)
        attend(mind, clock, days=300)
        mind.apply(mind.sweep())
        told = mind.explain(id)
        assert (told.state, told.due_at, told.next_rule) == (state, None, None)
        assert f"It is {state} since 26 December 2026: rule 'faded'" in told.text
        assert f"rem restore {id}" in told.text


def test_what_left_names_the_rule_and_the_receipt_that_took_it(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        id = lived(mind, clock, importance=0.05)
        assert mind.explain(id).left is None
        attend(mind, clock, days=300)
        taken, receipt = clock.now, mind.apply(mind.sweep())
        clock.advance(days=3)
        mind.confirm(id)
        told = mind.explain(id)
        assert told.left == Left(at=taken, verb="sweep", reason="faded", receipt_id=receipt.id, by_rule=True)
        assert f"took it, in the sweep of receipt {receipt.id}." in told.text
        assert f"rem undo {receipt.id}" in told.text
        mind.undo(receipt.id)
        assert mind.explain(id).left is None
        by_hand = mind.forget(ids=[id])
        told = mind.explain(id)
        assert told.left == Left(at=clock.now, verb="forget", reason="asked", receipt_id=by_hand.id)
        assert f"It is forgotten since 29 December 2026, by forget (asked), receipt {by_hand.id}." in told.text
        assert json.loads(json.dumps(told.to_dict()))["left"]["receipt_id"] == by_hand.id


# --- what drives the curve of balanced


def test_stability_is_told_with_what_it_is_made_of(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        id = lived(mind, clock, (2.0,))
        told = mind.explain(id)
        made = {"stability_days": 150.0, "spaced_recalls": 1.0, "uses": 0.0, "rejections": 0.0}
        assert {name: told.measures[name] for name in made} == pytest.approx(made)
        assert "of 150 days, after which 90 % is left: 30 by balanced, times 5 for 1 spaced recall." in told.text
        mind.used(id)
        assert "a stability of 1,200 days" in mind.explain(id).text
        for _ in range(2):
            mind.feedback(id, False)
        told = mind.explain(id)
        assert told.measures["stability_days"] == pytest.approx(150 * (2 / 3) ** 3)
        assert "times 5 for 1 spaced recall, times 0.2963 for 1 use and 2 rejections." in told.text
        assert "The factor of worth of that name is another thing" in told.text
        for _ in range(59):
            mind.used(id)
        assert "a stability of 1,261,006 days" in mind.explain(id).text


def test_stability_is_told_for_what_fades_by_it_alone(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        assert "30 by balanced, since no spaced recall, use or rejection" in mind.explain(lived(mind, clock)).text
        by_an_agent = mind.remember("the coot dives", source="ai").memory.id
        assert "A day counts as 1.6 for that, by its source and layer." in mind.explain(by_an_agent).text
        lasting = mind.remember("the swan is white", layer="semantic").memory.id
        assert "stability of" not in mind.explain(lasting).text
    with new_mind(clock=clock, policy="halflife") as mind:
        told = mind.explain(lived(mind, clock))
        assert "stability of" not in told.text
        assert "stability_days" not in told.measures


def test_the_signals_of_a_text_are_told_with_their_reasons(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        told = mind.explain(mind.remember("I moved to Oslo on Monday with 3 cats.").memory.id)
        assert told.content
        for name in told.content:
            assert f"  {name} +{told.content[name]:.2f}: {content.SIGNALS[name].why}" in told.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("balanced", "That counts only under a budget, and balanced has none here (scope_tokens)."),
        ("halflife", "That counts only under a budget, and halflife has none here."),
        (
            "extends: balanced\nscope_tokens: 4000",
            "That counts only under a budget, here the scope budget of 4,000 tokens (scope_tokens).",
        ),
        (
            "extends: balanced\noverrides: {/work: {scope_tokens: 500}}",
            "That counts only under a budget, here the scope budget of 500 tokens (scope_tokens).",
        ),
    ],
)
def test_what_a_text_is_worth_counts_under_a_budget(clock: Clock, text: str, said: str) -> None:
    with new_mind(clock=clock, policy=policy(text)) as mind:
        assert said in mind.explain(mind.remember("I moved to Oslo.", scope="/work").memory.id).text


def test_an_older_version_has_a_fate_of_its_own(clock: Clock) -> None:
    with new_mind(clock=clock, policy="tiered") as mind:
        old = mind.remember("The deploy server stands in Oslo").memory.id
        mind.remember("The deploy server stands in Rome")
        told = mind.explain(old)
        assert (told.state, told.next_rule, told.next_action) == ("superseded", "old version", "forget")
        assert told.due_at == START + timedelta(days=90) + TINY
        assert not told.advice
        mind.policies.use("halflife")
        assert mind.explain(old).next_rule is None


def test_what_is_quarantined_waits(clock: Clock, tmp_path: Path) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        id = lived(mind, clock, importance=0.01)
        mind.export(tmp_path / "out.jsonl")
    line = json.loads((tmp_path / "out.jsonl").read_text()) | {"state": "quarantined"}
    (tmp_path / "in.jsonl").write_text(json.dumps(line) + "\n")
    with new_mind(clock=clock, policy="halflife") as mind:
        assert mind.import_(tmp_path / "in.jsonl").added == 1
        clock.advance(days=400)
        told = mind.explain(id)
        assert (told.state, told.due_at, told.next_rule) == ("quarantined", None, None)
        assert "quarantined" in told.text
        assert not mind.sweep(full=True).changes


# --- how it answers


def test_explaining_touches_nothing(clock: Clock) -> None:
    for name in PRESETS:
        with new_mind(clock=clock, policy=name) as mind:
            id = lived(mind, clock, (0.5,))
            mind._store.flush()
            before = dump(mind)
            assert mind.explain(id) == mind.explain(id)
            assert dump(mind) == before


def test_the_curve_goes_from_birth_over_now_to_the_end(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        id = lived(mind, clock, (10.0, 20.0), importance=0.5)
        clock.advance(days=15)
        told = mind.explain(id)
        curve = told.curve
        assert list(curve.moments) == sorted(curve.moments)
        assert (curve.moments[0], curve.now, curve.ends) == (START, clock.now, told.due_at)
        assert curve.moments[-1] > told.due_at
        at = dict(zip(curve.moments, curve.values, strict=True))
        assert at[clock.now] == told.value
        assert at[START] == pytest.approx(0.5)
        assert at[START + timedelta(days=10)] == at[START + timedelta(days=20)] == pytest.approx(0.5)
        just_before = max(moment for moment in curve.moments if moment < START + timedelta(days=20))
        assert at[just_before] < 0.5, "between two recalls it had faded, whatever came later"
        assert curve.accesses == (START + timedelta(days=10), START + timedelta(days=20))
        assert curve.bound == 0.05


def test_it_is_plain_json(mind: Mind, clock: Clock) -> None:
    told = json.loads(json.dumps(mind.explain(lived(mind, clock)).to_dict()))
    assert told["policy"] == "balanced"
    assert set(told) >= {"value", "retention", "worth", "effective_importance", "tier", "due_at", "next_rule", "parts"}


@pytest.mark.parametrize("id", ["nothing", "", UNKNOWN, UNKNOWN.upper(), "\ud800", "x" * 10_000])
def test_an_unknown_id_is_not_found(mind: Mind, id: str) -> None:
    with pytest.raises(NotFound) as caught:
        mind.explain(id)
    assert isinstance(caught.value, KeyError)


@pytest.mark.parametrize("id", [None, 5, 1.5, True, b"x", ["x"], {"id": "x"}])
def test_what_is_no_id_is_bad_input(mind: Mind, id: Any) -> None:
    with pytest.raises(InvalidInput):
        mind.explain(id)


def test_another_namespace_has_no_such_memory(open_mind: Callable[..., Mind], clock: Clock) -> None:
    id = lived(open_mind("one"), clock)
    with pytest.raises(NotFound):
        open_mind("other").explain(id)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(
    "now", [datetime.max.replace(tzinfo=UTC), START - timedelta(days=365), datetime(1970, 1, 1, tzinfo=UTC)]
)
def test_at_any_time(clock: Clock, name: str, now: datetime) -> None:
    """The last moment of the calendar, a year back, before its birth: values between 0 and 1, no exception."""
    with new_mind(clock=clock, policy=name) as mind:
        id = lived(mind, clock, (1.0,), importance=0.2)
        clock.now = now

        told = mind.explain(id)
        assert all(0 <= value <= 1 for value in (told.value, told.worth, told.retention, *told.curve.values))
