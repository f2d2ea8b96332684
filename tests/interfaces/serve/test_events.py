"""The journal as it is written: server-sent events, from now on or from where one left off."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import pytest

from remanence.interfaces.serve.special import _MOST_OF_A_TOKEN as _SHARE
from tests.interfaces.serve.conftest import COMMAND, Server, environment


@contextmanager
def listening(client: httpx.Client, **headers: str) -> Iterator[Iterator[dict[str, Any]]]:
    """The events that come, each with its id."""
    with client.stream("GET", "/v1/events", headers=headers, timeout=60) as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        assert next(lines).startswith("retry:")
        yield _events(lines)


def _events(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    id = ""
    for line in lines:
        if line.startswith("id: "):
            id = line.removeprefix("id: ")
        if line.startswith("data: "):
            yield {"event_id": id, **json.loads(line.removeprefix("data: "))}


@pytest.fixture
def space(server: Server, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    with server.client(server.token_for("events", namespace=request.node.name)) as client:
        yield client


def remember(client: httpx.Client, text: str) -> str:
    id: str = client.post("/v1/memories", json={"text": text}).json()["memory"]["id"]
    return id


def test_what_is_written_is_heard_in_order_and_without_its_text(space: httpx.Client) -> None:
    remember(space, "before anybody listened")
    with listening(space) as events:
        ids = [remember(space, f"heard number {number}") for number in range(5)]
        heard = [next(events) for _ in ids]
        space.post("/v1/forget", json={"ids": ids[:1]})
        left = next(events)
    assert [one["memory_id"] for one in heard] == ids
    assert (left["memory_id"], left["action"]) == (ids[0], "forget")
    assert "heard number" not in json.dumps(heard)


def test_who_comes_back_misses_nothing_and_hears_nothing_twice(space: httpx.Client) -> None:
    with listening(space) as events:
        first = remember(space, "one")
        seen = next(events)
    assert seen["memory_id"] == first
    missed = [remember(space, f"missed number {number}") for number in range(3)]
    with listening(space, **{"Last-Event-ID": seen["event_id"]}) as events:
        assert [next(events)["memory_id"] for _ in missed] == missed
        later = remember(space, "and on it goes")
        assert next(events)["memory_id"] == later
    with space.stream("GET", "/v1/events", params={"after": seen["event_id"]}, timeout=60) as stream:
        assert next(_events(stream.iter_lines()))["memory_id"] == missed[0]


def test_what_another_process_writes_is_heard(
    server: Server, space: httpx.Client, request: pytest.FixtureRequest
) -> None:
    with listening(space) as events:
        command = [
            *COMMAND,
            "--db",
            str(server.db),
            "--namespace",
            request.node.name,
            "remember",
            "written by the command line",
        ]
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, env=environment(server.db.parent), timeout=60
        )
        assert done.returncode == 0, done.stderr
        assert next(events)["action"] == "add"


def test_many_listen_at_once(server: Server, space: httpx.Client) -> None:
    clients = [server.client(space.headers["authorization"].split()[1]) for _ in range(20)]
    streams = [listening(client) for client in clients]
    heard = [stream.__enter__() for stream in streams]
    try:
        id = remember(space, "heard by all of them")
        assert {next(events)["memory_id"] for events in heard} == {id}
    finally:
        for stream in streams:
            stream.__exit__(None, None, None)
        for client in clients:
            client.close()


def test_who_may_not_see_all_hears_nothing(server: Server) -> None:
    with server.client(server.token_for("scoped", scope="/in")) as scoped:
        assert scoped.get("/v1/events").status_code == 403


def test_a_place_that_is_none_is_refused(space: httpx.Client) -> None:
    for place in ("x", "-1", "r1.x", "r" + "9" * 40):
        for told in (
            space.get("/v1/events", params={"after": place}),
            space.get("/v1/events", headers={"Last-Event-ID": place}),
        ):
            assert (told.status_code, told.json()["code"]) == (422, "invalid_input"), place
    assert space.get("/v1/events", params={"colour": "red"}).status_code == 422


def test_one_token_takes_no_more_than_its_share(server: Server, space: httpx.Client) -> None:
    secret = space.headers["authorization"].split()[1]
    with ExitStack() as stack:
        clients = [stack.enter_context(server.client(secret)) for _ in range(_SHARE)]
        for client in clients[1:]:
            stack.enter_context(listening(client))
        with listening(clients[0]):
            refused = space.get("/v1/events")
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_listeners")
            assert "rem token create" in refused.json()["detail"]
            with server.client() as other, listening(other):
                pass
        # Its place is free once the server has seen that it left, at the latest with the next sign of life.
        deadline = time.monotonic() + 60
        while (status := _status(clients[0])) == 429:
            assert time.monotonic() < deadline, "its place was never free"
        assert status == 200


def _status(client: httpx.Client) -> int:
    with client.stream("GET", "/v1/events", timeout=60) as stream:
        return stream.status_code
