"""apply, undo, history, journal: plans and what became of them."""

from datetime import timedelta

import pytest

from remanence import Mind
from remanence.errors import BreakerTripped, InvalidInput, PlanOutOfDate, PlanRefused
from remanence.model.memory import Memory, State
from remanence.model.plan import Action, Change, Plan
from tests.conftest import Clock, dump


def values(mind: Mind) -> dict[str, dict]:
    """Every memory's values but for how long it is kept."""
    found = {memory.id: memory.to_dict() for memory in mind.list(state="all", limit=1000)}
    for memory in found.values():
        del memory["kept_until"]
    return found


def leave(memories: list[Memory], state: State = State.ARCHIVED, automatic: bool = True) -> Plan:
    changes = tuple(Change.of(memory, "rule", state=state) for memory in memories)
    return Plan(changes, verb="sweep", automatic=automatic)


# --- undo


def test_undo_and_undo_of_the_undo(mind: Mind, clock: Clock) -> None:
    for number in range(5):
        mind.remember(f"w{number} v{number}", scope="/a", categories=["x"], metadata={"n": number})
    mind.recall("w1 w2")
    before = values(mind)
    clock.advance(days=1)
    receipt = mind.forget(scope="/a")
    gone = values(mind)
    assert {value["state"] for value in gone.values()} == {"forgotten"}
    clock.advance(days=1)
    undone = mind.undo(receipt.id)
    assert (set(undone.applied), undone.undoes, undone.skipped) == (set(before), receipt.id, {})
    assert values(mind) == before
    assert {memory.kept_until for memory in mind.list()} == {clock.now + timedelta(days=30)}
    clock.advance(days=1)
    redone = mind.undo(undone.id)
    assert values(mind) == gone
    assert {memory.kept_until for memory in mind.list(state="forgotten")} == {None}
    clock.advance(days=1)
    mind.undo(redone.id)
    assert values(mind) == before


@pytest.mark.parametrize("days", [0, 1])
def test_undo_of_a_new_version(mind: Mind, clock: Clock, days: int) -> None:
    old = mind.remember("The deploy server stands in Frankfurt").memory
    clock.advance(days=days)
    result = mind.remember("The deploy server stands in Dublin")
    after = values(mind)
    clock.advance(days=days)
    undone = mind.undo(result.receipt_id)
    assert [memory.id for memory in mind.list()] == [old.id]
    assert mind.get(old.id).superseded_by is None
    assert mind.get(result.memory.id).state == "forgotten"
    clock.advance(days=days)
    mind.undo(undone.id)
    assert values(mind) == after


@pytest.mark.parametrize("days", [0, 1])
def test_undo_of_two_versions_in_one_receipt(mind: Mind, clock: Clock, days: int) -> None:
    """The same memory is written twice under one receipt, and so twice by its undo and by the redo."""
    first, second = mind.remember_many(["The deploy server stands in Frankfurt", "The deploy server stands in Dublin"])
    after = values(mind)
    clock.advance(days=days)
    undone = mind.undo(first.receipt_id)
    assert {memory.state for memory in mind.list(state="all")} == {"forgotten"}
    assert undone.skipped == {}
    clock.advance(days=days)
    redone = mind.undo(undone.id)
    assert redone.skipped == {}
    assert values(mind) == after
    assert [memory.id for memory in mind.list()] == [second.memory.id]


def test_a_receipt_is_undone_once(mind: Mind) -> None:
    memory = mind.remember("alpha").memory
    receipt = mind.forget(ids=[memory.id])
    mind.undo(receipt.id)
    again = mind.undo(receipt.id)
    assert again.applied == ()
    assert set(again.skipped) == {memory.id}
    assert mind.get(memory.id).state == "live"


def test_what_moved_on_is_skipped_and_named(mind: Mind) -> None:
    a, b, c = (mind.remember(text, scope="/x").memory.id for text in ("alpha", "beta", "gamma"))
    receipt = mind.forget(scope="/x")
    mind.restore(ids=[b])
    mind.purge(ids=[c], reason="asked")
    undone = mind.undo(receipt.id)
    assert undone.applied == (a,)
    assert set(undone.skipped) == {b, c}
    assert "purged" in undone.skipped[c]
    assert "state" in undone.skipped[b]


