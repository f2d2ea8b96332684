"""The SQLite store: one namespace of one file, behind the store protocol.

The rooms: engine (connections, queue, transactions), migrations, rows (memories as rows), writing (apply), reading
(selections, words), kin and rarity (supersession candidates), accesses (written behind), purging, chronicle
(receipts, journal, earlier images), checkup (damage and repair).
"""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import apsw

from remanence.errors import StoreDamaged
from remanence.model.memory import Memory, State
from remanence.model.moment import from_micros, to_micros
from remanence.model.plan import Action, Certificate, Change, Entry, Plan, Reason, Receipt
from remanence.model.report import Checkup, Stats
from remanence.model.selection import Selection
from remanence.store.protocol import Progress
from remanence.store.sqlite import checkup, ledger, migrations, purging, reading, rows
from remanence.store.sqlite.accesses import Accesses
from remanence.store.sqlite.chronicle import Chronicle
from remanence.store.sqlite.copying import copy_whole
from remanence.store.sqlite.engine import Engine
from remanence.store.sqlite.kin import Kin
from remanence.store.sqlite.shelves import Shelves
from remanence.store.sqlite.statistics import state_counts, stats
from remanence.store.sqlite.writing import Writer

if TYPE_CHECKING:
    from remanence.model.columns import Columns

T = TypeVar("T")
_CHUNK = 10_000
_AT_ONCE = 500
_ALL = f"SELECT {rows.COLUMNS} FROM {rows.JOINED}"


