"""What a store must do. Reads are many and plain; memories are written by `apply` alone.

A store is bound to one namespace and never answers from another. Inside `transaction()` everything read is what will
be written over: nobody else writes in between, and all of it is committed or none. Accesses are no plans: `touch`
counts them, at once visible to this process and durable within a second.

Every live or superseded memory carries `due_at`, a lower bound of the next instant at which a rule of the policy could
act on it, given no more accesses. What is written is dated by the `Dater` the store was given (a store knows no rules);
`due` reads only rows whose date has come. Re-dating is no change: it is not journalled and moves no revision.

Vectors (`meanings`), what was recalled (`log`), what models cost (`purse`), captured sessions (`sessions`) and jobs
that wait or failed (`queue`) are no memories either: they have small protocols of their own, here and in `captured`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from remanence.model.journal import Brief, Entry
from remanence.model.lease import Job, Lease
from remanence.model.lived import Lived
from remanence.model.memory import Memory, State
from remanence.model.plan import Certificate, Plan, Receipt
from remanence.model.report import Checkup, Spent, Stats
from remanence.model.selection import Order, Place, Selection
from remanence.store.captured import Queue, Sessions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from remanence.model.columns import Columns

Progress = Callable[[int, int], None]
Line = tuple[int, int] | None  # of the journal: a receipt's number, and the place in it


class Total(NamedTuple):
    """How many memories, and how many tokens they hold."""

    memories: int
    tokens: int


class Moves(NamedTuple):
    """How many journalled changes of one day (UTC) took memories from this state (None: new) to that (None: purged)."""

    day: date
    before: State | None
    after: State | None
    number: int


class Dater(Protocol):
    """Dates memories as they are written: the next instant at which a rule of the policy could act on them.

    `fingerprint` names the policy exactly; `counts` are the access counts at which a rule must look again, unless it
    must look after `every_access`. It is told to be `ready` before a transaction that may date memories.
    """

    @property
    def fingerprint(self) -> str: ...
    @property
    def counts(self) -> frozenset[int]: ...
    @property
    def every_access(self) -> bool: ...
    def ready(self) -> None: ...
    def due_at(self, memory: Memory) -> int | None: ...


class Embedded(NamedTuple):
    """A vector of unit length, and the model that made it."""

    model: str
    vector: NDArray[np.float32]


class Waiting(NamedTuple):
    """A memory that is to be embedded; an unjudged one then gets its surprise."""

    id: str
    text: str
    unjudged: bool


class Candidates(NamedTuple):
    """What a search found, by row number: more than the selection allows may be among it.

    For each row BM25 over the words it was searched by (0: not found by words), cosine (NaN: no vector to compare) and
    whether it names a file that was asked for. `telling` gives the inverse document frequencies of all telling words of
    the query by stem, `searched` those it was searched by; the `rough` rows were found by two others, and have the BM25
    of those. `beside` pairs places of good candidates with those of short ones that stand next to them in their
    session; `unembedded` is how many memories of the namespace have no vector to compare.
    """

    rows: NDArray[np.int64]
    text: NDArray[np.float64]
    vector: NDArray[np.float64]
    by_file: NDArray[np.bool_]
    telling: Mapping[str, float]
    searched: frozenset[str]
    rough: frozenset[int]
    beside: Sequence[tuple[int, int]]
    unembedded: int = 0


class Fading(NamedTuple):
    """Rows whose precision is to be looked at, and the bits their vectors have now."""

    columns: Columns
    bits: NDArray[np.int8]


class Alike(NamedTuple):
    """Rows whose vectors can be compared exactly, newest first, and how many of the selection cannot and why.

    `pairs` are those of some ranks, places in `rows` that ascend, which are of one scope, of one kind unless kinds may
    mix, and, where groups are given, of one group, and whose cosine is above the threshold: the newer ranks, the older
    ones, the cosines. `vectors` are those of the rows.
    """

    rows: NDArray[np.int64]
    pairs: Callable[
        [NDArray[np.int64], NDArray[np.int64] | None],
        tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]],
    ]
    left_out: Mapping[str, int]
    vectors: NDArray[np.float32]


class Recent(NamedTuple):
    """An earlier recall: when, and what was asked, without secrets."""

    at: datetime
    query: str


class Use(NamedTuple):
    """A recall that found a memory, or missed it while it was archived: the memory's row, and when (microseconds)."""

    row: int
    at: int
    missed: bool


