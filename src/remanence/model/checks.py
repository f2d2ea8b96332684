"""What each field of a memory may hold: every check returns its problems, so that a caller reports all at once.

Limits: text 1 MiB of UTF-8, a tag 200 characters and 256 of a sort, metadata 64 KiB of JSON at most 16 deep, a key
200 characters, an origin 1000 and 2000 bytes, which is what an index of PostgreSQL holds. Numbers are finite and of
their own type: True is no importance and "5" is no limit.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable

TEXT_BYTES = 1 << 20
TAGS = 256
TAG_CHARACTERS = 200
METADATA_BYTES = 64 * 1024
METADATA_DEPTH = 16
KEY_CHARACTERS = 200
ORIGIN_CHARACTERS, ORIGIN_BYTES = 1000, 2000
SMALL_INTEGER = 2**31 - 1
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def string_problems(value: object, name: str, longest: int = KEY_CHARACTERS) -> list[str]:
    """A short label: not blank, storable, no longer than its limit."""
    if not isinstance(value, str):
        return [f"{name} must be text, not {type(value).__name__}"]
    if len(value) > longest:
        return [f"{name} has {len(value)} characters; the limit is {longest}"]
    return _unstorable(value, name) or ([] if value.strip() else [f"{name} is blank"])


def printable_problems(value: object, name: str, longest: int = KEY_CHARACTERS) -> list[str]:
    """A short label that stands in lists and addresses: no line breaks, controls or marks of direction."""
    if problems := string_problems(value, name, longest):
        return problems
    assert isinstance(value, str)
    return [] if value.isprintable() else [f"{name} {shown(value)!r} has a character that cannot be printed"]


def origin_problems(value: object) -> list[str]:
    """Where a memory came from, in one label."""
    if problems := string_problems(value, "origin", ORIGIN_CHARACTERS):
        return problems
    assert isinstance(value, str)
    return bytes_problems(value, "origin", ORIGIN_BYTES)


def text_problems(value: object, name: str = "text") -> list[str]:
    """A statement or a query: any Unicode up to 1 MiB that is not blank."""
    if not isinstance(value, str):
        return [f"{name} must be text, not {type(value).__name__}"]
    if len(value) > TEXT_BYTES:
        return [f"{name} has {len(value)} characters; the limit is {TEXT_BYTES} bytes of UTF-8"]
    problems = _unstorable(value, name)
    if problems:
        return problems
    if problems := bytes_problems(value, name, TEXT_BYTES):
        return problems
    if not value.strip() or (not value.isprintable() and _invisible(value)):
        return [f"{name} is blank"]
    return []


def bytes_problems(value: str, name: str, most: int) -> list[str]:
    """Text that is short enough in UTF-8."""
    size = len(value) if value.isascii() else len(value.encode(errors="replace"))
    return [] if size <= most else [f"{name} has {size} bytes of UTF-8; the limit is {most}"]


def _unstorable(value: str, name: str) -> list[str]:
    match = _UNSTORABLE.search(value)
    if match is None:
        return []
    what = "a NUL character" if match[0] == "\0" else f"a lone surrogate (U+{ord(match[0]):04X})"
    return [f"{name} has {what} at position {match.start()}, which is not valid text"]


def _invisible(value: str) -> bool:
    return all(c.isspace() or unicodedata.category(c) in ("Cf", "Cc") for c in value)


def number_problems(value: object, name: str, low: float, high: float) -> list[str]:
    """A finite number in [low, high]."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return [f"{name} must be a number from {low:g} to {high:g}, not {type(value).__name__}"]
    if low <= value <= high:
        return []
    return [f"{name} {shown(value)} is outside {low:g} to {high:g}"]


def integer_problems(value: object, name: str, low: int, high: int = SMALL_INTEGER) -> list[str]:
    """A whole number in [low, high]."""
    if isinstance(value, bool) or not isinstance(value, int):
        return [f"{name} must be a whole number from {low} to {high}, not {type(value).__name__}"]
    return [] if low <= value <= high else [f"{name} {shown(value)} is outside {low} to {high}"]


