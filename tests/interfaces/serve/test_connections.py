"""S16: who connects has some seconds to say what they want; how much they send, and how slowly, changes nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from remanence.interfaces.serve import connections

SECONDS = 0.3
HEAD = b"GET / HTTP/1.1\r\nHost: here\r\n"


async def late(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers after longer than a head may take, and reads no body."""
    await asyncio.sleep(SECONDS * 2)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": b"fine"})


Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def connected() -> AsyncIterator[Wire]:
    config = uvicorn.Config(late, http=connections.Http, log_config=None)
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(lambda: connections.Http(config, state, {}), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    try:
        yield reader, writer
    finally:
        writer.close()
        server.close()


def run(client: Callable[[Wire], Awaitable[None]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", SECONDS)

    async def whole() -> None:
        async with asyncio.timeout(30), connected() as wire:
            await client(wire)

    asyncio.run(whole())


async def _dripped(wire: Wire, part: bytes) -> bytes:
    """What is answered while parts are sent, each well within the time, until the server has enough."""
    reader, writer = wire
    answer = asyncio.create_task(reader.read())
    while not answer.done():
        writer.write(part)
        await asyncio.sleep(SECONDS / 10)
    try:
        return answer.result()
    except ConnectionError:
        return b""


@pytest.mark.promise("S16")
def test_a_head_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def client(wire: Wire) -> None:
        wire[1].write(HEAD)
        head, _, body = (await _dripped(wire, b"X: y\r\n")).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        told = json.loads(body)
        assert (told["status"], told["code"]) == (408, "too_slow")

    run(client, monkeypatch)


@pytest.mark.promise("S16")
def test_who_says_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    async def client(wire: Wire) -> None:
        assert await wire[0].read() == b""

    run(client, monkeypatch)


@pytest.mark.promise("S16")
def test_who_goes_on_sending_after_the_answer_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    async def client(wire: Wire) -> None:
        wire[1].write(HEAD.replace(b"GET", b"POST") + b"Content-Length: 1000000\r\n\r\n")
        assert (await _dripped(wire, b"x")).endswith(b"\r\n\r\nfine")

    run(client, monkeypatch)


def test_an_answer_may_take_longer_and_the_connection_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def client(wire: Wire) -> None:
        for _ in range(2):
            wire[1].write(HEAD + b"\r\n")
            assert (await wire[0].readuntil(b"fine")).startswith(b"HTTP/1.1 200")
            await asyncio.sleep(SECONDS * 2)

    run(client, monkeypatch)
