"""What the shared statements run on: a connection of either database, and the engine that gives it.

Statements are written in the SQL that SQLite and PostgreSQL both understand, with `?` for values. Every row belongs to
a namespace. PostgreSQL keeps its number first in every key; SQLite numbers rows for the whole file, so most of its
tables do without. Where a statement does not ask for the namespace by itself, a comment says where PostgreSQL puts it:

    /*here*/ or /*l.here*/   the row is of this namespace: `space = … AND`, before the other conditions
    /*space,*/               the column, in a list of names
    /*?,*/                   its value, in a list of values

What else the two word differently is in `postgres/dialect.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Cursor(Protocol):
    """The rows of a statement; `get` is the only one (its value where it has one column), None where there is none."""

    @property
    def get(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """`changes` are the rows that the last statement changed, `total_changes` those of all so far."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Cursor: ...
    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object: ...
    def changes(self) -> int: ...
    def total_changes(self) -> int: ...


Transaction = Callable[[], AbstractContextManager[Connection]]


class Engine(Protocol):
    """The connections of one store. `write` nests: the outermost use commits, or rolls back; `read` waits for nobody.

    `generation` goes up when what was read in a transaction holds no longer; `state_of_rows`, asked in a transaction,
    changes when rows may have changed otherwise than by a committed write of this engine. What is read within
    `recalling` may come from a copy of the database; `wanted` says that a transaction leaves something to workers.
    Through what `gathering` gives, rows may be written later, but within it, and before they are read through it.
    """

    generation: int
    closed: bool

    @property
    def location(self) -> str: ...
    @property
    def in_transaction(self) -> bool: ...
    @property
    def inherited(self) -> bool: ...
    def write(self) -> AbstractContextManager[Connection]: ...
    def read(self, *, snapshot: bool = True) -> AbstractContextManager[Connection]: ...
    def gathering(self, connection: Connection) -> AbstractContextManager[Connection]: ...
    def wanted(self) -> None: ...
    def recalling(self) -> AbstractContextManager[None]: ...
    def state_of_rows(self) -> tuple[int, int]: ...
    def size(self) -> int: ...
    def schema(self) -> int: ...
    def destroyed(self, connection: Connection) -> None: ...
    def purged(self, connection: Connection) -> None: ...
    def close(self) -> None: ...
