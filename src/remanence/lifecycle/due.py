"""Due dates: the next instant at which any rule of a policy could act on a memory, given no more accesses.

For each rule the moment is bounded from below: ages and times in closed form, what falls (retention, score, worth, …)
by bisection on the policy's own measures, so that there is one truth about every curve. A date may be early, by a
thousandth of the span, never late: the sweep that reads the row re-checks it and dates it anew.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.forgetting import (
    bound_of,
    compared,
    decide,
    eligible,
    rules_of,
    steady,
    window_end,
)
from remanence.lifecycle.measures import Measures
from remanence.model.columns import Columns
from remanence.model.moment import LAST_MOMENT, NEVER
from remanence.model.policy import FALLING, OFFERING, REMOVING, RISING, Condition, Flag, Policy, Rule

Moments = NDArray[np.int64]
_SECOND = 1_000_000
_CLOSE_ENOUGH = 1.001
_MOST_ROUNDS = 24
AT_ONCE = 0


def due_at(columns: Columns, policy: Policy, after: int | None = None) -> Moments:
    """A lower bound of the first moment since the last access at which a rule holds; NEVER where none ever will.

    Offers whose window closed before `after` are over.
    """
    due = np.full(len(columns), NEVER, dtype=np.int64)
    measures = Measures(columns, policy, ahead=True)
    for rule in rules_of(policy):
        candidates = np.flatnonzero(eligible(rule, measures) & steady(rule, measures))
        if len(candidates):
            whole = len(candidates) == len(columns)
            part = measures if whole else measures.part(candidates)
            due[candidates] = np.minimum(due[candidates], _first_hold(rule, part, after))
    return due


def _first_hold(rule: Rule, measures: Measures, after: int | None) -> Moments:
    """For rows that meet a rule's steady conditions: a lower bound of the first moment at which it holds."""
    columns = measures.columns
    begun = np.maximum(columns.created_at, columns.last_accessed_at)
    # A clock may stand before a memory's birth: what asks for no time holds then, too.
    start = np.full(len(columns), AT_ONCE, dtype=np.int64)
    if rule.action in REMOVING:
        start = np.maximum(start, np.where(columns.kept_until == NEVER, AT_ONCE, columns.kept_until))
    for condition in rule.when:
        if isinstance(condition, Condition) and condition.measure in RISING and condition.sign[0] == ">":
            bound = bound_of(condition, measures)
            from_birth = np.greater_equal(0.0, bound) if condition.sign == ">=" else np.greater(0.0, bound)
            start = np.maximum(start, np.where(from_birth, AT_ONCE, measures.first_at(condition.measure, bound)))
        elif isinstance(condition, Flag):
            start = np.maximum(start, _flag_start(condition, measures))
    end = window_end(rule, measures)
    if rule.action in OFFERING and after is not None:
        end = np.where(end < after, start - 1, end)
    else:
        # A window that closed before the last access is over; kept_until only delays what already held.
        end = np.where((end != NEVER) & (end >= begun), np.maximum(end, start), end)
    open_ = (start <= end) & (start != NEVER)
    falling = [c for c in rule.when if isinstance(c, Condition) and c.measure in FALLING]
    if falling and open_.any():
        rows = np.flatnonzero(open_)
        part = measures if len(rows) == len(columns) else measures.part(rows)
        low, high = start[rows], np.minimum(end[rows], LAST_MOMENT)
        fallen = _fallen(falling, part, np.minimum(np.maximum(low, begun[rows]), high), high)
        start[rows] = np.where(fallen == AT_ONCE, low, fallen)
    return np.where(open_, start, NEVER)


def _flag_start(flag: Flag, measures: Measures) -> Moments:
    expires_at, ends = measures.columns.expires_at, measures.ttl_ends()
    if flag.name == "expired":
        return expires_at
    if flag.name == "ttl_passed":
        return ends
    low = np.iinfo(np.int64).min
    return np.maximum(np.where(expires_at == NEVER, low, expires_at), np.where(ends == NEVER, low, ends))


def _fallen(falling: Sequence[Condition], measures: Measures, start: Moments, end: Moments) -> Moments:
    """The first moment from `start` to `end` at which every falling measure is below its bound; NEVER without one.

    AT_ONCE where they are so from the start on, which is when they begin to fall.
    """

    def fallen(at: Moments) -> NDArray[np.bool_]:
        mask = compared(falling[0], measures, at)
        for condition in falling[1:]:
            mask &= compared(condition, measures, at)
        return mask

    at_once = fallen(start)
    ever = fallen(end)
    low = np.zeros(len(start), dtype=np.float64)
    high = (end - start).astype(np.float64)
    for _ in range(_MOST_ROUNDS):
        if not (high > np.maximum(low, _SECOND) * _CLOSE_ENOUGH).any():
            break
        middle = np.sqrt(np.maximum(low, _SECOND) * high)
        middle = np.where(middle < high, middle, high)
        met = fallen(start + middle.astype(np.int64))
        high, low = np.where(met, middle, high), np.where(met, low, middle)
    found = start + np.maximum(low - _SECOND, 0).astype(np.int64)
    return np.where(at_once, AT_ONCE, np.where(ever, found, NEVER))


def first_below(measure: str, level: float, measures: Measures, at: int) -> Moments:
    """A lower bound of the first moment after now at which a falling measure is at a level or below; or NEVER."""
    start = np.full(len(measures.columns), at, dtype=np.int64)
    end = np.full(len(measures.columns), LAST_MOMENT, dtype=np.int64)
    found = _fallen([Condition(measure, "<=", level)], measures, start, end)
    return np.maximum(found, start + 1)


def next_hold(columns: Columns, policy: Policy, now: int) -> int | None:
    """For one row: the exact moment from now on at which a rule next acts, to the microsecond; None if none will."""
    bound = int(due_at(columns, policy, now)[0])
    if bound == NEVER:
        return None

    def acts(at: int) -> bool:
        return bool(decide(columns, policy, at).touched[0])

    low, high = max(bound, now) - 1, max(bound, now)
    step = _SECOND
    while not acts(high):
        if high >= LAST_MOMENT:
            return None
        low, high, step = high, min(high + step, LAST_MOMENT), step * 4
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if acts(middle) else (middle, high)
    return high
