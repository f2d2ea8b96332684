"""Screening: what is found of attacks and flagged of ordinary texts, and the weights of what a text is like as a whole.

    python benchmarks/screening.py --data DIR             # the tables; DIR holds longmemeval/ and locomo/
    python benchmarks/screening.py --data DIR --write     # first learn the weights anew from all texts, and write them

Learned from the texts of tests/guard/poison.py, some turns of LongMemEval and of made-up talks; other turns, and
LoCoMo, only measure.
Each set is measured with weights learned without it. The rules were mended for all of these texts, so what they find
alone is no measure of texts they have not seen (docs/decisions/0025 has those figures).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from remanence.guard.screening import leaning, screen  # noqa: E402
from remanence.guard.screening.leaning import Weights  # noqa: E402
from remanence.providers.choose import encoder_for  # noqa: E402
from remanence.simulator.datasets.files import load  # noqa: E402
from tests.guard.poison import BENIGN, POISON, ROUNDS  # noqa: E402

Floats = NDArray[np.float64]
TURNS = 1200
TALKED = 1000
LONGEST = 1500
AKIN = {"fifth round", "sixth round"}  # the one was read by who wrote the other, so both are left out
RIDGE = 0.2
STEPS = 25
CLOSE = 1e-4
LEAST = 3  # texts that have a word, or a pair, which is learned
COUNT = {"parts": 1.0, "pairs": 1.0, "words": 2.0}  # how much they count beside a vector
CONSTANT = 10.0  # so large that the ridge does not hold the bias back
BATCH = 64
TARGET = ROOT / "src/remanence/guard/screening/leaning.json"
TALKS = ROOT / "src/remanence/simulator/datasets/talks.json"


def texts_below(value: Any, name: str) -> list[str]:
    """Every text under this name, in any depth."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            found += (one[name],) if isinstance(one.get(name), str) else ()
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return found


def some_turns(folder: Path, set_: str, name: str, number: int) -> list[str]:
    turns = sorted({text[:LONGEST] for file in load(folder, set_) for text in texts_below(file.content, name)})
    return random.Random(7).sample(turns, min(number, len(turns)))


def learned(inputs: Floats, wanted: Floats) -> Floats:
    """Weights of a logistic regression with a small ridge, by Newton's steps: one for each text, so that there may be
    many more traits than texts, then one for each trait."""
    alike = inputs @ inputs.T
    found = np.zeros(len(wanted))
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(-alike @ found))
        weight = np.maximum(odds * (1 - odds), 1e-6)
        root = np.sqrt(weight)
        aimed = alike @ found + (wanted - odds) / weight
        before = found
        found = root * np.linalg.solve(RIDGE * np.eye(len(root)) + root[:, None] * alike * root, root * aimed)
        if np.abs(found - before).max() < CLOSE:
            break
    return inputs.T @ found


def spread(found: frozenset[str], order: dict[str, int]) -> Floats:
    """Which of these were found, as `leaning.spread` counts them."""
    row = np.zeros(len(order))
    row[[order[one] for one in found if one in order]] = 1 / sqrt(max(1, len(found)))
    return row


