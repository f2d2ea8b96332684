"""Clients of one store in a process of their own, by any door: library, CLI, MCP on stdio, REST.

`python clients.py JOB` with a JSON object: way, clients (threads, each with a connection of its own), calls of each (0:
until the seconds are over), seconds, one add in how many calls, the pause after each, and how the door is reached. It
says one line of JSON: the ids of what was added, errors, and the milliseconds of each call by its kind.
"""

from __future__ import annotations

import http.client
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 60.0
COMMAND = [sys.executable, "-m", "remanence.interfaces.cli"]
SCOPE = "/harbour"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = ["".join(random.Random(f"word {number}").choices(_LETTERS, k=7)) for number in range(3_000)]
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}


def statement(name: str, number: int) -> str:
    """A text like no other, so that none is taken for a newer version of another."""
    return " ".join(random.Random(f"{name} {number}").choices(WORDS, k=12))


class Rest:
    """REST over one connection."""

    def __init__(self, job: dict[str, Any]) -> None:
        self._wire = http.client.HTTPConnection(job["url"].removeprefix("http://"), timeout=PATIENCE)
        self._headers = {"Authorization": f"Bearer {job['token']}", "Content-Type": "application/json"}

    def add(self, text: str) -> str:
        return str(self._asked("/v1/memories", {"text": text, "scope": SCOPE})["memory"]["id"])

    def recall(self, query: str) -> int:
        return len(self._asked("/v1/recall", {"query": query, "limit": 5})["hits"])

    def _asked(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        try:
            self._wire.request("POST", path, json.dumps(body), self._headers)
            answer = self._wire.getresponse()
            said = answer.read()
        except Exception:
            self._wire.close()
            raise
        assert answer.status in (200, 201), f"{answer.status} {said[:200]!r}"
        found: dict[str, Any] = json.loads(said)
        return found

    def close(self) -> None:
        self._wire.close()


class Library:
    """The library on the file."""

    def __init__(self, job: dict[str, Any]) -> None:
        from remanence import Mind
        from remanence.settings import Settings

        self._mind = Mind(job["db"], embedder=False, settings=Settings(upkeep__on_open=False))

    def add(self, text: str) -> str:
        memory = self._mind.remember(text, scope=SCOPE).memory
        assert memory is not None
        return memory.id

    def recall(self, query: str) -> int:
        return len(self._mind.recall(query, limit=5))

    def close(self) -> None:
        self._mind.close()


class Cli:
    """A process of `rem` each time."""

    def __init__(self, job: dict[str, Any]) -> None:
        self._command = [*COMMAND, "--json", "--db", job["db"]]

    def add(self, text: str) -> str:
        return str(self._said("remember", text, "--scope", SCOPE)["memory"]["id"])

    def recall(self, query: str) -> int:
        return len(self._said("recall", query, "--limit", "5"))

    def _said(self, *words: str) -> Any:
        done = subprocess.run([*self._command, *words], check=False, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, f"{done.returncode} {done.stderr[-300:]}"
        return json.loads(done.stdout)

    def close(self) -> None:
        pass


class Mcp:
    """`rem mcp`, spoken to line by line."""

    def __init__(self, job: dict[str, Any]) -> None:
        command = [*COMMAND, "--db", job["db"], "mcp"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._id = 0
        self._asked("initialize", HELLO)
        self._say({"method": "notifications/initialized"})

    def add(self, text: str) -> str:
        return str(self._called("remember", text=text, scope=SCOPE)["id"])

    def recall(self, query: str) -> int:
        return len(self._called("recall", query=query)["memories"])

    def _called(self, name: str, **arguments: Any) -> dict[str, Any]:
        answer = self._asked("tools/call", {"name": name, "arguments": arguments})
        assert not answer.get("isError"), answer
        found: dict[str, Any] = answer["structuredContent"]
        return found

    def _asked(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._id += 1
        self._say({"id": self._id, "method": method, "params": params})
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == self._id:
                found: dict[str, Any] = message["result"]
                return found
        raise AssertionError("rem mcp has ended")

    def _say(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)


WAYS: dict[str, Callable[[dict[str, Any]], Any]] = {"rest": Rest, "library": Library, "cli": Cli, "mcp": Mcp}


class One(threading.Thread):
    """One client: its first call is an add, and then one in so many."""

    def __init__(self, job: dict[str, Any], number: int) -> None:
        super().__init__(daemon=True)
        self._job, self._name, self._door = job, f"{job['name']} {number}", WAYS[job["way"]](job)
        self.ids: list[str] = []
        self.errors: list[str] = []
        self.ms: dict[str, list[float]] = {"add": [], "recall": []}

    def run(self) -> None:
        ends, calls, done = time.monotonic() + self._job["seconds"], self._job["calls"], 0
        while (not calls or done < calls) and time.monotonic() < ends:
            kind = "recall" if done % self._job["add_every"] else "add"
            start = time.perf_counter()
            try:
                if kind == "add":
                    self.ids.append(self._door.add(statement(self._name, done)))
                else:
                    # The add that came last must be found by some of its words.
                    last = statement(self._name, done - done % self._job["add_every"])
                    assert self._door.recall(" ".join(last.split()[:6])), "what was added is not recalled"
            except Exception as error:  # whatever it is, it counts
                self.errors.append(f"{kind}: {type(error).__name__}: {error}"[:400])
            self.ms[kind].append((time.perf_counter() - start) * 1e3)
            done += 1
            time.sleep(self._job["pause"])
        self._door.close()


def main() -> int:
    job = json.loads(sys.argv[1])
    clients = [One(job, number) for number in range(job["clients"])]
    sys.stdout.write('"ready"\n')
    sys.stdout.flush()
    sys.stdin.readline()  # all begin at once
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    told = {
        "ids": [id for client in clients for id in client.ids],
        "errors": [error for client in clients for error in client.errors],
        "ms": {kind: [one for client in clients for one in client.ms[kind]] for kind in ("add", "recall")},
    }
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
