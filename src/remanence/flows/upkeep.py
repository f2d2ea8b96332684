"""upkeep: what a daily timer calls. One process at a time, under a lease: date what is undated, sweep, apply.

Then vectors get the precision that fits, names are taken from new memories, recalls of more than 30 days ago leave the
log, what waits is embedded, and a purge that could not be finished is tried again.

Running it again changes nothing. Where a sweep would take more than the breaker allows, the least worthy leave up to
the limit and the rest is reported, for a person to look at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from remanence.errors import LeaseLost, RemanenceError
from remanence.flows.apply import apply
from remanence.flows.breaker import too_many
from remanence.flows.living import for_dating
from remanence.flows.meaning import Drained, drain
from remanence.model.memory import State
from remanence.model.moment import earlier
from remanence.model.plan import Action, Change, Plan
from remanence.model.policy import Policy
from remanence.model.report import Report
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Progress, Store

JOB = "upkeep"
BREAKER = "breaker"
LOG_KEPT = timedelta(days=30)
_PAUSE = timedelta(days=1)
LEASE_SECONDS = 60.0
MOST_ON_OPEN = 1_000
_DATED_BETWEEN_BEATS = 400_000
_EMBEDDED_BETWEEN_BEATS = 128
_READ_ON_OPEN = 20_000
_NAMED_BETWEEN_BEATS = 20_000


def is_overdue(store: Store, now: datetime, interval: timedelta) -> bool:
    """Whether the last upkeep, or else the store's beginning, is at least the interval ago."""
    since = store.job(JOB).finished_at or store.begun_at()
    # A last time that lies ahead was told by a clock that has been set right since.
    return since is not None and (now - since >= interval or since > now)


def upkeep(
    store: Store,
    policy: Policy,
    clock: Callable[[], datetime],
    holder: str,
    *,
    encoder: Encoder | None = None,
    most: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Do what is due; `most` bounds both the memories dated and those that leave."""
    from remanence.flows.dating import date_all
    from remanence.flows.entities import name_all
    from remanence.flows.fade import fade
    from remanence.flows.sweep import sweep

    now = clock()
    lease = store.claim(JOB, holder, now, LEASE_SECONDS)
    if lease is None:
        return Report(at=now, ran=False, why=f"another process is at it: {store.job(JOB).holder}")
    try:
        policy = for_dating(store, policy, now)
        dated = 0
        while True:
            step = date_all(store, policy, progress, _DATED_BETWEEN_BEATS if most is None else _READ_ON_OPEN)
            dated += step
            lease = store.beat(lease, clock(), LEASE_SECONDS)
            if step == 0 or most is not None:
                break
        plan = sweep(store, policy, now, limit=most, most_read=None if most is None else _READ_ON_OPEN)
        kept, left = within_breaker(store, plan, now)
        lease = store.beat(lease, clock(), LEASE_SECONDS)
        receipt = apply(store, kept, now, force=True, lease=lease) if _changes(kept) else None
        faded = fade(store, policy, now, most)
        while name_all(store, most=_NAMED_BETWEEN_BEATS if most is None else most) and most is None:
            lease = store.beat(lease, clock(), LEASE_SECONDS)
        store.log.forget_before(earlier(now, LOG_KEPT))
        embedded, waiting = 0, Drained(0, 0)
        while encoder is not None and most is None:
            lease = store.beat(lease, clock(), LEASE_SECONDS)
            waiting = drain(store, encoder, clock, holder, most=_EMBEDDED_BETWEEN_BEATS, again=embedded == 0)
            embedded += waiting.embedded
            if waiting.why or waiting.embedded < _EMBEDDED_BETWEEN_BEATS:
                break
        store.finish(lease, clock())
    except LeaseLost as lost:
        return Report(at=now, ran=False, why=str(lost))
    except BaseException:
        with suppress(RemanenceError):
            store.beat(lease, clock(), 0)  # free for the next try
        raise
    unfinished = store.unfinished_purge()
    done = receipt.changes if receipt else ()
    offered = {change.memory_id for change in plan if change.action.is_offer}
    warnings = [warning for warning in plan.warnings if plan.refused is None or plan.refused not in warning]
    if left:
        warnings.append(
            f"{left} more would leave, but that is more than an automatic run may take. Look at them with: rem sweep"
        )
    if waiting.why:
        warnings.append(f"{waiting.left} memories wait to be embedded: {waiting.why}")
    if unfinished:
        warnings.append(f"a purge is not finished: {unfinished}")
    return Report(
        at=now,
        ran=policy.enabled,
        why="" if policy.enabled else plan.warnings[0],
        receipt_id=receipt.id if receipt else None,
        archived=sum(change.after.get("state") == State.ARCHIVED for change in done),
        forgotten=sum(change.after.get("state") == State.FORGOTTEN for change in done),
        moved=sum("layer" in change.after for change in done),
        dated=dated,
        faded=faded,
        embedded=embedded,
        left=left,
        skipped=len(set(receipt.skipped) - offered) if receipt else 0,
        offered=len(offered),
        by_rule=dict(Counter(change.reason for change in done)),
        warnings=tuple(warnings),
    )


def _changes(plan: Plan) -> bool:
    return any(not change.action.is_offer for change in plan)


def within_breaker(store: Store, plan: Plan, now: datetime) -> tuple[Plan, int]:
    """The plan without what the breaker would refuse, and how many that are; the least worthy leave first.

    Once it has held a plan back nothing more leaves for a day: calling again must not get around it.
    """
    leaving = [change for change in plan if _leaves_recall(change)]
    if not leaving:
        return plan, 0
    held_back = store.job(BREAKER).finished_at
    if held_back is not None and abs(now - held_back) < _PAUSE:
        return replace(plan, changes=tuple(c for c in plan if not _leaves_recall(c))), len(leaving)
    dropped = too_many(store, leaving)
    if not dropped:
        return plan, 0
    if (lease := store.claim(BREAKER, "upkeep", now, 1.0)) is not None:
        store.finish(lease, now)
    kept = tuple(c for c in plan if not (c.memory_id in dropped and _leaves_recall(c)))
    return replace(plan, changes=kept), len(dropped)


def _leaves_recall(change: Change) -> bool:
    return change.action in (Action.ARCHIVE, Action.FORGET) and change.before.get("state") == State.LIVE
