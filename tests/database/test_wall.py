"""Nobody sees another namespace: by the statements themselves, and by the server where a statement would forget it."""

import re
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace

import psycopg
import pytest

from remanence.errors import Forbidden
from remanence.model.session import Observation
from remanence.store.postgres import connection as connection_
from remanence.store.postgres import migrations
from remanence.store.postgres.admin import Administration
from remanence.store.postgres.words import Stems
from tests.conftest import START, Clock, new_mind
from tests.embedders import Toy
from tests.interfaces.doors import typed
from tests.postgres import Cluster

HIDDEN = sorted({*migrations.tables()} - {"stems", "kin"})
PARTITION = re.compile(r"\bon (\w+?)_(\d+)\b")


@pytest.fixture
def alice(cluster: Cluster) -> Iterator[str]:
    """A role of the server that owns nothing."""
    cluster.execute("CREATE ROLE alice LOGIN PASSWORD 'a'")
    yield "alice"
    cluster.execute("DROP ROLE IF EXISTS alice")


def lived(url: str, clock: Clock, namespace: str) -> None:
    """A bit of everything in a namespace."""
    with new_mind(url, clock, namespace=namespace, embedder=Toy()) as mind:
        first = mind.remember(f"The heron of {namespace} nests by the lake", categories=("bird",), files=("src/a.py",))
        mind.remember_many([f"Note {number} of {namespace} about the lake" for number in range(20)])
        mind.remember("The deploy server is at 10.0.0.1", key="deploy")
        mind.remember("The deploy server is at 10.0.0.2")
        mind.recall("heron lake")
        mind.recall("note lake", scope="/", kinds=["fact"], since=START)
        mind.revise(first.memory.id, text=f"The heron of {namespace} left the lake")
        mind.pin(mind.list()[0].id)
        receipt = mind.forget(categories=["bird"])
        mind.undo(receipt.id)
        mind.apply(mind.dedup())
        mind._store.sessions.begin("s1", "/", "test", START)
        mind._store.sessions.append("s1", [Observation(role="user", text="hello", at=START)], "hook")
        mind.entities.list()
        clock.advance(days=40)
        mind.upkeep()
        mind.stats()
        mind.journal(limit=10)
        mind.history(first.memory.id)
        mind.purge(ids=[first.memory.id], reason="test")
        assert mind.check().problems == ()


