"""Chats and notes as Markdown or plain text.

A speaker is a heading ("## User"), a word in bold ("**Assistant:** …"), or a label at the beginning of a line
("Human: …", "You said:"); names other than roles count where a time stands before them, as in a chat's log. Code is
never a speaker. A text in which nobody speaks is a note: what its headings and empty lines part is said by the user.
`upto` counts messages; the file is gone through from its beginning, since a message is known by what came before it.
What is not UTF-8 is read as Windows-1252.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, NamedTuple

from remanence.model.session import ASSISTANT, MOST_SAID, SYSTEM, USER, Observation
from remanence.sessions.importers import Head, Piece, Skipped
from remanence.sessions.importers.shapes import changed_at, digest, moment, named, said, titled
from remanence.sessions.importers.streams import opened
from remanence.sessions.importers.talk import role_of

AGENT = "markdown"
_LINE_BYTES = 1 << 20
_PART_CHARACTERS = 4_000
_LOOKED_AT_LINES = 400
_STAMP = r"\[?\(?(?P<time>\d{4}-\d\d-\d\d[T ,]{1,2}\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?: ?Z|[+-]\d\d:?\d\d)?)\)?\]?"
_SIGNS = r"[^\w\s\[(`<>|]{0,4}\s{0,3}"
_ROLE = r"(?P<name>[^\W\d_]+)(?: said| says)?"
_SAID = r"(?P<said>(?:\s.*)?)$"
_NUMBER = rf"(?:\s{{0,3}}[(#,–—-]?\s{{0,3}}(?:{_STAMP}|#?\d{{1,6}})\)?)?"
_HEADING = re.compile(rf"#{{1,6}}\s{{1,3}}{_SIGNS}{_ROLE}{_NUMBER}\s{{0,3}}:?\s*$")
_BOLD = re.compile(
    rf"_?\*\*{_SIGNS}{_ROLE}(?:\s{{0,3}}(?:{_STAMP}|\([^()\n]{{1,40}}\)))?\s{{0,2}}:?\*\*_?\s{{0,2}}:?{_SAID}"
)
_LABEL = re.compile(rf"{_ROLE}\s?[:：]{_SAID}")
_LOGGED = re.compile(rf"{_STAMP}\s{{0,3}}[-–—]?\s{{0,3}}<?(?P<name>[^\W\d_][\w.'’ -]{{0,40}}?)>?\s{{0,2}}:{_SAID}")
_LABELS = frozenset(["user", "human", "you", "me", "assistant", "ai", "bot", "chatgpt", "gpt", "claude", "gemini"])
"""Roles that a mere word before a colon means; "Model: …" or "Client: …" may well be a note."""
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_TITLE = re.compile(r"#{1,2}\s{1,3}(.{1,200})$")


class _Turn(NamedTuple):
    """The line that begins a message: who, when, and what stands in the same line."""

    who: str
    at: datetime | None
    said: str


class _Text(NamedTuple):
    """A line, its number and how many bytes were read with it."""

    line: str
    number: int
    place: int


def read(path: Path, start: int, now: datetime) -> Iterator[Piece | Skipped]:
    """The messages after so many."""
    try:
        yield from _read(path, start, now)
    except OSError as reason:
        yield Skipped(0, f"cannot be read: {reason.strerror or reason}")


def _read(path: Path, start: int, now: datetime) -> Iterator[Piece | Skipped]:
    title, speaks = _looked_at(path, now)
    head = Head(f"{named(path.stem, 100)}-{digest(path.absolute())[:12]}", AGENT, title=title)
    before = ""
    at, number = changed_at(path, now), 0
    with opened(path) as stream:
        for found in _messages(stream, speaks, now):
            if isinstance(found, Skipped):
                yield found
                continue
            turn, text, place = found
            role = role_of(turn.who) or USER
            text = said(text) if role == USER else text.strip()
            if not text or role == SYSTEM:
                continue
            if role_of(turn.who) is None and turn.who:
                text = f"{named(turn.who, 60)}: {text}"
            number, at = number + 1, turn.at or at
            key, before = digest(before, role, text), digest(role, text)
            if number > start:
                yield Piece(head, Observation(role=role, text=text, at=at, key=key), number, place)


def _looked_at(path: Path, now: datetime) -> tuple[str | None, bool]:
    """The title, and whether anybody speaks; by the first lines."""
    title, fenced = None, False
    who: Counter[str] = Counter()
    with opened(path) as stream:
        for one in _lines(stream):
            if isinstance(one, Skipped):
                continue
            fenced ^= _FENCE.match(one.line) is not None
            if not fenced and (turn := _turn(one.line, now)) is not None:
                who[role_of(turn.who) or "somebody"] += 1
            elif title is None and (found := _TITLE.match(one.line)):
                title = titled(found[1])
            if one.number >= _LOOKED_AT_LINES:
                break
    return title, (USER in who and ASSISTANT in who) or who["somebody"] > 1


def _messages(stream: IO[bytes], speaks: bool, now: datetime) -> Iterator[tuple[_Turn, str, int] | Skipped]:
    """Each message: the turn it begins with, its text, and how far the file is read."""
    # What stands before the first who speaks is the file's own.
    turn = _Turn(SYSTEM if speaks else USER, None, "")
    text: list[str] = []
    size, fenced, place = 0, False, 0
    for one in _lines(stream):
        if isinstance(one, Skipped):
            yield one
            continue
        fenced ^= _FENCE.match(one.line) is not None
        begins = None if fenced or not speaks else _turn(one.line, now)
        parted = not speaks and not fenced and _parts(one.line, size)
        if begins is not None or parted or size > MOST_SAID:
            yield turn, "\n".join(text), place
            turn = begins or turn._replace(at=None)
            text, size = ([turn.said] if begins else [one.line]), len(one.line)
        else:
            text.append(one.line)
            size += len(one.line) + 1
        place = one.place
    yield turn, "\n".join(text), place


def _parts(line: str, size: int) -> bool:
    """Whether a note is parted at this line."""
    return size > 0 and (line.startswith("#") or (not line.strip() and size > _PART_CHARACTERS))


def _turn(line: str, now: datetime) -> _Turn | None:
    """The turn that begins at a line."""
    short = line[:400].rstrip()
    for form in (_HEADING, _BOLD, _LABEL, _LOGGED):
        found = form.match(short)
        if found is None:
            continue
        values = found.groupdict()
        who = values["name"].strip()
        if (form is not _LOGGED and role_of(who) is None) or (form is _LABEL and who.lower() not in _LABELS):
            continue
        rest = line[found.start("said") :].strip() if values.get("said") is not None else ""
        return _Turn(who, moment((values.get("time") or "").replace(",", ""), now), rest)
    return None


def _lines(stream: IO[bytes]) -> Iterator[_Text | Skipped]:
    """The lines as text; what is binary, or longer than 1 MB, is told."""
    number = place = 0
    inside = False
    while raw := stream.readline(_LINE_BYTES + 1):
        place += len(raw)
        number += not inside
        rest_of, inside = inside, not raw.endswith(b"\n") and len(raw) > _LINE_BYTES
        if rest_of:
            continue
        if inside or b"\0" in raw:
            yield Skipped(number, f"longer than {_LINE_BYTES >> 20} MB" if inside else "binary")
            continue
        try:
            line = raw.decode()
        except UnicodeDecodeError:
            line = raw.decode("cp1252", "replace")
        yield _Text(line.removeprefix("\ufeff").rstrip("\r\n"), number, place)
