"""What was asked and found lately, and which archived memories were missed: written behind, like accesses.

A recall is one row and one more for each hit; both go after 30 days, and with a purge of what they hold. On how
many days an archived memory was missed is counted apart and stays.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from remanence.model.moment import from_micros, to_micros
from remanence.model.words import STOP_WORDS, folded, tokens_of
from remanence.store.protocol import Recent, Use
from remanence.store.sql import rows
from remanence.store.sql.connection import Connection, Engine
from remanence.store.sql.shelves import Shelves

_MOST_SHOWN = 20
_LONG = 5
# At most once a day (UTC): who asks again for what did not come still misses the same.
_REGRET = (
    "INSERT INTO regrets(no, space, times, last_at) SELECT no, space, 1, ? FROM lives WHERE /*here*/ no=? "
    "ON CONFLICT(/*space,*/ no) DO UPDATE SET times = regrets.times "
    f"+ CASE WHEN excluded.last_at / {rows.DAY} > regrets.last_at / {rows.DAY} THEN 1 ELSE 0 END, "
    "last_at = max(regrets.last_at, excluded.last_at)"
)
_FINDING = (
    "SELECT id, at, query FROM (SELECT m.id, r.at, r.query, row_number() OVER (PARTITION BY m.no ORDER BY r.at DESC) "
    "AS place FROM memories m CROSS JOIN recalled h ON /*h.here*/ h.memory = m.no "
    "CROSS JOIN recalls r ON /*r.here*/ r.no = h.recall "
    "WHERE m.space=?1 AND m.id IN (SELECT unhex(value) FROM json_each(?2)) AND r.space=?1 AND r.at >= ?3) f "
    "WHERE place <= ?4 ORDER BY id, at DESC"
)
# Of what was missed several times only the last moment is known.
_USES = (
    "SELECT h.memory, r.at, 0 FROM recalls r CROSS JOIN recalled h ON /*h.here*/ h.recall = r.no "
    "WHERE r.space=?1 UNION ALL SELECT no, last_at, 1 FROM regrets WHERE space=?1 ORDER BY 1, 2"
)
_PURGED = "SELECT count(*) FROM tombstones t WHERE /*t.here*/ t.no <> 0"
Entry = tuple[str | None, tuple[int, ...], tuple[int, ...], int]


class SqlRecallLog:
    """The log of one namespace."""

    def __init__(
        self, engine: Engine, shelves: Shelves, number: Callable[[str], int | None], wake: Callable[[], None]
    ) -> None:
        self._engine = engine
        self._shelves = shelves
        self._number = number
        self._wake = wake
        self._guard = threading.Lock()
        self._pending: list[Entry] = []
        self._purged = 0

    def add(self, query: str | None, found: Sequence[str], missed: Sequence[str], at: datetime) -> None:
        """Note a recall; without a query only what was missed is counted."""
        hits, regrets = (tuple(no for id in ids if (no := self._number(id)) is not None) for ids in (found, missed))
        if not self._pending:
            with self._engine.read() as connection:
                self._purged = connection.execute(_PURGED).get
        with self._guard:
            self._pending.append((query, hits, regrets, to_micros(at)))
        self._wake()

    def write(self, connection: Connection) -> int:
        """Write what is pending inside a transaction; how many entries, to be dropped once it is committed."""
        with self._guard:
            entries = tuple(self._pending)
        self._shelves.enter(connection)
        purged = connection.execute(_PURGED).get
        for query, found, missed, at in entries:
            # What was asked before a purge may hold words of what is gone.
            if query is not None and purged == self._purged:
                noted = "INSERT INTO recalls(space, at, query) VALUES(?,?,?) RETURNING no"
                recall = connection.execute(noted, (self._shelves.space, at, query)).get
                connection.executemany(
                    "INSERT INTO recalled VALUES(/*?,*/ ?,?,?) ON CONFLICT DO NOTHING",
                    [(no, recall, place) for place, no in enumerate(found)],
                )
            connection.executemany(_REGRET, [(at, no) for no in missed])
        return len(entries)

    def drop(self, number: int) -> None:
        """Take the oldest pending entries off: they are in the file now."""
        with self._guard:
            del self._pending[:number]

    @property
    def is_empty(self) -> bool:
        return not self._pending

    def finding(self, ids: Iterable[str], since: datetime) -> dict[str, list[Recent]]:
        """The recalls since a moment that found each of these memories, newest first."""
        asked = json.dumps([rows.id_bytes(id).hex() for id in ids])
        found: dict[str, list[Recent]] = {}
        with self._engine.read(snapshot=False) as connection:
            for raw, at, query in connection.execute(
                _FINDING, (self._shelves.space, asked, to_micros(since), _MOST_SHOWN)
            ):
                found.setdefault(rows.id_text(raw), []).append(Recent(from_micros(at), query))
        return found

    def regrets(self, id: str) -> tuple[int, datetime | None]:
        """On how many days this memory was missed while it was archived, and when last."""
        with self._engine.read() as connection:
            found = connection.execute(
                "SELECT times, last_at FROM regrets WHERE /*here*/ no=?", (self._number(id),)
            ).get
        return (0, None) if found is None else (found[0], from_micros(found[1]))

    def uses(self) -> list[Use]:
        """Every logged recall that found a memory, and when each was last missed; a memory's own oldest first."""
        with self._engine.read() as connection:
            found = connection.execute(_USES, (self._shelves.space,)).fetchall()
        return [Use(row, at, bool(missed)) for row, at, missed in found]

    def forget_before(self, moment: datetime) -> int:
        """Drop recalls from before a moment; how many there were."""
        old = (self._shelves.space, to_micros(moment))
        with self._engine.write() as connection:
            connection.execute(
                "DELETE FROM recalled WHERE /*here*/ recall IN (SELECT no FROM recalls WHERE space=? AND at < ?)", old
            )
            connection.execute("DELETE FROM recalls WHERE space=? AND at < ?", old)
            return connection.changes()


def strike(connection: Connection, space: int, purged: Mapping[int, str]) -> None:
    """Memories are purged, all they say by number: each recall that found one, or holds a word of one, goes too."""
    words = frozenset().union(*map(tokens_of, purged.values())) - STOP_WORDS
    gone = {
        recall
        for recall, query in connection.execute("SELECT no, query FROM recalls WHERE space=?", (space,))
        if _holds_any(query, words)
    }
    for no in purged:
        gone |= {
            recall for (recall,) in connection.execute("SELECT recall FROM recalled WHERE /*here*/ memory=?", (no,))
        }
        connection.execute("DELETE FROM recalled WHERE /*here*/ memory=?", (no,))
        connection.execute("DELETE FROM regrets WHERE /*here*/ no=?", (no,))
    for statement in ("DELETE FROM recalled WHERE /*here*/ recall=?", "DELETE FROM recalls WHERE /*here*/ no=?"):
        connection.executemany(statement, [(recall,) for recall in gone])


def _holds_any(query: str, words: frozenset[str]) -> bool:
    """Whether a query has one of these words, a longer one also inside another or in another form."""
    asked = tokens_of(query)
    if not asked.isdisjoint(words):
        return True
    text = folded(query)
    return any(len(word) >= _LONG and word in text for word in words) or any(
        len(one) >= _LONG and any(one in word for word in words) for one in asked - STOP_WORDS
    )
