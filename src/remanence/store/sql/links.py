"""What points at a memory: a caller's own key, the versions beside it, and the memories made from it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from remanence.store.sql import rows
from remanence.store.sql.connection import Connection, Engine
from remanence.store.sql.shelves import Shelves

# What was made from a memory is found by it, and never by looking at all of the namespace.
_MADE_FROM = (
    "SELECT d.parent, m.id FROM descents d CROSS JOIN memories m ON m.no = d.no "
    "WHERE /*d.here*/ d.parent IN (SELECT unhex(value) FROM json_each(?)) AND m.space=? ORDER BY d.parent, m.no"
)


class Links:
    """The links within one namespace."""

    def __init__(self, engine: Engine, shelves: Shelves) -> None:
        self._engine = engine
        self._shelves = shelves

    def claim_key(self, connection: Connection, key: str, memory_id: str) -> None:
        """Remember which memory a caller's own key stands for; called inside a transaction."""
        connection.execute(
            "INSERT INTO keys SELECT space, ?, no FROM memories WHERE space=? AND id=? ON CONFLICT DO NOTHING",
            (key, self._shelves.space, rows.id_bytes(memory_id)),
        )

    def keyed(self, key: str) -> str | None:
        with self._engine.read(snapshot=False) as connection:
            found = connection.execute(
                "SELECT m.id FROM keys k JOIN memories m ON /*m.here*/ m.no = k.no WHERE k.space=? AND k.key=?",
                (self._shelves.space, key),
            ).get
        return rows.id_text(found) if found else None

    def versions_beside(self, id: str) -> tuple[str, ...]:
        """Ids of the memories that name this one as the version before or after them."""
        raw = rows.id_bytes_or_none(id)
        with self._engine.read(snapshot=False) as connection:
            found = connection.execute(
                "SELECT m.id FROM lives l JOIN memories m ON /*m.here*/ m.no = l.no "
                "WHERE l.space=? AND (l.supersedes=? OR l.superseded_by=?)",
                (self._shelves.space, raw, raw),
            ).fetchall()
        return tuple(rows.id_text(id) for (id,) in found)

    def made_from(self, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """For each id, the ids of the memories made from it."""
        made: dict[str, tuple[str, ...]] = dict.fromkeys(ids, ())
        asked = json.dumps([rows.id_bytes(id).hex() for id in made])
        with self._engine.read() as connection:
            for parent, raw in connection.execute(_MADE_FROM, (asked, self._shelves.space)):
                made[rows.id_text(parent)] += (rows.id_text(raw),)
        return made
