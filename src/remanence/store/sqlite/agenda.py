"""The agenda of a file: its namespaces in turn, each under a lease. When to come again, a worker knows for itself."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from remanence.errors import LeaseLost
from remanence.model.lease import Lease
from remanence.store.agenda import Turn
from remanence.store.sqlite.store import SqliteStore

JOB = "work"
_LOOK_SECONDS = 15.0


class FileAgenda:
    """The agenda of one file; the namespace that the settings name is on it, whether it was written to or not."""

    def __init__(self, path: Path, namespace: str, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._store = SqliteStore.open(path, namespace)
        self._engine = self._store._engine
        self._stores = {namespace: self._store}
        self._next: dict[str, float] = {}
        self._tries: dict[str, int] = {}
        self._held: dict[str, Lease] = {}
        self._told, self._tell = os.pipe()

    def claim(self, holder: str, seconds: float, only: Sequence[str] | None = None) -> Turn | None:
        now = self._clock()
        for name in self._due(only):
            lease = self._of(name).claim(JOB, holder, now, seconds)
            if lease is not None:
                self._held[name] = lease
                return Turn(name, holder, lease.token)
        return None

    def _due(self, only: Sequence[str] | None) -> list[str]:
        """The namespaces whose time has come, those that were served longest ago first."""
        names = [name for name in self._names() if only is None or name in only]
        due = [name for name in names if self._next.get(name, 0.0) <= time.monotonic()]
        never = datetime.min.replace(tzinfo=UTC)
        return sorted(due, key=lambda name: self._of(name).job(JOB).finished_at or never)

    def _names(self) -> list[str]:
        with self._engine.read() as connection:
            found = [name for (name,) in connection.execute("SELECT name FROM spaces ORDER BY no")]
        return list(dict.fromkeys((*self._stores, *found)))

    def _of(self, name: str) -> SqliteStore:
        if name not in self._stores:
            self._stores[name] = SqliteStore(self._engine, name)
        return self._stores[name]

    def beat(self, turn: Turn, seconds: float) -> bool:
        """Keep the turn; False when another has it."""
        try:
            lease = self._held[turn.namespace]
            self._held[turn.namespace] = self._of(turn.namespace).beat(lease, self._clock(), seconds)
        except (LeaseLost, KeyError):
            return False
        return True

    def done(self, turn: Turn, again_in: float, *, failed: bool = False) -> None:
        """Come again after so many seconds; after a failure twice as many each time, up to an hour."""
        tries = self._tries[turn.namespace] = self._tries.get(turn.namespace, 0) + 1 if failed else 0
        pause = min(again_in * 2 ** min(tries - 1, 12), 3600.0) if failed else again_in
        self._next[turn.namespace] = time.monotonic() + pause
        lease = self._held.pop(turn.namespace, None)
        if lease is not None:
            with suppress(LeaseLost):
                self._of(turn.namespace).finish(lease, self._clock())

    def wait(self, seconds: float) -> None:
        """Until the time is up, or `stop`; nobody tells of what is new in a file, so it is looked at now and then."""
        ready, _, _ = select.select([self._told], [], [], min(seconds, _LOOK_SECONDS))
        if not ready:
            self._look_again()

    def _look_again(self) -> None:
        """Where memories wait to be embedded, or jobs to be done, the time has come."""
        now = self._clock()
        for name in self._names():
            store = self._of(name)
            tasks = [
                task
                for task in store.queue.tasks()
                if not task.dead and (task.again_at is None or task.again_at <= now)
            ]
            if not self._tries.get(name) and (tasks or store.meanings.waiting(1, tried=False)):
                self._next.pop(name, None)

    def stop(self) -> None:
        os.write(self._tell, b".")

    def close(self) -> None:
        self._store.close()
        os.close(self._told)
        os.close(self._tell)
