"""dream: the steps one after the other → one plan, claim by claim. Nothing is written.

Later steps see what earlier ones decided: no memory is touched by two of them in one plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib import import_module

from remanence.flows.breaker import leaving_by_claim, live_by_scope
from remanence.flows.dream.night import Night, Proposal
from remanence.lifecycle.safety import excesses
from remanence.model.plan import Plan
from remanence.model.selection import named
from remanence.store.protocol import Progress

STEPS = ("curve", "cluster", "cards", "bridges", "beliefs", "drift", "prune")
VERB = "dream"
_USED_UP = "the time of this run was used up"


def chosen_steps(steps: str | Iterable[str] | None) -> tuple[str, ...]:
    """These steps in their order, all where none is named; a text may name several, with commas."""
    return named(steps, STEPS, "step", "the dream")


def proposer(step: str) -> Callable[[Night], Proposal]:
    """What makes the proposal of a step. Most need more than a plain recall does, so they are loaded when asked for."""
    propose: Callable[[Night], Proposal] = import_module(f"remanence.flows.dream.{step}").propose
    return propose


def dream(night: Night, steps: Sequence[str], progress: Progress | None = None) -> Plan:
    """What these steps propose, as one plan."""
    night.prunes = "prune" in steps
    proposals = []
    left: list[str] = []
    for number, step in enumerate(steps):
        if progress is not None:
            progress(number, len(steps))
        if night.is_over():
            left.append(step)
            continue
        proposals.append(proposed(night, step))
    plan = _below_the_breaker(night, joined(proposals))
    if left:
        plan = replace(plan, warnings=(*plan.warnings, f"{_USED_UP}: {', '.join(left)} did not run"))
    return plan


def _below_the_breaker(night: Night, plan: Plan) -> Plan:
    """The plan without the claims with which it would take too much out of recall, the last ones first to go."""
    live, taken, held_back = live_by_scope(night.store), Counter[str](), set()
    for key, number in leaving_by_claim(night.store, plan).items():
        if excesses(taken + number, live):
            held_back.add(key)
        else:
            taken += number
    if not held_back:
        return plan
    return replace(
        plan,
        changes=tuple(change for change in plan if change.claim not in held_back),
        claims=tuple(claim for claim in plan.claims if claim.key not in held_back),
        warnings=(
            *plan.warnings,
            f"{len(held_back)} claims wait: with them more would leave than an automatic run may take",
        ),
    )


def proposed(night: Night, step: str) -> Proposal:
    """What one step proposes; the night knows it from then on."""
    proposal = proposer(step)(night)
    night.taken.update(change.memory_id for change in proposal.changes)
    night.leaving.update(
        c.memory_id for c in proposal.changes if c.before.get("state") == "live" and "state" in c.after
    )
    night.made |= {c.memory.id: c.memory for c in proposal.changes if c.memory is not None and c.memory.state == "live"}
    return proposal


def joined(proposals: Sequence[Proposal]) -> Plan:
    """One plan of several proposals."""
    warnings = [f"{proposal.step}: {warning}" for proposal in proposals for warning in proposal.warnings]
    for proposal in proposals:
        if proposal.dropped:
            told = ", ".join(f"{number} {why}" for why, number in proposal.dropped.items())
            warnings.append(f"{proposal.step}: answers of the language model were dropped: {told}")
    by_model = [proposal.step for proposal in proposals if proposal.llm]
    steps = ", ".join(proposal.step for proposal in proposals)
    return Plan(
        tuple(change for proposal in proposals for change in proposal.changes),
        verb=VERB,
        automatic=True,
        note=f"steps {steps}; llm: {'true (' + ', '.join(by_model) + ')' if by_model else 'false'}",
        warnings=tuple(dict.fromkeys(warnings)),
        claims=tuple(claim for proposal in proposals for claim in proposal.claims),
    )
