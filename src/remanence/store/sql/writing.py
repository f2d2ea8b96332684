"""Applying a plan: the one way memories change.

Everything happens in the caller's transaction: each change is compared with the row as it is now, written with its
full-text, kin, tag and counter rows, and journalled. A row that moved on is skipped with the reason. The journal gets
ids, reasons, numbers and states; other fields before and after, which may hold text, stand in `revisions`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import isfinite
from typing import Any

from remanence.errors import PlanOutOfDate
from remanence.model.memory import Memory, State, plain
from remanence.model.moment import to_micros
from remanence.model.plan import Action, Change, Plan
from remanence.model.record import typed
from remanence.model.words import estimate_tokens, segmented
from remanence.store.protocol import Embedded
from remanence.store.sql import activity, entities, recall_log, rows
from remanence.store.sql.connection import Connection
from remanence.store.sql.kin import Kin
from remanence.store.sql.loading import Found, Loader
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.short_names import SHORT, shortened, shortened_reason
from remanence.store.sql.tombs import Tombs
from remanence.store.sql.vectors import EMBED, JUDGE, Vectors
from remanence.store.sql.words import Words

Dates = Callable[[Memory], int | None]
ACTIONS = tuple(Action)
_json = json.JSONEncoder(default=plain, separators=(",", ":")).encode
ACTION_NUMBER = {action: number for number, action in enumerate(ACTIONS)}
_ADD_LIFE = f"INSERT INTO lives({rows.LIFE_COLUMNS}) VALUES({','.join('?' * 33)})"
_SET_LIFE = (
    f"UPDATE lives SET ({rows.LIFE}) = ({','.join('?' * 22)}), due_at = ?, revision = revision + 1, hash = ? "
    "WHERE /*here*/ no = ?"
)
_SET_RECENT = "UPDATE lives SET recent = ? WHERE /*here*/ no = ?"
_ADD_SAID = (
    "INSERT INTO memories(no, space, id, shelf, source, text, categories, concepts, files, lineage, origin, metadata, "
    "words, digest) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING"
)
_ADDED = "memories = {0}.memories + excluded.memories, tokens = {0}.tokens + excluded.tokens"
_COUNT = (
    "INSERT INTO counts VALUES(/*?,*/ ?,?,?,?) "
    f"ON CONFLICT(/*space,*/ shelf, state) DO UPDATE SET {_ADDED.format('counts')}"
)
_COUNT_DAY = f"INSERT INTO days VALUES(?,?,?,?,?) ON CONFLICT(space, state, day) DO UPDATE SET {_ADDED.format('days')}"
_DROP_PATH = "DELETE FROM paths WHERE /*here*/ name=? AND no=?"
_ADD_PATH = "INSERT INTO paths VALUES(/*?,*/ ?,?) ON CONFLICT DO NOTHING"
_DROP_EMPTY = "DELETE FROM shelves WHERE /*here*/ no NOT IN (SELECT c.shelf FROM counts c WHERE /*c.here*/ c.shelf > 0)"
_BORN = rows.LIFE.split(", ").index("created_at")
_DELETE = (
    "DELETE FROM lives WHERE /*here*/ no=?",
    "DELETE FROM memories WHERE /*here*/ no=?",
)
_DELETE_PAST = ("DELETE FROM revisions WHERE /*here*/ no=?", "DELETE FROM keys WHERE /*here*/ no=?")


@dataclass(slots=True)
class Written:
    """What has been applied so far."""

    applied: dict[str, None] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)


def _numbers(evidence: Mapping[str, float]) -> str:
    """Evidence as JSON; one finite number, which is what a plain add has, without the encoder."""
    if len(evidence) == 1:
        ((name, number),) = evidence.items()
        if type(number) is float and isfinite(number) and (short := SHORT.get(name)) is not None:
            return f'{{"{short}":{number!r}}}'
    return _json(shortened(evidence))


class Writer:
    """Applies the changes of one plan inside an open transaction."""

    def __init__(
        self,
        connection: Connection,
        shelves: Shelves,
        kin: Kin,
        vectors: Vectors,
        words: Words,
        tombs: Tombs,
        loader: Loader,
        unwritten: Callable[[int], Sequence[int]],
        date_of: Dates,
        at: datetime,
        embedded: Mapping[str, Embedded],
        *,
        unjudged: bool,
    ) -> None:
        self._connection = connection
        self._shelves = shelves
        self._kin = kin
        self._vectors = vectors
        self._words = words
        self._tombs = tombs
        self._loader = loader
        self._found: dict[str, Found] = {}
        self._unwritten = unwritten
        self._date_of = date_of
        self._at = to_micros(at)
        self._embedded = embedded
        self._waits = JUDGE if unjudged else EMBED
        # How many memories and tokens more there are: by shelf and state, and by state and day of birth.
        self._counted: dict[tuple[int, int], tuple[int, int]] = {}
        self._born: dict[tuple[int, int], tuple[int, int]] = {}
        self.item: int | None = None  # the last of the receipt, where that is known
        self._purged: dict[int, str] = {}
        self.written = Written()

    def open_receipt(self, plan: Plan, schema: int) -> int:
        opened = self._connection.execute(
            "INSERT INTO receipts(space, at, verb, note, undoes, schema) VALUES(?,?,?,?,?,?) RETURNING no",
            (
                self._shelves.space,
                self._at,
                plan.verb,
                plan.note,
                int(plan.undoes[1:]) if plan.undoes else None,
                schema,
            ),
        )
        self.item = -1
        return int(opened.get)

    def _last_item(self, receipt: int) -> int:
        last = self._connection.execute("SELECT max(item) FROM journal WHERE /*here*/ receipt=?", (receipt,)).get
        return -1 if last is None else int(last)

    def write(self, changes: tuple[Change, ...], receipt: int, *, strict: bool, verb: str) -> None:
        """Apply these changes under this receipt; strict refuses all when one is out of date."""
        item = self._last_item(receipt) if self.item is None else self.item
        changed = [change.memory_id for change in changes if change.action is not Action.ADD]
        self._found = self._loader.find_all(self._connection, changed)
        for change in changes:
            result = self._one(change)
            if isinstance(result, str):
                self.written.skipped.setdefault(change.memory_id, result)
                continue
            item += 1
            self._journal(receipt, item, change, *result)
            self.written.applied[change.memory_id] = None
            self.written.changes.append(change)
        self.item = item
        if strict and self.written.skipped:
            raise PlanOutOfDate(
                f"The plan of this {verb} is out of date for {len(self.written.skipped)} of {len(changes)} memories; "
                "nothing was applied. Make a new plan"
            )
        self._count()

    def _one(self, change: Change) -> tuple[int, int | None, int | None] | str:
        """(row number, state before, state after) of a change that was written, or why it was not."""
        if change.action is Action.ADD and change.memory is not None:
            return self._add(change.memory)
        found = self._found.pop(change.memory_id, None)
        if found is None or self._unwritten(found[0]):  # changed by this plan, or recalled meanwhile
            found = self._loader.find(change.memory_id)
        if found is None:
            return "it is not there (purged, or never was)"
        no, shelf, tokens, memory = found
        if change.action is Action.PURGE:
            return self._purge(no, shelf, tokens, memory)
        return change.moved_on(memory) or self._adjust(no, shelf, tokens, memory, change.after)

    def place(self, memory: Memory, no: int | None = None) -> int:
        """Write a memory as it is, under this number or the next, without a receipt; it must not be there."""
        placed = self._add(memory, no)
        assert not isinstance(placed, str), placed
        return placed[0]

    def settle(self) -> None:
        """All that was placed or displaced is written."""
        self._count()

    def _add(self, memory: Memory, no: int | None = None) -> tuple[int, None, int] | str:
        connection, raw = self._connection, rows.id_bytes(memory.id)
        shelf = self._shelves.number(memory.scope, memory.kind)
        said = rows.said(memory)
        words = segmented(memory.text)
        no = self._shelves.next_row(connection) if no is None else no
        row = (no, self._shelves.space, raw, shelf, *said, words, rows.digest_of(raw, shelf, said))
        connection.execute(_ADD_SAID, row)
        # Asked for rows (RETURNING), SQLite would have the full-text index write a segment for each memory of a batch.
        if not connection.changes():
            self._shelves.give_back(no)
            return "it is there already"
        tokens = estimate_tokens(memory.text)
        life = rows.life(memory)
        recent = [to_micros(moment) for moment in memory.recent_accesses]
        connection.execute(
            _ADD_LIFE,
            (
                no,
                self._shelves.space,
                shelf,
                *life[:9],
                to_micros(memory.last_accessed_at),
                memory.access_count,
                rows.recent_bytes(recent),
                *life[9:],
                tokens,
                self._date_of(memory) if life[0] in rows.DATED else None,
                memory.revision,
                rows.life_hash(no, shelf, life),
                said[0],
            ),
        )
        self._words.enter(connection, no, words or memory.text)
        embedded = self._embedded.get(memory.id)
        self._vectors.enter(connection, no, shelf, life[0], embedded, self._at + rows.DAY, self._waits)
        for category in memory.categories:
            connection.execute("INSERT INTO tags VALUES(/*?,*/ ?,?)", (category, no))
        for path in memory.files:
            connection.execute(_ADD_PATH, (rows.file_name(path), no))
        for parent in memory.lineage:
            connection.execute(
                "INSERT INTO descents VALUES(/*?,*/ ?,?) ON CONFLICT DO NOTHING", (rows.id_bytes(parent), no)
            )
        if memory.state is State.LIVE:
            self._kin.enter(connection, shelf, no, memory.text)
        self._tally(shelf, life[0], life[_BORN], tokens, 1)
        return no, None, life[0]

    def _adjust(
        self, no: int, shelf: int, tokens: int, memory: Memory, after: Mapping[str, Any]
    ) -> tuple[int, int, int]:
        connection = self._connection
        changed = memory.but(**{name: typed(name, value) for name, value in after.items()})
        before, life = rows.STATE_NUMBER[memory.state], rows.life(changed)
        due_at = self._date_of(changed) if life[0] in rows.DATED else None
        if "recent_accesses" in after:
            connection.execute(_SET_RECENT, (self._recent(no, changed.recent_accesses), no))
            # A dater goes by the count of accesses, not by their moments: the next sweep looks at what these changed.
            due_at = 0 if life[0] in rows.DATED else None
        connection.execute(_SET_LIFE, (*life, due_at, rows.life_hash(no, shelf, life), no))
        if rows.WIDE & after.keys():
            said = rows.said(changed)
            connection.execute(
                "UPDATE memories SET categories=?, concepts=?, files=?, metadata=?, digest=? WHERE /*here*/ no=?",
                (*said[2:5], said[7], rows.digest_of(rows.id_bytes(memory.id), shelf, said), no),
            )
            if changed.categories != memory.categories:
                self._retag(no, memory.categories, changed.categories)
            if changed.files != memory.files:
                connection.executemany(_DROP_PATH, [(rows.file_name(path), no) for path in memory.files])
                connection.executemany(_ADD_PATH, [(rows.file_name(path), no) for path in changed.files])
            if (changed.concepts, changed.files) != (memory.concepts, memory.files):
                entities.wait(connection, self._shelves.space, no)
        if before != life[0]:
            entities.move(connection, self._shelves.space, no, before, life[0])
            self._vectors.move(connection, no, life[0])
            if before == rows.LIVE:
                self._kin.leave(connection, shelf, no)
            elif life[0] == rows.LIVE:
                self._kin.enter(connection, shelf, no, memory.text)
        if before != life[0] or "created_at" in after:
            self._tally(shelf, before, to_micros(memory.created_at), tokens, -1)
            self._tally(shelf, life[0], life[_BORN], tokens, 1)
        return no, before, life[0]

    def _recent(self, no: int, moments: Sequence[datetime]) -> bytes | None:
        """These accesses as the row holds them; those of them that are still on their way are added as they arrive."""
        micros = [to_micros(moment) for moment in moments]
        for moment in self._unwritten(no):
            if moment in micros:
                micros.remove(moment)
        return rows.recent_bytes(micros)

    def _purge(self, no: int, shelf: int, tokens: int, memory: Memory) -> tuple[int, int, None]:
        self.displace(no, shelf, tokens, memory, with_past=True)
        self._tombs.bury(self._connection, no, memory, self._at)
        went = (*memory.categories, *memory.concepts, *memory.files, memory.origin or "", _json(memory.metadata))
        self._purged[no] = " ".join((memory.text, *went))
        return no, rows.STATE_NUMBER[memory.state], None

    def displace(self, no: int, shelf: int, tokens: int, memory: Memory, *, with_past: bool = False) -> None:
        """Take away the rows of a memory; those of what it was before stay, unless these go too."""
        connection = self._connection
        state = rows.STATE_NUMBER[memory.state]
        self._kin.strike(connection, shelf, no, memory.text)
        self._vectors.strike(connection, no)
        entities.strike(connection, self._shelves.space, no)
        self._retag(no, memory.categories, ())
        for path in memory.files:
            connection.execute(_DROP_PATH, (rows.file_name(path), no))
        for parent in memory.lineage:
            connection.execute("DELETE FROM descents WHERE /*here*/ parent=? AND no=?", (rows.id_bytes(parent), no))
        self._words.strike(connection, no, segmented(memory.text) or memory.text)
        for statement in (*_DELETE, *(_DELETE_PAST if with_past else ())):
            connection.execute(statement, (no,))
        self._tally(shelf, state, to_micros(memory.created_at), tokens, -1)

    def _retag(self, no: int, before: tuple[str, ...], after: tuple[str, ...]) -> None:
        for category in set(before) - set(after):
            self._connection.execute("DELETE FROM tags WHERE /*here*/ category=? AND no=?", (category, no))
        for category in set(after) - set(before):
            self._connection.execute("INSERT INTO tags VALUES(/*?,*/ ?,?)", (category, no))

    def _journal(self, receipt: int, item: int, change: Change, no: int, before: int | None, after: int | None) -> None:
        self._connection.execute(
            "INSERT INTO journal VALUES(/*?,*/ ?,?,?,?,?,?,?,?,?)",
            (
                receipt,
                item,
                no,
                ACTION_NUMBER[change.action],
                shortened_reason(str(change.reason)),
                _numbers(change.evidence) if change.evidence else None,
                before,
                after,
                to_micros(change.effective_at) if change.effective_at else None,
            ),
        )
        # A change of state alone stands in the journal already.
        if (
            change.after
            and change.action is not Action.PURGE
            and not change.before.keys() == change.after.keys() == {"state"}
        ):
            self._connection.execute(
                "INSERT INTO revisions VALUES(/*?,*/ ?,?,?,?,?)",
                (receipt, item, no, _json(shortened(change.before)), _json(shortened(change.after))),
            )

    def _tally(self, shelf: int, state: int, born: int, tokens: int, sign: int) -> None:
        tokens *= sign
        for counts, key in ((self._counted, (shelf, state)), (self._born, (state, born // rows.DAY))):
            memories, already = counts.get(key, (0, 0))
            counts[key] = (memories + sign, already + tokens)

    def _count(self) -> None:
        self._words.settle(self._connection)
        for shelf_and_state, counts in self._counted.items():
            self._connection.execute(_COUNT, (*shelf_and_state, *counts))
        for state_and_day, counts in self._born.items():
            self._connection.execute(_COUNT_DAY, (self._shelves.space, *state_and_day, *counts))
        self._counted.clear()
        self._born.clear()
        if self._purged:
            for table in ("counts", "days"):
                self._connection.execute(f"DELETE FROM {table} WHERE /*here*/ memories = 0")
            self._connection.execute(_DROP_EMPTY)
            self._shelves.forget()
            recall_log.strike(self._connection, self._tombs.space, self._purged)
            activity.strike(self._connection, self._tombs.space)
            self._purged.clear()
