"""RemanenceMemoryBlock: the long-term part of LlamaIndex's Memory.

LlamaIndex keeps the last messages of a chat itself and hands those that no longer fit to its blocks; this one takes
them apart into facts, as `compaction` does before any cut. For each answer it recalls what bears on the question, in
the frame that marks it as data. A failing store is logged, and costs the chat its memory, never its answer.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from remanence.adapters import MissingLibrary
from remanence.compaction import before_cut
from remanence.errors import InvalidInput, RemanenceError
from remanence.model.scope import scope_problems

try:
    from llama_index.core.base.llms.types import ChatMessage, MessageRole
    from llama_index.core.bridge.pydantic import Field, field_validator
    from llama_index.core.memory import BaseMemoryBlock
except ImportError as reason:
    raise MissingLibrary("llama-index-core", reason) from reason

_log = logging.getLogger("remanence.adapters")
_SESSION = "session_id"


class RemanenceMemoryBlock(BaseMemoryBlock[str]):
    """Facts of earlier messages, in a mind, for `Memory.from_defaults(memory_blocks=[…])`."""

    name: str = Field(default="remanence", description="The name of the block in the prompt.")
    mind: Any = Field(exclude=True, repr=False, description="The mind that remembers.")
    scope: str = Field(default="/", description="Where facts are stored, and what is recalled from.")
    budget_tokens: int = Field(default=1000, gt=0, description="How much is recalled for one answer.")
    kinds: list[str] | None = Field(default=None, description="Recall these kinds alone.")

    @field_validator("scope")
    @classmethod
    def _scope(cls, scope: str) -> str:
        if problems := scope_problems(scope):
            raise InvalidInput(problems)
        return scope

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        """What is known about the question, framed; nothing where there is no question."""
        query = _asked(messages or [], block_kwargs.get("input"))
        return await asyncio.to_thread(self._recalled, query) if query else ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Remember the facts of messages that leave the chat's history."""
        await asyncio.to_thread(self._absorbed, messages)

    def _recalled(self, query: str) -> str:
        kinds = {} if self.kinds is None else {"kinds": self.kinds}
        try:
            return str(self.mind.context(query, scope=self.scope, budget_tokens=self.budget_tokens, **kinds))
        except RemanenceError as error:
            # Its message may quote the question; its code never does.
            _log.warning("nothing was recalled for a chat: %s (%s)", type(error).__name__, error.code)
            return ""

    def _absorbed(self, messages: list[ChatMessage]) -> None:
        sessions = {str(message.additional_kwargs.get(_SESSION, "")): None for message in messages}
        for session in sessions:
            told = [
                {"role": message.role.value, "content": message.content or ""}
                for message in messages
                if str(message.additional_kwargs.get(_SESSION, "")) == session
            ]
            before_cut(told, self.scope, mind=self.mind, session=session or None)


def _asked(messages: list[ChatMessage], input: object) -> str:
    """The question: what is asked now, or what the user said last; at most its first 2,000 characters."""
    text = input.content if isinstance(input, ChatMessage) else input
    if not isinstance(text, str):
        text = next((one.content for one in reversed(messages) if one.role == MessageRole.USER), None)
    return (text or "").strip()[:2000]
