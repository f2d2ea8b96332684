"""ours: the product through its public verbs, in a store of its own for each haystack.

This is the one file of the simulator that imports mind. Each memory is born at its item's date; the clock stands at
the last of them while they are written, and at the question's date when it is asked. Asking leaves no trace
(`reinforce=False`), so the order of questions does not matter. A memory that was known already answers for both
labels; one that was superseded is gone for live recall, as it would be for a user.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from remanence.mind import Mind
from remanence.model.policy import Policy
from remanence.simulator.contenders import Item, distinct
from remanence.simulator.contenders.encoder import Encoder
from remanence.simulator.contenders.jobs import every_job

_LIMIT = 1000  # the most recall gives


class Clock:
    """A clock set by hand."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at


MakeMind = Callable[..., Mind]


def make_mind(
    clock: Callable[[], datetime],
    *,
    location: str | Path = ":memory:",
    namespace: str | None = None,
    embedder: Encoder | None = None,
    settings: Mapping[str, Any] | None = None,
    policy: Policy | None = None,
) -> Mind:
    """A mind for a benchmark: the user's settings but for what is given, and no upkeep while it is measured."""
    chosen = {**(settings or {}), "upkeep__on_open": False}
    return Mind(location, namespace=namespace, clock=clock, embedder=embedder, settings=chosen, policy=policy)


class Ours:
    name = "ours"

    def __init__(
        self,
        *,
        embedder: Encoder | None = None,
        settings: Mapping[str, Any] | None = None,
        make: MakeMind = make_mind,
    ) -> None:
        self._given: dict[str, Any] = {"embedder": embedder, "settings": settings}
        self._make = make

    def filled(self, items: Sequence[Item]) -> OurHaystack:
        return OurHaystack(self.mind, items)

    def mind(self, clock: Callable[[], datetime], **where: Any) -> Mind:
        return self._make(clock, **self._given, **where)


class OurHaystack:
    def __init__(self, make: MakeMind, items: Sequence[Item]) -> None:
        self._clock = Clock(max((item.at for item in items), default=datetime(1970, 1, 1, tzinfo=UTC)))
        self._mind = make(self._clock)
        self._labels: dict[str, list[str]] = {}
        drafts: list[dict[str, Any]] = [
            {
                "text": item.text,
                "kind": item.kind,
                "created_at": item.at,
                "origin": item.label if item.session is None else f"session:{item.session}",
            }
            for item in items
        ]
        outcomes: Counter[str] = Counter()
        for item, made in zip(items, self._mind.remember_many(drafts), strict=True):
            outcomes[made.outcome] += 1
            if made.memory is not None:
                self._labels.setdefault(made.memory.id, []).append(item.label)
        self._outcomes = dict(outcomes)
        if self._mind.meaning.model is not None:
            self._mind.meaning.reembed()

    def asked(self, query: str, at: datetime, limit: int) -> list[str]:
        self._clock.at = max(self._clock.at, at)
        hits = self._mind.recall(query, limit=min(limit, _LIMIT), reinforce=False)
        return distinct(label for hit in hits for label in self._labels.get(hit.memory.id, ()))

    def rest(self, at: datetime) -> None:
        self._clock.at = max(self._clock.at, at)
        every_job(self._mind)

    def counts(self) -> dict[str, int]:
        return self._outcomes

    def close(self) -> None:
        self._mind.close()
