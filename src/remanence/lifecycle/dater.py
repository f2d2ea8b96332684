"""The dater: due dates of single memories, for a store that writes them. Light until the first date is asked for."""

from __future__ import annotations

from math import ceil, floor

from remanence.model.memory import Memory, State
from remanence.model.moment import to_micros
from remanence.model.policy import Condition, Policy

_CACHED = 10_000
_LOOK_AT_IT = 0
_STEADY_FROM = 3
NEVER = 2**63 - 1
LAST_MOMENT = 253_402_300_799_999_999  # the end of the year 9999, in microseconds since 1970


class Dater:
    """Dates single memories as they are written.

    Nearly all of them are new, never recalled and like many others: for those the span from birth to due is looked up.
    Any other memory is dated 0, "look at it": the next sweep reads it and dates it with all the rest at once.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.fingerprint = policy.fingerprint
        self.counts = watched_counts(policy)
        self.every_access = may_end_sooner(policy)
        self._spans: dict[object, int | None] = {}

    def due_at(self, memory: Memory) -> int | None:
        if memory.state is not State.LIVE or memory.access_count or memory.kept_until is not None:
            return _LOOK_AT_IT
        key = (
            memory.scope,
            memory.kind,
            memory.layer,
            memory.source,
            memory.importance,
            memory.valence,
            memory.confidence,
            memory.confirmations,
            memory.pinned,
            memory.exempt,
        )
        created = to_micros(memory.created_at)
        if key not in self._spans:
            if len(self._spans) >= _CACHED:
                self._spans.clear()
            self._spans[key] = self._span(memory, created)
        span = self._spans[key]
        if span is None:
            return _LOOK_AT_IT
        due = NEVER if span == NEVER or created + span > LAST_MOMENT else created + span
        if memory.expires_at is not None:
            due = min(due, to_micros(memory.expires_at))
        return None if due == NEVER else due

    def _span(self, memory: Memory, created: int) -> int | None:
        """From birth to the next date; None where a rule holds from the start on."""
        from remanence.lifecycle.due import due_at
        from remanence.model.columns import columns_of

        plain = memory.but(expires_at=None, last_accessed_at=memory.created_at)
        due = int(due_at(columns_of([plain]), self.policy)[0])
        return NEVER if due == NEVER else due - created if due > created else None


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
