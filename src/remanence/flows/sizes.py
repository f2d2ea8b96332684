"""Size targets: what each set holds, from counters, and the rows that leave where it holds too much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from remanence.lifecycle.content import answers
from remanence.lifecycle.cover import Told
from remanence.lifecycle.retention import Floats
from remanence.lifecycle.sizes import Size, allowed, place_of, surplus
from remanence.model.columns import Columns
from remanence.model.memory import Memory, State
from remanence.model.moment import from_micros, to_micros
from remanence.model.policy import REMOVING, STANDING, Policy, Target
from remanence.model.report import Held
from remanence.model.scope import ROOT, holds
from remanence.model.selection import Selection
from remanence.store.protocol import Store, Total

_SETS_SHOWN = 100
_READ_AT_ONCE = 500
_NOTHING = Told(0.0, frozenset())
Taken = list[tuple[Target, Columns, Mapping[str, Floats]]]
"""Rows that go by a target, and what decided beside the usual measures, a value a row."""


def over_targets(
    store: Store, policy: Policy, now: datetime, scopes: tuple[str, ...] | None, leaving: Sequence[Columns]
) -> tuple[Taken, Taken, list[str]]:
    """(rows that leave, rows put up for review, warnings), after what already leaves by rules."""
    taken: Taken = []
    offered: Taken = []
    warnings: list[str] = []
    targets = policy.bounded_targets()
    if not targets:
        return taken, offered, warnings
    gone = {row for part in leaving for row in part.rows.tolist()}
    spared: set[int] | None = None
    totals = store.totals()
    for target in targets:
        for size in sizes(store, policy, target, now, totals):
            if size.scope is not None and scopes is not None and not any(holds(s, size.scope) for s in scopes):
                continue
            if scopes is not None and ROOT not in scopes and size.scope is None:
                continue
            if size.is_over:
                columns = _rows(store, policy, size, now)
                if target.action in REMOVING and spared is None:
                    spared = _spared(store, policy)
                others = gone | (spared or set()) if target.action in REMOVING else gone
                columns = columns.take(~np.isin(columns.rows, list(others)))
                size = replace(size, held=int(columns.tokens.sum()) if target.tokens is not None else len(columns))
            if size.is_near:
                warnings.append(str(size))
            if not size.is_over:
                continue
            told = _told(store, columns) if target.lowest == STANDING else None
            over = surplus(size, columns, policy, to_micros(now), told)
            part = columns.take(over.rows)
            if target.action in REMOVING and (left := _left(size, part)) > size.allowed:
                warnings.append(
                    f"{target.name}{f' of {size.scope}' if size.scope else ''} stays over its target, at {left:,} of "
                    f"{size.allowed:,.0f} {size.unit}: the rest is pinned, exempt, or was brought back lately"
                )
            if not len(part) or (target.action not in REMOVING and target.tokens is None):
                continue
            evidence = {name: values[over.rows] for name, values in over.evidence.items()}
            (taken if target.action in REMOVING else offered).append((target, part, evidence))
            if target.action in REMOVING:
                gone.update(part.rows.tolist())
    return taken, offered, warnings


def _left(size: Size, leaving: Columns) -> int:
    """What a set holds once these have left."""
    return size.held - (int(leaving.tokens.sum()) if size.target.tokens is not None else len(leaving))


def _told(store: Store, columns: Columns) -> list[Told]:
    """What each row says, and whether it answers what was said before it; a row that left meanwhile says nothing."""
    told: list[Told] = []
    numbers = columns.rows.tolist()
    for start in range(0, len(numbers), _READ_AT_ONCE):
        part = numbers[start : start + _READ_AT_ONCE]
        read = store.memories(part)
        before = _said_before(store, list(read))
        told += (
            Told.of(read[row].text, answer=row in before and _answers(before[row], read[row]))
            if row in read
            else _NOTHING
            for row in part
        )
    return told


def is_answer(store: Store, memory: Memory) -> bool:
    """Whether a memory answers what somebody else asked just before it in its session."""
    rows = store.columns(Selection(ids=(memory.id,), states=tuple(State))).rows.tolist() if memory.origin else []
    return any(_answers(earlier, memory) for earlier in _said_before(store, rows).values())


def _said_before(store: Store, rows: Sequence[int]) -> dict[int, Memory]:
    """For each row of a session, the memory just before it there, whatever became of it since."""
    before = store.before_in_session(rows) if rows else {}
    read = store.memories(list(set(before.values())))
    return {row: read[earlier] for row, earlier in before.items() if earlier in read}


def _answers(before: Memory, memory: Memory) -> bool:
    return answers(before.text, memory.text, by_another=before.source is not memory.source)


def near_targets(store: Store, policy: Policy, now: datetime) -> list[Size]:
    """The sets that hold at least nine tenths of what they may, from counters."""
    bounded = policy.bounded_targets()
    totals = store.totals() if bounded else {}
    found = (size for target in bounded for size in sizes(store, policy, target, now, totals))
    return [size for size in found if size.is_near and not np.isinf(size.allowed)]


def held(store: Store, policy: Policy, now: datetime) -> list[Held]:
    """What each set of every bounded target holds, the fullest of a target first."""
    found: list[Held] = []
    totals = store.totals()
    for target in policy.bounded_targets():
        sets = [size for size in sizes(store, policy, target, now, totals) if not np.isinf(size.allowed)]
        if not sets and target.each is None and not np.isinf(most := allowed(target, policy, None)):
            sets = [Size(target, None, 0, most)]
        sets.sort(key=lambda size: (-size.held / max(size.allowed, 1), size.scope or ""))
        found += (
            Held(
                name=target.name,
                scope=size.scope,
                held=size.held,
                allowed=int(size.allowed),
                unit=size.unit,
                action=target.action,
            )
            for size in sets[:_SETS_SHOWN]
        )
    return found


def sizes(
    store: Store, policy: Policy, target: Target, now: datetime, totals: Mapping[tuple[str, str, State], Total]
) -> list[Size]:
    """What each set of a target holds now, from counters."""
    tokens = target.tokens is not None
    if target.category is not None:
        total = store.total_tagged(target.category)
        return [Size(target, None, total.tokens if tokens else total.memories, allowed(target, policy, None))]
    if target.older_than_days is not None:
        total = store.total_born_before(_day(policy, target, now).date())
        return [Size(target, None, total.tokens if tokens else total.memories, allowed(target, policy, None))]
    sums: Counter[str | None] = Counter()
    for (scope, kind, state), total in totals.items():
        if state is State.LIVE and target.kind in (None, kind):
            place = place_of(policy, target, scope)
            if place is not None or target.each is None:
                sums[place] += total.tokens if tokens else total.memories
    return [Size(target, scope, held, allowed(target, policy, scope)) for scope, held in sums.items()]


def _day(policy: Policy, target: Target, now: datetime) -> datetime:
    """The start of the first day that is not yet older than the target says; sets by age go by whole UTC days."""
    assert target.older_than_days is not None
    days = policy.number(target.older_than_days)
    first = datetime.min.replace(tzinfo=now.tzinfo)
    start = now - timedelta(days=days) if days < (now - first).days else first
    return from_micros(to_micros(start.replace(hour=0, minute=0, second=0, microsecond=0)))


def _rows(store: Store, policy: Policy, size: Size, now: datetime) -> Columns:
    """The live rows of a set."""
    target = size.target
    if target.category is not None:
        return store.columns(Selection(categories=(target.category,)))
    if target.older_than_days is not None:
        return store.columns(Selection(created_before=_day(policy, target, now)))
    kinds = None if target.kind is None else (target.kind,)
    columns = store.columns(Selection(scopes=None if size.scope is None else (size.scope,), kinds=kinds))
    if target.each == "scope":
        exact = np.array([scope == size.scope for scope, _ in columns.places], dtype=bool)
        return columns.take(exact[columns.place] if len(columns) else np.zeros(0, dtype=bool))
    return columns


def _spared(store: Store, policy: Policy) -> set[int]:
    """Rows that a target of their own puts up for review: they count there, and never leave by size."""
    spared: set[int] = set()
    for target in policy.targets:
        if target.action in REMOVING or target.each is not None:
            continue
        kinds = None if target.kind is None else (target.kind,)
        categories = None if target.category is None else (target.category,)
        if kinds or categories:
            spared.update(store.columns(Selection(kinds=kinds, categories=categories)).rows.tolist())
    return spared
