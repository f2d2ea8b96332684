"""sweep: due rows → the policy's rules → a plan, grouped by rule; nothing is changed but dates.

Only rows whose date has come are read; those on which no rule acts yet get a later date. A full sweep reads every row
instead and makes the same plan. Sizes are read from counters; the rows of a set only where it holds too much.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence.errors import InvalidInput
from remanence.flows.breaker import live_by_scope
from remanence.flows.dating import date_all
from remanence.flows.living import for_dating
from remanence.flows.losses import with_losses
from remanence.flows.reviews import due_reviews
from remanence.flows.sizes import Taken, over_targets
from remanence.lifecycle.due import due_at
from remanence.lifecycle.forgetting import NO_RULE, decide, rules_of
from remanence.lifecycle.measures import Measures
from remanence.lifecycle.safety import LARGEST_SHARE, excesses
from remanence.lifecycle.sizes import by
from remanence.model import checks
from remanence.model.columns import LAYERS, STATES, Columns
from remanence.model.memory import State
from remanence.model.moment import from_micros, to_micros
from remanence.model.plan import Action, Change, Group, Plan
from remanence.model.policy import REMOVING, Condition, Policy, Rule, Target
from remanence.model.selection import Selection, selection_from
from remanence.store.protocol import Progress, Store

SWEPT = (State.LIVE, State.SUPERSEDED)
MOST_EVICTED = 1000
_LIVE = STATES.index(State.LIVE)
_STATE_AFTER = {"archive": State.ARCHIVED, "forget": State.FORGOTTEN}


def sweep(
    store: Store,
    policy: Policy,
    now: datetime,
    *,
    scope: Any = None,
    full: bool = False,
    limit: int | None = None,
    max_evict: int | None = None,
    most_read: int | None = None,
    pruned_before: datetime | None = None,
    progress: Progress | None = None,
) -> Plan:
    """What the policy's rules would do now; `full` reads every memory instead of those that are due.

    `most_read` bounds how many rows are dated and read: the rest is left for the next sweep. With `pruned_before` it
    decides as if accesses before that moment were let go already, so that letting them go changes nothing later.
    """
    selection = _checked(scope, full, limit, max_evict)
    if not policy.enabled:
        return Plan((), "sweep", True, warnings=(f"Sweeps are switched off by policy {policy.name} (enabled: false)",))
    store.flush()
    policy = for_dating(store, policy, now)
    pages: Iterable[Columns]
    if full:
        pages = store.column_pages(selection)
    else:
        date_all(store, policy, progress, most_read)
        pages = store.due(now, selection.scopes)
    found = Found(policy, to_micros(now), max_evict)
    read = 0
    cut = None if pruned_before is None else to_micros(pruned_before)
    for page in pages:
        left = found.look(page if cut is None else page.without_accesses_before(cut))
        if not full and len(left):
            store.redate(left, due_at(left, policy, found.now))
        read += len(page)
        if most_read is not None and read >= most_read:
            break
    if cut is not None and not full:
        for page in store.column_pages(selection):
            ahead = page.take(page.recalled_before(cut) & (page.due_at > found.now))
            found.look(ahead.without_accesses_before(cut))
    found.hold_back()
    warnings = list(found.warnings)
    taken, offered, size_warnings = over_targets(store, policy, now, selection.scopes, found.leaving())
    warnings += size_warnings
    warnings += due_reviews(store, policy, now)
    found.add_targets(taken, offered)
    if limit is not None:
        found.keep(limit)
    return with_losses(store, found.plan(store, warnings), now)


def _checked(scope: Any, full: bool, limit: int | None, max_evict: int | None) -> Selection:
    problems = checks.flag_problems(full, "full")
    problems += [] if limit is None else checks.integer_problems(limit, "limit", 1)
    problems += [] if max_evict is None else checks.integer_problems(max_evict, "max_evict", 1, MOST_EVICTED)
    try:
        selection = selection_from(scope=scope, states=SWEPT)
    except InvalidInput as invalid:
        problems += invalid.problems
    if problems:
        raise InvalidInput(problems)
    return selection


@dataclass(slots=True)
class _Taken:
    """Rows of one page on which one rule acts, with the worth of each."""

    rule: Rule | Target
    order: int
    columns: Columns
    worth: NDArray[np.float64]
    evidence: Mapping[str, NDArray[np.float64]]
    layers: tuple[NDArray[np.int8], NDArray[np.int8]] | None = None
    step: int = 0

    def part(self, chosen: NDArray[Any]) -> _Taken:
        return replace(
            self,
            columns=self.columns.take(chosen),
            worth=self.worth[chosen],
            evidence={name: values[chosen] for name, values in self.evidence.items()},
            layers=None if self.layers is None else (self.layers[0][chosen], self.layers[1][chosen]),
        )


@dataclass(slots=True)
class Found:
    """What a sweep has met so far, a rule at a time."""

    policy: Policy
    now: int
    max_evict: int | None = None
    taken: list[_Taken] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def look(self, page: Columns) -> Columns:
        """Take in what the rules decide about a page; the rows on which none acts are returned."""
        decisions = decide(page, self.policy, self.now)
        rules = rules_of(self.policy)
        for step, move in enumerate(decisions.moves):
            self._take(rules[move.rule], move.rule, page.take(move.rows), (move.before, move.after), step)
        for numbers in (decisions.removed, decisions.offered):
            for number in np.unique(numbers[numbers != NO_RULE]).tolist():
                self._take(rules[number], number, page.take(numbers == number))
        return page.take(~decisions.touched)

    def _take(self, rule: Rule, order: int, columns: Columns, layers: Any = None, step: int = 0) -> None:
        measures = Measures(columns, self.policy)
        names = dict.fromkeys(c.measure for c in rule.when if isinstance(c, Condition))
        if rule.action in REMOVING:
            names |= dict.fromkeys(("age_days", "idle_days"))
        evidence = {name: measures.ruled(name, self.now) for name in names}
        self.taken.append(_Taken(rule, order, columns, measures.worth(self.now), evidence, layers, step))

    def hold_back(self) -> None:
        """Of a rule that takes at most so many a run, keep the lowest; the others stay due."""
        capped: dict[int, list[_Taken]] = defaultdict(list)
        for taken in self.taken:
            if isinstance(taken.rule, Rule) and taken.rule.at_most is not None:
                capped[taken.order].append(taken)
        for order, parts in capped.items():
            rule = parts[0].rule
            assert isinstance(rule, Rule) and rule.at_most is not None
            most = self.max_evict if self.max_evict is not None else int(self.policy.number(rule.at_most))
            ranked = sorted(
                (value, int(row), number, place)
                for number, part in enumerate(parts)
                for place, (value, row) in enumerate(
                    zip(
                        Measures(part.columns, self.policy).ruled(rule.lowest, self.now).tolist(),
                        part.columns.rows.tolist(),
                        strict=True,
                    )
                )
            )
            if len(ranked) > most:
                self.warnings.append(
                    f"rule {rule.name!r} takes {most} a run: {len(ranked) - most} more wait for the next"
                )
                self._replace(order, parts, ranked[:most])

    def _replace(self, order: int, parts: list[_Taken], kept: list[tuple[float, int, int, int]]) -> None:
        """Keep these rows of a rule's parts alone; rows let go are not moved either, their turn has not come."""
        chosen: dict[int, list[int]] = defaultdict(list)
        for _, _, number, place in kept:
            chosen[number].append(place)
        self.taken = [taken for taken in self.taken if taken.order != order]
        self.taken += [parts[number].part(np.array(sorted(places))) for number, places in chosen.items()]

    def leaving(self) -> list[Columns]:
        """The rows that leave by a rule."""
        return [taken.columns for taken in self.taken if taken.rule.action in REMOVING]

    def add_targets(self, taken: Taken, offered: Taken) -> None:
        order = len(rules_of(self.policy))
        for target, columns, decided in (*taken, *offered):
            measures = Measures(columns, self.policy)
            place = order + self.policy.targets.index(target)
            evidence = {name: measures.ruled(name, self.now) for name in ("age_days", "idle_days", by(target))}
            evidence.update(decided)
            self.taken.append(_Taken(target, place, columns, measures.worth(self.now), evidence))

    def keep(self, most: int) -> None:
        """Keep the least worthy `most` of those that leave, and what does not leave."""
        leaving = [taken for taken in self.taken if taken.rule.action in REMOVING]
        ranked = sorted(
            (worth, int(row), number, place)
            for number, taken in enumerate(leaving)
            for place, (worth, row) in enumerate(zip(taken.worth.tolist(), taken.columns.rows.tolist(), strict=True))
        )
        if len(ranked) <= most:
            return
        self.warnings.append(f"limited to {most}: {len(ranked) - most} more would leave")
        chosen: dict[int, list[int]] = defaultdict(list)
        for _, _, number, place in ranked[:most]:
            chosen[number].append(place)
        self.taken = [taken for taken in self.taken if taken.rule.action not in REMOVING]
        self.taken += [leaving[number].part(np.array(sorted(places))) for number, places in chosen.items()]

    def plan(self, store: Store, warnings: list[str]) -> Plan:
        """The plan, rule by rule, in each the most worthy first, then the oldest; a memory's moves before its end."""
        ids = _ids(store, self.taken)
        revisions = {
            ids[row]: revision
            for taken in self.taken
            for row, revision in zip(taken.columns.rows.tolist(), taken.columns.revision.tolist(), strict=True)
        }
        changes: list[tuple[tuple[Any, ...], Change]] = []
        for taken in self.taken:
            for number, row in enumerate(taken.columns.rows.tolist()):
                change = _change(taken, number, ids[row])
                place = (taken.layers is None, taken.step, taken.order)
                rank = (-taken.worth[number], taken.columns.created_at[number], change.memory_id)
                changes.append(((*place, *rank), change))
        changes.sort(key=lambda entry: entry[0])
        ordered = _guarded([change for _, change in changes], revisions)
        live = live_by_scope(store) if any(taken.rule.action in REMOVING for taken in self.taken) else {}
        leaving: Counter[str] = Counter()
        for taken in self.taken:
            if taken.rule.action in REMOVING:
                leaving.update(
                    scope
                    for scope, state in zip(taken.columns.scopes, taken.columns.state.tolist(), strict=True)
                    if STATES[state] is State.LIVE
                )
        found = excesses(leaving, live)
        refused = " and ".join(map(str, found[:3])) or None
        if refused is not None:
            warnings.append(
                f"This would take {refused} out of recall, more than {LARGEST_SHARE:.0%}: "
                "it will be refused without force=True (--force)"
            )
        return Plan(
            ordered,
            verb="sweep",
            automatic=True,
            note=f"policy {self.policy.name}",
            groups=_groups(self.taken, live),
            warnings=tuple(dict.fromkeys([*self.warnings, *warnings])),
            refused=refused,
        )


