"""Paths of a file memory: scopes below its root, read strictly.

A path is refused, never repaired, where two readers could take it for two places: dot segments, empty or blank-edged
segments, backslashes, percent-encoded bytes, and characters that look like, or fold to, a slash or a dot. One slash at
the end is fine, and letters with marks are read in composed form, so that one name is one file.
"""

from __future__ import annotations

import re
import unicodedata

from remanence.model.checks import shown
from remanence.model.scope import scope_problems

# Slashes and backslashes of other scripts and of mathematics, drawn ones, and strokes laid over the letter before.
_SLASH_LIKE = frozenset(
    "\\\u0337\u0338\u2044\u20e5\u2215\u2216\u2571\u2572\u27cb\u27cd\u29f5\u29f8\u29f9\u2afd\ufe68\uff0f\uff3c"
)
_ENCODED = re.compile(r"%(?:[0-9a-f]{2}|u)", re.IGNORECASE)


def path_problem(path: object, root: str, name: str = "path") -> str | None:
    """Why this is no path at or below the root; None when it is one."""
    if not isinstance(path, str):
        return f"{name} must be text such as {root}/notes.md, not {type(path).__name__}"
    said = repr(shown(path)) if path.isprintable() else ascii(shown(path))
    if path != root and not path.startswith(root + "/"):
        return f"{name} {said} is not under {root}: write {root}/notes.md, for example"
    bare = path.removesuffix("/")
    if len(path) > 1024 or not path.isprintable() or scope_problems(bare):
        why = scope_problems(bare, name) or [f"{name} is too long or cannot be printed"]
        return f"{why[0] if path.isprintable() else f'{name} {said} has a character that cannot be printed'}. " + _PLAIN
    if _ENCODED.search(path) or any(character in _SLASH_LIKE for character in path):
        return f"{name} {said} has an encoded character, a backslash or a sign like one. " + _PLAIN
    folded = unicodedata.normalize("NFKC", bare)
    if folded.count("/") != bare.count("/"):
        return f"{name} {said} has a character that stands for a slash. " + _PLAIN
    if any(_is_odd(segment) for form in (bare, folded) for segment in form[1:].split("/")):
        return f"{name} {said} has a segment of dots, or one that begins or ends with a blank. " + _PLAIN
    return None


_PLAIN = "Write plain names between single slashes."


def _is_odd(segment: str) -> bool:
    return not segment.strip(". ") or segment != segment.strip()


def clean_path(path: str) -> str:
    """The scope that a path without problems stands for."""
    return unicodedata.normalize("NFC", path.removesuffix("/"))


def parents(path: str, root: str) -> list[str]:
    """The directories between the root and a path, outermost first."""
    names = path[len(root) + 1 :].split("/")[:-1]
    return [f"{root}/{'/'.join(names[: depth + 1])}" for depth in range(len(names))]
