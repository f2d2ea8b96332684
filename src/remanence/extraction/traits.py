"""What a statement is, guessed from its words: kind, categories, concepts, files, importance.

Importance is 0.5; rules, decisions, identity and security raise it, hedges and passing states lower it, within 0.2 and
0.9. "The key must never leave the vault" is a rule (+0.15) on security (+0.1): 0.75.
"""

from __future__ import annotations

import re

from remanence.extraction.cues import CATEGORIES, HEDGE, IDENTITY, KINDS, MUST, PASSING
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
_LIVES = pattern(r"(\S+) (?:lives|works|leads|is called|is named) (?:in |at |for |as |the )*(\S+)")
_UNDECIDED = pattern(
    r"(?:\bnot|n't|\bnever|\bnothing(?: is| has been)?|\bnicht|\bnichts|\bpas|\bno (?:hemos|han|ha|está))"
    r"(?: yet| been| encore| noch)* (?:decided|chosen|approved|agreed|entschieden|beschlossen|décidé|choisi|decidido)"
    r"|\bundecided\b|\bunentschieden\b|[未没](?:有)?决定|是否.{0,4}决定|決まっていない"
)
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
        if name == "decision" and _UNDECIDED.search(text):
            continue
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
    """Code, quoted terms and names, each once, in this order."""
    from remanence.extraction.entities import entities_of  # its words take a while to load

    found = [match.group(1) for match in _CODE.finditer(text)]
    found += [match.group(1).strip() for match in _QUOTED.finditer(text)]
    found += [name for name, kind in entities_of(text) if kind != "path"]
    kept: list[str] = []
    for each in dict.fromkeys(found):
        if len(each) > 1 and each not in files and not any(each in other for other in kept):
            kept.append(each)
            if len(kept) == _MOST_CONCEPTS:
                break
    return tuple(kept)
