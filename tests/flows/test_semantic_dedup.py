"""dedup by meaning on a real store: what is merged, what is left alone and said so, and how it is taken back.

The embedder of these tests gives each text a direction in a plane, in degrees: texts less than 23.07° apart have a
cosine above 0.92.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence import Mind
from remanence.errors import BreakerTripped
from remanence.flows import dedup as flow
from remanence.lifecycle import semantic_duplicates
from remanence.lifecycle.semantic_duplicates import COSINE, Said, flipped, same
from remanence.model.draft import draft_from
from remanence.model.memory import TRUST, Memory
from remanence.model.plan import Change, Plan
from tests.conftest import START, Clock, new_mind, only_files

DAY = timedelta(days=1)
# They mean the same in other words, so that the door lets them in side by side.
SAID = (
    "dark themes are what the user prefers",
    "a dark theme suits him best everywhere",
    "dark colours in every program, please",
    "he always asks for dark backgrounds",
    "his screens should look dark",
)


class Plane:
    """An embedder: each text's direction in a plane, by the degrees that were set for it; 0 where none were."""

    local = True
    dimension = 4

    def __init__(self, model: str = "plane") -> None:
        self.model = model
        self.degrees: dict[str, float] = {}

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        angles = [math.radians(self.degrees.get(text, 0)) for text in texts]
        return [[math.cos(angle), math.sin(angle), 0, 0] for angle in angles]


@pytest.fixture
def plane() -> Plane:
    return Plane()


@pytest.fixture
def mind(clock: Clock, plane: Plane) -> Iterator[Mind]:
    with new_mind(clock=clock, embedder=plane) as mind:
        yield mind
        assert mind.check().problems == ()


def remember(mind: Mind, text: str, **fields: Any) -> Memory:
    made = mind.remember(text, **{"scope": "/ops", "importance": 0.5} | fields)
    assert made.outcome == "added"
    return made.memory


def remembered(mind: Mind, clock: Clock, texts: Sequence[str], **fields: Any) -> list[Memory]:
    """These texts, a day apart, the newest last."""
    found = []
    for text in texts:
        found.append(remember(mind, text, **fields))
        clock.advance(days=1)
    return found


def added(mind: Mind, memories: Sequence[Memory]) -> None:
    """Memories as an import brings them, past the door, with their vectors."""
    mind.apply(Plan(tuple(Change.add(memory) for memory in memories), verb="add"))
    mind.meaning.reembed()


def drafted(number: int, now: Any = START, **fields: Any) -> Memory:
    values = {"scope": "/ops", "importance": 0.5} | fields
    return draft_from(values).memory(f"{number:08x}-0000-7000-8000-000000000000", "test", now)


def values(mind: Mind) -> dict[str, dict[str, Any]]:
    """Every memory's values but for how long it is kept."""
    found = {memory.id: memory.to_dict() for memory in mind.list(state="all", limit=1000)}
    for memory in found.values():
        del memory["kept_until"]
    return found


def merged(mind: Mind, **options: Any) -> dict[str, str]:
    """Dedups; who left for whom, by id. A second run must find nothing, and each memory is changed once at most."""
    plan = mind.dedup()
    assert len({change.memory_id for change in plan}) == len(plan)
    receipt = mind.apply(plan, **options)
    assert receipt.skipped == {}
    assert mind.dedup().changes == ()
    return {change.memory_id: change.after["superseded_by"] for change in receipt.changes if "state" in change.after}


# --- what it does


def test_the_newest_is_kept_and_says_for_whom(mind: Mind, clock: Clock) -> None:
    *olds, new = remembered(mind, clock, SAID[:3], metadata={"n": 1}, categories=["x"])
    before = values(mind)
    plan = mind.dedup()
    assert values(mind) == before
    assert (plan.verb, plan.automatic, plan.warnings) == ("dedup", True, ())
    mind.apply(plan)
    left = {"state": "superseded", "superseded_by": new.id}
    also = {"metadata": {"n": 1, "also_from": sorted(old.id for old in olds)}}
    assert values(mind) == {old.id: before[old.id] | left for old in olds} | {new.id: before[new.id] | also}
    assert [hit.memory.id for hit in mind.recall("dark")] == [new.id]
    assert mind.dedup().changes == ()


