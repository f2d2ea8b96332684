"""Our tools in Codex's config.toml: a table `[mcp_servers.remanence]`, put at the end and taken out again.

The file is edited as a text, by statements: a header, or a key with its value, each with the path it defines. Every
edit is read again with tomllib before it is given out, and refused (InvalidInput) if it says anything else than what
was there and our table: an inline `mcp_servers = {…}` is left to the user. Comments, order and line ends stay.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from remanence.errors import InvalidInput
from remanence.interfaces.connect.hosts import Host
from remanence.interfaces.connect.servers import CALL, NAME

_SERVERS = "mcp_servers"
_OURS = (_SERVERS, NAME)
_MARK = "\ufeff"
_NO_STATEMENT = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)|[ \t]*\r\n")
_TOKEN = re.compile(
    r'''(?xs) (?P<string> """(?:[^"\\]|\\.|"(?!""))*"""(?:"{0,2}) | \'\'\'(?:[^']|'(?!''))*\'\'\'(?:'{0,2})
      | "(?:[^"\\\n]|\\.)*" | '[^'\n]*' )
    | (?P<comment> \#[^\n]* ) | (?P<open> [\[{] ) | (?P<close> [\]}] ) | (?P<line> \r?\n ) | (?P<gap> [ \t]+ )
    | (?P<equals> = ) | (?P<word> [^\s"'\#\[\]{}=]+ | . )'''
)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A header, or a key and its value: whole lines, what it defines, and where its value stands."""

    start: int
    end: int
    path: tuple[str, ...]
    header: bool
    value: tuple[int, int]


def found(text: str, name: str) -> Any:
    """The entry of our name in a configuration, whosever it is; None if there is none."""
    servers = _read(text, name).get(_SERVERS)
    return servers.get(NAME) if isinstance(servers, dict) else None


def connected(text: str, wanted: Mapping[str, Any], name: str) -> str:
    """The configuration with an entry that calls what is wanted; the same text where it has one."""
    have = found(text, name)
    if have is None:
        return with_entry(text, wanted, name)
    new = text
    for key in CALL:
        if have[key] != wanted[key]:
            places = [one.value for one in _statements(new) if one.path == (*_OURS, key) and not one.header]
            for start, end in places:
                new = new[:start] + _written(wanted[key]) + new[end:]
    return _verified(new, _with(_read(text, name), {**have, **_call(wanted)}), wanted, name)


def with_entry(text: str, value: Mapping[str, Any], name: str) -> str:
    """The configuration with our table more, at its end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    ended = text.removeprefix(_MARK) == "" or text.endswith("\n")
    gap = ("" if ended else newline) + ("" if _bare(text) else newline)
    lines = [f"[{_SERVERS}.{NAME}]", *(f"{key} = {_written(value[key])}" for key in CALL)]
    new = text + gap + "".join(line + newline for line in lines)
    return _verified(new, _with(_read(text, name), _call(value)), value, name)


def disconnected(text: str, name: str) -> str:
    """The configuration without our table and those in it: Codex adds some, and fails on a server of no command."""
    new = text
    for one in reversed([*_statements(text)]):
        if one.path[: len(_OURS)] == _OURS:
            new = new[: _from(new, one)] + new[one.end :]
    try:
        if _said(_read(new, name)) == _said(_with(_read(text, name), None)):
            return new
    except InvalidInput:
        pass
    raise InvalidInput(
        f"{name} names {_SERVERS}.{NAME} in a way that is not edited here: take it out by hand. Nothing was changed"
    )


def switched_off(text: str, _host: Host, name: str) -> str | None:
    """The setting by which the user has switched off a server of our name, if there is one."""
    ours = found(text, name)
    off = isinstance(ours, dict) and ours.get("enabled") is False
    return f"{_SERVERS}.{NAME}.enabled" if off else None


def _from(text: str, one: _Statement) -> int:
    """Where a statement begins; with a header goes the empty line above it, which was put there."""
    above = re.search(r"(?<=\n)\r?\n\Z", text[: one.start]) if one.header else None
    return above.start() if above and not _bare(text[: one.start]) else one.start


def _bare(text: str) -> bool:
    return not text.strip(_MARK + " \t\r\n")


def _verified(new: str, expected: dict[str, Any], wanted: Mapping[str, Any], name: str) -> str:
    try:
        if _said(_read(new, name)) == _said(expected):
            return new
    except InvalidInput:
        pass
    words = ", ".join(f"{key} = {_written(wanted[key])}" for key in CALL)
    raise InvalidInput(
        f"{name} has {_SERVERS} in a form that is not edited here: put {NAME} = {{ {words} }} into it by hand. "
        "Nothing was changed"
    )


def _call(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value[key] for key in CALL}


def _with(read: dict[str, Any], ours: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a file would say with this entry of ours, or with none."""
    servers = read.get(_SERVERS, {})
    if not isinstance(servers, dict):
        return {}
    rest = {name: one for name, one in servers.items() if name != NAME}
    return {**read, _SERVERS: {**rest, **({NAME: ours} if ours is not None else {})}}


def _said(read: Mapping[str, Any]) -> str:
    """A text that is the same for files that say the same; a table of no servers says nothing."""
    kept = {key: value for key, value in read.items() if key != _SERVERS or value != {}}
    return json.dumps(kept, sort_keys=True, default=repr)  # NaN too, which is not equal to itself


def _written(value: str | list[str]) -> str:
    """A string, or a list of them, in TOML: as in JSON, which lets DEL stand as it is."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _read(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix(_MARK))
    except tomllib.TOMLDecodeError as reason:
        raise InvalidInput(f"{name} is no TOML: {reason}. Nothing was changed") from None
    except RecursionError:
        raise InvalidInput(f"{name} is no TOML: too many levels. Nothing was changed") from None


def _statements(text: str) -> Iterator[_Statement]:
    """The statements of a text that tomllib reads."""
    table: tuple[str, ...] = ()
    at = len(text) - len(text.removeprefix(_MARK))
    while at < len(text):
        if blank := _NO_STATEMENT.match(text, at):
            at = blank.end()
            continue
        start, depth, equals, last, first = at, 0, 0, at, 0
        while token := _TOKEN.match(text, at):
            at, kind = token.end(), token.lastgroup
            depth += (kind == "open") - (kind == "close")
            if kind == "line" and depth == 0:
                break
            if kind == "equals" and not equals and depth == 0:
                equals = token.start()
            elif kind not in ("gap", "line", "comment"):
                last, first = at, first or (token.start() if equals else 0)
        if equals:
            yield _Statement(start, at, (*table, *_path(text[start:equals] + "= 0")), False, (first, last))
        else:
            table = _path(text[start:last])
            yield _Statement(start, at, table, True, (last, last))


def _path(statement: str) -> tuple[str, ...]:
    """What a statement defines, alone."""
    value: Any = tomllib.loads(statement)
    path: list[str] = []
    while isinstance(value, (dict, list)) and value:
        if isinstance(value, dict):
            path += value
        value = value[0] if isinstance(value, list) else value[path[-1]]
    return tuple(path)
