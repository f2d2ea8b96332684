"""mind.sessions: what agents do, captured, and worked off into memories and artifacts.

`start`, `observe` and `end` are for agents in Python; hooks and importers bring the rest. `run` does what is ready: it
is called by `rem work`, by the background run of a hook, or by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remanence.errors import InvalidInput, NotFound, StoreUnavailable
from remanence.facets.absorbing import Absorbing
from remanence.facets.artifacts import Artifacts, project_scope
from remanence.facets.policies import Policies
from remanence.model import checks
from remanence.model.intake import BroughtIn, Intake
from remanence.model.selection import LIMIT
from remanence.model.session import (
    STAGE_ONE,
    STAGE_TWO,
    TOOL,
    USER,
    Observation,
    Session,
    SessionRun,
    Task,
    Watched,
    Written,
)
from remanence.places import spool_of
from remanence.providers.protocol import Encoder
from remanence.settings import Settings
from remanence.store.protocol import Progress, Store

if TYPE_CHECKING:
    from remanence.sessions.pipeline import Pipeline

_DRAINED_ON_OPEN = 5_000
_BY_HAND = "library"


class Sessions:
    """The sessions of one mind."""

    def __init__(
        self,
        store: Store,
        encoder: Encoder | None,
        policies: Policies,
        absorbing: Absorbing,
        now: Callable[[], datetime],
        new_id: Callable[[datetime], str],
        holder: str,
        settings: Settings,
        path: str | None,
        artifacts: Artifacts,
    ) -> None:
        self._store = store
        self._encoder = encoder
        self._policies = policies
        self._absorbing = absorbing
        self._now = now
        self._new_id = new_id
        self._holder = holder
        self._settings = settings
        self._path = path
        self._artifacts = artifacts

    # -- capture

    def start(
        self, project: str | Path = "/", *, id: str | None = None, agent: str = _BY_HAND, at: datetime | None = None
    ) -> Session:
        """Begin a session, or go on with the one of this id."""
        from remanence.sessions.capture import session_problems

        scope, moment = project_scope(project), self._moment(at)
        chosen = self._new_id(moment) if id is None else id
        if problems := session_problems(chosen, scope, agent):
            raise InvalidInput(problems)
        return self._store.sessions.begin(chosen, scope, agent, moment)

    def observe(
        self,
        session: str | Session,
        said: str | Mapping[str, Any] = "",
        *,
        role: str = USER,
        tool: str | None = None,
        call: str = "",
        failed: bool = False,
        at: datetime | None = None,
        key: str | None = None,
    ) -> Session:
        """Add what was said, or what a tool was called with (`call`) and gave back; a message as a dict will do too."""
        from remanence.sessions.capture import capture, observation_problems

        known = self._found(session)
        text: Any = said
        if isinstance(said, Mapping):
            text, role = said.get("content", said.get("text", "")), str(said.get("role", role))
        moment = self._moment(at)
        seen = Observation(
            role=TOOL if tool is not None and role == USER else role,
            text=text,
            at=moment,
            tool=tool,
            call=call,
            failed=failed,
            key=key,
        )
        if problems := observation_problems([seen]) + checks.flag_problems(failed, "failed"):
            raise InvalidInput(problems)
        personal = self._settings.guard__personal
        capture(self._store, known.id, known.project, known.agent, [seen], moment, via=_BY_HAND, personal=personal)
        return self._found(known)

    def end(self, session: str | Session, *, at: datetime | None = None) -> Session:
        """The session is over; it is processed once it has rested."""
        known = self._found(session)
        self._store.sessions.end(known.id, self._moment(at))
        return self._found(known)

    # -- reading

    def list(self, project: str | Path | None = None, limit: int = 100, offset: int = 0) -> list[Session]:
        """Sessions, newest first."""
        problems = checks.integer_problems(limit, "limit", 1, LIMIT) + checks.integer_problems(offset, "offset", 0)
        if problems:
            raise InvalidInput(problems)
        self.drain()
        scopes = None if project is None else (project_scope(project),)
        return self._store.sessions.listed(scopes, limit, offset)

    def show(self, id: str | Session) -> Watched:
        """A session with what was observed in it, and the ids of what was learned."""
        self.drain()
        session = self._found(id)
        seen = tuple(one for page in self._store.sessions.observations(session.id) for one in page)
        return Watched(session, seen, self._learned(session))

    def queue(self) -> Sequence[Task]:
        """Jobs: sessions that changed with what they wait for, projects that wait, and what failed, with the reason."""
        from remanence.lifecycle.eligibility import waits_for

        self.drain()
        now, eligibility = self._now(), self.pipeline().eligibility
        tasks = {task.name: task for task in self._store.queue.tasks()}
        for session in self._store.sessions.changed():
            name = STAGE_ONE + session.id
            task = tasks.get(name)
            why = waits_for(session, task, now, **eligibility)
            tasks[name] = replace(task or Task(name=name), why=why or "ready")
        for name, task in tasks.items():
            if name.startswith(STAGE_TWO) and not task.why:
                tasks[name] = replace(task, why="ready")
        return [tasks[name] for name in sorted(tasks)]

    # -- work

    def enqueue(self, session: str | Session) -> Task:
        """Want a session processed by the next run, whatever its age and however often it failed."""
        name = STAGE_ONE + self._found(session).id
        with self._store.transaction():
            self._store.queue.drop([name])  # whoever asks by name need not wait until a failed one is tried again
            self._store.queue.want(name, self._now())
        return next(task for task in self._store.queue.tasks(name) if task.name == name)

    def drain(self, most: int = _DRAINED_ON_OPEN) -> int:
        """Take in the events that hooks left beside the store; how many."""
        if self._path is None or not Path(spool := spool_of(self._path)).is_dir():
            return 0
        from remanence.sessions.drain import drain

        return drain(
            self._store,
            spool,
            self._now(),
            personal=self._settings.guard__personal,
            most=most,
            enabled=self._settings.memories__enabled,
        ).events

    def drain_all(self, *, tidy: bool = False) -> int:
        """Take in every event that waits; how many. `tidy`: broken ones that were put aside are removed."""
        drained = 0
        while step := self.drain():
            drained += step
        if tidy and self._path is not None:
            from remanence.sessions.spool import remove_aside

            remove_aside(spool_of(self._path))
        return drained

    def run(self, *, only: Iterable[str] | None = None, progress: Progress | None = None) -> SessionRun:
        """Take in events, process the sessions that are ready, write artifacts; `only` these, whatever their age."""
        from remanence.sessions.pipeline import run

        if only is not None and (isinstance(only, (str, bytes)) or not isinstance(only, Iterable)):
            raise InvalidInput(f"only must be a list of sessions, not {type(only).__name__}")
        drained = self.drain_all()
        chosen = None if only is None else [self._found(one).id for one in only]
        done = run(self.pipeline(), only=chosen, drained=drained, progress=progress)
        self._artifacts.refresh(forced=False)
        return done

    def rebuild(self, project: str | Path) -> Written | None:
        """Write a project's artifacts anew; None where another process is at it."""
        from remanence.sessions.pipeline import write

        scope = project_scope(project)
        self._store.queue.want(STAGE_TWO + scope, self._now())
        failed: list[Task] = []
        written = write(self.pipeline(), scope, failed)
        if failed:
            raise StoreUnavailable(
                f"The artifacts in {self._artifacts.folder(scope)} could not be written: {failed[0].why}"
            )
        return written

    def look(self, path: str | Path, kind: str | None = None, *, progress: Progress | None = None) -> Intake:
        """What importing a file, or a folder of files, would bring, and what of it is junk; nothing is stored."""
        from remanence.sessions.intake import look

        return look(path, kind, self._now(), personal=self._settings.guard__personal, progress=progress)

    def import_(
        self,
        path: str | Path,
        kind: str | None = None,
        *,
        scope: str | None = None,
        progress: Progress | None = None,
    ) -> BroughtIn:
        """Bring in conversations that another program kept; again, or after a stop, only what is new."""
        from remanence.sessions.intake import bring_in

        return bring_in(
            self._store,
            path,
            kind,
            self._now(),
            self._new_id,
            encoder=self._encoder,
            scope=scope,
            personal=self._settings.guard__personal,
            progress=progress,
        )

    def pipeline(self) -> Pipeline:
        """What a run that begins now works with."""
        from remanence.sessions.pipeline import Limits, Pipeline

        chosen = self._settings
        return Pipeline(
            store=self._store,
            encoder=self._encoder,
            policy=self._policies.current,
            clock=self._now,
            new_id=self._new_id,
            holder=self._holder,
            limits=Limits(
                idle_hours=chosen.memories__min_rollout_idle_hours,
                age_days=chosen.memories__max_rollout_age_days,
                sessions=chosen.memories__max_rollouts_per_startup,
                concurrency=chosen.memories__stage_one_concurrency,
                stage_one_tokens=chosen.memories__stage_one_token_limit,
                stage_one_lease_seconds=chosen.memories__stage_one_lease_seconds,
                stage_two_tokens=chosen.memories__stage_two_token_limit,
                stage_two_lease_seconds=chosen.memories__stage_two_lease_seconds,
                injection_tokens=chosen.memories__summary_injection_token_limit,
                max_tries=chosen.memories__max_tries,
                retry_minutes=chosen.memories__retry_minutes,
            ),
            model=self._absorbing.asking(),
            small_model=self._absorbing.asking(small=True),
            prompts=self._absorbing.prompts,
            folder=self._artifacts.folder,
            personal=chosen.guard__personal,
        )

    def _found(self, session: str | Session) -> Session:
        id = session.id if isinstance(session, Session) else session
        if problems := checks.string_problems(id, "session id"):
            raise InvalidInput(problems)
        if (known := self._store.sessions.get(id)) is None:
            raise NotFound(f"No session {id!r} here. See: rem session list")
        return known

    def _learned(self, session: Session) -> tuple[str, ...]:
        """The summary of a session, and what was made from it or from an earlier version of it."""
        versions: list[str] = []
        next_ = session.summary
        while next_ is not None and (memory := self._store.get([next_]).get(next_)) is not None:
            versions.append(next_)
            next_ = memory.supersedes
        made = self._store.made_from(versions)
        learned = (id for version in reversed(versions) for id in made.get(version, ()))
        return (*versions[:1], *dict.fromkeys(learned))

    def _moment(self, at: datetime | None) -> datetime:
        from remanence.model.moment import moment_problems

        if at is None:
            return self._now()
        if problems := moment_problems(at, "at"):
            raise InvalidInput(problems)
        return at