def test_every_merge_is_in_the_journal(mind: Mind, clock: Clock, plane: Plane) -> None:
    plane.degrees |= {SAID[0]: 10, SAID[1]: 20}
    old, older, new = remembered(mind, clock, SAID[:3])
    mind.apply(mind.dedup())
    entries = {entry.memory_id: entry for entry in mind.journal(limit=3)}
    assert {entry.verb for entry in entries.values()} == {"dedup"}
    assert entries[old.id].reason == entries[older.id].reason == "semantic duplicate"
    assert entries[new.id].reason == "kept for its duplicates"
    near, far = round(math.cos(math.radians(10)), 5), round(math.cos(math.radians(20)), 5)
    assert entries[old.id].evidence == pytest.approx({"cosine": near}, abs=1e-5)
    assert entries[older.id].evidence == pytest.approx({"cosine": far}, abs=1e-5)
    assert entries[new.id].evidence == pytest.approx({"cosine": far, "merged": 2}, abs=1e-5)
    assert [entries[memory.id].action for memory in (old, older, new)] == ["supersede", "supersede", "adjust"]


@pytest.mark.parametrize(("degrees", "leaves"), [(0, True), (23.0, True), (23.1, False), (90, False), (180, False)])
def test_by_how_much_they_may_differ(mind: Mind, clock: Clock, plane: Plane, degrees: float, leaves: bool) -> None:
    plane.degrees[SAID[0]] = degrees
    old, new = remembered(mind, clock, SAID[:2])
    assert merged(mind) == ({old.id: new.id} if leaves else {})


def test_no_chains(mind: Mind, clock: Clock, plane: Plane) -> None:
    """0° ~ 20° ~ 40°, but 0° and 40° are not alike."""
    plane.degrees |= {SAID[0]: 0, SAID[1]: 20, SAID[2]: 40}
    first, second, third = remembered(mind, clock, SAID[:3])
    assert merged(mind) == {second.id: third.id}
    assert {memory.id for memory in mind.list()} == {first.id, third.id}


@pytest.mark.parametrize(
    ("had", "kept"),
    [
        (["zz", "00"], {"zz", "00"}),
        ([], set()),
        ("a text", {"a text"}),
        ([1], {"1"}),
    ],
)
def test_also_from_adds_to_what_is_there(mind: Mind, clock: Clock, had: Any, kept: set[str]) -> None:
    old = remember(mind, SAID[0])
    clock.advance(days=1)
    new = remember(mind, SAID[1], metadata={"also_from": had})
    merged(mind)
    assert mind.get(new.id).metadata == {"also_from": sorted({old.id, *kept})}


def test_also_from_grows_from_run_to_run(mind: Mind, clock: Clock) -> None:
    """What is kept may leave itself for a newer one, which then names it; it names its own."""
    first, second = remembered(mind, clock, SAID[:2])
    merged(mind)
    third = remember(mind, SAID[2])
    assert merged(mind) == {second.id: third.id}
    assert mind.get(third.id).metadata == {"also_from": [second.id]}
    assert mind.get(second.id).metadata == {"also_from": [first.id]}


# --- what it leaves alone


@pytest.mark.parametrize(
    ("first", "second", "leaves"),
    [
        ({}, {}, True),
        ({"pinned": True}, {}, False),
        ({}, {"pinned": True}, False),
        ({"exempt": True}, {}, True),
        ({}, {"scope": "/ops/db"}, False),
        ({}, {"kind": "decision"}, False),
        ({"ttl": "1d"}, {}, False),  # expired by now
        ({}, {"ttl": "1d"}, False),  # would expire first
        ({"ttl": "1y"}, {"ttl": "2y"}, True),
        ({"source": "ai"}, {"source": "human"}, True),
        ({"source": "human"}, {"source": "ai"}, False),
    ],
)
def test_the_rules(mind: Mind, clock: Clock, first: dict[str, Any], second: dict[str, Any], leaves: bool) -> None:
    old = remember(mind, SAID[0], **first)
    clock.advance(days=1, seconds=1)
    new = remember(mind, SAID[1], **second)
    before = values(mind)
    assert merged(mind) == ({old.id: new.id} if leaves else {})
    assert leaves or values(mind) == before


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("dark themes are what Ann prefers", "in the evenings Bob works with dark colours"),
        ("the theme is set in editor_a/config.yml", "her colours come from editor_b/config.yml"),
        ("the theme was changed on 2026-01-02", "on 2026-02-01 somebody switched its colours"),
        ("backups of the theme run on mondays", "every friday a copy of its colours is made"),
    ],
)
def test_who_names_something_else_stays(mind: Mind, clock: Clock, one: str, two: str) -> None:
    remembered(mind, clock, [one, two])
    assert mind.dedup().changes == ()


