"""What memories mean: embedded at once or later, judged by their surprise, found by meaning, whatever the embedder."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from remanence import Mind
from remanence.errors import InvalidInput, NotFound, StoreDamaged
from remanence.facets import meaning as facet
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan
from remanence.settings import Settings
from remanence.store.holder import is_gone, this_process
from remanence.store.protocol import Embedded
from remanence.store.sql import words
from remanence.store.sqlite import nearest
from remanence.store.sqlite import words as sqlite_words
from tests.conftest import STAND_IN, START, Clock, Entropy, dump, new_mind, only_files
from tests.embedders import SICK, Fixed, Toy, at_cosine, rested

MANY = 40
QUERY = "what was asked"


def ids(hits: list) -> list[str]:
    return [hit.memory.id for hit in hits]


def statements(number: int, name: str = "note") -> list[str]:
    """Texts that are nobody's versions of each other."""
    chance = random.Random(number)
    words = [f"{name}{n}" for n in range(7 * number)]
    chance.shuffle(words)
    return [" ".join(words[7 * n : 7 * n + 7]) for n in range(number)]


def put(mind: Mind, id: str, state: State) -> None:
    mind.apply(Plan((Change.of(mind.get(id), "put", state=state),), verb="put"), force=True)


@pytest.fixture
def toy() -> Toy:
    return Toy()


@pytest.fixture
def mind(clock: Clock, toy: Toy) -> Iterator[Mind]:
    with new_mind(clock=clock, embedder=toy) as mind:
        yield mind
        assert mind.check().problems == ()


def at_cosines(cosines: dict[str, float]) -> Fixed:
    """An embedder by which each text is so near to the query."""
    axes = {text: axis for axis, text in enumerate(cosines, 1)}
    vectors = {text: at_cosine(cosine, axes[text], len(cosines) + 1) for text, cosine in cosines.items()}
    return Fixed(vectors | {QUERY: at_cosine(1.0, dimension=len(cosines) + 1)})


# --- single writes


def test_a_single_write_is_embedded_at_once(mind: Mind, toy: Toy) -> None:
    memory = mind.remember("The heron nests by the lake").memory
    assert (mind.meaning.waiting, toy.texts) == (0, ["The heron nests by the lake"])
    assert memory is not None
    (hit,) = mind.recall("lake heron")
    assert hit.memory.id == memory.id
    assert hit.parts["vector"] == pytest.approx(
        float(toy.vector("The heron nests by the lake") @ toy.vector("lake heron")), abs=1e-6
    )
    assert mind.recall("lake heron").notes == ()


def test_a_few_writes_are_embedded_in_one_call(mind: Mind, toy: Toy) -> None:
    mind.remember_many(statements(32))
    assert (mind.meaning.waiting, len(toy.calls), len(toy.texts)) == (0, 1, 32)


def test_a_revision_is_embedded_at_once(mind: Mind, toy: Toy) -> None:
    old = mind.remember("The heron nests by the lake").memory
    new = mind.revise(old.id, text="The stork sleeps on a roof").memory
    assert mind.meaning.waiting == 0
    assert ids(mind.recall("stork roof")) == [new.id]
    assert (new.importance, new.surprise) == (old.importance, old.surprise), "a revision keeps what was judged"


def test_the_same_text_again_makes_no_second_vector(mind: Mind) -> None:
    mind.remember("The heron nests by the lake")
    assert mind.remember("the  HERON nests by the lake").outcome == "duplicate"
    assert mind.stats().vectors == {"toy": 1}


def test_a_mind_without_an_embedder_writes_and_waits(open_mind: Callable[..., Mind], toy: Toy) -> None:
    words = open_mind()
    memory = words.remember("The heron nests by the lake").memory
    assert ids(words.recall("heron")) == [memory.id]
    assert words.recall("heron").notes == ()
    assert (words.meaning.model, words.meaning.waiting) == (None, 1)
    with pytest.raises(InvalidInput, match="no embedder"):
        words.meaning.reembed()
    words.close()
    later = open_mind(embedder=toy)
    assert ids(later.recall("heron")) == [memory.id]
    assert later.meaning.waiting == 0


# --- surprise


def five_known(near: float) -> dict[str, float]:
    return {f"Known thing {name}": near for name in ("amber", "birch", "cedar", "daisy", "elder")}


def surprised(cosines: dict[str, float], text: str = QUERY, **given: Any) -> Memory:
    with new_mind(embedder=at_cosines(cosines)) as mind:
        for known in cosines:
            mind.remember(known, importance=0.4)
        return mind.remember(text, **given).memory


def test_five_at_distance_0() -> None:
    cosines = dict.fromkeys(five_known(1.0), 1.0)
    memory = surprised(cosines)
    assert memory.surprise == pytest.approx(0.0293, abs=5e-5)
    assert memory.importance == pytest.approx(0.2176, abs=5e-5)
    assert memory.metadata.keys() == {"duplicate_of"}
    assert memory.state == State.LIVE


def test_five_far_away() -> None:
    memory = surprised(five_known(0.0))
    assert memory.surprise == pytest.approx(0.9985, abs=5e-5)
    assert memory.importance == pytest.approx(0.5 + 0.6 * 0.4985, abs=5e-5)
    assert memory.metadata == {}


def test_no_neighbours_no_adjustment(mind: Mind) -> None:
    memory = mind.remember("The heron nests by the lake").memory
    assert (memory.importance, memory.surprise, memory.metadata) == (0.5, None, {})


@pytest.mark.parametrize("importance", [0.0, 0.5, 1.0])
def test_an_explicit_importance_is_never_adjusted(importance: float) -> None:
    memory = surprised(five_known(1.0), importance=importance)
    assert (memory.importance, memory.surprise, memory.metadata) == (importance, None, {})


@pytest.mark.parametrize(("cosine", "named"), [(0.9201, True), (0.9199, False)])
def test_a_duplicate_is_flagged_and_both_stay(cosine: float, named: bool) -> None:
    with new_mind(embedder=at_cosines({"Known thing": cosine})) as mind:
        known = mind.remember("Known thing", importance=0.4).memory
        new = mind.remember(QUERY)
        assert new.outcome == "added"
        assert new.memory.metadata.get("duplicate_of") == (known.id if named else None)
        assert mind.count() == 2


