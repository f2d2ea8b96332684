"""Where a server of the MCP door runs: whose mind it opens for whom, and on which threads.

A server may do nothing itself on its event loop: each call runs on a worker thread with the mind of the caller's grant,
fenced. A call that is cancelled is told so at its next tick of progress and stops there; nothing is applied after that.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from remanence.interfaces.ticks import Ticks

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from remanence.interfaces.grants import Grant
    from remanence.interfaces.minds import Minds

MOST_CALLS = 8
_REPORT_SECONDS = 0.1
Answer = TypeVar("Answer")


@dataclass(slots=True)
class Place:
    """What a server is given. `minds` opens them at the first call; `scope` is where a client's memories belong when
    it names no scope, `project` whose artifacts it sees.
    """

    minds: Callable[[], Minds]
    grant_of: Callable[[ServerRequestContext[Any, Any]], Grant]
    scope: Callable[[Grant], str | None]
    project: Callable[[Grant], str | Path]
    most_calls: int = MOST_CALLS
    polls_unasked: bool = True
    """Whether an open session alone is reason enough to look for changes, before anything was asked."""
    is_open: bool = False
    _working: set[Ticks] = field(default_factory=set)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _limiter: Any = None

    @contextmanager
    def mind(self, grant: Grant) -> Iterator[Any]:
        """The mind of a grant, fenced; for a worker thread."""
        with self.both(grant) as (_, fenced):
            yield fenced

    @contextmanager
    def both(self, grant: Grant) -> Iterator[tuple[Any, Any]]:
        """The mind of a grant's namespace, only to see whether anything happened, and the same mind fenced."""
        from remanence.interfaces.grants import fenced

        with self.minds().use(grant.namespace) as mind:
            self.is_open = True
            yield mind, fenced(mind, grant)

    async def run(self, work: Callable[[Ticks], Answer], report: Callable[[int, int], Any] | None = None) -> Answer:
        """Do work on a worker thread; `report` is told of its progress on the event loop."""
        import anyio
        import anyio.to_thread

        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(self.most_calls)
        ticks = Ticks()

        async def working() -> Answer:
            return await anyio.to_thread.run_sync(
                self._counted, work, ticks, limiter=self._limiter, abandon_on_cancel=True
            )

        try:
            if report is None:
                return await working()
            answers: list[Answer] = []
            async with anyio.create_task_group() as group:
                group.start_soon(_reporting, ticks, report)
                answers.append(await working())
                group.cancel_scope.cancel()
            done, total = ticks.latest or (0, 1)
            await report(max(done + 1, total), max(done + 1, total))
            return answers[0]
        finally:
            ticks.is_stopped = True

    def stop(self, seconds: float) -> bool:
        """Stop what runs at its next tick; whether all of it ended in time."""
        with self._changed:
            for ticks in self._working:
                ticks.is_stopped = True
            return self._changed.wait_for(lambda: not self._working, seconds)

    def _counted(self, work: Callable[[Ticks], Answer], ticks: Ticks) -> Answer:
        with self._changed:
            self._working.add(ticks)
        try:
            return work(ticks)
        finally:
            with self._changed:
                self._working.discard(ticks)
                self._changed.notify_all()


async def _reporting(ticks: Ticks, report: Callable[[int, int], Any]) -> None:
    """Report each new state of progress, at most ten a second."""
    import anyio

    told = None
    while True:
        if ticks.latest is not None and ticks.latest != told:
            told = ticks.latest
            await report(*told)
        await anyio.sleep(_REPORT_SECONDS)
