"""What is let go of sessions: old observations, and what a purge erases.

Letting go deletes rows and moves the watermark over what nobody read; keys stay, so that what was let go does not come
again from the same source. Erasing by scope takes the sessions whole, with all that names them; how far their sources
were read stays, under digests. Erasing by text takes every observation that holds the beginning or the end of it.
What is erased is noted, so that a copy of the file from before is held to it when it is put back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from remanence.model.session import STAGE_ONE, STAGE_TWO
from remanence.store.sql.connection import Connection, Engine
from remanence.store.sql.digests import Digests
from remanence.store.sql.observations import LAST, SEQ_BITS, first_place, last_place
from remanence.store.sql.pieces import holder

WITHIN = (
    "EXISTS (SELECT 1 FROM json_each(?) a WHERE a.value = '/' OR project = a.value "
    "OR (project >= a.value || '/' AND project < a.value || '0'))"
)
_PAGE = 1000
_OLD = "SELECT no FROM sessions INDEXED BY sessions_oldest WHERE space=? AND oldest_at < ? ORDER BY oldest_at LIMIT ?"
_PRUNABLE = (
    "SELECT count(*) FROM sessions s INDEXED BY sessions_oldest "
    f"CROSS JOIN observations o ON /*o.here*/ o.place > s.no << {SEQ_BITS} AND o.place < (s.no + 1) << {SEQ_BITS} "
    "WHERE s.space=? AND s.oldest_at < ?2 AND o.at < ?2"
)
_UNTOLD = (
    "DELETE FROM tellings WHERE /*here*/ session=?1 AND NOT EXISTS "
    f"(SELECT 1 FROM observations o WHERE /*o.here*/ o.place = (?1 << {SEQ_BITS}) + tellings.seq)"
)
# Up to the next observation that is there, or to the end, there is nothing more to read.
_SETTLE = (
    "UPDATE sessions SET "
    "processed_to = coalesce((SELECT min(place) - ?2 - 1 FROM observations o "
    "WHERE /*o.here*/ place > ?2 + processed_to AND place <= ?3), observations), "
    "oldest_at = (SELECT min(at) FROM observations o WHERE /*o.here*/ place > ?2 AND place <= ?3) "
    "WHERE /*here*/ no=?1"
)
_DELETE = "DELETE FROM observations WHERE /*here*/ place BETWEEN ? AND ?"
_NOTE = "INSERT INTO erased(space, session, at, first, last) VALUES(?,?,?,?,?) ON CONFLICT DO NOTHING"
_NOTED = "SELECT 1 FROM erased WHERE space=? AND session=? AND first BETWEEN 1 AND ? AND last >= ?"
# A token is never given twice, also not for a job whose name was purged.
_KEEP_TOKENS = (
    "INSERT INTO meta SELECT /*space,*/ 'lease_floor', max(token) FROM leases WHERE space=? AND {} GROUP BY space "
    "ON CONFLICT(/*space,*/ name) DO UPDATE SET value = max(meta.value, excluded.value)"
)


def prunable(connection: Connection, space: int, before: int) -> int:
    """How many observations of before a moment there are."""
    return int(connection.execute(_PRUNABLE, (space, before)).get)


def prune(connection: Connection, space: int, before: int, most: int) -> tuple[int, int]:
    """Let go of what was observed before a moment, in so many sessions; how many sessions and observations it was."""
    old = [no for (no,) in connection.execute(_OLD, (space, before, most))]
    gone = 0
    for no in old:
        connection.execute(f"{_DELETE} AND at < ?", (first_place(no) + 1, last_place(no), before))
        gone += connection.changes()
        settle(connection, no)
    return len(old), gone


def settle(connection: Connection, no: int) -> None:
    """Make a session's row fit the observations that are left of it."""
    connection.execute(_UNTOLD, (no,))
    connection.execute(_SETTLE, (no, first_place(no), last_place(no)))


