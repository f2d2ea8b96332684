"""Prompts: Markdown files with `{{variables}}`, bundled here; a folder of your own may hold others of the same name.

Every variable of a file must be given, and every given one must stand in it. What is filled in is never read for
variables again, so a text that holds `{{…}}` itself stays as it is.
"""

from __future__ import annotations

import re
from pathlib import Path

from remanence.errors import InvalidInput

_VARIABLE = re.compile(r"\{\{\s*([a-z_]+)\s*\}\}")
_LARGEST_BYTES = 256 * 1024


class Prompts:
    """The prompts in force."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self._folder = None if folder is None else Path(folder).expanduser()
        if self._folder is not None and not self._folder.is_dir():
            raise InvalidInput(f"llm.prompts: {self._folder} is not a folder")

    def render(self, name: str, **variables: str) -> str:
        """The text of a prompt file, filled in."""
        text, where = self._read(name)
        wanted = set(_VARIABLE.findall(text))
        problems = [
            f"{where} asks for {{{{{one}}}}}, which is not given to it" for one in sorted(wanted - variables.keys())
        ]
        problems += [f"{where} does not use {{{{{one}}}}}" for one in sorted(variables.keys() - wanted)]
        if problems:
            raise InvalidInput(problems)
        return _VARIABLE.sub(lambda match: variables[match[1]], text)

    def _read(self, name: str) -> tuple[str, str]:
        if self._folder is not None and (own := self._folder / f"{name}.md").is_file():
            try:
                with own.open("rb") as file:
                    raw = file.read(_LARGEST_BYTES + 1)
                if len(raw) <= _LARGEST_BYTES:
                    return raw.decode(), str(own)
            except (OSError, UnicodeDecodeError) as reason:
                raise InvalidInput(f"{own} cannot be read: {reason}") from None
            raise InvalidInput(f"{own} is larger than {_LARGEST_BYTES} bytes")
        from importlib import resources

        bundled = resources.files(__package__) / f"{name}.md"
        return bundled.read_text(encoding="utf-8"), f"{name}.md"
