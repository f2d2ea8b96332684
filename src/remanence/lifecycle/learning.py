"""Learning: the numbers of the curve `power` that best tell which idle memories of a trace were used again.

The told chance is reach · retention: reach is the chance of what was used or written just now, retention how it falls.
What is learned are factors on the policy's own numbers: for all memories, then for each kind on top of that. Each is
held near 1 by a prior (a normal one of its logarithm), so that little data moves it little, and ever more data moves it
where it belongs. Found by damped Fisher scoring, without randomness. A proposal slows or hastens all memories at most
tenfold: ranks and the precision of vectors hang on retention as well. A policy that was learned itself is compared with
what is learned now, but is not where learning begins: the same past would count again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from remanence.lifecycle import retention
from remanence.lifecycle.idleness import DEFAULTS, HORIZON_DAYS, NAMES, Floats, Idle, Mask
from remanence.lifecycle.measures import overridden
from remanence.model.learned import Learned, LearnedKind, LearnedNumber
from remanence.model.moment import MICROS_PER_DAY
from remanence.model.policy import Policy

LEAST_OF_KIND = 10
"""A kind with fewer memories of known outcome keeps the numbers of all."""

_RANGES = ((1e-3, 36_500.0), (0.0, 1000.0), (0.0, 10.0), (0.01, 1.0))
_OF_KINDS = 2  # the first two numbers are learned for each kind, the others once for all
_PRIOR_SPREAD = np.array([2.0, 1.0, 0.5, 0.7, 2.0])
"""Standard deviations of the logarithms of the factors, and of the log-odds of `reach`: 2 is a factor of 7.4."""
_KIND_SPREAD = np.array([1.5, 0.5])
_FURTHEST = np.log(10.0)
_NO_CHANGE = 0.01
_LEARNED_FROM = 2 / 3
_MARGIN = 1e-4
_STEP = 1e-4
_ROUNDS = 3
_MOST_STEPS = 60
_DAMPINGS = 12


def chance(seen: Idle, factors: Floats, odds: float) -> Floats:
    """reach · retention under the policy's numbers times e^factors; `odds` are the log-odds of `reach`."""
    low, high = np.array(_RANGES).T[:, :, None]
    base, gain, feedback, exponent = np.clip(seen.numbers * np.exp(factors)[:, None], low, high)
    stability = base * (1.0 + gain * seen.spaced) * np.exp(feedback * seen.told)
    return retention.floats(retention.power(seen.days, stability, exponent) / (1.0 + np.exp(-odds)))


def log_loss(told: Floats, seen: Idle) -> float:
    """The mean log-loss, by weight: a chance of 0.5 for everything → 0.6931."""
    held = np.clip(told, _MARGIN, 1.0 - _MARGIN)
    return float(-(seen.weight * np.log(np.where(seen.used, held, 1.0 - held))).sum() / max(seen.weight.sum(), _MARGIN))


def _fitted(tell: Callable[[Floats], Floats], seen: Idle, spread: Floats, start: Floats) -> tuple[Floats, Floats]:
    """What makes the outcomes likeliest under a normal prior about 0, and its standard errors."""

    def cost(at: Floats) -> float:
        prior = float(((at / spread) ** 2).sum()) / 2.0
        return log_loss(tell(at), seen) * float(seen.weight.sum()) + prior

    at, least, damping = start, cost(start), 1e-3
    for _ in range(_MOST_STEPS):
        slope, bend = _slope_and_bend(tell, at, seen, spread)
        before = least
        for _ in range(_DAMPINGS):
            tried = at - np.linalg.solve(bend + damping * np.diag(np.diag(bend)), slope)
            if (found := cost(tried)) < least:
                at, least, damping = tried, found, damping / 4.0
                break
            damping *= 4.0
        if before - least < 1e-7 * (1.0 + abs(least)):
            break
    _, bend = _slope_and_bend(tell, at, seen, spread)
    return at, np.sqrt(np.diag(np.linalg.inv(bend)))


def _slope_and_bend(tell: Callable[[Floats], Floats], at: Floats, seen: Idle, spread: Floats) -> tuple[Floats, Floats]:
    """Gradient of the cost and its expected curvature (Fisher's information and the prior's)."""
    told = np.clip(tell(at), _MARGIN, 1.0 - _MARGIN)
    moved = np.stack([(tell(at + step) - tell(at - step)) / (2.0 * _STEP) for step in np.eye(len(at)) * _STEP])
    scale = seen.weight / (told * (1.0 - told))
    slope = -(moved * (scale * (seen.used - told))).sum(axis=1) + at / spread**2
    bend = (moved * scale) @ moved.T + np.diag(spread**-2.0)
    return slope, bend


@dataclass(frozen=True)
class Fit:
    """Logarithms of factors: those of all memories with their standard errors, and those of kinds on top of them."""

    factors: Floats
    errors: Floats
    odds: float
    kinds: dict[str, tuple[Floats, Floats]]

    def chances(self, seen: Idle) -> Floats:
        """The chance of each to be used again."""
        told = chance(seen, self.factors, self.odds)
        for number, kind in enumerate(seen.kinds):
            if kind in self.kinds:
                mine = seen.kind == number
                told[mine] = chance(seen.of(mine), self.of(kind), self.odds)
        return told

    def of(self, kind: str) -> Floats:
        return self.factors + np.pad(self.kinds[kind][0], (0, len(NAMES) - _OF_KINDS))


