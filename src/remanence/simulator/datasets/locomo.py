"""LoCoMo: long dated conversations of two people, and questions whose evidence are turns, `D<session>:<turn>`.

A question counts when at least one of its evidence ids names a turn. All five categories count: 1 multi-hop, 2
temporal, 3 open, 4 single-hop, 5 adversarial. Category 5 asks about something under a false premise; its evidence is
the turn that shows the premise false, so finding it is as right as anywhere else. Results also come without it.

Some ids are malformed: "D8:6; D9:17" are two, "D:11:26" and "D30:05" are D11:26 and D30:5. What cannot be read ("D"),
or names no turn, is left out of the question's evidence and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from remanence.simulator.datasets.files import File, Problems, rows

ADVERSARIAL = 5
_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?0*(\d+):0*(\d+)")
_WHEN = "%I:%M %p on %d %B, %Y"
_BETWEEN_TURNS = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Turn:
    id: str
    session: str
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    id: str
    turns: tuple[Turn, ...]
    """In the order they were said."""
    questions: tuple[Question, ...]
    """Those that count."""
    without_evidence: int
    """Questions left out, since no evidence id of theirs names a turn."""
    repaired: int
    """Malformed evidence entries that could be read."""
    unreadable: int
    """Evidence entries left out."""

    @property
    def ends(self) -> datetime:
        return max(turn.at for turn in self.turns)


def read(files: Sequence[File]) -> list[Conversation]:
    """The conversations of all files; an id that comes again is left out."""
    conversations: dict[str, Conversation] = {}
    for file in files:
        problems = Problems(file.name)
        for number, row in enumerate(rows(file)):
            name = str(row.get("sample_id", f"{file.name}#{number}"))
            where = f"conversation {name}"
            said = problems.field(where, row, "conversation", dict)
            asked = problems.field(where, row, "qa", list)
            turns = tuple(_turns(said, problems, where)) if said is not None else ()
            if said is not None and not turns:
                problems.add(where, "it has no turns")
            if turns and asked is not None:
                conversations.setdefault(name, _conversation(name, turns, asked, problems, where))
        problems.raise_any()
    return list(conversations.values())


def _turns(said: dict[str, Any], problems: Problems, where: str) -> Iterator[Turn]:
    numbers = sorted(int(match[1]) for name in said if (match := _SESSION.fullmatch(name)))
    for number in numbers:
        session = f"D{number}"
        date = said.get(f"session_{number}_date_time")
        try:
            at = datetime.strptime(str(date), _WHEN).replace(tzinfo=UTC)
        except ValueError:
            problems.add(f"{where}, session {number}", f"{date!r} is no date such as '1:56 pm on 8 May, 2023'")
            continue
        for turn in problems.field(where, said, f"session_{number}", list) or ():
            id, text = (problems.field(f"{where}, {session}", turn, name, str) for name in ("dia_id", "text"))
            if id is None or text is None:
                continue
            caption = turn.get("blip_caption")
            shown = f"{text} [shares {caption}]" if caption else text
            yield Turn(id, session, str(turn.get("speaker", "")), shown, at)
            at += _BETWEEN_TURNS


def _conversation(name: str, turns: tuple[Turn, ...], asked: list[Any], problems: Problems, where: str) -> Conversation:
    known = {same: turn.id for turn in turns for same in (turn.id, *evidence_ids(turn.id))}
    questions: list[Question] = []
    without = repaired = unreadable = 0
    for number, row in enumerate(asked):
        place = f"{where}, question {number}"
        text = problems.field(place, row, "question", str)
        entries = row.get("evidence") if isinstance(row, dict) else None
        if text is None:
            continue
        evidence: set[str] = set()
        for entry in entries if isinstance(entries, list) else ():
            found = [known[id] for id in evidence_ids(str(entry)) if id in known]
            repaired += bool(found) and found != [entry]
            unreadable += not found
            evidence.update(found)
        if evidence:
            category = row.get("category")
            number_of_kind = category if isinstance(category, int) else 0
            questions.append(Question(f"{name}/{number}", text, number_of_kind, frozenset(evidence)))
        else:
            without += 1
    return Conversation(name, turns, tuple(questions), without, repaired, unreadable)


def evidence_ids(entry: str) -> list[str]:
    """The turn ids an evidence entry means: "D8:6; D9:17" → D8:6, D9:17; "D:11:26" → D11:26."""
    return [f"D{int(session)}:{int(turn)}" for session, turn in _EVIDENCE.findall(entry)]
