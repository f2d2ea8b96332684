"""`rem work --all`: any number of workers look after every namespace, each by one of them at a time, and in turn."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest

from remanence import Mind
from remanence.client import Client
from remanence.interfaces.tokens import Tokens
from remanence.settings import Settings
from tests.crash.conftest import Child
from tests.database.test_faults import backends_ended
from tests.database.workers import crew
from tests.embedders import Toy
from tests.postgres import Cluster

WOKEN_SECONDS = 10  # about one on an idle machine; a worker that was not woken looks after a minute
STOPPED_SECONDS = 15
LEASE_SECONDS = 8.0
GRACE_SECONDS = 5.0
LARGE = 240


class Worker:
    """One `rem work --all`; what it says is read as it comes."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.said: list[dict[str, Any]] = []
        self._lines: Queue[dict[str, Any] | None] = Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
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
    """So many new memories, which wait to be embedded."""
    with mind_of(location, namespace) as mind:
        lines = range(known := mind.count(state="all"), known + number)
        mind.remember_many([{"text": f"Line {n} of {namespace}, {n * 7919}", "kind": f"k{n}"} for n in lines])


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
        assert all(one[1] <= other[0] for one, other in pairwise(spans)), namespace
    return {namespace: len(spans) for namespace, spans in turns.items()}


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    end = monotonic() + seconds
    while not holds():
        assert monotonic() < end, f"not within {seconds} s"
        sleep(0.2)


