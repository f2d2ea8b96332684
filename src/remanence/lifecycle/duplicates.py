"""What a new statement is to an old one, judged on the two texts alone.

The measure is the Jaccard overlap of their words (shared / all, 0 to 1). Much overlap alone does not make a new
version: the new value must stand in the tail ("Berlin is …" and "Moscow is …" are two subjects), behind the verb ("The
backup of the wiki is …" and "of the shop is …" are two as well), and neither may say that it comes beside others
("also"). A statement that denies the other or names another number contradicts it; one that does nothing but deny the
other does so whatever the words of denying take from their overlap ("requires", "does not require"). In doubt both
stay: a pair that should have been one version costs a duplicate, one that should have stayed two would hide a memory.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Self

from remanence.lifecycle.numerals import numbers
from remanence.model.words import STOP_WORDS, tokens_of, words

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
    enough = min(len(old.tokens), len(new.tokens)) >= LEAST_TOKENS
    if _compare(shared, united, SUPERSEDE_JACCARD) <= 0 or not enough:
        return (Kinship.FLIPPED if enough and _merely_denies(old, new) else Kinship.SIMILAR), overlap
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
    left = _numbers(a)
    if not left:
        return False
    right = _numbers(b)
    return not (left <= right or right <= left)


@lru_cache(maxsize=4096)  # a new statement is compared with many that were compared before
def _numbers(text: str) -> frozenset[str]:
    return frozenset(numbers(text))


def continues(a: str, b: str) -> bool:
    """Whether the texts differ in the tail alone: one holds the other's words, or they begin alike.

    Alike is the first half, rounded up, of the shorter: of 9 words the first 5. What differs before the verb is what
    they speak of, and one that says "also" stands beside the other.
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
    if a.words[:half] != b.words[:half]:
        return False
    return not (_adds(a) or _adds(b) or _differ_before_verb(a.words, b.words, shorter))


# --- beside each other


def _listed(table: str) -> frozenset[str]:
    return frozenset(table.split())


def _adds(statement: Statement) -> bool:
    """Whether a statement says that it holds beside others: also, another, … too, as well."""
    if not statement.tokens.isdisjoint(_ADDING):
        return True
    said = statement.words
    return said[-1] == "too" or ("as", "well") in pairwise(said) or "也" in statement.text


def _differ_before_verb(a: tuple[str, ...], b: tuple[str, ...], shorter: int) -> bool:
    """Whether what differs stands before the first verb, at most a noun between: "the staging server rotates"."""
    alike = next((place for place in range(shorter) if a[place] != b[place]), shorter)
    after = next((n for n in range(shorter - alike) if a[-1 - n] != b[-1 - n]), shorter - alike)
    tail = a[len(a) - after :]
    follows = any(map(_is_verb, tail[:1])) or (STOP_WORDS.isdisjoint(tail[:1]) and any(map(_is_verb, tail[1:2])))
    return follows and not any(map(_has_verb, a[:alike]))


def _is_verb(word: str) -> bool:
    """Whether a word is a verb by its list or looks like one: runs, listens, failed."""
    looks = len(word) >= 4 and word.isascii() and word.endswith(("s", "ed")) and not word.endswith(("ss", "us", "is"))
    return looks or word in _VERBS


def _has_verb(word: str) -> bool:
    """Whether the verb has come with this word: it is one, or a pronoun that stands before one."""
    return _is_verb(word) or word in _PRONOUNS


# --- negation


_ADDING = _listed(
    """
    also another additionally besides moreover furthermore likewise
    auch außerdem zudem ebenfalls zusätzlich aussi également también además anche inoltre também ook eveneens тоже также
    """
)
_VERBS = _listed(
    """
    is are was were has have had does do did can could may might must shall should will would
    ist sind war waren hat haben hatte kann können muss darf soll wird est sont était ont es son era è sono
    """
)
_PRONOUNS = _listed("i you we they ich du wir sie ihr je tu nous vous yo")
# English (its contractions are seen by their n't), German, the Romance languages, Dutch, Russian; Swedish, Danish and
# Norwegian; Czech and Finnish; Greek, Arabic, Hebrew, Hindi, Indonesian, Vietnamese, Korean.
_NEGATORS = _listed(
    """
    not no never without cannot neither none nothing nobody nowhere dont doesnt didnt isnt arent wasnt werent cant
    couldnt wont wouldnt shouldnt havent hasnt hadnt
    nicht kein keine keiner keinen keinem keines nie niemals nichts niemand ohne
    pas sans sin non senza não sem
    niet geen nooit niets zonder
    не нет без нельзя
    inte icke aldrig ingen inget inga utan ikke ikkje aldri ingenting intet uden uten
    není nejsou nemá ei eivät ilman
    δεν μην χωρίσ لا لم لن ليس ليست بدون לא אין בלי नहीं बिना tidak bukan tanpa không chưa 안 못
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
    succeeds/fails succeeded/failed success/failure required/optional mandatory/optional like/hate likes/hates love/hate
    loves/hates likes/dislikes increase/decrease increases/decreases increased/decreased increasing/decreasing
    grew/shrank rise/fall rises/falls rose/fell raise/lower raised/lowered start/stop starts/stops started/stopped
    begin/end begins/ends began/ended add/remove adds/removes added/removed before/after above/below
    over/under minimum/maximum min/max more/less more/fewer most/least higher/lower larger/smaller bigger/smaller
    longer/shorter earlier/later faster/slower better/worse fast/slow high/low hot/cold light/dark full/empty
    alive/dead public/private
    internal/external inside/outside manual/automatic manually/automatically sync/async synchronous/asynchronous
    local/remote upstream/downstream visible/hidden left/right north/south east/west up/down front/back top/bottom
    win/lose wins/loses won/lost buy/sell buys/sells bought/sold single/married strong/weak safe/dangerous clean/dirty
    ja/nein vor/nach avant/après antes/después mehr/weniger plus/moins más/menos an/aus ouvert/fermé
    abierto/cerrado offen/geschlossen 增加/减少 上升/下降 打开/关闭 増加/減少 開始/停止
    aktiviert/deaktiviert erlaubt/verboten activé/désactivé activado/desactivado ativado/desativado
    включен/выключен разрешено/запрещено 启用/禁用 允许/禁止 开启/关闭 許可/禁止
    """)
)
_OPPOSED = frozenset(word for pair in _OPPOSITES for word in pair)
# What a denial brings or takes along: does not require / requires, does not have / has.
_HELPING = _listed("do does did have has had")
_ENDING = re.compile("(?<=[a-z]{3})[deisy]+$", re.ASCII)
_PREFIXED = re.compile(r"(?:un|dis|in|im|il|ir|non|des|dés|ne|не)(\w{4,})")
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


def _merely_denies(a: Statement, b: Statement) -> bool:
    """Whether one says what the other says and denies it, and nothing else: of the same words but for the denial."""
    return negations(a) != negations(b) and _affirmed(a) == _affirmed(b)


def _affirmed(statement: Statement) -> frozenset[str]:
    """Its words without those of denying and the helping verbs that come with them, and without the ends of verbs."""
    kept = (word.removeprefix("n'") for word in statement.words if word not in _NEGATING and not word.endswith("n't"))
    return frozenset(_ENDING.sub("", word) for word in kept if word not in _HELPING)


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
