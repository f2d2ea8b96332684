"""Frames in which people tell a password without a verb right after its name.

An answer to a question, the next line of a chat, "the other one is x", "changed from x to y", "isn't x any more but y",
"user x, password y", "pw wifi guests: x", and words with spaces after "passphrase". A frame says what the place of a
value is; what stands there is believed unless it describes (`chosen`, `plain_word`).
"""

from __future__ import annotations

from collections.abc import Iterator

from remanence.guard.secrets.judging import chosen, hostlike, likely, placeholder, plain_word
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.names import Name, harmless_name, harmless_tail, tail_end
from remanence.guard.secrets.reading import ends_here, trails_off, value_at
from remanence.guard.secrets.words import DESCRIBING, PROSE

_BEFORE, _SEEN = 80, 260
_MANY = 64
_VALUE = r"(?=[^\s\x01]{4})"
_SAYS = r"(?:is|was|are|were|ist|war|lautet|est|c['’]est|es|era|é|è|jest|är|er|:|=)"
_ONE = (
    r"(?:one|ones|other|latter"
    r"|(?:das|die|der|den) (?:neue|alte|andere|vorige|zweite)[nrs]?|(?:le|la) (?:nouve(?:au|lle)|ancien(?:ne)?|autre"
    r"|second)"
    r"|(?:el|la|lo) (?:nuev|viej|otr|segund)[oa]|(?:il|la|quell[oa]) (?:nuov|vecchi|altr)[oa]|(?:o|a) (?:nov|antig"
    r"|outr)[oa]"
    r"|(?:de|het) (?:nieuwe|oude|andere))"
)
# "the NAS one is x", "das neue ist x": in the same sentence or in the next.
_OTHER = lazy(
    rf"(?:\b{_ONE}(?: (?:on|for|of|at|in|für|pour|para|per|voor)(?: [\w-]{{1,16}}){{1,3}}?)?\s?{_SAYS}"
    r"|[,;–—(-] ?(?:(?:and|it['’]?s|is) )?(?:now|jetzt|maintenant|ahora|adesso|agora|nu)(?: it['’]?s| is"
    r"| ist (?:es|das)| c['’]est| es| è)?:?)"
    rf"\s(?:now )?{_VALUE}"
)
_ANSWER = (
    r"(?:(?:h+m+|u+[hm]+|ye[sap]h?|sure|ok|okay|oh|ah|ja|oui|s[ií]|i (?:think|guess|believe)|should be|probably|maybe)"
    r"[,:.]? ){0,2}(?:(?:(?:a|answer|antwort)[:.]|->|=>|→|>)\s{0,2})?"
    r"(?:(?:it['’]?s|it is|that['’]?s|try|es ist|c['’]est|es|è"
    r"|(?:[\w'’-]{1,20} ){1,3}?(?:(?:set|changed|made|reset|left|put|turned|updated|switched|mis|mise|changé|zet"
    r"|veranderd)"
    r"(?: (?:it|that|this))?|(?:hat|habe|haben|heeft|heb|hebben) (?:es|das|het|dat)|(?:lo|la|l['’]) ?(?:ha |he |hemos "
    r"|abbiamo )?(?:puso|cambió|cambiato|messo|impostata?o?|messa|puesto|dejó)|(?:mudou|trocou|colocou)(?: [ao])?)"
    r"(?: (?:to|as|at|on|into|auf|à|sur|a|en|in|para|por|op|naar))?)\s)?"
)
# After a weak name: three words or a number among words, bound by signs.
_SAYS_SO = lazy(rf"(?:[ ,][^.!?\n:=]{{0,50}}?)??(?: (?:is|are|was|lautet)|\s?:)\s{_VALUE}")
_APART = lazy(r"[A-Za-z]{3}[-_.&+]\w{1,20}[-_.&+]\w|[A-Za-z]{3}[-_.&+]\d")
_ASKED = lazy(rf"[^\n?.!:]{{0,50}}\?[\"')]?[ \t]{{1,3}}(?:[–—-] )?{_ANSWER}{_VALUE}")
_SPEAKER = r"(?:\[[^\]\n]{1,24}\]\s?)?(?:<[^<>\n]{1,24}>\s{1,2}|[\w. -]{1,24}:\s{1,2}|[-*•<>]{1,2}\s{1,2}|→\s?)?"
_NEXT_LINE = lazy(rf"(?P<rest>[^\n]{{0,80}})\n(?:[ \t]{{0,4}}\n)?[ \t]{{0,8}}(?P<who>{_SPEAKER}){_ANSWER}{_VALUE}")
_ANNOUNCES = lazy(
    r"(?:[:?]|below|follows|following|here(?: it is| you go)?|next line|unten|folgt|ci-dessous|abajo"
    r"|sotto)[.!]?\s{0,4}$"
)
_LED = lazy(r"(?:\btry|\bit['’]?s|\bthat['’]?s) $")
_ASKS = lazy(r"(?:\?|\b(?:what(?:['’]?s| is| was)?|which|wie|was|quel(?:le)?|cu[aá]l|qual|wat|whats)\b)")
_LINE_ENDS = lazy(
    r"[.!,]?(?: (?:instead|now|please|then|again))?(?:\s{1,2}(?:[:;]-?[)(DP]|lol|thanks|thx))?[ \t]{0,4}(?:\r?\n|$)"
)
_CHANGE = (
    r"(?:chang|reset|set\b|setting|updat|rotat|switch|modifi|ge?[aä]nder|änder|geset|setz|gewechsel|umgestell|cambi"
    r"|alter|mud[ae]"
    r"|ändra|bytt|skift|endre|zmieni|gewijzig|verander|wijzig|измен|смен|помен|remplac|chang|actualiz|aggiorn|replac"
    r"|edit)\w{0,8}"
)
_CHANGED_BEFORE = lazy(rf"\b{_CHANGE}\b[^.!?\n]{{0,40}}$")
_CHANGED_AFTER = lazy(rf"[ ,][^.!?\n]{{0,40}}?\b{_CHANGE}\b")
_TO = r"(?:to|into|auf|zu|por|para|naar|till|til|na|на|à|su|par)"
_ALSO_TO = r"(?:a|en|in|con|à)"
_ROMANCE = lazy(r"(?:gewijzig|verander|cambi|mud[aeo]|alter[aeo]|modifi|actualiz|aggiorn|remplac|chang[ée])")
_FROM = r"(?:from|von|vom|de|desde|da|van|från|fra|z|с|du)"
_BECAME = lazy(rf"(?:[ ,][^.!?\n]{{0,60}}?)?\s{_TO}:?\s{_VALUE}")
_BECAME_TOO = lazy(rf"(?:[ ,][^.!?\n]{{0,60}}?)?\s{_ALSO_TO}:?\s{_VALUE}")
_PAST = lazy(r"(?:ed|set|é|ó|ato|ado|ert|gd|ил|ила|et)\b|gesetzt|geändert")
_WAS_CHANGED = lazy(rf"[\"'`”»“]?,? (?:{_CHANGE}|gemacht|gestellt)\b")
_FROM_TO = lazy(rf"(?:[ ,][^.!?\n]{{0,60}}?)?\s{_FROM}:?\s(?=[^\s\x01]{{4,60}}\s{_TO}\s)")
_AND_TO = lazy(rf"[\"'`”»“]?\s{_TO}:?\s{_VALUE}")
# "isn't x any more but y", "not x, it's y", "y instead of x"
_NO_MORE = lazy(
    r"[^.!?\n]{0,60}?(?:\bisn['’]?t|\bwasn['’]?t|\bno longer|\bnot|\bnicht(?: mehr)?|\bn['’]est (?:plus|pas)"
    r"|\bne plus|\bya no es"
    r"|\bno es|\bnon è(?: più)?|\bniet(?: meer)?|\bkein|\binstead of|\brather than|\bstatt|\bau lieu de|\ben vez de"
    r"|\bused to be|\bpreviously|\bformerly|\bfrüher|\bbefore that)"
    rf":?\s{_VALUE}"
)
_BUT = lazy(
    r"[\"'`”»“]?(?=[,;.]| [a-z])(?:(?: (?:any ?more|mehr|plus|pas|más|più|meer|now))(?=[ ,;.]))?[,;.]?(?: (?:but"
    r"|sondern|mais|sino|ma|maar|it['’]?s|it is|is|now|jetzt"
    rf"|c['’]est|es|è|actually|rather|and|then|ahora|ora|nu|maintenant|the|new|one|correct|right))"
    rf"{{1,4}}:?\s{_VALUE}"
)
_WHO = (
    r"(?:user(?:name)?|login|log-in|account|id|ssid|network|netz(?:werk)?|e-?mail|usr|benutzer(?:name)?"
    r"|nutzer(?:name)?|utilisateur"
    r"|identifiant|usuario|utente|usu[aá]rio|gebruiker(?:snaam)?|användare|bruger|bruker|u[zż]ytkownik|пользователь"
    r"|логин)"
)
_USER_BEFORE = lazy(
    rf"\b{_WHO}(?: (?:is|ist|est|es|è|name))?[ :=]{{1,3}}[\"'`«„“]?(?!(?:and|or|und|oder|et|y|o|with|e|en|och"
    rf"|i)\b)[\w.@+-]{{2,60}}[\"'`»”“]?[,;/|+& ]{{1,3}}"
    r"(?:(?:and|with|und|mit|et|avec|y|con|e|com|en|met|och|og|i|z|и|с) )?(?:(?:the|a|his|her|das|le|la|el|het) )?$"
)
_AFTER_USER = lazy(rf"(?:\s?[:=]\s?| (?:is|ist|est|es|è) | )[\"'`«„“]?{_VALUE}")
_MORE_WORDS = lazy(
    rf"((?: ?\([^()\n]{{1,30}}\)|[ -][\w'’/-]{{1,20}}){{1,4}}?)(?:\s?(?::|=|->|=>|→)| (?:is|was|ist))\s{_VALUE}"
)
_SPELLED = lazy(
    r"(?:[^.!?\n:]{0,40}:|\s?=|(?: for (?:the |my |our )?[\w -]{1,20})? (?:is|was|ist|lautet|est|es"
    r"|è)|(?=\s[\"“«]))\s{1,2}[\"'“„«`]?"
    r"(?P<v>[^\W\d_]{2,14}(?: [^\W\d_]{2,14}){2,8}(?: \d{1,4})?)[\"'”“»`]?[ \t]{0,3}(?:[.!,;(\n]|$)"
)
_NAMES = lazy(
    r"(?: ?\([^()\n]{1,40}\)| for [\w ]{1,24})?(?: is| was"
    r"|:) (?P<v>[A-Z][\w'’-]{1,20}(?: [A-Z][\w'’-]{1,20}){0,3})(?=[.,;!)\n]|$)"
)
_TYPED = lazy(
    r"[\"'”]?,? (?:just |then )?(?:enter|type(?: in)?|say|answer|use"
    r"|reply(?: with)?):? [\"'“«]?(?P<v>[^\W\d_]{1,14}(?:[ ,-]{1,2}[\w'’]{1,14}){3,11})"
    r"[\"'”»]?[ \t]{0,2}(?:[.!\n]|$)"
)
_NOT_TYPED_TEXT = """
    one it your yours from vault manager password passphrase key same below above box field again twice carefully
"""
_NOT_TYPED = frozenset(_NOT_TYPED_TEXT.split())
_AS = lazy(r"\bphrase (?P<v>[^\W\d_]{2,14}(?: [^\W\d_]{1,14}){2,9}(?: \d{1,4})?) as (?:the|its|my|our|a) $")


