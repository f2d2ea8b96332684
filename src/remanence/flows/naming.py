"""Naming: which memories speak of somebody or something by name, found by reading them, whatever state they are in.

A name is met as a whole word, with case, width, blanks and invisible signs folded; in scripts that are written without
spaces anywhere in the text. An index of names knows live memories only, and may lag: where nothing may be missed, all
that a memory says is read: text, categories, concepts, files, origin and whatever stands in its metadata.

Of the other names that are known, two kinds are met with more care, since here a wrong match destroys: a short form in
capitals only as it is written ("WHO" is not "who"), and a part of a longer name only where the words beside it do not
make it somebody else's ("Maria Lopez" is not Maria Keller).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from remanence.errors import InvalidInput, NotFound
from remanence.flows import entities
from remanence.model import checks
from remanence.model.entity import Entity, key_of
from remanence.model.memory import Memory
from remanence.model.session import SESSION
from remanence.model.words import is_unspaced, visible
from remanence.store.protocol import Store

LONGEST_NAME = 1000
_LONGEST_SHOWN = 80
_BLANKS = re.compile(r"\s+")
_WITHIN_LINE = re.compile(r"[^\S\n]+")
_LINE_ENDS = re.compile(r" ?\n\s*")
# Signs that are not seen and may stand anywhere in a word: of direction, and of no width.
_DIRECTIONS = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2061-\u2064\u2066-\u2069]")
_BEFORE = re.compile(r"([^\W\d_][^\W_]*(?:'[^\W_]+)*)(\.?)[ -]$")
# A name may go on behind a small word: "Maria da Silva", "Maria van der Berg".
_BEHIND = re.compile(r"[ -](?:(?:van|von|de|del|della|di|da|dos|du|al|bin|ibn) (?:der |den |la )?)?([^\W\d_][^\W_]*)")


@dataclass(frozen=True, slots=True)
class Names:
    """What somebody or something is looked for by: whole names and parts of them folded, short forms as written."""

    shown: tuple[str, ...]
    whole: tuple[str, ...]
    short: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    """The words of all the names, folded."""


def names_of(store: Store, about: object) -> Names:
    """All names under which somebody or something is known, its own first; InvalidInput for a blank one."""
    if problems := checks.string_problems(about, "about", LONGEST_NAME):
        raise InvalidInput(problems)
    key = _key(str(about))
    if not key:
        raise InvalidInput(f"about {checks.shown(about)!r} is no name")
    try:
        entity = entities.found(store, key)
    except NotFound:  # only live memories make somebody known: the name itself is looked for all the same
        return Names((_shown(str(about)),), (key,))
    return _sorted_out(store, key, str(about), entity)


def names_one(memory: Memory, names: Names) -> bool:
    """Whether a memory names one of these."""
    # A caller's own tag is a name in whatever case: the index of names takes it for one too.
    if names.short and not {_key(tag) for tag in memory.concepts}.isdisjoint(map(_key, names.short)):
        return True
    return any(_names(text, names) for text in _said(memory))


def observed(store: Store, names: Names, scopes: Sequence[str] | None) -> dict[str, list[int]]:
    """Where captured sessions of these scopes name one of these: the places in each session."""
    found: dict[str, list[int]] = {}
    for session in store.sessions.listed(scopes):
        for page in store.sessions.observations(session.id):
            for one in page:
                if _names(one.text, names) or (one.call and _names(one.call, names)):
                    found.setdefault(session.id, []).append(one.seq)
    return found


def _sorted_out(store: Store, key: str, about: str, entity: Entity) -> Names:
    """The names of an entity by how they are met; the one that was asked for is met in any case."""
    written = {_key(name): name for name in (entity.name, *entity.aliases)}
    written.pop("", None)
    capitals = _capitals(store, entity)
    full = [name.split() for name in written if len(_untitled(name)) > 1]
    spelled = {word for name in written.values() if len(name.split()) > 1 for word in name.split()}
    whole, short, parts = [key], list[str](), list[str]()
    for other, name in written.items():
        if other == key:
            continue
        bare = _untitled(other)
        is_part = len(bare) == 1 and any(bare[0] in words for words in full)
        shouted = name if name.isupper() else capitals.get(other)
        # "MARIA" beside "Maria Keller" is her name shouted, and no short form.
        if shouted and (not is_part or shouted in spelled):
            short.append(_tidied(shouted))
        else:
            (parts if is_part else whole).append(other)
    shown = {key: written.get(key, about)} | {other: capitals.get(other, name) for other, name in written.items()}
    words = frozenset(word for name in (key, *written) for word in name.split())
    return Names(tuple(map(_shown, shown.values())), tuple(whole), tuple(short), tuple(parts), words)


def _capitals(store: Store, entity: Entity) -> dict[str, str]:
    """Names that are short forms though most often written small, as tags are: they are written in capitals else."""
    keys = {key_of(name) for name in (entity.name, *entity.aliases) if name.islower()}
    ways: dict[str, set[str]] = {}
    for one in store.entities.mentions(keys=keys) if keys else ():
        if not one.name.islower():
            ways.setdefault(one.key, set()).add(one.name)
    return {_key(key): max(names) for key, names in ways.items() if all(name.isupper() for name in names)}


def _untitled(key: str) -> list[str]:
    """The words of a folded name without the titles before it."""
    from remanence.extraction.entity_words import PERSON_TITLES  # its words take a while to load

    words = key.split()
    while len(words) > 1 and words[0].rstrip(".") in PERSON_TITLES:
        words = words[1:]
    return words


def _shown(name: str) -> str:
    """A name in a message: in one line, and not endless."""
    name = "".join(filter(str.isprintable, _tidied(name))).strip()
    return name if len(name) <= _LONGEST_SHOWN else name[: _LONGEST_SHOWN - 3] + "..."


def _key(name: str) -> str:
    return key_of(_folded(name))


def _said(memory: Memory) -> Iterator[str]:
    yield memory.text
    yield from memory.categories
    yield from memory.concepts
    yield from memory.files
    if memory.origin:
        yield memory.origin.removeprefix(SESSION)
    yield from _texts(memory.metadata)


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value; metadata is at most 16 deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield str(name)
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)


def _folded(text: str) -> str:
    """As names are folded, but for what stands around them."""
    if text.isascii():
        return _BLANKS.sub(" ", text.casefold())
    folded = unicodedata.normalize("NFKC", text.casefold())
    folded = unicodedata.normalize("NFKC", folded.casefold()).replace("’", "'")
    return _BLANKS.sub(" ", _DIRECTIONS.sub("", visible(folded)))


def _seen(text: str) -> str:
    """Folded but for case and blanks."""
    if text.isascii():
        return text
    return _DIRECTIONS.sub("", visible(unicodedata.normalize("NFKC", text).replace("’", "'")))


def _tidied(text: str) -> str:
    """Folded but for case."""
    return _BLANKS.sub(" ", _seen(text))


def _names(text: str, names: Names) -> bool:
    folded = _folded(text)
    if _holds(folded, names.whole):
        return True
    if names.short and _holds(_tidied(text), names.short):
        return True
    return _holds(folded, names.parts) and _holds_part(text, names)


def _holds(text: str, keys: Iterable[str]) -> bool:
    return any(True for key in keys for _ in _met(text, key))


def _met(text: str, key: str) -> Iterator[tuple[int, int]]:
    """From where to where a name stands in a text as a whole."""
    at = text.find(key)
    while at >= 0:
        end = at + len(key)
        if not (_joins(text[at - 1 : at], key[0]) or _joins(text[end : end + 1], key[-1])):
            yield at, end
        at = text.find(key, at + 1)


def _holds_part(text: str, names: Names) -> bool:
    """Whether a part of a name stands anywhere by itself; what stands on another line is not beside it."""
    plain = _LINE_ENDS.sub("\n", _WITHIN_LINE.sub(" ", _seen(text)))
    folded, places = [], []
    for place, sign in enumerate(plain):  # a sign may fold to several
        for small in " " if sign == "\n" else sign.casefold():
            folded.append(small)
            places.append(place)
    places.append(len(plain))
    spans = (span for part in names.parts for span in _met("".join(folded), part))
    return any(not _is_anothers(plain, places[start], places[end], names.words) for start, end in spans)


def _is_anothers(text: str, start: int, end: int, known: frozenset[str]) -> bool:
    """Whether capitalised words beside a part of a name make it the name of somebody else."""
    from remanence.extraction import entity_words as words

    is_shouted = text[start:end].isupper()
    behind = _BEHIND.match(text, end)
    if behind is not None and _is_foreign(behind.group(1), known, is_shouted):
        word = behind.group(1).casefold()
        if word not in words.TRAILING and not (is_shouted and word in words.BARE):
            return True
    before = _BEFORE.search(text, max(0, start - _LONGEST_SHOWN), start)
    if before is None or not _is_foreign(before.group(1), known, is_shouted):
        return False
    word, is_ended = before.group(1).casefold(), bool(before.group(2))
    if word in words.TITLES or word.endswith("'s"):
        return False  # "Frau Keller" and "Dr. Keller" may be meant, and what is Anna's begins anew
    if is_ended:
        return len(word) == 1  # the initial of somebody else; a longer word has ended a sentence
    # "Ask Maria", "Yesterday Maria": an ordinary word that opens a sentence is no name.
    return word in words.FIRST_NAMES or word not in words.BARE


def _is_foreign(word: str, known: frozenset[str], is_shouted: bool) -> bool:
    """Whether a word is capitalised, and of none of the names that are known; an initial may be of one."""
    if not word[0].isupper() or is_unspaced(word[0]):
        return False
    if word.isupper() and len(word) > 1 and not is_shouted:
        return False  # "CTO Maria", "Maria OKRs": a short form is no name of a person
    folded = word.casefold()
    if len(word) == 1:
        return not any(one.startswith(folded) for one in known)
    return folded not in known


def _joins(beside: str, edge: str) -> bool:
    """Whether the sign next to a name makes it a part of a longer word."""
    return bool(beside) and _is_of_word(beside) and _is_of_word(edge)


def _is_of_word(sign: str) -> bool:
    of_word = sign.isalnum() or sign == "_" or unicodedata.category(sign)[0] == "M"
    return of_word and not is_unspaced(sign)
