"""`rem work --all`: any number of workers look after every namespace, each by one of them at a time, and in turn."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest

from remanence import Mind
from remanence.settings import Settings
from tests.crash.conftest import Child
from tests.database.workers import crew
from tests.embedders import Toy

WOKEN_SECONDS = 10  # about one on an idle machine; a worker that was not woken looks after a minute
STOPPED_SECONDS = 15
LEASE_SECONDS = 8.0
GRACE_SECONDS = 5.0
LARGE = 1400


class Worker:
    """One `rem work --all`; what it says is read as it comes."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.said: list[dict[str, Any]] = []
        self._lines: Queue[dict[str, Any] | None] = Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        import json

        for line in self.child.process.stdout:
            if line.startswith("{") and line.endswith("\n"):
                self._lines.put(json.loads(line))
        self._lines.put(None)

    def until(self, holds: Callable[[dict[str, Any]], bool], seconds: float = 60) -> dict[str, Any]:
        """The next thing said of which this holds."""
        end = monotonic() + seconds
        while True:
            try:
                said = self._lines.get(timeout=max(end - monotonic(), 0.01))
            except Empty:
                raise AssertionError(f"not within {seconds} s; {self.said[-3:]} {self.child.errors[-2000:]}") from None
            assert said is not None, f"it ended: {self.child.errors[-2000:]}"
            self.said.append(said)
            if holds(said):
                return said

    def gather(self) -> list[dict[str, Any]]:
        """All that was said so far."""
        while not self._lines.empty():
            said = self._lines.get()
            if said is not None:
                self.said.append(said)
        return self.said

    def stop(self) -> None:
        self.child.process.send_signal(signal.SIGTERM)
        assert self.child.process.wait(STOPPED_SECONDS) == 0, self.child.errors
        sleep(0.1)
        self.gather()


@pytest.fixture
def begin() -> Iterator[Callable[..., Worker]]:
    with crew() as start:
        yield lambda location, lease=LEASE_SECONDS, sick=None, *words: Worker(
            start("work", str(location), lease, sick, *words)
        )


def mind_of(location: object, namespace: str, **options: Any) -> Mind:
    """One that leaves what is to be embedded to workers."""
    given = {"settings": Settings(upkeep__on_open=False), "embedder": False} | options
    return Mind(str(location), namespace=namespace, **given)


def fill(location: object, namespace: str, number: int) -> None:
    lines = [{"text": f"Line {n} of {namespace}, {n * 7919}", "kind": f"k{n}"} for n in range(number)]
    with mind_of(location, namespace) as mind:
        mind.remember_many(lines)
        mind._store.meanings  # noqa: B018
    leave_to_embed(location, namespace)


def leave_to_embed(location: object, namespace: str) -> None:
    """A mind whose embedder fails writes what then waits."""
    ill = Toy()
    ill.sick = "raises"
    with mind_of(location, namespace, embedder=ill) as mind:
        mind.remember_many([f"Waiting {n} in {namespace} {n * 31}" for n in range(3)])


def waiting(url: str) -> dict[str, int]:
    """How many memories of each namespace wait to be embedded."""
    counted = (
        "SELECT s.name, count(*) FILTER (WHERE e.waits > 0) FROM remanence.spaces s "
        "LEFT JOIN remanence.meanings e ON e.space = s.no GROUP BY 1"
    )
    with psycopg.connect(url) as raw:
        return dict(raw.execute(counted).fetchall())


def agenda(url: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as raw:
        return raw.execute("SELECT holder, until, tries FROM remanence.agenda").fetchall()


def served_apart(workers: list[Worker]) -> dict[str, int]:
    """How often each namespace was served; never by two at the same time."""
    turns: dict[str, list[tuple[float, float]]] = {}
    for worker in workers:
        begun: dict[str, float] = {}
        for said in worker.gather():
            if "begin" in said:
                begun[said["begin"]] = said["at"]
            elif "end" in said:
                turns.setdefault(said["end"], []).append((begun.pop(said["end"]), said["at"]))
    for namespace, spans in turns.items():
        spans.sort()
        assert all(one[1] <= other[0] for one, other in zip(spans, spans[1:], strict=False)), namespace
    return {namespace: len(spans) for namespace, spans in turns.items()}
