"""What a request brings: its body as strict JSON or as lines, its query, never more than the limit.

Strict: UTF-8, one object, no name twice, no NaN, not deeper than a metadata may be. A body that is too long is refused
as soon as that is known, before it is read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from remanence.errors import InvalidInput
from remanence.interfaces.serve.problems import Problem

JSON, NDJSON = "application/json", ("application/x-ndjson", "application/jsonl", "application/ndjson")
LONGEST_LINE = 2_000_000
MOST_IN_QUERY = 16
MOST_IDS_IN_QUERY = 1000
"""Values of one name in a query, which has to fit into the head of a request; a body may have more. Ids are short."""
_SECONDS_BETWEEN_PARTS = 20.0


async def parts_of(request: Request, most: int) -> AsyncIterator[bytes]:
    """The body as it comes; refused once it has more bytes than this, or stops coming."""
    if request.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
        raise Problem(415, "wrong_content_type", "The body must not be compressed")
    told = request.headers.get("content-length", "")
    if told.isdecimal() and int(told) > most:
        _too_large(most)
    size = 0
    stream = request.stream().__aiter__()
    while True:
        try:
            async with asyncio.timeout(_SECONDS_BETWEEN_PARTS):
                part = await anext(stream)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise Problem(408, "too_slow", f"Nothing came for {_SECONDS_BETWEEN_PARTS:g} seconds") from None
        except ClientDisconnect:
            raise Problem(400, "malformed", "The body was cut off") from None
        size += len(part)
        if size > most:
            _too_large(most)
        yield part


class Held:
    """An app of others behind the same limits: it is given bodies that have come whole and are no larger."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = b"".join([part async for part in parts_of(Request(scope, receive), self._most)])
        told: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return told.pop() if told else await receive()

        await self._app(scope, again, send)


def _too_large(most: int) -> NoReturn:
    raise Problem(413, "too_large", f"The body has more than {most:,} bytes, which is the limit of this server")


async def body_of(request: Request, most: int) -> dict[str, Any]:
    """The JSON object in the body; an empty body is an empty object."""
    raw = b"".join([part async for part in parts_of(request, most)])
    if not raw:
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise Problem(415, "wrong_content_type", f"The body must be {JSON}, not {kind[:80] or 'without a type'}")
    found = strict(raw)
    if not isinstance(found, dict):
        raise Problem(422, "invalid_input", f"The body must be one JSON object, not {_called(found)}")
    return found


def strict(raw: bytes, what: str = "The body") -> Any:
    """JSON that every reader reads alike; Problem 400 where it is none."""
    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant)
    except UnicodeDecodeError as reason:
        raise Problem(400, "malformed", f"{what} is not UTF-8 (byte {reason.start})") from None
    except RecursionError:
        raise Problem(400, "malformed", f"{what} is nested too deep") from None
    except ValueError as reason:
        raise Problem(400, "malformed", f"{what} is not JSON: {str(reason)[:200]}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"{twice[:80]!r} stands there twice")
    return found


def _constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")


def _called(value: object) -> str:
    return {list: "a list", str: "a text", type(None): "null", bool: "a flag"}.get(type(value), "a number")


async def lines_of(request: Request, most: int) -> AsyncIterator[tuple[int, bytes]]:
    """The lines of the body with their numbers, as they come; blank ones are left out."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in NDJSON:
        raise Problem(415, "wrong_content_type", f"The body must be {NDJSON[0]}, not {kind[:80] or 'without a type'}")
    rest, number = b"", 0
    async for part in parts_of(request, most):
        *whole, rest = (rest + part).split(b"\n")
        for line in whole:
            number += 1
            if line.strip():
                yield number, line
        if len(rest) > LONGEST_LINE:
            raise Problem(413, "too_large", f"Line {number + 1} has more than {LONGEST_LINE:,} bytes")
    if rest.strip():
        yield number + 1, rest


def query_of(request: Request) -> dict[str, list[str]]:
    """The query's values by name."""
    found: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        found.setdefault(name, []).append(value)
    if long := [name for name, values in found.items() if len(values) > most_in_query(name)]:
        raise InvalidInput([f"{name[:80]} has more than {most_in_query(name)} values in the query" for name in long])
    return found


def most_in_query(name: str) -> int:
    return MOST_IDS_IN_QUERY if name == "ids" else MOST_IN_QUERY
