"""From an empty database, or any earlier schema, to the current one.

Each numbered SQL file under `schema/` is one step, taken in one transaction together with its number, by one process at
a time. A table that says `by namespace` has the namespace's number first in its key, is cut into hash partitions by it
where there are to be some, and stands behind a wall of rows: a connection sees the rows of the one namespace it speaks
for. One that is `readable` tells nothing to who lacks the namespace's key, and is written to behind the same wall.
Waiting for a lock is bounded, so that a migration never holds up those who use the tables for long.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from functools import cache

import psycopg
from psycopg import errors as pg

from remanence import errors
from remanence.store.postgres.connection import Raw
from remanence.store.postgres.pool import SCHEMA, Pool
from remanence.store.postgres.vector_index import USUAL_DIMENSION, index_statements
from remanence.store.sql.steps import steps_of

OLDEST_SERVER = 15
_LOCK = 0x726D6E63  # "rmnc"
_BY_NAMESPACE = re.compile(r"\s*/\*by namespace(, readable)?\*/$")
_OWN = "(space = (SELECT here()))"
_WALL = (f"CREATE POLICY here ON {{}} USING {_OWN}",)
_WALL_BUT_FOR_READING = (
    "CREATE POLICY read ON {} FOR SELECT USING (true)",
    f"CREATE POLICY add ON {{}} FOR INSERT WITH CHECK {_OWN}",
    f"CREATE POLICY change ON {{}} FOR UPDATE USING {_OWN}",
    f"CREATE POLICY drop ON {{}} FOR DELETE USING {_OWN}",
)
_TABLE = re.compile(r"CREATE TABLE (\w+)")


def steps() -> tuple[str, ...]:
    """The SQL of each step, in order; step 1 makes schema 1."""
    return steps_of(__package__)


def current_schema() -> int:
    return len(steps())


def statements() -> Iterator[str]:
    """What every step does, in order."""
    return (statement for step in steps() for statement in _statements(step))


@cache
def tables() -> tuple[str, ...]:
    """The tables whose rows belong to a namespace."""
    return tuple(
        _TABLE.match(statement)[1]  # type: ignore[index]
        for statement in statements()
        if _BY_NAMESPACE.search(statement)
    )


def bring_up_to_date(pool: Pool) -> bytes:
    """Make or migrate the schema, refuse what is newer or too old; the secret of the store."""
    if pool.secret is None:
        check_server(pool)
        with pool.alone() as raw:
            if found_schema(raw, pool) < current_schema():
                make(raw, pool, partitions=1)
            pool.secret = _secret(raw)
    return pool.secret


def check_server(pool: Pool) -> None:
    """Refuse a server that is too old."""
    with pool.alone() as raw:
        if raw.info.server_version // 10_000 < OLDEST_SERVER:
            raise errors.StoreUnavailable(
                f"{pool.address} is PostgreSQL {raw.info.parameter_status('server_version')}; "
                f"{OLDEST_SERVER} or newer is needed"
            )


def make(raw: Raw, pool: Pool, *, partitions: int) -> tuple[int, int]:
    """Take the steps that are missing; the schema that was there before, and how many partitions each table has."""
    try:
        raw.execute("SET lock_timeout = '5s'")
        with raw.transaction():
            raw.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            found = found_schema(raw, pool)
            if found == 0:
                _begin(raw, pool)
            else:
                partitions = partitions_of(raw)
            for number in range(found + 1, current_schema() + 1):
                for statement in _statements(steps()[number - 1]):
                    _execute(raw, statement, partitions)
                _take_note(raw, number, partitions)
    except pg.ReadOnlySqlTransaction:
        raise errors.StoreReadOnly(
            f"{pool.address} is a read-only replica, and there is no store of schema {current_schema()} on it. "
            "Give the address of the server that writes"
        ) from None
    return found, partitions


def found_schema(raw: Raw, pool: Pool) -> int:
    there = raw.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.facts",)).fetchone()
    if there is None or there[0] is None:
        return 0
    try:
        row = raw.execute("SELECT number FROM facts WHERE name = 'schema'").fetchone()
    except pg.InsufficientPrivilege:
        raise errors.Forbidden(
            f"The role that opened {pool.address} may not use the store. Let its owner run: "
            f"rem db grant {pool.address.role} NAMESPACE"
        ) from None
    found = 0 if row is None else int(row[0])
    if found > current_schema():
        raise errors.StoreTooNew(
            f"{pool.address} has schema {found}; this remanence knows up to {current_schema()}. "
            "It was left as it is. Run: pip install --upgrade remanence"
        )
    return found


def partitions_of(raw: Raw) -> int:
    row = raw.execute("SELECT number FROM facts WHERE name = 'partitions'").fetchone()
    return 1 if row is None else int(row[0])


def secret_of(pool: Pool, namespace: str) -> bytes:
    """The secret under which digests of a namespace are made: the store's, or one that it brought along."""
    with pool.borrowed() as raw:
        own = raw.execute("SELECT secret FROM spaces WHERE name = %s", (namespace,)).fetchone()
    assert pool.secret is not None
    return pool.secret if own is None or own[0] is None else bytes(own[0])


