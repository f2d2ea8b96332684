"""Many at once: clients of a server lose nothing and meet no error, and a file takes writes through every door (R3)."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from remanence import Mind
from remanence.settings import Settings
from tests.interfaces.serve.conftest import Server, environment
from tests.reliability.recording import Measured

CLIENTS = Path(__file__).with_name("clients.py")
ALONE = [pytest.mark.full, pytest.mark.alone, pytest.mark.timeout(3600)]
MINUTES = 10.0
COMMAND_PAUSE_SECONDS = 0.5
WARM_SHARE = 0.3
"""The part of a long run after which memory is taken to be what it will be."""
GROWTH_MB = 40.0
"""What more memories may add to caches; answers that are kept would be 10 KB each, tens of thousands of them."""


@contextmanager
def clients(server: Server, *jobs: dict[str, Any]) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes of clients, which began together."""
    every = []
    for number, job in enumerate(jobs):
        reached = {"url": server.url, "token": server.token, "db": server.store, "name": f"process {number}"}
        usual = {"way": "rest", "clients": 1, "calls": 0, "seconds": 600.0, "add_every": 1, "pause": 0.0}
        every.append(
            subprocess.Popen(
                [sys.executable, str(CLIENTS), json.dumps(usual | reached | job)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=environment(server.db.parent),
            )
        )
    try:
        for process in every:
            assert process.stdout is not None
            assert process.stdout.readline() == '"ready"\n'
        for process in every:
            assert process.stdin is not None
            process.stdin.close()
        yield every
    finally:
        for process in every:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


def told(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def shown(what: str, ms: list[float]) -> None:
    if ms:
        p50, p99 = percentile(ms, 0.5), percentile(ms, 0.99)
        print(f"{what}: {len(ms)} calls, p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {max(ms):.1f} ms")


def stored(db: Path | str) -> set[str]:
    """The ids of all there is, in a store that is sound."""
    with Mind(db, embedder=False, settings=Settings(upkeep__on_open=False)) as mind:
        assert mind.check().problems == ()
        found: set[str] = set()
        while page := mind.list(state="all", limit=1000, offset=len(found)):
            found |= {memory.id for memory in page}
        return found


def test_clients_mix_adds_and_recalls(start: Callable[..., Server]) -> None:
    server = start()
    with clients(server, {"clients": 8, "calls": 45, "add_every": 3}) as (process,):
        answer = told(process)
    assert answer["errors"] == []
    assert len(set(answer["ids"])) == 8 * 15
    assert server.stop() == 0
    assert stored(server.db) == set(answer["ids"])
    assert [line for line in server.logged() if line.get("status", 0) >= 400] == []


@pytest.mark.full
@pytest.mark.timeout(3600)
def test_clients_for_ten_minutes(start: Callable[..., Server]) -> None:
    """One call in fifty is an add: more memories take more caches, which is no leak, so there are to be few."""
    server = start(REMANENCE_SERVE__REQUESTS_PER_SECOND="100000")
    watched = psutil.Process(server.process.pid)
    sizes = []
    with clients(server, {"clients": 32, "seconds": MINUTES * 60, "add_every": 50}) as (process,):
        while process.poll() is None and not _ended(process, 5.0):
            sizes.append(watched.memory_info().rss / 1e6)
        answer = told(process)
    assert answer["errors"] == []
    warm = sizes[int(len(sizes) * WARM_SHARE) :]
    for kind, ms in answer["ms"].items():
        shown(kind, ms)
    print(f"resident: first {sizes[0]:.1f} MB, warm {warm[0]:.1f} MB, last {warm[-1]:.1f} MB, most {max(sizes):.1f} MB")
    assert warm[-1] - warm[0] <= GROWTH_MB
    assert server.stop() == 0
    assert stored(server.db) == set(answer["ids"])


def _ended(process: subprocess.Popen[str], seconds: float) -> bool:
    """Whether a process has said what there is to say within this time."""
    assert process.stdout is not None
    return bool(select.select([process.stdout], [], [], seconds)[0])


@pytest.mark.promise("R3")
@pytest.mark.parametrize(
    ("each", "adds", "by_cli"), [(1, 40, 4), pytest.param(2, 1000, 40, marks=ALONE)], ids=["some", "many"]
)
def test_every_door_writes_to_one_store(
    start: Callable[..., Server], each: int, adds: int, by_cli: int, measured: Measured
) -> None:
    """What is promised of p99 is promised of doors that are open: a command is a process of its own.

    It starts with some 0.4 s of computing against 1 to 3 ms of an add, so two loops of commands without a pause would
    keep two cores busy for themselves, and what was measured would be how these are shared out.
    """
    server = start()
    ways = [way for way in ("library", "cli", "mcp", "rest") for _ in range(each)]
    kinds = {"cli": {"calls": by_cli, "pause": COMMAND_PAUSE_SECONDS}}
    jobs = [{"way": way, "calls": adds} | kinds.get(way, {}) for way in ways]
    with clients(server, *jobs) as processes:
        answers = [told(process) for process in processes]
    took: dict[str, list[float]] = {}
    for way, answer in zip(ways, answers, strict=True):
        took.setdefault(way, []).extend(answer["ms"]["add"])
    errors = [error for answer in answers for error in answer["errors"]]
    p99 = {f"{way}_p99_ms": percentile(ms, 0.99) for way, ms in took.items() if way != "cli"}
    each_ = ", ".join(f"{len(ms):,} {way}" for way, ms in took.items())
    command = {"command_p50_ms": percentile(took["cli"], 0.5)}
    measured(f"{each_} adds", at_most=dict.fromkeys(p99, 100.0), errors=len(errors), **p99, **command)
    assert errors == []
    ids = [id for answer in answers for id in answer["ids"]]
    assert len(ids) == each * (3 * adds + by_cli)
    assert server.stop() == 0
    assert stored(server.store) == set(ids)
