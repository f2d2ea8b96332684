"""S16: too much of anything is refused soon, and takes no memory: large, deep, endless, slow, broken off."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from remanence.interfaces.serve import reading
from remanence.interfaces.serve.app import create_app
from remanence.interfaces.serve.watching import JsonLines
from remanence.interfaces.tokens import Tokens
from remanence.settings import Settings
from tests.interfaces.serve.conftest import Server
from tests.interfaces.serve.routes import NOBODY
from tests.reliability.recording import Measured

REFUSED_SECONDS = 1.0
SLACK_SECONDS = 4.0
MOST_GROWTH = 50 * 1024 * 1024
JSON = {"Content-Type": "application/json"}
LINES = {"Content-Type": "application/x-ndjson"}


def rss(server: Server) -> int:
    return int(psutil.Process(server.process.pid).memory_info().rss)


Modest = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def modest(server: Server, measured: Measured) -> Modest:
    """What is done inside takes the server little memory and little time, the machine's noise allowed for."""

    @contextmanager
    def modest_(seconds: float = REFUSED_SECONDS + SLACK_SECONDS) -> Iterator[None]:
        before, began = rss(server), time.monotonic()
        yield
        taken, growth = time.monotonic() - began, rss(server) - before
        limits = {"refused_after_s": REFUSED_SECONDS, "grown_mb": MOST_GROWTH >> 20}
        measured("by REST", at_most=limits, refused_after_s=taken, grown_mb=growth / (1 << 20))
        assert growth <= MOST_GROWTH
        assert taken <= seconds

    return modest_


def code(told: httpx.Response) -> tuple[int, str]:
    return told.status_code, told.json()["code"]


@pytest.mark.promise("S16")
def test_ten_megabytes_of_text_are_refused(server: Server, api: httpx.Client, modest: Modest) -> None:
    raw = json.dumps({"text": "word " * 2_000_000}).encode()
    assert len(raw) > 10_000_000
    with modest():
        assert code(api.post("/v1/memories", content=raw, headers=JSON)) == (413, "too_large")


@pytest.mark.promise("S16")
def test_a_text_longer_than_a_memory_may_be_is_refused(server: Server, api: httpx.Client, modest: Modest) -> None:
    with modest():
        told = api.post("/v1/memories", json={"text": "x" * 1_500_000})
        assert code(told) == (422, "invalid_input")
        assert told.json()["fields"] == ["text"]
        assert len(told.content) < 2000
        wide = api.post(
            "/v1/memories", content=json.dumps({"text": "é" * 600_000}, ensure_ascii=False).encode(), headers=JSON
        )
        assert code(wide) == (422, "invalid_input")


@pytest.mark.promise("S16")
def test_a_million_tags_are_refused(server: Server, api: httpx.Client, modest: Modest) -> None:
    tags = b'{"text": "x", "categories": [' + b",".join([b'"t"'] * 1_000_000) + b"]}"
    with modest():
        assert code(api.post("/v1/memories", content=tags, headers=JSON)) == (413, "too_large")
    fitting = b'{"text": "x", "categories": [' + b",".join([b'"t"'] * 400_000) + b"]}"
    with modest():
        told = api.post("/v1/memories", content=fitting, headers=JSON)
        assert code(told) == (422, "invalid_input")
        assert told.json()["fields"] == ["categories"]


@pytest.mark.promise("S16")
def test_json_a_hundred_thousand_deep_is_refused(server: Server, api: httpx.Client, modest: Modest) -> None:
    for opening, closing in ((b"[", b"]"), (b'{"k":', b"}")):
        raw = b'{"text": "x", "metadata": ' + opening * 100_000 + b"1" + closing * 100_000 + b"}"
        with modest():
            assert code(api.post("/v1/memories", content=raw, headers=JSON)) == (400, "malformed")
        with modest():
            line = api.post("/v1/memories/bulk", content=opening * 100_000 + b"\n" + b'"fine"', headers=LINES)
            assert (line.json()["rejected"], line.json()["read"]) == (1, 2)


