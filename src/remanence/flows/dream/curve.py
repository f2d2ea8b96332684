"""Step 1, the forgetting curve: what a sweep of the policy in force would do now, within what the breaker allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from remanence.flows.breaker import too_many
from remanence.flows.claims import leaves
from remanence.flows.dream.night import Night, Proposal, claim_key
from remanence.flows.dream.prune import KEPT
from remanence.flows.sweep import sweep
from remanence.model.claim import Claim
from remanence.model.memory import State
from remanence.model.moment import earlier
from remanence.model.plan import Change

STEP = "curve"


def propose(night: Night) -> Proposal:
    """A claim for each rule that acts."""
    before = earlier(night.now, KEPT) if night.prunes else None
    plan = sweep(night.store, night.policy, night.now, scope=night.scopes, pruned_before=before)
    changes = [change for change in plan if not change.action.is_offer]
    held_back = _too_many(night, changes)
    warnings = [warning for warning in plan.warnings if plan.refused is None or plan.refused not in warning]
    if held_back:
        warnings.append(f"{len(held_back)} more would leave, but that is more than an automatic run may take")
    by_rule: dict[str, list[Change]] = {}
    for change in changes:
        if change.memory_id not in held_back:
            by_rule.setdefault(change.reason, []).append(change)
    claims = []
    claimed: list[Change] = []
    for rule, some in by_rule.items():
        leaving = [change for change in some if "state" in change.after]
        key = claim_key(STEP, [rule])
        claims.append(
            Claim(
                key=key,
                step=STEP,
                title=f"{rule}: {some[0].action.value} {len(some)}",
                sources=tuple(dict.fromkeys(change.memory_id for change in some)),
                leaving=tuple(change.memory_id for change in leaving),
                evidence={"memories": len(some), "tokens": sum(c.evidence.get("tokens", 0) for c in leaving)},
            )
        )
        claimed += (replace(change, claim=key) for change in some)
    return Proposal(STEP, tuple(claims), tuple(claimed), tuple(warnings))


def _too_many(night: Night, changes: Iterable[Change]) -> set[str]:
    """Those that would leave beyond what the breaker allows in a day; the least worthy leave first."""
    leaving = [change for change in changes if change.before.get("state") == State.LIVE and "state" in change.after]
    if not leaving:
        return set()
    gone = {c.memory_id for c in night.today("dream", "sweep") if c.before.get("state") == State.LIVE and leaves(c)}
    left = Counter(memory.scope for memory in night.store.get(gone).values() if memory.state is not State.LIVE)
    return too_many(night.store, leaving, left)
