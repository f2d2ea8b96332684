"""Calls over REST: what they answer, ETags, changes that depend on one, and paging while others write."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.histories import write_history
from tests.interfaces.serve.conftest import Server


@pytest.fixture
def space(server: Server, request: pytest.FixtureRequest) -> Any:
    """A client in a namespace of this test's own."""
    with server.client(server.token_for("space", namespace=request.node.name, human=True)) as client:
        yield client


def remember(client: httpx.Client, text: str, **rest: Any) -> dict[str, Any]:
    told = client.post("/v1/memories", json={"text": text, **rest})
    assert told.status_code == 201, told.text
    memory: dict[str, Any] = told.json()["memory"]
    return memory


def test_a_memory_is_written_read_recalled_forgotten_and_restored(space: httpx.Client) -> None:
    memory = remember(space, "The staging database runs PostgreSQL in Dublin", scope="/project/shop", ttl="30d")
    assert memory["expires_at"] is not None
    hits = space.post("/v1/recall", json={"query": "where does staging run"}).json()["hits"]
    assert [hit["memory"]["id"] for hit in hits] == [memory["id"]]
    again = space.post("/v1/memories", json={"text": memory["text"], "scope": "/project/shop"})
    assert (again.status_code, again.json()["outcome"]) == (200, "duplicate")
    framed = space.post("/v1/context", json={"query": "staging"}).json()["text"]
    assert "Dublin" in framed
    receipt = space.post("/v1/forget", json={"ids": [memory["id"]]}).json()
    assert space.get(f"/v1/memories/{memory['id']}").json()["state"] == "forgotten"
    assert space.post("/v1/recall", json={"query": "staging"}).json()["hits"] == []
    assert space.get(f"/v1/receipts/{receipt['id']}").json()["applied"] == [memory["id"]]
    space.post(f"/v1/receipts/{receipt['id']}/undo")
    assert space.get(f"/v1/memories/{memory['id']}").json()["state"] == "live"
    events = space.get(f"/v1/memories/{memory['id']}/history").json()["items"]
    assert len(events) == 3
    address = f"/v1/memories/{memory['id']}/history"
    assert space.get(address, params={"limit": 1}).json()["items"] == events[-1:]
    assert space.get(address, params={"limit": 5, "before": events[-1]["place"]}).json()["items"] == events[:-1]
    assert space.get(address, params={"limit": 1001}).status_code == 422
    assert space.get(address, params={"before": "then"}).status_code == 422


def test_durations_as_people_write_them_are_taken(space: httpx.Client) -> None:
    for number, ttl in enumerate(("1h", "10h", "30d", "100d", "2w", "6m", "10y", "999999h")):
        assert remember(space, f"kept for a while, number {number}", ttl=ttl)["expires_at"]
    for ttl in ("0d", "d", "1.5d", "30", "30 d", "1000000d", "-1d"):
        told = space.post("/v1/memories", json={"text": "x", "ttl": ttl})
        assert (told.status_code, told.json()["fields"]) == (422, ["ttl"]), ttl


def test_the_memory_tool_takes_its_arguments(space: httpx.Client) -> None:
    told = space.post("/v1/memory_tool", json={"action": "add", "arguments": {"content": "The tool was here"}})
    assert told.json()["outcome"] == "added"
    found = space.post("/v1/memory_tool", json={"action": "recall", "arguments": {"query": "tool"}}).json()
    assert [one["text"] for one in found["memories"]] == ["The tool was here"]
    assert space.post("/v1/memory_tool", json={"action": "list"}).json()["total"] == 1
    for arguments in ({}, {"self": 1}, {"action": "list"}, {"content": None}, {"colour": "red"}):
        told = space.post("/v1/memory_tool", json={"action": "add", "arguments": arguments})
        assert told.status_code == 422, arguments