def test_only_live_memories_of_the_namespace_are_neighbours(open_mind: Callable[..., Mind]) -> None:
    embedder = at_cosines({"Ours": 1.0, "Forgotten": 1.0, "Theirs": 1.0})
    mind, other = open_mind(embedder=embedder), open_mind("other", embedder=embedder)
    other.remember("Theirs", importance=0.4)
    mind.forget(ids=[mind.remember("Forgotten", importance=0.4).memory.id])
    assert mind.remember(QUERY).memory.surprise is None


def test_a_new_version_is_not_judged_against_the_one_it_replaces(mind: Mind) -> None:
    old = mind.remember("The release train leaves on Tuesday at noon", importance=0.6).memory
    new = mind.remember("The release train leaves on Tuesday at noon sharp")
    assert (new.outcome, new.memory.supersedes) == ("superseded", old.id)
    assert (new.memory.surprise, new.memory.metadata) == (None, {})


def test_what_is_quarantined_or_known_is_not_judged(mind: Mind) -> None:
    mind.remember("The heron nests by the lake", importance=0.6)
    again = mind.remember("The heron nests by the lake", origin="elsewhere").memory
    assert (again.importance, again.surprise) == (0.6, None)


def test_what_surprise_did_is_undone_with_the_write() -> None:
    with new_mind(embedder=at_cosines({"Known thing": 0.95})) as mind:
        mind.remember("Known thing", importance=0.4)
        done = mind.remember(QUERY)
        mind.undo(done.receipt_id)
        assert ids(mind.recall(QUERY)) == [m.id for m in mind.list()] != [done.memory.id]
        assert mind.check().ok


# --- a backlog


def test_many_at_once_leave_a_backlog_which_words_find(mind: Mind, toy: Toy) -> None:
    done = mind.remember_many(statements(33))
    assert (mind.meaning.waiting, toy.calls) == (33, [])
    assert mind.stats().waiting == 33
    assert ids(mind.recall(done[7].memory.text, limit=1)) == [done[7].memory.id]
    assert (mind.meaning.waiting, len(toy.calls)) == (0, 3)


def test_before_a_recall_a_bounded_number_is_embedded(mind: Mind, toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facet, "MOST_BEFORE_RECALL", 50)
    mind.remember_many(statements(120))
    for left in (70, 20, 0, 0):
        notes = mind.recall("note1").notes
        assert mind.meaning.waiting == left
        assert bool(notes) == bool(left), "who waits is found by words alone, and that is said"
    assert sorted(toy.texts) == sorted([*(m.text for m in mind.list(limit=1000)), *["note1"] * 4])


def test_upkeep_drains_the_backlog(mind: Mind) -> None:
    mind.remember_many(statements(300))
    report = mind.upkeep()
    assert (report.embedded, report.warnings, mind.meaning.waiting) == (300, (), 0)
    assert mind.upkeep().embedded == 0


def test_reembed_drains_the_backlog_and_tells_how_far_it_is(mind: Mind, toy: Toy) -> None:
    mind.remember_many(statements(100))
    told: list[tuple[int, int]] = []
    done = mind.meaning.reembed(lambda at, total: told.append((at, total)))
    assert (done.embedded, done.left, done.why, mind.meaning.waiting) == (100, 0, "", 0)
    assert told == [(32, 100), (64, 100), (96, 100), (100, 100)]
    assert mind.meaning.reembed().embedded == 0
    assert sum("note" in text for text in toy.texts) == 100


def test_the_backlog_is_embedded_in_the_background_by_a_clock_that_runs(tmp_path: Path, toy: Toy) -> None:
    settings = Settings(upkeep__on_open=False)
    with Mind(tmp_path / "memory.db", embedder=toy, settings=settings) as mind:
        done = mind.remember_many(statements(200))
        until = time.monotonic() + 20
        while mind.meaning.waiting and time.monotonic() < until:
            time.sleep(0.02)
        assert mind.meaning.waiting == 0
        assert mind.recall(done[9].memory.text, limit=1)[0].parts["vector"] == pytest.approx(1.0, abs=1e-5)
        assert mind.check().ok


@only_files
def test_closing_ends_what_goes_on_in_the_background_and_loses_nothing(tmp_path: Path, toy: Toy) -> None:
    toy.before = lambda texts: time.sleep(0.05)
    settings = Settings(upkeep__on_open=False)
    with Mind(tmp_path / "memory.db", embedder=toy, settings=settings) as mind:
        mind.remember_many(statements(400))
    begun = time.monotonic()
    assert not [t for t in threading.enumerate() if t.name == "remanence-meaning"]
    with new_mind(tmp_path / "memory.db", embedder=False, namespace="default") as mind:
        assert mind.count() == 400
        assert mind.stats().waiting + sum(mind.stats().vectors.values()) == 400
        assert mind.check().ok
    assert time.monotonic() - begun < 5


@only_files
def test_closing_does_not_wait_for_an_embedder_that_hangs(tmp_path: Path, toy: Toy) -> None:
    settings = Settings(upkeep__on_open=False, embedder__timeout_seconds=60.0)
    mind = Mind(tmp_path / "memory.db", embedder=toy, settings=settings)

    def hang(texts: Sequence[str]) -> None:
        toy.hung.wait(60)

    toy.before = hang
    mind.remember_many(statements(MANY))
    until = time.monotonic() + 10
    while not toy.calls and time.monotonic() < until:
        time.sleep(0.01)
    begun = time.monotonic()
    mind.close()
    assert time.monotonic() - begun < 10
    toy.hung.set()
    with new_mind(tmp_path / "memory.db", embedder=False, namespace="default") as mind:
        assert (mind.count(), mind.meaning.waiting) == (MANY, MANY)
        assert mind.check().ok


def test_of_several_who_share_a_store_one_embeds_the_backlog(tmp_path: Path) -> None:
    toys = [Toy(), Toy(), Toy()]
    for toy in toys:
        toy.before = lambda texts: time.sleep(0.02)
    settings = Settings(upkeep__on_open=False)
    minds = [Mind(tmp_path / "memory.db", embedder=toy, settings=settings) for toy in toys]
    minds[0].remember_many(statements(300))
    for mind in minds:
        mind.recall("what is left to do")
    assert "is embedding them" in minds[1].meaning.reembed().why
    until = time.monotonic() + 30
    while minds[0].meaning.waiting and time.monotonic() < until:
        time.sleep(0.02)
    assert minds[0].meaning.waiting == 0
    embedded = [text for toy in toys for text in toy.texts if "note" in text]
    assert len(embedded) == len(set(embedded)) == 300
    for mind in minds:
        mind.close()


