"""Applying a plan: the breaker first for automatic ones, then the store, which re-checks every row as it writes.

One transaction for up to 10,000 changes; a larger plan goes in steps of that size under one receipt, unless strict.
What a plan adds is embedded before, so that it is found by meaning as soon as it is there. The changes of one claim of
a dream are applied all together or not at all: where one memory moved on, or the new text has no vector though it could
have one, the whole claim is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from remanence.errors import BreakerTripped, InvalidInput, PlanOutOfDate, PlanRefused
from remanence.flows.door import through_the_door
from remanence.flows.meaning import BATCH, embedded_texts
from remanence.lifecycle.safety import LARGEST_SHARE, excesses
from remanence.model import checks
from remanence.model.lease import Lease
from remanence.model.memory import State
from remanence.model.plan import Action, Change, Plan, Receipt
from remanence.model.record import adjustment_problems, record_problems
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Embedded, Store

_MOST_PROBLEMS = 50
_OFFERED = {Action.COMPACT: "it is offered to the dream", Action.REVIEW: "it is put up for review by a person"}


def apply(
    store: Store,
    plan: Plan,
    now: datetime,
    *,
    strict: bool = False,
    force: bool = False,
    lease: Lease | None = None,
    personal: Collection[str] = (),
    encoder: Encoder | None = None,
) -> Receipt:
    """Apply a plan in one transaction; what moved on since it was made is skipped, or refuses all when strict.

    Offers (compact, review) change nothing: they are listed as skipped, with whom they are for.
    """
    _check(plan)
    plan = through_the_door(store, plan, personal)
    offers = {c.memory_id: _OFFERED[c.action] for c in plan if c.action.is_offer}
    if offers:
        plan = replace(plan, changes=tuple(change for change in plan if not change.action.is_offer))
    purged = store.tombstones([change.memory.text for change in plan if change.memory is not None])
    if any(c.memory is not None and c.claim is None and c.memory.text in purged for c in plan):
        raise PlanRefused(f"{len(purged)} of the texts this plan adds were purged. Use remember with relearn=True")
    if plan.automatic:
        plan, pinned = _without_pinned(store, plan)
        _refuse_parts(plan, pinned, strict)
        offers |= pinned
        if not force:
            _guard(store, plan)
    vectors = _vectors(encoder, plan)
    if not any(change.claim and change.memory is not None for change in plan):
        receipt = store.apply(plan, now, strict=strict, lease=lease, embedded=vectors)
    else:
        with store.transaction():
            plan, broken = _whole_claims(store, plan, purged, None if encoder is None else vectors)
            _refuse_parts(plan, broken, strict)
            receipt = store.apply(plan, now, strict=strict, lease=lease, embedded=vectors)
        offers |= broken
    if met := {id for claim in plan.claims for id in claim.met}.intersection(receipt.applied):
        store.touch(met, now)
    if plan.prune_before is not None:
        store.prune(plan.prune_before)
    return replace(receipt, skipped={**offers, **receipt.skipped}) if offers else receipt


def _refuse_parts(plan: Plan, left_out: Collection[str], strict: bool) -> None:
    if strict and left_out:
        raise PlanOutOfDate(
            f"The plan of this {plan.verb} is out of date for {len(left_out)} memories; nothing was applied. "
            "Make a new plan"
        )


def _vectors(encoder: Encoder | None, plan: Plan) -> dict[str, Embedded]:
    """What the plan adds to recall, embedded, as far as the embedder answers."""
    added = [change.memory for change in plan if change.memory is not None and change.memory.state is State.LIVE]
    vectors: dict[str, Embedded] = {}
    for start in range(0, len(added), BATCH):
        batch = added[start : start + BATCH]
        for memory, embedded in zip(batch, embedded_texts(encoder, [one.text for one in batch]), strict=True):
            if embedded is not None:
                vectors[memory.id] = embedded
    return vectors


def _whole_claims(
    store: Store, plan: Plan, purged: Collection[str], vectors: Mapping[str, Embedded] | None
) -> tuple[Plan, dict[str, str]]:
    """The plan without the claims that add something and can no longer be applied whole; what of it was left out, why.

    A claim that adds nothing is a list of single changes, each of which stands alone.
    """
    adding = {change.claim for change in plan if change.claim and change.memory is not None}
    parts = [change for change in plan if change.claim in adding]
    memories = store.get({change.memory_id for change in parts if change.memory is None})
    faults: dict[str, str] = {}
    seen: set[str] = set()
    for change in parts:
        fault, memory = None, change.memory
        if memory is not None and memory.text in purged:
            fault = "the new text was purged before"
        elif memory is not None and memory.state is State.QUARANTINED:
            fault = "the new text reads like an instruction"
        elif memory is not None:
            if vectors is not None and memory.state is State.LIVE and memory.id not in vectors:
                fault = "the new text could not be embedded"
        elif (held := memories.get(change.memory_id)) is None:
            fault = f"memory {change.memory_id} is gone"
        elif change.memory_id not in seen and (moved := change.moved_on(held)):
            fault = f"memory {change.memory_id}: {moved}"
        seen.add(change.memory_id)
        if fault is not None:
            faults.setdefault(str(change.claim), fault)
    if not faults:
        return plan, {}
    makers = {change.memory_id: change.claim for change in parts if change.memory is not None}
    while more := {
        str(change.claim): f"claim {makers[id]}, which it is made from, was left out"
        for change in parts
        if change.memory is not None and str(change.claim) not in faults
        for id in change.memory.lineage
        if makers.get(id) in faults
    }:
        faults |= more
    broken = {c.memory_id: f"claim {c.claim} was left out: {faults[c.claim]}" for c in parts if c.claim in faults}
    return replace(plan, changes=tuple(change for change in plan if change.claim not in faults)), broken


def _check(plan: Plan) -> None:
    """A plan can be made by anyone: what it writes is checked like everything that comes in."""
    problems = checks.string_problems(plan.verb, "verb")
    if not all(isinstance(change, Change) for change in plan.changes):
        raise InvalidInput("a plan's changes must be Changes")
    for change in plan:
        if change.action is Action.PURGE:
            raise PlanRefused(f"A plan never purges, as that of memory {change.memory_id} would. Use purge, by name")
        if change.memory is not None:
            problems += (f"memory {change.memory_id}: {p}" for p in record_problems(change.memory.to_dict()))
        else:
            problems += (f"memory {change.memory_id}: {p}" for p in adjustment_problems(change.after))
    if problems:
        raise InvalidInput(problems[:_MOST_PROBLEMS])


def _without_pinned(store: Store, plan: Plan) -> tuple[Plan, dict[str, str]]:
    """An automatic plan without the memories it may not take out of recall, whoever made it; and which those are."""
    leaving = {change.memory_id for change in plan if _leaves(change)}
    pinned = {id for id, memory in store.get(leaving).items() if memory.pinned}
    if not pinned:
        return plan, {}
    adding = {change.claim for change in plan if change.claim and change.memory is not None}
    broken = {c.claim for c in plan if c.claim in adding and c.memory_id in pinned}
    kept = tuple(c for c in plan if c.memory_id not in pinned and c.claim not in broken)
    gone = {c.memory_id: "it is pinned" for c in plan if c.memory_id in pinned}
    also = {c.memory_id: f"claim {c.claim} was left out: a memory of it is pinned" for c in plan if c.claim in broken}
    return replace(plan, changes=kept), also | gone


def _leaves(change: Change) -> bool:
    return bool(change.after.get("state", State.LIVE) != State.LIVE)


def _guard(store: Store, plan: Plan) -> None:
    added = {change.memory_id for change in plan if change.memory is not None}
    leaving_ids = [
        change.memory_id for change in plan if _leaves(change) and change.after.get("superseded_by") not in added
    ]
    leaving = Counter(memory.scope for memory in store.get(leaving_ids).values() if memory.state is State.LIVE)
    live = {scope: number for (scope, state), number in store.state_counts().items() if state is State.LIVE}
    if found := excesses(leaving, live):
        raise BreakerTripped(
            f"This {plan.verb} would take {' and '.join(map(str, found[:3]))} out of recall; "
            f"the limit for automatic plans is {LARGEST_SHARE:.0%}. Nothing was changed. "
            "Look at the plan, then apply it with force=True (--force) if it is right"
        )
