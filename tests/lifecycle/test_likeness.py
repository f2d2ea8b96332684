"""Alike sets: exactly the pairs that comparing all with all finds, at a cost that follows what is alike."""

from collections.abc import Collection, Iterator, Sequence
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.lifecycle import likeness as module
from remanence.lifecycle.likeness import Likeness, Match, Ragged, Rows, alike_pairs
from remanence.model.words import tokens_of

Tokens = Collection[object]


def compared(sets: Sequence[Tokens], groups: Sequence[Tokens], percent: int = 90) -> set[tuple[int, int]]:
    """All against all."""
    return {
        (i, j)
        for j in range(len(sets))
        for i in range(j)
        if set(groups[i]) & set(groups[j]) and above(set(sets[i]), set(sets[j]), percent)
    }


def above(a: set[object], b: set[object], percent: int = 90) -> bool:
    return 100 * len(a & b) > percent * len(a | b)


def ragged(rows: Sequence[Collection[int]]) -> Ragged:
    built = Rows()
    for row in rows:
        built.add(row)
    return built.ragged()


def numbered(shared: int, left: int, right: int) -> tuple[set[int], set[int]]:
    common = set(range(shared))
    return common | set(range(1000, 1000 + left)), common | set(range(2000, 2000 + right))


# A few long sets with small edits, so that pairs lie on both sides of the threshold; and short, equal and empty ones.
BASES = (range(10), range(20), range(5, 34), range(60))
EDITS = st.frozensets(st.integers(0, 64), max_size=3)
EDITED = st.builds(lambda base, less, more: frozenset(base) - less | more, st.sampled_from(BASES), EDITS, EDITS)
SETS = st.one_of(EDITED, st.frozensets(st.integers(0, 12), max_size=4))
CLOSE = st.builds(
    lambda less, more: frozenset(range(25)) - less | more, *[st.frozensets(st.integers(20, 30), max_size=1)] * 2
)
GROUPS = st.frozensets(st.sampled_from("abc"), max_size=3)
ROWS = st.lists(st.tuples(SETS, GROUPS), max_size=14)
CJK = "東京都渋谷区の会議室は来週の月曜日まで工事のために使えません。代わりに本館の会議室を使ってください"
EDITED_TEXT = st.builds(
    lambda start, end, tail: CJK[start : len(CJK) - end] + tail,
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from(["", "ね", "。", " ok", "ＯＫ", "Ⅷ", "𠮷野", "ção", "cão não"]),
)


@pytest.mark.parametrize(
    ("shared", "left", "right", "alike"),
    [
        (9, 1, 0, False),  # 9 / 10 is not above 0.9
        (10, 1, 0, True),  # 10 / 11
        (18, 1, 1, False),  # 18 / 20
        (19, 1, 1, True),  # 19 / 21
        (90, 5, 5, False),  # 90 / 100
        (91, 5, 5, True),
        (900, 100, 0, False),
        (901, 99, 1, True),  # 901 / 1001 = 0.9001
        (1, 0, 0, True),
        (9, 0, 0, True),
        (0, 0, 0, False),
        (0, 1, 1, False),
    ],
)
def test_the_bound_is_exact_and_strict(shared: int, left: int, right: int, alike: bool) -> None:
    a, b = numbered(shared, left, right)
    assert list(alike_pairs([a, b], ["g", "g"], 0.9)) == [(0, 1)] * alike


def test_a_pair_counts_once_however_many_groups_it_shares() -> None:
    assert list(alike_pairs(["xyz", "zyx"], ["abcdef", "fedcba"], 0.9)) == [(0, 1)]


def test_groups_are_walls() -> None:
    assert list(alike_pairs(["xyz", "xyz", "xyz"], ["a", "b", ""], 0.9)) == []
    assert list(alike_pairs([], [], 0.9)) == []


