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
    r"(?:protected|secured|crypted|guarded|locked|sealed|geschützt|gesichert|verschlüsselt|verriegelt|gesperrt|protégé"
    r"|verrouillé|chiffré|cifrad|protegid|bloquead|criptat|protett|bloccat|beveiligd|versleuteld"
    r"|vergrendeld)[eoas]{0,2}"
    r"(?: only| it| them| (?:the|my|our|this|that|das|die|le|la)(?: [\w.-]{1,16}){1,3}?)?"
    r"(?: (?:by|with|using|mit|par|avec|con|com|da|met)):? (?=\S{5})"
)
# "mit x gesichert"
_GUARDED_LATE = lazy(
    r"(?:mit|met) (?P<v>\S{5,60}) (?:geschützt|gesichert|verschlüsselt|verriegelt|gesperrt|zugesperrt|beveiligd"
    r"|versleuteld|vergrendeld)(?![a-zß-ÿ])"
)
# "to extract it: x", "open it with x", "needs x to unzip"
_OPENS = r"open|extract|unzip|decrypt|unlock|unpack|öffnen|entpacken|entschlüsseln|openen|uitpakken"
_OPENING = ("open", "extract", "unzip", "decrypt", "unlock", "unpack", "öffnen", "entpack", "entschlüss", "uitpakken")
_HELD_OPENING = one_of(_OPENING)
_OPENING_TOO = ("ouvrir", "abrir", "aprir")
_TO_OPEN = lazy(
    rf"(?:(?<=to )|(?<=zum )|(?<=te ))(?:{_OPENS})(?: it| them| the \w{{2,12}})?"
    r"(?:\s?:|,? (?:use|type|enter|nimm|gebruik):?)\s(?=\S{5})"
    rf"|(?:{_OPENS}) (?:it|them|that) (?:with|using) (?=\S{{5}})"
    r"|(?:ouvrir|abrirl?[oa]?s?|aprirl?[oaei]?)(?: (?:le|la|el|il|o|a|lo) \w{2,12})?"
    r"(?:\s?:|,? (?:utilise[rz]?|usa|usar?e|use):?)\s(?=\S{5})"
)
_NEEDED = lazy(
    rf"(?:needs?|wants?|takes|braucht) (?=\S{{5,60}} (?:to|zum) (?:{_OPENS})(?![a-z]))",
)
# "from x to y" beside a word for accounts
_FROM_TO = lazy(
    r"\s?(?<![a-z])(?:(?P<old>(?:old|alt|ancien|viejo|antiguo|vecchi[oa]|oud)(?: one| pw)?\s?[:=] ?)(?=\S{5})|"
    r"(?:from|von|vom|de|da|du|van) [\"'`„“«]?(?=[^\s\"'`]{5,60}[\"'`”“»]? (?:to|auf|zu|à|a|en|para|por|naar|op)"
    r" [\"'`„“«]?\S{5}))"
)
_SINCE = (
    "from ",
    "von ",
    " vom ",
    " de ",
    " da ",
    " du ",
    " van ",
    "old",
    "alt",
    "ancien",
    "viejo",
    "antiguo",
    "vecchi",
)
_NEW = lazy(
    r"[\"'`”“»]?[,;/|]?\s{0,3}(?:(?:and )?(?:new|neu|nouveau|nuevo|nuov[oa]|nieuw)(?: one| pw)?\s?[:=]|->|=>|→) ?"
)
_TO = lazy(r"[\"'`”“»]? (?:to|auf|zu|à|a|en|para|por|naar|op) ")
_OF_ACCOUNT = lazy(
    r"(?<![a-z])(?:account|login|log-in|admin|root|superuser|konto|benutzer|compte|utilisateur|cuenta|usuario|conta"
    r"|utente|gebruiker|zugang|accès|acceso|accesso|acesso)"
)
# As no version, team or part is written.
_SIGNED = lazy(
    r"[A-Za-z\d][!$%^&*~][A-Za-z\d]?|(?:[A-Za-z]{3}[#+=@]|[A-Za-z\d][#+=@][A-Za-z\d])[A-Za-z\d]|[a-z\d]_[A-Za-z\d]"
    r"|[a-z]{2}\d[a-z]{2}|\d{2}[a-z]{2}|^[a-z]{3,}[A-Z]\S*\d"
)
_FIGURE = lazy(r"\d")
_SHORT = lazy(r"(?<![a-z0-9])u(?:ser|n)?[:=]\s?\S{2,60}[,;/| ]{1,3}p(?:w|wd|ass)?\s?[:=]\s?(?=\S{4})")
_CHAT = lazy(
    r"(?:log-?in|creds?|credentials|zugang|zugangsdaten)(?![a-z])[^\n]{0,60}\n(?:[^\n:]{1,24}:\s{1,2}|<[^\n>]{1,24}> )?"
    r"[\w.@+-]{2,60}[ \t]{0,3}\n(?:[^\n:]{1,24}:\s{1,2}|<[^\n>]{1,24}> )?(?=\S{5,60}[ \t]{0,3}(?:\n|$))"
)
# A digit or sign inside, as no name of a product has it.
_DISTINCT = lazy(r"[a-z]{2}\d(?!\d{3}$)|\d[a-z]|[a-zA-Z\d][!#$%^&*+=~@]|[!#$%^*+=~@][A-Za-z\d]")
_CAPITAL = lazy(r"[A-Z]|[!#$%^&*+=~@]")


