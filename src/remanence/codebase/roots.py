"""Roots: the folders that may be looked into, each for all memories or for those of one scope.

A root is written as a path, or as SCOPE=PATH: "~/code/api", "/project/api=~/code/api". A scope begins with "/", as an
absolute path does; what names a folder as a whole is a path, whatever signs are in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from remanence.errors import InvalidInput
from remanence.model import checks
from remanence.model.scope import holds, scope_problems

LONGEST_PATH = 4096


@dataclass(frozen=True, slots=True)
class Root:
    """A folder, resolved, and the scope whose memories speak of it; None: all of them."""

    folder: Path
    scope: str | None = None

    def speaks_of(self, scope: str) -> bool:
        """Whether memories of this scope may be held against the folder."""
        return self.scope is None or holds(self.scope, scope)

    @property
    def name(self) -> str:
        return self.folder.name or "/"


def root_of(path: object) -> Root:
    """The folder at this path, for all scopes; InvalidInput where there is none that can be read."""
    text = str(path) if isinstance(path, (str, Path)) else path
    if problems := checks.string_problems(text, "a folder", LONGEST_PATH):
        raise InvalidInput(problems)
    try:
        folder = Path(str(text)).expanduser().resolve(strict=True)
        if not folder.is_dir():
            raise InvalidInput(f"{_shown(text)} is a file, not a folder; give the folder it is in")
        next(folder.iterdir(), None)
    except FileNotFoundError:
        raise InvalidInput(f"there is no folder {_shown(text)}; give one that is there") from None
    except (OSError, RuntimeError, ValueError) as reason:
        why = getattr(reason, "strerror", None) or str(reason)
        raise InvalidInput(f"the folder {_shown(text)} cannot be read: {why}") from None
    return Root(folder)


def root_from(text: object) -> Root:
    """The root a setting names, as PATH or SCOPE=PATH; InvalidInput where it names none."""
    if not isinstance(text, str):
        raise InvalidInput(f"a root must be text such as ~/code or /project/api=~/code/api, not {type(text).__name__}")
    scope, sign, path = text.partition("=")
    if not sign or not scope.startswith("/") or _is_folder(text):
        return root_of(text)
    if problems := scope_problems(scope, "the scope of a root"):
        raise InvalidInput(problems)
    return Root(root_of(path).folder, scope)


def roots_from(texts: Iterable[object]) -> tuple[tuple[Root, ...], tuple[str, ...]]:
    """The roots that are there, each once, and what is wrong with the others."""
    roots: dict[Root, None] = {}
    problems: list[str] = []
    for text in texts:
        try:
            roots[root_from(text)] = None
        except InvalidInput as invalid:
            problems += invalid.problems
    return tuple(roots), tuple(problems)


def _is_folder(text: str) -> bool:
    try:
        return Path(text).is_dir()
    except (OSError, ValueError):
        return False


def _shown(text: object) -> str:
    return repr(str(text)[:200])
