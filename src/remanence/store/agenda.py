"""Which namespaces have something to be done, and who is at it: what any number of workers share.

A worker takes the namespace that was served longest ago of those whose time has come and that nobody is at, does some
of what is to be done there, and says when to come again. A turn is a lease: who does not beat in time is taken over
from, and its token is refused. What is done within a namespace has leases of its own, so a turn that two workers
believe to have costs time, and no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Turn(NamedTuple):
    """A namespace that a worker looks after."""

    namespace: str
    holder: str
    token: int


class Agenda(Protocol):
    """The agenda of one store. `wait` ends early when something new is to be done, or by `stop`, in another thread."""

    def claim(self, holder: str, seconds: float, only: Sequence[str] | None = None) -> Turn | None: ...
    def beat(self, turn: Turn, seconds: float) -> bool: ...
    def done(self, turn: Turn, again_in: float, *, failed: bool = False) -> None: ...
    def wait(self, seconds: float) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...
