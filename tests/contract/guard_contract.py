"""What any store must do for the guard: limits of trust, what waits for a person, what models cost."""

from __future__ import annotations

import threading

from remanence.model.memory import State
from remanence.model.report import Spent
from remanence.model.selection import Selection
from tests.contract.opened_store import ALL, OpenedStore


class GuardContract(OpenedStore):
    def test_a_limit_of_trust_is_kept_with_the_memory_and_its_columns(self) -> None:
        limited = self.memory("Made from a page", source="human", trust_limit=0.5)
        plain = self.memory("Said by a person")
        self.add(limited, plain)
        self.set(limited, uses=2)
        for store in self.before_and_after_reopening():
            memories = store.get([limited.id, plain.id])
            assert [memories[id].trust for id in (limited.id, plain.id)] == [0.5, 1.0]
            assert store.columns(ALL).trust_limit.tolist() == [0.5, 1.0]
            assert store.check().ok

    def test_quarantined_and_challenged_are_selected(self) -> None:
        apart = self.memory("Apart", state=State.QUARANTINED)
        live = self.memory("Live")
        doubted = self.memory("Doubted", challenged_by=live.id)
        self.add(apart, live, doubted)
        waiting = Selection(states=(State.QUARANTINED,))
        assert [memory.id for memory in self.store.select(waiting)] == [apart.id]
        assert self.store.count(waiting) == 1
        challenged = Selection(states=(State.LIVE,), challenged=True)
        assert [memory.id for page in self.store.pages(challenged) for memory in page] == [doubted.id]
        assert challenged.holds(doubted) and not challenged.holds(live)

    def test_spending_adds_up_a_day_and_model_apart_from_other_namespaces(self) -> None:
        purse = self.store.purse
        assert purse.spent("2026-03-01") == 0
        purse.spend("2026-03-01", "big", tokens_in=10, tokens_out=5, failed=False)
        purse.spend("2026-03-01", "big", tokens_in=1, tokens_out=0, failed=True)
        purse.spend("2026-03-01", "small", tokens_in=2, tokens_out=2, failed=False)
        purse.spend("2026-03-02", "big", tokens_in=100, tokens_out=0, failed=False)
        other = self.open_store("other")
        other.purse.spend("2026-03-01", "big", tokens_in=7, tokens_out=0, failed=False)
        for store in self.before_and_after_reopening():
            assert store.purse.spent("2026-03-01") == 20
            assert store.purse.days(2) == [
                Spent("2026-03-02", "big", 1, 0, 100, 0),
                Spent("2026-03-01", "big", 2, 1, 11, 5),
            ]
        assert other.purse.spent("2026-03-01") == 7
        other.close()

    def test_threads_spend_together(self) -> None:
        def spend() -> None:
            for _ in range(25):
                self.store.purse.spend("2026-03-01", "big", tokens_in=1, tokens_out=1, failed=False)

        threads = [threading.Thread(target=spend) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert self.store.purse.spent("2026-03-01") == 200
