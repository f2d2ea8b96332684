"""Clusters: average linkage along the pairs above the threshold, against doing it by force."""

import random
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from remanence.lifecycle.clusters import EXACT, LEAST, clusters

Vectors = NDArray[np.float32]


def pairs(vectors: Vectors, threshold: float) -> tuple[NDArray[np.int64], NDArray[np.int64], Vectors]:
    """All pairs above the threshold, with their cosines."""
    cosines = vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    first, later = np.nonzero(np.triu(cosines > threshold, 1))
    return first, later, cosines[first, later].astype(np.float32)


def found(vectors: Vectors, threshold: float = 0.8, least: int = LEAST) -> list[list[int]]:
    return [rows.tolist() for rows in clusters(vectors, pairs(vectors, threshold), threshold, least)]


def unit(vectors: NDArray[np.float64]) -> Vectors:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def planted(seed: int, sizes: list[int], strangers: int = 0, dimension: int = 64, nearness: float = 0.9) -> Vectors:
    """Groups of these sizes around directions of their own, then rows that are like nothing."""
    chance = np.random.default_rng(seed)
    centres = np.linalg.qr(chance.standard_normal((dimension, len(sizes))))[0].T
    rows = [
        nearness**0.5 * centre + (1 - nearness) ** 0.5 * _direction(chance, dimension)
        for centre, size in zip(centres, sizes, strict=True)
        for _ in range(size)
    ]
    rows += [_direction(chance, dimension) for _ in range(strangers)]
    return unit(np.array(rows))


def _direction(chance: np.random.Generator, dimension: int) -> NDArray[np.float64]:
    vector = chance.standard_normal(dimension)
    return vector / np.linalg.norm(vector)


def fan(number: int, cosine: float) -> Vectors:
    """Rows in a plane, each at this cosine to the next: a chain."""
    angles = np.arccos(cosine) * np.arange(number)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def by_force(vectors: Vectors, threshold: float, least: int = LEAST) -> list[list[int]]:
    """Average linkage over all groups, all means counted from the cosines of members each time."""
    cosines = vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    groups = [[row] for row in range(len(vectors))]
    while True:
        means = [(cosines[np.ix_(a, b)].mean(), n, m) for (n, a), (m, b) in combinations(enumerate(groups), 2)]
        linked = [(mean, n, m) for mean, n, m in means if _touch(cosines, groups[n], groups[m], threshold)]
        best = max(linked, key=lambda one: (round(one[0], 9), -one[1], -one[2]), default=(0.0, 0, 0))
        if best[0] <= threshold:
            return sorted((sorted(g) for g in groups if len(g) >= least), key=lambda g: (-len(g), g[0]))
        _, n, m = best
        groups = [group for place, group in enumerate(groups) if place not in (n, m)] + [groups[n] + groups[m]]


def _touch(cosines: NDArray[np.float64], a: list[int], b: list[int], threshold: float) -> bool:
    return bool((cosines[np.ix_(a, b)] > threshold).any())


def test_a_chain_of_neighbours_is_no_cluster() -> None:
    """At 0.85 to the next, the third is at 0.445 to the first: by single linkage all twelve would be one."""
    chain = fan(12, 0.85)
    assert float(chain[0] @ chain[2]) == pytest.approx(0.445, abs=0.001)
    assert found(chain) == []
    assert all(len(group) < LEAST for group in found(chain, least=1))


def test_five_are_a_cluster_and_four_are_none() -> None:
    assert found(planted(1, [5, 4], strangers=6)) == [[0, 1, 2, 3, 4]]
    assert found(planted(1, [4, 4], strangers=6)) == []


def test_planted_clusters_are_found_among_strangers() -> None:
    sizes = [12, 9, 7, 5, 5]
    vectors = planted(3, [*sizes, 4, 3], strangers=60)
    starts = np.cumsum([0, *sizes]).tolist()
    assert found(vectors) == [list(range(a, b)) for a, b in pairwise(starts)]


