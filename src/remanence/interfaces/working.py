"""A worker: looks after every namespace of a store, one at a time, together with any number of others.

It takes the namespace that was served longest ago of those that have something to be done, does some of it, and says
when to come again: what waits to be embedded a part at a time, so that who has much of it keeps nobody waiting. Whoever
is taken over from, because it was frozen or cut off, can write nothing more: what is done in a namespace is fenced by
its own leases. A worker takes no more than it is doing, so what it cannot do stays for others; what fails, be it the
embedder, comes again later, and ever later. At a signal it ends what it is at, and stops.
"""

from __future__ import annotations

import logging
import os
import select
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from remanence.errors import RemanenceError, StoreError
from remanence.interfaces.minds import Minds
from remanence.mind import now_utc
from remanence.model.duration import duration
from remanence.opening import Turn, agenda, this_process

if TYPE_CHECKING:
    from remanence.mind import Mind
    from remanence.model.report import Report, Stats
    from remanence.settings import Settings

LEASE_SECONDS = 60.0
_BEAT_SECONDS = 15.0
_SOON_SECONDS = 60.0
_RETRY_SECONDS = 30.0
_PENDING = timedelta(minutes=5)
_AWAY_SECONDS = 5.0
_LONGEST_WAIT = 60.0
_LOG = logging.getLogger("remanence.work")


class Stopped(Exception):
    """The worker is to end."""


class Served(NamedTuple):
    """What was done in a namespace: the report of an upkeep where one was due, and how many memories were embedded.

    `again_in` is in how many seconds there is something to be done again; `why` is why memories could not be embedded.
    """

    namespace: str
    report: Report | None
    embedded: int
    again_in: float
    why: str = ""

    def to_dict(self) -> dict[str, object]:
        report = None if self.report is None else self.report.to_dict()
        return {"namespace": self.namespace, "report": report, "embedded": self.embedded, "again_in": self.again_in}


def upkeep_is_due(mind: Mind) -> bool:
    """Whether the last upkeep is an interval ago, or lies ahead of a clock that was set right since."""
    stats, now = mind.stats(), mind.clock()
    last = stats.upkeep_at
    return last is None or now - last >= _interval(mind, stats) or last > now


def _interval(mind: Mind, stats: Stats) -> timedelta:
    """How long after an upkeep comes the next: soon, where a purge is left to be finished."""
    every = duration(mind.settings.upkeep__interval)
    return min(every, _PENDING) if stats.purge_pending else every


def look_after(mind: Mind, progress: Callable[[int, int], None] | None = None) -> Served:
    """What is due in a namespace: some of what waits to be embedded; then an upkeep, or the sessions that are ready."""
    now = mind.clock()
    stats = mind.stats()
    last = stats.upkeep_at
    report = None
    done = mind.meaning.work_off(progress)
    more = bool(done.left and done.embedded and not done.why)
    encoder = mind.meaning.encoder
    why = done.why if encoder is not None and not encoder.available() else ""  # or else another process is at it
    if upkeep_is_due(mind) and not more:  # an upkeep embeds all that is left
        report = mind.upkeep(progress=progress)
        last = now if report.ran else last
        stats = mind.stats()
    elif mind.settings.memories__enabled:
        mind.sessions.run(progress=progress)
    # At once where more is left than a turn takes, soon where sessions may become ready, else when upkeep is due again.
    pauses = [_SOON_SECONDS if last is None else max((last + _interval(mind, stats) - now).total_seconds(), 1.0)]
    if mind.settings.memories__enabled or done.why:
        pauses.append(_SOON_SECONDS)
    if more:
        pauses.append(0.0)
    return Served(mind.namespace, report, done.embedded + (report.embedded if report else 0), min(pauses), why)


class Worker:
    """One worker of a store."""

    def __init__(
        self, location: str | None, settings: Settings, *, only: Sequence[str] | None = None, most_open: int = 16
    ) -> None:
        self._only = only
        self._minds = Minds(location, settings, most_open)
        self._agenda = agenda(location, settings, now_utc)
        self._holder = this_process()
        self._stopping = False
        self._told, self._tell = os.pipe()

    def stop(self) -> None:
        """End after what it is at; from another thread, or a signal, in which no lock may be waited for."""
        self._stopping = True
        os.write(self._tell, b".")
        self._agenda.stop()

    def run(self, told: Callable[[Served], None]) -> None:
        """Work until stopped."""
        while not self._stopping:
            try:
                if not self._one(told):
                    self._agenda.wait(_LONGEST_WAIT)
            except StoreError as error:
                _LOG.warning("%s", error)
                select.select([self._told], [], [], _AWAY_SECONDS)

    def once(self, told: Callable[[Served], None]) -> None:
        """Do all that is due now, and end."""
        while not self._stopping and self._one(told):
            pass

    def _one(self, told: Callable[[Served], None]) -> bool:
        """Serve a namespace; False where none has anything to be done."""
        turn = self._agenda.claim(self._holder, LEASE_SECONDS, self._only)
        if turn is None:
            return False
        again_in, failed = _RETRY_SECONDS, True
        try:
            with self._minds.use(turn.namespace) as mind, self._beating(turn) as progress:
                done = look_after(mind, progress)
            if not done.why:
                again_in, failed = done.again_in, False
            else:
                _LOG.warning("%s: %s", turn.namespace, done.why)
            told(done)
        except Stopped:
            again_in, failed = 0.0, False
        except RemanenceError as error:
            _LOG.warning("%s: %s", turn.namespace, error)
        except Exception:  # what is wrong in one namespace keeps no other waiting
            _LOG.exception("%s", turn.namespace)
        finally:
            self._agenda.done(turn, again_in, failed=failed)
        return True

    @contextmanager
    def _beating(self, turn: Turn) -> Iterator[Callable[[int, int], None]]:
        """Keep the turn while something takes long; progress told from within raises once the worker is to stop."""
        ended = threading.Event()

        def beat() -> None:
            while not ended.wait(_BEAT_SECONDS):
                with suppress(StoreError):  # a server that is away for a while may be back for the next
                    self._agenda.beat(turn, LEASE_SECONDS)

        def progress(_: int, __: int) -> None:
            if self._stopping:
                raise Stopped

        thread = threading.Thread(target=beat, name="remanence-beat", daemon=True)
        thread.start()
        try:
            yield progress
        finally:
            ended.set()
            thread.join()

    def close(self) -> None:
        self._minds.close()
        self._agenda.close()
        os.close(self._told)
        os.close(self._tell)
