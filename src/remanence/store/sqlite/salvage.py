"""Saving what can be read of a damaged file: every memory whose rows are readable and whose hashes hold.

It works on a copy, with the write-ahead log, so the damaged file is never changed. Rows are read in ever smaller
ranges around what cannot be read. The result is an export, which a fresh store can import.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from remanence.errors import InvalidInput, StoreDamaged
from remanence.model.report import Salvaged
from remanence.store.sql import rows

_RANGE = 1000
_SAID_AT = slice(4, 12)


Clean = Callable[[dict[str, Any]], dict[str, Any]]


def salvage(path: Path, out: Path, namespace: str = "default", clean: Clean = dict) -> Salvaged:
    """Write every memory of a namespace that can still be read to `out`, each as `clean` gives it."""
    if not path.is_file():
        raise InvalidInput(f"{path} is not there")
    if out.exists():
        raise InvalidInput(f"{out} exists already; salvage never writes over a file")
    with tempfile.TemporaryDirectory(prefix="remanence-salvage-", dir=out.absolute().parent) as folder:
        for part in (path, Path(f"{path}-wal")):
            if part.exists():
                shutil.copyfile(part, Path(folder) / part.name)
        try:
            connection = apsw.Connection(str(Path(folder) / path.name))
            last = _last(connection)
            names = dict(connection.execute("SELECT no, name FROM spaces"))
        except (apsw.Error, UnicodeDecodeError) as reason:
            raise StoreDamaged(f"Nothing can be read of {path} ({reason}). Restore a backup") from None
        try:
            return _saved(connection, last, names, out, namespace, clean)
        finally:
            connection.close()


def _saved(
    connection: apsw.Connection, last: int, names: dict[int, str], out: Path, namespace: str, clean: Clean
) -> Salvaged:
    saved = damaged = others = 0
    handle = os.open(out, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        for row in _readable(connection, 1, last):
            if names.get(row[-3], namespace) != namespace:
                others += 1
                continue
            line = _line(row, names, clean)
            if line is None:
                damaged += 1
            else:
                file.write(line + "\n")
                saved += 1
    unreadable = max(0, last - saved - damaged - others)
    return Salvaged(path=str(out), saved=saved, unreadable=unreadable, damaged=damaged, in_other_namespaces=others)


def _last(connection: apsw.Connection) -> int:
    """The highest row number that either table still tells."""
    last = 0
    for table in ("memories", "lives"):
        with suppress(apsw.Error):
            last = max(last, connection.execute(f"SELECT max(no) FROM {table}").get or 0)
    return last


def _readable(connection: apsw.Connection, first: int, last: int) -> Iterator[tuple[Any, ...]]:
    """The rows that can be read, in ranges halved around what cannot."""
    columns = rows.COLUMNS
    for later, before in ((rows.TRUST_LIMIT, "1.0"), (rows.FEEDBACK, "0, 0")):
        columns = columns if _has(connection, later) else columns.replace(later, before)
    waiting = [(start, min(start + _RANGE - 1, last)) for start in range(first, last + 1, _RANGE)][::-1]
    while waiting:
        low, high = waiting.pop()
        try:
            yield from connection.execute(
                f"SELECT {columns}, m.space, m.digest, l.hash FROM {rows.JOINED} WHERE m.no BETWEEN ? AND ?",
                (low, high),
            ).fetchall()
        except (apsw.Error, UnicodeDecodeError):
            if low < high:
                middle = (low + high) // 2
                waiting += [(middle + 1, high), (low, middle)]


def _has(connection: apsw.Connection, columns: str) -> bool:
    """Whether the file is of a schema that knows these columns."""
    with suppress(apsw.Error):
        connection.execute(f"SELECT {columns} FROM lives l LIMIT 0")
        return True
    return False


def _line(row: tuple[Any, ...], names: dict[int, str], clean: Clean) -> str | None:
    """The memory of a row as a line of an export; None when a hash does not hold."""
    *fields, shelf, _, space, digest, life_hash = row
    try:
        if rows.digest_of(row[1], shelf, tuple(row[_SAID_AT])) != digest:
            return None
        memory = rows.decoded(tuple(fields), names[space])
        if rows.life_hash(row[0], shelf, rows.life(memory)) != life_hash:
            return None
        return json.dumps(clean(memory.to_dict()), ensure_ascii=False)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, AttributeError):
        return None
