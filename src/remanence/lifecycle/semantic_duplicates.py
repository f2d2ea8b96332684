"""Semantic duplicates: of live memories of one scope and kind that mean the same, the newest is kept for the others.

They mean the same where the cosine of their vectors is above 0.92 and their words allow it. Vectors hardly see what is
denied, counted, named or done to whom: "enabled 2FA" and "disabled 2FA" .936, "before" and "after the standup" .989,
"Tom paid Anna" and "Anna paid Tom" .991. So what leaves states no number and names nothing that is missing in what
stays. Where a negation or a number flipped, both stay and are challenged by each other. In doubt both stay.

From the newest on, a memory stays unless one that stays already is alike to it directly, is trusted as much, expires no
sooner and holds over the same time: the newest such one takes its place. Those kept after a restore never leave; what
is pinned, or challenged and not settled yet, neither leaves nor takes a place.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle import duplicates
from remanence.lifecycle.near_duplicates import MOST_AGREEING
from remanence.lifecycle.numerals import numbers
from remanence.model.checks import METADATA_BYTES
from remanence.model.memory import Memory, State
from remanence.model.moment import NEVER, to_micros
from remanence.model.words import STOP_WORDS, estimate_tokens, words

COSINE = 0.92
SEMANTIC_DUPLICATE, KEPT = "semantic duplicate", "kept for its duplicates"
# A memory is compared with so many newer ones that are alike to it, and again once some of them have left.
MOST_EACH = 50
# Embedders cut long texts off, the bundled one after 256 tokens: what differs behind that is not in their vectors.
MOST_TOKENS = 256
_BYTES_AN_ID = 40

Ranks = NDArray[np.int64]
Cosines = NDArray[np.float32]
Pairs = tuple[Ranks, Ranks, Cosines]
"""Newer and older memories that are alike, by rank (0 is the newest), and their cosines."""

_OPENERS = """
    all also although always another any anyone anything because before both customer customers disabled during each
    either enabled every everyone few first however keep last let like likes love loves make many most need needs never
    new nobody none note nothing now once one only other people person please prefer prefers remember several since some
    someone sometimes still such team two until use used user users uses using wants while with without work works yes
"""
_CALENDAR = """
    monday tuesday wednesday thursday friday saturday sunday january february april june july august september october
    november december lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado
"""
_EXCLUDING = """
    before after during until, more less fewer, most least, high low, higher lower, upper lower, up down, left right,
    increase decrease reduce, increases decreases reduces, increased decreased reduced, add remove, adds removes,
    added removed, start stop end, starts stops ends, started stopped ended, top bottom, front back, above below,
    inside outside, over under, first second third last next previous, minimum maximum, min max, shorter longer,
    small large big, smaller larger bigger, old new, older newer, early late, earlier later, fast slow, faster slower,
    best worst, better worse, good bad, open close, buy sell, read write, morning noon afternoon evening night,
    today tomorrow yesterday, daily weekly monthly yearly, day week month year, days weeks months years hours,
    always never sometimes often, man woman boy girl, mother father sister brother son daughter wife husband, and or,
    black white red green blue yellow, i we you he she, me us you him her, my our your his her, must may, client server
