"""recall as of an earlier moment: what was live then, shown as it was then, unless it was forgotten since."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from remanence import Mind
from remanence.errors import InvalidInput
from remanence.model.memory import State
from remanence.model.plan import Change, Plan
from tests.conftest import Clock

DAY = timedelta(days=1)


def found(mind: Mind, moment: datetime | None, query: str = "server", **filters: object) -> list[str]:
    return sorted(hit.memory.text for hit in mind.recall(query, as_of=moment, **filters))


def test_yesterday_it_said_otherwise(mind: Mind, clock: Clock) -> None:
    start = clock.now
    mind.remember("The deploy server stands in Frankfurt")
    clock.advance(days=2)
    mind.remember("The deploy server stands in Dublin")
    clock.advance(days=2)
    assert found(mind, None) == found(mind, clock.now) == ["The deploy server stands in Dublin"]
    assert found(mind, start + DAY) == ["The deploy server stands in Frankfurt"]
    assert found(mind, start) == ["The deploy server stands in Frankfurt"]
    assert found(mind, start + 2 * DAY) == ["The deploy server stands in Dublin"]
    assert found(mind, start - DAY) == []
    assert found(mind, clock.now + 1000 * DAY) == ["The deploy server stands in Dublin"]


def test_hits_are_shown_as_they_were(mind: Mind, clock: Clock) -> None:
    start = clock.now
    memory = mind.remember("The deploy server").memory
    clock.advance(days=1)
    mind.pin(memory.id)
    mind.confirm(memory.id)
    clock.advance(days=1)
    mind.unpin(memory.id)
    mind.promote(memory.id)
    clock.advance(days=1)

    def then(moment: datetime) -> tuple:
        seen = mind.recall("server", as_of=moment)[0].memory
        return seen.pinned, seen.confirmations, seen.layer

    assert then(start) == (False, 0, "episodic")
    assert then(start + DAY) == (True, 1, "episodic")
    assert then(start + 2 * DAY) == (False, 1, "semantic")
    assert mind.get(memory.id).layer == "semantic"


def test_a_superseded_version_is_shown_live(mind: Mind, clock: Clock) -> None:
    start = clock.now
    mind.remember("The deploy server stands in Frankfurt")
    clock.advance(days=1)
    mind.remember("The deploy server stands in Dublin")
    seen = mind.recall("server", as_of=start)[0].memory
    assert (seen.state, seen.superseded_by) == ("live", None)


def test_filters_read_what_was_true_then(mind: Mind, clock: Clock) -> None:
    start = clock.now
    memory = mind.remember("The deploy server", categories=["old"]).memory
    clock.advance(days=1)
    mind.promote(memory.id)
    mind.apply(Plan((Change.of(mind.get(memory.id), "tagged", categories=("new",)),), verb="dream"))
    clock.advance(days=1)
    assert len(mind.recall("server", layers="episodic", as_of=start)) == 1
    assert mind.recall("server", layers="semantic", as_of=start) == []
    assert len(mind.recall("server", layers="semantic", as_of=clock.now)) == 1
    assert len(mind.recall("server", categories="old", as_of=start)) == 1
    assert mind.recall("server", categories="new", as_of=start) == []


def test_what_is_forgotten_now_is_not_found_then(mind: Mind, clock: Clock) -> None:
    start = clock.now
    memory = mind.remember("The deploy server").memory
    clock.advance(days=2)
    receipt = mind.forget(ids=[memory.id])
    assert found(mind, start) == []
    clock.advance(days=2)
    mind.undo(receipt.id)
    clock.advance(days=2)
    assert found(mind, start) == found(mind, clock.now) == ["The deploy server"]
    assert found(mind, start + 3 * DAY) == []  # forgotten on that day


def test_what_is_archived_now_is_found_then(mind: Mind, clock: Clock) -> None:
    start = clock.now
    memory = mind.remember("The deploy server").memory
    clock.advance(days=2)
    mind.apply(Plan((Change.of(memory, "put away", state=State.ARCHIVED),), verb="archive"))
    clock.advance(days=1)
    assert found(mind, start + DAY) == ["The deploy server"]
    assert found(mind, clock.now) == []


def test_what_expired_since_is_found_then(mind: Mind, clock: Clock) -> None:
    start = clock.now
    mind.remember("The deploy server", ttl="2d")
    clock.advance(days=3)
    assert found(mind, None) == []
    assert found(mind, start + DAY) == ["The deploy server"]
    assert found(mind, start + timedelta(days=2, seconds=1)) == []


def test_told_later_of_an_earlier_time(mind: Mind, clock: Clock) -> None:
    """A statement that holds since an earlier day replaces the older one from that day on."""
    start = clock.now
    mind.remember("The deploy server stands in Frankfurt")
    clock.advance(days=10)
    mind.remember("The deploy server stands in Dublin", created_at=start + 3 * DAY)
    assert found(mind, start + DAY) == ["The deploy server stands in Frankfurt"]
    assert found(mind, start + 4 * DAY) == ["The deploy server stands in Dublin"]


def test_other_filters_hold(mind: Mind, clock: Clock) -> None:
    start = clock.now
    mind.remember("server one", scope="/a", kind="finding")
    mind.remember("server two", scope="/ab", kind="decision")
    clock.advance(days=1)
    assert found(mind, start, scope="/a") == ["server one"]
    assert found(mind, start, kinds="decision") == ["server two"]
    assert found(mind, start, since=start + DAY) == []
    assert len(mind.recall("server", as_of=start, limit=1)) == 1


def test_an_import_knows_its_versions(open_mind: Callable[..., Mind], clock: Clock, tmp_path) -> None:
    mind = open_mind("here")
    start = clock.now
    mind.remember("The deploy server stands in Frankfurt")
    clock.advance(days=2)
    mind.remember("The deploy server stands in Dublin")
    mind.export(tmp_path / "all.jsonl")
    clock.advance(days=2)
    other = open_mind("there")
    other.import_(tmp_path / "all.jsonl")
    assert found(other, start + DAY) == ["The deploy server stands in Frankfurt"]
    assert found(other, clock.now) == ["The deploy server stands in Dublin"]


def test_as_of_shows_live_memories_only(mind: Mind, clock: Clock) -> None:
    with pytest.raises(InvalidInput):
        mind.recall("server", as_of=clock.now, include="archived")


def test_purged_is_purged_for_every_day(mind: Mind, clock: Clock) -> None:
    start = clock.now
    memory = mind.remember("The deploy server").memory
    clock.advance(days=1)
    mind.purge(ids=[memory.id], reason="asked")
    assert found(mind, start) == []
