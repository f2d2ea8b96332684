"""Artifacts on disk: a project's files are replaced all together, or stay as they are.

What changed is scanned for secrets, prepared in a staging folder beside the files, synced and committed by a mark; then
it is renamed into place. A crash before the mark leaves the old files, one after it is completed by whoever looks next.
A file whose content is the same is not touched. Skills that are no longer among the files are taken away where they are
ours, which their front matter says. Nothing outside of the folder is touched.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remanence.errors import InvalidInput, RemanenceError
from remanence.guard.secrets import redact
from remanence.places import GUIDANCE
from remanence.sessions import folders

try:
    import fcntl
except ImportError:  # without flock, what others prepare cannot be told from what they left behind
    fcntl = None  # type: ignore[assignment]

MEMORY, SUMMARY, CITED = "MEMORY.md", "memory_summary.md", ".cited"
SKILLS, SKILL = "skills", "SKILL.md"
MADE_BY = "made-by: remanence"
"""The line in a skill's front matter by which ours are known."""
SLUG = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(?:-[a-z0-9]+)*")
_TOP = (MEMORY, SUMMARY, GUIDANCE, CITED)
_STAGING = ".staging-"
_STAGED = re.compile(r"\.staging-[0-9a-f]{12}")
_COMMIT = "commit"
_NOT_EMPTY = (errno.ENOTEMPTY, errno.EEXIST)


class Moved(RemanenceError):
    """What the files were made from, or the files, changed before they were committed; they are to be made anew."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of the files: written anew, left as they were, taken away; what was redacted or not ours."""

    written: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    redacted: int = 0
    foreign: tuple[str, ...] = ()


def write(
    folder: str,
    files: Mapping[str, str],
    *,
    commit: Callable[[], AbstractContextManager[object]],
    personal: Collection[str] = (),
    seen: Mapping[str, object] | None = None,
) -> Changed:
    """Make these the files of a folder; `commit` is held while they are put in place, and may still refuse.

    Moved where somebody else replaced files meanwhile: since they were `seen`, or else since this began.
    """
    clean, redacted = _clean(files, personal)
    with folders.failures(folder):
        folders.make(folder)
        with folders.opened(folder) as root:
            if root is None:
                raise Moved("The folder of the artifacts was taken away while they were being prepared.")
            _recover(root)
            before = _seen(root) if seen is None else seen
            put, kept, foreign = _compared(root, folder, clean)
            drop = _stale(root, clean)
            if put or drop:
                _replace(root, put, drop, before, commit)
    return Changed(_shown(put), _shown(kept), _shown(drop), redacted, tuple(sorted(foreign)))


def artifact(folder: str, name: str) -> str | None:
    """The text of one artifact as it is on the disk; None where there is none, or a symbolic link in its place."""
    if not is_artifact(name):
        raise InvalidInput(f"{name[:80]!r} is no artifact")
    with folders.failures(folder), folders.opened(folder) as root:
        if root is None:
            return None
        _recover(root)
        raw = folders.read(root, name)
        return None if raw is None else raw.decode("utf-8", "replace")


def skills(folder: str) -> list[str]:
    """The names of the skills that are on the disk."""
    with folders.failures(folder), folders.opened(folder) as root:
        if root is None:
            return []
        _recover(root)
        return [slug for slug in _slugs(root) if folders.read(root, skill_file(slug)) is not None]


def seen(folder: str) -> Mapping[str, object]:
    """The files as they are, to tell later whether somebody replaced one."""
    with folders.failures(folder), folders.opened(folder) as root:
        if root is None:
            return {}
        _recover(root)
        return _seen(root)


def recovered(folder: str, *, forced: bool = False) -> None:
    """Complete what was committed and cut short, and take away what was left before that.

    Forced, also what a process that is still there prepares: it then begins anew. Inside a transaction of the store
    alone, since whoever commits does so in one.
    """
    with folders.failures(folder), folders.opened(folder) as root:
        if root is not None:
            _recover(root, forced=forced)


def is_prepared(folder: str) -> bool:
    """Whether somebody prepares files of this folder, or left what was prepared."""
    with folders.failures(folder), folders.opened(folder) as root:
        return root is not None and any(map(_STAGED.fullmatch, folders.names(root)))


