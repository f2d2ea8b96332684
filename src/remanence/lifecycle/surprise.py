"""Surprise: how new a statement is to a namespace, and what that does to an importance nobody gave.

Cosine distances to the five nearest live memories, in [0, 2]; s = logistic(10·(mean - 0.35)). Importance moves by
0.6·(s - 0.5) and stays within [0.05, 1]: five at distance 0 give s = 0.0293, and 0.5 becomes 0.2176. One memory at
cosine 0.92 or more is named as what this one may duplicate; it is a flag, both stay.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from remanence.model.memory import Memory

NEIGHBOURS = 5
STEEPNESS = 10.0
USUAL_DISTANCE = 0.35
REACH = 0.6
LEAST_IMPORTANCE = 0.05
DUPLICATE_COSINE = 0.92
DUPLICATE_OF = "duplicate_of"


def surprise(cosines: Sequence[float]) -> float | None:
    """How surprising a statement with these nearest neighbours is, from 0 to 1; None without any."""
    nearest = sorted(cosines, reverse=True)[:NEIGHBOURS]
    if not nearest:
        return None
    mean = sum(1.0 - cosine for cosine in nearest) / len(nearest)
    return 1.0 / (1.0 + math.exp(-STEEPNESS * (mean - USUAL_DISTANCE)))


def adjusted(importance: float, surprise: float) -> float:
    """The importance of a statement that is so surprising: 0.5 at 0.0293 → 0.2176."""
    return min(1.0, max(LEAST_IMPORTANCE, importance + REACH * (surprise - 0.5)))


def judged(memory: Memory, neighbours: Sequence[tuple[str, float]]) -> Memory:
    """The memory with its surprise, given (id, cosine) of the live memories nearest to it."""
    s = surprise([cosine for _, cosine in neighbours])
    if s is None:
        return memory
    metadata = memory.metadata
    id, cosine = max(neighbours, key=lambda neighbour: (neighbour[1], neighbour[0]))
    if cosine >= DUPLICATE_COSINE:
        metadata = {**metadata, DUPLICATE_OF: id}
    # Six digits are more than they mean, and are kept twice: in the memory and in its history.
    return memory.but(importance=round(adjusted(memory.importance, s), 6), surprise=round(s, 6), metadata=metadata)