def fit(seen: Idle) -> Fit:
    """The likeliest factors: of all memories, of each kind that has enough of them, and again in the light of these.

    Kinds that differ would otherwise look like one curve with a long tail.
    """
    size = len(NAMES)
    start, kinds = np.append(np.zeros(size), unlearned(seen).odds), dict[str, tuple[Floats, Floats]]()
    enough = {kind: seen.kind == number for number, kind in enumerate(seen.kinds)}
    enough = {kind: mine for kind, mine in enough.items() if seen.of(mine).memories >= LEAST_OF_KIND}
    for _ in range(_ROUNDS):
        told_apart = _told_apart(seen, enough, kinds)
        start, errors = _fitted(_of_all(told_apart), told_apart, _PRIOR_SPREAD, start)
        factors, odds = start[:size], float(start[size])
        for kind, mine in enough.items():
            part = seen.of(mine)
            kinds[kind] = _fitted(_of_kind(part, factors, odds), part, _KIND_SPREAD, np.zeros(_OF_KINDS))
    return Fit(factors, errors, odds, kinds)


def _told_apart(seen: Idle, of: Mapping[str, Mask], kinds: Mapping[str, tuple[Floats, Floats]]) -> Idle:
    """The same with the numbers of kinds where they are known."""
    numbers = seen.numbers.copy()
    for kind, (own, _) in kinds.items():
        numbers[:_OF_KINDS, of[kind]] *= np.exp(own)[:, None]
    return replace(seen, numbers=numbers)


def _of_all(seen: Idle) -> Callable[[Floats], Floats]:
    return lambda at: chance(seen, at[:-1], float(at[-1]))


def _of_kind(mine: Idle, factors: Floats, odds: float) -> Callable[[Floats], Floats]:
    return lambda at: chance(mine, factors + np.pad(at, (0, len(factors) - len(at))), odds)


def unlearned(seen: Idle) -> Fit:
    """The policy's own numbers, with the reach that suits them best."""
    none = np.zeros(len(NAMES))
    odds, _ = _fitted(lambda at: chance(seen, none, at[0]), seen, _PRIOR_SPREAD[len(NAMES) :], np.zeros(1))
    return Fit(none, none, float(odds[0]), {})


def held_out(seen: Idle, in_force: Idle | None = None) -> tuple[float, float] | None:
    """Log-loss on the last third of the past: by the numbers in force, and by what was known when it began.

    `in_force` is the same past under the policy in force, where learning begins with another one.
    """
    if not len(seen):
        return None
    cut = int(np.quantile(seen.at, _LEARNED_FROM))
    parts = (seen.at + HORIZON_DAYS * MICROS_PER_DAY <= cut, seen.at > cut)
    early, late = (seen.of(part) for part in parts)
    if min(early.used_again, late.used_again) < LEAST_OF_KIND:
        return None
    was_early, was_late = (early, late) if in_force is None else (in_force.of(part) for part in parts)
    before, after = unlearned(was_early), fit(early)
    return log_loss(before.chances(was_late), was_late), log_loss(after.chances(late), late)


def learned(seen: Idle, policy: Policy, in_force: Idle | None = None) -> Learned:
    """The numbers of all memories, and those of each kind that has enough of them; few data move them little.

    The policy is where learning begins; `in_force` is the same past under the one in force, where that is another one.
    """
    found, was = fit(seen), seen if in_force is None else in_force
    before = [policy.number(name, default) for name, default in zip(NAMES, DEFAULTS, strict=True)]
    kinds = []
    for kind, (_, errors) in found.kinds.items():
        mine = seen.of(seen.kind == seen.kinds.index(kind))
        given = [overridden(policy, "/", kind, name, DEFAULTS[place]) for place, name in enumerate(NAMES[:_OF_KINDS])]
        kinds.append(_told(kind, mine, given, found.of(kind), errors, _KIND_SPREAD, found))
    return Learned(
        every=_told(None, seen, before, found.factors, found.errors, _PRIOR_SPREAD, found),
        kinds=tuple(kinds),
        reach=float(1.0 / (1.0 + np.exp(-found.odds))),
        log_loss_before=log_loss(unlearned(was).chances(was), was),
        log_loss_after=log_loss(found.chances(seen), seen),
        held_out=held_out(seen, in_force),
    )


def _told(
    kind: str | None, seen: Idle, before: list[float], factors: Floats, errors: Floats, spread: Floats, found: Fit
) -> LearnedKind:
    too_far = float(found.factors[0] - np.clip(found.factors[0], -_FURTHEST, _FURTHEST))
    numbers = []
    for place, (name, given) in enumerate(zip(NAMES, before, strict=False)):
        held_back = too_far if name == "stability_days" else 0.0
        fitted = _within(place, given, float(factors[place]))
        numbers.append(
            LearnedNumber(
                name=name,
                before=given,
                fitted=fitted,
                after=_within(place, given, float(factors[place] - held_back)),
                standard_error=fitted * float(errors[place]),
                confidence=float(np.clip(1.0 - (errors[place] / spread[place]) ** 2, 0.0, 1.0)),
            )
        )
    return LearnedKind(
        kind=kind, memories=seen.memories, used_again=seen.used_again, events=seen.events, numbers=tuple(numbers)
    )


def _within(place: int, given: float, factor: float) -> float:
    """A number times e^factor, within its range, to two digits (no past teaches more); as it is where that is 1."""
    low, high = _RANGES[place]
    return given if abs(factor) < _NO_CHANGE else float(f"{min(max(given * np.exp(factor), low), high):.2g}")
