"""Tiers: hot, warm, cold or evictable, from what kind of memory it is, its age, and each of its newest accesses.

Salience, higher for kinds that keep their use and for what is recalled often, fades with age (1 % a day); every access
adds what is left of it, 0.3 by its days. Times are microseconds since 1970; `recent` holds a row's newest accesses,
oldest first, padded with NEVER.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remanence.lifecycle.retention import (
    Floats,
    Times,
    elapsed_days,
    exponential,
    floats,
    known_accesses,
    quiet,
    shares,
)
from remanence.model.moment import NEVER

SALIENCE: Mapping[str, float] = {
    "architecture": 0.9,
    "preference": 0.85,
    "pattern": 0.8,
    "bug": 0.7,
    "workflow": 0.6,
}
OTHER_SALIENCE = 0.5
TIERS: Mapping[str, float] = {"hot": 0.7, "warm": 0.4, "cold": 0.15}
"""The least score of each tier; below the last one a memory is evictable."""
TIER_NAMES = (*TIERS, "evictable")
SECOND_DAYS = 1 / 86_400


def salience(kind_weight: ArrayLike, access_count: ArrayLike) -> Floats:
    """weight + min(0.2, 0.02·n), before any fading and so up to 1.1: a bug recalled 3 times → 0.7 + 0.06 = 0.76."""
    return floats(kind_weight) + np.minimum(0.2, 0.02 * np.maximum(floats(access_count), 0.0))


@quiet
def score(
    salience: ArrayLike,
    age_days: ArrayLike,
    recent: Times,
    now: ArrayLike,
    rate: ArrayLike = 0.01,
    sigma: ArrayLike = 0.3,
) -> Floats:
    """min(1, salience·e^(-rate·age) + Σ sigma / days since each recent access): a fact of 120 days, unread → 0.1506.

    An access less than a second old adds nothing yet: by its days alone it would make everything hot.
    """
    size = len(recent)
    summed = np.array(np.broadcast_to(floats(salience) * exponential(age_days, rate), size))
    rows, accesses = known_accesses(recent)
    if rows.size:
        moment = np.broadcast_to(np.asarray(now, dtype=np.int64), size)[rows]
        boost = np.broadcast_to(floats(sigma), size)[rows]
        used = summed[rows]
        for times in accesses:
            if not (times != NEVER).any():
                break
            # An access that never was is no time ago, and so adds nothing either.
            days = elapsed_days(times, moment)
            used += np.where(days >= SECOND_DAYS, boost / np.maximum(days, SECOND_DAYS), 0.0)
        summed[rows] = used
    return shares(summed)


def tier_numbers(value: ArrayLike, thresholds: Mapping[str, float] = TIERS) -> NDArray[np.int8]:
    """Each score's tier as an index into TIER_NAMES, from the least score of each: 0.7 → 0 (hot), 0.1499 → 3."""
    values = floats(value)
    numbers = np.zeros(values.shape, dtype=np.int8)
    for name in TIERS:
        numbers += values < thresholds[name]
    return numbers
