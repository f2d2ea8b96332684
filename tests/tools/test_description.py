"""The description of the tool: small, a schema that validators take, and about the very arguments that are checked."""

import json
from typing import Any

import pytest

from remanence.errors import InvalidInput
from remanence.tools import FORMS, description
from remanence.tools.arguments import ACTIONS, ARGUMENTS

LARGEST_BYTES = 2500
KEYWORDS = {
    "object": {"type", "properties", "required", "additionalProperties"},
    "string": {"type", "description", "enum"},
    "array": {"type", "description", "items"},
    "number": {"type", "description", "minimum", "maximum"},
    "integer": {"type", "description", "minimum", "maximum"},
}


def schema_of(form: str) -> dict[str, Any]:
    tool = description(form)
    return {
        "openai": lambda: tool["function"]["parameters"],
        "anthropic": lambda: tool["input_schema"],
        "mcp": lambda: tool["inputSchema"],
    }[form]()


def check(schema: dict[str, Any]) -> None:
    """Only keywords that every host's validator knows, each with a value of its type."""
    assert schema.keys() <= KEYWORDS[schema["type"]]
    assert isinstance(schema.get("description", ""), str)
    if schema["type"] == "object":
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= schema["properties"].keys()
        for inner in schema["properties"].values():
            check(inner)
    if schema["type"] == "array":
        check(schema["items"])


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_a_small_and_plain_schema(form: str) -> None:
    tool = description(form)
    assert len(json.dumps(tool).encode()) <= LARGEST_BYTES
    assert (tool.get("function") or tool)["name"] == "memory"
    schema = schema_of(form)
    check(schema)
    assert schema["properties"]["action"]["enum"] == list(ACTIONS)
    assert schema == schema_of("mcp")
    schema["properties"].clear()  # what a host does to its copy is its own affair
    assert schema_of(form)["properties"]


def test_every_argument_is_used_and_every_used_one_is_described() -> None:
    assert {name for action in ACTIONS.values() for name in action.names} == set(ARGUMENTS)


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(InvalidInput, match="openai, anthropic, mcp"):
        description("grpc")
