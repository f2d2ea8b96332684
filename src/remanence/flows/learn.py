"""learn: the numbers of a policy's curve, learned from this store's own accesses. Nothing is touched.

Reads the store's trace and fits the curve to it. Too little history is refused with what is missing and when to ask
again; moments of use that cannot be (before a birth, in the future) are left out and counted.
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
_GO_ON = "Nothing was changed. Go on using the store"


def learn(store: Store, policy: Policy, now: datetime, progress: Progress | None = None) -> tuple[Trace, Learned]:
    """What this store's past teaches of the policy's curve, and the past it was learned from."""
    if problems := policy_problems(policy):
        raise InvalidInput(problems)
    trace = recorded(store, now, progress)
    return trace, learned_from(trace, policy)


def learned_from(trace: Trace, policy: Policy) -> Learned:
    """The same from a trace; InvalidInput where it tells too little."""
    seen = idle(trace, policy)
    if problems := history_problems(trace, seen):
        raise InvalidInput(problems)
    return learned(seen, policy)


def policy_problems(policy: Policy) -> list[str]:
    """Why nothing can be learned for a policy; empty when it can."""
    if policy.curve == "power":
        return []
    return [
        f"policy {policy.name} ages by the curve {policy.curve}, and only power has a stability to learn: "
        "begin with one that has it, such as: rem policy use balanced"
    ]


def history_problems(trace: Trace, seen: Idle) -> list[str]:
    """Why a past is too short to learn from; empty when it is long enough."""
    days = (trace.ends - whole_from(trace)) / MICROS_PER_DAY
    needed_days = CHECKPOINTS_DAYS[0] + HORIZON_DAYS
    if days < needed_days:
        again = from_micros(trace.ends + round((needed_days - days) * MICROS_PER_DAY))
        return [
            f"this store's history is {days:.0f} days long, and whether an idle memory is used again is known after "
            f"{needed_days}. {_GO_ON}, and ask again after {_day(again)}"
        ]
    problems = []
    if seen.memories < LEAST_MEMORIES:
        known = known_at(trace, LEAST_MEMORIES)
        later = f", and ask again after {_day(from_micros(known))}" if known and known > trace.ends else ""
        problems.append(
            f"of {seen.memories:,} memories it is known whether they were used again after lying idle; at least "
            f"{LEAST_MEMORIES} are needed to learn. {_GO_ON}{later}"
        )
    if seen.used_again < LEAST_USED:
        problems.append(
            f"{seen.used_again:,} of {seen.memories:,} memories were used again after lying idle for a day; at least "
            f"{LEAST_USED} are needed to learn. {_GO_ON}: what is never recalled teaches no curve"
        )
    return problems


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"
