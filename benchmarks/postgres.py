"""What a store in PostgreSQL costs, beside our store in SQLite and beside a plain table with pgvector.

The same rows go into all three (postgres_contenders.py), which then take turns in small blocks, the order rotating with
each. A layout is a number of memories, of namespaces and of partitions; it is filled once, and every round measures on
it: single adds, bulk adds with what they leave to be embedded, recalls, recalls narrowed to a scope of 1 %, sweeps,
re-dating. Once a layout: recall@10 of the part by meaning against comparing all, opening, bytes. `workers` is a backlog
of sweeps that 1, 2 and 4 processes of `rem work --all --once` share. Wall time, CPU of this process, and CPU of the
server's processes, which is 0 where `--url` names a server that is not ours.

    python benchmarks/postgres.py --sizes 10000,100000 --namespaces 1,100 --rounds 3 --json out.json --markdown out.md
    python benchmarks/postgres.py --sizes 100000 --namespaces 10000 --partitions 64 --rounds 3 --only add,bulk,recall
    python benchmarks/postgres.py --sizes 1000000 --namespaces 100 --partitions 64 --rounds 1
    python benchmarks/postgres.py --only workers --worker-namespaces 200 --worker-memories 500

Filling is in no figure. How long it lasts on two shared cores: a layout of 10,000 about 3 minutes with 3 rounds, of
100,000 about 6 (filling ours in PostgreSQL 1, the others and the indexes 1), in 10,000 namespaces 8 with 2 rounds; a
million an hour (filling ours in PostgreSQL 20 minutes, the others and the indexes 20, re-dating the plain table 5) with
6 GB of memory and 20 GB of temporary space; the workers 2 to 5. Every part has a fixed number of calls, a crew of
workers is ended after half an hour, and our store ends statements after 5 minutes. Servers, databases and processes are
ended in every case.
"""

from __future__ import annotations

import os

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
os.environ.update(ONE_THREAD)  # before numpy is loaded, so that CPU is that of one thread

import argparse  # noqa: E402
import gc  # noqa: E402
import json  # noqa: E402
import platform  # noqa: E402
import statistics  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Sequence  # noqa: E402
from contextlib import ExitStack  # noqa: E402
from datetime import UTC, datetime, timedelta  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import dataset  # noqa: E402
import postgres_report  # noqa: E402
import postgres_workers  # noqa: E402
from foundation import Progress, blocks, calibrate  # noqa: E402
from postgres_contenders import CONTENDERS, DURABLE, Contender, Server, started  # noqa: E402
from postgres_data import Data, Query  # noqa: E402

PARTS = ("add", "bulk", "recall", "nearest", "due", "redate", "workers")
BLOCK, BULK = 20, 1000
REDATED_ONCE = 50_000  # a namespace of so many is dated anew once a run, not once a round: minutes in a plain table
Figures = dict[str, float]


class Spent:
    """What the calls of one contender took: a wall time each, CPU here and in the server in all, what they gave."""

    def __init__(self) -> None:
        self.walls: list[float] = []
        self.cpu = self.server = 0.0
        self.gave: list[Any] = []

    def figures(self, name: str, unit: float, each: int = 1) -> Figures:
        """By the name of the part, in parts of a second; a call may stand for several memories."""
        number = len(self.walls) * each
        ordered = sorted(self.walls)
        return {
            f"{name}_p50": statistics.median(ordered) / each * unit,
            f"{name}_p95": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))] / each * unit,
            f"{name}_cpu": self.cpu / number * unit,
            f"{name}_server": self.server / number * unit,
        }


def in_turns(
    contenders: Sequence[Contender],
    work: list[Any],
    call: Callable[[Contender, Any], Any],
    tell: Callable[[str], None],
    block: int = BLOCK,
) -> dict[str, Spent]:
    """Each contender does all of the work, in blocks; the order rotates by one with each block."""
    spent = {contender.name: Spent() for contender in contenders}
    parts = blocks(work, block)
    for turn, part in enumerate(parts):
        tell(f"block {turn + 1} of {len(parts)}")
        shift = turn % len(contenders)
        for contender in (*contenders[shift:], *contenders[:shift]):
            own = spent[contender.name]
            gc.collect()
            server, cpu = contender.server_cpu(), time.process_time()
            for item in part:
                start = time.perf_counter()
                own.gave.append(call(contender, item))
                own.walls.append(time.perf_counter() - start)
            contender.settle()
            own.cpu += time.process_time() - cpu
            own.server += contender.server_cpu() - server
    return spent


