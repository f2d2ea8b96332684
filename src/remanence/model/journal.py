"""The journal: what happened to each memory, by ids, reasons and numbers, never by text, and places in it.

A receipt in brief is what a list of many shows of each. The past is what the journal tells of earlier days: it goes
back from the counts of now by what was journalled since, and so needs no count kept day by day.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from remanence.errors import InvalidInput
from remanence.model.memory import Memory, State, plain
from remanence.model.plan import Action

POLICY = "policy"
"""The verb of a receipt that changed the policy and no memory; its line has no memory's id."""
_RECEIPT = re.compile(r"r([0-9]{1,18})", re.ASCII)
_PLACE = re.compile(r"r([0-9]{1,18})(?:\.([0-9]{1,18}))?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the journal: ids, reasons and numbers, never text; of a change of policy `memory_id` is empty."""

    receipt_id: str
    verb: str
    at: datetime
    memory_id: str
    action: Action
    reason: str
    evidence: Mapping[str, float] = field(default_factory=dict)
    state_before: State | None = None
    state_after: State | None = None
    note: str | None = None
    item: int = 0

    @property
    def place(self) -> str:
        """Where it stands in the journal: "r12.3" is the fourth line of the receipt r12."""
        return f"{self.receipt_id}.{self.item}"

    @property
    def by_rule(self) -> bool:
        """Whether a rule of a policy acted: in a sweep, or a dream's sweep, which tell what the memory was worth."""
        return self.verb in ("sweep", "dream") and "worth" in self.evidence

    def to_dict(self) -> dict[str, Any]:
        return {
            "place": self.place,
            "receipt_id": self.receipt_id,
            "verb": self.verb,
            "note": self.note,
            "at": self.at.isoformat(),
            "memory_id": self.memory_id,
            "action": self.action.value,
            "reason": self.reason,
            "evidence": dict(self.evidence),
            "state_before": plain(self.state_before),
            "state_after": plain(self.state_after),
        }


def place_in_journal(text: object, name: str) -> tuple[int, int]:
    """The receipt and line that "r12.3" names; the whole receipt's last line for "r12"; InvalidInput else."""
    match = _PLACE.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise InvalidInput(f"{name} {str(text)[:40]!r} is no place in the journal, such as r12.0")
    return int(match[1]), int(match[2]) if match[2] else 2**62


def receipt_number(text: object, name: str) -> int:
    """The number in "r12"; InvalidInput else."""
    match = _RECEIPT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise InvalidInput(f"{name} {str(text)[:40]!r} is no receipt, such as r12")
    return int(match[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """A receipt in brief: how many changes of each action it made, and how many memories they changed.

    `undone_by` is the receipt that took it back, unless that was taken back itself.
    """

    id: str
    verb: str
    at: datetime
    note: str | None = None
    undoes: str | None = None
    undone_by: str | None = None
    actions: Mapping[str, int] = field(default_factory=dict)
    memories: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """How many memories there were on each of the last days (UTC), and how many came and left on each.

    Every list has days + 1 numbers, from the day `first` to today; the last ones are those of now. `live`, `archived`
    and `forgotten` are as they were at the end of the day, `learned` counts what was added on it, in whatever state,
    `left` what left recall on it, for whatever reason.
    """

    at: datetime
    days: int
    first: str
    live: tuple[int, ...]
    archived: tuple[int, ...]
    forgotten: tuple[int, ...]
    learned: tuple[int, ...]
    left: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Event:
    """A line of a memory's history: the journal entry, and the memory as it was right after (None once purged)."""

    entry: Entry
    memory: Memory | None

    @property
    def action(self) -> Action:
        return self.entry.action

    @property
    def at(self) -> datetime:
        return self.entry.at

    @property
    def reason(self) -> str:
        return self.entry.reason

    @property
    def text(self) -> str | None:
        return self.memory.text if self.memory is not None else None

    def to_dict(self) -> dict[str, Any]:
        return {**self.entry.to_dict(), "memory": plain(self.memory)}
