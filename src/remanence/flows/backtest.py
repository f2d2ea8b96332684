"""backtest: what a policy would have saved and lost on this store's own past, beside the one in force.

Reads the store's trace, replays both policies over it by their rules and targets, and cuts the store to budgets by
each policy's own order of leaving, by a perfect choice and by chance. Nothing is touched. Too short a past, or one in
which nothing was recalled, is refused: it would show savings and no losses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from remanence.errors import InvalidInput
from remanence.flows.living import with_lived
from remanence.flows.trace import recorded
from remanence.lifecycle.frontier import (
    difference_error,
    mean_lost,
    oracle_order,
    outcomes_of,
    own_order,
    point,
    random_order,
)
from remanence.lifecycle.replay import Asked, Outcome, Spells, by_rules, by_targets
from remanence.model.backtest import Backtest, Loss, Point, Replayed, Savings
from remanence.model.moment import MICROS_PER_DAY, from_micros
from remanence.model.policy import Policy
from remanence.model.trace import Trace
from remanence.store.protocol import Progress, Store

Ids = Callable[[Sequence[int]], Sequence[str]]
BUDGETS = (0.9, 0.7, 0.5, 0.3, 0.2, 0.1)
LEAST_MEMORIES, LEAST_USES, LEAST_DAYS = 20, 10, 28
MOST_BUDGETS, LEAST_BUDGET = 20, 0.001
WORST = 10
_DRAWS = 5
_TEXTS_AT_ONCE = 500
_PARTS = (0.2, 0.5, 0.7, 1.0)  # what has been done after reading, one policy, both, and the curves
KNOWN_ONLY = (
    "What a policy in force archived could not be recalled: its uses are known only as regrets, the last of each.",
    "Moments of recall are the newest 20 of each memory and those of the last 30 days; dreams let go of those older "
    "than 90 days. A memory is judged from its oldest known moment on.",
)


def backtest(
    store: Store,
    policy: Policy,
    current: Policy | None,
    now: datetime,
    budgets: Sequence[float] = BUDGETS,
    progress: Progress | None = None,
) -> Backtest:
    """A policy on this store's past, beside the one in force unless they are the same."""
    if problems := budget_problems(budgets):
        raise InvalidInput(problems)
    if policy == current:
        current = None
    trace = recorded(store, now, _part(progress, 0))
    # What was missed under the policy in force is known now: no sweep of the past could have gone by it.
    lived = replace(store.in_force(now)[1], missed={})
    policy, current = with_lived(policy, lived), None if current is None else with_lived(current, lived)
    return tested(trace, policy, current, budgets, progress, store.ids, _named(store))


def past(store: Store, now: datetime, progress: Progress | None = None) -> tuple[Trace, tuple[str, ...]]:
    """The trace that a back-test replays, and what each of its memories says; too short a past is refused."""
    trace = recorded(store, now, progress)
    if problems := history_problems(trace, Spells.of(trace), _named(store)):
        raise InvalidInput(problems)
    texts: list[str] = []
    for start in range(0, len(trace), _TEXTS_AT_ONCE):
        ids = store.ids(trace.columns.rows[start : start + _TEXTS_AT_ONCE].tolist())
        found = store.get(ids)
        texts += [found[id].text if id in found else "" for id in ids]
    return trace, tuple(texts)


def _named(store: Store) -> str:
    return f"namespace {store.namespace!r}"


def budget_problems(budgets: object) -> list[str]:
    """Why these are no budgets; empty when they are."""
    if not isinstance(budgets, list | tuple) or not 1 <= len(budgets) <= MOST_BUDGETS:
        return [f"budgets must be a list of 1 to {MOST_BUDGETS} shares of the tokens, such as [0.5, 0.3]"]
    return [
        f"budgets has {budget!r}, which is outside {LEAST_BUDGET:g} to 1: 0.3 keeps 30 % of the tokens"
        for budget in budgets
        if isinstance(budget, bool) or not isinstance(budget, int | float) or not LEAST_BUDGET <= budget <= 1
    ]


def history_problems(trace: Trace, spells: Spells, where: str = "this trace") -> list[str]:
    """Why a past is too short to judge a policy by; empty when it is long enough."""
    days = (trace.ends - trace.begins) / MICROS_PER_DAY
    if not len(trace.moments):
        recalled = f"nothing was ever recalled from {where}" if len(trace) else f"{where} holds no memories"
        return [
            f"{recalled}, so no loss can be known: use it for a while (rem recall, or an agent's own recalls), "
            "or look ahead with: rem forecast --policy NAME"
        ]
    if len(trace) >= LEAST_MEMORIES and spells.uses >= LEAST_USES and days >= LEAST_DAYS:
        return []
    return [
        f"{len(trace):,} memories and {spells.uses:,} later uses in {days:.0f} days are too little history; "
        f"a back-test needs at least {LEAST_MEMORIES} memories, {LEAST_USES} later uses and {LEAST_DAYS} days. "
        "Go on using the store and ask again, or look ahead with: rem forecast --policy NAME"
    ]


