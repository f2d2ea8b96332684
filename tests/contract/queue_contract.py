"""What any store must do for jobs that are wanted or have failed: listed until done by whoever holds the lease."""

from __future__ import annotations

from datetime import timedelta

import pytest

from remanence.errors import LeaseLost
from remanence.model.lease import Lease
from remanence.model.session import Task
from remanence.store.protocol import Store
from tests.conftest import START
from tests.contract.opened_store import OpenedStore

MINUTE = timedelta(minutes=1)
NAME = "stage1:s1"


class QueueContract(OpenedStore):
    def held(self, name: str = NAME, minutes: float = 0, holder: str = "a") -> Lease:
        lease = self.store.claim(name, holder, START + minutes * MINUTE, 60.0)
        assert lease is not None
        return lease

    def task(self, name: str = NAME, store: Store | None = None) -> Task | None:
        return next((task for task in (store or self.store).queue.tasks() if task.name == name), None)

    def fail(self, lease: Lease, minutes: float, again: float | None, why: str = "no answer") -> Task:
        later = None if again is None else START + again * MINUTE
        return self.store.queue.failed(lease, START + minutes * MINUTE, why, later)

    def test_what_is_wanted_is_listed_until_it_is_done(self) -> None:
        assert self.store.queue.tasks() == []
        self.store.queue.want(NAME, START)
        for store in self.before_and_after_reopening():
            assert store.queue.tasks() == [Task(name=NAME, wanted_at=START)]
        lease = self.held(minutes=1)
        self.store.queue.done(lease, wanted_before=START + MINUTE)
        assert self.store.queue.tasks() == []

    def test_wanted_twice_is_wanted_once_since_last(self) -> None:
        self.store.queue.want(NAME, START + MINUTE)
        self.store.queue.want(NAME, START)
        assert self.store.queue.tasks() == [Task(name=NAME, wanted_at=START + MINUTE)]

    def test_jobs_are_listed_by_the_beginning_of_their_names(self) -> None:
        for name in ("stage2:/b", "stage1:x", "stage2:/a", "Stage1:y", "stage1_x"):
            self.store.queue.want(name, START)

        def names(beginning: str = "") -> list[str]:
            return [task.name for task in self.store.queue.tasks(beginning)]

        assert names() == ["Stage1:y", "stage1:x", "stage1_x", "stage2:/a", "stage2:/b"]
        assert (names("stage1:"), names("stage2:/"), names("%")) == (["stage1:x"], ["stage2:/a", "stage2:/b"], [])

    def test_wanted_again_while_it_is_done_it_stays_as_if_new(self) -> None:
        self.store.queue.want(NAME, START)
        self.fail(self.held(minutes=1), 1, again=2)
        lease = self.held(minutes=3)
        self.store.queue.want(NAME, START + 4 * MINUTE)
        self.store.queue.done(lease, wanted_before=START + 3 * MINUTE)
        assert self.store.queue.tasks() == [Task(name=NAME, wanted_at=START + 4 * MINUTE)]

    def test_a_failure_is_kept_with_its_reason_and_when_it_is_tried_again(self) -> None:
        self.store.queue.want(NAME, START)
        told = self.fail(self.held(minutes=1), 1, again=11, why="the model said no")
        expected = Task(
            name=NAME,
            wanted_at=START,
            tries=1,
            failed_at=START + MINUTE,
            again_at=START + 11 * MINUTE,
            why="the model said no",
        )
        for store in self.before_and_after_reopening():
            assert told == self.task(store=store) == expected
        self.store.queue.want(NAME, START + 2 * MINUTE)
        again = self.task()
        assert again is not None and (again.tries, again.again_at) == (1, START + 11 * MINUTE), "it waits its time"
        told = self.fail(self.held(minutes=12), 12, again=32, why="it said no again")
        assert (told.tries, told.why, told.again_at) == (2, "it said no again", START + 32 * MINUTE)
        self.store.queue.done(self.held(minutes=33), wanted_before=START + 33 * MINUTE)
        assert self.task() is None

    def test_a_job_nobody_wanted_can_fail_too_and_is_done_with(self) -> None:
        told = self.fail(self.held(), 0, again=10)
        assert (told.wanted_at, told.tries) == (None, 1)
        self.store.queue.done(self.held(minutes=11), wanted_before=START)
        assert self.store.queue.tasks() == []

    def test_dead_after_its_last_try_until_wanted_anew(self) -> None:
        self.fail(self.held(), 0, again=10)
        dead = self.fail(self.held(minutes=11), 11, again=None, why="gone for good")
        assert (dead.dead, dead.tries, dead.again_at, dead.why) == (True, 2, None, "gone for good")
        assert self.task() == dead
        self.store.queue.want(NAME, START + 20 * MINUTE)
        assert self.store.queue.tasks() == [Task(name=NAME, wanted_at=START + 20 * MINUTE)]
        assert self.fail(self.held(minutes=21), 21, again=31).tries == 1

    def test_a_reason_is_cut(self) -> None:
        told = self.fail(self.held(), 0, again=10, why="why " * 1000)
        assert 0 < len(told.why) <= 300 and told.why.startswith("why why")

    def test_what_is_dropped_is_gone_done_or_not(self) -> None:
        for name in ("stage1:a", "stage1:b", "stage1:c"):
            self.store.queue.want(name, START)
        self.store.queue.drop(["stage1:a", "stage1:c", "nobody"])
        self.store.queue.drop([])
        assert [task.name for task in self.store.queue.tasks()] == ["stage1:b"]

    def test_who_was_replaced_can_say_nothing_of_the_job(self) -> None:
        self.store.queue.want(NAME, START)
        lease = self.held(holder="slow")
        successor = self.held(minutes=2, holder="quick")
        with pytest.raises(LeaseLost):
            self.store.queue.done(lease, wanted_before=START + MINUTE)
        with pytest.raises(LeaseLost):
            self.fail(lease, 3, again=None)
        assert self.store.queue.tasks() == [Task(name=NAME, wanted_at=START)]
        with self.store.transaction():
            self.store.queue.done(successor, wanted_before=START + 2 * MINUTE)
            self.store.finish(successor, START + 3 * MINUTE)
        assert self.store.queue.tasks() == []
        with pytest.raises(LeaseLost):
            self.store.queue.done(successor, wanted_before=START)

    def test_a_lease_of_the_same_token_by_another_holder_is_refused(self) -> None:
        """As after a claim that was rolled back, and one by somebody else."""
        with pytest.raises(ZeroDivisionError), self.store.transaction():
            lost = self.held(holder="one")
            raise ZeroDivisionError
        kept = self.held(holder="two")
        assert lost.token == kept.token
        with pytest.raises(LeaseLost, match="two"):
            self.fail(lost, 1, again=2)
        assert self.fail(kept, 1, again=2).tries == 1

    def test_what_is_rolled_back_did_not_happen(self) -> None:
        self.store.queue.want(NAME, START)
        with pytest.raises(ZeroDivisionError), self.store.transaction():
            self.fail(self.held(), 1, again=None)
            self.store.queue.drop([NAME])
            raise ZeroDivisionError
        assert self.store.queue.tasks() == [Task(name=NAME, wanted_at=START)]

    def test_namespaces_do_not_meet(self) -> None:
        other = self.open_store("other")
        self.store.queue.want(NAME, START)
        assert other.queue.tasks() == []
        other.queue.want(NAME, START + MINUTE)
        other.queue.drop([NAME])
        theirs = other.claim(NAME, "b", START, 60.0)
        assert theirs is not None
        other.queue.failed(theirs, START, "theirs", None)
        other.queue.done(theirs, wanted_before=START + MINUTE)
        assert self.store.queue.tasks() == [Task(name=NAME, wanted_at=START)]
        other.close()
