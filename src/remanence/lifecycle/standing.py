"""How the memories that a recall ranks stand, computed one by one in plain numbers.

It says what `ranking.standing` says of columns, by the same formulas: for some twenty memories arrays cost several
times what they hold. Where there are more, or where a policy has numbers of its own by scope or kind, columns are made.
Half a half-life after its birth a memory that was never recalled has retention 0.5^0.5 under `halflife`, either way.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from operator import mul

from remanence.lifecycle import retention as retention_
from remanence.lifecycle import worth as worth_
from remanence.lifecycle.measures import Measures, exempt_place
from remanence.lifecycle.ranking import RETENTION_REACH, TRUST_REACH, WORTH_REACH, standing
from remanence.lifecycle.regret import slowings
from remanence.model.columns import LAYERS, SOURCES, columns_of, micros_of
from remanence.model.memory import Memory
from remanence.model.moment import LAST_MOMENT, MICROS_PER_DAY, to_micros
from remanence.model.policy import Policy

MOST = 48
_SHORTEST_DAYS = 1e-9
_SMALLEST_EXPONENT = 1e-3
_FULL_FREQUENCY = math.log1p(worth_.FULL_FREQUENCY)
_FULL_CONFIRMATIONS = math.log1p(worth_.FULL_CONFIRMATIONS)
_KEPT = "standing"
_REMEMBERED = 4096
_MINUTE = 60_000_000
Curve = Callable[[float, float], float]
"""What is left after so many days; the second number is the stability, for the curve that has one."""


def stand(memories: Sequence[Memory], policy: Policy, at: int) -> tuple[list[float], list[dict[str, float]]]:
    """What multiplies the rank of each, and of what that is made: retention, worth and trust."""
    if len(memories) <= MOST and not policy.overrides:
        if _KEPT not in policy.tables:
            policy.tables[_KEPT] = _Plain(policy)
        plain: _Plain = policy.tables[_KEPT]
        try:
            values = [plain.of(memory, at) for memory in memories]
        except OverflowError:  # where an array would have infinity
            pass
        else:
            return [_factor(*each) for each in values], [
                {"retention": retention, "worth": worth, "trust": trust} for retention, worth, trust in values
            ]
    columns, factors = standing(Measures(columns_of(memories, counted=False), policy), at)
    by_name = [column.tolist() for column in columns.values()]
    return factors.tolist(), [dict(zip(columns, some, strict=True)) for some in zip(*by_name, strict=True)]


def _factor(retention: float, worth: float, trust: float) -> float:
    return (
        (1.0 - RETENTION_REACH * (1.0 - retention))
        * (1.0 + WORTH_REACH * (2.0 * worth - 1.0))
        * (1.0 - TRUST_REACH * (1.0 - trust))
    )


class _Plain:
    """The numbers and tables of one policy, and what they make of a memory."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        measures = Measures(columns_of(()), policy)
        self._pace = dict(zip(LAYERS, measures.layer_paces().tolist(), strict=True))
        self._half_life = dict(zip(SOURCES, measures.source_half_lives().tolist(), strict=True))
        self._trust = dict(zip(SOURCES, worth_.SOURCE_TRUST.tolist(), strict=True))
        self._slowing = slowings(policy.lived, policy.number("regret_gain", 0.0))
        self._layer_weight = {layer: worth_.LAYER_WEIGHTS[layer] for layer in LAYERS}
        self._weights = [float((policy.weights or worth_.WEIGHTS).get(name, 0.0)) for name in worth_.WEIGHTS]
        self._whole_weight = sum(self._weights)
        self._curve = _curve(policy)
        self._grows = policy.curve == "power"
        if self._grows:
            self._base = policy.number("stability_days")
            self._gain = policy.number("stability_gain", retention_.STABILITY_GAIN)
            self._spacing = max(policy.number("spacing_days", retention_.SPACING_DAYS), _SHORTEST_DAYS)
            self._feedback = policy.number("feedback_exponent", retention_.FEEDBACK_EXPONENT)
        self._clock = measures.clock
        self._days = [] if measures.clock is None else measures.clock.days.tolist()
        self._opens_at = 0 if measures.clock is None else measures.clock.opens_at

    def of(self, memory: Memory, at: int) -> tuple[float, float, float]:
        """Its retention, its worth and how far it is believed."""
        policy = self._policy
        created, accessed = to_micros(memory.created_at), to_micros(memory.last_accessed_at)
        recent = micros_of(memory.recent_accesses) if memory.recent_accesses else ()
        recency = retention = 1.0
        exempt = memory.exempt or memory.layer in policy.exempt_layers
        if not (exempt or exempt_place(policy, memory.scope, memory.kind)):
            stability = self._stability(memory, created, accessed, recent) if self._grows else 0.0
            recency = retention = self._left(memory, accessed, at, stability, by_trust=True)
            if policy.clock == "created" or not policy.trust_weighted:
                anchor = created if policy.clock == "created" else accessed
                retention = self._left(memory, anchor, at, stability, by_trust=policy.trust_weighted)
        if policy.reinforced:
            rate, most = policy.number("reinforcement_rate"), policy.number("reinforcement_most")
            more = min(most, rate * math.log1p(max(memory.access_count, 0)))
            retention = min(1.0, retention + _share(more))
        trust = min(self._trust[memory.source], memory.trust_limit)
        return retention, self._worth(memory, created, recent, recency, trust, at), trust

    def _left(self, memory: Memory, anchor: int, at: int, stability: float, *, by_trust: bool) -> float:
        if self._clock is None:
            days = _days(anchor, at)
        else:
            days = _days(self._active(min(anchor, LAST_MOMENT)), self._active(at))
        if by_trust:
            days /= self._half_life[memory.source]
        if self._slowing:
            days /= self._slowing.get(memory.kind, 1.0)
        return _share(self._curve(days * self._pace[memory.layer], stability))

    def _active(self, moment: int) -> int:
        """The active time before a moment, as the policy's clock has it."""
        number = len(self._days)
        if moment >= self._opens_at:
            return number * MICROS_PER_DAY + (moment - self._opens_at)
        day = moment // MICROS_PER_DAY
        before = bisect_left(self._days, day)
        active = before < number and self._days[before] == day
        return before * MICROS_PER_DAY + (moment - day * MICROS_PER_DAY if active else 0)

    def _stability(self, memory: Memory, created: int, accessed: int, recent: tuple[int, ...]) -> float:
        """`retention.stability_days` of one memory."""
        spaced = _spaced_recalls(max(memory.access_count, 0), created, accessed, recent, self._spacing)
        told = math.log1p(max(memory.uses, 0)) - math.log1p(max(memory.rejections, 0))
        return self._base * (1.0 + self._gain * spaced) * math.exp(self._feedback * told)

    def _worth(
        self, memory: Memory, created: int, recent: tuple[int, ...], recency: float, trust: float, at: int
    ) -> float:
        """`worth.worth` of one memory: its nine factors in the order of their weights."""
        summed = sum([math.sqrt(MICROS_PER_DAY / max(at - moment, _MINUTE)) for moment in (created, *recent)])
        factors = (
            _share(memory.importance),
            _share(math.log1p(max(memory.access_count, 0)) / _FULL_FREQUENCY),
            _share(recency),
            _share(abs(memory.valence)),
            _regularity(recent) if memory.access_count >= worth_.LEAST_ACCESSES else 0.5,
            self._layer_weight[memory.layer],
            trust,
            _share(math.log1p(max(memory.confirmations, 0)) / _FULL_CONFIRMATIONS),
            _share(summed / (1.0 + summed)),
        )
        weighed = sum(map(mul, self._weights, factors))
        return _share(weighed / self._whole_weight) if self._whole_weight > 0.0 else 0.0