"""
_NO_NAMES = STOP_WORDS.union(_OPENERS.split())  # where they open a sentence
_DAYS_AND_MONTHS = frozenset(_CALENDAR.split())
# Of each group one excludes the others, and vectors hardly tell them apart.
EXCLUSIVE = [frozenset(group.split()) for group in _EXCLUDING.split(",")]

_EDGES = ".,;:!?…()[]{}<>\"'“”„‘’«»*`"
_ENDING = re.compile(r"[.!?:;…][\"'”’»)\]]*$")
_POSSESSIVE = re.compile(r"['’]s?$")
_QUOTED = re.compile(r"[\"“„«`]([^\"“”„«»`\n]+)[\"”“»`]|(?<!\w)['‘]([^'‘’\n]+)['’](?!\w)")
_DATE = re.compile(r"\d{4}-\d\d?(?:-\d\d?)?|\d\d?[./]\d\d?[./]\d{2,4}|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?")
_QUANTITY = re.compile(
    r"(?i)[\d.,:/+-]+(?:[mnµ]?s|secs?|mins?|h|hrs?|[dwykx%]|[kmgt]i?b|[kmµ]?g|[kcm]m|[ap]m|st|nd|rd|th)?"
)
_IDENTIFIER = re.compile(r"(?=.*[^\W\d_]).*[\d_./\\@#+]")
_SIGNED = re.compile(r"(?<![^\s(])[-−](\d+(?:[.,]\d+)*)")


@dataclass(frozen=True, slots=True)
class Said:
    """A text's words in order, what it names in order, signs and words of scripts without capitals, and its numbers."""

    words: str
    names: tuple[str, ...]
    marks: frozenset[str]
    numbers: frozenset[str]
    negations: int

    @classmethod
    def of(cls, text: str) -> Said:
        statement = duplicates.Statement.of(text)
        marks = {sign for sign in set(text) if unicodedata.category(sign) in ("Sm", "Sc", "So")}
        if not text.isascii():
            marks.update(w for w in statement.words if any(unicodedata.category(letter) == "Lo" for letter in w))
        counted = {*numbers(_SIGNED.sub(" ", text)), *(f"-{number}" for number in _SIGNED.findall(text))}
        said = f" {' '.join(statement.words)} "
        return cls(said, _names(text), frozenset(marks), frozenset(counted), duplicates.negations(statement))

    @property
    def tokens(self) -> frozenset[str]:
        return frozenset(self.words.split())

    def lacks(self, other: Said) -> list[str]:
        """What the other names and this text does not."""
        return [name for name in other.names if name not in self.names and f" {name} " not in self.words]


def _names(text: str) -> tuple[str, ...]:
    """What a text names in quotes, dates, identifiers and capitals: "We met Ann on Fridays" → ann, friday."""
    found = [(match.start(), " ".join(words(match[1] or match[2]))) for match in _QUOTED.finditer(text)]
    opens, end = True, 0
    for chunk in re.finditer(r"\S+", text):
        opens = opens or "\n" in text[end : chunk.start()]
        end = chunk.end()
        if chunk[0].isalpha() and chunk[0].islower() and chunk[0].removesuffix("s") not in _DAYS_AND_MONTHS:
            opens = False  # most words, and nothing more is to be asked of them
            continue
        core = _POSSESSIVE.sub("", chunk[0].strip(_EDGES))
        if not any(map(str.isalnum, core)):
            continue
        name = " ".join(words(core))
        if name.removesuffix("s") in _DAYS_AND_MONTHS:
            found.append((chunk.start(), name.removesuffix("s")))
        elif _DATE.fullmatch(core) or (_IDENTIFIER.match(core) and not _QUANTITY.fullmatch(core)):
            found.append((chunk.start(), core.casefold()))
        elif core != core.lower() and name.split("'")[0] != "i" and not _QUANTITY.fullmatch(core):
            plain = opens and core[1:] == core[1:].lower()
            if not (plain and (name in _NO_NAMES or name.endswith("n't"))):
                found.append((chunk.start(), name))
        opens = bool(_ENDING.search(chunk[0]))
    return tuple(dict.fromkeys(name for _, name in sorted(found) if name))


def same(older: Said, newer: Said) -> bool:
    """Whether the newer text may stand for the older one, given that their vectors are alike."""
    if not older.numbers <= newer.numbers or newer.lacks(older) or not older.marks <= newer.marks:
        return False
    if [n for n in older.names if n in newer.names] != [n for n in newer.names if n in older.names]:
        return False
    olds, news = older.tokens, newer.tokens
    # Who does something mostly stands first: "the client calls the server", "the server calls the client".
    if not olds or _first(older, news) != _first(newer, olds):
        return False
    left, right = olds - news, news - olds
    swapped = any(not group.isdisjoint(left) and not group.isdisjoint(right) for group in EXCLUSIVE)
    return not swapped and not _denies(older, newer, left, right)


