"""Plans between making and applying: kept here for an hour, since what a client sends back could be anything.

A client gets a key with the plan and applies it by that, whole or some of its changes. Bounded in number; the oldest
goes first, and a restart forgets all of them: a plan is quickly made anew.
"""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass, replace

from remanence.errors import InvalidInput, NotFound
from remanence.model.plan import Plan

KEPT_SECONDS = 3600.0
MOST = 64
MOST_CHANGES = 2_000_000


@dataclass(frozen=True, slots=True)
class _Kept:
    plan: Plan
    owner: str
    until: float


class Plans:
    """The plans that clients were shown."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._turn = threading.Lock()

    def keep(self, plan: Plan, owner: str) -> Plan:
        """The plan with the key it is kept under, for this owner alone (a namespace and a token)."""
        key, now = secrets.token_urlsafe(12), time.monotonic()
        kept = replace(plan, key=key)
        with self._turn:
            self._kept = {name: one for name, one in self._kept.items() if one.until > now}
            self._kept[key] = _Kept(kept, owner, now + KEPT_SECONDS)
            while len(self._kept) > 1 and (
                len(self._kept) > MOST or sum(len(one.plan) for one in self._kept.values()) > MOST_CHANGES
            ):
                del self._kept[next(iter(self._kept))]
        return kept

    def take(self, key: str, owner: str, only: list[str] | None = None) -> Plan:
        """The plan of this key, or those of its changes that are named, as "MEMORY ACTION"."""
        with self._turn:
            kept = self._kept.get(key)
        if kept is None or kept.owner != owner or kept.until < time.monotonic():
            raise NotFound(f"There is no plan {key[:40]!r} here: one is kept for an hour. Make a new one")
        if only is None:
            return kept.plan
        wanted = set(only)
        chosen = tuple(change for change in kept.plan if f"{change.memory_id} {change.action.value}" in wanted)
        if missing := sorted(wanted - {f"{change.memory_id} {change.action.value}" for change in chosen}):
            raise NotFound(
                f"The plan {key[:40]!r} has no change {missing[0][:60]!r}: only wants names of its changes, each as "
                '"MEMORY_ID ACTION"'
            )
        claims = {change.claim for change in chosen}
        for change in kept.plan:
            if change.claim is not None and change.claim in claims and change not in chosen:
                raise InvalidInput(f"the changes of claim {change.claim} belong together: name all of them, or none")
        return replace(kept.plan, changes=chosen, claims=tuple(one for one in kept.plan.claims if one.key in claims))
