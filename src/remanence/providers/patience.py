"""`Patience`: code of others is called within a deadline, and left alone for a while after failures.

A call runs on a thread of its own, so that one that hangs is left behind and the process can still exit. After a
failure there are no calls for 1 s, then 2, 4 ... up to 60 (failure 7 and later); one success ends it. Calls that
fail together are one failure.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from remanence.errors import RemanenceError

_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 1.0, 60.0
# Threads that never return cannot be ended, only left; this many and no more.
_MOST_STUCK = 4


class Patience:
    """With one thing that may fail. Threads may share it; messages begin with what `who` gives."""

    def __init__(
        self,
        who: Callable[[], str],
        *,
        failed: Callable[[str], RemanenceError],
        late: Callable[[str], RemanenceError],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._who = who
        self._failed = failed
        self._late = late
        self._clock = clock
        self._lock = threading.Lock()
        self.turn = threading.Lock()
        self._stuck: list[threading.Thread] = []
        self._failures = 0
        self._last_reason = ""
        self._again_at = -math.inf

    def available(self) -> bool:
        with self._lock:
            return self._clock() >= self._again_at

    def failures(self) -> int:
        """How many in a row so far, for `record_failure`; raises while it is left alone."""
        with self._lock:
            wait, count = self._again_at - self._clock(), self._failures
        if wait > 0:
            times = "once" if count == 1 else f"{count} times in a row"
            raise self._failed(f"{self._last_reason} It failed {times} and is tried again in {math.ceil(wait)} s.")
        return count

    def record_failure(self, before: int, reason: str) -> None:
        """One more than the `before` that the call began with, unless another call has counted it."""
        with self._lock:
            if self._failures != before:
                return
            self._failures += 1
            self._last_reason = reason
            pause = min(_FIRST_PAUSE_SECONDS * 2 ** min(before, 16), _LONGEST_PAUSE_SECONDS)
            self._again_at = self._clock() + pause

    def record_success(self) -> None:
        with self._lock:
            self._failures, self._again_at = 0, -math.inf

    def call(self, work: Callable[[], Any], limit: float, *, free: bool) -> Any:
        """What `work` gives or raises, within `limit` seconds; one at a time unless it is `free`."""
        start = time.monotonic()
        with nullcontext() if free else self._its_turn(limit):
            return self._on_a_thread(work, limit, start)

    @contextmanager
    def _its_turn(self, limit: float) -> Iterator[None]:
        if not self.turn.acquire(timeout=limit):
            raise self._failed(f"{self._who()} was busy with other calls for {limit:g} s.")
        try:
            yield
        finally:
            self.turn.release()

    def _on_a_thread(self, work: Callable[[], Any], limit: float, start: float) -> Any:
        with self._lock:
            self._stuck = [thread for thread in self._stuck if thread.is_alive()]
            stuck = len(self._stuck)
        if stuck >= _MOST_STUCK:
            raise self._failed(
                f"{self._who()} still holds {stuck} calls that never returned; the limit is {_MOST_STUCK}."
            )
        answer: list[Any] = []
        raised: list[BaseException] = []

        def run() -> None:
            try:
                answer.append(work())
            except BaseException as error:  # handed to the caller, below
                raised.append(error)

        thread = threading.Thread(target=run, name="remanence-provider", daemon=True)
        thread.start()
        thread.join(max(0.0, start + limit - time.monotonic()))
        if answer:
            return answer[0]
        if not raised:
            with self._lock:
                self._stuck.append(thread)
            raise self._late(f"{self._who()} gave no answer within {limit:g} s.")
        if isinstance(raised[0], Exception | KeyboardInterrupt | SystemExit):
            raise raised[0]
        raise self._failed(f"{self._who()} raised {type(raised[0]).__name__}.") from raised[0]