def test_a_backlog_whose_embedder_died_is_taken_over(open_mind: Callable[..., Mind], clock: Clock, toy: Toy) -> None:
    mind = open_mind(embedder=toy)
    mind.remember_many(statements(MANY))
    assert mind._store.claim("meaning", "process 1 (gone)", clock(), 60.0) is not None
    done = mind.meaning.reembed()
    assert (done.embedded, done.left, done.why) == (0, MANY, "process 1 (gone) is embedding them.")
    clock.now += timedelta(seconds=61)
    assert mind.meaning.reembed().embedded == MANY


def test_a_backlog_whose_embedder_was_killed_is_taken_over_at_once(
    open_mind: Callable[..., Mind], clock: Clock, toy: Toy
) -> None:
    mind = open_mind(embedder=toy)
    mind.remember_many(statements(MANY))
    said = "from remanence.store.holder import this_process; print(this_process())"
    ended = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True).stdout.strip()
    for gone, holder in ((False, this_process()), (False, ended.replace("(", "(another-")), (True, ended)):
        assert is_gone(holder) is gone
        lease = mind._store.claim("meaning", holder, clock(), 60.0)
        done = mind.meaning.reembed()
        assert (done.embedded, done.why) == ((MANY, "") if gone else (0, f"{holder} is embedding them."))
        if not gone:
            mind._store.finish(lease, clock())


def test_who_was_taken_over_from_stops(open_mind: Callable[..., Mind], clock: Clock, toy: Toy) -> None:
    mind = open_mind(embedder=toy)
    mind.remember_many(statements(MANY))

    def taken_over(texts: Sequence[str]) -> None:
        clock.now += timedelta(seconds=61)
        assert mind._store.claim("meaning", "process 2 (new)", clock(), 60.0) is not None

    toy.before = taken_over
    done = mind.meaning.reembed()
    assert done.embedded == 32, "what it had is kept"
    assert "process 2 (new) took over" in done.why
    assert mind.meaning.waiting == MANY - 32


@only_files
def test_a_process_that_ends_without_closing_is_silent_and_loses_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from remanence import Mind; from tests.embedders import Toy\n"
        "mind = Mind(Path(sys.argv[1]), embedder=Toy())\n"
        "mind.remember_many([f'Statement {n} of {n * 7919}' for n in range(600)])\n"
        "mind.recall('statement')\n"
    )
    path = tmp_path / "memory.db"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": "", "HOME": str(tmp_path), "OMP_NUM_THREADS": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    with new_mind(path, namespace="default") as mind:
        assert mind.stats().waiting + sum(mind.stats().vectors.values()) == 600
        assert mind.check().ok


def backlog(mind: Mind, number: int = MANY) -> list[str]:
    """A known statement, and many like it that wait."""
    mind.remember("Something known", importance=0.9)
    return [done.memory.id for done in mind.remember_many([f"{text} known" for text in statements(number)])]


def test_the_surprise_of_a_backlog_is_a_plan_of_its_own(mind: Mind) -> None:
    waiting = backlog(mind)
    assert all((m.importance, m.surprise) == (0.5, None) for m in map(mind.get, waiting))
    before = len(mind.journal(1000))
    mind.meaning.reembed()
    entries = mind.journal(1000)[: len(mind.journal(1000)) - before]
    assert {(entry.verb, entry.reason, str(entry.action)) for entry in entries} == {("surprise", "surprise", "adjust")}
    assert {entry.memory_id for entry in entries} == set(waiting)
    judged = {id: mind.get(id) for id in waiting}
    assert all(m.surprise is not None and m.importance != 0.5 for m in judged.values())
    assert all(abs(m.importance - (0.5 + 0.6 * (m.surprise - 0.5))) < 2e-6 for m in judged.values())
    for receipt in {entry.receipt_id for entry in entries}:
        undone = mind.undo(receipt)
        assert undone.applied
    assert all((m.importance, m.surprise, m.metadata) == (0.5, None, {}) for m in map(mind.get, waiting))
    mind.recall("known")
    mind.upkeep()
    assert mind.get(waiting[0]).surprise is None, "what was undone is not done again"


def test_a_backlog_is_judged_as_single_writes_would_have_been(clock: Clock) -> None:
    """In the order of writing, each by those before it."""
    texts = [f"{text} known" for text in statements(MANY)]
    with new_mind(clock=clock, embedder=Toy()) as one, new_mind(clock=clock, embedder=Toy()) as many:
        single = [one.remember(text).memory for text in texts]
        done = many.remember_many(texts)
        many.meaning.reembed()
        bulk = [many.get(result.memory.id) for result in done]
    assert [m.surprise for m in bulk] == pytest.approx([m.surprise for m in single], abs=1e-6)
    assert [m.importance for m in bulk] == pytest.approx([m.importance for m in single], abs=1e-6)


def test_in_a_backlog_too_an_explicit_importance_stays(mind: Mind) -> None:
    mind.remember("Something known", importance=0.9)
    given = [{"text": f"{text} known", "importance": 0.3} for text in statements(MANY)]
    done = mind.remember_many(given)
    mind.meaning.reembed()
    assert {(mind.get(d.memory.id).importance, mind.get(d.memory.id).surprise) for d in done} == {(0.3, None)}


def test_a_backlog_that_changed_meanwhile_is_embedded_all_the_same(mind: Mind) -> None:
    """Forgotten, superseded and purged ones among it are no reason to stop, and are not judged."""
    waiting = backlog(mind)
    mind.forget(ids=[waiting[0]])
    newer = mind.revise(waiting[1], text="Otherwise").memory
    mind.purge(ids=[waiting[2]], reason="asked")
    put(mind, waiting[3], State.ARCHIVED)
    mind.meaning.reembed()
    assert mind.meaning.waiting == 0
    assert {mind.get(id).surprise for id in (waiting[0], waiting[1], waiting[3])} == {None}
    assert mind.get(waiting[4]).surprise is not None
    assert sum(mind.stats().vectors.values()) == MANY + 1
    assert newer.id in ids(mind.recall("otherwise"))


