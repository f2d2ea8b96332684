"""Who takes part in postgres.py: our store in PostgreSQL, our store in SQLite, a plain table with pgvector.

`postgres` and `sqlite` are the same calls of `Mind` on two stores; `pgvector` is the least that an application writes
itself: one table, an HNSW index, a GIN index, one statement a call, no check, no journal, no wall between namespaces.
Each of the two in PostgreSQL has a server of its own, so that the CPU of a server's processes is that of one contender;
both connect over 127.0.0.1 as a role that is no superuser, and to which the wall between rows stands unless `--no-wall`
is given. All are given the same texts and the same made vectors (postgres_data.py).
"""

from __future__ import annotations

import secrets
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import psutil
import psycopg
from ageing import redate
from foundation import Progress, blocks, folder_bytes
from pgvector.psycopg import register_vector
from postgres_data import DIMENSIONS, MODEL, Data, Query, Row
from psycopg import conninfo

from remanence import Mind
from remanence.model.draft import draft_from
from remanence.model.plan import Change, Plan
from remanence.model.selection import Selection, selection_from
from remanence.store.postgres.admin import Administration
from remanence.store.postgres.vector_index import index_statements
from remanence.store.protocol import Embedded

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.postgres import OWNER, Cluster

POSTGRES, SQLITE, PLAIN = "postgres", "sqlite", "pgvector"
CONTENDERS = (POSTGRES, SQLITE, PLAIN)
QUIET = {"upkeep": {"on_open": False}, "postgres": {"connections": 8}}
POLICIES = ("tiered", "balanced")
STEP = 5_000
MOST_OPEN = 64
RECALLED = 48  # how many candidates a recall of 10 asks for
DURABLE = {"fsync": "on", "shared_buffers": "1GB", "max_wal_size": "4GB", "maintenance_work_mem": "4GB"}


# --- servers


