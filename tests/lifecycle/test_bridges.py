"""Bridges: which entities are near and not too near, in scopes that do not hold each other, by words they share."""

import time
from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle import bridges as rules
from remanence.lifecycle.bridges import (
    ONE_SIDED,
    candidates,
    carried,
    centroid,
    fault_of,
    nearest,
    shared_words,
)
from remanence.lifecycle.grounding import ELSEWHERE
from remanence.model.words import tokens_of
from tests.embedders import at_cosine


def pairs(*placed: tuple[float, str], most: int = 10) -> list[tuple[int, int]]:
    """The first is at the axis; the others at a cosine to it, each in a plane of its own."""
    vectors = np.array([at_cosine(cosine, axis) for axis, (cosine, _) in enumerate(placed, 1)], dtype=np.float32)
    homes = [frozenset(scopes.split()) for _, scopes in placed]
    return [(pair.one, pair.other) for pair in candidates(vectors, homes, most)]


@pytest.mark.parametrize(
    ("cosine", "near"), [(0.749, False), (0.751, True), (0.8, True), (0.899, True), (0.901, False), (1.0, False)]
)
def test_near_and_not_too_near(cosine: float, near: bool) -> None:
    assert bool(pairs((1.0, "/a"), (cosine, "/b"))) is near


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("/a", "/b", True),
        ("/a", "/a", False),
        ("/a", "/a/x", False),
        ("/a/x", "/a", False),
        ("/a/x", "/a/y", True),
        ("/user", "/username", True),
        ("/", "/a", False),
        ("/a /b", "/c /b/x", False),
        ("/a /b", "/c /d", True),
    ],
)
def test_no_scope_of_one_holds_a_scope_of_the_other(one: str, other: str, apart: bool) -> None:
    assert bool(pairs((1.0, one), (0.8, other))) is apart


def test_the_nearest_come_first_and_no_more_than_asked_for() -> None:
    placed = ((1.0, "/a"), (0.80, "/b"), (0.88, "/c"), (0.76, "/d"))
    assert pairs(*placed)[:3] == [(0, 2), (0, 1), (0, 3)]
    assert pairs(*placed, most=1) == [(0, 2)]
    assert pairs() == [] and pairs((1.0, "/a")) == []


def test_blocks_give_what_all_against_all_gives() -> None:
    chance = np.random.default_rng(3)
    vectors = chance.standard_normal((700, 6)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    homes = [frozenset([f"/s{number % 7}", f"/s{number % 3}/x"]) for number in range(700)]
    found = {(pair.one, pair.other) for pair in candidates(vectors, homes, 10**6)}

    def meet(a: frozenset[str], b: frozenset[str]) -> bool:
        return any(x == y or x.startswith(y + "/") or y.startswith(x + "/") for x in a for y in b)

    near = vectors @ vectors.T
    plain = {
        (i, j)
        for i in range(700)
        for j in range(i + 1, 700)
        if 0.75 <= near[i, j] <= 0.90 and not meet(homes[i], homes[j])
    }
    assert plain and found ^ plain <= {pair for pair in plain | found if abs(near[pair] - 0.75) < 1e-5}


def test_two_thousand_entities_take_seconds_at_most() -> None:
    chance = np.random.default_rng(4)
    vectors = chance.standard_normal((2_000, 64)).astype(np.float32) + 2
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    homes = [frozenset([f"/p{number % 500}"]) for number in range(2_000)]
    began = time.perf_counter()
    assert len(candidates(vectors, homes, 2_000)) == 2_000
    assert time.perf_counter() - began < 20


def test_vectors_that_cancel_out_are_near_to_nobody() -> None:
    nowhere = centroid([np.array([1, 0], dtype=np.float32), np.array([-1, 0], dtype=np.float32)])
    assert not nowhere.any()
    assert candidates(np.array([nowhere, [1, 0]], dtype=np.float32), [frozenset(["/a"]), frozenset(["/b"])], 5) == []


def test_the_nearest_memories_by_vector() -> None:
    vectors = {
        name: np.array(at_cosine(cosine), dtype=np.float32)
        for name, cosine in zip("abcd", (0.2, 0.9, 0.9, 0.5), strict=True)
    }
    assert nearest(vectors, np.array(at_cosine(1.0), dtype=np.float32)) == ["b", "c", "d", "a"]


def counted(texts: Iterable[str]) -> Counter[str]:
    return rules.counted(map(tokens_of, texts))


ONE = ["Kafka retries with backoff", "Kafka consumers use backoff and a dead-letter queue", "retries fill the queue"]
OTHER = ["Celery queue and retries", "Celery has backoff for retries", "the queue needs backoff", "Kafka rocks"]


def test_telling_words_are_in_two_memories_of_either_side() -> None:
    counts = counted([*ONE, *OTHER, *(f"Nothing of interest number {n}" for n in range(20))])
    assert shared_words(counted(ONE), counted(OTHER), counts, 27, ["kafka", "celery"]) == [
        "backoff",
        "queue",
        "retries",
    ]
    assert "queue" not in shared_words(counted(ONE), counted(OTHER), counts, 27, ["work queue"]), (
        "a name is no word they share"
    )
    assert shared_words(counted(ONE[:1]), counted(OTHER), counts, 27, []) == []


def test_a_bridge_says_what_stands_in_its_memories() -> None:
    one = {id: frozenset(said.split()) for id, said in {"a": "x", "b": "p q", "c": "r", "d": "s t", "e": "u"}.items()}
    other = {id: frozenset(said.split()) for id, said in {"f": "x y", "g": "s u", "h": "p", "i": "t", "j": "q"}.items()}
    assert carried(["p", "q", "r", "s", "t"], one, other) == (["b", "d", "c"], ["g", "h", "i"], ["p", "s", "t"])
    assert carried([], one, other) == (["a", "b", "c"], ["f", "g", "h"], []), "the first where nothing is shared"


@given(
    *(2 * [st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=4), min_size=3, max_size=9)]),
)
def test_at_least_three_shared_words_are_carried(one: list[frozenset[str]], other: list[frozenset[str]]) -> None:
    shared = sorted(frozenset().union(*one) & frozenset().union(*other))
    sides = [{str(place): said for place, said in enumerate(side)} for side in (one, other)]
    found = carried(shared, *sides)
    assert len(found.words) >= min(3, len(shared)) and len(set(found.one)) == len(set(found.other)) == 3
    for ids, side in zip(found[:2], sides, strict=True):
        assert set(found.words) <= frozenset().union(*(side[id] for id in ids))


def test_words_of_most_memories_tell_nothing() -> None:
    counts = counted([*ONE, *OTHER, *(f"The queue number {n}" for n in range(20))])
    assert shared_words(counted(ONE), counted(OTHER), counts, 27, []) == ["backoff", "retries"]
    assert shared_words(counted(ONE), counted(OTHER), counted([*ONE, *OTHER]), 7, []) == [], (
        "in a handful every word is in most"
    )


@pytest.mark.parametrize(
    ("why", "fault"),
    [
        ("Kafka and Celery both need backoff for retries", None),
        ("Celery needs the queue", None),
        ("They are both written in Java by Mozilla engineers", ELSEWHERE),
        ("Celery retries 5 times with backoff", ELSEWHERE),
        ("Celery rocks", ONE_SIDED),
    ],
)
def test_a_reason_stands_on_both_sides(why: str, fault: str | None) -> None:
    assert fault_of(why, ONE, OTHER, ["Kafka", "Celery"]) == fault
