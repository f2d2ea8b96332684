"""What was learned of a policy's curve: its numbers before and after, for all memories and for each kind.

`memories` is how many have a known outcome, `used_again` how many of them were used again within the horizon at least
once, `events` how many independent observations theirs are worth. A standard error is that of what the past has, in the
number's own unit.
Confidence is the share of a number that comes from what happened, not from what was there before: 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from remanence.model.memory import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedNumber:
    """One number of a curve: as it was, as the past has it, and as it is proposed, perhaps only part of the way."""

    name: str
    before: float
    fitted: float
    after: float
    standard_error: float
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def is_held_back(self) -> bool:
        """Whether it goes only part of the way: the number proposed is a limit then, no estimate."""
        return self.after != self.fitted

    def __str__(self) -> str:
        told = f"{self.name} {self.before:g} → {self.after:g}"
        if self.is_held_back:
            told += f", held back at a limit; the past has {self.fitted:g}"
        return f"{told} ± {self.standard_error:.2g}, confidence {self.confidence:.0%}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedKind:
    """The numbers of one kind; `kind` is None for those that hold where a kind has none of its own."""

    kind: str | None
    memories: int
    used_again: int
    events: float
    numbers: tuple[LearnedNumber, ...]

    def number(self, name: str) -> LearnedNumber:
        return next(number for number in self.numbers if number.name == name)

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A fit: the numbers of all and of each kind, and how much better they tell what is used again.

    `reach` is the chance that a memory is used again within the horizon when it was used or written just now; the curve
    tells how it falls from there. Log-losses are those of the chances told by the policy in force and after learning,
    smaller is better: `held_out` those of the last third of the past, told by what the first two thirds teach (None
    where it is too short).
    """

    every: LearnedKind
    kinds: tuple[LearnedKind, ...]
    reach: float
    log_loss_before: float
    log_loss_after: float
    held_out: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}
