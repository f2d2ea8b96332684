"""rrf: words and meaning fused without tuning. A text scores Σ 1 / (60 + its place) over the two lists, from place 1.

First in both lists: 2 / 61 = 0.0328.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from remanence.simulator.contenders import Item, distinct
from remanence.simulator.contenders.bm25 import Bm25, Bm25Haystack, order
from remanence.simulator.contenders.encoder import Encoder

DAMPING = 60


class Rrf:
    name = "rrf"

    def __init__(self, encoder: Encoder, words: Bm25 | None = None) -> None:
        self._encoder = encoder
        self._words = words or Bm25()

    def filled(self, items: Sequence[Item]) -> RrfHaystack:
        return RrfHaystack(self._encoder, self._words.filled(items), items)


class RrfHaystack:
    def __init__(self, encoder: Encoder, words: Bm25Haystack, items: Sequence[Item]) -> None:
        self._encoder = encoder
        self._words = words
        self._labels = [item.label for item in items]
        self._rows = encoder.documents([item.text for item in items]) if items else np.empty((0, 0))

    def asked(self, query: str, at: datetime, limit: int) -> list[str]:
        if not self._labels:
            return []
        by_words = self._words.scores(query)
        by_meaning = self._rows @ self._encoder.query(query)
        fused = np.zeros(len(self._labels))
        for place, number in enumerate(order(by_words), 1):
            fused[number] += 1 / (DAMPING + place) if by_words[number] > 0 else 0.0
        for place, number in enumerate(order(by_meaning.astype(float)), 1):
            fused[number] += 1 / (DAMPING + place)
        return distinct(self._labels[place] for place in order(fused)[:limit])

    def counts(self) -> dict[str, int]:
        return {}

    def close(self) -> None: ...
