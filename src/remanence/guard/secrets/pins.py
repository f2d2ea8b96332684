"""PINs with words between name and number, and lists of recovery codes."""

from __future__ import annotations

from collections.abc import Iterator

from remanence.guard.secrets.judging import harmless
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.reading import ends_here, matches, one_of

_COMPOUNDS = (
    "alarmcode",
    "türcode",
    "torcode",
    "deurcode",
    "poortcode",
    "haustürcode",
    "garagencode",
    "toegangscode",
    "zugangscode",
    "eingangscode",
    "tresorcode",
    "kluiscode",
)
_PIN_STEMS = ("pin", "passcode", "geheimzahl", "puk", "secret", "código", "codigo", "codice", *_COMPOUNDS)
_PIN = lazy(
    r"(?:pin(?:s|[ -]?(?:codes?|numbers?|nummer|kode?|[- ]kode?))?|passcodes?|geheimzahl|puk"
    rf"|{'|'.join(_COMPOUNDS)}"
    r"|secret de la carte|secreto|código (?:secreto|pin|de la (?:tarjeta|puerta|alarma|caja(?: fuerte)?)"
    r"|del (?:portal|garaje|edificio)"
    r"|d[ao] (?:porta|alarme|portão|prédio|cofre))|codigo pin|codice (?:segreto|pin|della (?:porta|cassaforte)"
    r"|del (?:cancello|portone)|dell['’]allarme))(?![a-z0-9_])"
)
_SET = r"(?:set|reset|changed|updated|switched|geändert|gesetzt|cambiado|cambiata|changé|gewijzigd)"
# What stands right before a number that is one.
_JOINS = lazy(
    r"(?:\b(?:is|was|are|were|ist|war|lautet|est|es|era|é|è|jest|är|er|becomes?|became|remains?|has been"
    r"|had been)(?: (?:now|still|not|just"
    r"|currently|jetzt|noch|le|el|il|now:))?|\bit['’]?s|\bthat['’]?s|[a-z]['’]s|n['’]t|\? (?:still|it['’]?s|now"
    r"|was)|[:=?→]|->|=>"
    rf"|\b{_SET}\b[^.!?\n]{{0,24}}? (?:to|auf|a|à|naar)|\bauf|\bnot|\bnow|\bno longer|\bbut|\b(?:and|und|et|y) (?:not"
    rf"|now)"
    r"|\bfrom|\b(?:became|becomes|turned into|werd|wordt|wurde|wird|devenue?|diventato|diventa|passou a ser|virou"
    r"|pas[oó] a(?: ser)?"
    r"|quedó en))[ \t]{0,2}[\"'`(„“]?$"
)
# "werd na de verhuizing 384102": what it became ends the clause.
_BECAME = lazy(
    r"\b(?:became|werd|wurde|wordt|wird|(?:is|ist|est|è|es|é) (?:since|sinds|seit|depuis|desde"
    r"|da|na|nach))(?: [a-zà-ÿ'’-]{1,16}){1,5} [\"'`„“]?$"
)
_DONE = lazy(r" (?:ge[a-zäöü]{3,14}t|[a-z]{2,12}(?:ed|igd|erd|iato|iata))\b")
_IN_YEAR = lazy(r"(?:19|20)\d\d$")
_NUMBER = lazy(r"(?<![\w.,:/$€£#+-])\d{4,8}(?![\w%]|[.,:/-]\d| ?(?:km|m|mm|cm|kg|eur|usd|times|people|users|days)\b)")
_CHANGES = lazy(rf"\b(?:set|{_SET}|change|cambia\w{{0,2}})\b[^.!?\n]{{0,30}}$")
_OWNED = lazy(
    r"(?:\b(?:my|the|his|her|our|your|their|a|new|old|die|der|meine|seine|ihre|le|mon|son|la|el|mi|tu|il|mio|o|de|het"
    r"|mijn|code"
    r"|card|bank|sim|phone|door|alarm|gate|safe|atm|voicemail|tablet|app|account|control|unlock|screen|locker|login)"
    r"|['’]s|s['’]) $|^$"
)
_OF_RULES = lazy(
    r"[ -](?:entry|pads?|length|digits?|header|diagram|out|board|change|reset|policy|retries|attempts?|counts?|board"
    r"|grid)\b"
)
_STOP = lazy(r"[.!](?:\s|$)|\n")
_REACH = 90
_LIST_STEMS = (
    "recovery",
    "backup",
    "back-up",
    "scratch",
    "emergency",
    "rescue",
    "wiederherstellung",
    "récupération",
    "secours",
    "reserve",
)
_LIST = lazy(
    r"(?:(?:recovery|backup|back-up|scratch|emergency|rescue|reserve)[ -]?(?:codes?|keys?)"
    r"|wiederherstellungs(?:codes?|schlüssel)"
    r"|backup-?codes?|(?<=codes de )(?:récupération|secours)|(?<=code de )(?:récupération|secours))(?![a-z])"
    r"(?:\s?\([^()\n]{0,40}\)|[^.\n:=()]{1,50}?(?:\([^()\n]{0,40}\))?)?"
    r"(?:\s?[:=]|\s(?:is|are|was|were|ist|sind|lautet|lauten|est|sont))(?:\s{1,4}(?:[-*•] |1[.)] )?|(?=\S))"
)
_ITEM = lazy(
    r"[\"'`]?(?P<v>\d{3,5}(?: \d{3,5}){1,3}|[a-z0-9]{3,12}(?:-[a-z0-9]{3,12}){1,9}"
    r"|(?=[a-z]{0,12}\d)[a-z0-9]{6,128})(?![\w-])[\"'`]?"
)
STEMS = (*_PIN_STEMS, *_LIST_STEMS)
_ANY = one_of(STEMS)
_BETWEEN = lazy(r"\s?[,;/|]\s{0,3}(?:(?:and|und|et|y) )?|\s(?:and|und|et|y|or)\s|\s{1,4}(?:[-*•] |\d{1,2}[.)] )?")
_DIGIT = lazy(r"\d")
_MOST = 24


