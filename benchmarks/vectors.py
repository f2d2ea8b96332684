"""What vectors cost: CPU and recall of `Matrix.nearest` against a product with all of them, codes, similar pairs.

The vectors are made from a seed with the spectrum of a sentence model, 400 topics, and a third of them near others;
`--vectors FILE` takes real ones instead (a .npy file of rows of length 1), with noise around them where more are
wanted. 200 are set aside and asked for. Times are medians of the process's CPU, the contenders taking turns; `cold` is
a first look, with nothing in the cache, and `read` says how many vectors it asked the file for.

    OMP_NUM_THREADS=1 python benchmarks/vectors.py --sizes 1000 10000 100000
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from remanence.index.codecs import BITS, decode, encode, signs
from remanence.index.pairs import similar_pairs
from remanence.index.search import Matrix

DIMENSION = 384
TOPICS = 400
CHUNK = 20_000
QUERIES = 200
ROUNDS = 40
Floats = NDArray[np.float32]


def unit(rows: NDArray[np.floating]) -> Floats:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def made(count: int, seed: int) -> Floats:
    fixed, rng = np.random.default_rng(0), np.random.default_rng(seed)
    spread = ((1 + np.arange(DIMENSION) / 4) ** -0.45).astype(np.float32)
    turn = np.linalg.qr(fixed.standard_normal((DIMENSION, DIMENSION)))[0].astype(np.float32)
    topics = fixed.standard_normal((TOPICS, DIMENSION), dtype=np.float32) * spread
    rows = np.empty((count, DIMENSION), dtype=np.float32)
    for low in range(0, count, CHUNK):
        size = min(CHUNK, count - low)
        part = rng.standard_normal((size, DIMENSION), dtype=np.float32) * spread + topics[rng.integers(0, TOPICS, size)]
        near = np.flatnonzero(rng.random(size) < 1 / 3)
        noise = rng.standard_normal((len(near), DIMENSION), dtype=np.float32) * spread
        part[near] = part[rng.integers(0, size, len(near))] + noise * rng.uniform(0.2, 1, (len(near), 1))
        rows[low : low + size] = unit(part @ turn)
    return rows


def around(real: Floats, count: int, seed: int) -> Floats:
    """Each once, in an order from the seed; then with noise of the same spectrum, up to 1.2 times their length."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(real))
    root = np.linalg.cholesky(np.cov(real.T) + 1e-9 * np.eye(real.shape[1])).T.astype(np.float32)
    rows = [real[order[:count]]]
    for low in range(len(real), count, CHUNK):
        size = min(CHUNK, count - low)
        noise = unit(rng.standard_normal((size, real.shape[1]), dtype=np.float32) @ root)
        rows.append(unit(real[rng.integers(0, len(real), size)] + noise * rng.uniform(0.3, 1.2, (size, 1))))
    return np.concatenate(rows)


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


# --- search


