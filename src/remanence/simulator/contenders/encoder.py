"""What turns texts into unit vectors, and a cache that asks it once for each text of a run.

Haystacks share sessions and contenders share haystacks, so without the cache most of a run would be embedding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Encoder(Protocol):
    """Texts into rows of length 1; a query may be read in another way than a document."""

    def documents(self, texts: Sequence[str]) -> Floats: ...

    def query(self, text: str) -> Floats: ...


class Cached:
    """An encoder that remembers, and an embedder that a mind takes; the inner one may be either of them.

    Everything else about it (its model's name, its dimension) is the inner one's own.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._known: dict[tuple[str, str], Floats] = {}

    def embed(self, texts: Sequence[str]) -> Floats:
        if not hasattr(self._inner, "embed"):
            return self.documents(texts)
        return self._rows("embed", texts, self._inner.embed)

    def documents(self, texts: Sequence[str]) -> Floats:
        if hasattr(self._inner, "documents"):
            return self._rows("documents", texts, self._inner.documents)
        return _unit(self.embed(texts))

    def query(self, text: str) -> Floats:
        if hasattr(self._inner, "query"):
            return self._rows("query", [text], lambda texts: [self._inner.query(one) for one in texts])[0]
        return _unit(self.embed([text]))[0]

    def _rows(self, way: str, texts: Sequence[str], ask: Callable[[list[str]], Any]) -> Floats:
        new = [text for text in dict.fromkeys(texts) if (way, text) not in self._known]
        if new:
            for text, row in zip(new, ask(new), strict=True):
                self._known[way, text] = np.asarray(row, np.float32)
        return np.array([self._known[way, text] for text in texts], np.float32)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return (rows / np.maximum(lengths, 1e-9)).astype(np.float32)
