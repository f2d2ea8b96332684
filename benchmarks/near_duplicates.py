"""What the near-duplicate sweep costs: process CPU and peak memory of the comparison, and of the whole flow on a store.

Each figure is taken in a process of its own. `words` cuts the texts and keeps what is compared, `join` compares and
decides, `reading` pages through the store and does nothing else, `flow` is `dedup` from the first page to the plan.
At up to 1,000 memories the alike pairs are checked against comparing all with all.

The texts: `varied` has 15 to 25 words by Zipf's law, with 1 % repeated and 2 % changed in one word, in 20 scopes and
200 concepts. The others are hostile, all in one scope and concept: `templates` are 5 sentences of 22 words with a word
of their own, so that nearly all leave; `restored` are the same, but kept after an undo, so that all stay though all are
alike; `numbered` have a number in its place, so that all contradict each other; `few words` are ten out of 100.

    python benchmarks/near_duplicates.py --sizes 1000 10000 100000 --json out.json
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import dataset

from remanence import Mind
from remanence.flows.dedup import dedup
from remanence.lifecycle.likeness import alike_pairs
from remanence.lifecycle.near_duplicates import NEAR_JACCARD, NearDuplicates
from remanence.model.draft import draft_from
from remanence.model.memory import Memory
from remanence.model.plan import Change, Plan
from remanence.model.selection import Selection
from remanence.model.words import tokens_of
from remanence.settings import Settings

NOW = datetime(2026, 3, 1, tzinfo=UTC)
NAMESPACE = "benchmark"
BULK = 1000
CHECKED_UP_TO = 1000
TEMPLATES = 5
TEMPLATE_WORDS = 22
FEW_WORDS = 100
Figures = dict[str, Any]


def varied(size: int) -> Iterator[dict[str, Any]]:
    roots: dict[int, int] = {}
    with dataset.facts_file(size, dataset.default_folder()).open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            root = roots[row["number"]] = roots.get(row.get("of"), row["number"])
            concepts = [f"concept{root % 200}", f"topic{root % 31}"]
            yield {"text": row["text"], "scope": row["scope"], "kind": row["kind"], "concepts": concepts}


def templates(size: int) -> Iterator[dict[str, Any]]:
    words = dataset.vocabulary()
    return _filled(words, (f"{words[n % 1000]}{words[n // 1000]}" for n in range(size)))


def restored(size: int) -> Iterator[dict[str, Any]]:
    return (row | {"kept": True} for row in templates(size))


def numbered(size: int) -> Iterator[dict[str, Any]]:
    return _filled(dataset.vocabulary(), map(str, range(1000, 1000 + size)))


def few_words(size: int) -> Iterator[dict[str, Any]]:
    rng, words = random.Random(size), dataset.vocabulary()[:FEW_WORDS]
    return ({"text": " ".join(rng.sample(words, 10)), "concepts": ["one"]} for _ in range(size))


def _filled(words: list[str], own: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Sentences of the templates in turn, each with a word of its own in the middle."""
    rng = random.Random(TEMPLATES)
    sentences = [rng.sample(words, TEMPLATE_WORDS) for _ in range(TEMPLATES)]
    half = TEMPLATE_WORDS // 2
    for number, word in enumerate(own):
        sentence = sentences[number % TEMPLATES]
        yield {"text": " ".join([*sentence[:half], word, *sentence[half:]]), "concepts": ["one"]}


TEXTS = {
    "varied": varied,
    "templates": templates,
    "restored": restored,
    "numbered": numbered,
    "few words": few_words,
}


def memories(texts: str, size: int) -> Iterator[Memory]:
    """The rows as memories, a millisecond apart, oldest first."""
    for number, row in enumerate(TEXTS[texts](size)):
        kept = row.pop("kept", False)
        born = NOW - timedelta(milliseconds=size - number)
        memory = draft_from(row | {"created_at": born}).memory(_id(number), NAMESPACE, NOW)
        yield memory.but(kept_until=NOW + timedelta(days=30)) if kept else memory


def _id(number: int) -> str:
    return f"{number:08x}-0000-7000-8000-000000000000"


# --- one figure, in a process of its own


def join(texts: str, size: int, _: Path) -> Figures:
    sweep = NearDuplicates(NOW)
    words = 0.0
    stream = memories(texts, size)
    while batch := list(islice(stream, BULK)):
        start = time.process_time()
        for memory in batch:
            sweep.read(memory)
        words += time.process_time() - start
    start = time.process_time()
    found = Counter(verdict.leaves for verdict in sweep.verdicts())
    spent = time.process_time() - start
    return {"words_cpu": words, "join_cpu": spent, "leaving": found[True], "challenged": found[False]}