class SqliteStore:
    """A namespace of an open file."""

    @classmethod
    def open(cls, path: Path | None, namespace: str) -> SqliteStore:
        """Open, create or migrate the file (None: in memory), and finish what an earlier purge left to do."""
        engine = Engine(path)
        try:
            _purge_again(engine)
            purging.finish_pending(engine)
            return cls(engine, namespace)
        except BaseException:
            engine.close()
            raise

    def __init__(self, engine: Engine, namespace: str) -> None:
        self.namespace = namespace
        self._engine = engine
        self._shelves = Shelves(self._engine, namespace)
        self._accesses = Accesses(self._engine)
        self._kin = Kin()
        self._terms = reading.Terms(lambda: self._shelves.space)
        self._chronicle = Chronicle(self._engine, self._shelves)
        self._ledger_is_old = False
        self._rows_seen: tuple[int, int] | None = None
        self._recalled: dict[str, int] = {}
        self._tombs_seen: purging.Tombs | None = None
        with self._engine.read() as connection:
            self._purge_key: bytes = connection.execute("SELECT value FROM meta WHERE name='purge_key'").get

    # -- writing

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """Everything read inside is what will be written over; all of it is committed, or none."""
        outermost = not self._engine.in_transaction
        with self._engine.write() as connection:
            if outermost and self._rows_seen != (rows_now := self._engine.state_of_rows()):
                self._shelves.forget()
                self._kin.forget()
                self._tombs_seen = None
                self._rows_seen = rows_now
            yield connection
        if self._ledger_is_old and not self._engine.in_transaction:
            self._ledger_is_old = False
            ledger.write(self._engine)

    def apply(self, plan: Plan, at: datetime, *, strict: bool = False, receipt_id: str | None = None) -> Receipt:
        """Apply a plan; a very large one in chunks under one receipt, unless it must be whole (strict)."""
        size = len(plan.changes) if strict else _CHUNK
        chunks = [plan.changes[i : i + size] for i in range(0, len(plan.changes), size)] if plan.changes else [()]
        number = int(receipt_id[1:]) if receipt_id else None
        if plan.undoes is not None:
            self.receipt(plan.undoes)
        applied: dict[str, None] = {}
        skipped: dict[str, str] = {}
        changes: list[Change] = []
        for chunk in chunks:
            with self.transaction() as connection:
                self._shelves.enter(connection)
                writer = Writer(connection, self._shelves, self._kin, self._tombs(), self._find, at)
                if number is None:
                    number = writer.open_receipt(plan, migrations.current_schema())
                writer.write(chunk, number, strict=strict, verb=plan.verb)
            applied |= writer.written.applied
            skipped |= writer.written.skipped
            changes += writer.written.changes
        return Receipt(
            id=f"r{number}",
            verb=plan.verb,
            at=at,
            applied=tuple(applied),
            skipped=skipped,
            changes=tuple(changes),
            undoes=plan.undoes,
        )

    def claim_key(self, key: str, memory_id: str) -> None:
        """Remember which memory a caller's own key stands for."""
        with self.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO keys SELECT ?, ?, no FROM memories WHERE space=? AND id=?",
                (self._shelves.space, key, self._shelves.space, rows.id_bytes(memory_id)),
            )

    def touch(self, ids: Iterable[str], at: datetime) -> None:
        numbers = (self._recalled.get(id) or self._number(id) for id in ids)
        self._accesses.add([no for no in numbers if no is not None], to_micros(at))

    def flush(self) -> None:
        """Write pending accesses; inside a transaction they wait for its end, since it may be rolled back."""
        if not self._engine.in_transaction:
            self._accesses.flush()

    # -- reading

    def get(self, ids: Iterable[str]) -> dict[str, Memory]:
        wanted = tuple(dict.fromkeys(ids))

        def read(connection: apsw.Connection) -> dict[str, Memory]:
            found = (self._find_with(connection, id) for id in wanted)
            return {memory.id: memory for _, _, _, memory in filter(None, found)}

        return self._steadily(read)

    def select(
        self, selection: Selection, *, limit: int | None = None, offset: int = 0, newest_first: bool = True
    ) -> list[Memory]:
        condition, values = reading.where(selection, self._shelves.space)
        order = "DESC" if newest_first else "ASC"
        sql = f"SELECT l.no FROM lives l WHERE {condition} ORDER BY l.created_at {order}, l.no {order} LIMIT ? OFFSET ?"
        return self._steadily(self._reader(sql, (*values, -1 if limit is None else limit, offset)))

    def pages(self, selection: Selection, size: int = 500) -> Iterator[list[Memory]]:
        """Every selected memory in the order of writing, a page at a time; memory use is bounded."""
        condition, values = reading.where(selection, self._shelves.space)
        sql = f"SELECT l.no FROM lives l WHERE {condition} AND l.no > ? ORDER BY l.no LIMIT ?"
        last = 0
        while True:
            with self._engine.read() as connection:
                numbers = [no for (no,) in connection.execute(sql, (*values, last, size))]
            if not numbers:
                return
            last = numbers[-1]
            yield self._steadily(partial(self._load, numbers=numbers))

    def _reader(self, sql: str, values: Sequence[Any]) -> Callable[[apsw.Connection], list[Memory]]:
        """Reads the memories whose row numbers this statement finds."""
        return lambda connection: self._load(connection, [no for (no,) in connection.execute(sql, values)])

    def _steadily(self, read: Callable[[apsw.Connection], T], *, snapshot: bool = True) -> T:
        """Read on one snapshot; again, if accesses moved from memory to the file meanwhile."""
        while True:
            epoch = self._accesses.steady()
            with self._engine.read(snapshot=snapshot) as connection:
                result = read(connection)
            if epoch == self._accesses.epoch or self._engine.in_transaction:
                return result

    def count(self, selection: Selection) -> int:
        condition, values = reading.where(selection, self._shelves.space)
        with self._engine.read() as connection:
            return int(connection.execute(f"SELECT count(*) FROM lives l WHERE {condition}", values).get)

    def columns(self, selection: Selection) -> Columns:
        """The lifecycle fields of every selected memory, in the order of writing."""
        from remanence.store.sqlite.columns import read_columns

        condition, values = reading.where(selection, self._shelves.space)
        return self._steadily(lambda connection: read_columns(connection, condition, values, self._accesses.of))

    def matching(
        self, query: str, selection: Selection, limit: int | None, *, every_word: bool = False
    ) -> list[tuple[Memory, float]]:
        """Memories by words, best first, with their BM25 score (more is better)."""
        condition = reading.where(selection, self._shelves.space)
        look = self._terms.asked()
        broad = reading.is_broad(selection) and self._terms.total > reading.RANK_FIRST_FROM

        def read(connection: apsw.Connection) -> list[tuple[int, Memory, float]]:
            if look:
                self._terms.look(connection)
            for expression in self._terms.expressions(connection, query, every_word=every_word):
                if found := reading.best(connection, expression, condition, limit, broad=broad):
                    return [(row[0], self._memory(row), row[-1]) for row in found]
            return []

        found = self._steadily(read, snapshot=look or broad)
        self._recalled = {memory.id: no for no, memory, _ in found}
        return [(memory, score) for _, memory, score in found]

    def kin(self, scope: str, kind: str, text: str) -> list[Memory]:
        shelf = self._shelves.find(scope, kind)
        if shelf is None:
            return []
        index = self._kin if self._engine.in_transaction else Kin()
        return self._steadily(lambda connection: self._load(connection, index.similar(connection, shelf, text)))

    def keyed(self, key: str) -> str | None:
        with self._engine.read() as connection:
            found = connection.execute(
                "SELECT m.id FROM keys k JOIN memories m ON m.no = k.no WHERE k.space=? AND k.key=?",
                (self._shelves.space, key),
            ).get
        return rows.id_text(found) if found else None

    def tombstones(self, texts: Sequence[str]) -> set[str]:
        with self._engine.read() as connection:
            return self._tombs().blocked(connection, texts)

    def versions_beside(self, id: str) -> tuple[str, ...]:
        """Ids of the memories that name this one as the version before or after them."""
        raw = rows.id_bytes_or_none(id)
        with self._engine.read() as connection:
            found = connection.execute(
                "SELECT m.id FROM lives l JOIN memories m ON m.no = l.no "
                "WHERE l.space=? AND (l.supersedes=? OR l.superseded_by=?)",
                (self._shelves.space, raw, raw),
            ).fetchall()
        return tuple(rows.id_text(id) for (id,) in found)

    def made_from(self, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """For each id, the ids of the memories made from it."""
        with self._engine.read() as connection:
            return {
                id: tuple(
                    rows.id_text(raw)
                    for (raw,) in connection.execute(
                        "SELECT m.id FROM descents d JOIN memories m ON m.no = d.no WHERE d.parent=? AND m.space=?",
                        (rows.id_bytes(id), self._shelves.space),
                    )
                )
                for id in ids
            }

    def state_counts(self) -> Mapping[tuple[str, State], int]:
        return state_counts(self._engine, self._shelves.space)

    # -- what happened

    def receipt(self, receipt_id: str) -> Receipt:
        return self._chronicle.receipt(receipt_id)

    def journal(self, limit: int, *, memory_ids: Iterable[str] | None = None) -> list[Entry]:
        return self._chronicle.journal(limit, memory_ids)

    def revert(self, memories: Sequence[Memory], moment: datetime) -> list[Memory]:
        return self._chronicle.revert(memories, moment)

    def images(self, memory_id: str) -> list[Mapping[str, object]]:
        return self._chronicle.images(memory_id)

    # -- care

    def erase(self, certificate: Certificate, texts: Sequence[str], wait_seconds: float) -> Certificate:
        """Make sure no byte of these purged texts is left in the files, and say so on the certificate."""
        traces = purging.erase(self._engine, self._shelves.space, texts, wait_seconds)
        return replace(certificate, **traces)

    def lift(self, texts: Sequence[str], at: datetime) -> None:
        """Allow purged texts to be learned again."""
        with self.transaction() as connection:
            self._tombs().lift(connection, texts, to_micros(at))
            self._ledger_is_old = True

    def check(self, *, repair: bool = False, progress: Progress | None = None) -> Checkup:
        self.flush()
        purging.finish_pending(self._engine)
        return checkup.check(self._engine, repair=repair, progress=progress)

    def stats(self) -> Stats:
        self.flush()
        return stats(self._engine, self.namespace, self._shelves.space, self._accesses.pending())

    def files(self) -> Sequence[Path]:
        """The files that belong to the store and exist."""
        path = self._engine.path
        return [] if path is None else [p for p in path.parent.glob(f"{glob.escape(path.name)}*") if p.is_file()]

    def backup(self, path: Path) -> None:
        self.flush()
        copy_whole(self._engine, path)

    def close(self) -> None:
        """Write what is pending and close; calling it again does nothing."""
        if self._engine.closed or self._engine.inherited:
            return
        try:
            self._accesses.close()
            purging.finish_pending(self._engine)
        finally:
            self._engine.close()

    # -- inner

    def _tombs(self) -> purging.Tombs:
        """The tombstones as seen from this namespace, whose number is known once something was written."""
        if not self._engine.in_transaction:
            return purging.Tombs(self.namespace, self._shelves.space, self._purge_key)
        if self._tombs_seen is None or self._tombs_seen.space != self._shelves.space:
            self._tombs_seen = purging.Tombs(self.namespace, self._shelves.space, self._purge_key)
        return self._tombs_seen

    def _find(self, id: str) -> tuple[int, int, int, Memory] | None:
        """(number, shelf, tokens, memory) of an id."""
        with self._engine.read() as connection:
            return self._find_with(connection, id)

    def _find_with(self, connection: apsw.Connection, id: str) -> tuple[int, int, int, Memory] | None:
        raw = rows.id_bytes_or_none(id)
        found = connection.execute(f"{_ALL} WHERE m.space=? AND m.id=?", (self._shelves.space, raw)).get
        return None if found is None else (found[0], found[35], found[36], self._memory(found))

    def _number(self, id: str) -> int | None:
        find = "SELECT no FROM memories WHERE space=? AND id=?"
        with self._engine.read() as connection:
            return connection.execute(find, (self._shelves.space, rows.id_bytes(id))).get

    def _memory(self, row: tuple[Any, ...]) -> Memory:
        try:
            return rows.decoded(row, self.namespace, self._accesses.of(row[0]))
        except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
            raise StoreDamaged(
                f"Row {row[0]} of {self._engine.path} cannot be read. See the damage with: rem check"
            ) from None

    def _load(self, connection: apsw.Connection, numbers: Sequence[int]) -> list[Memory]:
        """The memories of these rows, in this order."""
        found: dict[int, Memory] = {}
        for start in range(0, len(numbers), _AT_ONCE):
            part = numbers[start : start + _AT_ONCE]
            for row in connection.execute(f"{_ALL} WHERE m.no IN ({','.join('?' * len(part))})", part):
                found[row[0]] = self._memory(row)
        if len(found) < len(numbers):
            raise StoreDamaged(
                f"{len(numbers) - len(found)} rows of {self._engine.path} miss a part. See the damage with: rem check"
            )
        return [found[no] for no in numbers]


def _purge_again(engine: Engine) -> None:
    """Purge what the ledger lists and this file, an older copy, still holds."""
    lines = ledger.unknown_to_file(engine)
    for namespace in sorted({line["namespace"] for line in lines}):
        store = SqliteStore(engine, namespace)
        wanted = {line["id"]: line for line in lines if line["namespace"] == namespace}
        with store.transaction() as connection:
            held = store.get(wanted)
            if held:
                purge = (Change(memory_id=id, action=Action.PURGE, reason=Reason.PURGED_BEFORE) for id in sorted(held))
                store.apply(Plan(tuple(purge), verb="purge"), from_micros(max(wanted[id]["at"] for id in held)))
            for id in sorted(wanted):
                if id in held:
                    ledger.lift(connection, wanted[id])
                else:
                    ledger.remember_digest(connection, wanted[id])
    if lines:
        ledger.write(engine)
        purging.finish_pending(engine, wait_seconds=1.0)
