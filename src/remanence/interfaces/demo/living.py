"""A life: the days of a story lived through by Mind itself, with a clock that is moved from one moment to the next.

Everything is written as an agent would have written it: in batches, with recalls that reinforce, captured sessions,
weekly sweeps, a dream a month, and now and then a deed by hand. The last sweep was three days ago, so that something is
due.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from remanence.errors import Conflict, NotFound, PlanRefused
from remanence.interfaces.demo.deeds import Deeds
from remanence.interfaces.demo.story import Ask, Day, is_rest
from remanence.interfaces.demo.talks import AGENT, source_tree
from remanence.interfaces.demo.threads import CUSTOMER
from remanence.interfaces.demo.words import API, HARBOR, LANTERN, PARTS, TEAM, USER
from remanence.mind import Mind

_HOURS = 8
"""A day's work ends at the time of day it is now, five minutes ago."""
_SWEPT_AGO = 3
"""Days since the last sweep."""
_LIGHT = ("curve", "cluster", "bridges", "beliefs", "prune")
"""The steps of most dreams; every fifth is a whole one, with cards, which take longest."""

Progress = Callable[[int, int], None]


class Clock:
    """A clock that stands still until it is moved, and never goes back."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def to(self, moment: datetime) -> None:
        self.now = max(self.now, moment)


class Life:
    """One story being lived."""

    def __init__(
        self, mind: Mind, clock: Clock, now: datetime, note: str, days: Sequence[Day], seed: int, progress: Progress
    ) -> None:
        self._mind, self._clock, self._now, self._note, self._days = mind, clock, now, note, days
        self._chance = random.Random(f"life {seed}")  # nosec B311
        self._deeds = Deeds(mind, note, seed)
        self._seed = seed
        self._progress = progress
        self._number = 0

    def live(self) -> None:
        """Live the story to its end."""
        total = len(self._days)
        for number, day in enumerate(self._days):
            self._number = number
            self._tick()
            self._still()
            self._day(day)
            if not is_rest(self._number, total):
                self._deeds.of_today()
            ago = total - 1 - self._number
            if ago % 7 == _SWEPT_AGO:
                self._look_after()
            if ago % 30 == 5:
                self._mind.dreams.run(None if ago % 150 == 5 else _LIGHT, progress=self._beat)
        self._end()
        self._number = total
        self._tick()

    def _still(self) -> None:
        """Conflict where somebody removed the demo meanwhile, or began another one in its place."""
        try:
            self._mind.get(self._note)
        except NotFound:
            raise Conflict(
                f"Somebody removed the demo in namespace {self._mind.namespace!r} while it was made; it is not whole"
            ) from None

    # -- time

    def _moment(self, share: float) -> datetime:
        """A moment of the current day's work, 0 its beginning and 1 its end."""
        ago = timedelta(days=len(self._days) - 1 - self._number, minutes=5)
        return self._now - ago - timedelta(hours=_HOURS * (1 - share))

    def _tick(self) -> None:
        self._progress(self._number, len(self._days))

    def _beat(self, *_: object) -> None:
        self._tick()

    # -- a day

    def _day(self, day: Day) -> None:
        mind = self._mind
        self._pass(0.0)
        if day.drafts:
            half = (len(day.drafts) + 1) // 2
            mind.remember_many(day.drafts[:half])
            self._pass(0.4)
            if day.drafts[half:]:
                mind.remember_many(day.drafts[half:])
        for given in day.absorbed:
            mind.absorb(**given)
        for place, ask in enumerate(day.asks):
            self._pass(0.45 + 0.1 * place)
            self._asked(ask)
        if day.todo is not None:
            made = mind.remember(**day.todo)
            self._deeds.todo += [made.memory] if made.memory is not None else []
        if day.talk is not None:
            self._pass(0.9)
            self._session(day)

    def _pass(self, share: float) -> None:
        self._clock.to(self._moment(share))

    def _asked(self, ask: Ask) -> None:
        hits = self._mind.recall(ask.query, scope=ask.scope, limit=ask.limit)
        if hits and self._chance.random() < 0.15:
            self._mind.feedback(hits[0].memory.id, self._chance.random() < 0.8)

    def _session(self, day: Day) -> None:
        assert day.talk is not None
        sessions, is_last = self._mind.sessions, self._number == len(self._days) - 1
        session = sessions.start(day.talk.project, agent=AGENT)
        for turn in day.talk.turns:
            self._clock.to(self._clock.now + timedelta(seconds=40))
            tool = "Bash" if turn.role == "tool" else None
            sessions.observe(session, turn.said, role=turn.role, tool=tool, call=turn.call, failed=turn.failed)
        if not is_last:  # the last one is still open
            sessions.end(session)

    def _look_after(self) -> None:
        plan = self._mind.sweep(progress=self._beat)
        if plan.changes:
            with suppress(PlanRefused):  # more than may leave at once: another week, then
                self._mind.apply(plan)
        self._tick()
        self._mind.sessions.run(progress=self._beat)
        self._tick()

    # -- the end

    def _end(self) -> None:
        """What is done today, last of all."""
        mind = self._mind
        doomed = [one.id for one in mind.list(TEAM, "all", limit=1000) if one.text == CUSTOMER]
        if doomed:
            mind.purge(ids=doomed, reason="the customer asked for it")
        self._tick()
        with tempfile.TemporaryDirectory(prefix="remanence-demo-") as folder:
            mind.ingest(source_tree(Path(folder), self._seed, PARTS[API][:8]), scope=API, progress=self._beat)
        mind.auto_crystallize(older_than_days=7)
        plan = mind.dedup()
        if plan.changes:
            with suppress(PlanRefused):  # too many for an automatic plan, or said and purged before
                mind.apply(plan)
        for query, scope in (("pull requests", USER), ("sensor bridge", LANTERN), ("customs feed", HARBOR)):
            self._mind.recall(query, scope=scope, limit=3)
        mind.artifacts.enqueue(HARBOR)
