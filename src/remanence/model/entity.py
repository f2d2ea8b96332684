"""An entity: who or what memories speak of, under one name, with its other names.

Names that fold to the same key are the same name: "MCP's", "mcp" and "MCP" are all `mcp`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from remanence.model.memory import Memory, plain

KINDS = ("name", "identifier", "path", "package", "acronym", "concept")
"""What an entity can be: people, places and products are names; a concept is a caller's own tag."""
_AROUND = " \t\n\"'`´‘’“”„«»「」『』()[]{}<>,;:!?…*_-–—"
_BEHIND = _AROUND + "."
_BLANKS = re.compile(r"\s+")
_OWNED = re.compile(r"(?:'s|(?<=s)')$")


def key_of(name: str) -> str:
    """A name folded: case, width, blanks, a possessive ending and signs around it make no difference."""
    key = name.casefold()
    if not name.isascii():
        key = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", key).casefold()).replace("’", "'")
    key, before = _BLANKS.sub(" ", key), None
    while key != before:  # one may hide another: "(MCP's)"
        before = key
        key = _OWNED.sub("", key.lstrip(_AROUND).rstrip(_BEHIND))
    return key


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """One entity: the name most used, its kind, its other names, and how many live memories of each scope name it.

    kind: name (people, places, products), identifier, path, package, acronym, concept (a caller's own tag).
    """

    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    memories: int = 0
    scopes: Mapping[str, int] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What its name folds to."""
        return key_of(self.name)

    @property
    def keys(self) -> tuple[str, ...]:
        """What all its names fold to, the most used first; under which of them it was stored may change."""
        return tuple(dict.fromkeys(key_of(name) for name in (self.name, *self.aliases)))

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Portrait:
    """What is known of one entity: its card, if a dream wrote one, whom it is named with, its newest memories."""

    entity: Entity
    card: Memory | None = None
    together: tuple[tuple[str, int], ...] = ()
    memories: tuple[Memory, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "entity": self.entity.to_dict(),
            "card": plain(self.card),
            "together": [{"name": name, "memories": number} for name, number in self.together],
            "memories": plain(self.memories),
        }
