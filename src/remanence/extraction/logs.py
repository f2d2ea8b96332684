"""Log lines: an event with its time, level and source. What only shows that something is alive or in
progress is dropped."""

from __future__ import annotations

import re

from remanence.extraction.patterns import pattern

_STAMP = (
    r"\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
    r"|\d{2}/\w{3}/\d{4}[: ]\d\d:\d\d:\d\d(?: [+-]\d{4})?"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2} \d\d:\d\d:\d\d"
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d(?:\.\d+)?"
    r"|\d\d:\d\d:\d\d(?:[.,]\d+)?)\]?"
)
_LEVEL = r"(?:TRACE|DEBUG|VERBOSE|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC|ALERT|EMERG)"
_STAMPED = pattern(rf"\s*{_STAMP}(?=\s|:|\W)")
_LEVELLED = pattern(
    rf"\s*(?:\[{_LEVEL}\]|{_LEVEL}\b\s*[:\[|( -]|{_LEVEL}\s+(?=[\w.]+:)|(?:npm|yarn|pnpm|cargo|pip) (?:{_LEVEL}|ERR!|"
    rf"warning|error|notice)\b)"
)
_COMPILER = pattern(
    r"(?:FAILED|PASSED|FAIL|PASS) \S+(?:::|/|\.)\S|\s*(?:\S+:\d+(?::\d+)?:\s*)?(?:fatal error|error|"
    r"warning)(?:\[?\s?[A-Z]{1,8}\d{2,6}\]?)?:\s+\S"
    r"|\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[\d\d/|\s*(?:[A-Za-z_][\w.]*)?(?:Error|Exception|Failure|Panic): \S"
)
_QUIET = pattern(r"\b(?:TRACE|DEBUG|VERBOSE)\b")
_ALIVE = pattern(
    r"\b(?:heartbeat|keep-?alive|still alive|ping|pong|health ?check (?:ok|passed)|tick)\b\W*(?:ok|alive)?\W*$",
    re.IGNORECASE,
)
_PROGRESS = pattern(
    r"\[[=># .-]{3,}\]\s*$|(?:progress|load|fetch|copy|upload|extract|install|build|sync|complete|done|\.\.|…|"
    r"\d/\d+).{0,40}"
    r"\b\d{1,3} ?%\s*$|^\W*\d{1,3} ?%\s*$",
    re.IGNORECASE,
)
_FRAME = pattern(r"\s+at \S+|\s*File \"[^\"]+\", line \d+|\s+\.{3} \d+ more|\s*Traceback \(most recent|\s*\^[~^]*\s*$")


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
