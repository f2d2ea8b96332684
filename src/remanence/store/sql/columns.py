"""Lifecycle fields of many rows as arrays, read from `lives` alone; apart from the store because it needs numpy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence.errors import StoreDamaged
from remanence.model.columns import Columns
from remanence.model.moment import NEVER
from remanence.store.sql import rows
from remanence.store.sql.accesses import Accesses
from remanence.store.sql.connection import Connection, Engine

# What is small goes into one number: every value that Python must make costs as much as ten that SQLite reads.
_FIELDS = (
    "l.no, l.shelf, l.state | (l.layer << 4) | (l.source << 8) | (l.pinned << 12) | (l.exempt << 13), "
    "l.importance, l.valence, l.confidence, l.confirmations, l.created_at, l.last_accessed_at, l.access_count, "
    f"coalesce(l.expires_at, {NEVER}), coalesce(l.kept_until, {NEVER}), l.tokens, coalesce(l.due_at, {NEVER}), "
    "l.revision, coalesce(l.trust_limit, 1.0), l.uses, l.rejections, l.recent"
)
_KINDS = (*[np.int64] * 3, *[np.float64] * 3, *[np.int64] * 9, np.float64, np.int64, np.int64)
_AT_ONCE = 500  # few enough for their values to stay in the processor's cache until they are in arrays
_PLACES = "SELECT no, scope, kind FROM shelves WHERE /*here*/ no IN (SELECT value FROM json_each(?))"
UNREADABLE = (ValueError, TypeError, KeyError, OverflowError, UnicodeDecodeError)


class Lives:
    """Reads columns, with the accesses that are not in the file yet."""

    def __init__(self, engine: Engine, accesses: Accesses) -> None:
        self._engine = engine
        self._accesses = accesses

    def read(
        self, condition: str, values: Sequence[Any], *, order: str = "l.no", most: int = -1, index: str = ""
    ) -> Columns:
        """The columns of the rows under this condition on `lives l`, at most so many, without ids."""
        sql = f"SELECT {_FIELDS} FROM lives l {index} WHERE /*l.here*/ {condition} ORDER BY {order} LIMIT ?"

        def read(connection: Connection, unwritten: Mapping[int, Sequence[int]]) -> Columns:
            return _columns(connection, iter(connection.execute(sql, (*values, most))), unwritten)

        try:
            return self._accesses.beside(read)
        except UNREADABLE:
            raise StoreDamaged(
                f"Rows of {self._engine.location} cannot be read. See the damage with: rem check"
            ) from None

    def pages(self, condition: str, values: Sequence[Any], size: int) -> Iterator[Columns]:
        """The same in the order of writing, a page at a time, each read on its own."""
        last = 0
        while len(page := self.read(f"{condition} AND l.no > ?", (*values, last), most=size)):
            last = int(page.rows[-1])
            yield page


def _columns(
    connection: Connection, found: Iterator[tuple[Any, ...]], unwritten: Mapping[int, Sequence[int]]
) -> Columns:
    parts: list[list[NDArray[Any]]] = [[np.zeros(0, kind)] for kind in _KINDS]
    recent: list[bytes | None] = []
    while some := list(islice(found, _AT_ONCE)):
        *columns, accesses = zip(*some, strict=True)
        recent += accesses
        for part, values, kind in zip(parts, columns, _KINDS, strict=True):
            part.append(np.fromiter(values, kind, len(some)))
    column = [np.concatenate(part) for part in parts]
    numbers, small, accessed, counts = column[0], column[2], column[8], column[9]
    place, places = _placed(connection, column[1])
    if unwritten:
        for at in np.flatnonzero(np.isin(numbers, np.fromiter(unwritten, np.int64, len(unwritten)))).tolist():
            moments = unwritten[int(numbers[at])]
            accessed[at] = max(int(accessed[at]), *moments)
            counts[at] += len(moments)
            recent[at] = rows.recent_bytes(sorted([*rows.recent_micros(recent[at]), *moments])[-rows.RECENT :])
    return Columns(
        rows=numbers,
        ids=(),
        places=places,
        place=place,
        state=(small & 15).astype(np.int8),
        layer=(small >> 4 & 15).astype(np.int8),
        source=(small >> 8 & 15).astype(np.int8),
        importance=column[3],
        valence=column[4],
        confidence=column[5],
        trust_limit=column[15],
        confirmations=column[6],
        uses=column[16],
        rejections=column[17],
        created_at=column[7],
        last_accessed_at=accessed,
        access_count=counts,
        recent=_recent(recent),
        expires_at=column[10],
        kept_until=column[11],
        tokens=column[12],
        pinned=(small >> 12 & 1).astype(np.bool_),
        exempt=(small >> 13 & 1).astype(np.bool_),
        due_at=column[13],
        revision=column[14],
    )


def _placed(
    connection: Connection, shelves: NDArray[np.int64]
) -> tuple[NDArray[np.int32], tuple[tuple[str, str], ...]]:
    """For each row the index of its scope and kind, and those that occur; KeyError for a shelf that is missing."""
    numbers, place = np.unique(shelves, return_inverse=True)
    listed = numbers.tolist()
    names = {no: (scope, kind) for no, scope, kind in connection.execute(_PLACES, (json.dumps(listed),))}
    return place.astype(np.int32), tuple(names[no] for no in listed)


def _recent(blobs: Sequence[bytes | None]) -> NDArray[np.int64]:
    """The accesses of each row, oldest first, in as many columns as the longest needs."""
    held = [number for number, blob in enumerate(blobs) if blob]
    packed = [blob for blob in blobs if blob]
    lengths = np.fromiter(map(len, packed), np.int64, len(packed)) // 8
    width = int(lengths.max(initial=0))
    found = np.full((len(blobs), width), NEVER, dtype=np.int64)
    if held:
        part = found[held]
        part[np.arange(width) < lengths[:, np.newaxis]] = np.frombuffer(b"".join(packed), dtype="<i8")
        found[held] = part
    return found
