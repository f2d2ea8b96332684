"""The tools as they are listed: small, whole, and about the very arguments that are checked."""

import json
from typing import Any

import pytest

from remanence.interfaces.mcp.tools import INSTRUCTIONS, TOOLS, listed
from remanence.tools.verbs import ARGUMENTS_OF_VERBS, VERBS

LARGEST_BYTES = 8 * 1024
NAMES = ["remember", "recall", "extract", "forget", "restore", "promote", "demote", "pin", "explain", "sweep", "dream"]


def test_exactly_these_tools_in_eight_kilobytes() -> None:
    assert [tool["name"] for tool in listed()] == [*NAMES, "undo"] == list(TOOLS) == list(VERBS)
    assert len(json.dumps({"tools": listed()}).encode()) <= LARGEST_BYTES


def test_every_argument_is_used_and_every_used_one_is_described() -> None:
    assert {name for verb in VERBS.values() for name in verb.names} == set(ARGUMENTS_OF_VERBS)


@pytest.mark.parametrize("tool", listed(), ids=list(TOOLS))
def test_a_tool_says_what_it_takes_gives_and_does(tool: dict[str, Any]) -> None:
    schema = tool["inputSchema"]
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(VERBS[tool["name"]].names)
    assert set(schema.get("required", ())) == set(VERBS[tool["name"]].required)
    assert tool["outputSchema"]["required"]
    hints = tool["annotations"]
    assert hints.keys() == {"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    assert not (hints["readOnlyHint"] and hints["destructiveHint"])
    assert len(tool["description"]) <= 120


def test_a_client_that_may_only_read_is_offered_nothing_that_writes() -> None:
    for tool in listed(reads_only=True):
        assert "apply" not in tool["inputSchema"]["properties"]
        assert "apply" not in tool["description"]
        assert tool["annotations"]["readOnlyHint"] and not tool["annotations"]["destructiveHint"]


def test_the_instructions_say_when_to_recall_and_when_to_remember() -> None:
    assert "Call recall" in INSTRUCTIONS and "Call remember" in INSTRUCTIONS and "data" in INSTRUCTIONS
    assert len(INSTRUCTIONS) <= 800
