"""What any store must do for rules that look again: columns, due dates, counters, the chosen policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from remanence.model.columns import Columns, columns_of
from remanence.model.memory import Memory, State
from remanence.model.moment import NEVER, to_micros
from remanence.model.plan import Action, Change, Plan
from remanence.model.selection import Selection
from remanence.model.words import estimate_tokens
from remanence.store.protocol import Store, Total
from tests.conftest import START
from tests.contract.opened_store import ALL, DAY, OpenedStore

IN_TEN_DAYS = to_micros(START + 10 * DAY)


@dataclass
class FakeDater:
    """Everything is due ten days after its birth; what is pinned never."""

    fingerprint: str = "one"
    counts: frozenset[int] = frozenset()
    every_access: bool = False
    seen: list[Memory] = field(default_factory=list)

    def ready(self) -> None:
        """Nothing to import."""

    def due_at(self, memory: Memory) -> int | None:
        self.seen.append(memory)
        return None if memory.pinned else to_micros(memory.created_at + 10 * DAY)


class Dates(OpenedStore):
    """A store whose dates can be read and set."""

    def dates(self, store: Store | None = None) -> dict[str, int | None]:
        """The due date of each memory by its text, read from the file alone."""
        store = store or self.store
        store.flush()
        columns = store.columns(ALL)
        texts = {memory.id: memory.text for page in store.pages(ALL) for memory in page}
        dates = [None if date == NEVER else date for date in columns.due_at.tolist()]
        return {texts[id]: date for id, date in zip(columns.ids, dates, strict=True)}

    def dated(self, dates: dict[str, datetime | None], **fields: Any) -> dict[str, Memory]:
        """Memories with these due dates, by their texts."""
        memories = {text: self.memory(text, **fields) for text in dates}
        self.add(*memories.values())
        columns = self.store.columns(Selection(ids=tuple(memory.id for memory in memories.values())))
        new = [NEVER if date is None else to_micros(date) for date in dates.values()]
        self.store.redate(columns, np.array(new, dtype=np.int64))
        return memories

    def texts(self, columns: Columns, store: Store | None = None) -> list[str]:
        store = store or self.store
        ids = store.ids(columns.rows.tolist())
        found = store.get(ids)
        return [found[id].text for id in ids]

    def due(self, at: datetime, scopes: tuple[str, ...] | None = None, size: int = 100) -> list[str]:
        return [text for page in self.store.due(at, scopes, size) for text in self.texts(page)]

    def now(self, memory: Memory) -> Memory:
        return self.store.get([memory.id])[memory.id]

    @contextmanager
    def another(self, namespace: str = "test") -> Iterator[Store]:
        store = self.open_store(namespace)
        try:
            yield store
        finally:
            store.close()


class ColumnsContract(Dates):
    """Columns are the memories, in another form."""

    def test_columns_are_what_the_memories_are(self) -> None:
        moments = [START + number * DAY / 7 for number in range(25)]
        memories = [
            self.memory(),
            self.memory("Recalled", access_count=3, recent_accesses=tuple(moments[:3]), last_accessed_at=moments[2]),
            self.memory(
                "Full",
                scope="/a/b",
                kind="decision",
                layer="codebase",
                source="dream",
                importance=0.125,
                valence=-0.5,
                confidence=0.25,
                confirmations=7,
                pinned=True,
                exempt=True,
                expires_at=START + DAY,
                kept_until=START + 2 * DAY,
                state=State.QUARANTINED,
                revision=4,
            ),
            self.memory("Old", created_at=datetime(1912, 6, 23, tzinfo=UTC), state=State.SUPERSEDED),
        ]
        self.add(*memories)
        self.store.touch([memories[0].id, memories[1].id], moments[3])
        self.store.flush()
        for moment in moments[4:]:
            self.store.touch([memories[1].id], moment)
        for store in self.before_and_after_reopening():
            held = [memory for page in store.pages(ALL) for memory in page]
            assert [memory.access_count for memory in held] == [1, 25, 0, 0]
            columns = store.columns(ALL)
            self.same(columns, columns_of(held))
            assert list(columns.ids) == [memory.id for memory in held]
            assert columns.recent.shape == (4, 20)

    @staticmethod
    def same(found: Columns, expected: Columns) -> None:
        assert (found.scopes, found.kinds) == (expected.scopes, expected.kinds)
        for name in {each.name for each in fields(Columns)} - {"rows", "ids", "place", "places", "due_at"}:
            left, right = getattr(found, name), getattr(expected, name)
            assert (left.dtype, left.shape) == (right.dtype, right.shape), name
            assert (left == right).all(), name

    @pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
    def test_pages_of_columns_are_the_columns(self, size: int) -> None:
        self.add(*(self.memory(f"w{number}", scope=f"/{number % 3}", access_count=number) for number in range(7)))
        self.store.touch([self.store.select(ALL)[0].id], START + DAY)
        whole = self.store.columns(ALL)
        pages = list(self.store.column_pages(ALL, size))
        assert [len(page) for page in pages[:-1]] == [size] * (len(pages) - 1)
        assert all(page.ids == () for page in pages)
        assert [row for page in pages for row in page.rows.tolist()] == whole.rows.tolist()
        assert tuple(scope for page in pages for scope in page.scopes) == whole.scopes
        assert [n for page in pages for n in page.access_count.tolist()] == whole.access_count.tolist()
        assert self.store.ids(whole.rows.tolist()) == list(whole.ids)
        some = Selection(scopes=("/1",))
        assert [row for page in self.store.column_pages(some, size) for row in page.rows.tolist()] == (
            self.store.columns(some).rows.tolist()
        )

    def test_columns_of_nothing(self) -> None:
        for columns in (self.store.columns(ALL), self.store.columns(Selection(scopes=()))):
            assert (len(columns), columns.ids, columns.places, columns.recent.shape) == (0, (), (), (0, 0))
        assert list(self.store.column_pages(ALL)) == []
        assert self.store.ids([]) == []

    def test_a_row_keeps_its_id_also_when_it_was_purged(self) -> None:
        memories = [self.memory(f"w{number}") for number in range(3)]
        self.add(*memories)
        rows = self.store.columns(ALL).rows.tolist()
        purge = Change(memory_id=memories[1].id, action=Action.PURGE, reason="x")
        self.store.apply(Plan((purge,), verb="purge"), START)
        assert self.store.ids([rows[2], rows[1], rows[0], rows[2]]) == [memories[n].id for n in (2, 1, 0, 2)]


class DatingContract(Dates):
    """What is written is dated; what is due is found; a date is written only over what it was made from."""

    # -- on writing

    def test_what_is_written_is_dated(self) -> None:
        dater = FakeDater()
        self.store.date_with(dater)
        states = {state.value: self.memory(state.value, state=state) for state in State}
        pinned = self.memory("pinned", pinned=True)
        self.add(*states.values(), pinned)
        gone = {state.value: None for state in (State.ARCHIVED, State.FORGOTTEN, State.QUARANTINED)}
        expected = {"live": IN_TEN_DAYS, "superseded": IN_TEN_DAYS, "pinned": None, **gone}
        for _ in self.before_and_after_reopening():
            assert self.dates() == expected
            assert self.store.dated_under() == ("one", True)
        assert {memory.text for memory in dater.seen} == {"live", "superseded", "pinned"}

    def test_what_is_changed_is_dated_as_it_is_after_the_change(self) -> None:
        dater = FakeDater()
        self.store.date_with(dater)
        memory = self.memory("it")
        self.add(memory)
        self.store.touch([memory.id], START + DAY)
        changes: list[tuple[dict[str, Any], int | None]] = [
            ({"pinned": True}, None),
            ({"pinned": False}, IN_TEN_DAYS),
            ({"state": State.ARCHIVED}, None),
            ({"state": State.LIVE}, IN_TEN_DAYS),
            ({"state": State.SUPERSEDED}, IN_TEN_DAYS),
            ({"state": State.FORGOTTEN}, None),
        ]
        for change, date in changes:
            self.set(self.now(memory), **change)
            assert self.dates() == {"it": date}, change
        assert [seen.pinned for seen in dater.seen] == [False, True, False, False, False]
        assert dater.seen[1].access_count == 1, "accesses that are still on their way count"

    def test_without_a_dater_it_is_looked_at_by_the_next_sweep(self) -> None:
        memory = self.memory("live")
        self.add(memory, self.memory("superseded", state=State.SUPERSEDED), self.memory("gone", state=State.ARCHIVED))
        assert self.dates() == {"live": 0, "superseded": 0, "gone": None}
        assert self.store.dated_under() == (None, True)
        self.set(memory, pinned=True)
        assert self.dates()["live"] == 0
        self.store.date_with(FakeDater())
        self.add(self.memory("dated"))
        assert self.dates() == {"live": 0, "superseded": 0, "gone": None, "dated": IN_TEN_DAYS}
        assert self.store.dated_under() == ("one", True)

    def test_under_another_policy_it_is_looked_at_by_the_next_sweep(self) -> None:
        self.store.date_with(FakeDater("one"))
        memory = self.memory("first")
        self.add(memory)
        with self.another() as other:
            other.date_with(FakeDater("two"))
            self.add(self.memory("second"), store=other)
            other.apply(Plan((Change.of(memory, "test", importance=0.9),), verb="test"), START)
            assert self.dates() == {"first": 0, "second": 0}
            assert other.dated_under() == ("one", True)
            self.add(self.memory("third"))
            assert self.dates()["third"] == IN_TEN_DAYS
            other.begin_dating("two")
            self.add(self.memory("fourth"))
            self.add(self.memory("fifth"), store=other)
            assert (self.dates()["fourth"], self.dates()["fifth"]) == (0, IN_TEN_DAYS)

    def test_with_other_moments_of_accesses_it_is_looked_at_by_the_next_sweep(self) -> None:
        """A dater may go by their count alone, and that stays as it was."""
        self.store.date_with(FakeDater())
        live, gone = self.memory("live"), self.memory("gone", state=State.ARCHIVED)
        self.add(live, gone)
        assert self.dates() == {"live": IN_TEN_DAYS, "gone": None}
        for memory in (live, gone):
            self.set(memory, recent_accesses=(START,))
        assert self.dates() == {"live": 0, "gone": None}
        self.set(self.now(live), importance=0.9)
        assert self.dates()["live"] == IN_TEN_DAYS
        self.set(self.now(live), recent_accesses=())
        assert self.dates()["live"] == 0

    def test_a_first_write_that_is_rolled_back_dates_nothing(self) -> None:
        self.store.date_with(FakeDater())
        with pytest.raises(ZeroDivisionError), self.store.transaction():
            self.add(self.memory("lost"))
            assert self.store.dated_under() == ("one", True)
            raise ZeroDivisionError
        assert self.store.dated_under() == (None, True)
        self.add(self.memory("kept"))
        assert self.dates() == {"kept": IN_TEN_DAYS}
        assert self.store.dated_under() == ("one", True)

    # -- accesses

    def test_an_access_leaves_the_date_alone_until_a_count_is_reached(self) -> None:
        self.store.date_with(FakeDater(counts=frozenset({3, 6})))
        memory = self.memory("it")
        self.add(memory)
        expected = {1: IN_TEN_DAYS, 2: IN_TEN_DAYS, 3: 0, 4: 7, 5: 7, 6: 0, 7: 7}
        for count, date in expected.items():
            self.store.touch([memory.id], START)
            assert self.dates() == {"it": date}, count
            self.store.redate(self.store.columns(ALL), np.array([7]))
            if count < 3:
                self.store.redate(self.store.columns(ALL), np.array([IN_TEN_DAYS]))

    def test_a_count_that_is_passed_is_reached(self) -> None:
        self.store.date_with(FakeDater(counts=frozenset({3})))
        memories = [self.memory("jumps"), self.memory("starts past it", access_count=3), self.memory("stays")]
        self.add(*memories)
        for _ in range(5):
            self.store.touch([memory.id for memory in memories[:2]], START)
        assert self.dates() == {"jumps": 0, "starts past it": IN_TEN_DAYS, "stays": IN_TEN_DAYS}

    def test_what_was_never_due_is_due_when_a_count_is_reached(self) -> None:
        self.store.date_with(FakeDater(counts=frozenset({1})))
        memories = [self.memory(state.value, state=state, pinned=True) for state in State]
        self.add(*memories)
        self.store.touch([memory.id for memory in memories], START)
        assert self.dates() == {state.value: 0 if state in (State.LIVE, State.SUPERSEDED) else None for state in State}
        assert [memory.access_count for memory in self.store.select(ALL)] == [1] * 5

    def test_counts_of_a_policy_that_is_not_known_here_may_be_any(self) -> None:
        """A process that dates under another policy, or none, does not know at which counts those dates end."""
        self.store.date_with(FakeDater("one", counts=frozenset({5})))
        memories = [self.memory(text) for text in ("known", "unknown", "other")]
        self.add(*memories)
        self.store.touch([memories[0].id], START)
        self.store.flush()
        with self.another() as other:
            other.touch([memories[1].id], START)
            other.flush()
            other.date_with(FakeDater("two"))
            other.touch([memories[2].id], START)
        assert self.dates() == {"known": IN_TEN_DAYS, "unknown": 0, "other": 0}

    # -- what is due

    @pytest.mark.parametrize("size", [1, 2, 3, 100])
    def test_what_is_due_is_found_in_order(self, size: int) -> None:
        days = {"never": None, "d9": 9, "d2": 2, "d5": 5, "d5 too": 5, "d3": 3}
        self.dated({text: None if day is None else START + day * DAY for text, day in days.items()})
        self.add(self.memory("at once"), self.memory("gone", state=State.ARCHIVED))
        for day, expected in (
            (0, ["at once"]),
            (2, ["at once", "d2"]),
            (4, ["at once", "d2", "d3"]),
            (5, ["at once", "d2", "d3", "d5", "d5 too"]),
            (99, ["at once", "d2", "d3", "d5", "d5 too", "d9"]),
        ):
            at = START + day * DAY
            assert self.due(at, size=size) == expected
            assert all(len(page) <= size and page.ids == () for page in self.store.due(at, size=size))
            assert self.store.due_count(at) == len(expected)
        almost = START + 2 * DAY - timedelta(microseconds=1)
        assert self.due(almost, size=size) == ["at once"]
        assert self.store.due_count(almost) == 1
        assert self.due(datetime(1969, 1, 1, tzinfo=UTC)) == []

    @pytest.mark.parametrize(
        ("scopes", "expected"),
        [
            (None, "abcd"),
            (("/",), "abcd"),
            (("/p",), "bc"),
            (("/p/q",), "c"),
            (("/p/q", "/pq"), "cd"),
            (("/none",), ""),
            ((), ""),
        ],
    )
    def test_what_is_due_in_a_scope(self, scopes: tuple[str, ...] | None, expected: str) -> None:
        places = {"a": "/", "b": "/p", "c": "/p/q", "d": "/pq"}
        self.add(*(self.memory(name, scope=scope) for name, scope in places.items()))
        for size in (1, 3, 100):
            assert self.due(START, scopes, size) == list(expected)

    def test_what_is_due_stays_in_its_namespace(self) -> None:
        with self.another("other") as other:
            self.add(self.memory("mine"))
            self.add(self.memory("theirs", namespace="other"), store=other)
            assert self.due(START) == ["mine"]
            (page,) = other.due(START)
            assert self.texts(page, other) == ["theirs"]
            assert (self.store.due_count(START), other.due_count(START)) == (1, 1)
            assert self.store.redate(page, np.array([IN_TEN_DAYS])) == 0
            assert self.dates(other) == {"theirs": 0}

    @pytest.mark.parametrize("size", [1, 2, 5])
    def test_between_pages_rows_may_be_dated_again(self, size: int) -> None:
        """Also to a date that has come as well: a row is given out once."""
        self.dated({f"w{number}": START + number * DAY / 4 for number in range(20)})
        at = START + 30 * DAY
        seen: Counter[str] = Counter()
        for number, page in enumerate(self.store.due(at, size=size)):
            seen.update(self.texts(page))
            new = at + DAY if number % 3 == 0 else at - DAY if number % 3 == 1 else START
            assert self.store.redate(page, np.full(len(page), to_micros(new))) >= len(page) - 1
        assert sorted(seen.items()) == sorted((f"w{number}", 1) for number in range(20))

    def test_between_pages_rows_may_change(self) -> None:
        memories = self.dated({f"w{number}": START + number * DAY for number in range(9)})
        seen = []
        for page in self.store.due(START + 30 * DAY, size=2):
            seen += self.texts(page)
            changes = tuple(Change.of(memories[text], "test", state=State.ARCHIVED) for text in self.texts(page))
            self.store.apply(Plan(changes, verb="sweep"), START)
        assert seen == list(memories)
        assert self.due(START + 30 * DAY) == []

    def test_accesses_on_their_way_are_seen_in_what_is_due(self) -> None:
        memory = self.memory("it")
        self.add(memory)
        self.store.touch([memory.id], START + DAY)
        with self.store.transaction():
            self.store.touch([memory.id], START + 2 * DAY)
            (page,) = self.store.due(START)
            assert page.access_count.tolist() == [2]
            assert page.last_accessed_at.tolist() == [to_micros(START + 2 * DAY)]
            assert page.recent.tolist() == [[to_micros(START + day * DAY) for day in (1, 2)]]

    # -- dates are written over what they were made from

    def test_dates_are_no_changes(self) -> None:
        memory = self.memory("it")
        self.add(memory)
        journal = self.store.journal(10)
        columns = self.store.columns(ALL)
        assert self.store.redate(columns, np.array([5])) == 1
        assert self.store.redate(self.store.columns(ALL), np.array([5])) == 0
        assert self.store.redate(columns, np.array([6])) == 0, "it has another date than when it was read"
        assert self.store.redate(self.store.columns(ALL), np.array([NEVER])) == 1
        assert self.dates() == {"it": None}
        assert self.store.redate(self.store.columns(ALL), np.array([0])) == 1
        assert self.dates() == {"it": 0}
        assert (self.store.journal(10), self.now(memory).revision) == (journal, memory.revision)
        assert self.store.redate(columns.take(np.array([], dtype=int)), np.array([], dtype=np.int64)) == 0

    def test_only_live_and_superseded_memories_have_dates(self) -> None:
        self.add(*(self.memory(state.value, state=state) for state in State))
        assert self.store.redate(self.store.columns(ALL), np.full(5, 9)) == 2
        assert {text for text, date in self.dates().items() if date is not None} == {"live", "superseded"}

    def test_what_happened_since_the_columns_were_read_keeps_its_date(self) -> None:
        texts = ("changed", "recalled", "recalled just now", "dated", "purged", "left alone")
        memories = {text: self.memory(text) for text in texts}
        self.add(*memories.values())
        columns = self.store.columns(ALL)
        self.set(memories["changed"], importance=0.9)
        self.store.touch([memories["recalled"].id], START)
        self.store.flush()
        self.store.redate(columns.take(columns.rows == columns.rows[3]), np.array([7]))
        purge = Change(memory_id=memories["purged"].id, action=Action.PURGE, reason="x")
        self.store.apply(Plan((purge,), verb="purge"), START)
        with self.store.transaction():
            self.store.touch([memories["recalled just now"].id], START)
            assert self.store.redate(columns, np.full(6, 9)) == 1
        assert self.dates() == {"changed": 0, "recalled": 0, "recalled just now": 0, "dated": 7, "left alone": 9}

    @pytest.mark.parametrize("flushed", [False, True])
    def test_accesses_that_the_columns_held_do_not_stand_in_the_way(self, flushed: bool) -> None:
        """Whether they were on their way when the dates were written, or had come to the file meanwhile."""
        memories = [self.memory("recalled"), self.memory("not")]
        self.add(*memories)
        with self.store.transaction():
            self.store.touch([memories[0].id] * 3, START)
            columns = self.store.columns(ALL)
            if not flushed:
                assert self.store.redate(columns, np.array([8, 9])) == 2
        self.store.flush()
        if flushed:
            assert self.store.redate(columns, np.array([8, 9])) == 2
        assert self.dates() == {"recalled": 8, "not": 9}

    # -- dating everything anew

    def date_page(self, store: Store, date: int, size: int = 3) -> int:
        """Date a page; how many rows it had."""
        with store.transaction():
            page = store.undated(size)
            if page is None:
                return 0
            assert page.ids == ()
            store.redate(page, np.full(len(page), date, dtype=np.int64), onwards=True)
            return len(page)

    def test_everything_is_dated_anew_in_pages(self) -> None:
        self.store.date_with(FakeDater("one"))
        self.add(*(self.memory(f"w{number}") for number in range(7)), self.memory("gone", state=State.FORGOTTEN))
        self.add(self.memory("older", state=State.SUPERSEDED))
        assert (self.store.undated(), self.store.undated_count()) == (None, 0)
        self.store.date_with(FakeDater("two"))
        assert self.store.dated_under() == ("one", True)
        self.store.begin_dating("two")
        assert self.store.dated_under() == ("two", False)
        for left, number in ((8, 3), (5, 3), (2, 2), (0, 0)):
            assert self.store.undated_count() == left
            assert self.store.dated_under() == ("two", False)
            assert self.date_page(self.store, 42) == number
        assert self.store.dated_under() == ("two", True)
        assert set(self.dates().values()) == {42, None}
        assert self.dates()["gone"] is None
        self.store.begin_dating("two")
        assert (self.store.dated_under(), self.store.undated_count()) == (("two", True), 0)

    def test_a_dating_that_was_interrupted_goes_on(self) -> None:
        self.store.date_with(FakeDater("one"))
        self.add(*(self.memory(f"w{number}") for number in range(9)))
        self.store.begin_dating("two")
        assert self.date_page(self.store, 2) == 3
        with pytest.raises(ZeroDivisionError), self.store.transaction():
            assert self.date_page(self.store, 99) == 3
            raise ZeroDivisionError
        assert self.store.undated_count() == 6
        self.reopened()
        self.store.begin_dating("two")
        assert self.store.undated_count() == 6
        self.store.date_with(FakeDater("two"))
        self.add(self.memory("new"))
        assert self.dates()["new"] == IN_TEN_DAYS
        assert [self.date_page(self.store, 2) for _ in range(4)] == [3, 3, 1, 0]
        assert set(self.dates().values()) == {2}
        assert self.store.dated_under() == ("two", True)

    def test_a_page_that_is_not_dated_comes_again(self) -> None:
        self.add(*(self.memory(f"w{number}") for number in range(4)))
        self.store.begin_dating("two")
        first = self.store.undated(3)
        again = self.store.undated(3)
        assert first is not None and again is not None
        assert first.rows.tolist() == again.rows.tolist()
        assert self.store.redate(first, np.full(3, 5)) == 3
        assert self.store.undated_count() == 4, "dated, but not onwards"
        for _ in range(2):
            assert self.store.redate(first, np.full(3, 5), onwards=True) == 0
            assert self.store.undated_count() == 1
            assert self.store.undated(3) is not None

    def test_another_policy_begins_anew(self) -> None:
        self.add(*(self.memory(f"w{number}") for number in range(4)))
        self.store.begin_dating("two")
        assert self.date_page(self.store, 2) == 3
        self.store.begin_dating("three")
        assert (self.store.dated_under(), self.store.undated_count()) == (("three", False), 4)

    def test_two_that_date_at_once_share_the_work(self) -> None:
        self.add(*(self.memory(f"w{number}") for number in range(10)))
        with self.another() as other:
            looked_at = 0
            for store in (self.store, other):
                store.begin_dating("two")
            while step := self.date_page(self.store, 5, 2) + self.date_page(other, 5, 3):
                looked_at += step
            assert looked_at == 10
            assert set(self.dates().values()) == {5}
            assert self.store.dated_under() == other.dated_under() == ("two", True)

    def test_who_dates_under_what_is_no_longer_the_policy_stops(self) -> None:
        self.store.date_with(FakeDater("one"))
        self.add(*(self.memory(f"w{number}") for number in range(6)))
        with self.another() as other:
            self.store.begin_dating("two")
            assert self.date_page(self.store, 2) == 3
            stale = self.store.undated(3)
            assert stale is not None
            other.begin_dating("three")
            assert self.store.redate(stale, np.full(3, 2), onwards=True) == 0
            assert self.store.undated(3) is None
            assert other.dated_under() == ("three", False)
            assert [self.date_page(other, 3) for _ in range(3)] == [3, 3, 0]
            assert set(self.dates().values()) == {3}
            assert self.store.redate(self.store.columns(ALL), np.full(6, 2)) == 0
            other.begin_dating("two")
            assert self.store.redate(stale, np.full(3, 2), onwards=True) == 0, "these rows have other dates by now"
            assert self.store.undated_count() == 6, "and those before them were not dated"
            assert [self.date_page(self.store, 2) for _ in range(3)] == [3, 3, 0]
            assert other.dated_under() == ("two", True)

    def test_dating_where_nothing_is(self) -> None:
        assert (self.store.undated(), self.store.undated_count()) == (None, 0)
        self.store.begin_dating("two")
        assert (self.store.undated(), self.store.undated_count()) == (None, 0)
        assert self.store.dated_under() == ("two", True)
        self.store.date_with(FakeDater("two"))
        self.add(self.memory("it"))
        assert self.dates() == {"it": IN_TEN_DAYS}

    def test_each_namespace_is_dated_on_its_own(self) -> None:
        with self.another("other") as other:
            other.date_with(FakeDater("one"))
            self.store.date_with(FakeDater("one"))
            for number in range(3):
                self.add(self.memory(f"mine {number}"))
                self.add(self.memory(f"theirs {number}", namespace="other"), store=other)
            self.store.begin_dating("two")
            assert other.dated_under() == ("one", True)
            assert [self.date_page(self.store, 2, 2) for _ in range(3)] == [2, 1, 0]
            assert set(self.dates().values()) == {2}
            assert set(self.dates(other).values()) == {IN_TEN_DAYS}

    # -- the chosen policy

    def chosen(self, store: Store | None = None) -> str | None:
        return (store or self.store).in_force(START)[0]

    def test_the_chosen_policy_is_kept(self) -> None:
        assert self.chosen() is None
        self.store.choose_policy("name: ours\n", START)
        with self.another("other") as other:
            assert self.chosen(other) is None
            other.choose_policy("theirs", START)
        for store in self.before_and_after_reopening():
            assert self.chosen(store) == "name: ours\n"
        assert self.store.dated_under() == (None, True)
        self.store.date_with(FakeDater())
        self.add(self.memory("it"))
        assert (self.dates(), self.store.dated_under()) == ({"it": IN_TEN_DAYS}, ("one", True))
        self.store.choose_policy(None, START + DAY)
        assert (self.chosen(), self.store.dated_under()) == (None, ("one", True))


class CountersContract(Dates):
    """Counters say what counting would say."""

    BIRTHS = (
        datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(2026, 2, 28, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(2026, 3, 1, tzinfo=UTC),
        START,
    )

    def verify(self, store: Store | None = None) -> None:
        store = store or self.store
        held = [memory for page in store.pages(ALL) for memory in page]
        live = [memory for memory in held if memory.state is State.LIVE]
        expected: dict[tuple[str, str, State], Total] = {}
        for memory in held:
            before = expected.get((memory.scope, memory.kind, memory.state), Total(0, 0))
            expected[memory.scope, memory.kind, memory.state] = _and(before, memory)
        assert dict(store.totals()) == expected
        for category in ("x", "y", "none", "X"):
            tagged = [memory for memory in live if category in memory.categories]
            assert store.total_tagged(category) == _sum(tagged), category
        for birth in self.BIRTHS:
            for day in (birth.date(), (birth + DAY).date(), (birth - DAY).date()):
                born = [memory for memory in live if memory.created_at.date() < day]
                assert store.total_born_before(day) == _sum(born), day
        assert store.check().ok

    def filled(self) -> list[Memory]:
        memories = [
            self.memory(
                f"Memory {number} of {number} words " * (number + 1),
                scope=f"/s{number % 2}",
                kind=("fact", "decision")[number % 2],
                categories=(("x",), ("y", "x"), ())[number % 3],
                created_at=birth,
                last_accessed_at=birth,
            )
            for number, birth in enumerate(self.BIRTHS * 2)
        ]
        self.add(*memories)
        return memories

    def test_counters_of_nothing(self) -> None:
        assert self.store.totals() == {}
        assert self.store.total_tagged("x") == self.store.total_born_before(START.date()) == Total(0, 0)
        self.filled()
        self.verify()
        self.verify(self.reopened())

    @pytest.mark.parametrize("state", State)
    def test_counters_follow_states(self, state: State) -> None:
        memories = self.filled()
        changes = tuple(Change.of(memory, "test", state=state) for memory in memories[::2])
        receipt = self.store.apply(Plan(changes, verb="test"), START)
        self.verify()
        self.store.apply(receipt.inverse(), START)
        self.verify()
        assert self.store.total_born_before((START + DAY).date()) == _sum(memories)

    def test_counters_follow_purges_and_imports(self) -> None:
        memories = self.filled()
        self.set(memories[1], state=State.FORGOTTEN)
        purge = tuple(Change(memory_id=memory.id, action=Action.PURGE, reason="x") for memory in memories[:7])
        self.store.apply(Plan(purge, verb="purge"), START)
        self.verify()
        self.add(self.memory("Imported", state=State.ARCHIVED, categories=("x",)))
        self.verify()
        purge = tuple(Change(memory_id=memory.id, action=Action.PURGE, reason="x") for memory in memories[7:])
        self.store.apply(Plan(purge, verb="purge"), START)
        self.verify()
        assert set(self.store.totals()) == {("/", "fact", State.ARCHIVED)}

    def test_counters_follow_what_is_changed_in_place(self) -> None:
        memories = self.filled()
        self.set(memories[0], categories=("y",), created_at=START)
        self.set(memories[1], categories=(), state=State.SUPERSEDED, created_at=self.BIRTHS[0])
        self.verify()

    def test_counters_know_nothing_of_what_was_rolled_back(self) -> None:
        memories = self.filled()
        with pytest.raises(ZeroDivisionError), self.store.transaction():
            self.set(memories[0], state=State.FORGOTTEN)
            self.add(self.memory("Lost", categories=("x",)))
            raise ZeroDivisionError
        self.verify()

    def test_counters_stay_in_their_namespace(self) -> None:
        memories = self.filled()
        with self.another("other") as other:
            self.add(self.memory("Theirs", namespace="other", categories=("x",)), store=other)
            self.verify()
            self.verify(other)
            assert other.total_tagged("x").memories == other.total_born_before((START + DAY).date()).memories == 1
        assert self.store.total_tagged("x") == _sum(memory for memory in memories if "x" in memory.categories)

    def test_when_the_namespace_began(self) -> None:
        assert self.store.begun_at() is None
        with self.another("other") as other:
            self.add(self.memory("Theirs", namespace="other"), store=other)
            assert self.store.begun_at() is None
        self.set(self.memory("Unknown"), START + DAY, pinned=True)
        self.add(self.memory())
        assert self.store.begun_at() == START + DAY


def _and(total: Total, memory: Memory) -> Total:
    return Total(total.memories + 1, total.tokens + estimate_tokens(memory.text))


def _sum(memories: Any) -> Total:
    total = Total(0, 0)
    for memory in memories:
        total = _and(total, memory)
    return total