def test_what_was_restored_is_kept_a_month(mind: Mind, clock: Clock) -> None:
    old, new = remembered(mind, clock, SAID[:2])
    mind.forget(ids=[old.id])
    mind.restore(ids=[old.id])
    assert merged(mind) == {}
    clock.advance(days=30)
    assert merged(mind) == {old.id: new.id}


def test_scopes(mind: Mind, clock: Clock) -> None:
    olds = {}
    for scope in ("/a", "/a/b", "/ab"):
        olds[scope], _ = remembered(mind, clock, SAID[:2], scope=scope)
    taken = {scope: {c.memory_id for c in mind.dedup(scope) if "state" in c.after} for scope in ("/a", "/ab", "/c")}
    assert taken == {"/a": {olds["/a"].id, olds["/a/b"].id}, "/ab": {olds["/ab"].id}, "/c": set()}


def test_namespaces_are_walls(open_mind: Callable[..., Mind], clock: Clock, plane: Plane) -> None:
    here, there = (open_mind(name, embedder=plane) for name in ("here", "there"))
    remember(here, SAID[0])
    clock.advance(days=1)
    remember(there, SAID[1])
    assert here.dedup().changes == there.dedup().changes == ()


def test_the_breaker_guards_it(mind: Mind, clock: Clock) -> None:
    for number in range(30):
        remembered(mind, clock, SAID[:2], scope=f"/ops/{number}")
    before = values(mind)
    with pytest.raises(BreakerTripped):
        mind.apply(mind.dedup())
    assert values(mind) == before
    assert len(merged(mind, force=True)) == 30


# --- contradictions


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("two factors guard the account: enabled", "login by one code, a second: disabled"),
        ("the job stops after 5 seconds", "seconds until a job is killed: 7"),
        ("he eats meat", "the user does not touch any meat"),
    ],
)
def test_a_flip_challenges_both(mind: Mind, clock: Clock, one: str, two: str) -> None:
    old, new = remembered(mind, clock, [one, two])
    before = values(mind)
    assert merged(mind) == {}
    assert (mind.get(old.id).challenged_by, mind.get(new.id).challenged_by) == (new.id, old.id)
    entry = mind.journal(limit=1)[0]
    assert (entry.reason, entry.evidence) == ("contradicted", {"cosine": 1.0})
    # What a person settles stays settled.
    mind.confirm(old.id)
    assert mind.dedup().changes == ()
    assert {id: v["state"] for id, v in values(mind).items()} == {id: v["state"] for id, v in before.items()}


def test_what_is_challenged_is_merged_once_that_is_settled(mind: Mind, clock: Clock) -> None:
    old, new = remembered(mind, clock, SAID[:2])
    mind.challenge(old.id)
    assert merged(mind) == {}
    mind.confirm(old.id)
    assert merged(mind) == {old.id: new.id}


def test_one_change_keeps_and_challenges(mind: Mind, clock: Clock) -> None:
    old, new = remembered(mind, clock, ["he eats meat", "meat is eaten by him"])
    rival = remember(mind, "the user does not touch any meat")
    before = values(mind)
    receipt = mind.apply(mind.dedup())
    assert sorted(receipt.applied) == sorted([old.id, new.id, rival.id])
    kept = mind.get(new.id)
    assert (kept.metadata["also_from"], kept.challenged_by) == ([old.id], rival.id)
    assert mind.dedup().changes == ()
    mind.undo(receipt.id)
    assert values(mind) == before


# --- together with near duplicates by words

WORDS = "the nightly backup of our main postgres cluster runs on a server and writes its dump into an archive bucket"


