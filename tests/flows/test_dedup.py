"""dedup: the near-duplicate sweep on a real store, what it leaves alone, and how it is taken back."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence import Mind
from remanence.errors import BreakerTripped, InvalidInput
from remanence.flows.dedup import dedup
from remanence.model.draft import draft_from
from remanence.model.memory import Memory
from remanence.model.plan import Change, Plan
from tests.conftest import START, Clock, dump, new_mind

HEAD = "the nightly backup of our main postgres cluster runs on server"
TAIL = "and writes its dump into an archive bucket of the"
KINDS = ("fact", "decision", "finding", "pattern", "bug", "workflow", "gotcha", "lesson")


def said(first: str = "", last: str = "") -> str:
    """20 different words, one before and one after: whoever changes the first is no new version at the door."""
    return " ".join([first, HEAD, "frankfurt", TAIL, last]).strip()


def remember(mind: Mind, text: str, **fields: Any) -> Memory:
    return mind.remember(text, **{"scope": "/ops", "concepts": ["postgres"]} | fields).memory


def planned(mind: Mind, scope: Any = None) -> Plan:
    return dedup(mind._store, mind.clock(), scope)


def swept(mind: Mind) -> dict[str, str]:
    """Sweeps; who left for whom, by id. A second sweep must find nothing."""
    receipt = mind.apply(planned(mind))
    assert receipt.skipped == {}
    assert planned(mind).changes == ()
    return {change.memory_id: change.after["superseded_by"] for change in receipt.changes if "state" in change.after}


def values(mind: Mind) -> dict[str, dict[str, Any]]:
    """Every memory's values but for how long it is kept."""
    found = {memory.id: memory.to_dict() for memory in mind.list(state="all", limit=1000)}
    for memory in found.values():
        del memory["kept_until"]
    return found


@pytest.fixture
def pair(mind: Mind, clock: Clock) -> tuple[Memory, Memory]:
    """Two memories that say the same in nearly the same words, in two kinds, a day apart."""
    old = remember(mind, said("mostly"), categories=["x"], metadata={"n": 1}, importance=0.9)
    clock.advance(days=1)
    new = remember(mind, said("usually"), kind="decision", importance=0.2)
    clock.advance(days=1)
    return old, new


# --- what it does


def test_the_older_is_superseded(mind: Mind, clock: Clock, pair: tuple[Memory, Memory]) -> None:
    old, new = pair
    before = values(mind)
    plan = planned(mind)
    assert values(mind) == before
    assert (plan.verb, plan.automatic, [change.memory_id for change in plan]) == ("dedup", True, [old.id])
    receipt = mind.apply(plan)
    assert receipt.applied == (old.id,)
    left = mind.get(old.id)
    assert (left.state, left.superseded_by) == ("superseded", new.id)
    assert values(mind) == before | {old.id: before[old.id] | {"state": "superseded", "superseded_by": new.id}}
    assert [hit.memory.id for hit in mind.recall("backup")] == [new.id]
    assert planned(mind).changes == ()


def test_the_journal_tells_why(mind: Mind, pair: tuple[Memory, Memory]) -> None:
    mind.apply(planned(mind))
    entry = mind.journal(limit=1)[0]
    assert (entry.verb, entry.action, entry.reason) == ("dedup", "supersede", "near duplicate")
    assert entry.evidence == {"jaccard": 20 / 22}


def test_an_earlier_moment_is_recalled_as_it_was(mind: Mind, clock: Clock, pair: tuple[Memory, Memory]) -> None:
    """Until the sweep both were live, so the sweep does not reach back to the birth of the newer."""
    before = clock.now
    clock.advance(days=1)
    mind.apply(planned(mind))
    clock.advance(days=1)
    assert {hit.memory.id for hit in mind.recall("backup", as_of=before)} == {memory.id for memory in pair}
    assert [hit.memory.id for hit in mind.recall("backup", as_of=clock.now)] == [pair[1].id]


