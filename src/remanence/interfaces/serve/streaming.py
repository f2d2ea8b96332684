"""A long call as server-sent events: its progress while it runs, then its answer, or its problem.

What fails before anything was streamed is told as any other failure, with its own status. A client that goes away stops
the call at its next tick of progress; nothing is applied after that.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from remanence.interfaces.ticks import Ticks

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
                    yield event("progress", json.dumps({"done": last[0], "total": last[1]}))
                elif quiet >= _BEAT_SECONDS:
                    quiet = 0.0
                    yield b": still at it\n\n"
                await asyncio.wait([running], timeout=_LOOK_SECONDS)
                quiet += _LOOK_SECONDS
            try:
                answer, name = await running, "answer"
            except Exception as error:  # the door: the status is sent already
                answer, name = await on_error(request, error), "problem"
            yield event(name, bytes(answer.body).decode() or "null")
        finally:
            ticks.is_stopped = True
            running.add_done_callback(_swallow)

    return StreamingResponse(told(), 200, {"cache-control": "no-store", "x-accel-buffering": "no"}, KIND)


def _swallow(running: asyncio.Future[Any]) -> None:
    with suppress(asyncio.CancelledError, Exception):
        running.result()
