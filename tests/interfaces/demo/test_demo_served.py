"""/v1/demo on the real server: made and taken away, events, who may, what is refused, what is left when stopped."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from remanence.interfaces.demo.replay import BEGUN, NOTE
from tests.interfaces.serve.conftest import Server, started


def told(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Each event with its data."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = started(tmp_path_factory.mktemp("demo-served"))
    yield found
    code = found.stop()
    assert found.process.stdout is not None
    found.process.stdout.close()
    assert code == 0
    assert [line for line in found.logged() if line["level"] in ("error", "critical")] == []


def space(server: Server, name: str) -> httpx.Client:
    return server.client(**{"Remanence-Namespace": name})


def total(client: httpx.Client) -> int:
    count: int = client.get("/v1/count", params={"state": "all"}).json()["count"]
    return count


def test_progress_then_what_was_made_then_a_refusal_then_again(server: Server) -> None:
    with space(server, "demo") as api, server.client() as own:
        with api.stream("POST", "/v1/demo", json={"days": 21}, timeout=120) as stream:
            assert stream.status_code == 200
            assert stream.headers["content-type"].startswith("text/event-stream")
            events = list(told(stream.iter_lines()))
        names = [name for name, _ in events]
        assert names[-1] == "answer"
        assert set(names[:-1]) == {"progress"}
        assert all(0 <= data["done"] <= data["total"] == 21 for _, data in events[:-1])
        made = events[-1][1]
        assert (made["namespace"], made["days"]) == ("demo", 21)
        assert total(api) == sum(made["memories"].values()) > 100
        assert total(own) == 0
        again = api.post("/v1/demo", json={"days": 21})
        assert (again.status_code, again.json()["code"]) == (409, "conflict")
        assert api.get("/v1/token").json()["demo"] is True
        assert own.get("/v1/token").json()["demo"] is False
        own_memory = api.post("/v1/memories", json={"text": "Written into the demo by hand"}).json()["memory"]
        gone = api.delete("/v1/demo", timeout=120)
        assert gone.headers["content-type"].startswith("text/event-stream")
        name, proof = list(told(iter(gone.text.splitlines())))[-1]
        assert name == "answer"
        assert len(proof["purged"]) == sum(made["memories"].values()) + 1
        assert own_memory["id"] in proof["purged"]
        assert total(api) == 0
        assert api.get("/v1/token").json()["demo"] is False
        assert api.delete("/v1/demo").status_code == 404
        with api.stream("POST", "/v1/demo", json={"days": 14}, timeout=120) as stream:
            assert list(told(stream.iter_lines()))[-1][0] == "answer"


@pytest.mark.parametrize(
    ("namespace", "body", "status"),
    [
        ("default", {}, 422),
        ("demos", {}, 422),
        ("demo-a", {"days": 3}, 422),
        ("demo-a", {"days": "365"}, 422),
        ("demo-a", {"seed": 1}, 422),
        ("demo-a", [], 422),
    ],
)
def test_what_is_wrong_has_its_own_status(server: Server, namespace: str, body: Any, status: int) -> None:
    with space(server, namespace) as api:
        answer = api.post("/v1/demo", json=body)
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        assert total(api) == 0


def test_what_is_no_demo_is_not_taken_away(server: Server) -> None:
    """Neither by its name, nor by a note that somebody else wrote where they may."""
    forged = {"text": NOTE, "kind": "note", "origin": "demo", "pinned": True, "metadata": {BEGUN: "2026-01-01T00:00Z"}}
    with space(server, "demo-mine") as api:
        api.post("/v1/memories", json={"text": "This is mine"})
        with server.client(server.token_for("scoped", namespace="demo-mine", scope="/in")) as scoped:
            assert scoped.post("/v1/memories", json=forged).status_code == 201
        assert api.get("/v1/token").json()["demo"] is False
        answer = api.delete("/v1/demo")
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
        assert "no demo" in answer.json()["detail"]
        assert total(api) == 2
    with space(server, "mine") as api:
        api.post("/v1/memories", json={"text": "This is mine"})
        assert api.delete("/v1/demo").status_code == 422
        assert api.delete("/v1/demo", params={"days": 1}).status_code == 422
        assert total(api) == 1


def test_who_may_only_read_or_is_kept_to_a_scope_may_not(server: Server) -> None:
    for limits in ({"read_only": True}, {"scope": "/user"}):
        with server.client(server.token_for("limited", namespace="demo-limited", **limits)) as api:
            assert api.post("/v1/demo", json={"days": 14}).status_code == 403
            assert api.delete("/v1/demo").status_code == 403
    with server.client("") as nobody:
        assert nobody.post("/v1/demo").status_code == 401


def test_one_at_a_time_and_who_goes_away_stops_it(server: Server) -> None:
    with space(server, "demo-left") as api:
        with api.stream("POST", "/v1/demo", timeout=120) as stream:
            events = told(stream.iter_lines())
            while next(events)[1]["done"] < 5:
                pass
            with space(server, "demo-left") as second:
                refused = second.post("/v1/demo", json={"days": 14})
                assert refused.status_code == 409
                assert "just now" in refused.json()["detail"]
                assert second.delete("/v1/demo").status_code == 409
        # Its last tick may still come; then it is made anew, and only once.
        answer = api.post("/v1/demo", json={"days": 14}, timeout=120)
        while answer.status_code == 409:
            assert "just now" in answer.json()["detail"]
            answer = api.post("/v1/demo", json={"days": 14}, timeout=120)
        name, made = list(told(iter(answer.text.splitlines())))[-1]
        assert name == "answer"
        assert total(api) == sum(made["memories"].values())


def test_a_server_that_stops_does_not_wait_for_it(start: Callable[..., Server], tmp_path: Path) -> None:
    server = start()
    with space(server, "demo") as api, api.stream("POST", "/v1/demo", timeout=120) as stream:
        events = told(stream.iter_lines())
        while next(events)[1]["done"] < 3:
            pass
        assert server.stop() == 0
        left = list(events)
    assert left[-1][0] == "problem"
    assert left[-1][1]["code"] == "stopped"
    again = start(db=server.db)
    with space(again, "demo") as api:
        answer = api.post("/v1/demo", json={"days": 14}, timeout=120)
        assert list(told(iter(answer.text.splitlines())))[-1][0] == "answer"
