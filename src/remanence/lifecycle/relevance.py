"""Relevance: how useful a memory is, from its age, use, last use and kind (0 to 1; archiving begins below 0.2).

Four parts: 0.3 for being young (half at 30 days), 0.3 for ten recalls, 0.2 for a recent one (half at 7 days), 0.2 for
the kind. Ages count in whole days, so a value holds for a day.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from remanence.lifecycle.retention import Floats, floats, hyperbolic, quiet, shares

KIND_WEIGHTS: Mapping[str, float] = {
    "decision": 1.0,
    "gotcha": 0.9,
    "preference": 0.8,
    "finding": 0.7,
    "observation": 0.5,
    "tool_output": 0.3,
}
OTHER_KIND_WEIGHT = 0.5
FULL_COUNT = 10


@quiet
def relevance(age_days: ArrayLike, access_count: ArrayLike, idle_days: ArrayLike, kind_weight: ArrayLike) -> Floats:
    """0.3/(1+age/30) + 0.3·min(n/10, 1) + 0.2/(1+idle/7) + 0.2·w.

    A decision 30 days old, recalled 5 times, last 7 days ago → 0.15 + 0.15 + 0.1 + 0.2 = 0.6.
    """
    recency = hyperbolic(np.floor(floats(age_days)), 30.0)
    frequency = shares(floats(access_count) / FULL_COUNT)
    freshness = hyperbolic(np.floor(floats(idle_days)), 7.0)
    return shares(0.3 * recency + 0.3 * frequency + 0.2 * freshness + 0.2 * floats(kind_weight))
