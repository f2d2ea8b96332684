"""A store's own past: every moment it knows of, and what left by age apart from what left otherwise."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from remanence import Mind
from remanence.flows.trace import recorded
from remanence.model.memory import State
from remanence.model.moment import MICROS_PER_DAY, NEVER, to_micros
from remanence.model.plan import Change, Plan
from remanence.model.trace import Trace
from tests.conftest import START, Clock, new_mind

DAY = timedelta(days=1)
TEXTS = ("The heron nests by the lake", "Oslo has a harbour", "Borrow the ladder from Ann")


def of(mind: Mind, clock: Clock) -> Trace:
    return recorded(mind._store, clock.now)


def row_of(mind: Mind, trace: Trace, id: str) -> int:
    return mind._store.ids(trace.columns.rows.tolist()).index(id)


def moments(mind: Mind, trace: Trace, id: str) -> list[datetime]:
    found = trace.uses[row_of(mind, trace, id)]
    return [START + timedelta(microseconds=int(at) - to_micros(START)) for at in found]


def test_every_recall_is_there_once(mind: Mind, clock: Clock) -> None:
    heron = mind.remember(TEXTS[0]).memory.id
    mind.remember(TEXTS[1])
    for _ in range(25):
        clock.advance(days=1)
        mind.recall("heron lake", limit=1)
    trace = of(mind, clock)
    assert moments(mind, trace, heron) == [START + day * DAY for day in range(1, 26)], "the log knows the oldest five"
    assert trace.unplaced.tolist() == [0, 0]
    assert (trace.begins, trace.ends, trace.left_out) == (to_micros(START), to_micros(clock.now), 0)


def test_what_the_log_has_forgotten_is_known_by_number(mind: Mind, clock: Clock) -> None:
    heron = mind.remember(TEXTS[0]).memory.id
    for _ in range(25):
        clock.advance(days=1)
        mind.recall("heron", limit=1)
    mind._store.flush()
    mind._store.log.forget_before(clock.now)
    trace = of(mind, clock)
    assert len(moments(mind, trace, heron)) == 20
    assert trace.unplaced.tolist() == [5]


def test_the_last_access_stays_known_when_moments_are_pruned(mind: Mind, clock: Clock) -> None:
    heron = mind.remember(TEXTS[0]).memory.id
    clock.advance(days=1)
    mind.recall("heron")
    clock.advance(days=100)
    mind.apply(mind.dream(steps=["prune"]))
    assert mind.get(heron).recent_accesses == ()
    assert moments(mind, of(mind, clock), heron) == [START + DAY]


def swept_by_rule(mind: Mind, id: str) -> None:
    """Archive one as a sweep does, which tells what it was worth."""
    change = Change.of(mind.get(id), "faded", state=State.ARCHIVED)
    mind.apply(Plan((replace(change, evidence={"worth": 0.1}),), verb="sweep"))


def test_what_was_missed_while_archived_counts_as_used(mind: Mind, clock: Clock) -> None:
    old = mind.remember(TEXTS[0]).memory.id
    clock.advance(days=200)
    mind.remember(TEXTS[1])
    swept_by_rule(mind, old)
    clock.advance(days=5)
    mind.recall("heron lake")
    trace = of(mind, clock)
    row = row_of(mind, trace, old)
    assert moments(mind, trace, old) == [START + 205 * DAY]
    assert trace.unplaced[row] == 0
    assert trace.left_at[row] == NEVER, "a rule took it: another policy might not have"
    clock.advance(days=1)
    mind.forget(ids=[old])
    assert of(mind, clock).left_at[row] == to_micros(clock.now), "a person took it then"


def test_what_a_sweep_took_lives_on_and_what_a_person_put_away_ends(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        swept = mind.remember(TEXTS[0], importance=0.1).memory.id
        forgotten = mind.remember(TEXTS[1]).memory.id
        back = mind.remember(TEXTS[2]).memory.id
        clock.advance(days=10)
        mind.forget(ids=[forgotten, back])
        clock.advance(days=10)
        mind.restore(ids=[back])
        clock.advance(days=180)
        mind.apply(mind.sweep(), force=True)
        assert mind.get(swept).state == "forgotten"
        trace = of(mind, clock)
        left = {id: int(trace.left_at[row_of(mind, trace, id)]) for id in (swept, forgotten, back)}
        assert left == {swept: NEVER, forgotten: to_micros(START + 10 * DAY), back: NEVER}


def test_what_was_replaced_or_absorbed_ends_there(mind: Mind, clock: Clock) -> None:
    old = mind.remember("The deploy server stands in the town of Oslo").memory.id
    clock.advance(days=3)
    new = mind.revise(old, text="The deploy server stands in the town of Rome").memory.id
    mind.absorb("Ann likes tea. Bob likes coffee.")
    trace = of(mind, clock)
    assert trace.left_at[row_of(mind, trace, old)] == to_micros(START + 3 * DAY)
    assert trace.left_at[row_of(mind, trace, new)] == NEVER
    archived = [memory.id for memory in mind.list(state="archived")]
    assert archived
    assert all(trace.left_at[row_of(mind, trace, id)] == to_micros(clock.now) for id in archived)


def test_times_that_cannot_be_are_left_out_and_counted(mind: Mind, clock: Clock) -> None:
    heron = mind.remember(TEXTS[0]).memory.id
    clock.advance(days=-2)
    mind.recall("heron")
    clock.advance(days=2)
    trace = of(mind, clock)
    assert trace.left_out == 1
    assert moments(mind, trace, heron) == []


def test_old_memories_taken_in_today_have_no_past_here(mind: Mind, clock: Clock) -> None:
    mind.remember(TEXTS[0], created_at=START - 300 * DAY)
    assert of(mind, clock).begins == to_micros(START)


def test_an_empty_store(mind: Mind, clock: Clock) -> None:
    trace = of(mind, clock)
    assert len(trace) == 0
    assert trace.begins == trace.ends


def test_progress_and_pages(mind: Mind, clock: Clock) -> None:
    mind.remember_many([f"w{n} x{n} y{n}" for n in range(30)])
    seen: list[tuple[int, int]] = []
    trace = recorded(mind._store, clock.now, lambda done, total: seen.append((done, total)))
    assert seen == [(30, 30)]
    assert np.array_equal(trace.living(to_micros(clock.now) + MICROS_PER_DAY), np.arange(30))
