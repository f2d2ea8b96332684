"""Requests: a call of the table with its arguments, as method, path, query and body.

Every call that changes something carries an Idempotency-Key of its own, so that sending it once more, after a
connection broke, does nothing twice.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from remanence.errors import InvalidInput
from remanence.interfaces.calls import READ, Call
from remanence.model import checks

ROOT = "/v1"
JSON, NDJSON = "application/json", "application/x-ndjson"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request; `long` ones may be answered whenever they are done. `file` is a body that is sent as it is read."""

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    long: bool = False
    file: Path | None = None


def request_of(call: Call, given: Mapping[str, Any]) -> Request:
    """The request of a call with these arguments, which are plain JSON values already."""
    path = ROOT + re.sub(r"\{(\w+)\}", lambda name: _segment(name[1], given.get(name[1])), call.path)
    rest = {name: value for name, value in given.items() if name not in call.in_path}
    headers = {} if call.effect == READ else {"Idempotency-Key": uuid.uuid4().hex}
    if call.method == "GET":
        if empty := [name for name, value in rest.items() if value == []]:
            # A query has no form for it: left out, it would ask for everything instead of nothing.
            raise InvalidInput([f"{name} is empty" for name in empty])
        return Request(method="GET", path=with_query(path, rest), headers=headers, long=call.long)
    return Request(
        method=call.method,
        path=path,
        body=as_json(rest),
        headers={**headers, "Content-Type": JSON},
        long=call.long,
    )


def with_query(path: str, values: Mapping[str, Any]) -> str:
    """The path with these values behind it; a list stands there as often as it has items."""
    pairs = [
        (name, _text(one)) for name, value in values.items() for one in (value if isinstance(value, list) else [value])
    ]
    if not pairs:
        return path
    try:
        return f"{path}?{urlencode(pairs)}"
    except UnicodeEncodeError:
        raise InvalidInput([problem for name, text in pairs for problem in _surrogates(text, name)]) from None


def as_json(values: object) -> bytes:
    """Plain values as JSON; InvalidInput for what JSON has no form for."""
    try:
        text = json.dumps(values, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as reason:
        raise InvalidInput(f"that cannot be sent as JSON: {str(reason)[:100]}") from None
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a character, which the server refuses by its name
        return json.dumps(values).encode()


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _segment(name: str, value: object) -> str:
    if problems := checks.string_problems(value, name, 2000):
        raise InvalidInput(problems)
    # A path of dots would be walked by whoever reads the address.
    return quote(str(value), safe="").replace(".", "%2E")


def _surrogates(text: str, name: str) -> list[str]:
    return [] if text.isascii() else [p for p in checks.string_problems(text, name, len(text)) if "surrogate" in p]