def test_a_memory_has_an_etag_that_changes_with_it(space: httpx.Client) -> None:
    id = remember(space, "It has a revision")["id"]
    first = space.get(f"/v1/memories/{id}")
    etag = first.headers["etag"]
    for known in (etag, etag.removeprefix("W/"), "*", f'W/"999", {etag}', f'"x" , {etag}'):
        spared = space.get(f"/v1/memories/{id}", headers={"If-None-Match": known})
        assert (spared.status_code, spared.content, spared.headers["etag"]) == (304, b"", etag), known
    assert space.get(f"/v1/memories/{id}", headers={"If-None-Match": 'W/"999"'}).status_code == 200
    pinned = space.post(f"/v1/memories/{id}/pin", headers={"If-Match": etag})
    assert pinned.status_code == 200
    assert pinned.headers["etag"] != etag
    changed = space.get(f"/v1/memories/{id}", headers={"If-None-Match": etag})
    assert (changed.status_code, changed.headers["etag"]) == (200, pinned.headers["etag"])


def test_a_change_that_depends_on_an_old_revision_is_refused(space: httpx.Client) -> None:
    id = remember(space, "Two want to change it")["id"]
    old = space.get(f"/v1/memories/{id}").headers["etag"]
    assert space.post(f"/v1/memories/{id}/pin").status_code == 200
    for method, path, body in (
        ("POST", "/unpin", {}),
        ("POST", "/promote", {}),
        ("POST", "/feedback", {"useful": True}),
        ("POST", "/confirm", {}),
        ("PATCH", "", {"importance": 0.9}),
    ):
        told = space.request(method, f"/v1/memories/{id}{path}", json=body, headers={"If-Match": old})
        assert (told.status_code, told.json()["code"]) == (412, "precondition_failed"), path
    assert space.get(f"/v1/memories/{id}").json()["pinned"] is True
    assert space.post(f"/v1/memories/{id}/unpin", headers={"If-Match": "*"}).status_code == 200


def test_what_is_done_by_hand_names_its_receipt_where_something_changed(space: httpx.Client) -> None:
    id = remember(space, "The gate is green")["id"]
    done = [space.post(f"/v1/memories/{id}/{verb}") for verb in ("pin", "pin", "confirm", "unpin")]
    receipts = [one.headers.get("remanence-receipt") for one in done]
    journal = space.get("/v1/journal", params={"limit": 3}).json()["items"]
    assert [(one["receipt_id"], one["verb"]) for one in journal] == [
        (receipts[3], "unpin"),
        (receipts[2], "confirm"),
        (receipts[0], "pin"),
    ]
    assert receipts[1] is None, "it was pinned already"


def test_of_eight_who_saw_the_same_revision_one_wins(server: Server) -> None:
    secret = server.token_for("race", namespace="race")
    with server.client(secret) as client:
        for round in range(5):
            id = remember(client, f"Eight want it, round {round}")["id"]
            etag = client.get(f"/v1/memories/{id}").headers["etag"]
            ready = threading.Barrier(8)

            def change(id: str = id, etag: str = etag, ready: threading.Barrier = ready) -> int:
                with server.client(secret) as own:
                    own.get("/healthz")
                    ready.wait(30)
                    told = own.post(f"/v1/memories/{id}/feedback", json={"useful": True}, headers={"If-Match": etag})
                    return told.status_code

            with ThreadPoolExecutor(8) as pool:
                codes = sorted(one.result() for one in [pool.submit(change) for _ in range(8)])
            assert codes == [200] + [412] * 7
            assert client.get(f"/v1/memories/{id}").json()["uses"] == 1


def pages(client: httpx.Client, path: str, **params: Any) -> list[list[dict[str, Any]]]:
    """All pages, each asked for with the cursor of the one before and the same parameters."""
    found: list[list[dict[str, Any]]] = []
    cursor: str | None = None
    while True:
        told = client.get(path, params={**params, **({"cursor": cursor} if cursor else {})})
        assert told.status_code == 200, told.text
        found.append(told.json()["items"])
        cursor = told.json()["next"]
        if cursor is None:
            return found
        assert len(found) < 500


