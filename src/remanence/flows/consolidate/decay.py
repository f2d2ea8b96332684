"""Tier decay: how far consolidated facts and procedures have weakened since they were last used.

Nothing is written. Strength is derived wherever it is needed, from the stored confidence and the last access (0.9 for
each full idle period of 30 days, not below 0.1), so that running this twice weakens nothing twice. The tier only says
how many are weaker than they were, and which is the weakest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remanence.flows.dream.night import Proposal
from remanence.model.consolidation import DECAY
from remanence.model.memory import Source
from remanence.model.selection import Selection

if TYPE_CHECKING:
    from remanence.flows.dream.night import Night

KINDS = ("fact", "procedure")


def decay(night: Night) -> Proposal:
    """What has weakened, in words; no changes."""
    import numpy as np

    from remanence.lifecycle.retention import elapsed_days, strength
    from remanence.model.columns import SOURCES
    from remanence.model.moment import to_micros

    number = weaker = 0
    weakest: tuple[float, float, int] | None = None
    for columns in night.store.column_pages(Selection(scopes=night.scopes, kinds=KINDS, unexpired_at=night.now)):
        ours = columns.take(columns.source == SOURCES.index(Source.DREAM))
        if not len(ours):
            continue
        left = strength(ours.confidence, elapsed_days(ours.last_accessed_at, to_micros(night.now)))
        number += len(ours)
        weaker += int(np.count_nonzero(left < ours.confidence))
        place = int(np.argmin(left))
        found = (float(left[place]), float(ours.confidence[place]), int(ours.rows[place]))
        weakest = found if weakest is None else min(weakest, found)
    if weakest is None:
        return Proposal(DECAY, warnings=("decay skipped: there are no consolidated facts or procedures",))
    told = f"decay: {weaker} of {number} consolidated facts and procedures are weaker than when last used"
    if weaker:
        now, first, row = weakest
        told += f"; the weakest is {night.store.ids([row])[0]} with {now:.2f} of {first:.2f}"
    return Proposal(DECAY, warnings=(told,))
