"""What a search asks of a value: equality, or one of $eq, $ne, $gt, $gte, $lt, $lte, at any depth; and of a namespace.

Values that have no order, such as a text and a number, or nothing at all, are neither greater nor less.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from remanence.errors import InvalidInput

_ORDER = {"$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le}


def matches(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Whether a value has what a filter wants; {"age": {"$gte": 18}, "home": {"city": "Oslo"}}."""
    return all(_holds(value.get(name), condition) for name, condition in (wanted or {}).items())


def fits(names: Sequence[str], path: Sequence[str], at_end: bool) -> bool:
    """Whether names begin, or end, with a path, in which * stands for any one name."""
    if len(names) < len(path):
        return False
    part = names[len(names) - len(path) :] if at_end else names[: len(path)]
    return all(one in ("*", name) for one, name in zip(path, part, strict=True))


def _holds(value: Any, condition: Any) -> bool:
    if isinstance(condition, Mapping):
        if any(str(name).startswith("$") for name in condition):
            return all(_compares(value, name, other) for name, other in condition.items())
        return isinstance(value, Mapping) and all(_holds(value.get(name), inner) for name, inner in condition.items())
    if isinstance(condition, (list, tuple)):
        return (
            isinstance(value, (list, tuple))
            and len(value) == len(condition)
            and all(_holds(one, other) for one, other in zip(value, condition, strict=True))
        )
    return bool(value == condition)


def _compares(value: Any, name: str, other: Any) -> bool:
    if name in ("$eq", "$ne"):
        return bool(value == other) is (name == "$eq")
    if name not in _ORDER:
        raise InvalidInput(f"filter operator {name!r} is not one of $eq, $ne, {', '.join(_ORDER)}")
    try:
        return bool(_ORDER[name](value, other))
    except TypeError:
        return False
