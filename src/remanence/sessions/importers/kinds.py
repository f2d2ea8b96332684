"""The kinds of files that can be brought in; which one a file is, by looking at it; and the files of a folder.

What decides is what stands in a file, not how it is called, but for Markdown and plain text. In a folder every file
below it counts, hidden ones too, in the order of their names; links are not followed, and what is no plain file, or
lies beside a store of ours, is left alone. A file that grows at its end is read on from where it was left; any other
that changed is read anew.
"""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from remanence.places import ARTIFACTS, SPOOL
from remanence.sessions.importers import (
    Noted,
    Piece,
    Skipped,
    chat,
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    markdown,
    mem0,
)
from remanence.sessions.importers.archives import conversations
from remanence.sessions.importers.lines import ENDINGS, is_lines, lines
from remanence.sessions.importers.talk import is_message

_LINES_LOOKED_AT = 200
_ITEMS_LOOKED_AT = 20
_TEXT = (".md", ".markdown", ".mdx", ".txt")
_DOCUMENTS = (".json", ".zip")


class Kind(NamedTuple):
    """A kind of files: its name, its reader, how its files are called in a folder, and whether they grow."""

    name: str
    read: Callable[[Path, int, datetime], Iterable[Piece | Noted | Skipped]]
    endings: tuple[str, ...]
    grows: Callable[[Path], bool]


def _always(path: Path) -> bool:
    return True


def _never(path: Path) -> bool:
    return False


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("claude-code", claude_code.read, ENDINGS, _always),
        Kind("codex", codex.read, ENDINGS, _always),
        Kind("chatgpt", chatgpt.read, _DOCUMENTS, _never),
        Kind("claude", claude_ai.read, _DOCUMENTS, _never),
        Kind("mem0", mem0.read, (".json", *ENDINGS), is_lines),
        Kind("chat", chat.read, (".json", *ENDINGS), is_lines),
        Kind("markdown", markdown.read, _TEXT, _never),
    )
}
_EVERY_ENDING = tuple({ending: None for kind in KINDS.values() for ending in kind.endings})


def kind_of(path: Path) -> str | None:
    """The kind of a file; None where it is of no kind that is known."""
    try:
        if path.suffix.lower() in _TEXT:
            return "markdown"
        if zipfile.is_zipfile(path):
            return _of_documents(path)
        return _of_lines(path) if is_lines(path) else _of_documents(path)
    except OSError:
        return None


def _of_lines(path: Path) -> str | None:
    """The kind of the first lines that are of one."""
    for line in islice(lines(path), _LINES_LOOKED_AT):
        if line.why is None and (kind := _of_line(line.values)) is not None:
            return kind
    return None


def _of_line(values: dict[str, Any]) -> str | None:
    kind = values.get("type")
    if isinstance(kind, str) and "role" not in values and ("sessionId" in values or "leafUuid" in values):
        return "claude-code"
    if isinstance(kind, str) and "timestamp" in values and isinstance(values.get("payload"), dict):
        return "codex"
    if kind is None and "id" in values and "timestamp" in values and ("instructions" in values or "git" in values):
        return "codex"
    return _of_value(values)


def _of_documents(path: Path) -> str | None:
    for item in islice(conversations(path, (*chat.LISTS, *mem0.LISTS)), _ITEMS_LOOKED_AT):
        if not isinstance(item, Skipped) and item.why is None and (kind := _of_value(item.value)) is not None:
            return kind
    return None


def _of_value(value: object) -> str | None:
    """The kind of one element, or of a line that is of no agent."""
    if isinstance(value, dict) and isinstance(value.get("mapping"), dict):
        return "chatgpt"
    if isinstance(value, dict) and isinstance(value.get(claude_ai.MESSAGES), list):
        return "claude"
    if is_message(value) or chat.messages_of(value):
        return "chat"
    return "mem0" if mem0.is_memory(value) else None


def files_below(folder: Path, kind: str | None = None) -> Iterator[Path]:
    """The plain files of a folder, and of those in it, that may be of a kind."""
    endings = _EVERY_ENDING if kind is None else KINDS[kind].endings
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        try:
            mode = place.lstat().st_mode if place is not folder else stat.S_IFDIR
            if stat.S_ISDIR(mode) and not place.name.endswith((ARTIFACTS, SPOOL)):
                waiting += sorted(place.iterdir(), reverse=True)
        except OSError:
            continue
        if stat.S_ISREG(mode) and place.name.lower().endswith(endings):
            yield place
