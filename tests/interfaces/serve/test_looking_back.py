"""What the page reads, over REST: filters of lists, receipts and their pages, past, lineage, tiers, sizes, purges."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from remanence.model.plan import Certificate
from tests.interfaces.serve.conftest import Server

NOBODY = "01900000-0000-7000-8000-000000000000"


@pytest.fixture
def space(server: Server, request: pytest.FixtureRequest) -> Any:
    """A client in a namespace of this test's own."""
    namespace = request.node.name.partition("[")[0]
    with server.client(server.token_for("space", namespace=namespace, human=True)) as client:
        yield client


def remember(client: httpx.Client, text: str, **rest: Any) -> str:
    told = client.post("/v1/memories", json={"text": text, **rest})
    assert told.status_code == 201, told.text
    return str(told.json()["memory"]["id"])


def asked(client: httpx.Client, path: str, **params: Any) -> Any:
    told = client.get(path, params=params)
    assert told.status_code == 200, told.text
    return told.json()


def test_a_list_by_source_time_and_ids(space: httpx.Client) -> None:
    one = remember(space, "The heron nests by the lake", source="human")
    other = remember(space, "A stork flew away over the hills", source="ai")
    old = remember(space, "A swan swam in the pond", source="ai", created_at="2020-05-05T05:05:05Z")
    listed = lambda **params: [memory["id"] for memory in asked(space, "/v1/memories", **params)["items"]]  # noqa: E731
    assert listed(source="ai") == [other, old]
    assert listed(source="ai", since="yesterday") == [other]
    assert listed(since="2020-05-05", until="2020-05-05T06:00:00Z") == [old]
    assert asked(space, "/v1/count", source="ai", until="2020-12-31") == {"count": 1}
    space.post("/v1/forget", json={"ids": [one]})
    assert listed(ids=[one, old, NOBODY], state="all") == [one, old]
    assert listed(ids=one) == []
    page = asked(space, "/v1/memories", ids=[other, old], limit=1)
    assert [memory["id"] for memory in page["items"]] == [other]
    assert listed(ids=[other, old], limit=1, cursor=page["next"]) == [old]
    hits = space.post("/v1/recall", json={"query": "stork heron swan", "sources": ["ai", "dream"]}).json()["hits"]
    assert {hit["memory"]["id"] for hit in hits} == {other, old}
    assert space.post("/v1/context", json={"query": "stork", "sources": "human"}).json()["text"] == ""


def test_a_thousand_ids_at_once_and_no_more(space: httpx.Client) -> None:
    made = space.post("/v1/memories/batch", json={"items": [f"w{n} x{n * 7919:x}" for n in range(1000)]}).json()
    ids = [one["memory"]["id"] for one in made["items"]]
    assert len(asked(space, "/v1/memories", ids=ids, limit=1000)["items"]) == 1000
    assert space.get("/v1/memories", params={"ids": [*ids, NOBODY]}).status_code == 422


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/v1/memories", {"source": "bird"}),
        ("/v1/memories", {"source": ["ai", "human"]}),
        ("/v1/memories", {"since": "some day"}),
        ("/v1/memories", {"since": ["today", "yesterday"]}),
        ("/v1/memories", {"until": "\x00"}),
        ("/v1/memories", {"ids": "' OR 1=1"}),
        ("/v1/memories", {"ids": ""}),
        ("/v1/count", {"ids": NOBODY}),
        ("/v1/receipts", {"before": "12"}),
        ("/v1/receipts", {"before": "r1.2"}),
        ("/v1/receipts", {"cursor": "r1.2"}),
        ("/v1/receipts", {"cursor": "o5"}),
        ("/v1/receipts", {"cursor": "r5", "before": "if"}),
        ("/v1/receipts", {"cursor": ""}),
        ("/v1/receipts", {"limit": 1001}),
        ("/v1/past", {"days": 0}),
        ("/v1/past", {"days": 3651}),
        ("/v1/past", {"days": "many"}),
        ("/v1/tiers", {"scope": "/"}),
        ("/v1/sizes", {"limit": 5}),
    ],
)
def test_what_cannot_be_asked_is_named(space: httpx.Client, path: str, params: dict[str, Any]) -> None:
    told = space.get(path, params=params)
    assert (told.status_code, told.json()["code"]) == (422, "invalid_input"), told.text
    assert told.json()["problems"]


def test_receipts_are_paged_to_the_first(space: httpx.Client) -> None:
    for number in range(7):
        remember(space, f"Number {number} {'abcdefg'[number]}")
    found: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        page = asked(space, "/v1/receipts", limit=3, **cursor)
        found += page["items"]
        remember(space, f"Written meanwhile {len(found)} {'hijklmn'[len(found) % 7]}")
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert [one["actions"] for one in found] == [{"add": 1}] * 7, "what is written meanwhile is not among them"
    assert set(found[0]) == {"id", "verb", "at", "note", "undoes", "undone_by", "actions", "memories"}
    gone = space.post("/v1/forget", json={"scope": "/"}).json()["id"]
    undo = space.post(f"/v1/receipts/{gone}/undo").json()["id"]
    assert asked(space, "/v1/receipts", verb="forget")["items"][0]["undone_by"] == undo
    assert asked(space, "/v1/receipts", verb="forget", before=gone)["items"] == []


