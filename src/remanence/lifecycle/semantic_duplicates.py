"""Semantic duplicates: of live memories of one scope and kind that mean the same, the newest is kept for the others.

They mean the same where the cosine of their vectors is above 0.92 and their words allow it. Vectors hardly see what is
denied, counted, named or done to whom: "enabled 2FA" and "disabled 2FA" .936, "before" and "after the standup" .989,
"Tom paid Anna" and "Anna paid Tom" .991. So what leaves states no number and names nothing that is missing in what
stays. Where a negation or a number flipped, both stay and are challenged by each other. In doubt both stay.

From the newest on, a memory stays unless one that stays already is alike to it directly, is trusted as much, expires no
sooner and holds over the same time: the newest such one takes its place. Pinned memories and those kept after a restore
never leave; what is challenged neither leaves nor takes a place until that is settled.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle import duplicates
from remanence.lifecycle.near_duplicates import MOST_AGREEING
from remanence.lifecycle.trust import TRUST
from remanence.model.checks import METADATA_BYTES
from remanence.model.memory import Memory, State
from remanence.model.moment import NEVER, to_micros
from remanence.model.plan import Change, Reason
from remanence.model.words import STOP_WORDS, words

COSINE = 0.92
SEMANTIC_DUPLICATE = "semantic duplicate"
ALSO_FROM = "also_from"
# Of those alike to a memory, it is compared with so many newer ones, and again once some of them have left.
MOST_EACH = 50
MOST_ROUNDS = 8
_BYTES_AN_ID = 40

Ranks = NDArray[np.int64]
Pairs = tuple[Ranks, Ranks, NDArray[np.float32]]
Finder = Callable[[Ranks, Ranks | None], Pairs]


def _listed(table: str) -> frozenset[str]:
    return frozenset(table.split())


# --- what a text says, as far as it is compared

# Words that open a sentence and are no names.
_OPENERS = STOP_WORDS | _listed("""
    all also although always another any anyone anything avoid because before both check current currently customer
    customers disabled during each either enabled every everyone everything few first however keep last let like likes
    love loves make many most need needs never new nobody none note nothing now once one only other people person please
    prefer preferred prefers remember remind run said says several since some someone sometimes still such team two
    until use used user users uses using wanted wants while with without work works yes
""")
_CALENDAR = _listed("""
    monday tuesday wednesday thursday friday saturday sunday january february april june july august september october
    november december lundi mardi mercredi jeudi vendredi samedi dimanche janvier février avril juin juillet août
    septembre octobre novembre décembre lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril
    mayo junio julio agosto septiembre octubre noviembre diciembre
""")
# Of each group one excludes the others, and vectors hardly tell them apart.
_EXCLUSIVE = """
    before after during until, more less fewer, most least, higher lower, high low, upper lower, up down, left right,
    increase decrease reduce, increases decreases reduces, increased decreased reduced, increasing decreasing reducing,
    start stop end, starts stops ends, started stopped ended, add remove, adds removes, added removed, top bottom,
    front back, north south east west, inside outside, above below, over under, first second third last next previous,
    minimum maximum, min max, short long, shorter longer, small large big, smaller larger bigger, old new young,
    older newer younger, early late, earlier later, fast slow, faster slower, hot cold warm, best worst, better worse,
    good bad, open close, opens closes, buy sell, buys sells, bought sold, win lose, wins loses, won lost, read write,
    reads writes, push pull, morning noon afternoon evening night midnight, today tomorrow yesterday,
    daily weekly monthly yearly hourly, day week month year hour minute, days weeks months years hours minutes seconds,
    always never sometimes rarely often, black white red green blue yellow brown orange purple pink grey, mother father,
    sister brother, son daughter, wife husband, i we you he she, me us you him her, my our your his her, and or,
    man woman boy girl, men women boys girls, staging production development, prod dev, internal external, must may,
    public private, local remote, input output, client server, source target, all none some
