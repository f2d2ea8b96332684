"""Plain chats: JSON or JSON lines, of messages with a role and a content, or of conversations that hold such messages.

Messages at the top are one conversation, the file's own, unless they name another. `upto` is bytes of JSON lines, and
elements of a JSON document. A conversation without an id is named after the file and its place in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from remanence.model.session import Observation
from remanence.sessions.importers import Head, Piece, Skipped
from remanence.sessions.importers.archives import conversations
from remanence.sessions.importers.lines import is_lines, lines
from remanence.sessions.importers.shapes import changed_at, digest, first_of, moment, named, session_named, titled
from remanence.sessions.importers.talk import Talk, is_message
from remanence.sessions.importers.tools import Waiting, pieces

AGENT = "chat"
LISTS = ("conversations", "chats", "sessions", "threads", "data")
_MESSAGES = ("messages", "conversation", "conversations", "turns", "dialogue", "dialog", "chat", "history")
_CONVERSATION = ("conversation_id", "conversationId", "session_id", "sessionId", "thread_id", "chat_id")
_TITLES = ("title", "name", "subject", "topic")
_STARTED = ("created_at", "create_time", "createdAt", "timestamp", "date", "started_at")
_CERTAIN = 16
"""Characters from which on an id is taken as the only one of its kind."""
_NEITHER = "neither a message nor a conversation"


def read(path: Path, start: int, now: datetime) -> Iterator[Piece | Skipped]:
    """The messages from a byte, or after so many elements, on."""
    return _lines(path, start, now) if is_lines(path) else _document(path, start, now)


def messages_of(value: object) -> list[dict[str, Any]] | None:
    """The messages of a conversation; None where it is none."""
    if isinstance(value, dict):
        value = next((value[name] for name in _MESSAGES if isinstance(value.get(name), list)), None)
    if not isinstance(value, list):
        return None
    found = [message for message in value if is_message(message)]
    return found if found or not value else None


def _lines(path: Path, start: int, now: datetime) -> Iterator[Piece | Skipped]:
    talk, head = Talk(changed_at(path, now), now), _own(path)
    for line in lines(path, start):
        if line.why is not None:
            yield Skipped(line.number, line.why)
        elif is_message(line.values):
            following = _own(path, session_named(first_of(line.values, _CONVERSATION)))
            if following != head:
                yield from pieces(head, talk.ended(), talk.waiting, line.begin, line.begin)
            head = following
            seen = talk.seen(line.values, line.number, line.begin, line.begin)
            yield from pieces(head, seen, talk.waiting, line.begin, line.end)
        elif (messages := messages_of(line.values)) is not None:
            whole, seen = _whole(path, line.values, messages, line.begin, now)
            yield from pieces(whole, seen, talk.waiting, line.begin, line.end)
        else:
            yield Skipped(line.number, _NEITHER)


def _document(path: Path, start: int, now: datetime) -> Iterator[Piece | Skipped]:
    talk, head, last = Talk(changed_at(path, now), now), _own(path), (0, 0)
    for item in conversations(path, LISTS):
        if isinstance(item, Skipped) or item.why is not None:
            yield item if isinstance(item, Skipped) else Skipped(item.number, item.why or "")
            continue
        begin, end = item.number - 1, item.number
        last = end, item.place
        if is_message(item.value):
            seen = talk.seen(item.value, item.number, begin)
            found = pieces(head, seen, talk.waiting, begin, end, item.place)
        elif end <= start:
            continue
        elif (messages := messages_of(item.value)) is not None:
            whole, seen = _whole(path, item.value, messages, item.number, now)
            found = pieces(whole, seen, Waiting(), begin, end, item.place)
        else:
            yield Skipped(item.number, _NEITHER)
            continue
        # What was read before is gone through all the same: what follows is known by what came before it.
        yield from (piece for piece in found if end > start)
    yield from pieces(head, talk.ended(), Waiting(), last[0], last[0], last[1])


def _own(path: Path, id: str | None = None) -> Head:
    """The file's own conversation, or the one of an id; a short id may stand in other files as well."""
    if id is not None and len(id) >= _CERTAIN:
        return Head(id, AGENT)
    return Head(f"{named(path.stem, 100) if id is None else id}-{digest(path.absolute())[:12]}", AGENT)


def _whole(
    path: Path, value: Any, messages: list[dict[str, Any]], place: int, now: datetime
) -> tuple[Head, Iterator[Observation]]:
    """A conversation that stands whole in one place: its head, and what was said in it."""
    about = value if isinstance(value, dict) else {}
    id = session_named(first_of(about, ("id", "uuid", *_CONVERSATION)))
    head = _own(path, id) if id is not None else Head(f"{_own(path).id}-{place}", AGENT)
    at = moment(first_of(about, _STARTED), now) or changed_at(path, now)
    return head._replace(title=titled(first_of(about, _TITLES))), _all(messages, at, now)


def _all(messages: list[dict[str, Any]], at: datetime, now: datetime) -> Iterator[Observation]:
    talk = Talk(at, now)
    for number, message in enumerate(messages, 1):
        yield from talk.seen(message, number, 0)
    yield from talk.ended()
