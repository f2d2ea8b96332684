"""lessons: what was learned, how sure it is by now, and when it leaves unless it is met again.

A lesson is remembered like anything else; the same text again reinforces it, and so does `reinforce` by its id.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from remanence.errors import InvalidInput
from remanence.flows.apply import apply
from remanence.flows.find import found
from remanence.model import checks
from remanence.model.lesson import LESSON, Lesson
from remanence.model.memory import Memory, State
from remanence.model.moment import from_micros, to_micros
from remanence.model.plan import Plan
from remanence.model.policy import Policy
from remanence.model.selection import LIMIT, selection_from
from remanence.store.protocol import Store


def listed(
    store: Store,
    policy: Policy,
    now: datetime,
    scope: str | Iterable[str] | None = None,
    limit: int = 100,
    offset: int = 0,
) -> list[Lesson]:
    """Live lessons, newest first."""
    problems = checks.integer_problems(limit, "limit", 1, LIMIT) + checks.integer_problems(offset, "offset", 0)
    try:
        selection = selection_from(scope=scope, kinds=LESSON)
    except InvalidInput as invalid:
        problems += invalid.problems
    if problems:
        raise InvalidInput(problems)
    return [seen(one, policy, now) for one in store.select(selection, limit=limit, offset=offset)]


def seen(memory: Memory, policy: Policy, now: datetime) -> Lesson:
    """A lesson as it stands now, and what will become of it under the policy."""
    from remanence.lifecycle.lessons import confidence_now, confident_since

    leaves_at, leaves_by = _leaving(memory, policy, now)
    return Lesson(
        memory=memory,
        confidence=confidence_now(memory, now),
        since=confident_since(memory),
        leaves_at=leaves_at,
        leaves_by=leaves_by,
    )


def _leaving(memory: Memory, policy: Policy, now: datetime) -> tuple[datetime | None, str | None]:
    """When a rule next takes it out of recall, and which; None where none will."""
    from remanence.lifecycle.due import next_hold
    from remanence.lifecycle.forgetting import NO_RULE, decide, rules_of
    from remanence.model.columns import columns_of

    if memory.state is not State.LIVE or not policy.enabled:
        return None, None
    columns = columns_of([memory])
    at = next_hold(columns, policy, to_micros(now))
    number = NO_RULE if at is None else int(decide(columns, policy, at).removed[0])
    if at is None or number == NO_RULE:
        return None, None
    return from_micros(at), rules_of(policy)[number].name


def reinforce(store: Store, policy: Policy, id: str, now: datetime) -> Lesson:
    """A lesson that was met again is surer than it is by now."""
    from remanence.lifecycle.lessons import reinforced

    with store.transaction():
        memory = found(store, id, what="lesson", see="rem lesson list")
        if memory.kind != LESSON:
            raise InvalidInput(f"memory {id} is no lesson but of kind {memory.kind!r}. See: rem lesson list")
        if memory.state is not State.LIVE:
            raise InvalidInput(
                f"lesson {id} is {memory.state}, and only a live one is reinforced. Run: rem restore {id}"
            )
        apply(store, Plan((reinforced(memory, now),), verb="reinforce"), now, strict=True)
        return seen(found(store, id), policy, now)
