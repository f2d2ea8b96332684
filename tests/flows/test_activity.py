"""The default policy ages memories by days on which somebody was there, and what was missed slows its kind's decay."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from remanence import Mind
from remanence.model.lived import Missed
from remanence.model.memory import State
from remanence.policies.reading import read
from tests.activity import attend, be_there, every_day
from tests.conftest import START, Clock, Entropy, new_mind

DAY = timedelta(days=1)
CALENDAR = read("extends: balanced\nactive_clock: false", "calendar.yml")
Open = Callable[..., Mind]


def doomed(mind: Mind, number: int = 1, **fields: object) -> list[str]:
    """Memories of little worth that nobody recalls."""
    drafts = [{"text": f"w{n} x{n} y{n}", "importance": 0.1, **fields} for n in range(number)]
    return [made.memory.id for made in mind.remember_many(drafts)]


def leaving(mind: Mind) -> list[str]:
    """Who leaves by a sweep, and by a full one alike."""
    due, full = (
        sorted(change.memory_id for change in mind.sweep(full=full) if "state" in change.after)
        for full in (False, True)
    )
    assert due == full
    return due


def swept(mind: Mind) -> None:
    mind.apply(mind.sweep(), force=True)


def idle_days(mind: Mind, id: str) -> float:
    return mind.explain(id).measures["idle_days"]


# --- days on which nobody was there


def test_a_year_in_which_nobody_was_there_ages_nothing(mind: Mind, clock: Clock) -> None:
    (id,) = doomed(mind)
    fresh = mind.explain(id).retention
    clock.advance(days=365)
    assert leaving(mind) == []
    assert idle_days(mind, id) == 0.5, "the afternoon on which it was written"
    assert mind.explain(id).retention == pytest.approx(fresh, abs=0.01)
    assert mind.explain(id).measures["calendar_days"] == mind.explain(id).measures["age_days"] == 365
    attend(mind, clock, days=95)
    assert leaving(mind) == [id]


def test_under_the_calendar_every_day_counts(clock: Clock) -> None:
    with new_mind(clock=clock, policy=CALENDAR) as mind:
        (id,) = doomed(mind)
        clock.advance(days=365)
        assert leaving(mind) == [id]
        assert "calendar_days" not in mind.explain(id).measures
        assert idle_days(mind, id) == 365


@pytest.mark.parametrize("way", ["recall", "remember", "session", "import"])
def test_whoever_recalls_writes_or_talks_was_there(clock: Clock, way: str, tmp_path: Path) -> None:
    with new_mind(clock=clock) as mind:
        (id,) = doomed(mind)
        mind.remember("The stork stands on the roof", pinned=True)
        for day in range(1, 11):
            clock.now = START + 7 * day * DAY
            if way == "recall":
                assert mind.recall("stork")
            elif way == "remember":
                mind.remember(f"a{day} b{day} c{day}", pinned=True)
            elif way == "session":
                mind.sessions.observe(mind.sessions.start("/p", id=f"s{day}"), "Good morning")
            else:
                with new_mind(clock=clock, entropy=Entropy(day)) as other:
                    other.remember(f"a{day} b{day} c{day}")
                    other.export(tmp_path / f"{day}.jsonl")
                assert mind.import_(tmp_path / f"{day}.jsonl").added == 1
        assert idle_days(mind, id) == pytest.approx(10.0), "half a day, nine whole ones, and half a day"
        assert mind.explain(id).measures["calendar_days"] == 70


def test_what_looks_or_works_by_itself_is_nobody(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        (id,) = doomed(mind)
        gone = mind.remember("A note about boats").memory.id
        for day in range(1, 11):
            clock.now = START + 7 * day * DAY
            mind.recall("boats", reinforce=False), mind.recall("boats", as_of=clock.now), mind.recall("nothing at all")
            mind.get(id), mind.list(), mind.stats(), mind.explain(id), mind.forecast()
            mind.undo(mind.forget(ids=[gone]).id)
            mind.pin(gone), mind.unpin(gone)
            mind.upkeep()
            mind.apply(mind.dream())
        assert idle_days(mind, id) == 0.5


def test_an_own_time_and_that_of_a_kind_go_by_the_calendar(mind: Mind, clock: Clock) -> None:
    own, kind = doomed(mind, ttl="30d"), doomed(mind, kind="tool_output", text="a word")
    clock.advance(days=30, seconds=1)
    assert leaving(mind) == sorted(own + kind)


def test_a_keep_goes_by_the_calendar(mind: Mind, clock: Clock) -> None:
    (id,) = doomed(mind)
    attend(mind, clock, days=100)
    receipt = mind.apply(mind.sweep(), force=True)
    mind.undo(receipt.id)
    clock.advance(days=30)
    assert leaving(mind) == [id]


def test_promotion_goes_by_the_calendar(mind: Mind, clock: Clock) -> None:
    mind.remember("What is done right now", layer="working")
    clock.advance(days=1)
    (change,) = mind.sweep()
    assert change.action.value == "promote"


# --- dates


def test_a_day_as_it_passes_dates_nothing_anew_and_a_late_one_everything(open_mind: Open, clock: Clock) -> None:
    mind = open_mind()
    (id,) = doomed(mind)
    swept(mind)
    under = mind._store.dated_under()
    for _ in range(5):
        attend(mind, clock, days=1)
        swept(mind)
    assert mind._store.dated_under() == under
    clock.advance(days=300)
    assert leaving(mind) == []
    assert mind._store.dated_under() == under
    be_there(mind, *every_day(START, clock.now))
    assert leaving(mind) == [id]
    now, complete = mind._store.dated_under()
    assert complete and now != under[0]


def test_what_nobody_was_there_for_is_not_read_again_and_again(mind: Mind, clock: Clock) -> None:
    """Its date moves on with the idle days: a sweep reads what could become due within one active day."""
    doomed(mind, 30)
    swept(mind)
    for _ in range(10):
        clock.advance(days=40)
        swept(mind)
        assert mind.stats().due == 0


def test_a_memory_born_in_a_gap_is_dated_early_never_late(mind: Mind, clock: Clock) -> None:
    clock.advance(days=500)
    (id,) = doomed(mind)
    due = mind.explain(id).due_at
    assert due is not None
    be_there(mind, *every_day(clock.now, due))
    clock.now = due - timedelta(microseconds=1)
    assert leaving(mind) == []
    clock.now = due
    assert leaving(mind) == [id]


def test_the_days_of_another_process_count(open_mind: Open, clock: Clock) -> None:
    mine, other = open_mind(), open_mind()
    (id,) = doomed(mine)
    attend(other, clock, days=100)
    assert idle_days(mine, id) == pytest.approx(100)
    other.recall("w0", reinforce=False)
    other.close()
    assert leaving(mine) == [id]


def test_an_imported_past_has_its_own_active_days(clock: Clock) -> None:
    """A conversation of two years ago, with a day a week: what was said first is a hundred such days old, not 700."""
    with new_mind(clock=clock) as mind:
        for week in range(100):
            mind.remember(f"a{week} b{week} c{week}", created_at=START - week * 7 * DAY, importance=0.1)
        oldest = mind.list(limit=1, offset=99)[0]
        assert idle_days(mind, oldest.id) == pytest.approx(99, abs=1)
        assert mind.explain(oldest.id).measures["age_days"] == 693


def test_a_forecast_takes_it_that_somebody_comes_every_day(mind: Mind, clock: Clock) -> None:
    (id,) = doomed(mind)
    clock.advance(days=1000)
    forecast = mind.forecast(days=120)
    assert [told.memory_id for told in forecast.leaving] == [id]
    assert mind.forecast(CALENDAR, days=1).leaves == 1
    attend(mind, clock, days=(forecast.leaving[0].at - clock.now).days)
    assert leaving(mind) == [id]


# --- what was missed


def regretted(clock: Clock, mind: Mind, number: int = 7, missed: int = 3) -> list[str]:
    """Memories that a rule archived, of which some were missed since."""
    ids = doomed(mind, number, kind="finding")
    attend(mind, clock, days=100)
    swept(mind)
    assert {mind.get(id).state for id in ids} == {State.ARCHIVED}
    for n in range(missed):
        assert [hit.memory.id for hit in mind.recall(f"w{n}").missed] == [ids[n]]
    return ids


def test_a_kind_that_was_missed_decays_more_slowly(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        ids = regretted(clock, mind)
        new, other = (doomed(mind, 1, kind=kind, text=f"{kind} of today")[0] for kind in ("finding", "gotcha"))
        attend(mind, clock, days=60)
        before = mind.explain(new)
        assert "slowing" not in before.measures, "it is weighed with the next sweep"
        mind.sweep()
        after = mind.explain(new)
        assert mind.policies.current.lived.missed == {"finding": Missed(3, 7)}  # type: ignore[union-attr]
        assert after.measures["slowing"] == 2.0
        assert "Decay of finding is slowed 2x: 3 of 7 archived ones were missed." in after.text
        assert mind.stats().slowed == {"finding": 2.0}
        mind.policies.use(read("extends: balanced\noverrides: {finding: {regret_gain: 0}}", "mine.yml"))
        assert mind.stats().slowed == {}
        mind.policies.use("balanced")
        assert after.retention > before.retention == mind.explain(other).retention
        assert after.due_at is None or (before.due_at is not None and after.due_at >= before.due_at)
        mind.restore(ids=ids[:2])
        mind.sweep()
        assert mind.policies.current.lived.missed == {"finding": Missed(3, 7)}, "restored ones count on"  # type: ignore[union-attr]


def test_dates_follow_what_was_missed_and_what_was_purged(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        ids = regretted(clock, mind)
        first = mind._store.dated_under()[0]
        assert leaving(mind) == []
        slowed, complete = mind._store.dated_under()
        assert complete and slowed != first
        mind.purge(ids=ids[:3], reason="test")
        assert leaving(mind) == []
        assert mind._store.dated_under() == (first, True)


def test_without_a_gain_nothing_is_slowed(clock: Clock) -> None:
    with new_mind(clock=clock, policy=read("extends: balanced\nregret_gain: 0", "mine.yml")) as mind:
        regretted(clock, mind)
        (new,) = doomed(mind, 1, kind="finding", text="one of today")
        mind.sweep()
        assert "slowing" not in mind.explain(new).measures


def test_a_gain_of_its_own_for_a_kind(clock: Clock) -> None:
    text = "extends: balanced\nregret_gain: 0\noverrides: {finding: {regret_gain: 2}}"
    with new_mind(clock=clock, policy=read(text, "mine.yml")) as mind:
        regretted(clock, mind)
        (new,) = doomed(mind, 1, kind="finding", text="one of today")
        mind.sweep()
        assert mind.explain(new).measures["slowing"] == 1.5


def test_what_merging_or_a_person_archived_is_no_regret(clock: Clock) -> None:
    from remanence.model.plan import Change, Plan

    with new_mind(clock=clock) as mind:
        ids = doomed(mind, 5)
        mind.apply(Plan(tuple(Change.of(mind.get(id), "asked", state=State.ARCHIVED) for id in ids), verb="archive"))
        assert len(mind.recall("w1").missed) == 1
        mind.sweep()
        assert mind.policies.current.lived.missed == {}  # type: ignore[union-attr]


# --- told


def test_explain_tells_calendar_and_active_days(mind: Mind, clock: Clock) -> None:
    (id,) = doomed(mind)
    assert "by the calendar" not in mind.explain(id).text
    be_there(mind, *(START + n * DAY for n in range(1, 12)))
    clock.advance(days=60)
    text = mind.explain(id).text
    assert "It was last written 60 days ago by the calendar, of which 12 count: on the others nobody was here." in text
    mind.recall("w0")
    clock.advance(days=3)
    assert "It was last recalled 3 days ago by the calendar, of which 0 count" in mind.explain(id).text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("extends: balanced\nactive_clock: 3", "active_clock is 3; it must be true or false"),
        ("extends: balanced\nregret_gain: -1", "regret_gain is -1; allowed is 0 to 100"),
    ],
)
def test_what_a_policy_may_say(text: str, problem: str) -> None:
    from remanence.errors import InvalidInput

    with pytest.raises(InvalidInput, match=problem):
        read(text, "mine.yml")