def test_a_later_change_of_another_field_does_not_stop_an_undo(mind: Mind) -> None:
    memory = mind.remember("alpha").memory
    receipt = mind.forget(ids=[memory.id])
    mind.pin(memory.id)
    mind.confirm(memory.id)
    assert mind.undo(receipt.id).applied == (memory.id,)
    after = mind.get(memory.id)
    assert (after.state, after.pinned, after.confirmations) == ("live", True, 1)


def test_old_receipts_can_be_undone(mind: Mind, clock: Clock) -> None:
    memory = mind.remember("alpha").memory
    receipt = mind.forget(ids=[memory.id])
    for number in range(300):
        mind.remember(f"w{number} v{number}")
    clock.advance(days=3650)
    assert mind.undo(receipt.id).applied == (memory.id,)
    assert mind.get(memory.id).state == "live"


def test_undo_of_remember_forgets(mind: Mind) -> None:
    result = mind.remember("alpha beta gamma")
    mind.undo(result.receipt_id)
    assert mind.get(result.memory.id).state == "forgotten"
    assert mind.recall("alpha") == []
    assert mind.remember("alpha beta gamma").outcome == "added"


def test_undo_keeps_what_happened_to_accesses(mind: Mind) -> None:
    memory = mind.remember("alpha").memory
    mind.recall("alpha")
    receipt = mind.forget(ids=[memory.id])
    mind.undo(receipt.id)
    assert mind.get(memory.id).access_count == 1


@pytest.mark.parametrize("receipt", [None, 1, b"r1", ["r1"]])
def test_a_receipt_is_named_by_text(mind: Mind, receipt: object) -> None:
    mind.remember("alpha")
    with pytest.raises(InvalidInput):
        mind.undo(receipt)


# --- apply


def test_an_empty_plan_is_a_receipt_of_nothing(mind: Mind, clock: Clock) -> None:
    for options in ({}, {"strict": True}, {"force": True}):
        receipt = mind.apply(Plan((), verb="sweep", automatic=True), **options)
        assert (receipt.applied, receipt.skipped, receipt.verb, receipt.at) == ((), {}, "sweep", clock.now)
    assert mind.undo(receipt.id).applied == ()


def test_out_of_date_changes_are_skipped_and_the_rest_applied(mind: Mind) -> None:
    memories = [mind.remember(f"w{number} v{number}").memory for number in range(4)]
    plan = leave(memories, automatic=False)
    mind.forget(ids=[memories[0].id])
    mind.purge(ids=[memories[1].id], reason="asked")
    receipt = mind.apply(plan)
    assert receipt.applied == (memories[2].id, memories[3].id)
    assert set(receipt.skipped) == {memories[0].id, memories[1].id}
    assert mind.get(memories[0].id).state == "forgotten"


def test_strict_applies_all_or_nothing(mind: Mind) -> None:
    memories = [mind.remember(f"w{number} v{number}").memory for number in range(4)]
    plan = leave(memories)
    mind.forget(ids=[memories[3].id])
    before = dump(mind)
    with pytest.raises(PlanOutOfDate, match="1 of 4"):
        mind.apply(plan, strict=True)
    assert dump(mind) == before
    assert len(mind.apply(leave(memories[:3]), strict=True).applied) == 3


def test_a_plan_guards_by_revision_and_by_access(mind: Mind, clock: Clock) -> None:
    pinned, recalled, quiet = (mind.remember(text).memory for text in ("alpha", "beta", "gamma"))
    guarded = lambda m, **guard: Change(  # noqa: E731
        memory_id=m.id,
        action=Action.ARCHIVE,
        reason="rule",
        before={"state": State.LIVE},
        after={"state": State.ARCHIVED},
        **guard,
    )
    by_access = Plan(tuple(guarded(m, last_accessed_at=m.last_accessed_at) for m in (recalled, quiet)), verb="sweep")
    by_revision = Plan(tuple(guarded(m, revision=m.revision) for m in (pinned, recalled)), verb="dream")
    clock.advance(days=1)
    mind.pin(pinned.id)
    mind.recall("beta")
    swept = mind.apply(by_access)
    assert (swept.applied, set(swept.skipped)) == ((quiet.id,), {recalled.id})
    dreamt = mind.apply(by_revision)  # a mere recall does not kill a dream's plan
    assert (dreamt.applied, set(dreamt.skipped)) == ((recalled.id,), {pinned.id})


