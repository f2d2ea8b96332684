"""Nobody sees another namespace: by the statements themselves, and by the server where a statement would forget it."""

import re
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from remanence.errors import Forbidden
from remanence.model.session import Observation
from remanence.store.postgres import connection as connection_
from remanence.store.postgres import migrations
from remanence.store.postgres.admin import Administration
from tests.conftest import START, Clock, new_mind
from tests.embedders import Toy
from tests.postgres import Cluster

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
                for table in migrations.walled():
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
