"""Clusters: groups of memories that are alike on average, found along the graph of those that are alike in pairs.

Average linkage: the two groups with the highest mean cosine between their members join first, and none join whose mean
is not above the threshold. So a chain of neighbours, each like the next and the last unlike the first, is no cluster.
The mean between two groups is the product of the sums of their vectors, divided by their sizes; only groups that hold a
pair above the threshold are ever asked, which keeps the cost near that of reading the pairs. Where hundreds of rows
hang together, each is asked about its nearest few, and a mean is counted anew when its turn comes: the order in which
groups join may differ a little, what may join does not.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
LEAST = 5
EXACT = 300
"""Up to so many rows that hang together, every mean is kept up to date; of more, each row's nearest are asked."""
_NEAREST = 12
_BETWEEN_LOOKS = 5_000


def clusters(
    vectors: Floats,
    pairs: tuple[Ints, Ints, Floats],
    threshold: float,
    least: int = LEAST,
    is_over: Callable[[], bool] = lambda: False,
) -> list[Ints]:
    """The clusters of at least so many rows, given the pairs above the threshold with their cosines; largest first.

    Once it `is_over`, those that were found so far.
    """
    found: list[Ints] = []
    for rows, some in _components(len(vectors), pairs, least):
        if is_over():
            break
        held = vectors[rows].astype(np.float64)
        if len(rows) <= EXACT:
            groups = _linked(held, list(zip(some[0].tolist(), some[1].tolist(), strict=True)), threshold)
        else:
            groups = _roughly_linked(held, _nearest(some), threshold, is_over)
        found += (rows[members] for members in groups if len(members) >= least)
    return sorted(found, key=lambda rows: (-len(rows), rows[0]))


def _components(
    number: int, pairs: tuple[Ints, Ints, Floats], least: int
) -> Iterator[tuple[Ints, tuple[Ints, Ints, Floats]]]:
    """Rows that hang together by pairs, where there are enough, with their pairs by places among them."""
    first, later, cosines = pairs
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
    rows = np.flatnonzero(sizes[root] >= least)
    rows = rows[np.argsort(root[rows], kind="stable")]
    edges = np.flatnonzero(sizes[root[first]] >= least)
    edges = edges[np.argsort(root[first[edges]], kind="stable")]
    place = np.empty(number, dtype=np.int64)
    edges_of = {int(root[first[mine[0]]]): mine for mine in _runs(edges, root[first[edges]])}
    for members in _runs(rows, root[rows]):
        mine = edges_of.get(int(root[members[0]]), edges[:0])
        place[members] = np.arange(len(members))
        yield members, (place[first[mine]], place[later[mine]], cosines[mine])


def _runs(items: Ints, keys: Ints) -> list[Ints]:
    """The items, apart where their ascending keys differ."""
    return np.split(items, np.flatnonzero(np.diff(keys)) + 1) if len(items) else []


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


def _nearest(pairs: tuple[Ints, Ints, Floats]) -> list[tuple[float, int, int]]:
    """The pairs that are among the nearest of one of their rows, each as (minus its cosine, row, row)."""
    first, later, cosines = pairs
    ends, others = np.concatenate((first, later)), np.tile(np.arange(len(first)), 2)
    order = np.lexsort((others, -cosines[others], ends))
    place = np.arange(len(order)) - np.searchsorted(ends[order], ends[order])
    kept = np.unique(others[order[place < _NEAREST]])
    near = np.round(cosines[kept].astype(np.float64), 9)
    return list(zip((-near).tolist(), first[kept].tolist(), later[kept].tolist(), strict=True))


def _roughly_linked(
    vectors: NDArray[np.float64],
    waiting: list[tuple[float, int, int]],
    threshold: float,
    is_over: Callable[[], bool],
) -> list[Ints]:
    """Groups by average linkage along these pairs; a mean is counted when its turn comes, and waits on if it fell."""
    sums = vectors.copy()
    members = [[place] for place in range(len(vectors))]
    became = list(range(len(vectors)))

    def group_of(place: int) -> int:
        while became[place] != place:
            became[place] = became[became[place]]
            place = became[place]
        return place

    heapq.heapify(waiting)
    looks = 0
    while waiting:
        looks += 1
        if looks % _BETWEEN_LOOKS == 0 and is_over():
            break
        told, a, b = heapq.heappop(waiting)
        a, b = sorted((group_of(a), group_of(b)), key=lambda one: (-len(members[one]), one))
        if a == b:
            continue
        mean = float(sums[a] @ sums[b]) / (len(members[a]) * len(members[b]))
        if mean <= threshold:
            continue
        if -round(mean, 6) > round(told, 6):
            heapq.heappush(waiting, (-mean, a, b))
            continue
        members[a] += members[b]
        sums[a] += sums[b]
        became[b] = a
    return [np.array(sorted(members[place])) for place in range(len(vectors)) if became[place] == place]
