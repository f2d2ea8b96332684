"""Files below one folder, reached from its open descriptor part by part, so that no symbolic link is ever followed.

Names are relative, with "/" between their parts; whoever calls has checked them against a list of what may be there.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from remanence.errors import InvalidInput, RemanenceError

LARGEST_BYTES = 8 * 1024 * 1024
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_FILE = (errno.ENOENT, errno.ELOOP, errno.ENOTDIR, errno.EMLINK, errno.ENXIO)


def make(folder: str) -> None:
    """The folder, and those above it that are missing, for their owner alone."""
    place, missing = Path(folder).absolute(), []
    while not place.exists() and not place.is_symlink():
        missing.append(place)
        place = place.parent
    for one in reversed(missing):
        one.mkdir(0o700, exist_ok=True)


@contextmanager
def opened(folder: str) -> Iterator[int | None]:
    """The folder's descriptor, None where it is not there; InvalidInput where a link leads to it or to its parent."""
    place = Path(folder).absolute()
    for one in (place.parent, place):
        if one.is_symlink():
            raise InvalidInput(
                f"{one} is a symbolic link; artifacts stand in folders of their own. Move it away, "
                "or name another place by the setting memories.artifacts"
            )
    try:
        root = os.open(place, _FOLDER)
    except FileNotFoundError:
        yield None
        return
    try:
        yield root
    finally:
        os.close(root)


@contextmanager
def folder(above: int, place: str) -> Iterator[int]:
    """A folder below an open one, each part of it opened for itself."""
    found = os.dup(above)
    try:
        for part in place.split("/"):
            inner = os.open(part, _FOLDER, dir_fd=found)
            os.close(found)
            found = inner
        yield found
    finally:
        os.close(found)


@contextmanager
def within(root: int, name: str, *, made: bool = False) -> Iterator[tuple[int, str]]:
    """The open folder that a name is in, and its last part; `made`: with the folders that are missing."""
    above, _, base = name.rpartition("/")
    if not above:
        yield root, base
        return
    if made:
        with within(root, above, made=True) as (higher, last), suppress(FileExistsError):
            os.mkdir(last, 0o700, dir_fd=higher)
    with folder(root, above) as found:
        yield found, base


def mode(root: int, name: str) -> int | None:
    """What stands there, a link as a link; None where nothing does."""
    found = look(root, name)
    return None if found is None else found.st_mode


def look(root: int, name: str) -> os.stat_result | None:
    try:
        with within(root, name) as (above, base):
            return os.stat(base, dir_fd=above, follow_symlinks=False)
    except OSError as error:
        if error.errno in _NO_FILE:
            return None
        raise


def read(root: int, name: str) -> bytes | None:
    """What a plain file holds; None where there is none, or one that is too large to be ours."""
    try:
        with within(root, name) as (above, base):
            file = os.open(base, _FILE, dir_fd=above)
    except OSError as error:
        if error.errno in _NO_FILE:
            return None
        raise
    with os.fdopen(file, "rb") as stream:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_BYTES:
            return None
        return stream.read(LARGEST_BYTES + 1)


def put(above: int, name: str, content: bytes) -> None:
    """A new file for its owner alone, synced."""
    file = os.open(name, _NEW, 0o600, dir_fd=above)
    with os.fdopen(file, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(file)


def names(above: int) -> list[str]:
    """What is in an open folder."""
    with os.scandir(above) as found:
        return sorted(entry.name for entry in found)


@contextmanager
def failures(folder: str) -> Iterator[None]:
    """What the system says of a folder, in our words."""
    try:
        yield
    except OSError as error:
        raise RemanenceError(
            f"The artifacts in {folder} cannot be read or written: {error.strerror or error}. "
            "Check the folder, its rights and the room on its disk"
        ) from error
