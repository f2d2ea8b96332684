"""What git knows of a folder: its files, and where those went that are gone. Without git there is no answer.

Git is run on trees that nobody vouches for: no shell, no hooks, no monitor, no pager, no network, nothing of the
caller's environment, for a bounded time and answer. Where the bound is met, what was said of the past until then
counts: newest first, so that less is known, and nothing false. A list of files that was cut is none.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from time import monotonic

SECONDS = 10.0
COMMITS = 2000
_MOST_BYTES = 16 << 20
_OPTIONS = (
    *("--no-optional-locks", "--no-pager", "--literal-pathspecs"),
    *("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "log.showSignature=false"),
    *("-c", "core.quotePath=false", "-c", "diff.renames=true", "-c", "diff.external="),
)
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone would fetch what it lacks
    "PATH": os.defpath,
}
_CHANGES = ("-z", "-M", "--name-status", "--diff-filter=DR", "--relative", "--no-ext-diff", "--no-textconv")


class History:
    """Paths that were there once: where each is now, by the newest word on it; None where it was deleted."""

    def __init__(self, moves: Mapping[str, str | None] | None = None) -> None:
        self.moves = moves or {}

    def knows(self, path: str) -> bool:
        """Whether there was such a file, or a folder with files."""
        return path in self.moves or path in self._below

    def ending(self, path: str) -> tuple[str, ...]:
        """The paths that were there and end with this one, by whole names."""
        alike = self._ends.get(path.rpartition("/")[2], ())
        return tuple(old for old in alike if old == path or old.endswith("/" + path))

    def moved_to(self, path: str) -> str | None:
        """Where the file went, or the folder with all that was in it."""
        if path in self.moves:
            return self.moves[path]
        places = set()
        for old in self._below.get(path, ()):
            new, rest = self.moves[old], old[len(path) :]
            places.add(new[: -len(rest)] if new is not None and new.endswith(rest) else None)
        return places.pop() if len(places) == 1 else None

    @cached_property
    def _below(self) -> dict[str, list[str]]:
        """The paths by each folder they were in, itself or below it."""
        found: dict[str, list[str]] = {}
        for old in self.moves:
            folder = old
            while folder := folder.rpartition("/")[0]:
                found.setdefault(folder, []).append(old)
        return found

    @cached_property
    def _ends(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for old in sorted(self.moves):
            found.setdefault(old.rpartition("/")[2], []).append(old)
        return found


def listed(folder: Path) -> list[str] | None:
    """Tracked and untracked files that are not ignored, below the folder; None where git does not tell all of them."""
    said = _git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", in_full=True)
    return None if said is None else sorted({name for name in said if name})


def is_work_tree(folder: Path) -> bool:
    """Whether git keeps the history of this folder."""
    return _git(folder, "rev-parse", "--show-toplevel") is not None


def history(folder: Path) -> History:
    """Where files went, from what is staged and from the commits, newest first."""
    staged = _git(folder, "diff", "--cached", *_CHANGES)
    if staged is None:
        return History()
    committed = _git(folder, "log", f"--max-count={COMMITS}", *_CHANGES, "--format=")
    moves: dict[str, str | None] = {}
    for said in (staged, committed or []):
        _follow(said, moves)
    return History(moves)


def _follow(said: Sequence[str], moves: dict[str, str | None]) -> None:
    """Add what is said, newest first: a file that moved on since is followed to where it is now."""
    words = iter(said)
    for status in words:
        if status.startswith("R"):
            old, new = next(words, None), next(words, None)
            if old and new and old not in moves:
                moves[old] = moves.get(new, new)
        elif status == "D" and (gone := next(words, None)):
            moves.setdefault(gone, None)


def _git(folder: Path, *arguments: str, in_full: bool = False) -> list[str] | None:
    """The words git answers with, each whole; None where it fails, or where all of them were wanted and some lack."""
    program = shutil.which("git")
    if program is None:
        return None
    try:
        with subprocess.Popen(  # nosec B603 # words, no shell
            [program, "-C", str(folder), *_OPTIONS, *arguments],
            env=_ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            close_fds=True,
        ) as process:
            said, is_whole = _bounded(process)
            if not is_whole:
                process.kill()
            process.wait(SECONDS)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    if process.returncode if is_whole else in_full:
        return None
    words = os.fsdecode(said).split("\0")
    return words[:-1]  # behind the last NUL stands nothing, or half a word


def _bounded(process: subprocess.Popen[bytes]) -> tuple[bytes, bool]:
    """What a process says, and whether that is all of it, within the time and size it is given."""
    stream, size = process.stdout, 0
    parts: list[bytes] = []
    if stream is None:
        return b"", True
    until = monotonic() + SECONDS
    while size < _MOST_BYTES and (left := until - monotonic()) > 0:
        ready, _, _ = select.select([stream], [], [], left)
        part = os.read(stream.fileno(), 1 << 16) if ready else b""
        if ready and not part:
            return b"".join(parts), True
        parts.append(part)
        size += len(part)
    return b"".join(parts), False
