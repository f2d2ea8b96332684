"""Values in the same sentence as a name, though nothing binds the two: "if it wants a password, just enter x".

A value must look like a password by itself (signs inside, or drawn), unless a word says that it is to be typed or that
the password became it. After "token", "key" and "secret" only long runs that were drawn are taken.
"""

from __future__ import annotations

from collections.abc import Iterator

from remanence.guard.secrets.judging import (
    code,
    harmless,
    hostlike,
    passphrase,
    placeholder,
    random_looking,
    said,
    setting,
    wordy,
)
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.names import Name, harmless_name, tail_end
from remanence.guard.secrets.reading import bare_end, ends_here, value_at

_BEFORE, _AFTER, _FURTHEST = 80, 110, 200
_ENDS = lazy(r"[.!?;](?:\s|$)|\n")
_TOKEN = lazy(r"(?<![^\s(\"'`“«])[A-Za-z0-9!@#$%^&*+=?~_-][!-~]{6,63}")
_TELLING = lazy(r"[\d!#$%^&*+=~@]|[a-z][-._][a-z]{1,20}[-._][a-z]")
_SIGN = lazy(r"[!@#$%^&*+=?~]")
_INSIDE = lazy(r"[A-Za-z0-9][!@#$%^&*+=?~]+[A-Za-z0-9]")
_BRACKET = lazy(r"[()\[\]{}<>|\\/,:;\"'`]")
_ACCOUNT = lazy(r"[\w.+-]+@[\w.-]+$")
_LOWER = lazy(r"[a-z]")
_UPPER = lazy(r"[A-Z]")
_DIGIT = lazy(r"\d")
_JOINT = lazy(r"[-_./:]")
_HEX = lazy(r"[0-9a-fA-F-]+$")
_NAMED = lazy(r"(?:token|key|pass|pwd|pw|secret|auth|user|login)[\w-]{0,10}[=:]")
_DRAWN = lazy(r"(?<![^\s(\"'`“«])[A-Za-z0-9][!-~]{19,}")
_SAID = lazy(r"(?:\b(?:is|was|are|namely|ist|lautet|est|es|é|è)|[:=])[ \"'`]{0,3}$")
_OTHER = lazy(
    r"\b(?:commit|sha\d*|hash|digest|checksum|id|uuid|guid|build|version|trace|request|fingerprint|thumbprint|etag)\b"
)
# In the next sentence, or alone on the next line.
_NEXT = lazy(
    r"[^\n]{0,90}?[.;!?,(—-] ?(?:it(?:['’]s| is| was)|that(?:['’]s| is)|the (?:new|current|old|right"
    r"|real) (?:one|value)"
    r"(?: is| was|:)|i (?:think|believe|guess)(?: that)? it(?:['’]s| is| was)|here (?:it is|you go)|namely|still)"
    r"(?: (?:now|still|currently))?:? (?=\S{4})"
)
_BELOW = lazy(r"[^\n:]{0,40}:[ \t]{0,4}\r?\n\s{0,8}(?=[^\s:=\"'`]{4,80}[ \t]{0,4}(?:\r?\n|$))")
# To be typed, or what it became.
_LEADS = lazy(
    r"(?<![a-z])(?:(?P<typed>enter|type|typed|use|try|using|put in|punch in|give (?:it|them|him|her))"
    r"|(?:turn(?:s|ed) out|happen(?:s|ed)|used|needs|has|seems|supposed|going) to be|ended up (?:being|as)"
    r"|(?:is|was|be) (?:supposedly|apparently|probably|definitely|really|once)"
    r"|(?:chang|reset|set|updat|rotat|switch|modifi|geändert|cambi|alter|ändra|zmieni|gewijzigd|измен|смен)\w{0,8}"
    r"(?: [\w-]{1,12}){0,3}? (?:to|into|en|auf|in|a|por|para|em|till|naar|na|на))"
    r"(?: the (?:word|value|string))?:? (?=\S{4})"
)
# Late in the sentence: ", printed on the receipt, is x" and ", x."
_LATE = lazy(r"(?:,|\b(?:is|was|be|ist|lautet|est|es|é|è))\s(?=\S{6})")
_YEAR = lazy(r"[A-Z]?[a-z]{3,14}\d{2,4}!?$")
_OF = lazy(r"(?<![a-z])an? (?:[\w-]{2,14} ){0,3}$")
_COUNTED = lazy(r"[ -](?:[a-z]{3,}s\b|char|digit|bit|min|hour)")


