"""The OpenAPI 3.1 document, made from the table of calls."""

from __future__ import annotations

from typing import Any

import remanence
from remanence.interfaces.calls import CALLS, READ, Call
from remanence.interfaces.serve.problems import TITLES
from remanence.interfaces.shapes import SHAPES, Shape

_PROBLEM: Shape = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "description": "Stable: for programs."},
        "problems": {"type": "array", "items": {"type": "string"}},
        "fields": {"type": "array", "items": {"type": "string"}},
        "instance": {"type": "string"},
    },
    "required": ["type", "title", "status", "detail", "code"],
}
_EXAMPLES: dict[str, dict[str, Any]] = {
    "remember": {"text": "The staging database runs PostgreSQL in Dublin", "scope": "/project/shop", "kind": "fact"},
    "recall": {"query": "where does the staging database run", "limit": 5},
    "context": {"query": "who leads the API team", "budget_tokens": 1000},
    "forget": {"scope": "/project/shop", "older_than": "30d", "categories": ["test"]},
    "purge": {"ids": ["01900000-0000-7000-8000-000000000000"], "reason": "asked by its owner"},
    "absorb": {"text": "Maria joined in May. She leads the API team.", "scope": "/team"},
}
_ERRORS = (400, 401, 403, 404, 409, 413, 415, 421, 422, 429, 503, 504)
_ANSWERS: dict[str, Shape] = {
    "str": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    "int": {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]},
    "Hits": {
        "type": "object",
        "properties": {name: {"type": "array"} for name in ("hits", "missed", "notes")},
        "required": ["hits", "missed", "notes"],
    },
    "Memory": {
        "type": "object",
        "properties": {"id": SHAPES["id"], "text": {"type": "string"}, "scope": {"type": "string"}},
        "required": ["id", "text", "scope", "state", "kind", "layer", "revision"],
    },
    "Remembered": {
        "type": "object",
        "properties": {
            "outcome": {"enum": ["added", "superseded", "duplicate", "quarantined", "blocked"]},
            "memory": {"anyOf": [{"$ref": "#/components/schemas/Memory"}, {"type": "null"}]},
        },
        "required": ["memory", "outcome", "similar", "receipt_id"],
    },
    "Receipt": {"type": "object", "required": ["id", "verb", "at", "applied", "skipped"]},
    "Plan": {"type": "object", "required": ["key", "verb", "changes"]},
}
_LIST: Shape = {"type": "object", "properties": {"items": {"type": "array"}}, "required": ["items"]}


def document() -> dict[str, Any]:
    """The whole document."""
    paths: dict[str, Any] = {}
    for call in CALLS.values():
        paths.setdefault("/v1" + call.path, {})[call.method.lower()] = _operation(call)
    for path, method, operation in _SPECIAL:
        paths.setdefault(path, {})[method] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "remanence",
            "version": remanence.__version__,
            "summary": "Memory for AI agents that knows how to forget.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Problem": _PROBLEM, **_ANSWERS},
        },
    }


def _operation(call: Call) -> dict[str, Any]:
    outside = [argument for argument in call.arguments if argument.name in call.in_path]
    inside = [argument for argument in call.arguments if argument.name not in call.in_path]
    parameters: list[dict[str, Any]] = [
        {"name": one.name, "in": "path", "required": True, "schema": one.shape} for one in outside
    ]
    operation: dict[str, Any] = {
        "operationId": call.name.replace(".", "_"),
        "summary": call.help,
        "tags": [call.name.split(".")[0] if "." in call.name else "memories"],
    }
    if call.method == "GET":
        for one in inside:
            shape = one.shape["anyOf"][1] if "anyOf" in one.shape else one.shape
            parameters.append({"name": one.name, "in": "query", "required": one.required, "schema": shape})
        if call.paged:
            parameters.append({"name": "cursor", "in": "query", "schema": _CURSORS[call.paged]})
    else:
        operation["requestBody"] = _body(call, inside)
    if call.effect != READ:
        parameters.append(
            {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "pattern": "^[A-Za-z0-9-]{8,64}$"}}
        )
    return operation | {"parameters": parameters, "responses": _responses(call)}


