"""Values under a name: `password = x`, `"api_key": "x"`, `<token>x</token>`, `--secret x`, and "the password is x".

After a name comes a sign, a tag, a call, a verb, or the value itself; between name and verb it may be said where the
secret belongs ("for the printer", "de la base").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from remanence.guard.secrets.judging import (
    chosen,
    code,
    harmless,
    mixed,
    placeholder,
    plain_word,
    prose,
    random_looking,
    remark,
    said,
    wordy,
)
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.names import Name, harmless_name, harmless_tail, names, tail_end
from remanence.guard.secrets.reading import bare_end, ends_here, trails_off, typed_so, value_at
from remanence.guard.secrets.words import TOLD

_ADVERB = (
    r"(?: (?:now|still|currently|just|simply|actually|always|again|set to|reset to|changed to|the word"
    r"|literally|probably|maybe|jetzt|noch|immer|maintenant|ahora|agora))?"
)
_VERB = (
    rf"(?:['’]s{_ADVERB}\s{{1,2}}|"
    r"\?\s{1,2}(?:it['’]?s|it is)\s|\s[–—-]\s|[ ,)]{1,3}(?:is|was|are|were|used to be|will be"
    r"|has been|had been|should be|be|being|remains?|reads|equals|became|becomes|lautet|ist|war|heißt|est|es|era"
    r"|é|è|eh|to|jest|är|er|je|on|adalah|là|stands? at|wird zu|est devenu|c['’]est|as|wurde (?:auf|in|zu)"
    r"|a été changé en"
    r"|(?:(?:got|gets|been|was|is|were|be|has been) )?(?:re)?(?:set|changed?|updated|rotated|switched|moved)"
    r"(?: from \S{1,40})?(?: back| over)? to)\b"
    rf"{_ADVERB}(?:\s?:)?\s{{1,3}}"
    r"|\s?(?:是|为|為|は|が|는|은|이|가)[: ]{0,2}(?=.{0,1}[!-~]))"
)
_AFTER = lazy(
    r"(?P<tail>[a-z0-9_\-]{0,30})(?: #?\d{1,2}(?=\s?[:=]))?[\"'`*\]\)\\]{0,4}(?:"
    r"(?P<gone>[\s:=>\"'`(]{0,8}\x01)"
    r"|(?P<typed>\s?:\s?(?:[a-z_][\w.:]{0,30}(?:\[\w{0,20}\])?\??)(?:\s?\|\s?\w{1,20}){0,3}\s?=\s{0,3})(?=[\"'])"
    r"|(?P<pair>[\"',]{0,2}\s{1,40}[\"']?value[\"']?\s{0,3}[:=]\s{0,3})"
    r"|(?P<pair2>\s?\{\s{1,40}(?:(?:type|description"
    r"|sensitive)\s{0,20}=[^\n]{0,80}\s{1,20}){0,3}default\s{0,20}=\s{0,3})(?=\")"
    r"|(?P<sign>\s{0,12}(?:=>|:=|={1,3}|!={1,2}|:|<-|->|→|⇒)\s{0,8})(?!\x01)"
    r"|(?P<call>\s{0,3}[,({]\s{0,3})(?=[\"'])"
    r"|(?P<tag>(?:\s[^<>\n]{0,80})?(?<![-=])>\s{0,40})(?=[^<\s])"
    r"|(?P<cell>\s{0,20}\|\s{0,20})(?=\S)"
    rf"|(?P<verb>{_VERB})(?!\x01)"
    r"|(?P<near>(?:\s|\\t){1,12}\\{0,2})(?=[\"'`“«„「])"
    r"|(?P<next>\s?\(|, (?=\S{4,200},)|(?:[ \t]{1,3}|\r?\n)(?:(?:type|enter|use|try|give"
    r"|was) )?)(?=[^\s\[]{0,40}[\d!#$%^&*+=@~]|[a-z]{3,12}[-._][a-z]{3,12}[-._][a-z]{3,12}[-._][a-z]{3})"
    r")"
)
_WHERE = lazy(
    r"[\"'`]?(?:, (?=[\w ]{2,30}, (?:is|was|ist|lautet|est|es|è)\b)|, (?:by the way|btw|again|fyi|i think|i believe"
    r"|for now|as always|as of \w+)\b"
    r"|[ ,(]{1,2}(?:for|of|on|to|at|in|from|used|we|i|you|he|she|they|it|so|and|that|which|here|today|tonight"
    r"|tomorrow|this|these|since|right|right now|für|von"
    r"|vom|zum|zur|des"
    r"|der|du|de|d['’]|del|do|da|della|dello|voor"
    r"|van|till|til|для|от|к|z|pour|a|al|au|com|per)\b|的)"
)
_GAP = lazy(
    r" (?!(?:is|was|est|es|ist)\b)([\w'’-]{2,20})(?: [\w'’-]{2,20})? (?:is|was|est|es|ist|lautet|é|è|as"
    r"|c['’]est)\b"
)
_INNER = lazy(r"[\w.-]{0,20}(?:token|key|pass|pwd|secret|auth|sig)[\w-]{0,10}[=:]\S")
_VERBS = lazy(
    rf"\s{{0,2}}(?:=|:|->|→|–|—|-)\s{{1,3}}|[:=](?=[^\s\d/])| (?:typed|entered|chose|picked|used?"
    rf"|as) |{_VERB}"
)
# After these a plain word stays: what it says in its language is not known here.
_UNKNOWN = frozenset(
    ["as", "on", "är", "er", "je", "jest", "adalah", "là", "to", "est", "es", "era", "é", "è", "eh", "ist", "war"]
)
_PLACE = lazy(r"[\w.-]{2,40}(?: (?:is|was|ist|est|es|are)\b|\s?[:=]\s)")
_COPULA = lazy(r"\b(?:is|was|lautet|ist|war|est|es|era|é|è|jest|är)\b|[:=]")
_SENTENCE = lazy(r"[.!?;](?:\s|$)|\n")
_MANY = 64
_SEEN_BEFORE, _SEEN_AFTER = 40, 500
_WIDEST = 110
# Without one of these near it a weak name has no value.
_TELLING = lazy(r"[\d!#$%^&*+=~@]|[!-~]{16}")
_CLOSE = 48
_OPTION = lazy(r"--[a-z]")
_FLAG = lazy(r"(?<![\w-])[-/]{1,2}[a-z0-9_-]{0,30}$")
_DEFAULT = lazy(
    r"[^\n\"']{0,80}(?:[\"'][^\"'\n]{0,80}[\"'][^\n\"']{0,20}?)?(?:,|\bor|\|\||\?\?|\?:"
    r"|:)\s{0,3}[\"']([^\"'\n]{4,100})[\"']"
)
_COUNTED = lazy(r"[ -](?:char|digit|day|week|month|hour|minute|second|bit|byte|word|time|letter|symbol)")
_LONG_RUN = 200
_TALLY = lazy(r",? ?(?:fail|skip|error|warn|total)", re.IGNORECASE)
_ENDS_NUMBERED = lazy(r"\w*[a-z][A-Z]\w*\.[A-Z]\w*\d$|\w*\.[A-Z][a-z]+\d{1,4}$")
# `SESSION_SECRET=correct-horse-battery` on a line of its own
_SETS = lazy(
    r"(?:^|\n)\s{0,8}(?:export |set |ENV |- )?[A-Z][A-Z0-9_]{2,40}(?:SECRET|TOKEN|KEY|SALT)(?:_[A-Z]{2,12})?=[\"']?$"
)


def named(text: str, low: str, known: list[Name]) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of values that a name announces."""
    passed = 0
    # What says the same again and again is looked at once; only a text made to be slow does.
    fruitless: set[str] | None = set() if len(known) > _MANY else None
    for number, name in enumerate(known):
        if name[0] < passed:
            continue
        around = text[max(0, name[0] - _SEEN_BEFORE) : name[1] + _SEEN_AFTER] if fruitless is not None else ""
        if fruitless is not None and around in fruitless:
            continue
        following = known[number + 1] if number + 1 < len(known) else None
        span = None
        if name.strong or _TELLING.search(low, name[1], name[1] + _WIDEST + 40):
            span, passed = _value(text, low, name, following)
        if span:
            yield name.kind, *span
            passed = span[1]
        elif fruitless is not None:
            fruitless.add(around)


