"""A lesson as it stands at a moment: how sure it is by now, and when it will leave if nobody meets it again.

`base` is the confidence it had when it was written or last reinforced, at `since`; from there it loses 0.05 a week.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from remanence.model.memory import Memory, plain

LESSON = "lesson"
CONFIDENCE = 0.6
"""Of a lesson that is new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson, how sure it is, how often it was reinforced, and the moment and rule by which it leaves."""

    memory: Memory
    confidence: float
    since: datetime
    leaves_at: datetime | None = None
    leaves_by: str | None = None

    @property
    def id(self) -> str:
        return self.memory.id

    @property
    def text(self) -> str:
        return self.memory.text

    @property
    def base(self) -> float:
        return self.memory.confidence

    @property
    def reinforced(self) -> int:
        return self.memory.confirmations

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "text": self.text,
            "scope": self.memory.scope,
            "confidence": self.confidence,
            "base": self.base,
            "reinforced": self.reinforced,
            "since": plain(self.since),
            "leaves_at": plain(self.leaves_at),
            "leaves_by": self.leaves_by,
            "created_at": plain(self.memory.created_at),
        }
