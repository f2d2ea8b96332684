"""What whoever keeps the database does: make the store, look after it, let others in, distribute it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from psycopg import errors as pg
from psycopg import sql

from remanence.errors import Conflict, Forbidden, InvalidInput, NotFound
from remanence.model import checks
from remanence.model.report import Finding
from remanence.store.postgres import faults, indexes, migrations
from remanence.store.postgres.connection import Raw
from remanence.store.postgres.pool import SCHEMA, Address, Limits, join, leave
from remanence.store.postgres.replica import look_at

MOST_PARTITIONS = 1024
_OLDEST_PGVECTOR = (0, 8)
_GLOBAL = ("facts", "spaces", "grants", "models")
_LONG_SECONDS = 3600
_REPAIR_LOCK = 0x726D6E64  # "rmnd", beside "rmnc" of the migrations
_DEAD_SHARE, _FEW_DEAD = 0.1, 10_000
# What is behind no wall of rows is only read, but for a new model.
_RIGHTS = (
    "GRANT USAGE ON SCHEMA remanence TO {}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA remanence TO {}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA remanence TO {}",
    "REVOKE INSERT, UPDATE, DELETE ON facts, grants, spaces FROM {}",
    "REVOKE UPDATE, DELETE ON models FROM {}",
    "GRANT UPDATE(secret) ON spaces TO {}",
)
# The schema stays in sight, so that what is refused is said to be, and not to be missing.
_NO_RIGHTS = (
    "REVOKE ALL ON ALL TABLES IN SCHEMA remanence FROM {}",
    "REVOKE ALL ON ALL SEQUENCES IN SCHEMA remanence FROM {}",
)
# Those to whom no wall stands, and members of the role that owns the store.
_MAY_USE_ANY = (
    "SELECT r.rolsuper OR r.rolbypassrls OR pg_has_role(r.oid, n.nspowner, 'MEMBER') FROM pg_roles r, pg_namespace n "
    "WHERE r.rolname = %s AND n.nspname = %s"
)
_MAY_USE = (
    "SELECT DISTINCT s.name FROM spaces s JOIN grants g ON g.space = s.no JOIN pg_roles r ON r.rolname = g.role "
    "WHERE pg_has_role(%s, r.oid, 'MEMBER') ORDER BY 1"
)


class Advice(NamedTuple):
    """What a table needs, why, and the statement that does it."""

    table: str
    bytes: int
    rows: int
    dead: int
    why: str
    statement: str

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


class Administration:
    """One database, as its keeper sees it."""

    def __init__(self, url: str, limits: Limits | None = None, replica: str | None = None) -> None:
        self._limits = limits or Limits()
        self._replica = None if replica is None else Address(replica)
        self._pool = join(Address(url), self._limits)

    def close(self) -> None:
        leave(self._pool)

    @contextmanager
    def _open(self) -> Iterator[Raw]:
        try:
            with self._pool.alone() as raw:
                yield raw
        except faults.EVERY as error:
            raise (faults.in_our_words(error, str(self._pool.address)) or error) from None

    def init(self, partitions: int | None = None) -> dict[str, Any]:
        """Make the store, with so many partitions a table; one that is there is brought up to date, as it is."""
        if partitions is not None and not 1 <= partitions <= MOST_PARTITIONS:
            raise InvalidInput(f"partitions must be from 1 to {MOST_PARTITIONS}, not {partitions}")
        migrations.check_server(self._pool)
        with self._open() as raw:
            before, has = migrations.make(raw, self._pool, partitions=partitions or 1)
        if before and partitions not in (None, has):
            raise InvalidInput(
                f"{self._pool.address} has a store with {in_partitions(has)}, and that cannot be changed in "
                f"place: make another database with {partitions}, and move the memories with: rem migrate"
            )
        return {"made": before == 0, "schema": migrations.current_schema(), "partitions": has}

    # -- looking

    def findings(self) -> list[Finding]:
        """What the server gives a store, and what is missing."""
        migrations.check_server(self._pool)
        with self._open() as raw:
            found = [self._server(raw), *self._read_only(raw), self._pgvector(raw)]
            schema = migrations.found_schema(raw, self._pool)
            detail = f"schema {schema}" if schema else "none in this database"
            found.append(Finding("store", schema == migrations.current_schema(), detail, "make it with: rem db init"))
            if schema != migrations.current_schema():
                return found
            found += [*self._safety(raw), self._wall(raw), *self._indexes(raw), *self._running(raw)]
            return [*found, look_at(self._replica, self._limits, raw)] if self._replica is not None else found

    def _server(self, raw: Raw) -> Finding:
        return Finding("server", True, f"PostgreSQL {raw.info.parameter_status('server_version')}", "")

    def _read_only(self, raw: Raw) -> list[Finding]:
        row = raw.execute("SELECT current_setting('transaction_read_only') = 'on', pg_is_in_recovery()").fetchone()
        if row is None or not row[0]:
            return []
        detail = "it reads only: it is a replica" if row[1] else "it reads only: default_transaction_read_only is on"
        advice = "give the address of the server that writes; a replica belongs into the setting postgres.replica"
        return [Finding("writing", False, detail, advice if row[1] else "set default_transaction_read_only off")]

    def _pgvector(self, raw: Raw) -> Finding:
        row = raw.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
        if row is None:
            return Finding("pgvector", False, "not switched on", "let an administrator run: CREATE EXTENSION vector")
        numbers = tuple(int(part) for part in str(row[0]).split(".")[:2])
        advice = "0.8 or newer finds enough where few rows are meant: ALTER EXTENSION vector UPDATE"
        return Finding("pgvector", numbers >= _OLDEST_PGVECTOR, str(row[0]), advice)

    def _safety(self, raw: Raw) -> list[Finding]:
        shown = {
            name: str(raw.execute(sql.SQL("SHOW {}").format(sql.Identifier(name))).fetchone()[0])  # type: ignore[index]
            for name in ("fsync", "full_page_writes", "synchronous_commit", "data_checksums", "autovacuum")
        }
        synced = shown["fsync"] == shown["full_page_writes"] == "on"
        detail = f"fsync {shown['fsync']}, full_page_writes {shown['full_page_writes']}"
        commits = f"synchronous_commit {shown['synchronous_commit']}"
        return [
            Finding("durability", synced, detail, "set both on, or a power cut loses the store"),
            Finding("commits", not commits.endswith("off"), commits, "a crash may lose acknowledged writes: set it on"),
            Finding(
                "page checksums",
                shown["data_checksums"] == "on",
                shown["data_checksums"],
                "rotten pages go unseen: pg_checksums --enable, while the server is stopped",
            ),
            Finding("autovacuum", shown["autovacuum"] == "on", shown["autovacuum"], "set it on, or tables swell"),
        ]

    def _wall(self, raw: Raw) -> Finding:
        """Whether rows of other namespaces are hidden from this role."""
        row = raw.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user").fetchone()
        found = raw.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind IN ('r', 'p') "
            "AND regexp_replace(relname, '_[0-9]+$', '') = ANY(%s) AND NOT (relrowsecurity AND relforcerowsecurity) "
            "ORDER BY relname",
            (SCHEMA, list(migrations.tables())),
        ).fetchall()
        bypasses, open_ = row is not None and bool(row[0]), [str(name) for (name,) in found]
        detail = f"open: {', '.join(open_)}" if open_ else f"{raw.info.user} sees every row" if bypasses else "closed"
        advice = (
            f"for each of them: ALTER TABLE {SCHEMA}.TABLE ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY"
            if open_
            else "run remanence as a role that is no superuser and has no BYPASSRLS: rem db grant ROLE NAMESPACE"
        )
        return Finding("wall of rows", not (open_ or bypasses), detail, advice)

    def _indexes(self, raw: Raw) -> list[Finding]:
        """Those that the store should have, against those that are there."""
        found = indexes.look(raw)
        lacks, of_vectors = found.of_vectors(yes=False), found.of_vectors(yes=True)
        said = [f"not there, or not valid: {', '.join(lacks)}"] if lacks else []
        said += [f"not valid, and not of this store: {', '.join(found.strange)}"] if found.strange else []
        advice = "make them with: rem db check --repair" if lacks else "take them away with: DROP INDEX CONCURRENTLY"
        detail = f"not there, or not valid: {', '.join(of_vectors)}" if of_vectors else "of every model"
        return [
            Finding("indexes", not said, "; ".join(said) or "all there, all valid", advice),
            Finding("vector indexes", not of_vectors, detail, "make them with: rem db check --repair"),
        ]

    def _running(self, raw: Raw) -> list[Finding]:
        row = raw.execute(
            "SELECT count(*), coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::bigint "
            "FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL"
        ).fetchone()
        number, longest = (0, 0) if row is None else (int(row[0]), int(row[1]))
        spaces = raw.execute("SELECT count(*) FROM spaces").fetchone()
        detail = f"{number} open, the longest for {longest:,} s"
        return [
            Finding("transactions", longest < _LONG_SECONDS, detail, "one holds back VACUUM: see pg_stat_activity"),
            Finding("namespaces", True, f"{0 if spaces is None else spaces[0]:,}", ""),
        ]

    def repair(self) -> list[str]:
        """Make the indexes that are missing; what was made. One at a time does it."""
        made = []
        with self._open() as raw:
            if migrations.found_schema(raw, self._pool) != migrations.current_schema():
                return []
            # Who waited for the lock would hold up the indexes, which wait for all others. It is given back by
            # hand, since the server may keep it a moment longer than the connection is open.
            free = raw.execute("SELECT pg_try_advisory_lock(%s)", (_REPAIR_LOCK,)).fetchone()
            if free is None or not free[0]:
                raise Conflict(f"{self._pool.address} is being repaired already. See how far it is with: rem db check")
            for index in indexes.look(raw).missing:
                indexes.make(raw, index, migrations.partitions_of(raw))
                made.append(f"index {index.name}")
            raw.execute("SELECT pg_advisory_unlock(%s)", (_REPAIR_LOCK,))
        return made

    def advice(self) -> list[Advice]:
        """Tables that have more dead rows than they should, or were never looked at, the worst first."""
        with self._open() as raw:
            self._store_there(raw)
            found = raw.execute(
                "SELECT relname, pg_total_relation_size(relid), n_live_tup, n_dead_tup, "
                "coalesce(last_vacuum, last_autovacuum) IS NULL, coalesce(last_analyze, last_autoanalyze) IS NULL "
                "FROM pg_stat_user_tables WHERE schemaname = %s ORDER BY n_dead_tup DESC, 2 DESC",
                (SCHEMA,),
            ).fetchall()
        return [one for row in found if (one := _advised(*row)) is not None]

    # -- letting in

    def grant(self, role: str, namespaces: Sequence[str]) -> tuple[str, ...] | None:
        """Let a role use these namespaces too, which are made where they are new; all that it may use, None for any."""
        if problems := [one for name in namespaces for one in checks.string_problems(name, "namespace")]:
            raise InvalidInput(problems)
        migrations.bring_up_to_date(self._pool)
        with self._open() as raw, raw.transaction():
            if not self._is_role(raw, role):
                raise NotFound(f"There is no role {role!r} on {self._pool.address}. Make it with: CREATE ROLE … LOGIN")
            if not self._owns(raw, role):  # whose rights are its own
                for statement in _RIGHTS:
                    raw.execute(sql.SQL(statement).format(sql.Identifier(role)))
            for namespace in namespaces:
                raw.execute("INSERT INTO spaces(name) VALUES(%s) ON CONFLICT DO NOTHING", (namespace,))
                raw.execute(
                    "INSERT INTO grants SELECT %s, no FROM spaces WHERE name = %s ON CONFLICT DO NOTHING",
                    (role, namespace),
                )
            row = raw.execute(_MAY_USE_ANY, (role, SCHEMA)).fetchone()
            if row is None or row[0]:
                return None
            return tuple(str(one) for (one,) in raw.execute(_MAY_USE, (role,)).fetchall())

    def revoke(self, role: str, namespaces: Sequence[str]) -> int:
        """Take namespaces from a role, and with the last of them every right; from how many it was."""
        with self._open() as raw, raw.transaction():
            self._store_there(raw)
            gone = raw.execute(
                "DELETE FROM grants WHERE role = %s AND space IN (SELECT no FROM spaces WHERE name = ANY(%s)) "
                "RETURNING 1",
                (role, list(namespaces)),
            ).fetchall()
            is_role = self._is_role(raw, role)  # one that was dropped may have left what it was granted
            if not gone and not is_role:
                raise NotFound(f"There is no role {role!r} on {self._pool.address}")
            left = raw.execute("SELECT 1 FROM grants WHERE role = %s LIMIT 1", (role,)).fetchone()
            if gone and is_role and left is None and not self._owns(raw, role):
                for statement in _NO_RIGHTS:
                    raw.execute(sql.SQL(statement).format(sql.Identifier(role)))
        return len(gone)

    def _is_role(self, raw: Raw, name: str) -> bool:
        return raw.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,)).fetchone() is not None

    def _owns(self, raw: Raw, role: str) -> bool:
        owner = (
            "SELECT 1 FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner WHERE (n.nspname, r.rolname) = (%s, %s)"
        )
        return raw.execute(owner, (SCHEMA, role)).fetchone() is not None

    def _store_there(self, raw: Raw) -> None:
        if not migrations.found_schema(raw, self._pool):
            raise NotFound(f"There is no store in {self._pool.address}. Make it with: rem db init")

    # -- distributing

    def distribute(self, *, dry_run: bool = False) -> dict[str, Any]:
        """Spread the tables over the nodes of a Citus cluster by namespace; what was done, or would be."""
        migrations.bring_up_to_date(self._pool)
        with self._open() as raw:
            has = raw.execute("SELECT extversion FROM pg_extension WHERE extname = 'citus'").fetchone()
            statements = [f"SELECT create_reference_table('{SCHEMA}.{table}')" for table in _GLOBAL]
            first, *others = migrations.tables()
            statements.append(f"SELECT create_distributed_table('{SCHEMA}.{first}', 'space')")
            statements += [
                f"SELECT create_distributed_table('{SCHEMA}.{table}', 'space', colocate_with => '{SCHEMA}.{first}')"
                for table in others
            ]
            if has is None:
                said = (
                    f"{self._pool.address} has no Citus, so nothing was distributed: its tables stay on this "
                    "server, hash-partitioned by namespace. On one with the extension these statements would be run"
                )
                return {"distributed": False, "why": said, "statements": statements}
            if migrations.partitions_of(raw) > 1:
                raise InvalidInput(
                    "Citus cuts tables into shards itself: make the store with --partitions 1, then distribute it"
                )
            if not dry_run:
                try:
                    for statement in statements:
                        raw.execute(statement)
                except pg.InsufficientPrivilege:
                    raise Forbidden("This role may not distribute tables. Let an administrator run it") from None
            return {"distributed": not dry_run, "why": f"Citus {has[0]}", "statements": statements}


def in_partitions(number: int) -> str:
    return "one partition a table" if number == 1 else f"{number:,} partitions a table"


def _advised(table: str, size: int, rows: int, dead: int, unvacuumed: bool, unanalysed: bool) -> Advice | None:
    if dead > max(_FEW_DEAD, _DEAD_SHARE * rows):
        share = dead / max(rows + dead, 1)
        if share > 0.5 and size > 1 << 30:
            why, does = f"{share:.0%} of its rows are dead: it can be written anew, which locks it", "VACUUM FULL"
        else:
            why, does = f"{share:.0%} of its rows are dead", "VACUUM (ANALYZE)"
    elif rows > _FEW_DEAD and (unvacuumed or unanalysed):
        why, does = "it was never looked at since it was filled", "VACUUM (ANALYZE)"
    else:
        return None
    return Advice(table, size, rows, dead, why, f"{does} {SCHEMA}.{table};")
