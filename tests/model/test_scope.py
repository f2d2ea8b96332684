"""Scopes: whole segments, refused when malformed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.model.scope import common_scope, holds, scope_problems

SCOPE = st.lists(st.text(st.sampled_from("ab0-./ é"), min_size=1, max_size=3), max_size=4).map(
    lambda parts: "/" + "/".join(part.replace("/", "x") for part in parts)
)


@pytest.mark.parametrize("scope", ["/", "/a", "/a/b", "/user/x y", "/ü/東京", "/a.b/-", "/" + "x" * 1023])
def test_scopes(scope: str) -> None:
    assert scope_problems(scope) == []


@pytest.mark.parametrize(
    ("scope", "part"),
    [
        ("", "begin"),
        ("a", "begin"),
        (" /a", "begin"),
        ("/a/", "end"),
        ("//", "empty"),
        ("/a//b", "empty"),
        ("/\n", "printed"),
        ("/\0", "printed"),
        ("/\u202e", "printed"),
        ("/\ud800", "printed"),
        ("/" + "x" * 1024, "1024"),
        ("/" + "京" * 600, "1801 bytes"),
        (None, "text"),
        (5, "text"),
        (b"/", "text"),
    ],
)
def test_no_scopes(scope: object, part: str) -> None:
    assert any(part in problem for problem in scope_problems(scope))


def test_every_problem_is_named() -> None:
    assert len(scope_problems("a//b/")) == 3


@pytest.mark.parametrize(
    ("scope", "other", "expected"),
    [
        ("/user", "/user", True),
        ("/user", "/user/x", True),
        ("/user", "/username", False),
        ("/user", "/user0", False),
        ("/user", "/", False),
        ("/user/x", "/user", False),
        ("/", "/", True),
        ("/", "/anything/at/all", True),
    ],
)
def test_holds(scope: str, other: str, expected: bool) -> None:
    assert holds(scope, other) is expected


@given(SCOPE, SCOPE)
def test_a_scope_holds_what_has_its_segments_first(scope: str, other: str) -> None:
    mine, theirs = ([part for part in path.split("/") if part] for path in (scope, other))
    assert holds(scope, other) is (theirs[: len(mine)] == mine)


@given(SCOPE, SCOPE, SCOPE)
def test_holding_is_transitive(a: str, b: str, c: str) -> None:
    if holds(a, b) and holds(b, c):
        assert holds(a, c)


@pytest.mark.parametrize(
    ("scopes", "common"),
    [
        (["/p/a", "/p/b/c"], "/p"),
        (["/p/a"], "/p/a"),
        (["/user", "/username"], "/"),
        (["/", "/p"], "/"),
        (["/p", "/p/a"], "/p"),
        ([], "/"),
    ],
)
def test_the_deepest_scope_that_holds_all(scopes: list[str], common: str) -> None:
    assert common_scope(scopes) == common


@given(st.lists(SCOPE, min_size=1, max_size=4))
def test_what_holds_all_holds_each_and_nothing_deeper_does(scopes: list[str]) -> None:
    common = common_scope(scopes)
    assert all(holds(common, scope) for scope in scopes)
    deeper = {scope[: end if (end := scope.find("/", len(common) + 1)) > 0 else None] for scope in scopes} - {common}
    assert not any(all(holds(one, scope) for scope in scopes) for one in deeper)