@given(ROWS)
def test_the_same_pairs_as_all_against_all(rows: list[tuple[frozenset[int], frozenset[str]]]) -> None:
    sets, groups = [row[0] for row in rows], [row[1] for row in rows]
    found = list(alike_pairs(sets, groups, 0.9))
    assert len(found) == len(set(found))
    assert set(found) == compared(sets, groups)


@given(ROWS, st.sampled_from([50, 70, 80, 92, 99]))
def test_any_threshold(rows: list[tuple[frozenset[int], frozenset[str]]], percent: int) -> None:
    sets, groups = [row[0] for row in rows], [row[1] for row in rows]
    assert set(alike_pairs(sets, groups, percent / 100)) == compared(sets, groups, percent)


@given(st.lists(EDITED_TEXT, max_size=10))
def test_texts_of_any_script(texts: list[str]) -> None:
    sets = [tokens_of(text) for text in texts]
    assert set(alike_pairs(sets, ["g"] * len(sets), 0.9)) == compared(sets, ["g"] * len(sets))


@given(
    st.lists(st.tuples(CLOSE, GROUPS, st.frozensets(st.integers(0, 4), max_size=3), st.booleans()), max_size=12),
    st.sampled_from([0, 2, 4096]),
)
def test_marks_that_nest(rows: list[tuple[frozenset[int], frozenset[str], frozenset[int], bool]], most: int) -> None:
    """Against every entered row: alike, and the marks of one among those of the other."""
    sets, marks = [row[0] for row in rows], [row[2] for row in rows]
    groups = [{ord(group) for group in row[1]} for row in rows]
    with mock.patch.object(module, "_MOST_MARK_KEYS", most):
        likeness = Likeness(ragged(sets), ragged(groups), 0.9, marks=ragged(marks))
    entered = [row for row, (*_, enters) in enumerate(rows) if enters]
    for row in entered:
        likeness.enter(row)
    for row in range(len(rows)):
        alike = [
            other
            for other in entered
            if other != row and groups[row] & groups[other] and above(set(sets[row]), set(sets[other]))
        ]
        nested = [other for other in alike if marks[row] <= marks[other] or marks[other] <= marks[row]]
        assert [match.row for match in likeness.alike(row)] == alike
        assert [match.row for match in likeness.alike(row, nested=True)] == nested
        for match in likeness.alike(row):
            one, two = sets[row], sets[match.row]
            assert match == (match.row, len(one & two), one - two, two - one)
            assert match.jaccard == len(one & two) / len(one | two)


def test_sketches_that_collide_do_not_decide() -> None:
    """Two tokens that flip the same bit in both sketches: 18 / 20 looks like 18 / 18 until the tokens are counted."""
    own = ragged([[token] for token in range(5000)])
    bits = list(zip(*(module._sketches(own, spread).tolist() for spread in module._SPREADS), strict=True))
    first = {key: token for token, key in reversed(list(enumerate(bits)))}
    a, b = next((first[key], token) for token, key in enumerate(bits) if token > first[key] > 20)
    for shared, alike in ((18, False), (19, True)):
        likeness = Likeness(ragged([[*range(shared), a], [*range(shared), b]]), ragged([[0], [0]]), 0.9)
        likeness.enter(0)
        assert [match.row for match in likeness.alike(1)] == [0] * alike


def test_rows_are_taken_in_any_order() -> None:
    rows = ragged([{1, 2}, set(), {3}])
    taken = rows.take(np.array([2, 0, 0, 1]))
    assert [taken[row].tolist() for row in range(len(taken))] == [[3], [1, 2], [1, 2], []]
    assert taken.sizes.tolist() == [1, 2, 2, 0]


