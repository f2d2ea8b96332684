"""mind.policies: the policy in force, the presets, and choosing another one.

Which policy is in force: the argument of Mind, else the setting (REMANENCE_POLICY, config.yml), else what was chosen
for this store (`use`), else `balanced`. What `use` chooses is kept in the store, with its numbers, so that it goes
where the file goes. Every change of it has a receipt, by which it can be undone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remanence.errors import BreakerTripped, InvalidInput
from remanence.facets import chosen
from remanence.flows.living import asks, for_dating, with_lived
from remanence.lifecycle.dater import Dater, dated_as
from remanence.model import checks
from remanence.model.backtest import Backtest
from remanence.model.journal import POLICY
from remanence.model.lived import Lived
from remanence.model.memory import plain
from remanence.model.plan import Plan, Receipt
from remanence.model.policy import Policy
from remanence.model.proposal import Proposal
from remanence.model.report import Stats
from remanence.policies import reading
from remanence.store.protocol import Progress, Store

if TYPE_CHECKING:
    from remanence.model.trace import Trace

_SETTING = "a setting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """What choosing a policy did: who leaves at its first sweep, and how many memories were dated under it."""

    policy: str
    leaves: int
    dated: int
    in_force: bool = True
    warnings: tuple[str, ...] = ()
    receipt_id: str | None = None
    """The receipt of the change, to undo it by; None where the same was chosen already."""

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}

    def __str__(self) -> str:
        first = (
            f"{_counted(self.leaves)} leave{'s' * (self.leaves == 1)} at the next sweep"
            if self.leaves
            else "nothing leaves yet"
        )
        state = f"is in force: {first}; {_counted(self.dated)} dated" if self.in_force else f"is chosen: {first}"
        back = [] if self.receipt_id is None else [f"Take it back with: rem undo {self.receipt_id}"]
        return "\n".join([f"Policy {self.policy} {state}.", *self.warnings, *back])


class Policies:
    """The policies of one mind."""

    def __init__(self, store: Store, clock: Callable[[], datetime], given: object, setting: str | None) -> None:
        self._store = store
        self._clock = clock
        self._set_by = "the argument" if given is not None else _SETTING if setting is not None else None
        self._text: str | None = None
        self._dated_as: str | None = None
        text, lived = store.in_force(clock())
        if self._set_by is None:
            self._text = text
            self._use(chosen.read(self._text), lived)
        else:
            self._use(reading.named(setting if given is None else given), lived)

    @property
    def current(self) -> Policy:
        """The policy in force, as the store was lived in; another process may have chosen another one meanwhile."""
        text, lived = self._store.in_force(self._clock())
        if self._set_by is None and text != self._text:
            self._text = text
            self._use(chosen.read(text), lived)
        elif lived is not self._current.lived and asks(self._current):
            self._use(self._current, lived)
        return self._current

    def _use(self, policy: Policy, lived: Lived) -> None:
        self._current = with_lived(policy, lived)
        if (under := dated_as(self._current)) != self._dated_as:
            self._dated_as = under
            self._store.date_with(Dater(self._current))

    def list(self) -> Sequence[dict[str, Any]]:
        """The presets, and the policy in force where it is none of them."""
        current = self.current
        shown = [reading.preset(name) for name in reading.PRESETS]
        if current not in shown:
            shown.append(current)
        return [
            {
                "name": policy.name,
                "about": policy.about,
                "enabled": policy.enabled,
                "current": policy == current,
            }
            for policy in shown
        ]

    def show(self, name: str | Path | Policy | None = None) -> Policy:
        """A policy by name or path; the one in force when nothing is named."""
        return self.current if name is None else reading.named(name)

    def yaml(self, name: str | Path | Policy | None = None) -> str:
        """A policy as the text of a file, to be changed and used: a preset as it ships."""
        policy = self.show(name)
        if chosen.is_preset(policy):
            return reading.preset_text(policy.name)
        return reading.dumped(chosen.values_of(policy))

    def check(self, name: str | Path | Policy) -> Policy:
        """Read a policy file; InvalidInput names every problem with its line and what is allowed."""
        return reading.named(name)

    def diff(self, one: str | Path | Policy, other: str | Path | Policy | None = None) -> Sequence[dict[str, Any]]:
        """Where two policies differ (the second: the one in force), each as name, one's value, other's value."""
        left, right = _told(self.show(one)), _told(self.show(other))
        return [
            {"name": name, "one": left.get(name), "other": right.get(name)}
            for name in sorted(left.keys() | right.keys())
            if left.get(name) != right.get(name) and name not in ("name", "about")
        ]

    def backtest(
        self,
        policy: str | Path | Policy | None = None,
        budgets: Sequence[float] = (0.9, 0.7, 0.5, 0.3, 0.2, 0.1),
        *,
        progress: Progress | None = None,
    ) -> Backtest:
        """What a policy would have saved and lost on this store's own past, beside the one in force; nothing changes.

        Budgets are shares of the tokens that are kept, for the curve of savings against loss.
        """
        from remanence.flows.backtest import backtest

        return backtest(self._store, self.show(policy), self.current, self._clock(), budgets, progress)

    def past(self, *, progress: Progress | None = None) -> tuple[Trace, tuple[str, ...]]:
        """The past of this store that back-tests replay, and what each of its memories says; nothing changes."""
        from remanence.flows.backtest import past

        return past(self._store, self._clock(), progress)

    def learn(self, *, progress: Progress | None = None) -> Proposal:
        """A policy with the curve that this store's past teaches, back-tested beside the one in force; nothing changes.

        Use it with `use(proposal.approved())`, which is refused where the back-test speaks against it.
        """
        from remanence.facets.learning import proposed

        policy = self.current
        values = {"extends": policy.name} if chosen.is_preset(policy) else chosen.values_of(policy)
        return proposed(self._store, policy, values, self._clock(), progress)

    def use(self, name: str | Path | Policy, *, force: bool = False, progress: Progress | None = None) -> Used:
        """Make a policy this store's own, and this mind's from now on, unless a setting names another one.

        One whose first sweep would trip the breaker needs force.
        """
        from remanence.flows.sweep import sweep

        if problems := checks.flag_problems(force, "force"):
            raise InvalidInput(problems)
        policy, now = reading.named(name), self._clock()
        plan = sweep(self._store, policy, now, full=True)
        if plan.refused is not None and not force:
            raise BreakerTripped(
                f"The first sweep under {policy.name} would take {plan.refused} out of recall. The policy in force "
                f"stays. Look at it with: rem forecast --policy {_shown(name)}; choose it with force=True (--force)"
            )
        text, receipt = self._choose(chosen.kept_as(policy), policy, now)
        leaves = sum("state" in change.after for change in plan)
        notes = list(plan.warnings)
        if self._set_by is not None:
            notes.append(f"{self._set_by} names {self._current.name}, which goes before what is chosen for the store")
        if self._set_by == _SETTING:
            return Used(
                policy=policy.name, leaves=leaves, dated=0, in_force=False, warnings=tuple(notes), receipt_id=receipt
            )
        dated = self._put_in_force(policy, text, now, progress)
        return Used(policy=policy.name, leaves=leaves, dated=dated, warnings=tuple(notes), receipt_id=receipt)

    def take_back(self, receipt_id: str) -> Receipt:
        """Put the policy that a change of policy replaced in force again, unless it was changed once more since."""
        now = self._clock()
        kept = chosen.replaced_by(self._store.in_force(now)[0], receipt_id)
        policy = chosen.read(None if kept is None else json.dumps(kept))
        text, receipt = self._choose(kept, policy, now, undoes=receipt_id)
        if self._set_by is None:
            self._put_in_force(policy, text, now)
        return self._store.receipt(receipt or receipt_id)

    def _choose(
        self, kept: chosen.Kept, policy: Policy, now: datetime, undoes: str | None = None
    ) -> tuple[str, str | None]:
        """Keep this policy as the store's own under a receipt; no receipt where it is that already."""
        with self._store.transaction():
            text = self._store.in_force(now)[0]
            if undoes is None and chosen.own(text) == kept and text is not None:
                return text, None
            if undoes is not None:
                chosen.replaced_by(text, undoes)  # nobody chose another one meanwhile
            note = chosen.note_of(chosen.read(text), policy)
            receipt = self._store.apply(Plan((), verb=POLICY, note=note, undoes=undoes), now)
            text = chosen.chosen(text, kept, receipt.id)
            self._store.choose_policy(text, now)
        return text, receipt.id

    def _put_in_force(self, policy: Policy, text: str, now: datetime, progress: Progress | None = None) -> int:
        """Go by this policy from now on, and date everything under it; how many were dated."""
        from remanence.flows.dating import date_all

        self._text, self._set_by = text, None
        policy = for_dating(self._store, policy, now)
        self._use(policy, self._store.in_force(now)[1])
        return date_all(self._store, policy, progress)

    def stats(self, stats: Stats) -> Stats:
        """The store's figures with those of its policy: what is due, and which sizes are near their target."""
        from remanence.flows.living import slowed
        from remanence.flows.sizes import near_targets
        from remanence.flows.upkeep import JOB

        now = self._clock()
        return replace(
            stats,
            policy=self.current.name,
            sweeping=self.current.enabled,
            due=self._store.due_count(now),
            upkeep_at=self._store.job(JOB).finished_at,
            sizes=tuple(map(str, near_targets(self._store, self.current, now))),
            slowed=slowed(self.current),
        )

    def reviewed(self, name: str) -> None:
        """A person has looked: the next review of that name is due after its interval."""
        from remanence.flows.reviews import reviewed

        reviewed(self._store, name, self._clock())


def _counted(number: int) -> str:
    return f"{number:,} {'memory' if number == 1 else 'memories'}"


def _shown(name: str | Path | Policy) -> str:
    return name.name if isinstance(name, Policy) else str(name)


def _told(policy: Policy) -> dict[str, Any]:
    """A policy as one value a name: tables by key, each rule and target as a sentence."""
    told: dict[str, Any] = {}
    for name, value in policy.to_dict().items():
        if isinstance(value, Mapping):
            told |= {f"{name}.{key}": item for key, item in value.items()}
        elif name not in ("rules", "targets", "overrides"):
            told[name] = value
    for override in policy.overrides:
        place = f"override of {override.place}"
        told[place] = f"{told[place]}; {override}" if place in told else str(override)
    told |= {f"rule {rule.name}": policy.sentence(rule) for rule in policy.rules}
    told |= {f"target {target.name}": policy.bound_sentence(target) for target in policy.targets}
    return told
