"""The OpenAPI 3.1 document, made from the table of calls."""

from __future__ import annotations

import inspect
from typing import Any

import remanence
from remanence.interfaces.calls import CALLS, READ, Argument, Call
from remanence.interfaces.serve.answers import Answers, method_of
from remanence.interfaces.serve.problems import TITLES
from remanence.interfaces.serve.reading import most_in_query
from remanence.interfaces.serve.repeats import KEY
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
_ERRORS = (400, 401, 403, 404, 408, 413, 415, 421, 422, 429, 503, 504)
_MORE_ERRORS = {"dreams.run": (502,), "dream": (502,), "compact": (502,), "consolidate": (502,), "crystallize": (502,)}


def document() -> dict[str, Any]:
    """The whole document."""
    paths: dict[str, Any] = {}
    answers = Answers()
    for call in CALLS.values():
        paths.setdefault("/v1" + call.path, {})[call.method.lower()] = _operation(call, answers)
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
            "schemas": {"Problem": _PROBLEM, **dict(sorted(answers.components.items()))},
        },
    }


def _operation(call: Call, answers: Answers) -> dict[str, Any]:
    outside = [argument for argument in call.arguments if argument.name in call.in_path]
    inside = [argument for argument in call.arguments if argument.name not in call.in_path]
    parameters: list[dict[str, Any]] = [
        {"name": one.name, "in": "path", "required": True, "schema": one.shape} for one in outside
    ]
    operation: dict[str, Any] = {
        "operationId": _id(call),
        "summary": call.help,
        "tags": [call.name.split(".")[0] if "." in call.name else "memories"],
    }
    if call.method == "GET":
        for one in inside:
            many = {"maxItems": most_in_query(one.name)}
            shape = {**one.shape["anyOf"][1], **many} if one.is_many else _with_default(call, one)
            parameters.append({"name": one.name, "in": "query", "required": one.required, "schema": shape})
        if call.paged:
            parameters.append({"name": "cursor", "in": "query", "schema": _CURSORS[call.paged]})
    else:
        operation["requestBody"] = _body(call, inside)
    if call.effect != READ:
        parameters.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "schema": {"type": "string", "pattern": KEY},
                "description": "The same request with the same key is done once.",
            }
        )
    if _may_match(call):
        parameters.append(_HEADERS["If-Match"])
    if call.name == "get":
        parameters.append(_HEADERS["If-None-Match"])
    return operation | {"parameters": parameters, "responses": _responses(call, answers)}


_HEADERS = {
    name: {
        "name": name,
        "in": "header",
        "schema": {"type": "string", **more},
        "example": 'W/"1"',
        "description": help,
    }
    for name, more, help in (
        ("If-Match", {"pattern": '^W/"[1-9][0-9]{0,8}"$'}, "The ETag that you have: 412 if it has changed since."),
        ("If-None-Match", {}, "The ETag that you have: 304 if it is the same still."),
    )
}
_CURSORS: dict[str, Shape] = {
    "place": {"type": "string", "pattern": "^([1-9][0-9]{14}~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|o[0-9]{1,6})$"},
    "journal": {"type": "string", "pattern": r"^a?r[0-9]{1,9}\.[0-9]{1,9}$"},
    "receipts": {"type": "string", "pattern": r"^r[0-9]{1,18}$"},
    "offset": {"type": "string", "pattern": "^o[0-9]{1,6}$"},
}


_GATHERED = {"like_recall": "recall", "like_remember": "remember"}
_READ_FROM_THE_TEXT = ("absorb", "kind")


def _with_default(call: Call, argument: Argument) -> Shape:
    """An argument's shape with what holds when it is left out, as the library's own signature says it."""
    if argument.name == "source" and call.name != "revise":
        return {**argument.shape, "default": "ai", "description": "`human` needs a token that may speak for people."}
    parameters = dict(inspect.signature(method_of(call.name)).parameters)
    for name in parameters.keys() & _GATHERED.keys():
        parameters = {**inspect.signature(method_of(_GATHERED[name])).parameters, **parameters}
    default = parameters[argument.name].default if argument.name in parameters else None
    is_told = isinstance(default, (str, int, float)) and (call.name, argument.name) != _READ_FROM_THE_TEXT
    return {**argument.shape, "default": default} if is_told else argument.shape


