"""Transcripts of Claude Code: ~/.claude/projects/*/*.jsonl, an event a line, each with its session and folder.

Said is what a person typed and what the agent answered; a tool's call stands with its result. Left out are subagents
(what they found comes back as a tool's result), thinking, and what the host itself put in. The summary with which a
compacted session goes on is the system's word. Keys are the host's own: the event's uuid, the id of a tool's call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from remanence.model.session import ASSISTANT, SYSTEM, USER, Observation
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
from remanence.sessions.importers.tools import EVERY_LINE, Call, Waiting, called, pieces, returned, tool_name

AGENT = "claude-code"
_OF_THE_HOST_TEXT = """
    summary system progress attachment file-history-snapshot queue-operation custom-title ai-title last-prompt tag mode
    permission-mode agent-name agent-color agent-setting pr-link task-summary content-replacement attribution-snapshot
    worktree-state saved_hook_context speculation-accept
"""
_OF_THE_HOST = frozenset(_OF_THE_HOST_TEXT.split())
_CONTINUED = re.compile(r"\AThis session is being continued from a previous conversation[^\n]*\n+")
_GO_ON = re.compile(r"\n+(?:Please c|C)ontinue the conversation from where (?:we|it) left.*\Z", re.DOTALL)


def read(path: Path, start: int, now: datetime) -> Iterator[Piece | Skipped]:
    """What happened in a transcript from a byte on, which must be where a line begins."""
    head, at, waiting = Head(session_named(path.stem) or digest(path.stem), AGENT), changed_at(path, now), Waiting()
    for line in lines(path, start):
        kind = word(line.values.get("type"))
        if line.why is not None:
            yield Skipped(line.number, line.why)
        elif kind not in (USER, ASSISTANT):
            if kind not in _OF_THE_HOST:
                yield Skipped(line.number, unknown(kind))
        elif line.values.get("isSidechain") is not True:
            following = _head(line.values, head)
            if following.id != head.id:
                left = (call.observation() for call in waiting.given_up(EVERY_LINE))
                yield from pieces(head, left, waiting, line.begin, line.begin)
            head, at = following, moment(line.values.get("timestamp"), now) or at
            yield from pieces(head, _seen(line, at, waiting), waiting, line.begin, line.end)


def _head(values: dict[str, Any], before: Head) -> Head:
    """The session of an event; its folder is the first that was named."""
    id = session_named(values.get("sessionId")) or before.id
    folder = values.get("cwd")
    if id == before.id and (before.folder is not None or not isinstance(folder, str)):
        return before
    return Head(id, AGENT, folder if isinstance(folder, str) and folder else None)


def _seen(line: Line, at: datetime, waiting: Waiting) -> Iterator[Observation]:
    for call in waiting.given_up(line.number):
        yield call.observation()
    message = line.values.get("message")
    content = message.get("content") if isinstance(message, dict) else message
    if said_here := _text(line.values, message, text_of(content)):
        role = SYSTEM if line.values.get("isCompactSummary") is True else line.values["type"]
        yield Observation(role=role, text=said_here, at=at, key=key_of(line.values.get("uuid")))
    for block in content if isinstance(content, list) else ():
        kind = word(block.get("type")) if isinstance(block, dict) else ""
        if kind.endswith("tool_use") and isinstance(id := block.get("id"), str):
            name, words = tool_name(block.get("name")), called(block.get("input"))
            waiting.add(id, Call(key_of(id), name, words, at, line.number, line.begin))
        elif kind.endswith("tool_result") and (known := waiting.take(block.get("tool_use_id"))) is not None:
            text, failed = returned(block.get("content"))
            yield known.observation(text, failed=failed or block.get("is_error") is True)


def _text(values: dict[str, Any], message: object, text: str) -> str:
    """What of an event's text was said by whom it is from."""
    if values.get("isCompactSummary") is True:
        return _GO_ON.sub("", _CONTINUED.sub("", text.strip()))
    if values["type"] == ASSISTANT:
        made_up = isinstance(message, dict) and message.get("model") == "<synthetic>"
        return "" if made_up or values.get("isApiErrorMessage") is True else text.strip()
    return "" if values.get("isMeta") is True else said(text)
