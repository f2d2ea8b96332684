"""What a purge leaves behind in a database: rows that are gone, and what only the server's keepers can reach.

A deleted row is on its page until VACUUM takes it off, which it can once no older snapshot needs it. A purge notes its
transaction's number in `meta`, and the note goes once a VACUUM that reached every table began when nothing older was
open. What is left to do is tried again at the close, and the next upkeep, check or purge. Then every column that
holds texts is searched for the purged ones. What lies outside of the tables (the log that replicas and backups are made
from, the replicas and backups themselves, freed pages until they are written over) is named, since no statement reaches
it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import psycopg

from remanence.store.postgres.connection import Raw
from remanence.store.postgres.engine import Engine
from remanence.store.sql import rows
from remanence.store.sql.pieces import in_files

NOT_REACHED = (
    "pages of the tables that were freed, until they are written over (VACUUM FULL writes a table anew)",
    "the write-ahead log and its archive, until they are recycled",
    "backups that were made before",
)
_REPLICAS = "replicas, until they have replayed the purge"
_TEXTS_SEARCHED = 64
_COLUMNS = {
    "memories": ("text", "words", "categories", "concepts", "files", "origin", "metadata"),
    "revisions": ("before", "after"),
    "recalls": ("query",),
    "observations": ("text", "call"),
    "entities": ("name",),
}
_CLEARED = (
    *_COLUMNS,
    *("stems", "terms", "kin", "tags", "paths", "descents", "keys", "vectors", "meanings", "lives", "mentions"),
    *("definitions", "recalled", "sessions", "observation_keys", "tellings", "tasks", "leases"),
)
_NOTED = "SELECT value FROM meta WHERE /*here*/ name='purge_pending'"
_TAKE_OFF = "DELETE FROM meta WHERE /*here*/ name='purge_pending' AND value <= ?"
_TABLE = "SELECT c.relname FROM turns t JOIN pg_class c ON c.oid = t.tableoid WHERE /*t.here*/ true"
_LOCK = 0x726D6E65  # "rmne", beside "rmnc" of the migrations
# What keeps VACUUM from rows of that transaction; a number that this server has not come to is of another's copy.
_OLDER = """
WITH held(by) AS (
  SELECT unnest(ARRAY[backend_xid, backend_xmin]) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND (datname = current_database() OR datname IS NULL)
  UNION ALL SELECT transaction FROM pg_prepared_xacts WHERE database = current_database()
  UNION ALL SELECT xmin FROM pg_replication_slots)
SELECT count(*) FROM held WHERE age(held.by) >= age(%(purge)s::text::xid8::xid)
  AND %(purge)s::bigint < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
"""
_BUSY = "another process is at it"
_STILL_READ = "a transaction from before it is still open; see pg_stat_activity"
_PINNED = "somebody reads the page it is on just now"
_HOLDING = "SELECT {} FROM {} x WHERE /*x.here*/ ({}) LIMIT 100"


def erase(engine: Engine, texts: Sequence[str], wait_seconds: float) -> dict[str, Any]:
    """Take deleted rows off their pages, and search the tables: the fields of a certificate that say what is left."""
    is_pending = bool(unfinished(engine, wait_seconds))
    if is_pending:
        with engine.write():
            engine.wanted()
    searched = [text for text in texts if in_files(text)][:_TEXTS_SEARCHED]
    copies, held = _copies(engine, searched)
    return {
        "pending": is_pending,
        "copies_found": copies,
        "files_checked": tuple(f"table {table}" for table in _COLUMNS),
        "texts_searched": len(searched),
        "same_words_kept": held,
        "not_reached": (*NOT_REACHED, *((_REPLICAS,) if _has_replicas(engine) else ())),
    }


def unfinished(engine: Engine, wait_seconds: float = 0.1) -> str:
    """Do what purges left to do; why something is left still, or nothing."""
    if _noted(engine) is None:
        return ""
    until = time.monotonic() + wait_seconds
    with engine.translated(), engine.pool.alone() as raw:
        while (purge := _noted(engine)) is not None:
            why = _in_the_way(raw, engine, purge)
            if not why:
                break
            if time.monotonic() > until:
                return why
            time.sleep(0.05)
        else:
            return ""
        if why := _vacuum(raw, _tables(engine)):
            return why
        with engine.write() as connection:
            connection.execute(_TAKE_OFF, (purge,))
    return ""


def _noted(engine: Engine) -> int | None:
    """The last transaction of this namespace whose deleted rows may be on their pages."""
    with engine.read(snapshot=False) as connection:
        found: int | None = connection.execute(_NOTED).get
        return found


def _in_the_way(raw: Raw, engine: Engine, purge: int) -> str:
    """Why the rows that this transaction deleted cannot be taken off yet; the lock is held as long as `raw` is open."""
    with engine.read(snapshot=False) as connection:
        space = connection.space
    row = raw.execute("SELECT pg_try_advisory_lock(%s, %s)", (_LOCK, space)).fetchone()
    if row is None or not row[0]:
        return _BUSY
    row = raw.execute(_OLDER, {"purge": purge}).fetchone()
    return "" if row is not None and not row[0] else _STILL_READ


def _tables(engine: Engine) -> list[str]:
    """Those that hold what purges delete: of each, the partition with the rows of this namespace."""
    with engine.read(snapshot=False) as connection:
        part = str(connection.execute(_TABLE).get).removeprefix("turns")
    return [f"{table}{part}" for table in _CLEARED]


def _vacuum(raw: Raw, tables: Sequence[str]) -> str:
    """Take deleted rows off their pages; why that cannot be done, or nothing.

    What the server leaves out it only warns of, such as tables of another role.
    """
    said: list[str] = []

    def listen(notice: psycopg.errors.Diagnostic) -> None:
        text = notice.message_primary or ""
        if notice.severity_nonlocalized == "WARNING":
            said.append(f"{text}; let the role that owns the store run: rem work --once")
        elif "tuples missed:" in text:
            said.append(_PINNED)

    raw.add_notice_handler(listen)
    raw.execute("SET client_min_messages = notice")
    for table in tables:
        raw.execute(f"VACUUM (INDEX_CLEANUP ON, VERBOSE) {table}")
        if said:
            break
    return next(iter(said), "")


def _copies(engine: Engine, texts: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """How many pieces of the texts rows hold outside of memories' texts, and which memories hold the same words."""
    stray, holders = 0, set[str]()
    with engine.read() as connection:
        for piece in {piece for text in texts for piece in in_files(text)}:
            said = connection.execute(_HOLDING.format("id", "memories", _holds(("text",))), (piece,))
            kept = {rows.id_text(raw) for (raw,) in said}
            holders |= kept
            if kept:
                continue
            for table, columns in _COLUMNS.items():
                stray += len(connection.execute(_HOLDING.format("1", table, _holds(columns)), (piece,)).fetchall())
    return stray, tuple(sorted(holders))


def _holds(columns: Sequence[str]) -> str:
    return " OR ".join(f"position(?1::bytea IN convert_to(coalesce(x.{name}, ''), 'UTF8')) > 0" for name in columns)


def _has_replicas(engine: Engine) -> bool:
    with engine.read(snapshot=False) as connection:
        return bool(connection.execute("SELECT count(*) FROM pg_stat_replication").get)
