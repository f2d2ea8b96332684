"""why_not: the reason a memory did not come, in words and numbers that agree with what recall does."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound
from remanence.model.memory import State
from remanence.model.plan import Change, Plan
from tests.conftest import START, Clock, dump, new_mind
from tests.embedders import Toy

NO_ID = "01890000-0000-7000-8000-000000000000"


@pytest.fixture
def mind(clock: Clock) -> Iterator[Mind]:
    with new_mind(clock=clock, embedder=Toy()) as mind:
        yield mind
        assert mind.check().problems == ()


def put(mind: Mind, id: str, state: State) -> None:
    mind.apply(Plan((Change.of(mind.get(id), "put", state=state),), verb="put"), force=True)


def test_what_came_says_at_which_place(mind: Mind) -> None:
    first = mind.remember("The heron nests by the lake").memory
    mind.remember("A lake is deep")
    told = mind.why_not("heron nests", first.id)
    assert (told.found, told.place, told.memory_id) == (True, 1, first.id)
    assert told.reasons == ("it came: it is hit 1",)
    assert told.hit is not None and told.hit.rank == mind.recall("heron nests", reinforce=False)[0].rank


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (State.ARCHIVED, "include=archived"),
        (State.FORGOTTEN, "rem restore"),
        (State.QUARANTINED, "review"),
        (State.SUPERSEDED, "superseded"),
    ],
)
def test_its_state(mind: Mind, state: State, words: str) -> None:
    id = mind.remember("The heron nests by the lake").memory.id
    put(mind, id, state)
    told = mind.why_not("heron", id)
    assert (told.found, told.place) == (False, None)
    assert words in told.reasons[0]
    if state is State.ARCHIVED:
        assert mind.why_not("heron", id, include="archived").found


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"scope": "/b"}, "scope /a"),
        ({"kinds": "bug"}, "kind is fact"),
        ({"layers": "semantic"}, "layer is episodic"),
        ({"categories": ["y", "z"]}, "categories y, z"),
        ({"since": "2026-03-02"}, "before what was asked"),
        ({"until": "yesterday"}, "after what was asked"),
        ({"scope": "/b", "kinds": "bug", "categories": "y"}, "scope /a"),
    ],
)
def test_the_filters(mind: Mind, asked: dict[str, Any], words: str) -> None:
    id = mind.remember("The heron nests by the lake", scope="/a", categories=["x"]).memory.id
    told = mind.why_not("heron", id, **asked)
    assert (told.found, len(told.reasons)) == (False, len(asked)), "every reason is named"
    assert words in told.reasons[0]
    assert id not in [hit.memory.id for hit in mind.recall("heron", **asked)]


def test_that_it_expired(mind: Mind, clock: Clock) -> None:
    id = mind.remember("The heron nests by the lake", ttl="1h").memory.id
    clock.advance(hours=1)
    assert mind.why_not("heron", id).found
    clock.advance(seconds=1)
    assert "expired on 01 March 2026" in mind.why_not("heron", id).reasons[0]
    mind.apply(mind.sweep())
    assert (
        "it is archived" in mind.why_not("heron", id).reasons[0] and mind.why_not("heron", id, include="archived").found
    )


def test_that_it_is_the_example(mind: Mind) -> None:
    id = mind.remember("The heron nests by the lake").memory.id
    assert mind.why_not(None, id, like=id).reasons == ("it is the example itself",)


def test_that_it_has_nothing_to_do_with_it(mind: Mind) -> None:
    id = mind.remember("The heron nests by the lake").memory.id
    told = mind.why_not("zanzibar", id)
    assert not told.found
    assert told.hit is None or told.hit.rank < 0.2


def test_a_rank_that_is_too_low_with_what_made_it_so(mind: Mind) -> None:
    """Beside the last that came, and in which parts it falls behind."""
    for n in range(6):
        mind.remember(f"heron lake alpha{n} beta{n}", kind=f"k{n}", importance=0.5)
    low = mind.remember("heron " + " ".join(f"word{n}" for n in range(60)), importance=0.5, source="ingest").memory
    told = mind.why_not("heron lake", low.id, limit=3)
    assert (told.found, told.place) == (False, 7)
    assert told.reasons[0].startswith("it is at place 7 with rank")
    assert any("fewer of the words" in reason for reason in told.reasons)
    assert any("less trusted" in reason for reason in told.reasons)
    assert told.last is not None and told.hit is not None and told.last.rank >= told.hit.rank
    assert str(told).count("\n") + 1 == len(told.reasons)


def test_that_it_does_not_fit_the_budget(mind: Mind) -> None:
    mind.remember("heron alpha beta", importance=0.5)
    large = mind.remember("heron " * 40, importance=0.5).memory
    told = mind.why_not("heron", large.id, budget_tokens=10)
    assert not told.found and "does not fit into 10 tokens" in told.reasons[0]


def test_looking_changes_nothing(mind: Mind) -> None:
    id = mind.remember("The heron nests by the lake").memory.id
    before = dump(mind)
    mind.why_not("heron", id)
    mind.why_not("heron", id, scope="/b")
    mind._store.flush()
    assert dump(mind) == before


def test_bad_arguments_and_unknown_ids(mind: Mind) -> None:
    id = mind.remember("The heron nests by the lake").memory.id
    for wrong in ({"query": " "}, {"query": None}, {"query": "x", "limit": 0}, {"query": "x", "nonsense": 1}):
        with pytest.raises((InvalidInput, TypeError)):
            mind.why_not(wrong.pop("query"), id, **wrong)
    for unknown in (NO_ID, "nothing"):
        with pytest.raises(NotFound):
            mind.why_not("heron", unknown)


def test_what_its_embedder_could_not_do_is_said(clock: Clock) -> None:
    toy = Toy()
    with new_mind(clock=clock, embedder=toy) as mind:
        id = mind.remember("The heron nests by the lake").memory.id
        toy.sick = "raises"
        told = mind.why_not("heron", id)
        assert told.found and "words alone" in told.notes[0]
        assert "words alone" in str(told)


@pytest.mark.parametrize("by_example", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_recall(clock: Clock, seed: int, by_example: bool) -> None:
    """Found there means found here, at the same place; every memory that did not come has a reason."""
    print(f"seed {seed}")
    chance = random.Random(seed)
    words = [f"w{n}" for n in range(14)]
    with new_mind(clock=clock, embedder=Toy() if seed % 2 else False) as mind:
        for n in range(70):
            clock.advance(hours=chance.choice([0, 1, 20]))
            text = " ".join(chance.choices(words, k=chance.randint(2, 12)))
            mind.remember(
                f"{text} {n}" if chance.random() < 0.7 else f"The {chance.choice(words)} code is {n}",
                kind=f"k{n % 9}",
                scope=chance.choice(["/a", "/b"]),
                origin=chance.choice([None, "session:1", "session:2"]),
            )
        for memory in chance.sample(mind.list(limit=1000), 12):
            put(mind, memory.id, chance.choice([State.ARCHIVED, State.FORGOTTEN]))
        every = mind.list(state="all", limit=1000)
        for _ in range(3):
            asked: dict[str, Any] = {
                "limit": chance.choice([1, 3, 10]),
                "scope": chance.choice([None, "/a"]),
                "include": chance.choice(["live", "archived"]),
                "like": chance.choice(every).id if by_example else None,
            }
            query = None if asked["like"] else " ".join(chance.sample(words, chance.randint(1, 4)))
            hits = [hit.memory.id for hit in mind.recall(query, reinforce=False, **asked)]
            shown = [memory for memory in every if memory.id in hits]
            for memory in [*shown, *chance.sample(every, 20)]:
                told = mind.why_not(query, memory.id, **asked)
                assert told.reasons
                assert told.found == (memory.id in hits), (asked, query, told)
                if told.found:
                    assert told.place == hits.index(memory.id) + 1, (asked, query, told)


def test_of_an_earlier_moment_it_says_what_holds_there(mind: Mind, clock: Clock) -> None:
    """With as_of, recall finds what was live then; why_not must not say that it is superseded now."""
    old = mind.remember("The heron nests by the lake").memory.id
    clock.advance(days=2)
    mind.revise(old, text="The heron left the lake")
    then = START + timedelta(days=1)
    assert [hit.memory.id for hit in mind.recall("heron", as_of=then)] == [old]
    try:
        told = mind.why_not("heron", old, as_of=then)
    except InvalidInput:
        return  # to refuse is right, too
    assert told.found


def test_of_many_versions_it_agrees_with_recall(mind: Mind, clock: Clock) -> None:
    """More versions than a recall looks at, of which the newest is the wordiest."""
    for n in range(30):
        clock.advance(hours=1)
        mind.remember(f"The north gate code is {n * 37}", kind=f"k{n}", importance=0.5)
    clock.advance(hours=1)
    new = mind.remember(
        "The north gate code is 4711, which the janitor set after the old lock was replaced by another one last night",
        importance=0.5,
    ).memory
    hits = [hit.memory.id for hit in mind.recall("north gate code", limit=1, reinforce=False)]
    told = mind.why_not("north gate code", new.id, limit=1)
    assert told.found == (new.id in hits), told
