"""What a speaker says of themselves, said of them: "Tom: I'll rotate the keys" → "Tom will rotate the keys".

Only where the verb can be turned without doubt and no other word of the claim is in the first person; else the speaker
is named before what was said.
"""

from __future__ import annotations

import re

from remanence.extraction.english_verbs import third_person
from remanence.extraction.lexicon import Lexicon, split_words
from remanence.extraction.patterns import pattern

_FIRST = pattern(r"\b(?:i|i'm|i'll|i've|i'd|me|my|mine|myself|we|us|our|ours|im|ive)\b", re.IGNORECASE)
_HELPERS = {
    "i'll": "will",
    "i'm": "is",
    "im": "is",
    "i've": "has",
    "ive": "has",
    "am": "is",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "dont": "doesn't",
    "haven't": "hasn't",
    "was": "was",
}
_KEPT = split_words(
    "will would can could must should may might had did was didn't can't cannot won't wouldn't couldn't shouldn't"
)


def spoken(speaker: str, claim: str, language: Lexicon) -> str:
    """The claim as a statement that names who made it."""
    sign = "：" if language.name in {"zh", "ja"} else ": "
    if language.name != "en":
        return f"{speaker}{sign}{claim}"
    words = claim.replace("’", "'").split()
    first = words[0].lower()
    if first == "my" and not _FIRST.search(" ".join(words[1:])):
        return f"{speaker}'s {' '.join(words[1:])}"
    if first in {"i'll", "i'm", "i've", "im", "ive"} and not _FIRST.search(" ".join(words[1:])):
        return f"{speaker} {_HELPERS[first]} {' '.join(words[1:])}"
    if first == "i" and len(words) > 1 and not _FIRST.search(" ".join(words[1:])):
        verb = words[1].lower()
        turned = verb if verb in _KEPT or verb in language.past else _HELPERS.get(verb) or third_person(verb)
        if turned:
            return f"{speaker} {turned} {' '.join(words[2:])}".rstrip()
    return f"{speaker}{sign}{claim}"
