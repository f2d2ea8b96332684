"""Small JSON files for their owner's eyes alone, shared by processes: read, replaced whole, changed one at a time.

A file is written beside its place, synced and moved there, so nobody ever reads half of it; who changes it holds a lock
on a side file meanwhile. One that others may read or write is refused, not repaired: what it holds may be known.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from remanence.errors import StoreDamaged, StoreError, StoreFull, StoreReadOnly, StoreUnavailable

try:
    import fcntl
except ImportError:  # without flock, of two that write at once one may lose its change
    fcntl = None  # type: ignore[assignment]

_WAIT_SECONDS = 10.0
_FOR_OTHERS = 0o077


def stamp(path: Path) -> object:
    """What changes when the file does; None where there is none."""
    try:
        return _stamp(path.stat())
    except FileNotFoundError:
        return None
    except OSError as reason:
        raise _unreadable(path, reason) from None


def _stamp(found: os.stat_result) -> object:
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode


def read(path: Path) -> tuple[bytes, object]:
    """The bytes of a file, and the stamp of just these; StoreError where it is open to others."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise StoreDamaged(f"{path} is not a file. Move it away")
            if os.name == "posix" and (mode := stat.S_IMODE(found.st_mode)) & _FOR_OTHERS:
                raise StoreError(
                    f"{path} may be read or written by others (mode {mode:o}); it must be for its owner alone. "
                    f"Close it with: chmod 600 '{path}', and revoke what others may have seen: rem token list"
                )
            return file.read(), _stamp(found)
    except OSError as reason:
        raise _unreadable(path, reason) from None


def is_own(path: Path) -> bool:
    """Whether this user, and nobody else, wrote the file."""
    return not hasattr(os, "geteuid") or path.stat().st_uid == os.geteuid()


def is_held(lock: Path) -> bool:
    """Whether a process of this user holds this lock file just now; one that others may open, anybody may hold."""
    try:
        handle = os.open(lock, os.O_RDWR)
    except OSError:
        return False
    try:
        if os.name == "posix" and os.fstat(handle).st_mode & _FOR_OTHERS:
            return False
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    except BlockingIOError:
        return True
    finally:
        os.close(handle)


def held(lock: Path, store: Path) -> int | None:
    """This lock file, held by this process until the handle is closed; None where another process holds it.

    Whoever could open it could hold it too, and seem to be the owner's process: so one that others may open is closed
    to them.
    """
    handle = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        os.fchmod(handle, 0o600)
        _give_to_owner_of(store, handle)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    except BaseException:
        os.close(handle)
        raise
    return handle


@contextmanager
def alone(path: Path, store: Path) -> Iterator[None]:
    """While this lasts, no other process or thread that asks for it changes the file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as reason:
        raise _unwritable(path, reason) from None
    try:
        _give_to_owner_of(store, lock)
        _wait_for(lock, path)
        yield
    finally:
        os.close(lock)


def _wait_for(lock: int, path: Path) -> None:
    if fcntl is None:
        return
    until = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:
                raise StoreUnavailable(
                    f"Another process has been changing {path} for over {_WAIT_SECONDS:g} s. End it, or let it go on "
                    "if it was stopped"
                ) from None
            time.sleep(0.005)


def write(path: Path, values: dict[str, Any], store: Path) -> None:
    """Put these values in the place of what the file held."""
    replace(path, json.dumps(values, indent=1).encode() + b"\n", store)


def replace(path: Path, data: bytes, store: Path) -> None:
    """Put these bytes in the place of what the file held."""
    try:
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # nobody else's from the start
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fchmod(handle, 0o600)
                _give_to_owner_of(store, handle)
                os.fsync(handle)
            Path(draft).replace(path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
        _sync(path.parent)
    except OSError as reason:
        raise _unwritable(path, reason) from None


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _give_to_owner_of(store: Path, handle: int) -> None:
    """What an administrator writes beside a service's store is the service's, or it could not read it."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        with suppress(OSError):
            like = (store if store.exists() else store.parent).stat()
            os.fchown(handle, like.st_uid, like.st_gid)


def _unreadable(path: Path, reason: OSError) -> StoreError:
    return StoreUnavailable(f"{path} cannot be read: {reason.strerror}. See whose it is with: ls -l '{path}'")


def _unwritable(path: Path, reason: OSError) -> StoreError:
    if reason.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StoreReadOnly(f"{path} cannot be written: {reason.strerror}. Give it and its folder write rights")
    if reason.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(f"No room left for {path}; what it held before is kept. Free some space")
    return StoreUnavailable(f"{path} cannot be written: {reason.strerror}")
