"""What a statement is, guessed from its words: kind, categories, concepts, files, importance.

Importance is 0.5; rules, decisions, identity and security raise it, hedges and passing states lower it, within 0.2 and
0.9. "The key must never leave the vault" is a rule (+0.15) on security (+0.1): 0.75.
"""

from __future__ import annotations

import re

from remanence.extraction.cues import CATEGORIES, HEDGE, IDENTITY, KINDS, MUST, PASSING
from remanence.extraction.english import ENGLISH
from remanence.extraction.lexicon import split_words
from remanence.extraction.patterns import pattern
from remanence.model.extraction import Fact

_LOOKED_AT = 1000
_MOST_CONCEPTS = 8
_MOST_CATEGORIES = 4
_WORD = pattern(r"[\w'-]+")
_RAISED = {
    "decision": 0.15,
    "identity": 0.15,
    "gotcha": 0.15,
    "preference": 0.1,
    "architecture": 0.05,
    "bug": 0.05,
    "observation": -0.15,
}
_ENDINGS = split_words(
    "py js ts tsx jsx rs go java kt c h cpp hpp cs rb php sh sql md rst txt json yml yaml toml ini cfg conf env lock "
    "csv tsv xml html css log pdf"
)
_FILE = pattern(
    r"(?<![\w/.@:-])(?:~/|/|\.{1,2}/)?(?:[\w.-]{1,80}/){1,12}[\w.-]{0,80}"
    rf"|(?<![\w/.@-])[\w-]{{1,60}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:{'|'.join(sorted(_ENDINGS))})\b|"
    rf"(?<![\w/.])\.[a-z]{{2,20}}rc?\b"
)
_CODE = pattern(r"`([^`\n]{1,80})`")
_QUOTED = pattern(r"[\"“„«「『]([^\"“”«»」』\n]{2,60})[\"”“»」』]")
_IDENTIFIER = pattern(r"\b(?:[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w+|[A-Z]{2,}[\w-]*|[A-Z][a-z]+[A-Z]\w*)\b")
_NAMES = pattern(r"(?<![.!?] )(?<!^)\b[A-ZÀ-ÖØ-Þ][\w'’-]*[a-zà-ÿ0-9](?: [A-ZÀ-ÖØ-Þ][\w'’-]*[a-zà-ÿ0-9]){0,3}\b")
_FIRST_NAME = pattern(r"[A-ZÀ-ÖØ-Þ][\w'’-]+(?: [A-ZÀ-ÖØ-Þ][\w'’-]+){0,2}")
_OWNED = pattern(r"['’]s$")
_LIVES = pattern(r"(\S+) (?:lives|works|leads|is called|is named) (?:in |at |for |as |the )*(\S+)")
_THINGS = split_words(
    "config configuration data code file files state logic module script service function class key secret token "
    "cache index "
    "table schema log logs docs documentation test tests image binary package template model pipeline job repo "
    "database "
    "settings history backup backups metadata source app tool api endpoint page command option feature workaround it"
)
# "Chen to benchmark the cache": somebody is to do something.
_TASK = pattern(
    r"(?:(?:[Tt]odo|[Tt]o do|[Aa]ctions?|[Nn]ext): )?[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+|"
    r" and [A-ZÀ-Þ][\w'’-]+)? to (?:(?:also|then) )?[a-z]{3,}\b"
)
_COMMON = split_words(
    "mr mrs ms dr prof "
    "the a an this that these those we i you he she it they our my your his her its their all no not if when "
    "after before on in at for from with by to and or but as is are was be next done open use run der die das ein "
    "eine wir ich sie er es le la les un une il elle el los las new old key default please there here each every "
    "some any one two three todo api http https ok id info error warn warning debug monday tuesday wednesday "
    "thursday friday saturday sunday january february march april may june july august september october november "
    "december jan feb mar apr jun jul aug sep oct nov dec nobody everybody i'm i've i'll "
)


