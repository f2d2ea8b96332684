"""What a new statement is to an old one, judged on the two texts alone.

The measure is the Jaccard overlap of their words (shared / all, 0 to 1). Much overlap alone does not make a new
version: the new value must stand in the tail ("Berlin is …" and "Moscow is …" are two subjects), and a statement that
denies the other or names another number contradicts it. In doubt both stay: a pair that should have been one version
costs a duplicate, a pair that should have stayed two would hide a memory.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from remanence.model.words import tokens_of, words

SUPERSEDE_JACCARD = 0.7
SIMILAR_JACCARD = 0.4
LEAST_TOKENS = 3


class Kinship(StrEnum):
    """What two statements are to each other, from strangers to versions of one statement."""

    UNRELATED = "unrelated"
    SIMILAR = "similar"
    COEXISTS = "coexists"
    FLIPPED = "flipped"
    VERSION = "version"


@dataclass(frozen=True, slots=True)
class Statement:
    """A text with its words, cut once and compared many times."""

    text: str
    words: tuple[str, ...]
    tokens: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Self:
        """The statement a text makes."""
        return cls(text, words(text), tokens_of(text))


def kinship(old: Statement, new: Statement) -> tuple[Kinship, float]:
    """What the new statement is to the old one, and their Jaccard overlap."""
    shared, united = _overlap(old.tokens, new.tokens)
    overlap = shared / united if united else 0.0
    if not united or _compare(shared, united, SIMILAR_JACCARD) < 0:
        return Kinship.UNRELATED, overlap
    if _compare(shared, united, SUPERSEDE_JACCARD) <= 0 or min(len(old.tokens), len(new.tokens)) < LEAST_TOKENS:
        return Kinship.SIMILAR, overlap
    if _denies(old, new) or number_flip(old.text, new.text):
        return Kinship.FLIPPED, overlap
    return (Kinship.VERSION if _continues(old, new) else Kinship.COEXISTS), overlap


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared words by all words: {the, cat, sat} and {the, cat, ran} → 2 / 4 = 0.5; nothing and nothing → 0."""
    shared, united = _overlap(a, b)
    return shared / united if united else 0.0


def negation_flip(a: str, b: str) -> bool:
    """Whether one text denies what the other affirms, by a negator or by an opposite word.

    Both at once cancel out: "is not enabled" and "is disabled" agree.
    """
    return _denies(Statement.of(a), Statement.of(b))


def number_flip(a: str, b: str) -> bool:
    """Whether each text states a number that the other lacks; a number only added is no flip."""
    left = set(numbers(a))
    if not left:
        return False
    right = set(numbers(b))
    return not (left <= right or right <= left)


def continues(a: str, b: str) -> bool:
    """Whether the texts differ in the tail alone: one holds the other's words, or they begin alike.

    Alike is the first half, rounded up, of the shorter: of 9 words the first 5.
    """
    return _continues(Statement.of(a), Statement.of(b))


def _overlap(a: frozenset[str], b: frozenset[str]) -> tuple[int, int]:
    shared = len(a & b)
    return shared, len(a) + len(b) - shared


def _compare(shared: int, united: int, threshold: float) -> int:
    """The sign of shared / united - threshold, exactly: 7 / 10 is not above 0.7 by a rounding error."""
    return shared * 100 - united * round(threshold * 100)


def _continues(a: Statement, b: Statement) -> bool:
    shorter = min(len(a.words), len(b.words))
    if not shorter:
        return False
    if a.tokens <= b.tokens or b.tokens <= a.tokens:
        return True
    half = (shorter + 1) // 2
    return a.words[:half] == b.words[:half]


# --- negation


def _listed(table: str) -> frozenset[str]:
    return frozenset(table.split())


# English (its contractions are seen by their n't), German, the Romance languages, Dutch, Russian.
_NEGATORS = _listed(
    """
    not no never without cannot neither none nothing nobody nowhere dont doesnt didnt isnt arent wasnt werent cant
    couldnt wont wouldnt shouldnt havent hasnt hadnt
    nicht kein keine keiner keinen keinem keines nie niemals nichts niemand ohne
    pas sans sin non senza não sem
    niet geen nooit niets zonder
    не нет без нельзя
    """
)
# They stand beside a negator without negating again (ne … pas, no … nunca, neither … nor), and count where alone.
_COMPANIONS = _listed(
    """
    nor weder
    ne jamais rien aucun aucune ni
    nunca jamás nada nadie ningún ninguno ninguna tampoco
    niente nulla nessun nessuno nessuna né
    ninguém nenhum nenhuma nem
    ни никогда ничего никто никакой
    """
)
_NEGATING = _NEGATORS | _COMPANIONS
# Chinese, Japanese, Korean, without the everyday words that only look negated (非常 "very", 未来 "future").
_UNSPACED_NEGATOR = re.compile(
    "不(?![同过過仅僅断斷错錯])|[没沒无無]|未(?![来來])|非(?!常)|(?<![少危])ない|なかっ|ません|않|없"
)

_OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in _listed("""
    enable/disable enables/disables enabled/disabled activate/deactivate activated/deactivated on/off true/false
    allow/deny allows/denies allowed/denied allow/forbid allows/forbids allowed/forbidden permitted/forbidden
    allowed/prohibited accept/reject accepts/rejects accepted/rejected approved/rejected include/exclude
    includes/excludes included/excluded open/closed present/absent online/offline pass/fail passes/fails passed/failed
    succeeds/fails succeeded/failed required/optional like/hate likes/hates love/hate loves/hates
    aktiviert/deaktiviert erlaubt/verboten activé/désactivé activado/desactivado ativado/desativado
    включен/выключен разрешено/запрещено 启用/禁用 允许/禁止 开启/关闭 許可/禁止
    """)
)
_OPPOSED = frozenset(word for pair in _OPPOSITES for word in pair)
_PREFIXED = re.compile(r"(?:un|dis|in|im|il|ir|non|des|dés|не)(\w{4,})")
_NOT_PREFIXED = _listed(
    """
    inside income incoming install installed inform indeed intend invest instance intake import imports important
    impress improve improved impose discover display displays dispatch discount discourse disclose discharge dismiss
    dispose distress disease
    """
)


def _denies(a: Statement, b: Statement) -> bool:
    negated = negations(a) != negations(b)
    return negated != opposed(a.tokens - b.tokens, b.tokens - a.tokens)


def negations(statement: Statement) -> int:
    if statement.tokens.isdisjoint(_NEGATING) and "'" not in statement.text and statement.text.isascii():
        return 0
    count = companions = 0
    for word in statement.words:
        if word in _NEGATORS or word.endswith("n't"):
            count += 1
        elif word in _COMPANIONS or word.startswith("n'"):
            companions = 1
    if not statement.text.isascii():
        count += len(_UNSPACED_NEGATOR.findall(statement.text))
    return count or companions


def opposed(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether a word of one side is the opposite of a word of the other."""
    if any(frozenset((x, y)) in _OPPOSITES for x in left & _OPPOSED for y in right & _OPPOSED):
        return True
    return _unmakes(left, right) or _unmakes(right, left)


def _unmakes(prefixed: frozenset[str], bare: frozenset[str]) -> bool:
    for word in prefixed - _NOT_PREFIXED:
        match = _PREFIXED.fullmatch(word)
        if match and match[1] in bare:
            return True
    return False


# --- numbers

_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_TEENS = ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SPELLED = {
    **{word: float(value) for value, word in enumerate(_UNITS + _TEENS)},
    **{word: 10.0 * value for value, word in enumerate(_TENS, start=2)},
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6}

# A date, a time, a version or a range is one number: 2024-01-02, 12:30, 3.11.4, 3-5.
_NUMERAL = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:[.:/-]\d+)*"
_SPELLED_WORD = rf"(?:{'|'.join([*_SPELLED, *_SCALES])})"
_PHRASE = re.compile(rf"(?:{_NUMERAL}|\b{_SPELLED_WORD}\b)(?:[\s-]+(?:and\s+)?{_SPELLED_WORD}\b)*")
_DIGITS = re.compile(_NUMERAL)
_PART = re.compile(rf"{_NUMERAL}|\b{_SPELLED_WORD}\b")
_SPELLED_ROOTS = tuple(dict.fromkeys(word.removesuffix("teen").removesuffix("ty") for word in (*_SPELLED, *_SCALES)))
_DIGIT = re.compile(r"\d")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")


def numbers(text: str) -> Iterator[str]:
    """Every number of a text in one spelling: "1,000", "1000" and "one thousand" are "1000"."""
    text = text.lower()
    if not any(root in text for root in _SPELLED_ROOTS):  # the long pattern takes ten times as long
        yield from map(_numeral, _DIGITS.findall(text))
        return
    for phrase in _PHRASE.finditer(text):
        parts = _PART.findall(phrase[0])
        if parts == ["one"]:  # far more often a pronoun
            continue
        if parts[0][0].isdigit():
            numeral = _numeral(parts[0])
            if len(parts) == 1 or parts[1] not in _SCALES or not _PLAIN.fullmatch(numeral):
                yield numeral
                parts = parts[1:]
        yield from _spelled(parts)


def _numeral(digits: str) -> str:
    ascii_ = digits if digits.isascii() else _DIGIT.sub(lambda digit: str(int(digit[0])), digits)
    numeral = ascii_.replace(",", "")
    if not _PLAIN.fullmatch(numeral):
        return numeral
    whole, _, rest = numeral.partition(".")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{rest}" if rest.strip("0") else whole


def _spelled(parts: list[str]) -> Iterator[str]:
    """The values of adjacent number words: two, hundred, fifty → 250; two, three → 2 and 3."""
    terms: list[float] = []
    for part in parts:
        scale = _SCALES.get(part)
        if scale is None:
            terms.append(_SPELLED[part] if part in _SPELLED else float(_numeral(part)))
            continue
        group = 0.0
        while terms and terms[-1] < scale:
            group += terms.pop()
        terms.append((group or 1.0) * scale)
    total = 0.0
    for term in terms:
        if total and (term == 0 or total % 10 ** len(str(int(term)))):
            yield f"{total:.15g}"
            total = 0.0
        total += term
    if terms:
        yield f"{total:.15g}"
