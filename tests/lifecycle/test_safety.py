"""The breaker: at least 25 memories and more than a fifth of a scope, with everything below it."""

import pytest

from remanence.lifecycle.safety import excesses


@pytest.mark.parametrize(
    ("leaving", "live", "trips"),
    [
        (0, 0, False),
        (24, 24, False),
        (24, 1, False),
        (25, 25, True),
        (25, 124, True),
        (25, 125, False),
        (26, 130, False),
        (26, 129, True),
        (26, 125, True),
        (1000, 5000, False),
        (1001, 5000, True),
    ],
)
def test_the_limit(leaving: int, live: int, trips: bool) -> None:
    found = excesses({"/": leaving}, {"/": live})
    assert bool(found) is trips
    if trips:
        assert str(found[0]) == f"{leaving} of {live} live memories of /"


def test_exactly_a_fifth_never_trips() -> None:
    for leaving in range(25, 20_000):
        assert excesses({"/": leaving}, {"/": 5 * leaving}) == []
        assert excesses({"/": leaving}, {"/": 5 * leaving - 1}) != []


def test_a_scope_is_counted_with_everything_below_it() -> None:
    leaving = {"/a/x": 15, "/a/y": 10, "/ab": 3}
    live = {"/": 1000, "/a": 0, "/a/x": 60, "/a/y": 60, "/ab": 4}
    assert [(e.scope, e.leaving, e.live) for e in excesses(leaving, live)] == [("/a", 25, 120)]


def test_the_whole_namespace_is_a_scope_too() -> None:
    leaving = {f"/{number}": 1 for number in range(30)}
    live = {f"/{number}": 4 for number in range(30)}
    assert [e.scope for e in excesses(leaving, live)] == ["/"]


def test_a_small_scope_may_leave_whole() -> None:
    assert excesses({"/small": 20}, {"/small": 20, "/big": 500}) == []


def test_every_scope_in_excess_is_named() -> None:
    assert [e.scope for e in excesses({"/a/b": 30}, {"/a/b": 30})] == ["/", "/a", "/a/b"]
