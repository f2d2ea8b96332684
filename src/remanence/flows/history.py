"""undo, history, journal: what happened, and taking it back.

Undo reads a receipt backwards: each field it wrote gets its earlier value back, unless someone wrote that field
since; such memories are skipped and listed. What comes back into recall is kept there for 30 days. An undo has a
receipt of its own, so undoing an undo is redo.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from remanence.errors import InvalidInput, NotFound
from remanence.flows.find import versions
from remanence.flows.restore import KEPT_DAYS
from remanence.model import checks
from remanence.model.journal import Event, place_in_journal
from remanence.model.memory import Memory, State
from remanence.model.moment import later
from remanence.model.plan import Action, Change, Receipt
from remanence.model.selection import LIMIT
from remanence.store.protocol import Store

_WHOLE_JOURNAL = 2**31 - 1
_MOST_CHARACTERS = 16 << 20
"""Of all texts of one history: each of its events repeats the text, and a memory of 1 MiB may have changed often."""


def undo(store: Store, receipt_id: str, now: datetime) -> Receipt:
    """Take back what a receipt applied, last change first."""
    if not isinstance(receipt_id, str):
        raise InvalidInput(f"a receipt's id is text such as r12, not {type(receipt_id).__name__}")
    with store.transaction():
        receipt = store.receipt(receipt_id)
        lost = {
            change.memory_id: "it was purged, which cannot be undone"
            for change in receipt.changes
            if change.action is Action.PURGE or not change.after
        }
        changes = tuple(change for change in receipt.changes if change.memory_id not in lost)
        if lost and not changes:
            raise InvalidInput(f"receipt {receipt_id} cannot be undone: everything it changed was purged")
        plan = replace(receipt, changes=changes).inverse()
        memories = store.get(change.memory_id for change in plan)
        last = {change.memory_id: change for change in plan if "state" in change.after}
        for change in last.values():
            if change.action is Action.RESTORE and _has_live_version(store, change.memory_id, last):
                lost[change.memory_id] = "another version of it is live"
        kept = tuple(
            _kept(change, memories.get(change.memory_id), now) if last.get(change.memory_id) is change else change
            for change in plan
            if change.memory_id not in lost
        )
        applied = store.apply(replace(plan, changes=kept), now)
    return replace(applied, skipped={**applied.skipped, **lost})


def _has_live_version(store: Store, id: str, last: dict[str, Change]) -> bool:
    """Whether another version is live once these last changes are made."""
    family = versions(store, id, {other: change.after for other, change in last.items()})
    return any(memory.state == State.LIVE for other, memory in family.items() if other != id)


def _kept(change: Change, memory: Memory | None, now: datetime) -> Change:
    """A change that brings a memory back into recall also keeps it there for a while."""
    if change.action is not Action.RESTORE or memory is None or "kept_until" in change.after:
        return change
    return replace(
        change,
        before={**change.before, "kept_until": memory.kept_until},
        after={**change.after, "kept_until": later(now, timedelta(days=KEPT_DAYS))},
    )


def history(store: Store, id: str, limit: int = LIMIT, before: str | None = None) -> list[Event]:
    """What happened to a memory and its other versions, oldest first: the last `limit` of it, or that before a place.

    Each event has its memory whole, so there are fewer, but at least one, where their texts are very long.
    """
    problems = [] if isinstance(id, str) else checks.id_problems(id)
    problems += checks.integer_problems(limit, "limit", 1, LIMIT)
    if problems:
        raise InvalidInput(problems)
    end = None if before is None else place_in_journal(before, "before")
    family = versions(store, id)
    entries = store.journal(_WHOLE_JOURNAL, memory_ids=family or [id])
    if not entries:
        raise NotFound(f"There is no memory {id[:60]!r} in namespace {store.namespace!r}. See: rem list")
    after = {version: _after_each(store, memory) for version, memory in family.items()}
    events = []
    for entry in reversed(entries):
        images = after.get(entry.memory_id)
        events.append(Event(entry, images.pop(0) if images else None))
    if end is not None:
        events = [event for event in events if place_in_journal(event.entry.place, "place") < end]
    return _fitting(events[-limit:])


def _fitting(events: list[Event]) -> list[Event]:
    """The last of these events, as many as have so much text together."""
    room = _MOST_CHARACTERS
    for number, event in enumerate(reversed(events)):
        room -= len(event.text or "")
        if room < 0 and number:
            return events[-number:]
    return events


def _after_each(store: Store, memory: Memory) -> list[Memory]:
    """The memory as it was right after each of its changes, oldest first."""
    images = [memory]
    for before in reversed(store.images(memory.id)[1:]):
        images.append(images[-1].but(**before))
    return images[::-1]
