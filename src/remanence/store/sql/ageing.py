"""When rules look again, which policy is in force, and who does a job alone: the part of the store behind sweeps."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from remanence.model.lease import Job, Lease
from remanence.model.lived import Lived
from remanence.store.protocol import Dater
from remanence.store.sql import statistics

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from remanence.model.columns import Columns
    from remanence.store.sql.accesses import Accesses
    from remanence.store.sql.columns import Lives
    from remanence.store.sql.connection import Engine, Transaction
    from remanence.store.sql.dating import Dating
    from remanence.store.sql.due import Due
    from remanence.store.sql.leases import Leases
    from remanence.store.sql.shelves import Shelves


class Ageing:
    """Dates, policies and leases of one namespace; the store it is a part of holds what it works with."""

    _engine: Engine
    _shelves: Shelves
    _dating: Dating
    _accesses: Accesses
    _leases: Leases
    transaction: Transaction
    flush: Callable[[], None]

    def date_with(self, dater: Dater) -> None:
        self._dating.date_with(dater)

    def dated_under(self) -> tuple[str | None, bool]:
        return self._dating.under()

    def begin_dating(self, fingerprint: str) -> None:
        self._dating.begin(fingerprint)

    def undated(self, size: int = 20_000) -> Columns | None:
        """The next rows to date, in a transaction with the `redate` that dates them; None when none is left."""
        self.flush()
        return self._due.undated(size)

    def redate(self, columns: Columns, due_at: NDArray[np.int64], *, onwards: bool = False) -> int:
        return self._due.redate(columns, due_at, onwards=onwards)

    def due(self, at: datetime, scopes: tuple[str, ...] | None = None, size: int = 20_000) -> Iterator[Columns]:
        self.flush()
        return self._due.pages(at, scopes, size)

    def due_count(self, at: datetime) -> int:
        self.flush()
        return statistics.due_count(self._engine, self._shelves.space, at)

    def undated_count(self) -> int:
        return self._dating.left()

    def in_force(self, at: datetime) -> tuple[str | None, Lived]:
        """The policy that was chosen, as text, and how the namespace was lived in up to a moment."""
        return self._dating.activity.in_force(at)

    def weighed(self, at: datetime) -> Lived:
        """How it was lived in, for dates to be made by: earlier days count as late from now on."""
        self.flush()
        return self._dating.activity.weighed(at)

    def choose_policy(self, text: str | None, at: datetime) -> None:
        self._dating.choose(text, at)

    # -- jobs

    def claim(self, name: str, holder: str, at: datetime, seconds: float) -> Lease | None:
        return self._leases.claim(name, holder, at, seconds)

    def beat(self, lease: Lease, at: datetime, seconds: float) -> Lease:
        return self._leases.beat(lease, at, seconds)

    def finish(self, lease: Lease, at: datetime) -> None:
        self._leases.finish(lease, at)

    def job(self, name: str) -> Job:
        return self._leases.job(name)

    def begun_at(self) -> datetime | None:
        return statistics.begun_at(self._engine, self._shelves.space)

    @cached_property
    def _lives(self) -> Lives:
        from remanence.store.sql.columns import Lives

        return Lives(self._engine, self._accesses)

    @cached_property
    def _due(self) -> Due:
        from remanence.store.sql.due import Due

        return Due(self._lives, self._shelves, self._accesses, self._dating, self.transaction)
