"""Forgetting: which rule of a policy acts on which memory at a moment.

Rules are asked in order and the first that holds gives the reason. A rule holds from some moment on for as long as
nobody recalls the memory: where it asks for an age of at most so many days, it is asked at the end of that window, so
that a sweep a month late decides as daily sweeps would have. Where rules with different actions hold, the one that
held first acts. What moves a memory to another layer comes first, and the rules are asked again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.measures import Measures
from remanence.lifecycle.promotion import LADDER
from remanence.model.columns import LAYERS, SOURCES, STATES, Columns
from remanence.model.moment import NEVER
from remanence.model.policy import (
    MOVING,
    OFFERING,
    REMOVING,
    RISING,
    STEADY,
    Condition,
    Flag,
    Membership,
    Policy,
    Rule,
)
from remanence.model.scope import holds as scope_holds

Mask = NDArray[np.bool_]
Moments = NDArray[np.int64]
NO_RULE = -1
EXPIRED = Rule(name="expired", action="archive", when=(Flag("expired", True),), why="the time it was given has passed")
_STEPS = {"promote": 1, "demote": -1}


@dataclass(frozen=True, slots=True)
class Move:
    """Rows that a rule moves to another layer, with the layers before and after as numbers."""

    rule: int
    rows: NDArray[np.intp]
    before: NDArray[np.int8]
    after: NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Decisions:
    """What becomes of each row: the number of the rule that removes it, or offers it, or NO_RULE; and who moves."""

    removed: NDArray[np.int16]
    offered: NDArray[np.int16]
    moves: tuple[Move, ...]

    @property
    def touched(self) -> Mask:
        """Rows on which any rule acts."""
        touched: Mask = (self.removed != NO_RULE) | (self.offered != NO_RULE)
        for move in self.moves:
            touched[move.rows] = True
        return touched


def rules_of(policy: Policy) -> tuple[Rule, ...]:
    """The rules in the order in which they are asked; an own expiry comes first under every policy."""
    return (EXPIRED, *policy.rules)


def decide(columns: Columns, policy: Policy, now: int | Moments) -> Decisions:
    """What the policy's rules do to each row at this moment, or at a moment of its own (microseconds)."""
    size = len(columns)
    at = np.array(np.broadcast_to(np.asarray(now, dtype=np.int64), (size,)))
    moves: list[Move] = []
    used: list[Mask] = []
    rules = rules_of(policy)
    movers = [(number, rule) for number, rule in enumerate(rules) if rule.action in MOVING]
    while True:
        measures = Measures(columns, policy)
        step = _next_move(movers, used, measures, at)
        if step is None:
            break
        moves.append(step)
        layer = columns.layer.copy()
        layer[step.rows] = step.after
        columns = replace(columns, layer=layer)
    removed = np.full(size, NO_RULE, dtype=np.int16)
    offered = np.full(size, NO_RULE, dtype=np.int16)
    contested = np.zeros(size, dtype=bool)
    actions = [rule.action for rule in rules]
    for number, rule in enumerate(rules):
        if rule.action in REMOVING:
            mask = holds(rule, measures, at)
            if not mask.any():
                continue
            other = np.array([action != rule.action for action in [*actions, rule.action]])[removed]
            contested |= mask & other
            removed[mask & (removed == NO_RULE)] = number
        elif rule.action in OFFERING:
            offered[(offered == NO_RULE) & holds(rule, measures, at)] = number
    if contested.any():
        removed[contested] = _first_to_hold(rules, columns.take(contested), policy, at[contested])
    offered[removed != NO_RULE] = NO_RULE
    return Decisions(removed, offered, tuple(moves))


def _next_move(movers: list[tuple[int, Rule]], used: list[Mask], measures: Measures, at: Moments) -> Move | None:
    """The next rule that moves rows it has not moved yet."""
    columns = measures.columns
    if not used:
        used += [np.zeros(len(columns), dtype=bool) for _ in movers]
    for place, (number, rule) in enumerate(movers):
        after = _LAYER_AFTER[_STEPS[rule.action]][columns.layer]
        rows = np.flatnonzero(holds(rule, measures, at) & (after >= 0) & ~used[place])
        if len(rows):
            used[place][rows] = True
            return Move(number, rows, columns.layer[rows].copy(), after[rows])
    return None


def _layer_after(by: int) -> NDArray[np.int8]:
    """For each layer's number the number one step up or down the ladder, -1 where there is none."""
    after = np.full(len(LAYERS), -1, dtype=np.int8)
    for place, layer in enumerate(LADDER):
        if 0 <= place + by < len(LADDER):
            after[LAYERS.index(layer)] = LAYERS.index(LADDER[place + by])
    return after


_LAYER_AFTER = {1: _layer_after(1), -1: _layer_after(-1)}


def _first_to_hold(rules: tuple[Rule, ...], columns: Columns, policy: Policy, at: Moments) -> NDArray[np.int16]:
    """For rows on which rules with different actions hold: the rule that held first, in order where they tie."""
    measures = Measures(columns, policy)
    first = np.full(len(columns), NEVER, dtype=np.int64)
    chosen = np.full(len(columns), NO_RULE, dtype=np.int16)
    for number, rule in enumerate(rules):
        if rule.action in REMOVING:
            since = _held_since(rule, measures, at)
            earlier = since < first
            chosen[earlier], first[earlier] = number, since[earlier]
    return chosen


