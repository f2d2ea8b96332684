"""The outermost transaction of a store: what is done before it begins, after it has, and once it is committed.

A class of its own rather than a generator, since every write passes through it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType

from remanence.store.sql.connection import Connection


class Outermost:
    """`with store.transaction() as connection`, where none is open yet."""

    __slots__ = ("_before", "_begun", "_committed", "_writing")

    def __init__(
        self,
        writing: AbstractContextManager[Connection],
        before: Callable[[], None] | None,
        begun: Callable[[], None],
        committed: Callable[[], None],
    ) -> None:
        self._writing = writing
        self._before = before
        self._begun = begun
        self._committed = committed

    def __enter__(self) -> Connection:
        if self._before is not None:
            self._before()
        connection = self._writing.__enter__()
        try:
            self._begun()
        except BaseException as error:
            self._writing.__exit__(type(error), error, error.__traceback__)
            raise
        return connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writing.__exit__(kind, error, trace)
        if error is None:
            self._committed()
