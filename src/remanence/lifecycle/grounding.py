"""Grounding: does a statement stand in a text? What a language model says of a text is held against it by this.

Three fifths of its telling words must be words of the text (or begin alike), all of its numbers numbers of the text,
and it may not deny what the nearest sentence affirms. Words alone are compared: a wrong relation among right words
passes.
"""

from __future__ import annotations

from collections.abc import Sequence

from remanence.lifecycle.duplicates import negation_flip
from remanence.lifecycle.numerals import numbers
from remanence.model.words import STOP_WORDS, tokens_of

LEAST_SHARE = 0.6
STEM = 5
EMPTY, ELSEWHERE, OPPOSITE = "empty", "not in the text", "the opposite of the text"
ORDER = "instruction-like"
"""Why an answer of a model is dropped."""


class Ground:
    """A text and its plain statements, read once."""

    def __init__(self, text: str, statements: Sequence[str]) -> None:
        self._words = tokens_of(text)
        self._stems = frozenset(word[:STEM] for word in self._words)
        self._numbers = frozenset(numbers(text))
        self._statements = [(tokens_of(statement), statement) for statement in statements]

    def fault(self, statement: str) -> str | None:
        """Why a statement does not stand in the text; None where it does."""
        said = tokens_of(statement)
        telling = said - STOP_WORDS
        if not telling:
            return EMPTY
        there = sum(word in self._words or (len(word) > STEM and word[:STEM] in self._stems) for word in telling)
        if there < LEAST_SHARE * len(telling) or not self._numbers.issuperset(numbers(statement)):
            return ELSEWHERE
        nearest = max(self._statements, key=lambda one: len(one[0] & said), default=None)
        if nearest is not None and 2 * len(nearest[0] & said) > len(said) and negation_flip(nearest[1], statement):
            return OPPOSITE
        return None


def unsaid(statements: Sequence[str], facts: Sequence[str]) -> list[int]:
    """Places of the statements that none of the facts says: three fifths of their telling words stand in no fact."""
    said = [tokens_of(fact) for fact in facts]

    def is_said(statement: str) -> bool:
        telling = tokens_of(statement) - STOP_WORDS
        return any(len(telling & words) >= LEAST_SHARE * len(telling) for words in said)

    return [place for place, statement in enumerate(statements) if not is_said(statement)]