def test_what_the_words_decide_is_not_decided_again(mind: Mind, clock: Clock) -> None:
    """All four are alike by meaning; two of them by their words as well, across kinds."""
    tags: dict[str, Any] = {"concepts": ["postgres"]}
    old = remember(mind, f"mostly {WORDS}", kind="fact", **tags)
    clock.advance(days=1)
    new = remember(mind, f"usually {WORDS}", kind="decision", **tags)
    clock.advance(days=1)
    facts = remembered(mind, clock, ["our database is copied", "there is a copy of our database"])
    plan = mind.dedup()
    assert {c.memory_id: c.reason for c in plan} == {
        old.id: "near duplicate",
        facts[0].id: "semantic duplicate",
        facts[1].id: "kept for its duplicates",
    }
    assert merged(mind) == {old.id: new.id, facts[0].id: facts[1].id}
    assert mind.get(facts[1].id).metadata["also_from"] == [facts[0].id]


def test_what_the_words_challenge_waits(mind: Mind, clock: Clock) -> None:
    tags: dict[str, Any] = {"concepts": ["postgres"]}
    old = remember(mind, f"{WORDS} 7", kind="fact", **tags)
    clock.advance(days=1)
    new = remember(mind, f"{WORDS} 9", kind="decision", **tags)
    clock.advance(days=1)
    same_as_old = remember(mind, "backups run: 7")
    assert merged(mind) == {}
    assert (mind.get(old.id).challenged_by, mind.get(new.id).challenged_by) == (new.id, old.id)
    assert mind.get(same_as_old.id).challenged_by is None


# --- what cannot be compared


