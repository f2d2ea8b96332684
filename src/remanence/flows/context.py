"""context: recalled memories in their frame, ready for a prompt.

What does not fit into the budget is left out and does not count as accessed.
"""

from __future__ import annotations

from datetime import datetime

from remanence.errors import InvalidInput
from remanence.flows.mark import BY_A_PERSON
from remanence.flows.recall import Asked, recall
from remanence.guard.framing import Line, fitting, framed
from remanence.lifecycle.drift import CHALLENGER
from remanence.model import checks
from remanence.model.hit import Hit
from remanence.model.memory import Memory
from remanence.model.policy import Policy
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Store

_DOUBTED = {BY_A_PERSON: "doubted by a person", CHALLENGER: "no longer borne out by the source tree"}


def context(
    store: Store,
    encoder: Encoder | None,
    policy: Policy,
    ask: Asked,
    now: datetime,
    *,
    budget_tokens: int,
    boundary: str,
    log: bool,
    per_session: int,
) -> str:
    """The frame with as many of the best hits as fit, best first; empty where nothing was found."""
    if problems := checks.integer_problems(budget_tokens, "budget_tokens", 1):
        raise InvalidInput(problems)
    shown = ""

    def cut(hits: list[Hit]) -> list[Hit]:
        nonlocal shown
        lines = [_line(hit) for hit in hits]
        shown = framed(lines, boundary=boundary, budget_tokens=budget_tokens)
        return hits[: fitting(lines, boundary=boundary, budget_tokens=budget_tokens)]

    recall(store, encoder, policy, ask, now, log=log, per_session=per_session, cut=cut)
    return shown


def doubt_of(memory: Memory) -> str:
    """Who or what speaks against a memory; "" where nothing does."""
    if memory.challenged_by is None:
        return ""
    return _DOUBTED.get(memory.challenged_by, "contradicted by another memory")


def _line(hit: Hit) -> Line:
    """Who said it when, and what else is to be known about it."""
    memory = hit.memory
    notes = ["archived"] if hit.archived else []
    if doubt := doubt_of(memory):
        notes.append(doubt)
    return Line(
        text=memory.text,
        source=memory.source.value,
        date=memory.created_at.date().isoformat(),
        trust=memory.trust,
        id=memory.id,
        note=", ".join(notes),
    )
