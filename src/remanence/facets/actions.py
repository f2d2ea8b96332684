"""mind.actions: things to do, and the crystals they become once they have ended."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from remanence.flows import actions as flow
from remanence.model.action import CANCELLED, DONE, Action, Crystals
from remanence.model.memory import Memory
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Store

if TYPE_CHECKING:
    from remanence.flows.extract import Model


class Actions:
    """The actions of one mind."""

    def __init__(
        self,
        store: Store,
        encoder: Encoder | None,
        model: Callable[[], Model | None],
        now: Callable[[], datetime],
        new_id: Callable[[datetime], str],
        personal: Collection[str] = (),
    ) -> None:
        self._store = store
        self._encoder = encoder
        self._model = model
        self._now = now
        self._new_id = new_id
        self._personal = personal

    def add(
        self,
        text: str,
        *,
        scope: str = "/",
        parent: str | None = None,
        project: str | None = None,
        files: Iterable[str] = (),
        source: str = "human",
        key: str | None = None,
    ) -> Action:
        """Write down something to do; the same key again is the same action."""
        given = {name: value for name, value in locals().items() if name != "self"}
        return flow.add(self._store, self._encoder, given, self._now(), self._new_id, self._personal)

    def done(self, id: str, outcome: str | None = None) -> Action:
        """An action was done, and this came of it."""
        return flow.end(self._store, id, DONE, outcome, self._now(), self._personal)

    def cancel(self, id: str, outcome: str | None = None) -> Action:
        """An action will not be done, for this reason."""
        return flow.end(self._store, id, CANCELLED, outcome, self._now(), self._personal)

    def get(self, id: str) -> Action:
        """The action with this id, in whatever state."""
        return flow.action(self._store, id)

    def list(
        self,
        status: str | None = None,
        project: str | None = None,
        parent: str | None = None,
        scope: str | Iterable[str] | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> Sequence[Action]:
        """Actions, newest first."""
        return flow.listed(
            self._store, status=status, project=project, parent=parent, scope=scope, limit=limit, offset=offset
        )

    def crystallize(self, action_ids: Iterable[str]) -> Memory:
        """One crystal of actions that have all ended, with the lessons they taught."""
        from remanence.flows.crystallize import crystallize

        asked = self._model()
        return crystallize(self._store, self._encoder, action_ids, self._now(), self._new_id, asked, self._personal)

    def auto_crystallize(self, older_than_days: float = 7, project: str | None = None) -> Crystals:
        """A crystal of each group of actions done longer ago than that: of one parent, else one project."""
        from remanence.flows.crystallize import auto_crystallize

        return auto_crystallize(
            self._store,
            self._encoder,
            self._now(),
            self._new_id,
            self._model(),
            self._personal,
            older_than_days=older_than_days,
            project=project,
        )


class Working:
    """The verbs of Mind that turn work that has ended into knowledge."""

    actions: Actions

    def crystallize(self, action_ids: Iterable[str]) -> Memory:
        """One crystal of actions that are all done or cancelled, with the lessons they taught; undo takes it back."""
        return self.actions.crystallize(action_ids)

    def auto_crystallize(self, older_than_days: float = 7, project: str | None = None) -> Crystals:
        """Crystals of what was done longer ago than that, one a group; run again at once, none."""
        return self.actions.auto_crystallize(older_than_days, project)
