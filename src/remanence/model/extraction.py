"""What extraction answers with: atomic statements that stand alone, each with a guess of what it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from remanence.model.memory import plain


@dataclass(frozen=True, slots=True)
class Fact:
    """One claim, readable without the text it was taken from."""

    text: str
    kind: str = "fact"
    categories: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    importance: float = 0.5

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Extraction:
    """The facts of a text; `llm` says whether a language model found them, `notes` what was left out and why.

    `dropped` counts what a model answered and was not taken, by the reason: "not in the text", "instruction-like".
    """

    facts: tuple[Fact, ...] = ()
    llm: bool = False
    notes: tuple[str, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    redacted: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}
