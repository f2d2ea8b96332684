"""What of a plan still fits, asked inside the transaction that writes it.

The changes of a claim that adds something are applied all together or not at all. It is left out where one of its
memories moved on since the plan was made or is pinned, where something it was made from was purged, forgotten or
quarantined since, and where its new text was purged before, reads like an instruction, or has no vector though it could
have one. A claim that adds nothing is a list of single changes, each of which stands alone. No automatic plan takes a
pinned memory out of recall.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from remanence.model.memory import State
from remanence.model.plan import Change, Plan
from remanence.store.protocol import Embedded, Store

_GONE = (State.FORGOTTEN, State.QUARANTINED)


def pieces(plan: Plan, most: int) -> Iterator[tuple[Change, ...]]:
    """The changes in their order, at most so many at a time; a claim that adds something is never parted."""
    piece: list[Change] = []
    number = 0
    for _, some in groupby(plan.changes, key=lambda change: change.claim):
        changes = list(some)
        is_whole = any(change.claim and change.memory is not None for change in changes)
        for part in [changes] if is_whole else _parts(changes, most):
            if piece and number + len(part) > most:
                yield tuple(piece)
                piece, number = [], 0
            piece += part
            number += len(part)
    yield tuple(piece)


def _parts(changes: list[Change], most: int) -> list[list[Change]]:
    return [changes[start : start + most] for start in range(0, len(changes), most)]


def fitting(
    store: Store, changes: Sequence[Change], vectors: Mapping[str, Embedded] | None, *, automatic: bool
) -> tuple[tuple[Change, ...], dict[str, str]]:
    """Those of the changes that can still be applied, and why the others cannot, by memory.

    `vectors` are those of what is added; None where there is no embedder.
    """
    faults = _faults(store, changes, vectors)
    pinned = _pinned(store, changes) if automatic else set()
    adding = {change.claim for change in changes if change.claim and change.memory is not None}
    for change in changes:
        if change.claim in adding and change.memory_id in pinned:
            faults.setdefault(str(change.claim), f"memory {change.memory_id} is pinned")
    _follow(changes, faults)
    if not faults and not pinned:
        return tuple(changes), {}
    left_out = {c.memory_id: f"claim {c.claim} was left out: {faults[c.claim]}" for c in changes if c.claim in faults}
    left_out |= {change.memory_id: "it is pinned" for change in changes if change.memory_id in pinned}
    kept = tuple(c for c in changes if c.claim not in faults and c.memory_id not in pinned)
    return kept, left_out


def leaves(change: Change) -> bool:
    """Whether it takes a memory out of recall."""
    return bool(change.after.get("state", State.LIVE) != State.LIVE)


def _pinned(store: Store, changes: Sequence[Change]) -> set[str]:
    leaving = {change.memory_id for change in changes if leaves(change) or "recent_accesses" in change.after}
    return {id for id, memory in store.get(leaving).items() if memory.pinned}


def _faults(store: Store, changes: Sequence[Change], vectors: Mapping[str, Embedded] | None) -> dict[str, str]:
    """Why claims that add something do not fit any more, by their keys."""
    adding = {change.claim for change in changes if change.claim and change.memory is not None}
    parts = [change for change in changes if change.claim in adding]
    added = {change.memory_id: change.memory for change in parts if change.memory is not None}
    purged = store.tombstones([memory.text for memory in added.values()])
    sources = {id for memory in added.values() for id in memory.lineage if id not in added}
    memories = store.get(sources | {change.memory_id for change in parts if change.memory is None})
    faults: dict[str, str] = {}
    seen: set[str] = set()
    for change in parts:
        fault, memory = None, change.memory
        if memory is None:
            held = memories.get(change.memory_id)
            if held is None:
                fault = f"memory {change.memory_id} is gone"
            elif change.memory_id not in seen and (moved := change.moved_on(held)):
                fault = f"memory {change.memory_id}: {moved}"
            seen.add(change.memory_id)
        elif memory.text in purged:
            fault = "the new text was purged before"
        elif memory.state is State.QUARANTINED:
            fault = "the new text reads like an instruction"
        elif vectors is not None and memory.state is State.LIVE and memory.id not in vectors:
            fault = "the new text could not be embedded"
        elif gone := [id for id in memory.lineage if id in sources and _is_gone(memories, id)]:
            fault = f"memory {gone[0]}, which it is made from, is gone or was forgotten"
        if fault is not None:
            faults.setdefault(str(change.claim), fault)
    return faults


def _is_gone(memories: Mapping[str, object], id: str) -> bool:
    memory = memories.get(id)
    return memory is None or getattr(memory, "state", None) in _GONE


def _follow(changes: Sequence[Change], faults: dict[str, str]) -> None:
    """What is made from a claim that is left out is left out too."""
    makers = {change.memory_id: change.claim for change in changes if change.claim and change.memory is not None}
    while faults and (
        more := {
            str(change.claim): f"claim {makers[id]}, which it is made from, was left out"
            for change in changes
            if change.claim and change.memory is not None and change.claim not in faults
            for id in change.memory.lineage
            if makers.get(id) in faults
        }
    ):
        faults |= more