def test_nothing_to_do(mind: Mind) -> None:
    assert planned(mind).changes == ()
    remember(mind, said())
    assert planned(mind).changes == ()
    assert str(planned(mind)) == "dedup: nothing to change"


def test_a_chain_leaves_a_directly_alike_successor(mind: Mind, clock: Clock) -> None:
    stored = []
    for number, words in enumerate([said("mostly"), said("mostly", "firm"), said("usually", "firm")]):
        stored.append(remember(mind, words, kind=KINDS[number]))
        clock.advance(days=1)
    # 20 / 22 and 21 / 23 are alike, the ends of the chain (20 / 23) are not.
    assert swept(mind) == {stored[1].id: stored[2].id}
    assert {memory.id for memory in mind.list()} == {stored[0].id, stored[2].id}


def test_many_of_a_kind(mind: Mind, clock: Clock) -> None:
    stored = []
    for number, kind in enumerate(KINDS):
        stored.append(remember(mind, said(f"word{'x' * number}"), kind=kind))
        clock.advance(hours=1)
    assert swept(mind) == dict.fromkeys([memory.id for memory in stored[:-1]], stored[-1].id)


# --- what it leaves alone


@pytest.mark.parametrize(
    ("first", "second", "leaves"),
    [
        ({}, {}, True),
        ({"pinned": True}, {}, False),
        ({}, {"pinned": True}, True),
        ({"exempt": True}, {}, True),
        ({}, {"scope": "/ops/db"}, False),
        ({}, {"scope": "/"}, False),
        ({}, {"concepts": ["backup"]}, False),
        ({}, {"concepts": ["backup", "POSTGRES"]}, True),
        ({"concepts": []}, {"concepts": []}, False),
        ({"ttl": "1d"}, {}, False),  # expired by now
        ({}, {"ttl": "1d"}, False),  # would expire first
        ({"ttl": "1y"}, {"ttl": "2y"}, True),
        ({"source": "ai"}, {"source": "human"}, True),
        ({"source": "ai"}, {"source": "extracted"}, True),
    ],
)
def test_the_rules(mind: Mind, clock: Clock, first: dict[str, Any], second: dict[str, Any], leaves: bool) -> None:
    old = remember(mind, said("mostly"), **first)
    clock.advance(days=1, seconds=1)
    new = remember(mind, said("usually"), **{"kind": "decision"} | second)
    assert swept(mind) == ({old.id: new.id} if leaves else {})


def test_what_was_restored_is_kept_a_month(mind: Mind, clock: Clock, pair: tuple[Memory, Memory]) -> None:
    old, new = pair
    mind.forget(ids=[old.id])
    mind.restore(ids=[old.id])
    assert swept(mind) == {}
    clock.advance(days=30)
    assert swept(mind) == {old.id: new.id}


def test_never_for_a_less_trusted_one(mind: Mind, clock: Clock) -> None:
    old = remember(mind, said("mostly"))
    clock.advance(days=1)
    new = remember(mind, said("usually"), kind="decision", source="ai")
    assert swept(mind) == {}
    assert (mind.get(old.id).challenged_by, mind.get(new.id).challenged_by) == (new.id, old.id)


@pytest.mark.parametrize(("one", "two"), [("7", "9"), ("enabled", "disabled"), ("", "not")])
def test_a_flip_challenges_both(mind: Mind, clock: Clock, one: str, two: str) -> None:
    old = remember(mind, said("so", one))
    clock.advance(days=1)
    new = remember(mind, said("so", two), kind="decision")
    assert swept(mind) == {}
    assert (mind.get(old.id).challenged_by, mind.get(new.id).challenged_by) == (new.id, old.id)
    assert mind.journal(limit=1)[0].reason == "contradicted"
    # What a person settles stays settled.
    mind.confirm(old.id)
    assert planned(mind).changes == ()


