"""Screening: what is found of attacks and flagged of ordinary texts, and the weights that lean on a text's meaning.

    python benchmarks/screening.py --data DIR             # the tables; DIR holds longmemeval/ and locomo/
    python benchmarks/screening.py --data DIR --write     # first learn the weights anew from all texts, and write them

Learned from the texts of tests/guard/poison.py and some turns of LongMemEval; other turns, and LoCoMo, only measure.
Each set is measured with weights learned without it. The rules were mended for all of these texts, so what they find
alone is no measure of texts they have not seen (docs/decisions/0025 has those figures).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
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
LONGEST = 1500
RIDGE = 1.0
STEPS = 25
BATCH = 64
TARGET = ROOT / "src/remanence/guard/screening/leaning.json"


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


def learned(orders: Floats, others: Floats) -> tuple[Floats, float]:
    """Weights and bias of a logistic regression with a small ridge, by Newton's steps."""
    inputs = np.vstack([orders, others])
    inputs = np.hstack([inputs, np.ones((len(inputs), 1))])
    wanted = np.r_[np.ones(len(orders)), np.zeros(len(others))]
    ridge = RIDGE * np.eye(inputs.shape[1])
    ridge[-1, -1] = 1e-6
    found = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (odds - wanted) + ridge @ found
        found -= np.linalg.solve((inputs * (odds * (1 - odds))[:, None]).T @ inputs + ridge, slope)
    return found[:-1], float(found[-1])


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
        self.sets = sets
        self.vectors = {
            text: vector
            for some in (*(part for pair in sets.values() for part in pair), turns, *self.ordinary.values())
            for text, vector in zip(some, self._embedded(some), strict=True)
        }
        self.learning = turns[:TURNS]

    def _embedded(self, texts: list[str]) -> Floats:
        assert self.encoder is not None
        parts = [self.encoder.documents(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
        return np.concatenate(parts).astype(np.float64)

    def weights(self, but: str | None = None) -> Weights:
        assert self.encoder is not None
        chosen = [pair for name, pair in self.sets.items() if name != but]
        orders = np.array([self.vectors[text] for attacks, _ in chosen for text in attacks])
        others = [self.vectors[text] for _, notes in chosen for text in notes]
        others += [self.vectors[text] for text in self.learning]
        numbers, bias = learned(orders, np.array(others))
        return Weights(self.encoder.model, np.round(numbers, 3).astype(np.float32), round(bias, 3))

    def flagged(self, texts: list[str], weights: Weights | None) -> float:
        """The share of texts that are suspicious, in percent; by rules alone without weights."""
        if weights is None:
            return 100 * sum(bool(screen(text)) for text in texts) / len(texts)
        leaning.weights = lambda: weights  # type: ignore[assignment]
        hits = [bool(screen(t, model=weights.model, vector=self.vectors[t].astype(np.float32))) for t in texts]
        return 100 * sum(hits) / len(texts)


def report(measured: Measured) -> str:
    lines = ["| texts | number | by rules, % | with meaning, % |", "|---|--:|--:|--:|"]
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
        numbers = [round(float(number), 3) for number in weights.numbers]
        TARGET.write_text(json.dumps({"model": weights.model, "bias": weights.bias, "numbers": numbers}) + "\n")
    sys.stdout.write(report(measured))
    return 0


if __name__ == "__main__":
    sys.exit(main())