def _body(call: Call, arguments: list[Any]) -> dict[str, Any]:
    schema: Shape = {
        "type": "object",
        "properties": {one.name: _with_default(call, one) for one in arguments},
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


def _responses(call: Call, answers: Answers) -> dict[str, Any]:
    numbers = [
        *_ERRORS,
        *((409,) if call.effect != READ or call.paged == "place" else ()),
        *((412,) if _may_match(call) else ()),
    ]
    errors = _problems(*sorted({*numbers, *_MORE_ERRORS.get(call.name, ())}))
    schema = answers.of(call)
    if schema is None:
        return {"204": {"description": "Done"}, **errors}
    done: dict[str, Any] = {"description": call.help or "Done", "content": {"application/json": {"schema": schema}}}
    if links := _links(call):
        done["links"] = links
    if call.answer == "Memory":
        done["headers"] = {"ETag": {"description": "The memory's revision.", "schema": {"type": "string"}}}
    if call.name == "remember":
        return {"201": done, "200": done, **errors}
    if call.answer == "Written":
        return {"200": done, "204": {"description": "Another process is at it"}, **errors}
    if call.name == "get":
        return {"200": done, "304": {"description": "It is as you know it"}, **errors}
    return {"200": done, **errors}


def _may_match(call: Call) -> bool:
    return call.effect != READ and "id" in call.in_path


def _problems(*numbers: int) -> dict[str, Any]:
    return {
        str(number): {
            "description": TITLES[number],
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for number in numbers
    }


_MADE = {"Remembered": "/memory/id", "Memory": "/id", "Action": "/memory/id"}
_RECEIPTS = {"Remembered": "/receipt_id", "Receipt": "/id", "Absorbed": "/receipt_id", "Certificate": "/receipt_id"}


def _links(call: Call) -> dict[str, Any]:
    """What can be asked next about what came of a call."""
    found: dict[str, Any] = {}
    if call.effect != READ and call.answer in _MADE:
        wanted = "/actions/{id}" if call.answer == "Action" else "/memories/{id}"
        for next_ in CALLS.values():
            if next_.path.startswith(wanted) and next_.name != call.name:
                found[_id(next_)] = _link(next_, id=_MADE[call.answer])
    if call.effect != READ and call.answer in _RECEIPTS:
        for name in ("receipt", "undo"):
            found[_id(CALLS[name])] = _link(CALLS[name], receipt_id=_RECEIPTS[call.answer])
    if call.answer == "Plan":
        body = {"operationId": "apply", "requestBody": {"plan": "$response.body#/key"}}
        found["apply"] = body
    if call.name == "sessions.start":
        for next_ in CALLS.values():
            if next_.path.startswith("/sessions/{"):
                found[_id(next_)] = _link(next_, **{next_.in_path[0]: "/id"})
    return found


def _link(call: Call, **parameters: str) -> dict[str, Any]:
    return {
        "operationId": _id(call),
        "parameters": {name: f"$response.body#{where}" for name, where in parameters.items()},
    }


def _id(call: Call) -> str:
    return call.name.replace(".", "_")


def _plain(summary: str, content: dict[str, Any], *errors: int, **rest: Any) -> dict[str, Any]:
    problems = _problems(*(errors or _ERRORS))
    return {"summary": summary, "responses": {"200": {"description": summary, "content": content}, **problems}, **rest}


_LINES = {"application/x-ndjson": {"schema": {}, "examples": {"usual": {"value": '{"text": "A fact"}'}}}}
_SPECIAL: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "/v1/token",
        "get",
        _plain(
            "What the bearer of this token may do.",
            {
                "application/json": {
                    "schema": {"type": "object", "required": ["name", "namespace", "read_only", "demo"]}
                }
            },
            operationId="token",
        ),
    ),
    (
        "/v1/demo",
        "post",
        _plain(
            "Make a made-up year of memories in an empty namespace that is called demo or demo-anything.",
            {"text/event-stream": {"schema": {"type": "string"}}},
            operationId="demo",
            requestBody={
                "content": {
                    "application/json": {
                        "schema": {"type": "object", "properties": {"days": {"type": "integer"}}},
                        "examples": {"usual": {"value": {}}},
                    }
                }
            },
        ),
    ),
    (
        "/v1/demo",
        "delete",
        _plain(
            "Take away the demo of a namespace for good.",
            {"text/event-stream": {"schema": {"type": "string"}}},
            operationId="demo_remove",
        ),
    ),
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
            requestBody={"required": True, "content": {"application/x-ndjson": {"schema": {}}}},
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
