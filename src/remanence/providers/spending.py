"""`Account`: may a call be made, and what did it cost? In tokens, in and out together, for one run of a process.

A call is let through where what is spent, what other calls still hold and what this one may take stay within both
ceilings: `tokens_per_run` and `tokens_per_day` (a UTC day, all processes of the store). None is no ceiling; 0 lets
nothing through. What may be taken is the estimated prompt plus the most that may be written; retries come on top. A
process can pass the day's ceiling by what other processes hold just then.

A purse that cannot be written just now loses nothing: the cost is held here, counts, and is written with the next one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from remanence.errors import LlmSpent, RemanenceError
from remanence.providers.protocol import Purse


class _Cost(NamedTuple):
    day: str
    model: str
    tokens_in: int
    tokens_out: int
    failed: bool


class Account:
    """Shared by the writers of a run, and by their threads."""

    def __init__(
        self,
        purse: Purse | None,
        today: Callable[[], str],
        *,
        tokens_per_run: int | None = None,
        tokens_per_day: int | None = None,
    ) -> None:
        self._purse: Purse = Pocket() if purse is None else purse
        self._today = today
        self._tokens_per_run = tokens_per_run
        self._tokens_per_day = tokens_per_day
        self._lock = threading.Lock()
        self._paying = threading.Lock()
        self._spent = 0
        self._held = 0
        self._owed: list[_Cost] = []

    @property
    def spent(self) -> int:
        """Tokens of this run."""
        with self._lock:
            return self._spent

    def hold(self, model: str, tokens: int) -> Hold:
        """Sets aside what a call may take, or raises LlmSpent."""
        day = self._today()
        # The purse may be a file: it is read before the lock is taken, and only where its answer matters.
        of_day = self._purse.spent(day) if self._tokens_per_day is not None else 0
        with self._lock:
            of_day += sum(cost.tokens_in + cost.tokens_out for cost in self._owed if cost.day == day)
            for name, period, spent, most in (
                ("tokens_per_run", "this run", self._spent, self._tokens_per_run),
                ("tokens_per_day", f"{day} (UTC)", of_day, self._tokens_per_day),
            ):
                taken = spent + self._held
                if most is not None and taken + tokens > most:
                    raise LlmSpent(
                        f"The language model {model} was not asked: {taken:,} of {most:,} tokens of {period} are "
                        f"spent, and the call may take {tokens:,}. Raise {name}, or wait for the next "
                        f"{name.rpartition('_')[2]}."
                    )
            self._held += tokens
        return Hold(self, day, model, tokens)

    def _settle(self, held: int, cost: _Cost) -> None:
        with self._lock:
            self._held -= held
            if not cost.tokens_in and not cost.tokens_out:
                return
            self._spent += cost.tokens_in + cost.tokens_out
            self._owed.append(cost)
        with self._paying:
            while self._owed:
                one = self._owed[0]
                try:
                    self._purse.spend(
                        one.day, one.model, tokens_in=one.tokens_in, tokens_out=one.tokens_out, failed=one.failed
                    )
                except RemanenceError:
                    return
                with self._lock:
                    self._owed.pop(0)


class Hold:
    """What one call may take, until it is settled."""

    def __init__(self, account: Account, day: str, model: str, tokens: int) -> None:
        self._account = account
        self._day = day
        self._model = model
        self._tokens = tokens

    def settle(self, tokens_in: int, tokens_out: int, *, failed: bool) -> None:
        """What it did cost; nothing at all is not written down. To be called once."""
        self._account._settle(self._tokens, _Cost(self._day, self._model, tokens_in, tokens_out, failed))


class Pocket:
    """A purse for those who bring none: it forgets with the process."""

    def __init__(self) -> None:
        self._days: dict[str, int] = {}
        self._lock = threading.Lock()

    def spent(self, day: str) -> int:
        with self._lock:
            return self._days.get(day, 0)

    def spend(self, day: str, model: str, *, tokens_in: int, tokens_out: int, failed: bool) -> None:
        with self._lock:
            self._days[day] = self._days.get(day, 0) + tokens_in + tokens_out
