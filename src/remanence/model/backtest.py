"""A back-test: what a policy would have saved and lost on a store's own past, beside the policy in force.

Savings are shares of the token-days of keeping everything, losses shares of the later uses: recalls that found a memory
which the policy would have let go by then. A curve says the same for budgets from gentle to harsh; between its bounds,
what a perfect choice and what chance would have made of them, a policy's order of leaving can be judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from remanence.model.memory import plain

CLEAR = 2.0
"""A difference is clear when it is more than so many standard errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A budget (the share of tokens kept), and what it came to: shares of token-days saved and of later uses lost."""

    budget: float
    saved: float
    lost: float
    lost_uses: int

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Savings:
    """A curve of savings against loss: a policy's own order of leaving, or a bound (oracle, random)."""

    name: str
    points: tuple[Point, ...]

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A memory that would have left and was used afterwards: when first, and how many of its uses were lost in all."""

    memory_id: str
    scope: str
    kind: str
    tokens: int
    left_at: datetime
    used_at: datetime
    times: int

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """One policy over the whole past, by its rules and targets, with daily sweeps.

    `memories` left at least once, `tokens` are out at the end. `losses` lists the worst, most lost uses first.
    """

    policy: str
    memories: int
    tokens: int
    saved_token_days: float
    saved: float
    lost_uses: int
    lost: float
    lost_memories: int
    by_kind: Mapping[str, Mapping[str, int]]
    losses: tuple[Loss, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}

    def __str__(self) -> str:
        return (
            f"{self.policy} would have let {self.memories:,} memories go and saved {self.saved:.1%} of the token-days; "
            f"{self.lost_uses:,} later uses ({self.lost:.1%}) of {self.lost_memories:,} memories would have been lost"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Backtest:
    """A policy and the one in force on the same past (`current` is None where they are the same).

    `mean_lost` is the share of later uses that each loses on average over all savings that both can reach;
    `standard_error` is that of the difference between the two.
    """

    begins: datetime
    ends: datetime
    memories: int
    uses: int
    tokens: int
    policy: Replayed
    current: Replayed | None
    curves: tuple[Savings, ...] = field(repr=False)
    mean_lost: tuple[float, ...]
    standard_error: float | None
    notes: tuple[str, ...] = ()

    @property
    def days(self) -> float:
        return (self.ends - self.begins).total_seconds() / 86_400

    @property
    def is_clear(self) -> bool:
        """Whether the two orders of leaving differ by more than chance."""
        if self.standard_error is None:
            return False
        return abs(self.mean_lost[0] - self.mean_lost[1]) > CLEAR * self.standard_error

    @property
    def verdict(self) -> str:
        """The comparison in words."""
        if self.current is None:
            return f"{self.policy.policy} is the policy in force: name another one to compare it with"
        one, other = self.policy.policy, self.current.policy
        if one == other:
            one, other = f"the new {one}", f"the {other} in force"
        if self.standard_error is None:
            return f"{one} and {other} cannot be compared at equal savings: one of them lets nothing go"
        mine, theirs = self.mean_lost
        if not self.is_clear:
            numbers = f"{mine:.1%} and {theirs:.1%} on average"
            return f"At equal savings {one} and {other} lose about as many later uses ({numbers})"
        better, worse = (one, other) if mine < theirs else (other, one)
        numbers = f"{min(mine, theirs):.1%} against {max(mine, theirs):.1%} on average"
        return f"At equal savings {better} loses fewer later uses than {worse}: {numbers}"

    def to_dict(self) -> dict[str, Any]:
        told = {name: plain(getattr(self, name)) for name in self.__slots__}
        return told | {"days": round(self.days, 3), "is_clear": self.is_clear, "verdict": self.verdict}

    def __str__(self) -> str:
        return "\n".join([str(self.policy), *([str(self.current)] if self.current else []), self.verdict])
