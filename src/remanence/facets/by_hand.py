"""The verbs of Mind that act on one memory, by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from remanence.errors import Conflict
from remanence.flows import mark
from remanence.flows.find import found
from remanence.model.memory import Memory
from remanence.store.protocol import Store


class ByHand:
    """What a person, or a host for them, does to one memory."""

    _store: Store
    _now: Callable[[], datetime]

    @contextmanager
    def holding(self, id: str, revision: int | None = None) -> Iterator[Memory]:
        """The memory, while nobody else writes; Conflict where it has another revision than the one you saw."""
        with self._store.transaction():
            memory = found(self._store, id)
            if revision is not None and memory.revision != revision:
                raise Conflict(
                    f"Memory {id} has changed since: its revision is {memory.revision}, not {revision}. Read it again"
                )
            yield memory

    def pin(self, id: str) -> Memory:
        """Keep a memory from every automatic change."""
        return mark.pin(self._store, id, True, self._now())

    def unpin(self, id: str) -> Memory:
        """Let a memory age again."""
        return mark.pin(self._store, id, False, self._now())

    def promote(self, id: str) -> Memory:
        """One layer up: working → episodic → semantic."""
        return mark.move(self._store, id, 1, self._now())

    def demote(self, id: str) -> Memory:
        """One layer down: semantic → episodic → working."""
        return mark.move(self._store, id, -1, self._now())

    def confirm(self, id: str) -> Memory:
        """Count one more confirmation; a challenge is settled by it."""
        return mark.confirm(self._store, id, self._now())

    def challenge(self, id: str, by: str | None = None) -> Memory:
        """Mark a memory as doubted, by the memory that contradicts it or by you."""
        return mark.challenge(self._store, id, by, self._now())

    def used(self, id: str) -> Memory:
        """A host used this memory: an access, unless it was recalled within the last hour, that counts for more."""
        return mark.feedback(self._store, id, True, self._now())

    def feedback(self, id: str, useful: bool = True) -> Memory:
        """Whether a memory was of use in an answer, as by `used`, or was not: it ranks lower and fades sooner."""
        return mark.feedback(self._store, id, useful, self._now())
