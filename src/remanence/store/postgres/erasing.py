"""What a purge leaves behind in a database: rows that are gone, and what only the server's keepers can reach.

A deleted row is on its page until VACUUM takes it off, which it can once no older snapshot needs it. Then every column
that holds texts is searched for the purged ones. What lies outside of the tables (the log that replicas and backups are
made from, the replicas and backups themselves, freed pages until they are written over) is named, since no statement
reaches it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from psycopg import errors as pg

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
_CLEARED = (*_COLUMNS, "stems", "terms", "kin", "tags", "paths", "vectors", "meanings", "lives", "mentions", "sessions")
_OLDER = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_xmin IS NOT NULL "
    "AND pid <> pg_backend_pid() AND age(backend_xmin) > 0"
)
_HOLDING = "SELECT {} FROM {} x WHERE /*x.here*/ ({}) LIMIT 100"


def erase(engine: Engine, texts: Sequence[str], wait_seconds: float) -> dict[str, Any]:
    """Take deleted rows off their pages, and search the tables: the fields of a certificate that say what is left."""
    cleared = _vacuum(engine, wait_seconds)
    searched = [text for text in texts if in_files(text)][:_TEXTS_SEARCHED]
    copies, held = _copies(engine, searched)
    return {
        "pending": not cleared,
        "copies_found": copies,
        "files_checked": tuple(f"table {table}" for table in _COLUMNS),
        "texts_searched": len(searched),
        "same_words_kept": held,
        "not_reached": (*NOT_REACHED, *((_REPLICAS,) if _has_replicas(engine) else ())),
    }


def _vacuum(engine: Engine, wait_seconds: float) -> bool:
    """Whether the rows are off their pages; not while a snapshot from before the purge is still in use."""
    until = time.monotonic() + wait_seconds
    with engine.pool.alone() as raw:
        while (row := raw.execute(_OLDER).fetchone()) is not None and row[0] and time.monotonic() < until:
            time.sleep(0.05)
        is_free = row is not None and not row[0]
        names = raw.execute(
            "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'remanence'::regnamespace AND c.relkind = 'r' "
            "AND regexp_replace(c.relname, '_[0-9]+$', '') = ANY(%s) AND pg_table_is_visible(c.oid) "
            "AND c.relname IN (SELECT relname FROM pg_stat_all_tables WHERE n_dead_tup > 0 OR n_tup_del > 0)",
            (list(_CLEARED),),
        ).fetchall()
        raw.execute("SET statement_timeout = 0")
        for (name,) in names:
            try:
                raw.execute(f"VACUUM (INDEX_CLEANUP ON) {name}")
            except pg.InsufficientPrivilege:
                return False
    return is_free


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
