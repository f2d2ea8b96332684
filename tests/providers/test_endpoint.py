"""Endpoint against a real server on loopback that behaves as badly as servers do."""

from __future__ import annotations

import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from remanence.errors import EmbedderFailed, InvalidInput
from remanence.providers import endpoint as module
from remanence.providers.choose import encoder_for
from remanence.providers.endpoint import Endpoint
from tests.providers.scripted import Answer, Server

KEY = "sk-very-secret"
TEXT = "the secret text"


def vectors(*items: tuple[int, list[float]]) -> Answer:
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in items]
    return 200, {}, json.dumps({"object": "list", "data": data}).encode()


def failure(status: int, **headers: str) -> Answer:
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, f"no: {TEXT} {KEY}".encode()


def endpoint(server: Server, **options: Any) -> tuple[Endpoint, list[float]]:
    waits: list[float] = []
    return Endpoint(server.url, "m", **{"key": KEY, "sleep": waits.append, "timeout_seconds": 20.0} | options), waits


def failed(server: Server, texts: list[str] | None = None, **options: Any) -> str:
    """The message of the failure, which never holds a secret."""
    made, _ = endpoint(server, **options)
    with pytest.raises(EmbedderFailed) as raised:
        made.embed(texts or [TEXT])
    message = str(raised.value)
    assert KEY not in message
    assert TEXT not in message
    assert "\n" not in message
    return message


def test_a_good_answer_in_the_order_of_the_texts(server: Server) -> None:
    server.answers = [vectors((1, [0.0, 1.0]), (0, [1.0, 0.0]))]
    made, _ = endpoint(server, dimensions=2)
    assert made.embed(["a", "b"]) == [[1.0, 0.0], [0.0, 1.0]]
    path, headers, body = server.asked[0]
    assert path == "/v1/embeddings"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body == {"model": "m", "input": ["a", "b"], "encoding_format": "float", "dimensions": 2}
    assert made.model == "m/2"
    assert KEY not in repr(made)


def test_without_a_key_none_is_sent(server: Server) -> None:
    server.answers = [vectors((0, [1.0]))]
    made, _ = endpoint(server, key=None)
    made.embed(["a"])
    assert "authorization" not in server.asked[0][1]
    assert "dimensions" not in server.asked[0][2]


def test_texts_no_server_takes_are_made_sendable(server: Server) -> None:
    server.answers = [vectors((0, [1.0]), (1, [1.0]))]
    endpoint(server)[0].embed(["", "half \ud800 pair"])
    assert server.asked[0][2]["input"] == [" ", "half ? pair"]


def test_no_texts_ask_nobody(server: Server) -> None:
    assert endpoint(server)[0].embed([]) == []
    assert not server.asked


def test_too_many_requests_then_good(server: Server) -> None:
    server.answers = [failure(429, Retry_After="2"), failure(503), vectors((0, [1.0]))]
    made, waits = endpoint(server)
    assert made.embed(["a"]) == [[1.0]]
    assert waits == [2.0, 0.5]


def test_a_date_to_wait_for_is_counted_from_the_servers_own(server: Server) -> None:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response_only(429)
        request.send_header("Date", "Sun, 01 Mar 2026 12:00:00 GMT")
        request.send_header("Retry-After", "Sun, 01 Mar 2026 12:00:03 GMT")
        request.send_header("Content-Length", "0")
        request.end_headers()

    server.answers = [answer, vectors((0, [1.0]))]
    made, waits = endpoint(server)
    made.embed(["a"])
    assert waits == [3.0]


@pytest.mark.parametrize("asked", ["3600", "9" * 400])
def test_a_long_wait_is_not_waited_for(server: Server, asked: str) -> None:
    server.answers = [failure(429, Retry_After=asked)]
    assert "answered 429 and asks to wait" in failed(server)
    assert len(server.asked) == 1


@pytest.mark.parametrize("asked", ["soon", "-1", "", "٣"])
def test_an_odd_wait_is_no_wait(server: Server, asked: str) -> None:
    server.answers = [failure(429, Retry_After=asked.encode().decode("latin-1")), vectors((0, [1.0]))]
    made, waits = endpoint(server)
    made.embed(["a"])
    assert waits == [0.25]


def test_errors_of_the_server_are_tried_three_times(server: Server) -> None:
    server.answers = [failure(500)]
    assert "answered 500; tried 3 times" in failed(server)
    assert len(server.asked) == 3


def test_a_wait_past_the_deadline_is_not_begun(server: Server) -> None:
    server.answers = [failure(503, Retry_After="4")]
    assert "tried 1 times within 2 s" in failed(server, timeout_seconds=2.0)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "401: it refuses the key"),
        (403, "403: it refuses the key"),
        (404, "no model 'm'. Check url and model"),
        (400, "400: it refuses the texts"),
        (418, "Check url and model"),
    ],
)
def test_what_will_not_pass_is_tried_once(server: Server, status: int, said: str) -> None:
    server.answers = [failure(status)]
    message = failed(server)
    assert said in message
    assert server.host in message
    assert len(server.asked) == 1


def test_a_missing_key_is_said_to_be_missing(server: Server) -> None:
    server.answers = [failure(401)]
    assert "it wants a key, and none is set" in failed(server, key=None)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_the_key_follows_no_redirect(server: Server, status: int) -> None:
    other = Server()
    other.answers = [vectors((0, [1.0]))]
    server.answers = [failure(status, Location=f"{other.url}/embeddings")]
    assert "a redirect, which is not followed" in failed(server)
    assert not other.asked
    other.http.shutdown()
    other.http.server_close()