def nearby(text: str, low: str, known: list[Name]) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of values that share a sentence with a name."""
    passed = clear = 0  # nothing telling before `clear`
    for name in known:
        begins, furthest = max(passed, name.start - _BEFORE), name.end + _FURTHEST
        if name.end <= passed or clear >= furthest:
            continue
        first = _TELLING.search(low, max(begins, clear))
        if first is None:
            return
        clear = first.start()
        if clear >= furthest:
            continue
        tail = tail_end(low, name)
        if tail > name.end and harmless_name(low, name, tail):
            continue
        for stop in _ENDS.finditer(low, begins, name.start):
            begins = stop.end()
        ends = name.end + _AFTER
        if last := _ENDS.search(low, name.end, ends):
            ends = last.end()
        passed = ends
        yield from _strong(text, low, name, begins, ends) if name.strong else _weak(text, low, name, ends)


def _strong(text: str, low: str, name: Name, begins: int, ends: int) -> Iterator[tuple[str, int, int]]:
    for further in (_NEXT.match(low, name.end), _BELOW.match(low, name.end)):
        if further and (span := _led(text, low, further.end(), False)):
            yield name.kind, *span
    for token in _TOKEN.finditer(text, begins, ends) if _DIGIT.search(text, begins, ends + 64) else ():
        if not _DIGIT.search(token[0]):
            continue
        start, end = token.start(), bare_end(text, token.start())
        if not _NAMED.search(low, start, end) and (glaring(text[start:end]) or _quoted(text, start, end)):
            yield name.kind, start, end
    for lead in _LEADS.finditer(low, name.end, ends):
        if span := _led(text, low, lead.end(), lead["typed"] is not None):
            yield name.kind, *span
    for lead in _LATE.finditer(low, name.end, ends):
        span = _led(text, low, lead.end(), False)
        if span and _human(text[span[0] : span[1]]) and ends_here(text, span[1]):
            yield name.kind, *span
    of = low.startswith(" of ", name.end) and _OF.search(low, max(0, name.start - 60), name.start)
    if of and (span := _led(text, low, name.end + 4, True)):
        yield name.kind, *span


_IN_QUOTES = lazy(
    r"(?=\D{0,62}\d)(?=[^A-Z]{0,62}[A-Z])(?=[^a-z]{0,62}[a-z])[A-Za-z0-9]+(?:[-_.!+&~][A-Za-z0-9]+){1,5}!?$"
)


def _quoted(text: str, start: int, end: int) -> bool:
    """Words bound by a sign with a capital and a figure, and in quotes: no more than a password needs them."""
    return (
        end - start > 7
        and text[start - 1 : start] in _QUOTES
        and text[end : end + 1] in _QUOTES
        and _IN_QUOTES.match(text[start:end]) is not None
        and said(text[start:end], True)
        and not hostlike(text[start:end])
    )


_QUOTES = ('"', "'", "“", "”", "„", "«", "»")


def _human(value: str) -> bool:
    """As people choose them: a passphrase, a word with a sign, or with a year behind it."""
    return passphrase(value) or bool(_INSIDE.search(value)) or bool(_YEAR.match(value))


def _weak(text: str, low: str, name: Name, ends: int) -> Iterator[tuple[str, int, int]]:
    for token in _DRAWN.finditer(text, name.end, ends):
        start, end = token.start(), bare_end(text, token.start())
        if _long(text[start:end], low[name.end : start]):
            yield name.kind, start, end


def _long(value: str, between: str) -> bool:
    """Is a long run after "token", "key" or "secret" one? Hexadecimal ones must be said to be."""
    if len(value) < 20 or placeholder(value) or code(value) or not random_looking(value) or wordy(value):
        return False
    if _HEX.match(value):
        return len(value) > 31 and _SAID.search(between) is not None and _OTHER.search(between) is None
    return (
        not _JOINT.search(value)
        and bool(_UPPER.search(value))
        and bool(_LOWER.search(value))
        and bool(_DIGIT.search(value))
    )


def _led(text: str, low: str, at: int, digits: bool) -> tuple[int, int] | None:
    start, end, _ = value_at(text, at)
    value = text[start:end]
    if not said(value, True) or hostlike(value) or (value[0].isdigit() and _COUNTED.match(low, end)):
        return None
    return (start, end) if digits or not value.isdigit() else None


def glaring(value: str) -> bool:
    """Does it look like a password whatever stands around it?"""
    if not 7 < len(value) < 65 or not _DIGIT.search(value) or not _LOWER.search(value) or _BRACKET.search(value):
        return False
    if placeholder(value) or code(value) or harmless(value) or setting(value) or _ACCOUNT.match(value):
        return False
    if _INSIDE.search(value) or (_SIGN.search(value[-1:]) and not wordy(value)):
        return bool(_UPPER.search(value)) or len(_SIGN.findall(value)) > 1
    return (
        len(value) > 9
        and bool(_UPPER.search(value))
        and not _JOINT.search(value)
        and not _HEX.match(value)
        and not wordy(value)
        and random_looking(value)
    )
