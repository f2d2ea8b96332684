"""Query words as an index of words knows them: which of them tell something, how common they are, what is searched.

Texts are cut into words, and words into stems, by SQLite's own tokenizer, whatever the store: so all stores find and
rank alike.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import apsw

from remanence.model.words import STOP_WORDS, segmented
from remanence.store.sql.connection import Connection

TOKENIZER = ("porter", "unicode61", "remove_diacritics", "2", "categories", "L* N* Co M*")
# A stem may have a stem of its own (coffee, coffe, coff): who stems what it is given is given whole words.
_UNSTEMMED = TOKENIZER[1:]
_MOST_TERMS = 64
_MOST_COUNTED = 1_000
_COMMON_SHARE, _CHEAP, _MOST_PAIRED, _MOST_TOGETHER = 0.05, 20_000, 6, 600
_LEAST_MET, _MOST_MET, _MET_PER_TOKEN = 150, 2_400, 4
_LOOK_AGAIN = 64
FEW = 2_000
COUNTS = (
    "SELECT coalesce(sum(c.memories), 0), coalesce(sum(c.tokens), 0) FROM counts c "
    "JOIN shelves s ON /*s.here*/ s.no = c.shelf WHERE /*c.here*/ s.space=?"
)
_Cutter = Callable[[str], list[str]]
_cutters = threading.local()


class Term(NamedTuple):
    """A word of a query: its stem, as it was written, and whether words that begin so are meant too."""

    stem: str
    word: str
    begins: bool


Expression = tuple[tuple[Term, ...], ...]
"""Alternatives, each of words that must all be there."""
Condition = tuple[str, list[Any]]
"""A condition on `lives l`, and its values."""


@dataclass(frozen=True, slots=True)
class Telling:
    """The words of a query that tell something: expressions to be tried in turn, and stems with their idf.

    `found_by` are the stems in the first expression; the others are too common to be searched alone, and count all the
    same. Memories that hold one of those and another word meet the expression `together`.
    """

    expressions: tuple[Expression, ...] = ()
    together: Expression = ()
    idf: Mapping[str, float] = field(default_factory=dict)
    found_by: frozenset[str] = frozenset()


class Words:
    """The words of one namespace's memories: an index of them, which each database keeps in its own way.

    Words that ask or bind are left out of a query that has others. Where the rest would lead to more than some hundred
    memories (more where memories are long, and so every word in many of them), the most common are not searched alone:
    they cost the most and tell the least. Memories that hold one and another word are found, and in the score all
    words count.
    """

    def __init__(self, space: Callable[[], int]) -> None:
        self._space = space
        self._asked = self.total = 0
        self.mean_tokens = 0.0

    # -- what a database does in its own way

    def enter(self, connection: Connection, no: int, words: str) -> None:
        """A memory is written that says this."""
        raise NotImplementedError

    def strike(self, connection: Connection, no: int, words: str) -> None:
        """It is purged."""
        raise NotImplementedError

    def forget(self) -> None:
        """Drop what was counted inside what was rolled back."""

    def settle(self, connection: Connection) -> None:
        """A plan, or a part of it, is written."""

    def tidy(self, connection: Connection) -> None:
        """Something is written behind, and nobody waits: what makes searches quicker may be done, a little of it."""

    def scored(
        self, connection: Connection, expression: Expression, condition: Condition, limit: int, *, broad: bool
    ) -> list[tuple[int, float]]:
        """The numbers of the best matches under a condition, best first, with their BM25 score."""
        raise NotImplementedError

    def best(
        self, connection: Connection, expression: Expression, condition: Condition, limit: int | None, *, broad: bool
    ) -> list[tuple[Any, ...]]:
        """Rows of the best matches under a condition, best first, each followed by its BM25 score (more is better)."""
        raise NotImplementedError

    def holding(self, connection: Connection, terms: Sequence[Term]) -> dict[str, tuple[float, int]]:
        """How many memories hold each word, and of how many."""
        raise NotImplementedError

    def look(self, connection: Connection) -> None:
        """Look again at what is common."""
        self.count(connection)

    def count(self, connection: Connection) -> None:
        """Count the memories of the namespace anew, and their mean length."""
        total, tokens = connection.execute(COUNTS, (self._space(),)).get
        self.total, self.mean_tokens = total, tokens / max(total, 1)

    def is_large(self) -> bool:
        """Whether it pays to ask a broad condition of the best few alone, before it is asked of every match."""
        return False

    # -- what all do alike

    def asked(self) -> bool:
        """Count a query; whether it is time to look again at what is common: always, where few memories are many."""
        self._asked += 1
        return self.total < FEW or self._asked % _LOOK_AGAIN == 1

    def telling(self, connection: Connection, query: str, wanted: int = 0) -> Telling:
        """What of a query is searched and counted, where so many memories are wanted."""
        terms = terms_of(query)
        telling = [term for term in terms.values() if term.word.casefold() not in STOP_WORDS] or list(terms.values())
        if not telling:
            return Telling()
        held = self.holding(connection, telling[:_MOST_COUNTED])
        idf = dict(sorted(((s, self._idf(*n)) for s, n in held.items()), key=lambda pair: -pair[1]))
        known = [stem for stem in idf if held[stem][0] or terms[stem].begins][:_MOST_TERMS]
        rarest: list[str] = []
        may_meet = max(min(max(_LEAST_MET, _MET_PER_TOKEN * self.mean_tokens), _MOST_MET), wanted)
        rows_met = 0.0
        for stem in known:
            rows_met += min(held[stem][0], self.total)
            if rarest and rows_met > may_meet:
                break
            rarest.append(stem)
        tries = [some for some in ([rarest], [rarest, known])[len(rarest) < len(known)] if some]
        expressions = tuple(tuple((terms[stem],) for stem in some) for some in tries)
        together = self._together(known, len(rarest), held, terms)
        return Telling(expressions, together, idf, frozenset(rarest))

    def _together(
        self, known: Sequence[str], searched: int, held: Mapping[str, tuple[float, int]], terms: Mapping[str, Term]
    ) -> Expression:
        """What finds memories with two words, one not searched alone, as far as few would hold both by chance.

        Where many would, a third word must be there too, and so on: what holds all words of a query is found.
        """
        may_meet: float = _MOST_TOGETHER
        some = [stem for stem in known[:searched] if held[stem][0]]
        some += [stem for stem in known[searched:] if held[stem][0] <= max(_CHEAP, _COMMON_SHARE * held[stem][1])]
        some = some[:_MOST_PAIRED]
        alone = sum(stem in known[:searched] for stem in some)
        share = [held[stem][0] / max(held[stem][1], 1) for stem in some]
        found: list[tuple[int, ...]] = []
        met: list[int] = []
        for places, bits in _subsets(len(some)):
            if places[-1] < alone or any(fewer & bits == fewer for fewer in met):
                continue
            by_chance = math.prod([share[place] for place in places]) * held[some[places[0]]][1]
            if by_chance <= may_meet:
                may_meet -= by_chance
                found.append(places)
                met.append(bits)
        words = [terms[stem] for stem in some]
        return tuple(tuple(words[place] for place in places) for places in found)

    def expressions(self, connection: Connection, query: str, *, every_word: bool) -> Sequence[Expression]:
        """The query as expressions, to be tried in turn until one finds something."""
        if not every_word:
            return self.telling(connection, query).expressions
        terms = tuple(terms_of(query).values())
        return [(terms,)] if terms else []

    @staticmethod
    def _idf(holding: float, of: int) -> float:
        """As BM25 has it: ln((N - n + ½) / (n + ½))."""
        return max(math.log((max(of - holding, 0.0) + 0.5) / (holding + 0.5)), 1e-6)


@cache
def _subsets(number: int) -> list[tuple[tuple[int, ...], int]]:
    """Two or more of so many places, the smaller sets first, each also as bits."""
    sizes = range(2, number + 1)
    return [(some, sum(1 << place for place in some)) for size in sizes for some in combinations(range(number), size)]


def terms_of(query: str) -> dict[str, Term]:
    """The words of a query by stem."""
    cut = segmented(query)
    words, stems = cutters()
    found = dict(zip(stems(cut or query), words(cut or query), strict=True))
    single = {stem for stem in found if cut and len(stem) == 1 and not stem.isascii()}
    if len(found) > len(single):
        # The last character of each run stands in the index for one-character queries only.
        found = {stem: word for stem, word in found.items() if stem not in single}
        single = set()
    return {stem: Term(stem, word, stem in single) for stem, word in found.items()}


def cutters() -> tuple[_Cutter, _Cutter]:
    """What cuts a text into words, and into their stems: one of each for this thread."""
    if not hasattr(_cutters, "both"):
        connection = apsw.Connection(":memory:")
        _cutters.both = (_cutter(connection, _UNSTEMMED), _cutter(connection, TOKENIZER))
    both: tuple[_Cutter, _Cutter] = _cutters.both
    return both


def _cutter(connection: apsw.Connection, tokenizer: tuple[str, ...]) -> _Cutter:
    """Cuts texts exactly as a tokenizer of the full-text index does."""
    cut = connection.fts5_tokenizer(tokenizer[0], list(tokenizer[1:]))

    def cutter(text: str) -> list[str]:
        found: list[str] = cut(
            text.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False
        )
        return found

    return cutter
