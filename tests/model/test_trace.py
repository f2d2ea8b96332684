"""A trace: what was known at any moment, and which times cannot be."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.errors import InvalidInput
from remanence.model.columns import columns_of, joined
from remanence.model.memory import Memory, State
from remanence.model.moment import MICROS_PER_DAY, NEVER, to_micros
from remanence.model.trace import Trace
from tests.lifecycle.worlds import NOW, memory

DAY = MICROS_PER_DAY
BEGINS = to_micros(NOW) - 100 * DAY
ENDS = to_micros(NOW)


def born(*ages: float, **fields: Any) -> list[Memory]:
    return [memory(age, number=number, **fields) for number, age in enumerate(ages)]


def day(number: float) -> int:
    """A moment so many days after the beginning, 100 days before now."""
    return BEGINS + round(number * DAY)


def a_trace(*uses: list[float], ages: tuple[float, ...] = (100, 50), **more: Any) -> Trace:
    events = [[day(one) for one in some] for some in uses]
    return Trace.from_events(columns_of(born(*ages)), events, begins=BEGINS, ends=ENDS, **more)


def test_what_was_known_at_a_moment() -> None:
    trace = a_trace([10, 20, 40], [60])
    assert [len(one) for one in trace.uses] == [3, 1]
    before = trace.as_of(day(5))
    assert (len(before), before.access_count.tolist(), before.last_accessed_at.tolist()) == (1, [0], [day(0)])
    assert before.recent.shape == (1, 0)
    then = trace.as_of(day(20))
    assert then.access_count.tolist() == [2], "the moment itself belongs to what is known"
    assert then.recent.tolist() == [[day(10), day(20)]]
    last = trace.as_of(ENDS)
    assert last.access_count.tolist() == [3, 1]
    assert last.recent.tolist() == [[day(10), day(20), day(40)], [day(60), NEVER, NEVER]]
    assert last.last_accessed_at.tolist() == [day(40), day(60)]


def test_a_page_holds_the_newest_twenty() -> None:
    trace = a_trace([float(number) for number in range(1, 31)], [])
    then = trace.as_of(day(25.5))
    assert then.access_count.tolist() == [25]
    assert then.recent.tolist() == [[day(number) for number in range(6, 26)]]


def test_all_states_were_live_once_and_what_left_otherwise_ends() -> None:
    columns = columns_of([*born(100, state=State.ARCHIVED), *born(100, 90, state=State.SUPERSEDED)])
    left = [NEVER, day(30), day(40)]
    trace = Trace.from_events(columns, [[day(10)], [day(20), day(35)], []], begins=BEGINS, ends=ENDS, left_at=left)
    assert trace.as_of(day(29)).state.tolist() == [0, 0, 0]
    assert trace.living(day(30)).tolist() == [0, 2]
    assert trace.number.tolist() == [1, 1, 0], "a use after it was replaced says nothing of its age"


def test_what_is_known_by_number_counts_as_before_the_oldest_known() -> None:
    columns = columns_of(born(100, 100))
    trace = Trace.from_uses(columns, [0, 1], [day(50), day(50)], begins=BEGINS, ends=ENDS, unplaced=[7, 0])
    assert trace.as_of(day(60)).access_count.tolist() == [8, 1]
    assert trace.as_of(day(10)).access_count.tolist() == [7, 0]
    assert trace.known_from.tolist() == [day(50), day(0)]
    unknown = Trace.from_uses(columns, [], [], begins=BEGINS, ends=ENDS, unplaced=[7, 0])
    assert unknown.known_from.tolist() == [ENDS, day(0)]


def test_confirmed_uses_come_as_the_accesses_do() -> None:
    columns = replace(columns_of(born(100)), uses=np.array([4]), rejections=np.array([1]))
    trace = Trace.from_events(columns, [[day(number) for number in (10, 20, 30, 40)]], begins=BEGINS, ends=ENDS)
    known = [trace.as_of(day(number)) for number in (5, 25, 45)]
    assert [columns.uses.tolist() for columns in known] == [[0], [2], [4]]
    assert [columns.rejections.tolist() for columns in known] == [[0], [0], [1]]


def test_times_a_restore_gave_are_not_known_before() -> None:
    kept = born(100, kept_until=NOW + timedelta(days=9))
    trace = Trace.from_events(columns_of(kept), [[]], begins=BEGINS, ends=ENDS)
    assert trace.as_of(ENDS).kept_until.tolist() == [NEVER]


def test_every_broken_time_is_named_at_once() -> None:
    with pytest.raises(InvalidInput) as raised:
        Trace.from_events(columns_of(born(100)), [[float("nan"), "noon", True, float("inf")]], begins=ENDS, ends=BEGINS)
    assert len(raised.value.problems) == 5
    assert "before it begins" in str(raised.value)
    assert "'noon' is no number" in str(raised.value)
    with pytest.raises(InvalidInput) as raised:
        a_trace([10, -3], [49, 101])
    assert [problem.split(":")[0] for problem in raised.value.problems] == ["row 0", "row 1", "row 1"]
    assert "before its birth" in raised.value.problems[0]
    assert "after the end" in raised.value.problems[2]
    with pytest.raises(InvalidInput, match="uses of 1"):
        a_trace([10])


def test_of_many_broken_times_the_first_are_named_and_the_rest_counted() -> None:
    with pytest.raises(InvalidInput, match="and 15 more broken times"):
        a_trace([-1.0] * 25, [])


def test_a_stores_broken_times_are_left_out_and_counted() -> None:
    columns = columns_of(born(100, 50))
    trace = Trace.from_uses(columns, [1, 0, 0, 1], [day(10), day(200), day(20), day(70)], begins=BEGINS, ends=ENDS)
    assert trace.left_out == 2
    assert [one.tolist() for one in trace.uses] == [[day(20)], [day(70)]]


def test_nothing_at_all() -> None:
    trace = Trace.from_events(columns_of([]), [], begins=BEGINS, ends=ENDS)
    assert (len(trace), trace.uses, len(trace.as_of(ENDS))) == (0, (), 0)


@given(
    st.lists(st.lists(st.floats(0, 100), max_size=25), min_size=1, max_size=5),
    st.floats(0, 100),
)
def test_any_moment_shows_what_columns_would_have_held(histories: list[list[float]], then: float) -> None:
    """The same as columns made from memories whose accesses are counted by hand."""
    moment = day(then)
    events = [sorted(day(one) for one in some) for some in histories]
    made = born(*[100.0] * len(events))
    found = Trace.from_events(columns_of(made), events, begins=BEGINS, ends=ENDS).as_of(moment)
    for row, some in enumerate(events):
        known = [at for at in some if at <= moment]
        assert found.access_count[row] == len(known)
        assert found.last_accessed_at[row] == (known[-1] if known else day(0))
        assert [at for at in found.recent[row].tolist() if at != NEVER] == known[-20:]


def test_pages_join_whatever_their_places_and_widths() -> None:
    some = [*born(9, 8, scope="/a"), *born(7, scope="/b", reads=3), *born(6, kind="tool_output", reads=1)]
    whole = columns_of(some)
    pages = joined([columns_of(some[:2]), columns_of(some[2:3]), columns_of([]), columns_of(some[3:])])
    assert pages.ids == whole.ids
    assert (pages.scopes, pages.kinds) == (whole.scopes, whole.kinds)
    assert np.array_equal(pages.recent, whole.recent)
    assert np.array_equal(pages.created_at, whole.created_at)
    assert len(joined([])) == 0
