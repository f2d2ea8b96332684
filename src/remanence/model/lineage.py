"""Lineage: what a memory was made from, what was made from it, and its versions, as a graph to look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from remanence.model.memory import Layer, Memory, Source, State, plain
from remanence.model.scope import holds

MADE, VERSION = "made", "version"
LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative:
    """A memory of a lineage, with the first 200 characters of its text."""

    id: str
    text: str
    kind: str
    layer: Layer
    state: State
    scope: str
    source: Source
    created_at: datetime
    version: int

    @classmethod
    def of(cls, memory: Memory) -> Relative:
        values = {name: getattr(memory, name) for name in cls.__slots__}
        return cls(**values | {"text": memory.text[:LONGEST_TEXT]})

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


def link(older: str, newer: str, how: str) -> Mapping[str, str]:
    """A line of the graph, from a source or an older version to what came of it."""
    return {"from": older, "to": newer, "how": how}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """The memories that one is tied to, nearest first and itself the first of all.

    `links` are those between these memories: {"from": older, "to": newer, "how": "made" or "version"}. `purged` are
    ids that are named as a source or a version, and are gone; `more` says that there are more than were asked for.
    """

    id: str
    memories: tuple[Relative, ...]
    links: tuple[Mapping[str, str], ...] = ()
    purged: tuple[str, ...] = ()
    more: bool = False

    def within(self, scope: str) -> Lineage:
        """The part that a client kept to a scope may see: what is tied to the memory without leaving the scope.

        Where a purged one stood nobody knows any more, so none is told.
        """
        inside = {one.id for one in self.memories if holds(scope, one.scope)}
        ties: dict[str, list[str]] = {}
        for one in self.links:
            ties.setdefault(one["from"], []).append(one["to"])
            ties.setdefault(one["to"], []).append(one["from"])
        reached, waiting = {self.id} & inside, [self.id]
        while waiting:
            fresh = [id for id in ties.get(waiting.pop(), ()) if id in inside and id not in reached]
            reached.update(fresh)
            waiting += fresh
        return replace(
            self,
            memories=tuple(one for one in self.memories if one.id in reached),
            links=tuple(one for one in self.links if one["from"] in reached and one["to"] in reached),
            purged=(),
        )

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}
