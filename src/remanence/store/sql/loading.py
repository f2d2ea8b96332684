"""Memories by id and by row, as they are now: rows of the file, with the accesses that are not in it yet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from remanence.errors import StoreDamaged
from remanence.model.memory import Memory
from remanence.store.sql import rows
from remanence.store.sql.accesses import Accesses
from remanence.store.sql.connection import Connection, Engine
from remanence.store.sql.shelves import Shelves

# Without the plus SQLite takes the index on (space, id), and reads all of it.
IDS = "SELECT no, id FROM {} WHERE /*here*/ +space=? AND no IN ({})"
_AT_ONCE = 500
_ALL = f"SELECT {rows.COLUMNS} FROM {rows.JOINED}"
_BY_ID = f"{_ALL} WHERE m.space=? AND m.id=?"
_BY_IDS = f"{_ALL} WHERE m.space=? AND m.id IN (SELECT unhex(value) FROM json_each(?))"
_BY_NUMBER = f"{_ALL} WHERE /*m.here*/ m.no IN (SELECT value FROM json_each(?))"
# The number of a memory's row, its shelf and its tokens, and itself.
Found = tuple[int, int, int, Memory]


class Loader:
    """Reads the memories of one namespace."""

    def __init__(self, engine: Engine, shelves: Shelves, accesses: Accesses, namespace: str) -> None:
        self._engine = engine
        self._shelves = shelves
        self._accesses = accesses
        self._namespace = namespace

    def find(self, id: str) -> Found | None:
        with self._engine.read(snapshot=False) as connection:
            return self.find_all(connection, (id,)).get(id)

    def find_all(self, connection: Connection, ids: Sequence[str]) -> dict[str, Found]:
        """Those of these that are there."""
        found: dict[str, Found] = {}
        raws = [raw for id in ids if (raw := rows.id_bytes_or_none(id)) is not None]
        for start in range(0, len(raws), _AT_ONCE):
            part = raws[start : start + _AT_ONCE]
            asked = part[0] if len(part) == 1 else json.dumps([raw.hex() for raw in part])
            sql = _BY_ID if len(part) == 1 else _BY_IDS
            for row in connection.execute(sql, (self._shelves.space, asked)):
                memory = self.memory(row)
                found[memory.id] = (row[0], row[-2], row[-1], memory)
        return found

    def number(self, id: str) -> int | None:
        find = "SELECT no FROM memories WHERE space=? AND id=?"
        with self._engine.read(snapshot=False) as connection:
            return connection.execute(find, (self._shelves.space, rows.id_bytes(id))).get

    def ids(self, numbers: Sequence[int]) -> list[str]:
        """The ids of these rows, in this order, also of those that were purged since their numbers were read."""
        found: dict[int, str] = {}
        with self._engine.read() as connection:
            for table in ("memories", "tombstones"):
                left = [no for no in numbers if no not in found]
                for start in range(0, len(left), _AT_ONCE):
                    part = left[start : start + _AT_ONCE]
                    sql = IDS.format(table, ",".join("?" * len(part)))
                    found |= {
                        no: rows.id_text(raw) for no, raw in connection.execute(sql, (self._shelves.space, *part))
                    }
        self._complete(found, numbers)
        return [found[no] for no in numbers]

    def memory(self, row: tuple[Any, ...]) -> Memory:
        try:
            return rows.decoded(row, self._namespace, self._accesses.of(row[0]))
        except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
            raise StoreDamaged(
                f"Row {row[0]} of {self._engine.location} cannot be read. See the damage with: rem check"
            ) from None

    def load(self, connection: Connection, numbers: Sequence[int]) -> list[Memory]:
        """The memories of these rows, in this order."""
        found = self.loaded(connection, numbers)
        self._complete(found, numbers)
        return [found[no] for no in numbers]

    def loaded(self, connection: Connection, numbers: Sequence[int]) -> dict[int, Memory]:
        """The memories of those of these rows that are there, by number."""
        found: dict[int, Memory] = {}
        for start in range(0, len(numbers), _AT_ONCE):
            part = numbers[start : start + _AT_ONCE]
            for row in connection.execute(_BY_NUMBER, (json.dumps(part),)):
                found[row[0]] = self.memory(row)
        return found

    def lived(self, connection: Connection, numbers: Sequence[int]) -> dict[int, Memory]:
        """The same; StoreDamaged where a row has a life and misses another part."""
        found = self.loaded(connection, numbers)
        if missing := [no for no in numbers if no not in found]:
            lives = f"SELECT no FROM lives WHERE /*here*/ no IN ({','.join('?' * len(missing))})"
            self._complete(found, [*found, *(no for (no,) in connection.execute(lives, missing))])
        return found

    def _complete(self, found: dict[int, Any], numbers: Sequence[int]) -> None:
        if missing := set(numbers) - found.keys():
            raise StoreDamaged(
                f"{len(missing)} rows of {self._engine.location} miss a part. See the damage with: rem check"
            )
