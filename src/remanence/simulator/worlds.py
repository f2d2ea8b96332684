"""Worlds: made-up years of a user's life, with the truth beside them, to test what back-tests and learning conclude.

Each memory has a latent need: it is needed from birth to a time drawn for its kind, or never. While it is needed it is
used again and again, in bursts and at gaps that may lengthen; a user who is away uses nothing, and some recalls find a
memory by accident. What was drawn is the truth: nobody who judges a policy sees it. No formula of the product is used
here: a world drawn from our own curve would prove nothing. Every world is made from its seed alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.replay import Outcome
from remanence.model.columns import columns_of
from remanence.model.lived import Lived
from remanence.model.memory import Layer, Memory, Source
from remanence.model.moment import MICROS_PER_DAY, from_micros, to_micros
from remanence.model.trace import Trace

BEGINS = datetime(2025, 1, 1, tzinfo=UTC)
_SCOPES = ("/work/atlas", "/work/beacon", "/work/cedar", "/home")
_QUICK_SHARE, _QUICK = 0.4, 0.15  # so many gaps are this much of the usual one: uses come in bursts
_LONG = (1.0 - _QUICK_SHARE * _QUICK) / (1.0 - _QUICK_SHARE)
_NAMES = ("Ann", "Bo", "Chloe", "Dan", "Eva", "Finn", "Gita", "Hugo")
_THINGS = (
    "invoice",
    "server",
    "garden",
    "contract",
    "recipe",
    "ticket",
    "bicycle",
    "report",
    "password rule",
    "ladder",
)
_PLACES = ("Oslo", "Rome", "Lima", "Kyoto", "Bergen", "Turin", "Quito", "Osaka")
_CHATTER = ("ok, thanks", "sounds good to me", "haha, nice one", "let me think about it", "see you tomorrow then")


@dataclass(frozen=True, slots=True)
class Life:
    """How memories of a kind are needed: by what share at all, for how long (median days), how often used meanwhile."""

    kind: str
    share: float
    needed: float
    need_days: float
    gap_days: float
    importance: float = 0.5
    lengthening: float = 1.0
    """Each gap between uses is so many times the one before."""
    words: int = 12


LIVES = (
    Life("preference", 0.10, 0.90, 400.0, 18.0, 0.6, 1.15),
    Life("decision", 0.15, 0.80, 120.0, 12.0, 0.55, 1.1, 20),
    Life("finding", 0.25, 0.60, 45.0, 8.0, 0.5, 1.0, 16),
    Life("tool_output", 0.20, 0.50, 4.0, 1.0, 0.4, 1.0, 40),
    Life("observation", 0.30, 0.05, 20.0, 8.0, 0.45, 1.0, 6),
)


@dataclass(frozen=True)
class World:
    """A trace, what the memories say, and the truth: until when each is needed, and how often it is used meanwhile."""

    seed: int
    trace: Trace
    texts: tuple[str, ...]
    needed_until: NDArray[np.int64]
    lives: tuple[Life, ...]
    life: NDArray[np.int64]
    """Which of the lives each memory has."""
    active: NDArray[np.bool_]
    """Whether the user was there, a value a day."""

    @property
    def lived(self) -> Lived:
        """The days on which the user was there, as the activity clock of a policy goes by them."""
        first = self.trace.begins // MICROS_PER_DAY
        return Lived(days=tuple((first + np.flatnonzero(self.active)).tolist()), today=first + len(self.active))

    def expected_loss(self, outcome: Outcome) -> float:
        """How many uses a policy costs on average over all that could have happened, from the truth alone.

        While a memory is out and still needed, each gap between its uses costs one: 10 needed days at gaps of 5 → 2.
        """
        spells = outcome.spells
        life = self.life[spells.row]
        gap, lengthening = (
            np.array([getattr(one, name) for one in self.lives]) for name in ("gap_days", "lengthening")
        )
        gap_days = gap[life] * lengthening[life] ** spells.number
        until = np.minimum(spells.ends_at, self.needed_until[spells.row])
        days = np.maximum(until - np.minimum(outcome.gone_at, until), 0) / MICROS_PER_DAY
        return float((days / gap_days).sum())


def world(
    seed: int, memories: int = 500, days: int = 365, lives: Sequence[Life] = LIVES, accidents_per_day: float = 0.001
) -> World:
    """A world of so many memories and days; the same seed makes the same world."""
    rng = np.random.default_rng(seed)
    active = _presence(rng, days)
    births = _births(rng, active, memories)
    chances = np.array([life.share for life in lives])
    chosen = rng.choice(len(lives), size=memories, p=chances / chances.sum())
    begins = to_micros(BEGINS)
    made: list[Memory] = []
    uses: list[list[int]] = []
    needed_until = births.copy()
    for number, birth in enumerate(births.tolist()):
        life = lives[int(chosen[number])]
        if rng.random() < life.needed:
            needed_until[number] += life.need_days * np.exp(rng.normal(0.0, 0.5))
        needed = _needed(rng, life, birth, float(needed_until[number]), active)
        accidents = rng.uniform(birth, days, rng.poisson(accidents_per_day * (days - birth)))
        moments = sorted(one for one in [*needed, *_when_there(accidents, active)] if birth <= one < days)
        uses.append([begins + round(one * MICROS_PER_DAY) for one in moments])
        made.append(_memory(rng, seed, number, life, from_micros(begins + round(birth * MICROS_PER_DAY))))
    ends = begins + days * MICROS_PER_DAY
    return World(
        seed=seed,
        trace=Trace.from_events(columns_of(made), uses, begins=begins, ends=ends),
        texts=tuple(memory.text for memory in made),
        needed_until=begins + np.round(needed_until * MICROS_PER_DAY).astype(np.int64),
        lives=tuple(lives),
        life=chosen,
        active=active,
    )


def _presence(rng: np.random.Generator, days: int) -> NDArray[np.bool_]:
    """On which days the user is there: most of them, but for days off and a few idle weeks."""
    active = rng.random(days) < 0.85
    for _ in range(max(1, days // 120)):
        start = int(rng.integers(0, days))
        active[start : start + int(rng.integers(7, 22))] = False
    active[0] = True
    return active


def _births(rng: np.random.Generator, active: NDArray[np.bool_], memories: int) -> NDArray[np.float64]:
    """When memories are written, in days: on active days, many in some weeks and few in others."""
    weeks = rng.gamma(1.0, 1.0, len(active) // 7 + 1) + 0.1
    weights = np.where(active, np.repeat(weeks, 7)[: len(active)], 0.0)
    chosen = rng.choice(len(active), size=memories, p=weights / weights.sum())
    return np.sort(chosen + rng.uniform(0.3, 0.9, memories))


def _needed(rng: np.random.Generator, life: Life, birth: float, until: float, active: NDArray[np.bool_]) -> list[float]:
    """When a memory is used while it is needed; what falls on a day off waits for the next, if it is needed still."""
    found: list[float] = []
    at, usual = birth, life.gap_days
    while True:
        mean = _QUICK if rng.random() < _QUICK_SHARE else _LONG
        at += rng.exponential(usual * mean)
        if at >= min(until, len(active)):
            return [one for one in _when_there(np.array(found), active) if one < until]
        found.append(at)
        usual *= life.lengthening


def _when_there(moments: NDArray[np.float64], active: NDArray[np.bool_]) -> list[float]:
    """The same moments on days on which the user is there, or on the next such day."""
    there = np.flatnonzero(active)
    days = np.floor(moments).astype(np.int64)
    places = np.searchsorted(there, days)
    held = places < len(there)
    days, moments, places = days[held], moments[held], places[held]
    return (there[places] + (moments - days)).tolist()


def _memory(rng: np.random.Generator, seed: int, number: int, life: Life, birth: datetime) -> Memory:
    importance = float(np.clip(rng.normal(life.importance, 0.15), 0.05, 1.0))
    return Memory(
        id=f"{seed % 2**32:016x}{number:016x}",
        namespace="world",
        scope=_SCOPES[int(rng.integers(len(_SCOPES)))],
        layer=Layer.EPISODIC,
        kind=life.kind,
        text=_text(rng, number, life),
        source=Source.HUMAN,
        importance=round(importance, 3),
        created_at=birth,
        last_accessed_at=birth,
    )


def _text(rng: np.random.Generator, number: int, life: Life) -> str:
    """Something to say: chatter, or a statement with a name, a thing, a place and a number."""
    if life.needed < 0.2:
        return f"{_CHATTER[int(rng.integers(len(_CHATTER)))]} ({number})"
    name, thing, place = (str(some[int(rng.integers(len(some)))]) for some in (_NAMES, _THINGS, _PLACES))
    rest = " ".join(str(_THINGS[int(one)]) for one in rng.integers(len(_THINGS), size=max(life.words - 8, 0)))
    return f"{name} keeps the {thing} no. {number} in {place} {rest}".strip()
