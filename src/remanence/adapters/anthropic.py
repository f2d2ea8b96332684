"""RemanenceMemoryTool: Anthropic's memory tool on a mind, for the tool runners of its SDK.

The commands are those of `tools.files.FileMemory`, which says how files are memories. What a model may do wrong is a
ToolError, which a runner hands back to the model as a failed call. A mind waits on files, so the async tool works in a
thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from remanence.adapters import MissingLibrary
from remanence.tools.files import KIND, FileMemory

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
except ImportError as reason:
    raise MissingLibrary("anthropic", reason) from reason

ROOT = "/memories"


class _Files:
    """What the tool does, whichever way it is called."""

    def __init__(self, mind: Any, root: str) -> None:
        self._mind = mind
        self._files = FileMemory(mind, root)

    def run(self, command: Any) -> str:
        """The answer to a command, given as the SDK's value or as the model wrote it."""
        given = command.model_dump(exclude_unset=True) if hasattr(command, "model_dump") else command
        if not isinstance(given, Mapping):
            raise ToolError(f"Error: the input must be one object with a command, not {type(given).__name__}")
        answer = self._files.run({str(name): value for name, value in given.items()})
        if answer.startswith("Error: "):
            raise ToolError(answer)
        return answer

    def clear(self) -> str:
        receipt = self._mind.forget(scope=self._files.root, kinds=[KIND])
        return f"{len(receipt.applied)} files were forgotten. Receipt {receipt.id} can bring them back."


class RemanenceMemoryTool(BetaAbstractMemoryTool):
    """The memory tool, for `client.beta.messages.tool_runner`; files are below the scope `root`."""

    def __init__(self, mind: Any, root: str = ROOT, **options: Any) -> None:
        super().__init__(**options)
        self._tool = _Files(mind, root)

    def call(self, input: object) -> Any:
        return self._tool.run(input)

    def execute(self, command: Any) -> Any:
        return self._tool.run(command)

    view = create = str_replace = insert = delete = rename = execute

    def clear_all_memory(self) -> Any:
        """Forget all files, softly; a model has no command for it."""
        return self._tool.clear()


class AsyncRemanenceMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for the async client."""

    def __init__(self, mind: Any, root: str = ROOT, **options: Any) -> None:
        super().__init__(**options)
        self._tool = _Files(mind, root)

    async def call(self, input: object) -> Any:
        return await asyncio.to_thread(self._tool.run, input)

    async def execute(self, command: Any) -> Any:
        return await asyncio.to_thread(self._tool.run, command)

    view = create = str_replace = insert = delete = rename = execute

    async def clear_all_memory(self) -> Any:
        """Forget all files, softly; a model has no command for it."""
        return await asyncio.to_thread(self._tool.clear)
