"""A selection: which memories of a namespace are meant, for recall, list, count, forget, purge and export alike.

Several scopes are a union; each holds itself and everything below it. `created_before` is strict, `since` and `until`
include their ends. An empty tuple means "none of them", None means "no such condition".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice
from typing import Any

from remanence.errors import InvalidInput
from remanence.model import checks
from remanence.model.memory import Layer, Memory, Source, State
from remanence.model.moment import LAST_MOMENT, from_micros, moment_problems, to_micros
from remanence.model.scope import holds, scope_problems
from remanence.model.when import told

LIMIT = 1000
_PLACE = re.compile(r"(-?[0-9]{1,18})~([0-9a-f-]{36})", re.ASCII)
_FIRST_MOMENT = to_micros(datetime(1, 1, 1, tzinfo=UTC))
EVERY_STATE = tuple(State)
_SHOWN_PROBLEMS = 20
_STATE_WORDS = (*(state.value for state in State), "all")


class Order(StrEnum):
    """How a list is ordered: by birth, or the most important, last recalled or most often recalled ones first."""

    NEWEST = "newest"
    OLDEST = "oldest"
    IMPORTANCE = "importance"
    RECALLED = "recalled"
    RECALLS = "recalls"


BY_BIRTH = (Order.NEWEST, Order.OLDEST)
"""Orders in which a memory keeps its place, so that a page can begin after one."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory stands in a list by age: "1772355600000000~ID" as a text."""

    created_at: datetime
    id: str

    def __str__(self) -> str:
        return f"{to_micros(self.created_at)}~{self.id}"

    @classmethod
    def of(cls, memory: Memory) -> Place:
        return cls(memory.created_at, memory.id)

    @classmethod
    def read(cls, text: object) -> Place:
        """The place that a text names; InvalidInput for any other."""
        match = _PLACE.fullmatch(text) if isinstance(text, str) else None
        if match is None or not _FIRST_MOMENT <= int(match[1]) <= LAST_MOMENT or checks.id_problems(match[2]):
            raise InvalidInput(f"{checks.shown(text)!r} is no place in a list; take the one that the last page gave")
        return cls(from_micros(int(match[1])), match[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which memories are meant. What had expired at `unexpired_at` is left out while it is live, not in the archive."""

    ids: tuple[str, ...] | None = None
    scopes: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    layers: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    sources: tuple[str, ...] | None = None
    states: tuple[State, ...] = (State.LIVE,)
    created_before: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None
    unexpired_at: datetime | None = None
    as_of: datetime | None = None
    challenged: bool = False

    def holds(self, memory: Memory) -> bool:
        """Whether a memory, as it is now, is meant."""
        return (
            memory.state in self.states
            and (self.ids is None or memory.id in self.ids)
            and (self.scopes is None or any(holds(scope, memory.scope) for scope in self.scopes))
            and (self.kinds is None or memory.kind in self.kinds)
            and (self.layers is None or memory.layer in self.layers)
            and (self.categories is None or not set(self.categories).isdisjoint(memory.categories))
            and (self.sources is None or memory.source in self.sources)
            and (not self.challenged or memory.challenged_by is not None)
            and (self.created_before is None or memory.created_at < self.created_before)
            and (self.since is None or memory.created_at >= self.since)
            and (self.until is None or memory.created_at <= self.until)
            and not (memory.state is State.LIVE and memory.is_over(self.unexpired_at))
        )


def several(value: Any) -> tuple[str, ...] | None:
    """One text or many, as a tuple; None stays None."""
    if value is None:
        return None
    if isinstance(value, str):
        return (value,)
    return tuple(islice(value, LIMIT + 1)) if isinstance(value, Iterable) else (value,)


def selection_from(
    *,
    scope: Any = None,
    kinds: Any = None,
    layers: Any = None,
    categories: Any = None,
    sources: Any = None,
    since: datetime | None = None,
    until: datetime | None = None,
    **rest: Any,
) -> Selection:
    """A checked selection; InvalidInput with every problem."""
    named: dict[str, Any] = {
        "scopes": several(scope),
        "kinds": several(kinds),
        "layers": several(layers),
        "categories": several(categories),
        "sources": several(sources),
    }
    problems = [f"{name} has more than {LIMIT} entries" for name, v in named.items() if v and len(v) > LIMIT]
    if not problems:
        problems += [p for s in named["scopes"] or () for p in scope_problems(s)]
        problems += [p for k in named["kinds"] or () for p in checks.string_problems(k, "kind")]
        problems += [p for c in named["categories"] or () for p in checks.string_problems(c, "category")]
        problems += [p for v in named["layers"] or () for p in checks.choice_problems(v, "layer", Layer)]
        problems += [p for v in named["sources"] or () for p in checks.choice_problems(v, "source", Source)]
    problems += [] if since is None else moment_problems(since, "since")
    problems += [] if until is None else moment_problems(until, "until")
    if problems:
        raise InvalidInput(problems)
    return Selection(**named, since=since, until=until, **rest)


def moments(now: datetime, **said: datetime | str | None) -> tuple[dict[str, Any], list[str]]:
    """The moments meant, where they are said in words; and what cannot be understood. `until` is the end of a span."""
    problems: list[str] = []
    found: dict[str, Any] = dict(said)
    for name, value in said.items():
        if isinstance(value, str):
            try:
                found[name] = told(value, now, end=name == "until")
            except ValueError as reason:
                found[name] = None
                problems.append(f"{name}: {reason}")
    return found, problems


def listing(
    now: datetime,
    problems: list[str],
    *,
    scope: Any = None,
    state: str = "live",
    kind: str | None = None,
    layer: str | None = None,
    source: str | None = None,
    since: datetime | str | None = None,
    until: datetime | str | None = None,
    ids: Iterable[str] | None = None,
) -> Selection:
    """The selection of a list or count, checked together with problems met before."""
    problems += checks.choice_problems(state, "state", _STATE_WORDS)
    times, said_badly = moments(now, since=since, until=until)
    problems += said_badly
    wanted = several(ids)
    if wanted is not None and len(wanted) > LIMIT:
        problems.append(f"ids has more than {LIMIT} entries: ask in steps")
    else:
        problems += [p for id in wanted or () for p in checks.id_problems(id, "each of ids:")][:_SHOWN_PROBLEMS]
    try:
        states = EVERY_STATE if state == "all" else (State(state),) if not problems else ()
        selection = selection_from(
            scope=scope, kinds=kind, layers=layer, sources=source, states=states, ids=wanted, **times
        )
    except InvalidInput as invalid:
        problems += invalid.problems
    if problems:
        raise InvalidInput(problems)
    return selection


def named(asked: object, known: Sequence[str], one: str, of: str) -> tuple[str, ...]:
    """These of the known names in their order, all where none is asked for; a text may name several, with commas.

    InvalidInput that lists the known ones: "'x' is no step of the dream; the steps are …".
    """
    if asked is None:
        return tuple(known)
    given = asked.split(",") if isinstance(asked, str) else list(asked) if isinstance(asked, Iterable) else [asked]
    wanted = [name.strip() if isinstance(name, str) else name for name in given]
    there = f"the {one}s are {', '.join(known)}"
    if unknown := [name for name in wanted if name not in known]:
        raise InvalidInput([*(f"{checks.shown(name)!r} is no {one} of {of}" for name in unknown[:10]), there])
    if not wanted:
        raise InvalidInput(f"no {one} was named; {there}")
    return tuple(name for name in known if name in wanted)