_RULES = lazy(
    r"[ -](?:manager|polic|field|page|form|rules?|requirement|length|strength|hash|store|storage|vault|reset|hint"
    r"|auth|login|prompt"
    r"|box|file|generator|protection|rotation|expiry|check|list|dialog|screen|column|tool)"
)


def frames(text: str, low: str, known: list[Name]) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of values that a frame around a name gives away."""
    # What says the same again and again is looked at once; only a text made to be slow does.
    fruitless: set[int] | None = set() if len(known) > _MANY else None
    for number, name in enumerate(known):
        tail = tail_end(low, name)
        if _RULES.match(low, tail):  # "the password manager changed from x to y"
            continue
        if not name.strong:
            if name.kind in ("credential", "key") and (says := _SAYS_SO.match(low, tail)):
                for start, end in _if(text, says.end()):
                    if _APART.search(text, start, end) and chosen(text[start:end]):
                        yield name.kind, start, end
            continue
        if tail > name.end and harmless_name(low, name, tail):
            continue
        around = hash(low[max(0, name.start - _BEFORE) : name.end + _SEEN]) if fruitless is not None else 0
        if fruitless is not None and around in fruitless:
            continue
        ends = known[number + 1].start if number + 1 < len(known) else len(low)
        spans = list(_around(text, low, name, tail, min(ends, tail + _SEEN)))
        for start, end in spans:
            yield name.kind, start, end
        if fruitless is not None and not spans:
            fruitless.add(around)


def _around(text: str, low: str, name: Name, at: int, ends: int) -> Iterator[tuple[int, int]]:
    begins = max(0, name.start - _BEFORE)
    alone = low[name.start : name.end] != "pass"  # "pass the key to web01 instead"
    for other in _OTHER.finditer(low, at, min(len(low), at + 160)):
        yield from _if(text, other.end())
    if asked := _ASKED.match(low, at, ends):
        yield from _if(text, asked.end(), plain=True)
    yield from _next_line(text, low, name, at)
    if low.endswith(_MANY_OF, name.start, at) and low[at : at + 1] == ":":
        yield from _several(text, low, at + 1)
    if alone:
        yield from _changed(text, low, begins, name, at)
        yield from _phrase(text, low, name, at)
    if alone and (gone := _NO_MORE.match(low, at, ends)) and (first := _value(text, gone.end())):
        second = _BUT.match(low, first[1])
        then = _value(text, second.end()) if second else None
        if then and likely(text[slice(*then)]):
            yield then
        if _told(text, first) or (then and likely(text[slice(*then)]) and plain_word(text[slice(*first)], 4)):
            yield first
    direct = _value(text, at + 1) if low[at : at + 1] == " " else None
    worded = direct and low.endswith((" word", "codeword", "codewort", "losungswort"), name.start, at)
    if (
        direct
        and (_title(text[slice(*direct)]) or (worded and plain_word(text[slice(*direct)], 4)))
        and _ends(text, direct[1])
    ):
        yield direct
    figures = _DIGIT.search(low, at, at + 140) is not None
    question = _QUESTION.match(low, at, ends) if figures else None
    if question or (figures and _AS_THE.search(low, max(0, name.start - 40), name.start)):
        since = question.end() if question else at
        stop = _CLAUSE.search(low, since, since + 90) or _AVOIDED.search(low, since, since + 90)
        for run in _RUNS.finditer(text, since, stop.start() if stop else since + 90):
            span = _value(text, run.start())
            if span and _told(text, span) and _CHOSEN.search(text, *span):
                yield span
                break
    if _USER_BEFORE.search(low, begins, name.start) and (after := _AFTER_USER.match(low, at, ends)):
        yield from _if(text, after.end(), plain=True)
    if (more := _MORE_WORDS.match(low, at, ends)) and not any(map(_of_rules, more[1].split())):
        yield from _if(text, more.end())


def _value(text: str, at: int) -> tuple[int, int] | None:
    start, end, _ = value_at(text, at)
    return (start, end) if end > start else None


def _told(text: str, span: tuple[int, int]) -> bool:
    value = text[slice(*span)]
    return likely(value) and not hostlike(value) and not value.startswith("--")


def _if(text: str, at: int, *, plain: bool = False) -> Iterator[tuple[int, int]]:
    """The value here, if it looks like one; `plain`: a word alone may be one where nothing but a remark follows."""
    span = _value(text, at)
    if span is None:
        return
    value = text[slice(*span)]
    if _told(text, span) or (plain and plain_word(value, 4) and _ends(text, span[1])):
        yield span


# "as the password for the tablet we took x", and in the clause after a question
_AS_THE = lazy(
    r"(?:as|als|comme|como|come)(?: (?:the|our|my|das|unser|notre|nuestra|la|nostra|nossa|a|het))?"
    r" (?:(?:new|neues|nieuw) )?(?:[\w-]{2,14}[- ])?$"
)
_QUESTION = lazy(r"[^\n?.!:]{0,50}\?[\"')]?[ \t]{1,3}")
_DIGIT = lazy(r"\d")
_AVOIDED = lazy(r"\b(?:avoid|never|not|don['’]t|évite[rz]?|jamais|vermeide\w*|nie|nicht|evit[aei]\w*|nunca|mai)\b")
_CLAUSE = lazy(r"[.!?;](?:\s|$)|\n")
_RUNS = lazy(r"(?<=\s)[\"'`„“«]?[A-Za-z][!-~]{5,40}")
_CHOSEN = lazy(r"(?=\D{0,40}\d)(?:[A-Za-z\d]{0,20}[-_.!&+~#%*$^]){1,5}[A-Za-z\d]?")
_TITLE = lazy(r"[A-Z][a-z]+[-_.][A-Z][a-z]+|.*[a-z]{2}[&+~_][A-Za-z]{2}")


def _title(value: str) -> bool:
    return chosen(value) and _TITLE.match(value) is not None


_MANY_OF = ("words", "wds", "wörter", "codes", "pws", "phrases", "de passe", "ñas", "senhas", "den", "парoли", "pw")
_LABELLED = lazy(r"\s{0,4}(?:[-*•] )?(?P<label>[\w][\w .-]{0,24}?)(?:\s?[:=]\s?|\s(?:[-–→]|is)\s|\s)(?=[^\s:=]{4})")
_AND = lazy(r"[\"'`]?(?:[,;&/|\n]| and | und | et | y |(?= [\w-]{1,24}[:=]))")


def _several(text: str, low: str, at: int) -> Iterator[tuple[int, int]]:
    """ "passwords: router x, modem y"."""
    for _ in range(12):
        item = _LABELLED.match(low, at)
        span = _value(text, item.end()) if item else None
        while item and span and not _told(text, span) and low[span[1] : span[1] + 1] == " ":
            span = _value(text, span[1] + 1)  # the label has another word
            if span and span[0] - at > 40:
                span = None
        if span is None or not _told(text, span):
            return
        yield span
        then = _AND.match(low, span[1])
        if then is None:
            return
        at = then.end()


def _ends(text: str, end: int) -> bool:
    return ends_here(text, end) or trails_off(text, end)


def _next_line(text: str, low: str, name: Name, at: int) -> Iterator[tuple[int, int]]:
    """What fills the line after one that asks for it or announces it, also where somebody else says it."""
    line = _NEXT_LINE.match(low, at)
    span = _value(text, line.end()) if line else None
    if line is None or span is None or not _LINE_ENDS.match(text, span[1]):
        return
    if text[line.end() : line.end() + 3] in ("```", '"""') or " " in text[slice(*span)]:
        return
    begins = low.rfind("\n", max(0, name.start - _BEFORE), name.start) + 1
    asks = bool(_ASKS.search(low, begins, name.start) or _ASKS.search(line["rest"]))
    announced = not line["rest"].strip() or bool(_ANNOUNCES.search(line["rest"]))
    led = _LED.search(low, line.start(), line.end())
    expected = asks or led or (announced and not line["who"])
    if (expected and _told(text, span)) or (asks and plain_word(text[slice(*span)], 4)):
        yield span


