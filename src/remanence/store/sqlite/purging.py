"""Purging: what is destroyed leaves no byte, does not come back, and is proven gone.

Zeroing rows as they go is not enough: SQLite leaves stale copies in the unused part of pages, and the
full-text index keeps words as signposts. So a purge writes the whole file anew, moves the write-ahead log into it and
cuts the log; then the files are searched for the purged texts. What is left to do is noted in the purge's own
transaction, and finished at the next open, close or check if the process ends before it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw

from remanence.model.moment import from_micros
from remanence.model.plan import Action, Change, Plan, Reason
from remanence.model.session import SESSION
from remanence.store.protocol import Store
from remanence.store.sql import erasing, rows
from remanence.store.sql.digests import Digests
from remanence.store.sql.observations import SEQ_BITS
from remanence.store.sql.pieces import SIZE, in_files
from remanence.store.sqlite import ledger, migrations
from remanence.store.sqlite.engine import REWRITE, Engine

_CHUNK = 8 << 20
_TEXTS_SEARCHED = 64
_CUT = 1
_NOTE = "INSERT OR REPLACE INTO meta VALUES('purge_pending', ?)"


def purge_again(engine: Engine, opened: Callable[[str], Store]) -> None:
    """Purge what the ledger lists and this file, an older copy, still holds, each in its namespace."""
    lines, erased = ledger.unknown_to_file(engine)
    for namespace in sorted({line["namespace"] for line in (*lines, *erased)}):
        store = opened(namespace)
        wanted = {line["id"]: line for line in lines if line["namespace"] == namespace}
        with store.transaction():
            held = store.get(wanted)
            if held:
                purge = (Change(memory_id=id, action=Action.PURGE, reason=Reason.PURGED_BEFORE) for id in sorted(held))
                at = from_micros(max(wanted[id]["at"] for id in held))
                store.apply(Plan(tuple(purge), verb="purge"), at)
                texts = [memory.text for memory in held.values()]
                origins = [one.origin for one in held.values() if one.origin and one.origin.startswith(SESSION)]
                sessions = [origin.removeprefix(SESSION) for origin in origins]
                store.sessions.erase(sessions, at, texts=texts, summaries=held)
            for id in sorted(wanted):
                if id in held:
                    ledger.lift(engine.writer, wanted[id])
                else:
                    ledger.remember_digest(engine.writer, wanted[id])
            _erase_again(engine, engine.writer, namespace, [line for line in erased if line["namespace"] == namespace])
    if lines or erased:
        ledger.write(engine)
        finish_pending(engine, wait_seconds=1.0)


def _erase_again(engine: Engine, connection: apsw.Connection, namespace: str, lines: Sequence[dict[str, Any]]) -> None:
    if lines:
        space = ledger.space_of(connection, namespace)
        digests = Digests(namespace, engine.key(namespace))
        erasing.Eraser(engine, connection, space, digests, 0).again(lines)
        engine.destroyed(connection)


def finish_pending(engine: Engine, wait_seconds: float = 0.1) -> bool:
    """Do what earlier purges left to do, also one that comes in between; True when nothing is left."""
    while left := _left(engine):
        if left == REWRITE:
            ledger.write(engine)
            with engine.alone() as connection:
                connection.execute("INSERT INTO search(search) VALUES('rebuild')")
                connection.execute("VACUUM")
                connection.execute(_NOTE, (_CUT,))
        if not engine.checkpoint(wait_seconds):
            return False
        with engine.write() as connection:
            connection.execute("DELETE FROM meta WHERE name='purge_pending' AND value=?", (_CUT,))
    return True


def _left(engine: Engine) -> int:
    with engine.read() as connection:
        return int(connection.execute("SELECT value FROM meta WHERE name='purge_pending'").get or 0)


def erase(engine: Engine, space: int, texts: Sequence[str], wait_seconds: float) -> dict[str, Any]:
    """Finish a purge and search the files: the fields of a certificate that say what is left."""
    finished = finish_pending(engine, wait_seconds)
    if engine.path is None:
        return {}
    backups = tuple(str(path) for path in migrations.backups_of(engine.path))
    if not finished:
        return {"backups": backups, "pending": True}
    files = tuple(path for path in (engine.path, Path(f"{engine.path}-wal")) if path.exists())
    searched = [text for text in texts if in_files(text)][:_TEXTS_SEARCHED]
    copies, held = _copies(engine, files, searched, space)
    return {
        "backups": backups,
        "copies_found": copies,
        "files_checked": tuple(map(str, files)),
        "texts_searched": len(searched),
        "same_words_kept": held,
    }


def _copies(engine: Engine, files: Sequence[Path], texts: Sequence[str], space: int) -> tuple[int, tuple[str, ...]]:
    """How many pieces of the texts the files hold outside of memories, and which memories hold the same words.

    Other namespaces may have observed the same words; in this one they were erased.
    """
    pieces = {piece for text in texts for piece in in_files(text)}
    found = {piece for path in files for piece in _found(path, pieces)}
    stray, holders = 0, set()
    with engine.read() as connection:
        for piece in found:
            kept = "SELECT id, space FROM memories WHERE instr(CAST(text AS BLOB), ?) LIMIT 100"
            rows_ = connection.execute(kept, (piece,)).fetchall()
            stray += not rows_ and not _observed_elsewhere(connection, space, piece)
            holders |= {rows.id_text(id) for id, at in rows_ if at == space}
    return stray, tuple(sorted(holders))


def _found(path: Path, pieces: set[bytes]) -> set[bytes]:
    found: set[bytes] = set()
    tail = b""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            window = tail + chunk
            found |= {piece for piece in pieces - found if piece in window}
            tail = window[-SIZE:]
    return found


def _observed_elsewhere(connection: apsw.Connection, space: int, piece: bytes) -> bool:
    """Whether another namespace has observed these words."""
    sql = (
        f"SELECT 1 FROM sessions s JOIN observations o ON o.place > s.no << {SEQ_BITS} "
        f"AND o.place < (s.no + 1) << {SEQ_BITS} WHERE s.space <> ? "
        "AND (instr(CAST(o.text AS BLOB), ?2) OR instr(CAST(o.call AS BLOB), ?2)) LIMIT 1"
    )
    return connection.execute(sql, (space, piece)).get is not None
