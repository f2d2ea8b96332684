"""Reading what is due, and dating rows anew; apart from the store because it needs numpy.

Due rows are found by the spans of the index (38 hours each) and within one by number: exact dates in the index would
cost a page of it for nearly every row that is dated. A page is remembered by its last span and number, and which rows
were given out by a bit each, so that rows re-dated between two pages, to a date that has also come, are not given out
again. Writing dates compares first: a row that was changed, re-dated or accessed since its columns were read keeps the
date it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import cache

import numpy as np
from numpy.typing import NDArray

from remanence.model.columns import Columns
from remanence.model.moment import NEVER, to_micros
from remanence.model.selection import Selection
from remanence.store.sql import rows, selecting
from remanence.store.sql.accesses import Accesses
from remanence.store.sql.columns import Lives
from remanence.store.sql.connection import Transaction
from remanence.store.sql.dating import Dating
from remanence.store.sql.shelves import NUMBER_BITS, Shelves

_SPAN = f"l.due_at >> {rows.SPAN}"
_INDEX = "INDEXED BY lives_due"
_BEFORE_ALL, _AFTER_ALL = -(1 << 62), 1 << 62
_DATED = tuple(rows.STATES[number] for number in rows.DATED)
_AT_ONCE = 100
_WITHIN = (1 << NUMBER_BITS) - 1


class Due:
    """The due dates of one namespace."""

    def __init__(
        self,
        lives: Lives,
        shelves: Shelves,
        accesses: Accesses,
        dating: Dating,
        transaction: Transaction,
    ) -> None:
        self._lives = lives
        self._shelves = shelves
        self._accesses = accesses
        self._dating = dating
        self._transaction = transaction
        self._from: int | None = None

    def pages(self, at: datetime, scopes: tuple[str, ...] | None, size: int) -> Iterator[Columns]:
        """The rows whose date has come, earlier spans first; each page is read on its own."""
        moment = to_micros(at)
        place, values = selecting.where(Selection(scopes=scopes, states=_DATED), self._shelves.space)

        def read(condition: str, *more: int) -> Columns:
            parts = f"l.space = ? AND l.due_at <= ? AND {condition} AND {place}"
            first = (self._shelves.space, moment, *more)
            return self._lives.read(parts, (*first, *values), order=f"{_SPAN}, l.no", most=size, index=_INDEX)

        given = _Given()
        span, no = _BEFORE_ALL, None
        while True:
            if no is None:
                page = read(f"{_SPAN} > ? AND {_SPAN} <= ?", span, moment >> rows.SPAN)
            else:
                page = read(f"{_SPAN} = ? AND l.no > ?", span, no)
            if len(page) == size:
                span, no = int(page.due_at[-1]) >> rows.SPAN, int(page.rows[-1])
            elif no is not None:
                no = None
            else:
                span = _AFTER_ALL
            if len(fresh := given.keep_fresh(page)):
                yield fresh
            if span == _AFTER_ALL:
                return

    def undated(self, size: int) -> Columns | None:
        """The next rows that a re-dating has before it; None when it is complete, or not this store's any more."""
        with self._transaction() as connection:
            to = self._dating.reached(connection)
            if to is None:
                return None
            ahead = f"l.space = ? AND l.no > ? AND l.state IN {rows.DATED}"
            page = self._lives.read(ahead, (self._shelves.space, to), most=size)
            self._from = to
            if len(page):
                return page
            self._dating.move(connection, to, None)
            return None

    def redate(self, columns: Columns, due_at: NDArray[np.int64], *, onwards: bool) -> int:
        """Write these dates where nothing happened since the columns were read; how many rows got another one."""
        with self._transaction() as connection:
            if not self._dating.is_own(connection):
                return 0
            changed = 0
            for date, some in self._changes(columns, due_at):
                connection.execute(_redate(date, len(some)), (*some.ravel().tolist(), self._shelves.space))
                changed += connection.changes()
            if onwards and self._from is not None and len(columns):
                self._dating.move(connection, self._from, max(self._from, int(columns.rows.max())))
        return changed

    def _changes(self, columns: Columns, due_at: NDArray[np.int64]) -> Iterator[tuple[str, NDArray[np.int64]]]:
        """(row, date, and what is to be found in it) of those whose date changes, some at a time, as the file goes."""
        self._accesses.steady()
        counts = columns.access_count
        if unwritten := self._accesses.unwritten():
            # What was counted when the columns were read is in the file by now, or still on its way there.
            counts = counts - np.fromiter((len(unwritten.get(no, ())) for no in columns.rows.tolist()), np.int64)
        fields = np.stack([columns.rows, due_at, columns.revision, columns.due_at, counts], axis=1)
        fields = fields[due_at != columns.due_at]
        fields = fields[np.argsort(fields[:, 0], kind="stable")]
        never = fields[:, 1] == NEVER
        for date, changes in (("new.due_at", fields[~never]), ("NULL", fields[never])):
            for start in range(0, len(changes), _AT_ONCE):
                yield date, changes[start : start + _AT_ONCE]


@cache
def _redate(date: str, number: int) -> str:
    """Dates so many rows at once: a statement for each would cost as much again as what it does."""
    return (
        f"WITH new(no, due_at, revision, was, accesses) AS (VALUES {','.join(['(?,?,?,?,?)'] * number)}) "
        f"UPDATE lives SET due_at = {date} FROM new WHERE lives.no = new.no AND lives.revision = new.revision "
        f"AND lives.access_count = new.accesses AND coalesce(lives.due_at, {NEVER}) = new.was AND space = ? "
        f"AND state IN {rows.DATED}"
    )


class _Given:
    """Which rows were given out: a bit for each number, up to the highest that was met."""

    def __init__(self) -> None:
        self._bits = np.zeros(0, dtype=np.uint8)

    def keep_fresh(self, columns: Columns) -> Columns:
        """Those of the rows that were not given out before; from now on they are."""
        if not len(columns):
            return columns
        numbers = columns.rows & _WITHIN
        places, bits = numbers >> 3, np.left_shift(1, numbers & 7).astype(np.uint8)
        missing = int(places.max()) + 1 - len(self._bits)
        if missing > 0:
            self._bits = np.concatenate([self._bits, np.zeros(max(missing, len(self._bits)), dtype=np.uint8)])
        fresh = (self._bits[places] & bits) == 0
        np.bitwise_or.at(self._bits, places, bits)
        return columns if fresh.all() else columns.take(fresh)