def test_scopes(mind: Mind, clock: Clock) -> None:
    olds = {}
    for scope in ("/a", "/a/b", "/ab"):
        olds[scope] = remember(mind, said("mostly"), scope=scope).id
        clock.advance(seconds=1)
        remember(mind, said("usually"), scope=scope, kind="decision")
    taken = {scope: {change.memory_id for change in planned(mind, scope)} for scope in ("/a", "/a/b", "/ab", "/", "/c")}
    assert taken["/a"] == {olds["/a"], olds["/a/b"]}
    assert taken["/a/b"] == {olds["/a/b"]}
    assert taken["/ab"] == {olds["/ab"]}
    assert taken["/"] == set(olds.values()) == {change.memory_id for change in planned(mind)}
    assert taken["/c"] == set()
    assert {change.memory_id for change in planned(mind, ["/ab", "/a/b"])} == {olds["/ab"], olds["/a/b"]}


@pytest.mark.parametrize("scope", ["ops", "", "/ops/", 5, ["/ops", "x"]])
def test_a_bad_scope_is_refused(mind: Mind, scope: Any) -> None:
    with pytest.raises(InvalidInput):
        planned(mind, scope)


def test_namespaces_are_walls(open_mind: Callable[..., Mind], clock: Clock) -> None:
    here, there = open_mind("here"), open_mind("there")
    remember(here, said("mostly"))
    clock.advance(days=1)
    remember(there, said("usually"), kind="decision")
    assert planned(here).changes == planned(there).changes == ()


def test_the_breaker_guards_it(mind: Mind, clock: Clock) -> None:
    for number in range(30):
        for first, kind in (("mostly", "fact"), ("usually", "decision")):
            remember(mind, said(first), kind=kind, scope=f"/ops/{number}")
            clock.advance(seconds=1)
    before = dump(mind)
    with pytest.raises(BreakerTripped):
        mind.apply(planned(mind))
    assert dump(mind) == before
    assert len(mind.apply(planned(mind), force=True).applied) == 30


# --- what moves on


def test_who_moved_on_is_skipped(mind: Mind, pair: tuple[Memory, Memory]) -> None:
    plan = planned(mind)
    mind.pin(pair[0].id)
    receipt = mind.apply(plan)
    assert (receipt.applied, set(receipt.skipped)) == ((), {pair[0].id})
    assert planned(mind).changes == ()


def test_a_recall_in_between_does_not_stop_it(mind: Mind, pair: tuple[Memory, Memory]) -> None:
    plan = planned(mind)
    assert len(mind.recall("backup")) == 2
    assert mind.apply(plan).applied == (pair[0].id,)


@pytest.mark.parametrize("moved", [0, 1])
def test_who_changes_while_it_reads_is_left_for_the_next_run(
    mind: Mind, pair: tuple[Memory, Memory], monkeypatch: pytest.MonkeyPatch, moved: int
) -> None:
    pages = type(mind._store).pages

    def then_confirm(*arguments: Any) -> Any:
        yield from pages(*arguments)
        mind.confirm(pair[moved].id)

    with monkeypatch.context() as patched:
        patched.setattr(type(mind._store), "pages", then_confirm)
        assert planned(mind).changes == ()
    assert swept(mind) == {pair[0].id: pair[1].id}


# --- versions


def test_history_holds_both(mind: Mind, pair: tuple[Memory, Memory]) -> None:
    mind.apply(planned(mind))
    for memory in pair:
        assert [(event.entry.memory_id, event.action) for event in mind.history(memory.id)] == [
            (pair[0].id, "add"),
            (pair[1].id, "add"),
            (pair[0].id, "supersede"),
        ]


def test_restoring_the_older_puts_it_in_the_place_of_the_newer(
    mind: Mind, clock: Clock, pair: tuple[Memory, Memory]
) -> None:
    old, new = pair
    before = values(mind)
    mind.apply(planned(mind))
    clock.advance(days=1)
    receipt = mind.restore(ids=[old.id])
    assert set(receipt.applied) == {old.id, new.id}
    assert values(mind) == before | {new.id: before[new.id] | {"state": "superseded", "superseded_by": old.id}}
    clock.advance(days=100)
    assert planned(mind).changes == ()
    mind.undo(receipt.id)
    assert [memory.id for memory in mind.list()] == [new.id]


