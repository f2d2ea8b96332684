"""mind.lessons: what was learned, and how sure it is by now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime

from remanence.flows import lessons as flow
from remanence.flows.remember import remember
from remanence.model.draft import draft_from
from remanence.model.hit import Remembered
from remanence.model.lesson import CONFIDENCE, LESSON, Lesson
from remanence.model.policy import Policy
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Store


class Lessons:
    """The lessons of one mind."""

    def __init__(
        self,
        store: Store,
        encoder: Encoder | None,
        policy: Callable[[], Policy],
        now: Callable[[], datetime],
        new_id: Callable[[datetime], str],
        personal: Collection[str] = (),
    ) -> None:
        self._store = store
        self._encoder = encoder
        self._policy = policy
        self._now = now
        self._new_id = new_id
        self._personal = personal

    def add(
        self, text: str, scope: str = "/", confidence: float = CONFIDENCE, source: str = "human", key: str | None = None
    ) -> Remembered:
        """Keep a lesson; one that is known already is surer from now on."""
        given = {name: value for name, value in locals().items() if name != "self"}
        draft = draft_from({**given, "kind": LESSON})
        return remember(self._store, self._encoder, [draft], self._now(), self._new_id, self._personal)[0]

    def list(self, scope: str | Iterable[str] | None = None, limit: int = 100, offset: int = 0) -> Sequence[Lesson]:
        """Live lessons, newest first, each with its confidence by now and when it leaves."""
        return flow.listed(self._store, self._policy(), self._now(), scope, limit, offset)

    def reinforce(self, id: str) -> Lesson:
        """A lesson was met again: it is surer from now on."""
        return flow.reinforce(self._store, self._policy(), id, self._now())
