"""The ledger: the tombstones once more, beside the store, so that an old copy of it cannot bring back what was purged.

One JSON line a tombstone: namespace, id, keyed digest, when, and when it was lifted; one for each stretch of a session
that was erased: namespace, keyed digest of its id, first and last place, when. The store notes the ledger's size; where
they differ, or the ledger is gone, opening brings the two together: what the ledger knows and the file does not was
purged after that copy was made.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import apsw

from remanence.errors import StoreDamaged
from remanence.store.sql import rows
from remanence.store.sqlite.engine import Engine

_ERASED = "SELECT s.name, e.session, e.first, e.last, e.at FROM erased e JOIN spaces s ON s.no = e.space"


def ledger_path(path: Path) -> Path:
    return path.with_name(path.name + ".purged")


def write(engine: Engine) -> None:
    """Write all tombstones of the file to its ledger, in the place of the old one."""
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
        lines += (
            json.dumps({"namespace": name, "session": session.hex(), "first": first, "last": last, "at": at})
            for name, session, first, last, at in connection.execute(f"{_ERASED} ORDER BY e.at, e.session, e.first")
        )
        ledger = ledger_path(engine.path)
        draft = ledger.with_name(ledger.name + ".part")
        try:
            handle = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "w") as file:
                file.writelines(line + "\n" for line in lines)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(ledger)
        except OSError as reason:
            raise engine.unwritable(ledger, reason) from None
        connection.execute("INSERT OR REPLACE INTO meta VALUES('ledger_bytes', ?)", (ledger.stat().st_size,))


def unknown_to_file(engine: Engine) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lines of the ledger that the file does not know and must purge again, of memories and of sessions.

    What was lifted is lifted at once.
    """
    if engine.path is None:
        return [], []
    ledger = ledger_path(engine.path)
    size = ledger.stat().st_size if ledger.exists() else None
    with engine.read() as connection:
        noted = connection.execute("SELECT value FROM meta WHERE name='ledger_bytes'").get
        known: dict[tuple[str, bytes], int] = {}
        erased: set[tuple[str, bytes, int, int]] = set()
        if noted != size:
            found = connection.execute(_ERASED)
            erased = {(name, session, first, at) for name, session, first, _, at in found}
            known = {
                (name, id): lifted
                for name, id, lifted in connection.execute(
                    "SELECT s.name, t.id, t.lifted_at IS NOT NULL FROM tombstones t JOIN spaces s ON s.no = t.space"
                )
            }
    if noted == size:
        return [], []
    whole = _lines(ledger) if size is not None else []
    lines = [line for line in whole if "id" in line]
    stretches = [line for line in whole if "id" not in line and _stretch(line) not in erased]
    lifted = [line for line in lines if line["lifted"] is not None and known.get(_who(line)) == 0]
    if lifted:
        with engine.write() as connection:
            for line in lifted:
                lift(connection, line)
    unknown = [line for line in lines if _who(line) not in known]
    if not unknown and not stretches:
        write(engine)
    return unknown, stretches


def _who(line: dict[str, Any]) -> tuple[str, bytes]:
    return line["namespace"], rows.id_bytes(line["id"])


def _stretch(line: dict[str, Any]) -> tuple[str, bytes, int, int]:
    return line["namespace"], bytes.fromhex(line["session"]), line["first"], line["at"]


def lift(connection: apsw.Connection, line: dict[str, Any]) -> None:
    """Carry over to the file that a text may be learned again."""
    connection.execute(
        "UPDATE tombstones SET lifted_at=? WHERE id=? AND space=(SELECT no FROM spaces WHERE name=?)",
        (line["lifted"], rows.id_bytes(line["id"]), line["namespace"]),
    )


def _lines(ledger: Path) -> list[dict[str, Any]]:
    try:
        lines = [json.loads(line) for line in ledger.read_text(encoding="utf-8").splitlines()]
        for line in lines:
            str.encode(line["namespace"])
            if "session" in line:
                if not all(isinstance(value, int) for value in _stretch(line)[2:]) or not isinstance(line["last"], int):
                    raise ValueError(line["session"])
                continue
            bytes.fromhex(line["digest"])
            if len(rows.id_bytes(line["id"])) != 16 or not isinstance(line["at"], int):
                raise ValueError(line["id"])
            line["lifted"] = None if line["lifted"] is None else int(line["lifted"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise StoreDamaged(
            f"{ledger}, the list of what was purged, is damaged. It was left as it is: put back a good copy, or "
            "move it away to open the store without it"
        ) from None
    return lines


def remember_digest(connection: apsw.Connection, line: dict[str, Any]) -> None:
    """A tombstone for a row this copy of the file never held."""
    space = space_of(connection, line["namespace"])
    connection.execute(
        "INSERT INTO tombstones SELECT min(0, coalesce((SELECT min(no) FROM tombstones), 0)) - 1, ?, ?, ?, ?, ?",
        (space, rows.id_bytes(line["id"]), bytes.fromhex(line["digest"]), line["at"], line["lifted"]),
    )


def space_of(connection: apsw.Connection, namespace: str) -> int:
    """The number of a namespace, given where it has none."""
    connection.execute("INSERT INTO spaces(name) VALUES(?) ON CONFLICT DO NOTHING", (namespace,))
    return int(connection.execute("SELECT no FROM spaces WHERE name=?", (namespace,)).get)
