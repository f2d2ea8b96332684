"""The part of JSON Schema that answers are held to."""

from __future__ import annotations

from typing import Any

import pytest

from remanence.errors import InvalidInput
from remanence.providers.schemas import closed, complete, problems

FACT = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 1, "maxLength": 5},
        "kind": {"enum": ["fact", 1, None]},
        "weight": {"type": "number", "minimum": 0, "maximum": 1},
        "count": {"type": "integer"},
        "sure": {"type": "boolean"},
        "note": {"type": ["string", "null"]},
    },
    "required": ["text"],
}
FACTS = closed(
    {
        "type": "object",
        "properties": {
            "facts": {"type": "array", "items": FACT, "minItems": 1, "maxItems": 2},
            "free": {"type": "object", "additionalProperties": True},
        },
        "required": ["facts"],
    }
)


def fact(**fields: Any) -> dict[str, Any]:
    return {"facts": [{"text": "a", **fields}]}


@pytest.mark.parametrize(
    "value",
    [
        fact(),
        fact(kind="fact", weight=1, count=-3, sure=False, note=None),
        fact(kind=1, weight=0.5, note=""),
        fact(kind=None) | {"free": {"anything": [1, {"at": "all"}]}},
        {"facts": [{"text": "五文字です"}, {"text": "b"}]},
    ],
)
def test_what_is_valid(value: Any) -> None:
    assert problems(value, FACTS) == []


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "$ must be object, not array"),
        ({}, "$ lacks facts"),
        ({"facts": None}, "$.facts must be array, not null"),
        ({"facts": []}, "$.facts has 0 items; 1 is the least"),
        ({"facts": [{"text": "a"}] * 3}, "$.facts has 3 items; 2 is the most"),
        ({"facts": [{}]}, "$.facts[0] lacks text"),
        ({"facts": ["a"]}, "$.facts[0] must be object, not string"),
        (fact(text=""), "$.facts[0].text has 0 characters; 1 is the least"),
        (fact(text="secret"), "$.facts[0].text has 6 characters; 5 is the most"),
        (fact(text=1), "$.facts[0].text must be string, not integer"),
        (fact(kind="secret"), "$.facts[0].kind must be one of: 'fact', 1, None"),
        (fact(kind=True), "$.facts[0].kind must be one of: 'fact', 1, None"),
        (fact(kind=1.0), "$.facts[0].kind must be one of: 'fact', 1, None"),
        (fact(weight=-0.1), "$.facts[0].weight is out of range; 0 is the least"),
        (fact(weight=2), "$.facts[0].weight is out of range; 1 is the most"),
        (fact(weight=True), "$.facts[0].weight must be number, not boolean"),
        (fact(count=1.5), "$.facts[0].count must be integer, not number"),
        (fact(count=True), "$.facts[0].count must be integer, not boolean"),
        (fact(sure=1), "$.facts[0].sure must be boolean, not integer"),
        (fact(note=1), "$.facts[0].note must be string or null, not integer"),
        (fact(secret=1), "$.facts[0] has 1 properties that the schema does not name"),
        (fact() | {"secret": 1}, "$ has 1 properties that the schema does not name"),
    ],
)
def test_what_is_not_is_named_without_the_models_words(value: Any, said: str) -> None:
    assert problems(value, FACTS) == [said]
    assert "secret" not in said


def test_only_the_first_problems_are_told() -> None:
    assert len(problems(fact(text=1, kind=2, weight=3, count="4", sure=5, note=6, other=7), FACTS)) == 5


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "array", "items": {"type": "string"}}, 'must have the type "object"'),
        ({"type": "object", "properties": {"a": {"type": "strin"}}}, r"\$\.a needs a type or an enum"),
        ({"type": "object", "properties": {"a": {}}}, r"\$\.a needs a type or an enum"),
        ({"type": "object", "properties": {"a": "string"}}, r"\$\.a is no mapping"),
        ({"type": "object", "required": ["a"]}, "requires 'a', which is none of its properties"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "must be true or false"),
        (
            {"type": "object", "properties": {"a": {"type": "array", "items": {"pattern": "x"}}}},
            "'pattern', which is not",
        ),
    ],
)
def test_a_schema_that_would_not_be_checked_is_refused(schema: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        closed(schema)


def test_closing_changes_no_schema_but_its_copy() -> None:
    made = closed({"type": "object", "properties": {"one": FACT}})
    assert made["properties"]["one"]["additionalProperties"] is False
    assert "additionalProperties" not in FACT


@pytest.mark.parametrize(
    ("schema", "is_complete"),
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, True),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, False),
        ({"type": "object", "properties": {"a": {"type": "array", "items": FACT}}, "required": ["a"]}, False),
        ({"type": "object", "additionalProperties": True}, False),
    ],
)
def test_strict_is_asked_for_where_all_is_required(schema: Any, is_complete: bool) -> None:
    assert complete(closed(schema)) is is_complete