class Measured:
    """All texts with their vectors."""

    def __init__(self, folder: Path) -> None:
        self.encoder = encoder_for("bundled")
        assert self.encoder is not None
        sets = {"first written": ([text for _, text in POISON], [text for _, text in BENIGN])}
        sets |= {
            f"{name} round": ([text for _, text in attacks], list(notes)) for name, (attacks, notes) in ROUNDS.items()
        }
        turns = some_turns(folder, "longmemeval", "content", 2 * TURNS)
        self.ordinary = {
            "LongMemEval, other turns": turns[TURNS:],
            "LoCoMo": some_turns(folder, "locomo", "text", TURNS),
        }
        talks = random.Random(7).sample(sorted({*texts_below(json.loads(TALKS.read_text("utf-8")), "text")}), TALKED)
        self.sets = sets
        self.vectors = {
            text: vector
            for some in (*(part for pair in sets.values() for part in pair), turns, talks, *self.ordinary.values())
            for text, vector in zip(some, self._embedded(some), strict=True)
        }
        self.learning = turns[:TURNS] + talks
        self.traits = {text: leaning.traits(text) for text in self.vectors}

    def _embedded(self, texts: list[str]) -> Floats:
        assert self.encoder is not None
        parts = [self.encoder.documents(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
        return np.concatenate(parts).astype(np.float64)

    def weights(self, but: str | None = None) -> Weights:
        assert self.encoder is not None
        left = AKIN if but in AKIN else {but}
        chosen = [pair for name, pair in self.sets.items() if name not in left]
        orders = [text for attacks, _ in chosen for text in attacks]
        others = [text for _, notes in chosen for text in notes]
        others_too = others + self.learning
        known = {
            "parts": self._known("parts", orders + others_too, 1),
            "pairs": self._known("pairs", orders + others, LEAST),
            "words": self._known("words", orders + others, LEAST),
        }
        inputs = np.array([self._row(text, known) for text in orders + others_too])
        found = learned(inputs, np.r_[np.ones(len(orders)), np.zeros(len(others_too))])
        at = len(self.vectors[orders[0]])
        numbers = np.round(found[:at], 3).astype(np.float32)
        groups: dict[str, dict[str, float]] = {}
        for name, order in known.items():
            groups[name] = {one: round(float(found[at + n] * COUNT[name]), 2) for one, n in order.items()}
            at += len(order)
        return Weights(self.encoder.model, numbers, **groups, bias=round(float(found[-1]) * CONSTANT, 3))

    def _known(self, name: str, texts: list[str], least: int) -> dict[str, int]:
        """What at least so many of the texts have, with its place in a row."""
        counted = Counter(one for text in texts for one in getattr(self.traits[text], name))
        return {one: at for at, one in enumerate(sorted(one for one, number in counted.items() if number >= least))}

    def _row(self, text: str, known: dict[str, dict[str, int]]) -> Floats:
        found = self.traits[text]
        told = [COUNT[name] * spread(getattr(found, name), order) for name, order in known.items()]
        return np.concatenate([self.vectors[text], *told, [CONSTANT]])

    def flagged(self, texts: list[str], weights: Weights | None) -> float:
        """The share of texts that are suspicious, in percent; by rules alone without weights."""
        if weights is None:
            return 100 * sum(bool(screen(text)) for text in texts) / len(texts)
        leaning.weights = lambda: weights  # type: ignore[assignment]
        hits = [bool(screen(t, model=weights.model, vector=self.vectors[t].astype(np.float32))) for t in texts]
        return 100 * sum(hits) / len(texts)


def report(measured: Measured) -> str:
    lines = ["| texts | number | by rules, % | as a whole too, % |", "|---|--:|--:|--:|"]
    for name, (attacks, notes) in measured.sets.items():
        weights = measured.weights(but=name)
        for what, texts in ((f"attacks, {name}", attacks), (f"notes, {name}", notes)):
            shares = [measured.flagged(texts, None), measured.flagged(texts, weights)]
            lines.append(f"| {what} | {len(texts)} | {shares[0]:.1f} | {shares[1]:.1f} |")
    weights = measured.weights()
    for name, texts in measured.ordinary.items():
        shares = [measured.flagged(texts, None), measured.flagged(texts, weights)]
        lines.append(f"| {name} | {len(texts)} | {shares[0]:.1f} | {shares[1]:.1f} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    measured = Measured(given.data)
    if given.write:
        weights = measured.weights()
        kept = {name: {one: said for one, said in getattr(weights, name).items() if said} for name in COUNT}
        numbers = [round(float(number), 3) for number in weights.numbers]
        written = {"model": weights.model, "bias": weights.bias, "numbers": numbers, **kept}
        TARGET.write_text(json.dumps(written, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write(report(measured))
    return 0


if __name__ == "__main__":
    sys.exit(main())
