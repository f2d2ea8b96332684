"""Arguments of a call against their shapes: unknown names, what is missing, types and ranges, all problems at once.

Texts, scopes and durations are asked of the library's own checks, so that nothing is told one problem at a time; what
else cannot be stored the library says. Moments become datetimes, whole numbers written as 5.0 integers, and a policy's
own numbers a policy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from remanence.errors import InvalidInput
from remanence.interfaces.calls import CALLS, Call
from remanence.interfaces.shapes import MOMENT, POLICY, PROJECT, SHAPES, Shape
from remanence.model.checks import shown, text_problems
from remanence.model.duration import duration_problems
from remanence.model.moment import parse_moment
from remanence.model.scope import Project, scope_problems

_SHORT = 2000
_EACH = "each of "
_MOST_PROBLEMS = 100
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}
_OWN: dict[str, Callable[[Any, str], list[str]]] = {
    "text": text_problems,
    "query": text_problems,
    "scope": scope_problems,
    "ttl": duration_problems,
    "older_than": duration_problems,
}
"""What the library says of a text, by the name of its shape."""
_NAMES = {
    "string": "text",
    "boolean": "true or false",
    "integer": "a whole number",
    "array": "a list",
    "object": "an object",
}


def checked(call: Call, given: Mapping[str, Any], extra: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The arguments as the library takes them; InvalidInput with every problem."""
    known = {argument.name: argument for argument in call.arguments}
    problems = [f"unknown field {name[:80]!r}" for name in given if name not in known and name not in extra]
    arguments: dict[str, Any] = {}
    for name, argument in known.items():
        value = given.get(name)
        if value is None:
            if argument.required:
                problems.append(f"{name} is missing")
            elif name in given:
                problems.append(f"{name} must not be null: leave it out")
            continue
        if isinstance(value, float) and argument.shape.get("type") == "integer" and value.is_integer():
            value = int(value)
        found = value_problems(value, argument.shape, name)
        if not found and argument.shape_name in _OWN:
            found = _OWN[argument.shape_name](value, name)
        problems += found
        if not found:
            try:
                arguments[name] = _typed(value, argument.shape)
            except InvalidInput as invalid:
                problems += invalid.problems
            except ValueError as reason:
                problems.append(f"{name}: {reason}")
    if not problems:
        problems += _broken(call, _body(call, given))
    if problems:
        raise InvalidInput(problems)
    return arguments


def _broken(call: Call, body: Mapping[str, Any]) -> list[str]:
    """The rules between arguments that do not hold, in words."""
    return [words for schema, words in call.rules if not _holds(schema, body)]


def _body(call: Call, given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name not in call.in_path}


def _typed(value: Any, shape: Shape) -> Any:
    if shape is MOMENT:
        return parse_moment(value)
    if shape is PROJECT:
        return Project(value)
    if shape is SHAPES["items"]:
        return _items(value)
    if shape is POLICY and isinstance(value, dict):
        from remanence.policies.reading import from_values

        return from_values(value, "policy", str(value.get("name", "your own")))
    return value


def _items(values: list[Any]) -> list[dict[str, Any]]:
    """What remember is given of each of many: a text, or an object with its fields."""
    made: list[dict[str, Any]] = []
    problems: list[str] = []
    for number, item in enumerate(values):
        try:
            made.append(checked(CALLS["remember"], {"text": item} if isinstance(item, str) else item))
        except InvalidInput as invalid:
            problems += (f"item {number}: {problem}" for problem in invalid.problems)
            if len(problems) > _MOST_PROBLEMS:
                problems.append("and perhaps more: the rest was not looked at")
                break
    if problems:
        raise InvalidInput(problems)
    return made