def tested(
    trace: Trace,
    policy: Policy,
    current: Policy | None,
    budgets: Sequence[float] = BUDGETS,
    progress: Progress | None = None,
    ids: Ids | None = None,
    where: str = "this trace",
) -> Backtest:
    """The same on a trace; `ids` names the memories of rows, without it losses are not listed."""
    spells = Spells.of(trace)
    if problems := history_problems(trace, spells, where):
        raise InvalidInput(problems)
    policies = [policy] if current is None else [policy, current]
    gone_at = [by_rules(spells, one, progress=_part(progress, part)) for part, one in enumerate(policies, 1)]
    replayed = [
        _replayed(one, Outcome(spells, by_targets(spells, one, gone)), ids)
        for one, gone in zip(policies, gone_at, strict=True)
    ]
    lots = np.random.default_rng(0).random((_DRAWS, len(spells)))
    orders = [own_order(one, gone) for one, gone in zip(policies, gone_at, strict=True)]
    orders += [oracle_order(spells), *map(random_order, lots)]
    cut = outcomes_of(spells, orders, budgets, _part(progress, 3))
    points = [[point(*pair) for pair in zip(budgets, outcomes, strict=True)] for outcomes in cut]
    own, oracle, drawn = points[: len(policies)], points[len(policies)], points[len(policies) + 1 :]
    reached = min(max(one.saved for one in some) for some in own)
    comparable = current is not None and reached > 0
    names = [one.name for one in policies]
    return Backtest(
        begins=from_micros(trace.begins),
        ends=from_micros(trace.ends),
        memories=len(trace),
        uses=spells.uses,
        tokens=int(trace.columns.tokens.sum()),
        policy=replayed[0],
        current=None if current is None else replayed[1],
        curves=tuple(
            Savings(name=name, points=tuple(some))
            for name, some in zip([*names, "oracle", "random"], [*own, oracle, _mean(drawn)], strict=True)
        ),
        mean_lost=tuple(mean_lost(some, reached) for some in own),
        standard_error=difference_error(cut[0], cut[1], points, reached) if comparable else None,
        notes=_notes(trace, policies),
    )


def _part(progress: Progress | None, part: int) -> Asked | None:
    """Progress of one part of the work, told as that of the whole in thousandths."""
    if progress is None:
        return None
    low, high = (0.0, *_PARTS)[part], _PARTS[part]
    return lambda done, total: progress(round(1000 * (low + (high - low) * done / max(total, 1))), 1000)


def _mean(drawn: Sequence[Sequence[Point]]) -> list[Point]:
    """The points of several draws as one curve."""
    return [
        Point(
            budget=some[0].budget,
            saved=float(np.mean([one.saved for one in some])),
            lost=float(np.mean([one.lost for one in some])),
            lost_uses=round(np.mean([one.lost_uses for one in some])),
        )
        for some in zip(*drawn, strict=True)
    ]


def _replayed(policy: Policy, outcome: Outcome, ids: Ids | None) -> Replayed:
    spells, columns = outcome.spells, outcome.spells.trace.columns
    rows, first, times = np.unique(spells.row[outcome.lost], return_index=True, return_counts=True)
    spots = outcome.lost[first]
    waited = spells.ends_at[spots] - outcome.gone_at[spots]
    worst = np.lexsort((rows, waited, -times))[: 0 if ids is None else WORST]
    return Replayed(
        policy=policy.name,
        memories=outcome.memories,
        tokens=outcome.tokens,
        saved_token_days=round(outcome.saved_token_days, 3),
        saved=outcome.saved_share,
        lost_uses=len(outcome.lost),
        lost=outcome.lost_share,
        lost_memories=len(rows),
        by_kind={
            kind: {"memories": memories, "tokens": tokens, "lost_uses": lost}
            for kind, (memories, tokens, lost) in outcome.by_kind().items()
        },
        losses=tuple(
            Loss(
                memory_id=id,
                scope=columns.places[columns.place[row]][0],
                kind=columns.places[columns.place[row]][1],
                tokens=int(columns.tokens[row]),
                left_at=from_micros(int(outcome.gone_at[spot])),
                used_at=from_micros(int(spells.ends_at[spot])),
                times=number,
            )
            for id, row, spot, number in zip(
                [] if ids is None else ids(columns.rows[rows[worst]].tolist()),
                rows[worst].tolist(),
                spots[worst].tolist(),
                times[worst].tolist(),
                strict=True,
            )
        ),
    )


def _notes(trace: Trace, policies: Sequence[Policy]) -> tuple[str, ...]:
    notes = list(KNOWN_ONLY)
    if trace.left_out:
        notes.append(f"{trace.left_out:,} moments of recall lie before a memory's birth or in the future: left out.")
    for one in policies:
        if not one.enabled:
            notes.append(f"Sweeps are switched off by policy {one.name}: its rules take nothing.")
        if names := [t.name for t in one.bounded_targets() if t.category is not None]:
            notes.append(f"Not replayed of {one.name}: {', '.join(names)}, since categories of the past are not known.")
    return tuple(notes)