_CURSORS: dict[str, Shape] = {
    "place": {"type": "string", "pattern": "^[1-9][0-9]{14}~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
    "journal": {"type": "string", "pattern": r"^r[0-9]{1,9}\.[0-9]{1,9}$"},
    "offset": {"type": "string", "pattern": "^o[0-9]{1,6}$"},
}


def _body(call: Call, arguments: list[Any]) -> dict[str, Any]:
    schema: Shape = {
        "type": "object",
        "properties": {one.name: one.shape for one in arguments},
        "additionalProperties": False,
    }
    required = [one.name for one in arguments if one.required]
    if required:
        schema["required"] = required
    if call.schema is not None:
        schema = {**schema, **call.schema}
    content: dict[str, Any] = {"schema": schema}
    if call.name in _EXAMPLES:
        content["examples"] = {"usual": {"value": _EXAMPLES[call.name]}}
    return {"required": bool(required) or call.schema is not None, "content": {"application/json": content}}


def _responses(call: Call) -> dict[str, Any]:
    errors = {
        str(number): {
            "description": TITLES[number],
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for number in _ERRORS
    }
    if call.answer == "None":
        return {"204": {"description": "Done"}, **errors}
    if call.answer in _ANSWERS:
        schema: Shape = {"$ref": f"#/components/schemas/{call.answer}"}
    else:
        schema = _LIST if call.answer.startswith("list[") else {"type": "object"}
    done = {"description": call.help or "Done", "content": {"application/json": {"schema": schema}}}
    if call.name == "remember":
        return {"201": done, "200": done, **errors}
    if call.answer == "Written":
        return {"200": done, "204": {"description": "Another process is at it"}, **errors}
    if call.name == "get":
        return {"200": done, "304": {"description": "It is as you know it"}, **errors}
    return {"200": done, **errors}


def _plain(summary: str, content: dict[str, Any], *errors: int, **rest: Any) -> dict[str, Any]:
    problems = {
        str(number): {
            "description": TITLES[number],
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for number in (errors or _ERRORS)
    }
    return {"summary": summary, "responses": {"200": {"description": summary, "content": content}, **problems}, **rest}


_LINES = {
    "application/x-ndjson": {"schema": {"type": "string"}, "examples": {"usual": {"value": '{"text": "A fact"}'}}}
}
_SPECIAL: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "/v1/memories/bulk",
        "post",
        _plain(
            "Add the memories of NDJSON lines, each a text or an object with remember's fields.",
            {"application/json": {"schema": {"type": "object", "required": ["read", "stored", "rejected"]}}},
            operationId="bulk",
            requestBody={"required": True, "content": _LINES},
        ),
    ),
    (
        "/v1/export",
        "get",
        _plain(
            "Every memory as NDJSON, or as Markdown.",
            {"application/x-ndjson": {"schema": {"type": "string"}}, "text/markdown": {"schema": {"type": "string"}}},
            operationId="export",
            parameters=[{"name": "format", "in": "query", "schema": {"enum": ["jsonl", "markdown"]}}],
        ),
    ),
    (
        "/v1/import",
        "post",
        _plain(
            "Add the memories of an export.",
            {"application/json": {"schema": {"type": "object", "required": ["read", "added"]}}},
            operationId="import",
            requestBody={"required": True, "content": _LINES},
        ),
    ),
    (
        "/v1/events",
        "get",
        _plain(
            "The journal as server-sent events, from now on, or after a place in it.",
            {"text/event-stream": {"schema": {"type": "string"}}},
            operationId="events",
            parameters=[{"name": "after", "in": "query", "schema": SHAPES["after"]}],
        ),
    ),
    (
        "/healthz",
        "get",
        _plain(
            "The process answers.",
            {"application/json": {"schema": {"type": "object"}}},
            421,
            403,
            operationId="healthz",
            security=[],
        ),
    ),
    (
        "/readyz",
        "get",
        _plain(
            "The store answers.",
            {"application/json": {"schema": {"type": "object"}}},
            421,
            403,
            503,
            operationId="readyz",
            security=[],
        ),
    ),
)
