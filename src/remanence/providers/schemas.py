"""The part of JSON Schema that answers of language models are held to.

`type` (one or several), `properties`, `required`, `items`, `enum`, `additionalProperties`, `minLength`, `maxLength`,
`minItems`, `maxItems`, `minimum`, `maximum`, and for the model `title` and `description`. Two things are stricter than
the standard: the whole must be an object, which is all that most servers can constrain an answer to, and an object has
no other properties than those named unless it says `additionalProperties: true`.

Problems name places and limits in the schema's own words. They never repeat what the model wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from remanence.errors import InvalidInput

MOST_PROBLEMS = 5
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_LIMITS = {"minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"}
_KNOWN = {"type", "properties", "required", "items", "enum", "additionalProperties", "title", "description"} | _LIMITS


def closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with every object closed that does not say otherwise; InvalidInput for what is not checked here."""
    found = list(_wrong(schema, "$"))
    if not found and "object" not in _types(schema):
        found = ['$ must have the type "object"']
    if found:
        raise InvalidInput(f"the schema cannot be used: {one}" for one in found)
    return _closed(schema)


def problems(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """What is wrong with a value, the first few things; empty where it is valid. The schema is a `closed` one."""
    return list(islice(_problems(value, schema, "$"), MOST_PROBLEMS))


def complete(schema: Mapping[str, Any]) -> bool:
    """Every object is closed and requires all it names: only such schemas may be asked for as strict."""
    if schema.get("additionalProperties"):
        return False
    named = schema.get("properties", {})
    if named.keys() != set(schema.get("required", ())):
        return False
    return all(complete(one) for one in (*named.values(), *([schema["items"]] if "items" in schema else [])))


def _types(schema: Mapping[str, Any]) -> tuple[str, ...]:
    given = schema.get("type", ())
    return (given,) if isinstance(given, str) else tuple(given)


def _wrong(schema: Any, place: str) -> Iterator[str]:
    if not isinstance(schema, Mapping):
        yield f"{place} is no mapping"
        return
    for name in schema.keys() - _KNOWN:
        yield f"{place} has {name!r}, which is not checked"
    unknown = set(_types(schema)) - _TYPES.keys()
    if unknown or not (_types(schema) or "enum" in schema):
        yield f"{place} needs a type or an enum; types are {', '.join(_TYPES)}"
    if not isinstance(schema.get("additionalProperties", False), bool):
        yield f"{place}.additionalProperties must be true or false"
    named = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in named:
            yield f"{place} requires {name!r}, which is none of its properties"
    for name, one in named.items():
        yield from _wrong(one, f"{place}.{name}")
    if "items" in schema:
        yield from _wrong(schema["items"], f"{place}[]")


def _closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(schema)
    if "object" in _types(schema):
        made.setdefault("additionalProperties", False)
        made["properties"] = {name: _closed(one) for name, one in schema.get("properties", {}).items()}
    if "items" in schema:
        made["items"] = _closed(schema["items"])
    return made


def _problems(value: Any, schema: Mapping[str, Any], place: str) -> Iterator[str]:
    types = _types(schema)
    if types and not any(_is(value, one) for one in types):
        yield f"{place} must be {' or '.join(types)}, not {_type_of(value)}"
        return
    if "enum" in schema and not any(type(value) is type(one) and value == one for one in schema["enum"]):
        yield f"{place} must be one of: {', '.join(map(repr, schema['enum']))}"
    if isinstance(value, str):
        limits = schema.get("minLength"), schema.get("maxLength")
        yield from _outside(len(value), *limits, f"{place} has {len(value)} characters")
    elif isinstance(value, list):
        limits = schema.get("minItems"), schema.get("maxItems")
        yield from _outside(len(value), *limits, f"{place} has {len(value)} items")
        for number, one in enumerate(value):
            yield from _problems(one, schema.get("items", {}), f"{place}[{number}]")
    elif isinstance(value, dict):
        named = schema.get("properties", {})
        missing = [name for name in schema.get("required", ()) if name not in value]
        if missing:
            yield f"{place} lacks {', '.join(missing)}"
        if schema.get("additionalProperties", True) is False and (others := len(value.keys() - named.keys())):
            yield f"{place} has {others} properties that the schema does not name"
        for name, one in value.items():
            if name in named:
                yield from _problems(one, named[name], f"{place}.{name}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _outside(value, schema.get("minimum"), schema.get("maximum"), f"{place} is out of range")


def _outside(size: float, least: float | None, most: float | None, said: str) -> Iterator[str]:
    if least is not None and size < least:
        yield f"{said}; {least} is the least"
    if most is not None and size > most:
        yield f"{said}; {most} is the most"


def _is(value: Any, name: str) -> bool:
    return isinstance(value, _TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def _type_of(value: Any) -> str:
    return next((name for name in _TYPES if _is(value, name)), "something else")
