"""Log lines: an event with its time, level and source. What only shows that something is alive or in
progress is dropped."""

from __future__ import annotations

import re

_STAMP = (
    r"\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
    r"|\d{2}/\w{3}/\d{4}[: ]\d\d:\d\d:\d\d(?: [+-]\d{4})?"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2} \d\d:\d\d:\d\d"
    r"|\d\d:\d\d:\d\d(?:[.,]\d+)?)\]?"
)
_LEVEL = r"(?:TRACE|DEBUG|VERBOSE|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC|ALERT|EMERG)"
_STAMPED = re.compile(rf"\s*{_STAMP}(?=\s|:|\W)")
_LEVELLED = re.compile(rf"\s*(?:\[{_LEVEL}\]|{_LEVEL}\b\s*[:\[|( -]|{_LEVEL}\s+(?=[\w.]+:))")
_COMPILER = re.compile(
    r"(?:FAILED|PASSED|FAIL|PASS) \S+(?:::|/|\.)\S|\s*(?:\S+:\d+(?::\d+)?:\s*)?(?:fatal error|error|"
    r"warning)(?:\[?\s?[A-Z]{1,8}\d{2,6}\]?)?:\s+\S"
    r"|\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[\d\d/"
)
_QUIET = re.compile(r"\b(?:TRACE|DEBUG|VERBOSE)\b")
_ALIVE = re.compile(
    r"\b(?:heartbeat|keep-?alive|still alive|ping|pong|health ?check (?:ok|passed)|tick)\b\W*(?:ok|alive)?\W*$",
    re.IGNORECASE,
)
_PROGRESS = re.compile(r"(?:\[[=># .-]{3,}\]|\b\d{1,3} ?%)\s*$")
_FRAME = re.compile(
    r"\s+at \S+|\s*File \"[^\"]+\", line \d+|\s+\.{3} \d+ more|\s*Traceback \(most recent|\s*\^[~^]*\s*$"
)


def is_log(line: str) -> bool:
    head = line[:300]
    return bool(_STAMPED.match(head) or _LEVELLED.match(head) or _COMPILER.match(head))


def is_frame(line: str) -> bool:
    """Whether the line is a frame of a stack trace."""
    return _FRAME.match(line[:300]) is not None


def is_noise(line: str) -> bool:
    head = line[:300]
    rest = _STAMPED.sub("", head, count=1)
    return bool(_QUIET.search(rest[:60]) or _ALIVE.search(rest) or _PROGRESS.search(rest)) or not re.search(
        r"\w{2}", rest
    )


def event(line: str) -> str:
    """The line without its time: lines that differ in nothing else are one event."""
    return " ".join(_STAMPED.sub("", line, count=1).split())