class Eraser:
    """Erases what one purge takes from the sessions of a namespace, and notes it; inside its transaction."""

    def __init__(self, engine: Engine, connection: Connection, space: int, digests: Digests, at: int) -> None:
        self._engine = engine
        self._connection = connection
        self._space = space
        self._digests = digests
        self._at = at
        self.gone = 0
        """Observations so far."""

    def sessions(self, scopes: Sequence[str]) -> None:
        """The sessions of these scopes whole, and every job that is named after one of them, or after a scope."""
        if not scopes:
            return
        within = json.dumps(list(scopes))
        sql = f"SELECT no, id FROM sessions WHERE space=? AND {WITHIN}"
        for no, id in self._connection.execute(sql, (self._space, within)).fetchall():
            self._whole(no, id)
        project = WITHIN.replace("project", f"substr(name, {len(STAGE_TWO) + 1})")
        self._drop_jobs(f"substr(name, 1, {len(STAGE_TWO)}) = '{STAGE_TWO}' AND {project}", within)

    def read(self, ids: Iterable[str]) -> None:
        """What was read of these sessions."""
        find = "SELECT no, processed_to FROM sessions WHERE space=? AND id=?"
        for id in dict.fromkeys(ids):
            found = self._connection.execute(find, (self._space, id)).get
            if found is not None and found[1]:
                self._places(found[0], id, [(1, found[1])])

    def texts(self, texts: Iterable[str]) -> None:
        """Every observation of the namespace that holds one of these texts."""
        holds = holder(texts)
        if holds is None:
            return
        sql = "SELECT no, id FROM sessions INDEXED BY sessions_oldest WHERE space=? AND oldest_at IS NOT NULL"
        for no, id in self._connection.execute(sql, (self._space,)).fetchall():
            seqs = [seq for seq, call, text in _said(self._connection, no) if holds(text) or (call and holds(call))]
            if seqs:
                self._places(no, id, _ranges(seqs))

    def places(self, places: Mapping[str, Sequence[int]]) -> None:
        """The observations at these places of sessions, as far as they are still there."""
        for id, seqs in places.items():
            no = self._connection.execute("SELECT no FROM sessions WHERE space=? AND id=?", (self._space, id)).get
            if no is not None and seqs:
                self._places(no, id, _ranges(sorted(set(seqs))))

    def again(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """What the ledger says was erased, in a copy of the file that still holds it."""
        found = self._connection.execute("SELECT id, no FROM sessions WHERE space=?", (self._space,))
        held = {self._digests.session(id): (no, id) for id, no in found}
        for line in sorted(lines, key=lambda line: int(line["at"])):
            self._at, session = line["at"], bytes.fromhex(line["session"])
            if session not in held:
                self._note(session, line["first"], line["last"])
            elif line["first"]:
                self._places(*held[session], [(line["first"], line["last"])])
            else:
                self._whole(*held.pop(session))

    def _places(self, no: int, id: str, ranges: Iterable[tuple[int, int]]) -> None:
        for first, last in ranges:
            self._connection.execute(_DELETE, (first_place(no) + first, first_place(no) + last))
            self.gone += self._connection.changes()
            self._note(self._digests.session(id), first, last)
        settle(self._connection, no)

    def _whole(self, no: int, id: str) -> None:
        self._connection.execute(_DELETE, (first_place(no), last_place(no)))
        self.gone += self._connection.changes()
        for table in ("tellings", "observation_keys"):
            self._connection.execute(f"DELETE FROM {table} WHERE /*here*/ session=?", (no,))
        self._connection.execute("DELETE FROM sessions WHERE /*here*/ no=?", (no,))
        self._drop_jobs("name = ?", STAGE_ONE + id)
        self._note(self._digests.session(id), 0, LAST)

    def _drop_jobs(self, condition: str, value: str) -> None:
        """Without its lease, who does the job right now can write no more."""
        self._connection.execute(_KEEP_TOKENS.format(condition), (self._space, value))
        for table in ("tasks", "leases"):
            self._connection.execute(f"DELETE FROM {table} WHERE space=? AND {condition}", (self._space, value))

    def _note(self, session: bytes, first: int, last: int) -> None:
        """What is noted of a session that is erased whole stands for all that was noted of it before."""
        if first == 0:
            self._connection.execute("DELETE FROM erased WHERE space=? AND session=?", (self._space, session))
        elif self._connection.execute(_NOTED, (self._space, session, first, last)).get:
            return
        self._connection.execute(_NOTE, (self._space, session, self._at, first, last))
        self._engine.purged(self._connection)


def _said(connection: Connection, no: int) -> Iterator[tuple[int, str, str]]:
    sql = (
        f"SELECT place & {LAST}, call, text FROM observations WHERE /*here*/ place > ? AND place <= ? "
        "ORDER BY place LIMIT ?"
    )
    seq = 0
    while page := connection.execute(sql, (first_place(no) + seq, last_place(no), _PAGE)).fetchall():
        yield from page
        seq = page[-1][0]


def _ranges(seqs: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending places as ranges without gaps."""
    starts = [seqs[0], *(b for a, b in pairwise(seqs) if b > a + 1)]
    ends = [*(a for a, b in pairwise(seqs) if b > a + 1), seqs[-1]]
    return list(zip(starts, ends, strict=True))