def test_a_list_is_paged_to_its_end(space: httpx.Client) -> None:
    lines = "\n".join(f'"memory number {number} of many"' for number in range(25))
    space.post("/v1/memories/bulk", content=lines, headers={"Content-Type": "application/x-ndjson"})
    for number in range(7):
        space.post("/v1/actions", json={"text": f"Do number {number} of the list"})
        space.post("/v1/lessons", json={"text": f"Lesson number {number} was learned"})
        space.post("/v1/sessions", json={"project": "/project/x", "id": f"session-{number}"})
    everything = space.get("/v1/memories", params={"limit": 1000}).json()
    assert everything["next"] is None
    for path, limit in (("/v1/memories", 4), ("/v1/actions", 3), ("/v1/lessons", 7), ("/v1/sessions", 2)):
        whole = space.get(path, params={"limit": 1000}).json()["items"]
        paged = pages(space, path, limit=limit)
        assert [one for page in paged for one in page] == whole, path
        assert all(len(page) == limit for page in paged[:-1])
        assert [one for page in pages(space, path, limit=limit, offset=2) for one in page] == whole[2:], path
    assert [one for page in pages(space, "/v1/memories", limit=4, kind="lesson") for one in page] == [
        one for one in everything["items"] if one["kind"] == "lesson"
    ]


def test_the_journal_is_paged_in_both_directions(space: httpx.Client) -> None:
    ids = [remember(space, f"entry number {number}")["id"] for number in range(9)]
    whole = space.get("/v1/journal", params={"limit": 1000}).json()["items"]
    assert [one["memory_id"] for one in whole] == ids[::-1]
    assert [one for page in pages(space, "/v1/journal", limit=4) for one in page] == whole
    first = whole[-1]
    place = f"{first['receipt_id']}.{first['item']}" if "item" in first else first["place"]
    forward = [one for page in pages(space, "/v1/journal", limit=3, after=place) for one in page]
    assert forward == whole[::-1][1:]
    between = space.get("/v1/journal", params={"after": place, "before": whole[0]["place"]}).json()["items"]
    assert between == whole[::-1][1:-1]


def test_paging_neither_skips_nor_repeats_while_others_write_and_forget(server: Server) -> None:
    secret = server.token_for("pager", namespace="paged-while-written")
    with server.client(secret) as client, server.client(secret) as other:
        lines = "\n".join(f'"the fact that was there first, number {number}"' for number in range(120))
        client.post("/v1/memories/bulk", content=lines, headers={"Content-Type": "application/x-ndjson"})
        known = [one["id"] for one in client.get("/v1/memories", params={"limit": 1000}).json()["items"]]
        stays = set(known[::2])
        done, seen, cursor = threading.Event(), [], None

        def disturb() -> None:
            number = 0
            leaving = [id for id in known if id not in stays]
            while not done.is_set():
                number += 1
                other.post("/v1/memories", json={"text": f"something new that came meanwhile {number}"})
                if leaving:
                    other.post("/v1/forget", json={"ids": [leaving.pop(number % len(leaving))]})

        writer = threading.Thread(target=disturb)
        writer.start()
        try:
            while True:
                params: dict[str, Any] = {"limit": 5, **({"cursor": cursor} if cursor else {})}
                page = client.get("/v1/memories", params=params).json()
                seen += [one["id"] for one in page["items"]]
                cursor = page["next"]
                if cursor is None:
                    break
        finally:
            done.set()
            writer.join(60)
        assert len(seen) == len(set(seen))
        assert stays <= set(seen)


