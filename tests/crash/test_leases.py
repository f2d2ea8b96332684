"""R6, R7: a holder that is killed or frozen is replaced without a manual unlock; thawed, it is fenced out."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import LeaseLost
from remanence.model.lease import Lease
from remanence.model.plan import Change, Plan
from remanence.store.sql import store as sql_store
from tests.crash.conftest import Child
from tests.crash.stores import dump, opened, sound
from tests.reliability.recording import Measured

LEASE_SECONDS = 1.0
GRACE_SECONDS = 5.0


def taken_over(mind: Mind, holder: str) -> Lease:
    """The job, as soon as it can be had."""
    begun = perf_counter()
    while (lease := mind._store.claim("sweep", holder, mind.clock(), 30.0)) is None:
        assert perf_counter() - begun < LEASE_SECONDS + GRACE_SECONDS
        sleep(0.02)
    return lease


def holding(start: Callable[..., Child], path: Path, holder: str) -> Child:
    child = start("hold_job", path, holder, LEASE_SECONDS)
    assert child.next() == 1
    return child


@pytest.mark.promise("R7")
@pytest.mark.parametrize("holder", ["another", "the same"])
def test_a_killed_holder_is_replaced(path: Path, start: Callable[..., Child], holder: str, measured: Measured) -> None:
    """Also by one that has the same name, as when a process id is given again; and not before the time is up."""
    with opened(path, at=None) as mind:
        mind.remember("The lighthouse keeper counts ships")
        child = holding(start, path, "the same")
        child.kill()
        until = mind._store.job("sweep").until
        assert until is not None
        assert mind._store.claim("sweep", holder, mind.clock(), 30.0) is None
        lease = taken_over(mind, holder)
        late = (mind.clock() - until).total_seconds()
        measured(f"lease of {LEASE_SECONDS:.0f} s", taken_over_after_its_end_s=late)
        assert late >= 0
        assert lease.token == 2
        mind._store.finish(lease, mind.clock())
    sound(path)


@pytest.mark.promise("R6")
def test_a_frozen_holder_is_replaced_and_fenced_out(
    path: Path, start: Callable[..., Child], measured: Measured
) -> None:
    with opened(path, at=None) as mind:
        memory = mind.remember("The lighthouse keeper counts ships").memory
        child = holding(start, path, "frozen")
        os.kill(child.process.pid, signal.SIGSTOP)
        try:
            begun = perf_counter()
            lease = taken_over(mind, "successor")
            measured(f"lease of {LEASE_SECONDS:.0f} s", taken_over_within_s=perf_counter() - begun)
            change = Change.of(memory, "tested", importance=0.9)
            mind._store.apply(Plan((change,), verb="sweep"), mind.clock(), lease=lease)
            before = dump(path)
        finally:
            os.kill(child.process.pid, signal.SIGCONT)
        child.say()
        answers = child.finish()
        assert [answer.get("error") for answer in answers] == ["LeaseLost"] * 3, answers
        assert all("successor" in answer["message"] for answer in answers)
        assert dump(path) == before, "nothing of it was written"
        assert mind.get(memory.id).importance == 0.9
        mind._store.finish(lease, mind.clock())
    sound(path)


@pytest.mark.promise("R6")
def test_a_holder_that_was_frozen_but_not_replaced_goes_on(path: Path, start: Callable[..., Child]) -> None:
    with opened(path, at=None) as mind:
        memory = mind.remember("The lighthouse keeper counts ships").memory
        child = holding(start, path, "frozen")
        os.kill(child.process.pid, signal.SIGSTOP)
        sleep(LEASE_SECONDS + 0.1)
        os.kill(child.process.pid, signal.SIGCONT)
        child.say()
        assert all("done" in answer for answer in child.finish())
        assert mind.get(memory.id).importance == 0.01
        assert mind._store.job("sweep").finished_at is not None
    sound(path)


@pytest.mark.promise("R6")
def test_processes_take_turns(path: Path, start: Callable[..., Child]) -> None:
    """One effect for each claim: no token is given twice, none is lost."""
    opened(path).close()
    children = [start("take_turns", path, f"process{number}", 15) for number in range(3)]
    assert [child.next() for child in children] == ["ready"] * 3
    for child in children:
        child.say()
    tokens = {f"process{number}": child.finish()[-1] for number, child in enumerate(children)}
    assert sorted(token for each in tokens.values() for token in each) == list(range(1, 46))
    with opened(path) as mind:
        texts = {memory.text for memory in mind.list(limit=100)}
    assert texts == {f"Turn {token} was {name}'s" for name, each in tokens.items() for token in each}
    sound(path)


@pytest.mark.promise("R6")
def test_a_plan_in_parts_stops_where_the_lease_is_lost(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written before is whole; nothing of the part that came too late is."""
    monkeypatch.setattr(sql_store, "_CHUNK", 2)
    with opened(path, at=None) as mind, opened(path, at=None) as other:
        many = [done.memory for done in mind.remember_many([f"Number {n} of {n * 7919}" for n in range(6)])]
        lease = mind._store.claim("sweep", "slow", mind.clock(), 0.0)
        plainly, parts = mind._store.transaction, count(1)

        @contextmanager
        def transaction() -> Iterator[Any]:
            if next(parts) == 3:
                assert other._store.claim("sweep", "quick", other.clock(), 30.0) is not None
            with plainly() as connection:
                yield connection

        monkeypatch.setattr(mind._store, "transaction", transaction)
        changes = tuple(Change.of(memory, "tested", pinned=True) for memory in many)
        with pytest.raises(LeaseLost, match="quick"):
            mind._store.apply(Plan(changes, verb="sweep"), mind.clock(), lease=lease)
        assert [mind.get(memory.id).pinned for memory in many] == [True] * 4 + [False] * 2
    sound(path)
