"""Ranking: the order of hits, from how well they answer and, within bounds, from how they stand.

Words: b / (b + M), b the memory's BM25 over the telling words of the query, M the sum of their idf. A memory of mean
length that holds each of them once has b = M and so 1/2: words are measured against what was asked, not against the
best candidate. Meaning: the cosine, where it is above 0, counts half. Where words hit little of a query the cosine
decides; where they hit rare ones it cannot overrule them. What is short and stands beside a good answer in its session
comes half way up to it. That is multiplied by bounded factors: retention (0.9 to 1), worth (0.9 to 1.1), trust (0.95
to 1), what hosts said of its use (0.8 to 1.2). A factor moves a memory among those that answer about as well; it never
hides one.

Then, from the best on: of versions of one statement the newest takes the best place, one that repeats a better hit
counts half, and so does one beyond the number a session may have. Equal ranks are ordered newest first, then by id, so
that an order is never a matter of chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle import worth as worth_
from remanence.lifecycle.duplicates import jaccard
from remanence.lifecycle.measures import Measures
from remanence.model.hit import Hit
from remanence.model.memory import Memory
from remanence.model.moment import to_micros
from remanence.model.words import beginnings, estimate_tokens, spaced, tokens_of
from remanence.model.words import words as words_of

Floats = NDArray[np.float64]

MEANING = 0.5
WHOLE = 1.0 + MEANING
LEAST_COSINE = 0.1
LEAST_MISSED = 0.25
LIFT = 0.5
FILE_SHARE = 0.5
RETENTION_REACH = 0.1
WORTH_REACH = 0.1
TRUST_REACH = 0.05
USE_REACH = 0.2
REPEAT_COSINE = 0.92
REPEAT_JACCARD = 0.8
REPEATED = 0.5


def answers(bm25: Floats, mass: float, cosine: Floats, by_file: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """How well each candidate answers, from 0 to 1, and the part of the words in it.

    b = M and a cosine of 0.6: (0.5 + 0.5 · 0.6) / 1.5 = 0.5333. Without a word in common a cosine below 0.1 is none.
    """
    found = np.maximum(bm25, 0.0)
    words = found / (found + max(mass, 1e-12))
    near = np.minimum(np.fmax(cosine, 0.0), 1.0)  # of NaN and 0 fmax takes 0
    near[(found == 0.0) & (near < LEAST_COSINE)] = 0.0
    whole = (words + MEANING * near) / WHOLE
    return np.where(by_file, whole + FILE_SHARE * (1.0 - whole), whole), words


def lifted(scores: Floats, beside: Sequence[tuple[int, int]]) -> Floats:
    """For (good, other) places: the other at least half way up to the good one beside it, which it never overtakes."""
    near = scores.copy()
    for good, other in beside:
        near[other] = max(near[other], scores[good])
    return scores + LIFT * (near - scores)


def standing(measures: Measures, at: int) -> tuple[dict[str, Floats], Floats]:
    """How memories stand, each bounded value by name; and what all of it multiplies a rank by."""
    retention, worth = measures.retention(at), measures.worth(at)
    trust = worth_.trust(measures.columns.source, measures.columns.trust_limit)
    factors = (
        (1.0 - RETENTION_REACH * (1.0 - retention))
        * (1.0 + WORTH_REACH * (2.0 * worth - 1.0))
        * (1.0 - TRUST_REACH * (1.0 - trust))
    )
    return {"retention": retention, "worth": worth, "trust": trust}, factors


def usefulness(memory: Memory) -> float:
    """What hosts said of a memory's use, as a factor: one use 1.069, one rejection 0.931, at most 1.2, at least 0.8."""
    told = 0.1 * math.log((1 + memory.uses) / (1 + memory.rejections))
    return min(1.0 + USE_REACH, max(1.0 - USE_REACH, 1.0 + told))