"""
_GROUPS: dict[str, frozenset[int]] = {}
for _number, _group in enumerate(_EXCLUSIVE.split(",")):
    for _word in _group.split():
        _GROUPS[_word] = _GROUPS.get(_word, frozenset()) | {_number}

_EDGES = ".,;:!?…()[]{}<>\"'“”„‘’«»*`"
_ENDING = re.compile(r"[.!?:;…][\"'”’»)\]]*$")
_POSSESSIVE = re.compile(r"['’]s?$")
_QUOTED = re.compile(r"[\"“„«`]([^\"“”„«»`\n]+)[\"”“»`]|(?<!\w)['‘]([^'‘’\n]+)['’](?!\w)")
_DATE = re.compile(r"\d{4}-\d\d?(?:-\d\d?)?|\d\d?[./]\d\d?[./]\d{2,4}|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?")
_UNITS = "[mnµ]?s|secs?|mins?|h|hrs?|[dwykx%]|[kmgt]i?b|[kmµ]?g|[kcm]m|[ap]m|st|nd|rd|th|px|[kmg]?hz|usd|eur"
_QUANTITY = re.compile(rf"[\d.,:/+-]+(?:{_UNITS})?", re.IGNORECASE)
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
        marks = {sign for sign in text if unicodedata.category(sign) in ("Sm", "Sc", "So")}
        if not text.isascii():
            marks.update(w for w in statement.words if any(unicodedata.category(letter) == "Lo" for letter in w))
        numbers = {*duplicates.numbers(_SIGNED.sub(" ", text)), *(f"-{number}" for number in _SIGNED.findall(text))}
        said = f" {' '.join(statement.words)} "
        return cls(said, _names(text), frozenset(marks), frozenset(numbers), duplicates.negations(statement))

    @property
    def tokens(self) -> frozenset[str]:
        return frozenset(self.words.split())

    def lacks(self, other: Said) -> list[str]:
        """What the other names and this text does not."""
        return [name for name in other.names if name not in self.names and f" {name} " not in self.words]


def _names(text: str) -> tuple[str, ...]:
    """What a text names, folded: "We met Ann on Fridays in room b_12" → ann, friday, b_12.

    Quotes, dates, identifiers, paths, and capitalised words; at the start of a sentence, unless they often stand there.
    """
    found = [(match.start(), " ".join(words(match[1] or match[2]))) for match in _QUOTED.finditer(text)]
    opens, end = True, 0
    for chunk in re.finditer(r"\S+", text):
        opens = opens or "\n" in text[end : chunk.start()]
        end = chunk.end()
        core = _POSSESSIVE.sub("", chunk[0].strip(_EDGES))
        if not any(map(str.isalnum, core)):
            continue
        name = " ".join(words(core))
        if name.removesuffix("s") in _CALENDAR:
            found.append((chunk.start(), name.removesuffix("s")))
        elif _DATE.fullmatch(core) or (_IDENTIFIER.match(core) and not _QUANTITY.fullmatch(core)):
            found.append((chunk.start(), core.casefold()))
        elif core != core.lower() and name.split("'")[0] != "i":
            plain = opens and core[1:] == core[1:].lower()
            if not (plain and (name in _OPENERS or name.endswith("n't"))):
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
    return not _denies(older, newer, left, right) and _groups(left).isdisjoint(_groups(right))


def flipped(a: Said, b: Said) -> bool:
    """Whether one denies the other or counts otherwise, both speaking of the same: "Ann is in", "Bob is out" do not."""
    left, right = a.tokens - b.tokens, b.tokens - a.tokens
    if not _denies(a, b, left, right) and (a.numbers <= b.numbers or b.numbers <= a.numbers):
        return False
    lost = [name for name in b.lacks(a) if not duplicates.opposed(frozenset([name]), right)]
    return not lost or all(duplicates.opposed(left, frozenset([name])) for name in a.lacks(b))


def _denies(a: Said, b: Said, left: frozenset[str], right: frozenset[str]) -> bool:
    """As `duplicates.negation_flip` has it."""
    return (a.negations != b.negations) != duplicates.opposed(left, right)


def _first(said: Said, others: frozenset[str]) -> str | None:
    return next((word for word in said.words.split() if word in others and word not in STOP_WORDS), None)


def _groups(some: frozenset[str]) -> set[int]:
    return {group for word in some if word in _GROUPS for group in _GROUPS[word]}


# --- who stays


@dataclass(slots=True)
class _Row:
    id: str
    revision: int
    said: Said
    place: tuple[str, str]
    trust: float
    expires_at: int
    holds: tuple[datetime | None, datetime | None]
    fixed: bool
    pinned: bool
    challenger: str | None
    room: int

    @property
    def key(self) -> tuple[object, ...]:
        """Rows of one key that are alike are duplicates, but for the order of their words and what is protected."""
        said = self.said
        return frozenset(said.names), said.marks, said.numbers, said.negations, self.trust, self.expires_at, self.holds


@dataclass(frozen=True, slots=True)
class Fate:
    """A memory that stays: whom it is kept for and what contradicts it, each as (id, revision read, cosine)."""

    id: str
    revision: int
    merged: list[tuple[str, int, float]] = field(default_factory=list)
    rival: tuple[str, int, float] | None = None

    def changes(self, memories: Mapping[str, Memory]) -> Iterator[Change]:
        """What becomes of those that are as they were read; what moved on is left to the next run."""

        def as_read(id: str, revision: int) -> bool:
            return id in memories and memories[id].revision == revision

        if not as_read(self.id, self.revision):
            return
        after: dict[str, object] = {}
        evidence: dict[str, float] = {}
        left = [one for one in self.merged if as_read(one[0], one[1])]
        for id, revision, cosine in left:
            change = Change.of(memories[id], SEMANTIC_DUPLICATE, state=State.SUPERSEDED, superseded_by=self.id)
            yield replace(change, revision=revision, evidence={"cosine": cosine})
        memory = memories[self.id]
        if left:
            also = sorted({*_also_from(memory), *(id for id, _, _ in left)})
            after["metadata"] = {**memory.metadata, ALSO_FROM: also}
            evidence = {"merged": len(left), "cosine": min(cosine for _, _, cosine in left)}
        if self.rival is not None and as_read(self.rival[0], self.rival[1]):
            after["challenged_by"] = self.rival[0]
            evidence["cosine"] = self.rival[2]
        if after:
            reason = Reason.CONTRADICTED if "challenged_by" in after else SEMANTIC_DUPLICATE
            yield replace(Change.of(memory, reason, **after), revision=self.revision, evidence=evidence)


def _also_from(memory: Memory) -> list[str]:
    known = memory.metadata.get(ALSO_FROM, [])
    return [str(id) for id in known] if isinstance(known, list) else [str(known)]
