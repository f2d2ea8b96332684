"""Tool calls: what was called in a few words, and each call joined with what it gave back.

A call waits for its result; as long as it does, a reader says it is no further than where the call stands, so that one
who goes on from there sees both. One that waited for 2,000 lines is given up, and stands without a result. Of a line
that tells of several things, only the last says that the line was read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from remanence.model.session import MOST_RETURNED, TOOL, Observation
from remanence.sessions.importers import Head, Piece
from remanence.sessions.importers.shapes import named

EVERY_LINE = 1 << 62
"""A line so late that no call still waits for it."""
_MOST_WAITING = 64
_PATIENCE_LINES = 2_000
_COMMANDS = ("command", "cmd", "script", "code")
_PLACES = ("file_path", "notebook_path", "path", "url", "query", "pattern", "prompt", "message", "description")
_SHELLS = ("bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_HEAD = re.compile(
    r"\A(?:(?:Chunk ID|Wall time|Original token count|Exit code|Process exited|Process running|Total output lines)\b"
    r"[^\n]*\n)+(?:Output:\n?)?"
)
_CODE = re.compile(r"^(?:Exit code:|Process exited with code) *(-?\d{1,6})", re.MULTILINE)


class Call(NamedTuple):
    """A call that was made: its tool, its words, when, and the line and byte at which it stands."""

    key: str | None
    tool: str | None
    call: str
    at: datetime
    number: int = 0
    begin: int = 0

    def observation(self, text: str = "", *, failed: bool = False) -> Observation:
        return Observation(
            role=TOOL, text=text, at=self.at, tool=self.tool, call=self.call, failed=failed, key=self.key
        )


class Waiting:
    """The calls whose results have not come."""

    def __init__(self) -> None:
        self._calls: dict[str, Call] = {}

    def add(self, id: str, call: Call) -> None:
        self._calls[id] = call

    def take(self, id: object) -> Call | None:
        return self._calls.pop(id, None) if isinstance(id, str) else None

    def upto(self, end: int) -> int:
        """How far a reader is that has read up to here."""
        return min((call.begin for call in self._calls.values()), default=end)

    def given_up(self, number: int) -> Iterator[Call]:
        """Those that waited too long at this line; they wait no more."""
        while self._calls:
            id, call = next(iter(self._calls.items()))
            if len(self._calls) <= _MOST_WAITING and number - call.number <= _PATIENCE_LINES:
                return
            del self._calls[id]
            yield call


def pieces(
    head: Head, seen: Iterable[Observation], waiting: Waiting, begin: int, end: int, place: int | None = None
) -> Iterator[Piece]:
    """What stands from `begin` to `end` (bytes, or conversations) as pieces; `place` is in bytes in any case."""
    before, last = waiting.upto(begin), None
    at = end if place is None else place
    for one in seen:
        if last is not None:
            yield Piece(head, last, before, at)
        last = one
    if last is not None:
        yield Piece(head, last, waiting.upto(end), at)


def called(given: object) -> str:
    """What a tool was called with, in a few words: the command, the path, or all of it, cut."""
    if isinstance(given, str):
        return _of_text(given)
    if not isinstance(given, dict):
        return "" if given is None else _compact(given)
    for name in _COMMANDS:
        if command := _command(given.get(name)):
            return command
    for name in _PLACES:
        if isinstance(value := given.get(name), str) and value.strip():
            return value[:MOST_RETURNED]
    return _compact(given) if given else ""


def _of_text(given: str) -> str:
    """Of a text that holds JSON, what it says; of a patch, the files."""
    if given[:1] in "{[":
        try:
            values = json.loads(given)
        except (ValueError, RecursionError):
            return given[:MOST_RETURNED]
        return called(values) if isinstance(values, dict) else _compact(values)
    if given.startswith("*** Begin Patch") and (files := _PATCHED.findall(given)):
        return "\n".join(dict.fromkeys(file.strip() for file in files))[:MOST_RETURNED]
    return given[:MOST_RETURNED]


def _command(value: object) -> str:
    if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
        if len(value) == 3 and value[0] in _SHELLS and value[1] in ("-c", "-lc"):
            return value[2][:MOST_RETURNED]
        return " ".join(value)[:MOST_RETURNED]
    return value[:MOST_RETURNED] if isinstance(value, str) and value.strip() else ""


def _compact(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))[:MOST_RETURNED]
    except (ValueError, RecursionError):
        return ""


def returned(output: object) -> tuple[str, bool]:
    """The text that a tool gave back, without what its host put before it, and whether it failed."""
    failed = False
    if isinstance(output, str) and output.startswith('{"'):
        try:
            inner = json.loads(output)
        except (ValueError, RecursionError):
            inner = None
        output = inner if isinstance(inner, dict) and "output" in inner else output
    if isinstance(output, dict):
        about = output.get("metadata")
        code = about.get("exit_code") if isinstance(about, dict) else output.get("exit_code")
        failed = output.get("success") is False or (isinstance(code, int) and code != 0)
        output = next((output[name] for name in ("output", "content", "text") if name in output), "")
    if isinstance(output, list):
        output = "\n".join(
            part.get("text") or "" if isinstance(part, dict) else str(part)
            for part in output
            if not isinstance(part, dict) or isinstance(part.get("text"), str)
        )
    text = output if isinstance(output, str) else "" if output is None else _compact(output)
    if head := _HEAD.match(text):
        code = _CODE.search(head[0])
        failed = failed or (code is not None and int(code[1]) != 0)
        text = text[head.end() :]
    return text, failed


def tool_name(value: object) -> str | None:
    """A tool's name as it may be stored."""
    return named(value, 100) if isinstance(value, str) else None
