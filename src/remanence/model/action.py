"""An action: something to do, seen in a memory of kind "action".

Its text never changes; how it stands is in the memory's metadata: status, parent, project, when it ended, what came of
it, and the crystal it went into. Values there that make no sense, since anyone may write metadata, count as not given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from remanence.model.memory import Memory, State, plain
from remanence.model.moment import moment_in

ACTION, CRYSTAL = "action", "crystal"
PENDING, DONE, CANCELLED = "pending", "done", "cancelled"
STATUSES = (PENDING, DONE, CANCELLED)
OWN_KINDS = frozenset((ACTION, CRYSTAL))
"""Kinds of which two that are alike are still two: none of them ever takes the place of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something to do, done or cancelled; `done_at` is when it ended, either way."""

    id: str
    text: str
    scope: str
    created_at: datetime
    status: str = PENDING
    parent: str | None = None
    project: str | None = None
    files: tuple[str, ...] = ()
    done_at: datetime | None = None
    outcome: str | None = None
    crystal: str | None = None
    state: State = State.LIVE

    @classmethod
    def of(cls, memory: Memory) -> Action:
        """The action in a memory of that kind."""
        told = memory.metadata
        status = told.get("status")
        return cls(
            id=memory.id,
            text=memory.text,
            scope=memory.scope,
            created_at=memory.created_at,
            status=status if isinstance(status, str) and status in STATUSES else PENDING,
            parent=_text(told, "parent"),
            project=_text(told, "project"),
            files=memory.files,
            done_at=moment_in(told, "done_at"),
            outcome=_text(told, "outcome"),
            crystal=_text(told, "crystal"),
            state=memory.state,
        )

    @property
    def is_open(self) -> bool:
        return self.status == PENDING

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


def _text(told: Mapping[str, Any], name: str) -> str | None:
    value = told.get(name)
    return value if isinstance(value, str) and value.strip() else None


class Crystals(list[Memory]):
    """The crystals of a run; `left_out` says by the first action of a group why it has none."""

    def __init__(self, made: Iterable[Memory] = ()) -> None:
        super().__init__(made)
        self.left_out: dict[str, str] = {}
