"""A real server in a process of its own, and the four kinds of minds that must answer alike."""

from __future__ import annotations

import asyncio
import inspect
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from remanence.client import AsyncClient, Client

OPTIONS = {"REMANENCE_CONSOLIDATION__ENABLED": "true", "REMANENCE_UPKEEP__ON_OPEN": "false"}


@dataclass(frozen=True)
class Served:
    """A running server: its address, its store and its process."""

    url: str
    db: Path
    process: subprocess.Popen[str]

    def client(self, **options: Any) -> Client:
        """A client that finds its token beside the store."""
        return Client(self.url, **{"settings": {"db": str(self.db)}} | options)

    def async_client(self, **options: Any) -> AsyncClient:
        return AsyncClient(self.url, **{"settings": {"db": str(self.db)}} | options)


def started(db: Path, home: Path, port: int = 0) -> Served:
    """`rem serve` on a store, once it says where it is."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REMANENCE_")}
    homes = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    process = subprocess.Popen(
        [sys.executable, "-m", "remanence.interfaces.cli", "serve", "--port", str(port), "--db", str(db)],
        stdout=subprocess.PIPE,
        stderr=(home / "serve.log").open("a"),
        text=True,
        env={**kept, **homes, **OPTIONS, "REMANENCE_SERVE__UPKEEP": "false"},
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    found = re.search(r"https?://[\w.:\[\]]+", first)
    assert found is not None, f"no address in {first!r}: {(home / 'serve.log').read_text()[-2000:]}"
    return Served(found[0], db, process)


def stopped(served: Served) -> None:
    served.process.send_signal(signal.SIGTERM)
    try:
        served.process.wait(30)
    finally:
        served.process.kill()
        served.process.wait()
        assert served.process.stdout is not None
        served.process.stdout.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for the tests of a file, which take a namespace each."""
    folder = tmp_path_factory.mktemp("served")
    running = started(folder / "memory.db", folder)
    yield running
    stopped(running)


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of the person who runs this: neither settings nor memories."""
    for name in [name for name in os.environ if name.startswith("REMANENCE_")]:
        monkeypatch.delenv(name)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name, value in OPTIONS.items():
        monkeypatch.setenv(name, value)


class Driven:
    """An awaited mind as a blocking one, so that both can be told the same story."""

    def __init__(self, owner: Any, runner: asyncio.Runner) -> None:
        self._owner = owner
        self._runner = runner

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._owner, name)
        if inspect.iscoroutine(found):
            return self._await(found)
        if inspect.iscoroutinefunction(found):
            return lambda *positional, **named: self._await(found(*positional, **named))
        return Driven(found, self._runner) if not callable(found) else found

    def _await(self, found: Any) -> Any:
        async def wait() -> Any:
            return await found

        return self._runner.run(wait())
