"""Which sessions are ready: the boundaries of rest and age, what is wanted by name, and what failed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from remanence.lifecycle.eligibility import again_at, ready, waits_for
from remanence.model.session import STAGE_ONE, Session, Task

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
RULES = {"idle_hours": 12.0, "age_days": 30.0}


def session(id: str = "s", **idle: float) -> Session:
    at = NOW - timedelta(**idle)
    return Session(id=id, project="/p", agent="a", started_at=at, last_at=at, observations=3)


@pytest.mark.parametrize(
    ("idle", "is_ready"),
    [
        ({"hours": 11, "minutes": 59}, False),
        ({"hours": 12}, True),
        ({"days": 30}, True),
        ({"days": 30, "seconds": 1}, False),
        ({"days": 31}, False),
        ({"hours": 0}, False),
        ({"hours": -5}, False),
    ],
)
def test_boundaries(idle: dict[str, float], is_ready: bool) -> None:
    assert (waits_for(session(**idle), None, NOW, **RULES) is None) is is_ready


def test_one_that_did_not_change_is_not_processed_again() -> None:
    done = replace(session(hours=20), processed_to=3)
    assert waits_for(done, None, NOW, **RULES) == "nothing new since it was processed"
    assert waits_for(replace(done, observations=4), None, NOW, **RULES) is None


def test_one_that_is_wanted_is_ready_whatever_its_age() -> None:
    wanted = Task(name="stage1:s", wanted_at=NOW)
    assert waits_for(session(hours=0), wanted, NOW, **RULES) is None
    assert waits_for(session(days=900), wanted, NOW, **RULES) is None


def test_one_that_failed_waits_and_a_dead_one_stays() -> None:
    failed = Task(name="stage1:s", tries=1, failed_at=NOW, again_at=NOW + timedelta(minutes=10), why="no answer")
    assert "no answer" in (waits_for(session(hours=20), failed, NOW, **RULES) or "")
    assert waits_for(session(hours=20), failed, NOW + timedelta(minutes=10), **RULES) is None
    dead = replace(failed, again_at=None, dead=True, tries=5)
    assert "dead after 5 tries" in (waits_for(session(hours=20), dead, NOW, **RULES) or "")


def test_wanted_ones_come_first_and_then_the_newest() -> None:
    sessions = [session("old", days=20), session("new", days=1), session("wanted", days=90), session("late", days=31)]
    tasks = {STAGE_ONE + "wanted": Task(name=STAGE_ONE + "wanted", wanted_at=NOW)}
    assert [one.id for one in ready(sessions, tasks, NOW, **RULES)] == ["wanted", "new", "old"]


def test_each_try_waits_twice_as_long_until_there_is_none() -> None:
    rules = {"retry_minutes": 10.0, "max_tries": 4}
    waits = [again_at(tries, NOW, **rules) for tries in (1, 2, 3)]
    assert waits == [NOW + timedelta(minutes=10 * 2**n) for n in range(3)]
    assert again_at(4, NOW, **rules) is None


def test_a_policy_may_have_old_sessions_read_that_have_no_summary() -> None:
    old = session(days=45)
    assert waits_for(old, None, NOW, **RULES, stale_days=30.0) is None
    assert waits_for(replace(old, summary="m1"), None, NOW, **RULES, stale_days=30.0) == "older than 30 days"
    assert waits_for(session(days=45), None, NOW, **RULES, stale_days=60.0) == "older than 30 days"
    assert [one.id for one in ready([old], {}, NOW, **RULES, stale_days=30.0)] == ["s"]
