"""tiers: how many live memories are hot, warm, cold or evictable under a policy, counted a page at a time."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from remanence.lifecycle.measures import Measures
from remanence.lifecycle.tiers import TIER_NAMES, TIERS, tier_numbers
from remanence.model.moment import to_micros
from remanence.model.policy import Policy
from remanence.model.selection import Selection
from remanence.store.protocol import Store


def tiers(store: Store, policy: Policy, now: datetime) -> dict[str, int]:
    """Live memories by tier, the highest tier first; those of none are there with 0."""
    at = to_micros(now)
    counts = np.zeros(len(TIER_NAMES), dtype=np.int64)
    for page in store.column_pages(Selection()):
        numbers = tier_numbers(Measures(page, policy).value(at), policy.tiers or TIERS)
        counts += np.bincount(numbers, minlength=len(TIER_NAMES))
    return dict(zip(TIER_NAMES, counts.tolist(), strict=True))
