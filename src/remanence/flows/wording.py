"""A summary in a language model's words: taken where it loses nothing that the plain one holds, adds nothing, and is
shorter. What it writes is held against the texts; the reason why it is not taken is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remanence.errors import LlmFailed
from remanence.flows.asking import asked
from remanence.lifecycle.coverage import new_words, sentences
from remanence.lifecycle.grounding import ORDER, Ground
from remanence.lifecycle.merging import Merged, covering
from remanence.model import checks
from remanence.model.words import estimate_tokens

if TYPE_CHECKING:
    from remanence.flows.extract import Model

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"summary": {"type": "string", "maxLength": 4_000}},
    "required": ["summary"],
    "additionalProperties": False,
}


class Worded(NamedTuple):
    """The summary to take, whether a model wrote it, and where it did not, why its answer was dropped or missing."""

    summary: Merged
    by_model: bool = False
    fault: str = ""
    failure: str = ""


def worded(model: Model | None, prompt: str, plain: Merged, texts: Sequence[str], **variables: str) -> Worded:
    """The better of the plain summary of these texts and what a model makes of them."""
    if model is None:
        return Worded(plain)
    try:
        answer = asked(model, prompt, _SCHEMA, texts, 200 + 2 * estimate_tokens(plain.text), **variables)
    except LlmFailed as failed:
        return Worded(plain, failure=str(failed))
    text = "\n".join(" ".join(line.split()) for line in str(answer["summary"]).splitlines() if line.strip())
    fault = _fault(text, texts, plain)
    if fault:
        return Worded(plain, fault=fault)
    found = covering(text, texts)
    if not set(plain.covered) <= set(found.covered):
        return Worded(plain, fault="it loses something")
    return Worded(found, by_model=True)


def _fault(text: str, texts: Sequence[str], plain: Merged) -> str:
    """Why a model's summary cannot be taken, apart from what it loses; "" where it can."""
    from remanence.guard.screening import screen
    from remanence.guard.secrets import find

    if checks.text_problems(text) or find(text):
        return "empty or with a secret"
    if len(text) >= len(plain.text):
        return "longer than the memories' own sentences"
    if screen(text):
        return ORDER
    ground = Ground("\n".join(texts), texts)
    if any(ground.fault(sentence) for sentence in sentences(text)) or new_words(text, texts):
        return "not in the memories"
    return ""
