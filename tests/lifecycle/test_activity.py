"""The activity clock, and what was missed: plain numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle.activity import ActivityClock, active_days, activity_clock
from remanence.lifecycle.dater import dated_as
from remanence.lifecycle.regret import SLOWEST, regretted, slowing, slowings
from remanence.model.lived import Lived, Missed
from remanence.model.moment import LAST_MOMENT, MICROS_PER_DAY, NEVER
from remanence.policies.reading import preset, read
from tests.lifecycle.test_ranking import hit

HOUR = MICROS_PER_DAY // 24
LIVED = Lived(days=(0, 10), today=20)


def at(day: int, hour: float = 0) -> int:
    return day * MICROS_PER_DAY + int(hour * HOUR)


def array(*moments: int) -> np.ndarray:
    return np.array(moments, dtype=np.int64)


def days_between(since: int, until: int, lived: Lived = LIVED, *, ahead: bool = False) -> float:
    return float(active_days(activity_clock(lived, ahead=ahead), array(since), array(until))[0])


def test_the_numbers_in_the_words() -> None:
    clock = activity_clock(LIVED)
    assert clock.micros(array(at(10, 12))).tolist() == [at(1, 12)]
    assert days_between(at(0, 12), at(10, 6)) == 0.75
    assert clock.first_at(array(at(0, 12)), 1.0).tolist() == [at(10, 12)]


@pytest.mark.parametrize(
    "since, until, days",
    [
        (at(0), at(1), 1.0),
        (at(0), at(10), 1.0),
        (at(1), at(10), 0.0),
        (at(5, 7), at(9, 23), 0.0),
        (at(-9), at(0, 6), 0.25),
        (at(10, 6), at(10, 18), 0.5),
        (at(0), at(20, 23), 2.0),
        (at(10, 18), at(10, 6), 0.0),
        (at(10, 6), at(0), 0.0),
        (at(0), at(21), 2.0),
        (at(0), at(22, 12), 3.5),
        (at(30), at(33), 3.0),
    ],
)
def test_only_active_days_pass_and_from_tomorrow_on_every_day(since: int, until: int, days: float) -> None:
    """Known are the days up to today, the twentieth."""
    assert days_between(since, until) == days


def test_today_counts_for_dates_and_otherwise_once_somebody_was_there() -> None:
    here = Lived(days=(0, 10, 20), today=20)
    assert days_between(at(20), at(20, 12)) == 0.0
    assert days_between(at(20), at(20, 12), ahead=True) == 0.5
    assert days_between(at(20), at(20, 12), here) == days_between(at(20), at(20, 12), here, ahead=True) == 0.5


def test_a_store_nobody_was_in_does_not_age_until_tomorrow() -> None:
    empty = Lived(days=(), today=20)
    assert days_between(at(0), at(20, 23), empty) == 0.0
    assert days_between(at(0), at(22), empty) == 1.0
    assert activity_clock(empty).first_at(array(at(3)), 2.0).tolist() == [at(23)]


@pytest.mark.parametrize(
    "since, days, first",
    [
        (at(0, 12), 0.5, at(1)),
        (at(0, 12), 0.0, at(0, 12)),
        (at(3), 0.0, at(3)),
        (at(3), 1.0, at(11)),
        (at(3), 1.5, at(21, 12)),
        (at(40), 1.5, at(41, 12)),
        (at(0), float("inf"), NEVER),
        (at(0), 1e9, NEVER),
        (NEVER, 1.0, NEVER),
    ],
)
def test_the_first_moment_after_so_many_active_days(since: int, days: float, first: int) -> None:
    assert activity_clock(LIVED).first_at(array(since), days).tolist() == [first]


MOMENTS = st.integers(-30 * MICROS_PER_DAY, 60 * MICROS_PER_DAY)
CLOCKS = st.builds(
    lambda days, today: activity_clock(Lived(tuple(sorted(days)), today)),
    st.sets(st.integers(-20, 40)),
    st.integers(-20, 41),
)


def slowly(clock: ActivityClock, since: int, until: int) -> int:
    """Active microseconds, day by day."""
    passed, active = 0, set(clock.days.tolist())
    for day in range(since // MICROS_PER_DAY, until // MICROS_PER_DAY + 1):
        if day in active or day >= clock.open_from:
            passed += max(0, min(until, at(day + 1)) - max(since, at(day)))
    return passed


@given(CLOCKS, MOMENTS, MOMENTS, MOMENTS)
def test_it_is_what_counting_day_by_day_gives_and_never_outruns_the_calendar(
    clock: ActivityClock, one: int, two: int, three: int
) -> None:
    since, until, later = sorted((one, two, three))
    passed = float(active_days(clock, since, until))
    assert passed == slowly(clock, since, until) / MICROS_PER_DAY
    assert 0.0 <= passed <= (until - since) / MICROS_PER_DAY
    assert passed <= float(active_days(clock, since, later))
    assert float(active_days(clock, later, since)) == 0.0


@given(CLOCKS, MOMENTS, st.integers(0, 90 * MICROS_PER_DAY))
def test_the_first_moment_is_the_first(clock: ActivityClock, since: int, micros: int) -> None:
    first = int(clock.first_at(array(since), 0.0, more_micros=micros)[0])
    assert slowly(clock, since, first) >= micros
    assert first == since or slowly(clock, since, first - 1) < micros


def test_many_rows_are_as_one_by_one() -> None:
    clock = activity_clock(LIVED)
    moments = np.arange(-3 * MICROS_PER_DAY, 30 * MICROS_PER_DAY, 7 * HOUR)
    assert clock.micros(moments).tolist() == [int(clock.micros(array(one))[0]) for one in moments.tolist()]
    assert clock.micros(array()).tolist() == []
    assert clock.micros(array(LAST_MOMENT))[0] > at(2000 * 365)


# --- regrets


@pytest.mark.parametrize(
    "missed, archived, gain, factor",
    [
        (3, 7, 4, 2.0),
        (1, 1, 4, 1.5),
        (1, 1, 2, 1.25),
        (1, 100, 4, 1.0),
        (7, 100, 4, 1.25),
        (50, 50, 4, SLOWEST),
        (50, 50, 100, SLOWEST),
        (3, 7, 0, 1.0),
        (0, 7, 4, 1.0),
    ],
)
def test_a_kind_that_was_missed_decays_more_slowly(missed: int, archived: int, gain: float, factor: float) -> None:
    assert slowing(Missed(missed, archived), gain) == factor


@given(st.integers(0, 200), st.integers(0, 200), st.floats(0, 100))
def test_the_factor_goes_by_quarters_and_up_with_what_was_missed(missed: int, more: int, gain: float) -> None:
    archived = missed + more
    factor = slowing(Missed(missed, archived), gain)
    assert 1.0 <= factor <= SLOWEST and (factor * 4).is_integer()
    assert factor <= slowing(Missed(missed + 1, archived + 1), gain)
    assert factor >= slowing(Missed(missed, archived + 1), gain)


def test_what_dates_hang_on() -> None:
    """Days as they pass change nothing; late ones and a step of a factor do, where the policy goes by them."""
    plain = preset("balanced")

    def told(text: str = "extends: balanced", **lived: object) -> str:
        from dataclasses import replace

        return dated_as(replace(read(text, "p.yml"), lived=Lived(**{"days": (1,), "today": 2, **lived})))  # type: ignore[arg-type]

    assert told() == told(days=(1, 2, 3), today=9) == plain.fingerprint == dated_as(plain)
    assert told(late_days=1) not in (told(), told(late_days=2))
    missed = {"fact": Missed(3, 7)}
    assert told(missed=missed) not in (told(), told(missed={"finding": Missed(3, 7)}))
    assert told(missed=missed) == told(missed={"fact": Missed(4, 10)}), "the same step"
    assert told(missed={"fact": Missed(1, 100)}) == told()
    for text in ("extends: layered", "extends: balanced\nactive_clock: false\nregret_gain: 0"):
        assert told(text) == told(text, late_days=3, missed=missed) == read(text, "p.yml").fingerprint
    assert slowings(None, 4) == slowings(Lived((), 0, 0, missed), 0) == {}
    assert slowings(Lived((), 0, 0, missed), 4) == {"fact": 2.0}


@pytest.mark.parametrize(
    ("archived", "live", "counted"),
    [
        ((0.6, 0.5), (0.4, 0.3), ("archived 0",)),
        ((0.5, 0.6), (), ("archived 1",)),
        ((0.6, 0.5), (0.7, 0.3), ()),
        ((0.6,), (0.6,), ()),
        ((0.6,), (0.3, 0.7), ()),
        ((), (0.3,), ()),
        ((), (), ()),
    ],
)
def test_a_recall_regrets_only_what_would_have_been_its_first_hit(
    archived: tuple[float, ...], live: tuple[float, ...], counted: tuple[str, ...]
) -> None:
    gone, here = (
        [hit(f"{name} {n}", rank) for n, rank in enumerate(ranks)]
        for name, ranks in (("archived", archived), ("live", live))
    )
    assert tuple(one.memory.id for one in regretted(gone, here)) == counted
