"""Who and what a text names: people, places, products, identifiers, paths, packages, acronyms. Precision comes first.

A capitalised run is a name unless it opens a sentence with an ordinary word; a single word that opens one must be known
as a first name, own something, stand before a verb of one thing, or come again inside a sentence. German capitalises
nouns: there a single word must be a known first name or place. Scripts without capitals have rules of their own
(`entity_scripts`). Texts are looked at up to 20,000 characters, and give at most 32 names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from remanence.extraction import entity_words as words
from remanence.extraction.entity_definitions import defined_in, definitions_of
from remanence.extraction.entity_scripts import script_names
from remanence.extraction.entity_shapes import shapes_of
from remanence.extraction.lexicon import split_words
from remanence.extraction.patterns import pattern
from remanence.model.entity import key_of

__all__ = ["RULES", "definitions_of", "entities_of", "is_person"]

RULES = 3
"""Goes up whenever these rules find other names: what earlier ones found is then taken anew."""
MOST = 32
_LOOKED_AT = 20_000
_LONGEST = 80
_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĹĻĽŁŃŅŇŌŐŒŔŘŚŞŠŢŤŪŮŰŲŹŻŽΑ-ΩА-ЯЁ"
_LETTER = "0-9A-Za-zÀ-ÖØ-öø-ſΑ-ωά-ώА-яЁё"
_WORD = rf"[{_UPPER}][{_LETTER}]*(?:['’-][{_LETTER}]+)*"
_TITLED = r"(?:Dr|Mr|Mrs|Ms|Mx|Prof|St|Sr|Sra|Srta|Dra|Mme|Mlle|Hr|Fr|Capt|Sgt|Lt|Col|Gen|Rev|Sen|Gov|Dipl|Ing)\. "
_RUN = pattern(
    rf"(?:(?<![{_LETTER}_.@/\\#$%&'’-])|(?<=[ (][ld]['’]))(?:{_TITLED}|[{_UPPER}]\. ?){{0,4}}{_WORD}"
    rf"(?: (?:(?:van|von|zu|der|den|de|del|della|di|da|dos|du|la|le|ten|ter|bin|ibn|al|of|the|für) ){{0,2}}"
    rf"(?:[{_UPPER}]\. ?){{0,3}}(?:{_TITLED})?{_WORD}){{0,5}}"
)
_OWNED = pattern(r"['’]s$|(?<=s)['’]$")
_ELIDED = pattern(r"^(?:[ldLDjJnNsSmMtTcC]|qu|Qu)['’](?=[A-ZÀ-Þ])")
_BOUND = split_words("van von zu der den de del della di da dos du la le ten ter bin ibn al")
_LINKS = _BOUND | {"of", "the", "für"}
_OPENS = frozenset(".!?…:;\n*•·>|#]。！？：；–—")
_ABBREVIATED = frozenset(("e.g", "i.e", " vs", "z.B", "d.h", ".ex", ".ej", "etc"))
_SKIPPED = frozenset(" \t\"'“”„‘«»([{_~")
_INNER = pattern(r"'[A-ZÀ-Þ]")
_NEXT = pattern(r"[ ,]*([^\W\d_]+(?:['’][a-z]+)?)")
_SPOKEN = pattern(r"'(?:ve|re|d|ll|m|t|all|em)$|-[a-z]+$")
_PLURAL = pattern(r"(?<=[A-Z])s$")
_ACRONYM = pattern(r"(?:[A-Z][A-Z0-9]{1,4}|[A-Z]{1,6}\d[A-Z0-9]{0,3}|[B-DF-HJ-NP-TV-Z]{6,8})(?:-\d{1,3})?$")
_ENDINGS = ("ing", "ion", "ity", "ment", "ness", "ance", "ence", "ship", "ism", "ure", "acy", "ency", "ancy", "ly")
_OF_FRIDAY = ("Black", "Cyber", "Good")
_RAISED = ("Error", "Exception", "Warning")
_AT_COMPANY = pattern(r"\b[Aa]rbeite[nt]?\b|\b[Aa]ngestellt\b|\b[Jj]ob\b|\bgewechselt\b")


def entities_of(text: str, concepts: Sequence[str] = (), files: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """The names in a text, each once, with its kind; a caller's own tags and files are among them."""
    kept: dict[str, tuple[str, str]] = {}

    def found(name: str, kind: str) -> None:
        key = key_of(name)
        if key and (key not in kept or kept[key][1] == "concept"):
            kept[key] = (name, kind)

    for concept in concepts:
        found(concept.strip(), "concept")
    for path in files:
        found(path, "path")
    text = text[:_LOOKED_AT]
    for short, long in defined_in(text):
        found(long, "name")
        found(short, "acronym" if short.isupper() else "name")
    plain = shapes_of(text, found)
    for name, kind in _capitalised(plain):
        found(name, kind)
        if len(kept) >= MOST:
            break
    if not plain.isascii():
        for name in islice(script_names(plain), MOST):
            found(name, "name")
    return tuple(kept.values())[:MOST]