def search(size: int, source: Callable[[int, int], Floats]) -> str:
    rows = source(size + QUERIES, size)
    vectors, queries = rows[QUERIES:], rows[:QUERIES]
    asked = 0

    def fetch(nos: NDArray[np.int64]) -> tuple[NDArray[np.int8], Floats]:
        nonlocal asked
        asked += len(nos)
        return np.full(len(nos), 32, dtype=np.int8), vectors[nos]

    def brute(query: Floats, k: int = 10) -> NDArray[np.intp]:
        cosines = vectors @ query
        best = np.argpartition(-cosines, k)[:k]
        return best[np.argsort(-cosines[best])]

    def whole(query: Floats) -> NDArray[np.int64]:
        return matrix.nearest(query, 10, states={0}, fetch=fetch)[0]

    def few(query: Floats) -> NDArray[np.int64]:
        return matrix.nearest(query, 5, states={0}, fetch=fetch, few=True)[0]

    matrix = Matrix(DIMENSION)
    labels = np.zeros(size, dtype=np.int8)
    matrix.put(np.arange(size), labels.astype(np.int32), labels, labels + np.int8(32), signs(vectors))
    cold = cpu(lambda: whole(queries[0]))
    first_asked = asked
    right = [brute(query) for query in queries]
    recall = np.mean([np.isin(best, whole(query)).mean() for query, best in zip(queries, right, strict=True)])
    recall_few = np.mean([np.isin(best[:5], few(query)).mean() for query, best in zip(queries, right, strict=True)])
    spent: dict[str, list[float]] = {"brute": [], "whole": [], "few": []}
    for turn in range(ROUNDS):
        query = queries[turn % QUERIES]
        spent["brute"].append(cpu(lambda query=query: brute(query)))  # type: ignore[misc]
        spent["whole"].append(cpu(lambda query=query: whole(query)))  # type: ignore[misc]
        spent["few"].append(cpu(lambda query=query: few(query)))  # type: ignore[misc]
    brute_ms, whole_ms, few_ms = (1000 * median(spent[name]) for name in spent)
    return (
        f"| {size:,} | {brute_ms:.2f} | {whole_ms:.2f} | {brute_ms / whole_ms:.1f} | {recall:.4f} "
        f"| {few_ms:.2f} | {recall_few:.3f} | {1000 * cold:.2f} | {first_asked:,} |"
    )


# --- codes


def code(bits: int, vectors: Floats) -> str:
    start = time.process_time()
    codes = encode(vectors, bits)
    encoded = time.process_time()
    decoded = decode(codes, bits, vectors.shape[1])
    spent = time.process_time() - encoded
    cosines = np.einsum("ij,ij->i", decoded, vectors, dtype=np.float64)
    return (
        f"| {bits} | {len(codes[0])} | {cosines.mean():.5f} | {cosines.min():.5f} "
        f"| {1000 * (encoded - start):.0f} | {1000 * spent:.0f} |"
    )


# --- pairs


def alike(name: str, vectors: Floats, threshold: float) -> str:
    found: list[int] = []
    spent = cpu(lambda: found.append(len(similar_pairs(vectors, threshold)[0])))
    return f"| {name} | {len(vectors):,} | {threshold} | {found[0]:,} | {spent:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", type=int, default=[1000, 10_000, 100_000], help="numbers of vectors")
    parser.add_argument("--million", action="store_true", help="a million as well (4 GB of memory)")
    parser.add_argument("--vectors", type=Path, help="real vectors, a .npy file")
    parser.add_argument("--no-pairs", action="store_true", help="leave the pairs out")
    options = parser.parse_args()
    real = np.load(options.vectors) if options.vectors else None

    def source(count: int, seed: int) -> Floats:
        return made(count, seed) if real is None else around(real, count, seed)

    print(
        f"Python {platform.python_version()}, numpy {np.__version__}, {platform.system()} {platform.machine()}; CPU.\n"
    )
    print("| vectors | product with all, ms | nearest, ms | times | recall@10 | few, ms | recall@5 | cold, ms | read |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for size in [*options.sizes, *([1_000_000] if options.million else [])]:
        print(search(size, source), flush=True)
    print("\n| bits | bytes | mean cosine | least | encode 10,000, ms | decode, ms |\n|--:|--:|--:|--:|--:|--:|")
    for bits in BITS:
        print(code(bits, source(10_000, 1)), flush=True)
    if options.no_pairs:
        return
    print("\n| rows | count | cosine above | pairs | s |\n|---|--:|--:|--:|--:|")
    most = max(options.sizes)
    for size in options.sizes:
        for threshold in (0.92, 0.8):
            print(alike("varied", source(size, 2), threshold), flush=True)
    print(alike("all the same", np.repeat(source(1, 3), most, axis=0), 0.92), flush=True)
    for length, name in ((0.27, "one text, varied to .93"), (0.42, "one text, varied to .85")):
        noise = unit(np.random.default_rng(4).standard_normal((most, DIMENSION)))
        print(alike(name, unit(source(1, 3) + length * noise), 0.92), flush=True)


if __name__ == "__main__":
    main()
