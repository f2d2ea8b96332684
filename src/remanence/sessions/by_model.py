"""Stage 1 with a language model: it reads the session in parts, and what it says is held against what happened.

What stands nowhere in its part, says the opposite of it, reads like an order or holds a secret is dropped and counted.
A part on which the model fails is left to the rules. Whatever the model says, the signals that rules are sure of
(corrections, fixes, routines …) are kept beside it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from remanence.errors import InvalidInput, LlmFailed
from remanence.extraction.signals import CONSTRAINT, CORRECTION, DECISION, FINDING, PREFERENCE
from remanence.extraction.traits import described
from remanence.flows.consolidate.asking import fault_of
from remanence.flows.extract import MOST_ANSWER_TOKENS, PART_TOKENS
from remanence.lifecycle.grounding import Ground, unsaid
from remanence.model.session import Observation
from remanence.model.words import folded
from remanence.sessions.learning import COMMAND, FIX, LONGEST_SYNOPSIS, Lesson, Statement
from remanence.sessions.playbooks import PLAYBOOK
from remanence.sessions.reading import item_of, tokens_of

if TYPE_CHECKING:
    from remanence.flows.extract import Model

NOTED = "noted"
"""The signal of what a model found and took for none of the others."""
_SURE = (DECISION, CONSTRAINT, PREFERENCE, CORRECTION, FIX, COMMAND, PLAYBOOK)
_KINDS = (
    *("decision", "constraint", "preference", "gotcha", "bug", "workflow", "procedure", "architecture", "finding"),
    *("identity", "fact"),
)
_SIGNALS = {"decision": DECISION, "constraint": CONSTRAINT, "preference": PREFERENCE, "finding": FINDING}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "synopsis": {"type": "string", "maxLength": 1000},
        "memories": {
            "type": "array",
            "maxItems": 100,
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "minLength": 1, "maxLength": 600},
                    "kind": {"type": "string", "enum": list(_KINDS)},
                    "importance": {"type": "number"},
                },
                "required": ["text", "kind", "importance"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["synopsis", "memories"],
    "additionalProperties": False,
}


@dataclass(slots=True)
class _Heard:
    """What a model has said so far."""

    statements: dict[str, Statement] = field(default_factory=dict)
    synopses: list[str] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    parts: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """A lesson a model had a part in, whether it had, and what is to be known about that."""

    lesson: Lesson
    llm: bool
    notes: tuple[str, ...] = ()


def told(
    model: Model, session: str, observations: Sequence[Observation], plain: Lesson, beat: Callable[[], None]
) -> Told:
    """What a model makes of a session, beside what the rules are sure of."""
    heard = _Heard()
    for part in _parts(observations):
        heard.parts += 1
        if heard.failures and not model.writer.available():
            heard.failures.append("the language model is left alone for a while after failures.")
            continue
        _hear(model, session, part, plain, heard)
        beat()
    notes = _notes(heard)
    if not heard.statements and not heard.synopses:
        return Told(plain, llm=False, notes=notes)
    found = list(heard.statements.values())
    # Where a part failed, the rules' own statements of it stand in; elsewhere only those that are sure.
    rest = [one for one in plain.statements if one.signal in _SURE or heard.failures]
    places = unsaid([one.fact.text for one in rest], [one.fact.text for one in found])
    statements = (*(rest[place] for place in places), *found)
    return Told(Lesson(statements, _joined(heard.synopses) or plain.synopsis), llm=True, notes=notes)


def _hear(model: Model, session: str, part: Sequence[Observation], plain: Lesson, heard: _Heard) -> None:
    items = json.dumps([item_of(one) for one in part], ensure_ascii=False, indent=0)
    try:
        system = model.prompts.render("stage_one_system")
        prompt = model.prompts.render("stage_one_input", thread_id=session, response_items_json=items)
        answer = model.writer.json(prompt, SCHEMA, system=system, most_tokens=MOST_ANSWER_TOKENS)
    except InvalidInput as wrong:
        heard.failures.append(f"its prompts cannot be used: {wrong}.")
        return
    except LlmFailed as failed:
        heard.failures.append(str(failed))
        return
    text = "\n".join(f"{one.call}\n{one.text}" for one in part)
    ground = Ground(text, [one.fact.text for one in plain.statements])
    for given in answer["memories"]:
        said = " ".join(given["text"].split())
        fault = fault_of(said, ground)
        if fault is not None:
            heard.dropped[fault] += 1
            continue
        heard.statements.setdefault(folded(said), _statement(said, given, part[-1].seq))
    synopsis = " ".join(answer["synopsis"].split())
    fault = fault_of(synopsis, ground) if synopsis else None
    if fault is not None:
        heard.dropped[fault] += 1
    elif synopsis:
        heard.synopses.append(synopsis)


def _statement(text: str, given: dict[str, Any], seq: int) -> Statement:
    kind = given["kind"]
    importance = round(min(1.0, max(0.0, float(given["importance"]))), 3)
    fact = replace(described(text), kind="fact" if kind == CONSTRAINT else kind, importance=importance)
    return Statement(fact, _SIGNALS.get(kind, NOTED), seq)


def _parts(observations: Sequence[Observation]) -> Iterator[list[Observation]]:
    """The session in parts that a model can read; one observation that is more is cut."""
    part: list[Observation] = []
    room = PART_TOKENS
    for one in observations:
        size = tokens_of(one)
        if size > PART_TOKENS:
            one = replace(one, text=one.text[: 2 * PART_TOKENS])
            size = min(tokens_of(one), PART_TOKENS)
        if part and size > room:
            yield part
            part, room = [], PART_TOKENS
        part.append(one)
        room -= size
    if part:
        yield part


def _joined(synopses: Sequence[str]) -> str:
    """The synopses of the parts, the first and the last before those between."""
    kept: list[int] = []
    room = LONGEST_SYNOPSIS
    order = [0, len(synopses) - 1, *range(1, len(synopses) - 1)] if len(synopses) > 1 else range(len(synopses))
    for place in order:
        if len(synopses[place]) + 1 <= room:
            kept.append(place)
            room -= len(synopses[place]) + 1
    return " ".join(synopses[place] for place in sorted(set(kept)))


def _notes(heard: _Heard) -> tuple[str, ...]:
    notes = []
    if heard.dropped:
        listed = ", ".join(f"{number} {reason}" for reason, number in sorted(heard.dropped.items()))
        notes.append(f"Dropped of the model's answer: {listed}.")
    if heard.failures:
        share = f"{len(heard.failures)} of {heard.parts} parts" if len(heard.failures) < heard.parts else "All of it"
        notes.append(f"{share} read without a model: {' '.join(dict.fromkeys(heard.failures))}")
    return tuple(notes)
