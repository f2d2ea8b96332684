"""A number that stands for what the clause before it counted: "212 tests passed, 3 were skipped"."""

from __future__ import annotations

from remanence.extraction.grammar import Sentence
from remanence.extraction.lexicon import split_words

_NUMBERS = split_words("one two three four five six seven eight nine ten none some most")


def counted(sentence: Sentence, left: int, right: int) -> str:
    """What the clause at `right` counts, with its number ("3 tests"); "" where it is not said, or says it itself."""
    words, is_verb = sentence.words, sentence.is_verb
    if right + 1 >= len(words) or not all(words[p].isdigit() or words[p] in _NUMBERS for p in (left, right)):
        return ""
    if is_verb(left + 1) or not (is_verb(left + 2) and is_verb(right + 1)):
        return ""
    return f"{sentence.tokens[right]} {sentence.tokens[left + 1]}"
