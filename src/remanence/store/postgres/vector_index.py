"""The indexes vectors are found by: one for whole vectors of a dimension, one for the signs of coarse ones."""

from __future__ import annotations

from collections.abc import Iterator

from remanence.store.postgres.connection import Raw

USUAL_DIMENSION = 384
MOST_DIMENSIONS = 4000
"""The most numbers that pgvector indexes in 16 bits each; longer vectors are compared one by one."""
_INVALID = (
    "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
    "WHERE c.relnamespace = 'remanence'::regnamespace AND NOT i.indisvalid AND c.relkind = 'i' AND c.relname ~ %s"
)


def _indexes(dimension: int) -> Iterator[tuple[str, str]]:
    """The name of each, and what it is made on."""
    whole = f"(whole::halfvec({dimension})) halfvec_cosine_ops"
    signs = f"(signs::bit({dimension})) bit_hamming_ops"
    yield f"vectors_whole_{dimension}", f"USING hnsw ({whole}) WHERE dimension = {dimension}"
    yield f"vectors_signs_{dimension}", f"USING hnsw ({signs}) WHERE dimension = {dimension} AND signs IS NOT NULL"


def index_statements(dimension: int) -> list[str]:
    """Make both where they are not there; writers to a table that is not empty wait meanwhile."""
    return [f"CREATE INDEX IF NOT EXISTS {name} ON vectors {on}" for name, on in _indexes(dimension)]


def index_while_written_to(raw: Raw, dimension: int, partitions: int) -> None:
    """Make both, partition by partition, while others write; what an earlier try left half made is made anew."""
    for name, on in _indexes(dimension):
        for (broken,) in raw.execute(_INVALID, (f"^{name}(_[0-9]+)?$",)).fetchall():
            raw.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {broken}")
        if partitions == 1:
            raw.execute(f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON vectors {on}")
            continue
        raw.execute(f"CREATE INDEX IF NOT EXISTS {name} ON ONLY vectors {on}")
        for part in range(partitions):
            raw.execute(f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {name}_{part} ON vectors_{part} {on}")
            raw.execute(f"ALTER INDEX {name} ATTACH PARTITION {name}_{part}")
