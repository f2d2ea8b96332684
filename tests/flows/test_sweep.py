"""sweep on real stores: each preset's rules at their limits, exemptions, caps, offers, the breaker, and the guard."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from remanence import Mind
from remanence.errors import BreakerTripped, InvalidInput, PlanOutOfDate, PlanRefused
from remanence.model.plan import Plan
from remanence.policies.reading import PRESETS, read
from tests.activity import attend
from tests.conftest import START, Clock, dump, new_mind
from tests.reliability.recording import Measured

SECOND = 1 / 86_400
TINY = timedelta(microseconds=1)
L2 = "extends: layered\nretention_mode: l2"
ELASTIC = "extends: layered\nretention_mode: elastic"
QUICK = L2 + "\narchive_after_days: 10"


def policy(text: str) -> Any:
    return text if text in PRESETS else read(text, "mine.yml")


def remember(mind: Mind, number: int, start: int = 0, **fields: Any) -> list[str]:
    """Ids of so many memories that share no word with each other."""
    texts = ({"text": f"w{n} x{n} y{n}"} | fields for n in range(start, start + number))
    return [made.memory.id for made in mind.remember_many(texts)]


def one(mind: Mind, reads: int = 0, **fields: Any) -> str:
    """The id of one memory, recalled so many times right after its birth."""
    id = mind.remember("lonely heron", **fields).memory.id
    for _ in range(reads):
        mind.recall("heron")
    return id


def fates(plan: Plan) -> dict[str, tuple[str, str]]:
    return {change.memory_id: (change.action.value, change.reason) for change in plan}


def leaving(plan: Plan) -> list[str]:
    return [change.memory_id for change in plan if "state" in change.after]


# --- the numbers of the presets


@pytest.mark.parametrize(
    ("name", "fields", "reads", "days", "fate"),
    [
        # effective importance < 0.05 and idle > 30 d, both strict
        ("halflife", {"importance": 0.5}, 0, 99, None),
        ("halflife", {"importance": 0.5}, 0, 100, ("forget", "faded")),
        ("halflife", {"importance": 0.8}, 0, 119, None),
        ("halflife", {"importance": 0.8}, 0, 121, ("forget", "faded")),
        ("halflife", {"importance": 0.0}, 0, 30, None),
        ("halflife", {"importance": 0.0}, 0, 30 + SECOND, ("forget", "faded")),
        ("halflife", {"importance": 0.1}, 0, 30, None),
        ("halflife", {"importance": 0.1}, 0, 30 + SECOND, ("forget", "faded")),
        # age > 90 d, retention < 0.15, importance < 0.3, reads < 3: huber .0549 and elastic .1404 go, l2 .1771 stays
        ("layered", {"importance": 0.29}, 2, 91, ("archive", "faded")),
        (ELASTIC, {"importance": 0.29}, 2, 91, ("archive", "faded")),
        (L2, {"importance": 0.29}, 2, 91, None),
        ("layered", {"importance": 0.29}, 2, 90, None),
        ("layered", {"importance": 0.3}, 2, 91, None),
        ("layered", {"importance": 0.29}, 3, 91, None),
        ("layered", {"importance": 0.29, "layer": "semantic"}, 0, 500, None),
        ("layered", {"importance": 0.29, "layer": "procedural"}, 0, 500, None),
        ("layered", {"importance": 0.29, "layer": "codebase"}, 0, 500, None),
        # decay by trust: after 40 days l2 leaves .397 of what a person said, .0625 of what was extracted
        (QUICK, {"importance": 0.29, "source": "human"}, 0, 40, None),
        (QUICK, {"importance": 0.29, "source": "extracted"}, 0, 40, ("archive", "faded")),
        # a fact of 120 days has .1506 and is cold, of 121 days .1491 and is evictable
        ("tiered", {}, 0, 120, None),
        ("tiered", {}, 0, 121, ("archive", "evictable")),
        ("tiered", {"kind": "architecture"}, 0, 179, None),
        ("tiered", {"kind": "architecture"}, 0, 180, ("archive", "evictable")),
        ("tiered", {"kind": "observation", "importance": 0.29}, 0, 90, None),
        ("tiered", {"kind": "observation", "importance": 0.29}, 0, 90 + SECOND, ("archive", "low importance")),
        ("tiered", {"kind": "observation", "importance": 0.3}, 0, 91, None),
        ("tiered", {"kind": "observation", "importance": 0.2}, 9, 181, ("archive", "low value")),
        # each kind has its time, strict
        ("relevance", {"kind": "session_state"}, 0, 1, None),
        ("relevance", {"kind": "session_state"}, 0, 1 + SECOND, ("archive", "time is up")),
        ("relevance", {"kind": "tool_output"}, 0, 7, None),
        ("relevance", {"kind": "tool_output"}, 0, 7 + SECOND, ("archive", "time is up")),
        ("relevance", {"kind": "project_status"}, 0, 30, None),
        ("relevance", {"kind": "project_status"}, 0, 30 + SECOND, ("archive", "time is up")),
        ("relevance", {"kind": "decision"}, 0, 365, None),
        ("relevance", {"kind": "decision"}, 0, 365 + SECOND, ("archive", "time is up")),
        ("relevance", {"kind": "preference"}, 0, 730, None),
        ("relevance", {"kind": "preference"}, 0, 730 + SECOND, ("archive", "time is up")),
        ("relevance", {"kind": "identity"}, 0, 9000, None),
        ("relevance", {"kind": "active_decision"}, 0, 9000, None),
        # then by age; an own time that runs keeps it from that
        ("relevance", {"kind": "observation"}, 0, 7, None),
        ("relevance", {"kind": "observation"}, 0, 7 + SECOND, ("archive", "raw after a week")),
        ("relevance", {"kind": "observation", "ttl": "200d"}, 0, 199, None),
        ("relevance", {"kind": "observation", "ttl": "200d"}, 0, 201, ("archive", "expired")),
        ("relevance", {"kind": "finding"}, 0, 30, None),
        ("relevance", {"kind": "finding"}, 0, 31, ("compact", "to be summarised")),
        ("relevance", {"kind": "finding"}, 0, 91, ("archive", "details after three months")),
        ("relevance", {"kind": "gotcha"}, 0, 90, None),
        ("relevance", {"kind": "gotcha"}, 0, 90 + SECOND, ("archive", "details after three months")),
        ("relevance", {"kind": "fact"}, 0, 77, None),
        ("relevance", {"kind": "fact"}, 0, 78, ("archive", "irrelevant")),
        # the default: old, unread, unconfirmed and of little worth
        ("balanced", {"importance": 0.1}, 0, 90, None),
        ("balanced", {"importance": 0.1}, 0, 200, ("archive", "faded")),
        ("balanced", {"importance": 0.1}, 3, 2000, None),
        ("balanced", {"importance": 0.5}, 0, 2000, None),
        ("balanced", {"kind": "identity", "importance": 0.1}, 0, 2000, None),
        ("balanced", {"kind": "session_state"}, 0, 1, None),
        ("balanced", {"kind": "session_state"}, 0, 1 + SECOND, ("archive", "time is up")),
    ],
)
def test_rules_at_their_limits(
    clock: Clock, name: str, fields: dict[str, Any], reads: int, days: float, fate: tuple[str, str] | None
) -> None:
    with new_mind(clock=clock, policy=policy(name)) as mind:
        id = one(mind, reads, **fields)
        attend(mind, clock, days=days)
        for full in (False, True):
            assert fates(mind.sweep(full=full)).get(id) == fate


@pytest.mark.parametrize(
    ("name", "fields", "state"),
    [
        ("halflife", {"importance": 0.1}, "forgotten"),
        ("layered", {"importance": 0.1}, "archived"),
        ("tiered", {}, "archived"),
        ("relevance", {}, "archived"),
        ("balanced", {"importance": 0.1}, "archived"),
    ],
)
def test_what_leaves_is_kept_and_comes_back(clock: Clock, name: str, fields: dict[str, Any], state: str) -> None:
    with new_mind(clock=clock, policy=name) as mind:
        id = one(mind, **fields)
        attend(mind, clock, days=400)
        assert mind.recall("heron", reinforce=False)
        receipt = mind.apply(mind.sweep())
        assert receipt.applied == (id,)
        assert mind.get(id).state == state
        assert mind.recall("heron") == []
        assert bool(mind.recall("heron", include="archived")) == (state == "archived")
        assert not mind.sweep().changes
        mind.undo(receipt.id)
        assert mind.get(id).state == "live"
        assert [hit.memory.id for hit in mind.recall("heron")] == [id]


def test_relevant_memories_stay_after_a_month(clock: Clock) -> None:
    with new_mind(clock=clock, policy="relevance") as mind:
        used, unused = one(mind, kind="gotcha"), remember(mind, 1, kind="gotcha")[0]
        attend(mind, clock, days=100)
        for _ in range(10):
            mind.recall("heron")
        assert fates(mind.sweep()) == {unused: ("archive", "details after three months")}
        assert mind.explain(used).value > 0.5


def test_a_recall_starts_the_time_anew(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        id = one(mind, importance=0.1)
        attend(mind, clock, days=30)
        mind.recall("heron")
        attend(mind, clock, days=30)
        assert not mind.sweep().changes
        clock.advance(seconds=1)
        assert leaving(mind.sweep()) == [id]


def test_a_recall_of_this_very_moment_keeps_it(clock: Clock) -> None:
    """Though the score leaves an access out until it is a second old."""
    with new_mind(clock=clock, policy="tiered") as mind:
        id = one(mind)
        attend(mind, clock, days=300)
        assert leaving(mind.sweep()) == [id]
        mind.recall("heron")
        assert not leaving(mind.sweep())
        assert not leaving(mind.sweep(full=True))


def test_looking_at_a_memory_is_no_recall(clock: Clock) -> None:
    """Only recall counts: get, list, explain, a sweep, `as_of` and archived recalls keep nothing alive."""
    with new_mind(clock=clock, policy="halflife") as mind:
        id = one(mind, importance=0.1)
        attend(mind, clock, days=29)
        mind.get(id), mind.list(), mind.explain(id), mind.sweep(), mind.forecast(), mind.history(id)
        mind.recall("heron", as_of=clock.now), mind.recall("heron", include="archived")
        mind.recall("heron", reinforce=False)
        attend(mind, clock, days=1, seconds=1)
        assert leaving(mind.sweep()) == [id]


# --- times of their own


@pytest.mark.parametrize("name", PRESETS)
def test_an_own_expiry_holds_under_every_policy(clock: Clock, name: str) -> None:
    """Out of recall at once, archived by the next sweep; at the very limit it stays."""
    with new_mind(clock=clock, policy=name) as mind:
        by_ttl = one(mind, ttl="12h", importance=1.0, scope="/user", kind="identity", layer="semantic")
        by_date = mind.remember("grey stork", expires_at=clock.now + timedelta(hours=12), exempt=True).memory.id
        clock.advance(hours=12)
        assert len(mind.recall("heron stork")) == 2
        assert not mind.sweep().changes
        clock.now += TINY
        assert mind.recall("heron stork") == []
        assert mind.get(by_ttl).state == "live"
        assert fates(mind.sweep()) == dict.fromkeys((by_ttl, by_date), ("archive", "expired"))
        mind.apply(mind.sweep())
        assert {mind.get(id).state for id in (by_ttl, by_date)} == {"archived"}


def test_a_pin_outlasts_an_expiry_in_sweeps(mind: Mind, clock: Clock) -> None:
    id = one(mind, ttl="1h", pinned=True)
    attend(mind, clock, days=1)
    assert not mind.sweep().changes
    assert mind.recall("heron") == []
    mind.unpin(id)
    assert leaving(mind.sweep()) == [id]


def test_the_time_of_a_kind_is_computed_never_stamped(clock: Clock) -> None:
    with new_mind(clock=clock, policy=policy("extends: relevance\nttl: {tool_output: 3d}")) as mind:
        id = one(mind, kind="tool_output")
        assert mind.get(id).expires_at is None
        attend(mind, clock, days=3, seconds=1)
        assert mind.recall("heron", reinforce=False), "a kind's time takes nothing out of recall before a sweep"
        assert fates(mind.sweep()) == {id: ("archive", "time is up")}
        mind.policies.use("relevance")
        assert not mind.sweep().changes


# --- who is left alone

DOOMED = {"importance": 0.01, "kind": "fact"}


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        *((name, {"pinned": True}) for name in PRESETS),
        *((name, {"exempt": True}) for name in PRESETS),
        ("halflife", {"scope": "/user"}),
        ("halflife", {"scope": "/user/ann/notes"}),
        ("layered", {"layer": "semantic"}),
        ("balanced", {"layer": "procedural"}),
        ("balanced", {"kind": "active_decision"}),
        ("extends: tiered\nexempt_kinds: [crystal]", {"kind": "crystal"}),
        ("extends: relevance\nexempt_scopes: [/a, /b/c]", {"scope": "/b/c/d"}),
        ("extends: halflife\noverrides: {decision: {exempt: true}}", {"kind": "decision"}),
        ("extends: halflife\noverrides: {/team: {exempt: true}}", {"scope": "/team/x"}),
    ],
)
def test_exempt_memories_stay_beside_others_that_leave(clock: Clock, text: str, fields: dict[str, Any]) -> None:
    with new_mind(clock=clock, policy=policy(text)) as mind:
        kept = one(mind, **DOOMED | fields)
        (other,) = remember(mind, 1, **DOOMED)
        attend(mind, clock, days=3000)
        assert leaving(mind.sweep()) == [other]
        mind.apply(mind.sweep())
        assert (mind.get(kept).state, mind.get(kept).importance) == ("live", 0.01)


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": "/user/ann"},
        {"kind": "identity"},
        {"kind": "active_decision"},
        {"layer": "semantic"},
        {"pinned": True},
    ],
)
def test_balanced_has_the_exemptions_of_all_the_others(clock: Clock, fields: dict[str, Any]) -> None:
    """LIFECYCLE 6. Seed 000's /user is one of them."""
    with new_mind(clock=clock) as mind:
        one(mind, **DOOMED | fields)
        attend(mind, clock, days=3000)

        assert not mind.sweep().changes