def denies_alike(a: Said, b: Said) -> bool:
    """Whether neither denies what the other affirms."""
    return not _denies(a, b, a.tokens - b.tokens, b.tokens - a.tokens)


def flipped(a: Said, b: Said) -> bool:
    """Whether one denies the other or counts otherwise, both speaking of the same: "Ann is in", "Bob is out" do not."""
    left, right = a.tokens - b.tokens, b.tokens - a.tokens
    if not _denies(a, b, left, right) and (a.numbers <= b.numbers or b.numbers <= a.numbers):
        return False
    lost = [name for name in b.lacks(a) if not duplicates.opposed(frozenset([name]), right)]
    return not lost or all(duplicates.opposed(left, frozenset([name])) for name in a.lacks(b))


def _denies(a: Said, b: Said, left: frozenset[str], right: frozenset[str]) -> bool:
    return (a.negations != b.negations) != duplicates.opposed(left, right)


def _first(said: Said, others: frozenset[str]) -> str | None:
    return next((word for word in said.words.split() if word in others and word not in STOP_WORDS), None)


@dataclass(frozen=True, slots=True)
class Fate:
    """A memory that stays: whom it is kept for and what contradicts it, each as (id, revision read, cosine)."""

    id: str
    revision: int
    merged: list[tuple[str, int, float]] = field(default_factory=list)
    rivals: list[tuple[str, int, float]] = field(default_factory=list)


@dataclass(slots=True)
class _Row:
    memory: Memory
    said: Said
    trust: float
    expires_at: int
    room: int

    @property
    def place(self) -> tuple[str, str]:
        return self.memory.scope, self.memory.kind

    @property
    def free(self) -> bool:
        return not self.memory.pinned and self.memory.challenged_by is None

    def takes(self, older: _Row) -> bool:
        """Whether this one may take the place of an older one that is alike to it."""
        lasts = self.free and self.room > 0 and self.trust >= older.trust and self.expires_at >= older.expires_at
        mine, its = self.memory, older.memory
        at_once = (mine.valid_from, mine.valid_until) == (its.valid_from, its.valid_until)
        return lasts and at_once and same(older.said, self.said)


