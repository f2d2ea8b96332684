"""Rollouts of Codex: ~/.codex/sessions/**/rollout-*.jsonl, as it writes them now and as it did before September 2025.

Now a line is {timestamp, type, payload}; before, the payload alone, after a first line with the session's id and time.
What was said and done stands in the response items; the other events repeat it. Left out are reasoning, what the host
put in, and the rollouts of subagents. What a compacted session goes on with is the system's word. Calls keep the host's
ids; messages have none, so their moment and words are their key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from remanence.model.session import ASSISTANT, SYSTEM, TOOL, USER, Observation
from remanence.sessions.importers import Head, Piece, Skipped
from remanence.sessions.importers.lines import Line, lines
from remanence.sessions.importers.shapes import (
    changed_at,
    digest,
    key_of,
    moment,
    said,
    session_named,
    text_of,
    unknown,
    word,
)
from remanence.sessions.importers.tools import Call, Waiting, called, pieces, returned, tool_name

AGENT = "codex"
_OF_THE_HOST = frozenset(["session_meta", "event_msg", "turn_context", "world_state"])
_OTHER_ITEMS = frozenset(
    ["reasoning", "ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "image_generation_call"]
)
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "tool_search_output")
_HEAD_LINES = 30
_ID_IN_NAME = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_FOLDER = re.compile(r"<cwd>([^<>]{1,4096})</cwd>|Current working directory: ([^\n]{1,4096})")


class _Begin(NamedTuple):
    """What the first lines of a rollout say."""

    head: Head
    at: datetime
    aside: bool = False


def read(path: Path, start: int, now: datetime) -> Iterator[Piece | Skipped]:
    """What happened in a rollout from a byte on, which must be where a line begins."""
    begin, waiting = _begin(path, now), Waiting()
    at = begin.at
    for line in lines(path, start):
        item, why = _item(line)
        if why is not None:
            yield Skipped(line.number, why)
        elif item and not begin.aside:
            at = moment(line.values.get("timestamp"), now) or at
            yield from pieces(begin.head, _seen(item, line, at, waiting), waiting, line.begin, line.end)


def _begin(path: Path, now: datetime) -> _Begin:
    """The session and its folder, from the first lines, wherever the reading goes on."""
    found = _ID_IN_NAME.search(path.stem)
    id, folder, at, aside = session_named(found[0] if found else path.stem) or digest(path.stem), None, None, False
    for line in islice(lines(path), _HEAD_LINES):
        kind, about = line.values.get("type"), line.values.get("payload")
        if line.number == 1:
            about = about if kind == "session_meta" else line.values if kind is None else None
            if isinstance(about, dict):
                id, folder = session_named(about.get("id")) or id, about.get("cwd")
                at = moment(about.get("timestamp"), now)
                aside = isinstance(source := about.get("source"), dict) and "subagent" in source
        elif folder is None:
            item, _ = _item(line)
            named_in = _FOLDER.search(text_of(item.get("content"))) if item.get("role") == USER else None
            folder = (named_in[1] or named_in[2]).strip() if named_in else None
        if folder is not None:
            break
    head = Head(id, AGENT, folder if isinstance(folder, str) and folder else None)
    return _Begin(head, at or changed_at(path, now), aside)


def _item(line: Line) -> tuple[dict[str, Any], str | None]:
    """The item of a line, {} where it tells of nothing, or why it cannot be read."""
    values = line.values
    if line.why is not None:
        return {}, line.why
    kind, inner = word(values.get("type")), values.get("payload")
    if inner is None:
        if not kind and (line.number == 1 or "record_type" in values):
            return {}, None
        inner = values
    elif kind == "compacted":
        return ({"type": kind, "text": inner.get("message")}, None) if isinstance(inner, dict) else ({}, unknown(kind))
    elif kind in _OF_THE_HOST:
        return {}, None
    elif kind != "response_item" or not isinstance(inner, dict):
        return {}, unknown(kind)
    kind = word(inner.get("type"))
    if kind in ("message", "web_search_call", *_CALLS, *_OUTPUTS):
        return inner, None
    return {}, None if kind in _OTHER_ITEMS else unknown(kind)


def _seen(item: dict[str, Any], line: Line, at: datetime, waiting: Waiting) -> Iterator[Observation]:
    for call in waiting.given_up(line.number):
        yield call.observation()
    kind = item["type"]
    if kind in _CALLS:
        id = item.get("call_id") or item.get("id")
        given = next((item[name] for name in ("arguments", "input", "action") if item.get(name) is not None), None)
        name = tool_name(item.get("name")) or kind.removesuffix("_call")
        call = Call(key_of(id), name, called(given), at, line.number, line.begin)
        if isinstance(id, str):
            waiting.add(id, call)
        else:
            yield call.observation()
    elif kind in _OUTPUTS:
        if (known := waiting.take(item.get("call_id"))) is not None:
            text, failed = returned(item.get("output"))
            yield known.observation(text, failed=failed)
    elif kind == "web_search_call":
        words = called(item.get("action"))
        yield Observation(role=TOOL, text="", at=at, tool="web_search", call=words, key=_key(line, TOOL, words))
    elif message := _message(item):
        role, text = message
        yield Observation(role=role, text=text, at=at, key=_key(line, role, text))


def _message(item: dict[str, Any]) -> tuple[str, str] | None:
    """Who said what; None where nobody said anything."""
    role, text = word(item.get("role")), text_of(item.get("content"))
    if item["type"] == "compacted":
        role, text = SYSTEM, word(item.get("text")).strip()
    elif role == USER:
        text = said(text)
    else:
        text = text.strip() if role == ASSISTANT else ""
    return (role, text) if text else None


def _key(line: Line, role: str, text: str) -> str:
    """By its moment a message is known again in a copy of the file; without one, by its place."""
    return digest(line.values.get("timestamp") or line.begin, role, text)