def adopt(pool: Pool, namespace: str, secret: bytes) -> None:
    """Keep the secret that a namespace brings along."""
    with pool.borrowed() as raw:
        if not raw.execute("UPDATE spaces SET secret = %s WHERE name = %s", (secret, namespace)).rowcount:
            raw.execute("INSERT INTO spaces(name, secret) VALUES(%s, %s)", (namespace, secret))


def _secret(raw: Raw) -> bytes:
    row = raw.execute("SELECT secret FROM facts WHERE name = 'purge_key'").fetchone()
    assert row is not None
    return bytes(row[0])


def _begin(raw: Raw, pool: Pool) -> None:
    """The schema and pgvector; where one may not be made, who can make it."""
    try:
        with raw.transaction():
            raw.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
    except pg.InsufficientPrivilege:
        raise errors.Forbidden(
            f"This role may not make a store in {pool.address}. Let an administrator run: "
            f"GRANT CREATE ON DATABASE {raw.info.dbname} TO {raw.info.user}"
        ) from None
    try:
        with raw.transaction():
            # Not into our own schema: a dump of that alone would miss it.
            raw.execute("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
    except (pg.UndefinedFile, pg.FeatureNotSupported):
        raise errors.StoreUnavailable(
            f"{pool.address} has no pgvector. Install it on the server (Debian: postgresql-NN-pgvector), or take a "
            "server that has it"
        ) from None
    except pg.InsufficientPrivilege:
        raise errors.Forbidden(
            f"{pool.address} has pgvector, but this role may not switch it on. Let an administrator run: "
            "CREATE EXTENSION vector"
        ) from None


def _take_note(raw: Raw, number: int, partitions: int) -> None:
    note = "INSERT INTO facts(name, number) VALUES(%s,%s) ON CONFLICT(name) DO UPDATE SET number = excluded.number"
    raw.execute(note, ("schema", number))
    if number == 1:
        raw.execute(note, ("partitions", partitions))
        raw.execute("INSERT INTO facts(name, secret) VALUES('purge_key', %s)", (secrets.token_bytes(32),))
        for statement in index_statements(USUAL_DIMENSION):
            raw.execute(statement)


def _statements(step: str) -> list[str]:
    code = "\n".join(line for line in step.splitlines() if not line.startswith("--"))
    return [part.strip() for part in re.split(r";\s*\n", code + "\n") if part.strip()]


def _execute(raw: psycopg.Connection[tuple[object, ...]], statement: str, partitions: int) -> None:
    by_namespace = _BY_NAMESPACE.search(statement)
    if by_namespace is None:
        raw.execute(statement)
        return
    table = _TABLE.match(statement)
    assert table is not None
    made = statement[: by_namespace.start()]
    raw.execute(f"{made} PARTITION BY HASH (space)" if partitions > 1 else made)
    names = [table[1]]
    if partitions > 1:
        for part in range(partitions):
            names.append(f"{table[1]}_{part}")
            of = f"{names[-1]} PARTITION OF {table[1]} FOR VALUES WITH (MODULUS {partitions}, REMAINDER {part})"
            raw.execute(f"CREATE TABLE {of}")
    for policy in _WALL if by_namespace[1] is None else _WALL_BUT_FOR_READING:
        raw.execute(policy.format(table[1]))
    for name in names:  # a partition by itself has no policy, and so no rows for anybody
        raw.execute(f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
        raw.execute(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