def test_imported_memories_wait_and_keep_their_importance(mind: Mind, tmp_path: Path, clock: Clock) -> None:
    for text in statements(3):
        mind.remember(text, importance=0.3)
    mind.export(tmp_path / "a.jsonl")
    with new_mind(clock=clock, embedder=Toy()) as other:
        other.import_(tmp_path / "a.jsonl")
        assert other.meaning.waiting == 3
        other.recall("note1", reinforce=False)
        assert other.meaning.waiting == 0
        other.export(tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


# --- an embedder that fails (R29)


@pytest.mark.promise("R29")
@pytest.mark.parametrize("sick", SICK)
def test_a_sick_embedder_stops_neither_a_write_nor_a_recall(clock: Clock, sick: str) -> None:
    toy = Toy(local=sick != "hangs")
    settings = Settings(upkeep__on_open=False, embedder__timeout_seconds=0.1)
    with new_mind(clock=clock, embedder=toy, settings=settings) as mind:
        first = mind.remember("The heron nests by the lake").memory
        toy.sick = sick
        begun = time.monotonic()
        done = mind.remember("The stork sleeps on a roof")
        many = mind.remember_many(statements(3))
        revised = mind.revise(first.id, text="The heron left the lake").memory
        assert done.outcome == "added"
        assert (done.memory.importance, done.memory.surprise) == (0.5, None)
        assert mind.meaning.waiting == 5
        rested(mind)
        hits = mind.recall("stork")
        assert ids(hits) == [done.memory.id]
        (note,) = hits.notes
        assert "words alone" in note and "toy" in note
        assert "stork" not in note, "what the embedder says may hold a text"
        assert ids(mind.recall("heron lake")) == [revised.id]
        why = mind.meaning.reembed()
        assert why.why and (why.embedded, why.left) == (0, 5)
        report = mind.upkeep()
        assert report.ran and any("5 memories wait" in warning for warning in report.warnings)
        assert mind.check().problems == ()
        assert time.monotonic() - begun < 5
        toy.sick = None
        toy.hung.set()
        rested(mind)
        hits = mind.recall("stork")
        assert hits.notes == () and mind.meaning.waiting == 0
        assert hits[0].parts["vector"] > 0.3
        assert all(mind.get(result.memory.id).surprise is not None for result in many), "judged late, but judged"
        assert mind.check().problems == ()


@pytest.mark.promise("R29")
def test_a_hanging_embedder_is_waited_for_no_longer_than_its_timeout(clock: Clock) -> None:
    toy = Toy(local=False)
    settings = Settings(upkeep__on_open=False, embedder__timeout_seconds=0.2)
    with new_mind(clock=clock, embedder=toy, settings=settings) as mind:
        mind.remember("The heron nests by the lake")
        mind.remember_many(statements(40))
        toy.sick = "hangs"
        for most in (1.0, 0.15, 0.15):
            begun = time.monotonic()
            assert mind.recall("heron").notes
            assert time.monotonic() - begun < most
        toy.hung.set()


@pytest.mark.promise("R29")
def test_one_text_that_cannot_be_embedded_stops_no_other(mind: Mind, toy: Toy) -> None:
    """The rest of its batch, and what was written after it, get their vectors."""
    toy.poison = "poison"
    texts = [*statements(50), "a poison text", *statements(20, "other")]
    mind.remember_many(texts)
    for _ in range(4):
        rested(mind)
        mind.recall("note1")
    assert [waiting.text for waiting in mind._store.meanings.waiting(100)] == ["a poison text"]
    rested(mind)
    assert mind.meaning.reembed().left == 1


@pytest.mark.promise("R29")
def test_one_text_that_cannot_be_embedded_takes_no_meaning_from_the_others(mind: Mind, toy: Toy) -> None:
    """The embedder is well: only this text fails, so a recall still goes by meaning."""
    mind.remember("The heron nests by the lake")
    toy.poison = "poison"
    mind.remember("a poison text")
    for _ in range(3):
        rested(mind)
        hits = mind.recall("the heron")
        assert "vector" in hits[0].parts
        assert not any("toy" in note for note in hits.notes)


def test_a_few_texts_of_which_one_cannot_be_embedded(mind: Mind, toy: Toy) -> None:
    toy.poison = "poison"
    mind.remember_many([*statements(5), "a poison text"])
    assert mind.count() == 6
    rested(mind)
    mind.recall("note1")
    rested(mind)
    mind.upkeep()
    assert mind.meaning.waiting == 1


@pytest.mark.parametrize("size", [1, 8192, 8193, 16_384, 16_385])
def test_vectors_of_any_length_are_kept_or_said_to_be_too_long(clock: Clock, size: int) -> None:
    """An embedder whose vectors cannot be kept fails like any other: the write is acknowledged, words answer."""

    def embed(texts: Sequence[str]) -> np.ndarray:
        return np.ones((len(texts), size), dtype=np.float32)

    with new_mind(clock=clock, embedder=embed) as mind:
        memory = mind.remember("The heron nests by the lake").memory
        hits = mind.recall("heron")
        assert ids(hits) == [memory.id]
        assert ("vector" in hits[0].parts) or hits.notes
        assert mind.meaning.waiting == ("vector" not in hits[0].parts)
        assert mind.check().ok


# --- damage


@only_files
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE meanings SET signs = x'00' WHERE no = 1",
        "UPDATE meanings SET signs = NULL WHERE no = 1",
        "UPDATE meanings SET bits = 7 WHERE no = 1",
        "UPDATE vectors SET code = x'00' WHERE no = 1",
        "DELETE FROM vectors WHERE no = 1",
    ],
)
def test_a_damaged_vector_stops_neither_a_write_nor_words(tmp_path: Path, damage: str) -> None:
    """Vectors are derived: what is wrong with one is for the check to say, and for nobody else to fall over."""
    path = tmp_path / "memory.db"
    with new_mind(path, embedder=Toy()) as mind:
        known = mind.remember("The heron nests by the lake").memory
        with mind._store._engine.write() as connection:
            connection.execute(damage)
    with new_mind(path, embedder=Toy(), entropy=Entropy(1)) as mind:
        new = mind.remember("The stork sleeps on a roof").memory
        assert known.id in ids(mind.recall("heron"))
        assert new.id in ids(mind.recall("stork"))
        assert not mind.check().ok
        assert mind.check(repair=True).ok
        assert mind.recall("heron")[0].parts["vector"] == pytest.approx(0.577, abs=0.2)


