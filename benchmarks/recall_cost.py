"""What remembering and recalling by words and meaning costs, beside the least that does it and beside other memories.

`cost` holds remanence against `floor` and, where their Pythons are named, against peers (peers.py): single adds,
recalls, bulk adds with the backlog drained, bytes, memory. Each contender is a process of its own and they take turns,
as in foundation.py; CPU is the whole process's, without what the embedder takes. The other parts measure remanence
alone: `embedder` (texts a second), `shell` (`rem recall` from a cold start), `bytes` (a memory hot, and cold: archived,
faded to 2 bits, vacuumed), `second` (another process's write in the next recall), `--million`.

    python benchmarks/recall_cost.py --sizes 1000,10000,100000 --rounds 3 --json out.json --markdown out.md
    python benchmarks/recall_cost.py --peers mem0,langgraph --peer-python mem0=PYTHON --peer-python langgraph=PYTHON
    python benchmarks/recall_cost.py --only shell,bytes,second --million

A peer's Python may also stand in the environment, as PEER_PYTHON_MEM0. It needs numpy and the peer: mem0ai (and
faiss-cpu for mem0-faiss), or langgraph-checkpoint-sqlite on a Python whose SQLite loads extensions.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import dataset
import foundation
import peers
from foundation import BLOCK, BULK, Figures, Progress, blocks, calibrate, folder_bytes, in_turns
from peers import FLOOR, FLOOR_FULL, NO_LOG, OURS
from report import multiple, number, spread

PARTS = ("cost", "embedder", "shell", "bytes", "second")
COPIES = {NO_LOG: OURS, FLOOR_FULL: FLOOR}  # filled as another is, so its file is copied
QUIET = {"upkeep": {"on_open": False}}
WORKER = Path(__file__).with_name("peers.py")
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
STEP = 10_000
MILLION = 1_000_000
MILLION_MINUTES = 25.0
SHELL_RUNS = 7
SECOND_TIMES = 50
EMBED_SECONDS = 8.0
COLD_YEARS = 5
COLD_POLICY = "halflife"  # archives whatever nobody recalls
MEASURES = {
    "add_cpu": ("add one, CPU ms", "at most 3x"),
    "add_typical": ("… in the median block, without checkpoints and merges", ""),
    "add_wall": ("add one, wall p50 ms (embedding included)", ""),
    "recall_scope_cpu": ("recall 10 in a scope, CPU ms", "at most 1.5x to 10k, 0.5x at 100k"),
    "recall_scope_behind": ("… of which after the call, written behind", ""),
    "recall_scope_wall": ("recall 10 in a scope, wall p50 ms (embedding included)", ""),
    "recall_scope_found": ("… share that finds the right memory among the 10", ""),
    "recall_all_cpu": ("recall 10 anywhere, CPU ms", "at most 1.5x to 10k, 0.5x at 100k"),
    "recall_all_behind": ("… of which after the call, written behind", ""),
    "recall_all_wall": ("recall 10 anywhere, wall p50 ms (embedding included)", ""),
    "recall_all_found": ("… share that finds the right memory among the 10", ""),
    "bulk_cpu": ("add 1,000 at a time and drain the backlog, CPU µs each", ""),
    "drain_cpu": ("… of which draining: vectors and surprise", ""),
    "disk_bytes": ("disk, bytes per text given", "at most 2,600"),
    "memory_mb": ("resident memory added, MB (mapped files apart)", ""),
    "open_cpu": ("open the store, CPU ms", ""),
    "first_recall_cpu": ("first recall after opening, CPU ms", ""),
    "first_recall_wall": ("first recall after opening, wall ms", ""),
}
# Figures of which a ratio says nothing: the floor has no such thing, or nothing to speak of.
PLAIN = ("_found", "_behind", "drain_cpu", "open_cpu", "first_recall_cpu", "first_recall_wall")
SUMMARY = {
    "add_cpu": "add one",
    "recall_scope_cpu": "recall in a scope",
    "recall_all_cpu": "recall anywhere",
    "bulk_cpu": "add in bulk",
    "disk_bytes": "disk",
    "memory_mb": "memory",
}


# --- cost: contenders in turns


class Process(foundation.Process):
    """A contender of peers.py, by the Python that has it."""

    def __init__(self, name: str, home: Path, python: str) -> None:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("REMANENCE_")}
        environment |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home)} | ONE_THREAD
        self.name = name
        self.background_cpu = 0.0
        self._process = subprocess.Popen(
            [python, str(WORKER), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )


def started(name: str, store: Path, options: argparse.Namespace, stack: ExitStack) -> Process:
    """A contender that has its imports behind it, and ends with the stack."""
    home = store.parent / "home"
    home.mkdir(exist_ok=True)
    store.mkdir(exist_ok=True)
    process = Process(name, home, options.pythons.get(name, sys.executable))
    stack.callback(process.end)
    process.ask("load")
    return process


def filled(names: list[str], root: Path, size: int, options: argparse.Namespace, tell: Progress) -> dict[str, Figures]:
    """Stores of that size; what filling them cost."""
    facts = dataset.facts_file(size, options.data)
    counts = [min(BULK, size - done) for done in range(0, size, BULK)]
    spent: dict[str, Counter[str]] = {name: Counter() for name in names}
    with ExitStack() as stack:
        processes = [started(name, root / name, options, stack) for name in names]
        for process in processes:
            process.ask("open", folder=str(root / process.name))
            process.ask("feed", facts=str(facts))
        for turn, count in enumerate(counts):
            tell(f"{size:,}: fill, block {turn + 1} of {len(counts)}")
            shift = turn % len(processes)
            for process in processes[shift:] + processes[:shift]:
                before = process.background_cpu
                spent[process.name]["fill"] += process.ask("bulk", count=count)["cpu"]
                drained = process.ask("drain")["cpu"]
                spent[process.name]["drain"] += drained + process.background_cpu - before
        for process in processes:
            process.ask("close")
    return {
        name: {"bulk_cpu": found.total() / size * 1e6, "drain_cpu": found["drain"] / size * 1e6}
        for name, found in spent.items()
    }


def used(names: list[str], root: Path, size: int, options: argparse.Namespace, tell: Progress) -> dict[str, Figures]:
    """What opening these stores, adding to them and recalling from them costs, each in a new process."""
    adds = dataset.fresh_facts(options.adds, size)
    warm = dataset.queries(3, size, options.data, "warm")
    figures: dict[str, Figures] = {name: {} for name in names}

    def note(key: str, result: dict[str, Any], count: int) -> None:
        for name, reply in result.items():
            figures[name][f"{key}_cpu"] = (reply["cpu"] + reply["behind"]) / count * 1e3
            figures[name][f"{key}_behind"] = reply["behind"] / count * 1e3
            figures[name][f"{key}_typical"] = statistics.median(reply["blocks"]) * 1e3
            figures[name][f"{key}_wall"] = statistics.median(reply["walls"]) * 1e3
            if key.startswith("recall"):
                figures[name][f"{key}_found"] = reply["found"] / count

    with ExitStack() as stack:
        processes = []
        for name in names:
            tell(f"{size:,}: open, {name}")
            process = started(name, root / name, options, stack)
            figures[name]["open_cpu"] = process.ask("open", folder=str(root / name))["cpu"] * 1e3
            process.ask("settle")
            first = process.ask("recall", queries=warm[:1], scoped=False)
            figures[name]["first_recall_cpu"] = first["cpu"] * 1e3
            figures[name]["first_recall_wall"] = first["walls"][0] * 1e3
            processes.append(process)
        requests: list[dict[str, Any]] = [{"do": "add", "rows": block} for block in blocks(adds, BLOCK)]
        note("add", in_turns(processes, requests, tell, f"{size:,}: add"), len(adds))
        for process in processes:
            process.ask("settle")
            process.ask("recall", queries=warm[1:], scoped=True)
        for key, label, scoped in (("recall_scope", "scope", True), ("recall_all", "anywhere", False)):
            asked = dataset.queries(options.queries, size, options.data, label)
            requests = [{"do": "recall", "queries": block, "scoped": scoped} for block in blocks(asked, BLOCK)]
            note(key, in_turns(processes, requests, tell, f"{size:,}: {key}"), len(asked))
        for process in processes:
            resident = process.ask("memory")["bytes"]
            if resident is not None:
                figures[process.name]["memory_mb"] = resident / 1e6
            process.ask("close")
            figures[process.name]["disk_bytes"] = folder_bytes(root / process.name) / (size + len(adds))
    return figures


def cost(options: argparse.Namespace, tell: Progress, keep: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """All rounds of all sizes; what is known is kept after each, since a run is long."""
    rounds: dict[int, list[dict[str, Figures]]] = defaultdict(list)
    calibration: list[Figures] = []
    found: dict[str, Any] = {"sizes": rounds, "calibration": calibration, "embedding_us": embedding_cost()}
    with tempfile.TemporaryDirectory(prefix="remanence-benchmark-") as folder:
        scratch = Path(folder)
        with ExitStack() as stack:
            names = [*peers.HERE, *options.peers]
            found["engines"] = {
                name: started(name, scratch / name, options, stack).ask("about")["engine"] for name in names
            }
        for _ in range(options.rounds):
            for size in options.sizes:
                names = [*peers.HERE, *(options.peers if size <= options.peers_up_to else ())]
                calibration.append(calibrate(scratch))
                root = scratch / "stores"
                root.mkdir()
                figures = filled([name for name in names if name not in COPIES], root, size, options, tell)
                for name, of in COPIES.items():
                    shutil.copytree(root / of, root / name)
                own = used(names, root, size, options, tell)
                rounds[size].append({name: figures.get(name, {}) | own[name] for name in names})
                shutil.rmtree(root)
                keep(found)
    return found


def embedding_cost() -> float:
    """CPU µs of the contenders' embedder for a text; it is in no figure."""
    texts = [str(row["text"]) for row in dataset.fresh_facts(1000, 1000)]
    embedder = peers.HashEmbedder()
    embedder.embed(texts)
    embedder.spent = 0.0
    for text in texts:
        embedder.one(text)
    return embedder.spent / len(texts) * 1e6


