"""What consolidation works with: its tiers, and a procedure with the words it is stored under.

A procedure has a trigger and steps; its name follows from them. Two procedures are the same when
trigger and steps are, case and space folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from remanence.model.memory import Memory
from remanence.model.selection import named
from remanence.model.words import STOP_WORDS, folded

SEMANTIC, REFLECT, PROCEDURAL, DECAY = "semantic", "reflect", "procedural", "decay"
TIERS = (SEMANTIC, REFLECT, PROCEDURAL, DECAY)
ALL = "all"
ALSO_FROM = "also_from"
"""The name in metadata for sources met after a memory was made: what it was made from never changes."""
ALSO_UNTIL = "also_until"
"""The name for the highest id that had no more room there: what is not above it counts as met."""

_NAME_CHARACTERS = 60
_BETWEEN = re.compile(r"[\W_]+")


def tiers_from(asked: Iterable[str] | str | None) -> tuple[str, ...]:
    """These tiers in their order, all where none is named; a text may name several, with commas."""
    chosen = named(asked, (*TIERS, ALL), "tier", "consolidation")
    return TIERS if ALL in chosen else chosen


@dataclass(frozen=True, slots=True)
class Procedure:
    """What to do, in order, and when."""

    trigger: str
    steps: tuple[str, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """The same for the same procedure."""
        return tuple(folded(part).rstrip(" .!;") for part in (self.trigger, *self.steps))

    @property
    def name(self) -> str:
        """A short name made of its trigger: "deploying the API" → "deploying-api"."""
        words = [word for word in _BETWEEN.split(folded(self.trigger)) if word]
        telling = [word for word in words if word not in STOP_WORDS] or words
        name = ""
        for word in telling:
            longer = f"{name}-{word}" if name else word
            if name and len(longer) > _NAME_CHARACTERS:
                break
            name = longer
        return name[:_NAME_CHARACTERS] or "procedure"

    def metadata(self, frequency: int, strength: float) -> dict[str, Any]:
        """What is kept with it."""
        return {
            "name": self.name,
            "trigger": self.trigger,
            "steps": list(self.steps),
            "frequency": frequency,
            "strength": strength,
        }

    @classmethod
    def of(cls, memory: Memory) -> Procedure | None:
        """The procedure a memory holds; None where what it holds is none."""
        trigger, steps = memory.metadata.get("trigger"), memory.metadata.get("steps")
        if not isinstance(trigger, str) or not isinstance(steps, list) or not steps:
            return None
        return cls(trigger, tuple(map(str, steps)))
