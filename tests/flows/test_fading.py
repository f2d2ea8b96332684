"""Precision follows retention: vectors shrink as memories fade, still find them, and are made anew when they warm."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from remanence import Mind
from remanence.flows.fade import fade
from remanence.lifecycle.measures import Measures
from remanence.model.memory import State
from remanence.model.moment import to_micros
from remanence.model.plan import Change, Plan
from remanence.model.selection import Selection
from remanence.policies.reading import PRESETS
from tests.activity import be_there, every_day
from tests.conftest import START, Clock, dump, new_mind, only_files
from tests.embedders import Fixed, Toy, at_cosine

SIZE = 384
TEXT = "The heron nests by the lake"
BYTES = {32: 4 * SIZE, 8: SIZE, 4: 200, 2: 98}


@pytest.fixture
def toy() -> Toy:
    return Toy(dimension=SIZE)


@pytest.fixture
def open_half(open_mind: Callable[..., Mind], toy: Toy) -> Callable[[], Mind]:
    """Opens a mind whose memories halve in 30 days and leave by no rule before they are faint."""
    return lambda: open_mind(embedder=toy, policy="halflife")


def bits(mind: Mind, id: str | None = None) -> list[int | None]:
    with mind._store._engine.read() as connection:
        if id is None:
            return [n for (n,) in connection.execute("SELECT bits FROM meanings ORDER BY no")]
        return connection.execute("SELECT bits FROM meanings WHERE no=?", (mind._store._loader.number(id),)).fetchone()


def code_bytes(mind: Mind) -> int:
    with mind._store._engine.read() as connection:
        return int(connection.execute("SELECT coalesce(sum(length(code)), 0) FROM vectors").get)


def put(mind: Mind, id: str, state: State) -> None:
    mind.apply(Plan((Change.of(mind.get(id), "put", state=state),), verb="put"), force=True)


@pytest.mark.parametrize(("days", "expected"), [(0, 32), (9, 32), (10, 8), (29, 8), (31, 4), (69, 4), (71, 2), (90, 2)])
def test_precision_follows_retention(
    open_half: Callable[[], Mind], clock: Clock, toy: Toy, days: int, expected: int
) -> None:
    mind = open_half()
    id = mind.remember(TEXT, importance=0.5).memory.id
    clock.advance(days=days)
    report = mind.upkeep()
    assert (bits(mind), report.faded) == ([expected], int(expected != 32))
    assert code_bytes(mind) <= BYTES[expected] + 8
    assert mind.check().ok
    (hit,) = mind.recall("heron lake", reinforce=False)
    true = float(toy.vector(TEXT) @ toy.vector("heron lake"))
    assert hit.memory.id == id
    assert {32: 0.999, 8: 0.99, 4: 0.9, 2: 0.4}[expected] * true <= hit.parts["vector"] <= true + 0.02


def test_it_goes_down_step_by_step_as_at_once(open_half: Callable[[], Mind], clock: Clock) -> None:
    mind = open_half()
    mind.remember(TEXT, importance=0.5)
    seen = []
    for _ in range(80):
        clock.advance(days=1)
        mind.upkeep()
        seen.append(bits(mind)[0])
    assert seen == [32] * 9 + [8] * 20 + [4] * 40 + [2] * 11 or seen == [32] * 9 + [8] * 21 + [4] * 39 + [2] * 11


@only_files
def test_sizes_in_the_file_shrink_and_recall_works_after_reopening(open_half: Callable[[], Mind], clock: Clock) -> None:
    mind = open_half()
    texts = [f"alpha{n} beta{n} gamma{n} delta{n}" for n in range(60)]
    made = {text: mind.remember(text, importance=0.5).memory.id for text in texts}
    assert code_bytes(mind) == 60 * 4 * SIZE
    clock.advance(days=75)
    assert mind.upkeep().faded == 60
    assert code_bytes(mind) <= 60 * 105
    mind.close()
    again = open_half()
    assert again.check().ok
    for text in texts[::7]:
        hits = again.recall(text, reinforce=False)
        assert hits[0].memory.id == made[text]
        assert "vector" in hits[0].parts


def test_upkeep_twice_changes_nothing_the_second_time(open_half: Callable[[], Mind], clock: Clock) -> None:
    mind = open_half()
    for n in range(10):
        mind.remember(f"alpha{n} beta{n}", importance=0.5)
        clock.advance(days=7)
    mind.upkeep()
    before = dump(mind)
    assert mind.upkeep().faded == 0
    after = dump(mind)
    for table in {"meanings", "vectors", "meaning_news", "lives", "journal"} & after.keys():
        assert after[table] == before[table], table


def test_fading_is_no_change_of_a_memory(open_half: Callable[[], Mind], clock: Clock) -> None:
    mind = open_half()
    id = mind.remember(TEXT, importance=0.5).memory.id
    memory, journal = mind.get(id), mind.journal()
    clock.advance(days=40)
    assert fade(mind._store, mind.policies.current, clock()) == 1
    assert (mind.get(id), mind.journal()) == (memory, journal)


def test_what_never_decays_keeps_its_precision(open_half: Callable[[], Mind], clock: Clock) -> None:
    mind = open_half()
    mind.remember(TEXT, exempt=True)
    mind.remember("Something of the user", scope="/user")
    clock.advance(days=900)
    assert (mind.upkeep().faded, bits(mind)) == (0, [32, 32])


@pytest.mark.parametrize("state", [State.ARCHIVED, State.FORGOTTEN])
def test_what_leaves_is_kept_in_two_bits_and_made_anew_when_it_comes_back(
    open_half: Callable[[], Mind], toy: Toy, state: State
) -> None:
    mind = open_half()
    id = mind.remember(TEXT).memory.id
    put(mind, id, state)
    assert mind.upkeep().faded == 1
    assert bits(mind) == [2]
    calls = len(toy.calls)
    mind.restore(ids=[id])
    assert mind.upkeep().embedded == 1
    assert (bits(mind), toy.calls[calls:]) == ([32], [[TEXT]])
    assert mind.recall("heron lake")[0].memory.id == id


@pytest.mark.parametrize("days", [15, 40, 75])
def test_a_memory_that_turns_hot_again_is_embedded_anew(
    open_half: Callable[[], Mind], clock: Clock, toy: Toy, days: int
) -> None:
    """From every precision, also from the coarsest: recalled, its retention is 1, and upkeep sees it."""
    mind = open_half()
    mind.remember(TEXT, importance=0.5)
    clock.advance(days=days)
    mind.upkeep()
    assert bits(mind) != [32]
    for _ in range(16):
        mind.recall("heron lake")
        clock.advance(days=2)
        mind.upkeep()
    assert bits(mind) == [32]
    assert toy.texts.count(TEXT) == 2
    assert mind.meaning.waiting == 0


def test_without_an_embedder_it_stays_coarse_and_is_found(open_mind: Callable[..., Mind], clock: Clock) -> None:
    mind = open_mind(embedder=Toy(dimension=SIZE), policy="halflife")
    id = mind.remember(TEXT, importance=0.5).memory.id
    put(mind, id, State.ARCHIVED)
    mind.upkeep()
    mind.close()
    words = open_mind(policy="halflife")
    words.restore(ids=[id])
    words.upkeep()
    assert (bits(words), words.meaning.waiting) == ([2], 1)
    assert [hit.memory.id for hit in words.recall("heron")] == [id]
    words.close()
    again = open_mind(embedder=Toy(dimension=SIZE), policy="halflife")
    again.recall("heron")
    assert (bits(again), again.meaning.waiting) == ([32], 0)


def test_decay_hides_no_live_memory_from_a_recall_by_meaning(clock: Clock) -> None:
    """It only ranks: what meaning found while it was fresh, it finds when it is faint."""
    chance = np.random.default_rng(3)
    basis, _ = np.linalg.qr(chance.standard_normal((SIZE, SIZE)))
    vectors = {}
    for n, cosine in enumerate((0.16, 0.2, 0.3, 0.4, 0.9)):
        vectors[f"statement{n}"] = (basis @ np.array(at_cosine(cosine, n + 1, SIZE))).tolist()
    query = (basis @ np.array(at_cosine(1.0, 1, SIZE))).tolist()
    with new_mind(clock=clock, embedder=Fixed(vectors | {"asked": query}), policy="halflife") as mind:
        for text in vectors:
            mind.remember(text, importance=0.9)
        fresh = {hit.memory.text for hit in mind.recall("asked", reinforce=False)}
        clock.advance(days=75)
        assert mind.upkeep().faded == len(vectors)
        assert {hit.memory.text for hit in mind.recall("asked", reinforce=False)} == fresh == set(vectors)


def look_only_so_often(mind: Mind) -> None:
    """Fail where fading asks for rows again and again."""
    looks = 0
    fading = mind._store.meanings.fading

    def counted(*given: object) -> object:
        nonlocal looks
        looks += 1
        assert looks < 20, "the same rows are looked at again and again"
        return fading(*given)

    mind._store.meanings.fading = counted  # type: ignore[method-assign]


def crossing(mind: Mind, level: float) -> datetime:
    """The first moment at which the only memory's retention is no more than so much."""

    def retention(at: datetime) -> float:
        return float(Measures(mind._store.columns(Selection()), mind.policies.current).retention(to_micros(at))[0])

    low, high = START, START + timedelta(days=4000)
    while high - low > timedelta(microseconds=1):
        middle = low + (high - low) / 2
        low, high = (low, middle) if retention(middle) <= level else (middle, high)
    return high