GARBAGE = {
    "nothing": b"",
    "a page": b"<html>",
    "no UTF-8": b"\xff\xfe{",
    "a list": b"[]",
    "null": b"null",
    "no data": b'{"error": "x"}',
    "data is a number": b'{"data": 1}',
    "no vectors": b'{"data": [{"index": 0}]}',
    "items are lists": b'{"data": [[1.0]]}',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_is_no_list_of_vectors(server: Server, content: bytes) -> None:
    server.answers = [(200, {}, content)]
    assert "no list of vectors" in failed(server)


@pytest.mark.parametrize("places", [(0, 0), (1, 2), (-1, 0), ("0", "1"), (0.0, 1.0), (False, True)])
def test_places_that_are_no_places(server: Server, places: tuple[Any, Any]) -> None:
    server.answers = [vectors((places[0], [1.0]), (places[1], [2.0]))]
    assert "which vector belongs to which of 2 texts" in failed(server, ["a", "b"])


def test_a_wrong_count_is_named(server: Server) -> None:
    server.answers = [vectors((0, [1.0]))]
    assert "gave 1 vectors for 2 texts" in failed(server, ["a", "b"])


def test_an_answer_without_places_is_in_order(server: Server) -> None:
    server.answers = [(200, {}, b'{"data": [{"embedding": [1.0]}, {"embedding": [2.0]}]}')]
    assert endpoint(server)[0].embed(["a", "b"]) == [[1.0], [2.0]]


def test_a_huge_answer_is_not_read_to_its_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_ANSWER_BYTES", 1024**2)
    server.answers = [(200, {}, b" " * (2 * 1024**2))]
    assert "more than 1 MB" in failed(server)


def test_a_slow_server_is_left_in_time(server: Server) -> None:
    gate = threading.Event()
    server.answers = [lambda request: gate.wait(20) and None]
    start = time.monotonic()
    assert "no whole answer within 0.3 s" in failed(server, timeout_seconds=0.3)
    assert time.monotonic() - start < 5
    gate.set()


def test_a_server_that_drips_is_left_in_time(server: Server) -> None:
    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "100000")
        request.end_headers()
        for _ in range(100):
            request.wfile.write(b" ")
            request.wfile.flush()
            time.sleep(0.05)

    server.answers = [drip]
    start = time.monotonic()
    assert "no whole answer within 0.4 s" in failed(server, timeout_seconds=0.4)
    assert time.monotonic() - start < 3


def test_an_answer_that_breaks_off_is_tried_again(server: Server) -> None:
    def break_off(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "100000")
        request.end_headers()
        request.wfile.write(b"{")
        request.close_connection = True

    server.answers = [break_off, vectors((0, [1.0]))]
    assert endpoint(server)[0].embed(["a"]) == [[1.0]]


def test_nobody_there_is_said() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    made = Endpoint(f"http://127.0.0.1:{port}", "m", key=KEY, sleep=lambda seconds: None)
    with pytest.raises(EmbedderFailed, match=rf"127.0.0.1:{port} cannot be reached \(ConnectError\); tried 3 times"):
        made.embed([TEXT])


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://{}", "/v1/embeddings"),
        ("http://{}/", "/v1/embeddings"),
        ("http://{}/v1/", "/v1/embeddings"),
        (" http://{}/v1/embeddings ", "/v1/embeddings"),
        ("http://{}/openai/deployments/m?api-version=1", "/openai/deployments/m/embeddings?api-version=1"),
    ],
)
def test_addresses_are_completed(server: Server, url: str, path: str) -> None:
    server.answers = [vectors((0, [1.0]))]
    Endpoint(url.format(server.host), "m").embed(["a"])
    assert server.asked[0][0] == path


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://host", "http://", "http://[::1", "http://h:99999", ""])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="for example http://localhost"):
        Endpoint(url, "m")


def test_a_password_in_the_address_is_not_shown(server: Server) -> None:
    server.answers = [failure(404)]
    made = Endpoint(f"http://user:hidden@{server.host}", "m")
    with pytest.raises(EmbedderFailed) as raised:
        made.embed(["a"])
    assert "hidden" not in str(raised.value) + repr(made)


@pytest.mark.parametrize("key", ["a b", "a\nb", "schlüssel"])
def test_a_key_that_is_none_is_refused_unseen(key: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        Endpoint("http://localhost", "m", key=key)
    assert key not in str(raised.value)


def test_an_encoder_over_an_endpoint(server: Server) -> None:
    server.answers = [vectors((0, [3.0, 4.0])), vectors((0, [float("nan"), 1.0]))]
    encoder = encoder_for("endpoint", url=server.url, model="m", key=f"{KEY}\n", query_prefix="query: ")
    assert encoder is not None
    assert (encoder.model, encoder.local) == ("m", False)
    assert encoder.query("x").tolist() == pytest.approx([0.6, 0.8])
    assert server.asked[0][1]["authorization"] == f"Bearer {KEY}"
    assert server.asked[0][2]["input"] == ["query: x"]
    with pytest.raises(EmbedderFailed, match="NaN"):
        encoder.documents(["x"])
    assert KEY not in repr(encoder)