def test_a_list_in_another_order_is_paged_to_the_end(space: httpx.Client) -> None:
    for number in range(5):
        remember(space, f"Heron {'abcde'[number]} nests by the lake of {'fghij'[number] * 9}", scope=f"/{number}")
    for asking in ({"order": "importance"}, {"order": "recalls"}, {"order": "oldest"}, {"words": "lake"}):
        whole = [one["id"] for one in asked(space, "/v1/memories", **asking)["items"]]
        found: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            page = asked(space, "/v1/memories", limit=2, **asking, **cursor)
            found += [one["id"] for one in page["items"]]
            if page["next"] is None:
                break
            cursor = {"cursor": page["next"]}
        assert (found, len(whole)) == (whole, 5), asking
    assert asked(space, "/v1/counts", of="scope", scope=["/1", "/2"]) == {"/1": 1, "/2": 1}


def test_past_tiers_and_sizes(space: httpx.Client) -> None:
    remember(space, "One fact of today")
    past = asked(space, "/v1/past", days=2)
    assert (past["live"], past["learned"], past["days"]) == ([0, 0, 1], [0, 0, 1], 2)
    assert len(asked(space, "/v1/past")["left"]) == 91
    assert sum(asked(space, "/v1/tiers").values()) == 1
    assert asked(space, "/v1/sizes") == {"items": []}
    used = space.post("/v1/policies/use", json={"name": {"extends": "relevance", "project_tokens": 10}, "force": True})
    assert used.status_code == 200, used.text
    remember(space, "A fact of the shop", scope="/project/shop")
    sizes = {one["name"]: one for one in asked(space, "/v1/sizes")["items"]}
    size = sizes["project size"]
    assert (size["scope"], size["allowed"], size["unit"], size["action"]) == ("/project/shop", 10, "tokens", "archive")


def test_lineage_and_who_may_see_it(server: Server) -> None:
    with server.client(server.token_for("all", namespace="lineage")) as client:
        outside = remember(client, "Of another scope", scope="/out")
        source = remember(client, "The source", scope="/in")
        far = remember(client, "Tied to it by another scope alone", scope="/in/far", lineage=[outside])
        made = remember(client, "Made of both", scope="/in", lineage=[source, outside, NOBODY])
        told = asked(client, f"/v1/memories/{made}/lineage")
        assert {one["id"] for one in told["memories"]} == {made, source, outside, far}
        assert {"from": source, "to": made, "how": "made"} in told["links"]
        assert (told["purged"], told["more"]) == ([NOBODY], False)
        assert asked(client, f"/v1/memories/{made}/lineage", limit=2)["more"] is True
        assert client.get(f"/v1/memories/{NOBODY}/lineage").status_code == 404
    with server.client(server.token_for("some", namespace="lineage", scope="/in")) as client:
        told = asked(client, f"/v1/memories/{made}/lineage")
        assert {one["id"] for one in told["memories"]} == {made, source}
        assert (told["links"], told["purged"]) == ([{"from": source, "to": made, "how": "made"}], [])
        assert outside not in str(told)
        assert client.get(f"/v1/memories/{outside}/lineage").status_code == 404
        listed = asked(client, "/v1/memories", ids=[made, outside, NOBODY], state="all")["items"]
        assert [one["id"] for one in listed] == [made]
        for path in ("/v1/receipts", "/v1/past", "/v1/tiers", "/v1/sizes"):
            assert client.get(path).status_code == 403, path
        for path in ("/v1/purge/plan", "/v1/purge"):
            assert (
                client.post(
                    path, json={"about": "scope", **({"reason": "x"} if path == "/v1/purge" else {})}
                ).status_code
                == 403
            )


def test_a_purge_about_somebody_is_looked_at_first(space: httpx.Client) -> None:
    one = remember(space, "Ottilie keeps the lighthouse")
    made = remember(space, "The lighthouse is kept", lineage=[one], scope="/made")
    kept = remember(space, "Bruno keeps the boat")
    plan = space.post("/v1/purge/plan", json={"about": "ottilie"}).json()
    assert {change["memory_id"]: change["reason"] for change in plan["changes"]} == {one: "asked", made: "made from it"}
    refused = space.post("/v1/apply", json={"plan": plan["key"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "plan_refused")
    proof = space.post("/v1/purge", json={"about": "Ottilie", "reason": "asked by her"}).json()
    assert set(proof["purged"]) == {one, made}
    assert {"verified", "receipt_id", "reason"} <= proof.keys()
    assert set(Certificate.__dataclass_fields__) <= proof.keys()
    assert [memory["id"] for memory in asked(space, "/v1/memories", state="all")["items"]] == [kept]
    assert space.post("/v1/purge/plan", json={"about": "Ottilie"}).status_code == 404
    for body in ({}, {"about": " "}, {"about": 5}, {"about": "..."}, {"about": "x" * 1001}, {"reason": "x"}):
        assert space.post("/v1/purge/plan", json=body).status_code == 422, body
