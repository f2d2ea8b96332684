"""Accesses, written behind: a recall counts what it returned without waiting for the disk.

Counts are exact: they are added to the row, never set. They are visible to this process at once (readers lay the
pending ones over what they read), durable within a second or at close; a killed process loses at most that second of
counts, never a memory.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import replace

import apsw

from remanence.errors import RemanenceError
from remanence.model.memory import Memory
from remanence.model.moment import from_micros, to_micros
from remanence.store.sqlite import rows
from remanence.store.sqlite.engine import Engine

RECENT = 20
_EVERY_SECONDS = 0.5


class Accesses:
    """The accesses of one store that are not yet in the file."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._guard = threading.Lock()
        self._flushing = threading.Lock()
        self._pending: dict[bytes, list[int]] = {}
        self._space: int | None = None
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, space: int, ids: Iterable[str], micros: int) -> None:
        with self._guard:
            self._space = space
            for id in ids:
                self._pending.setdefault(rows.id_bytes(id), []).append(micros)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="remanence-accesses", daemon=True)
            self._thread.start()
        self._wake.set()

    def pending(self) -> int:
        with self._guard:
            return sum(map(len, self._pending.values()))

    def overlaid(self, memory: Memory) -> Memory:
        """The memory with the accesses that are still on their way to the file."""
        if not self._pending:
            return memory
        with self._guard:
            extra = list(self._pending.get(rows.id_bytes(memory.id), ()))
        if not extra:
            return memory
        recent = sorted([*map(to_micros, memory.recent_accesses), *extra])[-RECENT:]
        return replace(
            memory,
            access_count=memory.access_count + len(extra),
            last_accessed_at=max(memory.last_accessed_at, from_micros(max(extra))),
            recent_accesses=tuple(map(from_micros, recent)),
        )

    def flush(self) -> None:
        """Write what is pending; on failure it stays pending."""
        with self._flushing:
            self._flush()

    def _flush(self) -> None:
        if not self._pending:
            return
        with self._guard:
            taken = {id: list(moments) for id, moments in self._pending.items()}
        with self._engine.write() as connection:
            _write(connection, self._space or 0, taken)
        with self._guard:
            for id, moments in taken.items():
                left = self._pending[id][len(moments) :]
                if left:
                    self._pending[id] = left
                else:
                    del self._pending[id]

    def _run(self) -> None:
        while not self._ended.is_set():
            self._wake.wait()
            self._ended.wait(_EVERY_SECONDS)
            self._wake.clear()
            try:
                self.flush()
            except (RemanenceError, apsw.Error):
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


def _write(connection: apsw.Connection, space: int, taken: dict[bytes, list[int]]) -> None:
    for id, moments in taken.items():
        found = connection.execute(
            "SELECT l.no, l.recent FROM memories m JOIN lives l ON l.no = m.no WHERE m.space=? AND m.id=?", (space, id)
        ).get
        if found is None:
            continue
        no, recent = found
        newest = sorted([*rows.recent_micros(recent), *moments])[-RECENT:]
        connection.execute(
            "UPDATE lives SET access_count = access_count + ?, last_accessed_at = max(last_accessed_at, ?), recent = ? "
            "WHERE no=?",
            (len(moments), max(moments), rows.recent_bytes(newest), no),
        )
