"""What texts mean: a vector at once where that is quick, else a backlog that is drained later and never lost.

An embedder that fails never stops a write or a recall: the memory waits for its vector, and search goes by words. What
waited is embedded in the order of writing; where nobody gave an importance, its surprise follows as a plan of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from remanence.errors import EmbedderFailed
from remanence.lifecycle.surprise import NEIGHBOURS, judged
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Embedded, Progress, Store, Waiting

SURPRISE = "surprise"
BATCH = 32


@dataclass(frozen=True, slots=True)
class Drained:
    """How many memories got a vector, how many still wait or have another model's, and why it stopped early."""

    embedded: int
    left: int
    why: str = ""

    def to_dict(self) -> dict[str, object]:
        return {"embedded": self.embedded, "left": self.left, "why": self.why}


def embedded_texts(encoder: Encoder | None, texts: Sequence[str]) -> list[Embedded | None]:
    """The vector of each text; None for all where there is no embedder, or it fails."""
    if encoder is None or not texts or not encoder.available():
        return [None] * len(texts)
    try:
        vectors = encoder.documents(texts)
    except EmbedderFailed:
        return [None] * len(texts)
    return [Embedded(encoder.model, vector) for vector in vectors]


def judge(store: Store, memory: Memory, embedded: Embedded, *, but: str | None = None) -> Memory:
    """The memory with its surprise to the live memories of the namespace, one of them left aside."""
    return judged(memory, store.meanings.neighbours(embedded, NEIGHBOURS, but))


def drain(
    store: Store,
    encoder: Encoder,
    clock: Callable[[], datetime],
    *,
    most: int | None = None,
    outdated: bool = False,
    progress: Progress | None = None,
) -> Drained:
    """Embed what waits, at most so many; with `outdated` also what another model made. Killed, it goes on later."""
    meanings = store.meanings
    total = meanings.waiting_count()
    if outdated:
        total += sum(number for model, number in meanings.models().items() if model != encoder.model)
    done, after = 0, None
    for _ in count():
        size = BATCH if most is None else min(BATCH, most - done)
        batch = meanings.waiting(size) if size > 0 else []
        if not batch and outdated and size > 0:
            batch = meanings.outdated(encoder.model, size, after)
            after = batch[-1].id if batch else None
        if not batch:
            break
        try:
            vectors = encoder.documents([waiting.text for waiting in batch])
        except EmbedderFailed as failed:
            return Drained(done, max(0, total - done), str(failed))
        _put(store, batch, [Embedded(encoder.model, vector) for vector in vectors], clock())
        done += len(batch)
        if progress is not None:
            progress(done, max(total, done))
    return Drained(done, max(0, total - done))


def _put(store: Store, batch: Sequence[Waiting], vectors: Sequence[Embedded], now: datetime) -> None:
    """Give each its vector and then, in the order of writing, those their surprise that have none."""
    with store.transaction():
        changes = []
        for waiting, embedded in zip(batch, vectors, strict=True):
            if store.meanings.put(waiting.id, embedded) and waiting.unjudged:
                memory = store.get([waiting.id])[waiting.id]
                after = judge(store, memory, embedded, but=memory.id)
                if memory.state is State.LIVE and memory.surprise is None and after.surprise is not None:
                    changes.append(
                        Change.of(
                            memory,
                            SURPRISE,
                            importance=after.importance,
                            surprise=after.surprise,
                            metadata=after.metadata,
                        )
                    )
        if changes:
            store.apply(Plan(tuple(changes), verb=SURPRISE), now)
