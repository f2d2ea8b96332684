"""Saving what can be read of a damaged file: every memory whose rows are readable and whose hash holds.

The file is opened for reading only and never changed. Rows are read in ever smaller ranges around what cannot be
read. The result is an export, which a fresh store can import.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from remanence.errors import InvalidInput, StoreDamaged
from remanence.model.report import Salvaged
from remanence.store.sqlite import rows

_RANGE = 1000
_SAID_AT = slice(4, 12)


def salvage(path: Path, out: Path) -> Salvaged:
    """Write every memory that can still be read to `out`."""
    if not path.is_file():
        raise InvalidInput(f"{path} is not there")
    if out.exists():
        raise InvalidInput(f"{out} exists already; salvage never writes over a file")
    try:
        connection = apsw.Connection(
            f"{path.absolute().as_uri()}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
        last = _last(connection)
        names = dict(connection.execute("SELECT no, name FROM spaces"))
    except apsw.Error as reason:
        raise StoreDamaged(f"Nothing can be read of {path} ({reason}). Restore a backup") from None
    saved = damaged = 0
    handle = os.open(out, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        for row in _readable(connection, 1, last):
            line = _line(row, names)
            if line is None:
                damaged += 1
            else:
                file.write(line + "\n")
                saved += 1
    return Salvaged(path=str(out), saved=saved, unreadable=max(0, last - saved - damaged), damaged=damaged)


def _last(connection: apsw.Connection) -> int:
    """The highest row number that either table still tells."""
    last = 0
    for table in ("memories", "lives"):
        with suppress(apsw.Error):
            last = max(last, connection.execute(f"SELECT max(no) FROM {table}").get or 0)
    return last


def _readable(connection: apsw.Connection, first: int, last: int) -> Iterator[tuple[Any, ...]]:
    """The rows that can be read, in ranges halved around what cannot."""
    waiting = [(start, min(start + _RANGE - 1, last)) for start in range(first, last + 1, _RANGE)][::-1]
    while waiting:
        low, high = waiting.pop()
        try:
            yield from connection.execute(
                f"SELECT {rows.COLUMNS}, m.space, m.digest FROM {rows.JOINED} WHERE m.no BETWEEN ? AND ?", (low, high)
            ).fetchall()
        except (apsw.Error, UnicodeDecodeError):
            if low < high:
                middle = (low + high) // 2
                waiting += [(middle + 1, high), (low, middle)]


def _line(row: tuple[Any, ...], names: dict[int, str]) -> str | None:
    """The memory of a row as a line of an export; None when its hash does not hold."""
    *fields, shelf, space, digest = row
    try:
        if rows.digest_of(row[1], shelf, tuple(row[_SAID_AT])) != digest:
            return None
        memory = rows.decoded(tuple(fields), names[space])
        return json.dumps(memory.to_dict(), ensure_ascii=False)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError):
        return None
