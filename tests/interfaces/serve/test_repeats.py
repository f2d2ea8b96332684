"""Idempotency keys: done once, answered alike, whoever else has the same key."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from starlette.responses import Response

from remanence.interfaces.calls import CALLS, READ
from remanence.interfaces.serve import repeats
from remanence.interfaces.serve.problems import Problem
from remanence.interfaces.serve.repeats import Repeats
from tests.interfaces.serve.conftest import Server


@pytest.fixture
def space(server: Server, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    with server.client(server.token_for("repeats", namespace=request.node.name)) as client:
        yield client


def key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid.uuid4())}


def test_a_second_try_does_nothing_and_is_answered_alike(space: httpx.Client) -> None:
    with_key = key()
    first = space.post("/v1/memories", json={"text": "said once"}, headers=with_key)
    again = space.post("/v1/memories", json={"text": "said once"}, headers=with_key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert space.get("/v1/count").json() == {"count": 1}
    id = first.json()["memory"]["id"]
    for _ in range(3):
        useful = space.post(
            f"/v1/memories/{id}/feedback", json={"useful": True}, headers=with_key | {"Idempotency-Key": "use-it-once"}
        )
        assert useful.status_code == 200
    assert space.get(f"/v1/memories/{id}").json()["uses"] == 1


def test_a_key_that_was_used_for_another_request_is_a_conflict(space: httpx.Client) -> None:
    with_key = key()
    id = space.post("/v1/memories", json={"text": "first"}, headers=with_key).json()["memory"]["id"]
    for method, path, body in (
        ("POST", "/v1/memories", {"text": "second"}),
        ("POST", "/v1/memories", {"text": "first", "importance": 0.9}),
        ("POST", f"/v1/memories/{id}/pin", {}),
        ("PATCH", f"/v1/memories/{id}", {"importance": 0.9}),
    ):
        told = space.request(method, path, json=body, headers=with_key)
        assert (told.status_code, told.json()["code"]) == (409, "conflict")
    elsewhere = space.post("/v1/memories", json={"text": "first"}, headers={**with_key, "Remanence-Scope": "/a"})
    assert elsewhere.status_code == 409
    assert space.get("/v1/count").json() == {"count": 1}


def test_of_many_at_once_one_is_done(server: Server) -> None:
    secret = server.token_for("many", namespace="many-at-once")
    with_key, ready = key(), threading.Barrier(8)

    def ask(number: int) -> httpx.Response:
        with server.client(secret) as client:
            client.get("/healthz")
            ready.wait(30)
            return client.post("/v1/actions", json={"text": "do it just once"}, headers=with_key)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(8)))
    codes = {answer.status_code for answer in answers}
    assert codes <= {200, 409}
    done = [answer.json() for answer in answers if answer.status_code == 200]
    assert done
    assert all(one == done[0] for one in done)
    with server.client(secret) as client:
        assert len(client.get("/v1/actions").json()["items"]) == 1


def test_another_token_has_keys_of_its_own(server: Server) -> None:
    with_key = key()
    space = "two-tokens"
    with (
        server.client(server.token_for("a", namespace=space)) as one,
        server.client(server.token_for("b", namespace=space)) as other,
    ):
        mine = one.post("/v1/memories", json={"text": "mine"}, headers=with_key)
        theirs = other.post("/v1/memories", json={"text": "theirs"}, headers=with_key)
        assert (mine.status_code, theirs.status_code) == (201, 201)
        assert theirs.json()["memory"]["text"] == "theirs"


def test_a_request_that_failed_may_be_tried_again_with_its_key(space: httpx.Client) -> None:
    with_key = key()
    assert space.post("/v1/memories", json={"text": ""}, headers=with_key).status_code == 422
    assert space.post("/v1/memories", json={"text": "now it is right"}, headers=with_key).status_code == 201


def test_a_key_of_the_wrong_form_is_refused(space: httpx.Client) -> None:
    for wrong in ("", "with space in it", "x" * 129, "schlüssel-mit-umlaut".encode()):
        headers = [(b"Idempotency-Key", wrong if isinstance(wrong, bytes) else wrong.encode())]
        told = space.post("/v1/memories", json={"text": "x"}, headers=headers)
        assert (told.status_code, told.json()["code"]) == (422, "invalid_input"), wrong
    for right in ("1", "k" * 128):
        told = space.post("/v1/memories", json={"text": "shortest and longest"}, headers={"Idempotency-Key": right})
        assert told.is_success, right


def test_what_was_remembered_with_a_key_is_known_after_a_restart(start: Any) -> None:
    server: Server = start()
    with_key = key()
    with server.client() as client:
        first = client.post("/v1/memories", json={"text": "said before the restart"}, headers=with_key).json()
    server.stop()
    again: Server = start(db=server.db)
    with again.client() as client:
        told = client.post("/v1/memories", json={"text": "said before the restart"}, headers=with_key)
        assert told.status_code == 200
        assert told.json()["memory"]["id"] == first["memory"]["id"]
        assert client.get("/v1/count").json() == {"count": 1}


def test_a_purge_leaves_no_answer_behind(space: httpx.Client) -> None:
    with_key = key()
    first = space.post("/v1/memories", json={"text": "to be destroyed"}, headers=with_key).json()
    space.post("/v1/purge", json={"ids": [first["memory"]["id"]], "reason": "a test"})
    told = space.post("/v1/memories", json={"text": "to be destroyed"}, headers=with_key)
    assert told.json()["outcome"] == "blocked"
    assert told.json()["memory"] is None


def test_answers_are_kept_for_an_hour_and_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(repeats.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(repeats, "MOST", 10)
    kept = Repeats()
    assert kept.begin("me", "key-number-1", b"said") is None
    with pytest.raises(Problem) as running:
        kept.begin("me", "key-number-1", b"said")
    assert running.value.status == 409
    answer = Response(b"{}", 200)
    kept.end("me", "key-number-1", answer)
    assert kept.begin("me", "key-number-1", b"said") is answer
    assert kept.begin("somebody", "key-number-1", b"said") is None
    now[0] += repeats.KEPT_SECONDS + 1
    assert kept.begin("me", "key-number-1", b"said") is None
    kept.end("me", "key-number-1", Response(b"x" * (repeats.LONGEST_BODY + 1), 200))
    assert kept.begin("me", "key-number-1", b"said") is None
    kept.end("me", "key-number-1", answer)
    for number in range(20):
        kept.begin("me", f"another-key-{number}", b"x")
    assert kept.begin("me", "key-number-1", b"said") is None


def test_reading_needs_no_key_and_is_not_kept(space: httpx.Client) -> None:
    with_key = key()
    assert space.get("/v1/count", headers=with_key).json() == {"count": 0}
    space.post("/v1/memories", json={"text": "one more"})
    assert space.get("/v1/count", headers=with_key).json() == {"count": 1}
    assert {call.effect for call in CALLS.values() if call.method == "GET"} == {READ}
