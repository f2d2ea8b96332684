"""JSON: scalars of the first levels as key: value, flat objects of a list as one statement each.

A text of one object a line is a log: events that differ in nothing but their time are one.
"""

from __future__ import annotations

import json
from typing import Any

from remanence.extraction.lexicon import split_words

_MOST_DEPTH = 4
_TIMES = split_words("ts time timestamp @timestamp date datetime t when logged_at created_at")
_QUIET = frozenset({"debug", "trace", "verbose"})


def json_lines(text: str) -> list[str] | None:
    """One statement for each line; None where the text is anything but objects, one a line."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or not all(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in lines):
        return None
    found: dict[str, str] = {}
    for line in lines:
        value = _loaded(line)
        if not isinstance(value, dict):
            return None
        if str(value.get("level", "")).lower() in _QUIET:
            continue
        lasting = {key: each for key, each in value.items() if key not in _TIMES}
        found.setdefault(_row(lasting), _row(value))
    return [row for row in found.values() if row]


def from_json(text: str) -> list[str] | None:
    """Scalars of the first levels of an object or list as key: value; None where the text is no JSON."""
    stripped = text.strip()
    if not (stripped.startswith(("{", "[")) and stripped.endswith(("}", "]"))):
        return None
    value = _loaded(stripped)
    if not isinstance(value, (dict, list)):
        return None
    found: list[str] = []
    waiting: list[tuple[str, Any, int]] = [("", value, 0)]
    while waiting:
        path, value, depth = waiting.pop()
        if isinstance(value, dict) and depth < _MOST_DEPTH:
            flat = all(not isinstance(each, (dict, list)) for each in value.values())
            if flat and depth and path.endswith("]") and len(value) > 1:
                found.append(_row(value))
            else:
                waiting.extend((f"{path} {key}".strip(), value[key], depth + 1) for key in reversed(value))
        elif isinstance(value, list) and depth < _MOST_DEPTH:
            if all(not isinstance(each, (dict, list)) for each in value):
                joined = ", ".join(_scalar(each) for each in value if each not in (None, ""))
                if joined and path:
                    found.append(f"{path}: {joined}")
                elif joined:
                    found.extend(_scalar(each) for each in value if isinstance(each, str) and " " in each)
            else:
                waiting.extend((f"{path}[]", each, depth + 1) for each in reversed(value))
        elif not isinstance(value, (dict, list)) and value not in (None, "") and path:
            found.append(f"{path.replace('[]', '')}: {_scalar(value)}")
    return found


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(str(value).split())


def _row(value: dict[str, Any]) -> str:
    return "; ".join(
        f"{key}: {_scalar(each)}"
        for key, each in value.items()
        if each not in (None, "") and not isinstance(each, (dict, list))
    )


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
