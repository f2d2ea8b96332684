"""Merging without a model: many texts that say similar things → one that says everything they say.

Sentences are kept as they stand, one a line, so nothing is reworded, hedges stay and no word is invented; a sentence
that another one covers is left out. Where all of it would be too long, the shorter ones are taken in first, and the
others are not covered: they stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from remanence.lifecycle.coverage import Point, missing, points

MOST_CHARACTERS = 1_600
_Kept = tuple[int, int, Point]


@dataclass(frozen=True, slots=True)
class Merged:
    """A text, the places of the texts it covers, and what it would lose of the others."""

    text: str
    covered: tuple[int, ...]
    lost: Mapping[int, Sequence[str]]


def merged(texts: Sequence[str], most_characters: int = MOST_CHARACTERS) -> Merged:
    """One text for these, in their order."""
    read = [points(text) for text in texts]
    kept = _joined([], range(len(texts)), read)
    if _length(kept) > most_characters:
        kept = []
        for place in sorted(range(len(texts)), key=lambda one: (len(texts[one]), one)):
            longer = _joined(kept, [place], read)
            if _length(longer) <= most_characters or not kept:
                kept = longer
    return covering("\n".join(point.text for _, _, point in sorted(kept, key=lambda one: one[:2])), texts)


def covering(text: str, texts: Sequence[str]) -> Merged:
    """A text that somebody wrote for these, with what it covers of them."""
    held = points(text)
    gone = {
        place: misses
        for place, one in enumerate(texts)
        if (misses := [miss for point in points(one) for miss in missing(point, held)])
    }
    return Merged(text, tuple(place for place in range(len(texts)) if place not in gone), gone)


def _joined(kept: list[_Kept], places: Iterable[int], read: Sequence[Sequence[Point]]) -> list[_Kept]:
    """The sentences kept so far and those of more texts, without what others of them cover."""
    joined = list(kept)
    for place in places:
        for number, point in enumerate(read[place]):
            if any(not missing(point, [other]) for _, _, other in joined):
                continue
            joined = [one for one in joined if missing(one[2], [point])]
            joined.append((place, number, point))
    return joined


def _length(kept: Sequence[_Kept]) -> int:
    return sum(len(point.text) + 1 for _, _, point in kept)