# --- stores built without the checks of a write, which are measured elsewhere


def fill_directly(path: Path, facts: Path, size: int, model: str, minutes: float) -> int:
    """Memories with hash vectors, as plans of adds; how many there are when the time is up."""
    from remanence import Mind
    from remanence.model.draft import draft_from
    from remanence.model.plan import Change, Plan
    from remanence.store.protocol import Embedded

    embedder, begun, now, done = peers.HashEmbedder(model), time.monotonic(), datetime.now(UTC), 0
    with Mind(path, embedder=embedder, settings=QUIET) as mind, facts.open(encoding="utf-8") as lines:
        while done < size and time.monotonic() - begun < 60 * minutes:
            rows = [json.loads(line) for line in itertools.islice(lines, min(STEP, size - done))]
            memories = [
                draft_from(
                    {name: row[name] for name in ("text", "scope", "kind", "importance")}
                    | {"created_at": now - timedelta(seconds=row["age_seconds"])}
                ).memory(mind._new_id(now), mind.namespace, now)
                for row in rows
            ]
            vectors = embedder.embed([memory.text for memory in memories])
            embedded = {memory.id: Embedded(model, vector) for memory, vector in zip(memories, vectors, strict=True)}
            plan = Plan(tuple(Change.add(memory) for memory in memories), verb="remember")
            mind._store.apply(plan, now, embedded=embedded)
            done += len(rows)
    return done


