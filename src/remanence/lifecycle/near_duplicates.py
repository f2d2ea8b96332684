"""The near-duplicate sweep: of live memories of one scope that share a concept and nearly all words, the older leaves.

Nearly all is a Jaccard overlap of their words above 0.9 (19 of 20 words each: 19 / 21 = 0.905). From the newest on, a
memory stays unless one that stays already is alike to it, contradicts it nowhere, is trusted as much and expires no
sooner: the newest such one takes its place. So each that leaves has a live successor that is alike to it directly, and
a second sweep finds nothing. Pinned memories and those kept after a restore never leave.

A negation or a number that flipped, or words that a less trusted source changed, are no duplicate: both stay, and are
challenged by each other.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TypeVar

import numpy as np

from remanence.lifecycle import duplicates
from remanence.lifecycle.likeness import Likeness, Match, Rows
from remanence.lifecycle.numerals import numbers
from remanence.model.memory import Memory, State
from remanence.model.moment import NEVER, to_micros
from remanence.model.plan import Change, Reason
from remanence.model.words import folded

T = TypeVar("T")

NEAR_JACCARD = 0.9
NEAR_DUPLICATE = "near duplicate"
# Memories that agree and all stay are protected ones. Behind so many of them no contradiction is looked for.
MOST_AGREEING = 16


@dataclass(frozen=True, slots=True)
class Verdict:
    """One memory leaves for another, or is challenged by it; revisions are those that were read."""

    id: str
    revision: int
    other_id: str
    other_revision: int
    jaccard: float
    leaves: bool

    def change(self, memory: Memory) -> Change:
        """What the verdict does to the memory; only to the revision it was based on."""
        if self.leaves:
            change = Change.of(memory, NEAR_DUPLICATE, state=State.SUPERSEDED, superseded_by=self.other_id)
        else:
            change = Change.of(memory, Reason.CONTRADICTED, challenged_by=self.other_id)
        return replace(change, revision=self.revision, evidence={"jaccard": self.jaccard})


def plan(memories: Iterable[Memory], now: datetime) -> tuple[Change, ...]:
    """The changes of a sweep over these memories; their order does not matter."""
    known = {memory.id: memory for memory in memories}
    found = NearDuplicates(now)
    for memory in known.values():
        found.read(memory)
    return tuple(verdict.change(known[verdict.id]) for verdict in found.verdicts())


class NearDuplicates:
    """Reads memories one by one, keeps of each only what is compared (some 300 bytes for 20 words), then judges.

    A rank is a memory's place by age, 0 the newest; `_order` leads from ranks to the order of reading.
    """

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._vocabulary: dict[str, int] = {}
        self._numerals: dict[str, int] = {}
        self._places: dict[tuple[str, str, str], int] = {}
        self._tokens, self._numbers, self._groups = Rows(), Rows(), Rows()
        self._ids: list[str] = []
        self._revisions = array("q")
        self._created_at = array("q")
        self._expires_at = array("q")
        self._negations = array("i")
        self._trust = array("d")
        self._pinned = bytearray()
        self._kept = bytearray()
        self._challengers: dict[int, str] = {}

    def read(self, memory: Memory) -> None:
        """Take a memory in; one that is not live, has expired or has no concept is left out."""
        expired = memory.expires_at is not None and memory.expires_at < self._now
        if memory.state is not State.LIVE or expired or not memory.concepts:
            return
        statement = duplicates.Statement.of(memory.text)
        places = {(memory.namespace, memory.scope, folded(concept)) for concept in memory.concepts}
        self._tokens.add(_numbered(statement.tokens, self._vocabulary))
        self._numbers.add(_numbered(set(numbers(memory.text)), self._numerals))
        self._groups.add(_numbered(places, self._places))
        if memory.challenged_by is not None:
            self._challengers[len(self._ids)] = memory.challenged_by
        self._ids.append(memory.id)
        self._revisions.append(memory.revision)
        self._created_at.append(to_micros(memory.created_at))
        self._expires_at.append(NEVER if memory.expires_at is None else to_micros(memory.expires_at))
        self._negations.append(duplicates.negations(statement))
        self._trust.append(memory.trust)
        self._pinned.append(memory.pinned)
        self._kept.append(memory.kept_until is not None and memory.kept_until > self._now)

    def verdicts(self) -> Iterator[Verdict]:
        """What becomes of the memories read, newest first: who leaves, then who is challenged. To be asked once."""
        self._order = sorted(range(len(self._ids)), key=lambda at: (self._created_at[at], self._ids[at]), reverse=True)
        self._words = list(self._vocabulary)
        ranks = np.asarray(self._order, dtype=np.intp)
        sets, groups, marks = self._tokens.taken(ranks), self._groups.taken(ranks), self._numbers.taken(ranks)
        self._likeness = Likeness(sets, groups, NEAR_JACCARD, marks=marks)
        del sets, groups, marks
        return self._judged()

    def _judged(self) -> Iterator[Verdict]:
        staying: list[int] = []
        for rank, at in enumerate(self._order):
            successor = None if self._pinned[at] or self._kept[at] else self._successor(rank)
            if successor is None:
                self._likeness.enter(rank)
                staying.append(rank)
            else:
                yield self._verdict(rank, successor, leaves=True)
        for rank in staying:
            if (rival := self._rival(rank)) is not None:
                yield self._verdict(rank, rival, leaves=False)

    def _successor(self, rank: int) -> Match | None:
        """The newest staying memory that may take the place of this one."""
        at = self._order[rank]
        for match in self._likeness.alike(rank, nested=True):
            by = self._order[match.row]
            lasts = self._expires_at[by] >= self._expires_at[at]
            if lasts and self._trust[by] >= self._trust[at] and not self._denies(rank, match):
                return match
        return None

    def _rival(self, rank: int) -> Match | None:
        """The newest staying memory that contradicts this one, unless this one is challenged already, or pinned."""
        at = self._order[rank]
        if self._pinned[at] or at in self._challengers:
            return None
        for match in islice(self._likeness.alike(rank), MOST_AGREEING):
            # Where only the other one is still challenged by this one, a person has settled it for this one.
            settled = self._challengers.get(self._order[match.row]) == self._ids[at]
            if not settled and self._contradicts(rank, match):
                return match
        return None

    def _contradicts(self, rank: int, match: Match) -> bool:
        if not self._likeness.marks_nest(rank, match.row) or self._denies(rank, match):
            return True
        newer, older = sorted((rank, match.row))
        distrusted = self._trust[self._order[older]] > self._trust[self._order[newer]]
        return distrusted and bool(match.missing or match.added)

    def _denies(self, rank: int, match: Match) -> bool:
        """Whether one says what the other denies, as `duplicates.negation_flip` has it."""
        negated = self._negations[self._order[rank]] != self._negations[self._order[match.row]]
        left = frozenset([self._words[token] for token in match.missing])
        right = frozenset([self._words[token] for token in match.added])
        return negated != duplicates.opposed(left, right)

    def _verdict(self, rank: int, match: Match, *, leaves: bool) -> Verdict:
        at, by = self._order[rank], self._order[match.row]
        return Verdict(self._ids[at], self._revisions[at], self._ids[by], self._revisions[by], match.jaccard, leaves)


def _numbered(values: Iterable[T], given: dict[T, int]) -> list[int]:
    return [given.setdefault(value, len(given)) for value in values]
