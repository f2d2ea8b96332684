"""The route that makes a demo, `POST /v1/demo`: a made-up year in a namespace that is called demo, or demo-anything.

It answers with server-sent events: progress in days, then what was made, or the problem. A client that goes away, or a
server that stops, ends the making at its next tick; what was written by then is removed when it is made anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

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
from remanence.settings import Settings

_BODY_BYTES = 1_000


class Demos:
    """The demos of one server; `making` are the namespaces in which one is made just now."""

    def __init__(
        self, answering: Answering, location: str | Path, settings: Settings, is_stopping: Callable[[], bool]
    ) -> None:
        self._answering = answering
        self._location = location
        self._settings = settings
        self._is_stopping = is_stopping
        self.making: set[str] = set()

    async def make(self, request: Request) -> Response:
        """Make a demo of 365 days, or of as many as the body says; 409 where there is anything already."""
        grant: Grant = request.state.grant
        grant.must_reach_all("demo")
        grant.must_write("demo")
        if query := reading.query_of(request):
            raise InvalidInput([f"unknown field {name[:80]!r}: arguments stand in the body" for name in query])
        given = await reading.body_of(request, _BODY_BYTES)
        days = given.pop("days", DAYS)
        if given:
            raise InvalidInput([f"unknown field {name[:80]!r}" for name in given])
        replay.check(self._location, grant.namespace, days)
        if self.making:  # one at a time: it takes a minute of one of the few threads for long calls
            raise Conflict(f"A demo is being made in namespace {min(self.making)!r} just now. Wait for it")
        self.making.add(grant.namespace)
        try:
            await self._answering.run(lambda: self._looked_at(grant.namespace))
        except BaseException:
            self.making.discard(grant.namespace)
            raise
        ticks = Ticks()
        return await streamed(self._made(grant.namespace, days, ticks), ticks, request, on_error)

    def _looked_at(self, namespace: str) -> None:
        with self._answering.minds.use(namespace) as mind:
            replay.is_unfinished(mind)

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
            self.making.discard(namespace)
        return Response(json.dumps(made.to_dict()), 200, {"cache-control": "no-store"}, "application/json")