def pins(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of PINs and recovery codes."""
    if not _ANY(low):
        return
    for match in matches(_PIN, low, _PIN_STEMS):
        yield from _pins(text, low, match.start(), match.end())
    for match in matches(_LIST, low, _LIST_STEMS):
        yield from _listed(low, match.end())


def _pins(text: str, low: str, start: int, at: int) -> Iterator[tuple[str, int, int]]:
    before = low[max(0, start - 12) : start]
    capital = text[start : start + 3] == "PIN"
    if (before and (before[-1].isalnum() or before[-1] in "_.")) or not (
        capital or low[start : start + 3] != "pin" or _OWNED.search(before) or low[at : at + 1] in ":=?'’"
    ):
        return
    if _OF_RULES.match(low, at):
        return
    stop = _STOP.search(low, at, at + _REACH)
    limit = stop.start() + 1 if stop else at + _REACH
    found = _CHANGES.search(low, max(0, start - 40), start) is not None
    for number in _NUMBER.finditer(low, at, limit):
        between = low[max(at, number.start() - 50) : number.start()]
        joined = _JOINS.search(between) or (
            found and between.endswith(("to ", "auf ", "a ", "à ", "but ", "or ", "and "))
        )
        if (
            not joined
            and _BECAME.search(between)
            and (ends_here(text, number.end()) or low.startswith(" geworden", number.end()))
        ):
            joined = _IN_YEAR.match(number[0]) is None
        if joined and _IN_YEAR.match(number[0]) and _DONE.match(low, number.end()):
            continue  # "wurde 2023 geändert"
        if joined:
            found = True
            yield "pin", *number.span()
    if not found and stop and low[stop.start()] == "\n" and low[at : stop.start()].rstrip().endswith((":", "?")):
        below = _NUMBER.match(low, stop.end())
        if below:
            yield "pin", *below.span()


def _listed(low: str, at: int) -> Iterator[tuple[str, int, int]]:
    items: list[tuple[int, int]] = []
    while len(items) < _MOST and (item := _ITEM.match(low, at)):
        items.append(item.span("v"))
        between = _BETWEEN.match(low, item.end())
        if between is None:
            break
        at = between.end()
    codes = [span for span in items if _DIGIT.search(low, *span) and not harmless(low[slice(*span)])]
    for start, end in items:
        even = len({len(part) for part in low[start:end].split("-")}) == 1
        if end - start > 5 and ((start, end) in codes or (codes and even)):
            yield "recovery-code", start, end
