"""Where a value begins and ends: in quotes of any kind, or bare up to what cannot belong to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from remanence.guard.secrets.lazy import lazy

_OPENING = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "«": "»", "‘": "’", "「": "」", "『": "』", "‹": "›"}
_LEAD = lazy(
    r"(?:(?:[bBfFrRuUL@$]|rb|br|raw|n)(?=[\"'])|(?:bearer|basic|token|ntlm|negotiate|digest|apikey|ssws|bot"
    r"|key) +(?=\S{6})|\[|\*{1,3}(?=\S))?"
    r"(?:\\{0,3}[\"'`]|&quot;|&#3[49];|[“„«‘「『‹])?(?:[\"'`]{2}(?=\S))?",
    re.IGNORECASE,
)
_BARE = lazy(r"[^\s\x01\"'`<>“”„«»「」『』、。，；！？）（]{1,20000}")
_UNSPACED = lazy("[\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff]")
_CUT = lazy(
    r",(?=\s|$|[\w.-]{1,40}\s?[:=])|;|&(?:quot|amp|lt|gt|#x?[\da-fA-F]+);|/(?=[A-Za-z_]{2,20}[:=][^\s=\"'])"
    r"|\\[nrt]|\|(?=\s|$)"
)
_NEXT_OF_QUERY = lazy(r"&(?=[a-z_]\w{0,30}=)")
_ENDS = lazy(r"[ \t]{0,40}(?:$|\n|\r|[,;.!)\]}\"'|<](?:\s|$|[\"'}\]<)])|#|//|\)|\|)")
_TRAILS = lazy(
    r"(?:,? (?:lol|haha\w*|lmao|btw|fyi|again|please|pls|plz|thanks|thx|today|tonight|everywhere|until|till|since"
    r"|before|bis|jusqu\S*|hasta|too|as well|for now|by the way"
    r"|all (?:lower|upper|caps|small)\w*|in (?:lower|upper|all|small|capital)\w*|lower ?case|with (?:a|an|the) capital"
    r"|(?:and|but|und|et|y|e|en|och) (?:the|my|his|her|our|your|its|that|it|das|die|der|mein|le|la|mon|ma|el|mi|il|het)"
    r"|klein ?geschrieben|groß ?geschrieben|tout en minuscules?|en min[uú]sculas?)\b| \((?=[a-z])| [–—-] "
    r"| [:;]-?[)(DP])",
    re.IGNORECASE,
)
# How a password of words is to be typed: what says so makes the word before it one.
_TYPED_SO = lazy(
    r"[\"'`”»“]?,? [(–—-]?\s?(?:(?:it['’]?s |that['’]?s |all |as |in )?(?:one|a single) word|(?:with )?no spaces?"
    r"|without spaces?|(?:all )?(?:in )?"
    r"(?:lower ?case|small letters|caps|upper ?case)"
    r"|all (?:lower|small|caps|upper|together)|alles (?:klein|groß|zusammen)|klein ?geschrieben|groß ?geschrieben"
    r"|zusammen ?geschrieben|ohne leerzeichen|in einem wort|en un (?:seul )?mot|tout (?:attaché|en minuscules?|collé)"
    r"|sans espaces?|todo (?:junto|en min[uú]sculas?)|sin espacios?|en una (?:sola )?palabra|tutto (?:attaccato"
    r"|minuscolo"
    r"|unito)|senza spazi|tudo (?:junto|min[uú]sculo)|sem espaços?|aan elkaar|zonder spaties?"
    r"|alles aan elkaar)(?![a-zß-ÿ])",
    re.IGNORECASE,
)
_LOOSE = ".,;:?)]}…*|\\"
_PAIRS = {")": "(", "]": "[", "}": "{"}
_LONGEST_QUOTED = 4000
_SHORT = 1000


def holds_one(text: str, words: Iterable[str]) -> bool:
    """Does one of the words stand in the text? Asked of every text, so without a loop of Python's."""
    return any(map(text.__contains__, words))


def one_of(words: Iterable[str]) -> Callable[[str], bool]:
    """Does a text hold any of many words? Those beyond ASCII apart: one pattern of both takes twice as long."""
    kept: list[str] = []
    for word in sorted(set(words), key=len):
        if not any(other in word for other in kept):
            kept.append(word)
    plain = _branches(word for word in kept if word.isascii())
    other = _branches(word for word in kept if not word.isascii())
    return lambda low: plain.search(low) is not None or (not low.isascii() and other.search(low) is not None)


