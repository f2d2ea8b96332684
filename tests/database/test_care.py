"""Looking after a database: backups come back whole, a purge leaves nothing where statements reach, advice is given."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from time import sleep

import psycopg
import pytest

from remanence.errors import Conflict
from remanence.store.postgres import migrations
from remanence.store.postgres.admin import Administration
from tests.conftest import Clock, new_mind
from tests.database.test_moving import lived, told
from tests.embedders import Toy
from tests.interfaces.doors import typed
from tests.postgres import Cluster

MARKER = "zanzibar-4711-marker"


def run(cluster: Cluster, program: str, *words: str) -> None:
    done = subprocess.run([cluster.program(program), *words], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_a_dump_comes_back_whole(cluster: Cluster, url: str, tmp_path: Path, clock: Clock) -> None:
    ids = lived(url, clock)
    before = told(url, clock)
    run(cluster, "pg_dump", "--format=custom", "--schema=remanence", "--file", str(tmp_path / "dump"), "--dbname", url)
    name = cluster.new_database()
    cluster.execute("CREATE EXTENSION vector WITH SCHEMA public", database=name)
    back = cluster.url(name)
    run(cluster, "pg_restore", "--dbname", back, str(tmp_path / "dump"))
    assert told(back, clock) == before
    with new_mind(back, clock, embedder=Toy()) as mind:
        assert mind.remember("A purged sentence about the quiet pond").outcome == "blocked"
        assert mind.undo(mind.forget(ids=[ids["heron"]]).id).applied == (ids["heron"],)
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_namespace_is_backed_up_as_a_file(url: str, tmp_path: Path, clock: Clock) -> None:
    lived(url, clock)
    with new_mind(url, clock, embedder=Toy()) as mind:
        mind.backup(tmp_path / "copy.db")
    assert told(tmp_path / "copy.db", clock) == told(url, clock)


def marked(url: str) -> list[str]:
    """The tables in which a marker stands, in whatever column."""
    with psycopg.connect(url, options="-c search_path=remanence,public") as raw:
        return [
            table
            for table in (*migrations.tables(), "facts", "spaces", "models", "grants", "agenda")
            if raw.execute(f"SELECT 1 FROM {table} x WHERE x::text ILIKE %s LIMIT 1", (f"%{MARKER}%",)).fetchone()
        ]


def test_a_purge_leaves_nothing_in_any_table(url: str, clock: Clock) -> None:
    with new_mind(url, clock, embedder=Toy()) as mind:
        first = mind.remember(
            f"The password hint is {MARKER} by the lake",
            categories=(MARKER,),
            files=(f"src/{MARKER}.py",),
            origin=MARKER,
        )
        mind.revise(first.memory.id, text=f"The hint is {MARKER} by the river", metadata={"note": MARKER})
        mind.recall(f"what is {MARKER}")
        mind.entities.list()
        assert "memories" in marked(url)
        every = [one.id for one in mind.list(state="all")]
        certificate = mind.purge(ids=every, reason="asked")
        assert certificate.verified and certificate.copies_found == 0
        assert any("write-ahead log" in one for one in certificate.not_reached)
        assert mind.check().problems == ()
    assert marked(url) == []


def test_a_purge_is_pending_while_an_older_snapshot_is_read(url: str, clock: Clock) -> None:
    with new_mind(url, clock) as mind, psycopg.connect(url) as reader:
        gone = mind.remember(f"A sentence about {MARKER} and the lake")
        reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM remanence.facts")
        mind._wait_seconds = 0.2
        assert mind.purge(ids=[gone.memory.id], reason="asked").pending
        reader.rollback()
        other = mind.remember(f"Another about {MARKER} and the river")
        assert not mind.purge(ids=[other.memory.id], reason="asked").pending


def test_advice_names_what_has_many_dead_rows(url: str, clock: Clock) -> None:
    with closing(Administration(url)) as keeper:
        assert keeper.advice() == []
    with psycopg.connect(url, autocommit=True, options="-c search_path=remanence,public") as raw:
        raw.execute("ALTER TABLE tags SET (autovacuum_enabled = off)")
        raw.execute("INSERT INTO tags SELECT 1, n::text, n FROM generate_series(1, 30000) n")
        raw.execute("DELETE FROM tags WHERE no > 10000")
        raw.execute("SELECT pg_stat_force_next_flush()")
    with closing(Administration(url)) as keeper:
        (advice,) = keeper.advice()
    assert (advice.table, advice.statement) == ("tags", "VACUUM (ANALYZE) remanence.tags;")


def test_the_commands(cluster: Cluster, empty_url: str) -> None:
    for options in ([], ["--repair"]):
        code, out, _ = typed(["--db", empty_url, "db", "check", *options])
        assert code == 1 and "rem db init" in out, "there is no store yet"
    code, out, _ = typed(["--json", "--db", empty_url, "db", "init", "--partitions", "3"])
    assert code == 0 and '"partitions": 3' in out
    assert typed(["--db", empty_url, "db", "init", "--partitions", "3"])[0] == 0
    code, _, err = typed(["--db", empty_url, "db", "init", "--partitions", "5"])
    assert code == 2 and "rem migrate" in err
    code, out, _ = typed(["--db", empty_url, "db", "distribute"])
    assert code == 1 and "no Citus" in out and "create_distributed_table" in out
    assert typed(["--db", empty_url, "db", "vacuum-advice"])[0] == 0
    code, _, err = typed(["--db", empty_url, "db", "grant", "nobody", "team"])
    assert code == 3 and "CREATE ROLE" in err
    code, _, err = typed(["--db", "memory.db", "db", "check"])
    assert code == 2 and "postgresql://" in err
    assert typed(["--db", empty_url, "doctor"])[1].count("pgvector") == 1


@pytest.mark.parametrize("partitions", [1, 4])
def test_a_schema_is_made_once_by_whoever_comes_first(cluster: Cluster, partitions: int) -> None:
    from concurrent.futures import ThreadPoolExecutor

    name = cluster.new_database()
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda _: _init(cluster.url(name), partitions), range(4)))
    assert sorted(made) == [False, False, False, True]
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _init(url: str, partitions: int) -> bool:
    with closing(Administration(url)) as keeper:
        return bool(keeper.init(partitions)["made"])


def planned(url: str, sql: str) -> str:
    with psycopg.connect(url, options="-c search_path=remanence,public -c enable_seqscan=off") as raw:
        return "\n".join(str(line) for (line,) in raw.execute(f"EXPLAIN {sql}").fetchall())


@pytest.mark.parametrize("partitions", [1, 3])
def test_indexes_of_another_dimension_are_made_while_others_write(
    cluster: Cluster, clock: Clock, partitions: int
) -> None:
    """Whatever an earlier try left half made; a transaction that writes meanwhile is not held up."""
    name = cluster.new_database()
    url = cluster.url(name)
    with ExitStack() as stack:
        keeper = stack.enter_context(closing(Administration(url)))
        keeper.init(partitions)
        mind = stack.enter_context(new_mind(url, clock, embedder=Toy(dimension=48)))
        mind.remember("The keeper of the lighthouse counts ships")
        found = {one.what: one for one in keeper.findings()}
        assert not found["vector indexes"].ok and "48" in found["vector indexes"].detail
        table = "vectors" if partitions == 1 else "vectors_0"
        half = "vectors_whole_48" if partitions == 1 else "vectors_whole_48_0"
        on = f"{half} ON remanence.{table} USING hnsw ((whole::halfvec(48)) halfvec_cosine_ops) WHERE dimension = 48"
        cluster.execute(f"CREATE INDEX {on}", database=name)
        broken = f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'remanence.{half}'::regclass"
        cluster.execute(broken, database=name)
        locks: list[str] = []
        with ThreadPoolExecutor(1) as others:
            with mind._store.transaction():
                mind.remember("Written while the indexes are made")
                making = others.submit(keeper.repair)
                waited = "SELECT mode FROM pg_locks WHERE NOT granted AND locktype = 'relation'"
                with psycopg.connect(url, autocommit=True) as raw:
                    for _ in range(10):
                        locks += [mode for (mode,) in raw.execute(waited).fetchall()]
                        sleep(0.05)
                mind.remember("And another one")
                with closing(Administration(url)) as second, pytest.raises(Conflict, match="repaired already"):
                    second.repair()
            assert making.result(60) == ["indexes for vectors of 48 numbers"]
        assert locks == [], "nobody who writes would wait for the indexes"
        assert all(one.ok for one in keeper.findings() if one.what in ("indexes", "vector indexes"))
        assert keeper.repair() == []
        nearest = "SELECT no FROM vectors WHERE dimension = 48 ORDER BY whole::halfvec(48) <=> %s::halfvec(48) LIMIT 5"
        assert "vectors_whole_48" in planned(url, nearest % f"'{[0.1] * 48}'")
        assert mind.recall("keeper of ships")
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")
