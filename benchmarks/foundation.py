"""What storing and finding by words costs, as a ratio to the floor measured in the same interleaved run.

Each contender is a long-lived process; they take turns in small blocks, and the order rotates, so that a busy machine
touches all alike. The figure that counts is process CPU per operation; wall time stands beside it. A round builds every
store anew. See benchmarks/README.md for the protocol.

    python benchmarks/foundation.py --sizes 1000,10000,100000 --rounds 3 --json out.json --markdown out.md
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import contenders
import dataset
import hotspots
import report

BULK = 1000
BLOCK = 20
REST_SECONDS = 1.0  # longer than the product waits before it writes behind
FSYNC_ADDS = (20, 220)
WORKER = Path(__file__).with_name("worker.py")
Figures = dict[str, float]


class Progress:
    """One line on a terminal, rewritten; silent elsewhere."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._start = time.monotonic()

    def __call__(self, text: str) -> None:
        if self._shown:
            print(f"\r\033[K{time.monotonic() - self._start:6.0f} s  {text}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class Process:
    """A worker process and the CPU it spent unasked."""

    def __init__(self, name: str, home: Path, prefix: Sequence[str] = ()) -> None:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("REMANENCE_")}
        environment |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home)}
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self.name = name
        self.background_cpu = 0.0
        self._process = subprocess.Popen(
            [*prefix, sys.executable, str(WORKER), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f'The worker of "{self.name}" ended during "{do}"; its error is printed above.')
        reply: dict[str, Any] = json.loads(line)
        self.background_cpu += reply.pop("background_cpu")
        return reply

    def end(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


@contextmanager
def running(name: str, folder: Path, prefix: Sequence[str] = ()) -> Iterator[Process]:
    process = Process(name, folder, prefix)
    try:
        yield process
    finally:
        process.end()


def blocks(items: list[Any], length: int) -> list[list[Any]]:
    return [items[start : start + length] for start in range(0, len(items), length)]


def in_turns(processes: list[Process], requests: list[dict[str, Any]], tell: Progress, label: str) -> dict[str, Any]:
    """Every process answers every request; the order rotates by one with each request.

    What a process does unasked, until it has rested, counts with what it was asked.
    """
    total: dict[str, Any] = {process.name: {"cpu": 0.0, "walls": [], "found": 0, "blocks": []} for process in processes}
    before = {process.name: process.background_cpu for process in processes}
    for turn, request in enumerate(requests):
        tell(f"{label}, block {turn + 1} of {len(requests)}")
        shift = turn % len(processes)
        for process in processes[shift:] + processes[:shift]:
            reply = process.ask(**request)
            for key in total[process.name].keys() & reply.keys():
                total[process.name][key] += reply[key]
            total[process.name]["blocks"].append(reply["cpu"] / len(reply["walls"]))
    time.sleep(REST_SECONDS)
    for process in processes:
        process.ask("rest")
        total[process.name]["behind"] = process.background_cpu - before[process.name]
    return total


def folder_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def calibrate(folder: Path) -> Figures:
    """A fixed Python loop and a 4 KB fsync: how fast this machine is just now."""
    cpu, total = time.process_time(), 0
    for number in range(300_000):
        total += number * number % 7
    figures = {"python_loop_cpu_ms": (time.process_time() - cpu) * 1e3}
    waits = []
    with (folder / "calibration.bin").open("wb", buffering=0) as file:
        for _ in range(10):
            start = time.perf_counter()
            file.write(b"x" * 4096)
            os.fsync(file.fileno())
            waits.append(time.perf_counter() - start)
    return figures | {"fsync_wall_ms": statistics.median(waits) * 1e3}


def measure_round(names: list[str], size: int, options: argparse.Namespace, tell: Progress) -> dict[str, Figures]:
    """Figures of one size for every contender, on stores built for it."""
    facts = dataset.facts_file(size, options.data)
    adds = dataset.fresh_facts(options.adds, size)
    fixes = dataset.corrections(max(BLOCK, options.adds // 4), size, options.data)
    in_scope = dataset.queries(options.queries, size, options.data, "scope")
    anywhere = dataset.queries(options.queries, size, options.data, "anywhere")
    warm = dataset.queries(1, size, options.data, "warm")
    figures: dict[str, Figures] = {name: {} for name in names}

    def note(key: str, result: dict[str, Any], count: int, unit: float = 1e3) -> None:
        for name, reply in result.items():
            figures[name][f"{key}_cpu"] = (reply["cpu"] + reply["behind"]) / count * unit
            figures[name][f"{key}_behind"] = reply["behind"] / count * unit
            figures[name][f"{key}_typical"] = statistics.median(reply["blocks"]) * unit
            figures[name][f"{key}_wall"] = statistics.median(reply["walls"]) * unit
            if key.startswith("recall"):
                figures[name][f"{key}_found"] = reply["found"] / count

    with tempfile.TemporaryDirectory(prefix="remanence-benchmark-") as root, ExitStack() as stack:
        homes = {name: Path(root) / name for name in names}
        processes = []
        for name, home in homes.items():
            home.mkdir()
            process = stack.enter_context(running(name, home))
            process.ask("load")
            process.ask("open", folder=str(home))
            process.ask("feed", facts=str(facts))
            processes.append(process)

        counts = [min(BULK, size - done) for done in range(0, size, BULK)]
        bulk = in_turns(processes, [{"do": "bulk", "count": count} for count in counts], tell, f"{size:,}: bulk")
        for name, reply in bulk.items():
            figures[name]["bulk_cpu"] = (reply["cpu"] + reply["behind"]) / size * 1e6
        requests: list[dict[str, Any]] = [{"do": "add", "rows": block} for block in blocks(adds, BLOCK)]
        note("add", in_turns(processes, requests, tell, f"{size:,}: add"), len(adds))
        for process in processes:
            process.ask("settle")
            process.ask("recall", queries=warm, scoped=True)
        for key, asked, scoped in (("recall_scope", in_scope, True), ("recall_all", anywhere, False)):
            requests = [{"do": "recall", "queries": block, "scoped": scoped} for block in blocks(asked, BLOCK)]
            note(key, in_turns(processes, requests, tell, f"{size:,}: {key}"), len(asked))
        requests = [{"do": "add", "rows": block} for block in blocks(fixes, BLOCK)]
        note("correct", in_turns(processes, requests, tell, f"{size:,}: correct"), len(fixes))

        for process in processes:
            own = figures[process.name]
            resident = process.ask("memory")["bytes"]
            if resident is not None:
                own["memory_mb"] = resident / 1e6
            own["close_cpu"] = process.ask("close")["cpu"] * 1e3
            own["disk_bytes"] = folder_bytes(homes[process.name]) / (size + len(adds) + len(fixes))
        stack.close()  # the memory of the workers is free before the stores are opened again

        for name, home in homes.items():
            tell(f"{size:,}: open, {name}")
            with running(name, home) as process:
                for key in ("load", "open"):
                    reply = process.ask("load") if key == "load" else process.ask("open", folder=str(home))
                    figures[name][f"{key}_cpu"] = reply["cpu"] * 1e3
                    figures[name][f"{key}_wall"] = reply["walls"][0] * 1e3
                process.ask("settle")
                figures[name]["first_recall_cpu"] = process.ask("recall", queries=warm, scoped=True)["cpu"] * 1e3
                process.ask("close")
    return figures


def count_fsyncs(names: list[str], options: argparse.Namespace, tell: Progress) -> Figures | str:
    """fsync-like calls per single add, as the difference of two runs under strace; or why they were not counted."""
    strace = shutil.which("strace")
    if strace is None:
        return "strace is not installed"
    facts = dataset.facts_file(BULK, options.data)
    rows = dataset.fresh_facts(max(FSYNC_ADDS), BULK)

    def calls(name: str, adds: int) -> int:
        with tempfile.TemporaryDirectory(prefix="remanence-benchmark-") as root:
            summary = Path(root) / "strace"
            prefix = [strace, "-f", "-c", "-e", "trace=fsync,fdatasync,msync,sync_file_range", "-o", str(summary)]
            with running(name, Path(root), prefix) as process:
                process.ask("load")
                process.ask("open", folder=root)
                process.ask("feed", facts=str(facts))
                process.ask("bulk", count=100)
                process.ask("add", rows=rows[:adds])
            lines = summary.read_text(encoding="utf-8").splitlines()
            return sum(int(line.split()[3]) for line in lines if re.search(r"\d.*(sync|sync_file_range)$", line))

    few, many = FSYNC_ADDS
    counted = {}
    for name in names:
        tell(f"fsyncs, {name}")
        try:
            counted[name] = (calls(name, many) - calls(name, few)) / (many - few)
        except (RuntimeError, OSError) as error:
            return f"strace does not run here ({error})"
    return counted


def command_line(options: argparse.Namespace) -> str:
    """What repeats this run; folders and files of this machine are left out."""
    sizes = ",".join(map(str, options.sizes))
    parts = ["python benchmarks/foundation.py", f"--sizes {sizes}", f"--rounds {options.rounds}"]
    parts += [f"--adds {options.adds}", f"--queries {options.queries}"]
    if options.contenders != list(contenders.DEFAULT):
        parts.append(f"--contenders {','.join(options.contenders)}")
    return " ".join(parts)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """All rounds of all sizes; the result is plain data, ready for JSON."""
    tell = Progress()
    left_out = {name: package for name in options.contenders if (package := contenders.missing_package(name))}
    names = [name for name in options.contenders if name not in left_out]
    rounds: dict[int, list[dict[str, Figures]]] = defaultdict(list)
    calibration = []
    with tempfile.TemporaryDirectory(prefix="remanence-benchmark-") as scratch:
        engines = {}
        for name in names:
            with running(name, Path(scratch)) as process:
                process.ask("load")
                engines[name] = process.ask("about")["engine"]
        for number in range(options.rounds):
            for size in options.sizes:
                tell(f"round {number + 1}: texts of {size:,}")
                dataset.facts_file(size, options.data)
                calibration.append(calibrate(Path(scratch)))
                rounds[size].append(measure_round(names, size, options, tell))
        fsyncs = count_fsyncs(names, options, tell)
    tell.end()
    return {
        "date": options.date,
        "command": command_line(options),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "engines": engines,
        "left_out": left_out,
        "rounds": options.rounds,
        "adds": options.adds,
        "queries": options.queries,
        "calibration": calibration,
        "fsyncs_per_add": fsyncs,
        "sizes": dict(rounds),
    }


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    numbers = lambda text: [int(part) for part in text.split(",")]  # noqa: E731 (argparse wants a callable)
    parser = argparse.ArgumentParser(description="Cost of storing and finding by words, as a ratio to the floor.")
    parser.add_argument("--sizes", type=numbers, default=[1_000, 10_000], help="facts per store, such as 1000,10000")
    parser.add_argument("--rounds", type=int, default=3, help="each builds every store anew; medians are shown")
    parser.add_argument("--adds", type=int, default=400, help="single adds per round and size")
    parser.add_argument("--queries", type=int, default=200, help="recalls per round, size and way of asking")
    parser.add_argument(
        "--contenders",
        type=lambda text: text.split(","),
        default=list(contenders.DEFAULT),
        help=f"any of {', '.join(contenders.FACTORIES)}",
    )
    parser.add_argument("--data", type=Path, default=dataset.default_folder(), help="folder of the cached text sets")
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat(), help="date shown in the report")
    parser.add_argument("--json", type=Path, help="write the figures of every round here")
    parser.add_argument("--markdown", type=Path, help="write the tables here instead of to standard output")
    parser.add_argument("--profile", action="store_true", help="profile the product's adds and recalls instead")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.contenders if name not in contenders.FACTORIES]
    if unknown:
        parser.error(f"unknown contenders {', '.join(unknown)}; known are {', '.join(contenders.FACTORIES)}")
    if min(options.rounds, options.adds, options.queries, *options.sizes) < 1:
        parser.error("sizes, rounds, adds and queries must be at least 1")
    return options


def main() -> None:
    options = parse(sys.argv[1:])
    if options.profile:
        for size in options.sizes:
            hotspots.profile(size, options.data)
        return
    results = run(options)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    text = report.markdown(results)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
