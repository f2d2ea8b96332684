"""What the store says of itself: what is damaged, and what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from remanence.model.dream import DreamRun
from remanence.model.memory import plain
from remanence.model.plan import Certificate
from remanence.model.session import SessionRun


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of damage: how many rows have it, an example, and whether `check --repair` can mend it."""

    kind: str
    count: int
    detail: str
    repairable: bool

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __str__(self) -> str:
        return f"{self.kind}: {self.count} ({self.detail})"


@dataclass(frozen=True, slots=True)
class Checkup:
    """The result of a check."""

    problems: tuple[Problem, ...]
    checked: int
    repaired: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "checked": self.checked,
            "problems": plain(self.problems),
            "repaired": plain(self.repaired),
        }


@dataclass(frozen=True, slots=True)
class Spent:
    """What one model was given and gave on one day (UTC): calls, how many of them failed, tokens."""

    day: str
    model: str
    calls: int
    failed: int
    tokens_in: int
    tokens_out: int

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What a namespace holds, and what the file behind it costs."""

    namespace: str
    memories: Mapping[str, int]
    tokens: Mapping[str, int]
    scopes: Mapping[str, int]
    kinds: Mapping[str, int]
    layers: Mapping[str, int]
    receipts: int
    tombstones: int
    purge_pending: bool
    location: str
    schema: int
    file_bytes: int
    pending_accesses: int = 0
    policy: str = ""
    sweeping: bool = True
    due: int = 0
    upkeep_at: datetime | None = None
    sizes: tuple[str, ...] = ()
    slowed: Mapping[str, float] = field(default_factory=dict)
    """Kinds whose archived memories were missed, and how many times slower they decay since."""
    embedder: str | None = None
    vectors: Mapping[str, int] = field(default_factory=dict)
    waiting: int = 0
    recalls: int = 0
    regrets: int = 0
    llm: str | None = None
    spent_today: int = 0
    tokens_per_day: int | None = None
    tokens_per_run: int | None = None
    spending: tuple[Spent, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """How much one set of a size target holds of what it may hold, in tokens or memories; `scope` where it is one's."""

    name: str
    scope: str | None
    held: int
    allowed: int
    unit: str
    action: str

    @property
    def share(self) -> float:
        """1.0 is full."""
        return self.held / max(self.allowed, 1)

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did: lines read, memories added, already there, blocked by an earlier purge, or quarantined."""

    receipt_id: str | None
    read: int = 0
    added: int = 0
    present: int = 0
    conflicts: tuple[str, ...] = ()
    blocked: int = 0
    quarantined: int = 0
    redacted: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """What was saved of a damaged store: memories written, rows that could not be read, rows whose hash failed."""

    path: str
    saved: int
    unreadable: int
    damaged: int
    in_other_namespaces: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __str__(self) -> str:
        others = f"{self.in_other_namespaces} more are in other namespaces. " if self.in_other_namespaces else ""
        word = "memory" if self.saved == 1 else "memories"
        return others + (
            f"{self.saved} {word} saved to {self.path}; {self.damaged} damaged, {self.unreadable} unreadable (purged "
            f"ones count here). Bring them into a new store with: rem --db NEW import {self.path}"
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a machine has or lacks, and what to do when it is not right."""

    what: str
    ok: bool
    detail: str
    advice: str

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an upkeep did. `ran` is False where another process is at it, or sweeps are switched off: `why` says so."""

    at: datetime
    ran: bool
    why: str = ""
    receipt_id: str | None = None
    archived: int = 0
    forgotten: int = 0
    moved: int = 0
    dated: int = 0
    faded: int = 0
    embedded: int = 0
    left: int = 0
    skipped: int = 0
    offered: int = 0
    by_rule: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    dream: DreamRun | None = None
    """The dream that was due, where dreams have an interval."""
    sessions: SessionRun | None = None
    """What became of captured sessions, where capturing is switched on."""

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """Where secrets stand: a memory, or a line of a file; the kinds in each field, counted. Never a value."""

    found: Mapping[str, Mapping[str, int]]
    memory_id: str | None = None
    path: str | None = None
    line: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What a scan looked at (memories, lines of each file) and found; what was written anew, and the proof."""

    memories: int
    files: Mapping[str, int] = field(default_factory=dict)
    leaks: tuple[Leak, ...] = ()
    renewed: tuple[str, ...] = ()
    certificate: Certificate | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is left that holds a secret."""
        return all(leak.memory_id in self.renewed for leak in self.leaks)

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__} | {"ok": self.ok}
