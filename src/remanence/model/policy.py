"""A policy: how memories age and which rules act on them. Plain values, checked where they are read.

A rule is a list of conditions that must all hold, and an action. Conditions compare measures of a memory (its age,
its retention, its worth, …) with a number or with one of the policy's own numbers by name, so that a number can be
changed without writing the rule anew. A target is a rule over a set of memories: more than so many tokens or
memories, and the lowest leave.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from remanence.model.lived import Lived
from remanence.model.memory import plain

REMOVING = ("archive", "forget")
MOVING = ("promote", "demote")
OFFERING = ("compact", "review")
ACTIONS = (*REMOVING, *MOVING, *OFFERING)
STANDING = "standing"  # the lowest of a target by what each memory says among the others (lifecycle.cover)
LASTING_KINDS = ("crystal",)  # they never decay, under any policy
CLOCKS = ("accessed", "created")
CURVES = ("halflife", "l2", "huber", "elastic", "exponential", "hyperbolic", "power")
VALUES = ("effective_importance", "relevance", "retention", "score", "worth")

# Measures by how they go as time passes without an access.
RISING = ("age_days", "idle_days", "calendar_days")
FALLING = (*VALUES, "strength", "lesson_confidence")
STEADY = ("importance", "access_count", "confirmations", "confidence", "valence", "tokens")
MEASURES = (*RISING, *FALLING, *STEADY)
FLAGS = ("ttl_passed", "ttl_running", "expired")
WORDS = ("kind", "layer", "source", "state", "scope")

# What curves, reinforcement and score go by where a policy sets no number of its own.
_UNSAID: Mapping[str, float] = {
    "half_life_days": 30.0,
    "delta": 0.5,
    "rho": 0.3,
    "lambda": 0.01,
    "sigma": 0.3,
    "tau_days": 30.0,
    "stability_days": 30.0,
    "decay_exponent": 0.1542,
    "reinforcement_rate": 0.05,
    "reinforcement_most": 0.3,
}

_DATING = 3  # goes up when dates are solved otherwise, so that stores date anew


@dataclass(frozen=True, slots=True)
class Condition:
    """A measure compared with a bound: a number, or the name of one of the policy's numbers."""

    measure: str
    sign: str
    bound: float | str

    def __str__(self) -> str:
        bound = self.bound if isinstance(self.bound, str) else f"{self.bound:g}"
        return f"{self.measure} {self.sign} {bound}"


