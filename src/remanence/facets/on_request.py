"""The verbs of Mind by which memories leave on request, softly or for good, and come back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from remanence.facets.artifacts import Artifacts
from remanence.facets.sessions import Sessions
from remanence.flows import forget as forgetting
from remanence.flows import purge as purging
from remanence.flows.apply import apply
from remanence.flows.restore import restore as back
from remanence.model.plan import Certificate, Plan, Receipt
from remanence.store.protocol import Store


class OnRequest:
    """What somebody asks to leave, and to come back."""

    artifacts: Artifacts
    sessions: Sessions
    _store: Store
    _now: Callable[[], datetime]
    _wait_seconds: float

    def forget(
        self,
        *,
        ids: Iterable[str] | None = None,
        scope: str | Iterable[str] | None = None,
        older_than: str | timedelta | None = None,
        categories: str | Iterable[str] | None = None,
        kinds: str | Iterable[str] | None = None,
        query: str | None = None,
    ) -> Receipt:
        """Take memories out of every recall, softly: restore and undo bring them back."""
        filters = {name: value for name, value in locals().items() if name != "self"}
        receipt = apply(self._store, self.plan_forget(**filters), self._now())
        self.artifacts.refresh()
        return receipt

    def plan_forget(self, **like_forget: Any) -> Plan:
        """What forget would do with these arguments, without doing it."""
        return forgetting.plan_forget(self._store, self._now(), **like_forget)

    def restore(self, *, ids: Iterable[str] | None = None, receipt: str | None = None) -> Receipt:
        """Bring memories back into recall, by id or all that a receipt took out."""
        restored = back(self._store, self._now(), ids=ids, receipt=receipt)
        self.artifacts.refresh(back=restored.applied)
        return restored

    def purge(
        self,
        *,
        ids: Iterable[str] | None = None,
        scope: str | Iterable[str] | None = None,
        about: str | None = None,
        reason: str,
        plan: Plan | None = None,
    ) -> Certificate:
        """Destroy memories for good, with their older versions and all that was made from them, and prove it.

        `about` is somebody or something by name: every memory goes, in whatever state, that names them. With `plan`,
        what plan_purge said, nothing is destroyed where a memory would go that it does not name.
        """
        self.sessions.drain_all(tidy=True)
        asked: dict[str, Any] = {"ids": ids, "scope": scope, "about": about, "reason": reason, "plan": plan}
        certificate = purging.purge(self._store, self._now(), **asked, wait_seconds=self._wait_seconds)
        self.artifacts.refresh()
        return certificate

    def plan_purge(
        self,
        *,
        ids: Iterable[str] | None = None,
        scope: str | Iterable[str] | None = None,
        about: str | None = None,
    ) -> Plan:
        """What purge would destroy and why, and what would come back; a plan like this is never applied.

        Events that wait beside the store are taken in first, as purge does: who is named there alone is found.
        """
        self.sessions.drain_all()
        return purging.plan_purge(self._store, self._now(), ids=ids, scope=scope, about=about)
