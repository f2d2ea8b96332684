"""What stage 2 costs without a model, and guidance: CPU and bytes by the number of a project's memories; what moves.

    python benchmarks/artifacts.py [--sizes 1000,10000,100000] [--rounds 5] [--markdown OUT]

CPU of this process, medians. The memories are notes of sessions, of seven kinds, over a year; one in fifty tells a way
of working, and a tenth were recalled. They go straight into the store. `first` writes all files, `again` finds them as
they should be; `look` is what every command pays that takes memories out of recall. The second table tells how many
files were written, and how many of their bytes stand in lines that were not there before.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, TypeVar

from remanence import Mind
from remanence.model.draft import draft_from
from remanence.model.plan import Change, Plan
from remanence.settings import Settings

SIZES = (1_000, 10_000, 100_000)
PROJECT = "/project/api"
NOW = datetime(2026, 6, 1, tzinfo=UTC)
YEAR_MINUTES = 365 * 24 * 60
BULK = 5_000
KINDS = ("fact", "decision", "preference", "gotcha", "architecture", "bug", "session_summary")
PARTS = ("gateway", "ledger", "search", "billing", "catalog", "mail", "export", "metrics", "queue", "proxy")
SAID = (
    "The {part} keeps {number} rows of each table, since the load doubled in week {week}.",
    "We decided that the {part} of region {number} writes to its own log for {week} days.",
    "Never restart the {part} with more than {number} open connections, it takes {week} minutes to recover.",
    "`make {part}-{number}` failed with `Error {number}: timeout after {week} s`; fixed by `make clean-{part}`.",
    "Anna moved the tests of the {part} to build {number} and made them {week} times as fast.",
)
STEPS = "When the {part} of build {number} is released: 1. run `make test-{week}` 2. push the tag 3. tell Anna"
_Result = TypeVar("_Result")


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


def text_of(number: int) -> str:
    said = STEPS if number % 50 == 0 else SAID[number % len(SAID)]
    return said.format(part=PARTS[number % len(PARTS)], number=number, week=1 + number % 52)


def fill(mind: Mind, number: int) -> None:
    changes = []
    for one in range(number):
        at = NOW - timedelta(minutes=one * 7_919 % YEAR_MINUTES)
        kind = "workflow" if one % 50 == 0 else KINDS[one % len(KINDS)]
        importance = round(0.2 + one % 71 / 100, 2)
        draft = draft_from({"text": text_of(one), "scope": PROJECT, "kind": kind, "importance": importance})
        changes.append(Change.add(draft.memory(mind._new_id(at), mind.namespace, at), "filled"))
        if len(changes) == BULK or one == number - 1:
            mind._store.apply(Plan(tuple(changes), verb="fill"), NOW)
            mind._store.touch([change.memory_id for change in changes[::10]], NOW)
            changes = []
    mind._store.flush()


def cpu(job: Callable[[], _Result]) -> tuple[float, _Result]:
    begun = time.process_time()
    done = job()
    return time.process_time() - begun, done


def files(mind: Mind) -> dict[str, bytes]:
    folder = Path(mind.artifacts.folder(PROJECT))
    return {str(one.relative_to(folder)): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


class Cost(NamedTuple):
    """Seconds of CPU of each thing, and the bytes of the files."""

    first: float
    again: float
    guidance: float
    small: float
    refresh: float
    names: int
    document: int
    summary: int


def measured(mind: Mind, rounds: int) -> Cost:
    firsts, agains, blocks, smalls, looks = [], [], [], [], []
    for _ in range(rounds):
        mind.artifacts.remove(PROJECT)
        firsts.append(cpu(lambda: mind.sessions.rebuild(PROJECT))[0])
        agains.append(cpu(lambda: mind.sessions.rebuild(PROJECT))[0])
        blocks.append(cpu(lambda: mind.guidance(PROJECT))[0])
        smalls.append(cpu(lambda: mind.guidance(PROJECT, 1_000))[0])
        looks.append(cpu(mind.artifacts.refresh)[0])
    held = files(mind)
    median = statistics.median
    return Cost(
        *(median(some) for some in (firsts, agains, blocks, smalls, looks)),
        names=sum(not name.startswith(".") for name in held),
        document=len(held["MEMORY.md"]),
        summary=len(held["memory_summary.md"]),
    )


def moved(mind: Mind, before: dict[str, bytes]) -> str:
    """Files written and bytes of new lines, after one more run."""
    written = mind.sessions.rebuild(PROJECT)
    after = files(mind)
    new = 0
    for name, content in after.items():
        known = set(before.get(name, b"").split(b"\n"))
        new += sum(len(line) + 1 for line in content.split(b"\n") if line not in known)
    return f"{len(written.written) if written else 0} files, {new:,} bytes"


def movements(mind: Mind, clock: Clock) -> list[str]:
    found = []
    for change in (
        lambda: None,
        lambda: mind.remember("The proxy of the new office is in the cellar.", scope=PROJECT, importance=0.95),
        lambda: mind.recall("tests of the gateway", scope=PROJECT, limit=1),
        lambda: setattr(clock, "now", clock.now + timedelta(days=1)),
        lambda: setattr(clock, "now", clock.now + timedelta(days=7)),
    ):
        before = files(mind)
        change()
        found.append(moved(mind, before))
    return found


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args(words)
    costs = [
        "| memories | first, ms | again, ms | guidance 5,000, ms | guidance 1,000, ms | look, ms | files "
        "| MEMORY.md | summary |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    changes = [
        "| memories | nothing | one new memory | one recall | a day later | a week later |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for size in map(int, given.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            clock = Clock()
            settings = Settings(upkeep__on_open=False, llm__name="none")
            with Mind(Path(folder) / "memory.db", clock=clock, embedder=False, settings=settings) as mind:
                fill(mind, size)
                cost = measured(mind, given.rounds)
                times = " | ".join(f"{1_000 * seconds:,.1f}" for seconds in cost[:5])
                costs.append(f"| {size:,} | {times} | {cost.names} | {cost.document:,} | {cost.summary:,} |")
                changes.append(f"| {size:,} | {' | '.join(movements(mind, clock))} |")
    table = "\n".join([*costs, "", *changes])
    print(table)
    if given.markdown is not None:
        given.markdown.write_text(table + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