@pytest.mark.promise("S16")
def test_many_keys_and_many_items_are_refused(server: Server, api: httpx.Client, modest: Modest) -> None:
    keys = json.dumps({"text": "x", **{f"k{n}": 1 for n in range(100_000)}}).encode()
    with modest():
        told = api.post("/v1/memories", content=keys, headers=JSON)
        assert code(told) == (422, "invalid_input")
        assert len(told.content) < 100_000
    with modest():
        told = api.post("/v1/memories/batch", json={"items": ["x"] * 20_000})
        assert code(told) == (422, "invalid_input")
    with modest():
        told = api.post("/v1/forget", json={"ids": [NOBODY] * 20_000})
        assert code(told) == (422, "invalid_input")


@pytest.mark.promise("S16")
def test_a_message_of_mcp_has_the_same_limit(start: Callable[..., Server], api: httpx.Client, modest: Modest) -> None:
    def asked(client: httpx.Client, size: int) -> httpx.Response:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "extract", "x": "y" * size}}
        return client.post("/mcp", json=call, headers={"Accept": "application/json, text/event-stream"})

    with modest():
        assert code(asked(api, 2_000_000)) == (413, "too_large")
        assert asked(api, 1_900_000).status_code == 400  # read, and of no session
    with start(REMANENCE_SERVE__BODY_BYTES="6000000").client() as client:
        assert asked(client, 5_000_000).status_code == 400
        assert code(asked(client, 6_000_000)) == (413, "too_large")


