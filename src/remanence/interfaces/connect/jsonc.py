"""Edits in a JSON file that leave every other byte alone: comments, order, indentation, line ends, a byte order mark.

`parse` reads JSON with comments and trailing commas, and says of each value where it stands; `appended`, `dropped` and
`replaced` return the text with one thing more, less or different. New lines are indented as their neighbours are.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from remanence.errors import InvalidInput

_MARK = "\ufeff"
_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_PLAIN = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_DEEPEST = 200
_STRINGS = json.JSONDecoder()


@dataclass(slots=True)
class Node:
    """A value, where it stands, and what is in it."""

    start: int
    end: int
    value: Any
    parts: list[Part] = field(default_factory=list)

    def get(self, key: str) -> Part | None:
        """The member of this name; of several the last, as every reader takes it."""
        return next((part for part in reversed(self.parts) if part.key == key), None)


@dataclass(slots=True)
class Part:
    """A member of an object, from its key on, or an item of an array; and where the comma after it is."""

    start: int
    node: Node
    key: str | None = None
    comma: int | None = None


def parse(text: str, name: str) -> Node:
    """The value in a text; InvalidInput with line and column for what is no JSON."""
    reader = _Reader(text, name)
    node = reader.value(reader.skip(1 if text.startswith(_MARK) else 0), 0)
    if (end := reader.skip(node.end)) != len(text):
        raise reader.broken(end, "more text after the end")
    return node


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    def broken(self, at: int, what: str) -> InvalidInput:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        return InvalidInput(f"{self.name} is no JSON: {what} in line {line}, column {column}. Nothing was changed")

    def skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> Node:
        sign = self.text[at : at + 1]
        if depth > _DEEPEST:
            raise self.broken(at, f"more than {_DEEPEST} levels")
        if sign in ("{", "["):
            return self.container(at, depth, sign == "{")
        if sign == '"':
            text, end = self.string(at)
            return Node(at, end, text)
        if found := _PLAIN.match(self.text, at):
            return Node(at, found.end(), self.plain(found[0], at))
        raise self.broken(at, f"{sign!r} where a value should be" if sign else "the end of the file")

    def plain(self, word: str, at: int) -> Any:
        try:
            return json.loads(word)
        except ValueError:  # Python reads no number of more than 4,300 digits
            raise self.broken(at, "a number of too many digits") from None

    def string(self, at: int) -> tuple[str, int]:
        if self.text[at : at + 1] != '"':
            raise self.broken(at, "no name in double quotes")
        try:
            return _STRINGS.raw_decode(self.text, at)
        except json.JSONDecodeError as reason:
            raise self.broken(at, f"a text that is not right ({reason.msg})") from None

    def container(self, start: int, depth: int, named: bool) -> Node:
        close = "}" if named else "]"
        parts: list[Part] = []
        at = self.skip(start + 1)
        while self.text[at : at + 1] != close:
            if parts and parts[-1].comma is None:
                raise self.broken(at, f"no comma, nor {close!r},")
            part_start, key = at, None
            if named:
                key, at = self.string(at)
                at = self.skip(at)
                if self.text[at : at + 1] != ":":
                    raise self.broken(at, "no colon after a name")
                at = self.skip(at + 1)
            node = self.value(at, depth + 1)
            at = self.skip(node.end)
            comma = at if self.text[at : at + 1] == "," else None
            parts.append(Part(part_start, node, key, comma))
            at = at if comma is None else self.skip(at + 1)
        value: Any = {p.key: p.node.value for p in parts} if named else [p.node.value for p in parts]
        return Node(start, at + 1, value, parts)


def appended(text: str, inside: Node, value: Any, key: str | None = None) -> str:
    """The text with one more member, or item, at the end of an object or array."""
    newline = "\r\n" if "\r\n" in text else "\n"
    unit, outer = _unit(text), _indent(text, inside.start)
    last = inside.parts[-1] if inside.parts else None
    own = last is not None and not text[text.rfind("\n", 0, last.start) + 1 : last.start].strip(" \t\ufeff")
    indent = _indent(text, last.start) if last and own else outer + unit
    body = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline + indent)
    new = newline + indent + (f"{json.dumps(key, ensure_ascii=False)}: " if key is not None else "") + body
    tail = inside.end - 1 - (len(before := text[: inside.end - 1]) - len(before.rstrip(" \t\r\n")))
    rest = text[tail:] if "\n" in text[tail : inside.end - 1] else newline + outer + text[inside.end - 1 :]
    if last is not None and last.comma is None:
        return text[: last.node.end] + "," + text[last.node.end : tail] + new + rest
    return text[:tail] + new + rest


def replaced(text: str, node: Node, value: Any) -> str:
    """The text with another value in the place of one."""
    newline = "\r\n" if "\r\n" in text else "\n"
    body = json.dumps(value, indent=_unit(text), ensure_ascii=False).replace("\n", newline + _indent(text, node.start))
    return text[: node.start] + body + text[node.end :]


def dropped(text: str, inside: Node, part: Part) -> str:
    """The text without one member, or item; comments beside it stay."""
    at = next(number for number, one in enumerate(inside.parts) if one is part)
    start = len(text[: part.start].rstrip(" \t\r\n"))
    comma = part.node.end if part.comma is None else part.comma
    between = text[part.node.end : comma]
    head, rest = text[:start], (between if between.strip() else "") + text[comma:].removeprefix(",")
    if "\n" in text[start : part.start] and rest.lstrip(" \t")[:1] not in ("", "\r", "\n"):
        # Something else stands on its last line: it keeps the line break before, which may be the end of a comment.
        head, rest = text[: part.start], rest.lstrip(" \t")
    before = inside.parts[at - 1].comma if at else None
    if at + 1 < len(inside.parts):
        return head + rest
    if before is not None:
        return text[:before] + head[before + 1 :] + rest
    # Nothing but the brackets is left of it: they belong together.
    return head + (rest.lstrip(" \t\r\n") if start == inside.start + 1 else rest)


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip(_MARK)
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """What a level is indented by in this text; two spaces where nothing tells."""
    found = re.search(r"^\ufeff?([ \t]*)(?![ \t])[^\r\n]*[\[{][ \t]*\r?\n\1([ \t]+)\S", text, re.MULTILINE)
    return found[2] if found else "  "
