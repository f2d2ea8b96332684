"""Leaning: how much a text as a whole is like an order to an agent, by its meaning, its words and the parts they play.

One weight for each number of the text's vector, for each part and each word, and for pairs of them, learned by logistic
regression for the vectors of one model (`benchmarks/screening.py`); other models' are not leant on. Leaning alone is
a reason only where it is far. What the rules find too little of is suspicious where the text leans far enough: the
less was found, the farther.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from remanence.guard.screening.disguises import plain
from remanence.guard.screening.parts import UNSPACED_SIGNS, Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FAR_ENOUGH = {2: 0.5, 1: 1.0, 0: 1.5}
"""By the weight that the rules found, how far (in log odds) a text must lean."""
READ = 1500
"""Characters of a text that count; its vector is made of no more."""
_NEAR = 4  # words between two parts that are a pair
_MOST = 60  # parts looked at after each
_WORD = re.compile(r"[^\W_]+")


class Weights(NamedTuple):
    """What was learned, and for the vectors of which model."""

    model: str
    numbers: NDArray[np.float32]
    parts: Mapping[str, float]
    pairs: Mapping[str, float]
    words: Mapping[str, float]
    bias: float


class Traits(NamedTuple):
    """What of a text counts beside its vector."""

    parts: frozenset[str]
    pairs: frozenset[str]
    words: frozenset[str]


def lean(model: str, vector: NDArray[np.float32], text: str) -> float | None:
    """The log odds that this text, with this vector, is meant as an order; None for a vector of another model."""
    learned = weights()
    if model != learned.model:
        return None
    found = traits(text)
    groups = (learned.parts, learned.pairs, learned.words)
    told = sum(spread(group, some) for group, some in zip(groups, found, strict=True))
    return float(vector @ learned.numbers) + told + learned.bias


def traits(text: str) -> Traits:
    """The parts, pairs of parts, and words with pairs of words in the beginning of the text."""
    said = plain(text[:READ])
    words: list[str] = []
    for word in _WORD.findall(said):
        if not word.isascii() and UNSPACED_SIGNS.search(word):
            words += (word[at : at + 2] for at in range(len(word) - 1))
        else:
            words.append(word)
    beside = (f"{one} {other}" for one, other in pairwise(words))
    read = Reading(said)
    return Traits(frozenset(read.positions), frozenset(_pairs(read)), frozenset((*words, *beside)))


def _pairs(read: Reading) -> Iterator[str]:
    """Two parts near one another, in their order."""
    placed = sorted((at, part) for part, column in read.positions.items() if part != "start" for at in column)
    for index, (at, part) in enumerate(placed, start=1):
        for later, other in placed[index : index + _MOST]:
            if later - at > _NEAR:
                break
            if other != part:
                yield f"{part} {other}"


def spread(learned: Mapping[str, float], found: Iterable[str]) -> float:
    """The sum of the weights of what was found, less for each the more was found: as of a vector of length 1."""
    every = list(found)
    return sum(learned.get(one, 0.0) for one in every) / sqrt(max(1, len(every)))


@cache
def weights() -> Weights:
    import numpy as np

    read = json.loads((resources.files(__package__) / "leaning.json").read_text(encoding="utf-8"))
    numbers = np.array(read["numbers"], dtype=np.float32)
    return Weights(read["model"], numbers, read["parts"], read["pairs"], read["words"], read["bias"])
