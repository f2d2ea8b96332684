"""The dater: due dates of single memories, for a store that writes them. Light until the first date is asked for."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Hashable
from dataclasses import replace
from hashlib import blake2b
from itertools import pairwise
from math import ceil, floor, inf, nextafter
from typing import TYPE_CHECKING

from remanence.lifecycle.regret import gains, slowings
from remanence.model.memory import Memory, State
from remanence.model.moment import LAST_MOMENT, NEVER, to_micros
from remanence.model.policy import LASTING_KINDS, Condition, Membership, Policy
from remanence.model.scope import holds
from remanence.model.words import estimate_tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from remanence.model.columns import Columns

_CACHED = 10_000
_LOOK_AT_IT = 0
_STEADY_FROM = 3
_STEPS = 20
_OF_CONFIDENCE = ("confidence", "lesson_confidence", "strength")


class Dater:
    """Dates single memories as they are written.

    Nearly all of them are new, never recalled and, to the policy, like many others: the span from birth to due is
    looked up by what the policy can tell apart. Importance goes by steps, at whose ends all bounds of the policy lie:
    the lower end is due first, so its span is a lower bound for the step. Any other memory is dated 0, "look at it":
    the next sweep reads it and dates it with all the rest at once.
    """

    def __init__(self, policy: Policy) -> None:
        # By the calendar, and without what slows decay: never too late.
        self.policy = replace(policy, lived=None)
        self.fingerprint = dated_as(policy)
        self.counts = watched_counts(policy)
        self.every_access = may_end_sooner(policy)
        conditions = [c for rule in policy.rules for c in rule.when if isinstance(c, Condition)]
        self._asked = frozenset(condition.measure for condition in conditions)
        bounds = {bound for c in conditions if c.measure == "importance" for bound in _bounds(c, policy)}
        self._edges = sorted({*(step / _STEPS for step in range(_STEPS + 1)), *bounds})
        self._scopes, self._kinds = _places(policy)
        self._sure_kinds = _sure_kinds(policy)
        self._classes: dict[str, tuple[bool, ...]] = {}
        self._spans: dict[Hashable, tuple[int | None, ...]] = {}

    def ready(self) -> None:
        """Import what dates are reckoned with: in a transaction, all who write would wait for that."""
        _reckoning()

    def due_at(self, memory: Memory) -> int | None:
        if (
            memory.state is not State.LIVE
            or memory.access_count
            or memory.recent_accesses
            or memory.kept_until is not None
        ):
            return _LOOK_AT_IT
        key = self._key(memory)
        if key not in self._spans:
            if len(self._spans) >= _CACHED:
                self._spans.clear()
            self._spans[key] = self._spans_of(memory)
        created = to_micros(memory.created_at)
        span = self._spans[key][self._step(memory.importance)]
        if span is None:
            return _LOOK_AT_IT
        due = NEVER if span == NEVER or created + span > LAST_MOMENT else created + span
        if memory.expires_at is not None:
            due = min(due, to_micros(memory.expires_at))
        return None if due == NEVER else due

    def _key(self, memory: Memory) -> Hashable:
        """What the policy can tell of a new memory, besides its importance."""
        place = self._classes.get(memory.scope)
        if place is None:
            if len(self._classes) >= _CACHED:
                self._classes.clear()
            place = self._classes[memory.scope] = tuple(holds(scope, memory.scope) for scope in self._scopes)
        return (
            place,
            memory.kind if memory.kind in self._kinds else None,
            memory.layer,
            memory.source,
            memory.trust_limit,
            memory.confirmations,
            memory.uses,
            memory.rejections,
            memory.pinned,
            memory.exempt,
            memory.valence if "valence" in self._asked else None,
            memory.confidence if self._sure_kinds is None or memory.kind in self._sure_kinds else None,
            estimate_tokens(memory.text) if "tokens" in self._asked else None,
        )

    def _step(self, importance: float) -> int:
        """Which step an importance is on: even numbers are the ends themselves, odd ones what lies between."""
        place = bisect_left(self._edges, importance)
        return 2 * place if self._edges[place] == importance else 2 * place - 1

    def _spans_of(self, memory: Memory) -> tuple[int | None, ...]:
        """From birth to the next date for each step of importance; None where a rule holds from the start on."""
        due_at, columns_of = _reckoning()
        lowest = [self._edges[0]]
        for edge, following in pairwise(self._edges):
            lowest += (nextafter(edge, inf), following)
        # Worth grows with the strength of feeling: none is due first.
        valence = memory.valence if "valence" in self._asked else 0.0
        plain = memory.but(expires_at=None, last_accessed_at=memory.created_at, valence=valence)
        created = to_micros(memory.created_at)
        rows = columns_of([plain.but(importance=value) for value in lowest], counted="tokens" in self._asked)
        dates = due_at(rows, self.policy).tolist()
        return tuple(NEVER if due == NEVER else due - created if due > created else None for due in dates)


def _reckoning() -> tuple[Callable[[Columns, Policy], NDArray[np.int64]], Callable[..., Columns]]:
    """What dates many memories at once; imported late, since it brings numpy."""
    from remanence.lifecycle.due import due_at
    from remanence.model.columns import columns_of

    return due_at, columns_of


def dated_as(policy: Policy) -> str:
    """What dates hang on: the policy, the days that came late, and which kinds decay more slowly.

    Days that are active as they pass bring no date nearer than it was taken to be.
    """
    lived = policy.lived
    late = lived.late_days if lived is not None and policy.active_clock else 0
    slowed = {str(gain): factors for gain in gains(policy) if (factors := slowings(lived, gain))}
    if not late and not slowed:
        return policy.fingerprint
    return blake2b(json.dumps([policy.fingerprint, late, slowed]).encode(), digest_size=12).hexdigest()


def _sure_kinds(policy: Policy) -> frozenset[str] | None:
    """The kinds of whose confidence a rule asks; None for all."""
    found: set[str] = set()
    for rule in policy.rules:
        if any(isinstance(c, Condition) and c.measure in _OF_CONFIDENCE for c in rule.when):
            kinds = [c for c in rule.when if isinstance(c, Membership) and c.field == "kind" and not c.negated]
            if not kinds:
                return None
            found |= set(kinds[0].values)
    return frozenset(found)


def _places(policy: Policy) -> tuple[tuple[str, ...], frozenset[str]]:
    """The scopes and kinds that the policy speaks of; all others are alike to it."""
    members = [c for rule in policy.rules for c in rule.when if isinstance(c, Membership)]
    scopes = {*policy.exempt_scopes, *(o.scope for o in policy.overrides if o.scope is not None)}
    scopes |= {scope for member in members if member.field == "scope" for scope in member.values}
    kinds = {*policy.ttl_days, *policy.kind_weights, *policy.salience, *policy.exempt_kinds, *LASTING_KINDS}
    kinds |= {o.kind for o in policy.overrides if o.kind is not None}
    kinds |= {kind for member in members if member.field == "kind" for kind in member.values}
    return tuple(sorted(scopes)), frozenset(kinds)


def watched_counts(policy: Policy) -> frozenset[int]:
    """The access counts at which a rule may begin to hold."""
    found = set()
    for rule in policy.rules:
        for condition in rule.when:
            if isinstance(condition, Condition) and condition.measure == "access_count" and condition.sign[0] == ">":
                bounds = _bounds(condition, policy)
                found |= {floor(bound) + 1 if condition.sign == ">" else ceil(bound) for bound in bounds}
    return frozenset(found)


def may_end_sooner(policy: Policy) -> bool:
    """Whether an access can bring a rule nearer: a burst lowers the steadiness in worth, from three accesses on."""
    for rule in policy.rules:
        measures = {condition.measure: condition for condition in rule.when if isinstance(condition, Condition)}
        counted = measures.get("access_count")
        few = counted is not None and counted.sign[0] == "<" and max(_bounds(counted, policy)) <= _STEADY_FROM
        if "worth" in measures and not few:
            return True
    return False


def _bounds(condition: Condition, policy: Policy) -> list[float]:
    """The numbers a condition compares with, in any scope and for any kind."""
    name = condition.bound
    return [policy.number(name), *(o.numbers[name] for o in policy.overrides if name in o.numbers)]  # type: ignore[index]