@pytest.mark.timeout(20)
@pytest.mark.parametrize("policy", ["halflife", "balanced"])
@pytest.mark.parametrize("level", [0.8, 0.5])
@pytest.mark.parametrize("milliseconds", [-900, 0, 100])
def test_upkeep_ends_around_the_moment_at_which_a_precision_falls(
    clock: Clock, policy: str, level: float, milliseconds: int
) -> None:
    with new_mind(clock=clock, embedder=Toy(), policy=policy) as mind:
        mind.remember(TEXT, importance=0.5)
        falls = crossing(mind, level)
        assert falls < START + timedelta(days=3999)
        clock.now = falls + timedelta(milliseconds=milliseconds)
        be_there(mind, *every_day(START, clock.now))
        look_only_so_often(mind)
        fade(mind._store, mind.policies.current, clock())
        finer, coarser = {0.8: (32, 8), 0.5: (8, 4)}[level]
        assert bits(mind)[0] == (finer if milliseconds < 0 else coarser)


@pytest.mark.timeout(20)
def test_fading_ends_over_a_meaning_that_has_no_memory(tmp_path: Path, clock: Clock) -> None:
    """Damage is for the check to find, not for upkeep to turn round and round on."""
    with new_mind(tmp_path / "memory.db", clock, embedder=Toy()) as mind:
        mind.remember(TEXT)
        with mind._store._engine.write() as connection:
            connection.execute(
                "INSERT INTO meanings SELECT space, 999, shelf, state, 0, model, bits, signs, hash, 0 FROM meanings"
            )
        look_only_so_often(mind)
        fade(mind._store, mind.policies.current, clock())
        assert not mind.check().ok
        assert mind.check(repair=True).ok