def flag_problems(value: object, name: str) -> list[str]:
    return [] if isinstance(value, bool) else [f"{name} must be true or false, not {shown(value)!r}"]


def choice_problems(value: object, name: str, choices: Iterable[str]) -> list[str]:
    allowed = tuple(choices)
    if isinstance(value, str) and value in allowed:
        return []
    return [f"{name} {shown(value)!r} is not one of {', '.join(allowed)}"]


def tags_problems(value: object, name: str, *, distinct: bool = False) -> list[str]:
    """A list of short labels."""
    if isinstance(value, (str, bytes)) or not isinstance(value, (list, tuple, set, frozenset)):
        return [f"{name} must be a list of texts, not {type(value).__name__}"]
    if len(value) > TAGS:
        return [f"{name} has {len(value)} entries; the limit is {TAGS}"]
    problems = [p for item in value for p in string_problems(item, f"each of {name}", TAG_CHARACTERS)]
    if distinct and not problems and len(set(value)) < len(value):
        return [f"{name} names something twice"]
    return problems


def id_problems(value: object, name: str = "id") -> list[str]:
    """A memory's id, in its one written form."""
    if isinstance(value, str) and _ID.fullmatch(value):
        return []
    return [f"{name} {shown(value)!r} is not a memory's id"]


def ids_problems(value: object, name: str, most: int = 10_000) -> list[str]:
    """A list of memories' ids."""
    if isinstance(value, (str, bytes)) or not isinstance(value, (list, tuple, set, frozenset)):
        return [f"{name} must be a list of ids, not {type(value).__name__}"]
    if len(value) > most:
        return [f"{name} has {len(value)} entries; the limit is {most}"]
    return [p for item in value for p in id_problems(item, f"each of {name}:")]


def metadata_problems(value: object, name: str = "metadata", *, room: int = 0) -> list[str]:
    """A JSON object of bounded size and depth, with so many bytes of room beyond the limit."""
    if not isinstance(value, dict):
        return [f"{name} must be an object of JSON values, not {type(value).__name__}"]
    problems = _nested_problems(value, name, METADATA_BYTES + room)
    if problems or not value:
        return problems
    try:
        size = len(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError) as reason:
        return [f"{name} is not JSON: {str(reason)[:100]}"]
    return [f"{name} has {size} bytes of JSON; the limit is {METADATA_BYTES}"] if size > METADATA_BYTES + room else []


def _nested_problems(value: object, name: str, most: int) -> list[str]:
    """What is wrong inside: too deep, too much, keys or texts that cannot be stored; it stops at its limits."""
    seen, characters = 0, 0
    layer: list[object] = [value]
    for _ in range(METADATA_DEPTH):
        inner: list[object] = []
        for item in layer:
            if isinstance(item, dict):
                if not all(isinstance(key, str) for key in item):
                    return [f"{name} has a key that is not text"]
                found: list[object] = [*item.keys(), *item.values()]
            elif isinstance(item, (list, tuple)):
                found = list(item) if len(item) <= METADATA_BYTES else [None] * METADATA_BYTES
            elif isinstance(item, str):
                characters += len(item)
                if problems := _unstorable(item, name):
                    return problems
                continue
            else:
                continue
            seen += len(found)
            inner += found
            if seen >= METADATA_BYTES // 2:
                return [f"{name} has more than {METADATA_BYTES // 2} values"]
        if characters > most:
            return [f"{name} has more than {METADATA_BYTES} characters; the limit is {METADATA_BYTES} bytes of JSON"]
        layer = inner
        if not layer:
            return []
    deep = any(isinstance(item, (dict, list, tuple)) for item in layer)
    texts = [problem for item in layer if isinstance(item, str) for problem in _unstorable(item, name)]
    return [f"{name} is nested more than {METADATA_DEPTH} deep"] if deep else texts


def shown(value: object) -> str:
    """A value in a message: short, whatever it is."""
    if isinstance(value, int) and value.bit_length() > 200:
        return f"of {value.bit_length()} bits"
    try:
        return str(value)[:40]
    except ValueError:  # a number inside it has too many digits
        return f"a {type(value).__name__}"
