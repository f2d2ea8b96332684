"""The pipeline: events that wait are taken in, sessions that are ready become memories, projects get their artifacts.

Each session and each project is a job under a lease of its own: two workers never do the same one, a worker that was
frozen and replaced can write no more, and one that died is replaced when its time is up. A job that fails is tried
again later, each time twice as late, and is dead after so many tries; the queue says why. Running it again changes
nothing.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from remanence.errors import LeaseLost, RemanenceError, StoreError
from remanence.lifecycle.eligibility import again_at, ready
from remanence.model.lease import Lease
from remanence.model.policy import Policy
from remanence.model.session import STAGE_ONE, STAGE_TWO, Processed, Session, SessionRun, Task, Written
from remanence.providers.prompts import Prompts
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Progress, Store

if TYPE_CHECKING:
    from remanence.flows.extract import Model

_LOG = logging.getLogger(__name__)
_Done = TypeVar("_Done")
STALE_DAYS = "stale_session_days"
"""The number of a policy after which a session without a summary is stale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What bounds a run."""

    idle_hours: float
    age_days: float
    sessions: int
    concurrency: int
    stage_one_tokens: int
    stage_one_lease_seconds: float
    stage_two_tokens: int
    stage_two_lease_seconds: float
    injection_tokens: int
    max_tries: int
    retry_minutes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """What a run works with."""

    store: Store
    encoder: Encoder | None
    policy: Policy
    clock: Callable[[], datetime]
    new_id: Callable[[datetime], str]
    holder: str
    limits: Limits
    model: Model | None
    small_model: Model | None
    prompts: Prompts
    folder: Callable[[str], str]
    """Where the artifacts of a project are."""
    personal: Collection[str] = ()

    @property
    def eligibility(self) -> dict[str, Any]:
        """What says which sessions are ready; a policy may have old ones read that have no summary."""
        stale_days = self.policy.numbers.get(STALE_DAYS)
        return {"idle_hours": self.limits.idle_hours, "age_days": self.limits.age_days, "stale_days": stale_days}


def run(
    pipeline: Pipeline,
    *,
    only: Collection[str] | None = None,
    drained: int = 0,
    progress: Progress | None = None,
) -> SessionRun:
    """Process what is ready and write what is wanted; `only` these sessions, however many and whatever their age."""
    started = pipeline.clock()
    sessions, left = _chosen(pipeline, started, only)
    failed: list[Task] = []
    processed = _each(pipeline, sessions, failed, progress)
    written = _stage_two(pipeline, failed)
    return SessionRun(
        at=started,
        drained=drained,
        processed=tuple(processed),
        written=tuple(written),
        failed=tuple(failed),
        left=left,
    )


def _chosen(pipeline: Pipeline, now: datetime, only: Collection[str] | None) -> tuple[list[Session], int]:
    """The sessions of this run, and how many more are ready."""
    store, limits = pipeline.store, pipeline.limits
    if only is not None:
        return [session for id in only if (session := store.sessions.get(id)) is not None and session.changed], 0
    tasks = {task.name: task for task in store.queue.tasks(STAGE_ONE)}
    changed = store.sessions.changed()
    if idle := tasks.keys() - {STAGE_ONE + session.id for session in changed}:
        store.queue.drop(idle)  # wanted, or failed, and processed since
    found = ready(changed, tasks, now, **pipeline.eligibility)
    return found[: limits.sessions], max(0, len(found) - limits.sessions)


def _each(
    pipeline: Pipeline, sessions: Sequence[Session], failed: list[Task], progress: Progress | None
) -> list[Processed]:
    """Stage 1 of these sessions, several at once where a model is waited for."""
    done: list[Processed] = []
    worked = 0
    lock = threading.Lock()

    def work(session: Session) -> None:
        nonlocal worked
        result = _stage_one(pipeline, session, failed)
        with lock:
            worked += 1
            if result is not None:
                done.append(result)
            if progress is not None:
                progress(worked, len(sessions))

    workers = pipeline.limits.concurrency if pipeline.model is not None else 1
    if workers == 1 or len(sessions) < 2:
        for session in sessions:
            work(session)
    else:
        with ThreadPoolExecutor(workers, thread_name_prefix="stage1") as pool:
            list(pool.map(work, sessions))
    return sorted(done, key=lambda one: one.session)


def _stage_one(pipeline: Pipeline, session: Session, failed: list[Task]) -> Processed | None:
    from remanence.sessions.stage_one import stage_one

    store, limits = pipeline.store, pipeline.limits

    def work(held: _Held) -> Processed | None:
        fresh = store.sessions.get(session.id)
        if fresh is None or not fresh.changed:
            return None
        return stage_one(
            store,
            pipeline.encoder,
            fresh,
            pipeline.clock(),
            pipeline.new_id,
            model=pipeline.model,
            personal=pipeline.personal,
            token_limit=limits.stage_one_tokens,
            lease=held.lease,
            beat=held.beat,
            # By the clock as it is then: whoever is writing the artifacts just now has not seen what is new.
            also=lambda: store.queue.want(STAGE_TWO + fresh.project, pipeline.clock()),
        )

    return _as_job(pipeline, STAGE_ONE + session.id, limits.stage_one_lease_seconds, work, failed)


def _stage_two(pipeline: Pipeline, failed: list[Task]) -> list[Written]:
    now = pipeline.clock()
    tasks = pipeline.store.queue.tasks(STAGE_TWO)
    due = [task.name for task in tasks if not task.dead and (task.again_at is None or task.again_at <= now)]
    done = (write(pipeline, name.removeprefix(STAGE_TWO), failed) for name in due if _is_wanted(pipeline, name))
    return [made for made in done if made is not None]


def _is_wanted(pipeline: Pipeline, name: str) -> bool:
    """Whether nobody has done it since the jobs were listed."""
    return any(task.name == name for task in pipeline.store.queue.tasks(name))


def write(pipeline: Pipeline, project: str, failed: list[Task]) -> Written | None:
    """Stage 2 of one project; None where another process is at it, or it failed."""
    from remanence.sessions.stage_two import stage_two

    limits = pipeline.limits

    def work(held: _Held) -> Written:
        return stage_two(
            pipeline.store,
            pipeline.encoder,
            pipeline.policy,
            project,
            pipeline.folder(project),
            pipeline.clock(),
            pipeline.new_id,
            model=pipeline.small_model,
            personal=pipeline.personal,
            token_limit=limits.stage_two_tokens,
            injection_tokens=limits.injection_tokens,
            prompts=pipeline.prompts,
            lease=held.lease,
            beat=held.beat,
        )

    return _as_job(pipeline, STAGE_TWO + project, limits.stage_two_lease_seconds, work, failed)


class _Held:
    """A job's lease, which lasts on as long as its work beats."""

    def __init__(self, pipeline: Pipeline, lease: Lease, seconds: float) -> None:
        self._pipeline, self.lease, self._seconds = pipeline, lease, seconds
        self._beaten_at = pipeline.clock()

    def beat(self) -> None:
        """Go on; LeaseLost where another has taken over."""
        now = self._pipeline.clock()
        if abs((now - self._beaten_at).total_seconds()) >= self._seconds / 4:
            self.lease = self._pipeline.store.beat(self.lease, now, self._seconds)
            self._beaten_at = now