class Meanings(Protocol):
    """The vectors of a namespace's memories. Those of different models are never compared.

    They are made `ready` before a transaction that may look for the neighbours of such a vector.
    """

    def put(self, id: str, embedded: Embedded) -> bool: ...
    def waiting(self, size: int, *, tried: bool = True) -> list[Waiting]: ...
    def waiting_count(self) -> int: ...
    def put_off(self, ids: Iterable[str]) -> None: ...
    def take_up(self) -> None: ...
    def outdated(self, model: str, dimension: int, size: int, after: str | None = None) -> list[Waiting]: ...
    def outdated_count(self, model: str, dimension: int) -> int: ...
    def models(self) -> Mapping[str, int]: ...
    def put_all(
        self, waiting: Sequence[Waiting], vectors: Sequence[Embedded], number: int, named_from: float
    ) -> Mapping[str, Sequence[tuple[str, float]]]: ...
    def ready(self, embedded: Embedded) -> None: ...
    def neighbours(
        self, embedded: Embedded, number: int, but: str | None = None, *, named_from: float = ...
    ) -> Sequence[tuple[str, float]]: ...
    def of(self, ids: Iterable[str], model: str) -> dict[str, NDArray[np.float32]]: ...
    def likeness(self, rows: Sequence[int], embedded: Embedded) -> NDArray[np.float32]: ...
    def alike(
        self, model: str, selection: Selection, threshold: float, most_each: int, *, mixed_kinds: bool = False
    ) -> Alike: ...
    def fading(self, at: datetime, size: int) -> Fading | None: ...
    def fade(self, fading: Fading, bits: NDArray[np.int8], fades_at: NDArray[np.int64]) -> int: ...


class RecallLog(Protocol):
    """What was asked and found lately, and which archived memories were missed."""

    def add(self, query: str | None, found: Sequence[str], missed: Sequence[str], at: datetime) -> None: ...
    def finding(self, ids: Iterable[str], since: datetime) -> dict[str, list[Recent]]: ...
    def regrets(self, id: str) -> tuple[int, datetime | None]: ...
    def uses(self) -> list[Use]: ...
    def forget_before(self, moment: datetime) -> int: ...


class Mentions(NamedTuple):
    """A name as memories write it, folded to one key, and how many live memories of each scope hold it."""

    key: str
    name: str
    kind: str
    scopes: Mapping[str, int]


class Unnamed(NamedTuple):
    """A memory whose names are to be taken, as it is in this revision; of a long text the first 20,000 characters."""

    row: int
    revision: int
    kind: str
    text: str
    concepts: tuple[str, ...]
    files: tuple[str, ...]


class UnnamedPage(NamedTuple):
    """The next of them; names were taken up to `after`, and with these up to `upto`."""

    after: int
    upto: int
    memories: Sequence[Unnamed]


class Naming(NamedTuple):
    """The names of a memory, each with its kind; which short one it says stands for which long one."""

    row: int
    revision: int
    names: Sequence[tuple[str, str]]
    definitions: Sequence[tuple[str, str]] = ()


class Entities(Protocol):
    """Which names stand in which memories: derived from their texts, and brought up to date before it is asked.

    What is quarantined has no names. What is forgotten keeps those it had, since it may be restored, and gets no other;
    no answer counts it. `unnamed` gives a page, `name` writes what was found in it, also where somebody else did so
    meanwhile, and nothing for a memory that changed since: that one waits again. Where names were not begun, or dropped
    since, `name` writes nothing and says None: `renew` begins.
    """

    def renew(self, rules: int) -> None: ...
    def unnamed(self, size: int) -> UnnamedPage: ...
    def unnamed_count(self) -> int: ...
    def name(self, page: UnnamedPage, found: Sequence[Naming]) -> int | None: ...
    def mentions(self, scopes: Sequence[str] | None = None, keys: Iterable[str] | None = None) -> list[Mentions]: ...
    def definitions(self, keys: Iterable[str] | None = None) -> list[tuple[str, str, int]]: ...
    def counts(self, groups: Sequence[Sequence[str]], scopes: Sequence[str] | None) -> list[dict[str, int]]: ...
    def of(self, ids: Iterable[str]) -> dict[str, tuple[str, ...]]: ...
    def memories(
        self, keys: Iterable[str], scopes: Sequence[str] | None = None, limit: int | None = None
    ) -> list[str]: ...
    def together(
        self, keys: Iterable[str], scopes: Sequence[str] | None = None, limit: int | None = None
    ) -> list[tuple[str, int]]: ...


class Purse(Protocol):
    """What language models cost a namespace."""

    def spent(self, day: str) -> int: ...
    def spend(self, day: str, model: str, *, tokens_in: int, tokens_out: int, failed: bool) -> None: ...
    def days(self, limit: int) -> list[Spent]: ...


