"""Edits in JSON with comments: what is read, what is refused and where, what one thing more or less does to a text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from remanence.errors import InvalidInput
from remanence.interfaces.connect.jsonc import Node, appended, dropped, parse


def at(text: str, *path: str | int) -> Node:
    node = parse(text, "f")
    for step in path:
        part = node.get(step) if isinstance(step, str) else node.parts[step]
        assert part is not None
        node = part.node
    return node


def without(text: str, *path: str | int) -> str:
    inside = at(text, *path[:-1])
    last = path[-1]
    part = inside.get(last) if isinstance(last, str) else inside.parts[last]
    assert part is not None
    return dropped(text, inside, part)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, -2.5e1, true, false, null, "x\\n\\u00e4"]}', {"a": [1, -25.0, True, False, None, "x\nä"]}),
        ('\ufeff // c\r\n{ /* d */ "a" /**/ : /* e */ 1 , // f\n}', {"a": 1}),
        ("[1,2,]", [1, 2]),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('"// no comment"', "// no comment"),
        ("[" * 200 + "]" * 200, json.loads("[" * 200 + "]" * 200)),
    ],
)
def test_what_is_read(text: str, value: Any) -> None:
    assert parse(text, "f").value == value


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("{", 1, 2),
        ('{"a": }', 1, 7),
        ('{"a": 1\n "b": 2}', 2, 2),
        ("{\n  a: 1\n}", 2, 3),
        ("{'a': 1}", 1, 2),
        ('{"a" 1}', 1, 6),
        ('{\r\n  "a": [1 2]\r\n}', 2, 11),
        ("{,}", 1, 2),
        ("[1,,2]", 1, 4),
        ("[01]", 1, 3),
        ("[NaN]", 1, 2),
        ("[truest]", 1, 6),
        ('["a\nb"]', 1, 2),
        ('["open]', 1, 2),
        ("{} {}", 1, 4),
        ("{} /* open", 1, 4),
        ("[1}", 1, 3),
        ('\ufeff{"a" 1}', 1, 7),
        ("[" + "9" * 5000 + "]", 1, 2),
        ("[" * 202 + "]" * 202, 1, 202),
    ],
)
def test_what_is_refused_says_where(text: str, line: int, column: int) -> None:
    with pytest.raises(InvalidInput, match=rf"^some\.json is no JSON: .* in line {line}, column {column}\. Nothing"):
        parse(text, "some.json")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{\n  "k": [\n    1\n  ]\n}'),
        ("{ }", '{\n  "k": [\n    1\n  ]\n}'),
        ('{"a": 1}', '{"a": 1,\n  "k": [\n    1\n  ]\n}'),
        ('{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "k": [\n        1\n    ]\n}\n'),
        ('{\n    "a": 1,\n}\n', '{\n    "a": 1,\n    "k": [\n        1\n    ]\n}\n'),
        ('{\n\t"a": {\n\t\t"b": 1\n\t}\n}', '{\n\t"a": {\n\t\t"b": 1\n\t},\n\t"k": [\n\t\t1\n\t]\n}'),
        ('{\r\n "a": 1\r\n}', '{\r\n "a": 1,\r\n "k": [\r\n  1\r\n ]\r\n}'),
        ('{\n  "a": 1 // c\n}', '{\n  "a": 1, // c\n  "k": [\n    1\n  ]\n}'),
        ('{\n  "a": 1, // c\n  // d\n}', '{\n  "a": 1, // c\n  // d\n  "k": [\n    1\n  ]\n}'),
        ("{ // c\n}", '{ // c\n  "k": [\n    1\n  ]\n}'),
        ('\ufeff{"a": 1}', '\ufeff{"a": 1,\n  "k": [\n    1\n  ]\n}'),
    ],
)
def test_one_more_looks_like_its_neighbours(before: str, after: str) -> None:
    assert appended(before, parse(before, "f"), [1], "k") == after
    assert parse(after, "f").value == {**parse(before, "f").value, "k": [1]}


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        ('{"a": 1}', ("a",), "{}"),
        ('{\n  "a": 1\n}', ("a",), "{}"),
        ('{"a": 1, "b": 2}', ("a",), '{ "b": 2}'),
        ('{"a": 1, "b": 2}', ("b",), '{"a": 1}'),
        ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ("b",), '{\n  "a": 1,\n  "c": 3\n}'),
        ('{\n  "a": 1,\n  "b": 2,\n}', ("b",), '{\n  "a": 1\n}'),
        ('{\n  "a": 1, // x\n  "b": 2 // y\n}', ("b",), '{\n  "a": 1 // x\n  // y\n}'),
        ('{ // x\n  "a": 1\n}', ("a",), "{ // x\n}"),
        ("[1, 2, 3]", (1,), "[1, 3]"),
        # What stands on the same line must not end up in a comment.
        ('{ // x\n "a": 1, "b": 2 }', ("a",), '{ // x\n "b": 2 }'),
        ('{ "a": 1, // x\n "b": 2 }', ("b",), '{ "a": 1 // x\n }'),
        ('{ // x\n "a": 1 }', ("a",), "{ // x\n }"),
        ('{ // x\n "a": 1, /* y */ "b": 2 }', ("a",), '{ // x\n /* y */ "b": 2 }'),
    ],
)
def test_one_less_leaves_the_rest(before: str, path: tuple[str | int, ...], after: str) -> None:
    assert without(before, *path) == after
    expected = parse(before, "f").value
    del expected[path[0]]
    assert parse(after, "f").value == expected
