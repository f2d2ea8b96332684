"""The breaker: no automatic plan takes much out of recall at once.

It trips when a plan takes at least 25 memories and more than 20 % of the live memories of a scope (with everything
below it, pinned ones included), or of the namespace, out of recall. What a person asks for by name does not pass
here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from remanence.model.scope import ROOT

LEAST_TAKEN = 25
LARGEST_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Excess:
    """A scope from which too much would leave."""

    scope: str
    leaving: int
    live: int

    def __str__(self) -> str:
        return f"{self.leaving} of {self.live} live memories of {self.scope}"


def excesses(leaving: Mapping[str, int], live: Mapping[str, int]) -> list[Excess]:
    """The scopes (each with everything below it) that would lose too much; 25 of 125 is allowed, 26 of 125 is not."""
    taken, held = _with_all_above(leaving), _with_all_above(live)
    return [
        Excess(scope, number, held[scope])
        for scope, number in sorted(taken.items())
        if number >= LEAST_TAKEN and number > LARGEST_SHARE * held[scope]
    ]


def _with_all_above(numbers: Mapping[str, int]) -> Counter[str]:
    """Each scope's number added to every scope that holds it."""
    total: Counter[str] = Counter()
    for scope, number in numbers.items():
        total[ROOT] += number
        parts = scope.split("/")[1:] if scope != ROOT else []
        for depth in range(1, len(parts) + 1):
            total["/" + "/".join(parts[:depth])] += number
    return total
