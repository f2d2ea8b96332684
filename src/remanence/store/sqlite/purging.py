"""Purging: what is destroyed leaves no byte, does not come back, and is proven gone.

A purged row leaves a tombstone: its number, its id, and a keyed digest of its text, by which the same text is refused
later. The tombstones are also written to a small ledger beside the file, so that an older copy put in the file's
place is purged again when it is opened. Pages are zeroed as rows go (`secure_delete`); then the write-ahead log is
moved into the file and cut, and the files are searched for the purged texts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import apsw

from remanence.model.memory import Memory
from remanence.model.words import folded
from remanence.store.sqlite import migrations, rows
from remanence.store.sqlite.engine import Engine

_CHUNK = 8 << 20
_PIECE = 48
_TEXTS_SEARCHED = 32


class Tombs:
    """The tombstones of a file, seen from one namespace."""

    def __init__(self, namespace: str, space: int, key: bytes) -> None:
        self._namespace = namespace.encode()
        self.space = space
        self._key = key

    def digest(self, text: str) -> bytes:
        """A keyed digest: equal for equal folded texts of a namespace, telling nothing to who lacks the key."""
        return blake2b(self._namespace + b"\0" + folded(text).encode(), key=self._key, digest_size=16).digest()

    def bury(self, connection: apsw.Connection, no: int, memory: Memory, at: int) -> None:
        connection.execute(
            "INSERT INTO tombstones VALUES(?,?,?,?,?,NULL)",
            (no, self.space, rows.id_bytes(memory.id), self.digest(memory.text), at),
        )

    def blocked(self, connection: apsw.Connection, texts: Iterable[str]) -> set[str]:
        """Those of the texts that were purged here and not lifted since."""
        find = "SELECT 1 FROM tombstones WHERE digest=? AND space=? AND lifted_at IS NULL LIMIT 1"
        return {text for text in texts if connection.execute(find, (self.digest(text), self.space)).get}

    def lift(self, connection: apsw.Connection, texts: Iterable[str], at: int) -> None:
        """Allow these texts to be learned again."""
        for text in texts:
            connection.execute(
                "UPDATE tombstones SET lifted_at=? WHERE digest=? AND space=? AND lifted_at IS NULL",
                (at, self.digest(text), self.space),
            )


def ledger_path(path: Path) -> Path:
    return path.with_name(path.name + ".purged")


def write_ledger(engine: Engine) -> None:
    """Write the tombstones of the file to its ledger, all of them, in the place of the old one."""
    if engine.path is None:
        return
    with engine.alone() as connection:
        lines = [
            json.dumps({"namespace": name, "id": rows.id_text(id), "digest": digest.hex(), "at": at, "lifted": lifted})
            for name, id, digest, at, lifted in connection.execute(
                "SELECT s.name, t.id, t.digest, t.purged_at, t.lifted_at FROM tombstones t "
                "JOIN spaces s ON s.no = t.space ORDER BY t.purged_at, t.id"
            )
        ]
        ledger = ledger_path(engine.path)
        draft = ledger.with_name(ledger.name + ".part")
        handle = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w") as file:
            file.writelines(line + "\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(ledger)
        connection.execute("INSERT OR REPLACE INTO meta VALUES('ledger_bytes', ?)", (ledger.stat().st_size,))


def unknown_to_file(engine: Engine) -> list[dict[str, Any]]:
    """Lines of the ledger that the file does not know: it is an older copy, and they must be purged again."""
    if engine.path is None or not (ledger := ledger_path(engine.path)).exists():
        return []
    with engine.read() as connection:
        if connection.execute("SELECT value FROM meta WHERE name='ledger_bytes'").get == ledger.stat().st_size:
            return []
        known = {id for (id,) in connection.execute("SELECT id FROM tombstones")}
    lines = [json.loads(line) for line in ledger.read_text().splitlines()]
    return [line for line in lines if rows.id_bytes(line["id"]) not in known]


def remember_digest(connection: apsw.Connection, line: dict[str, Any]) -> None:
    """A tombstone for a row this copy of the file never held."""
    connection.execute("INSERT INTO spaces(name) VALUES(?) ON CONFLICT DO NOTHING", (line["namespace"],))
    connection.execute(
        "INSERT INTO tombstones SELECT min(0, coalesce((SELECT min(no) FROM tombstones), 0)) - 1, s.no, ?, ?, ?, ? "
        "FROM spaces s WHERE s.name=?",
        (
            rows.id_bytes(str(line["id"])),
            bytes.fromhex(str(line["digest"])),
            line["at"],
            line["lifted"],
            line["namespace"],
        ),
    )


def finish_pending(engine: Engine) -> bool:
    """Try once more to cut the write-ahead log after a purge; True when nothing is pending any more."""
    with engine.read() as connection:
        if not connection.execute("SELECT value FROM meta WHERE name='purge_pending'").get:
            return True
    engine.patience(100)
    try:
        if not engine.checkpoint():
            return False
        with engine.write() as connection:
            connection.execute("DELETE FROM meta WHERE name='purge_pending'")
        return True
    finally:
        engine.patience()


def erase(engine: Engine, texts: Sequence[str] = (), wait_seconds: float = 2.0) -> dict[str, Any]:
    """Write the ledger, cut the log, search the files: the fields of a certificate that say what is left."""
    if engine.path is None:
        return {}
    write_ledger(engine)
    backups = tuple(str(path) for path in migrations.backups_of(engine.path))
    engine.patience(int(wait_seconds * 1000))
    try:
        cut = engine.checkpoint()
    finally:
        engine.patience()
    if not cut:
        with engine.write() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES('purge_pending', 1)")
        return {"backups": backups, "pending": True}
    files = tuple(path for path in (engine.path, Path(f"{engine.path}-wal")) if path.exists())
    copies = _copies(engine, files, texts)
    if copies:
        with engine.alone() as connection:
            connection.execute("INSERT INTO search(search) VALUES('rebuild')")
            connection.execute("VACUUM")
        engine.checkpoint()
        copies = _copies(engine, files, texts)
    return {"backups": backups, "copies_found": copies, "files_checked": tuple(map(str, files))}


def _copies(engine: Engine, files: Sequence[Path], texts: Sequence[str]) -> int:
    """How many of the purged texts the files still hold, other than inside memories that were kept."""
    pieces = {piece for text in texts[:_TEXTS_SEARCHED] for piece in _pieces(text)}
    found = {piece for path in files for piece in _found(path, pieces)}
    if not found:
        return 0
    with engine.read() as connection:
        kept = "SELECT 1 FROM memories WHERE instr(CAST(text AS BLOB), ?) LIMIT 1"
        return sum(1 for piece in found if not connection.execute(kept, (piece,)).get)


def _pieces(text: str) -> set[bytes]:
    """The start and the end of a text: long enough to be its own, short enough to lie in one page."""
    raw = text.encode()
    return {raw[:_PIECE], raw[-_PIECE:]}


def _found(path: Path, pieces: set[bytes]) -> set[bytes]:
    found: set[bytes] = set()
    tail = b""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            window = tail + chunk
            found |= {piece for piece in pieces - found if piece in window}
            tail = window[-_PIECE:]
    return found
