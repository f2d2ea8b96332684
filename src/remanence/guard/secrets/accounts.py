"""Passwords told without the word for them: after a word for accounts ("qa logins: ann:x, bob:y"), a prompt ("if sudo
asks, type x"), a protection ("encrypted with x"), or in a chat that asks for a login.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from remanence.guard.secrets.judging import chosen, harmless, hostlike, likely, said
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.reading import ends_here, holds_one, matches, one_of, value_at

_STEMS = ("login", "log-in", "cred", "account", "user", "zug", "identifiant", "acc", "inlog", "anmelde")
_LIST = lazy(
    r"(?P<sure>log-?ins?|creds?|credentials|credenciales|credenziali|zugangsdaten|zugänge|zugang|anmeldedaten"
    r"|identifiants?|accès"
    r"|accesso|accessi|acceso|inloggegevens|inlog)(?![a-z])(?P<of>[^\n:=.]{0,40}?)(?:\s?[:=]|\s(?:is|are|sind"
    r"|lauten))\s{1,3}"
    r"|(?:accounts?|users?)(?![a-z])[^\n:=.]{0,40}?:\s{1,3}"
)
_ITEM = lazy(
    r"[\"'`(]?(?P<user>[a-z][\w.@+-]{1,60})[\"'`]?(?P<sign>\s?:\s?|\s?/\s?|\s?\|\s?|\s?=\s?|\s[-–—]\s|, | und | and "
    r"| with | mit "
    r"| et | y | e | en | met )(?:(?:pw|pass|password|passwort) )?(?=\S{4})"
)
_BETWEEN = lazy(r"[\"'`)]?\s?(?:[,;|\n]|\b(?:and|und|et|y)\b)\s{0,4}(?:[-*•] )?")
_MOST = 32
_STANDS = lazy(
    r"(?:log-?ins?|creds?|combo|zugang)(?![a-z])[^.!?\n]{0,90}?\b(?:it['’]?s|it is|is (?:now|still)|es ist"
    r"|c['’]est) (?=\S{5})"
)
# "If sudo prompts you, enter x", "the popup wants x"
_PROMPT = lazy(
    r"(?:prompt(?:s|ed|ing)?|asks|asked|gefragt)(?![a-z])(?: (?:you|me|us|for (?:it|one|auth|a login"
    r"|credentials)|for (?:the|a) [\w-]{1,14}|danach|nach \w{1,12})){0,2}"
    r",? (?:then |just |please )?(?:enter|type|use|give(?: it)?|answer|say|put|reply(?: with)?|nimm|tippe|gib)(?: in"
    r"| with)?:? (?=\S{5})"
)
_GUARDED = lazy(
    r"(?:protected|secured|crypted|guarded|geschützt|gesichert|verschlüsselt)"
    r"(?: only| (?:the|my|our|this|that|das|die|le|la)(?: [\w.-]{1,16}){1,3}?)?(?: (?:by|with|using|mit|par|avec|con"
    r"|da)):? (?=\S{5})"
)
_SHORT = lazy(r"(?<![a-z0-9])u(?:ser|n)?[:=]\s?\S{2,60}[,;/| ]{1,3}p(?:w|wd|ass)?\s?[:=]\s?(?=\S{4})")
_CHAT = lazy(
    r"(?:log-?in|creds?|credentials|zugang|zugangsdaten)(?![a-z])[^\n]{0,60}\n(?:[^\n:]{1,24}:\s{1,2}|<[^\n>]{1,24}> )?"
    r"[\w.@+-]{2,60}[ \t]{0,3}\n(?:[^\n:]{1,24}:\s{1,2}|<[^\n>]{1,24}> )?(?=\S{5,60}[ \t]{0,3}(?:\n|$))"
)
_DIGIT = lazy(r"\d")
# A digit or sign inside, as no name of a product has it.
_DISTINCT = lazy(r"[a-z]{2}\d(?!\d{3}$)|\d[a-z]|[a-zA-Z\d][!#$%^&*+=~@]|[!#$%^*+=~@][A-Za-z\d]")
_CAPITAL = lazy(r"[A-Z]|[!#$%^&*+=~@]")


def accounts(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of the passwords."""
    if not _ANY.search(low):
        return
    for pattern, stems in _OTHERS:
        if holds_one(low, stems):
            yield from _told(text, low, pattern, stems)
    if not holds_one(low, _STEMS):
        return
    passed = 0
    for match in matches(_LIST, low, _STEMS):
        at, number = match.end(), 0
        while at >= passed and number < _MOST and (item := _ITEM.match(low, at)):
            start, end, _ = value_at(text, item.end())
            sign = item["sign"].strip()
            loose = sign.isalpha() or sign in (",", "-", "–", "—", "=")
            if not _second(text[start:end], match["sure"] is not None, loose, sign):
                break
            if loose and (number or not (ends_here(text, end) or text[end : end + 2] == " (")):
                break
            yield "password", start, end
            number += 1
            passed = end
            then = _BETWEEN.match(low, end)
            if then is None:
                break
            at = then.end()


_OTHERS = (
    (_PROMPT, ("prompt", "asks", "asked", "gefragt")),
    (_GUARDED, ("protected", "secured", "crypted", "guarded", "geschützt", "gesichert", "verschlüsselt")),
    (_SHORT, ("u:", "u=", "un:", "un=", "user:", "user=")),
    (_STANDS, ("login", "log-in", "cred", "combo", "zugang")),
    (_CHAT, ("login", "log-in", "cred", "zugang")),
)
STEMS = (*_STEMS, *(stem for _, stems in _OTHERS for stem in stems))
_ANY = one_of(STEMS)


def _told(text: str, low: str, pattern: re.Pattern[str], stems: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    for match in matches(pattern, low, stems):
        start, end, _ = value_at(text, match.end())
        value = text[start:end]
        if value.isdigit() or hostlike(value) or harmless(value):
            continue
        if pattern is _SHORT:
            if not match[0].startswith("u") or not likely(value):
                continue
        elif pattern is _PROMPT:
            if not (likely(value) and (_CAPITAL.search(value) or _DIGIT.search(value))):
                continue
        elif not (_CAPITAL.search(value) and (said(value, True) or chosen(value)) and _DISTINCT.search(value)):
            continue
        yield "password", start, end


def _second(value: str, sure: bool, loose: bool, sign: str) -> bool:
    if (
        value.isdigit()
        or value.startswith("//")
        or harmless(value)
        or hostlike(value)
        or not (likely(value) if sure else said(value, True))
    ):
        return False
    return not loose or (sure and bool(_CAPITAL.search(value) or any(c.isdigit() for c in value)))
