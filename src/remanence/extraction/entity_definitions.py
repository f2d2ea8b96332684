"""Where a text says that one name stands for another: "Model Context Protocol (MCP)", "Mel is short for Melanie".

A short form in capitals must be the initials of the long one, small words aside, and one in brackets its first word
("Acme Corp (Acme)"), unless it is said in words ("Kubernetes, also known as K8s"); else nothing is said.
"""

from __future__ import annotations

from remanence.extraction.entity_words import LEADING
from remanence.extraction.lexicon import split_words
from remanence.extraction.patterns import pattern

_LOOKED_AT = 20_000
_MOST = 8
_SHORT = r"[A-Z][A-Za-z0-9&-]{0,8}[A-Z0-9]s?"
_BEHIND = pattern(rf"((?:[^\W_][\w'’-]* ){{1,9}})\(({_SHORT})\)")
_BEFORE = pattern(rf"(?<![\w-])({_SHORT}) \(((?:[^\W_][\w'’-]* ?){{2,9}})\)")
_STANDS = pattern(
    rf"(?<![\w-])({_SHORT}) (?:stands for|is short for|means|steht für|signifie|significa) "
    r"(?:the |den |die |das |le |la |el )?((?:[^\W_][\w'’-]* ?){2,9})"
)
_NICKNAME = pattern(
    r"(?<![\w-])([A-Z][a-z]{1,20}) (?:is|ist|est|es) (?:short|kurz|la abreviatura|le diminutif) (?:for|für|de) "
    r"([A-Z][a-zà-ÿ]{2,30})\b"
)
_NAME = r"[A-Z][\w'’&-]*(?: [A-Z][\w'’&-]*){0,3}"
_ALSO = pattern(
    rf"(?<![\w-])({_NAME}),? \(?(?:also (?:known|referred to) as|better known as|aka|a\.k\.a\.|auch bekannt als|"
    rf"auch genannt|también conocid[oa] como|aussi appelée?) ({_NAME})"
)
_FIRST_WORD = pattern(rf"(?<![\w-])({_NAME}) \(([A-Z][\w'’&-]*)\)")
_SAYING = ("stands for", "short for", " means ", "steht für", "kurz für", " signifi", "diminutif", "abreviatura")
_OTHERWISE = (" known as ", "referred to as", "aka ", "a.k.a.", "auch ", "conocid", "appelé")
_SMALL = split_words("of the and for a an in on to de la du des und für von der die das y en & et")


def definitions_of(text: str) -> tuple[tuple[str, str], ...]:
    """(short, long) pairs that the text defines."""
    return tuple(defined_in(text[:_LOOKED_AT]))


def defined_in(text: str) -> list[tuple[str, str]]:
    found: dict[tuple[str, str], None] = {}
    if "(" in text:
        for match in _BEHIND.finditer(text):
            if long := _ending_in(match.group(1).split(), match.group(2)):
                found[_singular(match.group(2)), long] = None
        for match in _BEFORE.finditer(text):
            if long := _whole(match.group(2).split(), match.group(1)):
                found[_singular(match.group(1)), long] = None
        for match in _FIRST_WORD.finditer(text):
            long = _named(match.group(1))
            first, _, others = long.partition(" ")
            if others and first.casefold() == match.group(2).casefold():
                found[match.group(2), long] = None
    if any(sign in text for sign in _OTHERWISE):
        for match in _ALSO.finditer(text):
            short, long = sorted(map(_named, match.groups()), key=len)
            if short and short.casefold() != long.casefold():
                found[short, long] = None
    if any(sign in text for sign in _SAYING):
        for match in _STANDS.finditer(text):
            if long := _beginning(match.group(2).split(), match.group(1)):
                found[_singular(match.group(1)), long] = None
        for match in _NICKNAME.finditer(text):
            if match.group(1)[0] == match.group(2)[0] and match.group(1) != match.group(2):
                found[match.group(1), match.group(2)] = None
    return list(found)[:_MOST]


def _named(words: str) -> str:
    """A name without what only leads to it: "The Bank" → "Bank"."""
    first, _, rest = words.partition(" ")
    return _named(rest) if first.lower() in LEADING else words


def _singular(short: str) -> str:
    return short[:-1] if short.endswith("s") and short[:-1].isupper() and short[-2:-1].isalpha() else short


def _initials(words: list[str]) -> tuple[str, str]:
    """The initials of all parts of words, and without those of small words."""
    parts = [part for word in words for part in word.split("-") if part]
    every = "".join(part[0] for part in parts).upper()
    telling = "".join(part[0] for part in parts if part.lower() not in _SMALL).upper()
    return every, telling


def _fits(words: list[str], short: str) -> bool:
    wanted = _singular(short).replace("-", "").replace("&", "").upper()
    return len(wanted) > 1 and len(words) > 1 and wanted in _initials(words) and words[0].lower() not in _SMALL


def _ending_in(words: list[str], short: str) -> str:
    """The last of these words that a short form stands for."""
    for number in range(2, min(len(words), 2 * len(short)) + 1):
        if _fits(words[-number:], short):
            return " ".join(words[-number:])
    return ""


def _beginning(words: list[str], short: str) -> str:
    for number in range(min(len(words), 2 * len(short)), 1, -1):
        if _fits(words[:number], short):
            return " ".join(words[:number])
    return ""


def _whole(words: list[str], short: str) -> str:
    return " ".join(words) if _fits(words, short) else ""
