"""What happened: receipts, the journal, and memories as they were.

The journal never holds text. The values of the fields before and after a change stand in `revisions`, those of a change
of the state alone in the journal; from them a receipt can be undone, and a memory shown as it was at an earlier moment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from remanence.errors import NotFound, PlanRefused
from remanence.model.journal import POLICY, Brief, Entry
from remanence.model.memory import FIELDS, Memory, State
from remanence.model.moment import NEVER, from_micros, to_micros
from remanence.model.plan import Action, Change, Receipt
from remanence.model.record import typed
from remanence.store.protocol import Moves
from remanence.store.sql import rows
from remanence.store.sql.connection import Connection, Engine
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.short_names import spelled, spelled_reason
from remanence.store.sql.writing import ACTIONS

_RECEIPT = re.compile(r"r[0-9]{1,18}", re.ASCII)
_ENTRY = (
    "SELECT j.receipt, r.verb, r.note, r.at, coalesce(m.id, t.id), j.action, j.reason, j.evidence, j.state_before, "
    "j.state_after, j.item FROM journal j JOIN receipts r ON r.no = j.receipt "
    "LEFT JOIN memories m ON /*m.here*/ m.no = j.no LEFT JOIN tombstones t ON /*t.here*/ t.no = j.no "
    "WHERE /*j.here*/ r.space=?"
)
# The journal has lines of memories alone; a receipt that changed the policy has none there.
_OF_POLICY = (
    "SELECT r.no, r.verb, r.note, r.at FROM receipts r WHERE r.space=? AND r.no > ? AND r.no <= ? AND r.verb=? "
    "AND NOT EXISTS (SELECT 1 FROM journal j WHERE /*j.here*/ j.receipt = r.no)"
)

_ACTIONS = (
    "SELECT receipt, action, count(*) FROM journal WHERE /*here*/ receipt IN (SELECT value FROM json_each(?)) "
    "GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2"
)
_CHANGED = (
    "SELECT receipt, count(DISTINCT no) FROM journal WHERE /*here*/ receipt IN (SELECT value FROM json_each(?)) "
    "GROUP BY 1"
)
# A receipt is taken back by a later one only.
_UNDOS = "SELECT no, undoes FROM receipts WHERE space=? AND no > ? AND undoes IS NOT NULL ORDER BY no DESC"
_EPOCH = date(1970, 1, 1)
# Receipts are few beside what they did: those of earlier days are passed over, and their journal is not read.
_MOVES = (
    f"SELECT r.at / {rows.DAY} - CASE WHEN r.at % {rows.DAY} < 0 THEN 1 ELSE 0 END, "
    "j.state_before, j.state_after, count(*) FROM receipts r CROSS JOIN journal j ON /*j.here*/ j.receipt = r.no "
    "WHERE r.space=? AND r.at >= ? AND j.state_before IS DISTINCT FROM j.state_after GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
)
_HELD = (
    "SELECT c.state, sum(c.memories) FROM counts c JOIN shelves s ON s.no = c.shelf "
    "WHERE /*c.here*/ s.space=? GROUP BY c.state HAVING sum(c.memories) > 0"
)


class Chronicle:
    """Reads the journal of one namespace."""

    def __init__(self, engine: Engine, shelves: Shelves) -> None:
        self._engine = engine
        self._shelves = shelves

    def receipt(self, receipt_id: str) -> Receipt:
        """A past receipt with its changes; what was purged since has lost its values, and cannot be undone."""
        number = int(receipt_id[1:]) if _RECEIPT.fullmatch(receipt_id) else -1
        with self._engine.read() as connection:
            found = connection.execute(
                "SELECT verb, at, undoes, note FROM receipts WHERE no=? AND space=?",
                (number, self._shelves.space),
            ).get
            if found is None:
                raise NotFound(f"There is no receipt {receipt_id[:40]!r} in this namespace. See: rem receipts")
            items = connection.execute(
                "SELECT coalesce(m.id, t.id), j.action, j.reason, j.evidence, v.before, v.after, t.no IS NOT NULL, "
                "j.state_before, j.state_after FROM journal j "
                "LEFT JOIN revisions v ON /*v.here*/ v.receipt = j.receipt AND v.item = j.item "
                "LEFT JOIN memories m ON /*m.here*/ m.no = j.no LEFT JOIN tombstones t ON /*t.here*/ t.no = j.no "
                "WHERE /*j.here*/ j.receipt=? ORDER BY j.item",
                (number,),
            ).fetchall()
        verb, at, undoes, note = found
        changes = tuple(
            Change(
                memory_id=rows.id_text(id),
                action=ACTIONS[action],
                reason=spelled_reason(reason),
                evidence=spelled(json.loads(evidence)) if evidence else {},
                before={} if purged else _image(before, was, became),
                after=_fields(after) or ({"state": rows.STATES[became]} if became is not None and not purged else {}),
            )
            for id, action, reason, evidence, before, after, purged, was, became in items
        )
        return Receipt(
            id=receipt_id,
            verb=verb,
            at=from_micros(at),
            applied=tuple(dict.fromkeys(change.memory_id for change in changes)),
            changes=changes,
            undoes=f"r{undoes}" if undoes is not None else None,
            note=note,
        )

    def receipts(self, verb: str, limit: int, since: datetime | None, whole: bool) -> list[Receipt]:
        """The last receipts of a verb, after that moment, newest first; without their changes unless whole."""
        sql = "SELECT no, at, undoes, note FROM receipts WHERE space=? AND verb=? AND at > ? ORDER BY no DESC LIMIT ?"
        after = -NEVER if since is None else to_micros(since)
        with self._engine.read() as connection:
            found = connection.execute(sql, (self._shelves.space, verb, after, limit)).fetchall()
        if whole:
            return [self.receipt(f"r{no}") for no, *_ in found]
        return [
            Receipt(id=f"r{no}", verb=verb, at=from_micros(at), undoes=undoes and f"r{undoes}", note=note)
            for no, at, undoes, note in found
        ]

    def briefs(self, limit: int, verb: str | None, before: int | None) -> list[Brief]:
        """The last receipts in brief, of this verb and before that number where these are named; newest first."""
        sql = "SELECT no, verb, at, undoes, note FROM receipts WHERE space=?"
        values: list[Any] = [self._shelves.space]
        if verb is not None:
            sql += " AND verb=?"
            values.append(verb)
        if before is not None:
            sql += " AND no < ?"
            values.append(before)
        with self._engine.read() as connection:
            found = connection.execute(f"{sql} ORDER BY no DESC LIMIT ?", (*values, limit)).fetchall()
            if not found:
                return []
            named = json.dumps([no for no, *_ in found])
            actions: dict[int, dict[str, int]] = {}
            for no, action, number in connection.execute(_ACTIONS, (named,)):
                actions.setdefault(no, {})[ACTIONS[action].value] = number
            memories = dict(connection.execute(_CHANGED, (named,)))
            undos = connection.execute(_UNDOS, (self._shelves.space, found[-1][0])).fetchall()
        undone: dict[int, int] = {}
        for no, what in undos:  # the newest first: one that was taken back itself is known by now
            if no not in undone:
                undone.setdefault(what, no)
        return [
            Brief(
                id=f"r{no}",
                verb=verb_,
                at=from_micros(at),
                note=note,
                undoes=None if undoes is None else f"r{undoes}",
                undone_by=f"r{undone[no]}" if no in undone else None,
                actions=actions.get(no, {}),
                memories=memories.get(no, 0),
            )
            for no, verb_, at, undoes, note in found
        ]

    def moves(self, since: datetime) -> tuple[dict[State, int], list[Moves]]:
        """How many there are in each state, and what the journal holds from that moment on, both of one snapshot.

        The journal is counted by day and by the states before and after.
        """
        with self._engine.read() as connection:
            held = {rows.STATES[state]: number for state, number in connection.execute(_HELD, (self._shelves.space,))}
            found = connection.execute(_MOVES, (self._shelves.space, to_micros(since))).fetchall()
        return held, [
            Moves(
                _EPOCH + timedelta(days=day),
                None if before is None else rows.STATES[before],
                None if after is None else rows.STATES[after],
                number,
            )
            for day, before, after, number in found
        ]

    def journal(
        self,
        limit: int,
        memory_ids: Iterable[str] | None,
        before: tuple[int, int] | None = None,
        after: tuple[int, int] | None = None,
    ) -> list[Entry]:
        """Entries, newest first, those after a place oldest first; of these memories alone when they are named.

        A receipt that changed no memory but the policy is a line as well, without a memory's id.
        """
        sql = _ENTRY
        values: list[Any] = [self._shelves.space]
        if memory_ids is not None:
            raw = [found for id in memory_ids if (found := rows.id_bytes_or_none(id)) is not None]
            marks = ",".join("?" * len(raw))
            sql += (
                f" AND j.no IN (SELECT no FROM memories WHERE space=? AND id IN ({marks}) "
                f"UNION ALL SELECT no FROM tombstones WHERE space=? AND id IN ({marks}))"
            )
            values += [self._shelves.space, *raw, self._shelves.space, *raw]
        for sign, place in (("<", before), (">", after)):
            if place is not None:
                sql += f" AND (j.receipt, j.item) {sign} (?,?)"
                values += place
        order = "DESC" if after is None else "ASC"
        sql += f" ORDER BY j.receipt {order}, j.item {order} LIMIT ?"
        with self._engine.read() as connection:
            entries = [_entry(row) for row in connection.execute(sql, (*values, limit))]
            if memory_ids is None:
                reached = int(entries[-1].receipt_id[1:]) if len(entries) == limit else None
                entries += self._changes_of_policy(connection, before, after, reached)
        if memory_ids is None:
            entries.sort(key=lambda entry: (int(entry.receipt_id[1:]), entry.item), reverse=after is None)
        return entries[:limit]

    def _changes_of_policy(
        self,
        connection: Connection,
        before: tuple[int, int] | None,
        after: tuple[int, int] | None,
        reached: int | None,
    ) -> list[Entry]:
        """Those between two places, as far as the journal was read in that direction."""
        low, high = -1 if after is None else after[0], 2**62
        if before is not None:
            high = before[0] if before[1] > 0 else before[0] - 1
        if reached is not None:
            low, high = (max(low, reached), high) if after is None else (low, min(high, reached))
        found = connection.execute(_OF_POLICY, (self._shelves.space, low, high, POLICY))
        return [
            Entry(
                receipt_id=f"r{no}",
                verb=verb,
                note=note,
                at=from_micros(at),
                memory_id="",
                action=Action.ADJUST,
                reason="policy",
            )
            for no, verb, note, at in found
        ]

    def revert(self, memories: Sequence[Memory], moment: datetime) -> list[Memory]:
        """These memories with the fields they had at that moment."""
        with self._engine.read() as connection:
            return [
                self._unwound(
                    memory,
                    connection.execute(
                        "SELECT v.before, j.state_before, j.state_after FROM memories m "
                        "CROSS JOIN journal j ON /*j.here*/ j.no = m.no "
                        "JOIN receipts r ON /*r.here*/ r.no = j.receipt "
                        "LEFT JOIN revisions v ON /*v.here*/ v.receipt = j.receipt AND v.item = j.item "
                        "WHERE m.space=? AND m.id=? AND coalesce(j.effective_at, r.at) > ? "
                        "ORDER BY j.receipt DESC, j.item DESC",
                        (self._shelves.space, rows.id_bytes(memory.id), to_micros(moment)),
                    ).fetchall(),
                )
                for memory in memories
            ]

    def images(self, memory_id: str) -> list[Mapping[str, object]]:
        """The fields before each change of a memory, oldest change first; one for its making, which had none."""
        with self._engine.read() as connection:
            found = connection.execute(
                "SELECT v.before, j.state_before, j.state_after FROM journal j JOIN memories m ON m.no = j.no "
                "LEFT JOIN revisions v ON /*v.here*/ v.receipt = j.receipt AND v.item = j.item "
                "WHERE /*j.here*/ m.space=? AND m.id=? ORDER BY j.receipt, j.item",
                (self._shelves.space, rows.id_bytes(memory_id)),
            ).fetchall()
        return [_image(*change) for change in found]

    @staticmethod
    def _unwound(memory: Memory, changes: Iterable[tuple[str | None, int | None, int | None]]) -> Memory:
        for change in changes:
            memory = memory.but(**_image(*change))
        return memory


def _image(before: str | None, was: int | None, became: int | None) -> dict[str, Any]:
    """The fields before a change; of one that changed the state alone the journal has it."""
    if before is None and was is not None and was != became:
        return {"state": rows.STATES[was]}
    return _fields(before)


def _fields(text: str | None) -> dict[str, Any]:
    """The fields of an image; one that a later schema no longer has cannot be put back."""
    values = spelled(json.loads(text)) if text else {}
    if gone := values.keys() - set(FIELDS):
        raise PlanRefused(f"This was written by an earlier remanence; the field {min(gone)!r} is no more")
    return {name: typed(name, value) for name, value in values.items()}


def _entry(row: tuple[Any, ...]) -> Entry:
    receipt, verb, note, at, id, action, reason, evidence, before, after, item = row
    return Entry(
        receipt_id=f"r{receipt}",
        verb=verb,
        note=note,
        at=from_micros(at),
        memory_id=rows.id_text(id),
        action=ACTIONS[action],
        reason=spelled_reason(reason),
        evidence=spelled(json.loads(evidence)) if evidence else {},
        state_before=None if before is None else rows.STATES[before],
        state_after=None if after is None else rows.STATES[after],
        item=item,
    )
