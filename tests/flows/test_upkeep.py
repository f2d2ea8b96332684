"""upkeep on real stores: what a timer calls, once however many call it, bounded by the breaker and when opening."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import LeaseLost
from remanence.flows.apply import apply
from remanence.flows.upkeep import JOB, LEASE_SECONDS, MOST_ON_OPEN
from remanence.model.report import Report
from remanence.policies.reading import PRESETS, read
from remanence.settings import Settings
from tests.activity import attend_until, be_there, every_day
from tests.conftest import START, Clock, dump, new_mind

TINY = timedelta(microseconds=1)
QUIET = Settings(upkeep__on_open=False)
CARING = Settings(upkeep__on_open=True)
Open = Callable[..., Mind]


def remember(mind: Mind, number: int, start: int = 0, **fields: Any) -> list[str]:
    """Ids of so many memories that share no word with each other."""
    texts = ({"text": f"w{n} x{n} y{n}"} | fields for n in range(start, start + number))
    return [made.memory.id for made in mind.remember_many(texts)]


def done(report: Report) -> int:
    return report.archived + report.forgotten + report.moved


# --- what it does


def test_upkeep_does_what_a_sweep_plans_and_tells(clock: Clock) -> None:
    with new_mind(clock=clock, policy="relevance") as mind:
        facts = remember(mind, 2)
        remember(mind, 1, 10, kind="tool_output")
        remember(mind, 1, 20, kind="finding")
        remember(mind, 1, 30, layer="working", kind="decision")
        clock.advance(days=80)
        report = mind.upkeep()
        assert report.ran
        assert (report.archived, report.forgotten, report.moved, report.offered) == (3, 0, 1, 1)
        assert report.by_rule == {"irrelevant": 2, "time is up": 1, "settled": 1}
        assert (report.left, report.at) == (0, clock.now)

        assert report.skipped == 0
        assert {mind.get(id).state for id in facts} == {"archived"}
        assert mind.stats().upkeep_at == clock.now
        mind.undo(report.receipt_id)
        assert mind.count() == 5
        assert json.dumps(report.to_dict())


def test_a_second_upkeep_changes_nothing(clock: Clock) -> None:
    for name in PRESETS:
        clock.now = START
        with new_mind(clock=clock, policy=name) as mind:
            remember(mind, 20, importance=0.1)
            remember(mind, 3, 30, layer="working", kind="finding")
            clock.advance(days=60)
            mind.upkeep()
            before = {table: rows for table, rows in dump(mind).items() if table != "leases"}
            again = mind.upkeep()
            assert (done(again), again.receipt_id, again.by_rule) == (0, None, {})
            assert {table: rows for table, rows in dump(mind).items() if table != "leases"} == before


def test_an_upkeep_with_nothing_to_do_leaves_no_receipt(mind: Mind) -> None:
    remember(mind, 3)
    receipts = mind.stats().receipts
    report = mind.upkeep()
    assert (report.ran, report.receipt_id, done(report)) == (True, None, 0)
    assert mind.stats().receipts == receipts


def test_upkeep_dates_what_another_policy_dated(clock: Clock, open_mind: Open) -> None:
    remember(open_mind(), 7)
    assert open_mind(policy="tiered").upkeep().dated == 7
    assert open_mind(policy="tiered").upkeep().dated == 0


def test_daily_and_monthly_upkeep_end_alike(clock: Clock) -> None:
    states = []
    for days in ([1] * 60, [60]):
        clock.now = START
        with new_mind(clock=clock, policy="halflife") as mind:
            for number in range(12):
                remember(mind, 1, number, importance=number / 20)
            for step in days:
                clock.advance(days=step)
                mind.upkeep()
            states.append([(memory.text, memory.state, memory.layer) for memory in mind.list(state="all")])
    assert states[0] == states[1]
    assert {state for _, state, _ in states[0]} == {"live", "forgotten"}


# --- the breaker


def test_upkeep_takes_the_least_worthy_up_to_the_limit_and_reports_the_rest(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        doomed = [remember(mind, 1, n, importance=n / 1000)[0] for n in range(60)]
        remember(mind, 140, 1000, pinned=True)
        clock.advance(days=40)
        report = mind.upkeep()
        assert (report.forgotten, report.left) == (40, 20)
        assert any("20 more would leave" in warning and "rem sweep" in warning for warning in report.warnings)
        assert {mind.get(id).state for id in doomed[:40]} == {"forgotten"}
        assert {mind.get(id).state for id in doomed[40:]} == {"live"}


def test_of_a_small_store_at_most_twenty_four_leave_at_once(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        remember(mind, 100, importance=0.01)
        clock.now = START.replace(year=START.year + 10)
        report = mind.upkeep()
        assert (report.forgotten, report.left, mind.count()) == (24, 76, 76)


def test_the_limit_holds_in_each_scope(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        remember(mind, 40, scope="/a/x", importance=0.01)
        remember(mind, 5, 100, scope="/a/y", importance=0.02)
        remember(mind, 10, 200, scope="/c", importance=0.03)
        remember(mind, 945, 1000, scope="/b", exempt=True)
        clock.advance(days=40)
        report = mind.upkeep()
        assert (report.forgotten, report.left) == (34, 21)
        assert (mind.count(scope="/a"), mind.count(scope="/c")) == (21, 0)


def test_calling_upkeep_again_and_again_does_not_get_around_the_breaker(clock: Clock) -> None:
    """A clock that jumped ten years must not empty the store, however often a timer or a restart loop calls."""
    with new_mind(clock=clock, policy="halflife") as mind:
        remember(mind, 100, importance=0.01)
        clock.now = START.replace(year=START.year + 10)
        for _ in range(6):
            mind.upkeep()
            clock.advance(minutes=1)

        assert mind.count() == 76


def test_nobody_is_told_to_use_force_for_what_was_done(clock: Clock) -> None:
    """upkeep takes no force: its report speaks of what it did and what is left, not of a plan that will be refused."""
    with new_mind(clock=clock, policy="halflife") as mind:
        remember(mind, 100, importance=0.01)
        clock.advance(days=40)

        assert not [warning for warning in mind.upkeep().warnings if "refused" in warning]


def test_moves_go_on_while_the_breaker_holds(clock: Clock) -> None:
    with new_mind(clock=clock, policy="halflife") as mind:
        remember(mind, 60, importance=0.01)
        ids = remember(mind, 30, 100, layer="working", importance=0.9)
        clock.advance(days=40)
        report = mind.upkeep()
        assert (report.forgotten, report.moved, report.left) == (24, 30, 36)
        assert {mind.get(id).layer for id in ids} == {"episodic"}


# --- one at a time


@pytest.mark.promise("R6")
def test_two_at_once_have_one_effect_and_the_other_says_why(clock: Clock, open_mind: Open) -> None:
    """The second comes while the first is dating, between claiming the job and applying its plan."""
    writer = open_mind(settings=QUIET)
    remember(writer, 10, importance=0.1)
    clock.advance(days=100)
    first, second = (open_mind(policy="halflife", settings=QUIET) for _ in range(2))
    met: list[Report] = []
    report = first.upkeep(progress=lambda *_: met.append(second.upkeep()))
    assert (report.ran, report.forgotten) == (True, 10)
    assert [(other.ran, done(other)) for other in met] == [(False, 0)]
    assert "another process is at it" in met[0].why
    assert [entry.verb for entry in writer.journal()].count("sweep") == 10


def test_who_was_frozen_past_its_lease_is_fenced_out(clock: Clock, open_mind: Open) -> None:
    writer = open_mind(settings=QUIET)
    remember(writer, 10, importance=0.1)
    clock.advance(days=100)
    frozen, next_ = (open_mind(policy="halflife", settings=QUIET) for _ in range(2))
    met: list[Report] = []

    def freeze(*_: int) -> None:
        clock.advance(seconds=LEASE_SECONDS)
        met.append(next_.upkeep())

    thawed = frozen.upkeep(progress=freeze)
    assert [(other.ran, other.forgotten) for other in met] == [(True, 10)]
    assert (thawed.ran, done(thawed), thawed.receipt_id) == (False, 0, None)
    assert "took over" in thawed.why
    assert [entry.verb for entry in writer.journal()].count("sweep") == 10


def test_a_stale_lease_applies_nothing(clock: Clock, mind: Mind) -> None:
    """Even a plan that was made in time is refused, in the transaction that would write it."""
    remember(mind, 3, ttl="1h")
    clock.advance(days=1)
    plan = mind.sweep()
    stale = mind._store.claim(JOB, "frozen", clock.now, LEASE_SECONDS)
    clock.advance(seconds=LEASE_SECONDS)
    assert mind.upkeep().archived == 3
    mind.restore(ids=[change.memory_id for change in plan])
    before = dump(mind)
    with pytest.raises(LeaseLost):
        apply(mind._store, plan, clock.now, force=True, lease=stale)
    assert dump(mind) == before


def test_who_died_is_taken_over_from_after_a_minute(clock: Clock, mind: Mind) -> None:
    remember(mind, 3, ttl="1h")
    clock.advance(days=1)
    assert mind._store.claim(JOB, "dead", clock.now, LEASE_SECONDS) is not None
    clock.advance(seconds=LEASE_SECONDS)
    clock.now -= TINY
    assert (mind.upkeep().ran, mind.count()) == (False, 3)
    clock.now += TINY
    assert mind.upkeep().archived == 3


def test_an_upkeep_that_failed_can_be_run_again_at_once(clock: Clock, open_mind: Open) -> None:
    """The job is not held by who is no longer at it: a full disk, an interrupt, a defect."""
    remember(open_mind(settings=QUIET), 10, importance=0.1)
    mind = open_mind(policy="halflife", settings=QUIET)
    clock.advance(days=100)

    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mind.upkeep(progress=interrupt)

    assert mind.upkeep().forgotten == 10


@pytest.mark.promise("R6")
def test_threads_and_minds_at_once_have_one_effect(clock: Clock, tmp_path: Path) -> None:
    with new_mind(tmp_path / "m.db", clock, settings=QUIET) as mind:
        remember(mind, 20, ttl="1h")
        clock.advance(days=3)
        reports: list[Report] = []

        def work() -> None:
            with new_mind(tmp_path / "m.db", clock, settings=QUIET) as other:
                reports.append(other.upkeep())

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(report.archived for report in reports) == 20
        assert len(reports) == 6
        assert all(report.ran or report.why for report in reports)
        assert [entry.verb for entry in mind.journal()].count("sweep") == 20
        assert mind.check().ok


@pytest.mark.promise("R6", on="file")
def test_processes_at_once_have_one_effect(tmp_path: Path) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=400)
    with Mind(tmp_path / "m.db", settings=QUIET) as mind:
        remember(mind, 20, importance=0.05, created_at=long_ago)
        be_there(mind, *every_day(long_ago, datetime.now(UTC)))
    rem = [sys.executable, "-m", "remanence.interfaces.cli", "--db", str(tmp_path / "m.db"), "--json", "work", "--once"]
    environment = {"REMANENCE_CONFIG": str(tmp_path / "none.yml"), "PATH": ""}
    running = [subprocess.Popen(rem, stdout=subprocess.PIPE, env=environment) for _ in range(3)]
    reports = [json.loads(process.communicate(timeout=60)[0]) for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert sum(report["archived"] for report in reports) == 20
    with Mind(tmp_path / "m.db", settings=QUIET) as mind:
        assert (mind.count(), mind.count(state="archived")) == (0, 20)
        assert mind.check().ok


# --- when a store is opened


def test_opening_an_overdue_store_looks_after_it(clock: Clock, open_mind: Open) -> None:
    with open_mind(settings=CARING) as mind:
        remember(mind, 3, ttl="1h")
    clock.advance(days=1)
    clock.now -= TINY
    with open_mind(settings=CARING) as mind:
        assert (mind.stats().upkeep_at, mind.count()) == (None, 3)
    clock.now += TINY
    with open_mind(settings=CARING) as mind:
        assert (mind.stats().upkeep_at, mind.count()) == (clock.now, 0)
        assert mind.count(state="archived") == 3
    first = clock.now
    clock.advance(hours=23)
    with open_mind(settings=CARING) as mind:
        assert mind.stats().upkeep_at == first
    clock.advance(hours=1)
    with open_mind(settings=CARING) as mind:
        assert mind.stats().upkeep_at == clock.now


def test_what_opening_did_can_be_seen_and_undone(clock: Clock, open_mind: Open) -> None:
    with open_mind(settings=CARING) as mind:
        ids = remember(mind, 3, ttl="1h")
    clock.advance(days=2)
    with open_mind(settings=CARING) as mind:
        entry = mind.journal(limit=1)[0]
        assert (entry.verb, entry.reason) == ("sweep", "expired")
        mind.undo(entry.receipt_id)
        assert {mind.get(id).state for id in ids} == {"live"}


def test_a_new_store_is_never_overdue(clock: Clock, tmp_path: Path) -> None:
    with new_mind(tmp_path / "m.db", clock, settings=CARING) as mind:
        assert mind.stats().upkeep_at is None
    clock.advance(days=500)
    with new_mind(tmp_path / "m.db", clock, settings=CARING) as mind:
        assert mind.stats().upkeep_at is None, "nothing was ever written, there is nothing to look after"


def test_upkeep_on_opening_can_be_switched_off(clock: Clock, open_mind: Open) -> None:
    with open_mind(settings=CARING) as mind:
        remember(mind, 3, ttl="1h")
    clock.advance(days=30)
    with open_mind(settings=QUIET) as mind:
        assert (mind.stats().upkeep_at, mind.count()) == (None, 3)
    with open_mind(settings=Settings(upkeep__interval="60d")) as mind:
        assert (mind.stats().upkeep_at, mind.count()) == (None, 3)
    with open_mind(settings=Settings(upkeep__interval="30d")) as mind:
        assert mind.count() == 0


def test_opening_takes_a_thousand_at_most(clock: Clock, tmp_path: Path) -> None:
    with new_mind(tmp_path / "m.db", clock, settings=CARING) as mind:
        remember(mind, MOST_ON_OPEN + 30, kind="session_state")
        remember(mind, 4 * MOST_ON_OPEN + 200, 10_000, pinned=True)
    clock.advance(days=2)
    with new_mind(tmp_path / "m.db", clock, settings=CARING) as mind:
        assert mind.count(state="archived") == MOST_ON_OPEN
        assert mind.upkeep().archived == 30


def test_opening_stays_below_the_breaker(clock: Clock, open_mind: Open) -> None:
    """A machine that wakes up with a wrong clock loses at most a few, and those come back."""
    with open_mind(policy="tiered", settings=CARING) as mind:
        remember(mind, 200)
    clock.now = START.replace(year=START.year + 10)
    with open_mind(policy="tiered", settings=CARING) as mind:
        assert mind.count() == 160


def test_opening_while_another_looks_after_it(clock: Clock, open_mind: Open) -> None:
    mind = open_mind(settings=CARING)
    remember(mind, 3, ttl="1h")
    clock.advance(days=2)
    mind._store.claim(JOB, "other", clock.now, LEASE_SECONDS)
    assert open_mind(settings=CARING).count() == 3


def test_a_clock_set_right_again_does_not_put_upkeep_off_for_years(clock: Clock, open_mind: Open) -> None:
    """The clock was ten years ahead when the store was last looked after, and is right again."""
    with open_mind(settings=CARING) as mind:
        remember(mind, 3, ttl="20d")
    clock.now = START.replace(year=START.year + 10)
    with open_mind(settings=CARING) as mind:
        (receipt,) = {entry.receipt_id for entry in mind.journal() if entry.verb == "sweep"}
        mind.undo(receipt)
    clock.now = START + timedelta(days=5)
    with open_mind(settings=CARING) as mind:
        assert mind.count() == 3
    clock.now = START + timedelta(days=45)
    with open_mind(settings=CARING) as mind:
        assert mind.stats().upkeep_at == clock.now


@pytest.mark.parametrize("years", [-1, 10, 7973])
def test_upkeep_at_any_time(clock: Clock, years: int) -> None:
    for name in PRESETS:
        clock.now = START
        with new_mind(clock=clock, policy=name) as mind:
            remember(mind, 30, importance=0.2)
            attend_until(mind, clock, START.replace(year=START.year + years))
            report = mind.upkeep()
            assert report.ran
            assert report.archived + report.forgotten <= 24
            if years < 0:
                assert done(report) == 0


# --- off


def test_upkeep_of_a_policy_that_is_switched_off_says_so(clock: Clock) -> None:
    with new_mind(clock=clock, policy=read("extends: halflife\nenabled: false", "mine.yml")) as mind:
        remember(mind, 3, importance=0.01)
        clock.advance(days=100)
        report = mind.upkeep()
        assert (report.ran, done(report), report.receipt_id) == (False, 0, None)
        assert "switched off" in report.why
        assert mind.count() == 3
