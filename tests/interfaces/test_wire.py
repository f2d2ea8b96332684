"""The client's form of an answer has every field, and whatever else to_dict tells, however it is made."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from remanence import Mind
from remanence.interfaces.wire import _BEYOND, encoded
from remanence.model.hit import Hit, Remembered
from remanence.model.memory import Memory, plain


def answers(mind: Mind) -> dict[type, Any]:
    remembered = mind.remember(
        "Anna keeps bees by the harbour",
        scope="/harbour",
        categories=["bees"],
        concepts=["Anna"],
        metadata={"hives": [1, {"colour": None}], "since": "2019"},
        ttl="30d",
    )
    mind.recall("bees by the harbour")
    (hit,) = mind.recall("bees by the harbour")
    return {Remembered: remembered, Hit: hit, Memory: hit.memory}


@pytest.mark.parametrize("kind", _BEYOND, ids=lambda kind: kind.__name__)
def test_what_is_encoded_quickly_says_what_to_dict_says(mind: Mind, kind: type) -> None:
    answer = answers(mind)[kind]
    found = encoded(answer)
    assert found is not None
    assert set(found) == {one.name for one in fields(kind)} | set(answer.to_dict())
    _agree(found, answer.to_dict())


def _agree(found: dict[str, Any], told: dict[str, Any]) -> None:
    """Whatever to_dict tells stands there too, in memories within as well; only JSON's own types are left."""
    for name, value in plain(told).items():
        if name == "memory":
            _agree(found[name], value)
        else:
            assert found[name] == value
            assert _is_plain(found[name])


def _is_plain(value: Any) -> bool:
    if type(value) is dict:
        return all(type(name) is str and _is_plain(item) for name, item in value.items())
    if type(value) is list:
        return all(map(_is_plain, value))
    return value is None or type(value) in (str, int, float, bool)
