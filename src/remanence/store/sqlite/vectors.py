"""Vectors in a file: codes in parts, five of which fill a page, where whole ones would leave a quarter of it empty.

Which meanings changed after they were first written stands in `meaning_news`, so that a process which holds them in
memory can follow.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from remanence.store.sql.connection import Connection, Engine
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.vectors import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PART = 768
# Room for the parts of 8,192 numbers in 32 bits, the most that can be encoded: 43.
_PARTS = 64
_NEWS_KEPT = 8_192
_NEWS = "INSERT INTO meaning_news(space, no) VALUES(?,?) RETURNING seq"
_KEEP = "INSERT OR REPLACE INTO vectors(at, code) VALUES(?,?)"
_DROP = "DELETE FROM vectors WHERE at BETWEEN ? AND ?"
_DIMENSIONS = "SELECT no, dimension FROM models"
_CODES = (
    "SELECT e.no, e.model, e.bits, v.code FROM json_each(?) j "
    "CROSS JOIN meanings e ON e.space = ? AND e.no = j.value "
    f"LEFT JOIN vectors v ON v.at BETWEEN {_PARTS} * e.no AND {_PARTS} * e.no + {_PARTS - 1}"
)


def parts_of(no: int) -> tuple[int, int]:
    """Where the first and the last part of a memory's vector may stand."""
    return _PARTS * no, _PARTS * no + _PARTS - 1


class Follower(Protocol):
    """Who holds meanings in memory, and is told what this process writes."""

    def entered(
        self, no: int, shelf: int, state: int, model: int, bits: int, signs: bytes, vector: NDArray[np.float32]
    ) -> None:
        """This row was written, behind all others."""
        ...

    def behind(self) -> None:
        """Something else was written, or may have been: look at the file before the next search."""
        ...


class FileVectors(Vectors):
    """The vectors of one namespace of a file."""

    def __init__(self, engine: Engine, shelves: Shelves) -> None:
        super().__init__(engine, shelves)
        self.follower: Follower | None = None
        self.last_news = 0

    def forget(self) -> None:
        super().forget()
        if self.follower is not None:
            self.follower.behind()

    def keep(self, connection: Connection, no: int, model: int, bits: int, code: bytes, *, replaces: bool) -> None:
        first, last = parts_of(no)
        if replaces:
            connection.execute(_DROP, (first, last))
        parts = [(first + at // _PART, code[at : at + _PART]) for at in range(0, len(code), _PART)]
        connection.executemany(_KEEP, parts)

    def drop(self, connection: Connection, no: int) -> None:
        connection.execute(_DROP, parts_of(no))

    def codes(self, connection: Connection, nos: Sequence[int]) -> list[tuple[int, int, int, bytes, int]]:
        found: list[tuple[int, int, int, bytes, int]] = []
        last, parts = None, [b""]
        # Few models stand for all rows: read once, they need no look for each.
        dimensions = dict(connection.execute(_DIMENSIONS))
        for no, model, bits, code in connection.execute(_CODES, (json.dumps(nos), self._shelves.space)):
            dimension = dimensions.get(model)
            if dimension is None:
                continue
            code = code if isinstance(code, bytes) else b""
            if no == last:
                parts.append(code)
                found[-1] = (no, model, bits, b"".join(parts), dimension)
            else:
                last, parts = no, [code]
                found.append((no, model, bits, code, dimension))
        return found

    def entered(
        self, no: int, shelf: int, state: int, model: int, bits: int, signs: bytes, vector: NDArray[np.float32]
    ) -> None:
        if self.follower is not None:
            self.follower.entered(no, shelf, state, model, bits, signs, vector)

    def changed(self, connection: Connection, no: int) -> None:
        if self.follower is not None:
            self.follower.behind()
        self.last_news = connection.execute(_NEWS, (self._shelves.space, no)).get
        if self.last_news % 4096 == 0:
            connection.execute("DELETE FROM meaning_news WHERE seq <= ?", (self.last_news - _NEWS_KEPT,))
