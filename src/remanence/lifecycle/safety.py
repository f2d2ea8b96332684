"""The breaker: no automatic plan takes much out of recall at once.

It trips when a plan takes at least 25 memories and more than 20 % of the live memories of a scope (with everything
below it, pinned ones included), or of the namespace, out of recall. What a person asks for by name does not pass
here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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


def allowed_leaving(
    scopes: Sequence[str], live: Mapping[str, int], left: Mapping[str, int] | None = None
) -> list[bool]:
    """For memories in the order in which they should leave: which of them may, so that no scope loses too much.

    `left` are those that left before and count as well, so that asking again gets nobody further.
    """
    taken = _with_all_above(left or {})
    held = _with_all_above(live) + taken
    most = {scope: max(LEAST_TAKEN - 1, int(LARGEST_SHARE * number)) for scope, number in held.items()}
    allowed = []
    for scope in scopes:
        holders = _all_above(scope)
        may = all(taken[holder] < most.get(holder, LEAST_TAKEN - 1) for holder in holders)
        if may:
            taken.update(holders)
        allowed.append(may)
    return allowed


def _all_above(scope: str) -> list[str]:
    """The scope and every scope that holds it."""
    parts = scope.split("/")[1:] if scope != ROOT else []
    return [ROOT, *("/" + "/".join(parts[:depth]) for depth in range(1, len(parts) + 1))]


def _with_all_above(numbers: Mapping[str, int]) -> Counter[str]:
    """Each scope's number added to every scope that holds it."""
    total: Counter[str] = Counter()
    for scope, number in numbers.items():
        for holder in _all_above(scope):
            total[holder] += number
    return total
