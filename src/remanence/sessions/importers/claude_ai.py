"""Exports of Claude: the archive, or the conversations.json in it; each conversation with its chat_messages.

`upto` counts conversations. Where a conversation says which message is its last, the way there is followed, so that
answers which were asked for anew are left out. Left out as well are thinking, and files that were attached.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from remanence.model.session import Observation
from remanence.sessions.importers import Head, Piece, Skipped
from remanence.sessions.importers.archives import conversations
from remanence.sessions.importers.shapes import changed_at, first_of, moment, session_named, titled
from remanence.sessions.importers.talk import Talk
from remanence.sessions.importers.tools import Waiting, pieces

AGENT = "claude"
MESSAGES = "chat_messages"


def read(path: Path, start: int, now: datetime) -> Iterator[Piece | Skipped]:
    """The conversations after so many."""
    at = changed_at(path, now)
    for item in conversations(path, ("conversations",)):
        if isinstance(item, Skipped):
            yield item
        elif 0 < item.number <= start:
            continue
        elif item.why is not None or not isinstance(item.value, dict) or not isinstance(item.value.get(MESSAGES), list):
            yield Skipped(item.number, item.why or "not a conversation of Claude")
        elif (id := session_named(item.value.get("uuid"))) is None:
            yield Skipped(item.number, "a conversation without a uuid")
        else:
            head = Head(id, AGENT, title=titled(item.value.get("name")))
            seen = _seen(item.value, moment(item.value.get("created_at"), now) or at, now)
            yield from pieces(head, seen, Waiting(), item.number - 1, item.number, item.place)


def _seen(conversation: dict[str, Any], at: datetime, now: datetime) -> Iterator[Observation]:
    talk = Talk(at, now)
    for number, message in enumerate(_branch(conversation), 1):
        yield from talk.seen(message, number, 0)
    yield from talk.ended()


def _branch(conversation: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages of the branch that was shown last; all, in their order, where nobody says which that is."""
    messages = [message for message in conversation[MESSAGES] if isinstance(message, dict)]
    last = first_of(conversation, ("current_leaf_message_uuid",))
    by_id = {message["uuid"]: message for message in messages if isinstance(message.get("uuid"), str)}
    chosen: list[dict[str, Any]] = []
    while isinstance(last, str) and (message := by_id.pop(last, None)) is not None:
        chosen.append(message)
        last = message.get("parent_message_uuid")
    return chosen[::-1] or messages
