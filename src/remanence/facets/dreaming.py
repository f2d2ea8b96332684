"""The verbs of Mind that make new memories of old: dream, compact, consolidate, ingest; and mind.dreams.

Each but ingest gives a plan, to be read and applied. `mind.dreams` runs dreams unattended and tells
what past ones did.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remanence.errors import InvalidInput
from remanence.facets.absorbing import Absorbing
from remanence.facets.artifacts import Artifacts
from remanence.facets.care import file_path
from remanence.facets.meaning import Meaning
from remanence.facets.policies import Policies
from remanence.model import checks
from remanence.model.dream import DreamRun, Dreamt
from remanence.model.moment import later
from remanence.model.plan import Plan
from remanence.model.selection import LIMIT, selection_from
from remanence.settings import Settings
from remanence.store.protocol import Progress, Store

if TYPE_CHECKING:
    from remanence.flows.dream.night import Night
    from remanence.model.ingested import Ingested


class Dreaming:
    """What consolidates memories."""

    dreams: Dreams
    meaning: Meaning
    _store: Store
    _now: Callable[[], datetime]
    _new_id: Callable[[datetime], str]
    _personal: Collection[str]
    _holder: str
    settings: Settings

    def dream(
        self,
        scope: str | Iterable[str] | None = None,
        steps: str | Iterable[str] | None = None,
        *,
        progress: Progress | None = None,
    ) -> Plan:
        """What the steps of the dream propose: curve, cluster, cards, bridges, beliefs, drift, prune; as a plan."""
        from remanence.flows.dream.plan import chosen_steps, dream

        wanted = chosen_steps(steps)
        return dream(self.dreams.night(scope), wanted, progress)

    def compact(self, topic: str, scope: str | Iterable[str] | None = None) -> Plan:
        """One summary a scope of what is remembered about a topic, its sources archived, as a plan."""
        from remanence.flows.compact import compact

        return compact(self.dreams.night(scope), topic)

    def consolidate(self, tiers: str | Iterable[str] | None = None, scope: str | Iterable[str] | None = None) -> Plan:
        """Facts of session summaries, insights and procedures, as a plan; needs the setting consolidation.enabled."""
        from remanence.flows.consolidate import consolidate

        return consolidate(self.dreams.night(scope), tiers, enabled=self.settings.consolidation__enabled)

    def ingest(
        self, path: str | Path, *, scope: str = "/", dry_run: bool = False, progress: Progress | None = None
    ) -> Ingested:
        """Fill the codebase layer with the files and signatures of a source tree; again: only what changed."""
        from remanence.flows.ingest import ingest

        return ingest(
            self._store,
            file_path(path),
            self._now(),
            self._new_id,
            scope=scope,
            encoder=self.meaning.encoder,
            personal=self._personal,
            progress=progress,
            dry_run=dry_run,
            holder=self._holder,
        )


class Dreams:
    """The dreams of one mind."""

    def __init__(
        self,
        store: Store,
        policies: Policies,
        meaning: Meaning,
        absorbing: Absorbing,
        now: Callable[[], datetime],
        new_id: Callable[[datetime], str],
        holder: str,
        settings: Settings,
        artifacts: Artifacts,
    ) -> None:
        self._store = store
        self._artifacts = artifacts
        self._policies = policies
        self._meaning = meaning
        self._absorbing = absorbing
        self._now = now
        self._new_id = new_id
        self._holder = holder
        self._settings = settings

    def run(
        self, steps: str | Iterable[str] | None = None, scope: Any = None, *, progress: Progress | None = None
    ) -> DreamRun:
        """Dream and apply, step by step, one process at a time; what is left for want of time is done by the next."""
        from remanence.flows.dream.plan import chosen_steps
        from remanence.flows.dream.run import run

        wanted = None if steps is None and scope is None else chosen_steps(steps)
        done = run(
            self.night(scope),
            self._now,
            self._holder,
            wanted,
            personal=self._settings.guard__personal,
            progress=progress,
        )
        self._artifacts.refresh()
        return done

    def report(self, limit: int = 20) -> list[Dreamt]:
        """What past dreams merged and freed, and whether recalls have missed it since; newest first."""
        if problems := checks.integer_problems(limit, "limit", 1, LIMIT):
            raise InvalidInput(problems)
        from remanence.flows.dream.report import report

        return report(self._store, limit)

    def is_overdue(self, interval: timedelta) -> bool:
        """Whether the last whole dream is at least so long ago."""
        from remanence.flows.dream.run import JOB

        finished = self._store.job(JOB).finished_at
        now = self._now()
        return finished is None or now - finished >= interval or finished > now

    def night(self, scope: Any = None) -> Night:
        """What a dream that begins now is given."""
        from remanence.flows.dream.night import Night

        now = self._now()
        end = (
            None
            if self._settings.dream__seconds_per_run is None
            else later(now, timedelta(seconds=self._settings.dream__seconds_per_run))
        )
        spent = self._absorbing.spent
        most = self._settings.dream__tokens_per_run

        def is_over() -> bool:
            return end is not None and self._now() > end

        def may_ask() -> bool:
            return most is None or self._absorbing.spent - spent <= most

        self._meaning.complete(is_over)
        return Night(
            self._store,
            self._policies.current,
            now,
            self._new_id,
            scopes=selection_from(scope=scope).scopes,
            encoder=self._meaning.encoder,
            model=self._absorbing.asking(),
            may_ask=may_ask,
            roots=self._settings.dream__roots,
            is_over=is_over,
        )
