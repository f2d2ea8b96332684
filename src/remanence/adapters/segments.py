"""Names of a framework as segments of a scope, and back: any text goes in, and comes out the same.

A slash, a percent sign, whatever cannot be printed, and a leading "=" become %XX, by the bytes of UTF-8; the empty name
is a lone "%". A name that is a key gets "=" in front, so that no namespace is ever below it: the scope of a key holds
that one thing alone. ("users", "a/b") with the key "tea" is /users/a%2Fb/=tea.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

KEY = "="
_EMPTY = "%"
_ENCODED = re.compile(r"(?:%[0-9A-F]{2})+")


def scope_of(root: str, names: Iterable[str], key: str | None = None) -> str:
    """The scope of these names below a root."""
    segments = [_escaped(name) for name in names] + ([] if key is None else [KEY + _escaped(key)])
    return "/".join([root.rstrip("/"), *segments]) or "/"


def names_of(root: str, scope: str) -> tuple[tuple[str, ...], str | None]:
    """The names and the key that a scope below a root stands for."""
    segments = scope.removeprefix(root.rstrip("/")).split("/")[1:] if scope != root else []
    key = _plain(segments.pop()[len(KEY) :]) if segments and segments[-1].startswith(KEY) else None
    return tuple(_plain(segment) for segment in segments), key


def _escaped(name: str) -> str:
    if not name:
        return _EMPTY
    escaped = "".join(_encoded(c) if c in "%/" or not c.isprintable() else c for c in name)
    return _encoded(KEY) + escaped[1:] if escaped.startswith(KEY) else escaped


def _encoded(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def _plain(segment: str) -> str:
    if segment == _EMPTY:
        return ""
    return _ENCODED.sub(
        lambda run: bytes.fromhex(run[0].replace("%", "")).decode("utf-8", "surrogatepass"),
        segment,
    )
