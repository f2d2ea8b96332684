"""What the memory tool is given with each action, as JSON Schema: the names of its own table, the shapes of ours."""

from __future__ import annotations

from remanence.interfaces.shapes import SHAPES, TAGS, Shape
from remanence.tools.arguments import ACTIONS, MOST_IDS, MOST_SHOWN, SOURCES, STATES, Action

_WHEN: Shape = {"anyOf": [SHAPES["older_than"], {"type": "string", "format": "date"}]}
_SHAPES: dict[str, Shape] = {
    "ids": {**SHAPES["ids"], "maxItems": MOST_IDS},
    "kinds": TAGS,
    "source": {"type": "string", "enum": list(SOURCES)},
    "since": _WHEN,
    "until": _WHEN,
    "state": {"type": "string", "enum": list(STATES)},
    "limit": {**SHAPES["limit"], "maximum": MOST_SHOWN},
}


def _given(action: Action) -> Shape:
    properties = {name: _SHAPES.get(name) or SHAPES.get(name) or SHAPES["text"] for name in action.names}
    properties |= dict.fromkeys(action.blank, SHAPES["passage"])
    if "kind" in properties and "content" in properties:  # what is written, and not a filter
        properties["kind"] = SHAPES["new_kind"]
    shape: Shape = {"type": "object", "properties": properties, "additionalProperties": False}
    if action.required:
        shape["required"] = list(action.required)
    if action.any_of:
        shape["minProperties"] = 1
    return shape


def _with(name: str, action: Action) -> Shape:
    given = _given(action)
    if name == "restore":
        given["maxProperties"] = 1
    wanted = ["action", "arguments"] if action.required or action.any_of else ["action"]
    return {"properties": {"action": {"const": name}, "arguments": given}, "required": wanted}


TOOL: Shape = {"oneOf": [_with(name, action) for name, action in ACTIONS.items()]}