def endless(server: Server, path: str, kind: str, part: bytes, most: int) -> tuple[int, int]:
    """Send a body that never ends, in chunks; how much was taken before the answer, and its status."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
        f"Content-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = f"{len(part):x}\r\n".encode() + part + b"\r\n"
    sent = 0
    with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
        connection.sendall(head.encode())
        connection.setblocking(False)
        answer = b""
        deadline = time.monotonic() + 60
        while sent < most and time.monotonic() < deadline:
            try:
                sent += connection.send(chunk)
            except BlockingIOError:
                time.sleep(0.001)
            except (BrokenPipeError, ConnectionResetError):
                break
            try:
                answer += connection.recv(65536)
            except BlockingIOError:
                continue
            except ConnectionResetError:
                break
            if b"\r\n\r\n" in answer:
                break
        return sent, int(answer.split()[1]) if answer else 0


@pytest.mark.promise("S16")
def test_an_endless_stream_is_cut_off(server: Server, modest: Modest) -> None:
    with modest():
        sent, status = endless(server, "/v1/memories", "application/json", b'"' + b"x" * 65_535, 200_000_000)
        assert status in (413, 0)
        assert sent < 20_000_000
    with modest():
        sent, status = endless(server, "/v1/memories/bulk", "application/x-ndjson", b"x" * 65_536, 200_000_000)
        assert status in (413, 0)
        assert sent < 20_000_000  # a line of that length is none


@pytest.mark.promise("S16")
def test_a_stream_for_a_path_that_takes_none_is_not_read(server: Server, modest: Modest) -> None:
    for path in ("/v1/stats", "/v1/nothing", "/healthz"):
        with modest():
            sent, status = endless(server, path, "application/json", b"x" * 65_536, 200_000_000)
            assert status in (404, 405, 413, 0)
            assert sent < 20_000_000


def test_a_body_that_is_broken_off_leaves_nothing(server: Server, api: httpx.Client) -> None:
    before = api.get("/v1/count").json()
    head = f"Host: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
    for path, kind, body in (
        ("/v1/memories", "application/json", b'{"text": "cut of'),
        ("/v1/memories", "application/json", b""),
        ("/v1/import", "application/x-ndjson", b'{"text": "cut of'),
    ):
        with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
            raw = f"POST {path} HTTP/1.1\r\n{head}Content-Type: {kind}\r\nContent-Length: 1000\r\n\r\n"
            connection.sendall(raw.encode() + body)
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(30)
            answer = connection.recv(65536)
            assert answer == b"" or b" 400 " in answer.splitlines()[0]
    assert api.get("/v1/count").json() == before


def test_a_head_that_is_too_long_is_refused_in_our_words(server: Server, modest: Modest) -> None:
    for headers in (
        "X-Bomb: " + "x" * 1_000_000 + "\r\n",
        "".join(f"X-Bomb-{number}: {'x' * 100}\r\n" for number in range(10_000)),
        "x" * 1_000_000,
    ):
        with modest(), socket.create_connection(("127.0.0.1", server.port), 30) as connection:
            raw = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{headers}\r\n"
            answer = b""
            try:
                connection.sendall(raw.encode())
                while part := connection.recv(65536):
                    answer += part
            except (BrokenPipeError, ConnectionResetError):
                pass
            if answer:
                status, _, rest = answer.partition(b"\r\n")
                assert b" 400 " in status
                assert json.loads(rest.partition(b"\r\n\r\n")[2])["code"] == "malformed"


@pytest.mark.parametrize(
    "raw", [b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"\0" * 100, b"GET / HTTP/9.9\r\n\r\n", b"A" * 300]
)
def test_what_is_no_http_is_refused(server: Server, raw: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(65536)
        assert b" 200 " not in answer.partition(b"\r\n")[0]
    with server.client() as client:
        assert client.get("/healthz").status_code == 200


def test_lengths_that_lie_are_refused(server: Server) -> None:
    head = (
        f"Host: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
    )
    for lie in (
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: x\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
            connection.sendall(f"POST /v1/memories HTTP/1.1\r\n{head}{lie}\r\n".encode() + b"5\r\n{}   \r\n0\r\n\r\n")
            status = connection.recv(65536).split()[1]
            assert status in (b"400", b"413", b"422", b"501"), lie


@contextmanager
def app(tmp_path: Path, **settings: Any) -> Iterator[Callable[..., tuple[int, dict[str, Any]]]]:
    """The app itself, for times that nobody wants to wait for."""
    location = tmp_path / "memory.db"
    secret, _ = Tokens(location).create("test")

    async def asked(messages: list[Any], path: str = "/v1/memories", **state: Any) -> tuple[int, dict[str, Any]]:
        served = create_app(location, Settings(embedder__name="none", upkeep__on_open=False, **settings))
        sent: list[Any] = []
        given = iter(messages)

        async def receive() -> Any:
            message = next(given, None)
            if message is None:
                await asyncio.sleep(3600)
            return message

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"127.0.0.1"), (b"authorization", b"Bearer " + secret.encode()), *JSON_HEADERS]
        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "scheme": "http",
            "root_path": "",
            "http_version": "1.1",
        }
        try:
            await asyncio.wait_for(served.app(scope, receive, send), 60)
        except RuntimeError:
            pass  # told already, and passed on to whoever runs the app
        finally:
            served.answering.close()
            served.minds.close()
        body = b"".join(message.get("body", b"") for message in sent[1:])
        return sent[0]["status"], json.loads(body)

    yield lambda *given, **rest: asyncio.run(asked(*given, **rest))


JSON_HEADERS = [(b"content-type", b"application/json")]


def test_a_body_that_stops_coming_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_SECONDS_BETWEEN_PARTS", 0.2)
    for path in ("/v1/memories", "/mcp"):
        with app(tmp_path) as ask:
            status, told = ask([{"type": "http.request", "body": b'{"text": ', "more_body": True}], path)
        assert (status, told["code"]) == (408, "too_slow")


def test_a_call_that_takes_too_long_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from remanence.mind import Mind

    def slow(self: Mind, *given: Any, **rest: Any) -> Any:
        time.sleep(1.0)
        return self.list(limit=1)

    monkeypatch.setattr(Mind, "remember", slow)
    with app(tmp_path, serve__seconds_per_call=0.2) as ask:
        status, told = ask([{"type": "http.request", "body": b'{"text": "x"}', "more_body": False}])
    assert (status, told["code"]) == (504, "too_slow")


def test_what_nobody_expected_is_answered_without_what_it_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from remanence.mind import Mind

    def broken(self: Mind, text: str, **rest: Any) -> Any:
        raise RuntimeError(f"it was about {text}")

    monkeypatch.setattr(Mind, "remember", broken)
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("remanence")
    logger.addHandler(handler)
    try:
        with app(tmp_path) as ask:
            body = b'{"text": "the secret of the house"}'
            status, told = ask([{"type": "http.request", "body": body, "more_body": False}])
    finally:
        logger.removeHandler(handler)
    assert (status, told["code"]) == (500, "failed")
    written = capsys.readouterr().err
    assert "RuntimeError" in written
    assert "secret of the house" not in written + json.dumps(told)
