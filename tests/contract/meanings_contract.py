"""What any store must do with vectors, with the candidates of a recall, and with what was recalled."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from remanence.model.memory import Memory, State
from remanence.model.moment import NEVER, to_micros
from remanence.model.plan import Action, Change, Plan
from remanence.model.selection import EVERY_STATE, Selection
from remanence.store.protocol import Candidates, Embedded, Fading, Recent, Store, Use, Waiting
from tests.conftest import START
from tests.contract.opened_store import DAY, NO_ID, OpenedStore

SIZE = 16


def embedded(*numbers: float, model: str = "m", size: int = SIZE) -> Embedded:
    """A unit vector that begins with these numbers."""
    vector = np.zeros(size, dtype=np.float32)
    vector[: len(numbers)] = numbers
    return Embedded(model, vector / np.linalg.norm(vector))


def near(cosine: float, **rest: Any) -> Embedded:
    return embedded(cosine, (1 - cosine**2) ** 0.5, **rest)


EAST = embedded(1)


class _Vectors(OpenedStore):
    def enter(self, *memories: Memory, vectors: Sequence[Embedded | None] = (), store: Store | None = None) -> None:
        """Add memories with their vectors; those that have none wait."""
        given = {m.id: v for m, v in zip(memories, vectors, strict=False) if v is not None}
        plan = Plan(tuple(map(Change.add, memories)), verb="remember")
        (store or self.store).apply(plan, START, embedded=given)

    def some(self, *cosines: float, **fields: Any) -> list[Memory]:
        made = [self.memory(f"Text {n}", **fields) for n in range(len(cosines))]
        self.enter(*made, vectors=[near(cosine) for cosine in cosines])
        return made

    def near_east(self, store: Store | None = None, number: int = 10, but: str | None = None) -> list[str]:
        found = (store or self.store).meanings.neighbours(EAST, number, but)
        assert [cosine for _, cosine in found] == sorted((cosine for _, cosine in found), reverse=True)
        return [id for id, _ in found]

    def purge(self, *ids: str) -> None:
        changes = (Change(memory_id=id, action=Action.PURGE, reason="purged") for id in ids)
        self.store.apply(Plan(tuple(changes), verb="purge"), START)


class MeaningsContract(_Vectors):
    # --- who waits

    def test_what_has_no_vector_waits_in_the_order_of_writing(self) -> None:
        first, second, third = (self.memory(f"Text {n}") for n in range(3))
        self.enter(first)
        self.enter(second, vectors=[EAST])
        self.store.apply(Plan((Change.add(third),), verb="remember"), START, unjudged=True)
        expected = [Waiting(first.id, "Text 0", False), Waiting(third.id, "Text 2", True)]
        for store in self.before_and_after_reopening():
            assert store.meanings.waiting(10) == expected
            assert store.meanings.waiting(1) == expected[:1]
            assert store.meanings.waiting_count() == 2
            assert store.meanings.models() == {"m": 1}

    def test_a_vector_ends_the_waiting(self) -> None:
        memory = self.memory()
        self.enter(memory)
        assert self.store.meanings.put(memory.id, near(0.5))
        assert self.store.meanings.waiting(10) == []
        assert self.store.meanings.waiting_count() == 0
        assert not self.store.meanings.put(NO_ID, EAST)
        for store in self.before_and_after_reopening():
            assert self.near_east(store) == [memory.id]

    def test_giving_a_vector_is_no_change(self) -> None:
        memory = self.memory()
        self.enter(memory)
        journal = self.store.journal(10)
        self.store.meanings.put(memory.id, EAST)
        assert self.store.get([memory.id])[memory.id] == memory
        assert self.store.journal(10) == journal

    def test_a_vector_is_read_back_as_it_was(self) -> None:
        chance = np.random.default_rng(5)
        rows = chance.standard_normal((5, SIZE)).astype(np.float32)
        vectors = [Embedded("m", row / np.linalg.norm(row)) for row in rows]
        made = [self.memory(f"Text {n}") for n in range(6)]
        self.enter(*made, vectors=vectors)
        for store in self.before_and_after_reopening():
            found = store.meanings.of([memory.id for memory in made] + [NO_ID], "m")
            assert list(found) == [memory.id for memory in made[:5]]
            for memory, vector in zip(made, vectors, strict=False):
                assert np.array_equal(found[memory.id], vector.vector)
            assert store.meanings.of([made[0].id], "another") == {}

    @pytest.mark.parametrize("size", [2, 7, 65, 384, 3072])
    def test_vectors_of_any_length(self, size: int) -> None:
        chance = np.random.default_rng(size)
        rows = chance.standard_normal((3, size)).astype(np.float32)
        vectors = [Embedded("m", row / np.linalg.norm(row)) for row in rows]
        made = [self.memory(f"Text {n}") for n in range(3)]
        self.enter(*made, vectors=vectors)
        for store in self.before_and_after_reopening():
            found = store.meanings.of([made[1].id], "m")[made[1].id]
            assert np.array_equal(found, vectors[1].vector)
            assert store.meanings.neighbours(vectors[1], 1)[0] == (made[1].id, pytest.approx(1.0, abs=1e-5))
        assert self.store.check().problems == ()

    # --- who is near

    def test_the_nearest_live_memories_come_first(self) -> None:
        made = self.some(0.1, 0.9, -0.5, 0.7)
        for store in self.before_and_after_reopening():
            found = store.meanings.neighbours(EAST, 3)
            assert [id for id, _ in found] == [made[1].id, made[3].id, made[0].id]
            assert [cosine for _, cosine in found] == pytest.approx([0.9, 0.7, 0.1], abs=1e-6)
            assert len(store.meanings.neighbours(EAST, 10)) == 4
        assert self.near_east(number=2, but=made[1].id) == [made[3].id, made[0].id]
        assert self.near_east(number=1, but=NO_ID) == [made[1].id]

    def test_vectors_given_together_are_as_if_given_one_by_one(self) -> None:
        """Each meets what stood before and those before it, as they are now, and nobody after it."""
        stood, faded = self.some(0.2, -0.9)
        waiting = [self.memory(f"Text {n}") for n in range(2, 6)]
        self.enter(*waiting)
        archived = waiting[1]
        self.set(archived, state=State.ARCHIVED)
        given = [near(0.1), near(0.95), near(0.99), near(0.9)]
        batch = [Waiting(memory.id, memory.text, True) for memory in waiting]
        batch.insert(2, Waiting(faded.id, faded.text, False))
        batch.append(Waiting(NO_ID, "gone", True))
        given.insert(2, near(0.98))
        found = self.store.meanings.put_all(batch, [*given, EAST], 3, -1.0)
        first, second, third = waiting[0], waiting[2], waiting[3]
        assert {id: [near for near, _ in neighbours] for id, neighbours in found.items()} == {
            first.id: [stood.id, faded.id],
            archived.id: [stood.id, first.id, faded.id],
            faded.id: [],
            second.id: [faded.id, stood.id, first.id],
            third.id: [faded.id, second.id, stood.id],
        }
        for store in self.before_and_after_reopening():
            assert self.near_east(store) == [second.id, faded.id, third.id, stood.id, first.id]
            assert store.check().problems == ()

    def test_only_who_is_near_enough_is_named(self) -> None:
        made = self.some(0.9, 0.5)
        assert self.store.meanings.neighbours(EAST, 2, named_from=0.8) == [
            (made[0].id, pytest.approx(0.9, abs=1e-6)),
            ("", pytest.approx(0.5, abs=1e-6)),
        ]

    def test_an_empty_namespace_has_no_neighbours(self) -> None:
        assert self.store.meanings.neighbours(EAST, 5) == []
        self.enter(self.memory())
        assert self.store.meanings.neighbours(EAST, 5) == []

    @pytest.mark.parametrize("state", [state for state in State if state is not State.LIVE])
    def test_what_leaves_is_no_neighbour_until_it_comes_back(self, state: State) -> None:
        gone, there = self.some(0.9, 0.5)
        assert self.near_east() == [gone.id, there.id]
        self.set(gone, state=state)
        assert self.near_east() == [there.id]
        (now,) = self.store.get([gone.id]).values()
        self.set(now, state=State.LIVE)
        for store in self.before_and_after_reopening():
            assert self.near_east(store) == [gone.id, there.id]

    def test_what_is_purged_is_no_neighbour(self) -> None:
        gone, there, last = self.some(0.9, 0.5, 0.7)
        assert self.near_east() == [gone.id, last.id, there.id]
        self.purge(gone.id, last.id)
        for store in self.before_and_after_reopening():
            assert self.near_east(store) == [there.id]
            assert store.meanings.of([gone.id, last.id], "m") == {}
        new = self.some(0.8)[0]
        assert self.near_east() == [new.id, there.id]

    def test_a_new_vector_takes_the_place_of_the_old(self) -> None:
        one, other = self.some(0.9, 0.5)
        assert self.near_east() == [one.id, other.id]
        self.store.meanings.put(one.id, near(0.1))
        for store in self.before_and_after_reopening():
            assert self.near_east(store) == [other.id, one.id]

    def test_what_another_wrote_is_there_at_the_next_look(self) -> None:
        (first,) = self.some(0.5)
        assert self.near_east() == [first.id]
        other = self.open_store("test")
        try:
            new = self.memory("Of another")
            self.enter(new, vectors=[near(0.9)], store=other)
            assert self.near_east() == [new.id, first.id]
            other.apply(Plan((Change.of(first, "test", state=State.ARCHIVED),), verb="test"), START)
            assert self.near_east() == [new.id]
            other.meanings.put(first.id, near(0.95))
            other.apply(Plan((Change(memory_id=new.id, action=Action.PURGE, reason="purged"),), verb="purge"), START)
            assert self.near_east() == []
            newest = self.memory("Of another again")
            self.enter(newest, vectors=[near(0.2)], store=other)
            assert self.near_east() == self.near_east(other) == [newest.id]
        finally:
            other.close()

    def test_a_transaction_sees_what_it_wrote_and_what_is_taken_back_leaves_no_trace(self) -> None:
        (first,) = self.some(0.5)
        new = self.memory("Taken back")
        with pytest.raises(KeyboardInterrupt), self.store.transaction():
            self.enter(new, vectors=[near(0.9)])
            self.store.meanings.put(first.id, near(0.1))
            assert self.near_east() == [new.id, first.id]
            raise KeyboardInterrupt
        assert self.store.meanings.neighbours(EAST, 5) == [(first.id, pytest.approx(0.5, abs=1e-6))]
        again = self.memory("Written in its place")
        self.enter(again, vectors=[near(-0.3)])
        assert self.store.meanings.neighbours(EAST, 5) == [
            (first.id, pytest.approx(0.5, abs=1e-6)),
            (again.id, pytest.approx(-0.3, abs=1e-6)),
        ]

    @pytest.mark.parametrize("seed", range(6))
    def test_whoever_writes_a_transaction_finds_all_that_is_there(self, seed: int) -> None:
        """Each write looks first, as remember does, so that what was held before it is used again."""
        chance = random.Random(seed)
        stores = [self.store, self.open_store("test")]
        there: dict[str, tuple[Memory, float, str]] = {}
        late: list[tuple[str, Memory]] = []

        def expected(model: str) -> list[tuple[str, float]]:
            found = [(memory.id, cosine) for memory, cosine, by in there.values() if by == model]
            return [(id, pytest.approx(cosine, abs=1e-5)) for id, cosine in sorted(found, key=lambda one: -one[1])]

        try:
            for number in range(60):
                store, model = chance.choice(stores), chance.choice("mmmmn")
                east = embedded(1, model=model)
                deed = chance.choice(
                    ["add", "add", "add", "two", "roll back", "leave", "purge", "anew", "wait", "late"]
                )
                some = chance.choice(list(there)) if there else None
                before, cosine = dict(there), chance.uniform(-0.9, 0.9)
                new = [self.memory(f"Text {number} {place}") for place in range(2 if deed == "two" else 1)]
                with suppress(KeyboardInterrupt), store.transaction():
                    assert store.meanings.neighbours(east, 99) == expected(model)
                    if deed in ("add", "two", "roll back"):
                        for place, memory in enumerate(new):
                            self.enter(memory, vectors=[near(cosine + place / 9999, model=model)], store=store)
                            there[memory.id] = (memory, cosine + place / 9999, model)
                            assert store.meanings.neighbours(east, 99) == expected(model)
                    elif deed == "wait":
                        self.enter(*new, store=store)
                        late += [(memory.id, memory) for memory in new]
                    elif late and deed == "late":
                        waiting = [Waiting(id, "", chance.random() < 0.5) for id, _ in late]
                        vectors = [near(cosine + place / 999, model=model) for place in range(len(late))]
                        store.meanings.put_all(waiting, vectors, 5, 0.0)
                        there |= {id: (memory, cosine + n / 999, model) for n, (id, memory) in enumerate(late)}
                        late = []
                    elif some is not None and deed == "leave":
                        change = Change.of(there.pop(some)[0], "test", state=State.ARCHIVED)
                        store.apply(Plan((change,), verb="test"), START)
                    elif some is not None and deed == "purge":
                        del there[some]
                        gone = Change(memory_id=some, action=Action.PURGE, reason="purged")
                        store.apply(Plan((gone,), verb="purge"), START)
                    elif some is not None and deed == "anew":
                        there[some] = (there[some][0], cosine, model)
                        store.meanings.put(some, near(cosine, model=model))
                    assert store.meanings.neighbours(east, 99) == expected(model)
                    if deed == "roll back":
                        there = before
                        raise KeyboardInterrupt
                for each in chance.sample(stores, chance.randrange(3)):
                    assert each.meanings.neighbours(east, 99) == expected(model)
        finally:
            stores[1].close()

    def test_others_do_not_see_a_transaction_under_way(self) -> None:
        (first,) = self.some(0.5)
        seen: list[list[str]] = []
        new = self.memory("Under way")
        with self.store.transaction():
            self.enter(new, vectors=[near(0.9)])
            assert self.near_east() == [new.id, first.id]
            newest = self.memory("Under way too")
            self.enter(newest, vectors=[near(0.95)])
            thread = threading.Thread(target=lambda: seen.append(self.near_east()))
            thread.start()
            thread.join(10)
            assert self.near_east() == [newest.id, new.id, first.id]
        assert seen == [[first.id]]
        assert self.near_east() == [newest.id, new.id, first.id]

    def test_equally_near_ones_come_in_one_order(self) -> None:
        made = self.some(*[0.5] * 12)
        found = self.near_east(number=5)
        assert found == [memory.id for memory in reversed(made)][:5]
        assert self.near_east(self.reopened(), number=5) == found

    # --- models

    def test_models_are_never_compared(self) -> None:
        ours, theirs, longer = (self.memory(f"Text {n}") for n in range(3))
        self.enter(
            ours, theirs, longer, vectors=[near(0.5), near(1.0, model="other"), near(1.0, model="other", size=SIZE + 1)]
        )
        for store in self.before_and_after_reopening():
            assert self.near_east(store) == [ours.id]
            assert [id for id, _ in store.meanings.neighbours(near(1, model="other"), 5)] == [theirs.id]
            assert [id for id, _ in store.meanings.neighbours(near(1, model="other", size=SIZE + 1), 5)] == [longer.id]
            assert store.meanings.neighbours(near(1, model="unknown"), 5) == []
            assert store.meanings.neighbours(near(1, size=SIZE + 1), 5) == []
            assert store.meanings.models() == {"m": 1, "other": 2}

    def test_a_model_of_a_transaction_that_was_taken_back_is_not_mixed_up_with_the_next(self) -> None:
        """Its number is free again, and another process may have given it to another model."""
        with pytest.raises(KeyboardInterrupt), self.store.transaction():
            self.enter(self.memory("Taken back"), vectors=[EAST])
            raise KeyboardInterrupt
        other = self.open_store("test")
        try:
            self.enter(self.memory("Of another model"), vectors=[near(0.9, model="other")], store=other)
            assert self.store.meanings.neighbours(EAST, 5) == []
            assert self.store.meanings.of([self.store.select(Selection())[0].id], "m") == {}
        finally:
            other.close()

    def test_what_another_model_made_is_outdated(self) -> None:
        made = [self.memory(f"Text {n}") for n in range(5)]
        old = [near(0.5, model="old") for _ in range(3)]
        self.enter(*made, vectors=[old[0], EAST, old[1], old[2], None])
        for store in self.before_and_after_reopening():
            expected = [Waiting(made[n].id, f"Text {n}", False) for n in (0, 2, 3)]
            assert store.meanings.outdated("m", len(EAST.vector), 10) == expected
            assert store.meanings.outdated("m", len(EAST.vector), 2) == expected[:2]
            assert store.meanings.outdated("m", len(EAST.vector), 10, made[0].id) == expected[1:]
            assert store.meanings.outdated("m", len(EAST.vector), 10, made[3].id) == []
            assert len(store.meanings.outdated("new", len(EAST.vector), 10)) == 4
        self.store.meanings.put(made[0].id, EAST)
        assert self.store.meanings.outdated("m", len(EAST.vector), 10) == expected[1:]
        assert self.near_east() == [made[1].id, made[0].id]

    # --- precision

    def look(self, at: Any = START + 2 * DAY, size: int = 100) -> Fading:
        fading = self.store.meanings.fading(at, size)
        assert fading is not None
        return fading

    def fade(self, *bits: int, at: Any = START + 2 * DAY, until: int = NEVER) -> int:
        fading = self.look(at)
        dates = np.full(len(fading.columns), until, dtype=np.int64)
        return self.store.meanings.fade(fading, np.array(bits, dtype=np.int8), dates)

    def test_a_vector_is_looked_at_when_its_date_has_come(self) -> None:
        made = self.some(0.9, 0.5)
        self.enter(self.memory("Without a vector"))
        assert self.store.meanings.fading(START, 10) is None
        fading = self.look()
        assert self.store.ids(fading.columns.rows.tolist()) == [memory.id for memory in made]
        assert fading.bits.tolist() == [32, 32]
        assert len(self.look(size=1).columns) == 1
        assert self.fade(32, 8, until=to_micros(START + 5 * DAY)) == 1
        assert self.store.meanings.fading(START + 4 * DAY, 10) is None
        for store in self.before_and_after_reopening():
            fading = store.meanings.fading(START + 5 * DAY, 10)
            assert fading is not None and fading.bits.tolist() == [32, 8]
            assert store.check().problems == ()

    @pytest.mark.parametrize(("bits", "least"), [(8, 0.9999), (4, 0.97), (2, 0.59)])
    def test_a_coarser_vector_is_about_the_same(self, bits: int, least: float) -> None:
        chance = np.random.default_rng(bits)
        rows = chance.standard_normal((20, 384)).astype(np.float32)
        vectors = [Embedded("m", row / np.linalg.norm(row)) for row in rows]
        made = [self.memory(f"Text {n}") for n in range(20)]
        self.enter(*made, vectors=vectors)
        assert self.fade(*[bits] * 20) == 20
        for store in self.before_and_after_reopening():
            found = store.meanings.of([memory.id for memory in made], "m")
            cosines = [found[memory.id] @ vector.vector for memory, vector in zip(made, vectors, strict=True)]
            assert np.mean(cosines) >= least
            for memory, vector in zip(made[:5], vectors, strict=False):
                assert store.meanings.neighbours(vector, 1)[0][0] == memory.id
            assert store.check().problems == ()

    def test_what_is_to_be_finer_waits_to_be_embedded_anew(self) -> None:
        one, other = self.some(0.9, 0.5)
        self.fade(2, 2, until=to_micros(START + 3 * DAY))
        assert self.fade(32, 2, at=START + 3 * DAY) == 0
        assert self.store.meanings.waiting(5) == [Waiting(one.id, "Text 0", False)]
        assert one.id in self.near_east(), "until then it is compared as it is"
        self.store.meanings.put(one.id, near(0.9))
        assert self.store.meanings.waiting_count() == 0
        assert self.look().bits.tolist() == [32], "what is new is looked at soon"
        assert set(self.near_east()) == {one.id, other.id}

    def test_fading_is_seen_by_who_holds_vectors_in_memory(self) -> None:
        made = self.some(0.9, 0.5)
        self.near_east()
        before = self.store.meanings.neighbours(EAST, 2)
        other = self.open_store("test")
        try:
            fading = other.meanings.fading(START + 2 * DAY, 10)
            assert fading is not None
            other.meanings.fade(fading, np.array([2, 32], dtype=np.int8), np.array([NEVER, NEVER]))
            after = self.store.meanings.neighbours(EAST, 2)
            assert after != before
            assert after == other.meanings.neighbours(EAST, 2)
            assert {id for id, _ in after} == {memory.id for memory in made}
        finally:
            other.close()

    def test_who_looks_at_an_older_moment_leaves_nothing_stale_behind(self) -> None:
        """A reader that began before a vector was recoded must not keep the old one in memory for those after it."""
        made = self.some(0.9, 0.5)
        self.near_east()
        began, go_on = threading.Event(), threading.Event()
        meanings: Any = self.store.meanings
        nearest = meanings._nearest
        matrix = nearest.matrix

        def slow(*given: Any) -> Any:
            found = matrix(*given)
            if threading.current_thread() is thread:
                began.set()
                go_on.wait(10)
            return found

        thread = threading.Thread(target=self.near_east)
        nearest.matrix = slow
        with self.store.transaction():  # so that the thread reads beside it, and not before it
            thread.start()
            assert began.wait(10)
            self.fade(2, 2)
        nearest.matrix = matrix
        self.store.candidates(None, EAST, Selection(scopes=("/elsewhere",)), 5)  # follows, and looks at no vector
        go_on.set()
        thread.join(10)
        expected = self.open_store("test")
        try:
            assert self.store.meanings.neighbours(EAST, 2) == expected.meanings.neighbours(EAST, 2)
        finally:
            expected.close()
        assert len(made) == 2

    # --- walls

    def test_namespaces_never_meet(self) -> None:
        ours = self.some(0.5, files=("a.py",))[0]
        other = self.open_store("other")
        try:
            theirs = replace(self.memory("Text 0", files=("a.py",)), namespace="other")
            waiting = replace(self.memory("Text 1"), namespace="other")
            self.enter(theirs, waiting, vectors=[near(0.99)], store=other)
            assert self.near_east() == [ours.id]
            assert self.near_east(other) == [theirs.id]
            assert self.store.meanings.waiting_count() == 0
            assert self.store.meanings.waiting(5) == []
            assert not self.store.meanings.put(waiting.id, EAST)
            assert self.store.meanings.of([theirs.id], "m") == {}
            assert self.store.meanings.models() == {"m": 1}
            assert other.meanings.models() == {"m": 1}
            assert len(self.look().columns) == 1
            assert self.store.meanings.outdated("new", len(EAST.vector), 5) == [Waiting(ours.id, "Text 0", False)]
            found = self.store.candidates("text", EAST, Selection(), 10, files=["a.py"], ids=[theirs.id])
            assert [memory.id for memory in self.store.memories(found.rows.tolist()).values()] == [ours.id]
        finally:
            other.close()


class CandidatesContract(_Vectors):
    """Whoever asks for candidates looks whether the selection holds them: files and neighbours come in any case."""

    def found(self, candidates: Candidates, selection: Selection) -> dict[str, tuple[bool, float | None, bool]]:
        """By id: whether it holds a word, its cosine where there is one, whether it names a file."""
        rows = candidates.rows.tolist()
        assert len(set(rows)) == len(rows) == len(candidates.text) == len(candidates.vector) == len(candidates.by_file)
        memories = self.store.memories(rows)
        return {
            memories[no].id: (text > 0, None if np.isnan(cosine) else round(float(cosine), 4), bool(by_file))
            for no, text, cosine, by_file in zip(
                rows, candidates.text, candidates.vector, candidates.by_file, strict=True
            )
            if selection.holds(memories[no])
        }

    def ask(
        self, query: str | None = None, vector: Embedded | None = None, number: int = 10, **rest: Any
    ) -> dict[str, tuple[bool, float | None, bool]]:
        how = {name: rest.pop(name) for name in ("files", "ids") if name in rest}
        selection = Selection(**rest)
        return self.found(self.store.candidates(query, vector, selection, number, **how), selection)

    def test_by_words_by_meaning_and_by_both(self) -> None:
        heron, bare, far = self.memory("The heron nests"), self.memory("A heron too"), self.memory("Else")
        self.enter(heron, bare, far, vectors=[near(0.25), None, near(0.75)])
        assert self.ask("heron") == {heron.id: (True, None, False), bare.id: (True, None, False)}
        assert self.ask(None, EAST) == {heron.id: (False, 0.25, False), far.id: (False, 0.75, False)}
        assert self.ask("heron", EAST) == {
            heron.id: (True, 0.25, False),
            bare.id: (True, None, False),
            far.id: (False, 0.75, False),
        }
        assert self.ask("nothing of it") == {}
        assert self.ask(None) == {}

    def test_each_found_one_has_both_scores_however_it_was_found(self) -> None:
        """Found by words alone where few are looked at by meaning, it has its cosine all the same."""
        made = [self.memory(f"Filler {n}") for n in range(8)]
        heron = self.memory("The heron nests")
        self.enter(*made, heron, vectors=[near(0.9)] * 8 + [near(-0.25)])
        assert self.ask("heron", EAST, number=3)[heron.id] == (True, -0.25, False)

    def test_what_another_model_made_has_no_cosine_however_it_was_found(self) -> None:
        heron, theirs = self.memory("The heron nests"), self.memory("A heron too")
        self.enter(heron, theirs, vectors=[near(0.25), near(0.5, model="other")])
        assert self.ask("heron", EAST) == {heron.id: (True, 0.25, False), theirs.id: (True, None, False)}
        rows = self.store.candidates("heron", EAST, Selection(), 5).rows.tolist()
        assert np.isnan(self.store.meanings.likeness(rows, EAST)).sum() == 3, "all but one with itself"

    def test_who_has_no_vector_is_counted(self) -> None:
        made = [self.memory(f"The heron {n}") for n in range(3)]
        self.enter(*made, vectors=[EAST, None, near(0.5, model="other")])
        assert self.store.candidates("heron", EAST, Selection(), 5).unembedded == 2
        assert self.store.candidates("heron", None, Selection(), 5).unembedded == 0

    SELECTIONS: Sequence[tuple[dict[str, Any], str]] = (
        ({}, "plain deep kind semantic tagged old"),
        ({"scopes": ("/a",)}, "deep"),
        ({"scopes": ("/a", "/")}, "plain deep kind semantic tagged old"),
        ({"kinds": ("bug",)}, "kind"),
        ({"layers": ("semantic",)}, "semantic"),
        ({"categories": ("x",)}, "tagged"),
        ({"categories": ("x", "y")}, "tagged"),
        ({"sources": ("ai",)}, "kind"),
        ({"sources": ("human",), "since": START}, "plain deep semantic tagged"),
        ({"sources": ("dream",)}, ""),
        ({"states": (State.LIVE, State.ARCHIVED)}, "plain deep kind semantic tagged old archived over"),
        ({"states": (State.ARCHIVED,)}, "archived over"),
        ({"since": START}, "plain deep kind semantic tagged"),
        ({"until": START - DAY}, "old"),
        ({"unexpired_at": START + 9 * DAY}, "plain deep kind semantic old"),
        (
            {"unexpired_at": START + 9 * DAY, "states": (State.LIVE, State.ARCHIVED)},
            "plain deep kind semantic old archived over",
        ),
        ({"scopes": ("/none",)}, ""),
        ({"kinds": ("bug",), "layers": ("semantic",)}, ""),
    )

    @pytest.mark.parametrize("way", ["words", "meaning", "file", "id"])
    def test_a_selection_holds_whatever_the_way(self, way: str) -> None:
        made = {
            "plain": self.memory(),
            "deep": self.memory(scope="/a/b"),
            "kind": self.memory(kind="bug", source="ai"),
            "semantic": self.memory(layer="semantic"),
            "tagged": self.memory(categories=("x",), expires_at=START + DAY),
            "old": self.memory(created_at=START - 3 * DAY),
            "archived": self.memory(state=State.ARCHIVED),
            "over": self.memory(state=State.ARCHIVED, expires_at=START + DAY),
            "forgotten": self.memory(state=State.FORGOTTEN),
            "superseded": self.memory(state=State.SUPERSEDED),
            "quarantined": self.memory(state=State.QUARANTINED),
        }
        files = ("src/app.py",)
        made = {name: replace(memory, text=f"heron {name}", files=files) for name, memory in made.items()}
        self.enter(*made.values(), vectors=[near(0.5)] * len(made))
        asked: dict[str, dict[str, Any]] = {
            "words": {"query": "heron"},
            "meaning": {"vector": EAST},
            "file": {"files": ["app.py"]},
            "id": {"ids": [memory.id for memory in made.values()]},
        }
        names = {memory.id: name for name, memory in made.items()}
        for chosen, expected in self.SELECTIONS:
            found = {names[id] for id in self.ask(**asked[way], number=20, **chosen)}
            assert found == set(expected.split()), chosen

    @pytest.mark.parametrize(
        ("stored", "asked", "found"),
        [
            ("src/app.py", "src/app.py", True),
            ("src/app.py", "app.py", True),
            ("app.py", "src/app.py", True),
            ("src/app.py", "lib/app.py", False),
            ("src/app.py", "/home/ann/src/app.py", True),
            ("src/app.py", "xapp.py", False),
            ("src/app.py", "app", False),
            ("src\\app.py", "src/app.py", True),
            ("src/", "src", True),
            ("src/%.py", "src/_.py", False),
            ("日本.txt", "日本.txt", True),
        ],
    )
    def test_by_file(self, stored: str, asked: str, found: bool) -> None:
        memory = self.memory("Something else", files=(stored,))
        self.add(memory)
        for store in self.before_and_after_reopening():
            candidates = store.candidates(None, None, Selection(), 5, files=[asked])
            assert candidates.by_file.tolist() == [True] * found

    def test_a_change_of_files_is_followed(self) -> None:
        memory = self.memory("Something else", files=("src/old.py", "src/both.py"))
        self.add(memory)
        self.set(memory, files=("src/both.py", "src/new.py"))
        hits = {name: bool(self.ask(files=[name])) for name in ("old.py", "both.py", "new.py")}
        assert hits == {"old.py": False, "both.py": True, "new.py": True}
        self.purge(memory.id)
        assert not self.ask(files=["both.py"])
        assert self.store.check().problems == ()

    def test_what_was_said_before_in_a_session_is_found_in_any_state(self) -> None:
        made = [self.memory(f"Turn {n}", origin="session:one") for n in range(3)]
        made.insert(2, self.memory("Another session", origin="session:two"))
        made.append(self.memory("No session", origin="elsewhere"))
        self.enter(*made)
        self.set(made[1], state=State.ARCHIVED)
        rows = {
            self.store.ids([row])[0]: row for row in self.store.columns(Selection(states=tuple(State))).rows.tolist()
        }
        first, second, other, third, noted = (rows[memory.id] for memory in made)
        assert self.store.before_in_session([first, second, other, third, noted]) == {second: first, third: second}
        assert self.store.before_in_session([]) == {}

    def test_what_stands_beside_in_a_session(self) -> None:
        made = [self.memory(f"Turn {n}", origin="session:one") for n in range(7)]
        made.insert(4, self.memory("Another session", origin="session:two"))
        made.insert(0, self.memory("No session", origin="elsewhere"))
        heron = replace(self.memory("The heron nests"), origin="session:one")
        made.insert(5, heron)
        self.enter(*made)
        candidates = self.store.candidates("heron", None, Selection(), 10)
        texts = [self.store.memories([no])[no].text for no in candidates.rows.tolist()]
        assert {texts[good] for good, _ in candidates.beside} == {"The heron nests"}
        beside = {texts[other] for _, other in candidates.beside}
        assert beside == {"Turn 2", "Turn 3", "Turn 4", "Turn 5"}
        assert set(texts) == beside | {"The heron nests"}

    def test_more_candidates_than_asked_for_are_the_best(self) -> None:
        made = self.some(*(n / 50 for n in range(50)))
        found = self.ask(None, EAST, number=14)  # by meaning half as many
        assert set(found) == {memory.id for memory in made[-7:]}


class RecallLogContract(_Vectors):
    def log(self, query: str | None, found: Sequence[str] = (), missed: Sequence[str] = (), day: int = 0) -> None:
        self.store.log.add(query, found, missed, START + day * DAY)
        self.store.flush()

    def asked(self, id: str, store: Store | None = None, days: int = -100) -> list[Recent]:
        return (store or self.store).log.finding([id], START + days * DAY).get(id, [])

    def test_which_recalls_found_a_memory(self) -> None:
        one, other = self.add(self.memory("One"), self.memory("Other"))
        self.log("first", [one, other])
        self.log("second", [one], day=1)
        self.log("nothing", day=2)
        self.log(None, [other], day=3)
        for store in self.before_and_after_reopening():
            assert self.asked(one, store) == [Recent(START + DAY, "second"), Recent(START, "first")]
            assert self.asked(other, store) == [Recent(START, "first")]
            assert self.asked(one, store, days=1) == [Recent(START + DAY, "second")]
            assert store.log.finding([NO_ID], START) == {}
            assert store.stats().recalls == 3

    def test_what_was_missed_is_counted(self) -> None:
        one, other, live = self.add(*(self.memory(text) for text in ("One", "Other", "Live")))
        for id in (one, other):
            (memory,) = self.store.get([id]).values()
            self.set(memory, state=State.ARCHIVED)
        self.log("first", [live], [one, other])
        self.log(None, [live], [one], day=2)
        for store in self.before_and_after_reopening():
            assert store.log.regrets(one) == (2, START + 2 * DAY)
            assert store.log.regrets(other) == (1, START)
            assert store.log.regrets(live) == store.log.regrets(NO_ID) == (0, None)
            assert store.stats().regrets == 3

    def test_a_day_counts_what_was_missed_once(self) -> None:
        (one,) = self.add(self.memory("One"))
        (memory,) = self.store.get([one]).values()
        self.set(memory, state=State.ARCHIVED)
        midnight = START.replace(hour=0, minute=0) + DAY
        moments = [midnight - DAY / 24, midnight - DAY / 48, midnight, midnight + DAY / 2, midnight - DAY / 24]
        for moment in moments:
            self.store.log.add(None, (), (one,), moment)
        for store in self.before_and_after_reopening():
            store.flush()
            assert store.log.regrets(one) == (2, midnight + DAY / 2), "two days of UTC"
            assert store.stats().regrets == 2

    def test_every_use_is_told_with_its_moment(self) -> None:
        one, other = self.add(self.memory("One"), self.memory("Other"))
        (archived,) = self.store.get([other]).values()
        self.set(archived, state=State.ARCHIVED)
        self.log("first", [one], [other])
        self.log("second", [one], [other], day=1)
        self.log(None, [one], day=2)
        rows = {id: int(self.store.columns(Selection(ids=(id,), states=EVERY_STATE)).rows[0]) for id in (one, other)}
        at = [to_micros(START + day * DAY) for day in range(2)]
        for store in self.before_and_after_reopening():
            told = [Use(rows[one], at[0], False), Use(rows[one], at[1], False), Use(rows[other], at[1], True)]
            assert sorted(store.log.uses()) == sorted(told), "of what is missed twice the last moment is known"
        empty = self.open_store("other")
        try:
            assert empty.log.uses() == []
        finally:
            empty.close()

    def test_old_recalls_go(self) -> None:
        (one,) = self.add(self.memory("One"))
        for day in (0, 10, 20):
            self.log(f"day {day}", [one], day=day)
        assert self.store.log.forget_before(START + 10 * DAY) == 1
        assert self.store.log.forget_before(START + 10 * DAY) == 0
        assert [recent.query for recent in self.asked(one)] == ["day 20", "day 10"]
        assert self.store.stats().recalls == 2

    def test_with_a_purge_go_the_recalls_that_found_it_or_asked_with_its_words(self) -> None:
        gone, kept = self.add(self.memory("The quokka lives on Rottnest"), self.memory("Something else entirely"))
        self.log("where do small marsupials live", [gone, kept])
        self.log("QUOKKA!", day=1)
        self.log("Something about rottnest", [kept], day=2)
        self.log("entirely else", [kept], day=3)
        self.log(None, (), [gone], day=4)
        self.purge(gone)
        for store in self.before_and_after_reopening():
            assert [recent.query for recent in self.asked(kept, store)] == ["entirely else"]
            assert store.stats().recalls == 1
            assert store.stats().regrets == 0
            assert self.asked(gone, store) == []

    def test_what_is_on_its_way_to_the_log_is_purged_too(self) -> None:
        (gone,) = self.add(self.memory("The quokka lives on Rottnest"))
        self.store.log.add("quokka", [gone], [], START)
        self.purge(gone)
        self.store.flush()
        for store in self.before_and_after_reopening():
            assert store.stats().recalls == 0

    def test_what_another_had_on_its_way_when_it_was_purged_is_dropped(self) -> None:
        (gone,) = self.add(self.memory("The quokka lives on Rottnest"))
        other = self.open_store("test")
        try:
            other.log.add("quokka", [gone], [gone], START)
            self.purge(gone)
        finally:
            other.close()
        assert self.store.stats().recalls == 0
        assert self.store.stats().regrets == 0

    def test_what_was_asked_of_an_empty_namespace_belongs_to_it(self) -> None:
        self.log("where is the quokka")
        other = self.open_store("other")
        try:
            assert other.stats().recalls == 0, "nothing was asked there"
        finally:
            other.close()
        (gone,) = self.add(self.memory("The quokka lives on Rottnest"))
        assert self.store.stats().recalls in (0, 1)
        self.purge(gone)
        self.log("something new", day=40)
        self.store.log.forget_before(START + 30 * DAY)
        for store in self.before_and_after_reopening():
            assert store.stats().recalls == 1

    def test_namespaces_never_meet(self) -> None:
        (ours,) = self.add(self.memory("The quokka lives on Rottnest"))
        self.log("quokka", [ours])
        other = self.open_store("other")
        try:
            theirs = replace(self.memory("The quokka lives on Rottnest"), namespace="other")
            self.add(theirs, store=other)
            other.log.add("quokka", [theirs.id], [theirs.id], START)
            other.flush()
            assert other.log.finding([ours, theirs.id], START).keys() == {theirs.id}
            assert self.store.log.finding([ours, theirs.id], START).keys() == {ours}
            assert self.store.log.regrets(theirs.id) == (0, None)
            assert self.store.log.forget_before(START + 40 * DAY) == 1
            assert other.stats().recalls == 1
            self.purge(ours)
            assert other.stats().recalls == 1, "another namespace's words are its own"
        finally:
            other.close()

    def test_a_busy_log_waits_within_a_second(self) -> None:
        (one,) = self.add(self.memory("One"))
        self.store.log.add("asked", [one], [], START)
        done = threading.Event()
        for _ in range(40):
            if self.asked(one):
                break
            done.wait(timedelta(milliseconds=50).total_seconds())
        assert [recent.query for recent in self.asked(one)] == ["asked"]
