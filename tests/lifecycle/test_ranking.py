"""The order of hits: worked numbers of every part of a rank, the bounds of its factors, and what fits a budget."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence.lifecycle import ranking
from remanence.lifecycle.measures import Measures
from remanence.lifecycle.ranking import (
    answers,
    answers_well,
    diverse,
    lifted,
    newest_first,
    ordered,
    same_statement,
    standing,
    usefulness,
    within,
)
from remanence.model.columns import columns_of
from remanence.model.hit import Hit
from remanence.model.memory import Layer, Memory, Source
from remanence.model.moment import to_micros
from remanence.model.words import estimate_tokens
from remanence.policies.reading import PRESETS, preset
from tests.lifecycle import worlds

NOW = datetime(2026, 3, 1, tzinfo=UTC)
BASE = Memory(
    id="a",
    namespace="n",
    scope="/",
    layer=Layer.EPISODIC,
    kind="fact",
    text="Text",
    source=Source.HUMAN,
    importance=0.5,
    created_at=NOW,
    last_accessed_at=NOW,
)


def hit(id: str, rank: float, text: str = "Text", days: float = 0, **fields: object) -> Hit:
    return Hit(replace(BASE, id=id, text=text, created_at=NOW + timedelta(days=days), **fields), rank, {"text": rank})


def ids(hits: list[Hit]) -> list[str]:
    return [hit.memory.id for hit in hits]


# --- how well a candidate answers


def score(bm25: float, mass: float, cosine: float, by_file: bool = False) -> float:
    found, _ = answers(np.array([bm25]), mass, np.array([cosine]), np.array([by_file]))
    return float(found[0])


@pytest.mark.parametrize(
    ("bm25", "mass", "cosine", "by_file", "expected"),
    [
        (3.0, 3.0, 0.6, False, (0.5 + 0.5 * 0.6) / 1.5),
        (3.0, 3.0, 0.6, True, 0.5333 + 0.5 * (1 - 0.5333)),
        (0.0, 3.0, 1.0, False, 1 / 3),
        (0.0, 3.0, -1.0, False, 0.0),
        (0.0, 3.0, math.nan, False, 0.0),
        (0.0, 3.0, math.nan, True, 0.5),
        (9.0, 3.0, math.nan, False, 0.75 / 1.5),
        (-2.0, 3.0, 0.0, False, 0.0),
        (0.0, 0.0, 0.5, False, 0.25 / 1.5),
        (1e12, 1.0, 1.0, False, 1.0),
        (0.0, 3.0, 0.1, False, 0.1 / 3),
        (0.0, 3.0, 0.0999, False, 0.0),
        (3.0, 3.0, 0.1, False, 0.55 / 1.5),
    ],
)
def test_how_well_a_candidate_answers(bm25: float, mass: float, cosine: float, by_file: bool, expected: float) -> None:
    assert score(bm25, mass, cosine, by_file) == pytest.approx(expected, abs=1e-4)


def test_the_worked_number_of_the_docstring() -> None:
    assert round(score(1.7, 1.7, 0.6), 4) == 0.5333


@given(
    st.lists(st.tuples(st.floats(-50, 50), st.floats(-1.1, 1.1) | st.just(math.nan), st.booleans()), min_size=1),
    st.floats(0, 100),
)
def test_an_answer_is_between_0_and_1_and_more_never_counts_less(
    candidates: list[tuple[float, float, bool]], mass: float
) -> None:
    bm25, cosine, by_file = (np.array(column) for column in zip(*candidates, strict=True))
    whole, words = answers(bm25, mass, cosine, by_file)
    assert ((whole >= 0) & (whole <= 1)).all() and ((words >= 0) & (words <= 1)).all()
    for better in (
        answers(bm25 + 1, mass, cosine, by_file),
        answers(bm25, mass, cosine + 0.1, by_file),
        answers(bm25, mass, cosine, np.ones_like(by_file)),
    ):
        assert (better[0] >= whole - 1e-12).all()


# --- what stands beside a good answer


def test_what_stands_beside_a_good_answer_comes_half_way_up_to_it() -> None:
    assert lifted(np.array([0.8, 0.2, 0.2]), [(0, 1)]).tolist() == pytest.approx([0.8, 0.5, 0.2])
    assert lifted(np.array([0.2, 0.8, 0.2]), [(0, 1)]).tolist() == pytest.approx([0.2, 0.8, 0.2])
    assert lifted(np.array([0.8, 0.0]), [(0, 1)]).tolist() == pytest.approx([0.8, 0.4])


def test_the_best_neighbour_counts() -> None:
    assert lifted(np.array([0.1, 0.5, 0.9]), [(1, 0), (2, 0), (0, 1)]).tolist() == pytest.approx([0.5, 0.5, 0.9])
    chain = lifted(np.array([0.8, 0.0, 0.0]), [(0, 1), (1, 2)])
    assert chain.tolist() == pytest.approx([0.8, 0.4, 0.0]), "what was lifted lifts nothing"


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6), st.data())
def test_a_lift_never_lowers_and_never_overtakes(scores: list[float], data: st.DataObject) -> None:
    places = st.integers(0, len(scores) - 1)
    beside = data.draw(st.lists(st.tuples(places, places), max_size=8))
    before = np.array(scores)
    after = lifted(before, beside)
    assert (after >= before).all()
    assert after.max() == before.max()


# --- bounded factors


@pytest.mark.parametrize(
    ("uses", "rejections", "expected"),
    [
        (0, 0, 1.0),
        (1, 0, 1.069),
        (0, 1, 0.931),
        (1, 1, 1.0),
        (3, 1, 1.069),
        (6, 0, 1.195),
        (7, 0, 1.2),
        (10**9, 0, 1.2),
        (0, 10**9, 0.8),
    ],
)
def test_what_hosts_said_of_its_use(uses: int, rejections: int, expected: float) -> None:
    assert usefulness(replace(BASE, uses=uses, rejections=rejections)) == pytest.approx(expected, abs=1e-3)


@settings(max_examples=30)
@given(st.lists(worlds.memories(), min_size=1, max_size=5), st.sampled_from(sorted(PRESETS)), st.floats(-400, 4000))
def test_standing_moves_a_rank_within_its_bounds(memories: list[Memory], policy: str, days: float) -> None:
    measures = Measures(columns_of(memories), preset(policy))
    values, factors = standing(measures, to_micros(worlds.NOW + timedelta(days=days)))
    assert values.keys() == {"retention", "worth", "trust"}
    for name, value in values.items():
        assert ((value >= 0) & (value <= 1)).all(), name
    assert ((factors >= 0.9 * 0.9 * 0.95 - 1e-12) & (factors <= 1.1 + 1e-12)).all()


def test_standing_by_hand() -> None:
    """A new memory of the human's is whole; half a half-life later an ingested one of the halflife policy is not."""
    fresh, old = worlds.memory(), worlds.memory(age_days=15, source=Source.INGEST, number=2)
    values, factors = standing(Measures(columns_of([fresh, old]), preset("halflife")), to_micros(worlds.NOW))
    assert values["retention"].tolist() == pytest.approx([1.0, 0.5**0.5])
    assert values["trust"].tolist() == [1.0, 0.5]
    by_worth = [0.9 + 0.2 * worth for worth in values["worth"].tolist()]
    assert factors.tolist() == pytest.approx([by_worth[0], (1 - 0.1 * (1 - 0.5**0.5)) * by_worth[1] * 0.975])


