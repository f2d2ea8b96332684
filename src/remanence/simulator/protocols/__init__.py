"""Protocols: how a data set is put to a contender, and what is counted. One data set a file.

Every protocol takes what was read, a contender and a `step` to call after each question, and gives results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from time import perf_counter, process_time
from typing import Any

from remanence.simulator.report import Result, mean

Step = Callable[[], None]


class Tally:
    """Numbers and misses of one result while it is being made."""

    def __init__(self) -> None:
        self._started = perf_counter(), process_time()
        self._metrics: dict[str, list[float]] = {}
        self.missed: list[str] = []
        self.counts: Counter[str] = Counter()
        self.memories = 0
        self.questions = 0

    def note(self, question: str, headline: str, **metrics: float) -> None:
        self.questions += 1
        for name, value in metrics.items():
            self._metrics.setdefault(name.replace("_at_", "@"), []).append(value)
        if metrics[headline.replace("@", "_at_")] < 1:
            self.missed.append(question)

    def metrics(self) -> dict[str, float]:
        return {name: mean(values) for name, values in self._metrics.items()}

    def result(self, dataset: str, protocol: str, contender: str, headline: str, **more: Any) -> Result:
        """The result so far; `more` says what differs."""
        wall, cpu = self._started
        found: dict[str, Any] = {
            "metrics": self.metrics(),
            "questions": self.questions,
            "memories": self.memories,
            "counts": dict(self.counts),
            "missed": self.missed,
            "seconds": perf_counter() - wall,
            "cpu_seconds": process_time() - cpu,
        }
        return Result(dataset=dataset, protocol=protocol, contender=contender, headline=headline, **(found | more))


def share(found: Sequence[str], evidence: Collection[str]) -> float:
    """How much of the evidence was found."""
    return len(set(found) & set(evidence)) / len(evidence)


def reciprocal_rank(found: Sequence[str], evidence: Collection[str]) -> float:
    """1 for evidence in the first place, 1/2 in the second, 0 when there is none."""
    return next((1 / place for place, label in enumerate(found, 1) if label in evidence), 0.0)
