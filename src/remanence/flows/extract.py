"""extract: a text → atomic statements that stand alone. Nothing is stored.

With a language model the text is cleaned of secrets, sent in parts, and each answered fact is held against the text:
its words and numbers must stand there, it may not say the opposite or give orders. What fails is dropped and counted,
and what the rules find in its place is taken.
Where the model fails, is spent, or nothing of its answer is left, the deterministic decomposer does the work and
`notes` say so; without a model it always does.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from remanence.errors import InvalidInput, LlmFailed
from remanence.guard.screening import screen
from remanence.guard.secrets import redact
from remanence.lifecycle.grounding import EMPTY, ORDER, Ground, unsaid
from remanence.model import checks
from remanence.model.extraction import Extraction, Fact
from remanence.model.words import estimate_tokens, folded
from remanence.providers.prompts import Prompts
from remanence.providers.protocol import Writer

KINDS = (
    *("fact", "preference", "decision", "pattern", "bug", "workflow", "architecture", "gotcha", "finding"),
    *("observation", "session_state", "project_status", "identity", "lesson", "procedure"),
)
PART_TOKENS = 3_000
MOST_ANSWER_TOKENS = 4_096
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": 400,
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "minLength": 1, "maxLength": 1000},
                    "kind": {"type": "string", "enum": list(KINDS)},
                    "importance": {"type": "number"},
                },
                "required": ["text", "kind", "importance"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}
_LOOSE = {
    "type": "array",
    "maxItems": 400,
    "items": {
        "type": ["object", "string"],
        "minLength": 1,
        "maxLength": 1000,
        "properties": {
            "text": {"type": "string", "minLength": 1, "maxLength": 1000},
            "kind": {"type": ["string", "null"]},
            "importance": {"type": ["number", "null"]},
        },
        "required": ["text"],
        "additionalProperties": True,
    },
}
ACCEPTED: dict[str, Any] = {"type": "object", "properties": {"facts": _LOOSE, "extracted": _LOOSE}}
"""Small models leave out what rules can guess as well: asking again costs as much as the answer, and often fails."""
_LARGEST_SHARE_OF_CONTROLS = 0.02


class Model(NamedTuple):
    """What is needed to ask a language model: who answers, the prompts, and a boundary that nobody can guess."""

    writer: Writer
    prompts: Prompts
    boundary: Callable[[], str]


def extract(text: str, model: Model | None = None, personal: Collection[str] = ()) -> Extraction:
    """The facts of a text."""
    clean = redact(readable(text), personal=personal)
    found = Extraction(redacted=dict(clean.counts))
    if not clean.text.strip():
        return found
    if model is None:
        return replace(found, facts=_by_rules(clean.text))
    answers = [_answer(part, model) for part in _parts(clean.text)]
    dropped: Counter[str] = sum((answer.dropped for answer in answers), Counter())
    whys = list(dict.fromkeys(answer.why for answer in answers if answer.why))
    notes = [f"Dropped of the model's answer: {_listed(dropped)}."] if dropped else []
    if whys:
        alone = sum(bool(answer.why) for answer in answers)
        what = "Taken" if alone == len(answers) else f"{alone} of {len(answers)} parts taken"
        notes.append(f"{what} apart without a model: {' '.join(whys)}")
    facts = {folded(fact.text): fact for answer in answers for fact in answer.facts}
    return replace(found, facts=tuple(facts.values()), llm=not whys, notes=tuple(notes), dropped=dict(dropped))


class _Answer(NamedTuple):
    """The facts of one part, what of a model's answer was dropped, and why the rules found them where they did."""

    facts: Sequence[Fact]
    dropped: Counter[str]
    why: str = ""


def _answer(part: str, model: Model) -> _Answer:
    plain = _by_rules(part)
    if not model.writer.available():
        return _Answer(plain, Counter(), "the language model is left alone for a while after failures.")
    try:
        answered = _asked(part, model)
    except LlmFailed as failed:
        return _Answer(plain, Counter(), str(failed))
    facts, dropped = _grounded(answered, part, plain)
    if not facts and plain:
        why = "nothing of the model's answer was left." if dropped else "the model found nothing."
        return _Answer(plain, dropped, why)
    if dropped:
        left = unsaid([fact.text for fact in plain], [fact.text for fact in facts])
        facts += [plain[place] for place in left if not screen(plain[place].text)]
    return _Answer(facts, dropped)


