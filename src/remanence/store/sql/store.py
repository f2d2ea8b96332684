"""A store on a relational database: one namespace of it, behind the store protocol.

The rooms: connection (what statements run on), rows (memories as rows), writing (apply), loading (memories), links
(what points at them), selecting (selections as SQL), words (search by words), columns (rows as arrays), kin and rarity
(supersession candidates), accesses (written behind), activity (which days count), dating and due (when rules look
again), leases, tombs, chronicle (receipts, journal, earlier images), ageing (what sweeps need of all that), vectors,
nearest, meanings and searching (what memories mean, and recall), recall_log, spending, entities (names), sessions,
observations and erasing (what was captured), jobs. What a database does in its own way is in `sqlite/`, `postgres/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from remanence.model.journal import Brief, Entry
from remanence.model.lease import Lease
from remanence.model.memory import Memory, State
from remanence.model.moment import from_micros, to_micros
from remanence.model.plan import Change, Plan, Receipt
from remanence.model.report import Stats
from remanence.model.selection import BY_BIRTH, Order, Place, Selection
from remanence.store.protocol import Embedded, Moves, Total
from remanence.store.sql import rows, selecting, statistics
from remanence.store.sql.accesses import Accesses
from remanence.store.sql.ageing import Ageing
from remanence.store.sql.chronicle import Chronicle
from remanence.store.sql.connection import Connection, Engine
from remanence.store.sql.dating import Dating
from remanence.store.sql.digests import Digests
from remanence.store.sql.entities import SqlEntities
from remanence.store.sql.finding import Finding
from remanence.store.sql.jobs import SqlQueue
from remanence.store.sql.kin import Kin
from remanence.store.sql.leases import Leases
from remanence.store.sql.links import Links
from remanence.store.sql.loading import Loader
from remanence.store.sql.outermost import Outermost
from remanence.store.sql.recall_log import SqlRecallLog
from remanence.store.sql.sessions import SqlSessions
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.spending import SqlPurse
from remanence.store.sql.tombs import Tombs
from remanence.store.sql.vectors import Vectors
from remanence.store.sql.words import Words
from remanence.store.sql.writing import Dates, Writer

if TYPE_CHECKING:
    from remanence.model.columns import Columns

_CHUNK = 10_000
_NUMBER_OF = (
    "coalesce((SELECT no FROM memories WHERE space=? AND id=?), (SELECT no FROM tombstones WHERE space=? AND id=?), 0)"
)


class SqlStore(Ageing, Finding):
    """A namespace of an open database; each database keeps words, kin and vectors in its own way."""

    _OWN_NUMBERS = False

    def __init__(self, engine: Engine, namespace: str, secret: bytes) -> None:
        self.namespace = namespace
        self._engine = engine
        self._shelves = Shelves(engine, namespace, own_numbers=self._OWN_NUMBERS)
        bare = partial(self.transaction, memories=False)
        self._dating = Dating(engine, self._shelves, bare)
        self._accesses = Accesses(engine, self._dating)
        self._loader = Loader(engine, self._shelves, self._accesses, namespace)
        self._links = Links(engine, self._shelves)
        self._leases = Leases(engine, self._shelves, bare)
        self._kin = self._new_kin()
        self._vectors = self._new_vectors()
        self._words = self._new_words()
        self._chronicle = Chronicle(engine, self._shelves)
        self.log = SqlRecallLog(engine, self._shelves, self._number, self._accesses.wake)
        self._accesses.log, self._accesses.words = self.log, self._words
        self.purse = SqlPurse(engine, self._shelves, bare)
        self.entities = SqlEntities(engine, self._shelves, bare)
        self._secret = secret
        digests = Digests(namespace, secret)
        self.sessions = SqlSessions(engine, self._shelves, self._leases, digests, bare, self._dating)
        self.queue = SqlQueue(engine, self._shelves, self._leases, bare)
        self._rows_seen: tuple[int, int] | None = None
        self._recalled: dict[str, int] = {}
        self._tombs_seen: Tombs | None = None
        self._journalled: tuple[int, int | None] | None = None

    # -- what each database does in its own way

    def _new_kin(self) -> Kin:
        raise NotImplementedError

    def _new_vectors(self) -> Vectors:
        raise NotImplementedError

    def _new_words(self) -> Words:
        raise NotImplementedError

    # -- writing

    def transaction(self, *, memories: bool = True) -> AbstractContextManager[Connection]:
        """Everything read inside is what will be written over; without `memories`, none of them is dated inside."""
        writing, before = self._engine.write(), self._dating.ready if memories else None
        return writing if self._engine.in_transaction else Outermost(writing, before, self._begun, self._committed)

    def _begun(self) -> None:
        """What was read before holds no longer where rows may have changed since."""
        if self._rows_seen != (rows_now := self._engine.state_of_rows()):
            self._shelves.forget()
            self._kin.forget()
            self._vectors.forget()
            self._words.forget()
            self._dating.forget()
            self._tombs_seen, self._journalled, self._rows_seen = None, None, rows_now

    def _committed(self) -> None:
        """What a database has left to do after a commit."""

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
            with self.transaction() as written, self._engine.gathering(written) as connection:
                self._shelves.enter(connection)
                self._accesses.steady()
                if lease is not None:
                    self._leases.verify(connection, lease)
                date_of = self._dating.dater(connection)
                writer = self.writer(connection, date_of, at, embedded, unjudged=unjudged)
                if number is None:
                    number = writer.open_receipt(plan, self._engine.schema())
                elif self._journalled is not None and self._journalled[0] == number:
                    writer.item = self._journalled[1]
                self._journalled = None
                writer.write(chunk, number, strict=strict, verb=plan.verb)
                self._dating.activity.added(connection, plan, writer.written.changes, at)
                self._journalled = (number, writer.item)
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

    def writer(
        self,
        connection: Connection,
        date_of: Dates,
        at: datetime | None = None,
        embedded: Mapping[str, Embedded] | None = None,
        *,
        unjudged: bool = False,
    ) -> Writer:
        """What writes memories inside a transaction."""
        return Writer(
            connection,
            self._shelves,
            self._kin,
            self._vectors,
            self._words,
            self._tombs(),
            self._loader,
            self._accesses.of,
            date_of,
            at or from_micros(0),
            embedded or {},
            unjudged=unjudged,
        )

    def namespaces(self) -> list[str]:
        """The namespaces of the database that were written to, oldest first."""
        with self._engine.read(snapshot=False) as connection:
            return [name for (name,) in connection.execute("SELECT name FROM spaces ORDER BY no")]

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

        def read(connection: Connection) -> dict[str, Memory]:
            found = self._loader.find_all(connection, wanted)
            return {id: found[id][-1] for id in wanted if id in found}

        return self._accesses.steadily(read)

    def select(
        self,
        selection: Selection,
        *,
        limit: int | None = None,
        offset: int = 0,
        order: Order = Order.NEWEST,
        after: Place | None = None,
    ) -> list[Memory]:
        condition, values = selecting.where(selection, self._shelves.space)
        if order not in BY_BIRTH:
            self.flush()  # what is still on its way to the file counts
        if after is not None:
            condition += f" AND (l.created_at, l.no) {'>' if order is Order.OLDEST else '<'} (?, {_NUMBER_OF})"
            space, id = self._shelves.space, rows.id_bytes(after.id)
            values = [*values, to_micros(after.created_at), space, id, space, id]
        sql = f"SELECT l.no FROM lives l WHERE {condition} ORDER BY {selecting.ORDERS[order]} LIMIT ? OFFSET ?"
        return self._accesses.steadily(self._reader(sql, (*values, -1 if limit is None else limit, offset)))

    def pages(self, selection: Selection, size: int = 500) -> Iterator[list[Memory]]:
        """Every selected memory in the order of writing, a page at a time; memory use is bounded."""
        condition, values = selecting.where(selection, self._shelves.space)
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
        condition, values = selecting.where(selection, self._shelves.space)
        sql = (
            f"SELECT l.no, substr(l.recent, 1, 8) FROM lives l WHERE {condition} AND l.recent IS NOT NULL AND l.no > ? "
            "ORDER BY l.no LIMIT ?"
        )
        before, last = to_micros(moment), 0

        def read(connection: Connection) -> tuple[int | None, list[Memory]]:
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

    def _reader(self, sql: str, values: Sequence[Any]) -> Callable[[Connection], list[Memory]]:
        """Reads the memories whose row numbers this statement finds."""
        return lambda connection: self._loader.load(connection, [no for (no,) in connection.execute(sql, values)])

    def columns(self, selection: Selection) -> Columns:
        """The lifecycle fields of every selected memory, in the order of writing, with their ids."""
        found = self._lives.read(*selecting.where(selection, self._shelves.space))
        return replace(found, ids=tuple(self.ids(found.rows.tolist())))

    def column_pages(self, selection: Selection, size: int = 20_000) -> Iterator[Columns]:
        """The same a page at a time, without ids; memory use is bounded."""
        return self._lives.pages(*selecting.where(selection, self._shelves.space), size)

    def ids(self, rows: Sequence[int]) -> list[str]:
        return self._loader.ids(rows)

    def kin(self, scope: str, kind: str, text: str) -> list[Memory]:
        shelf = self._shelves.find(scope, kind)
        if shelf is None:
            return []
        index = self._kin if self._engine.in_transaction else self._new_kin()
        return self._accesses.steadily(
            lambda connection: self._loader.load(connection, index.similar(connection, shelf, text))
        )

    def keyed(self, key: str) -> str | None:
        return self._links.keyed(key)

    def tombstones(self, texts: Sequence[str]) -> set[str]:
        with self._engine.read(snapshot=False) as connection:
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

    def lift(self, texts: Sequence[str], at: datetime) -> None:
        """Allow purged texts to be learned again."""
        with self.transaction() as connection:
            self._tombs().lift(connection, texts, to_micros(at))

    def stats(self) -> Stats:
        self.flush()
        return statistics.stats(self._engine, self.namespace, self._shelves.space, self._accesses.pending())

    def close(self) -> None:
        """Write what is pending and close; calling it again does nothing."""
        if self._engine.closed or self._engine.inherited:
            return
        try:
            self._accesses.close()
            self._ended()
        finally:
            self._engine.close()

    # -- inner

    def _ended(self) -> None:
        """What a database has left to do before it is closed."""

    def _tombs(self) -> Tombs:
        """The tombstones as seen from this namespace, whose number is known once something was written."""
        if not self._engine.in_transaction:
            return Tombs(self._engine, self.namespace, self._shelves.space, self._secret)
        if self._tombs_seen is None or self._tombs_seen.space != self._shelves.space:
            self._tombs_seen = Tombs(self._engine, self.namespace, self._shelves.space, self._secret)
        return self._tombs_seen
