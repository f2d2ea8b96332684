"""Clusters: groups of memories that are alike on average, found along the graph of those that are alike in pairs.

Average linkage: the two groups with the highest mean cosine between their members join first, and none join whose mean
is not above the threshold. So a chain of neighbours, each like the next and the last unlike the first, is no cluster.
The mean between two groups is the product of the sums of their vectors, divided by their sizes; only groups that hold a
pair above the threshold are ever asked, which keeps the cost near that of reading the pairs.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
LEAST = 5


def clusters(
    vectors: NDArray[np.float32], first: Ints, later: Ints, threshold: float, least: int = LEAST
) -> list[Ints]:
    """The clusters of at least so many rows, given the pairs above the threshold; rows ascend, the largest is first."""
    found: list[Ints] = []
    for rows, pairs in _components(len(vectors), first, later, least):
        for members in _linked(vectors[rows].astype(np.float64), pairs, threshold):
            if len(members) >= least:
                found.append(rows[members])
    return sorted(found, key=lambda rows: (-len(rows), rows[0]))


def _components(number: int, first: Ints, later: Ints, least: int) -> list[tuple[Ints, Sequence[tuple[int, int]]]]:
    """Rows that hang together by pairs, where there are enough, with their pairs by places among them."""
    root = np.arange(number)
    while True:  # each row takes the least root of those it is paired with, until nothing changes
        low = np.minimum(root[first], root[later])
        before = root.copy()
        np.minimum.at(root, first, low)
        np.minimum.at(root, later, low)
        root = root[root]
        if np.array_equal(root, before):
            break
    sizes = np.bincount(root, minlength=number)
    joined = np.flatnonzero(sizes[root] >= least)
    order = joined[np.argsort(root[joined], kind="stable")]
    edges = np.flatnonzero(sizes[root[first]] >= least)
    edges = edges[np.argsort(root[first[edges]], kind="stable")]
    place = np.empty(number, dtype=np.int64)
    found: list[tuple[Ints, Sequence[tuple[int, int]]]] = []
    at = 0
    for rows in np.split(order, np.flatnonzero(np.diff(root[order])) + 1):
        if not len(rows):
            continue
        place[rows] = np.arange(len(rows))
        end = at + int(np.searchsorted(root[first[edges[at:]]], root[rows[0]], side="right"))
        mine = edges[at:end]
        found.append((rows, list(zip(place[first[mine]].tolist(), place[later[mine]].tolist(), strict=True))))
        at = end
    return found


def _linked(vectors: NDArray[np.float64], pairs: Sequence[tuple[int, int]], threshold: float) -> list[Ints]:
    """Groups by average linkage along these pairs."""
    sums = {place: vectors[place] for place in range(len(vectors))}
    members = {place: [place] for place in range(len(vectors))}
    beside: dict[int, set[int]] = {place: set() for place in range(len(vectors))}
    waiting: list[tuple[float, int, int]] = []

    def offer(a: int, b: int) -> None:
        mean = float(sums[a] @ sums[b]) / (len(members[a]) * len(members[b]))
        if mean > threshold:
            heapq.heappush(waiting, (-round(mean, 9), a, b))

    for a, b in pairs:
        beside[a].add(b)
        beside[b].add(a)
        offer(a, b)
    number = len(vectors)
    while waiting:
        _, a, b = heapq.heappop(waiting)
        if a not in members or b not in members:
            continue
        members[number] = [*members.pop(a), *members.pop(b)]
        sums[number] = sums.pop(a) + sums.pop(b)
        beside[number] = (beside.pop(a) | beside.pop(b)) - {a, b}
        for other in sorted(beside[number]):
            beside[other] -= {a, b}
            beside[other].add(number)
            offer(other, number)
        number += 1
    return [np.array(sorted(group)) for group in members.values()]