@pytest.mark.parametrize("plan", [None, {}, [], "plan", 5])
def test_apply_takes_a_plan(mind: Mind, plan: object) -> None:
    with pytest.raises(InvalidInput):
        mind.apply(plan)


def test_text_and_place_never_change(mind: Mind) -> None:
    memory = mind.remember("alpha beta").memory
    for field, value in {"text": "gamma", "scope": "/elsewhere", "kind": "decision", "namespace": "other"}.items():
        with pytest.raises((InvalidInput, PlanRefused)):
            mind.apply(Plan((Change.of(memory, "rule", **{field: value}),), verb="dream"))
    assert mind.get(memory.id) == memory


@pytest.mark.parametrize("importance", [1, 0])
def test_a_plan_may_write_whole_numbers(mind: Mind, importance: float) -> None:
    memory = mind.remember("alpha beta").memory
    mind.apply(Plan((Change.of(memory, "rule", importance=importance),), verb="dream"))
    assert mind.get(memory.id).importance == importance
    assert mind.check().ok


@pytest.mark.parametrize(
    "fields",
    [
        {"importance": float("nan")},
        {"importance": 2.0},
        {"importance": True},
        {"importance": None},
        {"valence": float("inf")},
        {"confirmations": 2**63},
        {"state": "purged"},
        {"layer": "deep"},
        {"pinned": None},
        {"categories": "tag"},
        {"categories": ("a", "a")},
        {"metadata": {"x": {1, 2}}},
        {"created_at": None},
        {"kept_until": "tomorrow"},
        {"challenged_by": 5},
    ],
)
def test_a_plan_with_bad_values_is_refused(mind: Mind, fields: dict) -> None:
    memory = mind.remember("alpha beta").memory
    before = dump(mind)
    action = Action.ADJUST
    change = Change(memory_id=memory.id, action=action, reason="rule", after=fields)
    with pytest.raises((InvalidInput, PlanRefused)):
        mind.apply(Plan((change,), verb="dream"))
    assert dump(mind) == before


def test_automatic_plans_never_purge(mind: Mind) -> None:
    memory = mind.remember("alpha beta").memory
    purge = Change(memory_id=memory.id, action=Action.PURGE, reason="rule")
    with pytest.raises(PlanRefused):
        mind.apply(Plan((purge,), verb="sweep", automatic=True))
    assert mind.get(memory.id) == memory


# --- the breaker


@pytest.mark.parametrize(
    ("live", "leaving", "trips"),
    [(125, 25, False), (124, 25, True), (130, 26, False), (129, 26, True), (24, 24, False), (25, 25, True)],
)
def test_the_breaker_trips_at_25_and_a_fifth(mind: Mind, live: int, leaving: int, trips: bool) -> None:
    memories = [result.memory for result in mind.remember_many(f"w{n} v{n}" for n in range(live))]
    if leaving < live:
        mind.pin(memories[-1].id)  # pinned memories count as live
    plan = leave(memories[:leaving])
    if trips:
        before = dump(mind)
        with pytest.raises(BreakerTripped, match=f"{leaving} of {live}"):
            mind.apply(plan)
        assert dump(mind) == before
        assert len(mind.apply(plan, force=True).applied) == leaving
    else:
        assert len(mind.apply(plan).applied) == leaving


def test_the_breaker_guards_each_scope(mind: Mind) -> None:
    mind.remember_many({"text": f"w{n} v{n}", "scope": "/big"} for n in range(400))
    small = [
        result.memory
        for result in mind.remember_many({"text": f"x{n} y{n}", "scope": f"/small/{n % 5}"} for n in range(100))
    ]
    with pytest.raises(PlanRefused, match="/small"):
        mind.apply(leave(small[:25], State.FORGOTTEN))
    assert len(mind.apply(leave(small[:20])).applied) == 20


def test_what_a_person_asks_for_is_not_refused(mind: Mind) -> None:
    memories = [result.memory for result in mind.remember_many(f"w{n} v{n}" for n in range(60))]
    assert len(mind.apply(leave(memories[:30], automatic=False)).applied) == 30
    receipt = mind.forget(scope="/")
    assert len(receipt.applied) == 60
    assert len(mind.undo(receipt.id).applied) == 60
    assert len(mind.purge(scope="/", reason="asked").purged) == 60


