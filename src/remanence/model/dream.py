"""What became of dreams: the report of one that ran unattended, and what each past one did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from remanence.model.memory import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamRun:
    """An unattended dream: the receipt of each step that changed something, and what is left for the next one."""

    at: datetime
    ran: bool = True
    why: str = ""
    receipts: Mapping[str, str] = field(default_factory=dict)
    merged: int = 0
    made: int = 0
    skipped: int = 0
    pruned: int = 0
    events: int = 0
    """Captured raw events that were let go; no receipt brings them back."""
    tokens_freed: int = 0
    llm: bool = False
    dropped: Mapping[str, int] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    """Steps that did not run, or did not finish, for want of time or tokens: the next run begins with them."""
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dreamt:
    """A past dream by its receipt: what it made and took out of recall, and whether that was regretted.

    `missed` counts recalls since that would have had something it took out; `undone` names the receipt that took it
    back.
    """

    receipt_id: str
    at: datetime
    note: str
    made: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    archived: int = 0
    adjusted: int = 0
    tokens_freed: int = 0
    missed: int = 0
    missed_ids: tuple[str, ...] = ()
    undone: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}
