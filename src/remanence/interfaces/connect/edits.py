"""Edits of files that belong to others: shown before, backed up, written whole or not at all, taken back to the byte.

An edit is a file's bytes before and after; None is no file. A link is followed to its target, the mode is kept, a file
that is read-only stays so. A backup (`NAME.bak-remanence`, then `.1`, `.2`, …) is made only where there was a file, no
backup has the same bytes, and the edit does not merely take back one of ours. A folder that is left empty goes with its
last file: an agent's folder is a sign that the agent is installed.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from remanence.errors import InvalidInput, RemanenceError

BACKUP = ".bak-remanence"
_MOST_BYTES = 8_000_000
_NAMED = re.compile(
    r"""(?ix) (["']? [\w.-]* (?:key|token|secret|passw|credential|authorization) [\w.-]* ["']? \s* [:=] \s*)
    (?: "(?:[^"\\]|\\.)*" | '[^']*' | [^\s,}\]"'{\[][^,}\]]* )"""
)
_SHAPED = re.compile(
    r"""(?x) (?<![\w-]) (?: (?:sk|pk|rk|gh[opsu]|github_pat|glpat|hf|npm|pypi|xox[abeprs]) [-_] [\w-]{12,}
    | (?:AKIA|ASIA|AIza) \w{12,} | (?i:(?<=bearer[ ])) [^\s"',]+ ) | (?<=://) [^\s/:@"']* : [^\s/@"']+ (?=@)"""
)
"""What is a secret by its look: keys by their first letters, what a bearer bears, a name and password in an address."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One file, as it is and as it is to be."""

    path: Path
    before: bytes | None
    after: bytes | None
    undoes: bool = False
    """It takes back an edit of ours and nothing else, so there is nothing to back up."""

    @property
    def changes(self) -> bool:
        return self.before != self.after

    def diff(self) -> str:
        """The edit as a unified diff; what is named like a secret, or looks like one, is not shown."""
        old, new = (f"{self.path}" if side is not None else "/dev/null" for side in (self.before, self.after))
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), old, new, lineterm="")
        return "\n".join(_SHAPED.sub("…", _NAMED.sub(r'\1"…"', line)) for line in lines)


def _lines(side: bytes | None) -> list[str]:
    text = (side or b"").decode("utf-8", "replace")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        lines[-1] += "  (no line end)"
    return [line.removesuffix("\r") for line in lines]


def read(path: Path) -> bytes | None:
    """A file's bytes, None where there is none; InvalidInput for what cannot be read as a text."""
    try:
        if not path.exists():
            return None
        if not path.is_file():
            raise InvalidInput(f"{path} is no file. Nothing was changed")
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as reason:
        raise InvalidInput(f"{path} cannot be read: {reason.strerror}. Nothing was changed") from None
    if len(data) > _MOST_BYTES:
        raise InvalidInput(f"{path} has more than {_MOST_BYTES:,} bytes. Nothing was changed")
    text(data, path)
    return data


def text(data: bytes | None, path: Path) -> str:
    """Bytes as a text, with a byte order mark and line ends as they are."""
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as reason:
        raise InvalidInput(f"{path} is not UTF-8 (byte {reason.start}). Nothing was changed") from None


def backups(path: Path) -> Iterator[Path]:
    """The backups of a file, oldest first."""
    for number in count():
        place = path.with_name(path.name + BACKUP + (f".{number}" if number else ""))
        if not place.is_file():
            return
        yield place


def original(path: Path, now: bytes, again: Callable[[bytes | None], bytes]) -> tuple[bytes | None] | None:
    """What stood there before, if doing the same `again` to a backup, or to no file, gives what is there now."""
    for place in (*reversed([*backups(path)]), None):
        try:
            before = None if place is None else read(place)
            if again(before) == now:
                return (before,)
        except InvalidInput:
            continue
    return None


def check(edits: Iterable[Edit]) -> None:
    """InvalidInput where one of the edits could not be made, with all reasons."""
    if problems := [problem for edit in edits if edit.changes for problem in _problems(edit)]:
        raise InvalidInput([*problems, "nothing was changed"])


def write(edits: Sequence[Edit]) -> list[Path]:
    """Back up and write every edit, after a look at all of them; the backups that were made."""
    check(edits)
    edits = [edit for edit in edits if edit.changes]
    made: list[Path] = []
    done: list[Path] = []
    for edit in edits:
        try:
            if (backup := _back_up(edit)) is not None:
                made.append(backup)
            _put(edit)
        except OSError as reason:
            kept = f"; {', '.join(map(str, done))} was written before" if done else "; nothing was changed"
            raise RemanenceError(f"{edit.path} cannot be written: {reason.strerror}{kept}") from None
        done.append(edit.path)
    return made


def _problems(edit: Edit) -> Sequence[str]:
    target = _target(edit.path)
    try:
        if target.is_symlink():
            return (f"{edit.path} is a link that leads to itself",)
        if read(edit.path) != edit.before:
            return (f"{edit.path} has changed since it was shown; run the command again",)
        if edit.before is not None and not stat.S_IMODE(target.stat().st_mode) & 0o222:
            return (f"{target} is read-only; make it writable, or edit it where it comes from",)
        near = next(place for place in target.parents if place.exists())
        if not near.is_dir() or not os.access(near, os.W_OK):
            return (f"{edit.path} cannot be written: {near} is {'not writable' if near.is_dir() else 'no folder'}",)
    except OSError as reason:
        return (f"{edit.path} cannot be written: {reason.strerror}",)
    return ()


def _target(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _back_up(edit: Edit) -> Path | None:
    if edit.before is None or edit.undoes or any(place.read_bytes() == edit.before for place in backups(edit.path)):
        return None
    place = edit.path.with_name(edit.path.name + BACKUP)
    for number in count(1):
        if not os.path.lexists(place):
            break
        place = edit.path.with_name(f"{edit.path.name}{BACKUP}.{number}")
    _write_new(place, edit.before, _target(edit.path).stat())
    return place


def _put(edit: Edit) -> None:
    target = _target(edit.path)
    if edit.after is None:
        target.unlink()
        with suppress(OSError):  # what else it holds, or being a link, keeps it
            edit.path.parent.rmdir()
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    _write_new(target, edit.after, target.stat() if edit.before is not None else None)


def _write_new(place: Path, data: bytes, like: os.stat_result | None) -> None:
    """Write beside the place and move there, so that nobody ever reads half of it."""
    handle, beside = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if like is None:
                os.fchmod(file.fileno(), 0o666 & ~_umask())
            else:
                with suppress(PermissionError):
                    os.fchown(file.fileno(), like.st_uid, like.st_gid)
                os.fchmod(file.fileno(), stat.S_IMODE(like.st_mode))
        Path(beside).replace(place)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _umask() -> int:
    now = os.umask(0o077)
    os.umask(now)
    return now
