"""forget and restore: what a filter takes, what it leaves, and how it comes back."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan
from tests.conftest import Clock, dump


def but_kept(memory: Memory) -> dict:
    """A memory's values but for how long it is kept."""
    return {name: value for name, value in memory.to_dict().items() if name != "kept_until"}


@pytest.fixture
def tree(mind: Mind, clock: Clock) -> dict[str, str]:
    """A memory in each scope, by scope."""
    scopes = ["/", "/project", "/project/old", "/project/old/api", "/project/older", "/project/old-api", "/project/ol"]
    stored = {scope: mind.remember("The note of this place", scope=scope).memory.id for scope in scopes}
    clock.advance(days=1)
    return stored


@pytest.mark.parametrize(
    ("scope", "taken"),
    [
        ("/project/old", {"/project/old", "/project/old/api"}),
        ("/project/old/api", {"/project/old/api"}),
        ("/project/o", set()),
        (["/project/old", "/project/ol"], {"/project/old", "/project/old/api", "/project/ol"}),
        ([], set()),
    ],
)
def test_only_its_own_subtree(mind: Mind, tree: dict[str, str], scope: object, taken: set[str]) -> None:
    receipt = mind.forget(scope=scope)
    assert set(receipt.applied) == {tree[scope] for scope in taken}
    assert receipt.skipped == {}
    for scope, id in tree.items():
        assert mind.get(id).state == ("forgotten" if scope in taken else "live"), scope


def test_the_root_holds_all(mind: Mind, tree: dict[str, str]) -> None:
    assert set(mind.forget(scope="/").applied) == set(tree.values())
    assert mind.recall("note") == mind.recall("note", include="archived") == []
    assert mind.count(state="forgotten") == len(tree)


def test_filters_together_take_what_each_of_them_takes(mind: Mind, clock: Clock) -> None:
    wanted = mind.remember("a", scope="/p/old", categories=["tmp"], kind="finding").memory.id
    mind.remember("b", scope="/p/old", categories=["keep"], kind="finding")
    mind.remember("c", scope="/p/older", categories=["tmp"], kind="finding")
    mind.remember("d", scope="/p/old", categories=["tmp"], kind="decision")
    clock.advance(days=31)
    mind.remember("e", scope="/p/old", categories=["tmp"], kind="finding")
    receipt = mind.forget(scope="/p/old", categories=["tmp"], kinds=["finding"], older_than="30d")
    assert receipt.applied == (wanted,)


def test_older_than_is_strict_and_reads_creation(mind: Mind, clock: Clock) -> None:
    first = mind.remember("The first note of all").memory
    clock.advance(days=30)
    mind.recall("note")
    assert mind.forget(older_than="30d").applied == ()
    clock.advance(microseconds=1)
    mind.recall("note")
    assert mind.forget(older_than="30d").applied == (first.id,)


def test_older_than_any_calendar_takes_nothing(mind: Mind) -> None:
    mind.remember("A note")
    assert mind.forget(older_than="999999y").applied == ()
    assert mind.forget(older_than=timedelta.max).applied == ()


def test_by_id(mind: Mind) -> None:
    a, b, c = (mind.remember(text).memory.id for text in ("alpha", "beta", "gamma"))
    assert set(mind.forget(ids=[a, c, a]).applied) == {a, c}
    assert mind.get(b).state == "live"
    assert mind.forget(ids=[a]).applied == ()
    assert mind.forget(ids=[]).applied == ()


def test_ids_and_a_filter_must_agree(mind: Mind) -> None:
    a = mind.remember("alpha", scope="/a").memory.id
    b = mind.remember("beta", scope="/b").memory.id
    assert mind.forget(ids=[a, b], scope="/b").applied == (b,)


def test_many_ids_at_once(mind: Mind) -> None:
    stored = [result.memory.id for result in mind.remember_many(f"w{n} v{n}" for n in range(3000))]
    assert len(mind.forget(ids=stored).applied) == 3000
    assert mind.count() == 0
    assert len(mind.restore(ids=stored).applied) == 3000


def test_by_query_takes_what_holds_every_word(mind: Mind) -> None:
    both = mind.remember("The blue parrot sings").memory.id
    mind.remember("A blue house")
    mind.remember("Some parrot")
    preview = mind.plan_forget(query="blue parrots")
    assert [change.memory_id for change in preview] == [both]
    assert mind.get(both).state == "live"
    assert mind.forget(query="blue parrots").applied == (both,)


