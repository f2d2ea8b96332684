"""`Patience`: code of others is called within a deadline, and left alone for a while after failures.

A call runs on another thread, so that one that hangs is left behind and the process can still exit. After a
failure there are no calls for 1 s, then 2, 4 ... up to 60 (failure 7 and later); one success ends it. Calls that
fail together are one failure.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from queue import Empty, SimpleQueue
from typing import Any

from remanence.errors import RemanenceError

_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 1.0, 60.0
# Threads that never return cannot be ended, only left; this many and no more.
_MOST_STUCK = 4
_MOST_RESTING = 8


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
        hand = _hand()
        answers = hand.do(work)
        answered = False
        try:
            answer, raised = answers.get(timeout=max(0.0, start + limit - time.monotonic()))
            answered = True
        except Empty:
            with self._lock:
                self._stuck.append(hand)
            raise self._late(f"{self._who()} gave no answer within {limit:g} s.") from None
        finally:
            hand.rest(ready=answered)
        if raised is None:
            return answer
        if isinstance(raised, Exception | KeyboardInterrupt | SystemExit):
            raise raised
        raise self._failed(f"{self._who()} raised {type(raised).__name__}.") from raised


class _Hand(threading.Thread):
    """A thread that does one call after another: to begin one for each call takes four times the CPU, and longer."""

    def __init__(self) -> None:
        super().__init__(name="remanence-provider", daemon=True)
        self._tasks: SimpleQueue[tuple[Callable[[], Any], SimpleQueue[_Answer]] | None] = SimpleQueue()

    def do(self, work: Callable[[], Any]) -> SimpleQueue[_Answer]:
        """Where its answer, or what it raises, will be."""
        answers: SimpleQueue[_Answer] = SimpleQueue()
        self._tasks.put((work, answers))
        return answers

    def rest(self, *, ready: bool) -> None:
        """Wait for the next call; one that still works, or that enough others wait beside, ends after its work."""
        if ready and len(_resting) < _MOST_RESTING:
            _resting.append(self)
        else:
            self._tasks.put(None)

    def run(self) -> None:
        while task := self._tasks.get():
            work, answers = task
            try:
                answers.put((work(), None))
            except BaseException as error:  # handed to the caller
                answers.put((None, error))
            del task, work, answers  # while it waits it holds on to nothing


_Answer = tuple[Any, BaseException | None]
_resting: deque[_Hand] = deque()


def _hand() -> _Hand:
    """One that rests, or a new one; those of before a fork are gone."""
    while _resting:
        try:
            hand = _resting.pop()
        except IndexError:  # another thread was quicker
            break
        if hand.is_alive():
            return hand
    hand = _Hand()
    hand.start()
    return hand
