"""The contenders: stems, scores worked by hand, fusion, the cache, and the product as one of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from remanence.errors import InvalidInput
from remanence.simulator.contenders import Contender, Item
from remanence.simulator.contenders.bm25 import Bm25
from remanence.simulator.contenders.encoder import Cached, Floats
from remanence.simulator.contenders.ours import Ours
from remanence.simulator.contenders.rrf import Rrf
from remanence.simulator.contenders.stems import stem, stems
from remanence.simulator.run import contenders

BORN = datetime(2024, 5, 1, tzinfo=UTC)
LATER = BORN + timedelta(days=9)


def items(*texts: str) -> list[Item]:
    return [Item(f"t{n}", text, BORN + timedelta(seconds=n)) for n, text in enumerate(texts)]


class Letters:
    """An encoder that sees only which of three letters a text has, and counts what it was asked."""

    model = "letters@1"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def documents(self, texts: Sequence[str]) -> Floats:
        self.seen += texts
        rows = np.array([[text.count(letter) + 0.01 for letter in "xyz"] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def query(self, text: str) -> Floats:
        return self.documents([text])[0]


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("cats", "cat"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("sing", "sing"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("happy", "happi"),
        ("sky", "sky"),
        ("relational", "relat"),
        ("conditional", "condit"),
        ("triplicate", "triplic"),
        ("hopefulness", "hope"),
        ("adjustment", "adjust"),
        ("adoption", "adopt"),
        ("rate", "rate"),
        ("controlling", "control"),
        ("k8s", "k8s"),
        ("café", "café"),
    ],
)
def test_stems_are_porters(word: str, wanted: str) -> None:
    assert stem(word) == wanted


def test_stop_words_are_left_out() -> None:
    assert stems("What is the parrot's name?") == ["parrot", "name"]


def test_bm25_scores_as_its_docstring_works_out() -> None:
    haystack = Bm25().filled(items("red kite", "blue kite"))
    assert haystack.scores("red") == pytest.approx([math.log(2), 0])
    assert haystack.asked("red kites", LATER, 10) == ["t0", "t1"]
    assert haystack.asked("green", LATER, 10) == []


def test_bm25_prefers_rare_words_and_short_texts() -> None:
    haystack = Bm25().filled(items("kite and " + "string " * 30, "kite", "kite kite ball", "ball"))
    assert haystack.asked("kite", LATER, 2) == ["t2", "t1"]
    assert haystack.asked("string ball", LATER, 1) == ["t0"]


def test_items_of_one_label_stand_where_the_best_of_them_stands() -> None:
    told = [Item("a", "kite", BORN), Item("b", "kite kite", BORN), Item("a", "kite kite kite", BORN)]
    assert Bm25().filled(told).asked("kite", LATER, 10) == ["a", "b"]


def test_an_empty_haystack_answers_nothing() -> None:
    runners: list[Contender] = [Bm25(), Rrf(Letters()), Ours()]
    for contender in runners:
        haystack = contender.filled([])
        assert haystack.asked("kite", LATER, 10) == []
        haystack.close()


def test_rrf_adds_up_the_places_in_both_lists() -> None:
    haystack = Rrf(Letters()).filled(items("zzz", "apple xx", "apple apple yy", "xxx"))
    # By words: t2, t1. By meaning of "x apple": t1, t3, then the others. t1: 1/62 + 1/61; t2: 1/61 + at most 1/63.
    assert haystack.asked("x apple", LATER, 10)[0] == "t1"
    assert len(haystack.asked("x apple", LATER, 10)) == 4


def test_the_cache_asks_once_for_each_text() -> None:
    inner = Letters()
    cached = Cached(inner)
    cached.documents(["x", "y", "x"])
    rows = cached.documents(["y", "z"])
    cached.query("x")
    cached.query("x")
    assert inner.seen == ["x", "y", "z", "x"]
    assert rows == pytest.approx(Letters().documents(["y", "z"]))
    assert cached.model == "letters@1"
    assert cached.embed(["y", "z"]) == pytest.approx(rows), "a mind may take it as its embedder"
    assert inner.seen == ["x", "y", "z", "x"]


def test_the_cache_makes_an_encoder_of_an_embedder() -> None:
    class Embedder:
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            return [[3.0, 4.0] for _ in texts]

    cached = Cached(Embedder())
    assert cached.query("x") == pytest.approx([0.6, 0.8])
    assert cached.documents(["x", "y"]).shape == (2, 2)
    assert cached.embed(["x"]) == pytest.approx(np.array([[3, 4]]))


def test_ours_answers_by_label_and_hides_what_is_out_of_date() -> None:
    told = items("The capital of Fenland is Tarn", "A kite flies", "The capital of Fenland is Dunmore", "A kite flies")
    haystack = Ours().filled(told)
    assert haystack.asked("capital of Fenland", LATER, 10) == ["t2"]
    assert haystack.asked("kite", LATER, 10) == ["t1", "t3"], "the same text again answers for both"
    assert haystack.counts() == {"added": 2, "superseded": 1, "duplicate": 1}
    haystack.close()


def test_ours_is_asked_at_the_questions_date_and_leaves_no_trace() -> None:
    ours = Ours()
    haystack = ours.filled(items("A kite flies"))
    haystack.asked("kite", LATER, 10)
    (memory,) = haystack._mind.list()
    assert (memory.created_at, memory.access_count) == (BORN, 0)
    assert haystack._mind.clock() == LATER
    haystack.close()


def test_ours_takes_settings() -> None:
    haystack = Ours(settings={"policy": "halflife"}).filled(items("A kite"))
    assert haystack._mind.policies.current.name == "halflife"
    haystack.close()


def test_contenders_by_name() -> None:
    assert [one.name for one in contenders(["bm25", "ours", "bm25"])] == ["bm25", "ours"]
    with pytest.raises(InvalidInput, match="'bm52'"):
        contenders(["bm52"])
    with pytest.raises(InvalidInput, match="embedding model"):
        contenders(["rrf"])
    assert [one.name for one in contenders(["rrf"], Letters())] == ["rrf"]
