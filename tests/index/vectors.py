"""Vectors like those of a sentence model, from a seed: a falling spectrum, a few topics, near copies."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from remanence.index.codecs import Floats
from remanence.index.search import Fetch

DIMENSION = 384
TOPICS = 400


def unit(rows: NDArray[np.floating]) -> Floats:
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def gaussian(count: int, dimension: int = DIMENSION, seed: int = 1) -> Floats:
    return unit(np.random.default_rng(seed).standard_normal((count, dimension)))


def sentences(count: int, seed: int = 1, dimension: int = DIMENSION) -> Floats:
    """As MiniLM's: the 10th direction has .3 of the first one's variance, the 100th .07; a third are near others."""
    turn, topics, spread = _world(dimension)
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((count, dimension), dtype=np.float32) * spread
    rows += topics[rng.integers(0, TOPICS, count)]
    near = np.flatnonzero(rng.random(count) < 1 / 3)
    noise = rng.standard_normal((len(near), dimension), dtype=np.float32) * spread
    rows[near] = rows[rng.integers(0, count, len(near))] + noise * rng.uniform(0.2, 1, (len(near), 1)).astype(
        np.float32
    )
    return unit(rows @ turn)


@cache
def _world(dimension: int) -> tuple[Floats, Floats, Floats]:
    """What all sets share: the directions, what is spoken of, and how far each direction spreads."""
    rng = np.random.default_rng(0)
    spread = ((1 + np.arange(dimension) / 4) ** -0.45).astype(np.float32)
    turn = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0].astype(np.float32)
    return turn, rng.standard_normal((TOPICS, dimension), dtype=np.float32) * spread, spread


def fetch_from(vectors: Floats, bits: int = 32) -> Fetch:
    """A file that holds row `no` of these."""

    def fetch(nos: NDArray[np.int64]) -> tuple[NDArray[np.int8], Floats]:
        rows = np.full((len(nos), vectors.shape[1]), np.nan, dtype=np.float32)
        there = nos < len(vectors)
        rows[there] = vectors[nos[there]]
        return np.full(len(nos), bits, dtype=np.int8), rows

    return fetch
