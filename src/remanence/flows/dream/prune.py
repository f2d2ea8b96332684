"""Step 7, prune: when memories were recalled more than 90 days ago is let go; how often, and when last, stays.

Each memory of the dream's scopes whose oldest known recall is older gets the shorter list, as an ordinary change that
undo takes back. It writes a field of its own, so it may follow other steps on the same memory in one plan. Pinned and
quarantined memories are left alone.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import chain

from remanence.flows.dream.night import Night, Proposal, claim_key, claimed
from remanence.model.claim import Claim
from remanence.model.memory import State
from remanence.model.moment import earlier
from remanence.model.plan import Change
from remanence.model.selection import EVERY_STATE, Selection

STEP = "prune"
KEPT = timedelta(days=90)
REASON = "recalls of more than 90 days ago"
_STATES = tuple(state for state in EVERY_STATE if state is not State.QUARANTINED)


def propose(night: Night) -> Proposal:
    """One claim, with a change for each memory that was recalled so long ago."""
    before = earlier(night.now, KEPT)
    stored = night.store.recalled_before(before, Selection(scopes=night.scopes, states=_STATES))
    changes: list[Change] = []
    # What earlier steps of the same plan make may have the recalls of its sources.
    for page in chain(stored, [list(night.made.values())]):
        for memory in page:
            kept = tuple(moment for moment in memory.recent_accesses if moment >= before)
            if not memory.pinned and len(kept) < len(memory.recent_accesses):
                changes.append(Change.of(memory, REASON, recent_accesses=kept))
        if night.is_over():
            break
    if not changes:
        return Proposal(STEP)
    claim = Claim(
        key=claim_key(STEP, (change.memory_id for change in changes if change.memory_id not in night.made)),
        step=STEP,
        title=f"{REASON} are let go, of {len(changes)} memories",
        evidence={
            "memories": len(changes),
            "recalls": sum(len(c.before["recent_accesses"]) - len(c.after["recent_accesses"]) for c in changes),
        },
    )
    return Proposal(STEP, (claim,), claimed(claim, changes))
