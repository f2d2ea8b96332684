"""Which language a text is in: by script, then by which language's commonest words it uses most."""

from __future__ import annotations

from remanence.extraction.chinese import CHINESE
from remanence.extraction.english import ENGLISH
from remanence.extraction.french import FRENCH
from remanence.extraction.german import GERMAN
from remanence.extraction.japanese import JAPANESE
from remanence.extraction.lexicon import Lexicon
from remanence.extraction.patterns import pattern
from remanence.extraction.spanish import SPANISH

SPACED = (ENGLISH, GERMAN, FRENCH, SPANISH)
OTHER = Lexicon(name="other")
_LOOKED_AT = 4000
_WORD = pattern(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_KANA = pattern(r"[\u3041-\u30fa]")
_HAN = pattern(r"[\u3400-\u9fff]")
_LETTER = pattern(r"[^\W\d_]")


def is_dense(lexicon: Lexicon) -> bool:
    """Whether the language is written without blanks."""
    return lexicon.name in {"zh", "ja"}


def language_of(text: str, otherwise: Lexicon = OTHER) -> Lexicon:
    """The language of the beginning of a text; `otherwise` where it has too few words to tell."""
    text = text[:_LOOKED_AT]
    if not text.isascii():
        kana, han = len(_KANA.findall(text)), len(_HAN.findall(text))
        if 5 * (kana + han) > len(_LETTER.findall(text)):
            return JAPANESE if 10 * kana > han else CHINESE
    words = _WORD.findall(text.lower().replace("’", "'"))
    counts = [sum(word in lexicon.function for word in words) for lexicon in SPACED]
    best = max(range(len(SPACED)), key=lambda place: (counts[place], SPACED[place] is otherwise))
    if counts[best] == 0:
        return otherwise
    # One shared word ("in", "die") decides nothing against what the text as a whole is in.
    if otherwise in SPACED and counts[best] - counts[SPACED.index(otherwise)] < 2:
        return otherwise
    return SPACED[best]
