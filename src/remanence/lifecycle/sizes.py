"""Sizes: sets of memories that may hold so many tokens, or so many memories, and who leaves when they hold more.

The lowest leave (by worth, by what the target names, or by how each stands among the others) until the rest fits. What
was brought back lately stays for its time, and nobody leaves in its place.
Identity and whatever else is put up for review by a target of its own counts there alone. At 90 % of a target there is
a warning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle import content
from remanence.lifecycle.cover import Told, leaving, standings
from remanence.lifecycle.forgetting import eligible
from remanence.lifecycle.measures import Measures, overridden
from remanence.lifecycle.recency import recency
from remanence.lifecycle.retention import Floats
from remanence.model.columns import Columns
from remanence.model.moment import NEVER
from remanence.model.policy import STANDING, Policy, Rule, Target
from remanence.model.scope import ROOT, holds

WARN_AT = 0.9
MERE_RECALL = 0.25
"""What a recall counts of a confirmed use: that something was found does not say that it helped."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much a set holds of what it may hold."""

    target: Target
    scope: str | None
    held: int
    allowed: float

    @property
    def unit(self) -> str:
        return "tokens" if self.target.tokens is not None else "memories"

    @property
    def is_over(self) -> bool:
        return self.held > self.allowed

    @property
    def is_near(self) -> bool:
        return self.held > 0 and self.held >= WARN_AT * self.allowed

    def __str__(self) -> str:
        place = f" of {self.scope}" if self.scope else ""
        over = "over its target" if self.is_over else f"at {self.held / max(self.allowed, 1):.0%} of its target"
        return f"{self.target.name}{place} is {over}: {self.held:,} of {self.allowed:,.0f} {self.unit}"


def allowed(target: Target, policy: Policy, scope: str | None) -> float:
    """How much the target allows, in this scope."""
    bound = target.tokens if target.tokens is not None else target.memories
    assert bound is not None
    if isinstance(bound, str) and scope is not None:
        return overridden(policy, scope, target.kind or "", bound)
    return policy.number(bound)


def place_of(policy: Policy, target: Target, scope: str) -> str | None:
    """The scope whose set a memory of this scope counts to."""
    if target.each == "scope":
        return scope
    if target.each == "project":
        for listed in policy.project_scopes:
            if listed.endswith("/*"):
                stem = listed[:-2] or ROOT
                if scope != stem and holds(stem, scope):
                    return "/".join(scope.split("/")[: len(stem.rstrip("/").split("/")) + 1])
            elif holds(listed, scope):
                return listed
    return None


def by(target: Target) -> str:
    """The measure a target goes by where texts are not at hand."""
    return "worth" if target.lowest == STANDING else target.lowest


@dataclass(frozen=True, slots=True)
class Surplus:
    """The rows of a set that leave, lowest first; and where texts decided, by what: a value a row of the set."""

    rows: NDArray[np.intp]
    evidence: Mapping[str, Floats] = field(default_factory=dict)


def _standing(measures: Measures, now: int, told: Sequence[Told], staying: NDArray[np.bool_]) -> dict[str, Floats]:
    columns = measures.columns
    values = np.array([one.value for one in told])
    lately = recency(columns, measures.idle_days(now))
    standing, repeated = standings(
        values,
        columns.tokens,
        [one.words for one in told],
        importance=columns.importance,
        retention=measures.retention(now),
        uses=columns.uses + MERE_RECALL * columns.access_count,
        recency=lately,
        staying=staying,
    )
    said = values / (values + content.MEDIAN)
    return {"standing": standing, "content": said, "repeated": repeated, "recency": lately}


def surplus(size: Size, columns: Columns, policy: Policy, now: int, told: Sequence[Told] | None = None) -> Surplus:
    """Who leaves so that the rest fits; `columns` are the set's live rows.

    Where the target goes by standing and what each row says is told, they stand by that; else by worth. Rows that are
    kept until later count among those that would leave, and stay: the better ones do not leave for them.
    """
    target = size.target
    measures = Measures(columns, policy)
    removable = eligible(Rule(name=target.name, action=target.action, when=()), measures)
    evidence = {} if told is None else _standing(measures, now, told, ~removable)
    stand = measures.measure(by(target), now) if told is None else evidence["standing"]
    rows = np.flatnonzero(removable)
    order = rows[np.lexsort((columns.rows[rows], columns.created_at[rows], stand[rows]))]
    room = columns.tokens if target.tokens is not None else np.ones(len(columns))
    chosen = leaving(order, room, size.held - size.allowed)
    kept = columns.kept_until[chosen]
    return Surplus(chosen[(kept == NEVER) | (kept <= now)], evidence)