def is_person(name: str) -> bool:
    """Whether a name is a person's beyond doubt: it has a title, or begins with a common first name."""
    first = name.split(" ", 1)[0].rstrip(".").lower()
    return first in words.PERSON_TITLES or first in words.FIRST_NAMES


def _capitalised(text: str) -> Iterator[tuple[str, str]]:
    """Capitalised runs that are names, and acronyms."""
    runs = list(_RUN.finditer(text))
    if not runs:
        return
    german: bool | None = None
    doubtful: list[str] = []
    sure: set[str] = set()
    shouted = _shouted(text, [run.group() for run in runs])
    for run in runs:
        whole = run.group()
        if len(whole) > 2 * _LONGEST or whole in shouted:
            continue
        opening = _opens(text, run.start())
        if opening and whole.lower() in words.BARE and whole.lower() not in words.FIRST_NAMES:
            continue
        if german is None:
            german = _is_german(text)
        parts = _parts(whole)
        if opening and _drops(parts, german):
            parts, opening = parts[1:], False
        while parts and _plain(parts[0]) in words.LEADING and not (len(parts) > 1 and is_person(parts[0])):
            parts = parts[1:]
        while parts and not (parts[0] in _OF_FRIDAY and len(parts) == 2) and _ends_outside(parts[-1]):
            parts = parts[:-1]
        if not parts:
            continue
        for name, kind in _read(parts, opening, german, text, run.end()):
            if kind == "doubtful":
                doubtful.append(name)
                continue
            sure.update(name.split(" "))
            yield name, kind
    for name in doubtful:
        if name in sure:
            yield name, "name"


def _ends_outside(part: str) -> bool:
    return _plain(part) in words.TRAILING or part in _LINKS


def _parts(run: str) -> list[str]:
    return _ELIDED.sub("", run).replace("’", "'").split(" ")


def _plain(word: str) -> str:
    return word.removesuffix("'s").rstrip(".").lower()


def _drops(parts: list[str], german: bool) -> bool:
    """Whether the first word of a run that opens a sentence is no part of the name."""
    first = _plain(parts[0])
    if len(parts) == 1 or first in words.TITLES:
        return False
    if first == "new" and _plain(parts[1]) in words.NEW_PLACES:
        return False
    if first in words.FIRST_NAMES:
        return first in words.OPENING and _plain(parts[1]) in words.FIRST_NAMES
    # "Woohoo Melanie": who is spoken to comes last.
    return german or first in words.OPENING or (len(parts) == 2 and _plain(parts[1]) in words.FIRST_NAMES)


