"""What any store must do: subclass StoreContract and say how a namespace of a store is opened."""

import threading
from pathlib import Path
from typing import Any

import pytest

from remanence.errors import NotFound, PlanOutOfDate, RemanenceError
from remanence.model.journal import place_in_journal
from remanence.model.memory import State
from remanence.model.plan import Action, Certificate, Change, Plan
from remanence.model.selection import EVERY_STATE, Order, Place, Selection
from tests.conftest import START
from tests.contract.opened_store import ALL, DAY, NO_ID, OpenedStore


class StoreContract(OpenedStore):
    """Tests on the `Store` protocol alone."""

    # -- apply and get

    def test_what_was_added_is_read_back_equal(self) -> None:
        full = self.memory(
            text="Ünïcode 東京 \n\t 👩‍👩‍👧",
            scope="/a/b",
            kind="decision",
            layer="semantic",
            source="ai",
            importance=0.1,
            valence=-0.25,
            confidence=0.75,
            confirmations=3,
            categories=("z", "a"),
            concepts=("c",),
            files=("f",),
            origin="chat",
            pinned=True,
            exempt=True,
            access_count=7,
            recent_accesses=(START, START + DAY),
            last_accessed_at=START + DAY,
            expires_at=START + 9 * DAY,
            kept_until=START + 8 * DAY,
            challenged_by=NO_ID,
            valid_from=START - DAY,
            valid_until=START + DAY,
            state=State.ARCHIVED,
            version=4,
            supersedes=NO_ID,
            superseded_by=NO_ID,
            lineage=(NO_ID,),
            depth=2,
            surprise=0.3,
            metadata={"a": [1, None, {"b": "ü"}]},
        )
        plain = self.memory()
        assert self.add(full, plain) == [full.id, plain.id]
        for store in self.before_and_after_reopening():
            assert store.get([plain.id, NO_ID, full.id]) == {plain.id: plain, full.id: full}

    def test_apply_writes_what_a_change_names_and_nothing_else(self) -> None:
        memory = self.memory()
        self.add(memory)
        receipt = self.set(memory, START + DAY, pinned=True, categories=("x",))
        after = self.store.get([memory.id])[memory.id]
        assert (after.pinned, after.categories, after.text, after.state) == (True, ("x",), memory.text, "live")
        assert after.revision == memory.revision + 1
        assert (receipt.applied, receipt.skipped, receipt.at) == ((memory.id,), {}, START + DAY)
        assert self.store.receipt(receipt.id).changes[0].before == {"pinned": False, "categories": ()}

    def test_what_moved_on_is_skipped_with_a_reason(self) -> None:
        memory, other = self.memory(), self.memory("Another")
        self.add(memory, other)
        stale = Plan((Change.of(memory, "test", pinned=True), Change.of(other, "test", pinned=True)), verb="test")
        self.set(memory, pinned=True)
        receipt = self.store.apply(stale, START)
        assert receipt.applied == (other.id,)
        assert receipt.skipped[memory.id]

    def test_strict_is_all_or_nothing(self) -> None:
        memory = self.memory()
        self.add(memory)
        plan = Plan(
            (Change.of(memory, "test", pinned=True), Change.of(self.memory("Unknown"), "test", pinned=True)),
            verb="test",
        )
        before = self.store.journal(100)
        with pytest.raises(PlanOutOfDate):
            self.store.apply(plan, START, strict=True)
        assert self.store.get([memory.id])[memory.id] == memory
        assert self.store.journal(100) == before

    def test_an_id_is_added_once(self) -> None:
        memory = self.memory()
        self.add(memory)
        again = self.store.apply(Plan((Change.add(memory),), verb="remember"), START)
        assert (again.applied, set(again.skipped)) == ((), {memory.id})

    def test_guards_see_accesses_that_are_still_on_their_way(self) -> None:
        memory = self.memory()
        self.add(memory)
        self.store.touch([memory.id], START + DAY)
        guarded = Change(
            memory_id=memory.id,
            action=Action.ARCHIVE,
            reason="test",
            before={"state": State.LIVE},
            after={"state": State.ARCHIVED},
            last_accessed_at=memory.last_accessed_at,
        )
        assert set(self.store.apply(Plan((guarded,), verb="sweep"), START).skipped) == {memory.id}

    def test_a_receipt_grows_when_named(self) -> None:
        first, second = self.memory("One"), self.memory("Two")
        receipt = self.store.apply(Plan((Change.add(first),), verb="remember"), START)
        again = self.store.apply(Plan((Change.add(second),), verb="remember"), START, receipt_id=receipt.id)
        assert again.id == receipt.id
        assert self.store.receipt(receipt.id).applied == (first.id, second.id)

    # -- transactions

    def test_a_transaction_is_all_or_nothing(self) -> None:
        kept = self.memory("Kept", scope="/kept", kind="k")
        self.add(kept)
        with pytest.raises(ZeroDivisionError), self.store.transaction():
            self.add(self.memory("Lost", scope="/lost", kind="new kind"))
            self.set(kept, pinned=True)
            self.store.claim_key("k", kept.id)
            with self.store.transaction():
                self.add(self.memory("Lost too", scope="/lost"))
            raise ZeroDivisionError
        for store in self.before_and_after_reopening():
            assert [memory for page in store.pages(ALL) for memory in page] == [kept]
            assert store.keyed("k") is None
            assert len(store.journal(100)) == 1
        self.add(self.memory("After it", scope="/lost", kind="new kind"))
        assert self.store.count(ALL) == 2
        assert self.store.check().ok

    def test_a_transaction_reads_what_it_wrote(self) -> None:
        with self.store.transaction():
            memory = self.memory("Written within")
            self.add(memory)
            assert self.store.get([memory.id]) == {memory.id: memory}
            assert [found for found, _ in self.store.matching("written", Selection(), 10)] == [memory]
            assert self.store.kin("/", "fact", "written within") == [memory]
            assert self.store.count(Selection()) == 1

    def test_reading_inside_a_transaction_never_waits_for_accesses(self) -> None:
        """Another thread writing accesses stands behind this transaction; this one must not stand behind it."""
        memory = self.memory()
        self.add(memory)
        done = threading.Event()

        def act() -> None:
            with self.store.transaction():
                self.store.touch([memory.id], START)
                flushing = threading.Thread(target=self.store.flush, daemon=True)
                flushing.start()
                flushing.join(0.3)
                self.store.columns(ALL)
            done.set()

        threading.Thread(target=act, daemon=True).start()
        self.stuck = not done.wait(5)
        assert not self.stuck, "columns() inside a transaction waits for flush() in another thread, and it for us"

    def test_threads_write_one_after_the_other(self) -> None:
        def work(number: int) -> None:
            for item in range(20):
                try:
                    with self.store.transaction():
                        total = self.store.count(Selection())
                        self.add(self.memory(f"Text {number} {item}", metadata={"n": total}))
                except RemanenceError as reason:
                    failed.append(reason)

        failed: list[Exception] = []
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        seen = [memory.metadata.get("n", 0) for memory in self.store.select(Selection())]
        assert sorted(seen) == list(range(80))

    # -- selections

    @pytest.mark.parametrize(
        ("chosen", "expected"),
        [
            ({}, "abcdfg"),
            ({"states": EVERY_STATE}, "abcdefg"),
            ({"states": (State.FORGOTTEN,)}, "e"),
            ({"states": ()}, ""),
            ({"scopes": ("/p",)}, "bcf"),
            ({"scopes": ("/p/q",)}, "c"),
            ({"scopes": ("/p/q", "/pq")}, "cd"),
            ({"scopes": ("/",)}, "abcdfg"),
            ({"scopes": ()}, ""),
            ({"kinds": ("k",)}, "bf"),
            ({"kinds": ()}, ""),
            ({"layers": ("semantic", "working")}, "ac"),
            ({"categories": ("x",)}, "ab"),
            ({"categories": ("x", "y")}, "abc"),
            ({"sources": ("ai",)}, "bd"),
            ({"sources": ("human", "dream")}, "acfg"),
            ({"sources": ()}, ""),
            ({"sources": ("ai",), "scopes": ("/p",), "since": START + DAY}, "b"),
            ({"created_before": START + 2 * DAY}, "ab"),
            ({"since": START + 2 * DAY}, "cdfg"),
            ({"until": START + 2 * DAY}, "abc"),
            ({"since": START + DAY, "until": START + DAY}, "b"),
            ({"unexpired_at": START + DAY}, "abcdf"),
            ({"unexpired_at": START}, "abcdfg"),
            ({"scopes": ("/p",), "kinds": ("k",), "categories": ("x",)}, "b"),
        ],
    )
    def test_selections(self, chosen: dict[str, Any], expected: str) -> None:
        fields: dict[str, dict[str, Any]] = {
            "a": {"layer": "semantic", "categories": ("x",)},
            "b": {"scope": "/p", "kind": "k", "categories": ("x", "y"), "source": "ai"},
            "c": {"scope": "/p/q", "layer": "working", "categories": ("y",)},
            "d": {"scope": "/pq", "source": "ai"},
            "e": {"state": State.FORGOTTEN},
            "f": {"scope": "/p", "kind": "k", "source": "dream"},
            "g": {"expires_at": START + DAY / 2},
        }
        memories = [
            self.memory(f"word {name}", **values | {"created_at": START + number * DAY})
            for number, (name, values) in enumerate(fields.items())
        ]
        self.add(*memories)
        selection = Selection(**chosen)
        by_name = {memory.text[-1]: memory for memory in memories}
        wanted = [by_name[name] for name in expected]
        assert self.store.select(selection) == wanted[::-1]
        assert self.store.select(selection, order=Order.OLDEST) == wanted
        assert self.store.select(selection, limit=2, offset=1) == wanted[::-1][1:3]
        assert self.store.count(selection) == len(wanted)
        assert [m for page in self.store.pages(selection, size=2) for m in page] == wanted
        assert {m.id for m, _ in self.store.matching("word", selection, 100)} == {m.id for m in wanted}
        columns = self.store.columns(selection)
        assert list(columns.ids) == [memory.id for memory in wanted]
        assert len(columns) == len(wanted)

    def test_by_ids(self) -> None:
        memories = [self.memory(f"w{number}") for number in range(5)]
        self.add(*memories)
        chosen = Selection(ids=(memories[3].id, memories[1].id, NO_ID))
        assert {memory.id for memory in self.store.select(chosen)} == {memories[1].id, memories[3].id}
        assert self.store.count(Selection(ids=())) == 0

    def test_columns_hold_the_lifecycle_fields(self) -> None:
        memory = self.memory(
            scope="/a", kind="k", importance=0.25, layer="semantic", source="ai", pinned=True, expires_at=START + DAY
        )
        self.add(memory)
        self.store.touch([memory.id], START + DAY)
        columns = self.store.columns(ALL)
        from remanence.model.columns import LAYERS, SOURCES, STATES
        from remanence.model.moment import NEVER, to_micros

        assert (columns.scopes, columns.kinds, columns.importance.tolist()) == (("/a",), ("k",), [0.25])
        assert STATES[columns.state[0]] == "live"
        assert LAYERS[columns.layer[0]] == "semantic"
        assert SOURCES[columns.source[0]] == "ai"
        assert columns.created_at.tolist() == [to_micros(START)]
        assert columns.last_accessed_at.tolist() == columns.expires_at.tolist() == [to_micros(START + DAY)]
        assert (columns.access_count.tolist(), columns.kept_until.tolist()) == ([1], [NEVER])
        assert (columns.pinned.tolist(), columns.exempt.tolist(), columns.revision.tolist()) == ([True], [False], [1])
        assert columns.tokens[0] > 0

    def test_state_counts(self) -> None:
        self.add(self.memory(scope="/a"), self.memory(scope="/a", kind="k"), self.memory(scope="/a/b"))
        memory = self.memory(scope="/a")
        self.add(memory)
        self.set(memory, state=State.ARCHIVED)
        expected = {("/a", State.LIVE): 2, ("/a/b", State.LIVE): 1, ("/a", State.ARCHIVED): 1}
        assert dict(self.store.state_counts()) == expected

    # -- words

    def test_matching_is_best_first_and_bounded(self) -> None:
        self.add(*(self.memory(f"server {number}") for number in range(5)), self.memory("server migration"))
        found = self.store.matching("server migration", Selection(), 3)
        assert len(found) == 3
        assert found[0][0].text == "server migration"
        assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
        every = self.store.matching("server migration", Selection(), 10, every_word=True)
        assert [memory.text for memory, _ in every] == ["server migration"]
        assert self.store.matching("?!", Selection(), 10) == []

    def test_words_follow_the_rows(self) -> None:
        memory = self.memory("zebra crossing")
        self.add(memory)
        self.set(memory, state=State.ARCHIVED)
        assert self.store.matching("zebra", Selection(), 10) == []
        assert len(self.store.matching("zebra", ALL, 10)) == 1
        self.store.apply(Plan((Change(memory_id=memory.id, action=Action.PURGE, reason="x"),), verb="purge"), START)
        assert self.store.matching("zebra", ALL, 10) == []

    def test_kin_are_all_live_memories_of_the_shelf_that_share_two_fifths(self) -> None:
        def overlap(a: str, b: str) -> float:
            left, right = set(a.split()), set(b.split())
            return len(left & right) / len(left | right)

        texts = [" ".join(f"w{(a * b) % 23}" for b in range(1, 2 + a % 9)) for a in range(1, 120)]
        memories = [self.memory(text) for text in texts]
        strangers = [self.memory(texts[5], scope="/other"), self.memory(texts[5], kind="k")]
        self.add(*memories, *strangers)
        gone = memories[::7]
        for memory in gone:
            self.set(memory, state=State.FORGOTTEN)
        back = gone[::2]
        for memory in back:
            self.set(self.store.get([memory.id])[memory.id], state=State.LIVE)
        live = {m.id: m.text for m in memories if m not in gone or m in back}
        for text in (*texts[::3], "w1 w2 w3 new words", "nothing alike"):
            expected = {id for id, other in live.items() if overlap(text, other) >= 0.4 - 1e-12}
            assert {memory.id for memory in self.store.kin("/", "fact", text)} == expected, text
        assert self.store.kin("/absent", "fact", texts[5]) == []

    # -- accesses

    def test_touch_is_seen_at_once_and_kept(self) -> None:
        memory = self.memory()
        self.add(memory)
        moments = [START + number * DAY for number in range(1, 26)]
        for moment in moments:
            self.store.touch([memory.id], moment)
        for store in self.before_and_after_reopening():
            seen = store.get([memory.id])[memory.id]
            assert (seen.access_count, seen.last_accessed_at) == (25, moments[-1])
            assert seen.recent_accesses == tuple(moments[-20:])
            assert store.select(ALL) == [seen]
        assert self.store.journal(100)[0].verb == "remember"

    def test_moments_of_accesses_are_set_and_set_back(self) -> None:
        moments = tuple(START + number * DAY for number in range(5))
        memory = self.memory(access_count=9, recent_accesses=moments, last_accessed_at=moments[-1])
        self.add(memory)
        receipt = self.set(memory, START + DAY, recent_accesses=moments[3:])
        for store in self.before_and_after_reopening():
            assert store.get([memory.id])[memory.id] == memory.but(recent_accesses=moments[3:])
            assert store.check().ok
        back = self.store.apply(self.store.receipt(receipt.id).inverse(), START + DAY)
        assert self.store.get([memory.id])[memory.id] == memory
        for left in (moments[3:], ()):
            again = self.store.apply(self.store.receipt(back.id).inverse(), START + DAY)
            assert self.store.get([memory.id])[memory.id] == memory.but(recent_accesses=left)
            self.store.apply(self.store.receipt(again.id).inverse(), START + DAY)
            back = self.store.apply(self.store.receipt(self.set(memory, recent_accesses=()).id).inverse(), START + DAY)
            assert self.store.get([memory.id])[memory.id] == memory
        assert self.store.check().ok

    def test_accesses_on_their_way_are_counted_once_where_moments_are_set(self) -> None:
        moments = tuple(START + number * DAY for number in range(20))
        memory = self.memory(recent_accesses=moments, last_accessed_at=moments[-1])
        self.add(memory)
        late = START + 30 * DAY
        with self.store.transaction():  # what is on its way waits for the end of it
            self.store.touch([memory.id], late)
            self.store.touch([memory.id], late)
            seen = self.store.get([memory.id])[memory.id]
            assert seen.recent_accesses == (*moments[2:], late, late)
            receipt = self.set(seen, recent_accesses=(late, late))
            assert self.store.get([memory.id])[memory.id] == seen.but(recent_accesses=(late, late))
        self.store.flush()
        assert self.store.get([memory.id])[memory.id] == seen.but(recent_accesses=(late, late))
        self.store.apply(self.store.receipt(receipt.id).inverse(), late)
        for store in self.before_and_after_reopening():
            assert store.get([memory.id])[memory.id] == seen

    def test_who_was_recalled_before_a_moment(self) -> None:
        def recalled(text: str, *days: float, **fields: Any) -> str:
            accesses = tuple(START + day * DAY for day in days)
            self.add(memory := self.memory(text, recent_accesses=accesses, **fields))
            return memory.id

        old = recalled("Old", 1, 9)
        recalled("Just then", 5, 6)
        recalled("Never")
        hidden = recalled("Archived", -400, scope="/a/b", state=State.ARCHIVED)
        recalled("Quarantined", 1, state=State.QUARANTINED)
        older = recalled("Older", 4.9, scope="/a")
        beside = recalled("Beside", 2, scope="/ab")
        touched = recalled("Touched")
        self.store.touch([touched], START + 2 * DAY)
        states = tuple(state for state in State if state is not State.QUARANTINED)

        def found(size: int = 5_000, store: Any = None, **fields: Any) -> list[list[str]]:
            pages = (store or self.store).recalled_before(START + 5 * DAY, Selection(**fields), size)
            return [[memory.id for memory in page] for page in pages]

        assert found(states=states) == [[old, hidden, older, beside, touched]]
        assert found(2, states=states) == [[old], [hidden, older], [beside, touched]]
        assert found(states=states, scopes=("/a",)) == [[hidden, older]]
        assert found(states=states, scopes=()) == []
        assert found() == [[old, older, beside, touched]]
        other = self.open_store("other")
        assert found(store=other) == []
        other.close()
        for number in range(20):
            self.store.touch([old], START + (20 + number) * DAY)
        assert found() == [[older, beside, touched]]

    def test_touch_of_what_is_not_there_does_nothing(self) -> None:
        memory = self.memory()
        self.add(memory)
        self.store.touch([NO_ID, memory.id], START)
        self.store.flush()
        assert self.store.get([memory.id])[memory.id].access_count == 1

    def test_threads_count_every_access(self) -> None:
        memory = self.memory()
        self.add(memory)

        def work() -> None:
            for _ in range(100):
                self.store.touch([memory.id], START)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        self.store.flush()
        for thread in threads:
            thread.join()
        assert self.reopened().get([memory.id])[memory.id].access_count == 400

    # -- keys, lineage, tombstones

    def test_keys(self) -> None:
        first, second = self.memory("One"), self.memory("Two")
        self.add(first, second)
        self.store.claim_key("k", first.id)
        self.store.claim_key("k", second.id)
        assert (self.store.keyed("k"), self.store.keyed("other")) == (first.id, None)

    def test_made_from(self) -> None:
        parent = self.memory("Parent")
        children = [self.memory("Child", lineage=(parent.id, NO_ID)), self.memory("Other child", lineage=(parent.id,))]
        self.add(parent, *children)
        found = self.store.made_from([parent.id, NO_ID, children[0].id])
        assert {id: set(made) for id, made in found.items()} == {
            parent.id: {child.id for child in children},
            NO_ID: {children[0].id},
            children[0].id: set(),
        }

    def test_what_is_purged_is_gone_and_its_text_known(self) -> None:
        memory = self.memory("Swordfish  Here", lineage=(NO_ID,), categories=("c",))
        self.add(memory)
        self.store.claim_key("k", memory.id)
        purge = Plan((Change(memory_id=memory.id, action=Action.PURGE, reason="x"),), verb="purge")
        receipt = self.store.apply(purge, START)
        certificate = Certificate(receipt_id=receipt.id, at=START, reason="x", purged=(memory.id,))
        assert self.store.erase(certificate, [memory.text], 1.0).verified
        for store in self.before_and_after_reopening():
            assert store.get([memory.id]) == {}
            assert store.keyed("k") is None
            assert store.made_from([NO_ID]) == {NO_ID: ()}
            assert store.tombstones(["swordfish here", "another"]) == {"swordfish here"}
            assert [entry.action for entry in store.journal(10, memory_ids=[memory.id])] == ["purge", "add"]
        self.store.lift(["SWORDFISH here"], START)
        assert self.store.tombstones(["swordfish here"]) == set()

    # -- what happened

    def test_receipts_and_journal(self) -> None:
        memory = self.memory()
        self.add(memory)
        receipt = self.set(memory, START + DAY, pinned=True)
        for store in self.before_and_after_reopening():
            read = store.receipt(receipt.id)
            assert (read.id, read.verb, read.at, read.applied) == (receipt.id, "test", START + DAY, (memory.id,))
            assert (read.changes[0].before, read.changes[0].after) == ({"pinned": False}, {"pinned": True})
            entries = store.journal(10)
            assert [(entry.verb, entry.at) for entry in entries] == [("test", START + DAY), ("remember", START)]
            assert len(store.journal(1)) == 1
            assert store.journal(10, memory_ids=[NO_ID]) == []
        for unknown in ("r99", "nonsense", ""):
            with pytest.raises(NotFound):
                self.store.receipt(unknown)

    def test_receipts_in_brief(self) -> None:
        one, two = self.memory("One"), self.memory("Two")
        self.add(one, two)
        kept = self.set(one, START + DAY, pinned=True)
        gone = self.store.apply(
            Plan((Change.of(two, "x", state=State.ARCHIVED), Change.of(two, "x", valence=0.5)), verb="sweep", note="n"),
            START + DAY,
        )
        undo = self.store.apply(self.store.receipt(kept.id).inverse(), START + DAY)
        redo = self.store.apply(self.store.receipt(undo.id).inverse(), START + DAY)
        other = self.open_store("other")
        self.add(self.memory("Theirs"), store=other)
        for store in self.before_and_after_reopening():
            told = store.briefs(100)
            assert [brief.id for brief in told] == [redo.id, undo.id, gone.id, kept.id, "r1"]
            assert [(brief.undoes, brief.undone_by) for brief in told] == [
                (undo.id, None),
                (kept.id, redo.id),
                (None, None),
                (None, None),  # its undo was taken back
                (None, None),
            ]
            swept, first = told[2], told[4]
            assert (swept.verb, swept.note, swept.at, swept.memories) == ("sweep", "n", START + DAY, 1)
            assert (dict(swept.actions), dict(first.actions)) == ({"archive": 1, "adjust": 1}, {"add": 2})
            assert first.memories == 2
            assert store.briefs(2) == told[:2]
            assert store.briefs(100, before=int(undo.id[1:])) == told[2:]
            assert store.briefs(100, verb="sweep") == [swept]
            assert store.briefs(100, verb="nothing") == store.briefs(100, before=1) == []
            assert [brief.memories for brief in other.briefs(10)] == [1]
        other.close()
        self.store.apply(self.store.receipt(kept.id).inverse(), START + 2 * DAY)
        assert self.store.briefs(100)[4].undone_by == self.store.briefs(1)[0].id

    def test_moves_by_day(self) -> None:
        memories = [self.memory(f"Number {number}") for number in range(4)]
        self.add(*memories)
        self.set(memories[0], START + DAY, pinned=True)
        for memory in memories[1:3]:
            self.set(memory, START + 2 * DAY, state=State.ARCHIVED)
        purge = Plan((Change(memory_id=memories[1].id, action=Action.PURGE, reason="x"),), verb="purge")
        self.store.apply(purge, START + 3 * DAY)
        self.add(self.memory("Theirs"), store=self.open_store("other"))
        day = START.date()
        for store in self.before_and_after_reopening():
            held, moves = store.moves(START - DAY)
            assert held == {State.LIVE: 2, State.ARCHIVED: 1}
            assert [tuple(move) for move in moves] == [
                (day, None, State.LIVE, 4),
                (day + 2 * DAY, State.LIVE, State.ARCHIVED, 2),
                (day + 3 * DAY, State.ARCHIVED, None, 1),
            ]
            assert [move.day for move in store.moves(START + 2 * DAY)[1]] == [day + 2 * DAY, day + 3 * DAY]
            assert store.moves(START + 9 * DAY) == (held, [])

    def test_the_journal_before_and_after_a_place(self) -> None:
        memories = [self.memory() for _ in range(3)]
        self.add(*memories)  # one receipt of three lines
        self.set(memories[0], START + DAY, pinned=True)
        places = [entry.place for entry in self.store.journal(10)]
        assert len(places) == 4
        numbers = [place_in_journal(place, "place") for place in places]
        for at, number in enumerate(numbers):
            assert [entry.place for entry in self.store.journal(10, before=number)] == places[at + 1 :]
            assert [entry.place for entry in self.store.journal(10, after=number)] == places[:at][::-1]
        assert [entry.place for entry in self.store.journal(1, after=numbers[-1])] == [places[-2]]

    def test_a_list_goes_on_after_a_place(self) -> None:
        """Whatever was written, forgotten or purged meanwhile; memories of one moment are told apart."""
        memories = [self.memory(f"Fact {n}", created_at=START + (n // 2) * DAY) for n in range(6)]
        self.add(*memories)
        whole = self.store.select(ALL)
        first = self.store.select(ALL, limit=2)
        self.add(self.memory("Newer", created_at=START + 9 * DAY))
        last = first[-1]
        rest = self.store.select(ALL, after=Place.of(last))
        assert first + rest == whole
        purge = Plan((Change(memory_id=last.id, action=Action.PURGE, reason="x"),), verb="purge")
        receipt = self.store.apply(purge, START)
        certificate = Certificate(receipt_id=receipt.id, at=START, reason="x", purged=(last.id,))
        self.store.erase(certificate, [last.text], 1.0)
        assert self.store.select(ALL, after=Place.of(last)) == rest
        assert self.store.select(ALL, after=Place.of(whole[2]), order=Order.OLDEST)[-1].text == "Newer"

    def test_orders_and_counts(self) -> None:
        low, high, other = (
            self.memory("Low", importance=0.1, scope="/a", created_at=START + 2 * DAY),
            self.memory("High", importance=0.9, scope="/b", kind="k", created_at=START),
            self.memory("Other", importance=0.5, scope="/b", state=State.FORGOTTEN, created_at=START + DAY),
        )
        self.add(low, high, other)
        self.store.touch([other.id, high.id], START + 3 * DAY)
        self.store.touch([high.id], START + 4 * DAY)
        expected = {
            Order.NEWEST: [low, other, high],
            Order.OLDEST: [high, other, low],
            Order.IMPORTANCE: [high, other, low],
            Order.RECALLED: [high, other, low],
            Order.RECALLS: [high, other, low],
        }
        for order, memories in expected.items():
            assert [one.id for one in self.store.select(ALL, order=order)] == [one.id for one in memories], order
        assert dict(self.store.counts(ALL, "scope")) == {"/b": 2, "/a": 1}
        assert list(self.store.counts(ALL, "scope")) == ["/b", "/a"], "the most first"
        assert dict(self.store.counts(Selection(), "kind")) == {"k": 1, low.kind: 1}
        assert dict(self.store.counts(ALL, "state")) == {"live": 2, "forgotten": 1}
        assert dict(self.store.counts(Selection(scopes=("/b",)), "layer")) == {str(high.layer): 1}
        assert dict(self.store.counts(ALL, "source")) == {str(low.source): 3}

    def test_a_memory_as_it_was(self) -> None:
        memory = self.memory()
        self.add(memory)
        for day, pinned in ((1, True), (2, False), (3, True)):
            self.set(self.store.get([memory.id])[memory.id], START + day * DAY, pinned=pinned)
        now = self.store.get([memory.id])[memory.id]
        for day, pinned in ((0, False), (1, True), (1.5, True), (2, False), (3, True), (9, True)):
            assert self.store.revert([now], START + day * DAY)[0].pinned is pinned
        assert [image.get("pinned") for image in self.store.images(memory.id)] == [None, False, True, False]

    # -- namespaces

    def test_namespaces_never_meet(self) -> None:
        other = self.open_store("other")
        try:
            mine = self.memory("Swordfish here", categories=("c",))
            theirs = self.memory("Swordfish here", namespace="other", lineage=(mine.id,))
            receipt = self.store.apply(Plan((Change.add(mine),), verb="remember"), START)
            self.add(theirs, store=other)
            self.store.claim_key("k", mine.id)
            assert other.get([mine.id]) == {}
            assert other.select(ALL) == [theirs]
            assert (other.count(ALL), other.keyed("k")) == (1, None)
            assert [m.id for m, _ in other.matching("swordfish", ALL, 10)] == [theirs.id]
            assert other.kin("/", "fact", "swordfish here") == [theirs]
            assert self.store.made_from([mine.id]) == {mine.id: ()}
            assert {entry.memory_id for entry in other.journal(10)} == {theirs.id}
            assert len(other.columns(ALL)) == sum(other.state_counts().values()) == 1
            with pytest.raises(NotFound):
                other.receipt(receipt.id) if receipt.id != other.journal(1)[0].receipt_id else other.receipt("r999")
            change = Change.of(mine, "test", pinned=True)
            assert set(other.apply(Plan((change,), verb="test"), START).skipped) == {mine.id}
            other.touch([mine.id], START)
            other.flush()
            purge = Plan((Change(memory_id=theirs.id, action=Action.PURGE, reason="x"),), verb="purge")
            other.apply(purge, START)
            assert self.store.tombstones(["swordfish here"]) == set()
            assert self.store.get([mine.id]) == {mine.id: mine}
        finally:
            other.close()

    # -- care

    def test_a_sound_store_says_so(self) -> None:
        self.add(*(self.memory(f"w{number}", categories=("c",), lineage=(NO_ID,)) for number in range(10)))
        seen: list[tuple[int, int]] = []
        checkup = self.store.check(progress=lambda done, total: seen.append((done, total)))
        assert checkup.ok
        assert checkup.checked == 10
        assert seen[-1] == (10, 10)
        stats = self.store.stats()
        assert (stats.memories, stats.scopes, stats.kinds) == ({"live": 10}, {"/": 10}, {"fact": 10})
        assert stats.namespace == "test"

    def test_a_backup_is_a_store(self, tmp_path: Path) -> None:
        self.add(self.memory())
        self.store.backup(tmp_path / "copy")
        assert (tmp_path / "copy").stat().st_size > 0

    def test_closing_twice_is_closing_once(self) -> None:
        self.store.close()
        self.store.close()
        for act in (lambda: self.store.count(ALL), lambda: self.add(self.memory())):
            with pytest.raises(RemanenceError):
                act()
