"""The files that were named, one after the other, each with its kind: what its reader gives, and how far that is.

A single file may be of the kind that is said; in a folder a file must look like it, and others are counted. No link in
a folder is followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from remanence.errors import InvalidInput
from remanence.model import checks
from remanence.model.intake import AUTO
from remanence.sessions.importers import Noted, Piece, Skipped, claude_code, codex
from remanence.sessions.importers.kinds import KINDS, Kind, files_below, kind_of
from remanence.sessions.importers.shapes import digest
from remanence.sessions.sifting import Sieve
from remanence.store.protocol import Progress

_AGENTS = (claude_code.AGENT, codex.AGENT)
_TOLD_EVERY = 200


class File(NamedTuple):
    """A file to read: its kind, its size, and what changes whenever it does."""

    path: Path
    kind: Kind
    size: int
    version: int

    @property
    def source(self) -> str:
        """The name under which it is noted how far it was read: of an agent's transcript, its path alone."""
        if self.kind.name in _AGENTS:
            return str(self.path)
        named = f"{self.path}#{self.kind.name}"
        return named if self.kind.grows(self.path) else f"{named}#{self.version:x}"


class Walk:
    """Files read one after the other, with how far that is in all; and whether the last could be read to its end."""

    def __init__(self, sieve: Sieve, total: int, progress: Progress | None) -> None:
        self._sieve, self._total, self._progress = sieve, total, progress
        self._done = 0
        self.is_whole = False

    def pieces(self, file: File, start: int, now: datetime) -> Iterator[Piece | Noted]:
        """What the reader of a file gives; what could not be read is noted."""
        self._sieve.begin(str(file.path), file.kind.name)
        self.is_whole = True
        place = begun = start if file.kind.grows(file.path) else 0
        for number, found in enumerate(file.kind.read(file.path, start, now)):
            if isinstance(found, Skipped):
                self._sieve.skip(found)
                self.is_whole = self.is_whole and found.line > 0
            else:
                place = max(place, found.place or found.upto)
                yield found
            if number % _TOLD_EVERY == 0:
                self._tell(min(place, file.size))
        self._sieve.bytes += max(0, file.size - begun)

    def passed(self, size: int) -> None:
        """So many bytes more are behind."""
        self._done += size
        self._tell()

    def _tell(self, place: int = 0) -> None:
        if self._progress is not None:
            self._progress(self._done + place, self._total)


def walked(path: str | Path, kind: str | None, sieve: Sieve, progress: Progress | None) -> Iterator[tuple[File, Walk]]:
    """The files that were named, each with its kind; InvalidInput where there is none to read."""
    place, chosen = _named(path, kind)
    is_folder = place.is_dir()
    found = [(one, _look_up(one)) for one in (files_below(place, chosen) if is_folder else [place])]
    walk = Walk(sieve, sum(about.st_size for _, about in found if about), progress)
    for one, about in found:
        if about is None:
            continue
        name = kind_of(one) if chosen is None or is_folder else chosen
        if name is not None and chosen in (None, name):
            version = int(digest(about.st_size, about.st_mtime_ns)[:15], 16)
            yield File(one, KINDS[name], about.st_size, version), walk
        elif is_folder:
            sieve.others += 1
        else:
            raise InvalidInput(
                f"{place} is of no kind that is known here. Say what it is with --from {', '.join(KINDS)}; "
                "an export of rem itself comes in with: rem import PATH"
            )
        walk.passed(about.st_size)


def _named(path: str | Path, kind: str | None) -> tuple[Path, str | None]:
    """The place and the kind that were named."""
    problems = [] if isinstance(path, Path) else checks.string_problems(path, "path", 4096)
    if kind is not None and kind != AUTO:
        problems += checks.choice_problems(kind, "kind", (*KINDS, AUTO))
    if problems:
        raise InvalidInput(problems)
    place = Path(path).expanduser().absolute()
    try:
        mode = place.stat().st_mode
    except (OSError, ValueError) as reason:
        raise InvalidInput(f"{place} cannot be read: {getattr(reason, 'strerror', None) or reason}") from None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise InvalidInput(f"{place} is neither a file nor a folder")
    return place, None if kind == AUTO else kind


def _look_up(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