def _read(parts: list[str], opening: bool, german: bool, text: str, end: int) -> Iterator[tuple[str, str]]:
    """The names in a run of capitalised words."""
    short = [_is_acronym(part) for part in parts]
    if all(short) or (len(parts) == 1 and short[0]):
        for part in parts:
            name = _PLURAL.sub("", _OWNED.sub("", part))
            if name.lower() not in words.NO_ACRONYM:
                yield name, "acronym"
        return
    name = _OWNED.sub("", " ".join(parts))
    if len(name) > _LONGEST or len(name) < 2 or not any(sign.islower() for sign in name):
        return
    if len(parts) > 1:
        # "Anna's Redis" are two, and so are people and what they have.
        for place, part in enumerate(parts[:-1]):
            if part.endswith("'s") and is_person(_plain(parts[0])):
                yield from _read(parts[: place + 1], opening, german, text, end)
                yield from _read(parts[place + 1 :], False, german, text, end)
                return
        if german:
            name = _OWNED.sub("", " ".join(_named_in_german(parts)))
        if name:
            yield name, "name"
        return
    word = name.lower()
    if _SPOKEN.search(name):
        return
    mixed = any(sign.isupper() for sign in name[1:]) or any(sign.isdigit() for sign in name)
    if mixed and "-" not in name:
        yield name, "identifier" if name.endswith(_RAISED) else "name"
    elif german:
        known = word in words.PLACES or (word in words.FIRST_NAMES and word not in words.OPENING)
        if known or _is_employer(text, end - len(parts[0])):
            yield name, "name"
    elif not opening:
        if word not in words.NEVER:
            yield name, "name"
    elif word in words.FIRST_NAMES and word not in words.OPENING:
        yield name, "name"
    elif word not in words.BARE and not word.endswith(_ENDINGS):
        yield name, "name" if _has_evidence(parts[0], word, text, end) else "doubtful"


def _has_evidence(written: str, word: str, text: str, end: int) -> bool:
    """Whether a word that opens a sentence is a name: it owns something, or a verb of one thing follows."""
    if "'" in word:
        return _INNER.search(written) is not None
    after = _NEXT.match(text, end)
    if after is None or text[end : end + 1] == ",":
        return False
    verb = after.group(1).lower()
    if written.endswith("'s"):  # "Ana's car", but not "Chess's a game"
        return verb not in words.NEVER
    return verb in words.SINGULAR or (verb in words.VERBS and not word.endswith("s"))


def _named_in_german(parts: list[str]) -> list[str]:
    """Of a run in German, where nouns are capitalised, what begins with a person, a place or a company's own name."""
    for place, part in enumerate(parts):
        word = _plain(part)
        if is_person(word) or word in words.PLACES:
            return parts[place:]
        if _is_acronym(part) or any(sign.isupper() for sign in part[1:]):
            return parts[place:] if place + 1 < len(parts) else []
    return []


def _is_employer(text: str, start: int) -> bool:
    """ "arbeitet bei Siemens"."""
    if text[max(0, start - 4) : start] != "bei ":
        return False
    return _AT_COMPANY.search(text, max(0, start - 120), start) is not None


def _is_acronym(part: str) -> bool:
    return _ACRONYM.match(_PLURAL.sub("", _OWNED.sub("", part))) is not None


def _opens(text: str, start: int) -> bool:
    """Whether a sentence, a line or what somebody says begins here."""
    place = start - 1
    while place >= 0 and start - place < 40 and text[place] in _SKIPPED:
        place -= 1
    if place < 0:
        return True
    if text[place] in _OPENS:
        return text[place] != "." or text[max(0, place - 3) : place] not in _ABBREVIATED
    return text[place] == "-" and (place == 0 or text[place - 1] in " \n")


def _shouted(text: str, runs: list[str]) -> frozenset[str]:
    """Runs of three or more words in capitals with an ordinary one among them say nothing by their capitals."""
    if not any(run.isupper() and " " in run for run in runs):
        return frozenset()
    return frozenset(
        run
        for run in runs
        if run.isupper() and run.count(" ") > 1 and any(_plain(part) in words.NO_ACRONYM for part in run.split(" "))
    )


def _is_german(text: str) -> bool:
    spoken = set(text[:1000].lower().split())
    german = len(spoken & words.GERMAN_WORDS)
    return german > 0 and german > len(spoken & words.ENGLISH_WORDS)
