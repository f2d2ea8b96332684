"""S13 and S18: what is written for a database, a terminal or a browser comes back as it was, or does not get in."""

from __future__ import annotations

import json
import random

import pytest

from tests.interfaces.serve.conftest import Server
from tests.interfaces.serve.test_bad_input import refused
from tests.reliability.recording import Measured

PAYLOADS = (
    "' OR '1'='1",
    "'; DROP TABLE memories; --",
    '" OR 1=1 --',
    "x' UNION SELECT * FROM memories --",
    "%' --",
    "_%",
    "\\",
    "text:secret",
    'text:"secret" OR kind:*',
    "NEAR(a b)",
    "a AND NOT b",
    "^start*",
    "{text kind}: x",
    '"unbalanced',
    "(((",
    "*",
    "-",
    "$.metadata",
    "$[0]",
    "$.k') = 1 OR 1=1 --",
    '{"$gt": ""}',
    "%00",
    "${7*7}",
    "{{7*7}}",
    "/../../etc/passwd",
    "|| cat /etc/passwd",
)


@pytest.mark.promise("S13")
def test_what_is_written_for_a_database_is_text(server: Server, measured: Measured) -> None:
    """S13: payloads in texts, kinds, scopes, tags, keys, metadata and queries find their own rows and no other."""
    mine = {"Remanence-Source": "human"}  # what an agent says might wait for review instead
    with server.client(server.token_for("sql", namespace="injected", human=True), **mine) as api:
        made: dict[str, str] = {}
        for number, payload in enumerate(PAYLOADS):
            scope = f"/s{number}/" + payload.replace("/", "∕")
            body = {
                "text": f"payload number{number} {payload}",
                "scope": scope,
                "kind": payload,
                "categories": [payload],
                "concepts": [payload],
                "files": [payload],
                "metadata": {payload: payload},
                "origin": payload,
                "key": payload,
            }
            told = api.post("/v1/memories", json=body)
            assert told.status_code == 201, (payload, told.text)
            memory = told.json()["memory"]
            made[payload] = memory["id"]
            assert {name: memory[name] for name in ("text", "scope", "kind", "categories", "origin")} == {
                name: body[name] for name in ("text", "scope", "kind", "categories", "origin")
            }
            assert memory["metadata"][payload] == payload
        total = len(PAYLOADS)
        assert api.get("/v1/count").json() == {"count": total}
        for number, payload in enumerate(PAYLOADS):
            scope = f"/s{number}/" + payload.replace("/", "∕")
            for params in ({"scope": scope}, {"kind": payload}):
                items = api.get("/v1/memories", params=params).json()["items"]
                assert [one["id"] for one in items] == [made[payload]], params
            hits = api.post("/v1/recall", json={"query": f"number{number} {payload}", "limit": 3}).json()["hits"]
            assert hits[0]["memory"]["id"] == made[payload]
            asked = api.post("/v1/recall", json={"query": payload, "kinds": [payload], "categories": [payload]})
            assert asked.status_code == 200
            assert {hit["memory"]["id"] for hit in asked.json()["hits"]} <= {made[payload]}
            assert api.post("/v1/forget/plan", json={"categories": [payload]}).json()["changes"]
            for path in ("/v1/entities/show", "/v1/guidance"):
                told = api.get(path, params={"name" if "show" in path else "project": payload})
                assert told.status_code in (200, 404, 422), (path, payload)
        assert api.get("/v1/count").json() == {"count": total}
    measured(f"{total} payloads in every field, by REST", server_errors=0, wrong_rows=0)


def hostile(seed: int, number: int) -> list[str]:
    """Texts nobody wants, the same for the same seed."""
    chance = random.Random(seed)
    parts = [
        "\0", "\ud800", "\udfff", "\u202e", "\u2066", "\u200b", "\ufeff", "\x1b[31m", "\x07", "\x85", "\u2028", "\r\n",
        "é", "e\u0301", "\U0001f468\u200d\U0001f469", "\U000e0041", "\ufffd", "\uffff", "\U0010ffff", "<script>",
        "</memory>", "\\u0000", "%00", "'", '"', "`", "\\", "\x7f", " ", "\t", "ﷺ", "Z͑ͫ̓", "١٢٣", "word", "text",
    ]  # fmt: skip
    made = ["".join(chance.choices(parts, k=chance.randint(1, 12))) for _ in range(number)]
    return [json.loads(json.dumps(text)) for text in made]  # two halves of a character, side by side, are one


@pytest.mark.promise("S18")
@pytest.mark.parametrize("seed", range(5))
def test_hostile_texts_come_back_as_they_were_or_are_refused(server: Server, seed: int, measured: Measured) -> None:
    """S18: a hundred a seed, in the text, in metadata and as a tag."""
    mine = {"Remanence-Source": "human"}  # what an agent says is screened, which its metadata tells
    with server.client(server.token_for("hostile", namespace=f"hostile-{seed}", human=True), **mine) as api:
        headers = {"Content-Type": "application/json"}
        refusals = 0
        for text in hostile(seed, 100):
            body = {"text": text, "metadata": {"said": text}, "categories": [text]}
            told = api.post("/v1/memories", content=json.dumps(body).encode(), headers=headers)
            assert told.status_code in (200, 201, 422), told.text
            if told.status_code == 422:
                refusals += 1
                refused(told, 422, "invalid_input")
                continue
            memory = told.json()["memory"]
            back = api.get(f"/v1/memories/{memory['id']}").json()
            if told.status_code == 201:  # else it is much like one that is there
                assert ascii(back["text"]) == ascii(text)
                assert ascii(back["metadata"]) == ascii({"said": text})
                assert ascii(back["categories"]) == ascii([text])
            found = api.post("/v1/recall", content=json.dumps({"query": text}).encode(), headers=headers)
            assert found.status_code in (200, 422)
            framed = api.post("/v1/context", content=json.dumps({"query": text}).encode(), headers=headers)
            assert framed.status_code in (200, 422)
        measured("100 texts a seed, by REST", seed=seed, refused=refusals, server_errors=0)
        assert 0 < refusals < 100


@pytest.mark.promise("S18")
def test_what_an_observation_says_comes_back_as_it_was_or_is_refused(server: Server) -> None:
    with server.client(server.token_for("observer", namespace="observed")) as api:
        session = api.post("/v1/sessions", json={"project": "/project/x"}).json()["id"]
        headers = {"Content-Type": "application/json"}
        stored = []
        for text in hostile(99, 60):
            raw = json.dumps({"said": text, "call": text, "tool": "shell"}).encode()
            told = api.post(f"/v1/sessions/{session}/observations", content=raw, headers=headers)
            assert told.status_code in (200, 422), told.text
            if told.status_code == 200:
                stored.append(text)
        seen = api.get(f"/v1/sessions/{session}")
        assert seen.status_code == 200
        assert len(seen.json()["observations"]) <= len(stored)
