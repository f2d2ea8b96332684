"""What verbs answer with: a hit of a recall, and what became of something remembered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from remanence.model.extraction import Extraction
from remanence.model.memory import Memory, plain, screened


@dataclass(frozen=True, slots=True)
class Hit:
    """A recalled memory; `rank` is the number hits are ordered by (more is better), `parts` what it is made of."""

    memory: Memory
    rank: float
    parts: Mapping[str, float] = field(default_factory=dict)
    archived: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "memory": self.memory.to_dict(),
            "rank": self.rank,
            "parts": dict(self.parts),
            "archived": self.archived,
        }


class Hits(list[Hit]):
    """The hits of a recall, best first.

    `missed` are archived memories that would have been among them; `notes` say what the answer lacks, and why.
    """

    __slots__ = ("missed", "notes")

    def __init__(self, hits: Iterable[Hit] = (), missed: Iterable[Hit] = (), notes: Iterable[str] = ()) -> None:
        super().__init__(hits)
        self.missed: tuple[Hit, ...] = tuple(missed)
        self.notes: tuple[str, ...] = tuple(notes)


class Absorbed(list["Remembered"]):
    """What became of each fact of a text, in order; how they were found, and the receipt that takes it all back."""

    __slots__ = ("extraction", "receipt_id")

    def __init__(
        self,
        remembered: Iterable[Remembered] = (),
        extraction: Extraction | None = None,
        receipt_id: str | None = None,
    ) -> None:
        super().__init__(remembered)
        self.extraction = extraction or Extraction()
        self.receipt_id = receipt_id


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNot:
    """Why a memory did not come in a recall: its own hit, where it could be one, beside the last that came."""

    memory_id: str
    found: bool
    place: int | None
    reasons: tuple[str, ...]
    hit: Hit | None = None
    last: Hit | None = None
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}

    def __str__(self) -> str:
        reasons = [reason[0].upper() + reason[1:] + "." for reason in self.reasons]
        return "\n".join([*reasons, *self.notes])


class Outcome(StrEnum):
    ADDED = "added"
    SUPERSEDED = "superseded"
    DUPLICATE = "duplicate"
    QUARANTINED = "quarantined"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a draft: the memory that now holds it (None when blocked), and ids of similar memories.

    `redacted` counts the secrets that were taken out of it, by kind.
    """

    memory: Memory | None
    outcome: Outcome
    similar: list[str] = field(default_factory=list)
    receipt_id: str | None = None
    redacted: Mapping[str, int] = field(default_factory=dict)

    @property
    def screened(self) -> tuple[str, ...]:
        """Why it was quarantined."""
        return screened(self.memory) if self.memory is not None and self.outcome is Outcome.QUARANTINED else ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "memory": plain(self.memory),
            "outcome": self.outcome.value,
            "similar": list(self.similar),
            "receipt_id": self.receipt_id,
            "redacted": dict(self.redacted),
        }