@pytest.mark.parametrize("size", [1, 2, 5])
def test_many_chunks_and_windows(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(module, "_CHUNK", size)
    monkeypatch.setattr(module, "_FIRST_WINDOW", size)
    monkeypatch.setattr(module, "_GROWTH", 2)
    sets = [set(range(20)) - {n % 7} | {100 + n % 5} for n in range(60)] + [set(), {1}, set(range(300))]
    groups = [{n % 2, n % 3 + 10} for n in range(len(sets))]
    assert set(alike_pairs(sets, groups, 0.9)) == compared(sets, groups)


# --- cost, counted in rows looked at


class Looked:
    """How many rows were compared by sketch, and how many by their tokens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at_sketches = self.at_tokens = 0
        windows, likely = module._windows, Likeness._likely

        def counted(lists: list[tuple[np.ndarray, np.ndarray]], *more: object) -> Iterator[np.ndarray]:
            self.at_sketches += sum(min(len(rows), module._FIRST_WINDOW) for rows, _ in lists)
            return windows(lists, *more)  # type: ignore[arg-type]

        def counted_likely(likeness: Likeness, row: int, others: np.ndarray) -> list[int]:
            found = likely(likeness, row, others)
            self.at_tokens += len(found)
            return found

        monkeypatch.setattr(module, "_windows", counted)
        monkeypatch.setattr(Likeness, "_likely", counted_likely)


def greedy(likeness: Likeness, rows: int, *, nested: bool = False) -> int:
    """How many rows stay when each leaves for an earlier one that stays."""
    staying = 0
    for row in range(rows):
        if next(likeness.alike(row, nested=nested), None) is None:
            likeness.enter(row)
            staying += 1
    return staying


@pytest.mark.parametrize("own", [0, 1])
def test_a_template_with_a_word_of_its_own_costs_a_look_each(monkeypatch: pytest.MonkeyPatch, own: int) -> None:
    """Every pair is alike, but only the first stays, and every other is compared with it alone."""
    looked = Looked(monkeypatch)
    rows = [[*range(30), 100 + own * row] for row in range(1000)]
    likeness = Likeness(ragged(rows), ragged([[0]] * 1000), 0.9)
    assert greedy(likeness, 1000) == 1
    assert looked.at_tokens < 1000


@pytest.mark.parametrize("common", [[], [7]])
def test_a_template_with_a_mark_of_its_own_costs_nothing(monkeypatch: pytest.MonkeyPatch, common: list[int]) -> None:
    """Every pair is alike and none nests: all stay, without a single comparison."""
    looked = Looked(monkeypatch)
    rows = [[*range(30), 100 + row] for row in range(1000)]
    marks = [[*common, 100 + row] for row in range(1000)]
    likeness = Likeness(ragged(rows), ragged([[0]] * 1000), 0.9, marks=ragged(marks))
    assert greedy(likeness, 1000, nested=True) == 1000
    assert looked.at_sketches == looked.at_tokens == 0


def test_few_words_cost_sketches_and_hardly_a_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten of a hundred words: each of the rarest stands in many sets, and hardly any two are alike."""
    looked = Looked(monkeypatch)
    random = np.random.default_rng(1)
    rows = [random.choice(100, 10, replace=False).tolist() for _ in range(1000)]
    assert greedy(Likeness(ragged(rows), ragged([[0]] * 1000), 0.9), 1000) == 1000
    assert looked.at_tokens < 100


def test_one_huge_set_is_looked_up_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of its groups holds a set of a size near its own."""
    looked = Looked(monkeypatch)
    rows = [list(range(20_000)), *([n, n + 1, n + 2] for n in range(500))]
    likeness = Likeness(ragged(rows), ragged([range(256)] * 501), 0.9)
    assert len(likeness._tokens[0]) == 0
    assert greedy(likeness, 501) == 501
    assert looked.at_tokens == 0


def test_a_match_tells_what_differs() -> None:
    likeness = Likeness(ragged([range(20), range(1, 21)]), ragged([[0], [0]]), 0.9)
    likeness.enter(0)
    (match,) = likeness.alike(1)
    assert match == Match(0, 19, {20}, {0})
    assert match.jaccard == 19 / 21
