"""Beliefs: which of two memories that contradict each other no longer holds, and what that costs it.

Only the older of two can be invalidated, by one that is trusted at least as much. Without a language model that takes
two more confirmations, or a clear replacement: the newer one denies the older or counts otherwise, of the same subject,
and says since when ("now", "no longer", "since May", a date) where the older one does not. Importance then falls to
0.7 of what it was, never below 0.1: 0.5 → 0.35. The same memory never invalidates a belief twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from remanence.lifecycle.duplicates import jaccard
from remanence.lifecycle.numerals import numbers
from remanence.lifecycle.semantic_duplicates import Said, flipped, same
from remanence.model.memory import Memory
from remanence.model.moment import moment_in
from remanence.model.words import STOP_WORDS, tokens_of, words

PROBED_AT, PROBED_BY, INVALIDATED_BY = "probed_at", "probed_by", "invalidated_by"
"""Names in a belief's metadata: when it was probed, by which memory or by a model, and by which it was invalidated."""
UNREAD = timedelta(days=14)
FACTOR, FLOOR = 0.7, 0.1
MORE_CONFIRMATIONS = 2
SAME_SUBJECT = 0.6
SHARED_SUBJECT = 0.33
REPEATED = 0.8
MOST_KEPT = 20
_MONTH = (
    r"(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|mar(?:ch|s|zo)?|märz|apr(?:il)?|may|mai|mayo|jun[ei]?|juin|junio|"
    r"jul[yi]?|juillet|julio|aug(?:ust)?|août|agosto|sep(?:tember|tembre|tiembre)?|o[ck]t(?:ober|obre|ubre)?|"
    r"nov(?:ember|embre|iembre)?|de[cz](?:ember)?|décembre|diciembre)"
)
_SINCE = re.compile(
    r"\b(?:now|nowadays|no longer|not any ?more|anymore|as of|from now on|currently|has changed|was changed|switched|"
    rf"replaced|moved (?:away )?from|(?:since|until) (?:\d|v\d|last|yesterday|today|{_MONTH}|the (?:move|switch|change|"
    r"migration|upgrade|release|update))|jetzt|nun|nicht mehr|kein\w* .{0,40}mehr|ab sofort|inzwischen|mittlerweile|"
    rf"seit (?:\d|{_MONTH}|gestern|heute|dem)|maintenant|désormais|dorénavant|ne .{{0,40}}plus|n'.{{0,40}}plus|"
    rf"depuis (?:\d|{_MONTH}|hier)|ahora|ya no|desde (?:\d|{_MONTH}|ayer)|actualmente)\b"
    r"|现在|現在|不再|如今|目前|今は|もう|以降|からは",
    re.IGNORECASE,
)
_DENYING = """
    never without cannot neither none nothing nicht kein keine keinen keiner nie niemals ohne pas jamais sans sin nunca
"""
_DENIALS = frozenset(_DENYING.split())
_DAY = re.compile(
    rf"\b\d{{4}}-\d\d?(?:-\d\d?)?\b|\b\d\d?[./]\d\d?[./]\d{{2,4}}\b|\b{_MONTH}\.? (?:\d\d?,? )?\d{{4}}\b|"
    r"\d{4}年",
    re.IGNORECASE,
)


def weakened(importance: float) -> float:
    """What is left of an importance: 0.5 → 0.35, 0.12 → 0.1, and what is below 0.1 stays as it is."""
    return min(importance, max(FLOOR, FACTOR * importance))


def is_probed(memory: Memory, now: datetime) -> bool:
    """Whether it was probed less than 14 days ago."""
    at = moment_in(memory.metadata, PROBED_AT)
    return at is not None and abs(now - at) < UNREAD


def is_settled(belief: Memory, other: Memory) -> bool:
    """Whether the belief was invalidated by this very memory before."""
    return other.id in _ids(belief.metadata)


def _ids(metadata: Mapping[str, Any]) -> list[str]:
    known = metadata.get(INVALIDATED_BY)
    return [id for id in known if isinstance(id, str)] if isinstance(known, list) else []


def probed(metadata: Mapping[str, Any], now: datetime, by: str, invalidated_by: tuple[str, ...] = ()) -> dict[str, Any]:
    """The metadata of a belief once it was probed."""
    after = {**metadata, PROBED_AT: now.isoformat(), PROBED_BY: by}
    if invalidated_by:
        after[INVALIDATED_BY] = list(dict.fromkeys((*_ids(metadata), *invalidated_by)))[-MOST_KEPT:]
    return after


def is_newer(other: Memory, belief: Memory) -> bool:
    """Whether what the other says began to hold, or was stored, later."""
    return (other.valid_from or other.created_at) > (belief.valid_from or belief.created_at)


def may_invalidate(other: Memory, belief: Memory) -> bool:
    """Whether the other is newer, believed at least as far, and has not invalidated it before."""
    return is_newer(other, belief) and other.trust >= belief.trust and not is_settled(belief, other)


def evidence_against(belief: Memory, other: Memory) -> str | None:
    """What settles a contradiction against the belief without a model; None where a person has to."""
    if not may_invalidate(other, belief):
        return None
    if other.confirmations >= belief.confirmations + MORE_CONFIRMATIONS:
        return "confirmed more often"
    return "replaced" if replaces(belief.text, other.text) else None


def replaces(older: str, newer: str) -> bool:
    """Whether the newer text takes the older one's place outright: "port 80" → "now port 81"."""
    return contradicts(older, newer) and _says_when(newer) and not _says_when(older)


def contradicts(a: str, b: str) -> bool:
    """Whether one denies the other or counts otherwise, both speaking of the same subject.

    A number says what is spoken of where it stands early, and how much where it stands late: "Issue 12 is fixed" and
    "Issue 13 is fixed" are two issues. What happened on different days is no contradiction either.
    """
    if subject_overlap(a, b) < SAME_SUBJECT or not flipped(one := Said.of(a), other := Said.of(b)):
        return False
    days = [frozenset(_DAY.findall(text)) for text in (a, b)]
    if days[0] and days[1] and days[0] != days[1]:
        return False
    is_denial = one.numbers <= other.numbers or other.numbers <= one.numbers
    return is_denial or _begin_alike(a, b)


def _begin_alike(a: str, b: str) -> bool:
    left, right = (words(_SINCE.sub(" ", text)) for text in (a, b))
    half = (min(len(left), len(right)) + 1) // 2
    return left[:half] == right[:half]


def subject_overlap(a: str, b: str) -> float:
    """The share of telling words two texts have in common, without numbers, denials and when it holds."""
    return jaccard(_subject(a), _subject(b))


def speaks_against(belief: str, other: str) -> bool:
    """Whether a text can be evidence against a belief: it has a third of its telling words, and is no repetition."""
    telling, there = _subject(belief), _subject(other)
    if not telling or len(telling & there) < SHARED_SUBJECT * len(telling):
        return False
    return jaccard(tokens_of(belief), tokens_of(other)) < REPEATED or not same(Said.of(belief), Said.of(other))


def _subject(text: str) -> frozenset[str]:
    rest = tokens_of(_DAY.sub(" ", _SINCE.sub(" ", text))) - STOP_WORDS - frozenset(numbers(text))
    return frozenset(word for word in rest if not word.isdigit() and word not in _DENIALS)


def _says_when(text: str) -> bool:
    return _SINCE.search(text) is not None or _DAY.search(text) is not None
