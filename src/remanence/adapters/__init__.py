"""Adapters: remanence as the memory of agent frameworks, one module each, imported by whoever has the framework.

    langgraph       RemanenceStore, a store of LangGraph
    openai_agents   RemanenceSession and memory_tool, for the OpenAI Agents SDK
    pydantic_ai     memory_toolset, for Pydantic AI
    crewai          RemanenceMemory, for CrewAI
    llama_index     RemanenceMemoryBlock, for LlamaIndex
    anthropic       RemanenceMemoryTool, for Anthropic's SDK

An adapter is given a mind and calls what everyone may call, so a mind behind a server does as well.
"""

from __future__ import annotations

import json
from typing import Any, Protocol

from remanence.errors import InvalidInput, RemanenceError


class MissingLibrary(InvalidInput, ImportError):
    """The framework of an adapter is not installed, or is another version than the adapter knows."""

    def __init__(self, package: str, reason: ImportError) -> None:
        what = "is not installed" if isinstance(reason, ModuleNotFoundError) else "is a version this adapter cannot use"
        super().__init__(f'{package} {what} ({reason}). Run: pip install -U "{package}"')


class Tool(Protocol):
    """The part of a mind that answers a model's calls."""

    def memory_tool(self, action: str, **arguments: Any) -> dict[str, Any]: ...


def answered(mind: Tool, arguments: object) -> dict[str, Any]:
    """What the memory tool answers to a model's arguments, an object or JSON of one.

    An error is an answer too, since a model can mend its call.
    """
    try:
        if isinstance(arguments, str):
            arguments = json.loads(arguments)
        if not isinstance(arguments, dict):
            raise InvalidInput(f"the arguments must be one object with named values, not {type(arguments).__name__}")
        if strange := [name for name in arguments if name == "self" or not isinstance(name, str)]:
            raise InvalidInput(f"unknown arguments: {', '.join(map(str, strange))[:200]}")
        return mind.memory_tool(arguments.get("action", ""), **{k: v for k, v in arguments.items() if k != "action"})
    except RemanenceError as error:
        return error.to_dict()
    except (ValueError, RecursionError) as reason:
        return InvalidInput(f"the arguments are not JSON: {str(reason)[:200]}").to_dict()