def accounts(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of the passwords."""
    if not _ANY(low):
        return
    for pattern, stems, held in _OTHERS:
        if held(low):
            yield from _told(text, low, pattern, stems)
    if _HELD_OPENING(low):
        yield from _told(text, low, _NEEDED, ("need", "want", "braucht", "takes"))
    for late in matches(_GUARDED_LATE, low, ("mit ", "met ")) if _FIGURE.search(text) else ():
        start, end, _ = value_at(text, late.start("v"))
        if _apart(text[start:end]):
            yield "password", start, end
    if _FIGURE.search(text):
        yield from _changed(text, low)
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


_LOCKS = (
    "protected",
    "secured",
    "crypted",
    "guarded",
    "locked",
    "sealed",
    "geschützt",
    "gesichert",
    "verschlüsselt",
    "verriegelt",
    "gesperrt",
    "protégé",
    "verrouillé",
    "chiffré",
    "cifrad",
    "protegid",
    "bloquead",
    "criptat",
    "protett",
    "bloccat",
    "beveiligd",
    "versleuteld",
    "vergrendeld",
)
_FRAMES = (
    (_PROMPT, ("prompt", "asks", "asked", "gefragt")),
    (_GUARDED, _LOCKS),
    (_TO_OPEN, (*_OPENING, *_OPENING_TOO)),
    (_SHORT, ("u:", "u=", "un:", "un=", "user:", "user=")),
    (_STANDS, ("login", "log-in", "cred", "combo", "zugang")),
    (_CHAT, ("login", "log-in", "cred", "zugang")),
)
_OTHERS = tuple((pattern, stems, one_of(stems)) for pattern, stems in _FRAMES)
STEMS = (*_STEMS, *(stem for _, stems in _FRAMES for stem in stems if stem not in _OPENING_TOO and stem != "open"))
_ANY = one_of(
    (
        *STEMS,
        *_OPENING,
        *_OPENING_TOO,
        "konto",
        "compte",
        "cuenta",
        "conta",
        "utente",
        "usuario",
        "gebruiker",
        "admin",
        "root",
    )
)


def _changed(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """Both of "from x to y on the admin account"."""
    for since in matches(_FROM_TO, low, _SINCE):
        old = value_at(text, since.end())[:2]
        then = (_NEW if since["old"] else _TO).match(low, old[1])
        if then is None:
            continue
        new = value_at(text, then.end())[:2]
        begins = max(0, since.start() - 80)
        begins = max(begins, low.rfind("\n", begins, since.start()), low.rfind(". ", begins, since.start()))
        if not (_OF_ACCOUNT.search(low, begins, since.start()) or _OF_ACCOUNT.search(low, new[1], new[1] + 60)):
            continue
        if all(
            _apart(text[slice(*span)]) and _FIGURE.search(text, *span) and "/" not in text[slice(*span)]
            for span in (old, new)
        ) and not _numbered(text[slice(*old)], text[slice(*new)]):
            yield "password", *old
            yield "password", *new


def _numbered(old: str, new: str) -> bool:
    """ "Room#12b" and "Room#14c" """
    return "#" in old and len(old) < 9 and old[: old.index("#") + 1] == new[: new.find("#") + 1]


def _apart(value: str) -> bool:
    """Does it look like a password and like nothing else that is written with signs?"""
    return (
        not (value.isdigit() or hostlike(value) or harmless(value))
        and bool(_CAPITAL.search(value))
        and (said(value, True) or chosen(value))
        and _SIGNED.search(value) is not None
    )


def _told(text: str, low: str, pattern: re.Pattern[str], stems: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    for match in matches(pattern, low, stems):
        start, end, _ = value_at(text, match.end())
        value = text[start:end]
        if value.isdigit() and pattern is _TO_OPEN and 5 < len(value) < 13:
            yield "password", start, end
        if value.isdigit() or hostlike(value) or harmless(value):
            continue
        if pattern is _SHORT:
            if not match[0].startswith("u") or not likely(value):
                continue
        elif pattern is _PROMPT:
            if not (likely(value) and (_CAPITAL.search(value) or _FIGURE.search(value))):
                continue
        elif not _apart(value):
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