@only_files
def test_damage_is_said_in_our_own_words(tmp_path: Path) -> None:
    """At the least: no error of the code below."""
    with new_mind(tmp_path / "memory.db", embedder=Toy()) as mind:
        mind.remember("The heron nests by the lake")
        with mind._store._engine.write() as connection:
            connection.execute("UPDATE meanings SET signs = x'00'")
    with new_mind(tmp_path / "memory.db", embedder=Toy(), entropy=Entropy(1)) as mind:
        for use in (
            lambda: mind.recall("heron"),
            lambda: mind.recall(like=mind.list()[0].id),
            lambda: mind.remember("The stork sleeps on a roof"),
            lambda: mind.remember_many(statements(40)),
            mind.meaning.reembed,
            mind.upkeep,
            lambda: mind.why_not("heron", mind.list()[0].id),
        ):
            try:
                use()
            except StoreDamaged as said:
                assert "rem check" in str(said)


# --- found by meaning


def test_found_without_a_word_in_common() -> None:
    with new_mind(embedder=at_cosines({"near": 0.8, "nearer": 0.9, "far": 0.3, "away": -0.9})) as mind:
        made = {text: mind.remember(text, importance=0.5).memory.id for text in ("near", "nearer", "far", "away")}
        hits = mind.recall(QUERY)
        assert ids(hits) == [made["nearer"], made["near"], made["far"]]
        assert [hit.parts["vector"] for hit in hits] == pytest.approx([0.9, 0.8, 0.3], abs=1e-6)
        assert [hit.parts["text"] for hit in hits] == [0, 0, 0]


def test_a_rank_is_made_of_its_parts(mind: Mind, clock: Clock) -> None:
    memory = mind.remember("The heron nests by the lake", source="ai").memory
    for text in statements(12):
        mind.remember(text)
    mind.used(memory.id)
    clock.advance(days=20)
    (hit,) = (hit for hit in mind.recall("heron lake", reinforce=False) if hit.memory.id == memory.id)
    parts = hit.parts
    answer = (parts["text"] + 0.5 * parts["vector"]) / 1.5
    factors = (1 - 0.1 * (1 - parts["retention"])) * (1 + 0.1 * (2 * parts["worth"] - 1)) * 0.985 * parts["useful"]
    assert hit.rank == pytest.approx(answer * factors, abs=1e-6)
    assert parts["trust"] == 0.7
    told = mind.explain(memory.id)
    assert (parts["retention"], parts["worth"]) == pytest.approx((told.retention, told.worth), abs=1e-3)


def test_words_that_were_asked_for_win_over_meaning_alone() -> None:
    cosines = {"the zanzibar code": 0.1, "something near": 0.6}
    embedder = at_cosines(cosines)
    embedder.vectors["zanzibar"] = embedder.vectors[QUERY]
    with new_mind(embedder=embedder) as mind:
        for text in cosines:
            mind.remember(text, importance=0.5)
        assert [hit.memory.text for hit in mind.recall("zanzibar")] == list(cosines)


def test_a_session_may_have_so_many_hits_by_setting(clock: Clock) -> None:
    settings = Settings(upkeep__on_open=False, recall__per_session=1)
    with new_mind(clock=clock, embedder=Toy(), settings=settings) as mind:
        for n in range(4):
            mind.remember(f"heron alpha{n} beta{n} gamma{n}", origin="session:1", importance=0.5)
        other = mind.remember("heron " + " ".join(f"word{n}" for n in range(9)), origin="session:2", importance=0.5)
        hits = mind.recall("heron", reinforce=False)
        assert other.memory.id in ids(hits)[:2]
        assert [hit.parts.get("session") for hit in hits].count(0.5) == 3


@pytest.mark.parametrize("least", [0.0, 0.2, 0.35, 1.0])
def test_only_answers_that_are_good_enough(least: float) -> None:
    cosines = {"near": 0.9, "far": 0.3}
    with new_mind(embedder=at_cosines(cosines)) as mind:
        for text in cosines:
            mind.remember(text, importance=0.5)
        hits = mind.recall(QUERY, least=least)
        assert [hit.memory.text for hit in hits] == [t for t, cosine in cosines.items() if cosine / 3 >= least]
        assert all(hit.parts["answer"] >= least for hit in hits)
        for wrong in (-0.1, 1.1, "much", None, True):
            with pytest.raises(InvalidInput):
                mind.recall(QUERY, least=wrong)


def test_the_bundled_embedder_finds_what_shares_no_word() -> None:
    with new_mind(embedder="bundled") as mind:
        for text in ("My cat sleeps on the sofa", "The invoice is due in March", "Deploys happen on Fridays"):
            mind.remember(text)
        assert mind.recall("feline pets at home")[0].memory.text == "My cat sleeps on the sofa"
        assert mind.recall("payment deadline")[0].memory.text == "The invoice is due in March"


@pytest.fixture
def shelves(clock: Clock) -> Iterator[tuple[Mind, dict[str, str]]]:
    """One memory of each sort, all equally near to the query and without a word of it, on a Sunday."""
    drafts: dict[str, dict[str, Any]] = {
        "plain": {},
        "deep": {"scope": "/a/b"},
        "beside": {"scope": "/ab"},
        "bug": {"kind": "bug"},
        "semantic": {"layer": "semantic"},
        "tagged": {"categories": ["x", "y"]},
        "expired": {"ttl": "1h"},
        "yesterday": {"created_at": START - timedelta(days=1)},
        "february": {"created_at": START - timedelta(days=8)},
        "archived": {},
        "forgotten": {},
        "quarantined": {},
        "superseded": {},
    }
    clock.now = START - timedelta(hours=2)
    with new_mind(clock=clock, embedder=at_cosines(dict.fromkeys([*drafts, "newer"], 0.5))) as mind:
        made = {text: mind.remember(text, importance=0.5, **given).memory.id for text, given in drafts.items()}
        for state in (State.ARCHIVED, State.FORGOTTEN, State.QUARANTINED):
            put(mind, made[state], state)
        made["newer"] = mind.revise(made["superseded"], text="newer").memory.id
        clock.now = START
        yield mind, {id: name for name, id in made.items()}
        assert mind.check().problems == ()


