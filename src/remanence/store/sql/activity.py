"""On which days somebody was there, and which kinds were missed after rules had archived them: how a namespace lived.

A day is written once, with the first access, write or observation of it. One that lies before a day up to which dates
were made counts as late: those dates were made without it, so everything is dated anew. What was missed is added up
when a policy is about to be applied, and with a purge; between, the sums stand. They are small, and so kept as text.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from remanence.model.lived import Lived, Missed, day_of
from remanence.model.memory import Memory, Source
from remanence.model.moment import to_micros
from remanence.model.plan import Change, Plan
from remanence.store.sql import rows
from remanence.store.sql.connection import Connection, Engine, Transaction
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.short_names import SHORT

_OF_PEOPLE = frozenset(("remember", "revise", "import", "absorb", "ingest", "action"))
_ARCHIVED = rows.STATE_NUMBER[rows.State.ARCHIVED]
_FIND = "SELECT chosen, active_days, late_days, dated_day, missed FROM policies WHERE space=?"
# Before the day itself is written, since whether it is new tells whether it counts.
_COUNT = (
    "INSERT INTO policies(space, active_days) SELECT ?1, 1 "
    "WHERE NOT EXISTS (SELECT 1 FROM activity a WHERE a.space = ?1 AND a.day = ?2) "
    "ON CONFLICT(space) DO UPDATE SET active_days = policies.active_days + 1, "
    "late_days = policies.late_days + CASE WHEN policies.dated_day > ?2 THEN 1 ELSE 0 END"
)
_ADD = "INSERT INTO activity(space, day) VALUES(?,?) ON CONFLICT DO NOTHING"
_DATED = (
    "INSERT INTO policies(space, dated_day) VALUES(?,?) ON CONFLICT(space) DO UPDATE SET dated_day = excluded.dated_day"
)
_KEEP = "INSERT INTO policies(space, missed) VALUES(?,?) ON CONFLICT(space) DO UPDATE SET missed = excluded.missed"
# Rules tell how long a memory was idle; what is archived for other reasons is nothing that decay could have spared.
_MISSED = (
    f"SELECT s.kind, count(*), sum(CASE WHEN l.state = {_ARCHIVED} THEN 0 ELSE 1 END) FROM regrets g "
    "JOIN lives l ON /*l.here*/ l.no = g.no JOIN shelves s ON /*s.here*/ s.no = l.shelf "
    f"WHERE g.space=? AND EXISTS (SELECT 1 FROM journal j WHERE /*j.here*/ j.no = g.no AND j.state_after = {_ARCHIVED} "
    f"AND (j.evidence LIKE '%\"{SHORT['idle_days']}\":%' OR j.evidence LIKE '%\"idle_days\":%')) "
    "GROUP BY s.kind ORDER BY s.kind"
)
_OF_KIND = (
    "SELECT coalesce(sum(c.memories), 0) FROM shelves s JOIN counts c ON /*c.here*/ c.shelf = s.no "
    f"WHERE s.space=? AND s.kind=? AND c.state = {_ARCHIVED}"
)


class _Row(NamedTuple):
    """The row of a namespace in `policies`."""

    chosen: str | None
    active_days: int
    late_days: int
    dated_day: int | None
    missed: str | None


class Activity:
    """How one namespace was lived in."""

    def __init__(self, engine: Engine, shelves: Shelves, transaction: Transaction) -> None:
        self._engine = engine
        self._shelves = shelves
        self._transaction = transaction
        self._guard = threading.Lock()
        self._written: set[int] = set()
        self._flushed: set[int] = set()
        self._pending: set[int] = set()
        self._known: tuple[tuple[object, ...], tuple[object, ...], Lived] | None = None

    # -- writing

    def forget(self) -> None:
        """Drop what was written: others wrote meanwhile, or it was rolled back."""
        self._written.clear()

    def accessed(self, micros: int) -> None:
        """An access is on its way to the file."""
        if (day := micros // rows.DAY) not in self._flushed:
            with self._guard:
                self._pending.add(day)

    def flush(self, connection: Connection) -> frozenset[int]:
        """Write the days of accesses, in the transaction that writes them; those to be dropped once it is committed."""
        with self._guard:
            days = frozenset(self._pending)
        if days:
            self._shelves.enter(connection)
            self._write(connection, days)
        return days

    def drop(self, days: frozenset[int]) -> None:
        """These days are in the file now."""
        with self._guard:
            self._flushed |= days
            self._pending -= days

    def added(self, connection: Connection, plan: Plan, changes: Iterable[Change], at: datetime) -> None:
        """Somebody wrote: the day is active, and those of the past that the memories were born and recalled on."""
        if plan.automatic or plan.verb not in _OF_PEOPLE:
            return
        memories = [change.memory for change in changes if change.memory is not None]
        self.seen(connection, {day for memory in memories for day in _days(memory, to_micros(at))})

    def seen(self, connection: Connection, days: Iterable[int]) -> None:
        """Somebody was there on these days; inside a transaction of the store."""
        if new := set(days) - self._written:
            self._write(connection, new)
            self._written |= new

    def _write(self, connection: Connection, days: Iterable[int]) -> None:
        for day in sorted(days):
            connection.execute(_COUNT, (self._space, day))
            connection.execute(_ADD, (self._space, day))

    # -- reading

    def in_force(self, at: datetime) -> tuple[str | None, Lived]:
        """The policy that was chosen for the namespace, as text, and how it was lived in up to a moment."""
        with self._engine.read(snapshot=False) as connection:
            row = self._row(connection)
            return row.chosen, self._lived(connection, row, day_of(at))

    def weighed(self, at: datetime) -> Lived:
        """The same before dates are made: from now on earlier days come late, and what was missed is added up."""
        today = day_of(at)
        with self._engine.read() as connection:
            row = self._row(connection)
            is_dated = row.dated_day is not None and row.dated_day >= today
            if is_dated and row.missed == missed_of(connection, self._space):
                return self._lived(connection, row, today)
        with self._transaction() as connection:
            self._shelves.enter(connection)
            row = self._row(connection)
            if row.dated_day is None or row.dated_day < today:
                connection.execute(_DATED, (self._space, today))
            if (missed := missed_of(connection, self._space)) != row.missed:
                connection.execute(_KEEP, (self._space, missed))
            return self._lived(connection, row._replace(missed=missed), today)

    def _row(self, connection: Connection) -> _Row:
        return _Row(*(connection.execute(_FIND, (self._space,)).get or (None, 0, 0, None, None)))

    def _lived(self, connection: Connection, row: _Row, today: int) -> Lived:
        """As the row of the namespace says; the days themselves are read where that has changed."""
        with self._guard:
            pending = frozenset(self._pending)
        mark, rest = (row.active_days, row.late_days, pending), (row.missed, today)
        known = self._known
        if known is None or known[:2] != (mark, rest):
            if known is not None and known[0] == mark:
                days = known[2].days
            else:
                held = connection.execute("SELECT day FROM activity WHERE space=?", (self._space,))
                days = tuple(sorted({*(day for (day,) in held), *pending}))
            self._known = known = (mark, rest, Lived(days, today, row.late_days, _read(row.missed)))
        return known[2]

    @property
    def _space(self) -> int:
        return self._shelves.space


def missed_of(connection: Connection, space: int) -> str | None:
    """What was missed, added up by kind, as text."""
    found: dict[str, Sequence[int]] = {}
    for kind, missed, restored in connection.execute(_MISSED, (space,)).fetchall():
        archived = connection.execute(_OF_KIND, (space, kind)).get
        found[kind] = (int(missed), int(archived) + int(restored))
    return json.dumps(found, ensure_ascii=False) if found else None


def strike(connection: Connection, space: int) -> None:
    """Memories were purged: what they were, no sum may tell."""
    if connection.execute("SELECT missed FROM policies WHERE space=?", (space,)).get is not None:
        connection.execute(_KEEP, (space, missed_of(connection, space)))


def _read(missed: str | None) -> Mapping[str, Missed]:
    return {} if missed is None else {kind: Missed(*numbers) for kind, numbers in json.loads(missed).items()}


def _days(memory: Memory, at: int) -> set[int]:
    """The day of writing, and those of the past that a memory was born and last recalled on.

    What was learned from a captured session was written when that was read; its own days stand already.
    """
    if memory.source in (Source.EXTRACTED, Source.DREAM) and (memory.origin or "").startswith("session:"):
        return set()
    own = (to_micros(memory.created_at), to_micros(memory.last_accessed_at))
    return {at // rows.DAY, *(moment // rows.DAY for moment in own if moment < at)}
