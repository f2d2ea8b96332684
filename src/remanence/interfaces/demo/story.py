"""The story: what the demo's agent writes, asks and does on each day, made by rules from a seed.

The same seed and number of days give the same story. Nothing in it depends on a date: days are counted from the first,
and two of seven, counted from the last, are days of rest. About five things are written on a day of work, and none
while everybody is on holiday.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from remanence.interfaces.demo import threads
from remanence.interfaces.demo.talks import Talk, talk
from remanence.interfaces.demo.words import (
    API,
    CATEGORIES,
    HARBOR,
    LANTERN,
    OWNER,
    PARTS,
    PATTERNS,
    PEOPLE,
    SERVICES,
    SLOTS,
    TEAM,
    TICKETS,
    USER,
    WEB,
)

DAYS = 365
MARK = {"demo": True}
"""The metadata of everything the demo writes."""
_RESTS = (2, 3)
_HOLIDAY = (0.47, 0.5)
_PROJECTS, _SHARES = (API, WEB, HARBOR, LANTERN), (36, 24, 26, 14)
_KINDS = {
    "fact": 24,
    "observation": 21,
    "tool_output": 15,
    "session_state": 10,
    "bug": 7,
    "decision": 5,
    "workflow": 4,
    "architecture": 3,
    "pattern": 3,
    "gotcha": 3,
    "lesson": 5,
}
_SOURCES = {
    "fact": ("human", "ai", "ai", "ingest"),
    "decision": ("human", "human", "ai"),
    "observation": ("ai", "ai", "human"),
    "tool_output": ("ai", "extracted"),
    "bug": ("human", "ai", "ingest"),
}
_IMPORTANCE = {
    "observation": (0.05, 0.35),
    "tool_output": (0.05, 0.2),
    "session_state": (0.1, 0.3),
    "decision": (0.6, 0.9),
    "architecture": (0.6, 0.85),
    "gotcha": (0.45, 0.7),
}
"""Of other kinds some get none, and are judged by how new they are."""
_TODO_EVERY = 5
_UNSURE_AGO = 12
"""Days ago when some lessons were learned that are forgotten in a few days, unless they are met again."""
_TALK_EVERY, _TALK_DAYS = 4, 100
"""Sessions are captured in the last 100 days only: what was captured raw is kept for 90."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question of the agent."""

    query: str
    scope: str | None = None
    limit: int = 4


@dataclass(slots=True)
class Day:
    """What happens on one day; drafts are dicts of remember's arguments."""

    drafts: list[dict[str, Any]] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    absorbed: list[dict[str, Any]] = field(default_factory=list)
    todo: dict[str, Any] | None = None
    talk: Talk | None = None


def story(seed: int, days: int = DAYS) -> list[Day]:
    """The days of the story, the first one first."""
    return _Teller(seed, days).told()


def is_rest(number: int, days: int) -> bool:
    """Whether nobody works on this day of so many."""
    return (days - 1 - number) % 7 in _RESTS or _HOLIDAY[0] <= number / days < _HOLIDAY[1]


