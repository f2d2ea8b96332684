"""Reviews that are due: what a policy wants a person to look at, once a month, once a year, or when a project ends.

When a review was last done is kept as a job of the store; before the first one the store's beginning counts.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from remanence.errors import InvalidInput
from remanence.model import checks
from remanence.model.memory import State
from remanence.model.policy import Policy
from remanence.model.selection import Selection
from remanence.store.protocol import Store

HISTORICAL, ARCHIVE = "historical", "archive"
_NUMBERS = {HISTORICAL: "historical_review_days", ARCHIVE: "archive_review_days"}
_COMPLETED = Selection(kinds=("project_status",), categories=("completed",))


def due_reviews(store: Store, policy: Policy, now: datetime) -> list[str]:
    """What a person should look at, each as a sentence."""
    found = []
    for name, number in _NUMBERS.items():
        days = policy.numbers.get(number, float("inf"))
        if days == float("inf"):
            continue
        since = store.job(_job(name)).finished_at or store.begun_at()
        if since is not None and now - since > timedelta(days=days) and (held := _held(store, policy, name, now)):
            found.append(
                f"the {name} review is due: {held:,} {'memory' if held == 1 else 'memories'}, "
                f"last looked at {since:%Y-%m-%d}. When done: rem policy reviewed {name}"
            )
    if policy.project_scopes:
        done = sorted({memory.scope for memory in store.select(_COMPLETED, limit=100)})
        found += (
            f"project {scope} is completed: look at what should stay with: rem list --scope {scope}" for scope in done
        )
    return found


def _held(store: Store, policy: Policy, name: str, now: datetime) -> int:
    if name == HISTORICAL:
        days = policy.numbers.get("historical_days", 90.0)
        return store.total_born_before((now - timedelta(days=min(days, 36_500))).date()).memories
    return sum(number for (_, state), number in store.state_counts().items() if state is State.ARCHIVED)


def reviewed(store: Store, name: str, now: datetime) -> None:
    """Note that a person has looked."""
    if problems := checks.choice_problems(name, "review", _NUMBERS):
        raise InvalidInput(problems)
    lease = store.claim(_job(name), "review", now, 1.0)
    if lease is not None:
        store.finish(lease, now)


def _job(name: str) -> str:
    return f"review {name}"
