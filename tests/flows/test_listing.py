"""list, count and recall by source, time and ids: what is meant comes, nothing else, and what is wrong is named."""

from datetime import UTC, datetime, timedelta

import pytest

from remanence import Mind
from remanence.errors import InvalidInput
from remanence.model.selection import Place
from tests.conftest import START, Clock, new_mind
from tests.embedders import Toy


def filled(mind: Mind) -> dict[str, str]:
    made = {}
    for days, source in enumerate(("human", "ai", "ingest", "extracted", "dream")):
        text = f"The heron of {source} nests by the lake number {days}"
        memory = mind.remember(text, source=source, scope=f"/{source}", created_at=START - timedelta(days=days)).memory
        assert memory is not None
        made[source] = memory.id
    return made


def test_by_source(mind: Mind) -> None:
    made = filled(mind)
    for source, id in made.items():
        assert [memory.id for memory in mind.list(source=source)] == [id]
        assert mind.count(source=source) == 1
        assert [hit.memory.id for hit in mind.recall("heron", sources=source)] == [id]
    assert mind.count(source="ai", kind="bug") == mind.count(source="ai", state="archived") == 0
    both = mind.recall("heron", sources=["ai", "dream"], reinforce=False)
    assert {hit.memory.id for hit in both} == {made["ai"], made["dream"]}
    assert made["ai"] not in mind.context("heron", sources="human")
    told = mind.why_not("heron", made["ai"], sources=["human", "dream"])
    assert told.reasons == ("its source is ai, and only human, dream was asked for",)
    assert [hit.memory.id for hit in mind.recall("heron", sources="human", as_of=START)] == [made["human"]]


def test_by_meaning_only_the_sources_that_were_asked_for_come(clock: Clock) -> None:
    with new_mind(clock=clock, embedder=Toy()) as mind:
        for number in range(60):
            mind.remember(f"Heron {number} nests by the pond", source="ai")
        mine = mind.remember("A heron sleeps by the lake", source="human").memory
        assert mine is not None
        assert [hit.memory.id for hit in mind.recall("heron pond", sources="human", limit=5)] == [mine.id]
        assert {hit.memory.source for hit in mind.recall("heron pond", sources="ai", limit=50)} == {"ai"}


def test_by_time_in_words_and_moments(mind: Mind) -> None:
    made = filled(mind)
    names = list(made)

    def listed(**times: object) -> list[str]:
        found = [names[list(made.values()).index(memory.id)] for memory in mind.list(**times)]  # type: ignore[arg-type]
        assert mind.count(**times) == len(found)  # type: ignore[arg-type]
        return found

    assert listed(since="today") == ["human"]
    assert listed(since="yesterday", until="yesterday") == ["ai"]
    assert listed(since="3d") == names[:4]
    assert listed(until="2 days ago") == names[2:]
    assert listed(since=START - timedelta(days=2), until=START - timedelta(days=1)) == names[1:3]
    assert listed(since="2026-02-26", source="dream") == []
    assert listed(since=START, until=START - timedelta(days=1)) == []


def test_by_ids(mind: Mind) -> None:
    made = list(filled(mind).values())
    mind.forget(ids=made[:1])
    assert [memory.id for memory in mind.list(ids=[made[3], made[1], made[3]])] == [made[1], made[3]]
    assert {memory.id for memory in mind.list(ids=iter(made[:2]), state="all")} == set(made[:2])
    assert mind.list(ids=made[:1]) == mind.list(ids=[]) == []
    assert [memory.id for memory in mind.list(ids=made[0], state="forgotten")] == made[:1]
    unknown = "01900000-0000-7000-8000-000000000000"
    assert [memory.id for memory in mind.list(ids=[unknown, made[2]], scope="/ingest")] == [made[2]]
    first = mind.list(ids=made[1:], limit=2)
    rest = mind.list(ids=made[1:], after=str(Place.of(first[-1])))
    assert [memory.id for memory in (*first, *rest)] == made[1:]


def test_what_is_wrong_is_named_all_at_once(mind: Mind) -> None:
    with pytest.raises(InvalidInput) as caught:
        mind.list(state="gone", source="bird", since="some day", until=5, ids=["x"], limit=0)  # type: ignore[arg-type]
    told = str(caught.value)
    for name in ("state", "source", "since", "until", "id", "limit"):
        assert name in told, name
    wrong: tuple[dict[str, object], ...] = (
        {"ids": ["01900000-0000-7000-8000-000000000000"] * 1001},
        {"ids": b"x"},
        {"ids": [None]},
        {"ids": 7},
        {"ids": ["' OR 1=1 --"]},
        {"source": ["ai", "bird"]},
        {"source": ""},
        {"since": datetime(2026, 1, 1)},
        {"since": "\x00"},
        {"until": "x" * 100_000},
    )
    for given in wrong:
        with pytest.raises(InvalidInput):
            mind.list(**given)  # type: ignore[arg-type]
    for given in wrong[5:]:
        with pytest.raises(InvalidInput):
            mind.count(**given)  # type: ignore[arg-type]
    for sources in ("bird", ["ai", None], 5, ["ai"] * 1001):
        with pytest.raises(InvalidInput):
            mind.recall("heron", sources=sources)  # type: ignore[arg-type]
    assert mind.recall("heron", sources=[]) == []
    assert mind.list(since=datetime(1, 1, 1, tzinfo=UTC), until=datetime(9999, 1, 1, tzinfo=UTC)) == []
