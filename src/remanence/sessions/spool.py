"""The spool: a folder beside a store in which events of hooks wait until somebody takes them in.

One file an event, as in a maildir: written under another name and renamed, so that a reader sees all of it or nothing;
the names are in the order of time, and end with a sign of the namespace. Only its owner can read it, secrets are gone
before the first byte is written, and it never holds more than 20,000 events or 256 MB. Broken files are put aside, at
most 100 of them. Only the standard library, unless an event is suspicious: a hook runs this at every step of an agent.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from binascii import crc32

TYPE_CHECKING = False  # as in typing, which takes longer to load than a hook may
if TYPE_CHECKING:
    from typing import Any

MOST_EVENTS = 20_000
MOST_BYTES = 256 << 20
LARGEST_EVENT = 4 << 20
MOST_ASIDE = 100
BAD, LOG, STAMP = "bad", "hook.log", "run.stamp"
_FULL = "full"
"""Stands in the spool from when it was found full until it was found not to be."""
_PARTIAL = ".new-"
_MOST_LOG_BYTES = 64 << 10
_COUNTED_EVERY = 32
"""Events between two looks at how many bytes wait: a look costs 2 µs a file."""


def put(spool: str, event: dict[str, Any], now_ns: int) -> str | None:
    """Write an event, without its secrets; its file's name, or None where the spool is full."""
    prepare(spool)
    waiting_now = sum(1 for name in os.listdir(spool) if is_event(name))
    if waiting_now >= MOST_EVENTS or not _has_room(spool, waiting_now):
        note(spool, "dropped, the spool is full", now_ns)
        return None
    data = json.dumps(without_secrets(event), ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()
    number, end = 0, _end_of(event.get("namespace"))
    while True:
        name = f"{now_ns:019d}-{os.getpid()}-{number}{end}"
        whole, partial = os.path.join(spool, name), os.path.join(spool, _PARTIAL + name)
        number += 1
        try:
            if not os.path.lexists(whole):
                file = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
                break
        except FileExistsError:
            continue
    try:
        try:
            _write(file, data)
        finally:
            os.close(file)
        os.rename(partial, whole)
    except BaseException:
        os.unlink(partial)
        raise
    return name


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def prepare(spool: str) -> None:
    """Make the folder, for its owner alone; PermissionError where it is somebody else's, or no folder."""
    try:
        os.makedirs(spool, 0o700)
    except FileExistsError:
        if not is_ours(spool):
            raise PermissionError("the spool belongs to somebody else") from None
        if os.lstat(spool).st_mode & 0o077:
            os.chmod(spool, 0o700)


def is_ours(spool: str) -> bool:
    """Whether there is a folder, and it is this user's: what others left in theirs is no event of ours."""
    try:
        found = os.lstat(spool)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def _has_room(spool: str, waiting_now: int) -> bool:
    """Whether fewer bytes wait than may; looked up now and then, and each time once it was full."""
    mark = os.path.join(spool, _FULL)
    was_full = os.path.lexists(mark)
    if not was_full and (waiting_now == 0 or waiting_now % _COUNTED_EVERY):
        return True
    with os.scandir(spool) as entries:
        total = sum(one.stat(follow_symlinks=False).st_size for one in entries if is_event(one.name))
    if total < MOST_BYTES:
        if was_full:
            os.unlink(mark)
        return True
    if not was_full:
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT, 0o600))
    return False


def without_secrets(event: dict[str, Any]) -> dict[str, Any]:
    """The event with a mark for each secret; the proper look is loaded only where the quick one is not sure."""
    from remanence.sessions.suspicious import suspicious_value

    if not suspicious_value(event):
        return event
    from remanence.guard.secrets import redact_value

    return redact_value(event)[0]


def note(spool: str, what: str, now_ns: int) -> None:
    """A line for the log, without a word of what was captured; the log begins anew when it is long."""
    path = os.path.join(spool, LOG)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    try:
        if os.lstat(path).st_size > _MOST_LOG_BYTES:
            flags |= os.O_TRUNC
    except FileNotFoundError:
        pass
    file = os.open(path, flags, 0o600)
    try:
        os.write(file, f"{now_ns // 1_000_000_000} {what}\n".encode("ascii", "replace"))
    finally:
        os.close(file)


def is_event(name: str) -> bool:
    """Whether a file of this name is an event that waits."""
    return name.endswith(".json") and not name.startswith(".")


def _end_of(namespace: object) -> str:
    """How the names of a namespace's events end; two namespaces may share it, so the event itself says whose it is."""
    return f".{crc32(str(namespace).encode('utf-8', 'surrogatepass')):08x}.json"


def waiting(spool: str, namespace: str) -> list[str]:
    """The names of events that may wait for a namespace, oldest first."""
    end = _end_of(namespace)
    try:
        return sorted(name for name in os.listdir(spool) if name.endswith(end) and is_event(name))
    except (FileNotFoundError, NotADirectoryError):
        return []


def load(spool: str, name: str) -> dict[str, Any] | None:
    """An event that waits; None where its file is gone. ValueError where it is broken, or no file of ours."""
    try:
        file = os.open(os.path.join(spool, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as reason:
        if reason.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO):
            raise ValueError("is a link, or no file") from None
        raise
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_EVENT:
            raise ValueError("is no file, or too large")
        with open(file, "rb", closefd=False) as opened:
            data = opened.read(LARGEST_EVENT + 1)
    finally:
        os.close(file)
    try:
        event = json.loads(data)
    except RecursionError:
        raise ValueError("is too deep") from None
    if not isinstance(event, dict):
        raise ValueError("is no event")
    return event


def remove(spool: str, name: str) -> bool:
    """Remove an event that was taken in; whether it is gone, by whomever."""
    try:
        os.unlink(os.path.join(spool, name))
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def put_aside(spool: str, name: str) -> None:
    """Move a broken file out of the way; where enough of them lie there already, it is removed."""
    source, aside = os.path.join(spool, name), os.path.join(spool, BAD)
    try:
        os.makedirs(aside, 0o700, exist_ok=True)
        if len(os.listdir(aside)) < MOST_ASIDE:
            os.rename(source, os.path.join(aside, name))
        elif stat.S_ISDIR(os.lstat(source).st_mode):
            os.rmdir(source)
        else:
            os.unlink(source)
    except OSError:
        pass  # it stays, and is met again: nothing of it was taken in


def remove_aside(spool: str) -> None:
    """Remove the broken files: a purge cannot read what they hold."""
    aside = os.path.join(spool, BAD)
    try:
        names = os.listdir(aside)
    except OSError:
        return
    for name in names:
        path = os.path.join(aside, name)
        try:
            (os.rmdir if stat.S_ISDIR(os.lstat(path).st_mode) else os.unlink)(path)
        except OSError:
            continue  # a folder that is not empty is none of ours


def sweep(spool: str, now_ns: int, after_seconds: int = 3600) -> None:
    """Remove what hooks that were killed left half written."""
    for name in os.listdir(spool):
        if name.startswith(_PARTIAL):
            path = os.path.join(spool, name)
            try:
                if now_ns - os.lstat(path).st_mtime_ns > after_seconds * 1_000_000_000:
                    os.unlink(path)
            except OSError:
                pass
