"""One SQLite file, opened safely: connections, the writers' queue, transactions, and errors in our own words.

Many processes may share the file. Writers stand in a queue (`flock` on a side file, never on the database file) and
then take the write lock at once (`BEGIN IMMEDIATE`), so nobody waits on a busy handler and nobody reads stale rows
before writing. A commit is acknowledged after its sync. Readers never wait: each thread borrows a connection of its
own and reads a snapshot. Within a transaction its own thread reads through the writing connection.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from remanence import errors
from remanence.store.sqlite import migrations

try:
    import fcntl
except ImportError:  # no flock on this system: SQLite's own busy handler is then the only queue
    fcntl = None  # type: ignore[assignment]

SAFE_ENGINE = (3, 51, 3)
_BACKPORTED = ((3, 50, 7), (3, 44, 6))
_BUSY_MILLISECONDS = 60_000
_SETTINGS = (
    "PRAGMA synchronous=FULL",
    "PRAGMA secure_delete=ON",
    "PRAGMA cache_size=-32768",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA wal_autocheckpoint=2000",
)


def engine_version() -> str:
    return str(apsw.sqlite_lib_version())


def engine_is_safe(version: str) -> bool:
    """Whether this SQLite has the WAL-reset race mended (3.51.3, or a release it was ported back to)."""
    numbers = tuple(int(part) for part in version.split(".")[:3])
    return numbers >= SAFE_ENGINE or any(numbers[:2] == fix[:2] and numbers >= fix for fix in _BACKPORTED)


class Engine:
    """The connections to one file; `path=None` keeps everything in memory."""

    def __init__(self, path: Path | None) -> None:
        if not engine_is_safe(engine_version()):
            raise errors.EngineUnsafe(
                f"SQLite {engine_version()} can lose commits when several processes share a file; "
                f"{'.'.join(map(str, SAFE_ENGINE))} is needed. Run: pip install --upgrade apsw"
            )
        self.path = path
        self._turn = threading.RLock()
        self._depth = 0
        self._owner: int | None = None
        self._idle: list[apsw.Connection] = []
        self._process = os.getpid()
        self._queue: int | None = None
        self.closed = False
        with self.translated():
            if path is not None:
                self._prepare(path)
            self._writer = self._connect()
            migrations.bring_up_to_date(self)

    def _prepare(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            if fcntl is not None:
                self._queue = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except PermissionError as reason:
            raise errors.StoreReadOnly(
                f"{path} cannot be written: {reason.strerror}. Give its folder write rights"
            ) from None
        except OSError as reason:
            raise errors.StoreUnavailable(f"{path} cannot be opened: {reason.strerror}") from None

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(":memory:" if self.path is None else str(self.path))
        connection.set_busy_timeout(_BUSY_MILLISECONDS)
        if self.path is not None:
            mode = connection.execute("PRAGMA journal_mode").get
            if mode != "wal":
                connection.execute("PRAGMA journal_mode=WAL")
        for setting in _SETTINGS:
            connection.execute(setting)
        return connection

    @contextmanager
    def write(self) -> Iterator[apsw.Connection]:
        """The writing connection inside a transaction; nested uses join the outer one."""
        self._mine()
        with self._turn:
            if self._depth:
                yield self._writer
                return
            with self.translated(), self._queued():
                self._writer.execute("BEGIN IMMEDIATE")
                self._depth, self._owner = 1, threading.get_ident()
                try:
                    yield self._writer
                    self._writer.execute("COMMIT")
                except BaseException:
                    with suppress(apsw.Error):
                        if self._writer.in_transaction:
                            self._writer.execute("ROLLBACK")
                    raise
                finally:
                    self._depth, self._owner = 0, None

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is inside `write`."""
        return self._owner == threading.get_ident()

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The writing connection outside a transaction, with every other writer kept waiting."""
        self._mine()
        with self._turn, self.translated(), self._queued():
            yield self._writer

    @contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """A connection to read from, on one snapshot for as long as it is held."""
        self._mine()
        if self.in_transaction:
            yield self._writer
            return
        if self.path is None:
            with self._turn, self.translated():
                yield self._writer
            return
        with self.translated():
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = self._connect()
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("COMMIT")
                self._idle.append(connection)

    @contextmanager
    def _queued(self) -> Iterator[None]:
        if self._queue is None:
            yield
            return
        fcntl.flock(self._queue, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._queue, fcntl.LOCK_UN)

    @contextmanager
    def translated(self) -> Iterator[None]:
        """SQLite's errors in our own words."""
        where = self.path or "the store in memory"
        try:
            yield
        except apsw.FullError:
            raise errors.StoreFull(
                f"No room left for {where}; what was acknowledged is kept. Free some space"
            ) from None
        except apsw.ReadOnlyError:
            raise errors.StoreReadOnly(f"{where} is read-only. Give the file and its folder write rights") from None
        except (apsw.CorruptError, apsw.NotADBError) as reason:
            raise errors.StoreDamaged(
                f"{where} is damaged or not a store ({reason}). It was left as it is: "
                "run 'rem check --salvage FILE' to save what can be read, or restore a backup"
            ) from None
        except apsw.BusyError:
            raise errors.StoreUnavailable(
                f"{where} is held by another process for over {_BUSY_MILLISECONDS // 1000} s. "
                "See which with: rem doctor"
            ) from None
        except (apsw.CantOpenError, apsw.PermissionsError, apsw.AuthError) as reason:
            raise errors.StoreUnavailable(
                f"{where} cannot be opened ({reason}). Check the path and its rights"
            ) from None
        except apsw.IOError as reason:
            raise errors.StoreUnavailable(
                f"{where} could not be read or written ({reason}); what was acknowledged is kept. Check the disk"
            ) from None

    def _mine(self) -> None:
        if self.closed:
            raise errors.StoreUnavailable("This store is closed; open a new Mind")
        if self._process != os.getpid():
            raise errors.StoreUnavailable(
                f"This store was opened by process {self._process}; after a fork, open a new Mind in the child"
            )

    def fresh(self) -> apsw.Connection:
        """A connection of the caller's own, which it must close."""
        self._mine()
        with self.translated():
            return self._connect()

    def checkpoint(self) -> bool:
        """Move the whole write-ahead log into the file and cut it to nothing; False while a reader holds it."""
        if self.path is None:
            return True
        with self._turn, self.translated():
            busy, _, _ = next(self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
        return not busy

    def patience(self, milliseconds: int | None = None) -> None:
        """How long the writing connection waits for a lock; None for the usual."""
        self._writer.set_busy_timeout(_BUSY_MILLISECONDS if milliseconds is None else milliseconds)

    def close(self) -> None:
        """Close every connection; calling it again does nothing."""
        if self.closed:
            return
        self.closed = True
        if self._process != os.getpid():
            return
        with self._turn:
            for connection in (*self._idle, self._writer):
                connection.close()
            self._idle.clear()
            if self._queue is not None:
                os.close(self._queue)
                self._queue = None
