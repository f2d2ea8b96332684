"""What the tiers ask of a language model, and what becomes of the answers.

What it answers is only a proposal. Whoever asks holds it against the memories, and drops and counts what does not
stand there. A model that is missing, spent or failing is no error: the deterministic part does the work, and says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from remanence.flows.asking import asked
from remanence.guard.screening import screen
from remanence.guard.secrets import redact
from remanence.lifecycle.grounding import EMPTY, ORDER, Ground
from remanence.model import checks
from remanence.model.words import estimate_tokens

if TYPE_CHECKING:
    from remanence.flows.dream.night import Night
    from remanence.flows.extract import Model

PART_TOKENS = 3_000
MOST_ANSWER_TOKENS = 2_048


def can_ask(night: Night) -> bool:
    """Whether there is a model that may be asked now."""
    return night.llm is not None and night.llm.writer.available() and not night.is_over()


def answer(model: Model, name: str, texts: Sequence[str], schema: Mapping[str, Any], opening: str | None = None) -> Any:
    """What a model says of these texts, each after its number; LlmFailed where it gives nothing that is valid.

    The opening is a line before them: it is anybody's words as they are, and stands within the same bounds.
    """
    numbered = [f"[{number}] {text}" for number, text in enumerate(texts, 1)]
    most = min(MOST_ANSWER_TOKENS, 300 + 2 * sum(map(estimate_tokens, texts)))
    return asked(model, name, schema, numbered if opening is None else [opening, *numbered], most)


def fault_of(text: str, ground: Ground) -> str | None:
    """Why a text of a model is dropped; None where it stands in what it was given, and orders nothing."""
    if checks.text_problems(text) or redact(text).text != text:
        return EMPTY
    return ground.fault(text) or (ORDER if screen(text) else None)


def parts(texts: Sequence[str]) -> list[list[int]]:
    """Places of the texts in parts that a model can read; one that is too long by itself is in none."""
    found: list[list[int]] = []
    room = 0
    for place, text in enumerate(texts):
        tokens = estimate_tokens(text)
        if tokens > PART_TOKENS:
            continue
        if not found or tokens > room:
            found.append([])
            room = PART_TOKENS
        found[-1].append(place)
        room -= tokens
    return found


def told(tier: str, dropped: Counter[str], failures: Sequence[str]) -> list[str]:
    """What a run says of its model: what was dropped of its answers, and why the rules did the work."""
    said = []
    if dropped:
        listed = ", ".join(f"{number} {reason}" for reason, number in sorted(dropped.items()))
        said.append(f"{tier}: dropped of the model's answers: {listed}")
    said += (f"{tier}: done without a model: {why}" for why in dict.fromkeys(failures))
    return said
