"""English words to stems, by Porter's algorithm of 1980, and the words too common to tell texts apart.

"relational" → "relat", "hopping" → "hop". Words that are not plain ASCII letters are left as they are.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from remanence.model.words import words

_COMMON = """
    a about after again all also am an and any are as at be because been before being but by can could did do does
    doing don't down during each few for from further had has have having he her here hers him his how i i'd i'll i'm
    i've if in into is it it's its itself just me more most my myself no nor not now of off on once only or other our
    ours out over own same she should so some such than that that's the their theirs them then there these they this
    those through to too under until up very was we were what what's when where which while who whom why will with
    would you you're your yours
"""
STOP_WORDS = frozenset(_COMMON.split())
_VOWEL = re.compile(r"[aeiou]|(?<=[^aeiou])y")
_DOUBLE = re.compile(r"([^aeioulsz])\1$")
_SHORT = re.compile(r"[^aeiou][aeiouy][^aeiouwxy]$")
_SECOND = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "abli": "able", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_THIRD = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_FOURTH = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip


def stems(text: str) -> list[str]:
    """The stems of a text's words, without stop words, in order."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The stem of one word in lower case."""
    word = word.removesuffix("'s")
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    word = _past(_plural(word))
    if word.endswith("y") and _VOWEL.search(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _SECOND)
    word = _replaced(word, _THIRD)
    return _last_letters(_without_ending(word))


def _measure(part: str) -> int:
    """How often a run of vowels is followed by consonants."""
    vowels = [bool(_VOWEL.match(part, place)) for place in range(len(part))]
    return sum(vowel and not following for vowel, following in pairwise(vowels))


def _plural(word: str) -> str:
    if word.endswith("sses") or word.endswith("ies"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and _VOWEL.search(rest):
            if rest.endswith(("at", "bl", "iz")) or (_measure(rest) == 1 and _SHORT.search(rest)):
                return rest + "e"
            return rest[:-1] if _DOUBLE.search(rest) else rest
    return word


def _replaced(word: str, endings: dict[str, str]) -> str:
    for ending in sorted(endings, key=len, reverse=True):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest + endings[ending] if _measure(rest) > 0 else word
    return word


def _without_ending(word: str) -> str:
    for ending in sorted(_FOURTH, key=len, reverse=True):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            if _measure(rest) > 1 and (ending != "ion" or rest.endswith(("s", "t"))):
                return rest
            return word
    return word


def _last_letters(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _SHORT.search(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