EVERY = "plain deep beside bug semantic tagged yesterday february newer"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, EVERY),
        ({"scope": "/a"}, "deep"),
        ({"scope": ["/a", "/ab"]}, "deep beside"),
        ({"scope": "/none"}, ""),
        ({"kinds": "bug"}, "bug"),
        ({"layers": "semantic"}, "semantic"),
        ({"categories": ["x", "z"]}, "tagged"),
        ({"categories": "y", "kinds": "fact"}, "tagged"),
        ({"categories": "y", "kinds": "bug"}, ""),
        ({"include": "archived"}, f"{EVERY} archived"),
        ({"since": "yesterday"}, EVERY.replace("february", "")),
        ({"since": "yesterday", "until": "yesterday"}, "yesterday"),
        ({"until": "yesterday"}, "yesterday february"),
        ({"since": "last week", "until": "last week"}, "february"),
        ({"since": "this week"}, EVERY.replace("february", "")),
        ({"since": "2026-02-21", "until": "2026-02-21"}, "february"),
        ({"since": "9d", "until": "2d"}, "february"),
        ({"since": START - timedelta(hours=1)}, ""),
        ({"until": "3 days ago"}, "february"),
    ],
)
def test_filters_hold_for_what_meaning_finds(
    shelves: tuple[Mind, dict[str, str]], asked: dict[str, Any], expected: str
) -> None:
    mind, names = shelves
    assert {names[id] for id in ids(mind.recall(QUERY, limit=50, **asked))} == set(expected.split())


def test_bad_moments_are_all_named(shelves: tuple[Mind, dict[str, str]]) -> None:
    with pytest.raises(InvalidInput) as refused:
        shelves[0].recall(QUERY, since="some day", until="2026-02-30", as_of="whenever", limit=0)
    assert len(refused.value.problems) == 4
    with pytest.raises(InvalidInput, match="zone"):
        shelves[0].recall(QUERY, since="2026-03-01T12:00")


def test_namespaces_never_meet(open_mind: Callable[..., Mind]) -> None:
    """The same texts in two namespaces of one file, by words, meaning, example and file."""
    ours, theirs = open_mind(embedder=Toy()), open_mind("other", embedder=Toy())
    mine = {ours.remember(text, files=["src/app.py"]).memory.id for text in statements(5)}
    others = {theirs.remember(text, files=["src/app.py"]).memory.id for text in statements(5)}
    for mind, own in ((ours, mine), (theirs, others)):
        one = min(own)
        for asked in ({"query": mind.get(one).text}, {"query": "else"}, {"like": one}, {"files": "app.py"}):
            for include in ("live", "archived"):
                found = mind.recall(**asked, include=include, limit=100)
                assert set(ids(found)) <= own
                assert found or asked.keys() & {"like"} or asked == {"query": "else"}
    with pytest.raises(NotFound):
        ours.recall(like=min(others))
    with pytest.raises(NotFound):
        ours.why_not("note1", min(others))
    assert (ours.stats().vectors, theirs.stats().vectors) == ({"toy": 5}, {"toy": 5})


# --- examples and files


def test_like_an_example(mind: Mind) -> None:
    example = mind.remember("The heron nests by the lake").memory
    near = mind.remember("A heron nests by some other lake").memory
    mind.remember("Deploys happen on Fridays")
    found = mind.recall(like=example.id)
    assert ids(found)[0] == near.id
    assert example.id not in ids(found)
    assert example.id not in ids(mind.recall("heron", like=example.id))
    assert ids(mind.recall(like=example.id, limit=1)) == [near.id], "the example takes no place"
    assert mind.get(example.id).access_count == 0


@pytest.mark.parametrize("state", [State.ARCHIVED, State.FORGOTTEN])
def test_an_example_need_not_be_live(mind: Mind, state: State) -> None:
    example = mind.remember("The heron nests by the lake").memory
    near = mind.remember("A heron nests by some other lake").memory
    put(mind, example.id, state)
    assert ids(mind.recall(like=example.id)) == [near.id]
    assert mind.recall(like=example.id).missed == ()


