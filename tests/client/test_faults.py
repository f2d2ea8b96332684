"""What a client does when a server is away, slow, ill or not what it should be."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from remanence import errors
from remanence.client import AsyncClient, Client
from tests.client.conftest import Driven
from tests.client.faults import Scripted, answer, problem, reset, said

ID = "01900000-0000-7000-8000-000000000000"
COUNT = answer(200, {"count": 3})
ENTRY = (
    '{"place": "r%d.0", "receipt_id": "r%d", "verb": "remember", "at": "2026-01-01T00:00:00+00:00", '
    '"memory_id": "m", "action": "add", "reason": "asked", "evidence": {}, "state_before": null, "state_after": "live"}'
)
Open = Callable[..., Any]


@pytest.fixture(params=["blocking", "awaited"])
def open_(request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens clients of one kind, all of which block here."""
    with asyncio.Runner() as runner:
        opened: list[Any] = []

        def open_client(url: str, **options: Any) -> Any:
            options = {"token": "rem_t", **options}
            kind = Client if request.param == "blocking" else AsyncClient
            made = kind(url, **options)
            opened.append(made if request.param == "blocking" else Driven(made, runner))
            return opened[-1]

        yield open_client
        for one in opened:
            one.close()


def test_nobody_listens(open_: Open) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(errors.ServerFailed, match=rf"{url} cannot be reached.*rem serve"):
        open_(url).count()


