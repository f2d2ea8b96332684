"""What the target of a move has and the source lacks: it was used since, or it is another's, and nothing is written.

A namespace goes on by receipts, so a target whose receipts are all the source's is a part of it: of a copy that was cut
off, or of one that the source went on from. What is kept without a receipt is looked at by itself: memories, tombstones
and what was lifted of them, captured sessions, the policy that was chosen. Counts of recalls are the source's.
"""

from __future__ import annotations

from typing import Any

from remanence.errors import InvalidInput
from remanence.store.sql import rows
from remanence.store.sql.digests import Digests
from remanence.store.sql.moving.parts import listed_ids, pages_of
from remanence.store.sql.store import SqlStore

_IDS = "SELECT no, id FROM memories WHERE space=? AND no > ? ORDER BY no LIMIT ?"
_KNOWN = (
    "SELECT id FROM memories WHERE space=?1 AND id IN (SELECT unhex(value) FROM json_each(?2)) "
    "UNION ALL SELECT id FROM tombstones WHERE space=?1 AND id IN (SELECT unhex(value) FROM json_each(?2))"
)
_TOMBSTONES = "SELECT id, lifted_at FROM tombstones WHERE space=?"
_RECEIPTS = "SELECT no, at, verb, note, undoes FROM receipts WHERE space=? AND no > ? ORDER BY no LIMIT ?"
_SAME = "SELECT no, at, verb, note, undoes FROM receipts WHERE space=? AND no BETWEEN ? AND ?"
# In a database each namespace has numbers of its own.
_OTHERS = "SELECT no FROM receipts WHERE /*here*/ space <> ? AND no BETWEEN ? AND ?"
_SESSIONS = "SELECT id, observations FROM sessions WHERE space=?"
_ERASED = "SELECT session FROM erased WHERE space=? AND first=0"
_CHOSEN = "SELECT coalesce(max(chosen_at), 0) FROM policies WHERE space=?"


def refuse_strangers(source: SqlStore, target: SqlStore) -> None:
    """Raise where the target holds something that the source lacks."""
    for find in (_receipts, _memories, _tombstones, _sessions, _policy):
        if found := find(source, target):
            raise InvalidInput(
                f"The namespace {target.namespace!r} of {target._engine.location} has {found} that "
                f"{source._engine.location} lacks, so it has a life of its own. Nothing was written: go on with it, or "
                "move into a store where that namespace is empty"
            )
    if _meet(source, target):
        raise taken_numbers(target)


def is_empty(store: SqlStore) -> bool:
    """Whether nothing is kept in this namespace; what was purged, a file knows also from the one before it."""
    tables = ("memories", "receipts", "sessions")
    return not any(_rows(store, f"SELECT 1 FROM {table} WHERE space=? LIMIT 1") for table in tables)


def taken_numbers(target: SqlStore) -> InvalidInput:
    return InvalidInput(
        f"{target._engine.location} has receipts of other namespaces under the same numbers: move into a store of its "
        "own"
    )


def _receipts(source: SqlStore, target: SqlStore) -> str:
    for page in pages_of(target, _RECEIPTS, (target._shelves.space,), (0,), lambda row: (row[0],)):
        known = set(_rows(source, _SAME, page[0][0], page[-1][0]))
        if strange := [row for row in page if row not in known]:
            return f"the receipt r{strange[0][0]} ({strange[0][2]})"
    return ""


def _memories(source: SqlStore, target: SqlStore) -> str:
    for page in pages_of(target, _IDS, (target._shelves.space,), (0,), lambda row: (row[0],)):
        known = {id for (id,) in _rows(source, _KNOWN, listed_ids(id for _, id in page))}
        if strange := [id for _, id in page if id not in known]:
            return f"the memory {rows.id_text(strange[0])}"
    return ""


def _tombstones(source: SqlStore, target: SqlStore) -> str:
    known = dict(_rows(source, _TOMBSTONES))
    for id, lifted_at in _rows(target, _TOMBSTONES):
        if id not in known:
            return f"the tombstone of {rows.id_text(id)}"
        if lifted_at is not None and known[id] is None:
            return f"the lifted tombstone of {rows.id_text(id)}"
    return ""


def _sessions(source: SqlStore, target: SqlStore) -> str:
    known = dict(_rows(source, _SESSIONS))
    digests = Digests(source.namespace, source._secret)
    erased = {session for (session,) in _rows(source, _ERASED)}
    for id, observations in _rows(target, _SESSIONS):
        if observations > known.get(id, 0) and digests.session(id) not in erased:
            return f"observations of the session {id[:80]!r}"
    return ""


def _policy(source: SqlStore, target: SqlStore) -> str:
    (chosen,), (known,) = _rows(target, _CHOSEN)[0], _rows(source, _CHOSEN)[0]
    return "a policy" if chosen > known else ""


def _meet(source: SqlStore, target: SqlStore) -> bool:
    """Whether receipts of the source have numbers that other namespaces of the target use."""
    for page in pages_of(source, _RECEIPTS, (source._shelves.space,), (0,), lambda row: (row[0],)):
        others = {no for (no,) in _rows(target, _OTHERS, page[0][0], page[-1][0])}
        if not others.isdisjoint(no for no, *_ in page):
            return True
    return False


def _rows(store: SqlStore, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    with store._engine.read() as connection:
        return connection.execute(sql, (store._shelves.space, *values)).fetchall()
