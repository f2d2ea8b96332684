"""Moving a namespace into another store, while it is used: what differs is copied, until nothing does.

A target that has anything the source lacks is refused before anything is written. A pass goes through both stores and
writes what the target lacks, or has otherwise; so one that was cut off anywhere is taken up by running it again. The
first pass copies everything, the next what was written meanwhile. The last one is made while nobody can write to the
source, and is compared row by row. From the first row to the end of the last pass the target is marked as unfinished.
Numbers of rows are the target's own; ids, receipts, times and texts are the same. What is derived (words, kin,
counters, names) is made anew by the target's own code. What was purged in the source is purged in the target. Digests
of that hold under the source's secret, so the namespace takes it along.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from remanence.errors import InvalidInput, StoreDamaged
from remanence.model.moment import from_micros
from remanence.model.plan import Certificate
from remanence.store.protocol import Store
from remanence.store.sql.moving.captured import Captured
from remanence.store.sql.moving.memories import Memories
from remanence.store.sql.moving.parts import Tally
from remanence.store.sql.moving.past import Past
from remanence.store.sql.moving.rest import Rest
from remanence.store.sql.moving.strangers import is_empty, refuse_strangers
from remanence.store.sql.store import SqlStore

_MOST_PASSES = 6
_FEW = 200
_ERASE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Moved:
    """How many rows of each kind both stores hold, a hash over each kind, how many were written, in how many passes."""

    namespace: str
    rows: dict[str, int]
    hashes: dict[str, str]
    written: int
    passes: int

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def take_secret(source: SqlStore, target: SqlStore) -> None:
    """What was purged in the source is to be known in the target, which must be empty. Open it anew after that."""
    if source._secret == target._secret:
        return
    if not is_empty(target):
        raise InvalidInput(
            f"The namespace {target.namespace!r} of {target._engine.location} has a life of its own: "
            "move into one that is empty"
        )
    _mark(source, target)


def _mark(source: SqlStore, target: SqlStore) -> None:
    """Say that the target is unfinished, unless either may not be used so; that is all that is written."""
    with source.transaction():  # refused where the source is itself an unfinished copy
        pass
    with target._engine.write():
        refuse_strangers(source, target)
        target._engine.adopt(target.namespace, source._secret)


class Move:
    """One namespace on its way."""

    def __init__(self, source: SqlStore, target: SqlStore, progress: Callable[[int, int], None] | None = None) -> None:
        self._source = source
        self._target = target
        self._progress = progress
        self._tally = Tally()
        both = (source, target, self._tally)
        self._memories, self._past = Memories(*both), Past(*both)
        self._captured, self._rest = Captured(*both), Rest(*both)
        self._passes = 0

    def run(self) -> Moved:
        """Copy, catch up, and verify; where others go on writing to the source, they wait for the last comparison."""
        self._source.flush()
        _mark(self._source, self._target)
        for _ in range(_MOST_PASSES):
            before = self._moment()
            written = self._pass()
            if written <= _FEW:
                break
        with self._source.transaction(), self._target.transaction():
            # A pass that finds nothing to write has compared all, and holds where nobody has written since it began.
            stands = written == 0 and self._moment() == before
            if not stands and self._pass() and (changed := self._pass()):
                raise StoreDamaged(
                    f"{changed} rows of {self._target.namespace!r} differ after they were copied. The source is as it "
                    "was; check both stores with: rem check"
                )
            self._past.compare()
            self._target._engine.renumbered()
        self._erase()
        hashes = {kind: digest.hexdigest() for kind, digest in self._tally.hashes.items()}
        return Moved(self._source.namespace, self._tally.compared, hashes, self._tally.written, self._passes)

    def _moment(self) -> tuple[tuple[int, int], ...]:
        """The same as before where nobody else has written to the source, or counted recalls in the target."""
        both = (self._source, self._target)
        with self._source.transaction(), self._target.transaction():
            return tuple(store._engine.state_of_rows() for store in both)

    def _erase(self) -> None:
        """Leave no more of what was purged than a purge in the target would."""
        if self._tally.is_purged:
            certificate = Certificate(receipt_id=None, at=from_micros(0), reason="purged in the source", purged=())
            cast(Store, self._target).erase(certificate, self._tally.purged, _ERASE_SECONDS)

    def _pass(self) -> int:
        """Write what differs; how many rows that were."""
        before = self._tally.written
        self._tally.begin()
        upto = self._past.newest()
        self._memories.copy(self._progress)
        self._past.copy_tombstones()
        self._past.copy_journal(upto)
        self._captured.copy()
        self._rest.copy()
        self._passes += 1
        return self._tally.written - before