def test_two_groups_beside_a_bridge_stay_two() -> None:
    """A row between two groups joins one of them, and does not join them to each other."""
    vectors = planted(5, [6, 6], nearness=0.95).astype(np.float64)
    between = vectors[0] + vectors[6]
    groups = found(unit(np.vstack([vectors, between])), 0.7)
    assert sorted(map(len, groups)) in ([6, 6], [6, 7])


@pytest.mark.parametrize("number", [0, 1, 4])
def test_too_few_are_nothing(number: int) -> None:
    vectors = planted(2, [number]) if number else np.empty((0, 8), dtype=np.float32)
    assert found(vectors) == []


def test_the_same_vector_many_times() -> None:
    same = np.tile(planted(4, [1]), (9, 1))
    assert found(same) == [list(range(9))]


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 13), st.sampled_from([0.5, 0.7, 0.8]), st.integers(1, 5))
def test_as_by_force(seed: int, number: int, threshold: float, least: int) -> None:
    chance = np.random.default_rng(seed)
    vectors = unit(chance.standard_normal((number, 4)) + chance.choice([0.0, 1.0, 2.0]))
    assert found(vectors, threshold, least) == by_force(vectors, threshold, least)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_no_matter_of_order(seed: int) -> None:
    chance = random.Random(seed)
    vectors = planted(seed, [7, 6, 5, 3], strangers=5, dimension=24, nearness=chance.choice([0.82, 0.86, 0.92]))
    order = chance.sample(range(len(vectors)), len(vectors))
    again = [sorted(order[place] for place in group) for group in found(vectors[order])]
    assert sorted(again) == sorted(found(vectors))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.6, 0.8]))
def test_members_are_alike_on_average(seed: int, threshold: float) -> None:
    """Each join is above the threshold on average, so the mean over all pairs of a cluster is."""
    vectors = planted(seed, [8, 6], strangers=10, dimension=16, nearness=0.82)
    for group in found(vectors, threshold):
        members = vectors[group].astype(np.float64)
        cosines = members @ members.T
        assert cosines[np.triu_indices(len(group), 1)].mean() > threshold


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_nobody_is_in_two_clusters(seed: int) -> None:
    members = [row for group in found(planted(seed, [8, 6, 5], 10, dimension=12, nearness=0.8)) for row in group]
    assert len(members) == len(set(members))


def test_many_that_hang_together_are_parted_by_their_means_too() -> None:
    """A chain of planted groups, 40 of 12 rows, each near the next: more rows than are linked exactly."""
    chance = np.random.default_rng(5)
    turns = np.linspace(0, np.pi / 2 * 8, 40)
    axes = np.linalg.qr(chance.standard_normal((64, 9)))[0].T
    centres = [
        np.cos(turn % (np.pi / 2)) * axes[int(turn // (np.pi / 2)) % 9]
        + np.sin(turn % (np.pi / 2)) * axes[(int(turn // (np.pi / 2)) + 1) % 9]
        for turn in turns
    ]
    vectors = unit(np.array([centre + 0.04 * chance.standard_normal(64) for centre in centres for _ in range(12)]))
    groups = found(vectors)
    assert len(vectors) > EXACT and len(groups) > 5
    for rows in groups:
        inside = vectors[rows] @ vectors[rows].T
        assert (inside.sum() - len(rows)) / (len(rows) * (len(rows) - 1)) > 0.8
    assert found(vectors) == groups


def test_a_thousand_that_are_all_alike_are_grouped_in_no_time() -> None:
    vectors = planted(3, [3000], nearness=0.88)
    first = np.repeat(np.arange(3000), 20)
    later = (first + np.tile(np.arange(1, 21), 3000)) % 3000
    low, high = np.minimum(first, later), np.maximum(first, later)
    given = (low, high, np.einsum("ij,ij->i", vectors[low], vectors[high]))
    grouped = clusters(vectors, given, 0.8)
    assert sum(map(len, grouped)) > 2000


def test_it_ends_when_it_is_over() -> None:
    vectors = planted(4, [8, 8, 8])
    assert clusters(vectors, pairs(vectors, 0.8), 0.8, is_over=lambda: True) == []
