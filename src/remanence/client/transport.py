"""Requests over HTTP, by httpx: one transport blocks, the other waits on an event loop. Both pool their connections.

Methods are coroutines in both, so that everything above them is written once; those of the blocking one never wait for
a loop, and `at_once` runs them to their end. Redirects are not followed, so the token goes to the host it was given for
and nowhere else; requests to this machine pass no proxy.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

from remanence.client.address import Address
from remanence.client.answers import Reply
from remanence.client.requests import Request
from remanence.errors import InvalidInput, StoreUnavailable

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")
_IDLE_SECONDS = 3.0  # shorter than servers keep a connection, so that few are found closed
_PART_BYTES = 1 << 18


class NoReply(Exception):
    """No answer, or half of one. `slow` where time ran out, so that another try would take as long."""

    def __init__(self, reason: str, *, slow: bool = False) -> None:
        super().__init__(reason)
        self.slow = slow


@dataclass(frozen=True, slots=True)
class Stream:
    """An answer whose body is still coming."""

    status: int
    headers: dict[str, str]
    parts: AsyncIterator[bytes]


class Transport(Protocol):
    """How requests get to a server."""

    async def send(self, request: Request) -> Reply: ...
    def stream(self, request: Request, silence_seconds: float) -> AbstractAsyncContextManager[Stream]: ...
    async def wait(self, seconds: float) -> None: ...
    async def close(self) -> None: ...


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine gives that never waits for a loop, since its transport blocks."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        value: T = done.value
        return value
    coroutine.close()
    raise RuntimeError("a coroutine of a blocking client waited for a loop")


class Blocking:
    """Threads may share one."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._turn = threading.Lock()
        self._open: tuple[int, httpx.Client] | None = None
        self._closed = False

    async def send(self, request: Request) -> Reply:
        with _translated():
            client = self._client()
            if request.file is None:
                return _whole(client.request(**_asked(self._address, request)))
            with _file(request) as file:
                return _whole(client.request(**_asked(self._address, request) | {"content": file}))

    @asynccontextmanager
    async def stream(self, request: Request, silence_seconds: float) -> AsyncIterator[Stream]:
        with (
            _translated(),
            self._client().stream(**_asked(self._address, request, silence_seconds)) as response,
        ):
            yield Stream(response.status_code, dict(response.headers), _each(response.iter_bytes()))

    async def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    async def close(self) -> None:
        with self._turn:
            self._closed, was, self._open = True, self._open, None
        if was is not None and was[0] == os.getpid():
            was[1].close()

    def _client(self) -> httpx.Client:
        import httpx

        with self._turn:
            if self._closed:
                raise _closed()
            # After a fork, parent and child would read each other's answers from one connection.
            if self._open is None or self._open[0] != os.getpid():
                self._open = os.getpid(), httpx.Client(**_options(self._address))
            return self._open[1]


class Waiting:
    """Event loops may share one: each has connections of its own."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._turn = threading.Lock()
        self._open: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()
        self._closed = False

    async def send(self, request: Request) -> Reply:
        with _translated():
            client = self._client()
            if request.file is None:
                return _whole(await client.request(**_asked(self._address, request)))
            with _file(request) as file:
                asked = _asked(self._address, request)
                asked["headers"] |= {"Content-Length": str(os.fstat(file.fileno()).st_size)}
                return _whole(await client.request(**asked | {"content": _read(file)}))

    @asynccontextmanager
    async def stream(self, request: Request, silence_seconds: float) -> AsyncIterator[Stream]:
        with _translated():
            async with self._client().stream(**_asked(self._address, request, silence_seconds)) as response:
                yield Stream(response.status_code, dict(response.headers), response.aiter_bytes())

    async def wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def close(self) -> None:
        with self._turn:
            self._closed = True
            mine = self._open.pop(asyncio.get_running_loop(), None)
        if mine is not None:
            await mine.aclose()

    def _client(self) -> httpx.AsyncClient:
        import httpx

        loop = asyncio.get_running_loop()
        with self._turn:
            if self._closed:
                raise _closed()
            if loop not in self._open:
                self._open[loop] = httpx.AsyncClient(**_options(self._address))
            return self._open[loop]


def _options(address: Address) -> dict[str, Any]:
    import httpx

    return {
        "headers": address.headers,
        "follow_redirects": False,
        "trust_env": not address.is_local,
        "limits": httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=_IDLE_SECONDS),
    }


def _asked(address: Address, request: Request, silence_seconds: float | None = None) -> dict[str, Any]:
    import httpx

    read = None if request.long else silence_seconds or address.seconds
    return {
        "method": request.method,
        "url": address.url + request.path,
        "content": request.body,
        "headers": dict(request.headers),
        "timeout": httpx.Timeout(address.seconds, read=read, pool=None),
    }


def _whole(response: httpx.Response) -> Reply:
    return Reply(response.status_code, dict(response.headers), response.content)


@contextmanager
def _translated() -> Iterator[None]:
    import httpx

    try:
        yield
    except httpx.TimeoutException as error:
        raise NoReply(type(error).__name__, slow=True) from error
    except (httpx.RequestError, httpx.InvalidURL, httpx.StreamError) as error:
        raise NoReply(str(error) or type(error).__name__) from error


@contextmanager
def _file(request: Request) -> Iterator[Any]:
    assert request.file is not None
    try:
        file = request.file.open("rb")
    except OSError as reason:
        raise InvalidInput(f"{request.file} cannot be read: {reason.strerror}") from None
    with file:
        yield file


async def _read(file: Any) -> AsyncIterator[bytes]:
    while part := await asyncio.to_thread(file.read, _PART_BYTES):
        yield part


async def _each(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


def _closed() -> StoreUnavailable:
    return StoreUnavailable("This client is closed; open a new one")
