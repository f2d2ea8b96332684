"""What is learned from a session without a model: durable signals, what the user told, answers in short; a synopsis.

First come decisions, rules, preferences and corrections, failures with their fixes, and routines; then what the user
told of themselves or the work; then, where people only talked, each answer as a digest of what was asked. What is not
sure to last is within a budget of 36 % of the characters that were read: less is stored than was captured.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from remanence.extraction import decompose
from remanence.extraction.chatter import is_question, says_nothing, without_openers
from remanence.extraction.digests import LONGEST_ASK, asks_of, cut, digest, topic_of
from remanence.extraction.language import language_of
from remanence.extraction.lexicon import Lexicon
from remanence.extraction.logs import is_frame, is_log
from remanence.extraction.markup import unmarked
from remanence.extraction.sentences import sentences
from remanence.extraction.shapes import looks_like_code
from remanence.extraction.signals import (
    CONSTRAINT,
    CORRECTION,
    DECISION,
    FINDING,
    PREFERENCE,
    correction_of,
    is_passing,
    is_request,
    is_working_talk,
    signal_of,
)
from remanence.extraction.traits import described
from remanence.lifecycle.commands import edited
from remanence.lifecycle.failures import fixes
from remanence.lifecycle.routines import routines
from remanence.model.extraction import Fact
from remanence.model.session import ASSISTANT, SYSTEM, TOLD_OF, TOOL, USER, Observation
from remanence.model.words import folded
from remanence.sessions.playbooks import PLAYBOOK, playbooks_of

BUDGET_SHARE = 0.36
LEAST_BUDGET, MOST_BUDGET = 2_400, 16_000
MOST_STATEMENTS = 150
FIX, COMMAND, TOLD, ANSWER = "fix", "command", "told", "answer"
LONGEST_SYNOPSIS = 700
_SYNOPSIS_SHARE = 0.08
_LEAST_SYNOPSIS = 400
_DIGEST_SHARE = 0.5
_LEAST_DIGEST, _MOST_DIGEST = 120, 1_200
_LEAST_ANSWER = 120
_MOST_EDIT_FIXES = 3
_ENDINGS_LOOKED_AT = 5
_MOST_FINDINGS = 12
_LONGEST_STATEMENT = 600
_LONGEST_TOLD = 400
_LONGEST_ENDING = 200
_MOST_FILES = 8
_ASKED = "Asked: "
_KIND = {
    DECISION: "decision",
    PREFERENCE: "preference",
    CORRECTION: "preference",
    FIX: "gotcha",
    COMMAND: "workflow",
    PLAYBOOK: "procedure",
}
_IMPORTANCE = {
    DECISION: 0.7,
    PREFERENCE: 0.7,
    CORRECTION: 0.75,
    CONSTRAINT: 0.65,
    FIX: 0.6,
    COMMAND: 0.5,
    PLAYBOOK: 0.65,
    FINDING: 0.5,
    ANSWER: 0.4,
}
_ASIDE = re.compile(
    r"(?:(?:oh|and|well|also)[, ]+)*(?:by the way|btw|oh|speaking of|übrigens|au fait|por cierto)\b", re.IGNORECASE
)
_MARK = re.compile(r"^\s*(?:[-*•+>#]+|\d{1,2}[.)])\s+")
_OF_EDIT = 0.4
_PASTED = re.compile(r"\s*>|\s*(?:#|//|--|\*)\s|[A-Z][A-Z0-9_]{2,}=|\s{4,}(?![-*•\d])\S|\s*[\[{(<].*[\])}>,]\s*$")
_SECRET = re.compile(r"(?<![:/@=])\[redacted:")
_CLAUSE = re.compile(r"(?:because|since|weil|parce que|car|porque|因为|なぜなら)\b", re.IGNORECASE)
_SPANS = re.compile(r"`[^`]*`|\d+")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that was learned: a fact, what it was taken for, where in the session, and what is kept with it."""

    fact: Fact
    signal: str
    seq: int
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a session tells: its statements, most durable first, and its synopsis."""

    statements: tuple[Statement, ...]
    synopsis: str


def learned(observations: Sequence[Observation], project: str, earlier: Sequence[Sequence[Observation]] = ()) -> Lesson:
    """What these observations of one session in a project tell; `earlier` are calls of tools in sessions before it."""
    name = project.rsplit("/", 1)[-1]
    read = sum(len(one.text) + len(one.call) for one in observations)
    works = any(one.role == TOOL for one in observations)
    synopsis = synopsis_of(observations, name, _bounded(int(read * _SYNOPSIS_SHARE), _LEAST_SYNOPSIS, LONGEST_SYNOPSIS))
    signals, told, findings = _said(observations)
    seen: set[str] = set()
    sure = _within([*signals, *_of_tools(observations, name, earlier)], MOST_BUDGET, seen)
    spent = len(synopsis) + sum(len(one.fact.text) for one in sure)
    rest = [*findings[-_MOST_FINDINGS:], *told, *(() if works else _answers(observations))]
    budget = _bounded(int(read * BUDGET_SHARE), LEAST_BUDGET, MOST_BUDGET) - spent
    statements = (*sure, *_within(rest, budget, seen))
    if not synopsis.startswith(_ASKED) and statements:  # nothing was asked: it is known by what was told
        room = min(_LEAST_SYNOPSIS, LONGEST_SYNOPSIS - 1 - len(synopsis))
        news = [one.fact.text for one in statements if one.fact.text.rstrip(".") not in synopsis]
        told_of = cut(f"{TOLD_OF}{' '.join(news)}", room) if news else ""
        synopsis = f"{told_of} {synopsis}".strip()
    return Lesson(statements, synopsis)


def statement_of(text: str, signal: str, seq: int, **more: Any) -> Statement:
    """A statement with what its words say of it, its kind and weight as of its signal."""
    fact = described(" ".join(text.split()))
    kind = _KIND.get(signal, fact.kind)
    weight = max(fact.importance, _IMPORTANCE.get(signal, 0.0)) if signal in _KIND else fact.importance
    return Statement(replace(fact, kind=kind, importance=_IMPORTANCE.get(signal, weight)), signal, seq, more)


def synopsis_of(observations: Sequence[Observation], name: str, longest: int) -> str:
    """What a session was about: what was asked, which files were changed, and how it ended."""
    asks = dict.fromkeys(ask for one in observations if one.role == USER for ask in _asks(one.text))
    files = dict.fromkeys(_within_project(path, name) for one in observations for path in edited(one))
    ending = _ending(observations)
    parts = [f"Changed: {', '.join(list(files)[-_MOST_FILES:])}."] if files else []
    parts += [f"It ended with: {ending}"] if ending else []
    rest = cut(" ".join(parts), longest // 2)
    room = longest - len(rest) - len(f"{_ASKED}. ")
    waiting = deque(asks)
    kept: set[str] = set()
    # From both ends: a session is known by what it began with and by what it came to.
    while waiting:
        one = waiting.popleft() if len(kept) % 2 == 0 else waiting.pop()
        if len(one) + 2 > room:
            break
        kept.add(one)
        room -= len(one) + 2
    ordered = [one for one in asks if one in kept]
    return f"{_ASKED}{'; '.join(ordered)}. {rest}".strip() if ordered else rest


def _asks(turn: str) -> list[str]:
    """What a turn asks: a short one as it stands, of a longer one its questions and requests."""
    _, turn = playbooks_of(_FENCE.sub(" ", turn[:20_000]))
    plain = unmarked(turn)
    lexicon = language_of(plain)
    if says_nothing(plain, lexicon) or correction_of(plain) is not None:
        return []
    if len(plain) <= LONGEST_ASK:
        asks = any(is_question(one) or is_request(one) for one in sentences(plain, lexicon))
        is_ask = asks and signal_of(plain, by_user=True) != DECISION
        return [topic_of(without_openers(plain, lexicon))] if is_ask else []
    return [topic_of(ask) for ask in asks_of(turn)[:2]]


def _ending(observations: Sequence[Observation]) -> str:
    """The first sentence of the last thing an agent said that is no mere talk about its work."""
    last = [one.text for one in observations if one.role == ASSISTANT and one.text.strip()][-_ENDINGS_LOOKED_AT:]
    for text in reversed(last):
        plain = unmarked(_FENCE.sub(" ", text[:4_000]))
        lexicon = language_of(plain)
        for one in sentences(plain, lexicon):
            if not (says_nothing(one, lexicon) or is_question(one) or is_working_talk(one)) and _is_telling(one):
                return one[:_LONGEST_ENDING]
    return ""


def _said(observations: Sequence[Observation]) -> tuple[list[Statement], list[Statement], list[Statement]]:
    """Signals, what the user told, and what an agent found."""
    signals: list[Statement] = []
    told: list[Statement] = []
    findings: list[Statement] = []
    works = any(one.role == TOOL for one in observations)
    for one in observations:
        if one.role == USER:
            _of_user(one, signals, told, works)
        elif one.role == SYSTEM:
            told += _together([fact.text for fact in decompose(one.text) if _is_telling(fact.text)], one.seq)
        elif one.role == ASSISTANT and works:
            _of_agent(one, signals, findings)
    return signals, told, list({_SPANS.sub("#", one.fact.text): one for one in findings}.values())


def _of_user(one: Observation, signals: list[Statement], told: list[Statement], works: bool) -> None:
    playbooks, text = playbooks_of(_FENCE.sub(" ", one.text))
    for said, found in playbooks:
        more = {"trigger": found.trigger, "steps": list(found.steps)}
        signals.append(statement_of(said, PLAYBOOK, one.seq, **more))
    if (corrected := correction_of(text)) is not None:
        signals.append(statement_of(corrected, CORRECTION, one.seq))
        return
    lexicon = language_of(unmarked(text[:4_000]))
    part: list[str] = []
    for sentence in (said for line in _typed(text) for said in _sentences(line, lexicon)):
        bare = without_openers(sentence, lexicon).strip()
        if _SECRET.search(bare):
            continue  # what it says of a secret is of no use without it
        signal = signal_of(bare, by_user=True) if len(bare) <= _LONGEST_STATEMENT else None
        asks = is_question(bare) or is_request(bare)
        if signal is not None and not is_question(bare) and (signal == DECISION or not asks):
            signals.append(statement_of(bare[:1].upper() + bare[1:], signal, one.seq))
        elif (
            not asks and not says_nothing(sentence, lexicon) and _is_telling(bare) and not (works and is_passing(bare))
        ):
            if _ASIDE.match(sentence):
                told += _together(part, one.seq)
                part = []
            part.append(bare[:1].upper() + bare[1:])
    told += _together(part, one.seq)


def _typed(turn: str) -> list[str]:
    """The lines of a turn that the user wrote: what was pasted into several lines (logs, code, quotes) is left out."""
    lines = turn.split("\n")
    if len(lines) < 2:
        return lines
    return [
        line for line in lines if not (is_log(line) or is_frame(line) or looks_like_code(line) or _PASTED.match(line))
    ]


def _sentences(line: str, lexicon: Lexicon) -> list[str]:
    return sentences(_MARK.sub("", unmarked(line)), lexicon)


def _together(told: Sequence[str], seq: int) -> Iterable[Statement]:
    """What was told in one breath stays together, up to 400 characters: apart, half of it lacks what it is about."""
    part = ""
    for one in told:
        if part and len(part) + len(one) >= _LONGEST_TOLD:
            yield Statement(described(part), TOLD, seq)
            part = ""
        ended = one if one[-1:] in ".!。！…" else one + "."
        part = f"{part} {ended}" if part else ended
    if part:
        yield Statement(described(part), TOLD, seq)


def _of_agent(one: Observation, signals: list[Statement], findings: list[Statement]) -> None:
    for fact in decompose(_FENCE.sub(" ", one.text)):
        signal = signal_of(fact.text, by_user=False)
        if signal is not None and _is_telling(fact.text) and not _CLAUSE.match(fact.text):
            made = statement_of(fact.text, signal, one.seq)
            (signals if signal == DECISION else findings).append(made)


def _of_tools(
    observations: Sequence[Observation], name: str, earlier: Sequence[Sequence[Observation]]
) -> list[Statement]:
    """Failures that were resolved, and routines."""
    found = fixes(observations)
    by_command = [one for one in found if one.by_command]
    # Of mistakes that an edit mended, those that took several tries say most.
    by_edit = sorted((one for one in found if not one.by_command), key=lambda one: (-one.tries, -one.seq))
    made = []
    for one in (*by_command, *by_edit[:_MOST_EDIT_FIXES]):
        told = replace(one, deeds=tuple(_within_project(deed, name) for deed in one.deeds)).text
        fix = statement_of(told, FIX, one.seq)
        made.append(fix if one.by_command else replace(fix, fact=replace(fix.fact, importance=_OF_EDIT)))
    last = observations[-1].seq if observations else 0
    for routine in routines(observations, earlier):
        steps: dict[str, Any] = {}
        if routine.steps:
            steps = {"trigger": "before a commit", "steps": list(routine.steps), "sessions": routine.sessions}
        made.append(statement_of(routine.text, COMMAND, last, **steps))
    return made


def _answers(observations: Sequence[Observation]) -> list[Statement]:
    """Each answer of a conversation in short, under what it was asked."""
    found: list[Statement] = []
    ask = ""
    for one in observations:
        if one.role == USER:
            ask = next(iter(asks_of(one.text)), "")
        elif one.role == ASSISTANT and len(one.text) >= _LEAST_ANSWER:
            most = _bounded(int(len(one.text) * _DIGEST_SHARE), _LEAST_DIGEST, _MOST_DIGEST)
            if text := digest(ask, one.text, most):
                fact = described(text)
                found.append(Statement(replace(fact, kind="finding", importance=_IMPORTANCE[ANSWER]), ANSWER, one.seq))
    return found


def _within(statements: Sequence[Statement], budget: int, seen: set[str]) -> list[Statement]:
    """Those that fit, in their order, each once; one that is too long is passed over for shorter ones."""
    found: list[Statement] = []
    for one in statements:
        said = folded(one.fact.text).rstrip(".! ")
        if said in seen or len(one.fact.text) > budget or len(seen) >= MOST_STATEMENTS:
            continue
        seen.add(said)
        budget -= len(one.fact.text)
        found.append(one)
    return found


def _is_telling(text: str) -> bool:
    words = text.split()
    return (len(words) >= 3 or not text.isascii()) and len(text) <= _LONGEST_STATEMENT and not is_question(text)


def _within_project(path: str, name: str) -> str:
    """A path without what stands before the project's folder."""
    _, found, rest = path.partition(f"/{name}/") if path.startswith(("/", "~")) else ("", "", "")
    return rest if found and name else path


def _bounded(value: int, least: int, most: int) -> int:
    return max(least, min(most, value))
