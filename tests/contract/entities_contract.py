"""What any store must do for names: taken lazily and by many at once, gone with a purge, silent in quarantine."""

from __future__ import annotations

from remanence.model.memory import Memory, State
from remanence.model.plan import Action, Change, Plan
from remanence.store.protocol import Naming, Store, UnnamedPage
from tests.conftest import START
from tests.contract.opened_store import OpenedStore

RULES = 7


def words_in(page: UnnamedPage) -> list[Naming]:
    """A rule as good as any: every capitalised word is a name, "A=B" says that A stands for B."""
    found = []
    for one in page.memories:
        words = one.text.replace("=", " ").split()
        names = [(word, "name") for word in dict.fromkeys(words) if word[0].isupper()]
        names += [(concept, "concept") for concept in one.concepts]
        definitions = [tuple(word.split("=")) for word in one.text.split() if "=" in word]
        found.append(Naming(one.row, one.revision, names, definitions))  # type: ignore[arg-type]
    return found


class EntitiesContract(OpenedStore):
    def name(self, store: Store | None = None, size: int = 100) -> int:
        entities = (store or self.store).entities
        entities.renew(RULES)
        named = 0
        while (page := entities.unnamed(size)).memories:
            named += entities.name(page, words_in(page)) or 0
        return named

    def held(self, store: Store | None = None) -> dict[str, dict[str, int]]:
        return {one.name: dict(one.scopes) for one in (store or self.store).entities.mentions()}

    def purge(self, memory: Memory) -> None:
        change = Change(memory_id=memory.id, action=Action.PURGE, reason="test")
        self.store.apply(Plan((change,), verb="purge"), START)

    def test_names_are_counted_by_scope_for_live_memories_alone(self) -> None:
        ana, ben, old = self.memory("Ana knows Ben"), self.memory("Ben", scope="/p"), self.memory("Ben and Cora")
        self.add(ana, ben, old)
        assert self.held() == {} and self.store.entities.unnamed_count() == 3
        assert self.name(size=2) == 3 and self.store.entities.unnamed_count() == 0
        self.set(old, state=State.ARCHIVED)
        for store in self.before_and_after_reopening():
            assert self.held(store) == {"Ana": {"/": 1}, "Ben": {"/": 1, "/p": 1}}
            assert store.entities.mentions(["/p"])[0].scopes == {"/p": 1}
            assert [one.name for one in store.entities.mentions(keys=["ana", "nobody"])] == ["Ana"]
            assert store.entities.memories(["ben"]) == [ben.id, ana.id]
            assert store.entities.memories(["ben"], ["/p"]) == [ben.id] == store.entities.memories(["ben"], None, 1)
            assert store.entities.of([ana.id, "no id"]) == {ana.id: ("ana", "ben"), "no id": ()}
            assert store.check().ok
        self.set(self.store.get([old.id])[old.id], state=State.LIVE)
        assert self.name() == 0, "its names were there all the time"
        assert self.held()["Cora"] == {"/": 1}

    def test_a_way_of_writing_is_a_row_and_a_key_is_shared(self) -> None:
        self.add(self.memory("MCP"), self.memory("Mcp"), self.memory("MCP Mcp"))
        self.name()
        assert self.held() == {"MCP": {"/": 2}, "Mcp": {"/": 2}}
        assert self.store.entities.counts([["mcp"], ["nobody"]], None) == [{"/": 3}, {}]

    def test_who_is_named_together(self) -> None:
        texts = ("Ana Ben", "Ana Ben Cora", "Ben Dora", "Ana")
        memories = [self.memory(text, scope=f"/{place}") for place, text in enumerate(texts)]
        self.add(*memories)
        self.name()
        assert self.store.entities.together(["ana"]) == [("ben", 2), ("cora", 1)]
        assert self.store.entities.together(["ana"], None, 1) == [("ben", 2)]
        assert self.store.entities.together(["ana"], ["/1"]) == [("ben", 1), ("cora", 1)]
        assert self.store.entities.together(["ana", "ben"]) == [("cora", 1), ("dora", 1)]
        self.set(memories[1], state=State.FORGOTTEN)
        assert self.store.entities.together(["ana"]) == [("ben", 1)]

    def test_definitions_count_live_memories(self) -> None:
        one, two = self.memory("MCP=Protocol"), self.memory("the MCP=Protocol again")
        self.add(one, two, self.memory("Other"))
        self.name()
        assert self.store.entities.definitions() == [("mcp", "protocol", 2)]
        assert self.store.entities.definitions(["protocol"]) == self.store.entities.definitions(["mcp"])
        assert self.store.entities.definitions(["other"]) == []
        self.set(two, state=State.ARCHIVED)
        assert self.store.entities.definitions() == [("mcp", "protocol", 1)]
        self.purge(one)
        assert self.store.entities.definitions() == []

    def test_a_purge_takes_the_names_nobody_else_has_with_it(self) -> None:
        gone, kept = self.memory("Ana Zerlina XY=Zerlina"), self.memory("Ana")
        self.add(gone, kept)
        self.name()
        self.purge(gone)
        assert self.held() == {"Ana": {"/": 1}}
        assert self.store.entities.mentions(keys=["zerlina", "xy"]) == [] == self.store.entities.definitions()
        assert self.store.check().ok
        assert self.name() == 0

    def test_what_was_never_named_is_purged_without_a_trace(self) -> None:
        gone = self.memory("Zerlina")
        self.add(gone)
        self.set(gone, concepts=("opera",))
        self.purge(gone)
        assert self.name() == 0 and self.held() == {} and self.store.check().ok

    def test_a_changed_tag_is_named_again_and_only_it(self) -> None:
        one, two = self.memory("Ana", concepts=("tea",)), self.memory("Ben")
        self.add(one, two)
        self.name()
        self.set(one, concepts=("coffee",))
        self.set(two, importance=0.9)
        assert self.store.entities.unnamed_count() == 1
        assert self.name() == 1
        assert self.held() == {"Ana": {"/": 1}, "Ben": {"/": 1}, "coffee": {"/": 1}}
        assert self.store.check().ok

    def test_quarantine_takes_the_names_away_and_gives_them_back(self) -> None:
        apart, later, kept = self.memory("Mallory", state=State.QUARANTINED), self.memory("Eve"), self.memory("Ana")
        self.add(apart, later, kept)
        assert self.name() == 2
        self.set(later, state=State.QUARANTINED)
        assert self.held() == {"Ana": {"/": 1}}
        assert self.store.entities.mentions(keys=["eve", "mallory"]) == []
        assert self.store.check().ok and self.store.entities.unnamed_count() == 0
        self.set(apart, state=State.LIVE)
        self.set(self.store.get([later.id])[later.id], state=State.FORGOTTEN)
        assert self.name() == 1
        assert self.held() == {"Ana": {"/": 1}, "Mallory": {"/": 1}}

    def test_a_page_read_before_a_change_names_nothing_of_before(self) -> None:
        changed, gone, apart, kept = (self.memory(name) for name in ("Ana", "Ben", "Cora", "Dora"))
        self.add(changed, gone, apart, kept)
        self.store.entities.renew(RULES)
        page = self.store.entities.unnamed(100)
        found = words_in(page)
        self.set(changed, concepts=("tea",))
        self.purge(gone)
        self.set(apart, state=State.QUARANTINED)
        assert self.store.entities.name(page, found) == 1
        assert self.held() == {"Dora": {"/": 1}}
        assert self.name() == 1
        assert self.held() == {"Ana": {"/": 1}, "Dora": {"/": 1}, "tea": {"/": 1}}
        assert self.store.check().ok

    def test_two_at_once_write_the_same(self) -> None:
        self.add(*(self.memory(f"Ana Name{number}") for number in range(10)))
        other = self.open_store("test")
        self.store.entities.renew(RULES)
        mine, theirs = self.store.entities.unnamed(4), other.entities.unnamed(6)
        other.entities.name(theirs, words_in(theirs))
        self.store.entities.name(mine, words_in(mine))
        assert self.store.entities.unnamed_count() == other.entities.unnamed_count() == 4
        assert self.name(other, size=3) == 4
        assert self.held()["Ana"] == {"/": 10} and len(self.held(other)) == 11
        other.close()

    def test_a_page_from_before_the_names_were_dropped_moves_no_mark(self) -> None:
        self.add(*(self.memory(f"Name{number}") for number in range(6)))
        self.store.entities.renew(RULES)
        first = self.store.entities.unnamed(3)
        self.store.entities.name(first, words_in(first))
        second = self.store.entities.unnamed(3)
        self.store.entities.renew(RULES + 1)
        self.store.entities.name(second, words_in(second))
        self.store.entities.renew(RULES + 1)
        while (page := self.store.entities.unnamed(100)).memories:
            self.store.entities.name(page, words_in(page))
        assert len(self.held()) == 6

    def test_a_page_nobody_began_is_not_written(self) -> None:
        self.add(self.memory("Ana"))
        page = self.store.entities.unnamed(100)
        assert self.store.entities.name(page, words_in(page)) is None
        assert self.held() == {} and self.store.entities.unnamed_count() == 1
        assert self.name() == 1 and self.held() == {"Ana": {"/": 1}}

    def test_other_rules_take_all_names_anew(self) -> None:
        self.add(self.memory("Ana"))
        self.name()
        self.store.entities.renew(RULES)
        assert self.store.entities.unnamed_count() == 0
        self.store.entities.renew(RULES + 1)
        assert self.held() == {} and self.store.entities.unnamed_count() == 1

    def test_namespaces_do_not_meet(self) -> None:
        other = self.open_store("other")
        self.add(self.memory("Ana Ben"))
        self.add(self.memory("Ana Cora", namespace="other"), store=other)
        assert self.name() == 1 and self.name(other) == 1
        assert set(self.held()) == {"Ana", "Ben"} and set(self.held(other)) == {"Ana", "Cora"}
        assert self.store.entities.together(["ana"]) == [("ben", 1)]
        assert len(other.entities.memories(["ana"])) == 1
        self.store.entities.renew(RULES + 1)
        assert self.held() == {} and set(self.held(other)) == {"Ana", "Cora"}
        other.close()

    def test_an_empty_namespace_names_nothing(self) -> None:
        assert self.name() == 0 and self.held() == {}
        assert self.store.entities.together(["ana"]) == [] == self.store.entities.memories([])
        assert self.store.entities.counts([], None) == []
