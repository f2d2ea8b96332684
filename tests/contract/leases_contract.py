"""What any store must do about leases: one holder at a time, and a successor told apart from who was there before."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest

from remanence.errors import LeaseLost
from remanence.model.lease import Job, Lease
from remanence.model.plan import Change, Plan
from tests.conftest import START
from tests.contract.opened_store import ALL, OpenedStore

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


class LeasesContract(OpenedStore):
    """Leases of one minute."""

    def claim(self, holder: str = "a", after: timedelta = timedelta()) -> Lease | None:
        return self.store.claim("sweep", holder, START + after, 60.0)

    def held(self, holder: str = "a", after: timedelta = timedelta()) -> Lease:
        lease = self.claim(holder, after)
        assert lease is not None
        return lease

    def refused(self, lease: Lease, after: timedelta = 2 * MINUTE) -> None:
        """Nothing can be done with this lease any more, and nothing is left of trying."""
        now = START + after
        before, job = self.store.journal(100), self.store.job("sweep")
        plan = Plan((Change.add(self.memory("Written too late")),), verb="sweep")
        tries: list[Callable[[], object]] = [
            lambda: self.store.beat(lease, now, 60.0),
            lambda: self.store.finish(lease, now),
            lambda: self.store.apply(plan, now, lease=lease),
            lambda: self.store.apply(plan, now, strict=True, lease=lease),
        ]
        for act in tries:
            with pytest.raises(LeaseLost, match=r"'sweep'.*next run"):
                act()
        assert (self.store.journal(100), self.store.job("sweep")) == (before, job)

    def test_a_job_has_one_holder(self) -> None:
        assert self.store.job("sweep") == Job(name="sweep")
        assert self.claim("a") == Lease(name="sweep", holder="a", token=1, until=START + MINUTE)
        for holder in ("b", "a"):
            assert self.claim(holder, SECOND) is None
        for store in self.before_and_after_reopening():
            assert store.job("sweep") == Job(name="sweep", holder="a", token=1, until=START + MINUTE)

    def test_a_beat_keeps_it(self) -> None:
        lease = self.held()
        for minutes in range(1, 5):
            lease = self.store.beat(lease, START + minutes * MINUTE - SECOND, 60.0)
            assert lease == Lease(name="sweep", holder="a", token=1, until=START + (minutes + 1) * MINUTE - SECOND)
            assert self.claim("b", minutes * MINUTE) is None
        assert self.store.job("sweep").until == lease.until

    def test_what_is_finished_is_free(self) -> None:
        lease = self.held()
        self.store.finish(lease, START + SECOND)
        assert self.store.job("sweep") == Job(name="sweep", token=1, finished_at=START + SECOND)
        self.refused(lease)
        second = self.held("a", 2 * SECOND)
        assert second.token == 2, "a token is never given again"
        self.refused(lease)
        assert self.store.job("sweep").finished_at == START + SECOND
        self.store.finish(second, START + 3 * SECOND)
        assert self.store.job("sweep").finished_at == START + 3 * SECOND

    def test_who_does_not_beat_is_replaced(self) -> None:
        first = self.held()
        assert self.claim("b", MINUTE - SECOND) is None
        second = self.held("b", MINUTE)
        assert (second.token, second.until) == (2, START + 2 * MINUTE)
        self.refused(first, MINUTE + SECOND)
        self.store.apply(Plan((Change.add(self.memory()),), verb="sweep"), START, lease=second)
        self.store.finish(self.store.beat(second, START + MINUTE, 60.0), START + MINUTE)
        self.refused(first)
        self.refused(second)
        assert self.store.count(ALL) == 1

    def test_who_is_late_but_was_not_replaced_goes_on(self) -> None:
        lease = self.held()
        late = START + 5 * MINUTE
        self.store.apply(Plan((Change.add(self.memory()),), verb="sweep"), late, lease=lease)
        assert self.store.beat(lease, late, 60.0).until == late + MINUTE
        assert self.claim("b", 5 * MINUTE + SECOND) is None
        self.store.finish(lease, late)
        assert self.store.count(ALL) == 1

    def test_jobs_and_namespaces_are_apart(self) -> None:
        other = self.open_store("other")
        try:
            mine = self.held("a")
            assert self.store.claim("dream", "b", START, 60.0) is not None
            theirs = other.claim("sweep", "b", START, 60.0)
            assert theirs is not None and theirs.token == 1
            other.finish(theirs, START)
            assert self.store.job("sweep").holder == "a"
            assert other.claim("sweep", "c", START, 60.0) is not None
            self.store.beat(mine, START, 60.0)
            self.store.finish(mine, START)
            assert self.store.job("dream").holder == "b"
            assert other.job("sweep").holder == "c"
        finally:
            other.close()

    def test_a_lease_is_no_ones_that_was_never_given(self) -> None:
        self.refused(Lease(name="sweep", holder="a", token=1, until=START))
        self.held()
        self.refused(Lease(name="sweep", holder="a", token=7, until=START))

    @pytest.mark.parametrize(
        ("back", "is_free"), [(SECOND, False), (MINUTE, False), (9 * MINUTE, False), (9 * MINUTE + SECOND, True)]
    )
    def test_a_clock_set_back_far_does_not_keep_a_job_for_ever(self, back: timedelta, is_free: bool) -> None:
        """A lease may last ten times its span by the clock of who claims, and no longer."""
        lease = self.held()
        assert (self.claim("b", -back) is not None) is is_free
        if is_free:
            self.refused(lease, -back)

    def test_how_long_others_want_it_is_no_matter(self) -> None:
        self.held()
        assert self.store.claim("sweep", "b", START, 0.001) is None

    def test_a_claim_that_is_rolled_back_was_none(self) -> None:
        with pytest.raises(ZeroDivisionError), self.store.transaction():
            lease = self.held()
            raise ZeroDivisionError
        assert self.store.job("sweep") == Job(name="sweep")
        self.refused(lease)
        assert self.held("b").token == 1

    def test_threads_that_claim_at_once(self) -> None:
        """One holder string stands for one process: of its threads, too, only one gets the job."""
        got: list[Lease | None] = []
        ready = threading.Barrier(4)

        def work() -> None:
            ready.wait()
            got.append(self.claim())

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(lease is not None for lease in got) == [False, False, False, True]
