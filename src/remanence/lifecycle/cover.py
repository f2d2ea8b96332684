"""Cover: which memories stay when only so much may, so that together they say the most.

A memory stands by what it says (`content.value`), how rare its words are among the others, how far it is still
remembered and used, how lately where that says something (`recency`), and how little room it takes. What one that
stands higher says already counts less: where more than six tenths of a memory's words, weighed by rarity, are in one of
those, only the rest speaks for it. So of two that say the same one stays, and of what is said once all of it has a
chance. Everything is a logarithm: standings add.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remanence.lifecycle.content import value
from remanence.lifecycle.retention import Floats, floats
from remanence.model.words import STOP_WORDS, tokens_of

ROOM_EXPONENT = 1.15
"""Twice the room must be worth 2^1.15 = 2.2 times as much."""
RARITY_WEIGHT = 1.5
USE_WEIGHT = 0.5
RETENTION_WEIGHT = 2.0
"""Half of the retention must be worth four times as much: what is no longer used makes room where all else is equal."""
IMPORTANCE_WEIGHT = 4.0
"""What people and hosts say counts more than what a text looks like: importance 1 is worth e^2 of the usual 0.5."""
COVERED = 0.6
_LEAST_RARITY = 0.05
_LEAST_NEW = 0.02
_LEAST_VALUE = 1e-3
_COMMON = 50
_COMMON_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Told:
    """What a text says, as far as it matters here: what that is worth, and its words without those that bind."""

    value: float
    words: frozenset[str]

    @classmethod
    def of(cls, text: str, *, answer: bool = False) -> Told:
        return cls(value(text, answer=answer), frozenset(tokens_of(text)) - STOP_WORDS)


def standings(
    values: ArrayLike,
    room: ArrayLike,
    said: Sequence[Collection[str]],
    *,
    importance: ArrayLike = 0.5,
    retention: ArrayLike = 1.0,
    uses: ArrayLike = 0.0,
    recency: ArrayLike = 0.0,
    staying: NDArray[np.bool_] | None = None,
) -> tuple[Floats, Floats]:
    """How each memory stands among all that are given, and how much of it others say already; the lowest leave first.

    `room` in characters or tokens; `said` the telling words of each; `uses` how often it was used, a mere recall
    counting for less; `recency` what being unused costs it; `staying` those that stay whatever they say, so that what
    repeats them goes. Alone and said once, a text of value 16.6 and 100 characters: ln 16.6 - 1.15 ln 100 + 1.5 ln 1.05
    = -2.41.
    """
    held = Counter(word for words in said for word in words)
    rarity = _rarities(held, len(said))
    mean = np.array([sum(rarity[word] for word in words) / len(words) if words else 0.0 for words in said])
    stand: Floats = (
        np.log(np.maximum(values, _LEAST_VALUE))
        - ROOM_EXPONENT * np.log(np.maximum(floats(room), 1.0))
        + RARITY_WEIGHT * np.log(mean + _LEAST_RARITY)
        + IMPORTANCE_WEIGHT * (floats(importance) - 0.5)
        + RETENTION_WEIGHT * np.log(np.maximum(retention, _LEAST_NEW))
        + USE_WEIGHT * np.log1p(floats(uses))
        + floats(recency)
    )
    repeated = _repeated(stand if staying is None else np.where(staying, np.inf, stand), said, held, rarity)
    return stand + np.log(np.minimum(1.0, np.maximum(1.0 - repeated, _LEAST_NEW) / (1.0 - COVERED))), repeated


def leaving(order: NDArray[np.intp], room: ArrayLike, excess: float) -> NDArray[np.intp]:
    """Of the rows, lowest first, those that leave so that so much room is gained; those above that still fit stay.

    Of rooms 5, 3, 2 and 9, 8 too much: the first three would gain 10, so that of 2 may stay.
    """
    each = floats(room)[order]
    number = int(np.searchsorted(np.cumsum(each), excess, side="left")) + 1 if excess > 0 else 0
    chosen = order[:number]
    spare = float(each[:number].sum()) - excess
    stays = np.zeros(len(chosen), dtype=bool)
    for place in range(len(chosen) - 1, -1, -1):
        if each[place] <= spare:
            stays[place] = True
            spare -= each[place]
    return chosen[~stays]


def _rarities(held: Counter[str], size: int) -> dict[str, float]:
    """How rare each word is among so many memories: 1 in one of them alone, towards 0 in all of them."""
    most = log(max(size, 2))
    return {word: min(1.0, log((size + 1) / number) / most) for word, number in held.items()}


def _repeated(stand: Floats, said: Sequence[Collection[str]], held: Counter[str], rarity: dict[str, float]) -> Floats:
    """How much of each memory one that stands higher says, by rarity of the words: 0 for nothing, 1 for all of it.

    Words that many hold tell no two of them apart and are not looked up, so that this stays near-linear.
    """
    common = max(_COMMON, _COMMON_SHARE * len(said))
    sayers: dict[str, list[int]] = {}
    repeated = np.zeros(len(said))
    order: NDArray[np.intp] = np.argsort(-stand, kind="stable")
    for row in order.tolist():
        shared: dict[int, float] = {}
        whole = 0.0
        for word in said[row]:
            whole += rarity[word]
            if held[word] <= common:
                for other in sayers.setdefault(word, []):
                    shared[other] = shared.get(other, 0.0) + rarity[word]
                sayers[word].append(row)
        if shared:
            repeated[row] = max(shared.values()) / whole
    return repeated
