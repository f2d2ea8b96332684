"""R18: another model, or another length of its vectors: nothing is mixed, words answer, and reembed repairs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from remanence import Mind
from remanence.settings import Settings
from tests.conftest import Clock, Entropy, new_mind
from tests.embedders import Toy, rested

pytestmark = pytest.mark.promise("R18")

TEXTS = [f"alpha{n} beta{n} gamma{n} heron" for n in range(100)]
CHANGES = {
    "another name": lambda: Toy("toy-2"),
    "another name and length": lambda: Toy("toy-2", 48),
    "another length": lambda: Toy("toy", 48),
}


@pytest.fixture
def filled(open_mind: Callable[..., Mind]) -> dict[str, str]:
    mind = open_mind(embedder=Toy())
    made = {}
    for at in range(0, len(TEXTS), 25):  # so few that they are embedded at once
        done = mind.remember_many([{"text": text, "importance": 0.5} for text in TEXTS[at : at + 25]])
        made |= {result.memory.text: result.memory.id for result in done}
    mind.forget(ids=[made[TEXTS[0]]])
    mind.close()
    return made


def answered(mind: Mind, text: str = TEXTS[3]) -> dict[str, float]:
    hits = mind.recall(text, limit=3, reinforce=False)
    assert hits[0].memory.text == text
    return dict(hits[0].parts)


def spread(mind: Mind) -> dict[tuple[str, int], int]:
    """How many vectors there are of each model and length."""
    with mind._store._engine.read() as connection:
        sql = "SELECT o.name, o.dimension, count(*) FROM meanings e JOIN models o ON o.no = e.model GROUP BY 1, 2"
        return {(name, size): number for name, size, number in connection.execute(sql)}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_model_is_noticed_and_words_answer(
    open_mind: Callable[..., Mind], filled: dict[str, str], change: str
) -> None:
    embedder = CHANGES[change]()
    mind = open_mind(embedder=embedder)
    parts = answered(mind)
    assert "vector" not in parts, "vectors of another model are not compared"
    (note,) = mind.recall("alpha3").notes
    assert "100 memories" in note and "rem reembed" in note
    stats = mind.stats()
    assert (stats.embedder, stats.vectors) == (embedder.model, {"toy": 100})
    assert mind.check().ok, "it is no damage"


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_new_is_of_the_new_model_and_compared_with_its_like(
    open_mind: Callable[..., Mind], filled: dict[str, str], change: str
) -> None:
    embedder = CHANGES[change]()
    mind = open_mind(embedder=embedder)
    new = mind.remember("delta epsilon heron").memory
    assert new.surprise is None, "there is nobody to compare it with"
    other = mind.remember("zeta eta theta").memory
    assert other.surprise is not None
    hits = mind.recall("delta epsilon heron", limit=50)
    assert hits[0].memory.id == new.id
    assert {hit.memory.id for hit in hits if "vector" in hit.parts} <= {new.id, other.id}
    assert len(hits) > 2, "the others come by words"
    assert spread(mind) == {("toy", 32): 100, (embedder.model, embedder.dimension): 2}


@pytest.mark.parametrize("change", CHANGES)
def test_reembed_repairs(open_mind: Callable[..., Mind], filled: dict[str, str], change: str) -> None:
    embedder = CHANGES[change]()
    mind = open_mind(embedder=embedder)
    before = [mind.get(id) for id in filled.values()]
    journal = mind.journal()
    told: list[tuple[int, int]] = []
    done = mind.meaning.reembed(lambda at, total: told.append((at, total)))
    assert (done.embedded, done.left, done.why) == (100, 0, "")
    assert told[-1] == (100, 100)
    assert spread(mind) == {(embedder.model, embedder.dimension): 100}, "forgotten ones too: they may come back"
    assert answered(mind)["vector"] == pytest.approx(1.0, abs=1e-5)
    assert mind.recall("alpha3", reinforce=False).notes == ()
    assert [mind.get(id) for id in filled.values()] == before, "no memory changes by it"
    assert mind.journal() == journal
    assert mind.check().ok
    assert mind.meaning.reembed().embedded == 0
    mind.close()
    again = open_mind(embedder=CHANGES[change]())
    assert answered(again)["vector"] == pytest.approx(1.0, abs=1e-5)


def test_there_and_back(open_mind: Callable[..., Mind], filled: dict[str, str]) -> None:
    for name in ("toy-2", "toy"):
        mind = open_mind(embedder=Toy(name))
        assert mind.meaning.reembed().embedded == 100
        assert answered(mind)["vector"] == pytest.approx(1.0, abs=1e-5)
        mind.close()


@pytest.mark.parametrize("change", CHANGES)
def test_stopped_it_says_why_and_goes_on_where_it_stopped(
    open_mind: Callable[..., Mind], filled: dict[str, str], change: str
) -> None:
    embedder = CHANGES[change]()

    def fail_from_the_fourth(texts: object) -> None:
        if len(embedder.calls) >= 4:
            raise MemoryError("no memory left")

    embedder.before = fail_from_the_fourth
    mind = open_mind(embedder=embedder)
    done = mind.meaning.reembed()
    assert (done.embedded, done.left) == (64, 36)
    assert "MemoryError" in done.why
    embedder.before = lambda texts: None
    rested(mind)
    assert answered(mind)["vector"] == pytest.approx(1.0, abs=1e-5)
    assert mind.check().ok
    done = mind.meaning.reembed()
    assert (done.embedded, done.left, done.why) == (36, 0, "")
    documents = [text for text in embedder.texts if "gamma" in text]
    assert sorted(set(documents)) == sorted(TEXTS)


def test_it_is_no_reason_to_stop_that_others_write_and_purge_meanwhile(
    open_mind: Callable[..., Mind], filled: dict[str, str]
) -> None:
    embedder = Toy("toy-2")
    mind, other = open_mind(embedder=embedder), open_mind(embedder=Toy("toy-2"))
    gone = [filled[TEXTS[n]] for n in (1, 40, 99)]

    def meanwhile(texts: object) -> None:
        if len(embedder.calls) == 2:
            other.purge(ids=gone, reason="asked")
            other.remember("written meanwhile heron")
            other.remember_many([f"many{n} at{n} once{n}" for n in range(40)])

    embedder.before = meanwhile
    done = mind.meaning.reembed()
    assert done.why == ""
    assert spread(mind) == {("toy-2", 32): 100 - 3 + 41}
    assert mind.meaning.waiting == 0
    assert mind.check().ok


def test_a_backlog_comes_first_and_is_judged(open_mind: Callable[..., Mind], filled: dict[str, str]) -> None:
    embedder = Toy("toy-2")
    mind = open_mind(embedder=embedder)
    done = mind.remember_many([f"many{n} at{n} once{n}" for n in range(40)])
    mind.meaning.reembed()
    assert "many0 at0 once0" in embedder.calls[0]
    assert mind.get(done[5].memory.id).surprise is not None
    assert mind._store.get([filled[TEXTS[5]]])[filled[TEXTS[5]]].surprise is None
    assert spread(mind) == {("toy-2", 32): 140}


def test_a_prefix_of_documents_makes_another_model(open_mind: Callable[..., Mind], filled: dict[str, str]) -> None:
    settings = Settings(upkeep__on_open=False, embedder__document_prefix="passage: ")
    mind = open_mind(embedder=Toy(), settings=settings)
    assert "vector" not in answered(mind)
    assert mind.meaning.reembed().embedded == 100
    assert "vector" in answered(mind)


def test_two_models_at_once_leave_each_other_alone(open_mind: Callable[..., Mind]) -> None:
    """Two processes with different embedders on one file: each compares its own, and nothing breaks."""
    one, two = open_mind(embedder=Toy("one")), open_mind(embedder=Toy("two"))
    for n in range(10):
        one.remember(f"one{n} alpha{n} heron", importance=0.5)
        two.remember(f"two{n} beta{n} heron", importance=0.5)
    for mind, name in ((one, "one"), (two, "two")):
        hits = mind.recall("heron", limit=50, reinforce=False)
        assert len(hits) == 20
        assert {hit.memory.text[:3] for hit in hits if "vector" in hit.parts} == {name}
        assert mind.check().ok
    assert one.meaning.reembed().embedded == 10
    assert two.recall("heron", limit=50, reinforce=False).notes
    assert two.meaning.reembed().embedded == 20
    assert len(two.recall("two3 beta3 heron", limit=50)) == 20


def test_switched_off_and_on_again(open_mind: Callable[..., Mind], filled: dict[str, str]) -> None:
    off = open_mind()
    new = off.remember("written without an embedder heron").memory
    assert off.recall("heron").notes == ()
    assert "vector" not in answered(off)
    off.close()
    on = open_mind(embedder=Toy())
    assert "vector" in answered(on)
    assert on.meaning.waiting == 0
    assert on.get(new.id).surprise is not None, "surprise follows as a plan of its own"


def test_a_namespace_at_a_time(open_mind: Callable[..., Mind], filled: dict[str, str]) -> None:
    other = open_mind("other", embedder=Toy())
    other.remember("of another namespace heron")
    mind = open_mind(embedder=Toy("toy-2"))
    assert mind.meaning.reembed().embedded == 100
    assert other.stats().vectors == {"toy": 1}
    assert "vector" in other.recall("heron namespace")[0].parts


def test_in_memory_too(clock: Clock) -> None:
    with new_mind(clock=clock, embedder=Toy(), entropy=Entropy(4)) as mind:
        mind.remember_many(TEXTS)
        assert mind.meaning.reembed().embedded == 100
        assert answered(mind)["vector"] == pytest.approx(1.0, abs=1e-5)
