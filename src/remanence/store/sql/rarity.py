"""Rarity: which words of a text are the rarest, as far as this process has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from remanence.model.words import words
from remanence.store.sql.connection import Connection

_MOST_WORDS = 200_000


class Rarity:
    """How often words were seen, in a sample of the texts and in what this process wrote."""

    def __init__(self, sample: Callable[[Connection], Iterable[str]]) -> None:
        self._sample = sample
        self._seen: Counter[str] | None = None

    def rarest(self, connection: Connection, tokens: Iterable[str], number: int) -> list[str]:
        """The words seen least; of those seen equally often the longest, and then by the alphabet."""
        if self._seen is None:
            self._seen = Counter(word for text in self._sample(connection) for word in set(words(text)))
        longest_first = sorted(sorted(tokens), key=len, reverse=True)
        return sorted(longest_first, key=self._seen.__getitem__)[:number]

    def saw(self, tokens: Iterable[str]) -> None:
        if (seen := self._seen) is not None:
            for word in tokens:  # a few words are sooner counted so than by `update`
                seen[word] = seen.get(word, 0) + 1
            if len(seen) > _MOST_WORDS:
                self._seen = Counter({word: n // 2 for word, n in seen.items() if n > 1})