def test_like_without_an_embedder_goes_by_words(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        example = mind.remember("The heron nests by the lake").memory
        near = mind.remember("A heron nests by some other lake").memory
        assert ids(mind.recall(like=example.id)) == [near.id]


@pytest.mark.parametrize(
    "wrong",
    [
        {"like": 7},
        {},
        {"query": None},
        {"query": " "},
        {"query": "\u200b\n"},
        {"query": "x\0y"},
        {"query": "\ud800"},
        {"query": 7},
        {"query": "x" * (1 << 20) + "y"},
        {"query": "x", "files": [""]},
        {"files": 7},
        {"query": "x", "limit": 0},
        {"query": "x", "limit": 1001},
        {"query": "x", "limit": True},
        {"query": "x", "limit": 2.5},
        {"query": "x", "budget_tokens": 0},
        {"query": "x", "include": "all"},
        {"query": "x", "reinforce": 1},
        {"query": "x", "since": 7},
    ],
)
def test_bad_input_is_refused(mind: Mind, wrong: dict[str, Any]) -> None:
    mind.remember("x y z")
    before = dump(mind)
    with pytest.raises(InvalidInput):
        mind.recall(**wrong)
    mind._store.flush()
    assert dump(mind) == before


def test_an_unknown_example_is_not_found(mind: Mind) -> None:
    with pytest.raises(NotFound):
        mind.recall(like="01890000-0000-7000-8000-000000000000")


QUERIES = [
    '"',
    "'",
    '""" OR """',
    "AND OR NOT NEAR",
    "heron AND",
    "heron NEAR/5 lake",
    "text:heron",
    "{text}: heron",
    "heron*",
    "^heron",
    "-heron",
    "(heron",
    "heron) OR (1=1",
    "heron; DROP TABLE memories; --",
    "%_%",
    "\\",
    "the of and is it",
    "what is it",
    "?!...",
    "———",
    "東京の天気",
    "鳥",
    "🦩",
    "🦩🦩🦩 heron",
    "👩‍👩‍👧‍👦",
    "\u202eheron",
    "he\u0301ron",
    "heron\tlake\r\nnest",
    "a" * 5000,
    "heron " * 2000,
    "src/../../etc/passwd heron.py",
    "." * 3000 + "/a.b",
    "a/" * 3000 + "x",
    "a." * 3000,
]


@pytest.mark.parametrize("embedded", [True, False])
def test_any_query_is_answered(clock: Clock, embedded: bool) -> None:
    with new_mind(clock=clock, embedder=Toy() if embedded else False) as mind:
        known = [mind.remember(text).memory.id for text in ("The heron nests by the lake", "東京の鳥", "🦩 flamingo")]
        for query in QUERIES:
            begun = time.monotonic()
            hits = mind.recall(query)
            assert set(ids(hits)) <= set(known)
            assert time.monotonic() - begun < 2, query[:40]
        for query in ("heron AND", '"heron', "heron*", "^heron", "text:heron", "heron) OR (1=1", "🦩🦩🦩 heron"):
            assert known[0] in ids(mind.recall(query)), query
        assert known[1] in ids(mind.recall("鳥"))


@pytest.mark.parametrize("embedder", [False, "toy", "bundled"])
def test_a_query_of_a_megabyte_is_answered_in_time(clock: Clock, embedder: object) -> None:
    chance = random.Random(7)
    long = " ".join(chance.choices([f"word{n}" for n in range(5000)], k=200_000))[: 1 << 20]
    with new_mind(clock=clock, embedder=Toy() if embedder == "toy" else embedder) as mind:
        memory = mind.remember("The heron met word17 by the lake").memory
        begun = time.monotonic()
        hits = mind.recall(long)
        assert time.monotonic() - begun < 5
        assert ids(hits) in ([memory.id], [])
        assert mind.stats().recalls == 1
    with new_mind(clock=clock) as mind:
        memory = mind.remember("The heron met word17 by the lake").memory
        assert ids(mind.recall("word17 " + "x" * ((1 << 20) - 7))) == [memory.id]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"files": "src/app.py"}, {"app", "short", "windows"}),
        ({"files": ["src/app.py", "README.md"]}, {"app", "short", "windows", "readme"}),
        ({"files": "lib/app.py"}, {"short"}),
        ({"query": "what about src/app.py?"}, {"app", "short", "windows"}),
        ({"query": "look at (README.md), please"}, {"readme"}),
        ({"query": "version 3.11 of etc."}, set()),
    ],
)
def test_by_file_and_by_path_in_the_query(clock: Clock, asked: dict[str, Any], expected: set[str]) -> None:
    with new_mind(clock=clock) as mind:
        names = {}
        for name, path in {
            "app": "/home/ann/src/app.py",
            "short": "app.py",
            "windows": "C:\\src\\app.py",
            "readme": "README.md",
            "other": "src/app.pyc",
        }.items():
            names[mind.remember(f"Said of {name}", files=[path]).memory.id] = name
        hits = mind.recall(**asked)
        assert {names[hit.memory.id] for hit in hits if hit.parts.get("file")} == expected
        if "query" not in asked:
            assert {names[id] for id in ids(hits)} == expected


def test_what_names_the_file_comes_before_what_only_sounds_like_it(mind: Mind) -> None:
    sounds = mind.remember("The parser of the app is slow").memory
    names = mind.remember("Something quite different", files=["src/app.py"]).memory
    assert ids(mind.recall("slow parser", files="app.py"))[:2] in ([sounds.id, names.id], [names.id, sounds.id])
    assert ids(mind.recall("anything", files="app.py"))[0] == names.id


# --- nothing crowds out what is asked for


@pytest.mark.parametrize("others", ["of other folders", "forgotten"])
def test_many_files_of_one_name_do_not_hide_the_one_asked_for(clock: Clock, others: str) -> None:
    """Every folder has its __init__.py."""
    path = "pkg{}/__init__.py" if others == "of other folders" else "src/app/__init__.py"
    with new_mind(clock=clock) as mind:
        done = mind.remember_many([{"text": f"alpha{n} beta{n}", "files": [path.format(n)]} for n in range(700)])
        if others == "forgotten":
            mind.forget(ids=[result.memory.id for result in done])
        right = mind.remember("The one that is asked for", files=["src/app/__init__.py"]).memory
        assert ids(mind.recall(files="src/app/__init__.py")) == [right.id]


def test_of_many_that_name_a_file_the_newest_come(clock: Clock) -> None:
    with new_mind(clock=clock) as mind:
        mind.remember_many([{"text": f"alpha{n} beta{n}", "files": ["src/app.py"]} for n in range(120)])
        clock.advance(days=1)
        newest = mind.remember("gamma delta", files=["src/app.py"]).memory
        assert ids(mind.recall(files="src/app.py", limit=1)) == [newest.id]


def test_what_has_expired_leaves_its_place_to_others(clock: Clock) -> None:
    """Expired memories stay until the next sweep, be they ever so many and ever so near."""
    gone = {f"gone{n}": 0.9 for n in range(80)}
    with new_mind(clock=clock, embedder=at_cosines(gone | {"a statement that holds": 0.5})) as mind:
        mind.remember_many([{"text": text, "ttl": "1h", "kind": text, "importance": 0.5} for text in gone])
        live = mind.remember("a statement that holds", importance=0.5).memory
        clock.advance(hours=2)
        assert ids(mind.recall(QUERY, limit=3)) == [live.id]


def test_many_versions_do_not_hide_the_newest(mind: Mind, clock: Clock) -> None:
    texts = [f"The water meter of the north gate is at {n * 37}" for n in range(40)]
    for text in texts:
        clock.advance(days=1)
        mind.remember(text)
    assert mind.recall("water meter of the north gate", limit=1)[0].memory.text == texts[-1]


# --- several minds


def test_a_second_process_sees_the_write_in_its_next_recall(open_mind: Callable[..., Mind]) -> None:
    embedder = at_cosines({"first": 0.2, "second": 0.6, "third": 0.9})
    one, two = open_mind(embedder=embedder), open_mind(embedder=embedder)
    first = one.remember("first", importance=0.5).memory.id
    assert ids(two.recall(QUERY)) == [first]
    second = one.remember("second", importance=0.5).memory.id
    assert ids(two.recall(QUERY)) == [second, first]
    third = two.remember("third", importance=0.5).memory.id
    assert ids(one.recall(QUERY)) == [third, second, first]
    two.forget(ids=[third])
    assert ids(one.recall(QUERY)) == [second, first]
    one.restore(ids=[third])
    two.purge(ids=[second], reason="asked")
    assert ids(one.recall(QUERY)) == ids(two.recall(QUERY)) == [third, first]


