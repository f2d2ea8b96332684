"""Plans: changes with their values before and after, and the way back."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.model.memory import Layer, Memory, Source, State
from remanence.model.plan import Action, Change, Plan, Reason, Receipt, action_for

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def memory(id: str = "a", **fields: object) -> Memory:
    return Memory(
        id=id,
        namespace="n",
        scope="/",
        layer=Layer.EPISODIC,
        kind="fact",
        text="Secret text",
        source=Source.HUMAN,
        importance=0.5,
        created_at=NOW,
        last_accessed_at=NOW,
        **fields,
    )


@pytest.mark.parametrize(
    ("before", "after", "action", "mark"),
    [
        ({}, {"pinned": True}, "adjust", "~"),
        ({"state": "live"}, {"state": "live"}, "adjust", "~"),
        ({"state": "live"}, {"state": "superseded"}, "supersede", "-"),
        ({"state": "live"}, {"state": "archived"}, "archive", "-"),
        ({"state": "archived"}, {"state": "forgotten"}, "forget", "-"),
        ({"state": "live"}, {"state": "quarantined"}, "quarantine", "-"),
        ({"state": "forgotten"}, {"state": "live"}, "restore", "^"),
    ],
)
def test_the_action_of_a_change(before: dict, after: dict, action: str, mark: str) -> None:
    assert action_for(before, after) == action
    assert action_for(before, after).mark == mark


def test_the_other_marks() -> None:
    assert (Action.ADD.mark, Action.PURGE.mark) == ("+", "x")


def test_a_change_knows_what_it_writes_over() -> None:
    change = Change.of(memory(pinned=True), "rule", pinned=False, state=State.ARCHIVED)
    assert change.before == {"pinned": True, "state": State.LIVE}
    assert change.after == {"pinned": False, "state": State.ARCHIVED}
    assert (change.action, change.reason, change.memory_id) == (Action.ARCHIVE, "rule", "a")


VALUES = {
    "state": st.sampled_from(State),
    "pinned": st.booleans(),
    "importance": st.floats(0, 1),
    "challenged_by": st.none() | st.just("b"),
    "categories": st.lists(st.sampled_from("xyz")).map(tuple),
}
AFTER = st.fixed_dictionaries({}, optional=VALUES).filter(bool)
CHANGE = st.builds(
    lambda id, state, after: Change.of(memory(id, state=state), "rule", **after),
    st.sampled_from("abc"),
    st.sampled_from(State),
    AFTER,
)


@given(st.lists(CHANGE))
def test_the_inverse_of_an_inverse_is_the_plan(changes: list[Change]) -> None:
    plan = Plan(tuple(changes), verb="sweep")
    back = plan.inverse()
    assert back.verb == "undo"
    assert [c.memory_id for c in back] == [c.memory_id for c in reversed(changes)]
    assert [(c.before, c.after) for c in back] == [(c.after, c.before) for c in reversed(changes)]
    again = back.inverse()
    same = lambda c: (c.memory_id, c.action, c.before, c.after)  # noqa: E731
    assert list(map(same, again)) == list(map(same, plan))


def test_adding_is_taken_back_by_forgetting() -> None:
    change = Change.add(memory(), why=1.5)
    assert (change.action, change.evidence, change.memory) == (Action.ADD, {"why": 1.5}, memory())
    back = change.inverse()
    assert (back.action, back.before, back.after) == (Action.FORGET, {"state": "live"}, {"state": "forgotten"})
    assert back.inverse().action is Action.RESTORE
    archived = Change.add(memory(state=State.ARCHIVED)).inverse()
    assert archived.before == {"state": "archived"}


def test_a_purge_has_no_inverse() -> None:
    with pytest.raises(ValueError, match="purged"):
        Change(memory_id="a", action=Action.PURGE, reason="asked").inverse()


def test_a_receipt_is_taken_back_last_first() -> None:
    changes = (Change.add(memory("a")), Change.of(memory("b"), Reason.NEWER_VERSION, state=State.SUPERSEDED))
    receipt = Receipt("r7", "remember", NOW, ("a", "b"), {}, changes)
    plan = receipt.inverse()
    assert (plan.verb, plan.undoes) == ("undo", "r7")
    assert [(c.memory_id, c.action) for c in plan] == [("b", Action.RESTORE), ("a", Action.FORGET)]


def test_a_plan_is_a_table() -> None:
    change = Change(memory_id="a", action=Action.ARCHIVE, reason="too old", evidence={"age_days": 91.5})
    plan = Plan((change, Change.add(memory("b"))), verb="sweep")
    assert len(plan) == 2
    assert list(plan) == [change, plan.changes[1]]
    lines = str(plan).splitlines()
    assert lines[0] == "sweep: 2 changes"
    assert lines[1].startswith("- a")
    assert "too old" in lines[1]
    assert "age_days=91.5" in lines[1]
    assert lines[2].startswith("+ b")
    assert str(Plan((), verb="sweep")) == "sweep: nothing to change"


def test_several_changes_to_one_memory_are_told_as_such() -> None:
    """One that is promoted and archived in one sweep is two changes to one memory."""
    promoted, archived = (Change(memory_id="a", action=one, reason="r") for one in (Action.PROMOTE, Action.ARCHIVE))
    assert Plan((promoted,), verb="sweep").size == "1 change"
    assert Plan((promoted, archived), verb="sweep").size == "2 changes to 1 memory"
    plan = Plan((promoted, archived, Change.add(memory("b"))), verb="sweep")
    assert str(plan).startswith("sweep: 3 changes to 2 memories\n")


def test_plain_values() -> None:
    plan = Plan((Change.of(memory(), "rule", state=State.ARCHIVED),), verb="sweep", automatic=True)
    said = plan.to_dict()
    assert said["changes"][0]["after"] == {"state": "archived"}
    assert "Secret" not in str(said)
    receipt = Receipt("r1", "sweep", NOW, ("a",), {"b": "it moved on"})
    assert receipt.to_dict() | {"at": None} == {
        "id": "r1",
        "verb": "sweep",
        "at": None,
        "applied": ["a"],
        "skipped": {"b": "it moved on"},
        "undoes": None,
        "note": None,
        "redacted": {},
    }


def test_plans_are_frozen() -> None:
    with pytest.raises(AttributeError):
        Plan((), verb="sweep").verb = "dream"  # type: ignore[misc]