def _value(text: str, low: str, name: Name, following: Name | None) -> tuple[tuple[int, int] | None, int]:
    """The value after a name, if there is one, and how far not to look again."""
    after = _AFTER.match(low, name[1])
    tail = after.end("tail") if after else tail_end(low, name)
    if tail > name[1] and harmless_name(low, name, tail):
        return None, tail
    if after is None:
        return _further(text, low, name, tail, following), tail
    how, at = after.lastgroup, after.end()
    if how == "gone":
        return None, at
    if _INNER.match(low, at):
        return None, tail
    if how in ("verb", "next"):
        alone = how == "verb" and _plain(low, name) and low[after.start("verb") : at].strip() not in _UNKNOWN
        if how == "verb" and _of_place(low, after.start("verb"), at):
            return _further(text, low, name, tail, following), tail
        span = _told(text, low, at, name.strong, how == "verb", alone)
        if span is None and how == "next":
            span = _given(text, low, name, at)
        return span or _further(text, low, name, tail, following), tail
    if harmless_name(low, name, tail):
        return None, tail
    start, end, quoted = value_at(text, at)
    if end <= start or _INNER.match(low, start):
        return None, tail
    if not quoted and (how in ("call", "near", "typed") or low[after.start("tail") : at].strip()[-2:] in ("==", "!=")):
        return None, tail
    if how == "tag":
        close = text.find("<", at, at + 400)
        if close <= start or "\n" in text[start:close].strip():
            return None, tail
        end, quoted = (close if not quoted else end), True
    if how in ("call", "near") and name.end - name.start < 5 and not mixed(text[start:end]):
        return None, tail  # "pass 'ignore'"
    if believed(text, start, end, quoted, name.strong):
        return (start, end), end
    if how == "sign" and not quoted:
        if code(text[start : end + 1]) and (default := _DEFAULT.match(text, at)):
            first, last = default.span(1)
            if mixed(default[1]) and believed(text, first, last, True, name.strong):
                return (first, last), last
        if end - start >= _LONG_RUN:
            return None, end
    return None, tail


