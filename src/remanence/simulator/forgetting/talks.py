"""Talks: what was said in which session, and questions whose answers stand in some of it.

LoCoMo: every turn of a conversation; evidence are turns. LongMemEval: the turns of the user alone, since keeping the
shortest solves it once the assistant's long answers are in; evidence are sessions, and one counts as found only where a
turn that holds the answer is still there, or stubs would be paid for. `persona` are its sessions of the user's own
life; the others are filler taken from public chats, with a style of their own. A talk may also be a trace of uses:
its turns are memories, its sessions weeks, and its past tells when each memory was used (see `traces`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from remanence.errors import InvalidInput
from remanence.lifecycle import content
from remanence.model.columns import Columns
from remanence.simulator.datasets import locomo, longmemeval

_FILLER = ("sharegpt", "ultrachat")
_BETWEEN_TURNS = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Said:
    """One turn: as it is searched, as it was said (without the speaker's name), when, and in which session."""

    text: str
    said: str
    at: datetime
    session: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the turns that answer it."""

    id: str
    text: str
    evidence: frozenset[int]


@dataclass(frozen=True, slots=True)
class Past:
    """What is known of the memories of a trace, a value a turn: times in microseconds since 1970."""

    columns: Columns
    """As they were when they came, before any use."""
    left_at: NDArray[np.int64]
    """When it left for another reason than its age, NEVER where it did not."""
    uses: tuple[NDArray[np.int64], ...]
    """Oldest first."""
    begins: int
    ends: int


@dataclass(frozen=True, slots=True)
class Talk:
    id: str
    turns: tuple[Said, ...]
    """In the order they were said."""
    questions: tuple[Asked, ...]
    by_session: bool
    """Whether an answer is a list of sessions rather than of turns."""
    past: Past | None = None
    """Of a trace, which has uses in place of questions."""

    @property
    def characters(self) -> int:
        """Of all that is there at the end when nothing is dropped."""
        sizes = [len(turn.text) for turn in self.turns]
        return sum(sizes) if self.past is None else int(np.array(sizes)[self.past.left_at > self.past.ends].sum())


def checked(talk: Talk) -> Talk:
    """The talk, where its times make sense; InvalidInput names what does not."""
    problems = [
        f"talk {talk.id}: turn {number} is of {turn.at}, before the one it follows ({earlier.at})"
        for number, (earlier, turn) in enumerate(zip(talk.turns, talk.turns[1:], strict=False), 1)
        if turn.at < earlier.at or turn.session < earlier.session
    ]
    if not talk.turns:
        problems.append(f"talk {talk.id} has no turns")
    if problems:
        raise InvalidInput([*problems[:20], "mend the times in its file, or leave the talk out"])
    return talk


def answering(talk: Talk) -> tuple[bool, ...]:
    """Which turns answer what another speaker asked in the turn before."""
    found = [False]
    for earlier, turn in zip(talk.turns, talk.turns[1:], strict=False):
        found.append(turn.session == earlier.session and content.answers(earlier.text, turn.text))
    return tuple(found)


def of_locomo(conversations: Iterable[locomo.Conversation]) -> list[Talk]:
    """One talk a conversation."""
    talks = []
    for conversation in conversations:
        rows = {turn.id: row for row, turn in enumerate(conversation.turns)}
        sessions = {name: number for number, name in enumerate(dict.fromkeys(t.session for t in conversation.turns))}
        turns = tuple(
            Said(f"{turn.speaker}: {turn.text}", turn.text, turn.at, sessions[turn.session])
            for turn in conversation.turns
        )
        questions = tuple(
            Asked(question.id, question.text, frozenset(rows[id] for id in question.evidence))
            for question in conversation.questions
        )
        if questions:
            talks.append(checked(Talk(conversation.id, turns, questions, by_session=False)))
    return talks


def of_longmemeval(questions: Iterable[longmemeval.Question], *, persona: bool = False) -> list[Talk]:
    """One talk a question that can be answered from what the user said."""
    talks = []
    for question in questions:
        turns: list[Said] = []
        evidence: set[int] = set()
        sessions = [s for s in question.sessions if not (persona and s.id.startswith(_FILLER))]
        for number, session in enumerate(sessions):
            at = session.at
            for turn in session.turns:
                if turn.role == "user":
                    if turn.answers:
                        evidence.add(len(turns))
                    turns.append(Said(turn.text, turn.text, at, number))
                    at += _BETWEEN_TURNS
        if evidence and not question.abstains:
            asked = Asked(question.id, question.text, frozenset(evidence))
            talks.append(checked(Talk(question.id, _in_order(turns), (asked,), by_session=True)))
    return talks


def _in_order(turns: Sequence[Said]) -> tuple[Said, ...]:
    """Sessions that overlap, as some of a day do, one after the other: a turn is no earlier than the one before it."""
    ordered: list[Said] = []
    for turn in turns:
        at = max(turn.at, ordered[-1].at) if ordered else turn.at
        ordered.append(Said(turn.text, turn.said, at, turn.session))
    return tuple(ordered)
