"""consolidate: session summaries, memories and patterns → facts, insights and procedures that outlive them, as a plan.

Four tiers, each for itself: semantic, reflect, procedural, decay. A tier that has too little to go by is skipped, and
the plan's warnings say why; all are skipped unless `consolidation.enabled` is set. Nothing leaves recall but an older
version of what is made anew. Running it twice changes nothing the second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from remanence.model.claim import Claim
from remanence.model.consolidation import DECAY, PROCEDURAL, REFLECT, SEMANTIC, tiers_from
from remanence.model.plan import Change, Plan

if TYPE_CHECKING:
    from remanence.flows.dream.night import Night, Proposal

VERB = "consolidate"
SWITCHED_OFF = "consolidation is switched off: set consolidation.enabled to true"


def consolidate(night: Night, tiers: str | Iterable[str] | None = None, *, enabled: bool) -> Plan:
    """What consolidation would make now, as a plan; `tiers` None or "all" is every tier."""
    chosen = tiers_from(tiers)
    if not enabled:
        warnings = tuple(f"{tier} skipped: {SWITCHED_OFF}" for tier in chosen)
        return Plan((), verb=VERB, automatic=True, warnings=warnings)
    changes: list[Change] = []
    claims: list[Claim] = []
    said: list[str] = []
    for tier in chosen:
        if night.is_over():
            said.append(f"{tier} skipped: the time of this run is used up; run it again to go on")
            continue
        proposal = _tiers()[tier](night)
        changes += proposal.changes
        claims += proposal.claims
        said += proposal.warnings
    by_model = sorted({claim.step for claim in claims if claim.llm})
    note = f"tiers {', '.join(chosen)}; llm: {'true (' + ', '.join(by_model) + ')' if by_model else 'false'}"
    return Plan(tuple(changes), VERB, automatic=True, note=note, warnings=tuple(said), claims=tuple(claims))


def _tiers() -> dict[str, Callable[[Night], Proposal]]:
    from remanence.flows.consolidate.decay import decay
    from remanence.flows.consolidate.procedural import procedural
    from remanence.flows.consolidate.reflect import reflect
    from remanence.flows.consolidate.semantic import semantic

    return {SEMANTIC: semantic, REFLECT: reflect, PROCEDURAL: procedural, DECAY: decay}
