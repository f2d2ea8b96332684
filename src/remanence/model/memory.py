"""A memory: one stored statement whose text never changes, with every field of its life.

Fields are orthogonal: state says whether it is recalled, layer how durable it is, kind what it speaks of. Retention
and worth are not here: they are computed. `revision` counts the changes applied to the row; it guards plans against
rows that moved on and is no part of the memory's value.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, make_dataclass
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from typing import Any, cast


class State(StrEnum):
    LIVE = "live"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"
    QUARANTINED = "quarantined"


class Layer(StrEnum):
    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    CODEBASE = "codebase"


class Source(StrEnum):
    HUMAN = "human"
    AI = "ai"
    INGEST = "ingest"
    EXTRACTED = "extracted"
    DREAM = "dream"


TRUST = {Source.HUMAN: 1.0, Source.AI: 0.7, Source.EXTRACTED: 0.7, Source.INGEST: 0.5, Source.DREAM: 0.4}
"""How far each source is believed, from 0 to 1: a person most, a dream least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One stored statement."""

    id: str
    namespace: str
    scope: str
    layer: Layer
    kind: str
    text: str
    source: Source
    importance: float
    created_at: datetime
    last_accessed_at: datetime
    categories: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    origin: str | None = None
    valence: float = 0.0
    confidence: float = 1.0
    confirmations: int = 0
    pinned: bool = False
    exempt: bool = False
    access_count: int = 0
    recent_accesses: tuple[datetime, ...] = ()
    expires_at: datetime | None = None
    kept_until: datetime | None = None
    challenged_by: str | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    state: State = State.LIVE
    version: int = 1
    supersedes: str | None = None
    superseded_by: str | None = None
    lineage: tuple[str, ...] = ()
    depth: int = 0
    surprise: float | None = None
    uses: int = 0
    rejections: int = 0
    trust_limit: float = 1.0
    metadata: dict[str, Any] = field(default_factory=dict)
    revision: int = field(default=1, compare=False)

    @property
    def trust(self) -> float:
        """How far it is believed: as far as its source, and no further than what it was made from (`trust_limit`)."""
        return min(TRUST[self.source], self.trust_limit)

    def is_over(self, moment: datetime | None) -> bool:
        """Whether its own expiry had passed at that moment; False where none is asked about."""
        return moment is not None and self.expires_at is not None and self.expires_at < moment

    def __hash__(self) -> int:
        return hash((self.namespace, self.id))

    def but(self, **fields: Any) -> Memory:
        """The same memory with some fields changed; the values are trusted as they are."""
        memory: Any = _Unfrozen(*_values(self))
        for name, value in fields.items():
            setattr(memory, name, value)
        memory.__class__ = Memory
        return cast(Memory, memory)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; the inverse is `model.record.memory_from`."""
        return {name: plain(getattr(self, name)) for name in FIELDS} | {"trust": self.trust}


# A frozen dataclass writes each field through object.__setattr__, which takes eight times as long as plain assignment.
# A store that builds a memory for every hit fills this twin, of the same slots, and then declares it a memory.
_Unfrozen = make_dataclass("_Unfrozen", [f.name for f in fields(Memory)], slots=True)
_values = attrgetter(*(f.name for f in fields(Memory)))


def memory_of(*values: Any) -> Memory:
    """A memory from the values of all its fields in order, trusted as they are."""
    memory: Any = _Unfrozen(*values)
    memory.__class__ = Memory
    return cast(Memory, memory)


FIELDS: tuple[str, ...] = tuple(f.name for f in fields(Memory) if f.name != "revision")
MOMENTS = frozenset(
    ("created_at", "last_accessed_at", "expires_at", "kept_until", "valid_from", "valid_until"),
)


SOURCE_TEXT = "source_text"
"""The kind of a text that memories were absorbed from."""
SCREENED = "screened"
ACCEPTED = "accepted"
"""Names in a memory's metadata: why it was quarantined, and when a person accepted it all the same."""


def screened(memory: Memory) -> tuple[str, ...]:
    """Why a memory was quarantined; empty where it never was."""
    reasons = memory.metadata.get(SCREENED, ())
    return tuple(map(str, reasons)) if isinstance(reasons, (list, tuple)) else (str(reasons),)


def is_untried(memory: Memory) -> bool:
    """Whether a memory was quarantined, and nobody ever accepted it."""
    return bool(screened(memory)) and ACCEPTED not in memory.metadata


def plain(value: Any) -> Any:
    """A value as JSON knows it: moments as ISO 8601, enums as their words, tuples as lists."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, frozenset, set)):
        return [plain(item) for item in value]
    return value.to_dict() if hasattr(value, "to_dict") else value
