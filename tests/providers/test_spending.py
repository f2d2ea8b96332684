"""What may still be spent, and what was."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from remanence.errors import LlmSpent, StoreUnavailable
from remanence.providers.spending import Account, Pocket

DAY = "2026-03-01"


class Purse(Pocket):
    """Keeps what it was given, and fails when told to."""

    def __init__(self, before: int = 0) -> None:
        super().__init__()
        self._days[DAY] = before
        self.rows: list[tuple[Any, ...]] = []
        self.broken = False

    def spend(self, day: str, model: str, *, tokens_in: int, tokens_out: int, failed: bool) -> None:
        if self.broken:
            raise StoreUnavailable("busy")
        super().spend(day, model, tokens_in=tokens_in, tokens_out=tokens_out, failed=failed)
        self.rows.append((day, model, tokens_in, tokens_out, failed))


def account(purse: Purse | None = None, run: int | None = None, day: int | None = None) -> Account:
    return Account(purse, lambda: DAY, tokens_per_run=run, tokens_per_day=day)


@pytest.mark.parametrize(
    ("limits", "asked", "said"),
    [
        ((None, None), 10**9, ""),
        ((100, None), 100, ""),
        ((100, None), 101, "0 of 100 tokens of this run are spent, and the call may take 101. Raise tokens_per_run"),
        ((0, None), 1, "0 of 0 tokens of this run"),
        ((None, 100), 40, ""),
        ((None, 100), 41, r"60 of 100 tokens of 2026-03-01 \(UTC\) are spent.*Raise tokens_per_day"),
        ((None, 0), 1, "60 of 0 tokens of 2026-03-01"),
    ],
)
def test_the_ceilings(limits: tuple[int | None, int | None], asked: int, said: str) -> None:
    made = account(Purse(before=60), *limits)
    if not said:
        made.hold("m", asked)
        return
    with pytest.raises(LlmSpent, match=said):
        made.hold("m", asked)


def test_what_is_held_counts_until_it_is_settled() -> None:
    purse = Purse()
    made = account(purse, 100, 100)
    first = made.hold("m", 60)
    with pytest.raises(LlmSpent, match="60 of 100"):
        made.hold("m", 60)
    first.settle(10, 5, failed=False)
    second = made.hold("n", 85)
    assert made.spent == 15
    second.settle(3, 0, failed=True)
    assert purse.rows == [(DAY, "m", 10, 5, False), (DAY, "n", 3, 0, True)]
    assert made.spent == 18


def test_nothing_spent_is_not_written() -> None:
    purse = Purse()
    account(purse).hold("m", 10).settle(0, 0, failed=True)
    assert not purse.rows


def test_another_day_is_another_ceiling() -> None:
    days = iter([DAY, "2026-03-02"])
    made = Account(Purse(before=95), lambda: next(days), tokens_per_day=100)
    with pytest.raises(LlmSpent):
        made.hold("m", 10)
    made.hold("m", 10)


def test_a_purse_that_fails_loses_nothing() -> None:
    purse = Purse()
    made = account(purse, day=100)
    purse.broken = True
    made.hold("m", 50).settle(30, 10, failed=False)
    assert made.spent == 40
    with pytest.raises(LlmSpent, match="40 of 100"):
        made.hold("m", 61)
    purse.broken = False
    made.hold("m", 50).settle(1, 1, failed=False)
    assert purse.rows == [(DAY, "m", 30, 10, False), (DAY, "m", 1, 1, False)]
    assert purse.spent(DAY) == 42


def test_threads_together_do_not_pass_the_ceiling() -> None:
    purse = Purse()
    made = account(purse, run=50)
    let_through: list[bool] = []
    start = threading.Barrier(8)

    def spend() -> None:
        start.wait(10)
        for _ in range(20):
            try:
                made.hold("m", 1).settle(1, 0, failed=False)
            except LlmSpent:
                continue
            let_through.append(True)

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(let_through) == made.spent == purse.spent(DAY) == 50
