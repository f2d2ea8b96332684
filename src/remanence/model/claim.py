"""A claim: one thing that a dream proposes, as a person reads and accepts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from remanence.model.memory import plain

EVENTS = "events"
"""Names the number, in a claim's evidence, of captured raw events that go for good when the claim is applied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing a dream proposes: what it says, what it was made from, and what of that leaves recall for it.

    `key` is the same for as long as the same step proposes it of the same memories, so a claim can be chosen by it.
    `llm` says whether a language model had a part in it; `evidence` are the numbers behind it, coverage among them.
    """

    key: str
    step: str
    title: str
    made: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    staying: Mapping[str, str] = field(default_factory=dict)
    """Sources that stay in recall, each with what the new text would lose of it."""
    evidence: Mapping[str, float] = field(default_factory=dict)
    llm: bool = False
    met: tuple[str, ...] = ()
    """Known memories that were met again, which counts as an access of each."""

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}
