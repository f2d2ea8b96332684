"""The indexes vectors are found by: one for whole vectors of a dimension, one for the signs of coarse ones."""

from __future__ import annotations

from collections.abc import Iterator

USUAL_DIMENSION = 384
MOST_DIMENSIONS = 4000
"""The most numbers that pgvector indexes in 16 bits each; longer vectors are compared one by one."""


def vector_indexes(dimension: int) -> Iterator[tuple[str, str]]:
    """The name of each, and what it is made on."""
    whole = f"(whole::halfvec({dimension})) halfvec_cosine_ops"
    signs = f"(signs::bit({dimension})) bit_hamming_ops"
    yield f"vectors_whole_{dimension}", f"USING hnsw ({whole}) WHERE dimension = {dimension}"
    yield f"vectors_signs_{dimension}", f"USING hnsw ({signs}) WHERE dimension = {dimension} AND signs IS NOT NULL"


def index_statements(dimension: int) -> list[str]:
    """Make both where they are not there; writers to a table that is not empty wait meanwhile."""
    return [f"CREATE INDEX IF NOT EXISTS {name} ON vectors {on}" for name, on in vector_indexes(dimension)]
