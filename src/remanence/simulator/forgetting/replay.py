"""Replay: a talk goes by, session after session; after each the store must fit its budget, and what is dropped is gone.

The budget is a share of the characters of the whole talk. Access models: `none`; `dialogue`, where every turn recalls
the three best older ones that are still there; `questions`, where a random half of the questions is asked once each,
at a session drawn from those after its evidence, and the other half is scored. Searching is BM25 over what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.cover import Told, leaving
from remanence.model.columns import Columns, columns_of
from remanence.model.memory import Layer, Memory, Source
from remanence.model.moment import NEVER, to_micros
from remanence.simulator.contenders import Item
from remanence.simulator.contenders.bm25 import Bm25, order
from remanence.simulator.forgetting.talks import Asked, Said, Talk, answering

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
ACCESS_MODELS = ("none", "dialogue", "questions")
_RECALLED = 3
_FIRST = 10
_RECENT = 20


@dataclass(frozen=True)
class Known:
    """What is worked out of a talk once: sizes, moments, what each turn says, how well turns answer one another."""

    talk: Talk
    words: Bm25
    characters: NDArray[np.int64] = field(init=False)
    born: NDArray[np.int64] = field(init=False)
    session: NDArray[np.int64] = field(init=False)
    answering: tuple[bool, ...] = field(init=False)
    told: tuple[Told, ...] = field(init=False)
    columns: Columns = field(init=False)

    def __post_init__(self) -> None:
        turns = self.talk.turns
        answers = answering(self.talk)
        made = {
            "characters": np.array([len(turn.text) for turn in turns], dtype=np.int64),
            "born": np.array([to_micros(turn.at) for turn in turns], dtype=np.int64),
            "session": np.array([turn.session for turn in turns], dtype=np.int64),
            "answering": answers,
            "told": tuple(Told.of(turn.said, answer=answer) for turn, answer in zip(turns, answers, strict=True)),
            "columns": columns_of([_memory(number, turn) for number, turn in enumerate(turns)])
            if self.talk.past is None
            else self.talk.past.columns,
        }
        for name, value in made.items():
            object.__setattr__(self, name, value)

    def answers(self, kept: NDArray[np.bool_], questions: Sequence[Asked]) -> list[float]:
        """Of each question's evidence, the share among the first ten turns, or sessions, found in what is kept."""
        found = self.searching(np.flatnonzero(kept))
        return [self._share(kept, question, found(question.text)) for question in questions]

    def _share(self, kept: NDArray[np.bool_], question: Asked, found: list[int]) -> float:
        if not self.talk.by_session:
            return len(question.evidence.intersection(found[:_FIRST])) / len(question.evidence)
        sessions = list(dict.fromkeys(self.session[found].tolist()))[:_FIRST]
        wanted = {int(self.session[row]) for row in question.evidence}
        still = {int(self.session[row]) for row in question.evidence if kept[row]}
        return len(still.intersection(sessions)) / len(wanted)

    @cached_property
    def likeness(self) -> Floats:
        """How well each turn answers each, by the words of the whole talk: what a dialogue recalls by."""
        turns = self.talk.turns
        haystack = self.words.filled([Item(str(row), turn.text, turn.at) for row, turn in enumerate(turns)])
        return np.array([haystack.scores(turn.text) for turn in turns])

    def searching(self, rows: Rows) -> Callable[[str], list[int]]:
        """A search of these rows: best first; those without a word of the query come last, as they were said."""
        turns = self.talk.turns
        haystack = self.words.filled([Item(str(row), turns[row].text, turns[row].at) for row in rows.tolist()])
        return lambda query: [int(rows[place]) for place in order(haystack.scores(query))]


def _memory(number: int, turn: Said) -> Memory:
    """A turn as the product would keep it: a fact of a person, of usual importance."""
    return Memory(
        id=str(number),
        namespace="talk",
        scope="/talk",
        layer=Layer.EPISODIC,
        kind="fact",
        text=turn.text,
        source=Source.HUMAN,
        importance=0.5,
        created_at=turn.at,
        last_accessed_at=turn.at,
    )


