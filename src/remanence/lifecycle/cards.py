"""Peer cards: what is known of one entity, in one text, from the memories that name it.

Statements stand as they were written, most important first, each said once, in at most 1,200 characters. What is
doubted when it is written is left out. Which statements stand in a card is decided by the memories alone, never by the
clock or by how often they were recalled. A card is written anew when other memories name the entity and others of them
would stand in it; that a belief lost weight since is no reason for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from remanence.lifecycle.coverage import Point, ended, missing, points, sentences
from remanence.lifecycle.grounding import EMPTY, Ground
from remanence.model.memory import Memory
from remanence.model.words import STOP_WORDS, tokens_of, words

KIND = "peer_card"
WORTHY = frozenset(("name", "acronym", "package", "concept", "identifier"))
"""Kinds of entities that get a card. Paths are looked after by the drift step."""
LEAST_MEMORIES = 5
LEAST_STATEMENTS = 2
MOST_SOURCES = 40
MOST_CHARACTERS = 1_200
ENTITY, NAME, OF, BY_MODEL = "entity", "name", "of", "llm"
"""Names in a card's metadata: whose it is, as it is written, the memories it was chosen from, who worded it."""
TOO_LONG, SURER = "empty or too long", "surer than the memories"
_WHOLE_CHARACTERS = 300
_SHORTEST_CHARACTERS = 12
_LONGEST_CHARACTERS = 600
_ASKS = re.compile(r"[?？][\"'”’»)\]]*(?=\s|$)|？")
_PLEASANTRIES = """
    hi hello hey bye goodbye thanks thank thx please sorry welcome wow yes yeah yep yup nope ok okay cool great awesome
    nice sure good fine right exactly true haha oh ah well really very much so too glad sounds
"""
_SMALL_TALK = STOP_WORDS.union(_PLEASANTRIES.split())


@dataclass(frozen=True, slots=True)
class Card:
    """A text, whose it is as they call it, the memories whose statements stand in it, and those statements."""

    text: str
    name: str
    used: tuple[Memory, ...]
    statements: tuple[str, ...]


def card_of(names: Sequence[str], keys: Sequence[str], memories: Iterable[Memory]) -> Card | None:
    """The card of an entity with these names, and those folded; None where too little can be said of it.

    It goes by the first of the names that its statements hold: no other must outlive a purge of those who said it.
    """
    room = MOST_CHARACTERS - max(map(len, names)) - 2
    used: list[Memory] = []
    said: list[str] = []
    held: list[Point] = []
    for memory in sorted(memories, key=_first):
        if len(used) == MOST_SOURCES or room < _SHORTEST_CHARACTERS:
            break
        if memory.challenged_by is not None or room < len(memory.text) <= _WHOLE_CHARACTERS:
            continue
        statement = about(memory.text, keys)
        if not statement or len(statement) > room:
            continue
        new = points(statement)
        if not any(missing(point, held) for point in new):
            continue
        room -= len(statement) + 1
        used.append(memory)
        said.append(statement)
        held += new
    if len(said) < LEAST_STATEMENTS:
        return None
    told = " ".join(said)
    beside = (tag for memory in used for tag in (*memory.concepts, *memory.files))
    whole = " ".join((told, *beside))
    name = next((name for name in names if _names(whole, [name])), None)
    if name is None:
        return None
    return Card(f"{name}: {told}", name, tuple(used), tuple(said))


def _first(memory: Memory) -> tuple[float, int, float, str]:
    return -memory.importance, -memory.confirmations, -memory.created_at.timestamp(), memory.id


def about(text: str, keys: Sequence[str]) -> str:
    """What a text says of an entity, in its own sentences: all of a short text, of a long one those that name it.

    Questions say nothing, and neither do greetings and thanks; empty where nothing is left.
    """
    plain = " ".join(text.split())
    is_short = len(plain) <= _WHOLE_CHARACTERS
    if is_short and not _ASKS.search(plain):
        return ended(plain) if _tells(plain, keys) else ""
    parts = [part for part in sentences(text) if not _ASKS.search(part)]
    chosen: list[str] = []
    room = _LONGEST_CHARACTERS
    for part in parts if is_short else [part for part in parts if _names(part, keys)] or parts[:1]:
        part = ended(" ".join(part.split()))
        if len(part) < room and _tells(part, keys):
            chosen.append(part)
            room -= len(part) + 1
    return " ".join(chosen)


def _names(sentence: str, keys: Sequence[str]) -> bool:
    said = f" {' '.join(words(sentence))} "
    return any(f" {' '.join(words(key))} " in said for key in keys if words(key))


def _tells(sentence: str, keys: Sequence[str]) -> bool:
    return not tokens_of(sentence) <= _SMALL_TALK.union(*map(tokens_of, keys))


def digest_of(memories: Iterable[Memory]) -> str:
    """The same for the same memories. Texts never change, so their ids are enough."""
    return blake2b("\n".join(sorted(memory.id for memory in memories)).encode(), digest_size=12).hexdigest()


def is_of(card: Memory, digest: str) -> bool:
    """Whether a card was chosen from these very memories."""
    return bool(card.metadata.get(OF) == digest)


def says_the_same(card: Memory, made: Card) -> bool:
    """Whether the statements of the same memories stand in both."""
    return set(card.lineage) == {memory.id for memory in made.used}


def fault_of(name: str, worded: Sequence[str], statements: Sequence[str]) -> str | None:
    """Why sentences somebody wrote of the statements cannot stand for them; None where they can."""
    parts = [part for text in worded for part in sentences(text)]
    if not parts or len(name) + 2 + sum(len(part) + 1 for part in worded) > MOST_CHARACTERS:
        return TOO_LONG
    ground = Ground("\n".join((name, *statements)), statements)
    read = [(tokens_of(statement), Point.of(statement)) for statement in statements]
    for part in parts:
        if fault := ground.fault(part):
            return fault if fault != EMPTY else TOO_LONG
        tokens = tokens_of(part)
        nearest = max(read, key=lambda one: len(one[0] & tokens))[1]
        if nearest.is_hedged and not Point.of(part).is_hedged:
            return SURER
    return None
