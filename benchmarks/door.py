"""What the door costs: redaction, screening, extraction and framing by length, and their share of a write.

    python benchmarks/door.py [--rounds 7] [--markdown OUT]

CPU of this process, medians of interleaved rounds. The texts are notes of many kinds, one after the other.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

from remanence import Mind
from remanence.extraction import decompose
from remanence.guard.framing import Line, framed
from remanence.guard.screening import screen
from remanence.guard.secrets import redact
from remanence.settings import Settings

SIZES = (200, 2_000, 20_000, 200_000, 1_000_000)
NOTES = (
    "The migration of {} finished on Tuesday, and the old machines were shut down after a week.",
    "Anna Berg leads the {} team. She prefers short reviews and never merges on a Friday.",
    "- {}: the nightly job keeps 14 backups and takes about forty minutes",
    "2026-03-01 10:11:12 ERROR {} - timeout after 30s calling the gateway",
    "Tom: the {} service still fails when files exceed 2 GB, we will look into it next week.",
    "Run `make test` before you push to {}; it must end in under 20 minutes.",
)
WORDS = ("billing", "search", "harbour", "kitchen", "ledger", "orchard", "signal", "timber", "valley", "window")


def text_of(size: int) -> str:
    lines, length, number = [], 0, 0
    while length < size:
        lines.append(NOTES[number % len(NOTES)].format(f"{WORDS[number % 10]}-{number}"))
        length += len(lines[-1]) + 1
        number += 1
    return "\n".join(lines)[:size]


def cpu(job: Callable[[], object]) -> float:
    begun = time.process_time()
    job()
    return time.process_time() - begun


def repeated(job: Callable[[str], object], text: str, times: int) -> float:
    return cpu(lambda: [job(text) for _ in range(times)]) / times


def parts(rounds: int) -> list[str]:
    lines = ["| characters | redact, ms | screen, ms | extract, ms | facts |", "|--:|--:|--:|--:|--:|"]
    for size in SIZES:
        text = text_of(size)
        took: dict[str, list[float]] = defaultdict(list)
        for _ in range(rounds if size < 100_000 else 3):
            for name, job in (("redact", redact), ("screen", screen), ("extract", decompose)):
                took[name].append(repeated(job, text, max(1, 20_000 // size)))
        ms = [f"{1000 * statistics.median(took[name]):.3g}" for name in ("redact", "screen", "extract")]
        lines.append(f"| {size:,} | {' | '.join(ms)} | {len(decompose(text)):,} |")
    return lines


def writes(rounds: int) -> list[str]:
    """One more memory of a person, of an agent, and one absorbed, with the bundled embedder; interleaved."""
    took: dict[str, list[float]] = defaultdict(list)
    settings = Settings(upkeep__on_open=False)
    with tempfile.TemporaryDirectory() as folder, Mind(Path(folder) / "memory.db", settings=settings) as mind:
        mind.remember_many([f"Note {n} on the {WORDS[n % 10]} of {n * 7}" for n in range(1000)])
        mind.meaning.settle(600)
        for number in range(40 * rounds):
            said = f"The {WORDS[number % 10]} of house {number} was painted by {WORDS[number % 7]} {number * 13}"
            took["remember, a person"].append(cpu(partial(mind.remember, said, scope="/a")))
            took["remember, an agent"].append(cpu(partial(mind.remember, said, scope="/b", source="ai")))
            took["absorb, one fact"].append(cpu(partial(mind.absorb, f"{said}.", scope="/c")))
    base = statistics.median(took["remember, a person"])
    lines = ["| verb | CPU, ms | of a person's |", "|---|--:|--:|"]
    for name, times in took.items():
        middle = statistics.median(times)
        lines.append(f"| {name} | {1000 * middle:.2f} | {middle / base:.2f} |")
    return lines


def frames(rounds: int) -> list[str]:
    lines = ["| lines | framed to 2,000 tokens, ms |", "|--:|--:|"]
    for number in (10, 100, 1000):
        some = [Line(text_of(150), "ai", "2026-03-01", 0.7, f"id{n}") for n in range(number)]
        job = partial(framed, some, boundary="0123456789abcdef", budget_tokens=2000)
        took = [cpu(job) for _ in range(rounds)]
        lines.append(f"| {number:,} | {1000 * statistics.median(took):.2g} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args()
    said = "\n\n".join("\n".join(make(given.rounds)) for make in (parts, writes, frames)) + "\n"
    sys.stdout.write(said)
    if given.markdown is not None:
        given.markdown.write_text(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
