"""What one more memory costs as a scope fills with real texts: all of one file, in one scope and kind, one by one.

Made-up words hide what real ones do to the search for older versions: everyday words that most texts share. Give any
file with one text a line, or the folder of the public data sets: then it is what users say in LongMemEval. The product
and the floor take turns in blocks of 100 adds; the table shows CPU an add for each thousand, and the ratio.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from itertools import islice
from pathlib import Path

from contenders import FACTORIES, OURS, Contender

BLOCK = 100
SHOWN = 1000
MOST = 8000


def measure(texts: list[str], names: tuple[str, ...]) -> dict[str, list[float]]:
    """CPU seconds of each block, by contender."""
    found: dict[str, list[float]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory(prefix="remanence-growth-") as root:
        opened: dict[str, Contender] = {}
        for name in names:
            opened[name] = FACTORIES[name]()
            opened[name].load()
            (Path(root) / name).mkdir()
            opened[name].open(Path(root) / name)
        now = time.time()
        for number, start in enumerate(range(0, len(texts), BLOCK)):
            turn = names[number % len(names) :] + names[: number % len(names)]
            for name in turn:
                rows = [
                    {"text": text, "scope": "/one", "kind": "turn", "age_seconds": 0.0, "importance": 0.5}
                    for text in texts[start : start + BLOCK]
                ]
                items = [opened[name].prepare(row, now + number) for row in rows]
                cpu = time.process_time()
                for item in items:
                    opened[name].add(item)
                found[name].append(time.process_time() - cpu)
        for contender in opened.values():
            contender.close()
    return found


def said(given: Path, most: int) -> list[str]:
    """The texts of a file, or of the data sets in a folder."""
    if given.is_file():
        lines = (line.strip() for line in given.read_text(encoding="utf-8").splitlines())
        return [line for line in lines if line][:most]
    from remanence.simulator.datasets import files, longmemeval

    questions = longmemeval.read(files.load(given, "longmemeval"))
    sessions = {session.id: session for question in questions for session in question.sessions}
    turns = (turn.text for session in sessions.values() for turn in session.turns if turn.role == "user")
    return list(islice((text for text in turns if text.strip()), most))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", type=Path, help="a file with one text a line, or the folder of the data sets")
    parser.add_argument("--most", type=int, default=MOST, help="no more texts than these")
    parser.add_argument("--floor", default="floor-full", choices=[name for name in FACTORIES if name != OURS])
    options = parser.parse_args()
    texts = said(options.texts, options.most)
    found = measure(texts, (options.floor, OURS))
    print(f"| memories in the scope | `{options.floor}`, ms an add | remanence, ms an add | ratio |")
    print("|--:|--:|--:|--:|")
    each = SHOWN // BLOCK
    for first in range(0, len(texts) // BLOCK, each):
        floor, ours = (sum(found[name][first : first + each]) for name in (options.floor, OURS))
        adds = min(SHOWN, len(texts) - first * BLOCK)
        row = (f"{floor / adds * 1e3:.2f}", f"{ours / adds * 1e3:.2f}", f"{ours / floor:.2f}x")
        print(f"| {first * BLOCK:,} to {first * BLOCK + adds:,} | {' | '.join(row)} |")


if __name__ == "__main__":
    main()
