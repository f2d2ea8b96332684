"""`rem mcp`: one client on standard input and output, for as long as that client lives.

Descriptor 1 is taken away first: what anything prints goes to standard error, and only messages go out. The process
ends within two seconds of the end of input, of a signal, or of its parent's death (a pipe may be held open by somebody
else), whatever it is doing; the store is closed where that can be done in time, and is sound where it cannot.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from remanence.interfaces.mcp.ending import END_SECONDS, Ending

if TYPE_CHECKING:
    from remanence.interfaces.mcp.place import Place

ANSWER_SECONDS = 0.6
"""How long requests that are under way when input ends may still be answered."""
MOST_UNANSWERED = 1024
MOST_UNANSWERED_BYTES = 32 * 1024 * 1024
_READ_BYTES = 64 * 1024
_BUSY = -32000
_LOG = logging.getLogger("remanence.mcp")


def serve(make_place: Callable[[], Place], close: Callable[[], None], wires: tuple[int, int], ending: Ending) -> int:
    """Serve until the client is gone."""
    # Thousands of classes are made while the SDK is imported, and not one of them is garbage.
    gc.disable()
    from remanence.interfaces.mcp.server import server

    place = make_place()
    made = server(place)
    gc.freeze()
    gc.enable()
    with suppress(asyncio.CancelledError, KeyboardInterrupt):
        asyncio.run(_Wire(made, wires, ending).run())
    ending.then = lambda: None
    ending.begin()
    if place.stop(END_SECONDS / 2):
        try:
            close()
        except Exception:  # the door: nobody is left to hear of it
            _LOG.exception("the store could not be closed")
    sys.stderr.flush()
    os._exit(0)


class _Wire:
    """The frames of one client, in and out."""

    def __init__(self, server: Any, wires: tuple[int, int], ending: Ending) -> None:
        self._server = server
        self._in, self._out = wires
        self._ending = ending
        self._unanswered: dict[int | str, int] = {}
        self._all_answered: asyncio.Event | None = None

    async def run(self) -> None:
        import anyio
        from mcp.shared.message import SessionMessage

        loop = asyncio.get_running_loop()
        self._write_limit = anyio.CapacityLimiter(1)
        self._all_answered = asyncio.Event()
        self._to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        to_client, self._from_server = anyio.create_memory_object_stream[SessionMessage](0)
        self._refusals = to_client.clone()
        async with anyio.create_task_group() as group:

            def end() -> None:
                # To the server this is the end of input. What it still says must be taken, or it waits for that.
                with suppress(RuntimeError):  # the loop is closed already
                    loop.call_soon_threadsafe(self._to_server.close)

            self._ending.then = end
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                loop.add_signal_handler(number, self._ending.begin)
            group.start_soon(self._write)
            threading.Thread(target=self._read, args=(loop,), name="input", daemon=True).start()
            await self._server.run(from_client, to_client, self._server.create_initialization_options())
            group.cancel_scope.cancel()

    # -- in

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read lines until input ends. On a thread of its own, which waits for the event loop after each line."""
        from remanence.interfaces.mcp.frames import Lines

        lines = Lines()
        try:
            while data := _some(self._in):
                for line in lines.fed(data):
                    asyncio.run_coroutine_threadsafe(self._taken(line), loop).result()
            asyncio.run_coroutine_threadsafe(self._ended(lines.rest()), loop).result()
        except BaseException as error:  # the loop is gone, or going
            _LOG.debug("reading ended: %r", error)
            self._ending.begin()

    async def _taken(self, line: bytes | None) -> None:
        from mcp.shared.message import SessionMessage
        from mcp_types import INVALID_REQUEST, JSONRPCError, JSONRPCNotification, JSONRPCRequest

        from remanence.interfaces.mcp.frames import message_of, refused

        message = message_of(line)
        size = len(line or b"")
        if isinstance(message, JSONRPCRequest):
            if message.id in self._unanswered:
                message = refused(INVALID_REQUEST, "A request with this id is under way", None)
            elif self._is_full(size):
                why = f"{len(self._unanswered):,} requests are under way already; wait for their answers"
                message = refused(_BUSY, why, message.id)
            else:
                self._unanswered[message.id] = size
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            # What is cancelled is not answered any more.
            self._answered((message.params or {}).get("requestId"))
        if isinstance(message, JSONRPCError):
            await self._refusals.send(SessionMessage(message))
        elif message is not None:
            await self._to_server.send(SessionMessage(message))

    def _is_full(self, size: int) -> bool:
        held = sum(self._unanswered.values())
        return len(self._unanswered) >= MOST_UNANSWERED or (held > 0 and held + size > MOST_UNANSWERED_BYTES)

    async def _ended(self, rest: bytes | None) -> None:
        """Take the last line, give what is under way a moment, and let the server end."""
        await self._taken(rest)
        if self._unanswered and self._all_answered is not None:
            self._all_answered.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._all_answered.wait(), ANSWER_SECONDS)
        self._ending.begin()

    # -- out

    async def _write(self) -> None:
        import anyio.to_thread
        from mcp_types import JSONRPCError, JSONRPCResponse

        is_read = True
        async for sent in self._from_server:
            message = sent.message
            try:
                if is_read:
                    await anyio.to_thread.run_sync(
                        _put, self._out, _encoded(message), limiter=self._write_limit, abandon_on_cancel=True
                    )
            except OSError as error:
                _LOG.debug("nobody reads: %s", error)
                is_read = False
                self._ending.begin()
            if isinstance(message, (JSONRPCResponse, JSONRPCError)):
                self._answered(message.id)

    def _answered(self, id: Any) -> None:
        with suppress(TypeError):  # an id that is none
            self._unanswered.pop(id, None)
        if not self._unanswered and self._all_answered is not None:
            self._all_answered.set()


def _some(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _READ_BYTES)
    except OSError:
        return b""


def _encoded(message: Any) -> bytes:
    import json

    from pydantic_core import PydanticSerializationError

    try:
        text: str = message.model_dump_json(by_alias=True, exclude_unset=True)
    except (PydanticSerializationError, UnicodeEncodeError):  # half a character, which no UTF-8 can carry
        text = json.dumps(message.model_dump(by_alias=True, exclude_unset=True), default=str)
    return text.encode() + b"\n"


def _put(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
