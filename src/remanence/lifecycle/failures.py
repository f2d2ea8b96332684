"""Failures and what resolved them: a command that failed, what was done then, and the same command going through.

The fix is what changed something in between: the commands that did, or else the files that were edited. A command that
fails with another error than before has overcome the first one. Where nothing was done the failure went away by itself,
and nothing is learned of it. "`pnpm test` failed with `connect ECONNREFUSED
127.0.0.1:5433`; fixed by `docker compose up -d db`."; "The error `…` of `pnpm test` was fixed in `src/total.ts`." A
failure told in other numbers is the same one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from remanence.lifecycle.commands import command_of, edited, key_of, mends_nothing, quoted
from remanence.model.session import TOOL, Observation

LONGEST_ERROR = 160
_MOST_DEEDS = 2
"""Of several commands before it went through, the last ones."""
_MOST_FILES = 3
_MOST_WAITING = 20
_LOOKED_AT = 8_000
_ERROR = re.compile(
    r"^.{0,80}?(?:\b(?:[A-Z]\w*)?(?:Error|Exception|Failure)\b(?: \[\w+\])?:|\berror(?:\[\w+\]|:| TS\d+| CS\d+| E\d+)"
    r"|\bfatal:|\bnpm (?:ERR!|error)|\bpanic:|command not found|No such file|Permission denied"
    r"|\bcannot find\b|\bCould not\b|\bE   \S).*$",
    re.MULTILINE,
)
_FAILED = re.compile(r"^.{0,80}?\bFAIL(?:ED|URE|URES)?\b.*$", re.MULTILINE)
"""Says that something failed, and not why."""
_FAILS = re.compile(
    r"^(?:Traceback \(most recent call last\)|(?:bash|sh|zsh): .{0,200}command not found|fatal: |npm (?:ERR!|error) "
    r"|error(?:\[\w+\])?: |panic: |make: \*\*\*|FAILED |(?:--- )?FAIL[ :\t])",
    re.MULTILINE,
)
_NAMED = r"(?:ERROR|(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?): \S"
_BEGINS = re.compile(rf"\s*{_NAMED}")
_ENDS = re.compile(rf"^{_NAMED}.*\Z", re.MULTILINE)
"""An error in the middle may be one that a program told of and went on."""
_NUMBERS = re.compile(r"0x[0-9a-f]+|\d+")
_PLACE = re.compile(r"(?::\d+){1,2}(?=\W|$)|\(\d+,\d+\)")
"""Line and column after a path: the next time they are others."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A failure that was resolved: the command, its error, and what was done; `by_command` where commands did it.

    `tries` is how often it failed before.
    """

    command: str
    error: str
    deeds: tuple[str, ...]
    by_command: bool
    seq: int
    tries: int = 1

    @property
    def text(self) -> str:
        done = " and ".join(quoted(deed) for deed in self.deeds)
        if not self.by_command:
            return f"The error {quoted(self.error)} of {quoted(self.command)} was fixed in {done}."
        error = f" with {quoted(self.error)}" if self.error else ""
        return f"{quoted(self.command)} failed{error}; fixed by {done}."


@dataclass(slots=True)
class _Open:
    """A command that failed and has not gone through since."""

    command: str
    error: str
    tries: int = 1
    commands: dict[str, None] = field(default_factory=dict)
    files: dict[str, None] = field(default_factory=dict)


def fixes(observations: Iterable[Observation]) -> list[Fix]:
    """The failures of a session that were resolved in it, each once, in order."""
    waiting: dict[str, _Open] = {}
    found: dict[tuple[str, str], Fix] = {}

    def note(key: str, done: _Open, seq: int) -> None:
        if (fix := _fix(done, seq)) is not None:
            found.setdefault((key, _kind_of(fix.error)), fix)

    for one in observations:
        if one.role != TOOL:
            continue
        if files := edited(one):
            for open_ in waiting.values():
                open_.files |= dict.fromkeys(files)
            continue
        command = command_of(one)
        if command is None:
            continue
        key = key_of(command)
        if has_failed(one):
            error = error_of(one.text)
            if (known := waiting.get(key)) is not None:
                if _kind_of(error) == _kind_of(known.error) or _fix(known, one.seq) is None:
                    known.tries += 1
                    continue
                note(key, waiting.pop(key), one.seq)
            if len(waiting) >= _MOST_WAITING:
                del waiting[next(iter(waiting))]
            waiting[key] = _Open(command, error)
            continue
        if (done := waiting.pop(key, None)) is not None:
            note(key, done, one.seq)
        elif not mends_nothing(command):
            for open_ in waiting.values():
                open_.commands[command] = None
    return list(found.values())


def has_failed(observation: Observation) -> bool:
    """Whether a call failed: its host says so, or what it gave back begins or ends like a failure."""
    if observation.failed:
        return True
    text = observation.text
    begin, end = text[:400], text[-400:].rstrip()
    named = _BEGINS.match(begin) is not None or _ENDS.search(end) is not None
    return named or _FAILS.search(begin) is not None or _FAILS.search(end) is not None


def error_of(output: str) -> str:
    """The line of an output that tells what was wrong; "" where there is none."""
    text = output[:_LOOKED_AT]
    match = _ERROR.search(text) or _FAILED.search(text)
    if match is not None:
        line = match[0]
    else:
        line = next((one for one in text.splitlines() if any(sign.isalpha() for sign in one)), "")
    line = " ".join(_without_places(line).split())
    return line if len(line) <= LONGEST_ERROR else line[: LONGEST_ERROR - 1].rstrip() + "…"


def _kind_of(error: str) -> str:
    """An error with its numbers folded: told in others, it is the same one."""
    return _NUMBERS.sub("#", error)


def _without_places(line: str) -> str:
    return " ".join(_PLACE.sub("", word) if "." in word and "/" in word else word for word in line.split())


def _fix(done: _Open, seq: int) -> Fix | None:
    if done.commands:
        return Fix(done.command, done.error, tuple(done.commands)[-_MOST_DEEDS:], True, seq, done.tries)
    if done.files and done.error:
        return Fix(done.command, done.error, tuple(done.files)[-_MOST_FILES:], False, seq, done.tries)
    return None