def ordered(hits: Sequence[Hit]) -> list[Hit]:
    """Best first; equal ranks newest first, then by id."""
    ranks = [hit.rank for hit in hits]
    if len(set(ranks)) == len(ranks):
        return sorted(hits, key=attrgetter("rank"), reverse=True)
    return sorted(hits, key=lambda hit: (-hit.rank, -to_micros(hit.memory.created_at), hit.memory.id))


def newest_first(hits: Sequence[Hit], telling: Mapping[str, float]) -> list[Hit]:
    """The hits in order, where of versions of one statement the newest has the best rank among them, and so on."""
    left = ordered(hits)
    # Versions begin with the same word: only the texts of those are cut into words at all.
    alike: dict[str, list[Hit]] = {}
    for hit in left:
        alike.setdefault(hit.memory.text.split(maxsplit=1)[0].casefold(), []).append(hit)
    if len(alike) == len(left) or not telling:
        return left
    matches = _Matches(left, telling)
    found: list[Hit] = []
    for some in alike.values():
        while some:
            head = some.pop(0)
            if not some:
                found.append(head)
                break
            group: list[Hit] = [head]
            others: list[Hit] = []
            for hit in some:
                (group if matches.are_versions(head.memory, hit.memory) else others).append(hit)
            some = others
            ranks = [hit.rank for hit in group]
            group.sort(key=lambda hit: (hit.memory.created_at, hit.memory.id), reverse=True)
            found += [_ranked(hit, rank) for hit, rank in zip(group, ranks, strict=True)]
    return ordered(found)


class _Matches:
    """What hits hold of a query, looked up where two of them begin alike for long enough."""

    def __init__(self, hits: Sequence[Hit], telling: Mapping[str, float]) -> None:
        self._hits = hits
        self._telling = telling
        self._words: dict[str, Sequence[str]] = {}
        self._held: dict[str, frozenset[str]] = {}
        self._most = 0.0

    def are_versions(self, one: Memory, other: Memory) -> bool:
        """Whether both hold the same words of the query and are versions of one statement."""
        words, others = self._words_of(one), self._words_of(other)
        if not begin_alike(words, others):
            return False
        if not self._held:
            begun = {stem: beginnings(stem) for stem in self._telling}
            self._held = {hit.memory.id: _matched(spaced(hit.memory.text), begun) for hit in self._hits}
            self._most = 0.999 * max(map(self._mass, self._held.values()))
        held = self._held[one.id]
        if not held or self._held[other.id] != held:
            return False
        return same_statement(words, others, whole=self._mass(held) >= self._most > 0)

    def _words_of(self, memory: Memory) -> Sequence[str]:
        """Each text is cut into words once: a head is held against all that are left."""
        if (found := self._words.get(memory.id)) is None:
            found = self._words[memory.id] = words_of(memory.text)
        return found

    def _mass(self, held: Iterable[str]) -> float:
        return sum(map(self._telling.__getitem__, held))


def _matched(said: str, begun: Mapping[str, Iterable[str]]) -> frozenset[str]:
    return frozenset([stem for stem, ways in begun.items() if any(way in said for way in ways)])


def same_statement(one: Sequence[str], other: Sequence[str], *, whole: bool) -> bool:
    """Whether two texts that hold the same words of a query are versions of one statement.

    They begin alike, for the first half (rounded up) of the shorter, and the rests share no word: "… of Ghana is Accra"
    and "… of Togo is Lome" share "is" and are two subjects. Where both hold the whole of what the query asks for, the
    rest does not matter: the subject is the same.
    """
    alike = _alike_words(one, other)
    return alike >= _half(one, other) and (whole or set(one[alike:]).isdisjoint(other[alike:]))


def begin_alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two texts begin alike, for the first half (rounded up) of the shorter."""
    half = _half(one, other)
    return not half or (one[half - 1] == other[half - 1] and one[:half] == other[:half])


def _half(one: Sequence[str], other: Sequence[str]) -> int:
    return (min(len(one), len(other)) + 1) // 2


def _alike_words(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two texts begin with alike."""
    shorter = min(len(one), len(other))
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), shorter)