def _days(since: int, until: int) -> float:
    return (until - since) / MICROS_PER_DAY if until > since else 0.0


def _share(value: float) -> float:
    return 0.0 if value < 0.0 else 1.0 if value > 1.0 else value


# What hangs on the recalls alone is the same at every look.
@lru_cache(maxsize=_REMEMBERED)
def _spaced_recalls(count: int, created: int, accessed: int, recent: tuple[int, ...], spacing: float) -> float:
    """`retention.spaced_recalls` of one memory."""
    if not recent:
        return min(float(count), _days(created, accessed) / spacing)
    time = max(recent[0], created)
    spaced = min(max(count - len(recent), 0) + 1.0, _days(created, time) / spacing)
    for moment in recent[1:]:
        if moment > time:
            spaced += min(1.0, _days(time, moment) / spacing)
            time = moment
    return spaced


@lru_cache(maxsize=_REMEMBERED)
def _regularity(recent: tuple[int, ...]) -> float:
    """`worth.stability` of one memory."""
    if len(recent) < worth_.LEAST_ACCESSES:
        return 0.5
    gaps = [_days(one, other) for one, other in pairwise(recent)]
    mean = sum(gaps) / len(gaps)
    together = math.sqrt(sum([(gap - mean) ** 2 for gap in gaps]) / len(gaps)) + mean
    return _share(mean / together) if together > 0.0 else 0.5


def _curve(policy: Policy) -> Curve:
    """The formula of `retention.CURVES` that the policy names, with its numbers."""
    if policy.curve == "power":
        bend = max(policy.number("decay_exponent"), _SMALLEST_EXPONENT)
        return partial(_power, bend, math.expm1(-math.log(0.9) / bend))
    if policy.curve == "exponential":
        return partial(_exponential, policy.number("lambda"))
    span = max(policy.number("tau_days" if policy.curve == "hyperbolic" else "half_life_days"), _SHORTEST_DAYS)
    if policy.curve == "hyperbolic":
        return partial(_hyperbolic, span)
    if policy.curve == "huber":
        return partial(_huber, span, policy.number("delta"))
    if policy.curve == "elastic":
        return partial(_elastic, span, policy.number("rho"))
    return partial(_halflife, span)


def _power(bend: float, factor: float, days: float, stability: float) -> float:
    return math.exp(-bend * math.log1p(factor * days / max(stability, _SHORTEST_DAYS)))


def _exponential(rate: float, days: float, _: float) -> float:
    return math.exp(-days * rate)


def _hyperbolic(span: float, days: float, _: float) -> float:
    return 1.0 / (1.0 + days / span)


def _huber(span: float, knee: float, days: float, _: float) -> float:
    curve: float = 2.0 ** -min(days / span, knee)
    return curve * (1.0 - math.log(2.0) * max(days / span - knee, 0.0))


def _elastic(span: float, linear: float, days: float, _: float) -> float:
    return linear * max(1.0 - days / span / 2.0, 0.0) + (1.0 - linear) * _halflife(span, days, _)


def _halflife(span: float, days: float, _: float) -> float:
    left: float = 2.0 ** -(days / span)
    return left
