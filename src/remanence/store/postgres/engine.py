"""One namespace of a database, opened safely: connections, whose turn it is to write, and errors in our own words.

Many processes on many machines may share the database. Whoever writes to a namespace holds its row in `turns` until
the commit, so that nobody else writes to it in between, while other namespaces go on. Readers wait for nobody: each
reads a snapshot on a connection of its own. Within a transaction its own thread reads through the writing connection.

A connection that was lost is replaced where nothing was begun on it, and under a read that holds no snapshot. Where it
is lost while a commit is on its way, the server is asked what became of it, so that a write is either acknowledged or
known not to be there.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from psycopg.pq import TransactionStatus

from remanence import errors
from remanence.store.postgres import faults, migrations, statements
from remanence.store.postgres.connection import NO_SPACE, Connection, Raw
from remanence.store.postgres.gathering import Gathering
from remanence.store.postgres.pool import Address, Limits, Pool, join, leave
from remanence.store.postgres.replica import Replica
from remanence.store.sql.connection import Connection as AnyConnection
from remanence.store.sql.connection import T
from remanence.store.sql.moving.unfinished import InTurns

# A writer that was frozen, or whose machine is gone, loses its turn after this time.
_FROZEN_SECONDS = 60


class _Thread(threading.local):
    """What one thread holds."""

    reading: Connection | None = None
    source: Pool | None = None
    lost: Raw | None = None
    reads = 0
    recalls = 0
    failed = False


class Engine:
    """The connections of one namespace."""

    def __init__(self, address: Address, limits: Limits, namespace: str, replica: Address | None = None) -> None:
        self._namespace = namespace
        self._address = address
        self._process = os.getpid()
        self._turn = threading.RLock()
        self._thread = _Thread()
        self._depth = 0
        self._owner: int | None = None
        self._writer: Connection | None = None
        self._transaction = ""
        self._space: int | None = None
        self.key = b""
        self._writes = self._others = 0
        self._counted = 0
        self._is_wanted = False
        self._unfinished = InTurns(namespace, str(address))
        self.generation = 0
        # Whether this process destroyed rows, and should look once more before it ends.
        self.has_destroyed = False
        self.closed = False
        self._replica: Replica | None = None
        self.pool: Pool = join(address, limits)
        try:
            with self.translated():
                migrations.bring_up_to_date(self.pool)
                self.secret = migrations.secret_of(self.pool, namespace)
                if replica is not None:
                    self._replica = Replica(replica, limits, self.pool)
        except BaseException:
            self.close()
            raise

    @property
    def location(self) -> str:
        return str(self._address)

    def schema(self) -> int:
        return migrations.current_schema()

    def size(self) -> int:
        with self.read(snapshot=False) as connection:
            return int(connection.execute(statements.SIZE).get)

    def adopt(self, namespace: str, secret: bytes) -> None:
        """A namespace comes from another store, with its secret: until it is `renumbered`, others write nothing."""
        if secret != self.secret:
            with self.translated():
                migrations.adopt(self.pool, namespace, secret)
            self.secret = secret
        with self.write() as connection:
            self._unfinished.set(connection)

    def renumbered(self) -> None:
        """All of it has come, with numbers of its own: what is given next must be higher; workers may begin."""
        with self.write() as connection:
            for sequence, table in (("receipt_numbers", "receipts"), ("recall_numbers", "recalls")):
                # Not by setval, to which only the owner has a right.
                highest = f"SELECT max(no) FROM {table} WHERE /*here*/ true"
                span = f"generate_series((SELECT last_value + is_called::int FROM {sequence}), ({highest}))"
                connection.execute(f"SELECT count(nextval('{sequence}')) FROM {span}")
            self._unfinished.take_off(connection)
            connection.execute("UPDATE agenda SET tries = 0 WHERE space=? AND tries > 0", (connection.space,))
            self.wanted()

    def destroyed(self, connection: AnyConnection) -> None:
        """Rows were destroyed, and are noted to be on their pages still: `erase` sees to that."""
        self.has_destroyed = True
        connection.execute(statements.DESTROYED)

    def purged(self, connection: AnyConnection) -> None:
        """Tombstones stand in the database alone."""

    # -- writing

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """The writing connection inside a transaction; nested uses join the outer one."""
        connection = self._begin()
        try:
            yield connection
        except BaseException as error:
            self._end(failed=True)
            self.explain(error)
            raise
        self._end(failed=False)

    @property
    def in_transaction(self) -> bool:
        return self._owner == threading.get_ident()

    def state_of_rows(self) -> tuple[int, int]:
        """Refused to others where a copy is unfinished."""
        self._unfinished.look(self._counted)
        return self._others, self.generation

    def _begin(self) -> Connection:
        self._mine()
        self._turn.acquire()
        try:
            if self._thread.reading is not None:
                raise RuntimeError("a write inside a read of the same thread")
            if self._depth == 0:
                with self.translated():
                    self._writer = self.pool.begun(self._take_turn)
                self._owner = threading.get_ident()
            self._depth += 1
        except BaseException:
            self._turn.release()
            raise
        assert self._writer is not None
        return self._writer

    def _take_turn(self, connection: Connection) -> None:
        """Begin a transaction in which nobody else writes to the namespace; it is numbered where it is new."""
        space = self._found(connection)
        if space is None:
            if not connection.execute(statements.IS_OWN).get:
                raise self._no_right()
            connection.raw.execute(statements.ENTER, (self._namespace,))
            self._is_wanted = True
            space = self._found(connection)
            if space is None:
                raise self._no_right()
        connection.speak_for(space)
        connection.pipelined()
        connection.execute("BEGIN")
        self._counted, self._transaction, *_ = connection.execute(statements.TURN, (space, f"{_FROZEN_SECONDS}s")).get
        if self._counted != self._writes + 1:
            self._others += 1

    def _found(self, connection: Connection) -> int | None:
        if self._space is None and (found := connection.execute(statements.FIND, (self._namespace,)).get) is not None:
            self._space, self.key = found[0], bytes(found[1])
        return self._space

    def _end(self, *, failed: bool) -> None:
        self._depth -= 1
        if self._depth:
            self._turn.release()
            return
        connection, self._writer = self._writer, None
        assert connection is not None
        try:
            if failed:
                with suppress(*faults.EVERY):
                    connection.settled()
                with suppress(*faults.EVERY):
                    connection.raw.execute("ROLLBACK")
            else:
                self._commit(connection)
                self._writes = self._counted
                if self._replica is not None:
                    self._replica.note(connection)
        except BaseException:
            failed = True
            raise
        finally:
            if failed:
                self.generation += 1
            self._owner = None
            self._is_wanted = False
            with suppress(*faults.EVERY):
                self.pool.give_back(connection.raw)
            self._turn.release()

    @contextmanager
    def gathering(self, connection: AnyConnection) -> Iterator[AnyConnection]:
        """Within it rows that are added may be held back; what is read by other ways must not count on them."""
        assert self._writer is not None
        if isinstance(self._writer, Gathering):
            yield self._writer
            return
        gathering = self._writer = Gathering(self._writer)
        try:
            yield gathering
            gathering.flush()
        finally:
            self._writer = gathering.plain

    def wanted(self) -> None:
        """This transaction leaves something for workers to do."""
        self._is_wanted = True

    def _commit(self, connection: Connection) -> None:
        with self.translated():
            connection.settled()
        if connection.raw.info.transaction_status == TransactionStatus.INERROR:  # and whoever ran it went on regardless
            raise errors.StoreUnavailable(
                f"Part of a write to {self._address} failed, so all of it was taken back; nothing of it was written. "
                "Try again"
            )
        with self.translated():
            if self._is_wanted and connection.execute(statements.WANTED, (connection.space,)).get is not None:
                connection.execute(statements.WAKE)
            try:
                connection.raw.execute("COMMIT")
            except faults.EVERY as error:
                if not faults.is_gone(error) or not self._was_committed(connection.raw):
                    raise

    def _was_committed(self, lost: Raw) -> bool:
        """What became of the last transaction."""
        known = self.pool.was_committed(self._transaction, lost)
        if known is None:
            raise errors.StoreUnavailable(
                f"The connection to {self._address} was lost while a write was on its way, and the server cannot tell "
                "whether it is there. Look before you write it again, or give it a key"
            )
        return known

    # -- reading

    @contextmanager
    def read(self, *, snapshot: bool = True) -> Iterator[Connection]:
        """A connection to read from, on one snapshot for as long as it is held, or on one for each statement."""
        if self.in_transaction:
            assert self._writer is not None
            with self.translated():
                yield self._writer
            return
        self._mine()
        mine = self._thread
        if mine.reading is None:
            begin = self._begin_reading if snapshot else self._bind
            with self.translated():
                if mine.recalls and self._replica is not None:
                    mine.reading, mine.source = self._replica.begun(begin), self._replica.pool
                if mine.reading is None:
                    mine.reading, mine.source = self.pool.begun(begin), self.pool
                    mine.reading.renew = None if snapshot else self._renewed
        mine.reads += 1
        try:
            with self.translated():
                yield mine.reading
        except errors.StoreError:
            if self._replica is not None and mine.source is self._replica.pool:
                self._replica.leave()
                mine.failed = True
            raise
        finally:
            mine.reads -= 1
            if not mine.reads:
                connection, mine.reading = mine.reading, None
                with suppress(*faults.EVERY):
                    if connection.raw.info.transaction_status:
                        connection.raw.execute("ROLLBACK")
                with suppress(*faults.EVERY):
                    if connection.raw is not mine.lost:
                        (mine.source or self.pool).give_back(connection.raw)
                mine.lost = None

    def recalling(self, read: Callable[[], T]) -> T:
        """Read from the replica, if that has all that this process wrote; once more without it where it fails."""
        mine = self._thread
        mine.recalls += 1
        mine.failed = False
        try:
            return read()
        except errors.StoreError:
            if not mine.failed:
                raise
        finally:
            mine.recalls -= 1
        return read()

    def _begin_reading(self, connection: Connection) -> None:
        self._bind(connection)
        connection.raw.execute(statements.SNAPSHOT)

    def _bind(self, connection: Connection) -> None:
        space = self._found(connection)
        if space is None and not connection.execute(statements.IS_OWN).get:
            raise self._no_right()
        connection.speak_for(NO_SPACE if space is None else space)

    def _renewed(self, lost: Connection) -> Connection:
        """A connection that answers. The lost one is given back at once: there may be no room for another beside it."""
        self.pool.give_back(lost.raw)
        self._thread.lost = lost.raw
        return self.pool.begun(self._bind_anew)

    def _bind_anew(self, connection: Connection) -> None:
        self._bind(connection)
        connection.execute("SELECT 1")

    def _no_right(self) -> errors.Forbidden:
        return errors.Forbidden(
            f"This role has no right to a namespace {self._namespace!r} of {self._address}. Let the owner of the store "
            f"run: rem db grant {self._address.role} {self._namespace}"
        )

    # -- errors

    def explain(self, error: BaseException) -> None:
        """Raise the error in our own words, where it is psycopg's."""
        if isinstance(error, faults.EVERY) and (ours := faults.in_our_words(error, str(self._address))) is not None:
            raise ours from None

    @contextmanager
    def translated(self) -> Iterator[None]:
        """psycopg's errors in our own words."""
        try:
            yield
        except faults.EVERY as error:
            self.explain(error)
            raise

    def _mine(self) -> None:
        if self.closed:
            raise errors.StoreUnavailable("This store is closed; open a new Mind")
        if self.inherited:
            raise errors.StoreUnavailable(
                f"This store was opened by process {self._process}; after a fork, open a new Mind in the child"
            )

    @property
    def inherited(self) -> bool:
        return self._process != os.getpid()

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        if not self.inherited:
            leave(self.pool)
            if self._replica is not None:
                self._replica.close()
