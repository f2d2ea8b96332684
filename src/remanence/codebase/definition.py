"""A definition: a name that a source file gives a meaning to, and how it is written there."""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST_SIGNATURE = 200
MOST_DEFINITIONS = 50_000
_SPACES = re.compile(r"\s+")


class Definition(NamedTuple):
    """A name, qualified by its class where that is known: Server.start, method, line 12, "(self, port: int)"."""

    name: str
    kind: str
    line: int
    signature: str = ""

    @property
    def short(self) -> str:
        """The name without its class."""
        return self.name.rpartition(".")[2]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}{self.signature}"


def tidy(signature: str) -> str:
    """A signature on one line, bounded, without what cannot be printed."""
    text = _SPACES.sub(" ", signature[: 4 * LONGEST_SIGNATURE]).strip()
    if not text.isprintable():
        text = "".join(character for character in text if character.isprintable())
    return text if len(text) <= LONGEST_SIGNATURE else text[: LONGEST_SIGNATURE - 1] + "…"
