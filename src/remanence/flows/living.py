"""living: a policy is told how the store it is used on was lived in, where its clock or its pace hang on that."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from remanence.lifecycle.regret import gains, slowing
from remanence.model.lived import Lived
from remanence.model.policy import Policy
from remanence.store.protocol import Store


def asks(policy: Policy) -> bool:
    """Whether a policy ages memories by how a store was lived in."""
    return policy.active_clock or bool(gains(policy))


def slowed(policy: Policy) -> dict[str, float]:
    """The kinds that decay more slowly here, since archived memories of theirs were missed, each with its factor."""
    from remanence.lifecycle.measures import overridden

    missed = {} if policy.lived is None else policy.lived.missed
    found = {kind: slowing(missed[kind], overridden(policy, "/", kind, "regret_gain", 0.0)) for kind in sorted(missed)}
    return {kind: factor for kind, factor in found.items() if factor > 1.0}


def with_lived(policy: Policy, lived: Lived) -> Policy:
    """The policy as it is used on a store that was lived in so; the same object where nothing changed."""
    if policy.lived is lived or not asks(policy):
        return policy
    return replace(policy, lived=lived)


def for_dating(store: Store, policy: Policy, now: datetime) -> Policy:
    """The same before dates are made and rules decide, with all that was recalled and missed up to now."""
    return with_lived(policy, store.weighed(now)) if asks(policy) else policy
