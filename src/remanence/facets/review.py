"""mind.review: what waits for a person, quarantined or challenged, and what the person says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from remanence.errors import InvalidInput
from remanence.flows import review
from remanence.model import checks
from remanence.model.memory import Memory, State
from remanence.model.plan import Receipt
from remanence.model.selection import LIMIT, selection_from
from remanence.store.protocol import Store


class Review:
    """The review of one mind."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    def list(self, scope: str | Iterable[str] | None = None, limit: int = 100, offset: int = 0) -> Sequence[Memory]:
        """Quarantined memories, newest first; `metadata["screened"]` says why each is one."""
        _check(limit, offset)
        return review.waiting(self._store, scope, limit, offset)

    def count(self, scope: str | Iterable[str] | None = None) -> int:
        """How many are quarantined."""
        return self._store.count(selection_from(scope=scope, states=(State.QUARANTINED,)))

    def challenged(
        self, scope: str | Iterable[str] | None = None, limit: int = 100
    ) -> Sequence[tuple[Memory, Memory | None]]:
        """Memories that contradict each other, in pairs; None where a person doubts one."""
        _check(limit, 0)
        return review.challenged(self._store, scope, limit)

    def accept(self, ids: Iterable[str] | None = None, *, scope: Any = None, everything: bool = False) -> Receipt:
        """Bring quarantined memories into recall, by id, by scope or all of them."""
        return review.accept(self._store, self._now(), ids=ids, scope=scope, everything=everything)

    def reject(self, ids: Iterable[str] | None = None, *, scope: Any = None, everything: bool = False) -> Receipt:
        """Forget quarantined memories, softly, by id, by scope or all of them."""
        return review.reject(self._store, self._now(), ids=ids, scope=scope, everything=everything)


def _check(limit: int, offset: int) -> None:
    problems = checks.integer_problems(limit, "limit", 1, LIMIT) + checks.integer_problems(offset, "offset", 0)
    if problems:
        raise InvalidInput(problems)
