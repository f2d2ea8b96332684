"""What an import would bring, and what it brought: by kind of file, with what of it is junk and what was not read.

Junk is told by reason. What is empty, binary, or there twice is left out; what is too long is cut; a greeting is kept
for its context, as nothing is learned from it (a memory that says no more than that is left out as well).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from remanence.model.memory import plain

KINDS = ("claude-code", "codex", "chatgpt", "claude", "mem0", "chat", "markdown")
"""What can be brought in, by the name of the kind of its files."""
AUTO = "auto"
CHATTER, CUT, BINARY, DUPLICATE, EMPTY = ("chatter", "cut", "binary", "duplicate", "empty")
MOST_UNREAD = 20
"""Of what could not be read, so many are named; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How much there is: files, sessions, observations or memories, and the characters they have."""

    files: int = 0
    sessions: int = 0
    observations: int = 0
    memories: int = 0
    characters: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(**{name: getattr(self, name) + getattr(other, name) for name in self.__slots__})

    def to_dict(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Unread:
    """What could not be read: the file, the line (or conversation) from 1, or 0 for the whole file, and why."""

    file: str
    line: int
    why: str

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """What files hold: what of it is worth reading by kind, junk by reason, secrets by kind, and what was not read.

    `cut_characters` is what is too long of observations; `others` are files of no kind that is known, `unchanged` ones
    that were read to their end before, and have not changed since.
    """

    path: str
    bytes: int = 0
    kinds: Mapping[str, Tally] = field(default_factory=dict)
    junk: Mapping[str, int] = field(default_factory=dict)
    cut_characters: int = 0
    redacted: Mapping[str, int] = field(default_factory=dict)
    skipped: int = 0
    unread: tuple[Unread, ...] = ()
    others: int = 0
    unchanged: int = 0

    @property
    def total(self) -> Tally:
        return sum(self.kinds.values(), Tally())

    def to_dict(self) -> dict[str, Any]:
        return {
            **{name: plain(getattr(self, name)) for name in self.__slots__},
            "total": self.total.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtIn:
    """What an import did: what it read, what of that was new, and the receipts that take memories back.

    `sessions` are those with something new, which the next run processes; `present` is what was there already.
    """

    read: Intake
    sessions: int = 0
    observations: int = 0
    present: int = 0
    memories: Mapping[str, int] = field(default_factory=dict)
    receipts: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}