def _branches(words: Iterable[str]) -> re.Pattern[str]:
    """Those with the same first letter stand together."""
    firsts: dict[str, list[str]] = {}
    for word in words:
        firsts.setdefault(word[0], []).append(re.escape(word[1:]))
    # Nothing is found where there is none.
    return lazy("|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in sorted(firsts.items())) or "(?!)")


def matches(pattern: re.Pattern[str], text: str, stems: Iterable[str]) -> Iterator[re.Match[str]]:
    """As `finditer` of a pattern that begins with one of the stems, but a stem is found quicker than a pattern."""
    places: set[int] = set()
    for stem in stems:
        at = -1
        while (at := text.find(stem, at + 1)) >= 0:
            places.add(at)
    passed = 0
    for at in sorted(places):
        if at >= passed and (match := pattern.match(text, at)):
            passed = max(match.end(), at + 1)
            yield match


def value_at(text: str, at: int) -> tuple[int, int, bool]:
    """Where the value that begins here lies, and whether it stands in quotes."""
    start = _LEAD.match(text, at).end()  # type: ignore[union-attr]
    if start == at:
        return start, bare_end(text, start), False
    if text[start - 1] == "*":
        end = bare_end(text, start)
        while end > start and text[end - 1] == "*":
            end -= 1
        return start, end, False
    quote = text[start - 1]
    if quote == ";":  # an escaped quote of HTML
        end = text.find("&", start, start + 240)
        if end > start and text.startswith(("&quot;", "&#3"), end):
            return start, end, True
    close = _OPENING.get(quote)
    if close and quote in "'\"" and text.startswith(quote, start) and text[start + 1 : start + 2].isalnum():
        start += 1  # ''x''
    if close:
        escaped = start - 2 >= at and text[start - 2] == "\\"
        end = start
        limit = min(len(text), start + _LONGEST_QUOTED)
        line = text.find("\n", start, limit)
        if line > 0 and text[start - 3 : start] not in ('"""', "'''", "```"):
            limit = line
        while (end := text.find(close, end, limit)) >= 0:
            if escaped or text[end - 1] != "\\" or text[end - 2 : end] == "\\\\":
                end -= 1 if escaped and text[end - 1] == "\\" else 0
                return _inside(text, start, end)
            end += 1
    return start, bare_end(text, start), False


def _inside(text: str, start: int, end: int) -> tuple[int, int, bool]:
    """The place without the spaces that French puts inside its quotes."""
    inner = text[start:end].strip()
    if inner and len(inner) < end - start:
        start = text.index(inner, start)
        end = start + len(inner)
    return start, end, True


def bare_end(text: str, start: int, limit: int | None = None) -> int:
    """Where a value without quotes ends."""
    most = len(text) if limit is None else limit
    bare = _BARE.match(text, start, min(most, start + _SHORT))
    if bare and bare.end() == start + _SHORT:  # a run without an end in sight is gone through only if nothing cuts it
        cut = _CUT.search(text, start + 1, bare.end())
        if cut is None or cut.end() > bare.end() - 100:
            bare = _BARE.match(text, start, most)
    if bare is None:
        return start
    end = bare.end()
    if text[start].isascii() and (other := _UNSPACED.search(text, start, end)):
        end = other.start() - (text[other.start() - 1] in "([")  # a value ends where another script begins
    if cut := _CUT.search(text, start + 1, end):
        end = cut.start()
    if text[start - 1 : start] == "=" and (cut := _NEXT_OF_QUERY.search(text, start + 1, end)):
        end = cut.start()
    while end > start and (last := text[end - 1]) in _LOOSE:
        if last in _PAIRS and _PAIRS[last] in text[start:end]:
            break
        if last == "*" and text[end : end + 1] != "*" and text[end - 2 : end] != "**":
            break
        end -= 1
    return end


def trails_off(text: str, end: int) -> bool:
    """Does only what people add to a finished clause follow? "lol", "all lower case", "and my"."""
    return _TRAILS.match(text, end) is not None


def typed_so(text: str, end: int) -> bool:
    """Does it say next how what came before is typed? "all one word", "alles klein"."""
    return _TYPED_SO.match(text, end) is not None


def ends_here(text: str, end: int) -> bool:
    """Does a line or a clause end here?"""
    return _ENDS.match(text, end) is not None
