"""What any store must know of how it was lived in: active days, those that come late, and what was missed by kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from remanence.model.lived import Lived, Missed, day_of
from remanence.model.memory import Memory, State
from remanence.model.plan import Action, Change, Plan
from remanence.model.session import USER, Observation
from remanence.store.protocol import Store
from tests.conftest import START
from tests.contract.opened_store import ALL, DAY, OpenedStore

TODAY = day_of(START)


class ActivityContract(OpenedStore):
    def lived(self, at: datetime = START, store: Store | None = None) -> Lived:
        return (store or self.store).in_force(at)[1]

    def days(self, store: Store | None = None) -> list[int]:
        """Active days, counted from today."""
        return [day - TODAY for day in self.lived(store=store).days]

    def write(self, *memories: Memory, verb: str = "remember", at: datetime = START, **plan: Any) -> None:
        self.store.apply(Plan(tuple(map(Change.add, memories)), verb=verb, **plan), at)

    def observe(self, *moments: datetime) -> None:
        self.store.sessions.begin("s", "/p", "agent", START)
        said = [Observation(role=USER, text=f"said at {at}", at=at) for at in moments]
        self.store.sessions.append("s", said, "tests")

    def archived(self, *kinds: str, evidence: dict[str, float] | None = None) -> list[Memory]:
        """Memories of these kinds that a rule archived, or something else that gives no such evidence."""
        made = [self.memory(f"number {number} of {kind}", kind=kind) for number, kind in enumerate(kinds)]
        self.write(*made)
        told = {"idle_days": 91.0, "worth": 0.1} if evidence is None else evidence
        changes = [replace(Change.of(memory, "faded", state=State.ARCHIVED), evidence=told) for memory in made]
        self.store.apply(Plan(tuple(changes), verb="sweep", automatic=True), START)
        return made

    def miss(self, memories: Sequence[Memory]) -> None:
        self.store.log.add(None, [], [memory.id for memory in memories], START)
        self.store.flush()

    # -- active days

    def test_nobody_was_there(self) -> None:
        for store in self.before_and_after_reopening():
            assert store.in_force(START) == (None, Lived((), TODAY))
        assert self.store.weighed(START) == Lived((), TODAY)

    def test_a_write_makes_its_day_active_and_those_its_memories_bring_along(self) -> None:
        self.write(self.memory("now"))
        assert self.days() == [0]
        old = self.memory("old", created_at=START - 9 * DAY, last_accessed_at=START - 3 * DAY, access_count=1)
        self.write(old, self.memory("ahead", created_at=START + 9 * DAY), verb="import")
        for store in self.before_and_after_reopening():
            assert self.days(store) == [-9, -3, 0]

    def test_days_before_1970(self) -> None:
        self.write(self.memory("old", created_at=datetime(1969, 12, 31, 23, tzinfo=START.tzinfo)), verb="import")
        assert self.lived().days == (-1, TODAY)

    @pytest.mark.parametrize(
        ("verb", "fields", "plan"),
        [
            ("dream", {"source": "dream"}, {"automatic": True}),
            ("remember", {}, {"automatic": True}),
            ("sweep", {}, {}),
            ("undo", {}, {}),
            ("crystallize", {}, {}),
            ("remember", {"source": "extracted", "origin": "session:abc"}, {}),
        ],
    )
    def test_what_works_by_itself_is_nobody(self, verb: str, fields: dict[str, Any], plan: dict[str, Any]) -> None:
        memory = self.memory("made", **fields)
        self.write(memory, verb=verb, **plan)
        self.set(memory, importance=0.7)
        self.store.select(ALL)
        assert self.days() == []

    def test_an_access_makes_its_day_active_at_once_and_for_others_when_it_is_written(self) -> None:
        memory = self.memory("now", created_at=START)
        self.write(memory)
        self.store.touch([memory.id], START + 4 * DAY)
        assert self.days() == [0, 4]
        other = self.open_store("test")
        assert self.days(other) == [0]
        self.store.flush()
        assert self.days() == self.days(other) == [0, 4]
        other.close()
        assert self.days(self.reopened()) == [0, 4]

    def test_an_access_of_nothing_is_nobody(self) -> None:
        self.store.touch([], START)
        self.store.flush()
        assert self.days() == []

    def test_a_captured_session_makes_the_days_of_its_observations_active(self) -> None:
        self.observe(START - 5 * DAY, START - 5 * DAY, START)
        assert self.days() == [-5, 0]

    def test_what_is_rolled_back_did_not_happen(self) -> None:
        with pytest.raises(ZeroDivisionError), self.store.transaction():
            self.write(self.memory("now"))
            assert self.days() == [0]
            raise ZeroDivisionError
        assert self.days() == []
        self.write(self.memory("again"))
        assert self.days() == [0]

    def test_a_day_that_another_wrote_is_seen(self) -> None:
        self.write(self.memory("now"))
        assert self.days() == [0]
        other = self.open_store("test")
        memory = self.memory("then", created_at=START - 2 * DAY)
        other.apply(Plan((Change.add(memory),), verb="remember"), START)
        other.close()
        assert self.days() == [-2, 0]

    def test_a_namespace_has_its_own_days(self) -> None:
        self.write(self.memory("now"))
        other = self.open_store("other")
        assert self.days(other) == []
        other.close()

    def test_the_same_is_given_again_while_nothing_changed(self) -> None:
        self.write(self.memory("now"))
        first = self.lived()
        assert self.lived() is first
        assert self.lived(START + DAY).today == TODAY + 1
        assert self.lived() == first
        self.write(self.memory("another"))
        assert self.lived() == first

    # -- days that come late

    def test_a_day_is_late_where_dates_were_made_after_it(self) -> None:
        self.write(self.memory("now"))
        self.observe(START - 9 * DAY)
        assert self.lived().late_days == 0, "no date was made yet"
        assert self.store.weighed(START).late_days == 0
        self.observe(START, START + DAY)
        assert self.lived().late_days == 0
        self.observe(START - 9 * DAY)
        assert self.lived().late_days == 0, "it is known already"
        self.observe(START - 8 * DAY, START - 7 * DAY)
        for store in self.before_and_after_reopening():
            assert store.in_force(START)[1].late_days == 2
        self.store.weighed(START + 30 * DAY)
        memory = self.memory("late", created_at=START + 3 * DAY)
        self.write(memory, at=START + 30 * DAY)
        assert self.lived().late_days == 3
        self.store.touch([memory.id], START + 29 * DAY)
        self.store.flush()
        assert self.lived().late_days == 4

    def test_a_clock_that_was_set_back_makes_no_day_late_twice(self) -> None:
        self.store.weighed(START)
        self.store.weighed(START - 5 * DAY)
        self.observe(START - 2 * DAY)
        assert self.lived().late_days == 1

    # -- what was missed

    def test_what_was_missed_is_added_up_by_kind(self) -> None:
        made = self.archived("fact", "fact", "fact", "finding", "decision")
        self.miss([made[0], made[0], made[1], made[3]])
        assert self.lived().missed == {}, "not weighed yet"
        expected = {"fact": Missed(2, 3), "finding": Missed(1, 1)}
        assert self.store.weighed(START).missed == expected
        for store in self.before_and_after_reopening():
            assert store.in_force(START)[1].missed == expected

    def test_what_came_back_counts_on(self) -> None:
        made = self.archived("fact", "fact")
        self.miss(made[:1])
        self.set(self.store.get([made[0].id])[made[0].id], state=State.LIVE)
        assert self.store.weighed(START).missed == {"fact": Missed(1, 2)}

    def test_what_no_rule_archived_is_not_regretted(self) -> None:
        made = self.archived("fact", "fact", evidence={"similarity": 0.97})
        self.miss(made)
        assert self.store.weighed(START).missed == {}

    def test_a_purge_takes_its_share_of_the_sums_and_the_name_of_the_kind(self) -> None:
        made = self.archived("secret_kind", "fact", "fact")
        self.miss(made)
        assert set(self.store.weighed(START).missed) == {"secret_kind", "fact"}
        gone = [Change(memory_id=memory.id, action=Action.PURGE, reason="asked") for memory in made[:2]]
        self.store.apply(Plan(tuple(gone), verb="purge"), START)
        assert self.lived().missed == {"fact": Missed(1, 1)}

    def test_a_namespace_has_its_own_regrets(self) -> None:
        self.miss(self.archived("fact"))
        self.store.weighed(START)
        other = self.open_store("other")
        assert other.weighed(START).missed == {}
        other.close()
