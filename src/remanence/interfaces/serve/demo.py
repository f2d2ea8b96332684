"""The route of a demo: POST /v1/demo makes one, a made-up year in a namespace that is called demo, or demo-anything.

It answers with server-sent events: progress in days, then what was made, or the problem. A client that goes away, or a
server that stops, ends the making at its next tick; what was written by then is removed when it is made anew. DELETE
takes a demo away, and answers with the certificate, as events too; it refuses what `rem demo --remove` refuses.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from remanence.errors import Conflict, InvalidInput
from remanence.interfaces.demo import replay
from remanence.interfaces.demo.story import DAYS
from remanence.interfaces.grants import Grant
from remanence.interfaces.serve import reading
from remanence.interfaces.serve.answering import Answering, on_error
from remanence.interfaces.serve.problems import Problem
from remanence.interfaces.serve.streaming import streamed
from remanence.interfaces.ticks import Stopped, Ticks
from remanence.interfaces.wire import encoded
from remanence.settings import Settings

if TYPE_CHECKING:
    from remanence.mind import Mind

_BODY_BYTES = 1_000


class Demos:
    """The demos of one server; `busy` are the namespaces in which one is made, or taken away, just now."""

    def __init__(
        self, answering: Answering, location: str | Path, settings: Settings, is_stopping: Callable[[], bool]
    ) -> None:
        self._answering = answering
        self._location = location
        self._settings = settings
        self._is_stopping = is_stopping
        self.busy: set[str] = set()

    async def make(self, request: Request) -> Response:
        """Make a demo of 365 days, or of as many as the body says; 409 where there is anything already."""
        namespace, given = await self._asked(request)
        days = given.pop("days", DAYS)
        _nothing_more(given)
        replay.check(self._location, namespace, days)
        await self._begin(namespace, replay.is_unfinished)
        ticks = Ticks()
        return await streamed(self._made(namespace, days, ticks), ticks, request, on_error)

    async def remove(self, request: Request) -> Response:
        """Take the demo of a namespace away for good; 404 where there is nothing, 409 where that is no demo."""
        namespace, given = await self._asked(request)
        _nothing_more(given)
        replay.check(self._location, namespace)
        await self._begin(namespace, replay.to_be_removed)
        return await streamed(self._removed(namespace), Ticks(), request, on_error)

    async def _asked(self, request: Request) -> tuple[str, dict[str, Any]]:
        """The namespace, of whoever may write in all of it, and what the body says."""
        grant: Grant = request.state.grant
        grant.must_reach_all("demo")
        grant.must_write("demo")
        if query := reading.query_of(request):
            raise InvalidInput([f"unknown field {name[:80]!r}: arguments stand in the body" for name in query])
        return grant.namespace, await reading.body_of(request, _BODY_BYTES)

    async def _begin(self, namespace: str, look: Callable[[Mind], object]) -> None:
        """Take the one turn there is, where what `look` finds is no reason not to."""
        if self.busy:  # one at a time: it takes a minute of one of the few threads for long calls
            raise Conflict(f"A demo is being made or taken away in namespace {min(self.busy)!r} just now. Wait for it")

        def work() -> None:
            with self._answering.minds.use(namespace) as mind:
                look(mind)

        self.busy.add(namespace)
        try:
            await self._answering.run(work)
        except BaseException:
            self.busy.discard(namespace)
            raise

    async def _made(self, namespace: str, days: int, ticks: Ticks) -> Response:
        def progress(done: int, total: int) -> None:
            if self._is_stopping():
                raise Stopped
            ticks(done, total)

        def work() -> replay.Made:
            with self._answering.minds.use(namespace) as mind:  # or it might be opened meanwhile, and looked after
                return replay.make(self._location, namespace, mind.clock(), progress, days, self._settings)

        try:
            made = await self._answering.run(work, long=True)
        except Stopped:
            raise Problem(
                503, "stopped", "The demo was stopped before it was whole. Made again, it begins anew"
            ) from None
        finally:
            self.busy.discard(namespace)
        return _json(made.to_dict())

    async def _removed(self, namespace: str) -> Response:
        def work() -> Any:
            with self._answering.minds.use(namespace) as mind:
                return encoded(replay.remove(mind))

        try:
            return _json(await self._answering.run(work, long=True))
        finally:
            self._answering.repeats.forget()  # an answer that was kept may hold what is gone
            self.busy.discard(namespace)


def _nothing_more(given: dict[str, Any]) -> None:
    if given:
        raise InvalidInput([f"unknown field {name[:80]!r}" for name in given])


def _json(value: Any) -> Response:
    return Response(json.dumps(value, ensure_ascii=False), 200, {"cache-control": "no-store"}, "application/json")
