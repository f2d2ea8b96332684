"""The SQLite store: one namespace of one file, behind the store protocol.

The rooms: engine (connections, queue, transactions), migrations, rows (memories as rows), writing (apply), loading
(memories), links (what points at them), reading (selections, words), columns (rows as arrays), kin and rarity
(supersession candidates), accesses (written behind), dating and due (when rules look again), leases, purging,
chronicle (receipts, journal, earlier images), checkup (damage and repair), ageing (what sweeps need of all that),
vectors, nearest, meanings and searching (what memories mean, and recall), recall_log, spending, entities (names),
sessions and observations (what was captured), jobs.
"""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from remanence.model.journal import Brief, Entry
from remanence.model.lease import Lease
from remanence.model.memory import Memory, State
from remanence.model.moment import to_micros
from remanence.model.plan import Certificate, Change, Plan, Receipt
from remanence.model.report import Checkup, Stats
from remanence.model.selection import Place, Selection
from remanence.store.protocol import Embedded, Moves, Progress, Total
from remanence.store.sqlite import checkup, ledger, migrations, purging, reading, rows, statistics
from remanence.store.sqlite.accesses import Accesses
from remanence.store.sqlite.ageing import Ageing
from remanence.store.sqlite.chronicle import Chronicle
from remanence.store.sqlite.copying import copy_whole
from remanence.store.sqlite.dating import Dating
from remanence.store.sqlite.digests import Digests, key_of
from remanence.store.sqlite.engine import Engine
from remanence.store.sqlite.entities import SqliteEntities
from remanence.store.sqlite.finding import Finding
from remanence.store.sqlite.jobs import SqliteQueue
from remanence.store.sqlite.kin import Kin
from remanence.store.sqlite.leases import Leases
from remanence.store.sqlite.links import Links
from remanence.store.sqlite.loading import Loader
from remanence.store.sqlite.recall_log import SqliteRecallLog
from remanence.store.sqlite.sessions import SqliteSessions
from remanence.store.sqlite.shelves import Shelves
from remanence.store.sqlite.spending import SqlitePurse
from remanence.store.sqlite.vectors import Vectors
from remanence.store.sqlite.writing import Writer

if TYPE_CHECKING:
    from remanence.model.columns import Columns

_CHUNK = 10_000
_NUMBER_OF = (
    "coalesce((SELECT no FROM memories WHERE space=? AND id=?), (SELECT no FROM tombstones WHERE space=? AND id=?), 0)"
)


