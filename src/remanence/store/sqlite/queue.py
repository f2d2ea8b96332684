"""The writers' queue: `flock` on a side file, so that writers of all processes go one after the other, in turn.

The side file is never the database file, whose own locks a second descriptor would break. Its one byte says that the
store beside it was made, so that a file cut to nothing is not taken for a new one.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from remanence.errors import StoreUnavailable
from remanence.store.sqlite.faults import BUSY_MILLISECONDS

try:
    import fcntl
except ImportError:  # no flock on this system: SQLite's own busy handler is then the only queue
    fcntl = None  # type: ignore[assignment]

_MADE = b"1"


class WritersQueue:
    """One process's place in the queue for a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = self._opened()

    def _opened(self) -> int:
        return os.open(f"{self._path}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)

    def join(self) -> None:
        """Wait for the turn; give up when whoever has it keeps it for too long."""
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not _Wait(self._file).for_turn():
                self._file = self._opened()  # the old one stays with the thread that still waits for it
                raise StoreUnavailable(
                    f"Another process has been writing to {self._path} for over {BUSY_MILLISECONDS // 1000} s. "
                    "End it, or let it go on if it was stopped"
                ) from None

    def leave(self) -> None:
        if fcntl is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        os.close(self._file)

    def store_was_made(self) -> bool:
        os.lseek(self._file, 0, os.SEEK_SET)
        return os.read(self._file, 1) == _MADE

    def mark_store_made(self) -> None:
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, _MADE)


class _Wait:
    """flock has no time limit of its own: a thread waits for it, and lets go again if nobody waits for the thread."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._guard = threading.Lock()
        self._has_turn = self._gave_up = False

    def for_turn(self) -> bool:
        waiter = threading.Thread(target=self._take, name="remanence-queue", daemon=True)
        waiter.start()
        waiter.join(BUSY_MILLISECONDS / 1000)
        with self._guard:
            self._gave_up = not self._has_turn
        return self._has_turn

    def _take(self) -> None:
        fcntl.flock(self._file, fcntl.LOCK_EX)
        with self._guard:
            self._has_turn = True
            if self._gave_up:
                os.close(self._file)
