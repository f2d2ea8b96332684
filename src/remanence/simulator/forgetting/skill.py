"""Skill: (policy - random) / (oracle - random), 0 for chance and 1 for who knew the questions.

Shares are means over questions. Intervals are by bootstrap over conversations, since questions of one conversation
stand and fall together: 95 % of a thousand drawings with replacement, from one seed. One conversation has none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_DRAWN = 1000


def share(sums: Floats, questions: Floats) -> float:
    """The mean over questions, from the sums of each conversation: 3 of 4 and 1 of 4 → 0.5."""
    return float(sums.sum() / questions.sum())


def skill(policy: Floats, chance: Floats, oracle: Floats) -> float:
    """From sums over conversations: 5 where chance has 2 and the oracle 8 → 0.5; 0 where chance is as good."""
    room = float(oracle.sum() - chance.sum())
    return float(policy.sum() - chance.sum()) / room if room > 0 else 0.0


def interval(
    policies: Sequence[Floats], chances: Sequence[Floats], oracles: Sequence[Floats], seed: int
) -> tuple[float, float] | tuple[None, None]:
    """The middle 95 % of the mean skill over some budgets, conversations drawn with replacement, alike for each."""
    size = len(policies[0])
    if size < 2:
        return None, None
    drawn = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), size=_DRAWN)
    skills = []
    for policy, chance, oracle in zip(policies, chances, oracles, strict=True):
        room = drawn @ (oracle - chance)
        skills.append(np.where(room > 0, drawn @ (policy - chance) / np.where(room > 0, room, 1.0), 0.0))
    low, high = np.quantile(np.mean(skills, axis=0), [0.025, 0.975])
    return float(low), float(high)
