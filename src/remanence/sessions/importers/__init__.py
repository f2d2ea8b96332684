"""Readers of what other programs keep of conversations: each gives observations with the session they belong to.

A reader is a module with `read(path, start, now)`: pieces in order, each with where to go on from after it, and a
`Skipped` for what it could not read. Nothing it reads is ever fatal, and it holds no more than one line, one message or
one conversation at a time. What it gives is raw: secrets are taken out where it is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from remanence.model.session import Observation


class Head(NamedTuple):
    """The session a piece belongs to: its id, its agent, and the folder it was held in, where that is known."""

    id: str
    agent: str
    folder: str | None = None
    title: str | None = None


class Piece(NamedTuple):
    """One observation; `upto` is how far the reader is: bytes of a file, or conversations of an archive.

    `place` is how many bytes of the file were read, where `upto` does not say so.
    """

    head: Head
    observation: Observation
    upto: int
    place: int = 0


class Noted(NamedTuple):
    """One memory that another program kept, as the values of a draft."""

    values: dict[str, Any]
    line: int
    upto: int
    place: int = 0


class Skipped(NamedTuple):
    """What could not be read: the line (or conversation), from 1, or 0 for the whole file; and why."""

    line: int
    why: str


class Reader(Protocol):
    """What each module of a kind offers; one that reads memories gives `Noted` in place of `Piece`."""

    def read(self, path: Path, start: int, now: datetime) -> Iterator[Piece | Noted | Skipped]: ...
