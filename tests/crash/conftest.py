"""Child processes that are ended whatever happens, and seeds that are printed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

_WORKERS = Path(__file__).with_name("workers.py")
_PATHS = [str(Path(__file__).parents[2]), str(Path(__file__).parents[2] / "src")]


class Child:
    """A process of workers.py, or of a script like it: it answers in JSON lines."""

    def __init__(self, job: str, *arguments: Any, script: Path | None = None) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(_PATHS), "PYTHONDONTWRITEBYTECODE": "1"}
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115, it lives as long as the process
        self.process = subprocess.Popen(
            [sys.executable, str(script or _WORKERS), job, json.dumps(arguments, default=str)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env=environment,
        )

    def next(self) -> Any:
        """The next answer; None when there are no more."""
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith("\n") else None

    def say(self, value: Any = "go") -> None:
        self.process.stdin.write(json.dumps(value) + "\n")
        self.process.stdin.flush()

    def rest(self) -> list[Any]:
        """All further whole answers, to the end of the process; one cut short by a kill is none."""
        self.process.stdin.close()
        answers = [json.loads(line) for line in self.process.stdout if line.endswith("\n")]
        self.process.wait()
        return answers

    @property
    def errors(self) -> str:
        """What it said on its standard error."""
        self._errors.seek(0)
        return self._errors.read()

    def end(self) -> None:
        """Kill it if it still runs, and let go of its pipes."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self._errors):
            with suppress(BrokenPipeError):
                stream.close()

    def kill(self) -> list[Any]:
        """End it at once, without a word, and return what it had still answered."""
        self.process.send_signal(signal.SIGKILL)
        return self.rest()

    def finish(self) -> list[Any]:
        """Wait for a good end; return the answers."""
        answers = self.rest()
        assert self.process.returncode == 0, self.errors
        return answers


@pytest.fixture
def start() -> Iterator[Callable[..., Child]]:
    """Starts jobs of workers.py; those still running at the end of the test are killed."""
    children: list[Child] = []

    def start_(job: str, *arguments: Any) -> Child:
        children.append(Child(job, *arguments))
        return children[-1]

    yield start_
    for child in children:
        child.end()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store of a test is; its folder holds nothing else."""
    (tmp_path / "store").mkdir()
    return tmp_path / "store" / "memory.db"


@pytest.fixture
def seeded() -> Callable[[int], random.Random]:
    """Chance from a seed that is printed, so that a failure can be repeated: CRASH_SEED sets another."""

    def seeded_(seed: int) -> random.Random:
        seed = int(os.environ.get("CRASH_SEED", seed))
        print(f"seed {seed}")
        return random.Random(seed)

    return seeded_
