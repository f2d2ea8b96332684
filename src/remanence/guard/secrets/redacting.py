"""Secrets leave a text before its first byte is stored, embedded, logged or sent; the rest stays as it is.

Each becomes `[redacted:kind]`. JSON-like values lose the secrets of their strings in any depth, of their keys too, and
what a telling key holds; they are gone through with a list, so that depth costs memory and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from remanence.guard.secrets.finding import MARK, Found, find, mark, without
from remanence.guard.secrets.named import holds, kind_by

__all__ = ["Redaction", "redact", "redact_value"]

# Keys that only repeat what the key above them told, and keys that tell what "value" holds.
_PLAIN_TEXT = """
    value values current plain text data raw default content old new previous
"""
_PLAIN = frozenset(_PLAIN_TEXT.split())
_NAMING = ("name", "key", "field", "header", "variable", "id")
_OF_DIGITS = ("password", "passphrase", "pin")
_NOTHING: Mapping[str, int] = MappingProxyType({})


class Redaction(NamedTuple):
    """A text without secrets, and how many of each kind it had."""

    text: str
    counts: Mapping[str, int]


def redact(text: str, *, personal: Collection[str] = ()) -> Redaction:
    """The text with a mark for each secret; the same object where there is none."""
    found = find(text, personal=personal)
    if not found:
        return Redaction(text, _NOTHING)
    return Redaction(without(text, found), Counter(kind for kind, _, _ in found))


def redact_value(value: Any, *, personal: Collection[str] = ()) -> tuple[Any, dict[str, int]]:
    """The value without secrets, and how many of each kind it had; the same object where there is none."""
    counts: Counter[str] = Counter()
    root: list[Any] = [None]
    # (what, the key that tells what it is, where the result goes, under what)
    waiting: list[tuple[Any, str | None, Any, Any]] = [(value, None, root, 0)]
    built: list[tuple[Any, Any, Any, Any]] = []
    while waiting:
        one, told, into, under = waiting.pop()
        if isinstance(one, str):
            into[under] = _text(one, told, counts, personal)
        elif isinstance(one, dict):
            parts: dict[int, Any] = {}
            named_by = next((one[key] for key in _NAMING if isinstance(one.get(key), str)), None)
            for number, (key, inner) in enumerate(one.items()):
                waiting.append((inner, _told(key, told, named_by), parts, number))
            built.append((one, parts, into, under))
        elif isinstance(one, list | tuple):
            items: list[Any] = [None] * len(one)
            waiting.extend((inner, told, items, number) for number, inner in enumerate(one))
            built.append((one, items, into, under))
        elif told and isinstance(one, int) and not isinstance(one, bool) and kind_by(told) in _OF_DIGITS:
            counts[kind_by(told) or ""] += 1
            into[under] = mark(kind_by(told) or "")
        else:
            into[under] = one
    while built:  # children before their parents
        one, made, into, under = built.pop()
        into[under] = _keyed(one, made, counts, personal) if isinstance(one, dict) else _listed(one, made)
    return root[0], dict(counts)


def _text(text: str, told: str | None, counts: Counter[str], personal: Collection[str]) -> str:
    """A string without secrets; `told`: under a key that announces one."""
    found = find(text, personal=personal)
    if told and not found and not MARK.search(text):
        kind = kind_by(told) or "secret"
        if holds(text, kind):
            found = [Found(kind, 0, len(text))]
        else:
            head = f"{told}: "
            found = [
                Found(kind, start - len(head), end - len(head))
                for kind, start, end in find(head + text, personal=personal)
                if start >= len(head)
            ]
    counts.update(kind for kind, _, _ in found)
    return without(text, found) if found else text


def _told(key: Any, told: str | None, named_by: str | None) -> str | None:
    """The key itself where it announces a secret, or the one that does for it."""
    if not isinstance(key, str):
        return None
    if key.lower() in _PLAIN:
        return named_by if named_by and kind_by(named_by) else told
    return key if kind_by(key) else None


def _keyed(one: dict[Any, Any], parts: dict[int, Any], counts: Counter[str], personal: Collection[str]) -> Any:
    made: dict[Any, Any] = {}
    same = True
    for number, (key, inner) in enumerate(one.items()):
        new = key
        if isinstance(key, str):
            found = redact(key, personal=personal)
            counts.update(found.counts)
            new, copy = found.text, 2
            while new in made:
                new, copy = f"{found.text} {copy}", copy + 1
        made[new] = parts[number]
        same = same and new is key and parts[number] is inner
    return one if same else made


def _listed(one: Any, items: list[Any]) -> Any:
    if all(new is old for new, old in zip(items, one, strict=True)):
        return one
    return tuple(items) if isinstance(one, tuple) else items
