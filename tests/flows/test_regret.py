"""Regret: archived memories that a recall would have shown are counted and told of, and never take another's place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from remanence import Mind
from remanence.model.memory import State
from remanence.model.plan import Change, Plan
from tests.conftest import START, Clock, new_mind
from tests.embedders import Toy


def ids(hits: object) -> list[str]:
    return [hit.memory.id for hit in hits]  # type: ignore[attr-defined]


def put(mind: Mind, *some: str, state: State = State.ARCHIVED) -> str:
    changes = tuple(Change.of(mind.get(id), "put away", state=state) for id in some)
    return mind.apply(Plan(changes, verb="archive"), force=True).id


@pytest.fixture(params=["words", "meaning"])
def mind(clock: Clock, request: pytest.FixtureRequest) -> Iterator[Mind]:
    with new_mind(clock=clock, embedder=Toy() if request.param == "meaning" else False) as mind:
        yield mind
        assert mind.check().problems == ()


@pytest.fixture
def away(mind: Mind) -> str:
    """An archived memory, and a live one beside it."""
    mind.remember("The stork sleeps on a roof")
    id = mind.remember("The heron nests by the lake").memory.id
    put(mind, id)
    return id


def times(mind: Mind, id: str) -> int:
    mind._store.flush()
    return mind._store.log.regrets(id)[0]


def test_what_would_have_been_a_hit_is_missed_and_not_among_the_hits(mind: Mind, away: str) -> None:
    live = mind.remember("A heron by the pond").memory.id
    hits = mind.recall("heron lake")
    assert (ids(hits), ids(hits.missed)) == ([live], [away])
    assert hits.missed[0].archived and not hits[0].archived
    assert mind.get(away).access_count == 0
    assert times(mind, away) == 1


def test_what_would_have_come_after_a_live_hit_is_named_and_not_counted(mind: Mind, away: str) -> None:
    live = mind.remember("Heron").memory.id
    hits = mind.recall("heron")
    assert (ids(hits), ids(hits.missed)) == ([live], [away])
    assert times(mind, away) == 0, "what came answered better"


def test_a_recall_is_one_need_and_counts_one_memory(clock: Clock) -> None:
    """With little alive everything that shares a word would be a hit; wanted was the one that answers."""
    names = ("Alder", "Birch", "Cedar", "Dahlia", "Elm", "Fern", "Gorse", "Hazel")
    with new_mind(clock=clock, embedder=None) as mind:
        asked_for = [mind.remember(f"The {n} warehouse stores crate {n}7 of seeds.", kind="finding") for n in names]
        unrelated = [mind.remember(f"Customer {n} ordered jam from shelf {n}9.", kind="fact") for n in names]
        put(mind, *(one.memory.id for one in (*asked_for, *unrelated)))
        mind.remember("keep-alive topic number zero")
        for n in names[:5]:
            clock.advance(hours=1)
            mind.recall(f"Which crate does the {n} warehouse store?", limit=3)
        assert [times(mind, one.memory.id) for one in asked_for] == [1] * 5 + [0] * 3
        assert [times(mind, one.memory.id) for one in unrelated] == [0] * 8
        assert mind.stats().regrets == 5


def test_what_answers_poorly_is_neither_named_nor_counted(mind: Mind) -> None:
    id = mind.remember("The heron nests by the lake").memory.id
    put(mind, id)
    hits = mind.recall("which railway timetable of Zanzibar lists the lake and the harbour and the northern ferry")
    assert (hits.missed, times(mind, id)) == ((), 0)


def test_a_memory_is_missed_once_a_day(mind: Mind, away: str, clock: Clock) -> None:
    for _ in range(3):
        mind.recall("heron lake")
        clock.advance(hours=1)
    assert times(mind, away) == 1
    clock.advance(days=1)
    mind.recall("heron lake")
    assert times(mind, away) == 2


def test_every_time_is_counted_with_the_last(mind: Mind, away: str, clock: Clock) -> None:
    for _ in range(3):
        mind.recall("heron lake")
        clock.advance(days=1)
    mind._store.flush()
    assert mind._store.log.regrets(away) == (3, START + timedelta(days=2))
    assert mind.stats().regrets == 3
    told = mind.explain(away)
    assert told.regrets == 3 and "missed 3 times" in told.text


@pytest.mark.parametrize("how", [{"include": "archived"}, {"reinforce": False}])
def test_what_was_asked_for_or_not_counted_is_no_regret(mind: Mind, away: str, how: dict) -> None:
    hits = mind.recall("heron lake", **how)
    assert times(mind, away) == 0
    if how.get("include"):
        assert (ids(hits), hits.missed) == ([away], ())
        assert hits[0].archived


def test_what_is_outside_of_the_question_is_no_regret(mind: Mind, away: str) -> None:
    for how in ({"scope": "/elsewhere"}, {"kinds": "bug"}, {"until": "yesterday"}, {"categories": "none"}):
        assert mind.recall("heron lake", **how).missed == ()
    assert mind.recall("unrelated zanzibar").missed == ()
    assert times(mind, away) == 0


@pytest.mark.parametrize("state", [State.FORGOTTEN, State.QUARANTINED, State.SUPERSEDED])
def test_only_the_archive_is_regretted(mind: Mind, state: State) -> None:
    id = mind.remember("The heron nests by the lake").memory.id
    put(mind, id, state=state)
    hits = mind.recall("heron lake")
    assert (ids(hits), hits.missed, times(mind, id)) == ([], (), 0)


def test_what_has_expired_is_no_regret(mind: Mind, clock: Clock) -> None:
    id = mind.remember("The heron nests by the lake", ttl="1h").memory.id
    clock.advance(hours=2)
    put(mind, id)
    assert mind.recall("heron lake").missed == ()
    assert times(mind, id) == 0


def test_an_archive_is_looked_at_once_where_the_hits_are_enough(
    mind: Mind, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many of it have expired: what is missed must surpass the last hit, so common words need not be tried."""
    gone = mind.remember_many([{"text": f"heron gone{n}", "kind": f"g{n}", "ttl": "1h"} for n in range(60)])
    clock.advance(hours=2)
    put(mind, *(one.memory.id for one in gone))
    mind.remember_many([{"text": f"heron live{n}", "kind": f"k{n}"} for n in range(12)])
    away = mind.remember("The blue heron of the quiet lake").memory.id
    put(mind, away)
    looks: list[bool] = []
    candidates = mind._store.candidates
    monkeypatch.setattr(mind._store, "candidates", lambda *a, **k: looks.append(k["quick"]) or candidates(*a, **k))
    hits = mind.recall("blue heron quiet lake", limit=10)
    assert (len(hits), ids(hits.missed)) == (10, [away])
    assert looks == [False, True]
    looks.clear()
    hits = mind.recall("blue heron quiet lake", limit=13)
    assert (len(hits), ids(hits.missed)) == (12, [away])
    assert not any(looks), "with hits too few, the archive is searched as thoroughly as what is live"


