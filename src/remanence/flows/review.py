"""review: what waits for a person. Quarantined memories are accepted or rejected; challenged ones are listed in pairs.

Accepting brings a memory into recall and keeps on it why it was quarantined and when it was accepted; a text that was
to be absorbed goes to the archive, and is taken apart when it is absorbed again. Rejecting forgets, softly. Both are
plans with a receipt, and undo takes them back. Nothing leaves quarantine by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from remanence.errors import InvalidInput
from remanence.flows.find import found_all
from remanence.model import checks
from remanence.model.memory import ACCEPTED, SOURCE_TEXT, Memory, State
from remanence.model.plan import Change, Plan, Reason, Receipt
from remanence.model.selection import Selection, selection_from
from remanence.store.protocol import Store


def waiting(store: Store, scope: Any, limit: int, offset: int) -> list[Memory]:
    """Quarantined memories, newest first."""
    return store.select(selection_from(scope=scope, states=(State.QUARANTINED,)), limit=limit, offset=offset)


def challenged(store: Store, scope: Any, limit: int) -> list[tuple[Memory, Memory | None]]:
    """Live memories that are challenged, each with the one that contradicts it; None where a person doubts it."""
    pairs: list[tuple[Memory, Memory | None]] = []
    shown: set[frozenset[str]] = set()
    for page in store.pages(selection_from(scope=scope, states=(State.LIVE,), challenged=True)):
        others = store.get(memory.challenged_by for memory in page if memory.challenged_by)
        for memory in page:
            rival = others.get(memory.challenged_by or "")
            pair = frozenset([memory.id, memory.challenged_by or ""])
            if pair not in shown:
                shown.add(pair)
                pairs.append((memory, rival))
            if len(pairs) >= limit:
                return pairs
    return pairs


def accept(store: Store, now: datetime, *, ids: Iterable[str] | None, scope: Any, everything: bool) -> Receipt:
    """Bring quarantined memories into recall."""
    with store.transaction():
        memories, skipped = _chosen(store, ids, scope, everything)
        changes = tuple(_accepted(memory, now) for memory in memories)
        return _with(store.apply(Plan(changes, verb="accept"), now), skipped)


def reject(store: Store, now: datetime, *, ids: Iterable[str] | None, scope: Any, everything: bool) -> Receipt:
    """Forget quarantined memories."""
    with store.transaction():
        memories, skipped = _chosen(store, ids, scope, everything)
        changes = tuple(Change.of(memory, Reason.REJECTED, state=State.FORGOTTEN) for memory in memories)
        return _with(store.apply(Plan(changes, verb="reject"), now), skipped)


def _accepted(memory: Memory, now: datetime) -> Change:
    """Into recall; a text that is to be taken apart goes to the archive, where such texts are."""
    state = State.ARCHIVED if memory.kind == SOURCE_TEXT else State.LIVE
    metadata = {**memory.metadata, ACCEPTED: now.isoformat()}
    return Change.of(memory, Reason.ACCEPTED, state=state, metadata=metadata)


def _chosen(
    store: Store, ids: Iterable[str] | None, scope: Any, everything: bool
) -> tuple[list[Memory], dict[str, str]]:
    if problems := checks.flag_problems(everything, "everything"):
        raise InvalidInput(problems)
    if ids is None and scope is None and not everything:
        raise InvalidInput("say which: ids, a scope, or everything=True (--all)")
    if ids is not None:
        named = found_all(store, ids)
        skipped = {m.id: f"it is {m.state}, not quarantined" for m in named if m.state is not State.QUARANTINED}
        return [memory for memory in named if memory.id not in skipped], skipped
    selection: Selection = selection_from(scope=scope, states=(State.QUARANTINED,))
    return [memory for page in store.pages(selection) for memory in page], {}


def _with(receipt: Receipt, skipped: dict[str, str]) -> Receipt:
    return replace(receipt, skipped={**receipt.skipped, **skipped}) if skipped else receipt
