"""The text set: facts, fresh facts, corrections and queries, the same on every machine.

A fact has 15 to 25 words drawn by Zipf's law from 30,000 invented words, one of 20 scopes ("/scope00" is the largest)
and one of 6 kinds. Facts come in time order over one year; ages are in seconds before the run, so that no run lies in
the future. 1 % repeat an earlier fact exactly and 2 % change one word of it, both in its scope and kind.

A set is generated once, when first asked for, and cached as JSON lines in the temporary folder.
`python benchmarks/dataset.py 1000 10000` generates ahead; `python benchmarks/dataset.py --clear` removes the cache.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shutil
import tempfile
from collections import deque
from collections.abc import Iterator
from pathlib import Path

WORDS = 30_000
SCOPES = 20
KINDS = ("fact", "preference", "workflow", "bug", "architecture", "pattern")
YEAR_SECONDS = 365 * 86_400
EXACT_SHARE = 0.01
NEAR_SHARE = 0.02
REPEAT_WINDOW = 500
SEED = 7
EDITION = 1  # raise it when the generator changes: older cached files are then ignored

_ONSETS = (*"bcdfghjklmnprstvwz", "br", "cl", "dr", "fl", "gr", "pl", "st", "tr")
_NUCLEI = (*"aeiou", "ai", "ea", "ou")
_ENDINGS = ("", "", "n", "r", "s", "t")

Row = dict[str, object]


def vocabulary() -> list[str]:
    """30,000 pronounceable words, most frequent first; independent of the set's size."""
    rng = random.Random(SEED)
    words: dict[str, None] = {}
    while len(words) < WORDS:
        syllables = rng.choice((1, 2, 2, 3, 3))
        word = "".join(rng.choice(_ONSETS) + rng.choice(_NUCLEI) for _ in range(syllables)) + rng.choice(_ENDINGS)
        words[word] = None
    return list(words)


def _zipf(count: int) -> list[float]:
    return list(itertools.accumulate(1.0 / rank for rank in range(1, count + 1)))


def _change_one_word(text: str, words: list[str], rng: random.Random, *, from_word: int = 0) -> str:
    parts = text.split()
    parts[rng.randrange(from_word, len(parts))] = rng.choice(words)
    return " ".join(parts)


def _facts(count: int, seed: str) -> Iterator[Row]:
    """`count` rows, oldest first; a repeat carries the number of its original as "of"."""
    rng = random.Random(seed)
    words, word_weights, scope_weights = vocabulary(), _zipf(WORDS), _zipf(SCOPES)
    recent: deque[Row] = deque(maxlen=REPEAT_WINDOW)
    for number in range(count):
        row: Row = {"number": number, "age_seconds": round(YEAR_SECONDS * (1 - (number + rng.random()) / count), 1)}
        fate = rng.random()
        if len(recent) > 50 and fate < EXACT_SHARE + NEAR_SHARE:
            original = recent[rng.randrange(len(recent))]
            text = str(original["text"])
            row |= {"scope": original["scope"], "kind": original["kind"], "of": original["number"]}
            row["text"] = text if fate < EXACT_SHARE else _change_one_word(text, words, rng)
        else:
            row["text"] = " ".join(rng.choices(words, cum_weights=word_weights, k=rng.randint(15, 25)))
            row["scope"] = f"/scope{rng.choices(range(SCOPES), cum_weights=scope_weights)[0]:02d}"
            row["kind"] = rng.choice(KINDS)
        row["importance"] = round(rng.random(), 3)
        recent.append(row)
        yield row


def default_folder() -> Path:
    return Path(tempfile.gettempdir()) / "remanence-benchmark-data"


def facts_file(count: int, folder: Path) -> Path:
    """The cached file of the set with `count` facts, written first if it is missing."""
    path = folder / f"facts-{count}-edition{EDITION}.jsonl"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}")
        with partial.open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in _facts(count, f"facts {count}"))
        partial.replace(path)
    return path


def fresh_facts(count: int, size: int) -> list[Row]:
    """Facts that are not in the set of that size, for single adds; all of them less than a day old."""
    return [row | {"age_seconds": float(count - i)} for i, row in enumerate(_facts(count, f"fresh {size}"))]


def _sample(count: int, size: int, folder: Path, rng: random.Random) -> list[Row]:
    """Rows that neither repeat another row nor are repeated, so that a right answer is one text."""
    path = facts_file(size, folder)
    with path.open(encoding="utf-8") as lines:
        repeats = {row["number"]: row["of"] for row in (json.loads(line) for line in lines if '"of"' in line)}
    taken = repeats.keys() | set(repeats.values())
    free = [number for number in range(size) if number not in taken]
    wanted = rng.sample(free, min(count, len(free)))
    with path.open(encoding="utf-8") as lines:
        chosen = set(wanted)
        rows = {number: json.loads(line) for number, line in enumerate(lines) if number in chosen}
    return [rows[number] for number in wanted]


def queries(count: int, size: int, folder: Path, label: str) -> list[Row]:
    """Five words of a stored fact in random order, its scope, and its text as the one right answer."""
    rng = random.Random(f"queries {label} {size}")
    return [
        {"words": " ".join(rng.sample(str(row["text"]).split(), 5)), "scope": row["scope"], "answer": row["text"]}
        for row in _sample(count, size, folder, rng)
    ]


def corrections(count: int, size: int, folder: Path) -> list[Row]:
    """Stored facts with a new word in their tail, in the same scope and kind: what a correction looks like."""
    rng = random.Random(f"corrections {size}")
    words = vocabulary()
    return [
        row | {"text": _change_one_word(str(row["text"]), words, rng, from_word=13), "age_seconds": 0.0}
        for row in _sample(count, size, folder, rng)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Generate or remove the cached text sets.")
    parser.add_argument("sizes", nargs="*", type=int, help="numbers of facts, such as 1000 10000 100000 1000000")
    parser.add_argument("--data", type=Path, default=default_folder(), help="folder of the cached sets")
    parser.add_argument("--clear", action="store_true", help="remove the folder of cached sets")
    options = parser.parse_args()
    if options.clear:
        shutil.rmtree(options.data, ignore_errors=True)
    for size in options.sizes:
        path = facts_file(size, options.data)
        print(f"{size:>9,} facts, {path.stat().st_size:>13,} bytes: {path}")


if __name__ == "__main__":
    main()
