"""receipts, past, lineage, tiers and sizes: what happened and what is held, as the page and `rem` show it."""

from datetime import timedelta
from itertools import pairwise

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound
from remanence.model.memory import State
from remanence.model.plan import Change, Plan
from remanence.model.words import estimate_tokens
from remanence.policies.reading import read
from tests.conftest import START, Clock, new_mind

NOBODY = "01900000-0000-7000-8000-000000000000"


# --- receipts


def test_receipts_in_brief_newest_first(mind: Mind, clock: Clock) -> None:
    one = mind.remember("The ferry leaves at nine").memory
    assert one is not None
    clock.advance(days=1)
    gone = mind.forget(ids=[one.id])
    undone = mind.undo(gone.id)
    told = mind.receipts()
    assert [brief.verb for brief in told] == ["undo", "forget", "remember"]
    assert told[1].to_dict() == {
        "id": gone.id,
        "verb": "forget",
        "at": clock.now.isoformat(),
        "note": None,
        "undoes": None,
        "undone_by": undone.id,
        "actions": {"forget": 1},
        "memories": 1,
    }
    redone = mind.undo(undone.id)
    assert [brief.undone_by for brief in mind.receipts(before=redone.id)] == [redone.id, None, None]
    assert [brief.id for brief in mind.receipts(1, before=gone.id)] == ["r1"]
    assert [brief.id for brief in mind.receipts(verb="forget")] == [gone.id]
    assert mind.receipts(verb="' OR 1=1") == mind.receipts(before="r1") == []


def test_the_receipt_of_a_purge_is_there_and_tells_no_text(mind: Mind) -> None:
    one = mind.remember("The vault opens with xylophone9").memory
    assert one is not None
    mind.purge(ids=[one.id], reason="asked by its owner")
    purge, added = mind.receipts()
    assert (purge.verb, dict(purge.actions), purge.memories, purge.note) == (
        "purge",
        {"purge": 1},
        1,
        "asked by its owner",
    )
    assert (dict(added.actions), added.memories) == ({"add": 1}, 1)
    assert "xylophone9" not in str(mind.receipts())