@pytest.mark.parametrize("back", ["restore", "undo"])
def test_it_can_be_brought_back(mind: Mind, away: str, back: str) -> None:
    mind.recall("heron lake")
    if back == "restore":
        mind.restore(ids=[away])
    else:
        archived = next(entry for entry in mind.journal() if entry.verb == "archive")
        mind.undo(archived.receipt_id)
    hits = mind.recall("heron lake")
    assert (ids(hits), hits.missed) == ([away], ())
    assert times(mind, away) == 1, "and is missed no more"
    assert mind.explain(away).regrets == 0


def test_a_purge_takes_the_regret_along(mind: Mind, away: str) -> None:
    mind.recall("heron lake")
    mind._store.flush()
    mind.purge(ids=[away], reason="asked")
    assert mind.stats().regrets == 0


@pytest.mark.parametrize("limit", [1, 3, 10])
def test_what_is_missed_is_within_the_limit(mind: Mind, limit: int) -> None:
    made = [mind.remember(f"heron{n} heron", kind=f"k{n}").memory.id for n in range(20)]
    put(mind, *made)
    assert len(mind.recall("heron", limit=limit).missed) == limit


@pytest.mark.parametrize(("archived", "limit"), [(16, 1), (90, 5), (200, 50)])
def test_an_archive_never_takes_the_place_of_what_is_live(mind: Mind, archived: int, limit: int) -> None:
    """However many archived memories answer better, a live one that answers comes."""
    texts = [{"text": f"zebra stripes number{n} alpha{n}", "kind": f"k{n}"} for n in range(archived)]
    made = [done.memory.id for done in mind.remember_many(texts)]
    put(mind, *made)
    live = mind.remember(
        "a much longer text in which, after very many words about other things, also the stripes of a zebra are named"
    ).memory.id
    hits = mind.recall("zebra stripes", limit=limit)
    assert ids(hits) == [live]
    assert len(hits.missed) <= limit


def test_a_recall_finds_the_same_with_and_without_an_archive(clock: Clock) -> None:
    """What is live comes in the same order, whatever lies in the archive."""

    def told(archived: int) -> list[str]:
        with new_mind(clock=clock, embedder=Toy()) as mind:
            for n in range(12):
                mind.remember(f"live{n} zebra words{n} more{n}", importance=0.5)
            old = [
                done.memory.id
                for done in mind.remember_many([{"text": f"zebra old{n}", "importance": 0.5} for n in range(archived)])
            ]
            if old:
                put(mind, *old)
            return [hit.memory.text for hit in mind.recall("zebra", limit=12)]

    assert len(told(0)) == 12
    assert set(told(100)) == set(told(0))


def test_regret_is_per_namespace(open_mind: Callable[..., Mind]) -> None:
    ours, theirs = open_mind(embedder=Toy()), open_mind("other", embedder=Toy())
    for mind in (ours, theirs):
        put(mind, mind.remember("The heron nests by the lake").memory.id)
    ours.recall("heron lake")
    assert (ours.stats().regrets, theirs.stats().regrets) == (1, 0)