def test_a_policy_of_ones_own_is_taken_and_its_problems_are_told(space: httpx.Client) -> None:
    own = {"extends": "tiered", "name": "mine", "max_evict": 7}
    shown = space.post("/v1/policies/show", json={"name": own}).json()
    assert shown["numbers"]["max_evict"] == 7
    assert space.post("/v1/policies/use", json={"name": own}).status_code == 200
    assert space.post("/v1/policies/show").json()["name"] == "mine"
    for wrong in (
        {},
        {"extends": None},
        {"extends": "nothing"},
        {"max_evict": "many"},
        {"colour": 1},
        "nothing",
        "/etc/x.yml",
    ):
        assert space.post("/v1/policies/show", json={"name": wrong}).status_code == 422, wrong


def test_a_learned_policy_goes_from_learn_to_use_and_back(space: httpx.Client, tmp_path: Path) -> None:
    write_history(tmp_path / "past.jsonl", datetime.now(UTC))
    lines = (tmp_path / "past.jsonl").read_text("utf-8")
    assert space.post("/v1/import", content=lines, headers={"content-type": "application/x-ndjson"}).status_code == 200
    proposal = space.post("/v1/policies/learn").json()
    assert proposal["document"]["learned"]["from"] == "balanced"
    used = space.post("/v1/policies/use", json={"name": proposal["document"], "force": True})
    assert used.status_code == 200, used.text
    assert used.json()["policy"] == proposal["policy"]["name"]
    shown = space.post("/v1/policies/show").json()
    assert shown["numbers"] == proposal["policy"]["numbers"]
    assert space.post("/v1/policies/learn").json()["verdict"].startswith("Nothing new to learn")
    line = space.get("/v1/journal", params={"limit": 1}).json()["items"][0]
    assert (line["receipt_id"], line["verb"], line["memory_id"]) == (used.json()["receipt_id"], "policy", "")
    assert space.post(f"/v1/receipts/{line['receipt_id']}/undo").status_code == 200
    assert space.post("/v1/policies/show").json()["name"] == "balanced"


def test_what_is_wrong_in_a_list_is_named_with_its_field(space: httpx.Client) -> None:
    told = space.post("/v1/policies/backtest", json={"policy": "tiered", "budgets": [0.5, 150]}).json()
    assert told["problems"] == ["budgets has 150, which is outside 0.001 to 1"]
    told = space.post("/v1/dreams", json={"steps": ["sleep"]}).json()
    assert told["problems"][0].startswith("steps has 'sleep', which is not one of curve")


def test_a_project_is_a_scope_and_never_a_folder_of_the_server(server: Server, space: httpx.Client) -> None:
    folder = str(server.db.parent)
    told = space.post("/v1/sessions", json={"project": folder, "id": "in-a-folder"}).json()
    assert told["project"] == folder
    for project in ("~", ".", "..", "./x", "api", "null"):
        assert space.post("/v1/sessions", json={"project": project}).status_code == 422, project
        assert space.get("/v1/guidance", params={"project": project}).status_code == 422, project
    long = "/" + "x" * 1000
    for path in ("/v1/guidance", "/v1/artifacts"):
        told = space.get(path, params={"project": long, "url": "memory://root"} if "art" in path else {"project": long})
        assert told.status_code in (200, 404), told


def test_a_session_goes_from_its_start_to_its_end(space: httpx.Client) -> None:
    id = space.post("/v1/sessions", json={"project": "/project/api"}).json()["id"]
    space.post(f"/v1/sessions/{id}/observations", json={"said": "We decided to use PostgreSQL", "role": "user"})
    assert len(space.get(f"/v1/sessions/{id}").json()["observations"]) == 1
    assert space.post(f"/v1/sessions/{id}/end").json()["ended_at"]
    assert space.post(f"/v1/sessions/{id}/enqueue").status_code == 200
    assert space.get("/v1/sessions/queue").status_code == 200


def test_what_answers_nothing_answers_204(space: httpx.Client) -> None:
    told = space.post("/v1/policies/reviewed", json={"name": "archive"})
    assert (told.status_code, told.content) == (204, b"")