@pytest.mark.parametrize("name", PRESETS)
def test_crystals_never_decay(clock: Clock, name: str) -> None:
    """LIFECYCLE 9, whatever the policy."""
    with new_mind(clock=clock, policy=name) as mind:
        one(mind, **DOOMED | {"kind": "crystal"})
        attend(mind, clock, days=3000)

        assert not mind.sweep().changes


def test_exempt_scopes_go_by_whole_segments(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        id = one(mind, scope="/username", importance=0.1)
        attend(mind, clock, days=100)
        assert leaving(mind.sweep()) == [id]


def test_an_exemption_can_be_taken_back_further_down(clock: Clock) -> None:
    text = "extends: halflife\noverrides: {/user/scratch: {exempt: false}}"
    with new_mind(clock=clock, policy=policy(text)) as mind:
        (gone,) = remember(mind, 1, scope="/user/scratch/today", importance=0.1)
        one(mind, scope="/user", importance=0.1)
        attend(mind, clock, days=100)
        assert leaving(mind.sweep()) == [gone]


def test_overrides_by_scope_and_kind(clock: Clock) -> None:
    text = (
        "extends: halflife\noverrides:\n  /fast: {half_life_days: 1, prune_after_days: 5}\n"
        "  finding: {ttl: 2d}\n  /fast/slow: {half_life_days: 3650, prune_after_days: 3650}\n"
    )
    with new_mind(clock=clock, policy=policy(text)) as mind:
        (fast,) = remember(mind, 1, 0, scope="/fast")
        remember(mind, 1, 1, scope="/fast/slow")
        remember(mind, 1, 2, scope="/faster")
        attend(mind, clock, days=6)
        assert leaving(mind.sweep()) == [fast]


@pytest.mark.parametrize("state", ["archived", "forgotten"])
def test_what_already_left_is_left_alone(clock: Clock, state: str) -> None:
    with new_mind(clock=clock, policy="tiered") as mind:
        id = one(mind, ttl="1h")
        clock.advance(hours=2)
        if state == "archived":
            mind.apply(mind.sweep())
        else:
            mind.forget(ids=[id])
        assert mind.get(id).state == state
        attend(mind, clock, days=5000)
        assert not mind.sweep().changes
        assert not mind.sweep(full=True).changes


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("way", ["restore", "undo"])
def test_what_came_back_is_kept_for_thirty_days(clock: Clock, name: str, way: str) -> None:
    with new_mind(clock=clock, policy=name) as mind:
        id = one(mind, **DOOMED)
        attend(mind, clock, days=400)
        receipt = mind.apply(mind.sweep())
        assert receipt.applied == (id,)
        attend(mind, clock, days=5)
        mind.restore(ids=[id]) if way == "restore" else mind.undo(receipt.id)
        assert mind.get(id).kept_until == clock.now + timedelta(days=30)
        attend(mind, clock, days=30)
        clock.now -= TINY
        assert not mind.sweep().changes
        clock.now += TINY
        assert leaving(mind.sweep()) == leaving(mind.sweep(full=True)) == [id]


def test_a_keep_does_not_stop_promotion(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        id = one(mind, importance=0.9, reads=4)
        mind.forget(ids=[id])
        mind.restore(ids=[id])
        mind.recall("heron")
        assert fates(mind.sweep()) == {id: ("promote", "proven")}


def test_old_versions_leave_under_tiered_alone(clock: Clock) -> None:
    versions = []
    with new_mind(clock=clock, policy="tiered") as mind:
        for town in ("Oslo", "Rome", "Paris"):
            versions.append(mind.remember(f"The deploy server stands in {town}", kind="architecture").memory.id)
            attend(mind, clock, days=10)
        clock.now = START + timedelta(days=90)
        assert not mind.sweep().changes
        clock.now += TINY
        assert fates(mind.sweep()) == {versions[0]: ("forget", "old version")}
        clock.now = START + timedelta(days=105)
        receipt = mind.apply(mind.sweep())
        assert set(receipt.applied) == set(versions[:2])
        assert [mind.get(id).state for id in versions] == ["forgotten", "forgotten", "live"]
        mind.undo(receipt.id)
        assert [mind.get(id).state for id in versions] == ["superseded", "superseded", "live"]
        for name in set(PRESETS) - {"tiered"}:
            mind.policies.use(name)
            assert not [id for id in leaving(mind.sweep()) if id in versions[:2]]


def test_versions_of_the_pinned_and_the_exempt_stay(clock: Clock) -> None:
    with new_mind(clock=clock, policy="tiered") as mind:
        old = mind.remember("The deploy server stands in Oslo", exempt=True).memory.id
        mind.remember("The deploy server stands in Rome", exempt=True)
        attend(mind, clock, days=500)
        assert mind.get(old).state == "superseded"
        assert not mind.sweep().changes


# --- a few a run


def test_fifty_a_run_the_lowest_first_the_rest_at_the_next(clock: Clock) -> None:
    with new_mind(clock=clock, policy="tiered") as mind:
        ids = []
        for number in range(120):
            ids += remember(mind, 1, number)
            clock.advance(hours=6)
        attend(mind, clock, days=200)
        worst = {id: mind.explain(id).value for id in ids}
        taken = []
        for expected in (50, 50, 20, 0):
            plan = mind.sweep()
            assert len(leaving(plan)) == expected
            waiting = 120 - len(taken) - expected
            assert any(f"{waiting} more wait" in warning for warning in plan.warnings) == (waiting > 0)
            taken += mind.apply(plan, force=True).applied
        assert [set(taken[at : at + 50]) for at in (0, 50, 100)] == [set(ids[at : at + 50]) for at in (0, 50, 100)]
        assert max(worst[id] for id in taken[:50]) < min(worst[id] for id in taken[50:])


def test_max_evict_of_a_run_and_of_a_policy(clock: Clock) -> None:
    with new_mind(clock=clock, policy=policy("extends: tiered\nmax_evict: 7")) as mind:
        ids = remember(mind, 80)
        attend(mind, clock, days=200)
        assert len(leaving(mind.sweep())) == len(leaving(mind.sweep(full=True))) == 7
        assert leaving(mind.sweep(max_evict=1)) == ids[:1]
        assert len(leaving(mind.sweep(max_evict=60))) == 60
        assert len(leaving(mind.sweep(max_evict=1000))) == 80


def test_the_cap_is_of_one_rule_alone(clock: Clock) -> None:
    with new_mind(clock=clock, policy=policy("extends: tiered\nmax_evict: 2")) as mind:
        remember(mind, 5)
        remember(mind, 4, 10, ttl="1d")
        remember(mind, 3, 20, kind="observation", importance=0.25)
        attend(mind, clock, days=200)
        by_rule = Counter(reason for _, reason in fates(mind.sweep()).values())
        assert by_rule == {"expired": 4, "low importance": 3, "evictable": 2}


def test_a_limit_takes_the_least_worthy_and_says_how_many_wait(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        ids = [remember(mind, 1, n, importance=share)[0] for n, share in enumerate((0.4, 0.1, 0.3, 0.2))]
        attend(mind, clock, days=200)
        plan = mind.sweep(limit=2)
        assert set(leaving(plan)) == {ids[1], ids[3]}
        assert any("2 more would leave" in warning for warning in plan.warnings)
        assert set(leaving(mind.sweep(limit=4))) == set(ids)
        assert not mind.sweep(limit=4).warnings
        mind.apply(plan)
        assert set(leaving(mind.sweep())) == {ids[0], ids[2]}


# --- up the ladder


@pytest.mark.parametrize("name", PRESETS)
def test_working_becomes_episodic_becomes_semantic_in_one_plan(clock: Clock, name: str) -> None:
    with new_mind(clock=clock, policy=name) as mind:
        id = one(mind, layer="working", importance=0.7)
        clock.advance(minutes=30)
        assert not mind.sweep().changes
        clock.now += TINY
        assert fates(mind.sweep()) == {id: ("promote", "settled")}
        for _ in range(5):
            mind.recall("heron")
        plan = mind.sweep()
        assert [(c.action.value, c.before["layer"], c.after["layer"]) for c in plan] == [
            ("promote", "working", "episodic"),
            ("promote", "episodic", "semantic"),
        ]
        receipt = mind.apply(plan)
        assert (receipt.applied, mind.get(id).layer) == ((id,), "semantic")
        assert [entry.reason for entry in mind.journal(limit=2)] == ["proven", "settled"]
        assert not mind.sweep().changes
        mind.undo(receipt.id)
        assert mind.get(id).layer == "working"


@pytest.mark.parametrize(
    ("fields", "reads", "layer"),
    [
        ({"layer": "working"}, 1, "working"),
        ({"layer": "working"}, 2, "episodic"),
        ({"importance": 0.7}, 4, "episodic"),
        ({"importance": 0.7}, 5, "semantic"),
        ({"importance": 0.69}, 50, "episodic"),
        ({"importance": 0.9, "layer": "procedural"}, 9, "procedural"),
        ({"importance": 0.9, "layer": "codebase"}, 9, "codebase"),
        ({"importance": 0.9, "pinned": True}, 9, "episodic"),
        ({"importance": 0.9, "exempt": True}, 9, "semantic"),
    ],
)
def test_recalls_promote_at_the_next_sweep(
    mind: Mind, clock: Clock, fields: dict[str, Any], reads: int, layer: str
) -> None:
    """At once: the access that reaches the count makes the memory due."""
    id = one(mind, **fields)
    mind.apply(mind.sweep())
    for _ in range(reads):
        clock.advance(seconds=1)
        mind.recall("heron")
    mind.apply(mind.sweep())
    assert mind.get(id).layer == layer


def test_a_count_of_ones_own_is_watched_too(clock: Clock) -> None:
    text = "extends: halflife\nsemantic_accesses: 3\noverrides: {/quick: {semantic_accesses: 1}}"
    with new_mind(clock=clock, policy=policy(text)) as mind:
        id = one(mind, importance=0.9, scope="/quick")
        other = mind.remember("grey stork", importance=0.9).memory.id
        mind.sweep()
        mind.recall("heron"), mind.recall("stork"), mind.recall("stork")
        assert list(fates(mind.sweep())) == [id]
        mind.recall("stork")
        assert set(fates(mind.sweep())) == {id, other}


@pytest.mark.parametrize("name", ["halflife", "layered", "balanced"])
def test_promoted_and_then_due_is_one_plan_and_one_undo(clock: Clock, name: str) -> None:
    with new_mind(clock=clock, policy=name) as mind:
        id = one(mind, layer="working", importance=0.05)
        attend(mind, clock, days=400)
        plan = mind.sweep()
        assert plan.changes[0].action == "promote"
        assert leaving(plan) == [id]
        receipt = mind.apply(plan)
        assert (mind.get(id).layer, mind.get(id).state == "live") == ("episodic", False)
        mind.undo(receipt.id)
        assert (mind.get(id).layer, mind.get(id).state) == ("working", "live")


# --- offers


def test_offers_change_nothing_and_block_nothing(clock: Clock) -> None:
    with new_mind(clock=clock, policy="relevance") as mind:
        finding = one(mind, kind="finding")
        (fact,) = remember(mind, 1)
        attend(mind, clock, days=80)
        before = mind.get(finding)
        plan = mind.sweep()
        assert fates(plan) == {finding: ("compact", "to be summarised"), fact: ("archive", "irrelevant")}
        receipt = mind.apply(plan, strict=True)
        assert receipt.applied == (fact,)
        assert "dream" in receipt.skipped[finding]
        assert mind.get(finding) == before
        assert mind.journal(limit=1)[0].memory_id == fact
        assert fates(mind.sweep()) == {finding: ("compact", "to be summarised")}
        assert mind.apply(mind.sweep()).applied == ()


def test_many_offers_are_no_mass_removal(clock: Clock) -> None:
    with new_mind(clock=clock, policy="relevance") as mind:
        remember(mind, 60, kind="finding")
        attend(mind, clock, days=40)
        plan = mind.sweep()
        assert (len(plan), plan.refused) == (60, None)
        assert len(mind.apply(plan).skipped) == 60
        assert mind.count() == 60


# --- the breaker


@pytest.mark.parametrize(
    ("doomed", "others", "trips"), [(24, 0, False), (25, 0, True), (25, 99, True), (25, 100, False), (26, 100, True)]
)
def test_the_breaker_trips_at_a_fifth_and_twenty_five(clock: Clock, doomed: int, others: int, trips: bool) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        remember(mind, doomed, importance=0.01)
        remember(mind, others, 1000, pinned=True)
        attend(mind, clock, days=40)
        plan = mind.sweep()
        assert len(leaving(plan)) == doomed
        assert (plan.refused is not None) == trips
        assert any("--force" in warning for warning in plan.warnings) == trips
        if trips:
            before = dump(mind)
            with pytest.raises(PlanRefused, match=rf"{doomed} of {doomed + others} live memories of /.*--force"):
                mind.apply(plan)
            assert dump(mind) == before
        assert len(mind.apply(plan, force=trips).applied) == doomed


def test_the_breaker_guards_each_scope_with_what_is_below_it(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        for number, scope in enumerate(("/a/x", "/a/y", "/ab")):
            remember(mind, 13, number * 100, scope=scope, importance=0.01)
        remember(mind, 400, 1000, scope="/b", exempt=True)
        attend(mind, clock, days=40)
        with pytest.raises(BreakerTripped, match="26 of 26 live memories of /a out") as caught:
            mind.apply(mind.sweep())
        assert "/a/x" not in str(caught.value)
        assert len(mind.apply(mind.sweep(scope="/a/x")).applied) == 13


@pytest.mark.promise("R19")
def test_a_clock_that_jumps_ten_years_trips_the_breaker(clock: Clock) -> None:
    for name in PRESETS:
        clock.now = START
        with new_mind(clock=clock, policy=name) as mind:
            remember(mind, 40, importance=0.2)
            clock.now = START.replace(year=START.year + 10)
            if name == "balanced":
                assert not mind.sweep().changes, "nobody was there in between"
                attend(mind, clock, days=400)
            with pytest.raises(PlanRefused):
                mind.apply(mind.sweep())
            assert mind.count() == 40


@pytest.mark.promise("R19")
@pytest.mark.parametrize("name", PRESETS)
def test_a_clock_set_back_a_year_is_harmless(clock: Clock, name: str) -> None:
    with new_mind(clock=clock, policy=name) as mind:
        ids = remember(mind, 40, importance=0.2)
        one(mind, kind="tool_output", ttl="1d")
        mind.recall("w3")
        clock.now = START.replace(year=START.year - 1)
        assert not mind.sweep().changes
        assert not mind.sweep(full=True).changes
        for id in ids[:5]:
            told = mind.explain(id)
            assert 0 <= told.value <= 1
            assert told.due_at is None or told.due_at > START
        clock.now = START
        assert not mind.sweep().changes


@pytest.mark.promise("R19")
def test_due_and_full_sweeps_agree_also_while_the_clock_is_behind(clock: Clock) -> None:
    """LIFECYCLE 7: always the same plan."""
    with new_mind(clock=clock, policy="halflife") as mind:
        one(mind, importance=0.9, reads=5)
        clock.advance(days=-2)
        mind.policies.use("tiered")

        assert mind.sweep().changes == mind.sweep(full=True).changes


@pytest.mark.promise("R19")
@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("end", [datetime.max.replace(tzinfo=UTC), datetime(2028, 2, 29, tzinfo=UTC)])
def test_the_last_day_of_the_calendar_and_the_leap_day(clock: Clock, name: str, end: datetime) -> None:
    with new_mind(clock=clock, policy=name) as mind:
        remember(mind, 10, importance=0.2)
        clock.now = end
        receipt = mind.apply(mind.sweep())
        mind.undo(receipt.id)
        assert mind.count() == 10
        assert one(mind, ttl="1y") not in leaving(mind.sweep())
        assert mind.check().ok


_MOMENTS = {
    "a year back": START.replace(year=START.year - 1),
    "ten years on": START.replace(year=START.year + 10),
    "summer time ends": datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZoneInfo("Europe/Berlin")),
    "summer time begins": datetime(2026, 3, 29, 2, 30, tzinfo=ZoneInfo("Europe/Berlin")),
    "a leap day": datetime(2028, 2, 29, 23, 59, 59, tzinfo=UTC),
    "the year 9999": datetime.max.replace(tzinfo=UTC),
}


@pytest.mark.promise("R19")
@pytest.mark.parametrize("name", PRESETS)
def test_whatever_the_clock_says_scores_are_scores_and_nobody_is_swept_away(
    clock: Clock, name: str, measured: Measured
) -> None:
    """By upkeep, which nobody watches: no more leaves at once than the breaker lets by."""
    most = 0.0
    for now in _MOMENTS.values():
        clock.now = START
        with new_mind(clock=clock, policy=name) as mind:
            ids = remember(mind, 130, importance=0.2)
            mind.recall("w3")
            clock.now = now
            values = [mind.explain(id).value for id in ids[:8]]
            ranks = [hit.rank for hit in mind.recall("w3 w4", limit=40, reinforce=False)]
            assert values and ranks
            assert all(0 <= number <= 1 for number in values + ranks), (now, values, ranks)
            mind.upkeep()
            mind.dreams.run()
            most = max(most, 1 - mind.count() / len(ids))
            assert mind.check().ok
    measured(
        f"{len(_MOMENTS)} moments, each preset", at_most={"gone_at_once_percent": 20}, gone_at_once_percent=100 * most
    )
    assert most <= 0.2


# --- where, and what a plan is


def test_a_sweep_of_a_scope_stays_in_it(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        by_scope = {
            scope: remember(mind, 1, number, scope=scope, importance=0.1)[0]
            for number, scope in enumerate(("/", "/a", "/a/b", "/ab", "/c"))
        }
        attend(mind, clock, days=100)
        assert set(leaving(mind.sweep("/a"))) == {by_scope["/a"], by_scope["/a/b"]}
        assert set(leaving(mind.sweep(["/a/b", "/c"]))) == {by_scope["/a/b"], by_scope["/c"]}
        assert set(leaving(mind.sweep("/"))) == set(by_scope.values())
        assert leaving(mind.sweep("/nothing")) == []
        mind.apply(mind.sweep("/a"))
        assert set(leaving(mind.sweep())) == {by_scope["/"], by_scope["/ab"], by_scope["/c"]}


def test_a_sweep_stays_in_its_namespace(clock: Clock, open_mind: Any) -> None:
    mine, other = open_mind("mine", policy="halflife"), open_mind("other", policy="halflife")
    (kept,) = remember(other, 1, importance=0.01)
    remember(mine, 1, importance=0.01)
    clock.advance(days=100)
    mine.apply(mine.sweep())
    assert (mine.count(), other.get(kept).state) == (0, "live")


def test_making_a_plan_changes_nothing_but_dates(clock: Clock) -> None:
    with new_mind(clock=clock, policy="relevance") as mind:
        remember(mind, 5, importance=0.1)
        one(mind, kind="finding", reads=2)
        mind.recall("w1")
        mind._store.flush()
        attend(mind, clock, days=100)
        before, memories = dump(mind), {memory.id: memory for memory in mind.list(state="all")}
        first = mind.sweep()
        after = dump(mind)
        assert {name for name in before if before[name] != after[name]} <= {"lives", "policies"}
        assert {memory.id: memory for memory in mind.list(state="all")} == memories
        assert mind.sweep() == first == mind.sweep(full=True)
        assert dump(mind) == after


def test_a_plan_prints_as_a_table_with_its_numbers(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        id = one(mind, importance=0.1, scope="/zoo")
        mind.remember("grey stork", scope="/zoo", pinned=True)
        attend(mind, clock, days=60)
        plan = mind.sweep()
        assert str(plan).splitlines()[0] == "sweep: 1 change"
        (line,) = str(plan).splitlines()[1:]
        assert line.startswith(f"- {id}  forget")
        assert "effective_importance=0.025" in line
        assert "idle_days=60" in line
        (group,) = plan.groups
        assert (group.rule, group.action, group.memories, group.oldest) == ("faded", "forget", 1, START)
        assert group.scopes == {"/zoo": (1, 2)}
        assert group.tokens > 0
        told = json.loads(json.dumps(plan.to_dict()))
        assert told["changes"][0]["evidence"]["effective_importance"] == 0.025
        assert "heron" not in json.dumps(told), "a plan holds numbers and ids, never text"
        assert str(mind.sweep("/elsewhere")) == "sweep: nothing to change"


def test_the_most_worthy_loser_comes_first_then_the_oldest(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        low, high = (remember(mind, 1, n, importance=share)[0] for n, share in enumerate((0.1, 0.4)))
        attend(mind, clock, days=300)
        assert leaving(mind.sweep()) == [high, low]


def test_no_share_of_a_scope_is_larger_than_all_of_it(clock: Clock) -> None:
    """Old versions are not among the live ones of a scope."""
    with new_mind(clock=clock, policy="tiered") as mind:
        for town in ("Oslo", "Rome", "Paris"):
            mind.remember(f"The deploy server stands in {town}", kind="architecture")
        attend(mind, clock, days=95)
        plan = mind.sweep()
        assert len(leaving(plan)) == 2

        assert all(taken <= live for group in plan.groups for taken, live in group.scopes.values() if live)


# --- between plan and apply


def test_what_was_recalled_after_the_plan_is_skipped_and_listed(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        recalled = one(mind, importance=0.1)
        (other,) = remember(mind, 1, importance=0.1)
        attend(mind, clock, days=100)
        plan = mind.sweep()
        mind.recall("heron")
        with pytest.raises(PlanOutOfDate):
            mind.apply(plan, strict=True)
        assert mind.count() == 2
        receipt = mind.apply(plan)
        assert receipt.applied == (other,)
        assert receipt.skipped == {recalled: "it was recalled after the plan was made"}
        assert mind.get(recalled).state == "live"


def test_a_recall_in_another_process_is_seen_too(clock: Clock, open_mind: Any) -> None:
    mine, other = open_mind(policy="halflife"), open_mind(policy="halflife")
    id = one(mine, importance=0.1)
    clock.advance(days=100)
    plan = mine.sweep()
    other.recall("heron")
    other.close()
    assert list(mine.apply(plan).skipped) == [id]
    assert not mine.sweep().changes


@pytest.mark.parametrize("name", ["halflife", "balanced"])
def test_what_was_pinned_after_the_plan_stays(clock: Clock, name: str) -> None:
    """Pinned means that no sweep ever touches it, whenever its plan was made."""
    with new_mind(clock=clock, policy=name) as mind:
        id = one(mind, importance=0.1)
        attend(mind, clock, days=300)
        plan = mind.sweep()
        mind.pin(id)
        receipt = mind.apply(plan)

        assert (receipt.applied, list(receipt.skipped)) == ((), [id])
        assert mind.get(id).state == "live"


@pytest.mark.parametrize("mark", ["confirm", "promote"])
def test_what_was_changed_after_the_plan_is_skipped(clock: Clock, mark: str) -> None:
    """A confirmation, or a promotion to the exempt layer, takes it out of the rule that made the plan."""
    with new_mind(clock=clock) as mind:
        id = one(mind, importance=0.1)
        attend(mind, clock, days=300)
        plan = mind.sweep()
        getattr(mind, mark)(id)
        assert not mind.sweep().changes

        assert list(mind.apply(plan).skipped) == [id]


def test_what_left_meanwhile_is_skipped(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        id = one(mind, importance=0.1)
        attend(mind, clock, days=100)
        plan = mind.sweep()
        mind.apply(plan)
        assert list(mind.apply(plan).skipped) == [id]
        mind.purge(ids=[id], reason="asked")
        assert list(mind.apply(plan).skipped) == [id]


# --- off, and bad input


def test_a_policy_that_is_switched_off_sweeps_nothing_and_says_so(clock: Clock) -> None:
    with new_mind(clock=clock, policy=policy("extends: halflife\nenabled: false")) as mind:
        id = one(mind, importance=0.01, ttl="1d")
        attend(mind, clock, days=400)
        for full in (False, True):
            plan = mind.sweep(full=full)
            assert not plan.changes
            assert "switched off" in plan.warnings[0]
        assert mind.get(id).state == "live"
        assert mind.stats().sweeping is False


@pytest.mark.parametrize(
    "wrong",
    [
        *({"limit": bad} for bad in (0, -1, True, 1.5, "5", float("nan"), float("inf"), 2**63)),
        *({"max_evict": bad} for bad in (0, 1001, True, "5", float("nan"))),
        *({"full": bad} for bad in ("yes", 1, None)),
        *({"scope": bad} for bad in ("x", "/a/", 5, "", ["/a", "b"])),
    ],
)
def test_bad_input_is_refused(mind: Mind, wrong: dict[str, Any]) -> None:
    remember(mind, 2)
    before = dump(mind)
    with pytest.raises(InvalidInput):
        mind.sweep(**wrong)
    assert dump(mind) == before


def test_all_problems_at_once(mind: Mind) -> None:
    with pytest.raises(InvalidInput) as caught:
        mind.sweep("x", full="no", limit=0, max_evict=0)  # type: ignore[arg-type]
    assert len(caught.value.problems) == 4


def test_an_empty_store_sweeps_nothing(mind: Mind) -> None:
    assert not mind.sweep().changes
    assert not mind.sweep(full=True).changes
    assert mind.apply(mind.sweep()).applied == ()


@pytest.mark.parametrize("flag", ["no", "", 0, 1, None, float("nan")])
def test_strict_and_force_are_true_or_false(flag: object, clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        for number in range(30):
            mind.remember(f"Weak note {number} of box {number * 7}", importance=0.01)
        clock.advance(days=40)
        plan = mind.sweep()
        assert len(plan) == 30
        for name in ("strict", "force"):
            with pytest.raises(InvalidInput, match=f"{name} must be true or false"):
                mind.apply(plan, **{name: flag})  # type: ignore[arg-type]
        assert mind.count() == 30