def _held_since(rule: Rule, measures: Measures, at: Moments) -> Moments:
    """The first moment since the last access at which the rule held, NEVER where it does not hold now."""
    low = np.minimum(measures.columns.last_accessed_at, at) - 1
    high = at.copy()
    held = holds(rule, measures, high)
    while (open_ := high - low > 1).any():
        middle = low + (high - low) // 2
        held_then = holds(rule, measures, middle)
        low, high = np.where(open_ & ~held_then, middle, low), np.where(open_ & held_then, middle, high)
    return np.where(held, high, NEVER)


def holds(rule: Rule, measures: Measures, at: Moments) -> Mask:
    """Whether a rule acts on each row at that row's moment."""
    mask = eligible(rule, measures) & steady(rule, measures)
    if rule.action in REMOVING:
        kept = measures.columns.kept_until
        mask &= (kept == NEVER) | (at >= kept)
    if not mask.any():
        return mask
    asked = at
    if rule.action not in OFFERING:
        ends = window_end(rule, measures)
        asked = np.minimum(at, ends)
        mask &= (asked == at) | (asked >= measures.columns.last_accessed_at)
    for condition in rule.when:
        if isinstance(condition, Condition) and condition.measure not in STEADY:
            mask &= compared(condition, measures, asked)
        elif isinstance(condition, Flag):
            mask &= _flag(condition, measures, asked)
    return mask


def eligible(rule: Rule, measures: Measures) -> Mask:
    """Rows a rule may be asked about at all."""
    columns = measures.columns
    mask: Mask = (columns.state == STATES.index(rule.state)) & ~columns.pinned
    if rule.action not in MOVING and rule is not EXPIRED:
        mask &= ~measures.exempt()
    return mask


def steady(rule: Rule, measures: Measures) -> Mask:
    """Conditions that time alone does not change: words, importance, counts."""
    mask = np.ones(len(measures.columns), dtype=bool)
    for condition in rule.when:
        if isinstance(condition, Membership):
            mask &= _member(condition, measures.columns)
        elif isinstance(condition, Condition) and condition.measure in STEADY:
            mask &= compared(condition, measures, 0)
    return mask


def compared(condition: Condition, measures: Measures, at: Moments | int) -> Mask:
    value = measures.ruled(condition.measure, at)
    bound = bound_of(condition, measures)
    found: Mask = _SIGNS[condition.sign](value, bound)
    return found


_SIGNS = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}


def bound_of(condition: Condition, measures: Measures) -> float | NDArray[np.float64]:
    """The number a condition compares with; minutes and hours as days."""
    bound: float | NDArray[np.float64] = measures.number(condition.bound)
    if isinstance(condition.bound, str) and condition.measure in RISING:
        if condition.bound.endswith("_minutes"):
            return bound / 1440
        if condition.bound.endswith("_hours"):
            return bound / 24
    return bound


def window_end(rule: Rule, measures: Measures) -> Moments:
    """The last moment at which a rule with an upper age can hold; NEVER for one without."""
    end = np.full(len(measures.columns), NEVER, dtype=np.int64)
    for condition in rule.when:
        if isinstance(condition, Condition) and condition.measure in RISING and condition.sign[0] == "<":
            end = np.minimum(end, _last_within(condition, measures))
    return end


def _last_within(condition: Condition, measures: Measures) -> Moments:
    """The last moment at which an age is below its bound, or at it.

    Looking ahead, one on the activity clock that has not passed may come later: nobody knows who comes on which day.
    """
    bound = bound_of(condition, measures)
    strict = condition.sign == "<"
    last: Moments
    if measures.clock is None or condition.measure != "idle_days":
        last = measures.first_at(condition.measure, bound)
        return np.where(strict & (last != NEVER), last - 1, last)
    beyond = measures.clock.first_at(measures.columns.last_accessed_at, bound, more_micros=0 if strict else 1)
    last = np.where(beyond == NEVER, NEVER, beyond - 1)
    return np.where(measures.ahead & (last >= measures.clock.opens_at), NEVER, last)


def _flag(flag: Flag, measures: Measures, at: Moments) -> Mask:
    expires_at = measures.columns.expires_at
    if flag.name == "expired":
        return np.not_equal(expires_at, NEVER) & np.greater(at, expires_at)
    ends = measures.ttl_ends()
    if flag.name == "ttl_passed":
        return np.not_equal(ends, NEVER) & np.greater(at, ends)
    runs = np.not_equal(expires_at, NEVER) & np.less_equal(at, expires_at)
    return ~(runs | (np.not_equal(ends, NEVER) & np.less_equal(at, ends)))


def _member(member: Membership, columns: Columns) -> Mask:
    if member.field in ("kind", "scope"):
        at_places = np.array(
            [
                kind in member.values if member.field == "kind" else any(scope_holds(s, scope) for s in member.values)
                for scope, kind in columns.places
            ],
            dtype=bool,
        )
        found = at_places[columns.place] if len(at_places) else np.zeros(len(columns), dtype=bool)
    else:
        words, numbers = _WORDS[member.field], getattr(columns, member.field)
        found = np.isin(numbers, [number for number, word in enumerate(words) if word in member.values])
    return ~found if member.negated else found


_WORDS: dict[str, tuple[str, ...]] = {"layer": LAYERS, "source": SOURCES, "state": STATES}
