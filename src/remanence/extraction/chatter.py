"""What says nothing is dropped: greetings, thanks, praise, offers, questions, progress, mere signs.

And what a sentence begins with before it says something: "Sure! ", "However, ", "Also, ".
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from remanence.extraction.language import CHINESE, ENGLISH, JAPANESE, SPACED, is_dense
from remanence.extraction.lexicon import Lexicon
from remanence.extraction.patterns import pattern

_LONGEST = 220
_MOST_OPENERS = 3
_SHORT = 40
_PICTURE = pattern(
    "[\U0001f000-\U0001faff\u2600-\u26ff\u2702-\u27b0\u2b50\u2b55\ufe0f\u200d\u231a-\u23ff]+|(?<!\\w)[:;]-?[)(DPp](?!\\w)|<3\\b"
)
_SMILED = pattern(r"(?<=\w)\s+[:;]-?[)(DPp]\s+(?=[^\W\d_a-z])")
_PROGRESS = pattern(
    r"\s*(?:\[[=>#.\-\s█░▓]*\]|[█░▓■□▏▎▍▌▋▊▉]+|\|[█#=\s-]*\|)?\s*\d{0,3}(?:\.\d+)?\s*%?\s*(?:\|.*it/s.*)?$"
)
_NOTHING = pattern(r"[\W_]*$")
_QUESTION = pattern(r"[?？][\"'”»)\]!！.…]*$")
# Asked without a question mark, as in chats.
_ASKED = pattern(
    r"(?:and |so |but |hey |ok |btw )*(?:(?:what|where|who|why|when|how)(?:'s| is| are| was| were| do| does| did|"
    r" should| can| could| would| about) "
    r"|how (?:many|much|long|often) |(?:can|could|would|will|do|did) (?:you|anyone|anybody|someone) |is there |"
    r"are there |any (?:idea|news|chance|"
    r"thoughts|update) |(?:tell|remind) (?:us|me) (?:how|about|what|why|where|when|who|more|which|again)\b|"
    r"walk (?:us|me) through )",
    re.IGNORECASE,
)
_QUOTED_QUESTION = pattern(r"[\"“„«][^\"”“»]{1,200}\?[\"”“»] [^\"]{1,60}$")
_ALL = (*SPACED, CHINESE, JAPANESE)


def plain(text: str) -> str:
    """The text without emoji and smileys; one that stands between two sentences ends the first."""
    text = _SMILED.sub(". ", text)
    return " ".join(_PICTURE.sub(" ", text).split()) if _PICTURE.search(text) else text


def is_question(text: str) -> bool:
    """Whether it asks; a question somebody is quoted with asks as well."""
    if text[:1] in '"“„«' and _QUOTED_QUESTION.match(text):
        return True
    return _QUESTION.search(text[-12:]) is not None or (_ASKED.match(text) is not None and len(text) < 160)


@lru_cache(maxsize=2048)
def says_nothing(sentence: str, lexicon: Lexicon) -> bool:
    """Whether a sentence is chatter, a sign or a progress bar."""
    if _NOTHING.match(sentence) or (len(sentence) < 160 and _PROGRESS.match(sentence)):
        return True
    if len(sentence) > _LONGEST:
        return False
    text = sentence.replace("’", "'").strip().strip("*_ ").rstrip("!.。！…~～ ,;").strip()
    if not text or all(unicodedata.category(sign)[0] in "PSZ" for sign in text):
        return True
    lexicons: tuple[Lexicon, ...] = (lexicon,) if lexicon.name != "other" else _ALL
    if len(text) < _SHORT and not is_dense(lexicon):
        lexicons = SPACED  # too few words to be sure of the language
    return any(
        each.chatter.fullmatch(text)
        or (sentence.rstrip().endswith((":", "：")) and each.chatter.fullmatch(text.rstrip(":：") + ":"))
        for each in lexicons
    )


def without_openers(sentence: str, lexicon: Lexicon) -> str:
    """The sentence from where it says something; "" where it never does."""
    lexicons = (lexicon,) if lexicon.name != "other" else (ENGLISH,)
    for each in lexicons:
        for _ in range(_MOST_OPENERS):
            match = each.openers.match(sentence) or each.connectors.match(sentence)
            if match is None or match.end() == 0:
                break
            sentence = sentence[match.end() :]
    return sentence