def _guarded(changes: list[Change], revisions: Mapping[str, int]) -> tuple[Change, ...]:
    """A memory that is changed after the plan was made is left alone: its first change carries the revision seen."""
    seen: set[str] = set()
    guarded = []
    for change in changes:
        first = change.memory_id not in seen
        seen.add(change.memory_id)
        guarded.append(replace(change, revision=revisions[change.memory_id]) if first else change)
    return tuple(guarded)


def _ids(store: Store, taken: list[_Taken]) -> dict[int, str]:
    rows = list(dict.fromkeys(row for part in taken for row in part.columns.rows.tolist()))
    return dict(zip(rows, store.ids(rows), strict=True))


def _change(taken: _Taken, number: int, memory_id: str) -> Change:
    columns, rule = taken.columns, taken.rule
    evidence = {name: float(f"{values[number]:.6g}") for name, values in taken.evidence.items()}
    evidence |= {"worth": float(f"{taken.worth[number]:.6g}"), "tokens": int(columns.tokens[number])}
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    if taken.layers is not None:
        before["layer"] = LAYERS[taken.layers[0][number]]
        after["layer"] = LAYERS[taken.layers[1][number]]
    elif rule.action in REMOVING:
        before["state"] = STATES[columns.state[number]]
        after["state"] = _STATE_AFTER[rule.action]
    return Change(
        memory_id=memory_id,
        action=Action(rule.action),
        reason=rule.name,
        evidence=evidence,
        before=before,
        after=after,
        last_accessed_at=from_micros(int(columns.last_accessed_at[number])),
    )


def _groups(taken: list[_Taken], live: Mapping[str, int]) -> tuple[Group, ...]:
    by_rule: dict[tuple[int, str], list[_Taken]] = defaultdict(list)
    for part in taken:
        by_rule[part.order, part.rule.name].append(part)
    groups = []
    for (_, name), parts in sorted(by_rule.items(), key=lambda entry: entry[0]):
        live_parts = [part.columns.take(part.columns.state == _LIVE) for part in parts]
        scopes = Counter(scope for columns in live_parts for scope in columns.scopes)
        groups.append(
            Group(
                rule=name,
                action=Action(parts[0].rule.action),
                why=parts[0].rule.why,
                memories=sum(len(part.columns) for part in parts),
                tokens=sum(int(part.columns.tokens.sum()) for part in parts),
                oldest=from_micros(min(int(part.columns.created_at.min()) for part in parts)),
                scopes={scope: (number, live.get(scope, 0)) for scope, number in scopes.most_common()},
            )
        )
    return tuple(groups)
