"""Errors as problem+json: a stable code, what happened, which field, what to do. Never a traceback, never a text."""

from __future__ import annotations

import json
import re
from typing import Any

from starlette.responses import Response

from remanence.errors import InvalidInput, RemanenceError
from remanence.interfaces.calls import CALLS
from remanence.interfaces.wire import status

_FIELD = re.compile(r"^(?:item \d+: )?(unknown field )?(?:each of )?'?([a-z_]{1,40})'?")
_KNOWN = frozenset(argument.name for call in CALLS.values() for argument in call.arguments) | {"cursor"}
MOST = 100
"""Problems of one request that are told one by one."""
TITLES = {
    400: "The request cannot be read",
    401: "A token is needed",
    403: "Not allowed",
    404: "Not found",
    405: "Not with this method",
    406: "Not in this form",
    408: "Too slow",
    409: "Not as things are now",
    412: "It has changed meanwhile",
    413: "Too large",
    415: "Not in this content type",
    421: "Not for this host",
    422: "Invalid input",
    429: "Too many requests",
    500: "It failed",
    502: "A model failed",
    503: "Not just now",
    504: "It took too long",
    507: "No room left",
}


class Problem(Exception):
    """A request that is refused at the door."""

    def __init__(self, status: int, code: str, detail: str, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = headers or {}


def response(problem: Problem | RemanenceError, instance: str = "") -> Response:
    """The answer that tells of an error."""
    if isinstance(problem, Problem):
        return _answer(problem.status, problem.code, problem.detail, (), problem.headers, instance)
    problems = problem.problems if isinstance(problem, InvalidInput) else ()
    number = status(problem)
    headers = {"retry-after": "1"} if number in (429, 503) else {}
    return _answer(number, problem.code, str(problem), problems, headers, instance)


def _answer(
    number: int, code: str, detail: str, problems: tuple[str, ...], headers: dict[str, str], instance: str
) -> Response:
    body: dict[str, Any] = {
        "type": f"urn:remanence:{code}",
        "title": TITLES.get(number, "It failed"),
        "status": number,
        "detail": _shown(detail),
        "code": code,
    }
    if problems:
        told = problems[:MOST]
        body["problems"] = [_shown(one) for one in told]
        if len(problems) > MOST:
            body["problems"].append(f"and {len(problems) - MOST:,} more")
        body["fields"] = list(dict.fromkeys(name for one in told if (name := _field(one))))
    if instance:
        body["instance"] = f"urn:request:{instance}"
    return Response(
        json.dumps(body, ensure_ascii=True),
        number,
        {**headers, "cache-control": "no-store"},
        "application/problem+json",
    )


def _field(problem: str) -> str:
    """The argument that a problem is about, as it stands first in its sentence; "" where it is about none alone."""
    match = _FIELD.match(problem)
    return match[2] if match and (match[1] or match[2] in _KNOWN) else ""


def _shown(text: str) -> str:
    """A message with what cannot be printed written out, and no longer than it must be."""
    return "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text[:2000])
