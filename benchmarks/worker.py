"""One contender in a process of its own, so that process CPU and memory are its own.

Reads one JSON request a line from standard input and answers with one JSON line. Only one worker is at work at a time:
the others wait for input. CPU spent while waiting is background work of the contender and is reported as such.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from contenders import FACTORIES

LIMIT = 10
Reply = dict[str, Any]


def resident_bytes() -> int | None:
    """Resident memory without mapped files; None where the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("RssAnon:")), None)


def timed(call: Callable[[Any], Any], items: Iterable[Any]) -> Reply:
    """Process CPU seconds of all calls, and the wall seconds of each."""
    walls = []
    cpu = time.process_time()
    for item in items:
        start = time.perf_counter()
        call(item)
        walls.append(time.perf_counter() - start)
    return {"cpu": time.process_time() - cpu, "walls": walls}


class Worker:
    """The requests; each method is one."""

    def __init__(self, name: str) -> None:
        self.contender = FACTORIES[name]()
        self.base_bytes = resident_bytes()
        self.now = time.time()
        self.rows: Iterable[str] = ()

    def load(self) -> Reply:
        return timed(lambda _: self.contender.load(), [None])

    def open(self, folder: str) -> Reply:
        return timed(self.contender.open, [Path(folder)])

    def feed(self, facts: str) -> Reply:
        """Name the file from which `bulk` takes its rows, in order."""
        self.rows = Path(facts).open(encoding="utf-8")  # noqa: SIM115 (read on by the next requests)
        return {}

    def bulk(self, count: int) -> Reply:
        items = [
            self.contender.prepare(json.loads(line), self.now) for line in itertools.islice(iter(self.rows), count)
        ]
        return timed(self.contender.add_many, [items])

    def add(self, rows: list[dict[str, Any]]) -> Reply:
        return timed(self.contender.add, [self.contender.prepare(row, self.now) for row in rows])

    def settle(self) -> Reply:
        return timed(lambda _: self.contender.settle(), [None])

    def recall(self, queries: list[dict[str, str]], scoped: bool) -> Reply:
        results: list[list[Any]] = []

        def ask(query: dict[str, str]) -> None:
            results.append(self.contender.recall(query["words"], query["scope"] if scoped else None, LIMIT))

        reply = timed(ask, queries)
        answers = zip(queries, results, strict=True)
        reply["found"] = sum(query["answer"] in self.contender.texts(hits) for query, hits in answers)
        return reply

    def rest(self) -> Reply:
        """Nothing; the answer tells what was done unasked since the last request."""
        return {}

    def memory(self) -> Reply:
        now = resident_bytes()
        return {"bytes": None if now is None or self.base_bytes is None else now - self.base_bytes}

    def about(self) -> Reply:
        return {"engine": self.contender.engine_version(), "python": sys.version.split()[0]}

    def close(self) -> Reply:
        return timed(lambda _: self.contender.close(), [None])


def main() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing a contender prints can break the protocol
    worker = Worker(sys.argv[1])
    while True:
        waiting = time.process_time()
        line = sys.stdin.readline()
        background = time.process_time() - waiting
        if not line:
            return
        request = json.loads(line)
        reply = getattr(worker, request.pop("do"))(**request)
        print(json.dumps(reply | {"background_cpu": background}), file=answers, flush=True)


if __name__ == "__main__":
    main()
