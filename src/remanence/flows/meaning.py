"""What texts mean: a vector at once where that is quick, else a backlog that is drained later and never lost.

An embedder that fails never stops a write or a recall: the memory waits for its vector, and search goes by words. What
waited is embedded in the order of writing; where nobody gave an importance, its surprise follows as a plan of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from remanence.errors import EmbedderFailed
from remanence.lifecycle.surprise import DUPLICATE_COSINE, NEIGHBOURS, judged
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Embedded, Progress, Store, Waiting

SURPRISE = "surprise"
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
    *,
    most: int | None = None,
    outdated: bool = False,
    progress: Progress | None = None,
) -> Drained:
    """Embed what waits, at most so many; with `outdated` also what another model made. Killed, it goes on later.

    A text that cannot be embedded though others can is put off: who drains all tries it again.
    """
    meanings = store.meanings
    if most is None:
        meanings.take_up()
    total, done, after, dimension = meanings.waiting_count(), 0, None, 0
    outdated = outdated and bool(meanings.models())
    try:
        while most is None or done < most:
            size = BATCH if most is None else min(BATCH, most - done)
            batch = meanings.waiting(size, tried=False)
            if not batch and outdated:
                if after is None:
                    dimension = dimension or len(encoder.query(_PROBE))
                    total += meanings.outdated_count(encoder.model, dimension)
                batch = meanings.outdated(encoder.model, dimension, size, after)
                after = batch[-1].id if batch else after
            if not batch:
                break
            vectors = encoder.each([waiting.text for waiting in batch])
            got = [(one, vector) for one, vector in zip(batch, vectors, strict=True) if vector is not None]
            _put(store, [one for one, _ in got], [Embedded(encoder.model, vector) for _, vector in got], clock())
            if len(got) < len(batch):
                meanings.put_off(one.id for one, vector in zip(batch, vectors, strict=True) if vector is None)
            done += len(got)
            dimension = len(got[0][1]) if got else dimension
            if progress is not None:
                progress(done, max(total, done))
    except EmbedderFailed as failed:
        return Drained(done, max(0, total - done), str(failed))
    return Drained(done, max(0, total - done))


def _put(store: Store, batch: Sequence[Waiting], vectors: Sequence[Embedded], now: datetime) -> None:
    """Give each its vector and then, in the order of writing, those their surprise that have none."""
    with store.transaction():
        near = store.meanings.put_all(batch, vectors, NEIGHBOURS, DUPLICATE_COSINE)
        changes = []
        for memory in store.get(one.id for one in batch if one.unjudged and one.id in near).values():
            after = judged(memory, near[memory.id])
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
