"""Replay: when each memory of a trace would have left under a policy, and which later uses that would have cost.

A memory's life is cut into spells: from its birth, or from a use, to the next use. Within a spell nobody touches it, so
a spell can be judged alone, by the same rules that sweeps ask: it leaves at the first sweep at which `decide` removes
it. Where a use follows, that use is lost, and brings the memory back as recalled. Size targets look at many memories at
once: they are asked every seven days, after the rules. Times are microseconds, savings are in token-days: 100 tokens
that are out for 30 days save 3,000. Not replayed: how many a rule takes a run, and targets by category.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.forgetting import NO_RULE, decide
from remanence.lifecycle.sizes import Size, allowed, place_of, surplus
from remanence.model.columns import Columns
from remanence.model.moment import MICROS_PER_DAY, NEVER
from remanence.model.policy import REMOVING, Policy, Target
from remanence.model.trace import Moments, Rows, Trace

Mask = NDArray[np.bool_]
Asked = Callable[[int, int], None]
WEEK = 7 * MICROS_PER_DAY
MOST_STEPS = 1000
_AT_ONCE = 20_000


@dataclass(frozen=True)
class Spells:
    """The spells of every row, one after the other; those of row i begin at `first[i]`."""

    trace: Trace
    first: NDArray[np.int64]
    row: Rows
    number: NDArray[np.int64]
    begins_at: Moments
    ends_at: Moments
    used: Mask
    """Whether a use ends the spell."""
    asked_from: Moments
    """The first moment at which a sweep can have asked about it, knowing all that went before."""

    @classmethod
    def of(cls, trace: Trace) -> Spells:
        size = len(trace)
        counts = trace.number + 1
        first = np.append(0, np.cumsum(counts))[:-1]
        row = np.repeat(np.arange(size), counts)
        number = np.arange(len(row)) - first[row]
        last = number == trace.number[row]
        begins = trace.columns.created_at[row].copy()
        ends = np.minimum(trace.left_at, trace.ends)[row]
        begins[number > 0] = trace.moments
        ends[~last] = trace.moments
        known = np.maximum(trace.known_from, trace.begins)[row]
        return cls(trace, first, row, number, begins, np.maximum(ends, begins), ~last, np.maximum(begins, known))

    def __len__(self) -> int:
        return len(self.row)

    @cached_property
    def tokens(self) -> NDArray[np.int64]:
        return self.trace.columns.tokens[self.row]

    @cached_property
    def token_days(self) -> float:
        """What keeping everything costs, while a policy is asked."""
        days = np.maximum(self.ends_at - self.asked_from, 0) / MICROS_PER_DAY
        return float((self.tokens * days).sum())

    @cached_property
    def uses(self) -> int:
        """How many uses could be lost: those that a sweep can have come before."""
        return int((self.used & (self.ends_at > self.asked_from)).sum())

    def current(self, moment: int) -> NDArray[np.int64]:
        """The spells that memories are in at a moment, one for each that lives and is known well enough."""
        rows = self.trace.living(moment)
        spells: NDArray[np.int64] = self.first[rows] + self.trace.used_by(moment)[rows]
        return spells[self.asked_from[spells] <= moment]

    def columns(self, spells: NDArray[np.int64]) -> Columns:
        """The memories of some spells, as they are throughout them."""
        return self.trace.knowing(self.row[spells], self.number[spells])

    def steps(self) -> range:
        """Moments between the beginning of the trace and its end: seven days apart, or more in a past of many years."""
        begins, ends = self.trace.begins, self.trace.ends
        every = max(WEEK, -(-(ends - begins) // MOST_STEPS))
        return range(begins + every, ends, every)


@dataclass(frozen=True)
class Outcome:
    """What a policy would have saved and lost: when the memory of each spell leaves, NEVER if it stays.

    `left` are these moments, or, where `steps` are given, which of the steps it is: many outcomes then need less room.
    """

    spells: Spells
    left: NDArray[np.signedinteger[Any]]
    steps: Moments | None = None

    @property
    def gone_at(self) -> Moments:
        found: Moments = self.left if self.steps is None else self.steps[self.left]
        return found

    @cached_property
    def gone(self) -> Mask:
        return self.gone_at < self.spells.ends_at

    @cached_property
    def lost(self) -> NDArray[np.intp]:
        """The spells in which a memory left that was used afterwards."""
        return np.flatnonzero(self.gone & self.spells.used)

    @property
    def memories(self) -> int:
        """How many memories left at least once."""
        return len(np.unique(self.spells.row[self.gone]))

    @property
    def tokens(self) -> int:
        """The tokens of those that are out at the end."""
        return int(self.spells.tokens[self.gone & ~self.spells.used].sum())

    @cached_property
    def saved_token_days(self) -> float:
        days = self.spells.ends_at - np.minimum(self.gone_at, self.spells.ends_at)
        return float((self.spells.tokens * (days / MICROS_PER_DAY)).sum())

    @property
    def saved_share(self) -> float:
        """Of the token-days of keeping everything."""
        return self.saved_token_days / self.spells.token_days if self.spells.token_days else 0.0

    @property
    def lost_share(self) -> float:
        """Of all later uses."""
        return len(self.lost) / self.spells.uses if self.spells.uses else 0.0

    def by_kind(self) -> dict[str, tuple[int, int, int]]:
        """For each kind that has left: memories that left, tokens out at the end, uses lost."""
        places = self.spells.trace.columns.places
        names = sorted({kind for _, kind in places})
        of = np.array([names.index(kind) for _, kind in places], dtype=np.int64)
        kinds = of[self.spells.trace.columns.place] if len(of) else np.zeros(0, dtype=np.int64)

        def counted(spells: NDArray[np.intp], weights: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
            found = np.bincount(kinds[self.spells.row[spells]], weights, minlength=len(names))
            return found.astype(np.float64)

        once = np.flatnonzero(self.gone)[np.unique(self.spells.row[self.gone], return_index=True)[1]]
        out = np.flatnonzero(self.gone & ~self.spells.used)
        columns = (counted(once), counted(out, self.spells.tokens[out]), counted(self.lost))
        return {
            name: (int(memories), int(tokens), int(uses))
            for name, memories, tokens, uses in zip(names, *columns, strict=True)
            if memories
        }


def replay(trace: Trace, policy: Policy, every_days: float = 1.0, *, progress: Asked | None = None) -> Outcome:
    """What would have left under the policy, had a sweep run every so many days from the beginning of the trace."""
    spells = Spells.of(trace)
    gone_at = by_rules(spells, policy, round(every_days * MICROS_PER_DAY), progress)
    return Outcome(spells, by_targets(spells, policy, gone_at))


def by_rules(spells: Spells, policy: Policy, every: int = MICROS_PER_DAY, progress: Asked | None = None) -> Moments:
    """The first sweep of each spell at which a rule removes the memory, NEVER where none does."""
    gone_at = np.full(len(spells), NEVER, dtype=np.int64)
    if not policy.enabled:
        return gone_at
    begins = spells.trace.begins
    first = -((begins - spells.asked_from) // every)
    last = -((begins - spells.ends_at) // every) - 1
    asked = np.flatnonzero(first <= last)
    for start in range(0, len(asked), _AT_ONCE):
        some = asked[start : start + _AT_ONCE]
        columns = spells.columns(some)
        removed = decide(columns, policy, begins + last[some] * every).removed != NO_RULE
        leaving = some[removed]
        if len(leaving):
            at = _first_sweep(columns.take(removed), policy, begins, every, first[leaving], last[leaving])
            gone_at[leaving] = begins + at * every
        if progress is not None:
            progress(start + len(some), len(asked))
    return gone_at


def _first_sweep(
    columns: Columns, policy: Policy, begins: int, every: int, first: Moments, last: Moments
) -> NDArray[np.int64]:
    """The number of the first sweep that removes each row; its last one does."""
    low, high = first - 1, last.copy()
    while (open_ := high - low > 1).any():
        middle = (low + high) // 2
        gone = decide(columns, policy, begins + middle * every).removed != NO_RULE
        low, high = np.where(open_ & ~gone, middle, low), np.where(open_ & gone, middle, high)
    return high


def by_targets(spells: Spells, policy: Policy, gone_at: Moments) -> Moments:
    """The same after size targets, which are asked every week about what is left by then."""
    targets = [t for t in policy.bounded_targets() if t.action in REMOVING and t.category is None]
    if not targets or not policy.enabled:
        return gone_at
    gone_at = gone_at.copy()
    for moment in spells.steps():
        for target in targets:
            current = spells.current(moment)
            current = current[gone_at[current] > moment]
            current = current[_in_set(spells, policy, target, current, moment)]
            for scope, some in _sets(spells, policy, target, current):
                tokens = spells.tokens[some]
                held = int(tokens.sum()) if target.tokens is not None else len(some)
                size = Size(target, scope, held, allowed(target, policy, scope))
                if size.is_over:
                    gone_at[some[surplus(size, spells.columns(some), policy, moment).rows]] = moment
    return gone_at


def _in_set(spells: Spells, policy: Policy, target: Target, some: NDArray[np.int64], moment: int) -> Mask:
    """Which of these a target counts: by kind and age; not what another target puts up for review."""
    columns = spells.trace.columns
    reviewed = {t.kind for t in policy.targets if t.action not in REMOVING and t.each is None and t.kind is not None}
    kinds = [target.kind in (None, kind) and kind not in reviewed for _, kind in columns.places]
    counted: Mask = np.array(kinds, dtype=bool)[columns.place[spells.row[some]]]
    if target.older_than_days is not None:
        start = moment - round(policy.number(target.older_than_days) * MICROS_PER_DAY)
        counted &= spells.trace.columns.created_at[spells.row[some]] < start - start % MICROS_PER_DAY
    return counted


def _sets(
    spells: Spells, policy: Policy, target: Target, some: NDArray[np.int64]
) -> Iterator[tuple[str | None, NDArray[np.int64]]]:
    """The sets of a target among these spells, each with its scope."""
    if target.each is None:
        yield None, some
        return
    columns = spells.trace.columns
    places = [place_of(policy, target, scope) for scope, _ in columns.places]
    names = sorted({place for place in places if place is not None})
    numbers = np.array([-1 if place is None else names.index(place) for place in places], dtype=np.int64)
    of = numbers[columns.place[spells.row[some]]]
    for number in np.unique(of[of >= 0]).tolist():
        yield names[number], some[of == number]
