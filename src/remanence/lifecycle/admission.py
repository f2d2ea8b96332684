"""Admission: what becomes of a new memory, given the live memories of its scope and kind that share its words.

The same text again, with or without its full stop, is a duplicate, and a confirmation when it comes from another
origin; a lesson met again is surer than before. A statement that continues an older one replaces it as its next
version, unless the older one is pinned, more trusted or newer. Where a negation or a number flipped, or the older one
is protected, both stay and challenge each other. Everything else is added, with the ids of what is similar. Actions
and crystals replace and contradict nothing, however alike they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from remanence.lifecycle.duplicates import Kinship, Statement, kinship
from remanence.model.action import OWN_KINDS
from remanence.model.hit import Outcome
from remanence.model.lesson import LESSON
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Reason
from remanence.model.words import folded

MOST_SIMILAR = 20
_FULL_STOPS = ".。 "


@dataclass(frozen=True, slots=True)
class Admission:
    """What becomes of a new memory: the memory that holds it, and the changes that make it so."""

    outcome: Outcome
    memory: Memory
    changes: tuple[Change, ...] = ()
    similar: tuple[str, ...] = ()

    def with_memory(self, memory: Memory) -> Admission:
        """The same, adding the memory in this form."""
        evidence = {} if memory.surprise is None else {"surprise": memory.surprise}
        changes = tuple(
            [
                change if change.memory is None else Change.add(memory, change.reason, **evidence)
                for change in self.changes
            ]
        )
        return Admission(self.outcome, memory, changes, self.similar)


def admit(new: Memory, kin: Sequence[Memory], now: datetime) -> Admission:
    """Decide about a new memory; `kin` are live memories of its scope and kind, and may be more than are related."""
    kin = [old for old in kin if old.expires_at is None or old.expires_at >= now]
    if not kin:
        return _added(new, None, ())
    same = _said(new)
    if twins := [old for old in kin if _said(old) == same]:
        return _again(max(twins, key=lambda twin: (twin.created_at, twin.id)), new, now)
    related = _related(new, kin)
    if new.kind in OWN_KINDS:
        return _added(new, None, tuple(old.id for _, _, old in related)[:MOST_SIMILAR])
    version = next(
        (old for relation, _, old in related if relation is Kinship.VERSION and _replaceable(old, new)), None
    )
    if version is not None:
        similar = tuple(old.id for _, _, old in related if old is not version)
        return _next_version(version, new, similar[:MOST_SIMILAR])
    rival = next((old for relation, _, old in related if _contradicts(relation, old, new)), None)
    return _added(new, rival, tuple(old.id for _, _, old in related)[:MOST_SIMILAR])


def _said(memory: Memory) -> str:
    """What a memory says: its text, whatever the case, the spacing and the full stop."""
    text = folded(memory.text)
    return text.rstrip(_FULL_STOPS) or text


def _related(new: Memory, kin: Sequence[Memory]) -> list[tuple[Kinship, float, Memory]]:
    """The kin that are similar or closer, most alike first, then newest."""
    statement = Statement.of(new.text)
    related = [(*kinship(Statement.of(old.text), statement), old) for old in kin]
    related = [entry for entry in related if entry[0] is not Kinship.UNRELATED]
    return sorted(related, key=lambda entry: (entry[1], entry[2].created_at, entry[2].id), reverse=True)


def _again(twin: Memory, new: Memory, now: datetime) -> Admission:
    if twin.kind == LESSON:
        from remanence.lifecycle.lessons import reinforced  # brings numpy, which lessons alone need here

        change = reinforced(twin, now)
        return Admission(Outcome.DUPLICATE, twin.but(**change.after), (change,))
    if new.origin == twin.origin:
        return Admission(Outcome.DUPLICATE, twin)
    confirmed = Change.of(twin, Reason.CONFIRMED, confirmations=twin.confirmations + 1)
    return Admission(Outcome.DUPLICATE, twin.but(confirmations=twin.confirmations + 1), (confirmed,))


def _replaceable(old: Memory, new: Memory) -> bool:
    return not _protected(old, new) and old.created_at <= new.created_at


def _protected(old: Memory, new: Memory) -> bool:
    return old.pinned or old.trust > new.trust


def _contradicts(relation: Kinship, old: Memory, new: Memory) -> bool:
    return relation is Kinship.FLIPPED or (relation is Kinship.VERSION and _protected(old, new))


def _next_version(old: Memory, new: Memory, similar: tuple[str, ...]) -> Admission:
    new = next_version(old, new)
    changes = (Change.add(new), superseded(old, new))
    return Admission(Outcome.SUPERSEDED, new, changes, similar)


def next_version(old: Memory, new: Memory) -> Memory:
    return new.but(version=old.version + 1, supersedes=old.id)


def superseded(old: Memory, new: Memory, reason: str = Reason.NEWER_VERSION) -> Change:
    """The change that puts `new` in the place of `old`, from the moment `new` was born."""
    return Change.of(old, reason, state=State.SUPERSEDED, superseded_by=new.id, effective_at=new.created_at)


def _added(new: Memory, rival: Memory | None, similar: tuple[str, ...]) -> Admission:
    if rival is None:
        return Admission(Outcome.ADDED, new, (Change.add(new),), similar)
    new = new.but(challenged_by=rival.id)
    challenged = Change.of(rival, Reason.CONTRADICTED, challenged_by=new.id)
    return Admission(Outcome.ADDED, new, (Change.add(new), challenged), similar)
