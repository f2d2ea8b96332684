"""A store with a year in it: ten thousand memories in every state, with all that happens to memories.

Told to a real mind whose clock runs from a year ago until now: memories come in by fortnights, people and agents ask,
revise, doubt, forget and restore, sweeps and a dream pass over them, sessions leave artifacts. Every vector is one of
the bundled embedder, which reads a text that returns in another scope only once.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from remanence import Mind
from remanence.providers.bundled.embedder import Bundled
from remanence.settings import Settings
from tests.conftest import Clock, Entropy
from tests.web.texts import POISON, QUESTIONS, items, placed, texts

MEMORIES, TEXTS = 10_000, 1_200
_FORTNIGHTS = 26
_PROJECTS = ("/project/shop-api", "/office/atlas/api")
_NOTES = (
    "Maria Lindqvist moved to Lisbon in May. She leads the group that builds checkout and prefers short meetings.",
    "The audit found two gaps. Backups were kept in one place only. Ewa Nowak looks after the audit log now.",
    "Osaka opens in autumn. Aiko Tanaka hires four people there. The map view will be their first project.",
)


class Once:
    """The bundled embedder, which reads no text twice."""

    local = True

    def __init__(self) -> None:
        self._embedder = Bundled()
        self._known: dict[str, Any] = {}
        self.model, self.dimension = self._embedder.model, self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Any:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])


def build(db: Path, memories: int = MEMORIES, distinct: int = TEXTS) -> None:
    """Write the store, and close it: nothing is left to be done, and the file is whole without side files."""
    chance, embedder = random.Random(9), Once()
    clock = Clock(datetime.now(UTC) - timedelta(days=14 * _FORTNIGHTS))
    settings = Settings(upkeep__on_open=False, consolidation__enabled=True)
    options: dict[str, Any] = {"clock": clock, "embedder": embedder, "settings": settings, "entropy": Entropy(9)}
    with Mind(db, **options) as mind:
        known = texts(chance, distinct)
        waiting = list(placed(chance, known, memories))
        share = -(-len(waiting) // _FORTNIGHTS)
        for fortnight in range(_FORTNIGHTS):
            clock.advance(days=14)
            part = waiting[fortnight * share : (fortnight + 1) * share]
            made = mind.remember_many(items(chance, part, clock.now, 14))
            ids = [one.memory.id for one in made if one.memory is not None]
            _lived_with(mind, chance, ids, fortnight)
            if fortnight % 4 == 3:
                mind.upkeep()
        _sessions(mind, clock)
        _dreamt(mind)
        _today(mind, [text for kind, text in known if kind in ("session_state", "tool_output")])
        problems = mind.check().problems
        assert problems == (), problems
    with Mind(db, namespace="side", **options) as side:
        side.remember_many([{"text": text, "kind": kind} for kind, text in texts(chance, 30)])
        side.meaning.reembed()


def _lived_with(mind: Mind, chance: random.Random, ids: list[str], fortnight: int) -> None:
    """What people and agents do in a fortnight."""
    for question in chance.sample(QUESTIONS, 3):
        mind.recall(question, limit=8)
    drawn = chance.sample(ids, min(18, len(ids)))
    for id in drawn[:5]:
        if mind.get(id).state == "live":
            mind.revise(id, text=mind.get(id).text + ", as agreed in the last meeting")
    for id in drawn[5:7]:
        mind.confirm(id)
    mind.feedback(drawn[7], useful=fortnight % 3 > 0)
    receipt = mind.forget(ids=drawn[8:14])
    if fortnight % 9 == 5:
        mind.undo(receipt.id)
    for number, poison in enumerate(POISON):
        mind.remember(poison.format(number=f"{fortnight}-{number}"), source="ingest", scope="/team/support/mail")
    mind.absorb(_NOTES[fortnight % len(_NOTES)], scope=f"/office/notes/{fortnight:02}", source="ingest")
    action = mind.actions.add(f"Look after what fortnight {fortnight + 1} left open", scope="/office/atlas")
    if fortnight % 2:
        mind.actions.done(action.id, "Nothing was left")
    if fortnight == 13:
        mind.purge(ids=drawn[14:15], reason="asked for by the person it speaks of")
    if fortnight % 5 == 4:
        mind.restore(ids=drawn[8:9])


def _sessions(mind: Mind, clock: Clock) -> None:
    """Three days with an agent in each of two projects, worked off into memories and artifacts."""
    for number in range(6):
        start = clock.now - timedelta(days=7 - number, hours=3)
        session = mind.sessions.start(_PROJECTS[number % 2], agent=("claude-code", "codex")[number % 2], at=start)
        said = [
            ("user", "Always run the linter before you commit anything.", {}),
            (
                "user",
                f"We decided to keep step {number} of the import in one transaction, because half of it was lost.",
                {},
            ),
            ("assistant", "I will read how the import is built first, then move the commit to its end.", {}),
            (
                "tool",
                "Error: connect ECONNREFUSED 127.0.0.1:5433",
                {"tool": "Bash", "call": "make test", "failed": True},
            ),
            ("tool", "started", {"tool": "Bash", "call": "docker compose up -d db"}),
            ("tool", "214 passed", {"tool": "Bash", "call": "make test"}),
            ("user", "No, use pnpm instead of npm. This repository has a pnpm lockfile.", {}),
        ]
        for minute, (role, text, more) in enumerate(said):
            mind.sessions.observe(session, text, role=role, at=start + timedelta(minutes=minute), **more)
        mind.sessions.end(session, at=start + timedelta(minutes=30))
    mind.sessions.run()
    assert any(Path(mind.artifacts.folder(_PROJECTS[0])).iterdir())


def _dreamt(mind: Mind) -> None:
    """A dream over one part of what is known: a whole one takes longer than all the rest."""
    mind.dreams.run(scope="/office/notes")
    mind.dreams.run(steps="curve")


def _today(mind: Mind, at_work: list[str]) -> None:
    """What is being worked on, pairs that contradict each other, and what a person doubts."""
    mind.remember_many({"text": text, "scope": "/office/today", "layer": "working", "source": "ai"} for text in at_work)
    mind.meaning.reembed()
    place = "/office/harbor/billing"
    for number in range(12):
        stands = mind.remember(f"Store {number} of the harbor is heated", scope=place, importance=0.7)
        other = mind.remember(f"Store {number} of the harbor lacks any heating", scope=f"{place}/notes")
        assert stands.memory is not None and other.memory is not None
        mind.challenge(stands.memory.id, by=other.memory.id if number % 4 else None)