def test_by_query_takes_all_of_them(mind: Mind) -> None:
    mind.remember_many(f"parrot w{number} v{number}" for number in range(1100))
    mind.remember("A house")
    assert len(mind.forget(query="parrot").applied) == 1100
    assert [memory.text for memory in mind.list()] == ["A house"]


def test_by_a_query_without_words_takes_nothing(mind: Mind) -> None:
    mind.remember("!?")
    assert mind.forget(query="!?").applied == ()


def test_a_preview_changes_nothing_and_can_be_applied(mind: Mind) -> None:
    memory = mind.remember("alpha", scope="/a").memory
    before = dump(mind)
    plan = mind.plan_forget(scope="/a")
    assert dump(mind) == before
    assert str(plan).startswith("forget: 1 change\n")
    assert memory.id in str(plan)
    assert mind.apply(plan).applied == (memory.id,)


@pytest.mark.parametrize("filters", [{}, {"ids": None, "scope": None}, {"older_than": None, "categories": None}])
def test_no_filter_is_refused(mind: Mind, filters: dict) -> None:
    mind.remember("alpha")
    before = dump(mind)
    with pytest.raises(InvalidInput, match="at least one"):
        mind.forget(**filters)
    assert dump(mind) == before


@pytest.mark.parametrize(
    "filters",
    [
        {"scope": ""},
        {"scope": "project"},
        {"scope": "/project/"},
        {"scope": "//"},
        {"older_than": "soon"},
        {"older_than": ""},
        {"older_than": timedelta(0)},
        {"older_than": timedelta(days=-1)},
        {"older_than": 30},
        {"categories": [""]},
        {"kinds": [5]},
        {"query": ""},
        {"query": "\0"},
        {"ids": "abc"},
        {"ids": [5]},
    ],
)
def test_a_bad_filter_is_refused(mind: Mind, filters: dict) -> None:
    mind.remember("alpha")
    before = dump(mind)
    with pytest.raises(InvalidInput):
        mind.forget(**filters)
    assert dump(mind) == before


def test_older_versions_go_with_a_filter(mind: Mind, clock: Clock) -> None:
    old = mind.remember("The deploy server stands in Frankfurt", scope="/ops").memory.id
    clock.advance(days=1)
    new = mind.remember("The deploy server stands in Dublin", scope="/ops").memory.id
    yesterday = clock.now - timedelta(hours=1)
    clock.advance(days=1)
    assert mind.recall("server", as_of=yesterday) != []
    assert set(mind.forget(scope="/ops").applied) == {old, new}
    assert mind.recall("server", as_of=yesterday) == []


# --- coming back


def test_restore_is_byte_equal_but_for_kept_until(open_mind: Callable[..., Mind], clock: Clock) -> None:
    mind = open_mind()
    parent = mind.remember("The parent", categories=["x"]).memory.id
    memory = mind.remember(
        "Everything ünder the sun",
        scope="/a/b",
        categories=["tmp", "b"],
        concepts=["Sun"],
        files=["x.py"],
        metadata={"k": [1, {"n": None}]},
        importance=0.123456789,
        valence=-0.1,
        ttl="1y",
        lineage=[parent],
        origin="chat",
    ).memory
    mind.recall("sun")
    before = mind.get(memory.id)
    clock.advance(days=1)
    receipt = mind.forget(scope="/a")
    assert mind.recall("sun") == []
    clock.advance(days=100)
    restored = mind.restore(ids=[memory.id])
    assert restored.applied == (memory.id,)
    after = mind.get(memory.id)
    assert but_kept(after) == but_kept(before)
    assert after.kept_until == clock.now + timedelta(days=30)
    assert [hit.memory.id for hit in mind.recall("sun")] == [memory.id]
    assert mind.restore(ids=[memory.id]).skipped.keys() == {memory.id}
    assert mind.restore(receipt=receipt.id).skipped.keys() == {memory.id}


def test_restore_by_receipt_brings_back_all_it_took(mind: Mind, tree: dict[str, str]) -> None:
    first = mind.forget(ids=[tree["/"]])
    second = mind.forget(scope="/project/old")
    assert set(mind.restore(receipt=second.id).applied) == set(second.applied)
    assert mind.get(tree["/"]).state == "forgotten"
    assert mind.restore(receipt=first.id).applied == (tree["/"],)
    assert mind.count() == len(tree)


