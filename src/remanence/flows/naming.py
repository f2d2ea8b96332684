"""Naming: which memories speak of somebody or something by name, found by reading them, whatever state they are in.

A name is met as a whole word, with case, width, blanks and invisible signs folded; in scripts that are written without
spaces anywhere in the text. An index of names knows live memories only, and may lag: where nothing may be missed, all
that a memory says is read: text, categories, concepts and whatever stands in its metadata.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from remanence.errors import InvalidInput, NotFound
from remanence.flows import entities
from remanence.model import checks
from remanence.model.entity import key_of
from remanence.model.memory import Memory
from remanence.model.words import is_unspaced, visible
from remanence.store.protocol import Store

LONGEST_NAME = 1000
_BLANKS = re.compile(r"\s+")
# Signs that are not seen and may stand anywhere in a word: of direction, and of no width.
_DIRECTIONS = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2061-\u2064\u2066-\u2069]")


def names_of(store: Store, about: object) -> tuple[str, ...]:
    """All names under which somebody or something is known, folded: its own first; InvalidInput for a blank one."""
    if problems := checks.string_problems(about, "about", LONGEST_NAME):
        raise InvalidInput(problems)
    key = _key(str(about))
    if not key:
        raise InvalidInput(f"about {checks.shown(about)!r} is no name")
    try:
        known: tuple[str, ...] = entities.found(store, key).keys
    except NotFound:
        known = ()  # only live memories make somebody known: the name itself is looked for all the same
    return tuple(dict.fromkeys(name for name in (key, *map(_key, known)) if name))


def names_one(memory: Memory, keys: Iterable[str]) -> bool:
    """Whether a memory names one of these, which are folded."""
    return any(_holds(_folded(text), keys) for text in _said(memory))


def observed(store: Store, keys: Sequence[str], scopes: Sequence[str] | None) -> dict[str, list[int]]:
    """Where captured sessions of these scopes name one of these: the places in each session."""
    found: dict[str, list[int]] = {}
    for session in store.sessions.listed(scopes):
        for page in store.sessions.observations(session.id):
            for one in page:
                if _holds(_folded(one.text), keys) or (one.call and _holds(_folded(one.call), keys)):
                    found.setdefault(session.id, []).append(one.seq)
    return found


def _key(name: str) -> str:
    return key_of(_folded(name))


def _said(memory: Memory) -> Iterator[str]:
    yield memory.text
    yield from memory.categories
    yield from memory.concepts
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


def _holds(text: str, keys: Iterable[str]) -> bool:
    for key in keys:
        at = text.find(key)
        while at >= 0:
            end = at + len(key)
            if not (_joins(text[at - 1 : at], key[0]) or _joins(text[end : end + 1], key[-1])):
                return True
            at = text.find(key, at + 1)
    return False


def _joins(beside: str, edge: str) -> bool:
    """Whether the sign next to a name makes it a part of a longer word."""
    return bool(beside) and _is_of_word(beside) and _is_of_word(edge)


def _is_of_word(sign: str) -> bool:
    of_word = sign.isalnum() or sign == "_" or unicodedata.category(sign)[0] == "M"
    return of_word and not is_unspaced(sign)
