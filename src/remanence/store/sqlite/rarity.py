"""Rarity: which words of a text are the rarest, as far as this process has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import apsw

from remanence.model.words import words

_SAMPLE = 400
_MOST_WORDS = 200_000


class Rarity:
    """How often words were seen, from a sample of the file and from what this process wrote."""

    def __init__(self) -> None:
        self._seen: Counter[str] | None = None

    def rarest(self, connection: apsw.Connection, tokens: Iterable[str], number: int) -> list[str]:
        """The words seen least; of those seen equally often the longest, and then by the alphabet."""
        if self._seen is None:
            self._seen = self._sampled(connection)
        longest_first = sorted(sorted(tokens), key=len, reverse=True)
        return sorted(longest_first, key=self._seen.__getitem__)[:number]

    def saw(self, tokens: Iterable[str]) -> None:
        if self._seen is not None:
            self._seen.update(tokens)
            if len(self._seen) > _MOST_WORDS:
                self._seen = Counter({word: n // 2 for word, n in self._seen.items() if n > 1})

    @staticmethod
    def _sampled(connection: apsw.Connection) -> Counter[str]:
        last = connection.execute("SELECT max(no) FROM memories").get or 0
        stride = max(1, last // _SAMPLE)
        seen: Counter[str] = Counter()
        for (raw,) in connection.execute(
            "SELECT substr(CAST(text AS BLOB), 1, 2000) FROM memories WHERE no IN "
            "(WITH RECURSIVE pick(n) AS (SELECT ? UNION ALL SELECT n - ? FROM pick WHERE n - ? > 0) "
            "SELECT n FROM pick)",
            (last, stride, stride),
        ):
            seen.update(set(words(bytes(raw or b"").decode(errors="ignore"))))
        return seen
