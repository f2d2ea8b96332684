"""Plans: every change to a memory, before it happens.

A plan is an ordered tuple of changes made by pure functions. It can be shown, applied in one transaction with its
journal rows, and undone. Each change names the fields it writes with their values before and after; a memory whose
fields no longer hold the values before has moved on, and the change is skipped and listed. Undo is the same idea read
backwards: `inverse()` swaps before and after, and the inverse of an inverse is the plan itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from remanence.errors import InvalidInput
from remanence.model.claim import Claim
from remanence.model.memory import Memory, State, plain


class Action(StrEnum):
    ADD = "add"
    ADJUST = "adjust"
    SUPERSEDE = "supersede"
    ARCHIVE = "archive"
    FORGET = "forget"
    QUARANTINE = "quarantine"
    RESTORE = "restore"
    PURGE = "purge"
    PROMOTE = "promote"
    DEMOTE = "demote"
    COMPACT = "compact"
    REVIEW = "review"

    @property
    def is_offer(self) -> bool:
        """Whether it changes nothing by itself: a hint to the dream (compact) or to a person (review)."""
        return self in (Action.COMPACT, Action.REVIEW)

    @property
    def mark(self) -> str:
        """One printable character: + add, ~ adjust, - leaves recall, ^ restore, x purge, ? is offered."""
        return _MARKS.get(self, "-")


_MARKS = {
    **{Action.ADD: "+", Action.ADJUST: "~", Action.RESTORE: "^", Action.PURGE: "x"},
    **{Action.PROMOTE: "~", Action.DEMOTE: "~", Action.COMPACT: "?", Action.REVIEW: "?"},
}
_LEAVING = {
    State.SUPERSEDED: Action.SUPERSEDE,
    State.ARCHIVED: Action.ARCHIVE,
    State.FORGOTTEN: Action.FORGET,
    State.QUARANTINED: Action.QUARANTINE,
}


class Reason(StrEnum):
    """The reasons the foundation itself gives; a policy's rules add their own names."""

    ASKED = "asked"
    CONFIRMED = "confirmed"
    USED = "used"
    NOT_USEFUL = "not useful"
    CHALLENGED = "challenged"
    CONTRADICTED = "contradicted"
    NEWER_VERSION = "newer version"
    REVISED = "revised"
    IMPORTED = "imported"
    UNDONE = "undone"
    PURGED_BEFORE = "purged before"
    SCREENED = "screened"
    ACCEPTED = "accepted in review"
    REJECTED = "rejected in review"
    ABSORBED = "absorbed"
    REDACTED = "secrets redacted"
    SUMMARY_PURGED = "its summary was purged"


REDACTED = "redacted:"
"""Begins the names of the numbers in evidence that count what was redacted: "redacted:password" → 1."""


