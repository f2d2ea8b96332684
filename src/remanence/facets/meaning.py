"""mind.meaning: the embedder of a mind, what waits for it, and the verbs that need it.

What was written in bulk, or while the embedder failed, is embedded in the background as soon as there is a reason to:
more is written, or something is recalled. A mind with a clock of its own does nothing in the background, so that its
runs can be repeated: it embeds what waits before a recall, a bounded number at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from remanence.errors import InvalidInput, RemanenceError
from remanence.facets.policies import Policies
from remanence.flows import recall as recalling
from remanence.flows import remember as remembering
from remanence.flows.meaning import Drained, drain
from remanence.model.draft import Draft
from remanence.model.hit import Hits, Remembered, WhyNot
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Progress, Store

MOST_BEFORE_RECALL = 512
REEMBED = "reembed"
"""The job of giving every memory a vector of another model."""
_AT_A_TURN = 512
_LONGEST_CLOSE_SECONDS = 2.0


class Meaning:
    """What one mind knows of what its memories mean."""

    def __init__(
        self,
        store: Store,
        encoder: Encoder | None,
        policies: Policies,
        clock: Callable[[], datetime],
        holder: str,
        *,
        background: bool,
        log: bool,
        per_session: int,
        personal: Collection[str],
    ) -> None:
        self._store = store
        self.encoder = encoder
        self._policies = policies
        self._clock = clock
        self._holder = holder
        self._background = background
        self._log = log
        self._per_session = per_session
        self._personal = personal
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ended, self._pause = threading.Event(), threading.Event()

    @property
    def model(self) -> str | None:
        """The model that makes this mind's vectors; None where it goes by words alone."""
        return None if self.encoder is None else self.encoder.model

    @property
    def waiting(self) -> int:
        """How many memories wait to be embedded."""
        return self._store.meanings.waiting_count()

    def remember(self, drafts: Sequence[Draft], now: datetime, new_id: Callable[[datetime], str]) -> list[Remembered]:
        remembered = remembering.remember(self._store, self.encoder, drafts, now, new_id, self._personal)
        if len(drafts) > remembering.EMBEDDED_AT_ONCE:
            self._work()
        return remembered

    def revise(self, id: str, changes: dict[str, Any], now: datetime, new_id: Callable[[datetime], str]) -> Remembered:
        return remembering.revise(self._store, self.encoder, id, changes, now, new_id, self._personal)

    def recall(self, now: datetime, given: dict[str, Any]) -> Hits:
        ask = recalling.asked(now=now, personal=self._personal, **given)
        self._catch_up()
        return recalling.recall(
            self._store,
            self.encoder,
            self._policies.current,
            ask,
            now,
            log=self._log,
            per_session=self._per_session,
        )

    def context(self, now: datetime, given: dict[str, Any], budget_tokens: int, boundary: str) -> str:
        from remanence.flows.context import context

        ask = recalling.asked(now=now, personal=self._personal, **given)
        self._catch_up()
        return context(
            self._store,
            self.encoder,
            self._policies.current,
            ask,
            now,
            budget_tokens=budget_tokens,
            boundary=boundary,
            log=self._log,
            per_session=self._per_session,
        )

    def why_not(self, id: str, now: datetime, given: dict[str, Any]) -> WhyNot:
        from remanence.flows.why_not import why_not

        ask = recalling.asked(now=now, personal=self._personal, **given)
        return why_not(self._store, self.encoder, self._policies.current, ask, id, now, per_session=self._per_session)

    def reembed(self, progress: Progress | None = None) -> Drained:
        """Give every memory a vector of this mind's model; killed, it goes on where it stopped."""
        if self.encoder is None:
            raise InvalidInput(
                "this mind has no embedder: the setting embedder.name, or an argument, is none. See: rem config"
            )
        with self._guard:  # nothing begins in the background meanwhile
            self._pause.set()
            try:
                self._await()
                done = drain(
                    self._store,
                    self.encoder,
                    self._clock,
                    self._holder,
                    outdated=True,
                    again=True,
                    ended=self._ended.is_set,
                    progress=progress,
                )
            finally:
                self._pause.clear()
        self._work()  # what was written meanwhile
        return done

    def want_reembedded(self) -> None:
        """Leave it to workers to give every memory a vector of their model."""
        self._store.queue.want(REEMBED, self._clock())

    def work_off(self, progress: Progress | None = None) -> Drained:
        """Embed some of what waits and, where that is wanted, some of what another model made; how much is left."""
        if self.encoder is None:
            return Drained(0, 0)
        wanted = bool(self._store.queue.tasks(REEMBED))
        done = drain(
            self._store, self.encoder, self._clock, self._holder, most=_AT_A_TURN, outdated=wanted, progress=progress
        )
        left = self._store.meanings.waiting_count()
        if wanted and not done.why:
            size = len(self.encoder.query("how long is a vector?"))
            outdated = self._store.meanings.outdated_count(self.encoder.model, size)
            if not outdated:
                self._store.queue.drop([REEMBED])
            left += outdated
        return Drained(done.embedded, left, done.why)

    def settle(self, seconds: float) -> None:
        """Give what is embedded in the background some time."""
        self._catch_up()
        if self._thread is not None:
            self._thread.join(seconds)

    def complete(self, is_over: Callable[[], bool]) -> None:
        """Embed what waits until nothing does, it is over, or the embedder fails."""
        if self.encoder is None or not self.encoder.available():
            return
        with suppress(RemanenceError):
            if not self._background:
                drain(self._store, self.encoder, self._clock, self._holder, ended=is_over)
                return
            self._work()
            while self._thread is not None and self._thread.is_alive() and not is_over():
                self._thread.join(0.1)

    def close(self) -> None:
        """End what goes on in the background; what waits goes on waiting, and an embedder that hangs is left alone."""
        self._ended.set()
        self._await(_LONGEST_CLOSE_SECONDS)

    def _await(self, seconds: float | None = None) -> None:
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def _catch_up(self) -> None:
        if self.encoder is None or not self.encoder.available() or not self._store.meanings.waiting(1, tried=False):
            return
        if self._background:
            self._work()
        else:
            drain(self._store, self.encoder, self._clock, self._holder, most=MOST_BEFORE_RECALL)

    def _work(self) -> None:
        if self.encoder is None or not self._background or self._ended.is_set() or self._pause.is_set():
            return
        if not self._guard.acquire(blocking=False):  # who has it begins just this, or is at it
            return
        try:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="remanence-meaning", daemon=True)
                self._thread.start()
        finally:
            self._guard.release()

    def _run(self) -> None:
        # A store that is busy, full or closed: what waits is taken up again at the next reason to.
        with suppress(RemanenceError):
            # Again, where another was told that this one is at it, just as it was done.
            while self.encoder is not None and self._store.meanings.waiting(1, tried=False):
                if drain(self._store, self.encoder, self._clock, self._holder, ended=self._is_over).why:
                    return
                if self._is_over():
                    return

    def _is_over(self) -> bool:
        return self._ended.is_set() or self._pause.is_set()
