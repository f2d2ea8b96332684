"""learn: the numbers of a policy's curve, learned from this store's own accesses. Nothing is touched.

Reads the store's trace and fits the curve to it, beginning with the numbers that the policy in force was learned from
itself, or with its own. Too little history is refused with what is missing and when to ask again; moments of use that
cannot be (before a birth, in the future) are left out and counted.
"""

from __future__ import annotations

from datetime import datetime

from remanence.errors import InvalidInput
from remanence.flows.trace import recorded
from remanence.lifecycle.idleness import CHECKPOINTS_DAYS, HORIZON_DAYS, Idle, idle, known_at, whole_from
from remanence.lifecycle.learning import learned
from remanence.model.learned import Learned
from remanence.model.moment import MICROS_PER_DAY, from_micros
from remanence.model.policy import Policy
from remanence.model.trace import Trace
from remanence.store.protocol import Progress, Store

LEAST_MEMORIES, LEAST_USED = 30, 10
_WAIT_DAYS = CHECKPOINTS_DAYS[0] + HORIZON_DAYS
_GO_ON = "Nothing was changed. Go on using the store, and ask again after"


def learn(
    store: Store, policy: Policy, now: datetime, progress: Progress | None = None, *, in_force: Policy | None = None
) -> tuple[Trace, Learned]:
    """What this store's past teaches of a policy's curve, beside the one in force, and the past it was learned from."""
    if problems := policy_problems(policy):
        raise InvalidInput(problems)
    trace = recorded(store, now, progress)
    return trace, learned_from(trace, policy, in_force, f"namespace {store.namespace!r}")


def learned_from(trace: Trace, policy: Policy, in_force: Policy | None = None, where: str = "this trace") -> Learned:
    """The same from a trace; InvalidInput where it tells too little."""
    seen = idle(trace, policy)
    if problems := history_problems(trace, seen, where):
        raise InvalidInput(problems)
    other = None if in_force is None or in_force == policy else idle(trace, in_force)
    return learned(seen, policy, other)


def policy_problems(policy: Policy) -> list[str]:
    """Why nothing can be learned for a policy; empty when it can."""
    if policy.curve == "power":
        return []
    return [
        f"policy {policy.name} ages by the curve {policy.curve}, and only power has a stability to learn: "
        "begin with one that has it, such as: rem policy use balanced"
    ]


def history_problems(trace: Trace, seen: Idle, where: str = "this trace") -> list[str]:
    """Why a past is too short to learn from, and, at the end, when to ask again; empty when it is long enough."""
    days = (trace.ends - whole_from(trace)) / MICROS_PER_DAY
    if days < _WAIT_DAYS:
        again = trace.ends + round((_WAIT_DAYS - days) * MICROS_PER_DAY)
        return [
            f"the history of {where} is {days:.0f} days long, and whether an idle memory is used again is known after "
            f"{_WAIT_DAYS}. {_GO_ON} {_day(again)}"
        ]
    problems, again, then = [], trace.ends + _WAIT_DAYS * MICROS_PER_DAY, ""
    if seen.memories < LEAST_MEMORIES:
        known = known_at(trace, LEAST_MEMORIES)
        if known is None:
            then = f", or {_WAIT_DAYS} days after there are {LEAST_MEMORIES} memories, if that is later"
        elif known > trace.ends:
            again = known
        problems.append(
            f"of {seen.memories:,} memories it is known whether they were used again after lying idle; at least "
            f"{LEAST_MEMORIES} are needed to learn"
        )
    if seen.used_again < LEAST_USED:
        problems.append(
            f"{seen.used_again:,} of {seen.memories:,} memories were used again after lying idle for a day; at least "
            f"{LEAST_USED} are needed to learn: what is never recalled teaches no curve"
        )
    if problems:
        problems[-1] += f". {_GO_ON} {_day(again)}{then}"
    return problems


def _day(micros: int) -> str:
    moment = from_micros(micros)
    return f"{moment.day} {moment:%B %Y}"