class SemanticDuplicates:
    """Reads the memories that are alike to others, then judges pair by pair who leaves, who is kept, who is challenged.

    `challenged` are those that the same plan challenges already, and by whom.
    """

    def __init__(self, now: datetime, challenged: Mapping[str, str]) -> None:
        self._now = now
        self._challenged = challenged
        self._rows: dict[int, _Row] = {}
        self._gone: dict[int, tuple[int, float]] = {}
        self._followers: dict[int, list[int]] = {}
        self.too_long = 0

    def read(self, rank: int, memory: Memory) -> None:
        """Take a memory in; one that is not live, has expired or is too long is left out."""
        if memory.state is not State.LIVE or (memory.expires_at is not None and memory.expires_at < self._now):
            return
        if estimate_tokens(memory.text) > MOST_TOKENS:
            self.too_long += 1
            return
        slim = memory.but(text="", metadata={}, challenged_by=self._challenged.get(memory.id, memory.challenged_by))
        expires_at = NEVER if memory.expires_at is None else to_micros(memory.expires_at)
        room = METADATA_BYTES // _BYTES_AN_ID - len(json.dumps(memory.metadata).encode()) // _BYTES_AN_ID - 2
        self._rows[rank] = _Row(slim, Said.of(memory.text), memory.trust, expires_at, room)

    def crowded_places(self, pairs: Pairs) -> set[tuple[str, str]]:
        """The scopes and kinds in which one that stays has its measure of newer ones alike."""
        older, counts = np.unique(pairs[1], return_counts=True)
        full = older[counts >= MOST_EACH].tolist()
        return {self._rows[rank].place for rank in full if rank in self._rows and rank not in self._gone}

    def crowded(self, pairs: Pairs) -> tuple[Ranks, Ranks]:
        """All that stay of each scope and kind where one has so many newer ones alike that some may have been missed.

        Beside each a number for what it names and counts: of those that share it, all but a few are duplicates.
        """
        places = self.crowded_places(pairs)
        ranks = sorted(rank for rank, row in self._rows.items() if row.place in places and rank not in self._gone)
        keys: dict[object, int] = {}
        groups = []
        for row in map(self._rows.__getitem__, ranks):
            said = frozenset(row.said.names), row.said.marks, row.said.numbers, row.said.negations
            groups.append(keys.setdefault((row.place, row.trust, row.expires_at, *said), len(keys)))
        return np.array(ranks, dtype=np.int64), np.array(groups, dtype=np.int64)

    def leave(self, pairs: Pairs) -> int:
        """Let those leave that have a successor among these pairs; how many did."""
        left = 0
        for rank, alike in _by_rank(pairs[1], pairs[0], pairs[2]):
            row = self._rows.get(rank)
            kept_until = row.memory.kept_until if row is not None else None
            if row is None or rank in self._gone or not row.free or (kept_until is not None and kept_until > self._now):
                continue
            for by, cosine in alike:
                if by in self._rows and by not in self._gone and self._rows[by].takes(row):
                    # Who left for this one before has to find another: its turn comes after.
                    for older in self._followers.pop(rank, ()):
                        del self._gone[older]
                    self._gone[rank] = by, cosine
                    self._followers.setdefault(by, []).append(rank)
                    self._rows[by].room -= 1
                    left += 1
                    break
        return left

    def fates(self, pairs: Pairs) -> list[Fate]:
        """What becomes of those that stay, newest first, where something does."""
        fates: dict[int, Fate] = {}
        for rank, (by, cosine) in sorted(self._gone.items()):
            self._fate(fates, by).merged.append((*self._read(rank), cosine))
        newer, older, cosines = pairs
        both = np.concatenate((newer, older)), np.concatenate((older, newer)), np.concatenate((cosines, cosines))
        for rank, alike in _by_rank(*both):
            row = self._rows.get(rank)
            if row is None or rank in self._gone or not row.free:
                continue
            staying = ((by, cosine) for by, cosine in alike if by in self._rows and by not in self._gone)
            for by, cosine in islice(staying, MOST_AGREEING):
                # Where only the other one is still challenged by this one, a person has settled it for this one.
                settled = self._rows[by].memory.challenged_by == row.memory.id
                if not settled and flipped(row.said, self._rows[by].said):
                    self._fate(fates, rank).rivals.append((*self._read(by), cosine))
                    break
        return [fates[rank] for rank in sorted(fates)]

    def _read(self, rank: int) -> tuple[str, int]:
        return self._rows[rank].memory.id, self._rows[rank].memory.revision

    def _fate(self, fates: dict[int, Fate], rank: int) -> Fate:
        return fates.setdefault(rank, Fate(*self._read(rank)))


def _by_rank(ranks: Ranks, others: Ranks, cosines: Cosines) -> Iterator[tuple[int, list[tuple[int, float]]]]:
    """For each rank, ascending, the others beside it, ascending, each once, with their cosines to six digits."""
    order = np.lexsort((others, ranks))
    ranks, others, cosines = ranks[order], others[order], cosines[order]
    fresh = np.diff(ranks, prepend=-1).astype(bool) | np.diff(others, prepend=-1).astype(bool)
    ranks, others, cosines = ranks[fresh], others[fresh], cosines[fresh]
    starts = np.flatnonzero(np.diff(ranks, prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(ranks)]):
        near = [round(cosine, 6) for cosine in cosines[start:end].tolist()]
        yield int(ranks[start]), list(zip(others[start:end].tolist(), near, strict=True))
