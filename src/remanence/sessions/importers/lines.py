"""JSON lines, one at a time, by bytes: what is no object is told with its line, and the reading goes on.

A line of more than 16 MB is passed over without being held. A last line without its end that does not parse is still
being written: it is left for the next time, and is no mistake.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from remanence.sessions.importers.streams import CHUNK_BYTES, opened

ENDINGS = (".jsonl", ".ndjson")
LINE_BYTES = 16 << 20
_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line from `begin` to `end`, in bytes: its object, or why it holds none."""

    number: int
    begin: int
    end: int
    values: dict[str, Any]
    why: str | None = None


def lines(path: Path, start: int = 0) -> Iterator[Line]:
    """The lines from a byte on, which must be where a line begins; a last one may say why none could be read."""
    try:
        with opened(path) as stream:
            yield from lines_of(stream, start)
    except OSError as reason:
        yield Line(0, start, start, {}, f"cannot be read: {reason.strerror or reason}")


def lines_of(stream: IO[bytes], start: int = 0) -> Iterator[Line]:
    """The same, of a stream that is at its beginning."""
    number, at = _passed(stream, start)
    while raw := stream.readline(LINE_BYTES + 1):
        number, begin = number + 1, at
        at += len(raw)
        if len(raw) > LINE_BYTES and not raw.endswith(b"\n"):
            at += _rest_of_line(stream)
            yield Line(number, begin, at, {}, f"longer than {LINE_BYTES >> 20} MB")
            continue
        text = raw.removeprefix(_BOM) if begin == 0 else raw
        if text.isspace():
            continue
        values, why = _parsed(text)
        if why is not None and not raw.endswith(b"\n"):
            return
        yield Line(number, begin, at, values, why)


def _passed(stream: IO[bytes], start: int) -> tuple[int, int]:
    """Pass over the first bytes; how many lines they are, and how many bytes there were."""
    number = at = 0
    while at < start and (raw := stream.read(min(CHUNK_BYTES, start - at))):
        number += raw.count(b"\n")
        at += len(raw)
    return number, at


def _rest_of_line(stream: IO[bytes]) -> int:
    size = 0
    while raw := stream.readline(CHUNK_BYTES):
        size += len(raw)
        if raw.endswith(b"\n"):
            break
    return size


def _parsed(raw: bytes) -> tuple[dict[str, Any], str | None]:
    try:
        values = json.loads(raw.decode())
    except UnicodeDecodeError:
        return {}, "binary" if b"\0" in raw else "not UTF-8"
    except (ValueError, RecursionError):
        return {}, "binary" if b"\0" in raw else "not JSON"
    return (values, None) if isinstance(values, dict) else ({}, "not a JSON object")


def goes_on(path: Path, start: int) -> bool:
    """Whether a line begins at a byte; where none does, another file stands in the place of the one that was read."""
    if start == 0:
        return True
    try:
        with path.open("rb") as file:
            file.seek(start - 1)
            return file.read(1) == b"\n"
    except OSError:
        return False


def is_lines(path: Path) -> bool:
    """Whether a file is JSON lines: it is called so, or its first line is an object by itself and others follow."""
    if path.suffix.lower() in ENDINGS:
        return True
    try:
        with opened(path) as stream:
            first, second = next(found := lines_of(stream), None), next(found, None)
    except OSError:
        return False
    return first is not None and first.why is None and second is not None