class Layout:
    """One layout, its contenders filled, and what is measured on them."""

    def __init__(
        self, data: Data, contenders: Sequence[Contender], options: argparse.Namespace, tell: Progress
    ) -> None:
        self._data, self._contenders, self._options = data, contenders, options
        self._tell = tell
        self._round = 0

    def once(self) -> dict[str, Figures]:
        """What filling took, opening and first recalls, bytes a memory, and how many of the nearest ten are found."""
        found: dict[str, Figures] = {}
        for contender in self._contenders:
            found[contender.name] = contender.fill(self._say(""))
            contender.refresh()
            contender.rest()
            size = contender.bytes()
            found[contender.name] |= {"bytes": size / self._data.size, "empty_mb": contender.empty_bytes / 1e6}
        first = {query.namespace: query for query in self._data.queries(4 * len(self._data.spans[:64]), "first", False)}
        for name, spent in self._turns("first recalls", list(first.values()), _recall, 4).items():
            found[name] |= spent.figures("first", 1e3)
        if "nearest" in self._options.only:
            for name, scoped in (("nearest", False), ("nearest_scope", True)):
                asked = self._data.queries(self._options.queries, name, scoped)
                right = [self._data.nearest(query) for query in asked]
                for who, spent in self._turns(name, asked, lambda contender, query: contender.nearest(query)).items():
                    pairs = list(zip(right, spent.gave, strict=True))
                    shares = [len(best & got) / len(best) for best, got in pairs if best]
                    found[who] |= spent.figures(name, 1e3) | {f"{name}_recall": statistics.fmean(shares)}
        return found

    def round(self) -> dict[str, Figures]:
        """One round of every part but re-dating, in figures by contender."""
        found: dict[str, Figures] = {contender.name: {} for contender in self._contenders}
        parts = {"recall": self._recall, "add": self._add, "bulk": self._bulk, "due": self._due}
        for part, measure in parts.items():
            if part in self._options.only:
                for name, figures in measure().items():
                    found[name] |= figures
        self._round += 1
        return found

    def _say(self, label: str) -> Any:
        head = f"{self._data.size:,} in {self._data.namespaces:,}, round {self._round + 1}: {label} "
        return lambda text: self._tell(head + text)

    def _turns(
        self, label: str, work: list[Any], call: Callable[[Contender, Any], Any], block: int = BLOCK
    ) -> dict[str, Spent]:
        return in_turns(self._contenders, work, call, self._say(label), block)

    def _recall(self) -> dict[str, Figures]:
        found: dict[str, Figures] = {contender.name: {} for contender in self._contenders}
        for name, scoped in (("recall", False), ("recall_scope", True)):
            warm = self._data.queries(64, f"warm {name}", scoped)
            self._turns(f"{name}, warming", warm, _recall)
            asked = self._data.queries(self._options.queries, f"{name} {self._round}", scoped)
            for who, spent in self._turns(name, asked, _recall).items():
                answers = [self._data.rows[query.answer]["text"] for query in asked]
                right = [answer in texts for answer, texts in zip(answers, spent.gave, strict=True)]
                found[who] |= spent.figures(name, 1e3) | {f"{name}_found": statistics.fmean(right)}
        return found

    def _add(self) -> dict[str, Figures]:
        rows = self._data.fresh(self._options.adds, f"add {self._round}")
        spent = self._turns("add", rows, lambda contender, row: contender.add(row))
        return {name: own.figures("add", 1e6) for name, own in spent.items()}

    def _bulk(self) -> dict[str, Figures]:
        batches = blocks(self._data.fresh(self._options.batches * BULK, f"bulk {self._round}"), BULK)
        spent = self._turns("bulk", batches, lambda contender, rows: contender.bulk(rows), 1)
        found = {name: own.figures("bulk", 1e6, BULK) for name, own in spent.items()}
        drained = self._turns("embedding", [None], lambda contender, _: contender.drain())
        for name, own in drained.items():
            found[name] |= own.figures("drain", 1e6, BULK * len(batches))
        return found

    def _due(self) -> dict[str, Figures]:
        found: dict[str, Figures] = {contender.name: {} for contender in self._contenders}
        for name, step in (("due_few", 2 * self._round), ("due_share", 2 * self._round + 1)):
            now = self._data.now + timedelta(minutes=10 * (step + 1), seconds=1)
            for who, own in self._turns(name, [now], lambda contender, moment: contender.due(moment)).items():
                figures = own.figures(name, 1e3)
                found[who] |= figures | {f"{name}_number": own.gave[0], f"{name}_meant": len(self._data.due[step])}
        return found

    def redate(self, turn: int) -> dict[str, Figures]:
        """Every date of the first namespace anew; after the rounds, since a plain table is left half dead by it."""
        spent = self._turns("redate", [turn], lambda contender, number: contender.redate(number), 1)
        return {
            name: own.figures("redate", 1e6, max(own.gave[0], 1)) | {"redate_number": own.gave[0]}
            for name, own in spent.items()
        }


def _recall(contender: Contender, query: Query) -> list[str]:
    return list(contender.recall(query))


