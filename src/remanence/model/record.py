"""A memory read back from plain JSON values, as an export holds them.

Every field is checked as at the door; nothing is repaired or guessed. Unknown fields are a problem, since they would
be lost silently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any

from remanence.errors import InvalidInput
from remanence.model import checks, draft
from remanence.model.memory import FIELDS, MOMENTS, Layer, Memory, Source, State, plain
from remanence.model.moment import parse_moment

_REQUIRED = ("id", "scope", "layer", "kind", "text", "source", "importance", "created_at", "last_accessed_at")
TAGS = ("categories", "concepts", "files")
_ADJUSTABLE = frozenset(FIELDS) - {
    *("id", "namespace", "scope", "kind", "text", "source", "origin", "lineage", "created_at"),
    *("last_accessed_at", "access_count", "trust_limit"),
}
_ROOM = 4096
_STATES = tuple(state.value for state in State)


def _moment_text_problems(value: object, name: str) -> list[str]:
    if not isinstance(value, str):
        return [f"{name} must be an ISO 8601 text, not {type(value).__name__}"]
    try:
        parse_moment(value)
    except ValueError as reason:
        return [f"{name}: {reason}"]
    return []


def _recent_problems(value: object) -> list[str]:
    if not isinstance(value, list) or len(value) > 20:
        return ["recent_accesses must be a list of at most 20 moments"]
    problems = [p for item in value for p in _moment_text_problems(item, "recent_accesses")]
    if not problems and any(one > other for one, other in pairwise(map(parse_moment, value))):
        problems.append("recent_accesses must be in order, the oldest first")
    return problems


_CHECKS: dict[str, Callable[[Any], list[str]]] = {
    **{name: check for name, check in draft._CHECKS.items() if name in FIELDS},
    **{name: lambda v, n=name: _moment_text_problems(v, n) for name in MOMENTS},  # type: ignore[misc]
    **{name: lambda v, n=name: checks.tags_problems(v, n, distinct=True) for name in TAGS},  # type: ignore[misc]
    # What a screening and its review add to metadata is beyond what a caller may give.
    "metadata": lambda v: checks.metadata_problems(v, room=_ROOM),
    "id": checks.id_problems,
    "namespace": lambda v: checks.string_problems(v, "namespace"),
    # Memories of an earlier day may have a kind that a draft may not have any more.
    "kind": lambda v: checks.string_problems(v, "kind", checks.TAG_CHARACTERS),
    "confirmations": lambda v: checks.integer_problems(v, "confirmations", 0),
    "access_count": lambda v: checks.integer_problems(v, "access_count", 0),
    "recent_accesses": _recent_problems,
    "state": lambda v: checks.choice_problems(v, "state", _STATES),
    "version": lambda v: checks.integer_problems(v, "version", 1),
    "depth": lambda v: checks.integer_problems(v, "depth", 0),
    "supersedes": lambda v: checks.id_problems(v, "supersedes"),
    "superseded_by": lambda v: checks.id_problems(v, "superseded_by"),
    "challenged_by": lambda v: checks.string_problems(v, "challenged_by"),
    "surprise": lambda v: checks.number_problems(v, "surprise", 0, 1),
    "uses": lambda v: checks.integer_problems(v, "uses", 0),
    "rejections": lambda v: checks.integer_problems(v, "rejections", 0),
    "trust_limit": lambda v: checks.number_problems(v, "trust_limit", 0, 1),
}
_DERIVED = frozenset(["trust"])
"""Written for readers, and made anew from the other fields."""
_OPTIONAL = frozenset(
    [
        "origin",
        "expires_at",
        "kept_until",
        "challenged_by",
        "valid_from",
        "valid_until",
        "supersedes",
        "superseded_by",
        "surprise",
    ]
)


def record_problems(values: Mapping[str, Any]) -> list[str]:
    """Every reason why these values are no memory."""
    problems = [f"unknown field {name!r}" for name in values if name not in _CHECKS.keys() | _DERIVED]
    problems += [f"{name} is missing" for name in _REQUIRED if name not in values]
    for name, value in values.items():
        if name in _CHECKS and not (value is None and name in _OPTIONAL):
            problems += _CHECKS[name](value)
    return problems


def adjustment_problems(values: Mapping[str, Any]) -> list[str]:
    """Why a memory's fields may not be set to these values; text, place, birth and counts of accesses never are."""
    problems = [f"{name!r} cannot be changed" for name in values if name not in _ADJUSTABLE]
    for name, value in values.items():
        if name in _ADJUSTABLE and not (value is None and name in _OPTIONAL):
            problems += _CHECKS[name](value if name == "metadata" else plain(value))
    return problems


def memory_from(values: Mapping[str, Any], namespace: str | None = None) -> Memory:
    """The memory these plain values are; InvalidInput with every problem when they are none."""
    if problems := record_problems(values):
        raise InvalidInput(problems)
    read: dict[str, Any] = {name: typed(name, value) for name, value in values.items() if name not in _DERIVED}
    if namespace is not None:
        read["namespace"] = namespace
    return Memory(**read)


def typed(name: str, value: Any) -> Any:
    """A plain JSON value as the field of that name holds it."""
    if value is None:
        return None
    if name in MOMENTS:
        return value if isinstance(value, datetime) else parse_moment(value)
    if name == "recent_accesses":
        return tuple(v if isinstance(v, datetime) else parse_moment(v) for v in value)
    if isinstance(value, list):
        return tuple(value)
    if name in ("importance", "valence", "confidence", "surprise", "trust_limit"):
        return float(value)
    return {"state": State, "layer": Layer, "source": Source}.get(name, lambda v: v)(value)
