"""Captured sessions: the registry, what was observed in them, how far they were read, and what is let go of them.

A session is one row. Places of observations are given once: letting old ones go moves no other, and what is let go
unread counts as read. Erasing is what a purge does: nothing of it is left in the file once that is written anew, and
whoever is just reading sessions, or writing what was learned, has read what is gone: it must begin again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from remanence.errors import NotFound
from remanence.model.lease import Lease
from remanence.model.moment import from_micros, to_micros
from remanence.model.session import STAGE_ONE, STAGE_TWO, Observation, Session
from remanence.store.sql import erasing, rows
from remanence.store.sql.connection import Connection, Engine, Transaction
from remanence.store.sql.dating import Dating
from remanence.store.sql.digests import Digests
from remanence.store.sql.leases import Leases
from remanence.store.sql.observations import Telling, pages
from remanence.store.sql.shelves import Shelves

_COLUMNS = (
    "id, project, agent, started_at, last_at, ended_at, observations, processed_to, processed_at, summary, transcript"
)
_GET = f"SELECT {_COLUMNS} FROM sessions WHERE space=? AND id=?"
_FIND = "SELECT no, observations FROM sessions WHERE space=? AND id=?"
# What is known of a session stays, but for a project or agent that was not known. An upsert would use up a number
# also where there is such a session.
_GO_ON = (
    "UPDATE sessions SET project = CASE WHEN project = '/' THEN ?3 ELSE project END, "
    "agent = CASE WHEN agent = '' THEN ?4 ELSE agent END, "
    "started_at = min(started_at, ?5), last_at = max(last_at, ?5), ended_at = NULL, "
    f"transcript = coalesce(?6, transcript) WHERE space=?1 AND id=?2 RETURNING {_COLUMNS}"
)
_BEGIN = (
    "INSERT INTO sessions(space, id, project, agent, started_at, last_at, observations, processed_to, transcript) "
    f"VALUES(?1,?2,?3,?4,?5,?5,0,0,?6) RETURNING {_COLUMNS}"
)
_APPENDED = (
    "UPDATE sessions SET observations=?1, last_at = max(last_at, ?2), started_at = min(started_at, ?4), "
    "oldest_at = min(coalesce(oldest_at, ?4), ?4) WHERE /*here*/ no=?3"
)
_PROCESSED = (
    "UPDATE sessions SET processed_to = max(processed_to, min(?, observations)), processed_at = ?, "
    "summary = coalesce(?, summary) WHERE /*here*/ no=?"
)
_CLEAR = "UPDATE sessions SET summary=NULL WHERE space=? AND summary IN (SELECT a.value FROM json_each(?) a)"
_NOTE = (
    "INSERT INTO intakes VALUES(?,?,?,?) "
    "ON CONFLICT(space, source) DO UPDATE SET upto = excluded.upto, at = excluded.at"
)
_AT_ONCE = 100


class SqlSessions:
    """The sessions of one namespace."""

    def __init__(
        self,
        engine: Engine,
        shelves: Shelves,
        leases: Leases,
        digests: Digests,
        transaction: Transaction,
        dating: Dating,
    ) -> None:
        self._engine = engine
        self._shelves = shelves
        self._leases = leases
        self._digests = digests
        self._transaction = transaction
        self._activity = dating.activity

    # -- capture

    def begin(self, id: str, project: str, agent: str, at: datetime, *, transcript: str | None = None) -> Session:
        """The session, made where there is none; one that had ended goes on."""
        with self._transaction() as connection:
            self._shelves.enter(connection)
            values = (self._shelves.space, id, project, agent, to_micros(at), transcript)
            return _session(connection.execute(_GO_ON, values).get or connection.execute(_BEGIN, values).get)

    def append(self, id: str, observations: Sequence[Observation], via: str) -> int:
        """Keep what is new of these; how many were."""
        with self._transaction() as connection:
            no, last = self._found(connection, id)
            telling = Telling(connection, no, last, via)
            new = [to_micros(one.at) for one in observations if telling.add(one)]
            telling.write()
            if new:
                connection.execute(_APPENDED, (telling.last, max(new), no, min(new)))
                self._activity.seen(connection, {at // rows.DAY for at in new})
        return len(new)

    def end(self, id: str, at: datetime) -> None:
        """The session is over, unless it goes on."""
        with self._transaction() as connection:
            no, _ = self._found(connection, id)
            moment = to_micros(at)
            connection.execute(
                "UPDATE sessions SET ended_at=?, last_at=max(last_at, ?) WHERE /*here*/ no=?", (moment, moment, no)
            )
            self._engine.wanted()

    # -- reading

    def get(self, id: str) -> Session | None:
        with self._engine.read() as connection:
            found = connection.execute(_GET, (self._shelves.space, id)).get
        return None if found is None else _session(found)

    def listed(self, scopes: Sequence[str] | None = None, limit: int | None = None, offset: int = 0) -> list[Session]:
        """The sessions of these scopes, those that something happened in last first."""
        values: list[Any] = [self._shelves.space]
        within = ""
        if scopes is not None:
            within = f"AND {erasing.WITHIN}"
            values.append(json.dumps(list(scopes)))
        sql = f"SELECT {_COLUMNS} FROM sessions WHERE space=? {within} ORDER BY last_at DESC, no DESC LIMIT ? OFFSET ?"
        return self._all(sql, (*values, -1 if limit is None else limit, offset))

    def changed(self) -> list[Session]:
        """The sessions in which something was observed since they were read, newest first."""
        sql = (
            f"SELECT {_COLUMNS} FROM sessions INDEXED BY sessions_changed WHERE space=? "
            "AND observations > processed_to ORDER BY last_at DESC, no DESC"
        )
        return self._all(sql, (self._shelves.space,))

    def projects(self) -> list[str]:
        """The projects sessions were of, by name."""
        with self._engine.read() as connection:
            found = connection.execute(
                "SELECT DISTINCT project FROM sessions WHERE space=? ORDER BY project", (self._shelves.space,)
            ).fetchall()
        return [project for (project,) in found]

    def observations(self, id: str, after: int = 0, size: int = 500) -> Iterator[list[Observation]]:
        """What was observed after a place, in order, a page at a time; without its keys."""
        with self._engine.read() as connection:
            found = connection.execute(_FIND, (self._shelves.space, id)).get
        return iter(()) if found is None else pages(self._read, found[0], after, size)

    def count(self) -> int:
        """How many sessions there are."""
        with self._engine.read() as connection:
            sql = "SELECT count(*) FROM sessions WHERE space=?"
            return int(connection.execute(sql, (self._shelves.space,)).get)

    def read_to(self, source: str) -> int:
        """How far a source was read; 0 where it is new."""
        with self._engine.read() as connection:
            sql = "SELECT upto FROM intakes WHERE space=? AND source=?"
            return int(connection.execute(sql, (self._shelves.space, self._digests.source(source))).get or 0)

    # -- working off

    def note_read(self, source: str, upto: int, at: datetime) -> None:
        """A source was read so far."""
        with self._transaction() as connection:
            self._shelves.enter(connection)
            values = (self._shelves.space, self._digests.source(source), upto, to_micros(at))
            connection.execute(_NOTE, values)

    def processed(self, id: str, upto: int, at: datetime, *, summary: str | None, lease: Lease | None = None) -> None:
        """The session was read up to this place; LeaseLost when another does it by now."""
        with self._transaction() as connection:
            if lease is not None:
                self._leases.verify(connection, lease)
            no, _ = self._found(connection, id)
            connection.execute(_PROCESSED, (upto, to_micros(at), summary, no))
            erasing.settle(connection, no)

    def prunable(self, before: datetime) -> int:
        """How many observations `prune` would let go."""
        with self._engine.read() as connection:
            return erasing.prunable(connection, self._shelves.space, to_micros(before))

    def prune(self, before: datetime) -> int:
        """Let go of what was observed before a moment, read or not; how many observations it was."""
        gone, full = 0, True
        while full:
            with self._transaction() as connection:
                sessions, number = erasing.prune(connection, self._shelves.space, to_micros(before), _AT_ONCE)
            gone += number
            full = sessions == _AT_ONCE
        return gone

    def erase(
        self,
        ids: Iterable[str],
        at: datetime,
        *,
        scopes: Sequence[str] = (),
        texts: Sequence[str] = (),
        summaries: Iterable[str] = (),
        places: Mapping[str, Sequence[int]] = MappingProxyType({}),
    ) -> int:
        """Destroy what was read of these sessions, sessions of these scopes whole, what holds one of these texts, and
        what stands at these places of sessions.

        Summaries are memories that are gone: no session names them any more. Returns how many observations it was; the
        file is written anew when the purge that this belongs to is finished.
        """
        with self._transaction() as connection:
            before = connection.total_changes()
            space = self._shelves.space
            connection.execute(_CLEAR, (space, json.dumps(list(summaries))))
            eraser = erasing.Eraser(self._engine, connection, space, self._digests, to_micros(at))
            eraser.sessions(scopes)
            eraser.read(ids)
            eraser.texts(texts)
            eraser.places(places)
            is_changed = connection.total_changes() > before
            if is_changed:
                self._engine.destroyed(connection)
            if is_changed or texts:
                self._leases.take_back(connection, STAGE_ONE, STAGE_TWO)
        return eraser.gone

    # -- inner

    def _found(self, connection: Connection, id: str) -> tuple[int, int]:
        found: tuple[int, int] | None = connection.execute(_FIND, (self._shelves.space, id)).get
        if found is None:
            raise NotFound(f"There is no session {id[:80]!r}. See: rem session list")
        return found

    def _read(self, sql: str, values: Sequence[Any]) -> list[Any]:
        with self._engine.read() as connection:
            return connection.execute(sql, values).fetchall()

    def _all(self, sql: str, values: Sequence[Any]) -> list[Session]:
        return [_session(row) for row in self._read(sql, values)]


def _session(row: tuple[Any, ...]) -> Session:
    id, project, agent, *moments, seen, processed_to, processed_at, summary, transcript = row
    started_at, last_at, ended_at, read_at = (
        None if at is None else from_micros(at) for at in (*moments, processed_at)
    )
    assert started_at is not None and last_at is not None
    return Session(
        id=id,
        project=project,
        agent=agent,
        started_at=started_at,
        last_at=last_at,
        ended_at=ended_at,
        observations=seen,
        processed_to=processed_to,
        processed_at=read_at,
        summary=summary,
        transcript=transcript,
    )
