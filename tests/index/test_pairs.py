"""Similar pairs: those that comparing all with all finds, in groups, and within bounds where all are alike."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remanence.index import pairs
from remanence.index.pairs import similar_pairs, tables
from tests.index.vectors import gaussian, sentences, unit


def compared(vectors, threshold, groups=None):
    exact = vectors.astype(np.float64)
    above = np.triu(np.minimum(exact @ exact.T, 1) > threshold, 1)
    if groups is not None:
        above &= groups[:, None] == groups
    return set(zip(*(index.tolist() for index in np.nonzero(above)), strict=True))


def found(vectors, threshold, **options):
    first, later, cosines = similar_pairs(vectors, threshold, **options)
    listed = list(zip(first.tolist(), later.tolist(), strict=True))
    assert listed == sorted(set(listed))
    assert np.all(cosines >= np.float32(threshold))
    assert cosines == pytest.approx(np.einsum("ij,ij->i", vectors[first], vectors[later]), abs=1e-6)
    return set(listed)


@given(
    st.integers(0, 60),
    st.integers(1, 5),
    st.floats(0.05, 1),
    st.integers(0, 1000),
)
def test_whole_groups(count, groups, threshold, seed):
    vectors = gaussian(count, 5, seed) if count else np.zeros((0, 5), dtype=np.float32)
    labels = np.random.default_rng(seed).integers(0, groups, count)
    assert found(vectors, threshold, groups=labels, most_each=99) == compared(vectors, threshold, labels)


@pytest.mark.parametrize("threshold", [0.92, 0.8])
def test_hashing_finds_the_same(monkeypatch, threshold):
    monkeypatch.setattr(pairs, "_WHOLE", 0)
    vectors = sentences(2000)
    groups = np.arange(2000) % 2
    every = compared(vectors, threshold, groups)
    assert len(every) > 100
    assert found(vectors, threshold, groups=groups, most_each=2000) == every


def test_crowded_buckets(monkeypatch):
    """Thick clusters: buckets too large to be compared pair by pair."""
    monkeypatch.setattr(pairs, "_WHOLE", 0)
    rng = np.random.default_rng(1)
    vectors = unit(gaussian(30)[rng.integers(0, 30, 2000)] + 0.3 * gaussian(2000, seed=2))
    got, every = found(vectors, 0.92, most_each=2000), compared(vectors, 0.92)
    assert got <= every
    assert len(every - got) <= pairs.MISS * len(every)


def test_how_many_tables():
    assert (tables(0.92), tables(0.8), tables(1)) == (79, 356, 1)
    assert (1 - (1 - np.arccos(0.92) / np.pi) ** 16) ** 79 < 1e-4


def test_strictly_above():
    vectors = np.array([[1, 0], [1, 0], [0.5, 0.75**0.5]], dtype=np.float32)
    assert found(vectors, 1.0) == set()
    assert found(vectors, 0.5) == {(0, 1)} | compared(vectors, 0.5)


@pytest.mark.parametrize("noise", [0, 0.27])
def test_all_alike_stays_bounded(noise):
    vectors = unit(gaussian(1) + noise * gaussian(8000, seed=3))
    first, later, _ = similar_pairs(vectors, 0.92, most_each=10)
    assert np.bincount(later).max() <= 10
    assert np.count_nonzero(np.bincount(later, minlength=8000) == 0) <= (1 if noise == 0 else 20)
    assert np.all(first < later)


def test_a_full_row_keeps_its_first_partners():
    vectors = np.repeat(gaussian(1), 300, axis=0)
    first, later, _ = similar_pairs(vectors, 0.9, most_each=3)
    for row in (1, 2, 3, 100, 299):
        assert first[later == row].tolist() == list(range(min(row, 3)))


def test_progress_rises_to_one(monkeypatch):
    monkeypatch.setattr(pairs, "_WHOLE", 1)
    told: list[float] = []
    similar_pairs(gaussian(300, 64), 0.92, groups=np.arange(300) // 100, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    assert len(told) > 20


def test_a_threshold_out_of_range():
    with pytest.raises(ValueError, match=r"a threshold of 0; it must be above 0 and at most 1"):
        similar_pairs(gaussian(2), 0)
