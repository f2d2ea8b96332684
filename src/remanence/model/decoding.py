"""Values made of the JSON that a server answers with: the same as the library gives, field by field.

`decoded` goes by the types that a dataclass declares. Names it does not know are passed over, since some are derived
and a newer server may have more; a field that is not there has its default. What reads a type is worked out once.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from remanence.model.action import Crystals
from remanence.model.hit import Absorbed, Hit, Hits, Remembered
from remanence.model.memory import Memory, memory_of
from remanence.model.plan import Change
from remanence.model.policy import Policy
from remanence.model.record import typed

Read = Callable[[Any], Any]


def decoded(kind: Any, value: Any) -> Any:
    """The value of this type that is told by plain JSON values; ValueError where it is none."""
    if value is None:
        return None
    read = reader(kind)
    if read is None:
        return value
    try:
        return read(value)
    except (LookupError, TypeError, AttributeError) as reason:
        name = getattr(kind, "__name__", str(kind))
        raise ValueError(f"that is no {name}: {type(reason).__name__} {str(reason)[:80]}") from None


@cache
def reader(kind: Any) -> Read | None:
    """What makes a value of this type of a plain one that is not None; None where they are the same."""
    if kind in _OWN:
        return _OWN[kind]
    if isinstance(kind, type) and not get_args(kind):
        if kind is datetime:
            return datetime.fromisoformat
        if issubclass(kind, Enum):
            return _word_of(kind)
        return _dataclass_of(kind) if is_dataclass(kind) else None
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _one_of(kind, parts)
    if origin is tuple:
        return _tuple_of(reader(parts[0])) if parts[1:] == (...,) else _row_of([reader(part) for part in parts])
    if origin in (list, Sequence):
        return _list_of(reader(parts[0]))
    if origin in (dict, Mapping):
        return _mapping_of(reader(parts[1]))
    return None


def _one_of(kind: Any, parts: tuple[Any, ...]) -> Read | None:
    """What reads X of X | None; of several types none may need reading, since JSON does not say which one it is."""
    reads = [read for part in parts if part is not types.NoneType and (read := reader(part)) is not None]
    if reads and len(parts) > 2:
        raise TypeError(f"JSON does not say which of {kind} it is")
    return reads[0] if reads else None


def _word_of(kind: type[Enum]) -> Read:
    known = {member.value: member for member in kind}

    def read(value: Any) -> Any:
        return known.get(value) or kind(value)

    return read


def _tuple_of(read: Read | None) -> Read:
    return tuple if read is None else lambda values: tuple(None if v is None else read(v) for v in values)


def _list_of(read: Read | None) -> Read:
    return list if read is None else lambda values: [None if v is None else read(v) for v in values]


def _row_of(reads: list[Read | None]) -> Read:
    def read(values: Any) -> Any:
        return tuple(
            value if value is None or one is None else one(value) for value, one in zip(values, reads, strict=True)
        )

    return read


def _mapping_of(read: Read | None) -> Read:
    return dict if read is None else lambda values: {k: None if v is None else read(v) for k, v in values.items()}


def _dataclass_of(kind: type) -> Read:
    hints = get_type_hints(kind)
    own = [one for one in fields(kind) if one.init]
    steps = [(one.name, _FIELDS.get((kind, one.name)) or reader(hints[one.name])) for one in own]
    names = frozenset(one.name for one in own)
    required = [one.name for one in own if one.default is MISSING and one.default_factory is MISSING]
    of_parts = memory_of if kind is Memory else None

    def read(value: Any) -> Any:
        if of_parts is not None and names <= value.keys():
            found = []
            for name, one in steps:
                part = value[name]
                found.append(part if one is None or part is None else one(part))
            return of_parts(*found)
        if missing := [name for name in required if name not in value]:
            raise ValueError(f"that is no {kind.__name__}: {', '.join(missing)} missing")
        named = {}
        for name, one in steps:
            if name in value:
                part = value[name]
                named[name] = part if one is None or part is None else one(part)
        return kind(**named)

    return read


def _fields_read(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: typed(name, value) for name, value in values.items()}


def _hits(value: Any) -> Hits:
    many = reader(list[Hit]) or list
    return Hits(many(value["hits"]), many(value.get("missed", ())), value.get("notes", ()))


def _absorbed(value: Any) -> Absorbed:
    from remanence.model.extraction import Extraction

    many = reader(list[Remembered]) or list
    return Absorbed(many(value["remembered"]), decoded(Extraction, value.get("extraction")), value.get("receipt_id"))


def _crystals(value: Any) -> Crystals:
    many = reader(list[Memory]) or list
    made = Crystals(many(value["items"]))
    made.left_out = dict(value.get("left_out") or {})
    return made


def _as_it_is(value: Any) -> Any:
    return value


_OWN: dict[Any, Read] = {Hits: _hits, Absorbed: _absorbed, Crystals: _crystals, Policy: _as_it_is}
"""What is read otherwise than field by field; a policy by those who know its grammar."""
_FIELDS: dict[tuple[type, str], Read] = {(Change, "before"): _fields_read, (Change, "after"): _fields_read}
"""Fields whose values have the types of a memory's own fields, by their names."""
