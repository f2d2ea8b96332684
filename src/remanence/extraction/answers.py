"""Questions and their answers: an answer that says nothing alone is completed from its question.

"Which port does it use?" – "8443." → "Which port does it use: 8443." A mere yes or no completes a question only when
it asks about a thing, not about what somebody will do.
"""

from __future__ import annotations

import re

from remanence.extraction.chatter import is_question, says_nothing, without_openers
from remanence.extraction.claims import has_verb, lacks_subject
from remanence.extraction.language import is_dense
from remanence.extraction.lexicon import Lexicon

_LONGEST_ANSWER = 80
_MOST_WORDS = 12
_WHICH = re.compile(
    r"(?:who|what|when|where|why|which|whose|how|wer|was|wann|wo|warum|welche[rsnm]?|wie|qui|quand|où|pourquoi|"
    r"quel(?:le)?s?|comment|combien|¿?(?:quién|qué|cuándo|dónde|cuál|cómo|cuánto))\b",
    re.IGNORECASE,
)
_WHICH_DENSE = re.compile(r"什么|哪|谁|多少|几|怎么|何|いつ|どこ|どの|誰|いくつ|いくら|どう")
_TO_YOU = re.compile(r"\b(?:you|anyone|anybody|somebody|someone|i|me|du|ihr|jemand|tu|vous)\b", re.IGNORECASE)


def is_personal(question: str) -> bool:
    """Whether the question is to somebody about themselves."""
    return _TO_YOU.search(question) is not None


def completed(question: str, answer: str, language: Lexicon, alone: bool) -> str:
    """The question with its answer; "" where the answer needs none or is not certain.

    `alone` where nothing more is said: a yes that is followed by its explanation is not needed.
    """
    stated = question.strip("¿?？ ")
    rest = without_openers(answer, language)
    dense = is_dense(language)
    sign = "：" if dense else ": "
    topical = not dense and stated.split(" ", 1)[0].lower() in language.determiners and not has_verb(stated, language)
    if topical or _WHICH.match(stated) or (dense and _WHICH_DENSE.search(stated)):  # "The drop-out rate?" asks as well
        if says_nothing(rest, language) or is_question(rest) or len(rest) > _LONGEST_ANSWER:
            return ""
        words = len(rest.split())
        stands = words > 3 and has_verb(rest, language)
        return stated + sign + rest if words <= _MOST_WORDS and not stands else ""
    if not language.asking.match(question):
        return ""
    if rest != answer and len(rest.split()) <= 8 and not dense and lacks_subject(rest, language):
        return stated + sign + answer
    short = answer.rstrip("!. 。！")
    if language.agreeing.fullmatch(short) and alone and not is_personal(stated) and len(stated.split()) >= 3:
        return stated + sign + short.lower()
    return ""
