"""The indexes vectors are found by: one for whole vectors of a dimension, one for the signs of coarse ones."""

from __future__ import annotations

USUAL_DIMENSION = 384
MOST_DIMENSIONS = 4000
"""The most numbers that pgvector indexes in 16 bits each; longer vectors are compared one by one."""


def index_statements(dimension: int) -> list[str]:
    """Make both where they are not there."""
    whole = f"(whole::halfvec({dimension})) halfvec_cosine_ops"
    signs = f"(signs::bit({dimension})) bit_hamming_ops"
    return [
        f"CREATE INDEX IF NOT EXISTS vectors_whole_{dimension} ON vectors USING hnsw ({whole}) "
        f"WHERE dimension = {dimension}",
        f"CREATE INDEX IF NOT EXISTS vectors_signs_{dimension} ON vectors USING hnsw ({signs}) "
        f"WHERE dimension = {dimension} AND signs IS NOT NULL",
    ]
