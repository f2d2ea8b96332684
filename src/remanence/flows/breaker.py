"""The breaker, asked of a store: whether a plan takes too much out of recall, and which of it would have to stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from remanence.errors import BreakerTripped
from remanence.flows.claims import leaves
from remanence.lifecycle.safety import LARGEST_SHARE, allowed_leaving, excesses
from remanence.model.memory import State
from remanence.model.plan import Change, Plan
from remanence.model.scope import ROOT
from remanence.store.protocol import Store


def live_by_scope(store: Store) -> dict[str, int]:
    """How many live memories each scope holds."""
    return {scope: number for (scope, state), number in store.state_counts().items() if state is State.LIVE}


def leaving_by_claim(store: Store, plan: Plan) -> dict[str | None, Counter[str]]:
    """How many live memories of each scope a plan takes out of recall, by its claims.

    One whose place something new takes in the same plan does not leave.
    """
    added = {change.memory_id for change in plan if change.memory is not None}
    leaving = [c for c in plan if leaves(c) and c.after.get("superseded_by") not in added]
    live = {id: one.scope for id, one in store.get(c.memory_id for c in leaving).items() if one.state is State.LIVE}
    found: dict[str | None, Counter[str]] = {}
    for change in leaving:
        if (scope := live.pop(change.memory_id, None)) is not None:  # each memory leaves once
            found.setdefault(change.claim, Counter())[scope] += 1
    return found


def refuse_too_much(store: Store, plan: Plan) -> None:
    """BreakerTripped where a plan takes more out of recall than an automatic one may."""
    leaving = sum(leaving_by_claim(store, plan).values(), Counter())
    if found := excesses(leaving, live_by_scope(store)):
        raise BreakerTripped(
            f"This {plan.verb} would take {' and '.join(map(str, found[:3]))} out of recall; "
            f"the limit for automatic plans is {LARGEST_SHARE:.0%}. Nothing was changed. "
            "Look at the plan, then apply it with force=True (--force) if it is right"
        )


def too_many(store: Store, leaving: Sequence[Change], left: Mapping[str, int] | None = None) -> set[str]:
    """The memories that must stay for a plan to be allowed; the least worthy leave first.

    `left` are those of each scope that left before, and count as well.
    """
    scopes = {id: memory.scope for id, memory in store.get(change.memory_id for change in leaving).items()}
    ranked = sorted(leaving, key=lambda change: (change.evidence.get("worth", 0.0), change.memory_id))
    allowed = allowed_leaving([scopes.get(change.memory_id, ROOT) for change in ranked], live_by_scope(store), left)
    return {change.memory_id for change, may in zip(ranked, allowed, strict=True) if not may}