def _ranked(hit: Hit, rank: float) -> Hit:
    if rank == hit.rank:
        return hit
    return replace(hit, rank=rank, parts={**hit.parts, "newest": rank / hit.rank if hit.rank else 1.0})


def diverse(hits: Sequence[Hit], likeness: NDArray[np.float32] | None, per_session: int = 0) -> list[Hit]:
    """Hits in order, anew: what repeats a better one, or is one too many of its session, counts half.

    `likeness` holds the cosine of every two hits, NaN where it is not known.
    """
    repeats = _repeats(hits, likeness)
    if not per_session and not any(repeats):
        return list(hits)
    sessions: Counter[str] = Counter()
    found = []
    for hit, repeated in zip(hits, repeats, strict=True):
        parts = dict(hit.parts)
        if repeated:
            parts["repeats"] = REPEATED
        session = hit.memory.origin
        if per_session and session is not None:
            sessions[session] += 1
            if sessions[session] > per_session:
                parts["session"] = REPEATED
        factor = parts.get("repeats", 1.0) * parts.get("session", 1.0)
        found.append(hit if factor == 1.0 else replace(hit, rank=hit.rank * factor, parts=parts))
    return ordered(found)


def _repeats(hits: Sequence[Hit], likeness: NDArray[np.float32] | None) -> list[bool]:
    """Which hits say what a better one that repeats nothing says: by their vectors, or else by their words."""
    known = likeness if likeness is not None else np.full((len(hits), len(hits)), np.nan, dtype=np.float32)
    repeats = [False] * len(hits)
    near = ~(known < REPEAT_COSINE)  # alike, or not known
    if np.count_nonzero(near) == np.count_nonzero(near.diagonal()):
        return repeats
    tokens: dict[str, frozenset[str]] = {}  # each text is cut into words once: pairs are many
    for at, other in zip(*np.nonzero(np.tril(near, -1)), strict=True):
        repeats[at] = repeats[at] or (not repeats[other] and _alike(hits[at], hits[other], known[at, other], tokens))
    return repeats


def _alike(one: Hit, other: Hit, cosine: np.float32, tokens: dict[str, frozenset[str]]) -> bool:
    if one.memory.lineage and other.memory.id not in one.memory.lineage:
        return False  # it stands for others too
    if not np.isnan(cosine):
        return True
    for hit in (one, other):
        if hit.memory.id not in tokens:
            tokens[hit.memory.id] = tokens_of(hit.memory.text)
    return jaccard(tokens[one.memory.id], tokens[other.memory.id]) >= REPEAT_JACCARD


def answers_well(hit: Hit) -> bool:
    """Whether a hit would be worth having on its own: 0.25, what `least` is advised for agents that should not guess.

    Where there is no vector words alone can give two thirds of an answer, so two thirds of that: 0.1667.
    """
    return hit.parts["answer"] >= (LEAST_MISSED if "vector" in hit.parts else LEAST_MISSED / WHOLE)


def new_among(others: Sequence[Hit], hits: Sequence[Hit]) -> list[Hit]:
    """Those of the others that say what no hit says."""
    said = [tokens_of(hit.memory.text) for hit in hits]
    return [
        other
        for other in others
        if all(jaccard(tokens_of(other.memory.text), tokens) < REPEAT_JACCARD for tokens in said)
    ]


def within(hits: list[Hit], budget_tokens: int | None) -> list[Hit]:
    """The best hits that fit the budget together; one too large is passed over for smaller ones after it."""
    if budget_tokens is None:
        return hits
    fitting, left = [], budget_tokens
    for hit in hits:
        tokens = estimate_tokens(hit.memory.text)
        if tokens <= left:
            fitting.append(hit)
            left -= tokens
    return fitting