# --- order


def test_best_first_then_newest_then_by_id() -> None:
    given_ = [hit("best", 2.0, days=-9), hit("newer", 1.0, days=1), hit("b1", 1.0), hit("b2", 1.0)]
    for order in permutations(given_):
        assert ids(ordered(order)) == ["best", "newer", "b1", "b2"]


TELLING = {"capit": 1.0, "ghana": 2.0}


def test_of_versions_of_one_statement_the_newest_comes_first() -> None:
    hits = [
        hit("old", 0.9, "The capital of Ghana is Accra", days=-20),
        hit("other", 0.7, "A capital letter begins a sentence about Ghana", days=5),
        hit("new", 0.6, "The capital of Ghana is Kumasi", days=-1),
        hit("mid", 0.5, "The capital of Ghana is Tamale", days=-9),
    ]
    for order in permutations(hits):
        found = newest_first(list(order), TELLING)
        assert ids(found) == ["new", "other", "mid", "old"]
        assert [h.rank for h in found] == [0.9, 0.7, 0.6, 0.5]
    new = newest_first(hits, TELLING)[0]
    assert new.parts["newest"] == pytest.approx(0.9 / 0.6)
    assert "newest" not in newest_first(hits, TELLING)[1].parts


def test_other_subjects_are_no_versions() -> None:
    """They hold other words of the query, or what differs is not the tail alone."""
    hits = [
        hit("ghana", 0.9, "The capital of Ghana is Accra", days=-20),
        hit("togo", 0.6, "The capital of Togo is Lome"),
    ]
    assert ids(newest_first(hits, TELLING)) == ["ghana", "togo"]
    assert ids(newest_first(hits, {})) == ["ghana", "togo"]
    assert newest_first([], TELLING) == []