@pytest.fixture
def served(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Client]]:
    """`rem serve` on the database; gives clients of a namespace."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    secret, _ = Tokens(Settings(db=url).beside()).create("tester")
    words = [sys.executable, "-m", "remanence.interfaces.cli", "--db", url, "serve", "--port", "0"]
    log = (tmp_path / "serve.log").open("w")
    environment = {**os.environ, "REMANENCE_EMBEDDER": "none"}
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
    try:
        assert server.stdout is not None
        found = re.search(r"http://[\w.:]+", server.stdout.readline())
        assert found is not None, (tmp_path / "serve.log").read_text()
        yield lambda namespace: Client(found[0], token=secret, namespace=namespace)
        server.send_signal(signal.SIGTERM)
        assert server.wait(STOPPED_SECONDS) == 0
        assert url.split(":")[2].split("@", maxsplit=1)[0] not in (tmp_path / "serve.log").read_text()
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
        log.close()


def test_workers_and_a_server_look_after_every_namespace(
    url: str, begin: Callable[..., Worker], served: Callable[[str], Client]
) -> None:
    small = [f"space{number}" for number in range(30)]
    fill(url, "large", LARGE)
    for namespace in small:
        fill(url, namespace, 3)
    workers = [begin(url), begin(url)]
    for namespace in ("space3", "late", "later"):
        with served(namespace) as client:
            client.remember(f"Told to the server in {namespace}")
    until(lambda: not any(waiting(url).values()))
    until(lambda: all(holder is None for holder, *_ in agenda(url)))
    for worker in workers:
        worker.stop()
    times = served_apart(workers)
    assert times.keys() - {"default"} == {*small, "large", "late", "later"}
    assert times["large"] >= 3, "some of it at a time"
    ends = [said for worker in workers for said in worker.said if "end" in said]
    firsts = {said["end"]: said["at"] for said in reversed(ends) if said["end"] in small}
    large = max(said["at"] for said in ends if said["end"] == "large")
    assert max(firsts.values()) < large, "nobody waits for the one that has much to do"
    assert sum(said["done"]["embedded"] for said in ends) == LARGE + 3 * 30 + 3, "nothing was embedded twice"
    for namespace in ("large", "space3", "late"):
        with mind_of(url, namespace) as mind:
            assert mind.check().problems == ()
            assert mind.stats().upkeep_at is not None


def test_a_worker_is_woken(url: str, begin: Callable[..., Worker]) -> None:
    """By what is written, and by what is wanted; it looks by itself once a minute."""
    fill(url, "first", 3)
    worker = begin(url)
    worker.until(lambda said: said.get("end") == "first")
    for _ in range(3):
        sleep(0.7)
        fill(url, "first", 3)
        fill(url, "second", 40)
        until(lambda: not any(waiting(url).values()), WOKEN_SECONDS)
    other = Toy("another model")
    with mind_of(url, "first", embedder=other) as mind:
        mind.meaning.reembed()
        assert mind._store.meanings.models().keys() == {other.model}
        sleep(0.7)
        mind.meaning.want_reembedded()
        until(lambda: mind._store.meanings.models().keys() == {"toy"}, WOKEN_SECONDS)
        until(lambda: not mind._store.queue.tasks(), WOKEN_SECONDS)
    worker.stop()


@pytest.mark.promise("R25")
def test_a_worker_whose_connections_were_ended_goes_on(
    url: str, cluster: Cluster, begin: Callable[..., Worker]
) -> None:
    """Also the one by which it is woken."""
    fill(url, "first", 3)
    worker = begin(url)
    worker.until(lambda said: said.get("end") == "first")
    sleep(0.7)
    assert backends_ended(cluster, url) >= 2
    fill(url, "first", 3)
    until(lambda: not any(waiting(url).values()), 2 * WOKEN_SECONDS)
    sleep(0.7)
    fill(url, "second", 3)
    until(lambda: not any(waiting(url).values()), WOKEN_SECONDS)
    worker.stop()
    assert "Traceback" not in worker.child.errors and "psycopg" not in worker.child.errors


@pytest.mark.parametrize("busy", [False, True])
def test_a_worker_told_to_stop_frees_what_it_holds(url: str, begin: Callable[..., Worker], busy: bool) -> None:
    fill(url, "large", LARGE if busy else 3)
    worker = begin(url)
    worker.until(lambda said: ("begin" if busy else "end") in said)
    if not busy:
        sleep(0.5)
    worker.stop()
    assert [row[:2] for row in agenda(url)] == [(None, None)]
    assert worker.child.errors == ""
    if busy:
        assert waiting(url)["large"] > 0
        other = begin(url)
        other.until(lambda said: said.get("end") == "large", WOKEN_SECONDS)
        other.stop()


@pytest.mark.promise("R7")
@pytest.mark.parametrize("fate", [signal.SIGKILL, signal.SIGSTOP])
def test_the_turn_of_a_worker_that_is_gone_is_taken_over(
    url: str, begin: Callable[..., Worker], fate: signal.Signals
) -> None:
    """It never ends what it is at; the other is idle, and takes the turn when the lease is over."""
    short = 2.0
    fill(url, "slow", 3)
    gone = begin(url, short)
    gone.until(lambda said: said.get("begin") == "slow")
    other = begin(url)
    fill(url, "other", 3)
    other.until(lambda said: said.get("end") == "other")
    sleep(short)
    assert not any(said.get("begin") == "slow" for said in other.gather()), "it beats"
    gone.child.process.send_signal(fate)
    other.until(lambda said: said.get("begin") == "slow", short + GRACE_SECONDS)
    other.until(lambda said: said.get("end") == "slow")
    if fate is signal.SIGSTOP:
        gone.child.process.send_signal(signal.SIGCONT)
        sleep(short)
        assert [row[:2] for row in agenda(url)] == [(None, None)] * 2, "thawed, it holds nothing"
    other.stop()


def test_what_fails_comes_again_ever_later(url: str, begin: Callable[..., Worker]) -> None:
    """After one, two, four seconds and so on, whatever is written meanwhile; others are served."""
    fill(url, "ill", 3)
    worker = begin(url, LEASE_SECONDS, "raises")
    worker.until(lambda said: said.get("end") == "ill")
    for number in range(12):
        fill(url, "ill", 3)
        sleep(0.5)
        if number == 3:
            with mind_of(url, "well", embedder=Toy()) as mind:
                mind.remember("One that was embedded at once")
    worker.until(lambda said: said.get("end") == "well", WOKEN_SECONDS)
    worker.stop()
    times = served_apart([worker])
    assert 2 <= times["ill"] <= 6, times
    assert max(tries for *_, tries in agenda(url)) == times["ill"]
    assert "ill: " in worker.child.errors and "Traceback" not in worker.child.errors


@pytest.mark.promise("R29")
@pytest.mark.parametrize("place", ["file", "database"])
def test_a_text_that_cannot_be_embedded_is_not_tried_without_end(
    url: str, tmp_path: Path, begin: Callable[..., Worker], place: str
) -> None:
    location = url if place == "database" else tmp_path / "memory.db"
    with mind_of(location, "default") as mind:
        mind.remember_many(["This is poison to it", "This is food"])
    worker = begin(location, LEASE_SECONDS, "poison", "work", "--all", "--once")
    assert worker.child.process.wait(60) == 0, worker.child.errors
    with mind_of(location, "default") as mind:
        assert mind.meaning.waiting == 1


def test_workers_share_a_file(tmp_path: Path, begin: Callable[..., Worker]) -> None:
    path = tmp_path / "memory.db"
    for namespace in ("one", "two"):
        fill(path, namespace, 600)
    workers = [begin(path), begin(path)]

    def left() -> int:
        with mind_of(path, "one") as one, mind_of(path, "two") as two:
            return one.meaning.waiting + two.meaning.waiting

    until(lambda: not left())
    for worker in workers:
        worker.stop()
    assert served_apart(workers).keys() >= {"one", "two"}
    ends = [said for worker in workers for said in worker.said if "end" in said]
    assert sum(said["done"]["embedded"] for said in ends) == 1200
    for namespace in ("one", "two"):
        with mind_of(path, namespace) as mind:
            assert mind.check().problems == ()
