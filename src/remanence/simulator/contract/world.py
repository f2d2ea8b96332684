"""The small world of the contract: people, a team, a home, a long talk, a session; read from world.json.

A fact has a question that must find it and, where it is to go, a marker: a made-up word of eight letters or more that
nothing else in the world holds, so that its bytes betray what was kept. Stemming leaves the markers as they are, and a
full-text index may share the first letters of a word with its neighbour: the bytes searched for are those after them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

_SHARED = 2


@dataclass(frozen=True, slots=True)
class Fact:
    text: str
    scope: str
    question: str = ""
    marker: str = ""

    @property
    def needle(self) -> bytes:
        """What betrays it in a file, in lower case: of "Brindolkar" the bytes of "indolkar"."""
        return self.marker[_SHARED:].lower().encode()

    def told_by(self, text: str) -> bool:
        """Whether a text gives it away: by its marker or, where it has none, by its own words."""
        return (self.marker or self.text).casefold() in text.casefold()


@dataclass(frozen=True, slots=True)
class Talk:
    """A longer text, or a session, of which one statement must go and others must stay."""

    doomed: Fact
    others: tuple[Fact, ...]
    new: Fact | None = None
    turns: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class World:
    kept: tuple[Fact, ...]
    forgotten: Fact
    scope: tuple[Fact, ...]
    corrected: tuple[Fact, Fact]
    replaced: tuple[Fact, Fact]
    purged: Mapping[str, Fact]
    purged_scope: tuple[Fact, ...]
    beside_scope: Fact
    name: str
    person: tuple[Fact, ...]
    others_of_the_name: tuple[Fact, ...]
    talk: Talk
    summed: tuple[Fact, ...]
    """Of which summaries are made, and which must go from them."""
    others_summed: tuple[Fact, ...]
    session: Talk


@lru_cache(maxsize=1)
def world() -> World:
    """The world, as it comes with the package."""
    read: dict[str, Any] = json.loads((files(__package__) / "world.json").read_text("utf-8"))
    talk, summed, session, person = read["talk"], read["summed"], read["session"], read["person"]
    return World(
        kept=_facts(read["kept"]),
        forgotten=Fact(**read["forgotten"]),
        scope=_facts(read["scope"]),
        corrected=(Fact(**read["corrected"]["old"]), Fact(**read["corrected"]["new"])),
        replaced=(Fact(**read["replaced"]["old"]), Fact(**read["replaced"]["new"])),
        purged={name: Fact(**fact) for name, fact in read["purged"].items()},
        purged_scope=_facts(read["purged_scope"]),
        beside_scope=Fact(**read["beside_scope"]),
        name=person["name"],
        person=_facts(person["facts"]),
        others_of_the_name=_facts(person["others"]),
        talk=Talk(_doomed(talk, talk["text"]), _facts(talk["others"]), Fact(**talk["new"])),
        summed=_facts(summed["doomed"]),
        others_summed=_facts(summed["others"]),
        session=Talk(
            _doomed(session, session["turns"][0][1]),
            _facts(session["others"]),
            turns=tuple((who, said) for who, said in session["turns"]),
        ),
    )


def _facts(rows: list[dict[str, str]]) -> tuple[Fact, ...]:
    return tuple(Fact(**row) for row in rows)


def _doomed(row: dict[str, Any], text: str) -> Fact:
    return Fact(text, row["scope"], row["question"], row["marker"])
