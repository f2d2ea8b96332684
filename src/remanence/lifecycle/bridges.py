"""Bridges: which two entities of different scopes are near enough in meaning to be related, and far enough to be two.

An entity is where the centroid of its memories' vectors is. Two of them are candidates where the cosine of their
centroids is from .75 to .90 and no scope of one holds a scope of the other. Without a language model a candidate is
confirmed by words: at least three telling words, each in two or more memories of either side. A word is telling when
few memories use it: at most a twentieth of them (or eight, where there are few), and never more than half. A bridge is
made from three memories of either side, and says no word that does not stand in both threes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.grounding import Ground
from remanence.model.scope import ROOT
from remanence.model.words import STOP_WORDS, tokens_of

KIND = "bridge"
LEAST_COSINE, MOST_COSINE = 0.75, 0.90
LEAST_MEMORIES = 3
LEAST_WORDS = 3
LEAST_EACH = 2
MOST_WORDS_SHOWN = 6
LINEAGE_EACH = 3
ENTITIES, COSINE = "entities", "cosine"
"""Names in a bridge's metadata: the keys of its two entities, and how near they were."""
ONE_SIDED = "not about both sides"
_FEW, _SHARE, _MOST_SHARE = 8, 0.05, 0.5
_SHORTEST_ASCII = 4
_BLOCK = 256

Vectors = NDArray[np.float32]


class Pair(NamedTuple):
    """Two entities by their places, and the cosine of their centroids."""

    one: int
    other: int
    cosine: float


def centroid(vectors: Sequence[Vectors]) -> Vectors:
    """The direction in which these vectors point together; zeros where they cancel out."""
    mean = np.mean(np.asarray(vectors, dtype=np.float32), axis=0)
    length = float(np.linalg.norm(mean))
    return np.asarray(mean / length if length > 1e-6 else np.zeros_like(mean), dtype=np.float32)


def candidates(centroids: Vectors, homes: Sequence[frozenset[str]], most: int) -> list[Pair]:
    """So many pairs of entities at home in different scopes that are near and not too near, the nearest first.

    Every block of rows is multiplied with those after it, and only what is in the band is looked at.
    """
    own, above = _scopes_of(homes)
    found: list[Pair] = []
    total = len(centroids)
    for start in range(0, total, _BLOCK):
        rows = slice(start, min(start + _BLOCK, total))
        near = centroids[rows] @ centroids[start:].T
        # A scope of one that is a scope of the other, or above one: either way round.
        met = own[rows] @ above[start:].T + above[rows] @ own[start:].T
        chosen = (near >= LEAST_COSINE) & (near <= MOST_COSINE) & (met == 0)
        chosen &= np.arange(near.shape[1])[None, :] > np.arange(near.shape[0])[:, None]
        ones, others = np.nonzero(chosen)
        cosines = near[ones, others]
        if len(cosines) > most:
            keep = np.argsort(-cosines, kind="stable")[:most]
            ones, others, cosines = ones[keep], others[keep], cosines[keep]
        found += [
            Pair(start + one, start + other, round(cosine, 4))
            for one, other, cosine in zip(ones.tolist(), others.tolist(), cosines.tolist(), strict=True)
        ]
    return sorted(found, key=lambda pair: (-pair.cosine, pair.one, pair.other))[:most]


def _scopes_of(homes: Sequence[frozenset[str]]) -> tuple[Vectors, Vectors]:
    """For each entity a row: the scopes it is at home in; and those with all scopes above them."""
    numbers = {scope: place for place, scope in enumerate(sorted({scope for home in homes for scope in home}))}
    own = np.zeros((len(homes), len(numbers)), dtype=np.float32)
    above = np.zeros_like(own)
    for place, home in enumerate(homes):
        for scope in home:
            own[place, numbers[scope]] = 1
            for holder in _holders(scope):
                if holder in numbers:
                    above[place, numbers[holder]] = 1
    return own, above


def _holders(scope: str) -> Iterator[str]:
    """A scope and every scope that holds it."""
    yield ROOT
    end = scope.find("/", 1)
    while end > 0:
        yield scope[:end]
        end = scope.find("/", end + 1)
    yield scope


def nearest(vectors: Mapping[str, Vectors], to: Vectors) -> list[str]:
    """The ids of the vectors nearest to a direction, nearest first."""
    return sorted(vectors, key=lambda id: (-round(float(vectors[id] @ to), 5), id))


def counted(texts: Iterable[frozenset[str]]) -> Counter[str]:
    """In how many of these texts, given by their words, each word is."""
    return Counter(word for text in texts for word in text)


class Carried(NamedTuple):
    """The memories of either side that carry a bridge, and the words it may say, which stand in memories of both."""

    one: list[str]
    other: list[str]
    words: list[str]


def carried(words: Sequence[str], one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> Carried:
    """Three memories of either side that hold as many of the shared words as can be; of equals the first.

    A side is given by the words of its memories. Where every word is in a memory of either side, as `shared_words`
    gives them, at least three are carried, or all: each memory that is chosen adds one, while any is left.
    """
    left = _carrying(one, words)
    held = frozenset().union(*(one[id] for id in left))
    right = _carrying(other, [word for word in words if word in held])
    held &= frozenset().union(*(other[id] for id in right))
    return Carried(left, right, [word for word in words if word in held])


def _carrying(side: Mapping[str, frozenset[str]], words: Collection[str]) -> list[str]:
    chosen: list[str] = []
    wanted, rest = frozenset(words), list(side)
    while rest and len(chosen) < LINEAGE_EACH:
        best = max(rest, key=lambda id: len(side[id] & wanted))
        rest.remove(best)
        chosen.append(best)
        wanted -= side[best]
    return chosen


def shared_words(
    one: Counter[str], other: Counter[str], counts: Mapping[str, int], total: int, names: Iterable[str]
) -> list[str]:
    """The telling words that two or more texts of either side use, the rarest first; none of the entities' own names.

    `one` and `other` say in how many texts of a side each word is, `counts` in how many of all that were read; `total`
    is how many memories there are.
    """
    most = min(_MOST_SHARE * total, max(_FEW, _SHARE * total))
    own = frozenset(word for name in names for word in tokens_of(name))
    found = [
        word
        for word, number in one.items()
        if number >= LEAST_EACH
        and other[word] >= LEAST_EACH
        and counts.get(word, 0) <= most
        and word not in STOP_WORDS
        and word not in own
        and not word.isdigit()
        and len(word) >= (_SHORTEST_ASCII if word.isascii() else 2)
    ]
    return sorted(found, key=lambda word: (counts.get(word, 0), word))


def fault_of(why: str, one: Sequence[str], other: Sequence[str], names: Iterable[str]) -> str | None:
    """Why a sentence does not tell what both sides have to do with each other; None where it does."""
    if fault := Ground("\n".join((*one, *other, *names)), (*one, *other)).fault(why):
        return fault
    telling = tokens_of(why) - STOP_WORDS
    sides = [frozenset(word for text in side for word in tokens_of(text)) for side in (one, other)]
    return None if all(telling & side for side in sides) else ONE_SIDED
