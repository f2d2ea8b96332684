"""Scopes: whole segments, refused when malformed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.model.scope import holds, scope_problems

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