@pytest.mark.parametrize("policy", sorted(PRESETS))
def test_the_bits_in_the_file_are_what_retention_earns(clock: Clock, policy: str) -> None:
    """Under every preset, after a life of its own: none is finer than it earns, and what is coarser waits."""
    from remanence.lifecycle.precision import bits_for

    with new_mind(clock=clock, embedder=Toy(), policy=policy) as mind:
        for n in range(40):
            mind.remember(
                f"alpha{n} beta{n} gamma{n}",
                kind=("fact", "finding", "decision", "observation")[n % 4],
                layer=("episodic", "semantic", "working")[n % 3],
                importance=0.2 + n / 60,
            )
            clock.advance(days=3)
            if n % 5 == 4:
                mind.recall(f"alpha{n // 2} beta{n // 3}")
            if n % 10 == 9:
                mind.upkeep()
        mind.upkeep()
        mind.meaning.reembed()
        fade(mind._store, mind.policies.current, clock())
        found = mind._store.columns(Selection())
        earned = bits_for(Measures(found, mind.policies.current).retention(to_micros(clock())))
        with mind._store._engine.read() as connection:
            kept = dict(connection.execute("SELECT no, bits FROM meanings"))
        have = np.array([kept[no] for no in found.rows.tolist()])
        assert (have <= earned).all(), "none is finer than its retention earns"
        assert mind.check().ok