@pytest.mark.parametrize("ill", [reset, said(b""), said(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"), said(b"?")])
def test_a_broken_connection_is_tried_again(open_: Open, ill: Any) -> None:
    with Scripted(ill, ill, COUNT) as server:
        assert open_(server.url).count() == 3
        assert len(server.seen) == 3


def test_a_write_is_sent_again_with_the_same_key_and_another_with_another(open_: Open) -> None:
    done = answer(200, {"id": "r1", "verb": "forget", "at": "2026-01-01T00:00:00+00:00", "applied": [], "skipped": {}})
    with Scripted(reset, done, done) as server:
        client = open_(server.url)
        assert client.forget(scope="/a").id == "r1"
        client.forget(scope="/a")
        first, again, other = [seen.headers["idempotency-key"] for seen in server.seen]
        assert first == again != other
        assert server.seen[0].body == server.seen[1].body == b'{"scope":"/a"}'


def test_three_tries_are_the_limit(open_: Open) -> None:
    with Scripted(reset, reset, reset, COUNT) as server:
        with pytest.raises(errors.ServerFailed, match="cannot be reached"):
            open_(server.url).count()
        assert len(server.seen) == 3


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_asks_to_wait_is_waited_for(open_: Open, status: int) -> None:
    busy = problem(status, "busy", headers={"retry_after": "0"})
    with Scripted(busy, busy, COUNT) as server:
        assert open_(server.url).count() == 3


@pytest.mark.parametrize("headers", [{}, {"retry_after": "60"}, {"retry_after": "soon"}])
def test_a_server_that_asks_for_no_wait_or_a_long_one_is_not(open_: Open, headers: dict[str, str]) -> None:
    with Scripted(problem(503, "store_unavailable", "It is busy", headers=headers), COUNT) as server:
        with pytest.raises(errors.StoreUnavailable, match="It is busy"):
            open_(server.url).count()
        assert len(server.seen) == 1


def test_a_first_try_that_still_runs_is_waited_for(open_: Open) -> None:
    done = answer(200, {"id": "r1", "verb": "forget", "at": "2026-01-01T00:00:00+00:00"})
    with Scripted(reset, problem(409, "conflict", "still runs"), done) as server:
        assert open_(server.url).forget(scope="/a").id == "r1"
    with (
        Scripted(problem(409, "conflict", "another key"), done) as server,
        pytest.raises(errors.Conflict, match="another key"),
    ):
        open_(server.url).forget(scope="/a")


def test_time_that_runs_out_is_not_tried_again(open_: Open) -> None:
    with Scripted() as server:
        with pytest.raises(errors.ServerFailed, match=r"no answer within 0\.2 s.*timeout_seconds"):
            open_(server.url, timeout_seconds=0.2).count()
        assert len(server.seen) == 1


@pytest.mark.parametrize(
    "strange",
    [
        answer(200, b"<html>It works!</html>", content_type="text/html"),
        answer(200, b"\xff\xfe\x00"),
        answer(200, [1, 2]),
        answer(200, {"number": 3}),
        answer(200, b"[" * 100_000),
        answer(500, b"Internal Server Error"),
        answer(502, b"<html>Bad Gateway</html>"),
        answer(404, {"detail": "Not Found"}),
        answer(301, b"", location="http://127.0.0.1:1/elsewhere"),
    ],
)
def test_what_is_no_answer_is_told_with_the_address(open_: Open, strange: Any) -> None:
    with Scripted(strange) as server:
        with pytest.raises(errors.ServerFailed, match=rf"{server.url} .*rem serve"):
            open_(server.url).count()
        assert len(server.seen) == 1


def test_a_value_that_lacks_a_field_is_no_answer(open_: Open) -> None:
    with (
        Scripted(answer(200, {"id": ID, "text": "half a memory"})) as server,
        pytest.raises(errors.ServerFailed, match="that is no Memory: namespace"),
    ):
        open_(server.url).get(ID)


def kinds(kind: type[errors.RemanenceError]) -> list[type[errors.RemanenceError]]:
    own = [child for child in kind.__subclasses__() if child.__module__ == errors.__name__]
    return [one for child in own for one in (child, *kinds(child))]


@pytest.mark.parametrize("kind", kinds(errors.RemanenceError), ids=lambda kind: kind.__name__)
def test_each_error_comes_back_as_itself(open_: Open, kind: type[errors.RemanenceError]) -> None:
    with (
        Scripted(problem(418, kind.code, "What happened; what to do", problems=["one", "other"])) as server,
        pytest.raises(kind) as raised,
    ):
        open_(server.url).count()
    assert type(raised.value) is kind
    if isinstance(raised.value, errors.InvalidInput):
        assert raised.value.problems == ("one", "other")
    else:
        assert str(raised.value) == "What happened; what to do"


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (413, "too_large", errors.InvalidInput),
        (412, "precondition_failed", errors.Conflict),
        (403, "foreign_origin", errors.Forbidden),
        (500, "failed", errors.ServerFailed),
        (404, "no_such_path", errors.ServerFailed),
        (421, "wrong_host", errors.ServerFailed),
        (504, "too_slow", errors.ServerFailed),
    ],
)
def test_an_error_of_the_door_goes_by_its_status(
    open_: Open, status: int, code: str, kind: type[errors.RemanenceError]
) -> None:
    with Scripted(problem(status, code, "The detail")) as server:
        with pytest.raises(kind, match="The detail") as raised:
            open_(server.url).count()
        assert type(raised.value) is kind


def test_headers(open_: Open) -> None:
    from remanence import __version__

    with Scripted(COUNT, COUNT) as server:
        open_(server.url + "/", token="rem_x", namespace="team a").count(scope=["/a b", "/ü"])
        open_(server.url).count()
        first, second = server.seen
        assert first.line == "GET /v1/count?scope=%2Fa+b&scope=%2F%C3%BC HTTP/1.1"
        assert first.headers["authorization"] == "Bearer rem_x"
        assert first.headers["remanence-namespace"] == "team a"
        assert first.headers["user-agent"] == f"remanence/{__version__}"
        assert "remanence-namespace" not in second.headers and "idempotency-key" not in second.headers


def test_a_redirect_gets_no_token(open_: Open) -> None:
    with Scripted() as other, Scripted(answer(307, b"", location=other.url + "/v1/count")) as server:
        with pytest.raises(errors.ServerFailed, match="redirect"):
            open_(server.url).count()
        assert other.seen == []


def test_a_path_of_dots_leads_nowhere_else(open_: Open) -> None:
    watched = problem(404, "not_found", "No session")
    with Scripted(watched, watched, watched) as server:
        client = open_(server.url)
        for id in ("..", "a/../../b"):
            with pytest.raises(errors.NotFound):
                client.sessions.show(id)
        with pytest.raises(errors.NotFound):
            client.get("../stats")
        assert [seen.line.split()[1] for seen in server.seen] == [
            "/v1/sessions/%2E%2E",
            "/v1/sessions/a%2F%2E%2E%2F%2E%2E%2Fb",
            "/v1/memories/%2E%2E%2Fstats",
        ]


def test_an_export_that_is_cut_off_leaves_what_was_there(open_: Open, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text("what was there\n")
    cut = said(b"HTTP/1.1 200 OK\r\nremanence-memories: 2\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{}\n{\r\n")
    short = answer(200, b"{}\n", remanence_memories="2")
    with Scripted(cut, short, cut) as server:
        with pytest.raises(errors.ServerFailed):
            open_(server.url).export(path)
        assert len(server.seen) == 3
    assert path.read_text() == "what was there\n"
    assert list(tmp_path.iterdir()) == [path]


def test_an_export_is_tried_again_whole(open_: Open, tmp_path: Path) -> None:
    cut = said(b"HTTP/1.1 200 OK\r\ncontent-length: 60\r\n\r\n" + b"{}\n" * 9)
    with Scripted(cut, answer(200, b"{}\n{}\n", remanence_memories="2")) as server:
        assert open_(server.url).export(tmp_path / "all.jsonl") == 2
    assert (tmp_path / "all.jsonl").read_bytes() == b"{}\n{}\n"
    assert (tmp_path / "all.jsonl").stat().st_mode & 0o777 == 0o600


def test_events_go_on_where_they_stopped() -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"

    def event(number: int) -> bytes:
        return f"id: r{number}.0\nevent: entry\ndata: {ENTRY % (number, number)}\n\n".encode()

    first = head + b": hello\n\n" + event(1) + event(2) + b"id: r3.0\nevent: ent"
    with Scripted(said(first), reset, said(head + b"event: other\ndata: 1\n\n" + event(3))) as server:
        with Client(server.url, token="t") as client:
            events = client.events(after="r0.0")
            assert [next(events).place for _ in range(3)] == ["r1.0", "r2.0", "r3.0"]
            events.close()
        assert [seen.headers.get("last-event-id") for seen in server.seen] == ["r0.0", "r2.0", "r2.0"]
        assert {seen.headers["accept"] for seen in server.seen} == {"text/event-stream"}


def test_awaited_events_are_the_same() -> None:
    asyncio.run(awaited_events())


async def awaited_events() -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
    with Scripted(said(head + f"id: r1.0\nevent: entry\ndata: {ENTRY % (1, 1)}\n\n".encode())) as server:
        async with AsyncClient(server.url, token="t") as client:
            async for entry in client.events():
                assert entry.place == "r1.0"
                break


def test_events_refused_are_not_asked_for_again() -> None:
    with (
        Scripted(problem(403, "forbidden", "Kept to /a")) as server,
        Client(server.url, token="t") as client,
        pytest.raises(errors.Forbidden, match="Kept to /a"),
    ):
        next(client.events())
    with Client("http://127.0.0.1:1", token="t") as client, pytest.raises(errors.InvalidInput, match="no place"):
        next(client.events(after="yesterday"))


def test_a_closed_client_says_so(open_: Open) -> None:
    client = open_("http://127.0.0.1:1")
    client.close()
    client.close()
    with pytest.raises(errors.StoreUnavailable, match="closed"):
        client.count()
