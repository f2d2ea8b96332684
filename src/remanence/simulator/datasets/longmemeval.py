"""LongMemEval: questions about a user's past chats, each with a haystack of dated sessions of its own.

A question's evidence are the sessions named in `answer_session_ids`. Ids that end in `_abs` are abstention questions:
they ask for what was never said, so nothing can be found, and no retrieval number counts them. A question is asked at
its own date, or at its last session's where that is later, as it is for some. Evidence that is in no haystack stays
evidence: nobody can find it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from remanence.simulator.datasets.files import File, Problems, rows

_ABSTENTION = "_abs"
_WHEN = "%Y/%m/%d (%a) %H:%M"


@dataclass(frozen=True, slots=True)
class Turn:
    role: str
    text: str
    answers: bool = False
    """Whether it holds an answer, as `has_answer` says."""


@dataclass(frozen=True, slots=True)
class Session:
    id: str
    at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    kind: str
    text: str
    at: datetime
    evidence: frozenset[str]
    sessions: tuple[Session, ...]
    """Oldest first."""

    @property
    def abstains(self) -> bool:
        return self.id.endswith(_ABSTENTION)

    @property
    def answerable(self) -> bool:
        """Whether there is something to find."""
        return bool(self.evidence) and not self.abstains


def read(files: Sequence[File]) -> list[Question]:
    """The questions of all files; an id that comes again is left out."""
    questions: dict[str, Question] = {}
    shared: dict[tuple[str, datetime, tuple[Turn, ...]], Session] = {}
    for file in files:
        problems = Problems(file.name)
        for number, row in enumerate(rows(file)):
            question = _question(row, problems, f"question {row.get('question_id', number)}", shared)
            if question is not None:
                questions.setdefault(question.id, question)
        problems.raise_any()
    return list(questions.values())


def _question(
    row: dict[str, object],
    problems: Problems,
    where: str,
    shared: dict[tuple[str, datetime, tuple[Turn, ...]], Session],
) -> Question | None:
    id, text, asked = (problems.field(where, row, name, str) for name in ("question_id", "question", "question_date"))
    evidence, ids, dates, sessions = (
        problems.field(where, row, name, list)
        for name in ("answer_session_ids", "haystack_session_ids", "haystack_dates", "haystack_sessions")
    )
    at = None if asked is None else _moment(asked, problems, where)
    if None in (id, text, at, evidence, ids, dates, sessions) or at is None:
        return None
    if not len(ids) == len(dates) == len(sessions):
        problems.add(where, f"{len(ids)} session ids, {len(dates)} dates and {len(sessions)} sessions")
        return None
    read: list[Session] = []
    for session_id, date, turns in zip(ids, dates, sessions, strict=True):
        place = f"{where}, session {session_id}"
        moment = _moment(date, problems, place)
        said = _turns(turns, problems, place)
        if moment is not None and said:
            # Haystacks share sessions by the thousand; one value for each keeps them in memory once.
            read.append(shared.setdefault((str(session_id), moment, said), Session(str(session_id), moment, said)))
    read.sort(key=lambda session: session.at)
    latest = max((session.at for session in read), default=at)
    kind = str(row.get("question_type", ""))
    return Question(id, kind, text, max(at, latest), frozenset(map(str, evidence)), tuple(read))


def _turns(turns: object, problems: Problems, where: str) -> tuple[Turn, ...]:
    if not isinstance(turns, list):
        problems.add(where, f"must be a list of turns, not {type(turns).__name__}")
        return ()
    said = []
    for turn in turns:
        text = problems.field(where, turn, "content", str)
        if text is not None and text.strip():
            answers = turn.get("has_answer") is True
            said.append(Turn(str(turn.get("role", "")), text.replace("\0", " "), answers))
    return tuple(said)


def _moment(text: object, problems: Problems, where: str) -> datetime | None:
    try:
        return datetime.strptime(str(text), _WHEN).replace(tzinfo=UTC)
    except ValueError:
        problems.add(where, f"{text!r} is no date such as '2023/05/17 (Wed) 23:40'")
        return None
