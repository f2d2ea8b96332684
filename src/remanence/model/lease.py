"""A lease: the right to do a named job alone, for a while.

The holder beats before its time is up; who does not is taken over from, by anyone, without a manual unlock. The token
goes up with every claim, so a holder that was frozen past its time is told apart from its successor: whatever it still
tries to apply is refused (fenced out).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from remanence.model.memory import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A job that is held: by whom, with which fencing token, until when unless it beats again."""

    name: str
    holder: str
    token: int
    until: datetime

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What is known of a named job: who holds it now, if anyone, and when it was last finished."""

    name: str
    holder: str | None = None
    token: int = 0
    until: datetime | None = None
    finished_at: datetime | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}
