"""What ageing costs: a due sweep, a full one, and dating a whole store, beside plainly updating every row.

Each store holds so many memories under a policy, of which 100 are due. The same file is measured for all: the due
sweep (which reads only what is due), the full sweep (its twin, which reads everything), a re-dating of every memory
under another policy and back, and, as the floor, one UPDATE that gives every row a new score, as maintenance passes
elsewhere do. Process CPU, medians of interleaved rounds; memory is what the process holds at its peak.

    python benchmarks/ageing.py --sizes 1000,10000,100000 --rounds 5 --json out.json --markdown out.md
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from remanence import Mind
from remanence.model.draft import draft_from
from remanence.model.plan import Change, Plan

NOW = datetime(2026, 6, 1, tzinfo=UTC)
KINDS = ("fact", "decision", "preference")
SOURCES = ("human", "ai", "extracted")
DUE = 100
STEP = 10_000


def texts(number: int) -> str:
    return f"Service {number % 997} of team {number % 31} runs release {number} with {number % 13} workers"


def drafts(size: int, seed: int) -> Iterator[dict[str, Any]]:
    """Memories of the last months, none of them due for weeks, and 100 whose own time has just passed."""
    random = Random(seed)
    for number in range(size):
        age = timedelta(days=random.uniform(0.1, 60))
        draft: dict[str, Any] = {
            "text": texts(number),
            "kind": random.choice(KINDS),
            "scope": f"/project/{number % 20}",
            "source": random.choice(SOURCES),
            "importance": random.choice((0.2, 0.4, 0.5, 0.6, 0.8)),
            "created_at": NOW - age,
        }
        if number % max(size // DUE, 1) == 0 and number // max(size // DUE, 1) < DUE:
            draft["expires_at"] = NOW - timedelta(minutes=1)
        yield draft


def build(path: Path, size: int, policy: str, progress: Callable[[int], None]) -> None:
    """A store of that size; memories go in as plans of adds, since what writing costs is measured elsewhere."""
    random = Random(7)
    with Mind(
        path,
        policy=policy,
        clock=lambda: NOW - timedelta(hours=1),
        embedder=False,
        settings={"upkeep": {"on_open": False}},
    ) as mind:
        changes = []
        for number, draft in enumerate(drafts(size, 1)):
            made = draft_from(draft)
            memory = made.memory(mind._new_id(NOW), mind.namespace, NOW)
            if random.random() < 0.2:
                last = memory.created_at + (NOW - memory.created_at) * random.random()
                memory = memory.but(access_count=1, last_accessed_at=last, recent_accesses=(last,))
            changes.append(Change.add(memory))
            if len(changes) == STEP or number == size - 1:
                mind._store.apply(Plan(tuple(changes), verb="remember"), NOW)
                changes = []
                progress(number + 1)


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    gc.collect()
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(path: Path, size: int, policy: str, other: str, rounds: int, full: bool) -> dict[str, Any]:
    import apsw

    figures: dict[str, list[float]] = {}
    quiet = {"upkeep": {"on_open": False}}
    with Mind(path, policy=policy, clock=lambda: NOW, embedder=False, settings=quiet) as mind:
        mind.sweep()  # the first one dates whatever is not dated yet, and loads what a process needs once
        plain = apsw.Connection(str(path))
        for _ in range(rounds):
            seconds, plan = cpu(mind.sweep)
            figures.setdefault("due sweep", []).append(seconds)
            assert len(plan) == DUE, len(plan)
            if full:
                seconds, twin = cpu(lambda: mind.sweep(full=True))
                figures.setdefault("full sweep", []).append(seconds)
                assert twin == plan
            for name in (other, policy):
                seconds, _ = cpu(lambda name=name: redate(mind, name))
                figures.setdefault("re-date all", []).append(seconds)
            plain.execute("BEGIN IMMEDIATE")
            seconds, _ = cpu(
                lambda: plain.execute(
                    "UPDATE lives SET importance = min(1, importance * 0.9999) WHERE state = 0"
                ).fetchall()
            )
            figures.setdefault("update every row", []).append(seconds)
            plain.execute("ROLLBACK")
        plain.close()
        seconds, receipt = cpu(lambda: mind.apply(mind.sweep(), force=True))
        figures["due sweep and apply"] = [seconds]
        assert len(receipt.applied) == DUE
    return {"size": size, "peak_mb": peak_megabytes(), **{name: statistics.median(v) for name, v in figures.items()}}


def redate(mind: Mind, name: str) -> int:
    """Date every memory under another policy."""
    from remanence.flows.dating import date_all
    from remanence.flows.living import for_dating
    from remanence.lifecycle.dater import Dater
    from remanence.policies.reading import named

    policy = for_dating(mind._store, named(name), NOW)
    mind._store.date_with(Dater(policy))
    return date_all(mind._store, policy)


def table(found: list[dict[str, Any]]) -> str:
    names = [name for name in found[0] if name not in ("size", "peak_mb")]
    head = "| memories | " + " | ".join(f"{name}, ms" for name in names) + " | peak memory, MB |"
    lines = [head, "|---:" * (len(names) + 2) + "|"]
    for row in found:
        cells = [f"{row[name] * 1000:,.1f}" if name in row else "" for name in names]
        lines.append(f"| {row['size']:,} | " + " | ".join(cells) + f" | {row['peak_mb']:.0f} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000", help="memories in each store")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--policy", default="balanced", help="the policy in force")
    parser.add_argument("--other", default="tiered", help="the policy that everything is dated under and back")
    parser.add_argument("--no-full", action="store_true", help="leave out the full sweep")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args()
    found = []
    for size in map(int, given.sizes.split(",")):
        # A process of its own for each size, so that peak memory is that size's.
        with tempfile.TemporaryDirectory(prefix="remanence-ageing-") as folder:
            path = Path(folder) / "memory.db"
            show = lambda done, size=size: print(f"\rbuilding {done:,} of {size:,}", end="", file=sys.stderr)  # noqa: E731
            build_alone(path, size, given.policy, show)
            found.append(measure_alone(path, size, given))
    text = table(found)
    print(text)
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n")
    if given.markdown:
        given.markdown.write_text(text + "\n")
    return 0


def build_alone(path: Path, size: int, policy: str, progress: Callable[[int], None]) -> None:
    import multiprocessing

    worker = multiprocessing.get_context("fork").Process(target=build, args=(path, size, policy, progress))
    worker.start()
    worker.join()
    print(file=sys.stderr)


def measure_alone(path: Path, size: int, given: argparse.Namespace) -> dict[str, Any]:
    import multiprocessing

    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        arguments = (path, size, given.policy, given.other, given.rounds, not given.no_full)
        return pool.apply(measure, arguments)


if __name__ == "__main__":
    sys.exit(main())
