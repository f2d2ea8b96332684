"""What texts mean: a vector at once where that is quick, else a backlog that is drained later and never lost.

An embedder that fails never stops a write or a recall: the memory waits for its vector, and search goes by words. What
waited is embedded in the order of writing; where nobody gave an importance, its surprise follows as a plan of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from remanence.errors import EmbedderFailed, LeaseLost, RemanenceError
from remanence.guard.secrets import redact
from remanence.lifecycle.surprise import DUPLICATE_COSINE, NEIGHBOURS, judged
from remanence.model.lease import Lease
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Embedded, Progress, Store, Waiting

SURPRISE = "surprise"
JOB = "meaning"
LEASE_SECONDS = 60.0
BATCH = 32
_PROBE = "Is anybody there?"


@dataclass(frozen=True, slots=True)
class Drained:
    """How many memories got a vector, how many still wait or have another model's, and why it stopped early."""

    embedded: int
    left: int
    why: str = ""

    def to_dict(self) -> dict[str, object]:
        return {"embedded": self.embedded, "left": self.left, "why": self.why}


def embedded_texts(encoder: Encoder | None, texts: Sequence[str]) -> list[Embedded | None]:
    """The vector of each text; None where there is no embedder, or it fails."""
    if encoder is None or not texts or not encoder.available():
        return [None] * len(texts)
    try:
        vectors = encoder.each(texts)
    except EmbedderFailed:
        return [None] * len(texts)
    return [None if vector is None else Embedded(encoder.model, vector) for vector in vectors]


def judge(store: Store, memory: Memory, embedded: Embedded, *, but: str | None = None) -> Memory:
    """The memory with its surprise to the live memories of the namespace, one of them left aside."""
    return judged(memory, store.meanings.neighbours(embedded, NEIGHBOURS, but, named_from=DUPLICATE_COSINE))


def drain(
    store: Store,
    encoder: Encoder,
    clock: Callable[[], datetime],
    holder: str,
    *,
    most: int | None = None,
    outdated: bool = False,
    again: bool = False,
    ended: Callable[[], bool] = lambda: False,
    progress: Progress | None = None,
) -> Drained:
    """Embed what waits, at most so many, until it has `ended`; with `outdated` also what another model made.

    One process at a time does it, under a lease, so that no text is embedded twice. Killed, it goes on later. A text
    that cannot be embedded though others can is put off until it is asked for `again`.
    """
    meanings = store.meanings
    if again:
        meanings.take_up()
    waiting = meanings.waiting_count()
    outdated = outdated and bool(meanings.models())
    if not outdated and not meanings.waiting(1, tried=False):
        return Drained(0, waiting)
    lease = store.claim(JOB, holder, clock(), LEASE_SECONDS)
    if lease is None:
        return Drained(0, waiting, f"{store.job(JOB).holder or 'another process'} is embedding them.")
    draining = _Draining(store, encoder, clock, lease, waiting)
    try:
        try:
            while not ended() and draining.step(BATCH if most is None else min(BATCH, most - draining.done), outdated):
                if progress is not None:
                    progress(draining.done, max(draining.total, draining.done))
        finally:
            with suppress(RemanenceError):  # lost, or the store is closed: then it runs out
                store.finish(draining.lease, clock())
    except (EmbedderFailed, LeaseLost) as failed:
        return draining.told(str(failed))
    return draining.told()


class _Draining:
    """One run: what it did, and where it goes on."""

    def __init__(
        self, store: Store, encoder: Encoder, clock: Callable[[], datetime], lease: Lease, waiting: int
    ) -> None:
        self._store = store
        self._encoder = encoder
        self._clock = clock
        self.lease = lease
        self.total, self.done = waiting, 0
        self._after: str | None = None
        self._dimension = 0

    def told(self, why: str = "") -> Drained:
        return Drained(self.done, max(0, self.total - self.done), why)

    def step(self, size: int, outdated: bool) -> bool:
        """Embed the next so many; whether there were any."""
        batch = self._store.meanings.waiting(size, tried=False) or (self._outdated(size) if outdated else [])
        if not batch:
            return False
        vectors = self._encoder.each([redact(waiting.text).text for waiting in batch])  # some are older than the guard
        got = [(one, vector) for one, vector in zip(batch, vectors, strict=True) if vector is not None]
        embedded = [Embedded(self._encoder.model, vector) for _, vector in got]
        _put(self._store, [one for one, _ in got], embedded, self._clock())
        self.done += len(got)
        if len(got) < len(batch):
            self._store.meanings.put_off(one.id for one, vector in zip(batch, vectors, strict=True) if vector is None)
        self._dimension = len(got[0][1]) if got else self._dimension
        # Only now: what was embedded is right whoever is to go on.
        self.lease = self._store.beat(self.lease, self._clock(), LEASE_SECONDS)
        return True

    def _outdated(self, size: int) -> list[Waiting]:
        meanings = self._store.meanings
        if self._after is None:
            self._dimension = self._dimension or len(self._encoder.query(_PROBE))
            self.total += meanings.outdated_count(self._encoder.model, self._dimension)
        batch = meanings.outdated(self._encoder.model, self._dimension, size, self._after)
        self._after = batch[-1].id if batch else self._after
        return batch


def _put(store: Store, batch: Sequence[Waiting], vectors: Sequence[Embedded], now: datetime) -> None:
    """Give each its vector and then, in the order of writing, those their surprise that have none."""
    for first in vectors[:1]:
        store.meanings.ready(first)
    with store.transaction():
        near = store.meanings.put_all(batch, vectors, NEIGHBOURS, DUPLICATE_COSINE)
        changes = []
        for memory in store.get(one.id for one in batch if one.unjudged and one.id in near).values():
            after = judged(memory, near[memory.id])
            if memory.state is State.LIVE and memory.surprise is None and after.surprise is not None:
                named: dict[str, Any] = {} if after.metadata is memory.metadata else {"metadata": after.metadata}
                changes.append(
                    Change.of(memory, SURPRISE, importance=after.importance, surprise=after.surprise, **named)
                )
        if changes:
            store.apply(Plan(tuple(changes), verb=SURPRISE), now)
