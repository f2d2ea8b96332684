"""Servers that begin as copies of one process which has loaded all that a server needs.

To load it takes most of two seconds, and tests start more than a hundred servers. Each is still a process of its own,
with nothing of the caller's environment, and what runs in it is the command line.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from remanence.interfaces.cli import main

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.interfaces.serve.loaded"])


class Forked:
    """A process that runs the command line with these arguments."""

    def __init__(self, arguments: list[str], log: Path, env: dict[str, str], folder: Path) -> None:
        reads, writes = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(target=_run, args=(arguments, writes, log, env, folder))
        self._process.start()
        writes.close()
        self.stdout: IO[bytes] | None = os.fdopen(os.dup(reads.fileno()), "rb")
        reads.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()

    def wait(self, seconds: float | None = None) -> int:
        self._process.join(seconds)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("rem", seconds or 0)
        return self._process.exitcode


def _run(arguments: list[str], said: Connection, log: Path, env: dict[str, str], folder: Path) -> None:
    os.dup2(said.fileno(), 1)
    said.close()
    with log.open("ab") as errors:
        os.dup2(errors.fileno(), 2)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    sys.argv = ["rem", *arguments]
    main()
