"""What a token may do on a running server: namespace, scope, reading alone, until when; made and revoked meanwhile."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from remanence.interfaces.calls import CALLS, READ
from remanence.interfaces.tokens import Tokens
from tests.interfaces.serve.conftest import Server
from tests.interfaces.serve.routes import NOBODY, filled


def remembered(client: httpx.Client, text: str, **rest: object) -> str:
    told = client.post("/v1/memories", json={"text": text, **rest})
    assert told.status_code == 201, told.text
    id: str = told.json()["memory"]["id"]
    return id


def test_a_token_made_while_the_server_runs_is_good_at_once_and_a_revoked_one_no_longer(server: Server) -> None:
    secret = server.token_for("short-lived", namespace="coming")
    with server.client(secret) as client:
        id = remembered(client, "made with a new token")
        assert client.get(f"/v1/memories/{id}").status_code == 200
        Tokens(server.db).revoke(secret)
        assert client.get(f"/v1/memories/{id}").status_code == 401


def test_a_token_that_has_expired_opens_nothing(server: Server) -> None:
    before = Tokens(server.db, lambda: datetime.now(UTC) - timedelta(hours=5))
    for expires_in, status in (("1h", 401), ("6h", 200)):
        with server.client(before.create("timed", expires_in=expires_in)[0]) as client:
            assert client.get("/v1/count").status_code == status


def test_a_token_of_a_namespace_is_kept_there(server: Server) -> None:
    secret = server.token_for("team", namespace="team")
    with server.client(secret) as team, server.client() as owner:
        id = remembered(team, "the team meets on Tuesdays")
        assert team.get(f"/v1/memories/{id}").json()["namespace"] == "team"
        assert owner.get(f"/v1/memories/{id}").status_code == 404
        assert owner.get(f"/v1/memories/{id}", headers={"Remanence-Namespace": "team"}).status_code == 200
        assert team.get(f"/v1/memories/{id}", headers={"Remanence-Namespace": "team"}).status_code == 200
        for other in ("default", "TEAM", "team2"):
            told = team.get(f"/v1/memories/{id}", headers={"Remanence-Namespace": other})
            assert (told.status_code, told.json()["code"]) == (403, "forbidden")
        twice = [("Remanence-Namespace", "team"), ("Remanence-Namespace", "default")]
        assert team.get("/v1/count", headers=twice).status_code == 422


def test_a_namespace_that_is_none_is_refused(server: Server) -> None:
    with server.client() as owner:
        for name in (b"", b"x" * 300, b"\xff\xfe"):
            told = owner.get("/v1/count", headers=[(b"Remanence-Namespace", name)])
            assert (told.status_code, told.json()["code"]) == (422, "invalid_input"), name
        named = "größe"
        told = owner.post("/v1/memories", json={"text": "in UTF-8"}, headers=[(b"Remanence-Namespace", named.encode())])
        assert told.json()["memory"]["namespace"] == named


def test_a_token_of_a_scope_sees_and_writes_only_there(server: Server) -> None:
    space = "scoped"
    scoped = server.token_for("shop", namespace=space, scope="/project/shop")
    whole = server.token_for("all", namespace=space)
    with server.client(scoped) as shop, server.client(whole) as all_:
        outside = remembered(all_, "the treasury is elsewhere", scope="/project/bank")
        inside = remembered(shop, "the shop opens at nine")
        below = remembered(shop, "the till is by the door", scope="/project/shop/till")
        assert all_.get(f"/v1/memories/{inside}").json()["scope"] == "/project/shop"
        assert {one["id"] for one in shop.get("/v1/memories").json()["items"]} == {inside, below}
        assert shop.get(f"/v1/memories/{outside}").status_code == 404
        hits = shop.post("/v1/recall", json={"query": "treasury"}).json()
        assert outside not in json.dumps(hits)
        assert shop.post("/v1/memories", json={"text": "x", "scope": "/project"}).status_code == 403
        assert shop.post("/v1/memories", json={"text": "x", "scope": "/project/shopping"}).status_code == 403
        assert shop.get("/v1/memories", params={"scope": "/project/bank"}).status_code == 403
        assert shop.get("/v1/stats").status_code == 403
        for scope, status in (("/project/shop/till", 200), ("/project/bank", 403), ("/", 403), ("project", 422)):
            told = shop.get("/v1/count", headers={"Remanence-Scope": scope})
            assert told.status_code == status, scope
        assert shop.get("/v1/count", headers={"Remanence-Scope": "/project/shop/till"}).json() == {"count": 1}
        held = all_.get("/v1/memories", headers={"Remanence-Scope": "/project/bank"}).json()["items"]
        assert [one["id"] for one in held] == [outside]


def test_a_token_that_may_only_read_changes_nothing_through_any_route(server: Server) -> None:
    space = "looked-at"
    reader, writer = server.token_for("r", namespace=space, read_only=True), server.token_for("w", namespace=space)
    with server.client(reader) as read, server.client(writer) as write:
        id = remembered(write, "only to be read")
        before = write.get("/v1/journal").json()
        for call in CALLS.values():
            if call.effect != READ:
                path = filled(call.path, id=id)
                body = _BODIES.get(
                    call.name, {name.name: _VALUES[name.name] for name in call.arguments if name.required}
                )
                body = {name: value for name, value in body.items() if name not in call.in_path}
                told = read.request(call.method, path, json=body)
                assert (told.status_code, told.json()["code"]) in ((403, "forbidden"), (404, "not_found")), call.name
                if call.name != "apply":
                    assert told.status_code == 403, (call.name, told.text)
        for path in ("/v1/memories/bulk", "/v1/import"):
            told = read.post(path, content=b'{"text": "x"}\n', headers={"Content-Type": "application/x-ndjson"})
            assert told.status_code == 403
        read.post("/v1/recall", json={"query": "read"})
        read.post("/v1/context", json={"query": "read"})
        assert write.get("/v1/journal").json() == before
        assert write.get(f"/v1/memories/{id}").json()["access_count"] == 0


_VALUES: dict[str, object] = {
    "text": "x",
    "items": ["x"],
    "id": NOBODY,
    "action_ids": [NOBODY],
    "plan": "key",
    "reason": "asked",
    "action": "list",
    "name": "balanced",
    "project": "/project/x",
    "useful": True,
    "receipt_id": "r1",
    "session": "s",
}
_BODIES: dict[str, dict[str, object]] = {
    "revise": {"importance": 0.4},
    "forget": {"scope": "/"},
    "restore": {"receipt": "r1"},
    "purge": {"scope": "/", "reason": "asked"},
    "review.accept": {"everything": True},
    "review.reject": {"everything": True},
    "policies.reviewed": {"name": "archive"},
}


def test_events_end_when_their_token_is_revoked(server: Server) -> None:
    secret = server.token_for("listener", namespace="heard")
    ended = threading.Event()
    began = threading.Event()

    def listen() -> None:
        with server.client(secret) as client, client.stream("GET", "/v1/events") as stream:
            assert stream.status_code == 200
            for _ in stream.iter_raw():
                began.set()
        ended.set()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    assert began.wait(30)
    Tokens(server.db).revoke(secret)
    assert ended.wait(30)


def test_who_asks_too_often_waits_and_others_do_not(start: object) -> None:
    server: Server = start(REMANENCE_SERVE__REQUESTS_PER_SECOND="1")  # type: ignore[operator]
    with server.client() as often, server.client(server.token_for("other")) as other:
        answers = [often.get("/v1/count") for _ in range(30)]
        slowed = [one for one in answers if one.status_code == 429]
        assert 200 in {one.status_code for one in answers}
        assert slowed
        assert slowed[0].json()["code"] == "too_many_requests"
        assert int(slowed[0].headers["retry-after"]) >= 1
        assert other.get("/v1/count").status_code == 200


def test_who_guesses_tokens_is_slowed_and_those_who_have_one_are_not(start: object) -> None:
    server: Server = start()  # type: ignore[operator]
    with server.client("rem_00000000_guess") as guess, server.client() as owner:
        told = [guess.get("/v1/count").status_code for _ in range(200)]
        assert set(told) == {401, 429}
        assert owner.get("/v1/count").status_code == 200


@pytest.mark.parametrize("limits", [{"namespace": "a"}, {"scope": "/a"}, {"read_only": True}])
def test_metrics_name_no_namespace_scope_or_token(server: Server, limits: dict[str, object]) -> None:
    secret = server.token_for("scraper", **limits)
    with server.client(secret) as client:
        told = client.get("/metrics")
    assert told.status_code == 200
    assert "remanence_requests_total" in told.text
    assert "namespace=" not in told.text
    assert secret.split("_")[1] not in told.text
