"""Frontier: what an order of leaving saves and loses when a store must fit a budget, from a gentle one to a harsh one.

Every seven days the store is cut to a share of the tokens that keeping everything would hold by then: who comes first
in the order leaves, and a use brings it back. A policy's order: what its rules remove by then, then by the number that
its size target names (or its rules compare); what it exempts never leaves, so a budget may not be reached. The bounds:
`oracle` knows the next use and lets go what saves most token-days before it, `random` leaves by lot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.replay import Asked, Outcome, Spells
from remanence.lifecycle.sizes import Size, surplus
from remanence.model.backtest import Point
from remanence.model.columns import Columns
from remanence.model.moment import MICROS_PER_DAY, NEVER
from remanence.model.policy import REMOVING, Policy, Target
from remanence.model.trace import Moments

Spots = NDArray[np.int64]
Order = Callable[[Spots, Columns, int], NDArray[np.intp]]
"""Of the spells that memories are in at a moment: who leaves first, as places among them."""


def point(budget: float, outcome: Outcome) -> Point:
    """What a budget came to."""
    return Point(budget=budget, saved=outcome.saved_share, lost=outcome.lost_share, lost_uses=len(outcome.lost))


def outcomes_of(
    spells: Spells, orders: Sequence[Order], budgets: Sequence[float], progress: Asked | None = None
) -> list[list[Outcome]]:
    """For each order what would have left under each budget."""
    steps = np.array([*spells.steps(), NEVER], dtype=np.int64)
    stays = len(steps) - 1
    gone = np.full((len(orders), len(budgets), len(spells)), stays, dtype=np.int16)
    for step, moment in enumerate(steps[:-1].tolist()):
        current = spells.current(moment)
        columns, tokens = spells.columns(current), spells.tokens[current]
        total = int(tokens.sum())
        for order, by_budget in zip(orders, gone, strict=True):
            first_to_leave = order(current, columns, moment)
            for budget, left in zip(budgets, by_budget, strict=True):
                here = left[current] == stays
                excess = int(tokens[here].sum()) - budget * total
                if excess > 0:
                    queue = first_to_leave[here[first_to_leave]]
                    needed = int(np.searchsorted(np.cumsum(tokens[queue]), excess, side="left")) + 1
                    left[current[queue[:needed]]] = step
        if progress is not None:
            progress(step + 1, stays)
    return [[Outcome(spells, left, steps) for left in by_budget] for by_budget in gone]


def own_order(policy: Policy, gone_at: Moments) -> Order:
    """What the policy's rules remove by then first, then the lowest; `gone_at` is when rules remove each spell."""
    lowest = next((t.lowest for t in policy.targets if t.action in REMOVING and t.kind is None), policy.value)
    target = Target(name="budget", action="archive", tokens=0.0, lowest=lowest)

    def order(current: Spots, columns: Columns, moment: int) -> NDArray[np.intp]:
        everything = Size(target, None, int(columns.tokens.sum()) + 1, 0.0)
        queue = surplus(everything, columns, policy, moment).rows
        by_rule = gone_at[current[queue]] <= moment
        return np.append(queue[by_rule], queue[~by_rule])

    return order


def oracle_order(spells: Spells) -> Order:
    """Never used again first, then by the token-days that are saved before the next use."""
    next_use = np.where(spells.used, spells.ends_at, NEVER)

    def order(current: Spots, columns: Columns, moment: int) -> NDArray[np.intp]:
        days = (next_use[current] - moment) / MICROS_PER_DAY
        saved = np.where(spells.used[current], days * columns.tokens, np.inf)
        return np.argsort(-saved, kind="stable")

    return order


def random_order(lots: NDArray[np.float64]) -> Order:
    """By lot: one number for each spell."""
    return lambda current, columns, moment: np.argsort(lots[current], kind="stable")


def lost_at(points: Sequence[Point], saved: float) -> float:
    """The share lost at a share saved, on straight lines between the points, from nothing saved and nothing lost."""
    known = sorted((point.saved, point.lost) for point in points)
    return float(np.interp(saved, [0.0, *(one for one, _ in known)], [0.0, *(other for _, other in known)]))


def mean_lost(points: Sequence[Point], upto: float, parts: int = 50) -> float:
    """The share lost on average over all savings up to one that every order reaches: what orders are compared by."""
    return float(np.mean([lost_at(points, saved) for saved in np.linspace(0.0, upto, parts + 1)[1:]]))


def difference_error(
    one: Sequence[Outcome], other: Sequence[Outcome], points: Sequence[Sequence[Point]], upto: float
) -> float:
    """The standard error of the difference of two means of `mean_lost`, from how unequally memories carry the losses.

    Uses of one memory are not independent of each other, memories are taken to be.
    """
    spells = one[0].spells
    carried = np.zeros(len(spells.trace))
    for sign, outcomes, mine in ((1.0, one, points[0]), (-1.0, other, points[1])):
        for place, outcome in enumerate(outcomes):
            alone = [replace(point, lost=float(number == place)) for number, point in enumerate(mine)]
            lost = np.bincount(spells.row[outcome.lost], minlength=len(carried))
            carried += sign * mean_lost(alone, upto) * lost / max(spells.uses, 1)
    return float(np.sqrt(len(carried) * np.var(carried, ddof=1)))
