"""From an earlier schema of the database to today's (R16): the contents are as they were, for every namespace."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from itertools import count
from typing import Any

import psycopg
import pytest

from remanence.model.lived import day_of
from remanence.store.postgres import migrations
from remanence.store.postgres.admin import Administration
from tests.activity import be_there
from tests.conftest import START, Clock, new_mind
from tests.crash.operations import CutOff
from tests.database.test_cut_off import Cut
from tests.database.workers import crew
from tests.postgres import Cluster
from tests.reliability.recording import Measured

pytestmark = pytest.mark.promise("R16")

BACK_TO_1 = (
    "DROP TABLE activity",
    "ALTER TABLE policies DROP COLUMN active_days, DROP COLUMN dated_day, DROP COLUMN late_days, DROP COLUMN missed",
    "UPDATE facts SET number = 1 WHERE name = 'schema'",
)
"""Takes off a store of today what schema 2 brought."""
PATH = "-c search_path=remanence,public"


def contents(cluster: Cluster, name: str) -> dict[str, list[Any]]:
    """Every row of every namespace, as the server's keeper sees it; of `policies` what schema 1 has."""
    found: dict[str, list[Any]] = {}
    with psycopg.connect(cluster.url(name), options=PATH) as raw:
        for table in {*migrations.tables(), "facts", "spaces", "grants"} - {"activity", "turns"}:
            new = {"policies": 4}.get(table, 0)
            rows = raw.execute(f"SELECT * FROM {table}").fetchall()  # type: ignore[call-overload]
            has_new = migrations.found_schema(raw, None) > 1  # type: ignore[arg-type]
            found[table] = sorted((row[: len(row) - new] if has_new else row for row in rows), key=repr)
    found["facts"] = [row for row in found["facts"] if row[0] != "schema"]
    return found


def of_schema_1(cluster: Cluster, template: str, clock: Clock) -> str:
    """A database with something in it, and none of what schema 2 brought."""
    name = cluster.new_database(template)
    with new_mind(cluster.url(name), clock) as mind:
        mind.remember_many([{"text": f"The heron {n} nests by the lake {n * 31}", "kind": f"k{n}"} for n in range(5)])
    with psycopg.connect(cluster.url(name), options=PATH) as raw:
        for statement in BACK_TO_1:
            raw.execute(statement)
    return name


def test_cut_off_at_each_statement_it_starts_again(
    cluster: Cluster, template: str, clock: Clock, measured: Measured
) -> None:
    name = of_schema_1(cluster, template, clock)
    url, before = cluster.url(name), contents(cluster, name)
    for at in count(1):
        try:
            with Cut(at), closing(Administration(url)) as keeper:
                keeper.init()
            break
        except CutOff:
            with psycopg.connect(url, options=PATH) as raw:
                assert migrations.found_schema(raw, None) in (1, migrations.current_schema())  # type: ignore[arg-type]
            assert contents(cluster, name) == before
    measured("each statement, from schema 1", cut_at=at - 1)
    assert at > 10
    with new_mind(url, clock) as mind:
        assert mind.stats().schema == migrations.current_schema()
        assert mind.check().problems == () and mind.count() == 5
    assert contents(cluster, name) == before
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_four_processes_at_once_migrate_once(cluster: Cluster, template: str, clock: Clock) -> None:
    name = of_schema_1(cluster, template, clock)
    url, before = cluster.url(name), contents(cluster, name)
    with crew() as start:
        children = [start("add_many", url, f"writer{number}", 3) for number in range(4)]
        assert [child.next() for child in children] == ["ready"] * 4
        for child in children:
            child.say()
        ids = {id for child in children for id in child.finish()[:-1]}
    assert len(ids) == 12
    after = contents(cluster, name)
    assert all(row in after["memories"] for row in before["memories"])
    for namespace, number in (("test", 5), ("main", 12)):
        with new_mind(url, clock, namespace=namespace) as mind:
            assert mind.check().problems == () and mind.count() == number
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.parametrize("partitions", [1, 4])
def test_from_schema_1_by_an_owner_who_is_no_superuser(cluster: Cluster, clock: Clock, partitions: int) -> None:
    roles = ("CREATE ROLE keeper LOGIN PASSWORD 'k'", "CREATE ROLE tenant LOGIN PASSWORD 't'")
    cluster.execute(*roles, "CREATE DATABASE older OWNER keeper")
    cluster.execute("CREATE EXTENSION vector WITH SCHEMA public", database="older")
    url = cluster.url("older", user="keeper", password="k")
    try:
        with closing(Administration(url)) as keeper:
            keeper.init(partitions)
        for namespace in ("one", "two"):
            clock.now = START
            with new_mind(url, clock, namespace=namespace) as mind:
                mind.remember(f"The heron of {namespace} nests by the lake")
                mind.remember("An old note about boats", created_at=START - timedelta(days=50))
                be_there(mind, START - timedelta(days=2))
                clock.advance(days=9)
                mind.recall("heron")
        with closing(Administration(url)) as keeper:
            keeper.grant("tenant", ["one"])
        with psycopg.connect(url, options=PATH) as raw:
            for statement in BACK_TO_1:
                raw.execute(statement)
        before = contents(cluster, "older")
        with closing(Administration(url)) as keeper:
            assert keeper.init()["schema"] == migrations.current_schema()
            assert all(one.ok for one in keeper.findings() if one.what in ("wall of rows", "indexes"))
        assert contents(cluster, "older") == before
        tenant = cluster.url("older", user="tenant", password="t")
        for address, namespace in ((url, "one"), (url, "two"), (tenant, "one")):
            with new_mind(address, clock, namespace=namespace) as mind:
                days = mind._store.in_force(clock())[1].days
                assert [day - day_of(START) for day in days] == [-50, -2, 0, 9]
                assert mind.check().problems == ()
        with new_mind(tenant, clock, namespace="one") as mind:
            mind.remember("Written after the migration", created_at=START + timedelta(days=3))
            assert len(mind._store.in_force(clock())[1].days) == 5
    finally:
        cluster.execute("DROP DATABASE older WITH (FORCE)", "DROP ROLE keeper", "DROP ROLE tenant")
