"""Exports of ChatGPT: the archive, or the conversations.json in it; each conversation a tree of messages.

`upto` counts conversations. Of the tree, the branch that was shown last is followed, from `current_node` up; answers
that were asked for anew are left out. What the assistant sent to a tool is a call, and what the tool said after it the
result. Left out are reasoning, custom instructions, and what was hidden in the conversation.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from remanence.model.session import ASSISTANT, TOOL, USER, Observation
from remanence.sessions.importers import Head, Piece, Skipped
from remanence.sessions.importers.archives import conversations
from remanence.sessions.importers.shapes import changed_at, first_of, key_of, moment, session_named, titled, word
from remanence.sessions.importers.tools import Call, Waiting, called, pieces, tool_name

AGENT = "chatgpt"
_NOT_SAID = ("thoughts", "reasoning_recap", "user_editable_context", "model_editable_context", "system_error")
_TO_ALL = ("all", "", "assistant")


def read(path: Path, start: int, now: datetime) -> Iterator[Piece | Skipped]:
    """The conversations after so many."""
    at = changed_at(path, now)
    for item in conversations(path, ("conversations",)):
        if isinstance(item, Skipped):
            yield item
        elif 0 < item.number <= start:
            continue
        elif (
            item.why is not None or not isinstance(item.value, dict) or not isinstance(item.value.get("mapping"), dict)
        ):
            yield Skipped(item.number, item.why or "not a conversation of ChatGPT")
        elif (id := session_named(first_of(item.value, ("conversation_id", "id")))) is None:
            yield Skipped(item.number, "a conversation without an id")
        else:
            head = Head(id, AGENT, title=titled(item.value.get("title")))
            seen = _seen(_branch(item.value), moment(item.value.get("create_time"), now) or at, now)
            yield from pieces(head, seen, Waiting(), item.number - 1, item.number, item.place)


def _branch(conversation: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages from the first to the one that was shown last."""
    nodes = {id: node for id, node in conversation["mapping"].items() if isinstance(node, dict)}
    last = conversation.get("current_node")
    if not isinstance(last, str) or last not in nodes:
        last = next((id for id in reversed(nodes) if not nodes[id].get("children")), None)
    chosen = []
    while isinstance(last, str) and (node := nodes.pop(last, None)) is not None:
        chosen.append(node.get("message"))
        last = node.get("parent")
    return [message for message in reversed(chosen) if isinstance(message, dict)]


def _seen(messages: list[dict[str, Any]], at: datetime, now: datetime) -> Iterator[Observation]:
    waits: Call | None = None
    for message in messages:
        at = moment(message.get("create_time"), now) or at
        author = message.get("author")
        role = word(author.get("role")) if isinstance(author, dict) else ""
        text, key = _text(message), key_of(message.get("id"))
        if role == TOOL:
            if waits is None:
                waits = Call(key, _tool(author), "", at)
            if waits.call or text.strip():
                yield waits.observation(text)
            waits = None
            continue
        if waits is not None:
            yield waits.observation()
            waits = None
        if not text.strip() or role not in (USER, ASSISTANT) or _hidden(message):
            continue
        recipient = word(message.get("recipient"))
        if role == ASSISTANT and recipient not in _TO_ALL:
            waits = Call(key, tool_name(recipient), called(text), at)
        else:
            yield Observation(role=role, text=text.strip(), at=at, key=key)
    if waits is not None:
        yield waits.observation()


def _tool(author: object) -> str | None:
    return tool_name(author.get("name")) if isinstance(author, dict) else None


def _hidden(message: dict[str, Any]) -> bool:
    about = message.get("metadata")
    return isinstance(about, dict) and (
        about.get("is_visually_hidden_from_conversation") is True or about.get("is_user_system_message") is True
    )


def _text(message: dict[str, Any]) -> str:
    """The text of a message's content, whatever its type; "" where it is none that was said."""
    content = message.get("content")
    if not isinstance(content, dict) or content.get("content_type") in _NOT_SAID:
        return ""
    parts = content.get("parts")
    if not isinstance(parts, list):
        return word(first_of(content, ("text", "result")))
    texts = (
        part if isinstance(part, str) else word(part.get("text")) for part in parts if isinstance(part, (str, dict))
    )
    return "\n".join(filter(None, texts))