def test_without_an_embedder_it_says_so(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        assert mind.dedup().warnings == ()
        remembered(mind, clock, SAID[:2])
        plan = mind.dedup()
        assert plan.changes == ()
        assert plan.warnings == ("2 memories were not compared by meaning: this mind has no embedder",)


def test_vectors_of_other_models_are_not_compared(open_mind: Callable[..., Mind], clock: Clock) -> None:
    with open_mind(embedder=False) as plain:
        remembered(plain, clock, SAID[:1])
    with open_mind(embedder=Plane("other")) as other:
        remembered(other, clock, SAID[1:3])
    with open_mind(embedder=Plane()) as mind:
        remembered(mind, clock, SAID[3:4])
        plan = mind.dedup()
        assert plan.changes == ()
        assert plan.warnings == (
            "3 memories were not compared by meaning: 1 waiting to be embedded, "
            '2 with a vector of another model (see "rem reembed")',
        )
        mind.meaning.reembed()
        assert mind.dedup().warnings == ()
        assert len(merged(mind)) == 3


@pytest.mark.parametrize(("bits", "compared"), [(8, True), (4, False), (2, False)])
def test_coarse_vectors_merge_nothing(mind: Mind, clock: Clock, bits: int, compared: bool) -> None:
    old, new = remembered(mind, clock, SAID[:2])
    fading = mind._store.meanings.fading(clock.now + 30 * DAY, 10)
    assert fading is not None
    at = np.argsort(fading.columns.created_at)
    wanted = np.full(2, 32, dtype=np.int8)
    wanted[at[0]] = bits
    assert mind._store.meanings.fade(fading, wanted, np.full(2, 2**62, dtype=np.int64)) == 1
    plan = mind.dedup()
    if compared:
        assert plan.warnings == ()
        assert merged(mind) == {old.id: new.id}
    else:
        assert plan.changes == ()
        assert plan.warnings == ("1 memory was not compared by meaning: 1 with a vector that has faded too far",)


def test_what_is_too_long_is_left_out(mind: Mind, clock: Clock) -> None:
    remembered(mind, clock, [f"{' '.join([text] * 50)}" for text in SAID[:2]])
    plan = mind.dedup()
    assert plan.changes == ()
    assert plan.warnings == ("2 memories were not compared by meaning: 2 too long for one vector",)


@only_files
def test_a_damaged_vector_is_counted(clock: Clock, plane: Plane) -> None:
    with new_mind(clock=clock, embedder=plane) as mind:
        remembered(mind, clock, SAID[:2])
        with mind._store.transaction() as connection:
            connection.execute("UPDATE vectors SET code = x'00' WHERE no = (SELECT min(no) FROM vectors)")
        plan = mind.dedup()
        assert plan.changes == ()
        assert plan.warnings == ('1 memory was not compared by meaning: 1 with a damaged vector (see "rem check")',)


# --- what moves on


def test_who_moved_on_is_skipped(mind: Mind, clock: Clock) -> None:
    old = remembered(mind, clock, SAID[:2])[0]
    plan = mind.dedup()
    mind.pin(old.id)
    receipt = mind.apply(plan)
    assert set(receipt.skipped) == {old.id}
    assert mind.get(old.id).state == "live"


@pytest.mark.parametrize("moved", [0, 1])
def test_who_changes_while_it_reads_is_left_for_the_next_run(
    mind: Mind, clock: Clock, monkeypatch: pytest.MonkeyPatch, moved: int
) -> None:
    pair = remembered(mind, clock, SAID[:2])
    fates = flow._by_meaning

    def then_confirm(*arguments: Any) -> Any:
        found = fates(*arguments)
        mind.confirm(pair[moved].id)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(flow, "_by_meaning", then_confirm)
        assert mind.dedup().changes == ()
    assert merged(mind) == {pair[0].id: pair[1].id}


# --- taking it back


def test_undo_and_undo_of_the_undo(mind: Mind, clock: Clock) -> None:
    olds = remembered(mind, clock, SAID[:4], metadata={"n": 1})[:-1]
    mind.recall("dark")
    before = values(mind)
    receipt = mind.apply(mind.dedup())
    left = values(mind)
    clock.advance(days=1)
    undone = mind.undo(receipt.id)
    assert undone.skipped == {}
    assert values(mind) == before
    assert all(mind.get(old.id).kept_until == clock.now + 30 * DAY for old in olds)
    assert mind.dedup().changes == ()
    clock.advance(days=1)
    mind.undo(undone.id)
    assert values(mind) == left
    clock.advance(days=40)
    assert mind.dedup().changes == ()


def test_also_from_names_what_was_purged(mind: Mind, clock: Clock) -> None:
    """An id is no text: it still says that there was a source, and undo goes on without it."""
    first, second, new = remembered(mind, clock, SAID[:3])
    receipt = mind.apply(mind.dedup())
    certificate = mind.purge(ids=[first.id], reason="asked")
    assert (certificate.purged, certificate.kept_newer_versions) == ((first.id,), (new.id,))
    assert mind.get(new.id).metadata["also_from"] == sorted([first.id, second.id])
    assert mind.dedup().changes == ()
    undone = mind.undo(receipt.id)
    assert set(undone.skipped) == {first.id}
    assert mind.get(second.id).state == "live"
    assert "also_from" not in mind.get(new.id).metadata


def test_purging_what_is_kept_takes_all_it_was_kept_for(mind: Mind, clock: Clock) -> None:
    memories = remembered(mind, clock, SAID[:3])
    mind.apply(mind.dedup())
    certificate = mind.purge(ids=[memories[2].id], reason="asked")
    assert set(certificate.purged) == {memory.id for memory in memories}


# --- very many alike


def test_thousands_of_the_same_direction(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two million pairs are alike. Metadata are bounded, so that two memories are kept; few pairs are looked at."""
    size, looked = 2000, 0
    takes = semantic_duplicates._Row.takes

    def counted(row: Any, older: Any) -> bool:
        nonlocal looked
        looked += 1
        return takes(row, older)

    monkeypatch.setattr(semantic_duplicates._Row, "takes", counted)
    letters = [f"{chr(97 + n // 676)}{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}" for n in range(size)]
    added(mind, [drafted(n, text=f"dark themes {letters[n]}", created_at=START + n * DAY) for n in range(size)])
    gone = merged(mind, force=True)
    assert len(gone) == size - 2
    kept = mind.list()
    assert sorted(id for memory in kept for id in memory.metadata["also_from"]) == sorted(gone)
    assert looked < 10 * size


@pytest.fixture
def few_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory is compared with two newer ones instead of fifty."""
    monkeypatch.setattr(semantic_duplicates, "MOST_EACH", 2)
    monkeypatch.setattr(flow, "MOST_EACH", 2)


def test_behind_many_that_say_something_else_the_same_is_found(mind: Mind, few_each: None) -> None:
    said = ["build 7 passed", "build 6 passed", "build 5 passed", "build 4 passed", "build 5 has passed"]
    memories = [drafted(n, text=text, created_at=START - n * DAY) for n, text in enumerate(said)]
    added(mind, memories)
    assert merged(mind) == {memories[4].id: memories[2].id}


def test_behind_many_that_leave_one_that_stays_is_found(mind: Mind, plane: Plane, few_each: None) -> None:
    """The last is alike to all but the first: the two before it leave for the first, the third from below stays."""
    degrees = {"a dark theme": 0, "the dark theme": 10, "one dark theme": 12, "this dark theme": 30, "dark theme": 32}
    plane.degrees |= degrees
    memories = [drafted(n, text=text, created_at=START - n * DAY) for n, text in enumerate(degrees)]
    added(mind, memories)
    assert merged(mind) == {
        memories[1].id: memories[0].id,
        memories[2].id: memories[0].id,
        memories[4].id: memories[3].id,
    }


# --- laws, against comparing all with all

TEXTS = {
    **dict.fromkeys(["a dark theme is liked", "a dark theme is wanted", "Ann likes a dark theme"], 0.0),
    **dict.fromkeys(["the dark theme is liked", "dark themes are not liked", "Bob likes a dark theme"], 15.0),
    **dict.fromkeys(["themes are dark", "5 themes are dark", "7 themes are dark"], 30.0),
    **dict.fromkeys(["a theme, dark", "themes are dark in Berlin", "is a theme dark?"], 45.0),
}
DRAFT = st.fixed_dictionaries(
    {
        "text": st.sampled_from(sorted(TEXTS)),
        "scope": st.sampled_from(["/ops", "/ops", "/ops", "/db"]),
        "kind": st.sampled_from(["fact", "fact", "decision"]),
        "source": st.sampled_from(["human", "human", "ai"]),
        "pinned": st.sampled_from([False, False, False, True]),
        "expires_at": st.sampled_from([None, None, START + DAY, START + 2 * DAY]),
        "created_at": st.sampled_from([START - timedelta(days=days) for days in range(4)]),
        "metadata": st.sampled_from([{}, {}, {"also_from": ["x"], "n": 1}]),
    }
)


def expected(memories: Sequence[Memory]) -> dict[str, dict[str, Any]]:
    """What every memory is afterwards, by comparing each with each."""
    end = {memory.id: memory.to_dict() for memory in memories}
    ranked = sorted(memories, key=lambda memory: (memory.created_at, memory.id), reverse=True)

    def alike(a: Memory, b: Memory) -> bool:
        near = math.cos(math.radians(TEXTS[a.text] - TEXTS[b.text])) > COSINE
        return near and (a.scope, a.kind) == (b.scope, b.kind)

    def takes(new: Memory, old: Memory) -> bool:
        lasts = new.expires_at is None or (old.expires_at is not None and new.expires_at >= old.expires_at)
        trusted = TRUST[new.source] >= TRUST[old.source]
        free = not new.pinned and not old.pinned
        return free and lasts and trusted and alike(new, old) and same(Said.of(old.text), Said.of(new.text))

    staying: list[Memory] = []
    for memory in ranked:
        successor = next((other for other in staying if takes(other, memory)), None)
        if successor is None:
            staying.append(memory)
            continue
        end[memory.id] |= {"state": "superseded", "superseded_by": successor.id}
        metadata = end[successor.id]["metadata"]
        end[successor.id]["metadata"] = metadata | {"also_from": sorted({*metadata.get("also_from", []), memory.id})}
    for memory in staying:
        for other in staying:
            if other is memory or memory.pinned or not alike(memory, other):
                continue
            if flipped(Said.of(memory.text), Said.of(other.text)):
                end[memory.id]["challenged_by"] = other.id
                break
    for memory in end.values():
        del memory["kept_until"]
    return end


def toy(clock: Clock | None = None) -> Mind:
    plane = Plane()
    plane.degrees |= TEXTS
    return new_mind(clock=clock, embedder=plane)


@given(
    st.lists(DRAFT, max_size=8).flatmap(lambda drafts: st.tuples(st.just(drafts), st.permutations(range(len(drafts)))))
)
@settings(deadline=None, max_examples=50)
def test_as_comparing_all_with_all(drawn: tuple[list[dict[str, Any]], list[int]]) -> None:
    """Whatever the order of writing: the same end, nothing left for a second run, and undo takes all of it back."""
    drafts, order = drawn
    memories = [drafted(number, **draft) for number, draft in enumerate(drafts)]
    for written in (memories, [memories[number] for number in order]):
        with toy() as mind:
            added(mind, written)
            before = values(mind)
            receipt = mind.apply(mind.dedup(), force=True)
            assert receipt.skipped == {}
            assert values(mind) == expected(memories)
            assert mind.dedup().changes == ()
            mind.undo(receipt.id)
            assert values(mind) == before


def test_one_that_is_alike_to_none_but_a_crowded_one_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest has its measure of partners; behind them stands one that denies it, and is alike to nobody else."""
    monkeypatch.setattr(semantic_duplicates, "MOST_EACH", 2)
    monkeypatch.setattr(flow, "MOST_EACH", 2)
    texts = ["5 themes are dark", "dark themes are not liked", "themes are dark in Berlin", "themes are dark in Berlin"]
    with toy() as mind:
        memories = [drafted(number, text=text, kind="decision") for number, text in enumerate(texts)]
        added(mind, memories)
        merged(mind, force=True)
        oldest, denial = (mind.get(memory.id) for memory in memories[:2])
        assert (oldest.challenged_by, denial.challenged_by) == (denial.id, oldest.id)


@given(st.lists(DRAFT, min_size=4, max_size=14), st.integers(1, 3))
@settings(deadline=None, max_examples=50)
def test_the_laws_hold_however_few_are_compared(drafts: list[dict[str, Any]], most: int) -> None:
    """With some pairs out of sight: who leaves has a live successor that may stand for it; a second run is idle."""
    memories = {memory.id: memory for memory in (drafted(number, **draft) for number, draft in enumerate(drafts))}
    with pytest.MonkeyPatch.context() as patched, toy() as mind:
        patched.setattr(semantic_duplicates, "MOST_EACH", most)
        patched.setattr(flow, "MOST_EACH", most)
        added(mind, list(memories.values()))
        gone = merged(mind, force=True)
        live = {memory.id for memory in mind.list()}
        for old, new in gone.items():
            assert new in live
            assert same(Said.of(memories[old].text), Said.of(memories[new].text))
            assert math.cos(math.radians(TEXTS[memories[old].text] - TEXTS[memories[new].text])) > COSINE


@given(st.lists(st.tuples(DRAFT, st.sampled_from([[], ["a"], ["a", "b"]])), min_size=3, max_size=9))
@settings(deadline=None, max_examples=50)
def test_words_and_meaning_in_one_plan(drawn: list[tuple[dict[str, Any], list[str]]]) -> None:
    """Each memory is changed once, who leaves by meaning has a live successor, and a second run is idle."""
    with toy() as mind:
        added(mind, [drafted(n, **draft, concepts=concepts) for n, (draft, concepts) in enumerate(drawn)])
        plan = mind.dedup()
        merged(mind, force=True)
        live = {memory.id for memory in mind.list()}
        by_meaning = [change for change in plan if change.reason == "semantic duplicate" and "state" in change.after]
        assert {change.after["superseded_by"] for change in by_meaning} <= live


# --- the bundled embedder


def test_with_the_bundled_embedder(clock: Clock) -> None:
    pairs = {
        "the user prefers dark mode in the editor": "the user likes dark mode in the editor",
        "The database password is rotated every 30 days": "The database password gets rotated every 30 days",
    }
    apart = [
        "Run the whole test suite before you commit",
        "Run the whole test suite after you commit",
        "Alice paid Bob for the lunch",
        "Bob paid Alice for the lunch",
        "Deploys to production happen on Friday",
        "Deploys to production happen on Monday",
    ]
    with new_mind(clock=clock, embedder=None) as mind:
        memories = [
            drafted(n, text=text, created_at=START - n * DAY) for n, text in enumerate([*pairs.values(), *apart])
        ]
        memories += [drafted(20 + n, text=text, created_at=START - (20 + n) * DAY) for n, text in enumerate(pairs)]
        memories += [
            drafted(30, text="The user enabled 2FA on the account"),
            drafted(31, text="The user disabled 2FA on the account"),
        ]
        added(mind, memories)
        plan = mind.dedup()
        assert plan.warnings == ()
        assert merged(mind) == {memories[8].id: memories[0].id, memories[9].id: memories[1].id}
        assert mind.get(memories[10].id).challenged_by == memories[11].id
        assert mind.get(memories[11].id).challenged_by == memories[10].id
        assert {memory.id for memory in mind.list()} == {memory.id for memory in memories} - {
            memories[8].id,
            memories[9].id,
        }
