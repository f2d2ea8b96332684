"""A long call as server-sent events: its progress while it runs, then its answer, or its problem.

What fails before anything was streamed is told as any other failure, with its own status. A client that goes away stops
the call before it begins, or at its next tick of progress; what was applied by then stays, with its receipts.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from remanence.interfaces.ticks import Stopped, Ticks

_LOG = logging.getLogger("remanence.serve")
_AT_ONCE_SECONDS = 0.05
_LOOK_SECONDS = 0.1
_BEAT_SECONDS = 10.0
KIND = "text/event-stream"


def is_wanted(request: Request) -> bool:
    """Whether a client asks for events."""
    return any(KIND in value for value in request.headers.getlist("accept"))


def event(name: str, data: str) -> bytes:
    """One event; the data is JSON, which has no line breaks."""
    return f"event: {name}\ndata: {data}\n\n".encode()


async def streamed(
    work: Coroutine[Any, Any, Response],
    ticks: Ticks,
    request: Request,
    on_error: Callable[[Request, Exception], Awaitable[Response]],
) -> Response:
    """The progress of work that goes on, and what comes of it, as it comes."""
    running = asyncio.ensure_future(work)
    await asyncio.wait([running], timeout=_AT_ONCE_SECONDS)
    if running.done() and running.exception() is not None:
        await running

    async def told() -> AsyncIterator[bytes]:
        last, quiet = None, 0.0
        try:
            while not running.done():
                if ticks.latest is not None and ticks.latest != last:
                    last, quiet = ticks.latest, 0.0
                    yield _progress(last)
                elif quiet >= _BEAT_SECONDS:
                    quiet = 0.0
                    yield b": still at it\n\n"
                await asyncio.wait([running], timeout=_LOOK_SECONDS)
                quiet += _LOOK_SECONDS
            if ticks.latest is not None and ticks.latest != last:
                yield _progress(ticks.latest)
            try:
                answer, name = await running, "answer"
            except Exception as error:  # the door: the status is sent already
                answer, name = await on_error(request, error), "problem"
            yield event(name, bytes(answer.body).decode() or "null")
        finally:
            ticks.is_stopped = True
            running.add_done_callback(unheard)

    return StreamingResponse(told(), 200, {"cache-control": "no-store", "x-accel-buffering": "no"}, KIND)


def _progress(latest: tuple[int, int]) -> bytes:
    return event("progress", json.dumps({"done": latest[0], "total": latest[1]}))


def unheard(running: asyncio.Future[Any]) -> None:
    """Log the failure of a call that nobody waits for any more."""
    if running.cancelled() or (error := running.exception()) is None or isinstance(error, Stopped):
        return
    _LOG.warning("a call that nobody waits for has failed", extra={"error": type(error).__name__})
