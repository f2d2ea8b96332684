"""Memories with their lives and vectors: page by page, in the order of writing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from remanence.model.selection import EVERY_STATE, Selection
from remanence.store.sql import rows
from remanence.store.sql.connection import Connection
from remanence.store.sql.moving.parts import PAGE, Part, listed_ids
from remanence.store.sql.store import SqlStore
from remanence.store.sql.writing import Writer

EVERY = Selection(states=EVERY_STATE)
_MEMORIES = f"SELECT {rows.COLUMNS}, l.due_at FROM {rows.JOINED}"
_AFTER = f"{_MEMORIES} WHERE m.space=? AND m.no > ? ORDER BY m.no LIMIT ?"
BY_ID = f"{_MEMORIES} WHERE m.space=? AND m.id IN (SELECT unhex(value) FROM json_each(?))"
SHELF_AT, TOKENS_AT = -3, -2
_MEANT = (
    "SELECT e.no, o.name, o.dimension, e.bits, e.waits, e.fades_at FROM meanings e "
    "LEFT JOIN models o ON o.no = e.model WHERE /*e.here*/ e.no IN (SELECT value FROM json_each(?))"
)


class Memories(Part):
    """The memories of a namespace."""

    def copy(self, progress: Callable[[int, int], None] | None) -> None:
        """Write what the target lacks, or has otherwise."""
        total = self.source.count(EVERY)
        done = last = 0
        while True:
            with self.source._engine.read() as connection:
                page = connection.execute(_AFTER, (self.source._shelves.space, last, PAGE)).fetchall()
                meant = self._meant(self.source, connection, [row[0] for row in page])
            if not page:
                return
            last = page[-1][0]
            self._write_page(page, meant)
            done += len(page)
            if progress is not None:
                progress(min(done, total), max(total, done))

    def _write_page(self, page: list[tuple[Any, ...]], meant: dict[int, tuple[Any, ...]]) -> None:
        wanted = {row[1]: (_canonical(row), meant.get(row[0])) for row in page}
        for id, (said, meaning) in wanted.items():
            self.tally.compare("memories", said)
            self.tally.compare("vectors", (id, meaning))
        with self.target._engine.read() as connection:
            found = connection.execute(BY_ID, (self.target._shelves.space, listed_ids(wanted))).fetchall()
            there = {row[1]: row for row in found}
            had = self._meant(self.target, connection, [row[0] for row in found])
        stale = [row for row in page if row[1] not in there or _canonical(there[row[1]]) != wanted[row[1]][0]]
        fresh = {row[1] for row in stale}
        moved = [
            row
            for row in page
            if row[1] in fresh or (row[1] in there and had.get(there[row[1]][0]) != meant.get(row[0]))
        ]
        if not moved:
            return
        with self.target.transaction() as written, self.target._engine.gathering(written) as connection:
            self.target._shelves.enter(connection)
            due = {rows.id_text(row[1]): row[-1] for row in stale}
            writer = self.target.writer(connection, lambda memory: due[memory.id])
            numbers: dict[bytes, int] = {}
            for row in stale:
                numbers[row[1]] = self._place(writer, row, there.get(row[1]))
            writer.settle()
            for row in moved:
                no = numbers.get(row[1]) or there[row[1]][0]
                self._place_meaning(connection, no, meant.get(row[0]))
        self.tally.written += len(moved)

    def _place(self, writer: Writer, row: tuple[Any, ...], there: tuple[Any, ...] | None) -> int:
        if there is not None:
            before = self.target._loader.memory(there)
            writer.displace(there[0], there[SHELF_AT], there[TOKENS_AT], before)
        return writer.place(self.source._loader.memory(row), None if there is None else there[0])

    @staticmethod
    def _meant(store: SqlStore, connection: Connection, nos: Sequence[int]) -> dict[int, tuple[Any, ...]]:
        """What each of these rows means: its vector with who made it, or that it waits for one."""
        codes = {no: code for no, _, _, code, _ in store._vectors.codes(connection, nos)}
        found = connection.execute(_MEANT, (json.dumps(list(nos)),))
        return {no: (*rest, codes.get(no)) for no, *rest in found}

    def _place_meaning(self, connection: Connection, no: int, meaning: tuple[Any, ...] | None) -> None:
        if meaning is not None:
            name, dimension, bits, waits, fades_at, code = meaning
            self.target._vectors.place(connection, no, name, dimension, bits, code, waits, fades_at)


def _canonical(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A memory's rows without what is a store's own: its number, its shelf's and the estimate of its tokens."""
    return (*row[1:SHELF_AT], row[-1])
