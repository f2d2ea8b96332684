"""restore: memories back into recall, by id or all that a receipt took out.

One memory after the other, under one receipt, since restoring a version takes the place of another one that is live.
What comes back is kept for 30 days from every rule that would remove it, and an expiry that has passed is taken off it.
What was quarantined when it was forgotten is quarantined again; a quarantined memory restored by name is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from remanence.errors import InvalidInput
from remanence.flows.find import found_all, versions
from remanence.model.memory import ACCEPTED, Memory, State, is_untried
from remanence.model.moment import later
from remanence.model.plan import Action, Change, Plan, Reason, Receipt
from remanence.store.protocol import Store

KEPT_DAYS = 30


def restore(store: Store, now: datetime, *, ids: Iterable[str] | None, receipt: str | None) -> Receipt:
    """Bring memories back; what is live already is skipped."""
    if (ids is None) == (receipt is None):
        raise InvalidInput("restore needs ids or a receipt, one of the two")
    if receipt is not None and not isinstance(receipt, str):
        raise InvalidInput(f"a receipt's id is text such as r12, not {type(receipt).__name__}")
    with store.transaction():
        elsewhere: dict[str, State] = {}
        skipped: dict[str, str] = {}
        if receipt is None:
            memories = found_all(store, () if ids is None else ids)
        else:
            memories, elsewhere, skipped = _taken_by(store, store.receipt(receipt))
        made = store.apply(Plan((), verb="restore"), now)
        changes: list[Change] = []
        for memory in memories:
            if store.get([memory.id])[memory.id].state is State.LIVE:
                skipped[memory.id] = "it is live already"
                continue
            plan = Plan(_back(store, memory.id, elsewhere.get(memory.id), now), verb="restore")
            changes += store.apply(plan, now, receipt_id=made.id).changes
    applied = tuple(dict.fromkeys(change.memory_id for change in changes))
    return replace(made, applied=applied, changes=tuple(changes), skipped=skipped)


def _taken_by(store: Store, receipt: Receipt) -> tuple[list[Memory], dict[str, State], dict[str, str]]:
    """What a receipt took and nobody moved since, where of it was not live, and why the rest stays where it is."""
    before = {c.memory_id: c for c in receipt.changes if c.before.get("state") not in (None, c.after.get("state"))}
    found = store.get(before)
    memories: list[Memory] = []
    skipped = {
        change.memory_id: "it was purged, which cannot be undone"
        for change in receipt.changes
        if not change.after and change.action is not Action.ADD
    }
    for id, change in before.items():
        if found[id].state in (State.LIVE, change.after["state"]):
            memories.append(found[id])
        else:
            skipped[id] = f"it moved on: state is {found[id].state.value}"
    return memories, {id: c.before["state"] for id, c in before.items() if c.before["state"] != State.LIVE}, skipped


def _back(store: Store, id: str, elsewhere: State | None, now: datetime) -> tuple[Change, ...]:
    """Back to where it was; into recall in the place of whichever of its other versions is live now."""
    memory = store.get([id])[id]
    if elsewhere is None and memory.state is State.FORGOTTEN and is_untried(memory):
        elsewhere = State.QUARANTINED
    if elsewhere is not None:
        return (Change.of(memory, Reason.ASKED, state=elsewhere),)
    replaced = (
        Change.of(other, Reason.NEWER_VERSION, state=State.SUPERSEDED, superseded_by=id)
        for other in versions(store, id).values()
        if other.state is State.LIVE
    )
    after = {**kept_live(now), "superseded_by": None}
    if memory.is_over(now):
        after["expires_at"] = None
    if is_untried(memory):
        after["metadata"] = {**memory.metadata, ACCEPTED: now.isoformat()}
    return (Change.of(memory, Reason.ASKED, **after), *replaced)


def kept_live(now: datetime) -> dict[str, Any]:
    """What brings a memory back into recall, and keeps it there for a while."""
    return {"state": State.LIVE, "kept_until": later(now, timedelta(days=KEPT_DAYS))}
