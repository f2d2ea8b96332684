"""Why a memory is where it is, and what will become of it: the answers of explain and forecast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from remanence.model.memory import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A memory's value over time: from birth over now into the future, with what happened and what bounds it."""

    moments: tuple[datetime, ...]
    values: tuple[float, ...]
    retention: tuple[float, ...]
    now: datetime
    accesses: tuple[datetime, ...] = ()
    bound: float | None = None
    ends: datetime | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """How a memory came to be out of recall: when, by which verb and receipt, and the reason, or the rule's name."""

    at: datetime
    verb: str
    reason: str
    receipt_id: str
    by_rule: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Every number behind a memory's fate under a policy.

    `value` is the number the policy's rules compare; `parts` are the nine factors of worth, each from 0 to 1;
    `measures` is what else rules may ask for, ages in days, and under the curve `power` what its stability is made of;
    `content` is what each signal of its text adds or takes; `next_rule` will act at `due_at` unless something changes
    (None: no rule ever will); `left` is how it came to be out of recall; `text` says it in words.
    """

    memory_id: str
    policy: str
    at: datetime
    state: str
    value: float
    value_name: str
    retention: float
    worth: float
    effective_importance: float
    tier: str
    due_at: datetime | None
    next_rule: str | None
    next_action: str | None
    parts: Mapping[str, float]
    measures: Mapping[str, float]
    protected_by: tuple[str, ...]
    advice: tuple[str, ...]
    text: str
    curve: Curve = field(repr=False)
    regrets: int = 0
    content: Mapping[str, float] = field(default_factory=dict)
    left: Left | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """One memory that would leave, when, and by which rule."""

    memory_id: str
    at: datetime
    rule: str
    action: str
    scope: str
    kind: str
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What would leave in the next days under a policy, if nobody recalled anything and sweeps ran daily.

    `live`, `archived` and `forgotten` have the number now, then one for the evening of each day. `leaving` lists the
    first of those who leave, soonest first; the counts hold all of them.
    """

    policy: str
    at: datetime
    days: int
    live: tuple[int, ...]
    archived: tuple[int, ...]
    forgotten: tuple[int, ...]
    leaves: int
    tokens: int
    promoted: int
    by_rule: Mapping[str, int]
    by_scope: Mapping[str, int]
    by_kind: Mapping[str, int]
    leaving: tuple[Leaving, ...]
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}

    def __str__(self) -> str:
        rules = ", ".join(f"{number} {rule}" for rule, number in self.by_rule.items())
        live = self.live[0] - self.live[-1]
        older = f" and {self.leaves - live} older versions" if self.leaves > live else ""
        text = f"In {self.days} days under {self.policy}: {live} of {self.live[0]}{older} leave"
        return text + (f" ({rules})" if rules else "")
