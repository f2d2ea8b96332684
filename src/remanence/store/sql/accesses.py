"""Accesses, written behind: a recall counts what it returned without waiting for the disk.

Counts are exact: they are added to the row, never set. They are visible to this process at once (readers lay the
pending ones over what they read), durable within a second or at close; a killed process loses at most that second of
counts, never a memory. An access pushes removal later, so it leaves due dates alone, except where the count reaches one
at which a rule must look again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from remanence.store.sql import rows
from remanence.store.sql.connection import Connection, Engine
from remanence.store.sql.dating import Dating, Wakes

if TYPE_CHECKING:
    from remanence.store.sql.recall_log import SqlRecallLog
    from remanence.store.sql.words import Words

T = TypeVar("T")

_EVERY_SECONDS = 0.8
_AT_ONCE = 500
_COUNT = (
    "UPDATE lives SET access_count = access_count + ?, last_accessed_at = max(last_accessed_at, ?), recent = ?{} "
    "WHERE /*here*/ no=?"
)
# What is recalled may be worth a finer vector: soon its precision is looked at.
_COARSE = (
    "SELECT e.space, e.no FROM lives l CROSS JOIN meanings e ON e.space = l.space AND e.no = l.no "
    "WHERE /*l.here*/ l.no IN ({}) AND e.bits < 32"
)
_WARM = "UPDATE meanings SET fades_at=0 WHERE space=? AND no=?"
_WAKE = f", due_at = CASE WHEN state IN {rows.DATED} THEN 0 END"


class Accesses:
    """The accesses of one store that are not yet in the file, by row number."""

    def __init__(self, engine: Engine, dating: Dating) -> None:
        self._engine = engine
        self._dating = dating
        self._guard = threading.Lock()
        self._flushing = threading.Lock()
        self._pending: dict[int, list[int]] = {}
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._settled = threading.Event()
        self._settled.set()
        self.epoch = 0
        self.log: SqlRecallLog | None = None
        self.words: Words | None = None

    def add(self, numbers: Sequence[int], micros: int) -> None:
        if numbers:
            self._dating.activity.accessed(micros)
        with self._guard:
            for no in numbers:
                self._pending.setdefault(no, []).append(micros)
        self.wake()

    def wake(self) -> None:
        """See that what is pending, here or in the log, is written within a second."""
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="remanence-accesses", daemon=True)
                self._thread.start()
        self._wake.set()

    def pending(self) -> int:
        with self._guard:
            return sum(map(len, self._pending.values()))

    def of(self, no: int) -> Sequence[int]:
        """The accesses of a row that are still on their way to the file."""
        if no not in self._pending:
            return ()
        with self._guard:
            return tuple(self._pending.get(no, ()))

    def unwritten(self) -> Mapping[int, Sequence[int]]:
        """All accesses that are still on their way to the file, by row."""
        with self._guard:
            return {no: tuple(moments) for no, moments in self._pending.items()}

    def flush(self) -> None:
        """Write what is pending; on failure it stays pending."""
        log = self.log
        if not self._pending and (log is None or log.is_empty):
            return
        with self._flushing:
            with self._guard:
                taken = {no: list(moments) for no, moments in self._pending.items()}
            if taken or (log is not None and not log.is_empty):
                try:
                    with self._engine.write() as connection:
                        _write(connection, taken, self._dating.wakes(connection))
                        days = self._dating.activity.flush(connection)
                        logged = 0 if log is None else log.write(connection)
                        if self.words is not None:
                            self.words.tidy(connection)
                        self._settled.clear()
                    self._drop(taken)
                    self._dating.activity.drop(days)
                    if log is not None:
                        log.drop(logged)
                finally:
                    self.epoch += 1
                    self._settled.set()

    def _drop(self, taken: dict[int, list[int]]) -> None:
        """Take what is in the file now off the pending ones."""
        with self._guard:
            for no, moments in taken.items():
                left = self._pending[no][len(moments) :]
                if left:
                    self._pending[no] = left
                else:
                    del self._pending[no]

    def steady(self) -> int:
        """The epoch, once accesses are either pending or in the file; while it lasts, none is both or neither."""
        self._settled.wait()
        return self.epoch

    def steadily(self, read: Callable[[Connection], T], *, snapshot: bool = True) -> T:
        """Read on one snapshot; again, if accesses moved from memory to the file meanwhile."""
        while True:
            epoch = self.steady()
            with self._engine.read(snapshot=snapshot) as connection:
                result = read(connection)
            if self._is_still(epoch) or self._engine.in_transaction:
                return result

    def beside(self, read: Callable[[Connection, Mapping[int, Sequence[int]]], T]) -> T:
        """Read on one snapshot, given the accesses that are not in it; for what takes longer than they take to move."""
        while True:
            epoch = self.steady()
            with self._engine.read() as connection:
                connection.execute(
                    "SELECT 1 FROM meta WHERE /*here*/ name <> '' LIMIT 1"
                ).fetchall()  # a snapshot begins with the first read
                unwritten = self.unwritten()
                if self._is_still(epoch) or self._engine.in_transaction:
                    return read(connection, unwritten)

    def _is_still(self, epoch: int) -> bool:
        """Whether no access has begun to move since that epoch; one on its way is in the file and pending at once."""
        return self._settled.is_set() and epoch == self.epoch

    def _run(self) -> None:
        while not self._ended.is_set():
            self._wake.wait()
            self._ended.wait(_EVERY_SECONDS)
            self._wake.clear()
            try:
                self.flush()
            except Exception:
                # The store may be busy, full or closed: what is pending stays so, and close() tries again and reports.
                if not self._ended.is_set():
                    self._wake.set()

    def close(self) -> None:
        """End the thread and write what is left."""
        self._ended.set()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self.flush()


def _write(connection: Connection, taken: dict[int, list[int]], wakes: Wakes) -> None:
    numbers = sorted(taken)
    changed: dict[bool, list[tuple[int, int, bytes | None, int]]] = {False: [], True: []}
    coarse: list[tuple[int, int]] = []
    for start in range(0, len(numbers), _AT_ONCE):
        part = numbers[start : start + _AT_ONCE]
        marks = ",".join("?" * len(part))
        coarse += connection.execute(_COARSE.format(marks), part)
        for no, recent, count in connection.execute(
            f"SELECT no, recent, access_count FROM lives WHERE /*here*/ no IN ({marks})", part
        ):
            moments = taken[no]
            newest = sorted([*rows.recent_micros(recent), *moments])[-rows.RECENT :]
            change = (len(moments), max(moments), rows.recent_bytes(newest), no)
            changed[wakes(count, count + len(moments))].append(change)
    for woken, changes in changed.items():
        connection.executemany(_COUNT.format(_WAKE if woken else ""), changes)
    connection.executemany(_WARM, coarse)