def answers(mind: Mind, queries: list[str]) -> list[list[tuple[str, float, dict[str, float]]]]:
    return [
        [(hit.memory.id, hit.rank, dict(hit.parts)) for hit in mind.recall(query, limit=20, reinforce=False)]
        for query in queries
    ]


def test_a_mind_that_was_there_all_along_answers_as_a_fresh_one(open_mind: Callable[..., Mind]) -> None:
    """Also in its ranks: how common a word is must not depend on when a process was started."""
    old = open_mind(embedder=Toy())
    for n in range(30):
        old.remember(f"alpha{n} beta{n} gamma{n} heron")
    old.recall("heron lake", reinforce=False)
    for n in range(12):
        old.remember(f"delta{n} lake{n} lake epsilon{n}")
    fresh = open_mind(embedder=Toy())
    queries = ["heron lake", "lake", "alpha3 lake", "heron"]
    assert answers(old, queries) == answers(fresh, queries)


def test_a_recall_beside_a_write_does_not_read_every_vector_anew(
    open_mind: Callable[..., Mind], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a backlog is judged in one transaction, recalls of other threads and the judge must not throw away what
    the other holds in memory: with a hundred thousand memories each time would cost seconds."""
    mind = open_mind(embedder=Toy())
    for text in statements(20):
        mind.remember(text)
    made = []

    class Counted(nearest.Matrix):
        def __init__(self, dimension: int) -> None:
            made.append(dimension)
            super().__init__(dimension)

    mind.recall("note1")
    monkeypatch.setattr(nearest, "Matrix", Counted)
    vector = Embedded("toy", Toy().vector("note1 note2"))
    with mind._store.transaction():
        for n in range(5):
            mind.remember(f"written{n} meanwhile{n}")
            mind._store.meanings.neighbours(vector, 5)
            thread = threading.Thread(target=lambda: mind.recall("note1", reinforce=False))
            thread.start()
            thread.join(10)
    assert mind.recall("written3")
    assert len(made) <= 2


def test_the_note_about_who_has_no_vector_is_right(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a store that is large enough for its numbers to be looked at only now and then."""
    monkeypatch.setattr(words, "FEW", 10)
    monkeypatch.setattr(sqlite_words, "FEW", 10)
    with new_mind(clock=clock, embedder=Toy()) as mind:
        made = [mind.remember(text).memory.id for text in statements(20)]
        assert mind.recall("note1").notes == ()
        mind.purge(ids=made[:3], reason="asked")
        assert mind.recall("note1").notes == (), "nobody waits"


# --- twice the same (R22)


def lived(mind: Mind, clock: Clock, seed: int, steps: int) -> None:
    chance = random.Random(seed)
    texts = statements(60, "word")
    for step in range(steps):
        clock.advance(hours=chance.choice([0, 1, 30]))
        live = mind.list(limit=1000)
        act = chance.random()
        if act < 0.4 or not live:
            mind.remember(f"{chance.choice(texts)} {step}", files=[f"src/{step}.py"])
        elif act < 0.5:
            mind.remember_many([f"{chance.choice(texts)} {step} {n} many{n}" for n in range(chance.choice([3, 35]))])
        elif act < 0.7:
            mind.recall(chance.choice(texts), limit=5)
        elif act < 0.75:
            mind.forget(ids=[chance.choice(live).id])
        elif act < 0.8:
            mind.revise(chance.choice(live).id, text=f"revised {step} {chance.choice(texts)}")
        elif act < 0.85:
            mind.feedback(chance.choice(live).id, chance.random() < 0.5)
        elif act < 0.9:
            mind.upkeep()
        elif act < 0.95:
            mind.meaning.reembed()
        else:
            mind.undo(chance.choice(mind.journal(50)).receipt_id)
    mind._store.flush()


@pytest.mark.promise("R22")
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.full)])
def test_the_same_twice_makes_the_same_file(tmp_path: Path, seed: int) -> None:
    print(f"seed {seed}")
    dumps = []
    for name in ("a", "b"):
        clock = Clock()
        with new_mind(tmp_path / f"{name}.db", clock, embedder=Toy(), entropy=Entropy(seed)) as mind:
            lived(mind, clock, seed, 60)
            tables = dump(mind)
            assert mind.check().ok
        # A secret of each store with the digests under it, who held a lease, and numbers a database gives as it likes.
        for table in ("meta", "leases", *(("kin", "stems", "entities", "mentions") if STAND_IN is not None else ())):
            tables.pop(table)
        dumps.append(tables)
    assert dumps[0].keys() == dumps[1].keys()
    assert [name for name in dumps[0] if dumps[0][name] != dumps[1][name]] == []
    assert dumps[0]["vectors"] and dumps[0]["recalls"]


# --- as it was


def test_as_of_is_the_same_with_and_without_an_embedder(clock: Clock) -> None:
    def told(embedder: object) -> list[list[tuple[str, float]]]:
        now = Clock()
        with new_mind(clock=now, embedder=embedder) as mind:
            for text in ("The heron nests by the lake", "A heron sleeps", "The lake is deep"):
                mind.remember(text, importance=0.5)
                now.advance(days=1)
            mind.revise(mind.list()[0].id, text="The lake is dry")
            now.advance(days=1)
            mind.forget(ids=[mind.list()[-1].id])
            moments = [START + timedelta(days=d, hours=1) for d in range(5)]
            return [
                [(hit.memory.text, hit.rank) for hit in mind.recall("heron lake", as_of=moment)] for moment in moments
            ]

    assert told(Toy()) == told(False)
    with new_mind(clock=clock, embedder=Toy()) as mind:
        example = mind.remember("The heron nests by the lake").memory.id
        for wrong in ({"like": example}, {"query": "heron", "like": example}, {"files": "a.py"}):
            with pytest.raises(InvalidInput, match="as_of"):
                mind.recall(**wrong, as_of=START)
