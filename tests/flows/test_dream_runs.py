"""Dreams applied: twice changes nothing, undo brings all back, runs keep time and lease, and the report is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import InvalidInput
from remanence.flows.dream.plan import STEPS
from remanence.flows.dream.run import JOB, LEASE_SECONDS
from remanence.model.memory import Memory, State
from remanence.settings import Settings
from tests.activity import attend
from tests.conftest import Clock, new_mind
from tests.facts import TOPICS, Author, Topical, facts, reaches, remembered

SOME = "curve,cluster,prune"


@pytest.fixture
def town(clock: Clock) -> Iterator[Mind]:
    with new_mind(clock=clock, embedder=Topical()) as mind:
        yield mind
        assert mind.check().problems == ()


def held(mind: Mind) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    while page := mind.list(state="all", limit=1000, offset=len(found)):
        found |= {memory.id: memory.to_dict() for memory in page}
    return found


def states(mind: Mind, some: list[Memory]) -> set[State]:
    return {mind.get(memory.id).state for memory in some}


# --- twice


@pytest.mark.parametrize("steps", [SOME, None], ids=["three steps", "all steps"])
def test_the_second_dream_changes_nothing(town: Mind, steps: str | None) -> None:
    """Also where the share of a day is used up: 24 of the 30 leave, and the others wait for the next day."""
    remembered(town, facts("garden", 30))
    remembered(town, facts("kitchen", 4), importance=0.1)
    first = town.apply(town.dream(steps=steps))
    assert len(first.applied) >= 20
    before = held(town)
    again = town.dream(steps=steps)
    assert (again.changes, again.claims) == ((), ())
    assert town.apply(again).applied == ()
    done = town.dreams.run(steps)
    assert (done.receipts, done.merged, done.made, done.pruned) == ({}, 0, 0, 0)
    assert held(town) == before


def test_the_rest_leaves_on_the_next_day(town: Mind, clock: Clock) -> None:
    sources = remembered(town, facts("garden", 40))
    town.apply(town.dream(steps=SOME))
    left = [memory for memory in sources if town.get(memory.id).state is State.LIVE]
    assert 16 <= len(left) < 40
    clock.advance(hours=23)
    assert town.dream(steps=SOME).changes == ()
    clock.advance(hours=2)
    town.apply(town.dream(steps=SOME))
    assert len([memory for memory in left if town.get(memory.id).state is State.LIVE]) < len(left)


def test_a_twentieth_of_a_large_scope_leaves(clock: Clock) -> None:
    with new_mind(clock=clock, embedder=Topical()) as mind:
        for topic in TOPICS[:4]:
            remembered(mind, facts(topic, 30))
        plan = mind.dream(steps=SOME)
        assert sum(len(claim.leaving) for claim in plan.claims) == 6
        assert any("another day" in warning for warning in plan.warnings)
        mind.apply(plan)
        assert mind.dream(steps=SOME).changes == ()


# --- undo


def without_kept(memories: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {id: {name: value for name, value in one.items() if name != "kept_until"} for id, one in memories.items()}


def test_undo_brings_every_memory_back_as_it_was(town: Mind, clock: Clock) -> None:
    sources = remembered(town, facts("garden", 7), categories=["plants"], metadata={"n": 1})
    remembered(town, facts("kitchen", 6), source="ai")
    town.recall(sources[0].text)
    town._store.flush()
    before = held(town)
    receipt = town.apply(town.dream(steps=SOME))
    made = [memory.id for memory in town.list(kind="summary")]
    assert len(made) == 2
    clock.advance(days=3)
    undone = town.undo(receipt.id)
    assert undone.skipped == {}
    after = held(town)
    assert without_kept({id: one for id, one in after.items() if id in before}) == without_kept(before)
    assert after.keys() - before.keys() == set(made)
    assert {after[id]["state"] for id in made} == {"forgotten"}
    merged = {id for id in receipt.applied if id in before}
    kept_until = (clock.now + timedelta(days=30)).isoformat()
    assert {after[id]["kept_until"] for id in merged} == {kept_until}
    assert town.dream(steps=SOME).changes == (), "what came back is kept for a month"
    town.undo(undone.id)
    assert {memory.id for memory in town.list(kind="summary")} == set(made)
    assert states(town, sources) == {State.ARCHIVED}


def test_undo_takes_back_no_more_than_the_dream_did(town: Mind) -> None:
    """A source that a person forgot since stays forgotten."""
    sources = remembered(town, facts("garden", 6))
    receipt = town.apply(town.dream(steps=SOME))
    town.forget(ids=[sources[0].id])
    undone = town.undo(receipt.id)
    assert sources[0].id in undone.skipped
    assert town.get(sources[0].id).state is State.FORGOTTEN
    assert states(town, sources[1:]) == {State.LIVE}


# --- the report


def test_the_report_of_dreams(town: Mind, clock: Clock) -> None:
    assert town.dreams.report() == []
    sources = remembered(town, facts("garden", 6))
    first = town.dreams.run(SOME)
    clock.advance(days=1)
    remembered(town, facts("kitchen", 5))
    second = town.dreams.run(SOME)
    newer, older = town.dreams.report()
    assert (older.receipt_id, newer.receipt_id) == (first.receipts["cluster"], second.receipts["cluster"])
    assert (set(older.merged), len(newer.merged)) == ({memory.id for memory in sources}, 5)
    assert (len(older.made), older.archived, older.adjusted, older.undone) == (1, 0, 0, None)
    assert (older.tokens_freed, newer.tokens_freed) == (first.tokens_freed, second.tokens_freed)
    assert (older.missed, older.missed_ids) == (0, ())
    assert newer.at == clock.now
    assert [one.receipt_id for one in town.dreams.report(1)] == [newer.receipt_id]
    undone = town.undo(older.receipt_id)
    assert town.dreams.report()[1].undone == undone.id
    town.undo(undone.id)
    assert town.dreams.report()[1].undone is None, "redone"


def test_the_report_tells_what_was_missed(town: Mind) -> None:
    """Its summary is gone, so a recall that asks for a source misses it."""
    sources = remembered(town, facts("garden", 6))
    town.apply(town.dream(steps=SOME))
    town.recall(sources[0].text)
    town._store.flush()
    assert town.dreams.report()[0].missed == 0, "the summary said it"
    town.forget(ids=[memory.id for memory in town.list(kind="summary")])
    hits = town.recall(sources[0].text)
    town._store.flush()
    assert sources[0].id in {hit.memory.id for hit in hits.missed}
    dreamt = town.dreams.report()[0]
    assert dreamt.missed >= 1
    assert sources[0].id in dreamt.missed_ids


@pytest.mark.parametrize("limit", [0, -1, 1001, 1.5, True, "5", None])
def test_bad_limits_of_a_report(town: Mind, limit: Any) -> None:
    with pytest.raises(InvalidInput, match="limit"):
        town.dreams.report(limit)


# --- unattended


def test_a_run_has_a_receipt_for_each_step_that_changed_something(town: Mind, clock: Clock) -> None:
    sources = remembered(town, facts("garden", 6))
    faded = remembered(town, facts("kitchen", 3), importance=0.05, scope="/old")
    attend(town, clock, days=400)
    fresh = remembered(town, facts("harbour", 5))
    done = town.dreams.run(SOME)
    assert (done.ran, done.left, done.llm) == (True, (), False)
    assert set(done.receipts) == {"curve", "cluster"}
    assert states(town, faded) == {State.ARCHIVED}
    merged = [memory for memory in (*sources, *fresh) if town.get(memory.id).state is State.ARCHIVED]
    assert set(fresh) <= set(merged)
    town.undo(done.receipts["curve"])
    assert states(town, faded) == {State.LIVE}
    assert states(town, fresh) == {State.ARCHIVED}


class Ticking(Clock):
    """A clock on which every look at it takes a while."""

    step = timedelta(0)

    def __call__(self) -> datetime:
        self.now += self.step
        return self.now


def test_a_run_that_is_out_of_time_goes_on_next_time() -> None:
    clock = Ticking()
    settings = Settings(upkeep__on_open=False, dream__seconds_per_run=60.0)
    with new_mind(clock=clock, embedder=Topical(), settings=settings) as mind:
        sources = remembered(mind, facts("garden", 6))
        clock.step = timedelta(seconds=4)
        done: list[str] = []
        for _ in range(12):
            run = mind.dreams.run()
            assert run.ran
            done += [step for step in STEPS if step not in run.left and step not in done]
            assert set(run.left) == set(STEPS) - set(done), "it begins with what was left"
            if not run.left:
                break
        assert len(done) == 7
        assert states(mind, sources) == {State.ARCHIVED}
        clock.step = timedelta(0)
        assert mind._store.job(JOB).finished_at is not None
        assert mind.dreams.run().left == ()
        assert mind.check().problems == ()


def test_what_a_cluster_step_has_when_the_time_is_up_is_applied_whole(clock: Clock) -> None:
    def slowly(prompt: str, schema: Any) -> str:
        clock.advance(seconds=400)
        return "no JSON"

    settings = Settings(upkeep__on_open=False, dream__seconds_per_run=600.0)
    with new_mind(clock=clock, embedder=Topical(), llm=Author(slowly), settings=settings) as mind:
        for topic in TOPICS[:4]:
            remembered(mind, facts(topic, 5), scope=f"/{topic}")
        done = mind.dreams.run("cluster")
        assert done.left == ("cluster",)
        assert 0 < done.made < 4
        assert done.merged == 5 * done.made
        assert any("used up" in warning for warning in done.warnings)
        for summary in mind.list(kind="summary"):
            assert states(mind, [mind.get(id) for id in summary.lineage]) == {State.ARCHIVED}


def test_tokens_are_a_budget_too(clock: Clock) -> None:
    author = Author("no JSON, and a long answer too" * 20)
    settings = Settings(upkeep__on_open=False, dream__tokens_per_run=100)
    with new_mind(clock=clock, embedder=Topical(), llm=author, settings=settings) as mind:
        for topic in TOPICS[:4]:
            remembered(mind, facts(topic, 5), scope=f"/{topic}")
        done = mind.dreams.run("cluster")
        assert done.left == () and done.made == 4, "what is left is done without a model"
        assert len(author.asked) <= 2


# --- one at a time (R6)


@pytest.mark.promise("R6")
def test_two_at_once_have_one_effect(open_mind: Callable[..., Mind], clock: Clock) -> None:
    whys: list[Any] = []

    def meanwhile(prompt: str, schema: Any) -> str:
        whys.append(other.dreams.run(SOME))
        return "no JSON"

    one = open_mind(embedder=Topical(), llm=Author(meanwhile))
    other = open_mind(embedder=Topical())
    remembered(one, facts("garden", 6))
    done = one.dreams.run(SOME)
    assert (done.ran, done.merged) == (True, 6)
    assert whys
    for refused in whys:
        assert (refused.ran, refused.merged, refused.receipts) == (False, 0, {})
        assert "another process dreams" in refused.why
    assert len(one.list(kind="summary")) == 1
    assert other.dreams.run(SOME).ran, "it is free again"


@pytest.mark.promise("R6")
@pytest.mark.parametrize("frozen", ["as the model answers", "as the summary is embedded"])
def test_a_holder_that_was_replaced_writes_nothing(open_mind: Callable[..., Mind], clock: Clock, frozen: str) -> None:
    """The clock stands still for longer than the lease, and another dreams meanwhile."""

    def meanwhile(*_: Any) -> str:
        if not runs:
            runs.append(None)
            clock.advance(seconds=LEASE_SECONDS + 1)
            runs[0] = other.dreams.run(SOME)
        return "no JSON"

    runs: list[Any] = []
    embedder = Topical()
    one = open_mind(embedder=embedder, llm=Author(meanwhile if frozen == "as the model answers" else "no JSON"))
    other = open_mind(embedder=Topical())
    remembered(one, facts("garden", 6))
    if frozen == "as the summary is embedded":
        embedder.before = meanwhile
    done = one.dreams.run(SOME)
    assert (runs[0].ran, runs[0].merged) == (True, 6)
    assert (done.ran, done.receipts, done.merged, done.made) == (False, {}, 0, 0)
    assert done.why
    assert len(one.list(kind="summary")) == 1
    assert one.dream(steps=SOME).changes == ()


def test_a_dream_that_was_broken_off_leaves_the_job_free(clock: Clock) -> None:
    author = Author(KeyboardInterrupt())
    with new_mind(clock=clock, embedder=Topical(), llm=author) as mind:
        sources = remembered(mind, facts("garden", 6))
        with pytest.raises(KeyboardInterrupt):
            mind.dreams.run(SOME)
        assert states(mind, sources) == {State.LIVE}
        author.answer = "no JSON"
        assert mind.dreams.run(SOME).merged == 6
        assert mind.check().problems == ()


# --- R11: a dream in the midst of a recall


@pytest.mark.promise("R11")
@pytest.mark.parametrize("back", [False, True], ids=["merged", "taken back"])
def test_a_dream_in_the_midst_of_a_recall_hides_nothing(
    open_mind: Callable[..., Mind], monkeypatch: pytest.MonkeyPatch, back: bool
) -> None:
    """Candidates are found, then the dream is applied, then they are read: the fact is found one way or the other."""
    mind, other = (open_mind(embedder=Topical()) for _ in range(2))
    sources = remembered(mind, facts("garden", 6))
    remembered(mind, facts("kitchen", 4))
    for topic in TOPICS[3:]:
        remembered(mind, facts(topic, 4), scope=f"/{topic}")
    plan = other.dream(steps="cluster")
    receipt = other.apply(plan) if back else None
    plainly, meanwhile = mind._store.memories, [True]

    def memories(rows: Any) -> Any:
        if meanwhile:
            meanwhile.clear()
            if receipt is not None:
                other.undo(receipt.id)
            else:
                other.apply(plan)
        return plainly(rows)

    monkeypatch.setattr(mind._store, "memories", memories)
    assert reaches(mind, sources[0], limit=5) is not None
    assert not meanwhile
