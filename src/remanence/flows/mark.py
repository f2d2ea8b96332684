"""pin, unpin, promote, demote, confirm, challenge, used, feedback: one memory, a field or two, by hand."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from remanence.errors import InvalidInput
from remanence.flows.find import found
from remanence.lifecycle.promotion import LADDER, step
from remanence.lifecycle.uses import is_access, is_missed
from remanence.model import checks
from remanence.model.memory import Memory
from remanence.model.plan import Change, Plan, Reason
from remanence.store.protocol import Store

BY_A_PERSON = "human"


def pin(store: Store, id: str, pinned: bool, now: datetime) -> Memory:
    """No sweep, merge, dedup or drift pass touches a pinned memory."""
    return _set(store, id, "pin" if pinned else "unpin", now, Reason.ASKED, pinned=pinned)


def move(store: Store, id: str, by: int, now: datetime) -> Memory:
    """One step up (by=1) or down (by=-1) on the ladder of layers."""
    verb = "promote" if by > 0 else "demote"
    with store.transaction():
        memory = found(store, id)
        layer = step(memory.layer, by)
        if layer is None:
            ladder = " → ".join(LADDER)
            raise InvalidInput(f"cannot {verb} memory {id}: it is {memory.layer}, and the ladder is {ladder}")
        return _set(store, id, verb, now, Reason.ASKED, layer=layer)


def confirm(store: Store, id: str, now: datetime) -> Memory:
    """It was found to be true once more; a challenge is settled by that."""
    with store.transaction():
        confirmations = found(store, id).confirmations + 1
        return _set(store, id, "confirm", now, Reason.CONFIRMED, confirmations=confirmations, challenged_by=None)


def challenge(store: Store, id: str, by: str | None, now: datetime) -> Memory:
    """It is doubted: by the memory that contradicts it, or by a person."""
    with store.transaction():
        if by is not None:
            found(store, id)
            if by == id:
                raise InvalidInput(f"memory {id} cannot challenge itself")
            found(store, by)
        return _set(store, id, "challenge", now, Reason.CHALLENGED, challenged_by=by or BY_A_PERSON)


def feedback(store: Store, id: str, useful: bool, now: datetime) -> Memory:
    """A host used it, or found it of no use: stability and rank rise or fall with that.

    A use is an access, unless it confirms the last one; of an archived memory it is a regret. Neither is a part of the
    plan: accesses are written behind, and undo takes back the use alone.
    """
    if problems := checks.flag_problems(useful, "useful"):
        raise InvalidInput(problems)
    with store.transaction():
        memory = found(store, id)
        counted = {"uses": memory.uses + 1} if useful else {"rejections": memory.rejections + 1}
        marked = _set(store, id, "feedback", now, Reason.USED if useful else Reason.NOT_USEFUL, **counted)
    if useful and is_access(memory, now):
        store.touch([id], now)
        return found(store, id)
    if useful and is_missed(memory):
        store.log.add(None, (), (id,), now)
    return marked


def _set(store: Store, id: str, verb: str, now: datetime, reason: str, **after: Any) -> Memory:
    with store.transaction():
        memory = found(store, id)
        change = Change.of(memory, reason, **after)
        if change.before == change.after:
            return memory
        store.apply(Plan((change,), verb=verb), now)
        return found(store, id)
