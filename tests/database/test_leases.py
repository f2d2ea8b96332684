"""R6, R7 on a database: one effect of what two do at once; who was frozen or killed is replaced, and fenced out."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from time import perf_counter, sleep
from typing import Any

import psycopg
import pytest

from remanence import Mind
from remanence.model.plan import Change, Plan
from remanence.store.postgres import migrations
from tests.activity import attend
from tests.conftest import Clock, new_mind
from tests.crash.operations import dreaming
from tests.crash.stores import opened
from tests.crash.test_leases import GRACE_SECONDS, LEASE_SECONDS, holding, taken_over
from tests.database.workers import crew
from tests.facts import facts, remembered
from tests.reliability.recording import Measured

FROZEN_SECONDS = 2


@pytest.fixture
def start() -> Iterator[Callable[..., Any]]:
    with crew() as start:
        yield start


@pytest.fixture
def mind(url: str) -> Iterator[Mind]:
    with opened(url, at=None) as mind:  # type: ignore[arg-type]
        yield mind
        assert mind.check().problems == ()


def rows(url: str) -> dict[str, list[str]]:
    """Every row of every table of the store, but for those that count or say who is at it."""
    with psycopg.connect(url) as raw:
        return {
            table: sorted(str(row) for row in raw.execute(f"SELECT * FROM remanence.{table}"))  # type: ignore[arg-type]
            for table in migrations.tables()
            if table not in ("turns", "leases")
        }


@pytest.mark.promise("R7")
@pytest.mark.parametrize("holder", ["another", "the same"])
def test_a_killed_holder_is_replaced(
    url: str, mind: Mind, start: Callable[..., Any], holder: str, measured: Measured
) -> None:
    mind.remember("The lighthouse keeper counts ships")
    holding(start, url, "the same").kill()  # type: ignore[arg-type]
    assert mind._store.claim("sweep", holder, mind.clock(), 30.0) is None
    begun = perf_counter()
    lease = taken_over(mind, holder)
    measured(f"lease of {LEASE_SECONDS:.0f} s", taken_over_within_s=perf_counter() - begun)
    assert lease.token == 2
    mind._store.finish(lease, mind.clock())


@pytest.mark.promise("R6")
def test_a_frozen_holder_is_replaced_and_fenced_out(
    url: str, mind: Mind, start: Callable[..., Any], measured: Measured
) -> None:
    memory = mind.remember("The lighthouse keeper counts ships").memory
    child = holding(start, url, "frozen")  # type: ignore[arg-type]
    os.kill(child.process.pid, signal.SIGSTOP)
    try:
        begun = perf_counter()
        lease = taken_over(mind, "successor")
        measured(f"lease of {LEASE_SECONDS:.0f} s", taken_over_within_s=perf_counter() - begun)
        mind._store.apply(Plan((Change.of(memory, "tested", importance=0.9),), verb="sweep"), mind.clock(), lease=lease)
        before = rows(url)
    finally:
        os.kill(child.process.pid, signal.SIGCONT)
    child.say()
    answers = child.finish()
    assert [answer.get("error") for answer in answers] == ["LeaseLost"] * 3, answers
    assert all("successor" in answer["message"] for answer in answers)
    assert rows(url) == before, "nothing of it was written"
    mind._store.finish(lease, mind.clock())


@pytest.mark.promise("R6")
def test_a_writer_frozen_within_a_transaction_holds_nobody_up(url: str, mind: Mind, start: Callable[..., Any]) -> None:
    """Its namespace goes on when its time is up; thawed, it learns that its write is gone, and can write again."""
    child = start("hold_write_for", url, FROZEN_SECONDS)
    assert child.next() == "held"
    os.kill(child.process.pid, signal.SIGSTOP)
    try:
        begun = perf_counter()
        mind.remember("Written by another")
        assert perf_counter() - begun < FROZEN_SECONDS + GRACE_SECONDS
    finally:
        os.kill(child.process.pid, signal.SIGCONT)
    child.say()
    told, id = child.finish()
    assert told["error"] == "StoreUnavailable" and "not half-written" in told["message"], told
    assert {memory.text for memory in mind.list(state="all")} == {"Written by another", mind.get(id).text}


@pytest.mark.promise("R6")
def test_processes_take_turns(url: str, start: Callable[..., Any]) -> None:
    """One effect for each claim: no token is given twice, none is lost."""
    opened(url).close()  # type: ignore[arg-type]
    children = [start("take_turns", url, f"process{number}", 10) for number in range(2)]
    assert [child.next() for child in children] == ["ready"] * 2
    for child in children:
        child.say()
    tokens = {f"process{number}": child.finish()[-1] for number, child in enumerate(children)}
    assert sorted(token for each in tokens.values() for token in each) == list(range(1, 21))
    with opened(url) as mind:  # type: ignore[arg-type]
        texts = {memory.text for memory in mind.list(limit=100)}
    assert texts == {f"Turn {token} was {name}'s" for name, each in tokens.items() for token in each}


@pytest.mark.promise("R6")
def test_two_upkeeps_at_once_have_one_effect(url: str, start: Callable[..., Any]) -> None:
    long_ago = Clock(datetime.now(UTC) - timedelta(days=900))
    with new_mind(url, long_ago, namespace="main") as old:
        faded = [{"text": f"Faded {n} {n * 7919}", "importance": 0.05, "kind": f"k{n}"} for n in range(40)]
        old.remember_many(faded)
        attend(old, long_ago, days=899)
        old.remember_many([{"text": f"Fresh {n} {n * 31}", "importance": 0.9, "kind": f"f{n}"} for n in range(400)])
    children = [start("upkeep_when_told", url) for _ in range(2)]
    assert [child.next() for child in children] == ["ready"] * 2
    for child in children:
        child.say()
    reports = [child.finish()[-1] for child in children]
    with opened(url, at=None) as mind:  # type: ignore[arg-type]
        left = mind.count(state="all") - mind.count()
        assert left > 0
        assert sum(report["archived"] + report["forgotten"] for report in reports) == left
        effects = {entry.receipt_id for entry in mind.journal(limit=100) if entry.verb == "sweep"}
        assert {report["receipt_id"] for report in reports} - {None} == effects and len(effects) == 1
        assert mind.check().problems == ()


@pytest.mark.promise("R6", "R9")
def test_a_dream_is_dreamt_by_one(url: str, start: Callable[..., Any]) -> None:
    """R9 too: what is written while the language model is waited for is there afterwards."""
    with dreaming(url, at=None) as mind:  # type: ignore[arg-type]
        remembered(mind, facts("garden", 6), scope="/garden")
        first = start("dream_when_told", url)
        assert first.next() == "asked"
        second = start("dream_when_told", url)
        told = second.next()
        assert told["ran"] is False and "another" in told["why"], told
        written = mind.remember("Written while somebody dreamt").memory.id
        first.say()
        while (told := first.next()) == "asked":
            first.say()
        assert told["ran"] is True
        assert mind.get(written)
        summaries = [memory for memory in mind.list(limit=100) if memory.kind == "summary"]
        assert len(summaries) == 1
        assert mind.check().problems == ()


@pytest.mark.promise("R7")
def test_a_killed_dreamer_is_replaced(url: str, start: Callable[..., Any]) -> None:
    """A process of this machine that has ended need not be waited for."""
    with dreaming(url, at=None) as mind:  # type: ignore[arg-type]
        remembered(mind, facts("garden", 6), scope="/garden")
        first = start("dream_when_told", url)
        assert first.next() == "asked"
        first.kill()
        sleep(0.1)
        assert mind.dreams.run("cluster").ran
        assert len([memory for memory in mind.list(limit=100) if memory.kind == "summary"]) == 1
        assert mind.check().problems == ()
