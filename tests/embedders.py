"""A toy embedder: words to vectors by their hash, the same in every run, that can be made ill in every way.

Texts that share words are near to each other; a text of other words is about at a right angle. `sick` names what goes
wrong with every call, `poison` a word that alone makes a call fail.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence import Mind
from remanence.providers.bundled.embedder import Bundled

SICK = ("raises", "hangs", "nan", "inf", "zeros", "too few", "too many", "other dimension", "words", "nothing")


@cache
def _direction(word: str, model: str, dimension: int) -> NDArray[np.float64]:
    seed = int.from_bytes(blake2b(f"{model} {word}".encode(), digest_size=8).digest(), "little")
    return np.random.default_rng(seed).standard_normal(dimension)


class Toy:
    """An embedder as users bring one. `calls` are the texts of each call; `hung` lets go of calls that hang."""

    def __init__(self, model: str = "toy", dimension: int = 32, *, local: bool = True) -> None:
        self.model = model
        self.dimension = dimension
        self.local = local
        self.sick: str | None = None
        self.poison: str | None = None
        self.calls: list[list[str]] = []
        self.hung = threading.Event()
        self.before: Callable[[Sequence[str]], None] = lambda texts: None

    @property
    def texts(self) -> list[str]:
        """Every text it was asked for, in order."""
        return [text for call in self.calls for text in call]

    def vector(self, text: str, dimension: int | None = None) -> NDArray[np.float32]:
        """The unit vector of a text."""
        words = re.findall(r"\w+", text.casefold()) or [text]
        size = dimension or self.dimension
        whole = np.sum([_direction(word, self.model, size) for word in words], axis=0)
        return (whole / np.linalg.norm(whole)).astype(np.float32)

    def embed(self, texts: Sequence[str]) -> Any:
        self.calls.append(list(texts))
        self.before(texts)
        if self.poison is not None and any(self.poison in text for text in texts):
            raise ValueError(f"cannot embed: {texts!r}")
        if self.sick is None:
            return np.array([self.vector(text) for text in texts])
        return self._wrong(texts)

    def _wrong(self, texts: Sequence[str]) -> Any:
        right = np.array([self.vector(text) for text in texts])
        match self.sick:
            case "raises":
                raise RuntimeError(f"no memory left for {texts!r}")
            case "hangs":
                self.hung.wait(30)
                return right
            case "nan" | "inf":
                right[-1, 0] = float(self.sick)
                return right
            case "zeros":
                return np.zeros_like(right)
            case "too few":
                return right[:-1]
            case "too many":
                return [*right, right[0]]
            case "other dimension":
                return [self.vector(text, self.dimension + 1) for text in texts]
            case "words":
                return [["a", "b"] for _ in texts]
        return None


class Fixed:
    """An embedder that gives each text the vector that was set for it."""

    local = True

    def __init__(self, vectors: dict[str, Sequence[float]], model: str = "fixed") -> None:
        self.model = model
        self.vectors = vectors

    def embed(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return [self.vectors[text] for text in texts]


class Remembering(Bundled):
    """The bundled embedder, which asks its model once for each text: worlds made again and again hold the same ones."""

    def __init__(self) -> None:
        self._known: dict[str, NDArray[np.float32]] = {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known |= zip(new, super().embed(new), strict=True)
        return np.array([self._known[text] for text in texts])


def at_cosine(cosine: float, axis: int = 1, dimension: int = 8) -> list[float]:
    """A unit vector at this cosine to the first axis, in the plane of that and another."""
    vector = [0.0] * dimension
    vector[0] = cosine
    vector[axis] = (1 - cosine**2) ** 0.5
    return vector


def rested(mind: Mind) -> None:
    """The embedder is asked again at once: the pause after a failure is over."""
    encoder: Any = mind.meaning.encoder
    encoder._patience._again_at = float("-inf")
