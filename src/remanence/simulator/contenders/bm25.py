"""bm25: the lower bound. Stems without stop words, k1 = 1.2, b = 0.75, ties in the order of the haystack.

score(d) = Σ over the query's words of idf · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / mean length)), with
idf = ln(1 + (N − n + 0.5) / (n + 0.5)). A word that one of two texts has once, both of two words: idf = ln 2, and
score 0.693.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from remanence.simulator.contenders import Item, distinct
from remanence.simulator.contenders.stems import stems

K1, B = 1.2, 0.75


class Bm25:
    """Counts each text once a run, however many haystacks it is in."""

    name = "bm25"

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._counted: dict[str, tuple[NDArray[np.int32], NDArray[np.int32]]] = {}

    def filled(self, items: Sequence[Item]) -> Bm25Haystack:
        return Bm25Haystack(self, items)

    def counted(self, text: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The numbers of a text's stems, and how often each occurs."""
        if text not in self._counted:
            counts = Counter(self._numbers.setdefault(word, len(self._numbers)) for word in stems(text))
            self._counted[text] = (np.array(list(counts), np.int32), np.array(list(counts.values()), np.int32))
        return self._counted[text]

    def numbers(self, query: str) -> list[int]:
        return [self._numbers[word] for word in dict.fromkeys(stems(query)) if word in self._numbers]


class Bm25Haystack:
    def __init__(self, contender: Bm25, items: Sequence[Item]) -> None:
        self._contender = contender
        self._labels = [item.label for item in items]
        counted = [contender.counted(item.text) for item in items]
        empty = np.empty(0, np.int32)
        self._words = np.concatenate([numbers for numbers, _ in counted] or [empty])
        self._times = np.concatenate([times for _, times in counted] or [empty]).astype(float)
        self._places = np.repeat(np.arange(len(items)), [len(numbers) for numbers, _ in counted])
        lengths = np.array([times.sum() for _, times in counted], float)
        self._weights = K1 * (1 - B + B * lengths / max(lengths.mean(), 1e-9)) if len(items) else lengths

    def scores(self, query: str) -> NDArray[np.float64]:
        total = np.zeros(len(self._labels))
        for number in self._contender.numbers(query):
            at = np.flatnonzero(self._words == number)
            if len(at):
                places, times = self._places[at], self._times[at]
                idf = np.log(1 + (len(total) - len(at) + 0.5) / (len(at) + 0.5))
                total[places] += idf * times * (K1 + 1) / (times + self._weights[places])
        return total

    def asked(self, query: str, at: datetime, limit: int) -> list[str]:
        scores = self.scores(query)
        return distinct(self._labels[place] for place in order(scores)[:limit] if scores[place] > 0)

    def counts(self) -> dict[str, int]:
        return {}

    def close(self) -> None: ...


def order(scores: NDArray[np.float64]) -> list[int]:
    """Places from best to worst; equal scores keep their order."""
    return [int(place) for place in np.argsort(-scores, kind="stable")]