class Store(Protocol):
    """A namespace's memories."""

    namespace: str

    @property
    def meanings(self) -> Meanings: ...
    @property
    def log(self) -> RecallLog: ...
    @property
    def purse(self) -> Purse: ...
    @property
    def entities(self) -> Entities: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def queue(self) -> Queue: ...

    def transaction(self, *, memories: bool = True) -> AbstractContextManager[object]: ...
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
    ) -> Receipt: ...
    def claim_key(self, key: str, memory_id: str) -> None: ...
    def touch(self, ids: Iterable[str], at: datetime) -> None: ...
    def flush(self) -> None: ...

    def get(self, ids: Iterable[str]) -> dict[str, Memory]: ...
    def select(
        self,
        selection: Selection,
        *,
        limit: int | None = None,
        offset: int = 0,
        order: Order = Order.NEWEST,
        after: Place | None = None,
    ) -> list[Memory]: ...
    def pages(self, selection: Selection, size: int = 500) -> Iterator[list[Memory]]: ...
    def recalled_before(self, moment: datetime, selection: Selection, size: int = 5_000) -> Iterator[list[Memory]]: ...
    def count(self, selection: Selection) -> int: ...
    def columns(self, selection: Selection) -> Columns: ...
    def column_pages(self, selection: Selection, size: int = 20_000) -> Iterator[Columns]: ...
    def ids(self, rows: Sequence[int]) -> list[str]: ...
    def matching(
        self, query: str, selection: Selection, limit: int | None, *, every_word: bool = False
    ) -> list[tuple[Memory, float]]: ...
    def candidates(
        self,
        query: str | None,
        embedded: Embedded | None,
        selection: Selection,
        number: int,
        *,
        files: Sequence[str] = (),
        ids: Sequence[str] = (),
        exactly: bool = False,
        quick: bool = False,
    ) -> Candidates: ...
    def holds(self, state: State) -> bool: ...
    def counted(self, candidates: Candidates, places: Sequence[int]) -> NDArray[np.float64]: ...
    def memories(self, rows: Sequence[int]) -> dict[int, Memory]: ...
    def before_in_session(self, rows: Sequence[int]) -> dict[int, int]:
        """For rows of a session, the row that was written there just before each, whatever its state."""
        ...

    def kin(self, scope: str, kind: str, text: str) -> list[Memory]: ...
    def keyed(self, key: str) -> str | None: ...
    def tombstones(self, texts: Sequence[str]) -> set[str]: ...
    def versions_beside(self, id: str) -> tuple[str, ...]: ...
    def made_from(self, ids: Iterable[str]) -> dict[str, tuple[str, ...]]: ...
    def state_counts(self) -> Mapping[tuple[str, State], int]: ...
    def totals(self) -> Mapping[tuple[str, str, State], Total]: ...
    def counts(self, selection: Selection, of: str) -> Mapping[str, int]: ...
    def total_tagged(self, category: str) -> Total: ...
    def total_born_before(self, day: date) -> Total: ...

    def date_with(self, dater: Dater) -> None: ...
    def dated_under(self) -> tuple[str | None, bool]: ...
    def begin_dating(self, fingerprint: str) -> None: ...
    def undated(self, size: int = 20_000) -> Columns | None: ...
    def redate(self, columns: Columns, due_at: NDArray[np.int64], *, onwards: bool = False) -> int: ...
    def due(self, at: datetime, scopes: tuple[str, ...] | None = None, size: int = 20_000) -> Iterator[Columns]: ...
    def due_count(self, at: datetime) -> int: ...
    def undated_count(self) -> int: ...
    def in_force(self, at: datetime) -> tuple[str | None, Lived]: ...
    def weighed(self, at: datetime) -> Lived: ...
    def choose_policy(self, text: str | None, at: datetime) -> None: ...

    def claim(self, name: str, holder: str, at: datetime, seconds: float) -> Lease | None: ...
    def beat(self, lease: Lease, at: datetime, seconds: float) -> Lease: ...
    def finish(self, lease: Lease, at: datetime) -> None: ...
    def job(self, name: str) -> Job: ...
    def begun_at(self) -> datetime | None: ...

    def receipt(self, receipt_id: str) -> Receipt: ...
    def receipts(
        self, verb: str, limit: int, *, since: datetime | None = None, whole: bool = True
    ) -> list[Receipt]: ...
    def briefs(self, limit: int, *, verb: str | None = None, before: int | None = None) -> list[Brief]: ...
    def moves(self, since: datetime) -> tuple[Mapping[State, int], list[Moves]]: ...
    def journal(
        self, limit: int, *, memory_ids: Iterable[str] | None = None, before: Line = None, after: Line = None
    ) -> list[Entry]: ...
    def revert(self, memories: Sequence[Memory], moment: datetime) -> list[Memory]: ...
    def images(self, memory_id: str) -> list[Mapping[str, object]]: ...

    def erase(self, certificate: Certificate, texts: Sequence[str], wait_seconds: float) -> Certificate: ...
    def unfinished_purge(self) -> str:
        """Do what earlier purges left to do; why some of it is left still, or nothing."""
        ...

    def lift(self, texts: Sequence[str], at: datetime) -> None: ...
    def check(self, *, repair: bool = False, progress: Progress | None = None) -> Checkup: ...
    def stats(self) -> Stats: ...
    def files(self) -> Sequence[Path]: ...
    def backup(self, path: Path) -> None: ...
    def close(self) -> None: ...