def believed(text: str, start: int, end: int, quoted: bool, strong: bool) -> bool:
    """Is what was set under a name a secret? A word alone must end its line or clause."""
    value = text[start:end]
    if not strong:
        if _SETS.search(text, max(0, start - 60), start) and chosen(value) and value.count("-") > 1:
            return True
        if not random_looking(value, 6) or placeholder(value) or code(value):
            return False
        return not (quoted and prose(value))
    if not quoted and not value.isdigit() and not mixed(value):
        if chosen(value):
            of_env = text[start - 1] == "=" and text[max(0, start - 3) : start - 1].isupper()
            return of_env or not code(value) or text[max(0, start - 3) : start].rstrip()[-1:] != "="
        of_env = text[start - 1] == "=" and (not wordy(value) or text[max(0, start - 2) : start - 1].isupper())
        drawn = of_env and text[end : end + 1] in ("", " ", "\n")
        ended = drawn or ends_here(text, end) or trails_off(text, end)
        return plain_word(value, 4) and ended and not placeholder(value) and not code(value)
    if placeholder(value) or prose(value):
        return False
    if quoted:
        return (
            len(value) > 2 and not remark(value) and not (" " in value and not mixed(value) and len(value.split()) < 3)
        )
    if value.isdigit():
        return len(value) > 3 and not _TALLY.match(text, end)
    of_program = code(value) and not (text[start - 1] == "=" and _ENDS_NUMBERED.match(value))
    return len(value) > 3 and not remark(value) and not (of_program or harmless(value))


def _given(text: str, low: str, name: Name, at: int) -> tuple[int, int] | None:
    """The value of an option: `--password x`."""
    if not _FLAG.search(low, max(0, name.start - 34), name.start):
        return None
    start, end, quoted = value_at(text, at)
    value = text[start:end]
    if not value or value.startswith("-") or placeholder(value) or (not quoted and code(value)) or harmless(value):
        return None
    if name.strong and (mixed(value) or value.isdigit() or quoted):
        return start, end
    return (start, end) if not name.strong and random_looking(value, 6) else None


