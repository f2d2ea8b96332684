"""The document: every route is in it, every reference leads somewhere, examples are true, answers as it says."""

from __future__ import annotations

import re
from typing import Any

import httpx
import jsonschema
import pytest

from remanence.interfaces.calls import CALLS
from remanence.interfaces.serve.openapi import document
from tests.interfaces.serve.conftest import Server
from tests.interfaces.serve.routes import ROUTES

UNTOLD = {"/", "/page/page.css", "/metrics", "/mcp", "/v1/openapi.json", "/openapi.json"}
"""Paths that are for people, for Prometheus, for MCP, or the document itself."""


def resolved(told: dict[str, Any], shape: dict[str, Any]) -> dict[str, Any]:
    """A schema that can be checked against: with the document's components beside it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **shape, "components": told["components"]}


def operations(told: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(path, method, one) for path, methods in told["paths"].items() for method, one in methods.items()]


def test_it_is_served_to_anybody_as_it_is(server: Server) -> None:
    told = httpx.get(server.url + "/v1/openapi.json", trust_env=False)
    assert told.status_code == 200
    assert told.json() == document()


def test_every_route_is_in_it_and_nothing_else() -> None:
    told = {(method.upper(), path) for path, method, _ in operations(document())}
    assert {(call.method, "/v1" + call.path) for call in CALLS.values()} <= told
    patterns = {(method, re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + "$")) for method, path in told}
    missing = [
        (method, path)
        for method, path in ROUTES
        if path not in UNTOLD and not any(m == method and p.match(path) for m, p in patterns)
    ]
    assert missing == []


def test_it_is_a_valid_document() -> None:
    told = document()
    assert told["openapi"].startswith("3.1")
    ids = [one["operationId"] for _, _, one in operations(told)]
    assert len(set(ids)) == len(ids)
    for path, method, one in operations(told):
        named = {parameter["name"] for parameter in one.get("parameters", ()) if parameter["in"] == "path"}
        assert named == set(re.findall(r"\{(\w+)\}", path)), path
        assert one["summary"], (path, method)
        for answer in one["responses"].values():
            assert answer["description"]
            for name, link in answer.get("links", {}).items():
                assert link["operationId"] in ids, name
    for shape in _shapes(told):
        jsonschema.Draft202012Validator.check_schema(shape)
        if "$ref" in shape:
            assert shape["$ref"].removeprefix("#/components/schemas/") in told["components"]["schemas"]


def _shapes(told: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if isinstance(told, dict):
        if isinstance(told.get("schema"), dict):
            found.append(told["schema"])
        if "$ref" in told:
            found.append(told)
        for value in told.values():
            found += _shapes(value)
    elif isinstance(told, list):
        for value in told:
            found += _shapes(value)
    return found


def test_every_answer_of_a_call_has_a_shape() -> None:
    told = document()
    for call in CALLS.values():
        answers = told["paths"]["/v1" + call.path][call.method.lower()]["responses"]
        if call.answer == "None":
            assert "200" not in answers
            continue
        shape = answers["200"]["content"]["application/json"]["schema"]
        assert shape != {"type": "object"}, call.name
        assert shape.get("$ref") or shape.get("properties") or call.name == "memory_tool", call.name
        assert ("next" in shape.get("properties", {})) == bool(call.paged), call.name


def test_every_example_fits_its_schema() -> None:
    told = document()
    seen = 0
    for path, method, one in operations(told):
        for content in one.get("requestBody", {}).get("content", {}).values():
            for example in content.get("examples", {}).values():
                jsonschema.validate(example["value"], resolved(told, content["schema"]))
                seen += 1
        for parameter in one.get("parameters", ()):
            for example in parameter["schema"].get("examples", ()):
                jsonschema.validate(example, parameter["schema"])
                seen += 1
        assert one, (path, method)
    assert seen > 20


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("remember", {"text": "The staging database runs PostgreSQL in Dublin", "concepts": ["PostgreSQL"]}),
        ("remember_many", {"items": ["one", {"text": "two"}]}),
        ("extract", {"text": "Maria joined in May. She leads the API team."}),
        ("absorb", {"text": "Maria joined in May. She leads the API team."}),
        ("recall", {"query": "who leads the API team"}),
        ("context", {"query": "who leads the API team"}),
        ("list", {}),
        ("count", {}),
        ("journal", {}),
        ("stats", {}),
        ("plan_forget", {"scope": "/"}),
        ("sweep", {"full": True}),
        ("dedup", {}),
        ("dream", {}),
        ("compact", {"topic": "API"}),
        ("consolidate", {}),
        ("forecast", {"days": 30}),
        ("upkeep", {}),
        ("check", {}),
        ("scan", {}),
        ("actions.add", {"text": "write the tests"}),
        ("actions.list", {}),
        ("lessons.add", {"text": "look before you leap"}),
        ("lessons.list", {}),
        ("review.list", {}),
        ("review.count", {}),
        ("review.challenged", {}),
        ("review.accept", {"everything": True}),
        ("entities.list", {}),
        ("entities.count", {}),
        ("entities.show", {"name": "PostgreSQL"}),
        ("policies.list", {}),
        ("policies.show", {"name": "layered"}),
        ("policies.yaml", {}),
        ("policies.diff", {"one": "balanced", "other": "tiered"}),
        ("policies.use", {"name": "balanced"}),
        ("dreams.run", {}),
        ("dreams.report", {}),
        ("guidance", {"project": "/project/api"}),
        ("sessions.start", {"project": "/project/api"}),
        ("sessions.list", {}),
        ("sessions.queue", {}),
        ("sessions.run", {}),
        ("sessions.rebuild", {"project": "/project/api"}),
        ("auto_crystallize", {}),
        ("forget", {"scope": "/nowhere"}),
        ("purge", {"scope": "/nowhere", "reason": "a test"}),
    ],
)
def test_answers_are_as_the_document_says(api: httpx.Client, name: str, values: dict[str, Any]) -> None:
    call, told = CALLS[name], document()
    known = {"text": "The archive runs PostgreSQL in Cork", "concepts": ["PostgreSQL"], "key": "known"}
    api.post("/v1/memories", json=known)  # which of these tests ran before, nobody knows
    fitting = jsonschema.Draft202012Validator
    if call.method == "GET":
        answer = api.get("/v1" + call.path, params=values)
    else:
        answer = api.request(call.method, "/v1" + call.path, json=values)
    assert answer.status_code in (200, 201), answer.text
    shape = told["paths"]["/v1" + call.path][call.method.lower()]["responses"][str(answer.status_code)]
    wrong = list(fitting(resolved(told, shape["content"]["application/json"]["schema"])).iter_errors(answer.json()))
    assert wrong == []


def test_answers_about_one_memory_are_as_the_document_says(api: httpx.Client) -> None:
    told = document()
    made = api.post("/v1/memories", json={"text": "One memory, looked at from all sides"}).json()
    for name in ("get", "history", "explain", "pin", "unpin", "promote", "demote", "confirm", "used", "challenge"):
        call = CALLS[name]
        path = "/v1" + call.path.replace("{id}", made["memory"]["id"])
        answer = api.request(call.method, path)
        shape = told["paths"]["/v1" + call.path][call.method.lower()]["responses"]["200"]["content"]["application/json"]
        jsonschema.validate(answer.json(), resolved(told, shape["schema"]))
    receipt = api.get(f"/v1/receipts/{made['receipt_id']}").json()
    jsonschema.validate(receipt, resolved(told, {"$ref": "#/components/schemas/Receipt"}))
    problem = api.get("/v1/receipts/r999999").json()
    jsonschema.validate(problem, resolved(told, {"$ref": "#/components/schemas/Problem"}))