class SqliteStore(Ageing, Finding):
    """A namespace of an open file."""

    @classmethod
    def open(cls, path: Path | None, namespace: str) -> SqliteStore:
        """Open, create or migrate the file (None: in memory), and finish what an earlier purge left to do."""
        engine = Engine(path)
        try:
            purging.purge_again(engine, lambda namespace: cls(engine, namespace))
            purging.finish_pending(engine)
            return cls(engine, namespace)
        except BaseException:
            engine.close()
            raise

    def __init__(self, engine: Engine, namespace: str) -> None:
        self.namespace = namespace
        self._engine = engine
        self._shelves = Shelves(self._engine, namespace)
        self._dating = Dating(self._engine, self._shelves, self.transaction)
        self._accesses = Accesses(self._engine, self._dating)
        self._loader = Loader(self._engine, self._shelves, self._accesses, namespace)
        self._links = Links(self._engine, self._shelves)
        self._leases = Leases(self._engine, self._shelves, self.transaction)
        self._kin = Kin()
        self._vectors = Vectors(self._engine, self._shelves)
        self._terms = reading.Terms(lambda: self._shelves.space)
        self._chronicle = Chronicle(self._engine, self._shelves)
        self.log = SqliteRecallLog(self._engine, self._shelves, self._number, self._accesses.wake)
        self._accesses.log = self.log
        self.purse = SqlitePurse(self._engine, self._shelves, self.transaction)
        self.entities = SqliteEntities(self._engine, self._shelves, self.transaction)
        with self._engine.read() as connection:
            self._purge_key = key_of(connection)
        digests = Digests(namespace, self._purge_key)
        self.sessions = SqliteSessions(self._engine, self._shelves, self._leases, digests, self.transaction)
        self.queue = SqliteQueue(self._engine, self._shelves, self._leases, self.transaction)
        self._ledger_is_old = False
        self._rows_seen: tuple[int, int] | None = None
        self._recalled: dict[str, int] = {}
        self._tombs_seen: purging.Tombs | None = None

    # -- writing

    def transaction(self) -> AbstractContextManager[apsw.Connection]:
        """Everything read inside is what will be written over; all of it is committed, or none."""
        return self._engine.write() if self._engine.in_transaction else self._outermost()

    @contextmanager
    def _outermost(self) -> Iterator[apsw.Connection]:
        with self._engine.write() as connection:
            if self._rows_seen != (rows_now := self._engine.state_of_rows()):
                self._shelves.forget()
                self._kin.forget()
                self._vectors.forget()
                self._dating.forget()
                self._tombs_seen = None
                self._rows_seen = rows_now
            yield connection
        if self._ledger_is_old:
            self._ledger_is_old = False
            ledger.write(self._engine)

    def apply(
        self,
        plan: Plan,
        at: datetime,
        *,
        strict: bool = False,
        receipt_id: str | None = None,
        lease: Lease | None = None,
        embedded: Mapping[str, Embedded] | None = None,
        unjudged: bool = False,
    ) -> Receipt:
        """Apply a plan; a very large one in chunks under one receipt, unless it must be whole (strict).

        With a lease, each chunk is written only while the lease is in force; LeaseLost when it is not. What is added
        gets the vector that is given for it, or waits for one, and then, if it is unjudged, for its surprise.
        """
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
                self._accesses.steady()
                if lease is not None:
                    self._leases.verify(connection, lease)
                date_of = self._dating.dater(connection)
                writer = Writer(
                    connection,
                    self._shelves,
                    self._kin,
                    self._vectors,
                    self._tombs(),
                    self._loader.find,
                    self._accesses.of,
                    date_of,
                    at,
                    embedded or {},
                    unjudged=unjudged,
                )
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
            note=plan.note,
        )

    def claim_key(self, key: str, memory_id: str) -> None:
        """Remember which memory a caller's own key stands for."""
        with self.transaction() as connection:
            self._links.claim_key(connection, key, memory_id)

    def touch(self, ids: Iterable[str], at: datetime) -> None:
        self._accesses.add([no for id in ids if (no := self._number(id)) is not None], to_micros(at))

    def flush(self) -> None:
        """Write pending accesses; inside a transaction they wait for its end, since it may be rolled back."""
        if not self._engine.in_transaction:
            self._accesses.flush()

    # -- reading

    def get(self, ids: Iterable[str]) -> dict[str, Memory]:
        wanted = tuple(dict.fromkeys(ids))

        def read(connection: apsw.Connection) -> dict[str, Memory]:
            found = (self._loader.find_with(connection, id) for id in wanted)
            return {memory.id: memory for _, _, _, memory in filter(None, found)}

        return self._accesses.steadily(read)

    def select(
        self,
        selection: Selection,
        *,
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = True,
        after: Place | None = None,
    ) -> list[Memory]:
        condition, values = reading.where(selection, self._shelves.space)
        order = "DESC" if newest_first else "ASC"
        if after is not None:
            condition += f" AND (l.created_at, l.no) {'<' if newest_first else '>'} (?, {_NUMBER_OF})"
            space, id = self._shelves.space, rows.id_bytes(after.id)
            values = [*values, to_micros(after.created_at), space, id, space, id]
        sql = f"SELECT l.no FROM lives l WHERE {condition} ORDER BY l.created_at {order}, l.no {order} LIMIT ? OFFSET ?"
        return self._accesses.steadily(self._reader(sql, (*values, -1 if limit is None else limit, offset)))

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
            yield self._accesses.steadily(partial(self._loader.load, numbers=numbers))

    def recalled_before(self, moment: datetime, selection: Selection, size: int = 5_000) -> Iterator[list[Memory]]:
        """Every selected memory whose oldest known access is before that moment, in the order of writing, in pages."""
        self.flush()
        condition, values = reading.where(selection, self._shelves.space)
        sql = (
            f"SELECT l.no, substr(l.recent, 1, 8) FROM lives l WHERE {condition} AND l.recent IS NOT NULL AND l.no > ? "
            "ORDER BY l.no LIMIT ?"
        )
        before, last = to_micros(moment), 0

        def read(connection: apsw.Connection) -> tuple[int | None, list[Memory]]:
            page = connection.execute(sql, (*values, last, size)).fetchall()
            old = [no for no, first in page if int.from_bytes(first, "little", signed=True) < before]
            return page[-1][0] if page else None, self._loader.load(connection, old)

        while True:
            reached, memories = self._accesses.steadily(read)
            if reached is None:
                return
            last = reached
            # An access on its way may have pushed out the oldest of the twenty.
            if found := [one for one in memories if one.recent_accesses and one.recent_accesses[0] < moment]:
                yield found

    def _reader(self, sql: str, values: Sequence[Any]) -> Callable[[apsw.Connection], list[Memory]]:
        """Reads the memories whose row numbers this statement finds."""
        return lambda connection: self._loader.load(connection, [no for (no,) in connection.execute(sql, values)])

    def count(self, selection: Selection) -> int:
        condition, values = reading.where(selection, self._shelves.space)
        with self._engine.read() as connection:
            return int(connection.execute(f"SELECT count(*) FROM lives l WHERE {condition}", values).get)

    def columns(self, selection: Selection) -> Columns:
        """The lifecycle fields of every selected memory, in the order of writing, with their ids."""
        found = self._lives.read(*reading.where(selection, self._shelves.space))
        return replace(found, ids=tuple(self.ids(found.rows.tolist())))

    def column_pages(self, selection: Selection, size: int = 20_000) -> Iterator[Columns]:
        """The same a page at a time, without ids; memory use is bounded."""
        return self._lives.pages(*reading.where(selection, self._shelves.space), size)

    def ids(self, rows: Sequence[int]) -> list[str]:
        return self._loader.ids(rows)

    def kin(self, scope: str, kind: str, text: str) -> list[Memory]:
        shelf = self._shelves.find(scope, kind)
        if shelf is None:
            return []
        index = self._kin if self._engine.in_transaction else Kin()
        return self._accesses.steadily(
            lambda connection: self._loader.load(connection, index.similar(connection, shelf, text))
        )

    def keyed(self, key: str) -> str | None:
        return self._links.keyed(key)

    def tombstones(self, texts: Sequence[str]) -> set[str]:
        with self._engine.read() as connection:
            return self._tombs().blocked(connection, texts)

    def versions_beside(self, id: str) -> tuple[str, ...]:
        return self._links.versions_beside(id)

    def made_from(self, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        return self._links.made_from(ids)

    def state_counts(self) -> Mapping[tuple[str, State], int]:
        return statistics.state_counts(self._engine, self._shelves.space)

    def totals(self) -> Mapping[tuple[str, str, State], Total]:
        return statistics.totals(self._engine, self._shelves.space)

    def total_tagged(self, category: str) -> Total:
        return statistics.total_tagged(self._engine, self._shelves.space, category)

    def total_born_before(self, day: date) -> Total:
        return statistics.total_born_before(self._engine, self._shelves.space, day)

    # -- what happened

    def receipt(self, receipt_id: str) -> Receipt:
        return self._chronicle.receipt(receipt_id)

    def receipts(self, verb: str, limit: int, *, since: datetime | None = None, whole: bool = True) -> list[Receipt]:
        return self._chronicle.receipts(verb, limit, since, whole)

    def briefs(self, limit: int, *, verb: str | None = None, before: int | None = None) -> list[Brief]:
        return self._chronicle.briefs(limit, verb, before)

    def moves(self, since: datetime) -> tuple[Mapping[State, int], list[Moves]]:
        return self._chronicle.moves(since)

    def journal(
        self,
        limit: int,
        *,
        memory_ids: Iterable[str] | None = None,
        before: tuple[int, int] | None = None,
        after: tuple[int, int] | None = None,
    ) -> list[Entry]:
        return self._chronicle.journal(limit, memory_ids, before, after)

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
        return statistics.stats(self._engine, self.namespace, self._shelves.space, self._accesses.pending())

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