def value_problems(value: Any, shape: Shape, name: str) -> list[str]:
    """Why a value has not this shape."""
    if shape is POLICY and isinstance(value, dict):
        # Its reader names every other problem; to it, what is null is not there.
        plain = value and isinstance(value.get("extends", ""), str)
        return [] if plain else [f"{name} must have settings of a policy, and extends must name a preset"]
    if shape is SHAPES["items"] and isinstance(value, list):
        wrong = next((one for one in value if not isinstance(one, (str, dict))), None)
        if wrong is not None:
            return [f"each of {name} must be text or an object, not {_told(wrong)}"]
        shape = {name: part for name, part in shape.items() if name != "items"}
    if shape is PROJECT and isinstance(value, str) and not value.startswith("/"):
        return [f"{name} {shown(value)!r} must be a scope such as /project/api"]
    if shape is SHAPES["scope"] and isinstance(value, str):
        return scope_problems(value, name)
    if "anyOf" in shape:
        found = [value_problems(value, one, name) for one in shape["anyOf"]]
        if not all(found):
            return []
        fitting = [one for one, way in zip(found, shape["anyOf"], strict=True) if _is_of_type(value, way)]
        if not fitting:
            return [_not_of_type(value, shape["anyOf"], name)]
        return fitting[0] if len(fitting) == 1 else [] if _is_in_words(value, shape) else [_any_of(value, name)]
    if shape.get("type") is not None and not _is_of_type(value, shape):
        return [_not_of_type(value, [shape], name)]
    if "enum" in shape and value not in shape["enum"]:
        return [f"{_with(name, repr(shown(value)))} is not one of {', '.join(shape['enum'])}"]
    if isinstance(value, str):
        return _text_problems(value, shape, name)
    if isinstance(value, list):
        return _list_problems(value, shape, name)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = shape.get("minimum", value), shape.get("maximum", value)
        return [] if low <= value <= high else [f"{_with(name, shown(value))} is outside {low} to {high}"]
    return []


def _is_in_words(value: Any, shape: Shape) -> bool:
    """Whether it is a moment in words, of which the library knows more than a schema can say."""
    return isinstance(value, str) and 0 < len(value) <= _SHORT and MOMENT in shape["anyOf"]


def _not_of_type(value: Any, ways: list[Shape], name: str) -> str:
    kinds = [kind for way in ways for kind in ([way["type"]] if isinstance(way["type"], str) else way["type"])]
    what = " or ".join(_NAMES.get(kind, f"a {kind}") for kind in dict.fromkeys(kinds))
    return f"{name} must be {what}, not {_told(value)}"


def _any_of(value: Any, name: str) -> str:
    return f"{name} {shown(value)!r} is none of what it may be; see its shape in /v1/openapi.json"


def _text_problems(value: str, shape: Shape, name: str) -> list[str]:
    longest, least = shape.get("maxLength", len(value)), shape.get("minLength", 0)
    if len(value) > longest:
        return [f"{name} has {len(value):,} characters; the limit is {longest:,}"]
    if len(value) < least:
        return [f"{name} is blank"]
    return []


def _list_problems(value: list[Any], shape: Shape, name: str) -> list[str]:
    if len(value) > (most := shape.get("maxItems", len(value))):
        return [f"{name} has {len(value):,} entries; the limit is {most:,}"]
    if len(value) < shape.get("minItems", 0):
        return [f"{name} is empty"]
    for item in value:
        if problems := value_problems(item, shape.get("items", {}), f"{_EACH}{name}"):
            return problems
    return []


def _with(name: str, value: str) -> str:
    """A field and its value; of a list, the one that is wrong: "budgets has 150, which"."""
    return f"{name.removeprefix(_EACH)} has {value}, which" if name.startswith(_EACH) else f"{name} {value}"


def _is_of_type(value: Any, shape: Shape) -> bool:
    kinds = shape.get("type", ())
    wanted = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(value, bool):
        return "boolean" in wanted
    return any(isinstance(value, _TYPES[kind]) for kind in wanted)


def _told(value: Any) -> str:
    return {bool: "a flag", dict: "an object", list: "a list", str: "text"}.get(type(value), type(value).__name__)


def _holds(schema: Shape, value: Mapping[str, Any]) -> bool:
    """Whether what must hold between arguments does."""
    return (
        all(name in value for name in schema.get("required", ()))
        and len(value) >= schema.get("minProperties", 0)
        and all(_holds(one, value) for one in schema.get("allOf", ()))
        and ("anyOf" not in schema or any(_holds(one, value) for one in schema["anyOf"]))
        and ("oneOf" not in schema or sum(_holds(one, value) for one in schema["oneOf"]) == 1)
        and ("not" not in schema or not _holds(schema["not"], value))
        and all(
            value[name] == one["const"]
            for name, one in schema.get("properties", {}).items()
            if name in value and "const" in one
        )
    )
