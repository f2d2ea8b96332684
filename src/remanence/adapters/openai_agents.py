"""RemanenceSession and memory_tool, for the OpenAI Agents SDK.

A session keeps the items of one conversation as memories (`turns`) and replays them exactly. With `project`, what is
said is observed as well (`mind.sessions`), and becomes facts for the next session once this one has rested. The tool is
the one that `tools.description` describes; its errors are answers, which a model can read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from typing import Any

from remanence.adapters import MissingLibrary, answered
from remanence.adapters.turns import Turns
from remanence.tools.description import description

try:
    from agents import FunctionTool
    from agents.memory import SessionSettings
except ImportError as reason:
    raise MissingLibrary("openai-agents", reason) from reason

ROOT = "/conversations"
AGENT = "openai-agents"


class RemanenceSession:
    """The history of one conversation, in a mind, below the scope `root`: a Session of the SDK."""

    def __init__(
        self,
        session_id: str,
        mind: Any,
        *,
        root: str = ROOT,
        project: str | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._turns = Turns(mind, session_id, root)
        self._mind = mind
        self._project = project

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The latest items, oldest first."""
        most = self.session_settings.limit if limit is None and self.session_settings else limit
        return await asyncio.to_thread(self._turns.items, most)

    async def add_items(self, items: list[Any]) -> None:
        """Keep items in order."""
        await asyncio.to_thread(self._add, [_plain(item) for item in items])

    async def pop_item(self) -> Any | None:
        """Forget the latest item, softly, and give it back."""
        return await asyncio.to_thread(self._turns.pop)

    async def clear_session(self) -> None:
        """Forget all items, softly."""
        await asyncio.to_thread(self._turns.clear)

    def _add(self, items: list[dict[str, Any]]) -> None:
        self._turns.add(items)
        if self._project is not None:
            session = self._mind.sessions.start(self._project, id=self.session_id, agent=AGENT)
            for role, said in _said(items):
                self._mind.sessions.observe(session, said, role=role)


def memory_tool(mind: Any) -> Any:
    """The tool `memory`: add, recall, forget and the other actions, for an agent's `tools`."""
    told = description("openai")["function"]

    async def invoke(_: Any, arguments: str) -> str:
        answer = await asyncio.to_thread(answered, mind, arguments)
        return json.dumps(answer, ensure_ascii=False)

    return FunctionTool(
        name=told["name"],
        description=told["description"],
        params_json_schema=told["parameters"],
        on_invoke_tool=invoke,
        # Strict schemas make every argument required; most of these may be left out.
        strict_json_schema=False,
    )


def _plain(item: Any) -> dict[str, Any]:
    """An item as the JSON it is sent as."""
    given = item.model_dump(mode="json", exclude_unset=True) if hasattr(item, "model_dump") else item
    return dict(given)


def _said(items: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, str]]:
    """Who said what; calls, results and thoughts are left out."""
    for item in items:
        role, content = item.get("role"), item.get("content")
        if role not in ("user", "assistant"):
            continue
        parts = [content] if isinstance(content, str) else content if isinstance(content, list) else []
        texts = [part if isinstance(part, str) else str(part.get("text") or "") for part in parts]
        if said := "\n".join(text for text in texts if text.strip()):
            yield str(role), said
