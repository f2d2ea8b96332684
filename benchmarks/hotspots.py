"""Where the product's time goes: cProfile over 300 single adds and 300 recalls in a store of a given size."""

from __future__ import annotations

import cProfile
import itertools
import json
import pstats
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dataset
from contenders import Remanence

CALLS = 300
SHOWN = 25
BULK = 1000


def profile(size: int, folder: Path) -> None:
    """Print, for adds and for recalls, the CPU of a call without the profiler and the costliest functions under it."""
    now = time.time()
    mind = Remanence()
    mind.load()
    with tempfile.TemporaryDirectory(prefix="remanence-benchmark-") as root:
        mind.open(Path(root))
        with dataset.facts_file(size, folder).open(encoding="utf-8") as lines:
            while batch := [mind.prepare(json.loads(line), now) for line in itertools.islice(lines, BULK)]:
                mind.add_many(batch)
        adds = [mind.prepare(row, now) for row in dataset.fresh_facts(2 * CALLS, size)]
        asked = dataset.queries(2 * CALLS, size, folder, "profile")
        half = len(asked) // 2
        _show("add", size, mind.add, adds[:CALLS], adds[CALLS:])
        _show("recall", size, lambda query: mind.recall(query["words"], query["scope"], 10), asked[:half], asked[half:])
        mind.close()


def _show(label: str, size: int, call: Callable[[Any], Any], bare: list[Any], profiled: list[Any]) -> None:
    cpu = time.process_time()
    for item in bare:
        call(item)
    each = (time.process_time() - cpu) / len(bare) * 1e3
    profiler = cProfile.Profile()
    profiler.enable()
    for item in profiled:
        call(item)
    profiler.disable()
    print(f"\n=== {label} at {size:,} memories: {each:.3f} ms CPU a call without the profiler; below, with it ===")
    pstats.Stats(profiler).sort_stats("tottime").print_stats(SHOWN)
