"""Progress of a call that runs on a thread of its own: told there, read by the event loop, and the way to stop it."""

from __future__ import annotations


class Stopped(Exception):
    """The call was cancelled."""


class Ticks:
    """Progress of one call, told by its thread, read by the event loop; raises once the call is cancelled."""

    __slots__ = ("is_stopped", "latest")

    def __init__(self) -> None:
        self.is_stopped = False
        self.latest: tuple[int, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        if self.is_stopped:
            raise Stopped
        if self.latest is None or done > self.latest[0]:
            self.latest = (done, total)
