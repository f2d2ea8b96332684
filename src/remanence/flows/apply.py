"""Applying a plan: the breaker first for automatic ones, then the store, which re-checks every row as it writes.

One transaction for up to 10,000 changes; a larger plan goes in steps of that size under one receipt, unless strict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from remanence.errors import BreakerTripped, InvalidInput, PlanRefused
from remanence.flows.door import through_the_door
from remanence.lifecycle.safety import LARGEST_SHARE, excesses
from remanence.model import checks
from remanence.model.lease import Lease
from remanence.model.memory import State
from remanence.model.plan import Action, Change, Plan, Receipt
from remanence.model.record import adjustment_problems, record_problems
from remanence.store.protocol import Store

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
) -> Receipt:
    """Apply a plan in one transaction; what moved on since it was made is skipped, or refuses all when strict.

    Offers (compact, review) change nothing: they are listed as skipped, with whom they are for.
    """
    _check(plan)
    plan = through_the_door(store, plan, personal)
    offers = {c.memory_id: _OFFERED[c.action] for c in plan if c.action.is_offer}
    if offers:
        plan = replace(plan, changes=tuple(change for change in plan if not change.action.is_offer))
    if purged := store.tombstones([change.memory.text for change in plan if change.memory is not None]):
        raise PlanRefused(f"{len(purged)} of the texts this plan adds were purged. Use remember with relearn=True")
    if plan.automatic and not force:
        _guard(store, plan)
    receipt = store.apply(plan, now, strict=strict, lease=lease)
    return replace(receipt, skipped={**offers, **receipt.skipped}) if offers else receipt


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


def _guard(store: Store, plan: Plan) -> None:
    leaving_ids = [change.memory_id for change in plan if change.after.get("state", State.LIVE) != State.LIVE]
    leaving = Counter(memory.scope for memory in store.get(leaving_ids).values() if memory.state is State.LIVE)
    live = {scope: number for (scope, state), number in store.state_counts().items() if state is State.LIVE}
    if found := excesses(leaving, live):
        raise BreakerTripped(
            f"This {plan.verb} would take {' and '.join(map(str, found[:3]))} out of recall; "
            f"the limit for automatic plans is {LARGEST_SHARE:.0%}. Nothing was changed. "
            "Look at the plan, then apply it with force=True (--force) if it is right"
        )
