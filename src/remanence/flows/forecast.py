"""forecast: what would leave in the next days under a policy, if nobody recalled anything; nothing is touched.

Sweeps are taken to run daily. Rows that cannot be due by the last day are not read where the store is dated under the
policy. Sizes are those of today.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from remanence.errors import InvalidInput
from remanence.flows.dating import is_dated
from remanence.flows.living import with_lived
from remanence.flows.sizes import over_targets
from remanence.flows.sweep import SWEPT
from remanence.lifecycle.forgetting import NO_RULE, decide, rules_of
from remanence.lifecycle.measures import Measures
from remanence.model import checks
from remanence.model.columns import STATES, Columns
from remanence.model.explanation import Forecast, Leaving
from remanence.model.memory import State
from remanence.model.moment import LAST_MOMENT, MICROS_PER_DAY, from_micros, to_micros
from remanence.model.policy import Policy, Rule, Target
from remanence.model.selection import Selection
from remanence.store.protocol import Progress, Store

MOST_DAYS = 3650
LISTED = 1000


def forecast(store: Store, policy: Policy, now: datetime, days: int, progress: Progress | None = None) -> Forecast:
    """What leaves in so many days, by rule, scope and kind, with a number a day for each state."""
    if problems := checks.integer_problems(days, "days", 1, MOST_DAYS):
        raise InvalidInput(problems)
    store.flush()
    policy = with_lived(policy, store.in_force(now)[1])
    at = to_micros(now)
    ahead = _Ahead(policy, at, days)
    total, done = sum(store.state_counts().values()), 0
    for page in _pages(store, policy, now, days) if policy.enabled else ():
        ahead.look(page)
        done += len(page)
        if progress is not None:
            progress(done, max(done, total))
    ahead.wait_in_line()
    taken, _, warnings = over_targets(store, policy, now, None, ahead.leaving_now()) if policy.enabled else ([], [], [])
    for target, columns, _ in taken:
        ahead.add(target, columns, np.zeros(len(columns), dtype=np.int64))
    if not policy.enabled:
        warnings = [f"Sweeps are switched off by policy {policy.name}"]
    return ahead.told(store, now, warnings)


def _pages(store: Store, policy: Policy, now: datetime, days: int) -> Iterable[Columns]:
    if is_dated(store, policy):
        last = min(to_micros(now) + days * MICROS_PER_DAY, LAST_MOMENT)
        return store.due(from_micros(last))
    return store.column_pages(Selection(states=SWEPT))


def _most(rule: Rule | Target) -> float | str | None:
    """How many a rule takes a run, where it takes only so many."""
    return rule.at_most if isinstance(rule, Rule) else None


class _Ahead:
    """Rows that leave, with the day and the rule of each."""

    def __init__(self, policy: Policy, at: int, days: int) -> None:
        self.policy = policy
        self.at = at
        self.days = days
        self.promoted = 0
        self.parts: dict[str, list[tuple[Rule | Target, Columns, NDArray[np.int64]]]] = defaultdict(list)

    def _moment(self, day: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.minimum(self.at + day * MICROS_PER_DAY, LAST_MOMENT)

    def look(self, page: Columns) -> None:
        last = decide(page, self.policy, self._moment(np.full(len(page), self.days)))
        self.promoted += len({row for move in last.moves for row in move.rows.tolist()})
        rows = page.take(last.removed != NO_RULE)
        if not len(rows):
            return
        day, numbers = self._days(rows, self.policy)
        rules = rules_of(self.policy)
        for number in np.unique(numbers).tolist():
            chosen = numbers == number
            self.add(rules[number], rows.take(chosen), day[chosen])

    def _days(self, rows: Columns, policy: Policy) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        """The first day on which each row leaves under a policy (one too many: not in time), and by which rule."""
        low = np.full(len(rows), -1, dtype=np.int64)
        high = np.full(len(rows), self.days + 1, dtype=np.int64)
        while (open_ := high - low > 1).any():
            middle = (low + high) // 2
            gone = decide(rows, policy, self._moment(middle)).removed != NO_RULE
            low, high = np.where(open_ & ~gone, middle, low), np.where(open_ & gone, middle, high)
        return high, decide(rows, policy, self._moment(high)).removed

    def add(self, rule: Rule | Target, columns: Columns, day: NDArray[np.int64]) -> None:
        self.parts[rule.name].append((rule, columns, day))

    def leaving_now(self) -> list[Columns]:
        return [columns.take(day == 0) for parts in self.parts.values() for _, columns, day in parts]

    def wait_in_line(self) -> None:
        """A rule that takes a few a run spreads over days, the lowest first, unless another rule is sooner."""
        for name in [name for name, parts in self.parts.items() if _most(parts[0][0]) is not None]:
            parts = self.parts.pop(name)
            rule = parts[0][0]
            most = int(self.policy.number(_most(rule) or 0))
            others = replace(self.policy, rules=tuple(other for other in self.policy.rules if other.name != name))
            line: list[tuple[int, float, int, int]] = []
            sooner = [self._days(columns, others) for _, columns, _ in parts]
            for number, (_, columns, day) in enumerate(parts):
                lowest = Measures(columns, self.policy).ruled(rule.lowest, self.at).tolist()
                line += (
                    (first, value, number, place)
                    for place, (first, value) in enumerate(zip(day.tolist(), lowest, strict=True))
                )
            turns = [np.full(len(day), self.days + 1, dtype=np.int64) for _, _, day in parts]
            today = used = 0
            for first, _, number, place in sorted(line):
                next_day, next_used = (first, 0) if first > today else (today, used) if used < most else (today + 1, 0)
                if next_day < sooner[number][0][place]:
                    turns[number][place], today, used = next_day, next_day, next_used + 1
            rules = rules_of(others)
            for (_, columns, _), turn, (day, numbers) in zip(parts, turns, sooner, strict=True):
                mine = turn <= self.days
                self.add(rule, columns.take(mine), turn[mine])
                for other in np.unique(numbers[~mine & (day <= self.days)]).tolist():
                    chosen = ~mine & (day <= self.days) & (numbers == other)
                    self.add(rules[other], columns.take(chosen), day[chosen])

    def told(self, store: Store, now: datetime, warnings: list[str]) -> Forecast:
        before: Counter[State] = Counter()
        for (_, state), number in store.state_counts().items():
            before[state] += number
        change = {state: np.zeros(self.days + 1, dtype=np.int64) for state in State}
        by_rule: Counter[str] = Counter()
        by_place: Counter[tuple[str, str]] = Counter()
        listed: list[tuple[int, int, Rule | Target, Columns, int]] = []
        tokens = 0
        for name, parts in self.parts.items():
            for rule, columns, day in parts:
                by_rule[name] += len(columns)
                by_place.update(columns.places[place] for place in columns.place.tolist())
                tokens += int(columns.tokens.sum())
                after = State.ARCHIVED if rule.action == "archive" else State.FORGOTTEN
                shown = np.maximum(day, 1)
                np.add.at(change[after], shown, 1)
                for number in np.unique(columns.state).tolist():
                    np.add.at(change[STATES[number]], shown[columns.state == number], -1)
                order = np.argsort(day, kind="stable")[:LISTED].tolist()
                listed += ((int(day[n]), int(columns.rows[n]), rule, columns, n) for n in order)
        listed.sort(key=lambda entry: entry[:2])
        listed = listed[:LISTED]
        ids = store.ids([row for _, row, *_ in listed])
        by_scope: Counter[str] = Counter()
        by_kind: Counter[str] = Counter()
        for (scope, kind), number in by_place.items():
            by_scope[scope] += number
            by_kind[kind] += number

        def series(state: State) -> tuple[int, ...]:
            return tuple((before[state] + np.cumsum(change[state])).tolist())

        return Forecast(
            policy=self.policy.name,
            at=now,
            days=self.days,
            live=series(State.LIVE),
            archived=series(State.ARCHIVED),
            forgotten=series(State.FORGOTTEN),
            leaves=sum(by_rule.values()),
            tokens=tokens,
            promoted=self.promoted,
            by_rule={name: number for name, number in by_rule.most_common() if number},
            by_scope=dict(by_scope.most_common(LISTED)),
            by_kind=dict(by_kind.most_common(LISTED)),
            leaving=tuple(
                Leaving(
                    memory_id=id,
                    at=min(now + timedelta(days=day), datetime.max.replace(tzinfo=now.tzinfo)),
                    rule=rule.name,
                    action=rule.action,
                    scope=columns.places[columns.place[number]][0],
                    kind=columns.places[columns.place[number]][1],
                    tokens=int(columns.tokens[number]),
                )
                for id, (day, _, rule, columns, number) in zip(ids, listed, strict=True)
            ),
            warnings=tuple(warnings),
        )
