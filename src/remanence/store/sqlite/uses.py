"""The ways to use a file's connections, as `with` blocks: to write, to read a snapshot, to read what one just wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from remanence.store.sqlite.engine import Engine


class Writing:
    """`with engine.write() as connection`: the outermost use commits, or rolls back."""

    __slots__ = ("_engine",)

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __enter__(self) -> apsw.Connection:
        return self._engine.begin()

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        try:
            self._engine.end(error)
        except apsw.Error as failed:
            self._engine.explain(failed)
            raise
        if error is not None:
            self._engine.explain(error)


class Reading:
    """`with engine.read() as connection`: one snapshot for as long as it is held, or one for each statement."""

    __slots__ = ("_borrowed", "_engine", "_snapshot")
    _borrowed: apsw.Connection

    def __init__(self, engine: Engine, *, snapshot: bool) -> None:
        self._engine = engine
        self._snapshot = snapshot

    def __enter__(self) -> apsw.Connection:
        try:
            self._borrowed = self._engine.borrow(snapshot=self._snapshot)
        except apsw.Error as error:
            self._engine.explain(error)
            raise
        return self._borrowed

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        try:
            self._engine.give_back(self._borrowed)
        except apsw.Error as failed:
            error = error or failed
        if error is not None:
            self._engine.explain(error)


class Within:
    """`with engine.read() as connection` inside a transaction of this thread: it reads what it wrote."""

    __slots__ = ("_engine",)

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __enter__(self) -> apsw.Connection:
        return self._engine.writer

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is not None:
            self._engine.explain(error)
