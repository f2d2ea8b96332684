"""One SQLite file, opened safely: connections, the writers' queue, transactions, and errors in our own words.

Many processes may share the file. Writers stand in a queue (`flock` on a side file, never on the database file) and
then take the write lock at once (`BEGIN IMMEDIATE`), so nobody waits on a busy handler and nobody reads stale rows
before writing. A commit is acknowledged after its sync. Readers never wait: each thread borrows a connection of its
own and reads a snapshot. Within a transaction its own thread reads through the writing connection.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

import apsw

from remanence import errors
from remanence.store.files import unwritable
from remanence.store.sql.connection import Connection, T
from remanence.store.sql.moving.unfinished import InMeta
from remanence.store.sqlite import migrations
from remanence.store.sqlite.faults import BUSY_MILLISECONDS, in_our_words
from remanence.store.sqlite.queue import WritersQueue
from remanence.store.sqlite.uses import Reading, Within, Writing

SAFE_ENGINE = (3, 51, 3)
_BACKPORTED = ((3, 50, 7), (3, 44, 6))
REWRITE = 2
NOTE_REWRITE = f"INSERT OR REPLACE INTO meta VALUES('purge_pending', {REWRITE})"
STALE_LEDGER = "DELETE FROM meta WHERE name='ledger_bytes'"
_OWN_KEY = "purge_key:"
_STATEMENTS_KEPT = 256
_SETTINGS = (
    "PRAGMA synchronous=FULL",
    "PRAGMA secure_delete=ON",
    "PRAGMA cache_size=-32768",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA wal_autocheckpoint=4000",
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
        self._depth = self._reads = 0
        self._owner: int | None = None
        self._idle: list[apsw.Connection] = []
        self._process = os.getpid()
        self._queue: WritersQueue | None = None
        self._writing = Writing(self)
        self._within = Within(self)
        self._unfinished = InMeta(self.location)
        self.closed = False
        # Goes up when what was read in a transaction holds no longer: it was rolled back, or rows were made anew.
        self.generation = 0
        with self.translated():
            if path is not None:
                self._prepare(path)
            self._writer = self._connect()
            try:
                migrations.bring_up_to_date(self)
            except BaseException:
                self.close()
                raise

    def _prepare(self, path: Path) -> None:
        """Make the file where there is none; leave alone what is not a store."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            is_new = not path.exists()
            if is_new:
                with suppress(FileExistsError):
                    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            else:
                migrations.refuse_what_is_not_ours(path)
            self._queue = WritersQueue(path)
            if not is_new and path.stat().st_size == 0 and self._queue.store_was_made():
                raise errors.StoreDamaged(
                    f"{path} was a store and is empty now. It was left as it is: put back a backup, or remove "
                    f"{path} and {path}.lock to begin anew"
                )
        except OSError as reason:
            raise self.unwritable(path, reason) from None

    def mark_made(self) -> None:
        """Note beside the file that there is a store in it now."""
        if self._queue is not None:
            self._queue.mark_store_made()

    def unwritable(self, path: Path, reason: OSError) -> errors.StoreError:
        """Why a file beside or of this store cannot be written, in our own words."""
        return unwritable(path, reason)

    def _connect(self) -> apsw.Connection:
        location = ":memory:" if self.path is None else str(self.path)
        connection = apsw.Connection(location, statementcachesize=_STATEMENTS_KEPT)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        # Without it SQLite plans a statement anew for each set of bound values, which costs more than running it.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        if self.path is not None:
            mode = connection.execute("PRAGMA journal_mode").get
            if mode != "wal":
                self._into_wal(connection)
        for setting in _SETTINGS:
            connection.execute(setting)
        return connection

    def _into_wal(self, connection: apsw.Connection) -> None:
        """Give the file a write-ahead log: one process at a time, since of two at once SQLite refuses one at once."""
        self._join_queue()
        try:
            until = time.monotonic() + BUSY_MILLISECONDS / 1000
            while True:
                try:
                    connection.execute("PRAGMA journal_mode=WAL")
                    return
                except apsw.BusyError:  # another is just reading the old file's header
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.005)
        finally:
            self._leave_queue()

    def write(self) -> Writing:
        """The writing connection inside a transaction; nested uses join the outer one."""
        return self._writing

    def read(self, *, snapshot: bool = True) -> Reading | Within:
        """A connection to read from, on one snapshot for as long as it is held, or on one for each statement."""
        return self._within if self._owner == threading.get_ident() else Reading(self, snapshot=snapshot)

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is inside `write`."""
        return self._owner == threading.get_ident()

    @property
    def writer(self) -> apsw.Connection:
        """The writing connection, for who holds the transaction or the turn."""
        return self._writer

    @property
    def location(self) -> str:
        return str(self.path or ":memory:")

    def schema(self) -> int:
        return migrations.current_schema()

    def key(self, namespace: str) -> bytes:
        """The secret under which digests of a namespace are made: the file's, or one that it brought along."""
        with self.read() as connection:
            for name in (_OWN_KEY + namespace, "purge_key"):
                if (key := connection.execute("SELECT value FROM meta WHERE name=?", (name,)).get) is not None:
                    return bytes(key)
        raise errors.StoreDamaged(f"{self.location} has lost its secret. Restore a backup")

    def adopt(self, namespace: str, secret: bytes) -> None:
        """A namespace comes from another store, with its secret: until it is `renumbered`, others write nothing."""
        with self.write() as connection:
            if self.key(namespace) != secret:
                connection.execute("INSERT OR REPLACE INTO meta VALUES(?,?)", (_OWN_KEY + namespace, secret))
            self._unfinished.set(connection, namespace)

    def renumbered(self) -> None:
        """All of it has come, with numbers of its own: SQLite goes on from the highest."""
        with self.write() as connection:
            self._unfinished.take_off(connection)

    def recalling(self, read: Callable[[], T]) -> T:
        return read()

    def gathering(self, connection: Connection) -> AbstractContextManager[Connection]:
        return nullcontext(connection)

    def wanted(self) -> None:
        """Workers of a file look by the clock."""

    def size(self) -> int:
        """How many bytes the file and its log have."""
        files = () if self.path is None else (self.path, Path(f"{self.path}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def destroyed(self, connection: Connection) -> None:
        """Rows were destroyed: the file is to be written anew. Called inside the transaction that destroys them."""
        connection.execute(NOTE_REWRITE)

    def purged(self, connection: Connection) -> None:
        """The ledger beside the file does not say the same as the file any more."""
        connection.execute(STALE_LEDGER)

    def state_of_rows(self) -> tuple[int, int]:
        """Changes when rows may have changed otherwise than by a committed write of this engine; in a transaction.

        Refused to others where a copy is unfinished.
        """
        version = self._writer.execute("PRAGMA data_version").get
        self._unfinished.look(self._writer, version)
        return version, self.generation

    def begin(self) -> apsw.Connection:
        self._mine()
        self._turn.acquire()
        if self._reads:
            self._turn.release()
            raise RuntimeError("a write inside a read of the same thread")
        if self._depth == 0:
            try:
                self._join_queue()
                try:
                    self._writer.execute("BEGIN IMMEDIATE")
                except BaseException:
                    self._leave_queue()
                    raise
            except BaseException as error:
                self._turn.release()
                self.explain(error)
                raise
            self._owner = threading.get_ident()
        self._depth += 1
        return self._writer

    def end(self, error: BaseException | None) -> None:
        self._depth -= 1
        if self._depth:
            self._turn.release()
            return
        try:
            if error is None:
                self._writer.execute("COMMIT")
        except BaseException as failed:
            error = failed
            raise
        finally:
            if error is not None:
                self._roll_back()
                self.generation += 1
            self._owner = None
            self._leave_queue()
            self._turn.release()

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The writing connection outside a transaction, with every other writer kept waiting."""
        self._mine()
        with self._turn, self.translated():
            self._join_queue()
            try:
                yield self._writer
            finally:
                self._leave_queue()

    def borrow(self, *, snapshot: bool) -> apsw.Connection:
        """A connection to read from: the writing one when it is free, since its pages are the freshest."""
        self._mine()
        if self._turn.acquire(blocking=self.path is None):
            if snapshot and not self._writer.in_transaction:
                try:
                    self._writer.execute("BEGIN")
                except BaseException:
                    self._turn.release()
                    raise
            self._reads += 1
            return self._writer
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connect()
        if snapshot:
            connection.execute("BEGIN")
        return connection

    def give_back(self, connection: apsw.Connection) -> None:
        if connection is not self._writer:
            try:
                if connection.in_transaction:
                    connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            self._idle.append(connection)
            return
        self._reads -= 1
        try:
            if self._reads == 0 and self._writer.in_transaction:
                self._writer.execute("COMMIT")
        finally:
            self._roll_back()
            self._turn.release()

    def _roll_back(self) -> None:
        """End a transaction that could not be ended as it should."""
        if not self._reads and self._writer.in_transaction:
            with suppress(apsw.Error):
                self._writer.execute("ROLLBACK")

    def _join_queue(self) -> None:
        if self._queue is not None:
            self._queue.join()

    def _leave_queue(self) -> None:
        if self._queue is not None:
            self._queue.leave()

    def explain(self, error: BaseException) -> None:
        """Raise the error in our own words, where it is SQLite's."""
        if isinstance(error, (apsw.Error, UnicodeDecodeError)) and (ours := in_our_words(error, self.path)) is not None:
            raise ours from None

    @contextmanager
    def translated(self) -> Iterator[None]:
        """SQLite's errors in our own words."""
        try:
            yield
        except (apsw.Error, UnicodeDecodeError) as error:
            self.explain(error)
            raise

    def _mine(self) -> None:
        if self.closed:
            raise errors.StoreUnavailable("This store is closed; open a new Mind")
        if self.inherited:
            raise errors.StoreUnavailable(
                f"This store was opened by process {self._process}; after a fork, open a new Mind in the child"
            )

    def fresh(self) -> apsw.Connection:
        """A connection of the caller's own, which it must close."""
        self._mine()
        with self.translated():
            return self._connect()

    def checkpoint(self, wait_seconds: float) -> bool:
        """Move the whole write-ahead log into the file and cut it to nothing; False while a reader holds it."""
        if self.path is None:
            return True
        with self._turn, self.translated():
            self._writer.set_busy_timeout(int(wait_seconds * 1000))
            try:
                busy, _, _ = next(self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
            finally:
                self._writer.set_busy_timeout(BUSY_MILLISECONDS)
        return not busy

    @property
    def inherited(self) -> bool:
        """Whether another process opened this, and this one got it by a fork."""
        return self._process != os.getpid()

    def close(self) -> None:
        """Close every connection; calling it again does nothing."""
        if self.closed:
            return
        self.closed = True
        if self.inherited:
            return
        with self._turn:
            for connection in (*self._idle, self._writer):
                connection.close()
            self._idle.clear()
            if self._queue is not None:
                self._queue.close()
                self._queue = None