@dataclass
class Held:
    """What a store holds at a moment of the replay, and how it was used."""

    known: Known
    kept: NDArray[np.bool_]
    now: int
    accesses: list[list[int]]

    @classmethod
    def empty(cls, known: Known) -> Held:
        size = len(known.talk.turns)
        return cls(known, np.zeros(size, dtype=bool), 0, [[] for _ in range(size)])

    @property
    def rows(self) -> Rows:
        return np.flatnonzero(self.kept)

    @property
    def counts(self) -> Floats:
        return np.array([len(self.accesses[row]) for row in self.rows], dtype=np.float64)

    @property
    def last_at(self) -> NDArray[np.int64]:
        born = self.known.born
        return np.array([max([int(born[row]), *self.accesses[row][-1:]]) for row in self.rows], dtype=np.int64)

    def columns(self) -> Columns:
        """The rows as the product's rules read them."""
        newest = [self.accesses[row][-_RECENT:] for row in self.rows.tolist()]
        recent = np.full((len(newest), max(map(len, newest), default=0)), NEVER, dtype=np.int64)
        for place, moments in enumerate(newest):
            recent[place, : len(moments)] = moments
        counts = self.counts.astype(np.int64)
        now = replace(self.known.columns.take(self.rows), access_count=counts, last_accessed_at=self.last_at)
        return replace(now, recent=recent)


class Forgetter(Protocol):
    """Who chooses: how each row that is held stands; the lowest leave."""

    @property
    def name(self) -> str: ...

    def standings(self, held: Held) -> Floats: ...


def replayed(
    known: Known,
    forgetter: Forgetter,
    budget: float,
    access: str = "none",
    asked: Mapping[int, Sequence[Asked]] | None = None,
) -> NDArray[np.bool_]:
    """What is left at the end; `asked` are the questions that are asked after each session."""
    held = Held.empty(known)
    most = budget * known.talk.characters
    for session in range(int(known.session.max()) + 1):
        for row in np.flatnonzero(known.session == session).tolist():
            held.now = int(known.born[row])
            if access == "dialogue":
                _recall(held, known.likeness[row])
            held.kept[row] = True
        if some := (asked or {}).get(session, ()):
            found = known.searching(held.rows)
            for question in some:
                for row in found(question.text)[:_FIRST]:
                    held.accesses[row].append(held.now)
        fit(held, forgetter, most)
    return held.kept


def _recall(held: Held, likeness: Floats) -> None:
    """The best of what is held count as accessed."""
    rows = held.rows
    best = rows[np.argsort(-likeness[rows], kind="stable")[:_RECALLED]]
    for row in best[likeness[best] > 0].tolist():
        held.accesses[row].append(held.now)


def fit(held: Held, forgetter: Forgetter, most: float) -> None:
    """Drop the lowest until the rest fits, whoever chooses."""
    rows = held.rows
    characters = held.known.characters[rows]
    excess = float(characters.sum()) - most
    if excess > 0:
        lowest = np.argsort(forgetter.standings(held), kind="stable")
        held.kept[rows[leaving(lowest, characters, excess)]] = False


def halved(talk: Talk, seed: int) -> tuple[dict[int, list[Asked]], tuple[Asked, ...]]:
    """A random half of the questions by the session after which each is asked, and the other half, to be scored."""
    rng = np.random.default_rng([seed, len(talk.turns)])
    shuffled = [talk.questions[place] for place in rng.permutation(len(talk.questions))]
    half = len(shuffled) // 2
    last = talk.turns[-1].session
    asked: dict[int, list[Asked]] = {}
    for question in shuffled[:half]:
        known_from = max(talk.turns[row].session for row in question.evidence)
        asked.setdefault(int(rng.integers(known_from, last + 1)), []).append(question)
    return asked, tuple(shuffled[half:])