@dataclass(frozen=True, slots=True)
class Membership:
    """A word of a memory (kind, layer, source, state, scope) among some, or among none of them."""

    field: str
    values: tuple[str, ...]
    negated: bool = False

    def __str__(self) -> str:
        *others, last = self.values or ("none",)
        values = f"{', '.join(others)} or {last}" if others else last
        return f"{self.field} is {'not ' if self.negated else ''}{values}"


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that holds or not: the kind's time is up, a time still runs, the memory's own expiry has passed."""

    name: str
    wanted: bool

    def __str__(self) -> str:
        return self.name if self.wanted else f"not {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """When all conditions hold, act. `at_most` a run takes, those with the lowest `lowest` first."""

    name: str
    action: str
    when: tuple[Condition | Membership | Flag, ...]
    why: str = ""
    at_most: str | float | None = None
    lowest: str = "worth"

    @property
    def state(self) -> str:
        """The state of the memories it is asked about."""
        for condition in self.when:
            if isinstance(condition, Membership) and condition.field == "state" and condition.values:
                return condition.values[0]
        return "live"

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "action": self.action,
            "when": [str(condition) for condition in self.when],
            "why": self.why,
            "at_most": self.at_most,
            "lowest": self.lowest,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """At most so many tokens or memories in a set; over it the lowest leave, or are put up for review.

    The set: all live memories of a kind, with a category, older than some days, below some scopes, as far as these are
    given; `each` makes one set of every scope ("scope"), or of everything right below the listed scopes ("project").
    """

    name: str
    action: str
    tokens: str | float | None = None
    memories: str | float | None = None
    kind: str | None = None
    category: str | None = None
    older_than_days: str | float | None = None
    each: str | None = None
    lowest: str = "worth"
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """Other numbers for a scope (with everything below it), a kind, or a kind within a scope."""

    scope: str | None = None
    kind: str | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)
    ttl_days: float | None = None
    sets_ttl: bool = False
    exempt: bool | None = None

    @property
    def place(self) -> str:
        """Where it holds: "kind finding", "scope /project", "kind finding in /project"."""
        if self.kind is None:
            return f"scope {self.scope}"
        return f"kind {self.kind}" if self.scope is None else f"kind {self.kind} in {self.scope}"

    def __str__(self) -> str:
        told = [f"{name} {_short(value)}" for name, value in self.numbers.items()]
        if self.sets_ttl:
            told.append("ttl never" if self.ttl_days is None else f"ttl {self.ttl_days:g} days")
        if self.exempt is not None:
            told.append("exempt" if self.exempt else "not exempt")
        return ", ".join(told) or "nothing of its own"

    def to_dict(self) -> dict[str, Any]:
        return {
            "scope": self.scope,
            "kind": self.kind,
            "numbers": dict(self.numbers),
            "ttl_days": self.ttl_days,
            "sets_ttl": self.sets_ttl,
            "exempt": self.exempt,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Clock, curve, modifiers, tiers and an ordered list of rules."""

    name: str
    about: str = ""
    enabled: bool = True
    value: str = "worth"
    clock: str = "accessed"
    curve: str = "halflife"
    trust_weighted: bool = False
    layered: bool = False
    reinforced: bool = False
    active_clock: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict)
    tiers: Mapping[str, float] = field(default_factory=dict)
    ttl_days: Mapping[str, float | None] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    kind_weights: Mapping[str, float] = field(default_factory=dict)
    salience: Mapping[str, float] = field(default_factory=dict)
    trust: Mapping[str, float] = field(default_factory=dict)
    layer_half_life_days: Mapping[str, float] = field(default_factory=dict)
    exempt_scopes: tuple[str, ...] = ()
    exempt_kinds: tuple[str, ...] = ()
    exempt_layers: tuple[str, ...] = ()
    project_scopes: tuple[str, ...] = ()
    overrides: tuple[Override, ...] = ()
    rules: tuple[Rule, ...] = ()
    targets: tuple[Target, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The YAML values it was made from, with the name of the preset it extends."""
    lived: Lived | None = field(default=None, compare=False, repr=False)
    """What is known of the store it is used on: not a part of it, and without it every day counts."""
    tables: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What rules look up of it again and again, worked out once."""

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """The same for two policies that decide alike in every case that their values can tell."""
        told = {name: value for name, value in self.to_dict().items() if name not in ("name", "about", "enabled")}
        text = json.dumps([_DATING, told], sort_keys=True)
        return blake2b(text.encode(), digest_size=12).hexdigest()

    def number(self, name: float | str, default: float | None = None) -> float:
        """A bound: the number itself, or the policy's number of that name ("tiers.cold" for a tier), or the default."""
        if not isinstance(name, str):
            return float(name)
        if name.startswith("tiers."):
            return float(self.tiers[name[6:]])
        if name not in self.numbers:
            return _UNSAID[name] if default is None else default
        return float(self.numbers[name])

    def sentence(self, rule: Rule) -> str:
        """A rule in words, with the numbers it names: "archive when age_days > 90 and retention < 0.15"."""
        conditions = [
            f"{c.measure} {c.sign} {self._shown(c.bound)}" if isinstance(c, Condition) else str(c) for c in rule.when
        ]
        most = "" if rule.at_most is None else f", at most {self._shown(rule.at_most)} a run"
        return f"{rule.action} when {' and '.join(conditions)}{most}"

    def bounded_targets(self) -> tuple[Target, ...]:
        """The targets that bound anything, anywhere."""
        found = []
        for target in self.targets:
            name = target.memories if target.tokens is None else target.tokens
            bounds = [self.number(name or 0), *(o.numbers.get(str(name), float("inf")) for o in self.overrides)]
            if min(bounds) != float("inf"):
                found.append(target)
        return tuple(found)

    def bound_sentence(self, target: Target) -> str:
        """A target in words: "archive over 5,000 tokens, the lowest worth first"."""
        bound, unit = (target.memories, "memories") if target.tokens is None else (target.tokens, "tokens")
        return f"{target.action} over {self._shown(bound)} {unit}, the lowest {target.lowest} first"

    def _shown(self, bound: float | str | None) -> str:
        value = float("inf") if bound is None else self.number(bound)
        if isinstance(bound, str) and bound.endswith("_minutes"):
            return f"{value:g} minutes"
        return "any number of" if value == float("inf") else f"{value:,.0f}" if value >= 1000 else f"{value:g}"

    def to_dict(self) -> dict[str, Any]:
        own = (name for name in self.__slots__ if name not in ("source", "lived", "tables"))
        return {name: _told(getattr(self, name)) for name in own}


def _short(value: float) -> str:
    return "never" if value == float("inf") else f"{value:g}"


def _told(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _told(item) for key, item in sorted(value.items())}
    if isinstance(value, tuple):
        return [_told(item) for item in value]
    if isinstance(value, float) and value == float("inf"):
        return "never"
    return plain(value)
