"""Selections: one text or many, checked."""

from datetime import UTC, datetime

import pytest

from remanence.errors import InvalidInput
from remanence.model.selection import Selection, selection_from, several

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, None), ("/a", ("/a",)), (["/a", "/b"], ("/a", "/b")), ((), ()), ([], ()), (iter(["x"]), ("x",)), (5, (5,))],
)
def test_several(value: object, expected: object) -> None:
    assert several(value) == expected


def test_no_condition_is_none() -> None:
    selection = selection_from()
    assert selection == Selection()
    assert (selection.scopes, selection.kinds, selection.layers, selection.categories) == (None,) * 4
    assert selection.states == ("live",)


def test_conditions() -> None:
    selection = selection_from(scope="/a", kinds=["k"], layers="semantic", categories=("c",), since=NOW, until=NOW)
    assert selection == Selection(
        scopes=("/a",), kinds=("k",), layers=("semantic",), categories=("c",), since=NOW, until=NOW
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"scope": "a"},
        {"scope": ["/a", 5]},
        {"kinds": ""},
        {"kinds": [None]},
        {"layers": "deep"},
        {"categories": ["x" * 201]},
        {"since": datetime(2026, 1, 1)},
        {"until": 5},
        {"scope": ["/a"] * 1001},
        {"kinds": ["k"] * 1001},
    ],
)
def test_a_bad_condition(wrong: dict) -> None:
    with pytest.raises(InvalidInput) as caught:
        selection_from(**wrong)
    assert len(caught.value.problems) == 1


def test_every_problem_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        selection_from(scope=["a", "/b/"], kinds=[""], layers=["deep"], since=5)
    assert len(caught.value.problems) == 5