def removed(folder: str) -> tuple[str, ...]:
    """Take a project's files away, ours alone; the folder too where nothing else is in it.

    Inside a transaction of the store alone, as with a forced recovery.
    """
    with folders.failures(folder), folders.opened(folder) as root:
        if root is None:
            return ()
        _recover(root, forced=True)
        # What the files cite goes last: until then it can be seen that they are not whole.
        gone = sorted(_stale(root, {}), key=lambda name: name == CITED)
        for name in gone:
            _drop(root, name)
        os.fsync(root)
    with suppress(OSError):
        Path(folder).rmdir()
    return _shown(gone)


def is_artifact(name: str) -> bool:
    """Whether this names an artifact, relative to its folder."""
    return name in _TOP or _is_skill(name)


def skill_file(slug: str) -> str:
    return f"{SKILLS}/{slug}/{SKILL}"


def _is_skill(name: str) -> bool:
    parts = name.split("/")
    return len(parts) == 3 and parts[::2] == [SKILLS, SKILL] and SLUG.fullmatch(parts[1]) is not None


def _shown(names: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(name for name in names if not name.startswith(".")))


def _clean(files: Mapping[str, str], personal: Collection[str]) -> tuple[dict[str, bytes], int]:
    """The files without secrets, and how many they had."""
    if problems := [f"{name[:80]!r} is no artifact" for name in files if not is_artifact(name)]:
        raise InvalidInput(problems)
    clean: dict[str, bytes] = {}
    number = 0
    for name, text in files.items():
        if name != CITED:  # ids and numbers, in a form that a mark would spoil
            found = redact(text, personal=personal)
            text, number = found.text, number + sum(found.counts.values())
        clean[name] = text.encode("utf-8", "replace")
    return clean, number


# --- what is there


def _seen(root: int) -> dict[str, tuple[int, int, int]]:
    """The files there are, by what changes when one is replaced."""
    there = {name: folders.look(root, name) for name in (*_TOP, *map(skill_file, _slugs(root)))}
    return {name: (one.st_ino, one.st_mtime_ns, one.st_size) for name, one in there.items() if one is not None}


def _compared(root: int, folder: str, clean: Mapping[str, bytes]) -> tuple[dict[str, bytes], list[str], list[str]]:
    """What is to be written, what is there already, and names that somebody else's skills have."""
    put: dict[str, bytes] = {}
    kept: list[str] = []
    foreign: list[str] = []
    for name, content in clean.items():
        _refuse_others(root, folder, name)
        there = folders.read(root, name)
        if there == content:
            kept.append(name)
        elif there is not None and _is_skill(name) and not _is_ours(there):
            foreign.append(name)
        else:
            put[name] = content
    return put, kept, foreign


def _refuse_others(root: int, folder: str, name: str) -> None:
    """InvalidInput where a link or a file stands in the place of a folder, or a folder in the place of a file."""
    parts = name.split("/")
    for length in range(1, len(parts) + 1):
        place = "/".join(parts[:length])
        found = folders.mode(root, place)
        if found is None:
            return
        is_folder, is_last = stat.S_ISDIR(found), length == len(parts)
        if is_folder == is_last:
            wanted = "a file" if is_last else "a folder of its own"
            raise InvalidInput(
                f"{Path(folder) / place} must be {wanted}, and is something else: nothing was written. "
                "Move it away, then run: rem memory rebuild"
            )


def _stale(root: int, clean: Mapping[str, bytes]) -> list[str]:
    """Files of ours that are there and no longer wanted."""
    found = [name for name in _TOP if name not in clean and _is_file(root, name)]
    for name in map(skill_file, _slugs(root)):
        if name not in clean and (content := folders.read(root, name)) is not None and _is_ours(content):
            found.append(name)
    return found


def _is_ours(content: bytes) -> bool:
    head = content[:4096].split(b"\n---", 1)[0]
    return head.startswith(b"---\n") and any(line.strip() == MADE_BY.encode() for line in head.split(b"\n"))


def _is_file(root: int, name: str) -> bool:
    found = folders.mode(root, name)
    return found is not None and not stat.S_ISDIR(found)


def _slugs(root: int) -> list[str]:
    """The names of folders that can be skills."""
    with suppress(OSError), folders.folder(root, SKILLS) as inner:
        return [name for name in folders.names(inner) if SLUG.fullmatch(name)]
    return []


# --- replacing


