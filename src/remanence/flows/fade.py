"""fade: the precision of vectors follows retention. What is due is looked at: coarser, kept, or embedded anew.

A coarse vector that has become worth more waits for the embedder; until then it is compared as it is. No memory
changes by it: nothing is journalled.
"""

from __future__ import annotations

from datetime import datetime

from remanence.lifecycle.measures import Measures
from remanence.lifecycle.precision import precision
from remanence.model.moment import to_micros
from remanence.model.policy import Policy
from remanence.store.protocol import Store

PAGE = 2_000


def fade(store: Store, policy: Policy, now: datetime, most: int | None = None) -> int:
    """Give what is due the precision its retention earns, at most so many; how many vectors became coarser."""
    changed = looked = 0
    while most is None or looked < most:
        with store.transaction():
            fading = store.meanings.fading(now, PAGE if most is None else min(PAGE, most - looked))
            if fading is None:
                break
            bits, fades_at = precision(Measures(fading.columns, policy), to_micros(now))
            changed += store.meanings.fade(fading, bits, fades_at)
        looked += len(fading.columns)
    return changed
