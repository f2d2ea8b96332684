"""One big JSON document, an item at a time: as json reads it, whatever the buffer; what is broken is told."""

import io
import json
import math
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.sessions.importers import documents
from remanence.sessions.importers.documents import items

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


def values(text: str | bytes, *inside: str) -> list[Any]:
    """The values of the items, and why the others are none."""
    raw = text.encode() if isinstance(text, str) else text
    return [one.value if one.why is None else one.why for one in items(io.BytesIO(raw), inside)]


@settings(max_examples=150, deadline=None)
@given(value=st.lists(_JSON, max_size=5), size=st.integers(1, 40), indent=st.none() | st.integers(0, 2))
def test_a_list_is_read_as_json_reads_it(value: list[Any], size: int, indent: int | None) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "CHUNK_BYTES", size)
        text = json.dumps(value, indent=indent, ensure_ascii=size % 2 == 0)
        assert values(text) == value
        assert values(json.dumps({"a": {"b": 1}, "items": value, "c": [2]}, indent=indent), "items") == value


def test_an_object_without_such_a_list_is_one_item() -> None:
    assert values(' {"a": 1, "b": [1, 2]} ', "items") == [{"a": 1, "b": [1, 2]}]
    assert values("{}", "items") == [{}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["empty"]),
        ("  \n", ["empty"]),
        ("x", ["not JSON"]),
        ('"x"', ["not JSON"]),
        ("[1, nope, 3]", [1, "not JSON", 3]),
        ('[{"a": 1}, {"b": ]}, {"c": 3}]', [{"a": 1}, "not JSON", {"c": 3}]),
        ('[1, "a\\qb", 3]', [1, "not JSON", 3]),
        ('[1, {"x": "]"', [1, "ends in the middle"]),
        ("[1, 2", [1, 2, "ends in the middle"]),
        ("[1 2, 3]", [1, "not JSON", 3]),
        ('{"a": 1', ["ends in the middle"]),
        ('[{"a": 1}, {"b": ]]}, {"c": 3}]', [{"a": 1}, "not JSON", "goes on after its end"]),
        ('{"a": ], "b": 1}', ["not JSON", {"b": 1}]),
        ("{]]]}", [{}]),
        ("[}}}1]", [1]),
        ("[" + "9" * 5_000 + ", 2]", ["not JSON", 2]),
        ("\ufeff[1]", [1]),
    ],
)
def test_what_is_broken_is_told_and_passed(text: str, expected: list[Any]) -> None:
    assert values(text) == expected


def test_what_is_not_utf_8_or_too_deep_is_told() -> None:
    assert values(b'["ok", "caf\xe9", "ok"]') == ["ok", "not UTF-8", "ok"]
    deep = "[" * 100_000 + "]" * 100_000
    assert values(f"[1, {deep}, 2]") == [1, "nested too deep", 2]


def test_an_item_that_is_too_long_is_passed_over_without_being_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "ITEM_CHARACTERS", 50_000)
    monkeypatch.setattr(documents, "CHUNK_BYTES", 4_096)
    long = json.dumps({"x": ['"]}' * 10] * 9_000})
    assert values(f"[1, {long}, 2]") == [1, "longer than 64 MB", 2]


def test_numbers_that_are_none_are_as_json_has_them() -> None:
    (found,) = values("[NaN]")
    assert math.isnan(found)


@settings(max_examples=400, deadline=None)
@given(text=st.text(alphabet='[]{},":\\1a ', max_size=40), size=st.integers(1, 9))
def test_brackets_of_any_kind_come_to_an_end(text: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "CHUNK_BYTES", size)
        for inside in ((), ("a",)):
            found = list(islice(items(io.BytesIO(text.encode()), inside), 1_000))
            assert len(found) <= len(text) + 1