@pytest.mark.parametrize(
    "given",
    [
        {"limit": 0},
        {"limit": 1001},
        {"limit": True},
        {"limit": "5"},
        {"before": "12"},
        {"before": "r12.3"},
        {"before": "r-1"},
        {"before": "r" + "9" * 40},
        {"before": 12},
        {"verb": ""},
        {"verb": 5},
    ],
)
def test_receipts_that_cannot_be_asked_for(mind: Mind, given: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        mind.receipts(**given)  # type: ignore[arg-type]


# --- past


def test_the_past_goes_back_from_now(mind: Mind, clock: Clock) -> None:
    made = []
    for _ in range(4):
        memory = mind.remember(f"Number {len(made)} {'abcd'[len(made)]}").memory
        assert memory is not None
        made.append(memory)
        clock.advance(days=1)
    mind.apply(Plan((Change.of(made[0], "x", state=State.ARCHIVED),), verb="test"))
    receipt = mind.forget(ids=[made[1].id])
    clock.advance(days=1)
    mind.undo(receipt.id)
    mind.purge(ids=[made[2].id], reason="x")
    past = mind.past(6)
    assert (past.first, past.days, past.at) == ("2026-02-28", 6, clock.now)
    assert past.live == (0, 1, 2, 3, 4, 2, 2)
    assert past.archived == (0, 0, 0, 0, 0, 1, 1)
    assert past.forgotten == (0, 0, 0, 0, 0, 1, 0)
    assert past.learned == (0, 1, 1, 1, 1, 0, 0)
    assert past.left == (0, 0, 0, 0, 0, 2, 1)
    assert {name: len(value) for name, value in past.to_dict().items() if isinstance(value, list)} == dict.fromkeys(
        ("live", "archived", "forgotten", "learned", "left"), 7
    )
    short = mind.past(1)
    assert (short.live, short.learned, short.left) == ((2, 2), (0, 0), (2, 1)), "what was before is in it"


def test_the_past_of_nothing_and_of_a_clock_that_ran_ahead(mind: Mind, clock: Clock) -> None:
    assert mind.past(2).live == (0, 0, 0)
    clock.advance(days=30)
    mind.remember("Written tomorrow")
    clock.advance(days=-20)
    past = mind.past(3)
    assert (past.live, past.learned) == ((0, 0, 0, 1), (0, 0, 0, 1))


def test_a_day_ends_at_midnight_of_utc(mind: Mind, clock: Clock) -> None:
    clock.now = START.replace(hour=23, minute=59, second=59)
    mind.remember("Said late in the evening")
    clock.advance(seconds=1)
    mind.remember("And then after midnight")
    past = mind.past(1)
    assert (past.live, past.learned) == ((1, 2), (1, 1))


@pytest.mark.parametrize("days", [0, -1, 3651, 1.5, True, "7", None, 10**30])
def test_days_that_cannot_be_looked_back(mind: Mind, days: object) -> None:
    with pytest.raises(InvalidInput, match="days"):
        mind.past(days)  # type: ignore[arg-type]


# --- lineage


def ids(mind: Mind, id: str, limit: int = 200) -> list[str]:
    return [one.id for one in mind.lineage(id, limit).memories]


def test_ancestors_and_descendants_to_any_depth(mind: Mind) -> None:
    chain: list[str] = []
    for number in range(6):
        made = mind.remember(f"Link {number} {'uvwxyz'[number]}", lineage=chain[-1:], scope=f"/{number}").memory
        assert made is not None
        chain.append(made.id)
    told = mind.lineage(chain[2])
    assert told.id == chain[2]
    assert told.memories[0].id == chain[2]
    assert {one.id for one in told.memories} == set(chain)
    wanted = {(older, newer, "made") for older, newer in pairwise(chain)}
    assert {(link["from"], link["to"], link["how"]) for link in told.links} == wanted
    assert len(told.links) == len(wanted)
    assert (told.purged, told.more) == ((), False)
    near = ids(mind, chain[2], 3)
    assert (near[0], set(near[1:]), mind.lineage(chain[2], 3).more) == (chain[2], {chain[1], chain[3]}, True)
    assert mind.lineage(chain[2], 6).more is False
    assert ids(mind, chain[2], 1) == [chain[2]]


def test_versions_are_tied_the_older_one_first(mind: Mind) -> None:
    made = [mind.remember(f"The deploy server stands in {town}").memory for town in ("Frankfurt", "Dublin", "Cork")]
    first, second, third = [memory.id for memory in made if memory is not None]
    child = mind.remember("Servers stand in towns", lineage=[second], kind="insight").memory
    assert child is not None
    wanted = {(first, second, "version"), (second, third, "version"), (second, child.id, "made")}
    for id in (first, second, third, child.id):
        links = {(link["from"], link["to"], link["how"]) for link in mind.lineage(id).links}
        assert links == wanted
    mind.restore(ids=[first])
    told = mind.lineage(third)
    versions = {one.id: one.version for one in told.memories}
    assert all(versions[link["from"]] < versions[link["to"]] for link in told.links if link["how"] == "version")
    assert {one.id: one.state for one in told.memories}[first] == State.LIVE


def test_what_was_purged_is_named_and_a_circle_ends(mind: Mind) -> None:
    source = mind.remember("The source of it all").memory
    assert source is not None
    made = mind.remember("Made of it", lineage=[source.id, NOBODY]).memory
    assert made is not None
    told = mind.lineage(made.id)
    assert (told.purged, [link["from"] for link in told.links]) == ((NOBODY,), [source.id])
    assert mind.lineage(source.id).purged == (NOBODY,)


def test_of_a_text_its_first_200_characters_are_told(mind: Mind) -> None:
    long = mind.remember("ü" * 5000).memory
    assert long is not None
    (told,) = mind.lineage(long.id).memories
    assert told.to_dict() == {
        "id": long.id,
        "text": "ü" * 200,
        "kind": "fact",
        "layer": "episodic",
        "state": "live",
        "scope": "/",
        "source": "human",
        "created_at": long.created_at.isoformat(),
        "version": 1,
    }


def test_a_wide_lineage_is_cut_where_it_was_asked_to_be(mind: Mind) -> None:
    source = mind.remember("One source of many").memory
    assert source is not None
    mind.remember_many([{"text": f"Part {n} {n * 7919:x}", "lineage": [source.id]} for n in range(300)])
    told = mind.lineage(source.id)
    assert (len(told.memories), told.more, told.memories[0].id) == (200, True, source.id)
    assert len(told.links) == 199
    whole = mind.lineage(source.id, 1000)
    assert (len(whole.memories), whole.more) == (301, False)


def test_no_such_lineage(mind: Mind) -> None:
    for id in (NOBODY, "x", ""):
        with pytest.raises(NotFound):
            mind.lineage(id)
    made = mind.remember("Somebody").memory
    assert made is not None
    for given in ((5,), (None,), (made.id, 0), (made.id, 1001), (made.id, "3")):
        with pytest.raises(InvalidInput):
            mind.lineage(*given)


# --- tiers and sizes


def test_tiers_are_those_that_explain_tells(mind: Mind, clock: Clock) -> None:
    assert dict(mind.tiers()) == {"hot": 0, "warm": 0, "cold": 0, "evictable": 0}
    for days, importance in ((0, 1.0), (0, 0.1), (40, 0.5), (200, 0.9), (900, 0.2), (2000, 0.0)):
        mind.remember(f"Aged {days} {importance}", created_at=START - timedelta(days=days), importance=importance)
    for policy in ("balanced", "halflife", "layered", "tiered"):
        mind.policies.use(policy, force=True)
        counted: dict[str, int] = {}
        for memory in mind.list():
            tier = mind.explain(memory.id).tier
            counted[tier] = counted.get(tier, 0) + 1
        assert {name: number for name, number in mind.tiers().items() if number} == counted
        assert list(mind.tiers()) == ["hot", "warm", "cold", "evictable"]


def test_sizes_tell_every_bounded_target(clock: Clock) -> None:
    policy = read("extends: relevance\nproject_tokens: 30", "mine.yml")
    with new_mind(clock=clock, policy=policy) as mind:
        names = {target.name for target in policy.bounded_targets() if target.each is None}
        assert {one.name: one.held for one in mind.sizes()} == dict.fromkeys(names, 0)
        mind.remember("A short fact", scope="/project/b")
        mind.remember("A fact that is a good deal longer than the others are", scope="/project/a/deep")
        mind.remember("Of no project at all", scope="/elsewhere")
        told = [one for one in mind.sizes() if one.name == "project size"]
        assert [(one.scope, one.allowed, one.unit) for one in told] == [
            ("/project/a", 30, "tokens"),
            ("/project/b", 30, "tokens"),
        ], "the fullest first"
        assert [one.held for one in told] == [
            estimate_tokens(memory.text) for scope in ("/project/a", "/project/b") for memory in mind.list(scope)
        ]
        assert all(isinstance(one.allowed, int) and one.action for one in mind.sizes())


def test_of_very_many_sets_the_fullest_are_told(clock: Clock) -> None:
    with new_mind(clock=clock, policy=read("extends: relevance\nproject_tokens: 30", "mine.yml")) as mind:
        mind.remember_many([{"text": f"w{n} x{n}", "scope": f"/project/p{n}"} for n in range(130)])
        mind.remember("The longest of all the facts that are in any project here", scope="/project/full")
        told = [one for one in mind.sizes() if one.name == "project size"]
        assert (len(told), told[0].scope) == (100, "/project/full")


def test_a_policy_without_targets_has_no_sizes(mind: Mind) -> None:
    mind.remember("Something")
    assert mind.sizes() == []


def test_what_is_not_live_counts_to_no_tier(mind: Mind) -> None:
    made = mind.remember("Soon forgotten").memory
    assert made is not None
    mind.forget(ids=[made.id])
    assert sum(mind.tiers().values()) == 0
