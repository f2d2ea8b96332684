"""Step 7, prune: when memories were recalled more than 90 days ago is let go; how often stays, and so does the journal.

Accesses are no memories, so this is no change of one: it happens when the plan is applied, and undo does not bring
them back.
"""

from __future__ import annotations

from datetime import timedelta

from remanence.flows.dream.night import Night, Proposal, claim_key
from remanence.model.claim import Claim
from remanence.model.moment import earlier

STEP = "prune"
KEPT = timedelta(days=90)


def propose(night: Night) -> Proposal:
    """Whether there is something to let go."""
    night.store.flush()
    before = earlier(night.now, KEPT)
    number = night.store.prunable(before)
    if not number:
        return Proposal(STEP)
    claim = Claim(
        key=claim_key(STEP, []),
        step=STEP,
        title=f"recalls of more than 90 days ago are let go, of {number} memories",
        evidence={"memories": number},
    )
    return Proposal(STEP, (claim,), prune_before=before)
