"""Contenders: what can be filled with a haystack and asked. One a file; the product is `ours`, an ordinary one.

A contender gets items in the order of their dates and makes a haystack of them; a haystack answers a query with the
labels of its best items, best first, at most `limit` items deep. Labels need not be unique: items of one session share
its label, and the session stands where its best item stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Item:
    """One text to keep: what it is called in the answer, what it says, when it was born, and in which session."""

    label: str
    text: str
    at: datetime
    kind: str = "fact"
    session: str | None = None


class Haystack(Protocol):
    def asked(self, query: str, at: datetime, limit: int) -> list[str]: ...

    def counts(self) -> dict[str, int]:
        """What became of the items, where that is worth telling."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Resting(Protocol):
    """A haystack with jobs of its own."""

    def rest(self, at: datetime) -> None:
        """Let it be later, and run every job."""
        ...


class Contender(Protocol):
    @property
    def name(self) -> str: ...

    def filled(self, items: Sequence[Item]) -> Haystack: ...


def distinct(labels: Iterable[str]) -> list[str]:
    """Each label once, where it stands first."""
    return list(dict.fromkeys(labels))
