"""What each field may hold."""

import math

import pytest

from remanence.model import checks


@pytest.mark.parametrize("value", ["x", " x ", "\u0301", "🙂", "x" * checks.TEXT_BYTES, "a\x01b", "\u200bx", "null"])
def test_texts(value: str) -> None:
    assert checks.text_problems(value) == []


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ("", "blank"),
        (" \t\n\u3000", "blank"),
        ("\u200b\u200d", "blank"),
        ("\x01\x02", "blank"),
        ("a\0b", "NUL character at position 1"),
        ("ab\ud800", "U+D800"),
        ("x" * (checks.TEXT_BYTES + 1), "limit"),
        ("ü" * checks.TEXT_BYTES, "limit"),
        (None, "NoneType"),
        (b"x", "bytes"),
        (5, "int"),
    ],
)
def test_no_texts(value: object, part: str) -> None:
    (problem,) = checks.text_problems(value, "query")
    assert problem.startswith("query")
    assert part in problem


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, 0.5, 5e-324, math.nextafter(1, 0)])
def test_numbers(value: float) -> None:
    assert checks.number_problems(value, "importance", 0, 1) == []


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        -math.inf,
        1e308,
        2**63,
        10**400,
        10**5000,
        True,
        False,
        "0.5",
        None,
        [],
        -5e-324,
        math.nextafter(1, 2),
    ],
    ids=lambda value: type(value).__name__,
)
def test_no_numbers(value: object) -> None:
    (problem,) = checks.number_problems(value, "importance", 0, 1)
    assert problem.startswith("importance")
    assert len(problem) < 500


@pytest.mark.parametrize("value", [1, 1000])
def test_integers(value: int) -> None:
    assert checks.integer_problems(value, "limit", 1, 1000) == []


@pytest.mark.parametrize(
    "value",
    [0, 1001, -1, 2**63, 10**400, 10**5000, True, 1.0, "5", None, math.nan],
    ids=lambda value: type(value).__name__,
)
def test_no_integers(value: object) -> None:
    (problem,) = checks.integer_problems(value, "limit", 1, 1000)
    assert problem.startswith("limit")
    assert len(problem) < 500


def test_labels_and_tags() -> None:
    assert checks.string_problems("x" * 200, "kind") == []
    assert checks.string_problems("x" * 201, "kind")
    assert checks.tags_problems(["a", "b"], "categories") == []
    assert checks.tags_problems({"a"}, "categories") == []
    assert checks.tags_problems(("x" * 200,) * 256, "categories") == []
    assert len(checks.tags_problems(["", 5, "a\0"], "categories")) == 3
    for wrong in ("tag", b"tag", None, 5, {"a": 1}, ["x"] * 257):
        assert len(checks.tags_problems(wrong, "categories")) == 1


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ("01890000-0000-7000-8000-0000000000af", True),
        ("01890000-0000-7000-8000-0000000000AF", False),
        ("018900000000700080000000000000af", False),
        ("01890000-0000-7000-8000-0000000000af\n", False),
        ("", False),
        (None, False),
        (5, False),
    ],
)
def test_ids(value: object, fits: bool) -> None:
    assert (checks.id_problems(value) == []) is fits
    assert (checks.ids_problems([value], "lineage") == []) is fits


def nested(depth: int) -> dict:
    value: dict = {}
    for _ in range(depth - 1):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": 1, "b": [1.5, None, True, "ü", {"c": []}]},
        {"a": "\\u0000"},
        {"\\u0000": "a \\u0000 b"},
        {"a": "x" * 60_000},
        nested(16),
    ],
    ids=lambda value: str(value)[:20],
)
def test_metadata(value: dict) -> None:
    assert checks.metadata_problems(value) == []


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ([], "object"),
        (None, "object"),
        ({1: 2}, "key"),
        ({"a": {None: 1}}, "key"),
        ({"a": math.nan}, "JSON"),
        ({"a": b"x"}, "JSON"),
        ({"a": {1, 2}}, "JSON"),
        ({"a": "\0"}, "NUL"),
        ({"\0": "a"}, "NUL"),
        ({"a": "\ud800"}, "surrogate"),
        ({"a": "x" * 65_536}, "limit"),
        ({"a": "ü" * 40_000}, "limit"),
        (nested(17), "deep"),
        (nested(100_000), "deep"),
    ],
    ids=range(14),
)
def test_no_metadata(value: object, part: str) -> None:
    (problem,) = checks.metadata_problems(value)
    assert part in problem


def test_choices_and_flags() -> None:
    assert checks.choice_problems("a", "x", ("a", "b")) == []
    for wrong in ("c", "", None, 5, [], {}, "A"):
        assert "a, b" in checks.choice_problems(wrong, "x", ("a", "b"))[0]
    assert checks.flag_problems(True, "pinned") == checks.flag_problems(False, "pinned") == []
    for wrong in (0, 1, None, "true"):
        assert checks.flag_problems(wrong, "pinned")