class _Teller:
    """Tells one story."""

    def __init__(self, seed: int, days: int) -> None:
        self._chance = random.Random(f"demo {seed}")  # nosec B311
        self._seed = seed
        self._days = [Day() for _ in range(days)]
        self._said: list[dict[str, Any]] = []

    def told(self) -> list[Day]:
        self._threads()
        for number, day in enumerate(self._days):
            if is_rest(number, len(self._days)):
                day.drafts += [self._draft("observation")] if self._chance.random() < 0.25 else []
                continue
            self._work(number, day)
        self._last_days()
        return self._days

    # -- what is told on purpose

    def _threads(self) -> None:
        first = self._days[0]
        intro = f"{OWNER} works on Atlas, Harbor and Lantern, and this agent writes code for them"
        first.drafts.append(_marked({"text": intro, "scope": USER, "kind": "identity", "source": "human"}, pinned=True))
        for name in threads.people():
            first.drafts.append(_marked({"text": name, "scope": TEAM, "kind": "fact", "source": "human"}))
        for place, text, given in (*threads.CHANGES, *threads.CONTRADICTIONS):
            self._at(place).drafts.append(_marked({"text": text, **given}))
        for place, preference in _spread(threads.PREFERENCES, 0.02, 0.95):
            given = {"text": f"{OWNER} {preference}", "scope": USER, "kind": "preference", "source": "human"}
            self._at(place).drafts.append(_marked(given, importance=0.7, valence=0.3))
        for place, (text, scope, kind) in _spread(threads.LANGUAGES, 0.05, 0.99):
            self._at(place).drafts.append(_marked({"text": text, "scope": scope, "kind": kind, "source": "human"}))
        for place, scope, texts in threads.THEMES:
            for number, text in enumerate(texts):
                given = {"text": text, "scope": scope, "kind": "fact", "source": "ai"}
                self._at(place + number * 0.006).drafts.append(_marked(given, importance=0.5))
        for place, scope, text in threads.PROCEDURES:
            self._at(place).drafts.append(_marked({"text": text, "scope": scope, "kind": "procedure", "source": "ai"}))
        for place, text, scope, source in threads.SUSPICIOUS:
            self._at(place).drafts.append(_marked({"text": text, "scope": scope, "source": source}))
        for place, text, scope in threads.ABSORBED:
            self._at(place).absorbed.append(_marked({"text": text, "scope": scope}))
        self._at(0.22).drafts.append(_marked({"text": threads.SECRET, "scope": HARBOR, "source": "human"}))
        self._at(0.28).drafts.append(_marked({"text": threads.CUSTOMER, "scope": TEAM, "source": "human"}))

    def _at(self, place: float) -> Day:
        """The day of work at this place of the story."""
        number = min(len(self._days) - 1, int(place * len(self._days)))
        while is_rest(number, len(self._days)) and number < len(self._days) - 1:
            number += 1
        return self._days[number]

    def _last_days(self) -> None:
        """What is due, or soon will be, whatever else the story says."""
        for ago, kind, number in ((0, "session_state", 2), (1, "session_state", 4), (7, "tool_output", 5)):
            if ago < len(self._days):
                self._days[-1 - ago].drafts += [self._draft(kind) for _ in range(number)]
        if len(self._days) > _UNSURE_AGO:
            unsure = [{**self._draft("lesson"), "confidence": 0.25} for _ in range(3)]
            self._days[-1 - _UNSURE_AGO].drafts += unsure
        for ago, ttl, text in threads.PASSING:
            if ago < len(self._days):
                given = {"text": text, "scope": TEAM, "kind": "note", "source": "ai"}
                self._days[-1 - ago].drafts.append(_marked(given, ttl=ttl, importance=0.4))
        for _ in range(3):
            given = self._draft("fact")
            self._days[-1].drafts.append({**given, "layer": "working"})

    # -- a day of work

    def _work(self, number: int, day: Day) -> None:
        chance = self._chance
        number_of_drafts = chance.choices((2, 3, 4, 6, 8), (15, 25, 30, 20, 10))[0]
        kinds = chance.choices(tuple(_KINDS), tuple(_KINDS.values()), k=number_of_drafts)
        drafts = [self._draft(kind) for kind in kinds]
        if self._said and chance.random() < 0.3:
            # Somebody says once more what was said before, which confirms it.
            again = chance.choice(self._said[-120:])
            drafts.append({**again, "origin": f"demo, day {number + 1}"})
        self._said += [one for one in drafts if one["kind"] in ("fact", "lesson") and one["source"] == "human"]
        day.drafts += drafts
        day.asks += [self._ask() for _ in range(chance.choices((1, 2, 3), (35, 45, 20))[0])]
        if number % _TODO_EVERY == 1:
            project = chance.choices(_PROJECTS, _SHARES)[0]
            text = self._filled("{step} for {ticket} in the {part}", project)
            status = {**MARK, "status": "pending", "project": project}
            given = {"text": text[0].upper() + text[1:], "scope": project, "kind": "action", "source": "human"}
            day.todo = {**_marked(given), "exempt": True, "metadata": status}
        ago = len(self._days) - 1 - number
        if ago < _TALK_DAYS and ago % _TALK_EVERY == 0:
            project = chance.choices(_PROJECTS, _SHARES)[0]
            day.talk = talk(project, lambda pattern: self._filled(pattern, project), chance)

    def _draft(self, kind: str) -> dict[str, Any]:
        chance = self._chance
        project = chance.choices(_PROJECTS, _SHARES)[0]
        text = self._filled(chance.choice(PATTERNS[kind]), project)
        source = chance.choice(_SOURCES.get(kind, ("human", "ai")))
        given: dict[str, Any] = {"text": text[0].upper() + text[1:] if kind != "tool_output" else text}
        given |= {"scope": project, "kind": kind, "source": source}
        given["categories"] = chance.sample(CATEGORIES, chance.choice((0, 1, 1, 2)))
        if kind in _IMPORTANCE:
            given["importance"] = round(chance.uniform(*_IMPORTANCE[kind]), 2)
        elif chance.random() < 0.5:
            given["importance"] = round(min(0.95, max(0.05, chance.gauss(0.5, 0.22))), 2)
        if kind == "lesson":
            given["confidence"] = chance.choice((0.2, 0.3, 0.5, 0.6))
        if kind == "bug":
            given["valence"] = -0.4
        return _marked(given)

    def _ask(self) -> Ask:
        """A question; a few things are asked for again and again, most seldom."""
        chance = self._chance
        kind = chance.random()
        if kind < 0.2:
            return Ask(f"how does {OWNER} like {chance.choice(_LIKES)}", USER, 3)
        if kind < 0.4:
            return Ask(f"what does {_often(chance, tuple(PEOPLE))} do", TEAM, 3)
        if kind < 0.55:
            return Ask(chance.choice(_ASKED_OFTEN))
        project = chance.choices(_PROJECTS, _SHARES)[0]
        part = _often(chance, PARTS[project])
        return Ask(chance.choice(_ASKED).format(part=part, service=chance.choice(SERVICES)), project)

    def _filled(self, pattern: str, project: str) -> str:
        """A pattern with its slots filled, and theirs in turn."""
        chance = self._chance
        part, other = chance.sample(PARTS[project], 2)
        person = chance.choice(SLOTS["person"])
        step, step2 = chance.sample(SLOTS["step"], 2)
        fixed: dict[str, Any] = {
            "owner": OWNER,
            "part": part,
            "other": other,
            "file": chance.choice((part, other)).replace(" ", "_").lower(),
            "ticket": f"{TICKETS[project]}-{chance.randint(100, 999)}",
            "a": chance.randint(8, 480),
            "b": chance.randint(1, 7),
            "c": f"{chance.uniform(0.4, 90):.1f}",
            "person": person,
            "step": step,
            "step2": step2,
        }
        for _ in range(2):  # what fills a slot may have slots of its own
            drawn = {name: chance.choice(words) for name, words in SLOTS.items()}
            pattern = pattern.format_map({**drawn, **fixed})
        return pattern


_LIKES = ("commit messages", "pull requests", "tests", "error messages", "documentation", "SQL", "calls", "tables")
_ASKED = (
    "what do we know about the {part}",
    "why does the {part} fail",
    "what was decided about the {part}",
    "how are the {part} and {service} connected",
)
_ASKED_OFTEN = (
    "when is the Atlas API deployed",
    "where does the Atlas API keep its orders",
    "who can be reached on call",
    "how is the web client of Atlas built",
    "where does Harbor get its customs feed",
)


def _often(chance: random.Random, words: tuple[str, ...]) -> str:
    """One of these, the first ones far more often than the last."""
    return chance.choices(words, [1 / (place + 1) for place in range(len(words))])[0]


def _spread(rows: tuple[Any, ...], first: float, last: float) -> list[tuple[float, Any]]:
    step = (last - first) / max(1, len(rows) - 1)
    return [(first + place * step, row) for place, row in enumerate(rows)]


def _marked(given: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A draft that says it is the demo's; made again after a removal, its text may be learned again."""
    return {**given, **more, "metadata": dict(MARK), "origin": "demo", "relearn": True}