def _changed(text: str, low: str, begins: int, name: Name, at: int) -> Iterator[tuple[int, int]]:
    """Old and new: "changed from x to y", "das Kennwort auf x geändert"."""
    if (since := _FROM_TO.match(low, at)) and (old := _value(text, since.end())) and (to := _AND_TO.match(low, old[1])):
        new = _value(text, to.end())
        if new and _told(text, new):
            yield new
            if _told(text, old) or plain_word(text[slice(*old)], 4):
                yield old
    changed = _CHANGED_BEFORE.search(low, begins, name.start) or _CHANGED_AFTER.match(low, at)
    romance = changed and _ROMANCE.search(changed[0])
    for to in (_BECAME.match(low, at), _BECAME_TOO.match(low, at) if romance else None):
        new = _value(text, to.end()) if to else None
        if new is None:
            continue
        after = _WAS_CHANGED.match(low, new[1])
        past = after or (changed and _PAST.search(changed[0]))
        if (changed or after) and (
            _told(text, new) or (past and plain_word(text[slice(*new)], 4) and _settled(text, low, new[1]))
        ):
            yield new


_SETTLED = lazy(
    r" (?:on (?:all|every|each|both|the|my|our)|everywhere|for (?:all|every|everyone|everybody|now|the|my))\b"
)


