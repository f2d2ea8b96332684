"""The verbs of Mind that let memories age: sweep, dedup, upkeep, and what was and will be: explain, forecast."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from remanence.facets.artifacts import Artifacts
from remanence.facets.dreaming import Dreams
from remanence.facets.meaning import Meaning
from remanence.facets.policies import Policies
from remanence.facets.sessions import Sessions
from remanence.flows.upkeep import MOST_ON_OPEN, is_overdue, upkeep
from remanence.model.duration import duration
from remanence.model.explanation import Explanation, Forecast
from remanence.model.plan import Plan
from remanence.model.policy import Policy
from remanence.model.report import Held, Report
from remanence.settings import Settings
from remanence.store.protocol import Progress, Store


class Ageing:
    """What time does to memories."""

    policies: Policies
    meaning: Meaning
    dreams: Dreams
    sessions: Sessions
    artifacts: Artifacts
    settings: Settings
    _store: Store
    _now: Callable[[], datetime]
    _holder: str

    def sweep(
        self,
        scope: str | Iterable[str] | None = None,
        full: bool = False,
        *,
        limit: int | None = None,
        max_evict: int | None = None,
        progress: Progress | None = None,
    ) -> Plan:
        """What the policy's rules would do now, as a plan; `full` reads every memory instead of those that are due."""
        asked = {name: value for name, value in locals().items() if name != "self"}
        from remanence.flows.sweep import sweep

        return sweep(self._store, self.policies.current, self._now(), **asked)

    def dedup(self, scope: str | Iterable[str] | None = None) -> Plan:
        """Duplicates by words or by meaning: which older memories a newer one replaces, as a plan."""
        from remanence.flows.dedup import dedup

        return dedup(self._store, self._now(), scope, model=self.meaning.model)

    def upkeep(self, *, if_overdue: bool = False, progress: Progress | None = None) -> Report:
        """What a daily timer calls: sweep what is due and apply it, one process at a time; then sessions, and dreams.

        `if_overdue` is what opening a file does: only if the last one is an interval ago, and within bounds.
        """
        most = None
        if if_overdue:
            now, most = self._now(), MOST_ON_OPEN
            if not is_overdue(self._store, now, duration(self.settings.upkeep__interval)):
                return Report(at=now, ran=False, why="it is not due yet")
        report = upkeep(
            self._store,
            self.policies.current,
            self._now,
            self._holder,
            encoder=self.meaning.encoder,
            most=most,
            progress=progress,
        )
        if self.settings.memories__enabled and not if_overdue:
            report = replace(report, sessions=self.sessions.run())
        elif report.ran:
            self.artifacts.refresh()
        interval = self.settings.dream__interval
        if if_overdue or not report.ran or interval == "none" or not self.dreams.is_overdue(duration(interval)):
            return report
        return replace(report, dream=self.dreams.run())

    def explain(self, id: str) -> Explanation:
        """Every number behind a memory's fate, the rule that acts next and when, and what would change it."""
        from remanence.flows.explain import explain

        return explain(self._store, self.policies.current, id, self._now())

    def forecast(
        self, policy: str | Path | Policy | None = None, days: int = 90, *, progress: Progress | None = None
    ) -> Forecast:
        """What would leave in the next days, when and why, under this or another policy; nothing is touched."""
        from remanence.flows.forecast import forecast

        return forecast(self._store, self.policies.show(policy), self._now(), days, progress)

    def tiers(self) -> Mapping[str, int]:
        """How many live memories are hot, warm, cold and evictable now, under the policy in force."""
        from remanence.flows.tiers import tiers

        return tiers(self._store, self.policies.current, self._now())

    def sizes(self) -> Sequence[Held]:
        """What each set with a size target holds of what it may; of a target with many sets the 100 fullest."""
        from remanence.flows.sizes import held

        return held(self._store, self.policies.current, self._now())
