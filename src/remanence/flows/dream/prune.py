"""Step 7, prune: what is more than 90 days old is let go: when memories were recalled, and captured raw events.

How often a memory was recalled, and when last, stays.

Each memory of the dream's scopes whose oldest known recall is older gets the shorter list, as an ordinary change that
undo takes back. It writes a field of its own, so it may follow other steps on the same memory in one plan. Pinned and
quarantined memories are left alone.

Raw events are no memories: their claim has no changes, only their number. Applying it destroys those that are too old
by then, and undo does not bring them back. A dream of some scopes leaves them alone.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import chain

from remanence.flows.dream.night import Night, Proposal, claim_key, claimed
from remanence.model.claim import EVENTS, Claim
from remanence.model.memory import State
from remanence.model.moment import earlier
from remanence.model.plan import Change
from remanence.model.selection import EVERY_STATE, Selection

STEP = "prune"
KEPT = timedelta(days=90)
REASON = "recalls of more than 90 days ago"
OLD_EVENTS = "events captured more than 90 days ago"
_STATES = tuple(state for state in EVERY_STATE if state is not State.QUARANTINED)


def propose(night: Night) -> Proposal:
    """One claim with a change for each memory that was recalled so long ago, and one for raw events as old."""
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
    events = _old_events(night)
    if not changes:
        return Proposal(STEP, events)
    claim = Claim(
        key=claim_key(STEP, (change.memory_id for change in changes if change.memory_id not in night.made)),
        step=STEP,
        title=f"{REASON} are let go, of {len(changes)} memories",
        evidence={
            "memories": len(changes),
            "recalls": sum(len(c.before["recent_accesses"]) - len(c.after["recent_accesses"]) for c in changes),
        },
    )
    return Proposal(STEP, (claim, *events), claimed(claim, changes))


def _old_events(night: Night) -> tuple[Claim, ...]:
    if night.scopes is not None:
        return ()
    number = night.store.sessions.prunable(earlier(night.now, KEPT))
    title = f"{number} {OLD_EVENTS} are let go for good"
    return (Claim(key=claim_key(STEP, [EVENTS]), step=STEP, title=title, evidence={EVENTS: number}),) if number else ()