def test_a_statement_touches_one_partition(partitioned_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every statement of a life is explained: no table is read in more than one of its partitions."""
    for namespace in ("one", "two", "three"):
        lived(partitioned_url, clock, namespace)
    told: dict[str, tuple[int, tuple[object, ...]]] = {}
    real = connection_.Connection.execute

    def execute(self: connection_.Connection, sql: str, values: tuple[object, ...] = ()) -> object:
        statement = connection_.reworded(sql)
        told[statement.text] = (self.space, (self.space, *values) if statement.takes_space else tuple(values))
        return real(self, sql, values)

    monkeypatch.setattr(connection_.Connection, "execute", execute)
    lived(partitioned_url, clock, "four")
    monkeypatch.undo()
    tables, touched = set(migrations.tables()), 0
    with psycopg.connect(partitioned_url, options="-c search_path=remanence,public") as raw:
        connection_.prepare(raw)
        cursor = psycopg.RawCursor(raw)
        for text, (space, values) in told.items():
            if not text.startswith(("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")):
                continue
            connection_.Connection(raw).speak_for(space)
            plan = "\n".join(line for (line,) in cursor.execute(f"EXPLAIN {text}", values))
            raw.rollback()
            raw.remanence_space = None  # type: ignore[attr-defined]
            parts: dict[str, set[str]] = {}
            for table, part in PARTITION.findall(plan):
                if table in tables:
                    parts.setdefault(table, set()).add(part)
            touched += bool(parts)
            assert all(len(found) == 1 for found in parts.values()), f"{text}\n{plan}"
    assert touched > 100


def test_a_role_sees_the_rows_of_its_namespaces_alone(url: str, cluster: Cluster, clock: Clock, alice: str) -> None:
    for namespace in ("mine", "theirs"):
        lived(url, clock, namespace)
    with closing(Administration(url)) as keeper:
        keeper.grant(alice, ["mine"])
    own = url.replace(f"postgres:{cluster.password}@", "alice:a@")
    try:
        with psycopg.connect(own, options="-c search_path=remanence,public") as raw:
            assert [name for (name,) in raw.execute("SELECT name FROM spaces")] == ["mine"]
            for number in range(4):
                raw.execute("SELECT set_config('remanence.space', %s, false)", (str(number),))
                for table in HIDDEN:
                    found = raw.execute(f"SELECT DISTINCT space FROM {table}").fetchall()
                    mine = raw.execute("SELECT no FROM spaces").fetchall()
                    assert set(found) <= set(mine), table
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                raw.execute("INSERT INTO grants VALUES('alice', 2)")
        with new_mind(own, clock, namespace="mine") as mind:
            assert mind.recall("deploy server")
            mind.remember("Alice writes here")
        for namespace in ("theirs", "nobody's"):
            with pytest.raises(Forbidden, match="rem db grant"):
                new_mind(own, clock, namespace=namespace)
        with closing(Administration(url)) as keeper:
            assert keeper.revoke(alice, ["mine"]) == 1
        with pytest.raises(Forbidden):
            new_mind(own, clock, namespace="mine")
    finally:
        cluster.execute("DROP OWNED BY alice", database=url.rsplit("/", 1)[1])


@pytest.fixture
def granted(url: str, cluster: Cluster, clock: Clock, alice: str) -> Iterator[str]:
    """A store with the namespaces "mine" and "theirs", as alice, who may use the first, comes to it."""
    for namespace in ("mine", "theirs"):
        lived(url, clock, namespace)
    with closing(Administration(url)) as keeper:
        keeper.grant(alice, ["mine"])
    yield url.replace(f"postgres:{cluster.password}@", "alice:a@")
    cluster.execute("DROP OWNED BY alice", database=url.rsplit("/", 1)[1])


OWN_TABLES = (
    "CREATE TEMP TABLE spaces(no integer, name text)",
    "CREATE TEMP TABLE grants(role name, space integer)",
    "INSERT INTO pg_temp.spaces SELECT n, 'x' FROM generate_series(1, 9) n",
    "INSERT INTO pg_temp.grants SELECT 'alice', n FROM generate_series(1, 9) n",
)


def test_tables_of_the_same_names_open_no_gate(granted: str) -> None:
    """What a role makes for itself is searched first, but not by what decides on its rights."""
    with psycopg.connect(granted, options="-c search_path=remanence,public", autocommit=True) as raw:
        for statement in OWN_TABLES:
            raw.execute(statement)
        mine = raw.execute("SELECT no FROM remanence.spaces").fetchall()
        assert len(mine) == 1
        for number in range(1, 10):
            raw.execute("SELECT set_config('remanence.space', %s, false)", (str(number),))
            for table in HIDDEN:
                found = raw.execute(f"SELECT DISTINCT space FROM remanence.{table}").fetchall()
                assert set(found) <= set(mine), table


def test_what_may_be_read_tells_nothing_and_is_not_written(granted: str, url: str, clock: Clock) -> None:
    with psycopg.connect(granted, options="-c search_path=remanence,public", autocommit=True) as raw:
        ((own, key),) = raw.execute("SELECT no, key FROM spaces").fetchall()
        secrets = [bytes(secret) for (secret,) in raw.execute("SELECT secret FROM facts WHERE secret IS NOT NULL")]
        ((other,),) = raw.execute("SELECT DISTINCT space FROM stems WHERE space <> %s", (own,)).fetchall()
        theirs = {stem for (stem,) in raw.execute("SELECT unnest(stems) FROM stems WHERE space = %s", (other,))}
        assert theirs
        for secret in (bytes(key), *secrets):
            for space in (own, other):
                shelves = SimpleNamespace(space=space)
                guessed, _ = Stems(shelves, lambda secret=secret: secret).numbers("heron lake deploy server")  # type: ignore[arg-type, misc]
                assert theirs.isdisjoint(guessed)
        for table in ("stems", "kin"):
            raw.execute("SELECT set_config('remanence.space', %s, false)", (str(other),))
            assert raw.execute(f"DELETE FROM {table} WHERE space = %s", (other,)).rowcount == 0
            assert raw.execute(f"UPDATE {table} SET no = no WHERE space = %s", (other,)).rowcount == 0
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                raw.execute(f"INSERT INTO {table} SELECT * FROM {table} WHERE space = %s", (other,))
        for statement in ("DELETE FROM models", "UPDATE models SET name = 'x'", "DELETE FROM facts"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                raw.execute(statement)
    with new_mind(url, clock, namespace="theirs", embedder=Toy()) as mind:
        assert mind.recall("deploy server") and mind.check().problems == ()
    with closing(Administration(url)) as keeper:
        assert keeper.revoke("alice", ["mine"]) == 1
    with psycopg.connect(granted, autocommit=True) as raw:
        for table in (*migrations.tables(), "spaces", "facts", "models", "grants", "agenda"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                raw.execute(f"SELECT 1 FROM remanence.{table} LIMIT 1")


def test_a_role_does_all_it_needs_with_its_own_namespace(granted: str, clock: Clock) -> None:
    with new_mind(granted, clock, namespace="mine", embedder=Toy()) as mind:
        mind.remember_many([f"Remark {number} of alice about the {number * 7} boats" for number in range(60)])
        mind.meaning.reembed()
        mind.upkeep()
        assert mind.check(repair=True).problems == ()
        assert len(mind.recall("remark boats", limit=60)) > 30
    for words in (["work", "--once"], ["work", "--once", "--all"], ["reembed"], ["reembed", "--later"]):
        code, _, err = typed(["--db", granted, "--namespace", "mine", *words])
        assert code == 0, (words, err)


def test_the_wall_stands_also_for_the_owner_of_the_tables(cluster: Cluster, clock: Clock) -> None:
    cluster.execute("CREATE ROLE keeper LOGIN PASSWORD 'k'", "CREATE DATABASE walled OWNER keeper")
    cluster.execute("CREATE EXTENSION vector", database="walled")
    url = cluster.url("walled", "keeper", "k")
    try:
        lived(url, clock, "one")
        lived(url, clock, "two")
        with psycopg.connect(url, options="-c search_path=remanence,public") as raw:
            assert raw.execute("SELECT count(*) FROM memories").fetchone() == (0,)
            raw.execute("SELECT set_config('remanence.space', '1', false)")
            assert raw.execute("SELECT DISTINCT space FROM memories").fetchall() == [(1,)]
            assert raw.execute("DELETE FROM memories WHERE space = 2").rowcount == 0
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                raw.execute("INSERT INTO tags VALUES(2, 'x', 1)")
    finally:
        cluster.execute("DROP DATABASE walled WITH (FORCE)", "DROP ROLE keeper")


def test_a_plan_of_many_is_written_behind_the_wall(cluster: Cluster, clock: Clock) -> None:
    """A role that is no superuser: adds, sweeps and upkeep of more rows than are sent one by one."""
    cluster.execute("CREATE ROLE keeper LOGIN PASSWORD 'k'", "CREATE DATABASE walled OWNER keeper")
    cluster.execute("CREATE EXTENSION vector", database="walled")
    url = cluster.url("walled", "keeper", "k")
    try:
        with new_mind(url, clock, embedder=Toy()) as mind:
            many = [{"text": f"Note {number} about place {number * 7}", "ttl": "1d"} for number in range(80)]
            added = mind.remember_many(many)
            assert {one.outcome for one in added} == {"added"}
            mind.meaning.reembed()
            clock.advance(days=2)
            plan = mind.sweep()
            assert len(mind.apply(plan, force=True).applied) == 80
            clock.advance(days=2)
            assert mind.upkeep().ran
            assert mind.check().problems == ()
    finally:
        cluster.execute("DROP DATABASE walled WITH (FORCE)", "DROP ROLE keeper")
