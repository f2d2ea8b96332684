"""Applying a plan: the breaker first for automatic ones, then the store, which re-checks every row as it writes.

One transaction for up to 10,000 changes; a larger plan goes in steps of that size under one receipt, unless strict.
What a plan adds is embedded before, so that it is found by meaning as soon as it is there. What no longer fits is left
out (`flows/claims.py`). Captured events that a claim lets go are destroyed once the plan is written.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from remanence.errors import InvalidInput, PlanOutOfDate, PlanRefused
from remanence.flows.breaker import refuse_too_much
from remanence.flows.claims import fitting, pieces
from remanence.flows.door import through_the_door
from remanence.flows.meaning import BATCH, embedded_texts
from remanence.model import checks
from remanence.model.claim import EVENTS
from remanence.model.lease import Lease
from remanence.model.memory import State
from remanence.model.moment import earlier
from remanence.model.plan import Action, Change, Plan, Receipt
from remanence.model.record import adjustment_problems, record_problems
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Embedded, Store

MOST_AT_ONCE = 10_000
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
    if problems := checks.flag_problems(strict, "strict") + checks.flag_problems(force, "force"):
        raise InvalidInput(problems)
    _check(plan)
    plan = through_the_door(store, plan, personal)
    offers = {c.memory_id: _OFFERED[c.action] for c in plan if c.action.is_offer}
    if offers:
        plan = replace(plan, changes=tuple(change for change in plan if not change.action.is_offer))
    single = [change.memory.text for change in plan if change.memory is not None and change.claim is None]
    if purged := store.tombstones(single):
        raise PlanRefused(f"{len(purged)} of the texts this plan adds were purged. Use remember with relearn=True")
    if plan.automatic and not force:
        refuse_too_much(store, plan)
    receipt = _written(store, plan, now, encoder, lease, strict=strict)
    if met := {id for claim in plan.claims for id in claim.met}.intersection(receipt.applied):
        store.touch(met, now)
    if any(EVENTS in claim.evidence for claim in plan.claims):
        from remanence.flows.dream.prune import KEPT

        store.sessions.prune(earlier(now, KEPT))
    return replace(receipt, skipped={**offers, **receipt.skipped}) if offers else receipt


def _written(
    store: Store, plan: Plan, now: datetime, encoder: Encoder | None, lease: Lease | None, *, strict: bool
) -> Receipt:
    """Write what still fits, a transaction a piece, all under one receipt."""
    vectors = _vectors(encoder, plan)
    receipts: list[Receipt] = []
    left_out: dict[str, str] = {}
    for piece in [plan.changes] if strict else pieces(plan, MOST_AT_ONCE):
        with store.transaction():
            changes, others = fitting(store, piece, None if encoder is None else vectors, automatic=plan.automatic)
            left_out |= others
            if strict and left_out:
                raise PlanOutOfDate(
                    f"The plan of this {plan.verb} is out of date for {len(left_out)} memories; nothing was applied. "
                    "Make a new plan"
                )
            receipts.append(
                store.apply(
                    replace(plan, changes=changes),
                    now,
                    strict=strict,
                    receipt_id=receipts[0].id if receipts else None,
                    lease=lease,
                    embedded=vectors,
                )
            )
    return replace(
        receipts[0],
        applied=tuple(dict.fromkeys(id for receipt in receipts for id in receipt.applied)),
        skipped={**left_out, **{id: why for receipt in receipts for id, why in receipt.skipped.items()}},
        changes=tuple(change for receipt in receipts for change in receipt.changes),
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
