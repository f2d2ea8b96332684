"""Captured sessions of the demo's agent, and the source tree it reads: made by rules, like the rest of the story."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

AGENT = "demo-agent"
Fill = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said, or what a tool was called with and gave back."""

    said: str
    role: str = "user"
    call: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """One session in a project."""

    project: str
    turns: tuple[Turn, ...]


_CORRECTIONS = (
    "No, use {choice} instead of what you did there.",
    "No, {step} before you touch the {part}, please.",
    "Actually, {person} owns the {part}; never change it without asking.",
)
_DECISIONS = (
    "Let's go with {choice} for the {part}.",
    "We decided on {choice} for {ticket}, because the {other} needs it.",
)
_RULES = (
    "Always run the tests of the {part} before a commit.",
    "Never release the {part} without a review by {person}.",
    "I prefer {choice} whenever the {part} is concerned.",
)
_ENDINGS = (
    "The {part} works again: {service} had lost its connection to the {other}, as {person} thought.",
    "I found that the {part} {trouble} {when}, and mended it for {ticket}.",
)


def talk(project: str, fill: Fill, chance: random.Random) -> Talk:
    """A session: something is asked, a test fails, a service is started, it passes, and something is settled."""
    part, service, ticket = fill("{part}"), fill("{service}"), fill("{ticket}")
    test = f"pytest tests/test_{part.replace(' ', '_').lower()}.py"
    turns = [
        Turn(f"Can you look at why the {part} fails in {ticket}?"),
        Turn(f"Error: could not connect to {service}: connection refused", "tool", test, failed=True),
        Turn(f"{service} started", "tool", f"docker compose up -d {service.lower()}"),
        Turn(f"{chance.randint(9, 90)} passed", "tool", test),
    ]
    chosen = [chance.choice(some) for some in (_CORRECTIONS, _DECISIONS, _RULES) if chance.random() < 0.75]

    def said(pattern: str) -> str:
        """The pattern, of the same part, service and ticket throughout."""
        for slot, word in (("part", part), ("service", service), ("ticket", ticket)):
            pattern = pattern.replace(f"{{{slot}}}", word)
        return fill(pattern)

    turns += [Turn(said(pattern)) for pattern in chosen]
    turns += [
        Turn(said("{a} lines changed"), "tool", f"git commit -m '{ticket}: mend the {part}'"),
        Turn(said(chance.choice(_ENDINGS)), "assistant"),
    ]
    return Talk(project, tuple(turns))


def source_tree(folder: Path, seed: int, names: tuple[str, ...]) -> Path:
    """A small source tree with a module for each name; its folder."""
    chance = random.Random(f"tree {seed}")  # nosec B311
    root = folder / "atlas-api"
    (root / "src").mkdir(parents=True)
    for name in names:
        word = name.replace(" ", "_")
        extra = f"{chance.choice(('load', 'check', 'store', 'merge'))}_{chance.choice(_THINGS)}"
        lines = [
            f'"""The {name}."""',
            "",
            f"class {''.join(map(str.capitalize, name.split()))}:",
            "    def run(self, limit: int = 10) -> list[str]: ...",
            "",
            f"def {extra}(path: str) -> bool: ...",
            "",
            f"def open_{word}() -> None: ...",
        ]
        (root / "src" / f"{word}.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


_THINGS = ("rows", "pages", "orders", "depots", "routes", "parcels", "stamps", "ledgers", "tickets", "prices", "maps")