def _by_rules(text: str) -> tuple[Fact, ...]:
    from remanence.extraction import decompose  # its words take a while to load

    return tuple(decompose(text))


def readable(text: object) -> str:
    """The text without control characters; InvalidInput for what is no text, too long or binary. Empty is fine."""
    if not isinstance(text, str):
        raise InvalidInput(f"text must be text, not {type(text).__name__}")
    if not text.strip():
        return ""
    if len(text) > checks.TEXT_BYTES:
        raise InvalidInput(
            f"text has {len(text)} characters; at most {checks.TEXT_BYTES} are taken apart at once. "
            "Give it in parts, or let 'rem extract --file PATH' read it in parts"
        )
    controls = sum(map(_is_control, text)) if not text.isprintable() or "\ufffd" in text else 0
    if controls > 8 and controls > _LARGEST_SHARE_OF_CONTROLS * len(text):
        raise InvalidInput(f"text is binary: {controls} of its {len(text)} characters are control characters")
    if controls:
        text = "".join(" " if _is_control(character) else character for character in text)
    if not any(map(_is_seen, text)):
        return ""
    if problems := checks.text_problems(text, "text"):
        raise InvalidInput(problems)
    return text


def _is_seen(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) not in ("Cf", "Mn", "Cc")


def _is_control(character: str) -> bool:
    if character in "\t\n\r\f\v\x85" or (character != "\ufffd" and character.isprintable()):
        return False
    return character == "\ufffd" or unicodedata.category(character) == "Cc"


def _parts(text: str) -> Iterator[str]:
    """The text in parts that a model can read, cut between paragraphs or else lines."""
    if estimate_tokens(text) <= PART_TOKENS:
        yield text
        return
    part: list[str] = []
    tokens = 0
    for line in text.splitlines(keepends=True):
        for piece in (line[at : at + 8_000] for at in range(0, len(line), 8_000)):
            size = estimate_tokens(piece)
            if part and tokens + size > PART_TOKENS:
                yield "".join(part)
                part, tokens = [], 0
            part.append(piece)
            tokens += size
    yield "".join(part)


def _asked(part: str, model: Model) -> list[Fact]:
    boundary = model.boundary()
    try:
        system = model.prompts.render("extract_system", kinds=", ".join(KINDS))
        prompt = model.prompts.render("extract_input", text=part.replace(boundary, ""), boundary=boundary)
    except InvalidInput as wrong:
        raise LlmFailed(f"its prompts cannot be used: {wrong}.") from None
    most = min(MOST_ANSWER_TOKENS, 400 + 2 * estimate_tokens(part))  # JSON around its own words
    answer = model.writer.json(prompt, SCHEMA, system=system, most_tokens=most, accepted=ACCEPTED)
    given = (*answer.get("facts", ()), *answer.get("extracted", ()))
    return [_fact(**{"text": one} if isinstance(one, str) else one) for one in given]


def _fact(text: str, kind: str | None = None, importance: float | None = None, **_: object) -> Fact:
    """As the model judged it, with the names and files that stand in it; what it did not say is guessed by rules."""
    from remanence.extraction.traits import described

    fact = described(" ".join(text.split()))
    if kind in KINDS:
        fact = replace(fact, kind=kind)
    if importance is not None:
        fact = replace(fact, importance=round(min(1.0, max(0.0, float(importance))), 3))
    return fact


def _grounded(answered: Sequence[Fact], text: str, plain: Sequence[Fact]) -> tuple[list[Fact], Counter[str]]:
    """The facts that stand in the text and give no orders, each once; how many do not, by the reason."""
    ground = Ground(text, [fact.text for fact in plain])
    kept: dict[str, Fact] = {}
    dropped: Counter[str] = Counter()
    for fact in answered:
        clean = redact(fact.text).text
        fault = EMPTY if checks.text_problems(clean) else ground.fault(clean)
        if fault is None and screen(clean):
            fault = ORDER
        if fault is not None:
            dropped[fault] += 1
        else:
            kept.setdefault(folded(clean), replace(fact, text=clean))
    return list(kept.values()), dropped


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in counts.items())
