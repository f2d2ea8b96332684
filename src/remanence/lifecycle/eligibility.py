"""Which sessions are to be processed now: those that changed, have rested long enough and are not too old.

A session rests from its last observation, or from the last time it was begun again: at 12 hours it is ready, and up to
30 days after it. Newest first, at most 64 a run. One whose job failed waits until it is tried again; a dead one waits
to be wanted anew. One that is wanted by name is ready whatever its age. Where a policy says after how many days a
session without a summary is stale (`tiered`: 30), an older one is still read, so that it is not let go unsummarised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from remanence.model.session import STAGE_ONE, Session, Task

_MOST_DOUBLINGS = 10


def waits_for(
    session: Session,
    task: Task | None,
    now: datetime,
    *,
    idle_hours: float,
    age_days: float,
    stale_days: float | None = None,
) -> str | None:
    """Why a session is not to be processed now; None where it is."""
    idle = now - session.last_at
    if not session.changed:
        return "nothing new since it was processed"
    if task is not None and task.dead:
        return f"dead after {task.tries} tries: {task.why}"
    if task is not None and task.again_at is not None and task.again_at > now:
        return f"failed, is tried again at {task.again_at:%Y-%m-%d %H:%M} UTC: {task.why}"
    if task is not None and task.wanted_at is not None:
        return None
    if idle < timedelta(hours=idle_hours):
        return f"active within the last {idle_hours:g} hours"
    is_stale = stale_days is not None and session.summary is None and idle > timedelta(days=stale_days)
    if idle > timedelta(days=age_days) and not is_stale:
        return f"older than {age_days:g} days"
    return None


def ready(
    sessions: Iterable[Session],
    tasks: Mapping[str, Task],
    now: datetime,
    *,
    idle_hours: float,
    age_days: float,
    stale_days: float | None = None,
) -> list[Session]:
    """The sessions to process now: those wanted by name first, then the newest."""

    def is_ready(session: Session, task: Task | None) -> bool:
        return waits_for(session, task, now, idle_hours=idle_hours, age_days=age_days, stale_days=stale_days) is None

    paired = ((tasks.get(STAGE_ONE + session.id), session) for session in sessions)
    found = [(task, session) for task, session in paired if is_ready(session, task)]
    found.sort(
        key=lambda pair: (pair[0] is None or pair[0].wanted_at is None, -pair[1].last_at.timestamp(), pair[1].id)
    )
    return [session for _, session in found]


def again_at(tries: int, now: datetime, *, retry_minutes: float, max_tries: int) -> datetime | None:
    """When a job that failed for the n-th time is tried again: after 10, 20, 40 minutes; None: no more."""
    if tries >= max_tries:
        return None
    return now + timedelta(minutes=retry_minutes * 2 ** min(tries - 1, _MOST_DOUBLINGS))