def test_versions_of_both_become_one_family(mind: Mind, clock: Clock) -> None:
    """Each of the two had an older version of its own; the sweep touches neither."""
    older = mind.revise(remember(mind, said("mostly")).id, text=said("mostly", "firm")).memory
    clock.advance(days=1)
    newer = mind.revise(remember(mind, said("usually"), kind="decision").id, text=said("usually", "firm")).memory
    assert swept(mind) == {older.id: newer.id}
    assert (mind.get(newer.id).version, mind.get(newer.id).supersedes) == (2, newer.supersedes)
    assert (mind.get(older.id).version, mind.get(older.id).supersedes) == (2, older.supersedes)
    assert len({event.entry.memory_id for event in mind.history(older.supersedes)}) == 4
    mind.restore(ids=[older.supersedes])
    assert [memory.id for memory in mind.list()] == [older.supersedes]


def test_undo_and_undo_of_the_undo(mind: Mind, clock: Clock, pair: tuple[Memory, Memory]) -> None:
    mind.recall("backup")
    before = values(mind)
    receipt = mind.apply(planned(mind))
    left = values(mind)
    clock.advance(days=1)
    undone = mind.undo(receipt.id)
    assert (undone.applied, undone.skipped) == ((pair[0].id,), {})
    assert values(mind) == before
    assert mind.get(pair[0].id).kept_until == clock.now + timedelta(days=30)
    assert planned(mind).changes == ()
    clock.advance(days=1)
    mind.undo(undone.id)
    assert values(mind) == left
    clock.advance(days=40)
    assert planned(mind).changes == ()


def test_undo_brings_all_back_that_left_for_one(mind: Mind, clock: Clock) -> None:
    stored = []
    for number, kind in enumerate(KINDS):
        stored.append(remember(mind, said(f"word{'x' * number}"), kind=kind).id)
        clock.advance(hours=1)
    before = values(mind)
    receipt = mind.apply(planned(mind))
    assert len(receipt.applied) == len(stored) - 1
    assert mind.undo(receipt.id).skipped == {}
    assert values(mind) == before


def test_undo_of_a_challenge(mind: Mind, clock: Clock) -> None:
    remember(mind, said("so", "7"))
    clock.advance(days=1)
    remember(mind, said("so", "9"), kind="decision")
    before = values(mind)
    receipt = mind.apply(planned(mind))
    assert len(receipt.applied) == 2
    assert values(mind) != before
    mind.undo(receipt.id)
    assert values(mind) == before


# --- the order of writing

DRAFT = st.fixed_dictionaries(
    {
        "text": st.builds(said, st.sampled_from(["", "mostly", "usually"]), st.sampled_from(["", "7", "9", "not"])),
        "scope": st.sampled_from(["/ops", "/ops", "/db"]),
        "concepts": st.sampled_from([["a"], ["a", "b"], ["b"], []]),
        "source": st.sampled_from(["human", "human", "ai"]),
        "pinned": st.sampled_from([False, False, True]),
        "created_at": st.sampled_from([START - timedelta(days=days) for days in range(4)]),
    }
)


@settings(deadline=None)
@given(
    st.lists(DRAFT, max_size=8).flatmap(lambda drafts: st.tuples(st.just(drafts), st.permutations(range(len(drafts)))))
)
def test_the_order_of_writing_does_not_matter(drawn: tuple[list[dict[str, Any]], list[int]]) -> None:
    drafts, order = drawn
    ids = [f"{number:08x}-0000-7000-8000-000000000000" for number in range(len(drafts))]
    memories = [draft_from(draft).memory(id, "test", START) for id, draft in zip(ids, drafts, strict=True)]
    ends = []
    for written in (memories, [memories[number] for number in order]):
        with new_mind() as mind:
            mind.apply(Plan(tuple(Change.add(memory) for memory in written), verb="add"))
            assert mind.apply(planned(mind), force=True).skipped == {}
            assert planned(mind).changes == ()
            ends.append(values(mind))
    assert ends[0] == ends[1]