def alone(work: Callable[..., Any], *arguments: Any) -> Any:
    """A call in a process of its own, so that its memory is gone when it is done."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


# --- embedder: texts a second


def embed_speed(tell: Progress) -> list[dict[str, Any]]:
    found = []
    for name, words in (("20 words", 20), ("254 words, 256 tokens", 254)):
        for way, processes, threads in (("1 process", 1, 1), ("2 processes", 2, 1), ("1 process, 2 threads", 1, 2)):
            tell(f"embedder: {name}, {way}")
            with multiprocessing.get_context("spawn").Pool(processes) as pool:
                results = pool.starmap(_embed_for, [(words, threads)] * processes, chunksize=1)
            found.append(
                {
                    "texts": name,
                    "way": way,
                    "per_second": sum(texts / wall for texts, wall, _ in results),
                    "cpu_ms": 1e3 * sum(cpu for *_, cpu in results) / sum(texts for texts, *_ in results),
                }
            )
    return found


def _embed_for(words: int, threads: int) -> tuple[int, float, float]:
    """(texts, wall seconds, CPU seconds) of some seconds of embedding in batches of 32, once the model is loaded."""
    from random import Random

    from remanence.providers.bundled import embedder as bundled

    # Whole words of the model's own vocabulary are one token each.
    lines = Path(bundled.__file__).with_name("vocabulary.txt").read_text(encoding="utf-8").split()
    known = [word for word in lines if word.isascii() and word.isalpha() and len(word) > 2]
    random, model = Random(words), bundled.Bundled()
    texts = [" ".join(random.choices(known, k=words)) for _ in range(32)]
    model.embed(texts[:2])
    until = time.perf_counter() + EMBED_SECONDS
    start, cpu = time.perf_counter(), time.process_time()

    def work(_: int) -> int:
        done = 0
        while time.perf_counter() < until:
            done += len(model.embed(texts))
        return done

    with ThreadPoolExecutor(threads) as pool:
        done = sum(pool.map(work, range(threads)))
    return done, time.perf_counter() - start, time.process_time() - cpu


# --- shell: `rem recall` from a cold start


def shell(options: argparse.Namespace, tell: Progress) -> list[dict[str, Any]]:
    from remanence.providers.bundled.embedder import MODEL

    found = []
    with tempfile.TemporaryDirectory(prefix="remanence-benchmark-") as folder:
        for size, vectors in ((1_000, "hash"), (options.shell_size, "hash"), (1_000, "bundled")):
            tell(f"shell: {size:,} {vectors} vectors")
            path, facts = Path(folder) / f"{vectors}-{size}.db", dataset.facts_file(size, options.data)
            if vectors == "hash":  # under the bundled model's name, so that the command searches them
                alone(fill_directly, path, facts, size, MODEL, 60.0)
            else:
                alone(_fill_bundled, path, facts)
            queries = [str(row["words"]) for row in dataset.queries(SHELL_RUNS + 1, size, options.data, "shell")]
            first, *runs = [_shell_recall(query, path, Path(folder)) for query in queries]
            found.append(
                {
                    "size": size,
                    "vectors": vectors,
                    "wall_ms": [wall for wall, _ in runs],
                    "cpu_ms": [cpu for _, cpu in runs],
                    "first_wall_ms": first[0],
                    "first_cpu_ms": first[1],
                }
            )
        bare = [_timed_command(["--version"], Path(folder) / "none.db", Path(folder)) for _ in range(SHELL_RUNS)]
    walls, cpus = ([run[at] for run in bare] for at in (0, 1))
    nothing = {"size": 0, "vectors": "(`rem --version`)", "wall_ms": walls, "cpu_ms": cpus}
    return [nothing, *found]


def _fill_bundled(path: Path, facts: Path) -> None:
    from remanence import Mind

    with Mind(path, settings=QUIET) as mind, facts.open(encoding="utf-8") as lines:
        mind.remember_many([{name: row[name] for name in ("text", "scope", "kind")} for row in map(json.loads, lines)])
        mind.meaning.settle(3600.0)


def _shell_recall(query: str, path: Path, folder: Path) -> tuple[float, float]:
    return _timed_command(["recall", query, "--json"], path, folder)


def _timed_command(arguments: list[str], path: Path, folder: Path) -> tuple[float, float]:
    """(wall, CPU) ms of the installed command from start to end."""
    command = shutil.which("rem", path=str(Path(sys.executable).parent)) or "rem"
    environment = {key: value for key, value in os.environ.items() if not key.startswith("REMANENCE_")} | ONE_THREAD
    environment |= {"REMANENCE_DB": str(path), "REMANENCE_CONFIG": str(folder / "config.yml"), "HOME": str(folder)}
    start = time.perf_counter()
    process = subprocess.Popen([command, *arguments], env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"rem {arguments[0]} ended with {process.returncode}")
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3


# --- bytes: hot and cold


def bytes_of_a_memory(size: int, options: argparse.Namespace) -> dict[str, Any]:
    return alone(_bytes, dataset.facts_file(size, options.data), size)


def _bytes(facts: Path, size: int) -> dict[str, Any]:
    """A store right after a bulk load, and the same once all of it was archived, faded and written anew."""
    from remanence import Mind
    from remanence.model.memory import State
    from remanence.model.plan import Change, Plan

    now, embedder = [datetime.now(UTC)], peers.HashEmbedder()
    with tempfile.TemporaryDirectory(prefix="remanence-benchmark-") as folder:
        path, copy, cold = (Path(folder) / name for name in ("memory.db", "hot.db", "cold.db"))
        with Mind(path, embedder=embedder, clock=lambda: now[0], policy=COLD_POLICY, settings=QUIET) as mind:
            with facts.open(encoding="utf-8") as lines:
                rows = [json.loads(line) for line in lines]
            for batch in blocks(rows, BULK):
                mind.remember_many([{name: row[name] for name in ("text", "scope", "kind")} for row in batch])
                mind.meaning.reembed()
            mind.backup(copy)
            given, stored = len(rows), mind.count()
            now[0] += timedelta(days=365 * COLD_YEARS)
            swept = len(mind.apply(mind.sweep(), force=True).applied)
            left = [memory for page in mind._store.pages(_live()) for memory in page]
            if left:
                mind.apply(Plan(tuple(Change.of(memory, "asked", state=State.ARCHIVED) for memory in left), "archive"))
            mind.upkeep()
            states = {state.value: mind.count(state=state.value) for state in State if state is not State.FORGOTTEN}
            mind.backup(cold)
        return {
            "given": given,
            "stored": stored,
            "swept": swept,
            "archived_by_hand": len(left),
            "states": {name: number for name, number in states.items() if number},
            "bits": _bits(cold),
            "hot": copy.stat().st_size / given,
            "cold": cold.stat().st_size / given,
            "hot_parts": _parts(copy, given),
            "cold_parts": _parts(cold, given),
        }


def _live() -> Any:
    from remanence.model.memory import State
    from remanence.model.selection import selection_from

    return selection_from(states=(State.LIVE,))


def _bits(path: Path) -> dict[str, int]:
    import apsw

    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = dict(connection.execute("SELECT coalesce(bits, 0), count(*) FROM meanings GROUP BY 1").fetchall())
    connection.close()
    return {str(bits): number for bits, number in found.items()}


def _parts(path: Path, given: int) -> dict[str, float]:
    """Bytes a memory by table and index, where SQLite was built to tell."""
    import apsw

    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC").fetchall()
        return {name: total / given for name, total in found if total / given >= 8}
    except apsw.Error:
        return {}
    finally:
        connection.close()


# --- second: what another process wrote is in the next recall


def second(options: argparse.Namespace, tell: Progress) -> list[dict[str, Any]]:
    found = []
    for size in [size for size in options.sizes if size <= options.shell_size]:
        with tempfile.TemporaryDirectory(prefix="remanence-benchmark-") as folder, ExitStack() as stack:
            tell(f"second process: {size:,}")
            store = Path(folder) / OURS
            store.mkdir()
            facts = dataset.facts_file(size, options.data)
            alone(fill_directly, store / "remanence.db", facts, size, peers.HashEmbedder.model, 60.0)
            writer, reader = (started(OURS, store, options, stack) for _ in range(2))
            for process in (writer, reader):
                process.ask("open", folder=str(store))
                process.ask("recall", queries=dataset.queries(3, size, options.data, "warm"), scoped=False)
            fresh = dataset.fresh_facts(2 * SECOND_TIMES, size)
            rows = [row for row in fresh if "of" not in row][:SECOND_TIMES]
            usual = dataset.queries(SECOND_TIMES, size, options.data, "second")
            after: list[dict[str, Any]] = []
            without: list[dict[str, Any]] = []
            for row, query in zip(rows, usual, strict=True):
                writer.ask("add", rows=[row])
                asked = {"words": row["text"], "scope": row["scope"], "answer": row["text"]}
                after.append(reader.ask("recall", queries=[asked], scoped=False))
                without.append(reader.ask("recall", queries=[query], scoped=False))
            found.append(
                {
                    "size": size,
                    "seen": sum(reply["found"] for reply in after) / len(after),
                    "after_wall_ms": [1e3 * reply["walls"][0] for reply in after],
                    "after_cpu_ms": [1e3 * reply["cpu"] for reply in after],
                    "usual_wall_ms": [1e3 * reply["walls"][0] for reply in without],
                    "usual_cpu_ms": [1e3 * reply["cpu"] for reply in without],
                }
            )
    return found


# --- a million


def million(options: argparse.Namespace, tell: Progress) -> dict[str, Any]:
    """The floor and the product at a million memories, or at as many as the time allows; one round."""
    facts = dataset.facts_file(MILLION, options.data)
    with tempfile.TemporaryDirectory(prefix="remanence-benchmark-") as folder:
        root = Path(folder)
        (root / OURS).mkdir()
        tell(f"a million: filling, at most {options.million_minutes:g} minutes")
        path, start = root / OURS / "remanence.db", time.monotonic()
        size = alone(fill_directly, path, facts, MILLION, peers.HashEmbedder.model, options.million_minutes)
        minutes = (time.monotonic() - start) / 60
        with ExitStack() as stack:
            process = started(FLOOR, root / FLOOR, options, stack)
            process.ask("open", folder=str(root / FLOOR))
            process.ask("feed", facts=str(facts))
            for done in range(0, size, STEP):
                tell(f"a million: floor, {done:,}")
                process.ask("bulk", count=min(STEP, size - done))
            process.ask("close")
        found = used([FLOOR, OURS], root, MILLION, options, tell)
    for own in found.values():  # which were divided by the million that the queries are about
        own["disk_bytes"] *= (MILLION + options.adds) / (size + options.adds)
    if size < MILLION:  # some queries ask for what was not stored
        found = {name: {key: value for key, value in own.items() if "found" not in key} for name, own in found.items()}
    return {"size": size, "fill_minutes": minutes, "figures": found}


# --- the report


def markdown(results: dict[str, Any]) -> str:
    lines = [f"## Recall by words and meaning: cost, {results['date']}", ""]
    lines += [f"`{results['command']}`: Python {results['python']}, {results['system']}.", ""]
    for part, show in (
        ("cost", _cost_lines),
        ("million", _million_lines),
        ("embedder", _embedder_lines),
        ("shell", _shell_lines),
        ("bytes", _bytes_lines),
        ("second", _second_lines),
    ):
        if part in results:
            lines += [*show(results[part]), ""]
    return "\n".join(lines)


def _cost_lines(found: dict[str, Any]) -> Iterator[str]:
    sizes: dict[int, list[dict[str, Figures]]] = {int(size): rounds for size, rounds in found["sizes"].items()}
    loops = [each["python_loop_cpu_ms"] for each in found["calibration"]]
    waits = [each["fsync_wall_ms"] for each in found["calibration"]]
    yield f"Machine: 300,000 turns of a Python loop take {spread(loops)} ms of CPU, a 4 KB fsync {spread(waits)} ms."
    yield "Median over the rounds (smallest to largest); a ratio is taken within a round. The embedder "
    yield f"({found['embedding_us']:.0f} µs a text) is in no CPU figure."
    yield ""
    yield from (f"- `{name}`: {peers.DESCRIPTIONS[name]}; {engine}" for name, engine in found["engines"].items())
    yield ""
    yield f"| as a multiple of `{FLOOR}` | memories | " + " | ".join(SUMMARY.values()) + " |"
    yield "|---|--:|" + "--:|" * len(SUMMARY)
    for name in found["engines"]:
        for size, rounds in sizes.items():
            if name != FLOOR and name in rounds[0]:
                cells = [ratio(rounds, key, name) for key in SUMMARY]
                yield f"| `{name}` | {size:,} | " + " | ".join(cells) + " |"
    for size, rounds in sizes.items():
        cells = [ratio(rounds, key, OURS, FLOOR_FULL) for key in SUMMARY]
        yield f"| `{OURS}`, of `{FLOOR_FULL}` | {size:,} | " + " | ".join(cells) + " |"
    for size, rounds in sizes.items():
        names = list(rounds[0])
        yield from ("", f"### {size:,} memories", "")
        yield "|  | " + " | ".join(f"`{name}`" for name in names) + f" | `{OURS}` to `{FLOOR}` | goal |"
        yield "|---|" + "--:|" * (len(names) + 1) + "---|"
        for key, (label, goal) in MEASURES.items():
            cells = [spread([each[name][key] for each in rounds if key in each[name]]) for name in names]
            times = "" if key.endswith(PLAIN) else ratio(rounds, key, OURS)
            yield f"| {label} | " + " | ".join(cells) + f" | {times} | {goal} |"


def _million_lines(found: dict[str, Any]) -> Iterator[str]:
    rounds = [found["figures"]]
    yield f"### {found['size']:,} memories (filled in {found['fill_minutes']:.0f} minutes; one round)"
    yield ""
    yield f"|  | `{FLOOR}` | `{OURS}` | ratio |"
    yield "|---|--:|--:|--:|"
    for key, (label, _) in MEASURES.items():
        if key in found["figures"][FLOOR]:
            cells = [number(found["figures"][name][key]) for name in (FLOOR, OURS)]
            yield f"| {label} | {' | '.join(cells)} | {'' if key.endswith(PLAIN) else ratio(rounds, key, OURS)} |"


def _embedder_lines(found: list[dict[str, Any]]) -> Iterator[str]:
    yield "### The bundled embedder"
    yield ""
    yield "| texts of | by | texts a second | CPU ms a text |"
    yield "|---|---|--:|--:|"
    for row in found:
        yield f"| {row['texts']} | {row['way']} | {number(row['per_second'])} | {number(row['cpu_ms'])} |"


def _shell_lines(found: list[dict[str, Any]]) -> Iterator[str]:
    yield f"### `rem recall` from a cold start (median of {SHELL_RUNS}; files in the system's cache)"
    yield ""
    yield "| memories | vectors | wall ms | CPU ms |"
    yield "|--:|---|--:|--:|"
    for row in found:
        size = f"{row['size']:,}" if row["size"] else ""
        yield f"| {size} | {row['vectors']} | {spread(row['wall_ms'])} | {spread(row['cpu_ms'])} |"


def _bytes_lines(found: list[dict[str, Any]]) -> Iterator[str]:
    yield "### Bytes a memory (384 dimensions; given in bulk, embedded and judged; file vacuumed)"
    yield f"Cold: {COLD_YEARS} years later, under the policy `{COLD_POLICY}`."
    yield ""
    yield "| texts given | hot | goal | cold: archived, faded | goal | archived by policy / by hand | vectors by bits |"
    yield "|--:|--:|--:|--:|--:|--:|---|"
    for row in found:
        bits = ", ".join(f"{bits}: {count:,}" for bits, count in row["bits"].items())
        yield (
            f"| {row['given']:,} | {row['hot']:,.0f} | 2,600 | {row['cold']:,.0f} | 900 "
            f"| {row['swept']:,} / {row['archived_by_hand']:,} | {bits} |"
        )
    largest = found[-1]
    if largest["hot_parts"]:
        yield from ("", "| part, bytes a memory | hot | cold |", "|---|--:|--:|")
        for name in largest["hot_parts"] | largest["cold_parts"]:
            cells = (largest[f"{when}_parts"].get(name, 0.0) for when in ("hot", "cold"))
            yield f"| `{name}` | " + " | ".join(f"{cell:.0f}" for cell in cells) + " |"


def _second_lines(found: list[dict[str, Any]]) -> Iterator[str]:
    yield "### A recall right after another process's write (median, smallest to largest)"
    yield ""
    yield "| memories | the write is among the hits | wall ms | CPU ms | without a write before: wall ms | CPU ms |"
    yield "|--:|--:|--:|--:|--:|--:|"
    for row in found:
        cells = [spread(row[key]) for key in ("after_wall_ms", "after_cpu_ms", "usual_wall_ms", "usual_cpu_ms")]
        yield f"| {row['size']:,} | {row['seen']:.0%} | " + " | ".join(cells) + " |"


def ratio(rounds: list[dict[str, Figures]], key: str, name: str, to: str = FLOOR) -> str:
    return multiple((each[name].get(key), each[to].get(key)) for each in rounds)


# --- the command


def command_line(options: argparse.Namespace) -> str:
    """What repeats this run; folders and files of this machine are left out."""
    parts = ["python benchmarks/recall_cost.py", f"--sizes {','.join(map(str, options.sizes))}"]
    parts += [f"--rounds {options.rounds}", f"--adds {options.adds}", f"--queries {options.queries}"]
    if options.peers:
        parts += [f"--peers {','.join(options.peers)}", f"--peers-up-to {options.peers_up_to}"]
    if options.only != list(PARTS):
        parts.append(f"--only {','.join(options.only)}")
    return " ".join([*parts, *(["--million"] if options.million else [])])


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    several = lambda text: text.split(",") if text else []  # noqa: E731 (argparse wants a callable)
    numbers = lambda text: [int(part) for part in text.split(",")]  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=numbers, default=[1_000, 10_000], help="facts per store, such as 1000,10000")
    parser.add_argument("--rounds", type=int, default=3, help="each builds every store anew; medians are shown")
    parser.add_argument("--adds", type=int, default=200, help="single adds per round and size")
    parser.add_argument("--queries", type=int, default=200, help="recalls per round, size and way of asking")
    parser.add_argument("--only", type=several, default=list(PARTS), help=f"some of {', '.join(PARTS)}; default all")
    parser.add_argument("--peers", type=several, default=[], help=f"some of {', '.join(peers.PEERS)}")
    parser.add_argument("--peer-python", action="append", default=[], metavar="NAME=PYTHON", help="who has this peer")
    parser.add_argument("--peers-up-to", type=int, default=10_000, help="the largest size at which peers take part")
    parser.add_argument("--shell-size", type=int, default=100_000, help="the larger store of the part `shell`")
    parser.add_argument("--million", action="store_true", help="a million memories as well; 6 GB of temporary space")
    parser.add_argument("--million-minutes", type=float, default=MILLION_MINUTES, help="how long filling may take")
    parser.add_argument("--data", type=Path, default=dataset.default_folder(), help="folder of the cached text sets")
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat(), help="date shown in the report")
    parser.add_argument("--json", type=Path, help="write the figures here, after every round and part")
    parser.add_argument("--markdown", type=Path, help="write the tables here instead of to standard output")
    options = parser.parse_args(arguments)
    given = dict(part.partition("=")[::2] for part in options.peer_python)
    options.pythons = {}
    for name in options.peers:
        python = given.get(name) or os.environ.get(f"PEER_PYTHON_{name.upper().replace('-', '_')}")
        if name not in peers.PEERS:
            parser.error(f"unknown peer {name}; known are {', '.join(peers.PEERS)}")
        if not python:
            parser.error(f"which Python has {name}? Say it with --peer-python {name}=PYTHON")
        options.pythons[name] = python
    if unknown := set(options.only) - set(PARTS) - {"none"}:
        parser.error(f"unknown parts {', '.join(sorted(unknown))}; known are {', '.join(PARTS)}")
    return options


def run(options: argparse.Namespace) -> dict[str, Any]:
    tell = Progress()
    results: dict[str, Any] = {
        "date": options.date,
        "command": command_line(options),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }
    sizes = [size for size in options.sizes if size <= 10_000] or options.sizes[:1]

    def keep(part: str, found: Any) -> None:
        results[part] = found
        if options.json:
            options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")

    work: dict[str, Callable[[], Any]] = {
        "cost": lambda: cost(options, tell, lambda found: keep("cost", found)),
        "embedder": lambda: embed_speed(tell),
        "shell": lambda: shell(options, tell),
        "bytes": lambda: [bytes_of_a_memory(size, options) for size in sizes],
        "second": lambda: second(options, tell),
    }
    for part in options.only:
        if part in work:
            keep(part, work[part]())
    if options.million:
        keep("million", million(options, tell))
    tell.end()
    return results


def main() -> None:
    os.environ.update(ONE_THREAD)
    options = parse(sys.argv[1:])
    text = markdown(run(options))
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