def test_who_holds_a_word_is_no_version_of_who_does_not() -> None:
    """The stem of "Sundays" is "sundai", which stands in no text."""
    hits = [
        hit("sundays", 0.9, "The nightly backup of the orders is never run on Sundays", days=-20),
        hit("dublin", 0.2, "The nightly backup of the orders is kept in Dublin"),
    ]
    assert ids(newest_first(hits, {"sundai": 1.4, "backup": 0.1})) == ["sundays", "dublin"]
    assert newest_first(hits, {"sundai": 1.4, "backup": 0.1})[0].rank == 0.9


@pytest.mark.parametrize(
    ("one", "other", "whole", "expected"),
    [
        ("the door code is 1234", "the door code is 9876", False, True),
        ("the capital of ghana is accra", "the capital of togo is lome", False, False),
        ("the capital of ghana is accra", "the capital of togo is lome", True, True),
        ("a b c", "a b d e f", False, True),
        ("a b c", "a x y", False, False),
        ("a b", "a c", False, True),
        ("a", "a", False, True),
        ("a", "b", True, False),
    ],
)
def test_what_is_the_same_statement(one: str, other: str, whole: bool, expected: bool) -> None:
    for left, right in ((one, other), (other, one)):
        assert same_statement(left.split(), right.split(), whole=whole) is expected


@given(
    st.lists(
        st.tuples(st.floats(0.01, 1), st.lists(st.sampled_from("abcde"), min_size=1, max_size=4), st.integers(0, 9)),
        max_size=8,
    )
)
def test_newest_first_keeps_the_hits_and_their_ranks(given_: list[tuple[float, list[str], int]]) -> None:
    hits = [hit(f"{n}", rank, " ".join(words), days) for n, (rank, words, days) in enumerate(given_)]
    found = newest_first(hits, {"a": 1.0, "b": 0.5})
    assert sorted(ids(found)) == sorted(ids(hits))
    assert sorted(h.rank for h in found) == sorted(h.rank for h in hits)
    assert found == ordered(found)
    assert ids(newest_first(list(reversed(hits)), {"a": 1.0, "b": 0.5})) == ids(found)


# --- diversity


def likeness(*pairs: tuple[int, int, float], size: int) -> np.ndarray:
    known = np.eye(size, dtype=np.float32)
    for one, other, cosine in pairs:
        known[one, other] = known[other, one] = cosine
    return known


def test_what_repeats_a_better_hit_counts_half() -> None:
    hits = [hit("a", 0.9), hit("b", 0.8), hit("c", 0.5)]
    found = diverse(hits, likeness((0, 1, 0.92), size=3))
    assert ids(found) == ["a", "c", "b"]
    assert (found[2].rank, found[2].parts["repeats"]) == (0.4, 0.5)
    assert ids(diverse(hits, likeness((0, 1, 0.919), size=3))) == ["a", "b", "c"]