def described(text: str, logged: bool = False) -> Fact:
    """The statement with what it seems to be."""
    looked_at = text[:_LOOKED_AT]
    low = looked_at.lower().replace("’", "'")
    words = frozenset(_WORD.findall(low))
    ascii_only = low.isascii()
    kind = "observation" if logged else _kind(words, low, ascii_only, looked_at)
    found = [name for name, cues in CATEGORIES if cues.occur(words, low, ascii_only)]
    files = _files(looked_at)
    importance = 0.5 + _RAISED.get(kind, 0.0)
    importance += 0.15 * MUST.occur(words, low, ascii_only)
    importance += 0.1 * ("security" in found or "compliance" in found) + 0.05 * ("deadline" in found)
    importance -= 0.15 * HEDGE.occur(words, low, ascii_only) + 0.1 * PASSING.occur(words, low, ascii_only)
    return Fact(
        text=text,
        kind=kind,
        categories=tuple(found[:_MOST_CATEGORIES]),
        concepts=_concepts(looked_at, files),
        files=files,
        importance=round(min(0.9, max(0.2, importance)), 2),
    )


def _kind(words: frozenset[str], text: str, ascii_only: bool, original: str) -> str:
    if text.startswith(("open: ", "done: ", "todo")) or _TASK.match(original):
        return "project_status"
    for name, cues in KINDS:
        if cues.occur(words, text, ascii_only) and not (name == "identity" and _of_a_thing(words, text)):
            return name
    return "fact"


def _of_a_thing(words: frozenset[str], text: str) -> bool:
    """ "The config lives in ~/.notes": only people live somewhere."""
    if not IDENTITY.words.isdisjoint(words):
        return False
    match = _LIVES.search(text)
    return match is not None and (
        match.group(1) in _THINGS or match.group(2)[:1] in "`~/.$\"'" or "/" in match.group(2)
    )


def _files(text: str) -> tuple[str, ...]:
    if "/" not in text and "." not in text:
        return ()
    found: dict[str, None] = {}
    for match in _FILE.finditer(text):
        path = match.group().rstrip("./,-") if not match.group().endswith("/") else match.group()
        if "://" in text[max(0, match.start() - 3) : match.end()] or not re.search(r"[^\W\d]", path):
            continue
        # "EU/US" and "and/or" are no paths: a path has a root, a dot or two slashes.
        if "." in path or path.count("/") > 1 or path.startswith(("/", "~")):
            found[path] = None
    return tuple(found)[:_MOST_CONCEPTS]


def _concepts(text: str, files: tuple[str, ...]) -> tuple[str, ...]:
    """Names, identifiers, acronyms and quoted terms, each once, in this order."""
    found = [match.group(1) for match in _CODE.finditer(text)]
    found += [match.group(1).strip() for match in _QUOTED.finditer(text)]
    found += _IDENTIFIER.findall(text)
    first = _FIRST_NAME.match(text)
    if first and _is_name(first.group(), text[first.end() :]):
        found.append(_OWNED.sub("", first.group()))
    found += [
        _OWNED.sub("", match.group())
        for match in _NAMES.finditer(text)
        if text[match.end() : match.end() + 1] not in {":", "："}
        and (" " in match.group() or text[match.start() - 2 : match.start()] != ": ")
    ]
    kept: list[str] = []
    for each in dict.fromkeys(found):
        if (
            len(each) > 1
            and each.lower() not in _COMMON
            and each not in files
            and not any(each in other for other in kept)
        ):
            kept.append(each)
            if len(kept) == _MOST_CONCEPTS:
                break
    return tuple(kept)


def _is_name(words: str, rest: str) -> bool:
    """Whether what a statement begins with, capitalised anyway, is a name: several words, a known one, or
    before its verb."""
    first, _, more = _OWNED.sub("", words).partition(" ")
    if first.lower() in _COMMON or rest[:1] in {":", "："}:
        return False
    if more or first.lower() in ENGLISH.feminine or first.lower() in ENGLISH.masculine:
        return True
    after = rest.split(maxsplit=1)[:1]
    return bool(after) and after[0] in ENGLISH.finite and not first.endswith(("s", "ing", "ion", "ity", "ment"))