def measured(
    size: int, namespaces: int, options: argparse.Namespace, tell: Progress, keep: Callable[[dict[str, Any]], None]
) -> None:
    """A layout; what is known is kept after each round, since a run is long."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="remanence-postgres-")))
        data = Data(size, namespaces, options.rounds, options.data, options.vectors)

        def server(_: str) -> Server:
            made = Server(options.url, wall=options.wall)
            stack.callback(made.close)
            return made

        contenders: list[Contender] = []
        for name in options.contenders:
            contenders.append(started(name, data, folder, server, options.partitions))
            stack.callback(contenders[-1].close)
        found: dict[str, Any] = {"size": size, "namespaces": namespaces, "partitions": options.partitions}
        found |= {"vectors": "hash" if data.hashed else "made", "rounds": [], "calibration": []}
        layout = Layout(data, contenders, options, tell)
        found["once"] = layout.once()
        keep(found)
        for _ in range(options.rounds):
            found["calibration"].append(calibrate(folder))
            found["rounds"].append(layout.round())
            found["unknown_texts"] = data.embedder.missed
            keep(found)
        if "redate" in options.only:
            for turn in range(1 if len(data.spans[0]) >= REDATED_ONCE else options.rounds):
                for name, figures in layout.redate(turn).items():
                    found["rounds"][turn][name] |= figures
                keep(found)


def command_line(options: argparse.Namespace) -> str:
    """What repeats this run; addresses, folders and files of this machine are left out."""
    listed = {name: ",".join(map(str, getattr(options, name))) for name in ("sizes", "namespaces", "only")}
    parts = ["python benchmarks/postgres.py", f"--sizes {listed['sizes']}", f"--namespaces {listed['namespaces']}"]
    parts += [f"--partitions {options.partitions}", f"--rounds {options.rounds}"]
    parts += [f"--adds {options.adds}", f"--batches {options.batches}", f"--queries {options.queries}"]
    if not options.wall:
        parts.append("--no-wall")
    if options.only != list(PARTS):
        parts.append(f"--only {listed['only']}")
    if "workers" in options.only:
        parts += [f"--worker-namespaces {options.worker_namespaces}", f"--worker-memories {options.worker_memories}"]
    return " ".join(parts)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    several = lambda text: text.split(",") if text else []  # noqa: E731 (argparse wants a callable)
    numbers = lambda text: [int(part) for part in text.split(",")]  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=numbers, default=[10_000], help="memories, such as 10000,100000")
    parser.add_argument("--namespaces", type=numbers, default=[1, 100], help="over how many they are spread")
    parser.add_argument("--partitions", type=int, default=1, help="of each table of ours; 64 for many namespaces")
    parser.add_argument("--rounds", type=int, default=3, help="on the same stores; medians are shown")
    parser.add_argument("--adds", type=int, default=200, help="single adds a round")
    parser.add_argument("--batches", type=int, default=3, help="bulk adds of 1,000 a round")
    parser.add_argument("--queries", type=int, default=200, help="recalls of each sort a round")
    parser.add_argument("--only", type=several, default=list(PARTS), help=f"some of {', '.join(PARTS)}; default all")
    parser.add_argument("--contenders", type=several, default=list(CONTENDERS), help=f"some of {', '.join(CONTENDERS)}")
    parser.add_argument("--vectors", choices=("auto", "made", "hash"), default="auto", help="hash from 500,000 on")
    parser.add_argument("--worker-namespaces", type=int, default=200, help="namespaces of the part `workers`")
    parser.add_argument("--worker-memories", type=int, default=500, help="memories of each, all due")
    parser.add_argument("--no-wall", dest="wall", action="store_false", help="as a role that row security is not for")
    parser.add_argument("--url", help="a server to make databases on, instead of one of our own")
    parser.add_argument("--data", type=Path, default=dataset.default_folder(), help="folder of the cached text sets")
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat(), help="date shown in the report")
    parser.add_argument("--json", type=Path, help="write the figures here, after every round")
    parser.add_argument("--markdown", type=Path, help="write the tables here instead of to standard output")
    options = parser.parse_args(arguments)
    unknown = {*options.only} - {*PARTS} | {*options.contenders} - {*CONTENDERS}
    if unknown:
        parser.error(f"unknown {', '.join(sorted(unknown))}; known are {', '.join((*PARTS, *CONTENDERS))}")
    return options


def run(options: argparse.Namespace) -> dict[str, Any]:
    tell = Progress()
    results: dict[str, Any] = {
        "date": options.date,
        "command": command_line(options),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "settings": {} if options.url else DURABLE,
        "wall": options.wall,
        "adds": options.adds,
        "queries": options.queries,
        "layouts": [],
    }
    layouts: dict[tuple[int, int], dict[str, Any]] = {}

    def write() -> None:
        results["layouts"] = list(layouts.values())
        if options.json:
            options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")

    def keep(found: dict[str, Any]) -> None:
        layouts[found["size"], found["namespaces"]] = found
        write()

    if set(options.only) - {"workers"}:
        for size in options.sizes:
            for namespaces in options.namespaces:
                measured(size, namespaces, options, tell, keep)
    if "workers" in options.only:
        results["workers"] = postgres_workers.workers(options, tell)
        write()
    tell.end()
    return results


def main() -> None:
    options = parse(sys.argv[1:])
    text = postgres_report.markdown(run(options))
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
