"""A long call as events: progress, the answer or the problem; texts cut where a client wants them so; who asks."""

from __future__ import annotations

import json
import socketserver
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.interfaces.serve.conftest import COMMAND, Server, environment, started

EVENTS = {"Accept": "text/event-stream"}


def told(response: httpx.Response) -> list[tuple[str, Any]]:
    """Each event with its data."""
    found = []
    for part in response.text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in part.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with enough in it for a full sweep to take several pages."""
    server = started(tmp_path_factory.mktemp("streaming"), "--no-upkeep")
    with server.client() as api:
        for start in range(0, 12_000, 6_000):
            lines = "\n".join(json.dumps({"text": f"fact number {n}"}) for n in range(start, start + 6_000))
            api.post("/v1/memories/bulk", content=lines, headers={"Content-Type": "application/x-ndjson"}, timeout=300)
    yield server
    server.stop()


def test_progress_comes_before_the_answer(busy: Server) -> None:
    with busy.client() as api:
        response = api.post("/v1/check", json={}, headers=EVENTS, timeout=300)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/event-stream")
    events = told(response)
    assert [name for name, _ in events[:-1]] == ["progress"] * (len(events) - 1)
    assert len(events) > 1
    done = [data["done"] for _, data in events[:-1]]
    assert done == sorted(done)
    assert all(data["done"] <= data["total"] for _, data in events[:-1])
    name, answer = events[-1]
    assert (name, answer["ok"], answer["checked"]) == ("answer", True, 12_000)


def test_the_answer_is_the_one_that_comes_without_events(busy: Server) -> None:
    with busy.client() as api:
        plain = api.post("/v1/sweep", json={"full": True}, timeout=300).json()
        (*_, (name, streamed)) = told(api.post("/v1/sweep", json={"full": True}, headers=EVENTS, timeout=300))
    assert name == "answer"
    assert plain.pop("key") != streamed.pop("key")
    assert plain == streamed


def test_a_plan_from_a_stream_can_be_applied(busy: Server) -> None:
    with busy.client() as api:
        (*_, (_, plan)) = told(api.post("/v1/sweep", json={}, headers=EVENTS, timeout=300))
        assert api.post("/v1/apply", json={"plan": plan["key"]}).status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/forecast", {"days": 0}, 422),
        ("/v1/forecast", {"policy": "no such"}, 422),
        ("/v1/apply", {"plan": "never made"}, 404),
    ],
)
def test_what_is_wrong_from_the_start_has_its_own_status(
    server: Server, path: str, body: dict[str, Any], status: int
) -> None:
    with server.client() as api:
        response = api.post(path, json=body, headers=EVENTS)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


def test_a_short_call_answers_plainly(server: Server) -> None:
    with server.client() as api:
        response = api.get("/v1/count", headers={"Accept": "text/event-stream, application/json"})
    assert response.headers["content-type"] == "application/json"


def test_a_client_that_goes_away_does_no_harm(busy: Server) -> None:
    """Nothing is said of it, and the server goes on."""
    with busy.client() as api:
        with api.stream("POST", "/v1/check", json={}, headers=EVENTS, timeout=300) as response:
            next(response.iter_bytes())
        assert api.get("/v1/count").json() == {"count": 12_000}
    assert not [line for line in busy.logged() if line.get("level") == "error"]


# -- texts cut


def test_long_texts_are_cut_where_the_client_wants_it(server: Server) -> None:
    with server.client() as api:
        made = api.post("/v1/memories", json={"text": "ä" * 5_000, "scope": "/cut"}).json()["memory"]
        brief = api.get("/v1/memories", params={"scope": "/cut"}, headers={"Remanence-Shorten": "100"}).json()
        found = api.post("/v1/recall", json={"query": "ä" * 5_000}, headers={"Remanence-Shorten": "7"}).json()
        whole = api.get(f"/v1/memories/{made['id']}").json()
    (one,) = brief["items"]
    assert (one["text"], one["cut"]) == ("ä" * 100, 5_000)
    assert all(len(hit["memory"]["text"]) <= 7 for hit in found["hits"])
    assert len(whole["text"]) == 5_000
    assert "cut" not in whole


@pytest.mark.parametrize("value", ["0", "-1", "x", "", "1.5", "99999999", "٣"])
def test_a_length_that_is_none_is_refused(server: Server, value: str) -> None:
    with server.client() as api:
        response = api.get("/v1/memories", headers=[(b"Remanence-Shorten", value.encode())])
    assert response.status_code == 422


# -- who asks


def test_a_token_is_told_what_it_may(server: Server) -> None:
    secret = server.token_for("reader", scope="/project/x", read_only=True, expires_in="1d", namespace="team")
    with server.client(secret) as api:
        told = api.get("/v1/token").json()
    assert told.items() >= {"name": "reader", "namespace": "team", "scope": "/project/x", "read_only": True}.items()
    assert (told["is_bound"], told["db"]) == (True, None)
    assert told["expires_at"] is not None
    with server.client() as api:
        own = api.get("/v1/token", headers={"Remanence-Namespace": "other"}).json()
    assert (own["namespace"], own["is_bound"], own["scope"], own["read_only"]) == ("other", False, None, False)
    assert own["db"] == str(server.db), "commands have to name a store that is not the usual one"


def test_nobody_is_told_nothing(server: Server) -> None:
    with server.client("") as api:
        assert api.get("/v1/token").status_code == 401


# -- rem page


def run(*words: str, db: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "--db", str(db), *words],
        check=False,
        capture_output=True,
        text=True,
        env=environment(db.parent, **env),
        timeout=60,
    )


def test_the_address_of_the_page_has_the_owners_token(server: Server) -> None:
    answer = run("page", "--json", db=server.db)
    assert json.loads(answer.stdout) == {"url": f"{server.url}/#token={server.token}"}


def test_opening_the_page_tells_a_browser_no_token(server: Server, tmp_path: Path) -> None:
    """The browser is given a file that nobody else can read; the token is in that alone."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" > "{tmp_path}/asked"\n', encoding="utf-8")
    browser.chmod(0o755)
    answer = run("page", "--open", db=server.db, BROWSER=str(browser))
    asked = (tmp_path / "asked").read_text(encoding="utf-8")
    page = Path(f"{server.db}.page.html")
    assert asked.strip() == page.as_uri()
    assert server.token not in asked + answer.stdout
    assert page.stat().st_mode & 0o777 == 0o600
    assert f"{server.url}/#token={server.token}" in page.read_text(encoding="utf-8")


def test_a_port_that_somebody_else_has_now_is_given_no_token(start: Any) -> None:
    """The server is gone, and whoever answers at its address next may be anybody."""
    server = start()
    server.stop()
    with socketserver.TCPServer(("127.0.0.1", server.port), socketserver.BaseRequestHandler):
        answer = run("page", db=server.db)
    assert answer.returncode == 3
    assert server.token not in answer.stdout + answer.stderr


def test_a_store_that_is_not_served_has_no_page(tmp_path: Path) -> None:
    answer = run("page", db=tmp_path / "other.db")
    assert answer.returncode == 3
    assert "rem --db" in answer.stderr and "serve" in answer.stderr
