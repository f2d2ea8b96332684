"""Frames of the stdio transport: bytes into lines, a line into a message of JSON-RPC or the error it deserves.

A line holds at most 4 MiB; a longer one is dropped as it comes, and never held. What is no message gets an error with
the id it came with, where that can be told: -32700 for what is not JSON, -32600 for what is no request, -32602 for
parameters that are no object.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import from_json

MOST_BYTES = 4 * 1024 * 1024
_LONGEST_ID = 200


class Lines:
    """Cuts a stream of bytes into lines; None stands for one that was too long."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._held: list[bytes] = []
        self._size = 0

    def fed(self, data: bytes) -> Iterator[bytes | None]:
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._hold(end)
            yield None if self._size > self._most_bytes else b"".join(self._held)
            self._held, self._size = [], 0
        self._hold(rest)

    def rest(self) -> bytes | None:
        """What stands after the last line; it may be a line whose end was forgotten."""
        return None if self._size > self._most_bytes else b"".join(self._held)

    def _hold(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._most_bytes:
            self._held.clear()
        elif part:
            self._held.append(part)


def refused(code: int, message: str, id: object = None) -> JSONRPCError:
    """An error, with the id of what it answers where that has a usable one."""
    is_usable = (isinstance(id, str) and len(id) <= _LONGEST_ID) or (isinstance(id, int) and not isinstance(id, bool))
    error = ErrorData(code=code, message=message)
    return JSONRPCError(jsonrpc="2.0", id=id if is_usable else None, error=error)  # type: ignore[arg-type]


def message_of(line: bytes | None) -> JSONRPCMessage | None:
    """The message of a line, or the error that answers it; None for a blank line."""
    if line is None:
        return refused(INVALID_REQUEST, f"A message may have at most {MOST_BYTES:,} bytes")
    if not line.strip():
        return None
    try:
        value = from_json(line, allow_inf_nan=False)
    except (ValueError, RecursionError) as reason:
        return refused(PARSE_ERROR, f"Not JSON: {str(reason)[:200]}")
    if problem := _problem(value):
        return problem
    try:
        return jsonrpc_message_adapter.validate_python(value, by_name=False)
    except (ValidationError, RecursionError):
        return refused(INVALID_REQUEST, "This is no message of JSON-RPC 2.0", value.get("id"))


def _problem(value: Any) -> JSONRPCError | None:
    if isinstance(value, list):
        return refused(INVALID_REQUEST, "Batches are not served: send one message a line")
    if not isinstance(value, dict):
        return refused(INVALID_REQUEST, "A message is one JSON object")
    id = value.get("id")
    if value.get("jsonrpc") != "2.0":
        return refused(INVALID_REQUEST, 'jsonrpc must be "2.0"', id)
    if "method" not in value:
        is_answer = "result" in value or "error" in value
        return None if is_answer else refused(INVALID_REQUEST, "method is missing", id)
    if not isinstance(value["method"], str):
        return refused(INVALID_REQUEST, "method must be text", id)
    if "id" in value and (refused(0, "", id).id is None):
        return refused(INVALID_REQUEST, f"id must be an integer or text of at most {_LONGEST_ID} characters")
    if value.get("params") is not None and not isinstance(value["params"], dict):
        return refused(INVALID_PARAMS, "params must be an object", id)
    return None
