"""What a served store costs beside the library: calls a second, latency, CPU a call, memory, starts.

    python benchmarks/serving.py [--size 10000] [--rounds 5] [--calls 300] [--embedder none|bundled|both]
                                 [--only load,memory,starts] [--soak 20000] [--markdown OUT]

The same recalls and adds on the library in this process, over REST with 1, 8 and 32 connections from a second process
(clients.py), and over MCP by HTTP and by stdio; blocks take turns, and each has its own copy of one store. CPU is that
of the whole process that serves, with what it writes behind; medians of blocks. The stored vectors are hashes: by words
alone (`none`) nobody looks at them, and for `bundled` they go by its name, while it embeds queries and new texts.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import dataset
import psutil
from recall_cost import alone, fill_directly

from remanence import Mind
from remanence.settings import Settings

CLIENTS = (1, 8, 32)
SETTLE_SECONDS = 1.0
"""After each block, so that what is written behind is in its figure; accesses wait for 0.8 s."""
STARTS = 9
IDLE_SECONDS = 10.0
PARTS = ("load", "memory", "starts")
LOCATION = Path(__file__).parent
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}


class Block(NamedTuple):
    """One block of calls: milliseconds of each, seconds of all, CPU seconds of who served and of who asked, errors."""

    ms: list[float]
    seconds: float
    cpu: float
    client_cpu: float
    errors: int


def environment(home: Path, embedder: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REMANENCE_")}
    places = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home)}
    # A client may ask 1,000 times a second by default, which a benchmark is over.
    chosen = {"REMANENCE_EMBEDDER": embedder, "REMANENCE_SERVE__REQUESTS_PER_SECOND": "1000000"}
    return kept | places | chosen | {"REMANENCE_UPKEEP__ON_OPEN": "false"}


def rem(*words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "remanence.interfaces.cli", *words]


def cpu_of(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def arguments(kind: str, row: dict[str, Any]) -> dict[str, Any]:
    if kind == "recall":
        return {"query": row["words"], "scope": row["scope"], "limit": 10}
    return {name: row[name] for name in ("text", "scope", "kind", "importance")}


def rpc(method: str, params: dict[str, Any] | None = None, id: int | None = None) -> str:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    message |= {} if params is None else {"params": params}
    return json.dumps(message if id is None else message | {"id": id})


def tool_call(kind: str, row: dict[str, Any], id: int) -> str:
    given = arguments(kind, row)
    return rpc("tools/call", {"name": "recall" if kind == "recall" else "remember", "arguments": given}, id)


# --- ways to ask


class Library:
    """The library, in this process."""

    def __init__(self, db: Path, embedder: str) -> None:
        chosen = False if embedder == "none" else embedder
        self._mind = Mind(db, embedder=chosen, settings=Settings(upkeep__on_open=False))

    def block(self, kind: str, rows: list[dict[str, Any]]) -> Block:
        verb = self._mind.recall if kind == "recall" else self._mind.remember
        asked = [arguments(kind, row) for row in rows]
        took, cpu, began = [], time.process_time(), time.perf_counter()
        for given in asked:
            start = time.perf_counter()
            verb(**given)
            took.append((time.perf_counter() - start) * 1e3)
        seconds = time.perf_counter() - began
        time.sleep(SETTLE_SECONDS)
        return Block(took, seconds, time.process_time() - cpu, 0.0, 0)

    def close(self) -> None:
        self._mind.close()


class Server:
    """`rem serve` in a process of its own, and the process of its clients."""

    def __init__(self, db: Path, embedder: str) -> None:
        words = rem("--json", "--db", str(db), "serve", "--port", "0", "--no-upkeep")
        self.began = time.perf_counter()
        self._process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(db.parent, embedder)
        )
        assert self._process.stdout is not None
        told = json.loads(self._process.stdout.readline())
        self.token = json.loads(Path(told["token_file"]).read_text())["token"]
        self.port = int(told["url"].rsplit(":", 1)[1])
        self.watched = psutil.Process(self._process.pid)
        self._clients: subprocess.Popen[str] | None = None
        self._session = ""

    def head(self, method: str, path: str, **more: str) -> str:
        named = {"host": f"127.0.0.1:{self.port}", "authorization": f"Bearer {self.token}"}
        named |= {"content-type": "application/json"} | more
        return "\r\n".join([f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items())])

    def asked(self, clients: int, head: str, bodies: list[str], calls: int, wrong: str = "") -> Block:
        if self._clients is None:
            words = [sys.executable, str(LOCATION / "clients.py"), "127.0.0.1", str(self.port)]
            self._clients = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._clients.stdin is not None and self._clients.stdout is not None
        job = {"clients": clients, "head": head, "bodies": bodies, "calls": calls, "wrong": wrong}
        before = cpu_of(self.watched)
        self._clients.stdin.write(json.dumps(job) + "\n")
        self._clients.stdin.flush()
        told = json.loads(self._clients.stdout.readline())
        time.sleep(SETTLE_SECONDS)
        errors = calls - told["good"]
        if errors:
            sys.stderr.write(f"{errors} errors: {told['statuses']} {told['sample']}\n")
        return Block(told["ms"], told["seconds"], cpu_of(self.watched) - before, told["cpu"], errors)

    def rest(self, kind: str, rows: list[dict[str, Any]], clients: int) -> Block:
        path = "/v1/recall" if kind == "recall" else "/v1/memories"
        bodies = [json.dumps(arguments(kind, row)) for row in rows]
        return self.asked(clients, self.head("POST", path), bodies, len(rows))

    def mcp(self, kind: str, rows: list[dict[str, Any]], clients: int) -> Block:
        more = {"accept": "application/json, text/event-stream", "mcp-protocol-version": HELLO["protocolVersion"]}
        head = self.head("POST", "/mcp", **more, **{"mcp-session-id": self._opened()})
        bodies = [tool_call(kind, row, 10 + number) for number, row in enumerate(rows)]
        return self.asked(clients, head, bodies, len(rows), '"isError":true')

    def _opened(self) -> str:
        """The session of the MCP clients."""
        if not self._session:
            wire = http.client.HTTPConnection("127.0.0.1", self.port)
            named = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
            named["accept"] = "application/json, text/event-stream"
            wire.request("POST", "/mcp", rpc("initialize", HELLO, 1), named)
            answer = wire.getresponse()
            answer.read()
            self._session = answer.headers["mcp-session-id"]
            named["mcp-session-id"] = self._session
            wire.request("POST", "/mcp", rpc("notifications/initialized"), named)
            wire.getresponse().read()
            wire.close()
        return self._session

    def is_well(self) -> bool:
        wire = http.client.HTTPConnection("127.0.0.1", self.port)
        wire.request("GET", "/healthz")
        return wire.getresponse().status == 200

    def close(self) -> None:
        if self._clients is not None and self._clients.stdin is not None:
            self._clients.stdin.close()
            self._clients.wait()
        self._process.terminate()
        self._process.wait()


class Stdio:
    """`rem mcp` in a process of its own."""

    def __init__(self, db: Path, embedder: str) -> None:
        self._process = subprocess.Popen(
            rem("--db", str(db), "mcp"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(db.parent, embedder),
            text=True,
        )
        self.watched = psutil.Process(self._process.pid)
        self.say(rpc("initialize", HELLO, 1))
        self.heard(1)
        self.say(rpc("notifications/initialized"))

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def heard(self, id: int) -> str:
        """The answer of this id."""
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            if f'"id":{id},' in line[:60].replace(" ", "") or json.loads(line).get("id") == id:
                return line
        raise RuntimeError("rem mcp has ended")

    def block(self, kind: str, rows: list[dict[str, Any]]) -> Block:
        said = [tool_call(kind, row, 10 + number) for number, row in enumerate(rows)]
        took, errors, cpu = [], 0, cpu_of(self.watched)
        own, began = time.process_time(), time.perf_counter()
        for number, line in enumerate(said):
            start = time.perf_counter()
            self.say(line)
            answer = self.heard(10 + number)
            took.append((time.perf_counter() - start) * 1e3)
            errors += '"isError":true' in answer or '"error":{' in answer
        seconds, own = time.perf_counter() - began, time.process_time() - own
        time.sleep(SETTLE_SECONDS)
        return Block(took, seconds, cpu_of(self.watched) - cpu, own, errors)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


# --- parts


@contextmanager
def filled(size: int, embedder: str, data: Path) -> Iterator[Callable[[], Path]]:
    """Gives copies of a store of that size."""
    model = "none"
    if embedder != "none":
        from remanence.providers.bundled.embedder import MODEL as model
    with tempfile.TemporaryDirectory(prefix="remanence-serving-") as name:
        first = Path(name) / "first.db"
        alone(fill_directly, first, dataset.facts_file(size, data), size, model, 60.0)
        made = 0

        def copy() -> Path:
            nonlocal made
            made += 1
            folder = Path(name) / str(made)
            folder.mkdir()
            return Path(shutil.copy(first, folder / "memory.db"))

        yield copy


def load(embedder: str, options: argparse.Namespace) -> list[str]:
    calls, rounds = options.calls, options.rounds
    asked = dataset.queries(calls, options.size, options.data, "serving")
    fresh = dataset.fresh_facts(calls * (rounds + 1) * (len(CLIENTS) + 1), options.size)
    found: dict[tuple[str, str], list[Block]] = defaultdict(list)
    with filled(options.size, embedder, options.data) as copy, ExitStack() as stack:
        library, server, stdio = (kind(copy(), embedder) for kind in (Library, Server, Stdio))
        for one in (library, server, stdio):
            stack.callback(one.close)
        ways: dict[str, Callable[[str, list[dict[str, Any]]], Block]] = {"library": library.block}
        for number in CLIENTS:
            many = "1 client" if number == 1 else f"{number} clients"
            ways[f"REST, {many}"] = lambda kind, rows, number=number: server.rest(kind, rows, number)
        ways["MCP over HTTP, 1 client"] = lambda kind, rows: server.mcp(kind, rows, 1)
        ways["MCP on stdio"] = stdio.block
        taken: dict[int, int] = defaultdict(int)  # each store is told every fact once
        found.update({(kind, name): [] for kind in ("recall", "add") for name in ways})
        for turn in range(rounds + 1):
            for kind in ("recall", "add"):
                names = list(ways)
                for name in names[turn % len(names) :] + names[: turn % len(names)]:
                    rows = asked
                    if kind == "add":
                        store = id(library if name == "library" else stdio if "stdio" in name else server)
                        rows = fresh[taken[store] : taken[store] + calls]
                        taken[store] += calls
                    block = ways[name](kind, rows)
                    if turn:  # the first one warms up
                        found[kind, name].append(block)
        before = cpu_of(server.watched)
        time.sleep(IDLE_SECONDS)
        idle = (cpu_of(server.watched) - before) / IDLE_SECONDS * 1e3
    options.figures[f"above_library_ms_{embedder}"] = above(found, calls)
    return [*table(found, embedder, calls), "", f"The server asked for nothing: {idle:.1f} ms of CPU a second."]


def above(found: dict[tuple[str, str], list[Block]], calls: int) -> dict[str, float]:
    """CPU ms a call above the library in the same round, by what was called and through which door."""
    return {
        f"{kind}, {name}": statistics.median(
            1e3 * (block.cpu - beside.cpu) / calls for block, beside in zip(blocks, found[kind, "library"], strict=True)
        )
        for (kind, name), blocks in found.items()
        if name != "library"
    }


def table(found: dict[tuple[str, str], list[Block]], embedder: str, calls: int) -> list[str]:
    lines = [
        f"| embedder {embedder} | calls/s | p50 ms | p99 ms | CPU ms a call | above the library "
        "| asking, CPU ms | errors |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for (kind, name), blocks in found.items():
        ms = sorted(one for block in blocks for one in block.ms)
        each = [1e3 * block.cpu / calls for block in blocks]
        rounds = zip(each, found[kind, "library"], strict=True)
        more = [one - 1e3 * beside.cpu / calls for one, beside in rounds]
        lines.append(
            f"| {kind}, {name} | {statistics.median(calls / block.seconds for block in blocks):,.0f} "
            f"| {ms[len(ms) // 2]:.1f} | {ms[int(len(ms) * 0.99)]:.1f} "
            f"| {statistics.median(each):.2f} ({min(each):.2f}–{max(each):.2f}) "
            f"| {'' if name == 'library' else f'{statistics.median(more):.2f} ({min(more):.2f}–{max(more):.2f})'} "
            f"| {statistics.median(1e3 * block.client_cpu / calls for block in blocks):.2f} "
            f"| {sum(block.errors for block in blocks)} |"
        )
    return lines


def memory(embedder: str, options: argparse.Namespace) -> list[str]:
    """RSS of the server while 8 clients ask: nine recalls to one add, then recalls alone."""
    asked = dataset.queries(1_000, options.size, options.data, "serving")
    fresh = dataset.fresh_facts(options.soak // 20 + 10, options.size)
    lines = [f"| embedder {embedder}: calls so far | resident, MB | threads |", "|---|--:|--:|"]
    with filled(options.size, embedder, options.data) as copy, ExitStack() as stack:
        server = Server(copy(), embedder)
        stack.callback(server.close)

        def tell(what: str) -> None:
            rss = server.watched.memory_info().rss / 1e6
            lines.append(f"| {what} | {rss:.1f} | {server.watched.num_threads()} |")

        tell("none")
        server.rest("recall", asked, 8)
        tell("1,000 recalls, warm")
        step, added = options.soak // 10, 0
        for number in range(1, 6):
            adds = step // 10
            server.rest("recall", (asked * (step // 1_000 + 1))[: step - adds], 8)
            server.rest("add", fresh[added : added + adds], 8)
            added += adds
            tell(f"{number * step:,} more, a tenth of them adds")
        for number in range(1, 6):
            server.rest("recall", (asked * (step // 1_000 + 1))[:step], 8)
            tell(f"{number * step:,} recalls more")
    return lines


def starts(options: argparse.Namespace) -> list[str]:
    """From the start of a process to its first answer; what imports cost."""
    took: dict[str, list[tuple[float, float]]] = defaultdict(list)
    told: dict[str, Any] = {}
    with filled(options.size, "none", options.data) as copy:
        db = copy()

        def imported(words: str) -> None:
            began = time.perf_counter()
            process = subprocess.Popen([sys.executable, "-P", "-c", words], env=environment(db.parent, "none"))
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            assert process.returncode == 0, words
            took[f"`python -c '{words}'`"].append((time.perf_counter() - began, used.ru_utime + used.ru_stime))

        def served() -> None:
            server = Server(db, "none")
            assert server.is_well()
            took["`rem serve` to /healthz"].append((time.perf_counter() - server.began, cpu_of(server.watched)))
            server.close()

        def spoken() -> None:
            began = time.perf_counter()
            stdio = Stdio(db, "none")
            stdio.say(rpc("tools/list", {}, 2))
            told["tools"] = json.loads(stdio.heard(2))["result"]
            took["`rem mcp` to the answer of tools/list"].append((time.perf_counter() - began, cpu_of(stdio.watched)))
            stdio.close()

        modules = ("remanence", "remanence.interfaces.serve.app", "remanence.interfaces.mcp.server")
        for number in range(STARTS + 1):
            for words in ("pass", *(f"import {name}" for name in modules)):
                imported(words)
            served()
            spoken()
            if not number:  # the first ones compile
                took.clear()
    lines = ["| from the start of the process | wall, ms | CPU, ms |", "|---|--:|--:|"]
    for name, both in took.items():
        walls, cpus = zip(*both, strict=True)
        lines.append(f"| {name} | {_spread(walls)} | {_spread(cpus)} |")
    size = len(json.dumps(told["tools"], separators=(",", ":"), ensure_ascii=False).encode())
    listed = statistics.median(wall for wall, _ in took["`rem mcp` to the answer of tools/list"])
    options.figures |= {"tools_list_seconds": listed, "tools_list_bytes": size}
    return [*lines, "", f"tools/list: {len(told['tools']['tools'])} tools, {size:,} bytes of JSON."]


def _spread(seconds: Sequence[float]) -> str:
    return f"{1e3 * statistics.median(seconds):.0f} ({1e3 * min(seconds):.0f}–{1e3 * max(seconds):.0f})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--soak", type=int, default=20_000)
    parser.add_argument("--embedder", choices=("none", "bundled", "both"), default="none")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--data", type=Path, default=dataset.default_folder())
    parser.add_argument("--json", type=Path, help="write what the goals ask for there")
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    options.figures = {}
    wanted = options.only.split(",")
    embedders = ("none", "bundled") if options.embedder == "both" else (options.embedder,)
    said: list[str] = []
    for embedder in embedders:
        said += [*load(embedder, options), ""] if "load" in wanted else []
        said += [*memory(embedder, options), ""] if "memory" in wanted else []
    said += starts(options) if "starts" in wanted else []
    text = "\n".join(said) + "\n"
    sys.stdout.write(text)
    if options.markdown is not None:
        options.markdown.write_text(text, encoding="utf-8")
    if options.json is not None:
        options.json.write_text(json.dumps(options.figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