# --- history and journal


def test_history_tells_a_memory_with_all_its_versions(mind: Mind, clock: Clock) -> None:
    start = clock.now
    first = mind.remember("The deploy server stands in Frankfurt").memory
    clock.advance(days=1)
    mind.pin(first.id)
    clock.advance(days=1)
    mind.unpin(first.id)
    clock.advance(days=1)
    second = mind.remember("The deploy server stands in Dublin").memory
    mind.remember("Unrelated")
    events = mind.history(second.id)
    assert mind.history(first.id) == events
    told = [(event.entry.verb, event.action, event.entry.memory_id, (event.at - start).days) for event in events]
    assert told == [
        ("remember", "add", first.id, 0),
        ("pin", "adjust", first.id, 1),
        ("unpin", "adjust", first.id, 2),
        ("remember", "add", second.id, 3),
        ("remember", "supersede", first.id, 3),
    ]
    assert [event.memory.pinned for event in events[:3]] == [False, True, False]
    assert [event.text for event in events[2:4]] == [first.text, second.text]
    assert [event.memory.state for event in events] == ["live", "live", "live", "live", "superseded"]


def test_a_long_history_is_told_in_parts_the_last_one_first(mind: Mind) -> None:
    memory = mind.remember("The deploy server stands in Frankfurt").memory
    for _ in range(3):
        mind.pin(memory.id)
        mind.unpin(memory.id)
    memory = mind.remember("The deploy server stands in Dublin").memory
    mind.pin(memory.id)
    whole = mind.history(memory.id)
    assert len(whole) == 10
    for limit in (1, 3, 10, 1000):
        parts, before = [], None
        while part := mind.history(memory.id, limit, before=before):
            assert len(part) <= limit
            parts = [*part, *parts]
            before = part[0].entry.place
        assert parts == whole
    assert mind.history(memory.id, 2) == whole[-2:]
    assert mind.history(memory.id, before="r0.0") == []
    for wrong in ({"limit": 0}, {"limit": 1001}, {"limit": True}, {"before": "x"}, {"before": 5}):
        with pytest.raises(InvalidInput):
            mind.history(memory.id, **wrong)


def test_a_history_of_very_long_texts_has_fewer_events_and_none_is_lost(mind: Mind) -> None:
    memory = mind.remember("An endless tale. " * 60_000).memory
    for _ in range(15):
        mind.pin(memory.id)
        mind.unpin(memory.id)
    last = mind.history(memory.id)
    assert 0 < len(last) < 31
    assert sum(len(event.text) for event in last) <= 16 << 20
    assert len([*mind.history(memory.id, before=last[0].entry.place), *last]) == 31


def test_the_journal_is_newest_first_and_bounded(mind: Mind) -> None:
    for number in range(60):
        mind.remember(f"w{number} v{number}")
    assert len(mind.journal()) == 50
    assert len(mind.journal(limit=3)) == 3
    entries = mind.journal(limit=1000)
    assert [int(entry.receipt_id[1:]) for entry in entries] == list(range(60, 0, -1))
    for wrong in (0, 1001, "5", 2.0, True, None):
        with pytest.raises(InvalidInput):
            mind.journal(limit=wrong)


def test_the_journal_holds_no_text(mind: Mind) -> None:
    secret = {"categories": ["xylotag"], "concepts": ["xylocon"], "files": ["xylofile"], "origin": "xyloorigin"}
    memory = mind.remember("The xylophone opens the vault", metadata={"k": "xylometa"}, key="xylokey", **secret).memory
    mind.remember("The xylophone opens the vault", origin="elsewhere")
    mind.revise(memory.id, text="The xylophone closes the vault", categories=["xyloother"])
    mind.apply(Plan((Change.of(mind.list()[0], "tagged", categories=("xylothird",)),), verb="dream"))
    mind.forget(query="xylophone")
    mind.purge(scope="/", reason="asked")
    assert len(mind.journal()) >= 7
    assert "xylo" not in str([entry.to_dict() for entry in mind.journal()])
    assert "xylo" not in str([rows for name, rows in dump(mind).items() if name in ("journal", "receipts")])