def _further(text: str, low: str, name: Name, at: int, following: Name | None) -> tuple[int, int] | None:
    """The value after a name, the place it belongs to, and a verb."""
    where = _WHERE.match(low, at) is not None
    alone = where and _plain(low, name)
    if not where and (not name.strong or (gap := _GAP.match(low, at)) is None or harmless_tail(gap[1])):
        return None
    limit = at + _WIDEST
    if following and following.strong and following.start < limit:
        limit = following.start
    if stop := _SENTENCE.search(low, at, limit):
        limit = stop.start() + 1
    begun = at
    for _ in range(4):
        verb = _VERBS.search(low, at, limit)
        if verb is None:
            return None
        close = verb.end() - begun < _CLOSE
        if _of_place(low, verb.start(), verb.end()):
            at = verb.end() - 1
            continue
        if span := _told(
            text, low, verb.end(), name.strong, close, alone and close and _COPULA.search(verb[0]) is not None
        ):
            return span
        at = max(verb.end() - 1, at + 1)
    return None


def _plain(low: str, name: Name) -> bool:
    """May a plain word follow? "pass" is said of much else."""
    return name.end - name.start > 4 or low[name.start : name.end] in ("pw", "pwd", "mdp", "ww", "psk")


def _of_place(low: str, verb: int, at: int) -> bool:
    """Was the verb none, and what comes after it a place? "to web01 is"."""
    return low[verb:at].strip(" ,)") in ("to", "on", "er", "je", "es") and _PLACE.match(low, at) is not None


def _told(text: str, low: str, at: int, strong: bool, close: bool, alone: bool) -> tuple[int, int] | None:
    """The value that begins here, if it is one; `close`: not far from the name; `alone`: a plain word may be one."""
    start, end, quoted = value_at(text, at)
    if end <= start:
        return None
    value = text[start:end]
    if _OPTION.match(value):
        return None
    if quoted:
        plain = placeholder(value) or prose(value) or remark(value) or len(value) < 4
        sure = strong and close and (not plain or value.lower() in TOLD)
        return (start, end) if sure or said(value, strong) else None
    if not value.isascii() and not (strong and close and chosen(value)):
        start, end, value = _in_ascii(text, start, end)
        if not value:
            return None
    if said(value, strong):
        amount = value[0].isdigit() and _COUNTED.match(low, end)
        return None if amount or (value.isdigit() and not close) else (start, end)
    if strong and close and (chosen(value) or (plain_word(value) and typed_so(text, end))):
        return start, end
    if strong and alone and start == at and text[start - 1] == " " and (ends_here(text, end) or trails_off(text, end)):
        return (start, end) if plain_word(value, 4) or value.lower() in TOLD else None
    return None


def _in_ascii(text: str, start: int, end: int) -> tuple[int, int, str]:
    """The part in ASCII of a run in a script without spaces: パスワードは x です."""
    run = _ASCII.match(text, start, end)
    if run is None:
        return start, start, ""
    end = bare_end(text, run.start(1), run.end(1))
    return run.start(1), end, text[run.start(1) : end]


_ASCII = lazy(r"[^!-~]?([!-~]+)")
_KEY_KINDS = lazy(r"(?<![a-z])(?:pin(?:[_-]?code)?|cvv|cvc|otp)(?![a-z])$")
_KEY_MORE = lazy(r"(?<![a-z])(?:sig|cookie|cookies|pat|jwt)(?![a-z])$")


# A path or an address; `/prod/db/password` is what stores of secrets call their entries.
_LOCATION = lazy(
    r"[a-z][a-z0-9+.-]*:(?://|\\)|\.{1,2}[/\\]|~[/\\]|[/\\]{2}|.*[/\\](?:passwd|shadow|[\w-]*\.[a-z]{1,5})$"
)


def kind_by(key: str) -> str | None:
    """The kind of secret that a key of a mapping says it holds."""
    low = key.lower().strip()
    if len(low) > 100 or _LOCATION.match(low):
        return None
    if _KEY_KINDS.search(low):
        return "pin"
    if _KEY_MORE.search(low):
        return "token"
    for name in reversed(names(low)):
        tail = tail_end(low, name)
        if (
            tail == len(low)
            and not harmless_name(low, name, tail)
            and (name.strong or low[name.end - 1] != "s" or name.kind == "credential")
        ):
            return name.kind
    return None


def holds(text: str, kind: str) -> bool:
    """Is the whole text the secret that its key announces?"""
    if placeholder(text) or prose(text):
        return False
    if kind in ("password", "passphrase"):
        return not remark(text) and not (" " in text and not mixed(text) and len(text.split()) < 3)
    if kind == "pin":
        return text.strip().isdigit()
    if len(text) < 6 or harmless(text) or code(text):
        return False
    return random_looking(text, 6) or (mixed(text) and len(text) > 7 and " " not in text)