def test_a_repeat_is_no_measure_for_others() -> None:
    """c is like b, which repeats a, but not like a: it says something of its own."""
    hits = [hit("a", 0.9), hit("b", 0.8), hit("c", 0.7)]
    found = diverse(hits, likeness((0, 1, 0.95), (1, 2, 0.95), size=3))
    assert {h.memory.id: h.rank for h in found} == {"a": 0.9, "c": 0.7, "b": 0.4}


def test_without_vectors_words_tell_what_repeats() -> None:
    hits = [
        hit("a", 0.9, "one two three four five"),
        hit("b", 0.8, "one two three four five"),
        hit("c", 0.7, "one two three nine ten"),
    ]
    unknown = np.full((3, 3), np.nan, dtype=np.float32)
    for known in (None, unknown):
        assert ids(diverse(hits, known)) == ["a", "c", "b"]
    assert "repeats" not in diverse(hits, likeness(size=3))[1].parts, "vectors that are known decide"


def test_a_session_has_so_many_hits() -> None:
    hits = [hit(f"s{n}", 0.9 - n / 100, f"t{n}", origin="session:1") for n in range(3)]
    hits += [hit("other", 0.5, "o", origin="session:2"), hit("none", 0.45, "n", origin=None)]
    known = likeness(size=5)
    assert ids(diverse(hits, known, per_session=0)) == ["s0", "s1", "s2", "other", "none"]
    found = diverse(hits, known, per_session=2)
    assert ids(found) == ["s0", "s1", "other", "none", "s2"]
    assert (found[-1].rank, found[-1].parts["session"]) == (pytest.approx(0.44), 0.5)
    both = diverse(hits[:2], likeness((0, 1, 1.0), size=2), per_session=1)
    assert both[1].rank == pytest.approx(0.89 / 4)


def test_a_hit_that_stays_as_it_is_is_the_same() -> None:
    hits = [hit("a", 0.9), hit("b", 0.8, "other")]
    assert diverse(hits, likeness(size=2)) == hits
    assert diverse([], None) == []


# --- a budget


def test_the_best_that_fit_together() -> None:
    texts = ["word " * 20, "word " * 8, "word " * 2]
    hits = [hit(str(n), 1.0 - n / 10, text) for n, text in enumerate(texts)]
    large, middle, small = (estimate_tokens(text) for text in texts)
    fit = lambda budget: ids(within(hits, budget))  # noqa: E731
    assert fit(None) == fit(large + middle + small) == ["0", "1", "2"]
    assert fit(large + middle + small - 1) == ["0", "1"]
    assert fit(large + small) == ["0", "2"]
    assert fit(large - 1) == (["1", "2"] if middle + small < large else ["1"])
    assert fit(small) == ["2"]
    assert fit(small - 1) == []


@pytest.mark.parametrize(
    ("parts", "well"),
    [
        ({"answer": 0.25, "vector": 0.4}, True),
        ({"answer": 0.249, "vector": 0.4}, False),
        ({"answer": 0.24}, True),
        ({"answer": 0.25 / 1.5}, True),
        ({"answer": 0.166}, False),
    ],
)
def test_what_answers_well_enough_to_be_missed(parts: dict[str, float], well: bool) -> None:
    assert answers_well(Hit(BASE, 1.0, parts)) is well


def test_each_text_is_cut_into_words_once_however_many_hits_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[str] = []
    for name in ("words_of", "tokens_of"):
        real = getattr(ranking, name)
        monkeypatch.setattr(ranking, name, lambda text, real=real: cut.append(text) or real(text))
    hits = [hit(f"h{n}", 1 - n / 100, f"The item {n} " + f"word{n} " * 900) for n in range(30)]
    diverse(newest_first(hits, {"item": 1.0}), None)
    assert len(cut) == 2 * len(hits)