def test_restore_by_receipt_says_what_of_it_stays_away(mind: Mind, tree: dict[str, str]) -> None:
    receipt = mind.forget(scope="/")
    gone, moved, *others = receipt.applied
    mind.purge(ids=[gone], reason="asked")
    mind.restore(ids=[moved])
    mind.purge(ids=[mind.revise(moved, text="Another matter altogether").memory.id], reason="asked")
    restored = mind.restore(receipt=receipt.id)
    assert set(restored.applied) == set(others)
    assert restored.skipped == dict.fromkeys((gone, moved), "it was purged, which cannot be undone")


def test_restore_by_receipt_leaves_what_moved_on(mind: Mind, clock: Clock) -> None:
    memory = mind.remember("The cellar is wet", ttl="1h").memory
    clock.advance(days=1)
    swept = mind.apply(mind.sweep())
    mind.forget(ids=[memory.id])
    restored = mind.restore(receipt=swept.id)
    assert restored.applied == ()
    assert restored.skipped == {memory.id: "it moved on: state is forgotten"}


def test_archived_memories_come_back(mind: Mind) -> None:
    memory = mind.remember("alpha").memory
    mind.apply(Plan((Change.of(memory, "put away", state=State.ARCHIVED),), verb="archive"))
    mind.restore(ids=[memory.id])
    assert but_kept(mind.get(memory.id)) == but_kept(memory)


def test_restoring_an_older_version_supersedes_its_successor(mind: Mind, clock: Clock) -> None:
    towns = ["Frankfurt", "Dublin", "Prague"]
    first, second, third = (mind.remember(f"The deploy server stands in {town}").memory.id for town in towns)
    clock.advance(days=1)
    receipt = mind.restore(ids=[first])
    assert set(receipt.applied) == {first, third}
    assert (mind.get(first).state, mind.get(first).superseded_by) == ("live", None)
    assert (mind.get(third).state, mind.get(third).superseded_by) == ("superseded", first)
    assert mind.get(second).state == "superseded"
    assert [memory.id for memory in mind.list()] == [first]
    mind.restore(ids=[third])
    assert [memory.id for memory in mind.list()] == [third]
    mind.undo(receipt.id)
    assert mind.count() == 1


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_restoring_two_versions_leaves_one_live(mind: Mind, order: tuple[int, int]) -> None:
    towns = ["Frankfurt", "Dublin"]
    stored = [mind.remember(f"The deploy server stands in {town}").memory.id for town in towns]
    mind.forget(ids=stored)
    mind.restore(ids=[stored[order[0]]])
    mind.restore(ids=[stored[order[1]]])
    assert [memory.id for memory in mind.list()] == [stored[order[1]]]


def test_restoring_after_an_undo_leaves_one_version_live(mind: Mind) -> None:
    """After the undo only the newer version still knows of the older one."""
    old = mind.remember("The deploy server stands in Frankfurt").memory.id
    new = mind.remember("The deploy server stands in Dublin")
    mind.undo(new.receipt_id)
    mind.forget(ids=[old])
    mind.restore(ids=[new.memory.id])
    mind.restore(ids=[old])
    assert [memory.id for memory in mind.list()] == [old]


@pytest.mark.parametrize("arguments", [{}, {"ids": ["x"], "receipt": "r1"}, {"ids": None, "receipt": None}])
def test_restore_needs_ids_or_a_receipt(mind: Mind, arguments: dict) -> None:
    with pytest.raises(InvalidInput):
        mind.restore(**arguments)


@pytest.mark.parametrize("ids", [False, 0, "", b""])
def test_restore_takes_a_list_of_ids(mind: Mind, ids: object) -> None:
    with pytest.raises(InvalidInput, match="must be a list of ids"):
        mind.restore(ids=ids)  # type: ignore[arg-type]


@pytest.mark.parametrize("receipt", ["r99", "99", "", "r", "r-1", "rx", "r" + "9" * 30, "r1; DROP TABLE memories"])
def test_an_unknown_receipt_is_not_found(mind: Mind, receipt: str) -> None:
    mind.remember("alpha")
    before = dump(mind)
    for verb in (lambda: mind.restore(receipt=receipt), lambda: mind.undo(receipt)):
        with pytest.raises(NotFound):
            verb()
    assert dump(mind) == before
