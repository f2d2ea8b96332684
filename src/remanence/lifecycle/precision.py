"""Precision: how many bits a component of a memory's vector is worth, by its retention.

Above 0.8 whole floats, above 0.5 eight bits, above 0.2 four, else two; what is not live is kept in two. An access
raises retention, so the date at which a memory falls to the next level is a lower bound, like every due date.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.due import first_below
from remanence.lifecycle.measures import Measures
from remanence.model.columns import STATES
from remanence.model.memory import State
from remanence.model.moment import NEVER

LEVELS: tuple[tuple[float, int], ...] = ((0.8, 32), (0.5, 8), (0.2, 4))
COARSEST = 2
_LIVE = STATES.index(State.LIVE)


def bits_for(retention: NDArray[np.float64]) -> NDArray[np.int8]:
    """32, 8, 4 or 2 bits: 0.8 → 8, 0.81 → 32, 0.2 → 2."""
    bits = np.full(np.shape(retention), COARSEST, dtype=np.int8)
    for level, worth in reversed(LEVELS):
        bits[retention > level] = worth
    return bits


def precision(measures: Measures, at: int) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """The bits each row is worth now, and a lower bound of the moment at which it is worth fewer; NEVER for no such."""
    live = measures.columns.state == _LIVE
    bits = np.where(live, bits_for(measures.retention(at)), COARSEST).astype(np.int8)
    fades_at = np.full(len(bits), NEVER, dtype=np.int64)
    for level, worth in LEVELS:
        rows = np.flatnonzero(bits == worth)
        if len(rows):
            part = Measures(measures.columns.take(rows), measures.policy, ahead=True)
            fades_at[rows] = first_below("retention", level, part, at)
    return bits, fades_at