class Server:
    """A PostgreSQL of its own with durable settings, or the one whose address is given; databases in it."""

    def __init__(self, url: str | None, *, wall: bool = True) -> None:
        self.url, self._password = url, secrets.token_hex(8)
        self._made: list[str] = []
        self._cluster = None if url else Cluster(**DURABLE)
        if self._cluster is not None:
            rights = "" if wall else " BYPASSRLS"
            self._cluster.execute(f"CREATE ROLE bench LOGIN{rights} PASSWORD '{self._password}'")

    def _keeper(self, database: str | None = None) -> str:
        if self._cluster is not None:
            return self._cluster.url(database or OWNER)
        return conninfo.make_conninfo(str(self.url), **({"dbname": database} if database else {}))

    def execute(self, *statements: str, database: str | None = None) -> None:
        with psycopg.connect(self._keeper(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def new_database(self, template: str | None = None) -> str:
        name = f"remanence_bench_{secrets.token_hex(4)}"
        owned = "" if self._cluster is None else " OWNER bench"
        self.execute(f"CREATE DATABASE {name}{owned}{f' TEMPLATE {template}' if template else ''}")
        self._made.append(name)
        if template is None:
            self.execute("CREATE EXTENSION IF NOT EXISTS vector", database=name)
        return name

    def address(self, database: str) -> str:
        """Of a database, for a role that is no superuser where the server is ours."""
        if self._cluster is not None:
            return self._cluster.url(database, "bench", self._password)
        given = conninfo.conninfo_to_dict(str(self.url))
        user = f"{given.get('user', '')}{':' + str(given['password']) if given.get('password') else ''}"
        return f"postgresql://{user}@{given.get('host', '127.0.0.1')}:{given.get('port', 5432)}/{database}"

    def drop(self, database: str) -> None:
        self._made.remove(database)
        self.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")

    def cpu(self) -> float:
        """Seconds of all processes of the server, ended ones included; 0 where the server is not ours."""
        if self._cluster is None:
            return 0.0
        first = (self._cluster.data / "postmaster.pid").read_text().split()[0]
        postmaster = psutil.Process(int(first))
        ended = postmaster.cpu_times()
        total = ended.user + ended.system + ended.children_user + ended.children_system
        for child in postmaster.children(recursive=True):
            with suppress(psutil.Error):
                times = child.cpu_times()
                total += times.user + times.system
        return float(total)

    def close(self) -> None:
        if self._cluster is not None:
            self._cluster.close()
            return
        for database in list(self._made):
            self.drop(database)


# --- our stores

_OUR_BYTES = (
    "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' "
    "AND relnamespace = 'remanence'::regnamespace"
)


class Ours:
    """`Mind` on one of our stores: namespaces are opened when asked for, and the least used of 64 is closed."""

    def __init__(self, name: str, location: str, data: Data, server: Server | None, database: str = "") -> None:
        self.name, self._location, self._data = name, location, data
        self._server, self._database = server, database
        self._now = data.now
        self._minds: OrderedDict[int, Mind] = OrderedDict()
        self._rows: dict[str, int] = {}
        self.empty_bytes = self.bytes()

    def mind(self, namespace: int) -> Mind:
        if namespace not in self._minds:
            if len(self._minds) >= MOST_OPEN:
                self._minds.popitem(last=False)[1].close()
            name, clock = f"n{namespace}", lambda: self._now
            embedder = self._data.embedder
            self._minds[namespace] = Mind(
                self._location, namespace=name, clock=clock, embedder=embedder, policy=POLICIES[-1], settings=QUIET
            )
        self._minds.move_to_end(namespace)
        return self._minds[namespace]

    def fill(self, tell: Progress) -> dict[str, float]:
        """Rows as plans of adds with their vectors; in PostgreSQL the index of vectors is made when they are there."""
        start, done = time.perf_counter(), 0
        if self._server is not None:
            names = ("vectors_whole_384", "vectors_signs_384")
            self._server.execute(*(f"DROP INDEX remanence.{name}" for name in names), database=self._database)
        for namespace, span in enumerate(self._data.spans):
            store, new_id = self.mind(namespace)._store, self.mind(namespace)._new_id
            for part in blocks(list(span), STEP):
                memories = []
                for row in part:
                    values = {name: value for name, value in self._data.rows[row].items() if value is not None}
                    memory = draft_from(values).memory(new_id(self._now), store.namespace, self._now)
                    memories.append(memory)
                    self._rows[memory.id] = row
                made = {m.id: Embedded(MODEL, self._data.vectors[self._rows[m.id]]) for m in memories}
                plan = Plan(tuple(Change.add(memory) for memory in memories), verb="remember")
                store.apply(plan, self._now, embedded=made)
                done += len(part)
                tell(f"{self.name}: filling, {done:,} of {self._data.size:,}")
        filled = time.perf_counter()
        if self._server is not None:
            tell(f"{self.name}: making the index of vectors")
            made_anew = index_statements(DIMENSIONS)
            self._server.execute("SET search_path TO remanence, public", *made_anew, database=self._database)
        self.mind(0).sweep()
        return {"fill_seconds": filled - start, "index_seconds": time.perf_counter() - filled}

    def refresh(self) -> None:
        if self._server is not None:
            self._server.execute("VACUUM ANALYZE", database=self._database)

    def add(self, row: Row) -> None:
        self.mind(0).remember(row["text"], scope=row["scope"], kind=row["kind"], importance=row["importance"])

    def bulk(self, rows: Sequence[Row]) -> None:
        names = ("text", "scope", "kind", "importance")
        self.mind(0).remember_many([{name: row[name] for name in names} for row in rows])

    def drain(self) -> None:
        self.mind(0).meaning.reembed()

    def recall(self, query: Query) -> Iterable[str]:
        hits = self.mind(query.namespace).recall(query.words, scope=query.scope, reinforce=False)
        return [hit.memory.text for hit in hits]

    def nearest(self, query: Query) -> set[int]:
        """The ten that a recall would take as the nearest, without its words."""
        store = self.mind(query.namespace)._store
        selection = Selection() if query.scope is None else selection_from(scope=query.scope)
        found = store.candidates(None, Embedded(MODEL, query.vector), selection, RECALLED)
        best = np.argsort(-np.nan_to_num(found.vector, nan=-1.0))[:10]
        return {self._rows[id] for id in store.ids(found.rows[best].tolist())}

    def due(self, now: datetime) -> int:
        self._now = now
        plan = self.mind(0).sweep()
        return len(self.mind(0).apply(plan, force=True).applied)

    def redate(self, turn: int) -> int:
        return redate(self.mind(0), POLICIES[turn % 2])

    def settle(self) -> None:
        """What is written behind belongs to the block that caused it."""
        for mind in self._minds.values():
            mind._store.flush()

    def bytes(self) -> int:
        if self._server is None:
            return folder_bytes(Path(self._location).parent)
        with psycopg.connect(self._location) as connection:
            found = connection.execute(_OUR_BYTES).fetchone()
        return int(found[0]) if found else 0

    def server_cpu(self) -> float:
        return 0.0 if self._server is None else self._server.cpu()

    def rest(self) -> None:
        """Close every namespace; the next call opens its own."""
        self.close()

    def close(self) -> None:
        while self._minds:
            self._minds.popitem()[1].close()


# --- a plain table

_TABLE = """
CREATE TABLE items(
  namespace text NOT NULL, id uuid NOT NULL, text text NOT NULL, scope text NOT NULL, created_at timestamptz NOT NULL,
  expires_at timestamptz, state smallint NOT NULL DEFAULT 0, score real NOT NULL DEFAULT 1, embedding vector(384),
  tsv tsvector GENERATED ALWAYS AS (to_tsvector('english', text)) STORED)
"""
_INDEXES = (
    "ALTER TABLE items ADD PRIMARY KEY (id)",
    "CREATE INDEX ON items(namespace)",
    "CREATE INDEX ON items(expires_at) WHERE expires_at IS NOT NULL",
    "CREATE INDEX ON items USING gin(tsv)",
    "CREATE INDEX ON items USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops)",
)
_COLUMNS = "namespace, id, text, scope, created_at, expires_at, embedding"
_ADD = f"INSERT INTO items({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s)"
_COPY = f"COPY items({_COLUMNS}) FROM STDIN WITH (FORMAT BINARY)"
_TYPES = ("text", "uuid", "text", "text", "timestamptz", "timestamptz", "vector")
_FAR = "embedding::halfvec(384) <=> %(vector)s::halfvec(384)"
_NEAR = (
    f"SELECT id, text, {_FAR} AS far FROM items WHERE namespace = %(namespace)s AND state = 0 {{scope}} "
    f"ORDER BY {_FAR} LIMIT %(number)s"
)
_RECALL = (
    f"WITH near AS ({_NEAR}), said AS (SELECT id, text, ts_rank(tsv, q) AS rank FROM items, "
    "to_tsquery('english', %(words)s) q WHERE tsv @@ q AND namespace = %(namespace)s AND state = 0 {scope} "
    "ORDER BY rank DESC LIMIT %(number)s), "
    "both_ways AS (SELECT id, text, row_number() OVER (ORDER BY far) AS place FROM near UNION ALL "
    "SELECT id, text, row_number() OVER (ORDER BY rank DESC) FROM said) "
    "SELECT min(text) FROM both_ways GROUP BY id ORDER BY sum(1.0 / (60 + place)) DESC LIMIT 10"
)
_SCOPE = "AND scope = %(scope)s"
_DUE = "UPDATE items SET state = 1 WHERE expires_at <= %s AND namespace = 'n0' AND state = 0"
_REDATE = "UPDATE items SET score = score * 0.999 WHERE namespace = 'n0'"


class Plain:
    """One table with pgvector, as an application would write it itself."""

    name = PLAIN

    def __init__(self, address: str, data: Data, server: Server) -> None:
        self._data, self._server = data, server
        self._connection = psycopg.connect(address, autocommit=True)
        register_vector(self._connection)
        for setting in ("hnsw.iterative_scan = relaxed_order", "hnsw.ef_search = 120", "hnsw.max_scan_tuples = 40000"):
            self._connection.execute(f"SET {setting}")
        self._connection.execute(_TABLE)
        self._rows: dict[UUID, int] = {}
        self.empty_bytes = 0

    def _values(self, namespace: int, row: Row) -> tuple[Any, ...]:
        vector = self._data.embedder.known[row["text"]]
        times = row["created_at"], row["expires_at"]
        return f"n{namespace}", uuid4(), row["text"], row["scope"], *times, vector

    def _copy(self, rows: Iterable[tuple[Any, ...]]) -> None:
        with self._connection.cursor() as cursor, cursor.copy(_COPY) as copy:
            copy.set_types(_TYPES)
            for row in rows:
                copy.write_row(row)

    def fill(self, tell: Progress) -> dict[str, float]:
        start = time.perf_counter()
        for namespace, span in enumerate(self._data.spans):
            values = [self._values(namespace, self._data.rows[row]) for row in span]
            self._rows |= {value[1]: row for value, row in zip(values, span, strict=True)}
            self._copy(values)
        filled = time.perf_counter()
        for statement in _INDEXES:
            tell(f"{self.name}: {statement}")
            self._connection.execute(statement)
        return {"fill_seconds": filled - start, "index_seconds": time.perf_counter() - filled}

    def refresh(self) -> None:
        self._connection.execute("VACUUM ANALYZE items")

    def add(self, row: Row) -> None:
        self._connection.execute(_ADD, self._values(0, row))

    def bulk(self, rows: Sequence[Row]) -> None:
        self._copy(self._values(0, row) for row in rows)

    def drain(self) -> None:
        pass

    def _asked(self, query: Query, number: int) -> dict[str, Any]:
        asked = {"namespace": f"n{query.namespace}", "vector": query.vector, "number": number, "scope": query.scope}
        return asked | {"words": " | ".join(query.words.split())}

    def recall(self, query: Query) -> Iterable[str]:
        sql = _RECALL.replace("{scope}", _SCOPE if query.scope else "")
        found = self._connection.execute(sql, self._asked(query, 50))
        return [text for (text,) in found]

    def nearest(self, query: Query) -> set[int]:
        sql = _NEAR.replace("{scope}", _SCOPE if query.scope else "")
        found = self._connection.execute(sql, self._asked(query, RECALLED // 2)).fetchall()
        return {self._rows[id] for id, *_ in sorted(found, key=lambda row: row[2])[:10]}

    def due(self, now: datetime) -> int:
        return self._connection.execute(_DUE, (now,)).rowcount

    def redate(self, turn: int) -> int:
        return self._connection.execute(_REDATE).rowcount

    def settle(self) -> None:
        pass

    def bytes(self) -> int:
        found = self._connection.execute("SELECT pg_total_relation_size('items')").fetchone()
        return int(found[0]) if found else 0

    def server_cpu(self) -> float:
        return self._server.cpu()

    def rest(self) -> None:
        """A connection stays open."""

    def close(self) -> None:
        self._connection.close()


Contender = Ours | Plain


def started(name: str, data: Data, folder: Path, servers: Callable[[str], Server], partitions: int) -> Contender:
    """A contender with an empty store."""
    if name == SQLITE:
        home = folder / SQLITE
        home.mkdir()
        return Ours(name, str(home / "memory.db"), data, None)
    server = servers(name)
    database = server.new_database()
    address = server.address(database)
    if name == PLAIN:
        return Plain(address, data, server)
    with closing(Administration(address)) as keeper:
        keeper.init(partitions)
    return Ours(name, address, data, server, database)