def _as_job(
    pipeline: Pipeline, name: str, seconds: float, work: Callable[[_Held], _Done], failed: list[Task]
) -> _Done | None:
    """What the work gives; None where somebody else is at it, or it failed, which the queue then knows."""
    store, now = pipeline.store, pipeline.clock()
    lease = store.claim(name, pipeline.holder, now, seconds)
    if lease is None:
        return None
    held = _Held(pipeline, lease, seconds)
    try:
        done = work(held)
        with store.transaction():
            store.queue.done(held.lease, wanted_before=now)
            store.finish(held.lease, pipeline.clock())
        return done
    except LeaseLost as lost:
        _LOG.warning("%s", lost)
        return None
    except StoreError:  # the file is at fault, not the job
        _released(pipeline, held)
        raise
    except Exception as error:  # one session that cannot be read must not keep the others waiting
        _LOG.debug("%s failed", name, exc_info=True)
        failed.append(_failed(pipeline, held, error))
        return None
    except BaseException:
        _released(pipeline, held)
        raise


def _failed(pipeline: Pipeline, held: _Held, error: Exception) -> Task:
    """The job with its failure noted, free to be tried again."""
    store, limits, now = pipeline.store, pipeline.limits, pipeline.clock()
    why = _why(error)
    tries = next((task.tries for task in store.queue.tasks(held.lease.name) if task.name == held.lease.name), 0) + 1
    later = again_at(tries, now, retry_minutes=limits.retry_minutes, max_tries=limits.max_tries)
    try:
        with store.transaction():
            task = store.queue.failed(held.lease, now, why, later)
            store.beat(held.lease, now, 0)
            return task
    except LeaseLost:
        return Task(name=held.lease.name, failed_at=now, why=why)


def _why(error: Exception) -> str:
    """What is said of a failure; an error that is not ours may quote anything, so only its name is."""
    if isinstance(error, OSError):
        return f"{error.strerror or type(error).__name__}: {error.filename or 'a file'}"
    return str(error) if isinstance(error, RemanenceError) else f"unexpected {type(error).__name__}"


def _released(pipeline: Pipeline, held: _Held) -> None:
    with suppress(RemanenceError):
        pipeline.store.beat(held.lease, pipeline.clock(), 0)
