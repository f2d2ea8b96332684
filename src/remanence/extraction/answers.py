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
from remanence.extraction.patterns import pattern

_LONGEST_ANSWER = 80
_MOST_WORDS = 12
_WHICH = pattern(
    r"(?:who|what|when|where|why|which|whose|how|wer|was|wann|wo|warum|welche[rsnm]?|wie|qui|quand|où|pourquoi|"
    r"quel(?:le)?s?|comment|combien|¿?(?:quién|qué|cuándo|dónde|cuál|cómo|cuánto))\b",
    re.IGNORECASE,
)
_WHICH_DENSE = pattern(
    r"什么|哪|多久|多长|多大|多远|多高|为什么|怎样|如何|なぜ|どれ|どんな|どちら|谁|多少|几|怎么|何|いつ|どこ|どの|誰|"
    r"いくつ|いくら|どう"
)
_HOW_TO = pattern(r"(?:how (?:do|can|should|would|to)|wie|comment|cómo)\b", re.IGNORECASE)
_PARTLY = pattern(
    r"(?:not (?:yet|really|any ?more|at the moment|officially|currently|so far)|partly|partially|only|soon|maybe|"
    r"perhaps|"
    r"probably|never|always|sometimes|from|since|until|noch nicht|nicht mehr|nur|teilweise|pas encore|plus maintenant|"
    r"seulement|todavía no|aún no|solo)\b",
    re.IGNORECASE,
)
_OFFER = pattern(r"请问有什么|有什么可以帮|需要.{0,6}帮助|お手伝い|ご用件|how (?:can|may) (?:i|we) help", re.IGNORECASE)
_TO_YOU = pattern(r"\b(?:you|anyone|anybody|somebody|someone|i|me|du|ihr|jemand|tu|vous)\b", re.IGNORECASE)


def is_personal(question: str) -> bool:
    """Whether the question is to somebody about themselves."""
    return _TO_YOU.search(question) is not None


def completed(question: str, answer: str, language: Lexicon, alone: bool, listed: bool = False) -> str:
    """The question with its answer; "" where the answer needs none or is not certain.

    `alone` where nothing more is said: a yes that is followed by its explanation is not needed. `listed` among
    questions that everybody asks ("Q: Can I …?"), where "I" is nobody.
    """
    stated = question.strip("¿?？ ")
    if _OFFER.search(stated) or is_question(answer):
        return ""
    rest = without_openers(answer, language)
    dense = is_dense(language)
    sign = "：" if dense else ": "
    topical = not dense and stated.split(" ", 1)[0].lower() in language.determiners and not has_verb(stated, language)
    topical = topical or (dense and stated.endswith(("は", "呢")))  # "営業時間は？"
    if topical or _WHICH.match(stated) or (dense and _WHICH_DENSE.search(stated)):  # "The drop-out rate?" asks as well
        if says_nothing(rest, language) or is_question(rest) or len(rest) > _LONGEST_ANSWER:
            return ""
        words = len(rest.split())
        if dense:
            return "" if len(rest) > 10 and not lacks_subject(rest, language) else stated + sign + rest
        stands = words > 3 and has_verb(rest, language)
        if stands and _HOW_TO.match(stated) and lacks_subject(rest, language):
            stands = False  # "How do I …?" – "Click …"
        return stated + sign + rest if words <= _MOST_WORDS and not stands else ""
    if not language.asking.match(question):
        return ""
    if dense and rest != answer and 2 < len(rest) <= 24 and lacks_subject(rest, language):
        return stated + sign + answer
    if len(rest.split()) <= 5 and _PARTLY.match(rest) and not has_verb(rest, language) and not is_personal(stated):
        return stated + sign + answer
    if rest != answer and len(rest.split()) <= 8 and not dense and lacks_subject(rest, language):
        return stated + sign + answer
    short = answer.rstrip("!. 。！")
    if (
        language.agreeing.fullmatch(short)
        and alone
        and (listed or not is_personal(stated))
        and len(stated.split()) >= 3
    ):
        return stated + sign + short.lower()
    return ""
