"""The numbered SQL files of a schema: step 1 makes schema 1."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def steps_of(package: str) -> tuple[str, ...]:
    """The SQL of each step under a package's `schema/`, in order."""
    folder = resources.files(package) / "schema"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return tuple((folder / name).read_text() for name in names)
