"""Regret feedback: where memories of a kind were archived by rules and missed afterwards, that kind decays more slowly.

One recall is one need, and evidence for one memory: missed was the archived one that would have come first, before
every live hit, if it answers well enough. The slowing is a factor on the time that decay takes, from 1 up to 3, in
steps of a quarter, so that it seldom changes and dates with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from remanence.model.hit import Hit
from remanence.model.lived import Lived, Missed
from remanence.model.policy import Policy

SLOWEST = 3.0
SMOOTHING = 5
_STEPS = 4
_ROUNDING = 1e-9


def regretted(archived: Sequence[Hit], hits: Sequence[Hit]) -> Sequence[Hit]:
    """Of archived memories that would have been among the hits the one that would have been the first, or none.

    Archived 0.6 and 0.5 above a live hit of 0.4 → the first alone; below one of 0.7 → none: what came answered better.
    """
    best = max(archived, key=lambda hit: hit.rank, default=None)
    if best is None or best.rank <= max((hit.rank for hit in hits), default=0.0):
        return ()
    return (best,)


def slowing(missed: Missed, gain: float) -> float:
    """1 + gain·missed/(archived + 5), down to a quarter, at most 3: 3 missed of 7 archived, gain 4 → 2.

    The 5 keeps one miss among few from saying much: 1 of 1 is a share of 1/6.
    """
    share = missed.memories / (missed.archived + SMOOTHING)
    return min(SLOWEST, floor((1.0 + gain * share) * _STEPS + _ROUNDING) / _STEPS)


def slowings(lived: Lived | None, gain: float) -> dict[str, float]:
    """The factor of each kind whose decay is slowed."""
    if lived is None or gain <= 0:
        return {}
    found = {kind: slowing(missed, gain) for kind, missed in sorted(lived.missed.items())}
    return {kind: factor for kind, factor in found.items() if factor > 1.0}


def gains(policy: Policy) -> tuple[float, ...]:
    """The gains a policy has, in any scope and for any kind; none where regrets slow nothing."""
    found = {policy.number("regret_gain", 0.0), *(o.numbers.get("regret_gain", 0.0) for o in policy.overrides)}
    return tuple(sorted(found - {0.0}))
