"""recall, get, list, count: what is found, in which order, and what counts as an access."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound
from remanence.model.memory import State
from remanence.model.plan import Change, Plan
from remanence.model.selection import Place
from remanence.model.words import estimate_tokens
from remanence.policies.reading import PRESETS
from remanence.store.sql import words
from tests.conftest import Clock, dump, new_mind, only_files


def ids(hits: list) -> list[str]:
    return [hit.memory.id for hit in hits]


def texts(hits: list) -> set[str]:
    return {hit.memory.text for hit in hits}


def archive(mind: Mind, id: str) -> None:
    mind.apply(Plan((Change.of(mind.get(id), "put away", state=State.ARCHIVED),), verb="archive"))


# --- words


def test_a_word_is_as_rare_as_it_is_now(open_mind: Callable[..., Mind]) -> None:
    """Though as many memories came as left since it was last counted."""
    mind = open_mind()
    gone = mind.remember("Ana feeds the heron").memory.id
    mind.remember_many(["The heron nests by the lake", "Bob drinks tea", "A ferry leaves at nine"])
    mind.recall("heron")
    mind.purge(ids=[gone], reason="test")
    mind.remember("Coffee comes at ten")
    (kept,) = mind.recall("heron lake", reinforce=False)
    (fresh,) = open_mind().recall("heron lake", reinforce=False)
    assert fresh.parts["text"] == kept.parts["text"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Alice is running marathons", "run"),
        ("Alice runs", "RUNNING"),
        ("Café Müller opens early", "cafe"),
        ("Cafe Muller opens early", "Müller"),
        ("snake_case_name is used here", "snake_case_name"),
        ("She said don't", "don't"),
        ("東京都の天気は晴れ", "東京"),
        ("東京都の天気は晴れ", "都"),
        ("東京都の天気は晴れ", "天気"),
        ("我在北京工作", "北京"),
        ("나는 한국어를 공부합니다", "한국어"),
        ("Любит чёрный кофе", "КОФЕ"),
        ("version 3.11.4 is installed", "3.11.4"),
        ("one two three", "absent three"),
    ],
)
def test_found_by_words(mind: Mind, text: str, query: str) -> None:
    memory = mind.remember(text).memory
    mind.remember("Entirely unrelated 犬")
    assert ids(mind.recall(query)) == [memory.id]


@pytest.mark.parametrize(
    "word",
    [
        "coffee",
        "database",
        "decision",
        "release",
        "because",
        "cause",
        "represent",
        "university",
        "parse",
        "guarantee",
        "false",
        "degree",
        "purpose",
        "raise",
        "previously",
        "equivalent",
        "precision",
        "increase",
        "recursion",
        "employee",
        "committee",
        "conversion",
        "reverse",
        "agreed",
        "running",
        "ponies",
        "generalization",
        "oscillators",
        "relational",
        "hopefulness",
        "caresses",
        "electricity",
        "adjustment",
    ],
)
def test_every_word_finds_the_text_it_stands_in(mind: Mind, word: str) -> None:
    memory = mind.remember(f"It has {word} in it").memory
    assert ids(mind.recall(word)) == [memory.id]
    assert [change.memory_id for change in mind.plan_forget(query=word)] == [memory.id]


@pytest.mark.parametrize(
    "query",
    ['"', "'", "*", "()", "AND", "NOT", "OR OR", "NEAR(", "text:", "-", "^", "!?…", "👍", "a*b", "zzz", "^x", "{a b}"],
)
def test_a_query_without_known_words_finds_nothing(mind: Mind, query: str) -> None:
    mind.remember("Alice lives in Oslo")
    assert mind.recall(query) == []


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\u200b"])
def test_a_blank_query_is_refused(mind: Mind, query: str) -> None:
    with pytest.raises(InvalidInput, match="query"):
        mind.recall(query)


def test_more_and_rarer_words_rank_higher(mind: Mind) -> None:
    for number in range(20):
        mind.remember(f"server note {number} x{number}", scope=f"/n/{number}")
    both = mind.remember("server migration plan", kind="decision").memory
    hits = mind.recall("server migration", limit=5)
    assert hits[0].memory.id == both.id
    assert len(hits) == 5
    ranks = [hit.rank for hit in hits]
    assert ranks == sorted(ranks, reverse=True)
    assert all(0 < hit.parts["text"] < 1 and not hit.archived for hit in hits)


def test_equal_ranks_are_newest_first(mind: Mind, clock: Clock) -> None:
    stored = []
    for number in range(5):
        stored.append(mind.remember(f"coffee {chr(97 + number)}", scope=f"/{number}").memory.id)
        clock.advance(minutes=1)
    assert ids(mind.recall("coffee")) == stored[::-1]


def test_limit(mind: Mind) -> None:
    for number in range(30):
        mind.remember("coffee", scope=f"/{number}")
    assert len(mind.recall("coffee")) == 10
    assert len(mind.recall("coffee", limit=1)) == 1
    assert len(mind.recall("coffee", limit=1000)) == 30


# --- filters


@pytest.fixture
def shelves(mind: Mind) -> Mind:
    for scope in ("/", "/user", "/user/x", "/user/x/y", "/username", "/user0", "/user-x", "/other"):
        mind.remember("tea", scope=scope)
    return mind


@pytest.mark.parametrize(
    ("scope", "found"),
    [
        (None, {"/", "/user", "/user/x", "/user/x/y", "/username", "/user0", "/user-x", "/other"}),
        ("/", {"/", "/user", "/user/x", "/user/x/y", "/username", "/user0", "/user-x", "/other"}),
        ("/user", {"/user", "/user/x", "/user/x/y"}),
        ("/user/x", {"/user/x", "/user/x/y"}),
        ("/use", set()),
        ("/absent", set()),
        (["/user/x", "/other"], {"/user/x", "/user/x/y", "/other"}),
        (("/user", "/user/x"), {"/user", "/user/x", "/user/x/y"}),
        ([], set()),
    ],
)
def test_scopes_hold_whole_segments(shelves: Mind, scope: object, found: set[str]) -> None:
    assert {hit.memory.scope for hit in shelves.recall("tea", scope=scope, limit=100)} == found
    assert {memory.scope for memory in shelves.list(scope=scope)} == found
    assert shelves.count(scope=scope) == len(found)


@pytest.mark.parametrize("scope", ["/%", "/user%", "/_ser", "/USER", "/*", "/user/[x]", "/use?"])
def test_a_scope_is_no_pattern(shelves: Mind, scope: str) -> None:
    assert shelves.recall("tea", scope=scope) == []
    assert shelves.count(scope=scope) == 0


def test_kinds_layers_and_categories(mind: Mind) -> None:
    a = mind.remember("tea", kind="fact", layer="semantic", categories=["x", "y"]).memory.id
    b = mind.remember("tea", kind="decision", layer="working", categories=["y"]).memory.id
    c = mind.remember("tea", kind="made up kind", scope="/s").memory.id
    recalled = lambda **filters: set(ids(mind.recall("tea", **filters)))  # noqa: E731
    assert recalled(kinds="fact") == {a}
    assert recalled(kinds=["decision", "made up kind"]) == {b, c}
    assert recalled(layers="working") == {b}
    assert recalled(layers=["semantic", "episodic"]) == {a, c}
    assert recalled(categories="y") == {a, b}
    assert recalled(categories=["x", "absent"]) == {a}
    assert recalled(categories=["y"], kinds="decision", layers=["working"], scope="/") == {b}
    assert recalled(categories=["y"], kinds="made up kind") == set()
    assert recalled(kinds=[]) == recalled(layers=()) == recalled(categories=[]) == set()
    assert [memory.id for memory in mind.list(kind="decision")] == [b]
    assert mind.count(layer="semantic") == 1


def test_since_and_until_include_their_ends(mind: Mind, clock: Clock) -> None:
    first = clock.now
    for number in range(4):
        mind.remember("tea", scope=f"/{number}")
        clock.advance(days=1)
    day = timedelta(days=1)
    recalled = lambda **filters: sorted(hit.memory.scope for hit in mind.recall("tea", **filters))  # noqa: E731
    assert recalled(since=first + day) == ["/1", "/2", "/3"]
    assert recalled(until=first + day) == ["/0", "/1"]
    assert recalled(since=first + day, until=first + 2 * day) == ["/1", "/2"]
    assert recalled(since=first + day + timedelta(microseconds=1)) == ["/2", "/3"]
    assert recalled(since=first + 3 * day, until=first) == []


def test_a_time_alone_finds_what_was_born_then_the_most_worthy_first(mind: Mind, clock: Clock) -> None:
    old = mind.remember("Tea was planted").memory.id
    archived = mind.remember("Tea was drunk").memory.id
    clock.advance(days=3)
    small = mind.remember("Rain fell on the roof", importance=0.1).memory.id
    great = mind.remember("The contract was signed", importance=0.9).memory.id
    mind.remember("The key is under the mat", ttl="1h")
    clock.advance(hours=2)
    archive(mind, archived)
    hits = mind.recall(since="yesterday")
    assert ids(hits) == [great, small]
    assert hits[0].rank > hits[1].rank
    assert hits[0].parts["answer"] == 1.0
    assert mind.get(great).access_count == 1
    assert ids(mind.recall(until="2 days ago")) == [old]
    assert not mind.recall(until="2 days ago").missed
    assert ids(mind.recall(since="yesterday", limit=1)) == [great]
    assert mind.why_not(None, small, since="yesterday", limit=1).place == 2
    with pytest.raises(InvalidInput, match="nothing is asked: give a query, an example"):
        mind.recall()


def test_only_live_memories_are_recalled(mind: Mind) -> None:
    stored = {name: mind.remember("tea", scope=f"/{name}").memory.id for name in ("live", "archived", "forgotten")}
    archive(mind, stored["archived"])
    mind.forget(ids=[stored["forgotten"]])
    assert ids(mind.recall("tea")) == [stored["live"]]
    with_archive = {hit.memory.id: hit.archived for hit in mind.recall("tea", include="archived")}
    assert with_archive == {stored["live"]: False, stored["archived"]: True}
    assert mind.count(state="all") == 3
    for state, id in stored.items():
        assert [memory.id for memory in mind.list(state=state)] == [id]


@pytest.mark.parametrize("budget", [1, 14, 15, 28, 40, 1000])
def test_a_budget_is_never_exceeded(mind: Mind, budget: int) -> None:
    for number in range(6):
        mind.remember(f"coffee is number {chr(97 + number)} " + "and more " * number, scope=f"/{number}")
    every = mind.recall("coffee", limit=100)
    hits = mind.recall("coffee", limit=100, budget_tokens=budget)
    assert sum(estimate_tokens(hit.memory.text) for hit in hits) <= budget
    left, expected = budget, []
    for hit in every:
        if (tokens := estimate_tokens(hit.memory.text)) <= left:
            expected.append(hit.memory.id)
            left -= tokens
    assert ids(hits) == expected


def test_what_a_budget_leaves_out_is_not_accessed(mind: Mind) -> None:
    mind.remember("coffee", scope="/short")
    mind.remember("coffee " + "and so on " * 50, scope="/long")
    mind.recall("coffee", budget_tokens=10)
    assert {memory.scope: memory.access_count for memory in mind.list()} == {"/short": 1, "/long": 0}


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": 0},
        {"limit": 1001},
        {"include": "everything"},
        {"include": "forgotten"},
        {"layers": "deep"},
        {"scope": "user"},
        {"scope": ["/a", "b"]},
        {"kinds": ""},
        {"since": datetime(2026, 1, 1)},
        {"until": "whenever"},
        {"since": "13 moons ago"},
        {"like": 5},
        {"files": 5},
        {"as_of": datetime(2026, 1, 1)},
        {"budget_tokens": 0},
        {"reinforce": "no"},
    ],
)
def test_bad_arguments_are_refused(mind: Mind, wrong: dict) -> None:
    with pytest.raises(InvalidInput):
        mind.recall("tea", **wrong)


def test_a_thousand_scopes_may_be_asked_at_once(mind: Mind) -> None:
    mind.remember("tea", scope="/s/500/x")
    many = [f"/s/{number}" for number in range(1000)]
    assert len(mind.recall("tea", scope=many)) == 1
    assert mind.count(scope=many) == 1
    with pytest.raises(InvalidInput, match="more than 1000"):
        mind.recall("tea", scope=[*many, "/t"])


def test_many_categories_and_kinds_may_be_asked_at_once(mind: Mind) -> None:
    memory = mind.remember("tea", categories=["c500"], kind="k500").memory
    names = range(1000)
    hits = mind.recall("tea", categories=[f"c{n}" for n in names], kinds=[f"k{n}" for n in names])
    assert ids(hits) == [memory.id]


# --- accesses


def test_a_recall_counts_at_once(mind: Mind, clock: Clock) -> None:
    memory = mind.remember("tea").memory
    other = mind.remember("coffee").memory
    for number in range(1, 4):
        clock.advance(hours=1)
        before = mind.recall("tea")[0].memory
        assert before.access_count in (number - 1, number)
        after = mind.get(memory.id)
        assert (after.access_count, after.last_accessed_at) == (number, clock.now)
        assert after.recent_accesses[-1] == clock.now
        assert len(after.recent_accesses) == number
        assert mind.list(kind="fact")[-1].access_count == number
    assert mind.get(other.id) == other


def test_only_a_live_recall_counts(mind: Mind, clock: Clock) -> None:
    memory = mind.remember("tea").memory
    clock.advance(days=1)
    mind.get(memory.id)
    mind.list()
    mind.count()
    mind.history(memory.id)
    mind.journal()
    mind.stats()
    mind.recall("tea", as_of=clock.now)
    mind.recall("tea", include="archived")
    mind.recall("tea", reinforce=False)
    mind.recall("coffee")
    mind.plan_forget(query="tea")
    assert mind.get(memory.id) == memory


def test_the_newest_twenty_accesses_are_kept(mind_file: Mind, open_mind: Callable[..., Mind], clock: Clock) -> None:
    id = mind_file.remember("tea").memory.id
    moments = []
    for _ in range(25):
        moments.append(clock.advance(minutes=1))
        mind_file.recall("tea")
    memory = mind_file.get(id)
    assert (memory.access_count, memory.recent_accesses) == (25, tuple(moments[-20:]))
    mind_file.close()
    with open_mind() as again:
        assert again.get(id) == memory
        again.recall("tea")
        assert again.get(id).access_count == 26


def test_a_clock_going_back_takes_no_access_away(mind: Mind, clock: Clock) -> None:
    memory = mind.remember("tea").memory
    clock.advance(days=10)
    mind.recall("tea")
    last = clock.now
    clock.advance(days=-20)
    mind.recall("tea")
    memory = mind.get(memory.id)
    assert (memory.access_count, memory.last_accessed_at) == (2, last)
    assert list(memory.recent_accesses) == sorted(memory.recent_accesses)


def test_accesses_outlive_a_change_of_the_memory(mind: Mind, clock: Clock) -> None:
    memory = mind.remember("tea").memory
    mind.recall("tea")
    mind.pin(memory.id)
    mind.recall("tea")
    receipt = mind.forget(ids=[memory.id])
    mind.undo(receipt.id)
    mind.recall("tea")
    assert mind.get(memory.id).access_count == 3


def test_accesses_make_no_journal_line(mind: Mind) -> None:
    mind.remember("tea")
    before = mind.journal()
    mind.recall("tea")
    mind.stats()
    assert mind.journal() == before


# --- more memories than five hundred: common words are pruned from a query, and nothing else


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Mind:
    from tests.conftest import new_mind

    mind = new_mind(tmp_path_factory.mktemp("crowd") / "memory.db")
    mind.remember_many([{"text": f"common note w{number} v{number}"} for number in range(1500)])
    return mind


def test_a_word_just_learned_is_found_at_once(crowd: Mind) -> None:
    assert "quokka" not in str(texts(crowd.recall("common quokka")))
    memory = crowd.remember("The quokka is common").memory
    assert crowd.recall("common quokka")[0].memory.id == memory.id


@only_files
def test_a_word_of_another_namespace_hides_nothing(crowd: Mind) -> None:
    from tests.conftest import new_mind

    with new_mind(crowd.stats().location, namespace="other") as other:
        for number in range(3):
            other.remember("axolotl", scope=f"/{number}")
        assert crowd.recall("common axolotl") != []


def test_a_forgotten_word_hides_nothing(crowd: Mind) -> None:
    crowd.forget(ids=[crowd.remember("A pangolin").memory.id])
    assert crowd.recall("common pangolin") != []


def test_a_word_of_another_scope_hides_nothing(crowd: Mind) -> None:
    crowd.remember("A narwhal", scope="/sea")
    crowd.remember("A common thing on land", scope="/land")
    assert len(crowd.recall("common narwhal", scope="/land")) == 1


def test_a_store_that_grows_while_it_is_asked_learns_what_is_common(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "_LEAST_MET", 500)
    mind.remember_many([{"text": f"common note w{number} v{number}"} for number in range(400)])
    mind.remember("The quokka is common")
    assert len(mind.recall("common quokka")) == 10
    for part in range(400, 1000, 100):
        mind.remember_many([{"text": f"common note w{number} v{number}"} for number in range(part, part + 100)])
        for _ in range(20):
            mind.recall("common quokka")
    assert texts(mind.recall("common quokka")) == {"The quokka is common"}


def test_two_common_words_find_the_one_that_holds_both(mind: Mind) -> None:
    """Each alone is in hundreds of newer memories: the one with both would not be among their best."""
    mind.remember("The harbour has a lighthouse")
    for word in ("harbour", "lighthouse"):
        mind.remember_many([{"text": f"{word} note w{number}{word} v{number}{word}"} for number in range(400)])
    assert mind.recall("harbour lighthouse")[0].memory.text == "The harbour has a lighthouse"


def test_who_asks_for_many_gets_them_by_common_words_too(mind: Mind) -> None:
    mind.remember_many([{"text": f"common note w{number} v{number}"} for number in range(900)])
    mind.remember("The quokka is common")
    assert texts(mind.recall("common quokka")) == {"The quokka is common"}
    assert len(mind.recall("common quokka", limit=1000)) == 901


def test_an_emptied_store_is_asked_again_and_again(mind: Mind) -> None:
    mind.remember_many([{"text": f"common note w{number} v{number}"} for number in range(520)])
    assert mind.recall("common w7") != []
    mind.purge(scope="/", reason="asked")
    for _ in range(130):
        assert mind.recall("common w7") == []
    mind.remember("A common beginning")
    assert texts(mind.recall("common w8")) == {"A common beginning"}


def test_a_common_word_alone_is_asked(crowd: Mind) -> None:
    assert len(crowd.recall("common", limit=1000)) == 1000


# --- get and list


@pytest.mark.parametrize("id", ["01890000-0000-7000-8000-000000000000", "nonsense", "", "é", "0189", "x" * 10_000])
def test_an_unknown_id_is_not_found(mind: Mind, id: str) -> None:
    mind.remember("tea")
    before = dump(mind)
    for verb in (mind.get, mind.history, mind.pin, mind.unpin, mind.promote, mind.demote, mind.confirm, mind.challenge):
        with pytest.raises(NotFound):
            verb(id)
    for ids_verb in (mind.forget, mind.restore, lambda ids: mind.purge(ids=ids, reason="x")):
        with pytest.raises(NotFound):
            ids_verb(ids=[id])
    with pytest.raises(NotFound):
        mind.revise(id, text="coffee")
    assert dump(mind) == before


def test_not_found_names_every_missing_id(mind: Mind) -> None:
    there = mind.remember("tea").memory.id
    with pytest.raises(NotFound) as caught:
        mind.forget(ids=[there, "first missing", "second missing"])
    assert "first missing" in str(caught.value)
    assert "second missing" in str(caught.value)
    assert there not in str(caught.value)
    assert mind.get(there).state == "live"


def test_list_is_newest_first_in_pages(mind: Mind, clock: Clock) -> None:
    stored = []
    for number in range(7):
        stored.append(mind.remember("tea", scope=f"/{number}").memory.id)
        clock.advance(days=1)
    expected = stored[::-1]
    assert [memory.id for memory in mind.list()] == expected
    assert [memory.id for memory in mind.list(limit=3)] == expected[:3]
    assert [memory.id for memory in mind.list(limit=3, offset=3)] == expected[3:6]
    assert mind.list(limit=3, offset=7) == []
    assert mind.count() == 7


def test_a_list_in_other_orders(mind: Mind, clock: Clock) -> None:
    kettle = mind.remember("The kettle is blue", scope="/a", importance=0.4).memory.id
    clock.advance(days=1)
    oven = mind.remember("Heron nests are by the lake", scope="/b", importance=0.9).memory.id
    clock.advance(days=1)
    lamp = mind.remember("Ewa waters plants on Mondays", scope="/c", importance=0.1).memory.id
    for question, scope in (("kettle", "/a"), ("kettle", "/a"), ("plants", "/c")):
        clock.advance(days=1)
        assert mind.recall(question, scope=scope)
    expected = {
        "newest": [lamp, oven, kettle],
        "oldest": [kettle, oven, lamp],
        "importance": [oven, kettle, lamp],
        "recalled": [lamp, kettle, oven],
        "recalls": [kettle, lamp, oven],
    }
    for order, ids in expected.items():
        assert [memory.id for memory in mind.list(order=order)] == ids, order
        assert [memory.id for memory in mind.list(order=order, limit=1, offset=1)] == ids[1:2], order
    after = str(Place.of(mind.get(kettle)))
    assert [memory.id for memory in mind.list(order="oldest", after=after)] == [oven, lamp]


def test_a_list_of_those_that_hold_words_in_any_state(mind: Mind) -> None:
    heron = mind.remember("The heron nests by the lake", scope="/a").memory.id
    stork = mind.remember("A stork flew over the heron", scope="/b").memory.id
    mind.remember("Ewa waters plants on Mondays", scope="/c")
    mind.forget(ids=[stork])
    assert [memory.id for memory in mind.list(words="heron")] == [heron]
    assert [memory.id for memory in mind.list(words="heron", state="forgotten")] == [stork]
    assert {memory.id for memory in mind.list(words="heron", state="all")} == {heron, stork}
    whole = [memory.id for memory in mind.list(words="heron", state="all")]
    assert [memory.id for memory in mind.list(words="heron", state="all", limit=1, offset=1)] == whole[1:]
    assert mind.get(heron).access_count == 0


def test_counts_of_what_filters_leave(mind: Mind) -> None:
    mind.remember("The heron nests by the lake", scope="/a/b", kind="event")
    mind.remember("The kettle is blue", scope="/a")
    gone = mind.remember("Ewa waters plants on Mondays", scope="/c", source="ai").memory.id
    mind.forget(ids=[gone])
    assert mind.counts("scope") == {"/a": 1, "/a/b": 1}
    assert mind.counts("scope", kind="event") == {"/a/b": 1}
    assert mind.counts("kind", scope="/a") == {"event": 1, "fact": 1}
    assert mind.counts("state", state="all") == {"live": 2, "forgotten": 1}
    assert mind.counts("source", state="forgotten") == {"ai": 1}
    assert mind.counts("layer", state="all") == {"episodic": 3}
    with pytest.raises(InvalidInput, match="of 'words' is not one of scope, kind, layer, source, state"):
        mind.counts("words")


@pytest.mark.parametrize(
    "wrong",
    [
        *({"state": "purged"}, {"state": 3}, {"limit": 0}, {"limit": 1001}, {"offset": -1}, {"layer": "x"}),
        *(
            {"order": "best"},
            {"words": " "},
            {"words": "heron", "after": "1772355600000000~01890000-0000-7000-8000-000000000001"},
        ),
        {"order": "recalls", "after": "1772355600000000~01890000-0000-7000-8000-000000000001"},
    ],
)
def test_list_refuses_bad_arguments(mind: Mind, wrong: dict) -> None:
    with pytest.raises(InvalidInput):
        mind.list(**wrong)


@pytest.mark.parametrize("policy", PRESETS)
def test_what_expired_is_out_at_once_and_found_in_the_archive(policy: str, clock: Clock) -> None:
    with new_mind(clock=clock, policy=policy) as mind:
        id = mind.remember("The ferry pass of the heron counter", ttl="2d").memory.id
        clock.advance(days=2, seconds=1)
        assert not mind.recall("ferry pass") and not mind.recall("ferry pass", include="archived")
        mind.apply(mind.sweep())
        assert mind.get(id).state == "archived"
        answer = mind.recall("ferry pass")
        assert not answer and not answer.missed, "it was said to end: nobody misses it"
        (hit,) = mind.recall("ferry pass", include="archived")
        assert hit.memory.id == id and hit.archived
        assert mind.get(id).access_count == 0