def _replace(
    root: int,
    put: Mapping[str, bytes],
    drop: list[str],
    seen: Mapping[str, object],
    commit: Callable[[], AbstractContextManager[object]],
) -> None:
    name = _STAGING + os.urandom(6).hex()
    with ExitStack() as opened:
        try:
            os.mkdir(name, 0o700, dir_fd=root)
            staging = opened.enter_context(folders.folder(root, name))
        except FileNotFoundError:
            raise Moved("The folder of the artifacts was taken away while they were being prepared.") from None
        _locked(staging)
        marked = False
        try:
            staged = {target: str(number) for number, target in enumerate(put)}
            for target, place in staged.items():
                folders.put(staging, place, put[target])
            folders.put(staging, f"{_COMMIT}.new", json.dumps({"put": staged, "drop": drop}).encode())
            os.fsync(staging)
            with commit():
                if _seen(root) != seen or _is_unfinished(root):
                    raise Moved("The artifacts were replaced by another process meanwhile.")
                os.replace(f"{_COMMIT}.new", _COMMIT, src_dir_fd=staging, dst_dir_fd=staging)
                marked = True
                os.fsync(staging)
                os.fsync(root)
                _finish(root, name, staging)
        except FileNotFoundError:
            # Only somebody who makes way for newer memories takes away what is being prepared.
            if marked or folders.look(root, name) is not None:
                raise
            raise Moved("The artifacts were taken away while they were being prepared.") from None
        finally:
            if not marked:
                with suppress(OSError):
                    _discard(root, name, staging)


def _is_unfinished(root: int) -> bool:
    """Whether something that was committed is still being put in its place, by a process that began to complete it."""
    return any(_STAGED.fullmatch(name) and _is_file(root, f"{name}/{_COMMIT}") for name in folders.names(root))


def _recover(root: int, *, forced: bool = False) -> None:
    for name in folders.names(root):
        if not _STAGED.fullmatch(name):
            continue
        with suppress(FileNotFoundError, NotADirectoryError), folders.folder(root, name) as staging:
            if not _locked(staging) and not forced:
                continue  # someone is at it
            if _is_file(staging, _COMMIT):
                _finish(root, name, staging)
            else:
                _discard(root, name, staging)


def _locked(staging: int) -> bool:
    """Whether this process has the staging folder now; its lock goes with the descriptor."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(staging, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _finish(root: int, name: str, staging: int) -> None:
    """Put everything in its place that a mark tells of; what is there already was put there before."""
    told = _told(staging)
    for target, place in told["put"].items():
        if _is_file(staging, place):
            with folders.within(root, target, made=True) as (above, base):
                os.replace(place, base, src_dir_fd=staging, dst_dir_fd=above)
                os.fsync(above)
    for target in told["drop"]:
        if not _is_file(staging, _COMMIT):
            return  # somebody completed it meanwhile, and there may be newer files by now
        _drop(root, target)
    with suppress(FileNotFoundError), folders.folder(root, SKILLS) as inner:
        os.fsync(inner)
    os.fsync(root)
    _discard(root, name, staging)


def _told(staging: int) -> dict[str, Any]:
    """What a mark says is to be done; nothing where it is none of ours."""
    try:
        told = json.loads(folders.read(staging, _COMMIT) or b"{}")
        put = {name: place for name, place in told["put"].items() if is_artifact(name) and place.isdecimal()}
        return {"put": put, "drop": [name for name in told["drop"] if is_artifact(name)]}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {"put": {}, "drop": []}


def _drop(root: int, name: str) -> None:
    """Take one file away, and the folders of a skill where nothing else is in them."""
    with suppress(FileNotFoundError), folders.within(root, name) as (above, base):
        os.unlink(base, dir_fd=above)
        os.fsync(above)
    parts = name.split("/")
    for length in range(len(parts) - 1, 0, -1):
        with suppress(OSError), folders.within(root, "/".join(parts[:length])) as (above, base):
            os.rmdir(base, dir_fd=above)
            os.fsync(above)


def _discard(root: int, name: str, staging: int) -> None:
    """Take a staging folder away; where a process is still filling it, until it can fill it no more."""
    while True:
        # The mark goes last: until then it can still be completed.
        for inner in sorted(folders.names(staging), key=lambda one: one == _COMMIT):
            with suppress(FileNotFoundError):
                os.unlink(inner, dir_fd=staging)
        try:
            os.rmdir(name, dir_fd=root)
        except OSError as error:
            if error.errno not in _NOT_EMPTY:
                raise
        else:
            return
