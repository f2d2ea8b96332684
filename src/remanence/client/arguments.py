"""What is given to a method of Mind, as it travels: plain JSON values by the names of the call's arguments.

Moments are ISO 8601, spans whole hours, iterables lists. A policy file is read here and sent as its values, a folder as
the project it holds, a session as its id. A progress callback is taken and not called: a server tells none. What cannot
travel is InvalidInput, all of it at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from inspect import BoundArguments, Parameter
from pathlib import Path
from typing import Any

from remanence.errors import InvalidInput
from remanence.interfaces.calls import Call
from remanence.interfaces.shapes import SHAPES
from remanence.model import checks
from remanence.model.duration import duration_problems
from remanence.model.moment import moment_problems
from remanence.model.policy import Policy
from remanence.model.session import Session

_IGNORED = ("self", "progress")
_HOUR = timedelta(hours=1)
_MOST_HOURS = 999_999


def travelling(call: Call, bound: BoundArguments) -> dict[str, Any]:
    """The arguments of a call as they are sent; those that were left out, or are what they would be, are not."""
    known = {argument.name: argument.shape_name for argument in call.arguments}
    if call.paged == "place":
        known["after"] = "cursor"
    problems: list[str] = []
    given = _given(call, bound, known)
    if isinstance(said := given.get("said"), Mapping):
        given |= {"said": said.get("content", said.get("text", "")), "role": said.get("role", given.get("role"))}
        given = {name: value for name, value in given.items() if value is not None}
    sent = {}
    for name, value in given.items():
        if name in known:
            sent["cursor" if known[name] == "cursor" else name] = plain(value, name, known[name], problems)
        elif name in bound.signature.parameters:
            problems.append(f"{call.name} on a server takes no {name}: {_ELSEWHERE.get(name, 'leave it out')}")
        else:
            sent[name] = plain(value, name, name, problems)
    if problems:
        raise InvalidInput(problems)
    return sent


_ELSEWHERE = {"paths": "files are scanned where they are, with: rem scan PATH"}


def _given(call: Call, bound: BoundArguments, known: Mapping[str, str]) -> dict[str, Any]:
    """What was given and is not what it would be anyway, by name; gathered arguments each by their own."""
    found: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        parameter = bound.signature.parameters[name]
        if name in _IGNORED:
            continue
        if parameter.kind is Parameter.VAR_KEYWORD:
            gathered = {key: one for key, one in value.items() if one is not None}
            found |= {name: gathered} if name in known else gathered
        elif not _same(value, parameter.default):
            found[name] = value
    return found


def _same(value: object, default: object) -> bool:
    return value is default or (type(value) is type(default) and value == default)


def items_in(items: object) -> list[Any]:
    """The items of remember_many."""
    if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
        raise InvalidInput(f"items must be a list of texts or dicts, not {type(items).__name__}")
    return list(items)


def items_sent(items: list[Any]) -> list[Any]:
    """Each of them as it travels."""
    problems: list[str] = []
    sent: list[Any] = []
    for number, item in enumerate(items):
        found: list[str] = []
        if isinstance(item, dict):
            given = {name: value for name, value in item.items() if value is not None}
            sent.append({name: plain(value, str(name), str(name), found) for name, value in given.items()})
        elif isinstance(item, str):
            sent.append(item)
        else:
            found.append(f"must be a text or a dict, not {type(item).__name__}")
        problems += (f"item {number}: {problem}" for problem in found)
        if len(problems) > checks.TAGS:
            problems.append("and perhaps more: the rest was not looked at")
            break
    if problems:
        raise InvalidInput(problems)
    return sent


def plain(value: Any, name: str, shape: str, problems: list[str]) -> Any:
    """A value as it travels; what is wrong with it is added to the problems."""
    try:
        return _OWN.get(shape, _plain)(value, name, problems)
    except InvalidInput as invalid:
        problems.extend(invalid.problems)
    except RecursionError:
        problems.append(f"{name} is nested too deep")
    return None


def _plain(value: Any, name: str, problems: list[str]) -> Any:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            problems.append(f"{name} {value} is no number")
        return value
    if isinstance(value, datetime):
        problems += moment_problems(value, name)
        return value.isoformat()
    if isinstance(value, timedelta):
        return _span(value, name, problems)
    if isinstance(value, Session):
        return value.id
    if isinstance(value, Mapping):
        return {str(key): _plain(item, name, problems) for key, item in value.items()}
    if isinstance(value, (bytes, bytearray, Path)) or not isinstance(value, Iterable):
        problems.append(f"{name} cannot be a {type(value).__name__}")
        return None
    listed = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
    return [_plain(item, name, problems) for item in listed]


def _span(value: timedelta, name: str, problems: list[str]) -> str:
    """A duration as it is written: whole hours, or whole days where hours are too many to write."""
    if found := duration_problems(value, name):
        problems += found
    elif value % _HOUR:
        problems.append(f"{name} {value} must be whole hours to be sent to a server, such as 12h or 30d")
    hours = value // _HOUR
    return f"{hours}h" if hours <= _MOST_HOURS else f"{hours // 24}d"


def _metadata(value: Any, name: str, problems: list[str]) -> Any:
    problems += checks.metadata_problems(value, name)
    return value


def _named(value: Any, name: str, problems: list[str]) -> Any:
    """Names as a list; a text may hold several, with commas."""
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else _plain(value, name, problems)


def _project(value: Any, name: str, problems: list[str]) -> Any:
    """The scope of a project: of a folder, that is looked at here, where it is."""
    from remanence.facets.artifacts import project_scope

    return project_scope(value)


def _policy(value: Any, name: str, problems: list[str]) -> Any:
    """A preset by its name, anything else as the values it is made from."""
    from remanence.policies import reading

    if isinstance(value, Mapping):
        return _never(dict(value))
    policy: Policy = reading.named(value)
    if policy.name in reading.PRESETS and policy == reading.preset(policy.name):
        return policy.name
    if policy.source:
        values = {"extends": policy.source["extends"], **policy.source["values"]}
        values = {key: one for key, one in values.items() if one is not None}
        if reading.from_values(values, "the policy", policy.name) == policy:
            return _never({"name": policy.name, **values})
    problems.append(f"{name}: a Policy that was made or changed in Python cannot be sent: write it as a file")
    return None


def _never(value: Any) -> Any:
    """Values of a policy with "never" where there is no bound, which JSON has no number for."""
    if isinstance(value, dict):
        return {key: _never(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_never(item) for item in value]
    return "never" if value == math.inf else value


_OWN: dict[str, Callable[[Any, str, list[str]], Any]] = {
    "metadata": _metadata,
    "steps": _named,
    "tiers": _named,
    "project": _project,
    "policy": _policy,
}
assert _OWN.keys() <= SHAPES.keys()