def check(texts: str, size: int, _: Path) -> Figures:
    """The pairs, against comparing all with all."""
    everything = list(memories(texts, size))
    sets = [tokens_of(memory.text) for memory in everything]
    groups = [{(memory.scope, concept) for concept in memory.concepts} for memory in everything]
    found = set(alike_pairs(sets, groups, NEAR_JACCARD))
    compared = {
        (i, j)
        for j in range(size)
        for i in range(j)
        if 10 * len(sets[i] & sets[j]) > 9 * len(sets[i] | sets[j]) and groups[i] & groups[j]
    }
    return {"pairs": len(found), "same_pairs": found == compared}


def load(texts: str, size: int, folder: Path) -> Figures:
    """Straight into the store: at the door most near duplicates would be caught."""
    stream = memories(texts, size)
    with _opened(folder) as mind:
        while batch := list(islice(stream, BULK)):
            mind._store.apply(Plan(tuple(map(Change.add, batch)), verb="add"), NOW)
    return {}


def reading(_: str, __: int, folder: Path) -> Figures:
    with _opened(folder) as mind:
        start = time.process_time()
        for _page in mind._store.pages(Selection(unexpired_at=NOW)):
            pass
        return {"reading_cpu": time.process_time() - start}


def flow(_: str, __: int, folder: Path) -> Figures:
    with _opened(folder) as mind:
        start = time.process_time()
        plan = dedup(mind._store, NOW)
        return {"flow_cpu": time.process_time() - start, "changes": len(plan)}


def _opened(folder: Path) -> Mind:
    return Mind(folder / "memory.db", namespace=NAMESPACE, settings=Settings(), clock=lambda: NOW, embedder=False)


WORK = {"join": join, "check": check, "load": load, "reading": reading, "flow": flow}


def peak_mb() -> float | None:
    """The most memory this process ever held; None where the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:")), None)


# --- all figures


def measure(texts: str, size: int, folder: Path, *, join_only: bool) -> Figures:
    figures: Figures = {"texts": texts, "size": size}
    steps = ["join"] + ["check"] * (size <= CHECKED_UP_TO) + ["load", "reading", "flow"] * (not join_only)
    for step in steps:
        command = [sys.executable, __file__, "--work", step, "--texts", texts, "--sizes", str(size)]
        run = subprocess.run([*command, "--folder", str(folder)], capture_output=True, text=True, check=False)
        if run.returncode:
            raise SystemExit(f"{step} of {size:,} {texts} failed:\n{run.stderr}")
        figures |= json.loads(run.stdout)
    return figures


def table(results: list[Figures]) -> str:
    heads = {
        "pairs": "alike pairs, as all against all",
        "leaving": "leave",
        "challenged": "challenged",
        "words_cpu": "words, s",
        "join_cpu": "join, s",
        "join_peak": "peak, MB",
        "reading_cpu": "reading, s",
        "reading_peak": "peak, MB",
        "flow_cpu": "flow, s",
        "flow_peak": "peak, MB",
    }
    lines = [
        "| texts | memories | " + " | ".join(heads.values()) + " |",
        "|---|--:|" + "--:|" * len(heads),
    ]
    for figures in results:
        cells = [_cell(figures, name) for name in heads]
        lines.append(f"| {figures['texts']} | {figures['size']:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(figures: Figures, name: str) -> str:
    value = figures.get(name)
    if name == "pairs" and value is not None:
        return f"{value:,}" if figures["same_pairs"] else f"{value:,}, **wrong**"
    if value is None:
        return ""
    return f"{value:.2f}" if name.endswith("_cpu") else f"{value:,.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", type=int, default=[1000, 10_000, 100_000], help="numbers of memories")
    parser.add_argument("--texts", nargs="+", choices=TEXTS, default=list(TEXTS), help="which sets of texts")
    parser.add_argument("--join-only", action="store_true", help="leave the store out")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    parser.add_argument("--work", choices=WORK, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        figures = WORK[options.work](options.texts[0], options.sizes[0], options.folder)
        print(json.dumps(figures | {f"{options.work}_peak": peak_mb()}))
        return
    results = []
    for texts in options.texts:
        for size in options.sizes:
            with tempfile.TemporaryDirectory(prefix="remanence-near-duplicates-") as folder:
                results.append(measure(texts, size, Path(folder), join_only=options.join_only))
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}; CPU of the whole process.\n")
    print(table(results))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if any(figures.get("same_pairs") is False for figures in results):
        raise SystemExit("the pairs differ from comparing all with all")


if __name__ == "__main__":
    main()
