"""What the parts of a move share: both stores, and the tally of what was compared and written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from remanence.store.sql import rows
from remanence.store.sql.connection import Connection
from remanence.store.sql.store import SqlStore

PAGE = 500


def summable(time: str) -> tuple[str, str]:
    """A column of microseconds in two parts: some five thousand whole ones add up to more than 64 bits."""
    return f"{time} >> 20", f"{time} & {(1 << 20) - 1}"


@dataclass(slots=True)
class Tally:
    """How many rows of each kind were compared in this pass, a hash over each kind, and how many were ever written.

    Also what the target held and was purged in the source: texts, and whether there was anything.
    """

    compared: dict[str, int] = field(default_factory=dict)
    hashes: dict[str, Any] = field(default_factory=dict)
    written: int = 0
    purged: list[str] = field(default_factory=list)
    is_purged: bool = False

    def begin(self) -> None:
        self.compared, self.hashes = {}, {}

    def compare(self, kind: str, row: tuple[Any, ...]) -> None:
        self.compared[kind] = self.compared.get(kind, 0) + 1
        self.hashes.setdefault(kind, blake2b(digest_size=16)).update(repr(row).encode())


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of rows on its way from one store to the other."""

    source: SqlStore
    target: SqlStore
    tally: Tally


def listed_ids(ids: Iterable[bytes]) -> str:
    """Ids as a statement takes them."""
    return json.dumps([raw.hex() for raw in ids])


def numbers_of(store: SqlStore, connection: Connection, ids: Sequence[str], table: str) -> dict[bytes, int]:
    sql = f"SELECT id, no FROM {table} WHERE space=? AND id IN (SELECT unhex(value) FROM json_each(?))"
    return dict(connection.execute(sql, (store._shelves.space, listed_ids(map(rows.id_bytes, ids)))))


def pages_of(
    store: SqlStore,
    sql: str,
    values: tuple[Any, ...],
    after: tuple[Any, ...],
    place: Callable[[Any], tuple[Any, ...]],
) -> Iterator[list[tuple[Any, ...]]]:
    while True:
        with store._engine.read() as connection:
            page = connection.execute(sql, (*values, *after, PAGE)).fetchall()
        if not page:
            return
        yield page
        after = place(page[-1])


def all_of(store: SqlStore, sql: str) -> set[tuple[Any, ...]]:
    with store._engine.read() as connection:
        return set(connection.execute(sql, (store._shelves.space,)))