def _settled(text: str, low: str, end: int) -> bool:
    return _ends(text, end) or bool(_SETTLED.match(low, end)) or bool(_WAS_CHANGED.match(low, end))


def _of_rules(word: str) -> bool:
    """ "password length: ", "password manager: " """
    return harmless_tail(word.strip("-/'’")) or word in ("must", "should", "can", "via", "is", "was", "with", "like")


def _phrase(text: str, low: str, name: Name, at: int) -> Iterator[tuple[int, int]]:
    """Words with spaces between that make no remark."""
    if (before := _AS.search(low, max(0, name.start - 110), name.start)) and not placeholder(before["v"]):
        yield before.span("v")
    if "security" in low[name.start : name.end] and (told := _NAMES.match(text, name.end)):
        yield told.span("v")
    if name.kind == "passphrase" and (typed := _TYPED.match(low, at)) and _NOT_TYPED.isdisjoint(typed["v"].split()):
        yield typed.span("v")
    spelled = _SPELLED.match(low, at, min(len(low), at + 180))
    if spelled is None or ")" in low[at : spelled.start("v")]:
        return
    words = spelled["v"].split()
    quoted = low[spelled.start("v") - 1] in "\"'“„«`"
    least = 3 if name.kind == "passphrase" else 4
    if len(words) < least or words[0] in ("please", "enter", "see", "ask", "use", "your", "my"):
        return
    bound = sum(word in PROSE or word in DESCRIBING for word in words)
    if bound == 0 or (quoted and name.kind == "passphrase" and bound * 2 < len(words) + 1):
        yield spelled.span("v")
