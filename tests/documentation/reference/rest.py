"""The reference page of REST, from the OpenAPI document that the server itself gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from remanence.interfaces.calls import CALLS
from remanence.interfaces.serve.openapi import document
from tests.documentation.reference.library import ARGUMENTS

HEAD = """# REST

{written}

The calls of `rem serve`, as `/v1/openapi.json` describes them; that has every schema too. How to serve a store, make a
token and call it: [serve a store](../howto/serve.md). Every call but the two probes wants `Authorization: Bearer
TOKEN`; `Remanence-Namespace` and `Remanence-Scope` say where it is meant. A call that writes takes an
`Idempotency-Key`. Mistakes are `application/problem+json` with the codes of [errors](errors.md). Answers have the
fields of the library's [values](values.md); a list stands under `items`, a text under `text`, a number under `count`.

**May** says what a token needs: *read*, *write* (not one that reads only), *destroy* (likewise; nothing undoes it).
**Scope** says what a token that is kept to a scope gets of it: *kept* to its scope, or *refused*.
"""
TITLES = {
    "memories": "Memories",
    "review": "Review",
    "entities": "Entities",
    "policies": "Policies",
    "dreams": "Dreams",
    "actions": "Actions",
    "lessons": "Lessons",
    "sessions": "Sessions",
    "artifacts": "Artifacts",
    "meaning": "Meaning",
    "": "Beside the library",
}


def page(written: str) -> str:
    operations = list(_operations())
    lines = [HEAD.format(written=written)]
    assert {tag for _, _, one in operations for tag in one.get("tags", [""])} == set(TITLES)
    for tag, title in TITLES.items():
        lines += [f"## {title}", ""]
        for path, method, operation in operations:
            if operation.get("tags", [""]) == [tag]:
                lines += _call(path, method, operation)
    return "\n".join(lines)


def _operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def _call(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    yield from (f"### {method} {path}", "", operation["summary"], "")
    call = CALLS.get(operation["operationId"]) or CALLS.get(operation["operationId"].replace("_", ".", 1))
    if call is not None and call.rules:
        yield from (f"Between arguments: {'; '.join(words for _, words in call.rules)}.", "")
    told = {} if call is None else {one.name: one.help for one in ARGUMENTS.get(call.name, ())}
    if rows := list(_arguments(operation, told)):
        yield from ("| argument | in | type | |", "|---|---|---|---|", *rows, "")
    if call is not None:
        scope = "refused" if call.reach == "whole" else "kept"
        yield from (
            f"May: {call.effect} · Scope: {scope} · Answer: {_answer(call.answer)} · Library: `mind.{call.name}`",
            "",
        )
    else:
        kinds = ", ".join(f"`{one}`" for one in operation["responses"]["200"]["content"])
        yield from (f"Answer: {kinds}", "")


def _answer(name: str) -> str:
    inner = name.removeprefix("list[").removesuffix("]")
    if inner[:1].isupper() and inner != "None":
        link = f"[{inner}](values.md#{inner.lower()})"
        return f"list of {link}" if name != inner else link
    return "nothing" if name == "None" else f"`{name}`"


def _arguments(operation: dict[str, Any], told: dict[str, str]) -> Iterator[str]:
    for one in operation.get("parameters", ()):
        if one["in"] != "header":
            yield _row(one["name"], one["in"], one["schema"], one.get("required", False), told)
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = content["schema"]
        if kind == "application/x-ndjson":
            yield f"| | body | `{kind}` | |"
        for name, shape in schema.get("properties", {}).items():
            yield _row(name, "body", shape, name in schema.get("required", ()), told)


def _row(name: str, place: str, schema: dict[str, Any], required: bool, told: dict[str, str]) -> str:
    about = re.sub("; ('-' reads it from standard input|may be given several times)", "", told.get(name, ""))
    notes = [about or _bounds(schema), "Required." if required else ""]
    return f"| `{name}` | {place} | {_type(schema)} | {' '.join(filter(None, notes))} |"


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        kind = " or ".join(kind)
    return f"list of {_type(schema.get('items', {}))}" if kind == "array" else str(kind)


def _bounds(schema: dict[str, Any]) -> str:
    if "minimum" in schema and "maximum" in schema:
        return f"{schema['minimum']:,} to {schema['maximum']:,}."
    if "minimum" in schema:
        return f"{schema['minimum']:,} or more."
    if schema.get("maxLength") and schema.get("type") == "string":
        return f"At most {schema['maxLength']:,} characters."
    return str(schema.get("description", ""))