def action_for(before: Mapping[str, Any], after: Mapping[str, Any]) -> Action:
    """The action that writing `after` over `before` amounts to."""
    state = after.get("state", before.get("state"))
    if "state" not in after or state == before.get("state"):
        return Action.ADJUST
    return Action.RESTORE if state == State.LIVE else _LEAVING[State(state)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One memory's change: the fields it writes, and why."""

    memory_id: str
    action: Action
    reason: str
    evidence: Mapping[str, float] = field(default_factory=dict)
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    memory: Memory | None = None
    revision: int | None = None
    last_accessed_at: datetime | None = None
    effective_at: datetime | None = None
    claim: str | None = None
    """The claim of a dream it belongs to: the changes of one claim are applied all together or not at all."""

    @classmethod
    def add(cls, memory: Memory, reason: str = Reason.ASKED, **evidence: float) -> Change:
        return cls(memory_id=memory.id, action=Action.ADD, reason=reason, evidence=evidence, memory=memory)

    @classmethod
    def of(cls, memory: Memory, reason: str, /, *, effective_at: datetime | None = None, **after: Any) -> Change:
        """Write these fields over what the memory holds now."""
        before = {name: getattr(memory, name) for name in after}
        return cls(
            memory_id=memory.id,
            action=action_for(before, after),
            reason=reason,
            before=before,
            after=after,
            effective_at=effective_at,
        )

    def inverse(self) -> Change:
        """The change that takes this one back; a purge has none."""
        if self.action is Action.PURGE:
            raise ValueError(f"memory {self.memory_id} was purged, which cannot be undone")
        before: Mapping[str, Any] = self.after
        after: Mapping[str, Any] = self.before
        if self.action is Action.ADD:
            state = self.memory.state if self.memory is not None else self.after.get("state", State.LIVE)
            before, after = {"state": state}, {"state": State.FORGOTTEN}
        return Change(
            memory_id=self.memory_id,
            action=action_for(before, after),
            reason=Reason.UNDONE,
            before=before,
            after=after,
        )

    def moved_on(self, memory: Memory) -> str | None:
        """Why this change no longer fits the memory as it is now; None where it does."""
        if self.revision is not None and self.revision != memory.revision:
            return "it changed after the plan was made"
        if self.last_accessed_at is not None and self.last_accessed_at != memory.last_accessed_at:
            return "it was recalled after the plan was made"
        moved = [name for name, value in self.before.items() if getattr(memory, name) != value]
        if not moved:
            return None
        now = ", ".join(f"{name} is {_shown(getattr(memory, name))}" for name in moved)
        return f"it moved on: {now}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "memory_id": self.memory_id,
            "action": self.action.value,
            "reason": str(self.reason),
            "evidence": dict(self.evidence),
            "before": plain(dict(self.before)),
            "after": plain(dict(self.after)),
            "claim": self.claim,
            "memory": plain(self.memory),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What one rule does in a plan: how many memories, their tokens, and how many of each scope's live ones."""

    rule: str
    action: Action
    why: str
    memories: int
    tokens: int
    oldest: datetime
    scopes: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Plan:
    """Changes to apply together. Automatic plans (sweep, dedup, dream, upkeep) must pass the breaker."""

    changes: tuple[Change, ...]
    verb: str
    automatic: bool = False
    undoes: str | None = None
    note: str | None = None
    groups: tuple[Group, ...] = ()
    warnings: tuple[str, ...] = ()
    refused: str | None = None
    """What the breaker would refuse in it, where it would: "40 of 100 live memories of /"."""
    claims: tuple[Claim, ...] = ()
    key: str | None = None
    """The name under which the server that made it keeps it; None for a plan made here."""

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    @property
    def size(self) -> str:
        """How many changes in words; of how many memories where one has several, such as promoted and then archived."""
        memories = len({change.memory_id for change in self.changes})
        changes = f"{len(self)} change{'' if len(self) == 1 else 's'}"
        return changes if memories == len(self) else f"{changes} to {memories} memor{'y' if memories == 1 else 'ies'}"

    def inverse(self) -> Plan:
        """The plan that takes this one back, last change first."""
        return Plan(tuple(change.inverse() for change in reversed(self.changes)), verb="undo")

    def to_dict(self) -> dict[str, Any]:
        return {
            "verb": self.verb,
            "automatic": self.automatic,
            "undoes": self.undoes,
            "note": self.note,
            "changes": [change.to_dict() for change in self.changes],
            "groups": plain(self.groups),
            "warnings": list(self.warnings),
            "refused": self.refused,
            "claims": plain(self.claims),
        }

    def only(self, keys: Iterable[str]) -> Plan:
        """The plan with these of its claims alone, and those they are made from; keys by how they begin."""
        wanted = (keys,) if isinstance(keys, str) else tuple(keys) if isinstance(keys, Iterable) else (keys,)
        known = ", ".join(claim.key for claim in self.claims[:20])
        if problems := [
            f"there is no claim {str(key)[:80]!r}"
            for key in wanted
            if not (isinstance(key, str) and key and any(claim.key.startswith(key) for claim in self.claims))
        ]:
            raise InvalidInput([*problems, f"the claims are {known}" if known else "the plan has no claims"])
        chosen = {claim.key for claim in self.claims if claim.key.startswith(wanted)}
        makers = {id: claim.key for claim in self.claims for id in claim.made}
        while more := {makers[id] for c in self.claims if c.key in chosen for id in c.sources if id in makers} - chosen:
            chosen |= more
        kept = tuple(claim for claim in self.claims if claim.key in chosen)
        return replace(
            self,
            changes=tuple(change for change in self.changes if change.claim in chosen),
            claims=kept,
        )

    def __str__(self) -> str:
        if not self.changes:
            return f"{self.verb}: nothing to change"
        lines = [
            f"{c.action.mark} {c.memory_id}  {c.action.value:<10} {c.reason}"
            + (f"  {_numbers(c)}" if c.evidence else "")
            for c in self.changes
        ]
        return "\n".join([f"{self.verb}: {self.size}", *lines])


def _shown(value: object) -> str:
    return str(value)[:60] if isinstance(value, (str, int, float, datetime, type(None))) else "other than it was"


def _numbers(change: Change) -> str:
    return " ".join(f"{name}={value:g}" for name, value in change.evidence.items())


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an applied plan did: `applied` ids in order, `skipped` ids with the reason why each was left alone."""

    id: str
    verb: str
    at: datetime
    applied: tuple[str, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    undoes: str | None = None
    note: str | None = None

    @property
    def redacted(self) -> dict[str, int]:
        """How many secrets of each kind were taken out of what this receipt wrote."""
        counts: dict[str, int] = {}
        for change in self.changes:
            for name, number in change.evidence.items():
                if name.startswith(REDACTED):
                    kind = name.removeprefix(REDACTED)
                    counts[kind] = counts.get(kind, 0) + int(number)
        return counts

    def inverse(self) -> Plan:
        """The plan that takes back what was applied, last change first."""
        plan = Plan(self.changes, verb=self.verb).inverse()
        return Plan(plan.changes, verb="undo", undoes=self.id)

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "verb": self.verb,
            "at": self.at.isoformat(),
            "applied": list(self.applied),
            "skipped": dict(self.skipped),
            "undoes": self.undoes,
            "note": self.note,
            "redacted": self.redacted,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Proof of a purge: what was destroyed, what the files still hold (nothing, unless `pending`), what was left."""

    receipt_id: str | None
    at: datetime
    reason: str
    purged: tuple[str, ...]
    older_versions: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    kept_newer_versions: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    pending: bool = False
    copies_found: int = 0
    files_checked: tuple[str, ...] = ()
    texts_searched: int = 0
    same_words_kept: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()
    sessions: int = 0
    observations: int = 0
    not_reached: tuple[str, ...] = ()
    """How many captured sessions were erased whole, how many raw observations in all; and where no purge can look."""

    @property
    def verified(self) -> bool:
        """Whether the file was written anew, the log cut, and no piece of a searched text found outside of memories."""
        return not self.pending and self.copies_found == 0

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__} | {"verified": self.verified}
