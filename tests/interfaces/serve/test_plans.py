"""Plans are kept by the server between making and applying: whose they are, what of them is applied, for how long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from remanence.errors import InvalidInput, NotFound
from remanence.interfaces.serve import plans
from remanence.interfaces.serve.plans import Plans
from remanence.model.plan import Action, Change, Plan, Reason
from tests.interfaces.serve.conftest import Server


@pytest.fixture
def space(server: Server, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    with server.client(server.token_for("plans", namespace=request.node.name)) as client:
        yield client


def filled(client: httpx.Client, number: int = 4) -> list[str]:
    told = client.post("/v1/memories/batch", json={"items": [f"fact number {n} to forget" for n in range(number)]})
    return [one["memory"]["id"] for one in told.json()["items"]]


def states(client: httpx.Client, ids: list[str]) -> list[str]:
    return [client.get(f"/v1/memories/{id}").json()["state"] for id in ids]


def test_a_plan_changes_nothing_until_it_is_applied(space: httpx.Client) -> None:
    ids = filled(space)
    plan = space.post("/v1/forget/plan", json={"ids": ids}).json()
    assert {change["memory_id"] for change in plan["changes"]} == set(ids)
    assert states(space, ids) == ["live"] * 4
    receipt = space.post("/v1/apply", json={"plan": plan["key"]}).json()
    assert set(receipt["applied"]) == set(ids)
    assert states(space, ids) == ["forgotten"] * 4
    assert space.post("/v1/restore", json={"receipt": receipt["id"]}).status_code == 200
    assert states(space, ids) == ["live"] * 4


def test_a_purge_takes_no_more_than_the_plan_that_was_looked_at(space: httpx.Client) -> None:
    ids = filled(space, 2)
    key = space.post("/v1/purge/plan", json={"scope": "/"}).json()["key"]
    ids += filled(space, 3)[2:]
    refused = space.post("/v1/purge", json={"scope": "/", "reason": "looked at", "plan": key})
    assert (refused.status_code, refused.json()["code"]) == (409, "plan_out_of_date")
    assert states(space, ids) == ["live"] * 3
    key = space.post("/v1/purge/plan", json={"scope": "/"}).json()["key"]
    done = space.post("/v1/purge", json={"scope": "/", "reason": "looked at", "plan": key})
    assert set(done.json()["purged"]) == set(ids)
    assert space.post("/v1/purge", json={"scope": "/", "reason": "x", "plan": "never made"}).status_code == 404


def test_some_changes_of_a_plan_can_be_applied(space: httpx.Client) -> None:
    ids = filled(space)
    key = space.post("/v1/forget/plan", json={"ids": ids}).json()["key"]
    only = [f"{ids[0]} forget", f"{ids[2]} forget"]
    assert space.post("/v1/apply", json={"plan": key, "only": only}).status_code == 200
    assert states(space, ids) == ["forgotten", "live", "forgotten", "live"]
    for wrong in (["nothing"], [f"{ids[1]} purge"], [f"{ids[1]}"]):
        told = space.post("/v1/apply", json={"plan": key, "only": wrong})
        assert (told.status_code, told.json()["code"]) == (404, "not_found")
        assert wrong[0] in told.json()["detail"]
    assert states(space, ids) == ["forgotten", "live", "forgotten", "live"]


def test_a_plan_is_applied_to_what_has_not_changed_since(space: httpx.Client) -> None:
    ids = filled(space)
    key = space.post("/v1/forget/plan", json={"ids": ids}).json()["key"]
    space.post("/v1/forget", json={"ids": ids[:1]})
    strict = space.post("/v1/apply", json={"plan": key, "strict": True})
    assert (strict.status_code, strict.json()["code"]) == (409, "plan_out_of_date")
    assert states(space, ids) == ["forgotten", "live", "live", "live"]
    receipt = space.post("/v1/apply", json={"plan": key}).json()
    assert set(receipt["applied"]) == set(ids[1:])
    assert list(receipt["skipped"]) == [ids[0]]


def test_a_plan_that_is_not_there_is_not_found(space: httpx.Client) -> None:
    for key in ("nothing", "x" * 64, "../..", "' OR 1=1"):
        told = space.post("/v1/apply", json={"plan": key})
        assert (told.status_code, told.json()["code"]) == (404, "not_found")
    assert space.post("/v1/apply", json={"plan": "x" * 65}).status_code == 422


def test_what_a_client_makes_up_is_no_plan(space: httpx.Client) -> None:
    ids = filled(space)
    plan = space.post("/v1/forget/plan", json={"ids": ids[:1]}).json()
    forged = {**plan, "changes": [{**plan["changes"][0], "memory_id": ids[1]}]}
    assert space.post("/v1/apply", json={"plan": forged}).status_code == 422
    assert states(space, ids) == ["live"] * 4


def test_a_plan_is_gone_after_a_restart(start: Any) -> None:
    server: Server = start()
    with server.client() as client:
        ids = filled(client)
        key = client.post("/v1/forget/plan", json={"ids": ids}).json()["key"]
    server.stop()
    again: Server = start(db=server.db)
    assert again.token == server.token
    with again.client() as client:
        assert client.post("/v1/apply", json={"plan": key}).status_code == 404
        assert states(client, ids) == ["live"] * 4


def change(number: int, claim: str | None = None) -> Change:
    return Change(memory_id=f"memory-{number}", action=Action.FORGET, reason=Reason.ASKED, claim=claim)


def plan_of(*changes: Change) -> Plan:
    return Plan(verb="forget", changes=changes)


def test_a_plan_is_kept_for_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(plans.time, "monotonic", lambda: now[0])
    kept = Plans()
    key = kept.keep(plan_of(change(1)), "me").key
    assert key is not None
    now[0] += plans.KEPT_SECONDS - 1
    assert len(kept.take(key, "me")) == 1
    with pytest.raises(NotFound):
        kept.take(key, "somebody else")
    now[0] += 2
    with pytest.raises(NotFound):
        kept.take(key, "me")


def test_the_oldest_plans_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Plans()
    keys = [str(kept.keep(plan_of(change(1)), "me").key) for _ in range(plans.MOST + 5)]
    assert len(set(keys)) == len(keys)
    for key in keys[:5]:
        with pytest.raises(NotFound):
            kept.take(key, "me")
    assert len(kept.take(keys[5], "me")) == 1
    monkeypatch.setattr(plans, "MOST_CHANGES", 10)
    large = str(kept.keep(plan_of(*map(change, range(20))), "me").key)
    assert len(kept.take(large, "me")) == 20
    with pytest.raises(NotFound):
        kept.take(keys[-1], "me")


def test_the_changes_of_a_claim_are_taken_together() -> None:
    kept = Plans()
    key = str(kept.keep(plan_of(change(1, "a"), change(2, "a"), change(3)), "me").key)
    assert len(kept.take(key, "me", ["memory-3 forget"])) == 1
    assert len(kept.take(key, "me", ["memory-1 forget", "memory-2 forget"])) == 2
    with pytest.raises(InvalidInput, match="belong together"):
        kept.take(key, "me", ["memory-1 forget"])
