"""The shape of every answer, as JSON Schema, made from the types that Mind's methods declare and `wire.encoded` sends.

A dataclass is a component with all of its fields; names beyond them may stand there too, since a value's own to_dict
tells what is derived. So a field that is added to a type is in the document without anybody writing it there.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from remanence.interfaces.calls.call import Call, answer_type
from remanence.interfaces.shapes import ID, Shape
from remanence.model.action import Action, Crystals
from remanence.model.extraction import Extraction
from remanence.model.hit import Absorbed, Hit, Hits, Remembered
from remanence.model.memory import Memory
from remanence.model.plan import Receipt
from remanence.model.policy import Policy

_PLAIN: dict[Any, Shape] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"},
    types.NoneType: {"type": "null"},
}
_LEFT_OUT: dict[type, tuple[str, ...]] = {Receipt: ("changes",)}
"""Fields that an answer may be without: a receipt of very many changes."""


class Answers:
    """The answers of calls, and the components that they refer to."""

    def __init__(self) -> None:
        self.components: dict[str, Shape] = {}
        # Problem is what an error is told in, and an Action something to do rather than what a plan does.
        self._types: dict[str, Any] = {"Problem": None, "Action": Action}

    def of(self, call: Call) -> Shape | None:
        """The body of a call's answer; None where it has none."""
        if call.name == "memory_tool":
            return {"type": "object", "description": "What the action says; see docs/howto/tools.md."}
        kind = answer_type(method_of(call.name))
        if kind in (None, types.NoneType):
            return None
        if get_origin(kind) in (Union, types.UnionType):
            (kind,) = (part for part in get_args(kind) if part is not types.NoneType)
        shape = _BODIES[kind](self) if kind in _BODIES else self.shape(kind)
        if shape.get("type") != "array":
            return shape
        properties: dict[str, Shape] = {"items": shape}
        if call.paged:
            properties["next"] = {
                "type": ["string", "null"],
                "description": "The cursor of what follows; null at the end.",
            }
        return _object(properties)

    def shape(self, kind: Any) -> Shape:
        """The shape of a value of this type."""
        if kind in _PLAIN:
            return _PLAIN[kind]
        origin, parts = get_origin(kind), get_args(kind)
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.shape(part) for part in parts]}
        if origin is tuple and parts[1:] != (...,):
            kinds: list[Shape] = []
            for shape in (one for part in parts for one in self.shape(part).get("anyOf", [self.shape(part)])):
                kinds += [] if shape in kinds else [shape]
            items = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
            return {"type": "array", "items": items, "minItems": len(parts), "maxItems": len(parts)}
        if origin in (tuple, list, frozenset, set, Sequence):
            return {"type": "array", "items": self.shape(parts[0])}
        if origin in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.shape(parts[1])}
        if isinstance(kind, type) and issubclass(kind, Enum):
            return self.named(self._name(kind), lambda: {"type": "string", "enum": [one.value for one in kind]})
        if isinstance(kind, type) and is_dataclass(kind):
            return self.named(self._name(kind), lambda: self._fields(kind))
        return {}

    def named(self, name: str, made: Callable[[], Shape]) -> Shape:
        """A reference to the component of this name, which is made where there is none."""
        if name not in self.components:
            self.components[name] = {}  # a type may hold itself
            self.components[name].update(made())
        return {"$ref": f"#/components/schemas/{name}"}

    def _name(self, kind: type) -> str:
        """What a type is called here: by its own name, or with its module's where another has that already."""
        name = kind.__name__
        if self._types.setdefault(name, kind) is not kind:
            name = kind.__module__.rpartition(".")[2].title() + name
            self._types[name] = kind
        return name

    def _fields(self, kind: type) -> Shape:
        hints = get_type_hints(kind, localns={"Mapping": Mapping})
        properties = {one.name: self.shape(hints[one.name]) for one in fields(kind)}
        if kind is Memory:
            properties["id"] = ID
        left_out = _LEFT_OUT.get(kind, ())
        return _object(properties, [name for name in properties if name not in left_out])


def _object(properties: dict[str, Shape], required: Sequence[str] | None = None) -> Shape:
    names = list(properties) if required is None else list(required)
    return {"type": "object", "properties": properties, "required": names}


def method_of(name: str) -> Callable[..., Any]:
    """Mind's method of this name, or that of one of its facets."""
    from remanence.aio import FACETS
    from remanence.mind import Mind

    first, _, rest = name.partition(".")
    found: Callable[..., Any] = getattr(FACETS[first], rest) if rest else getattr(Mind, first)
    return found


def _hits(answers: Answers) -> Shape:
    many: Shape = {"type": "array", "items": answers.shape(Hit)}
    notes: Shape = {"type": "array", "items": {"type": "string"}}
    return answers.named("Hits", lambda: _object({"hits": many, "missed": many, "notes": notes}))


def _absorbed(answers: Answers) -> Shape:
    parts: dict[str, Shape] = {
        "remembered": {"type": "array", "items": answers.shape(Remembered)},
        "extraction": answers.shape(Extraction),
        "receipt_id": {"type": ["string", "null"]},
    }
    return answers.named("Absorbed", lambda: _object(parts))


def _policy(answers: Answers) -> Shape:
    text: Shape = {"type": "string"}
    return answers.named("Policy", lambda: _object({"name": text, "about": text, "yaml": text}))


_BODIES: dict[Any, Callable[[Answers], Shape]] = {
    str: lambda answers: answers.named("Text", lambda: _object({"text": {"type": "string"}})),
    int: lambda answers: answers.named("Count", lambda: _object({"count": {"type": "integer"}})),
    Mapping[str, int]: lambda answers: answers.named(
        "Counts", lambda: {"type": "object", "additionalProperties": {"type": "integer"}}
    ),
    Hits: _hits,
    Absorbed: _absorbed,
    Policy: _policy,
    Crystals: lambda answers: {"type": "array", "items": answers.shape(Memory)},
}
