"""Looking after a database: backups come back whole, a purge leaves nothing where statements reach, advice is given."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from time import sleep

import psycopg
import pytest

from remanence.errors import Conflict
from remanence.model.report import Finding
from remanence.store.postgres import indexes, migrations
from remanence.store.postgres.admin import _REPAIR_LOCK, Administration
from tests.conftest import Clock, new_mind
from tests.database.test_moving import lived, told
from tests.embedders import Toy
from tests.interfaces.doors import typed
from tests.postgres import Cluster

MARKER = "zanzibar-4711-marker"


def run(cluster: Cluster, program: str, *words: str) -> None:
    done = subprocess.run([cluster.program(program), *words], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.promise("R23")
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


@pytest.mark.promise("R23")
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


@pytest.mark.promise("S7")
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


@pytest.mark.promise("S7")
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


@pytest.mark.promise("R16")
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


_REPAIRED = (
    "SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE d.datname = current_database() AND "
    f"l.locktype = 'advisory' AND l.granted AND (l.classid::bigint << 32 | l.objid::bigint) = {_REPAIR_LOCK}"
)


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
        other = stack.enter_context(new_mind(url, clock, namespace="other", embedder=Toy(dimension=48)))
        with ThreadPoolExecutor(1) as others:
            with mind._store.transaction():
                mind.remember("Written while the indexes are made")
                assert mind.count() == 2  # what was written is on the server, not held back to go with what follows
                making = others.submit(keeper.repair)
                with psycopg.connect(url, autocommit=True) as raw:
                    while raw.execute(_REPAIRED).fetchone() is None and not making.done():
                        sleep(0.01)
                for number in range(10):
                    other.remember(f"Nobody waits for long who writes elsewhere, not even note {number * 7}")
                    sleep(0.05)
                mind.remember("And another one")
                assert not making.done()
                with closing(Administration(url)) as second, pytest.raises(Conflict, match="repaired already"):
                    second.repair()
            assert making.result(60) == ["index vectors_whole_48", "index vectors_signs_48"]
        assert all(one.ok for one in keeper.findings() if one.what in ("indexes", "vector indexes"))
        assert keeper.repair() == []
        nearest = "SELECT no FROM vectors WHERE dimension = 48 ORDER BY whole::halfvec(48) <=> %s::halfvec(48) LIMIT 5"
        assert "vectors_whole_48" in planned(url, nearest % f"'{[0.1] * 48}'")
        assert mind.recall("keeper of ships")
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


def finding(url: str, what: str) -> Finding:
    with closing(Administration(url)) as keeper:
        return next(one for one in keeper.findings() if one.what == what)


def valid_indexes(url: str) -> dict[str, str]:
    """Each index of the schema that is made by name, and its definition."""
    with psycopg.connect(url) as raw:
        found = raw.execute(
            "SELECT c.relname, pg_get_indexdef(c.oid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
            "WHERE c.relnamespace = 'remanence'::regnamespace AND i.indisvalid AND NOT c.relispartition"
        ).fetchall()
    return dict(found)


@pytest.mark.parametrize("where", ["url", "partitioned_url"])
def test_every_index_that_is_missing_is_named_and_made_again(where: str, request: pytest.FixtureRequest) -> None:
    url: str = request.getfixturevalue(where)
    before = valid_indexes(url)
    own = [*indexes.of_schema(), "vectors_whole_384", "vectors_signs_384"]
    assert set(own) <= before.keys()
    for one in ("indexes", "vector indexes"):
        assert finding(url, one).ok
    with psycopg.connect(url, autocommit=True) as raw:
        for name in own:
            raw.execute(f"DROP INDEX remanence.{name}")
    lacks, of_vectors = finding(url, "indexes"), finding(url, "vector indexes")
    assert not lacks.ok and not of_vectors.ok and "--repair" in lacks.advice
    assert all(name in lacks.detail + of_vectors.detail for name in own)
    code, out, err = typed(["--db", url, "db", "check", "--repair"])
    assert code in (0, 1) and not err, err
    assert all(f"made index {name}\n" in out for name in own)
    assert valid_indexes(url) == before
    assert finding(url, "indexes").ok and finding(url, "vector indexes").ok


@pytest.mark.parametrize("where", ["url", "partitioned_url"])
@pytest.mark.parametrize("name", ["vectors_whole_384", "vectors_signs_384", "stems_stems", "lives_due", "agenda_next"])
def test_one_index_that_is_missing_is_made_again_in_one_run(
    where: str, name: str, request: pytest.FixtureRequest
) -> None:
    url: str = request.getfixturevalue(where)
    before = valid_indexes(url)
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute(f"DROP INDEX remanence.{name}")
    what = "vector indexes" if name.startswith("vectors") else "indexes"
    assert name in finding(url, what).detail
    with closing(Administration(url)) as keeper:
        assert keeper.repair() == [f"index {name}"]
        assert keeper.repair() == []
    assert finding(url, what).ok
    assert valid_indexes(url) == before


def test_an_index_that_a_partition_lacks_is_made_again(partitioned_url: str) -> None:
    """A try that was cut short left the index of the whole, some of its parts, and one that is not valid."""
    before = valid_indexes(partitioned_url)
    with psycopg.connect(partitioned_url, autocommit=True, options="-c search_path=remanence,public") as raw:
        raw.execute("DROP INDEX lives_shelf")
        raw.execute("CREATE INDEX lives_shelf ON ONLY lives(space, shelf, state)")
        for part in (0, 1, 2):
            raw.execute(f"CREATE INDEX lives_shelf_{part} ON lives_{part}(space, shelf, state)")
        raw.execute("ALTER INDEX lives_shelf ATTACH PARTITION lives_shelf_0")
        raw.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'lives_shelf_2'::regclass")
    assert "lives_shelf" in finding(partitioned_url, "indexes").detail
    with closing(Administration(partitioned_url)) as keeper:
        assert keeper.repair() == ["index lives_shelf"]
    assert finding(partitioned_url, "indexes").ok
    assert valid_indexes(partitioned_url) == before


def test_a_broken_index_of_somebody_else_is_left_to_them(url: str) -> None:
    with psycopg.connect(url, autocommit=True, options="-c search_path=remanence,public") as raw:
        raw.execute("CREATE INDEX theirs ON lives(no)")
        raw.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'theirs'::regclass")
    found = finding(url, "indexes")
    assert not found.ok and "theirs" in found.detail and "DROP INDEX" in found.advice
    with closing(Administration(url)) as keeper:
        assert keeper.repair() == []


@pytest.mark.parametrize("partitions", [1, 4])
def test_init_takes_a_store_as_it_is(empty_url: str, partitions: int) -> None:
    assert typed(["--db", empty_url, "db", "init", "--partitions", str(partitions)])[0] == 0
    said = "one partition a table" if partitions == 1 else "4 partitions a table"
    code, out, _ = typed(["--db", empty_url, "db", "init"])
    assert code == 0 and f"It is there already: schema {migrations.current_schema()}, {said}" in out
    code, _, err = typed(["--db", empty_url, "db", "init", "--partitions", "3"])
    assert code == 2 and said in err and "rem migrate" in err


@pytest.mark.promise("R12")
@pytest.mark.parametrize("kind", ["url", "file"])
def test_a_backup_that_cannot_be_written_is_refused_in_a_line(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    location = request.getfixturevalue("url") if kind == "url" else str(tmp_path / "memory.db")
    assert typed(["--db", location, "remember", "The keeper counts ships"])[0] == 0
    (tmp_path / "plain").write_text("not a folder")
    (tmp_path / "folder").mkdir()
    for target, words in (
        ("missing/copy.db", "No such file or directory"),
        ("plain/copy.db", "Not a directory"),
        ("plain", "exists already"),
        ("folder", "exists already"),
    ):
        code, out, err = typed(["--db", location, "backup", str(tmp_path / target)])
        assert code != 0 and not out and words in err and err.count("\n") == 1, err
        assert "defect" not in err
    assert not list((tmp_path / "folder").iterdir())


@pytest.mark.promise("R12")
def test_advice_about_damage_fits_the_store(url: str, tmp_path: Path) -> None:
    assert typed(["--db", url, "remember", "The keeper counts ships"])[0] == 0
    with psycopg.connect(url) as raw:
        raw.execute("UPDATE remanence.memories SET text = 'Changed by somebody else'")
    code, out, _ = typed(["--db", url, "check"])
    assert code == 1 and "restore a backup" in out and "rem export FILE" in out and "salvage" not in out
    assert typed(["--db", url, "export", str(tmp_path / "saved.jsonl")])[0] == 0, "the advice can be followed"


def test_stats_say_where_it_is_kept(url: str, tmp_path: Path) -> None:
    assert "bytes at postgresql://" in (said := typed(["--db", url, "stats"])[1])
    assert "database  " in said and "\n  file " not in said
    assert "\n  file " in typed(["--db", str(tmp_path / "memory.db"), "stats"])[1]


def test_open_tables_are_named_with_what_closes_them(partitioned_url: str) -> None:
    with psycopg.connect(partitioned_url, autocommit=True) as raw:
        raw.execute("ALTER TABLE remanence.keys NO FORCE ROW LEVEL SECURITY")
        raw.execute("ALTER TABLE remanence.lives_2 DISABLE ROW LEVEL SECURITY")
    found = finding(partitioned_url, "wall of rows")
    assert not found.ok and found.detail == "open: keys, lives_2"
    assert "ENABLE ROW LEVEL SECURITY" in found.advice and "superuser" not in found.advice
    with psycopg.connect(partitioned_url, autocommit=True) as raw:
        for table in ("keys", "lives_2"):
            raw.execute(found.advice.partition(": ")[2].replace(".TABLE", f".{table}"))
    assert "open" not in finding(partitioned_url, "wall of rows").detail


def test_a_check_says_that_the_server_reads_only(cluster: Cluster, url: str) -> None:
    cluster.execute(f"ALTER DATABASE {url.rsplit('/', 1)[1]} SET default_transaction_read_only = on")
    code, out, _ = typed(["--db", url, "db", "check"])
    assert code == 1 and "it reads only" in out


@pytest.mark.parametrize("words", [["vacuum-advice"], ["revoke", "postgres", "team"]])
def test_where_there_is_no_store_nothing_is_well(empty_url: str, words: list[str]) -> None:
    code, out, err = typed(["--db", empty_url, "db", *words])
    assert code == 3 and not out and "There is no store" in err and "rem db init" in err


def test_a_grant_says_what_is_true(cluster: Cluster, url: str) -> None:
    name = url.rsplit("/", 1)[1]
    cluster.execute("CREATE ROLE lodger LOGIN")
    try:
        assert "lodger may use one, and no other" in typed(["--db", url, "db", "grant", "lodger", "one"])[1]
        assert "lodger may use one, two, and no other" in typed(["--db", url, "db", "grant", "lodger", "two"])[1]
        assert "postgres may use every namespace" in typed(["--db", url, "db", "grant", "postgres", "one"])[1]
        code, out, _ = typed(["--db", url, "db", "revoke", "lodger", "three"])
        assert code == 0 and "0 namespaces taken from lodger" in out
    finally:
        cluster.execute("DROP OWNED BY lodger", database=name)
        cluster.execute("DROP ROLE lodger")
    assert "2 namespaces taken from lodger" in typed(["--db", url, "db", "revoke", "lodger", "one", "two"])[1], (
        "it left them"
    )
    code, out, err = typed(["--db", url, "db", "revoke", "lodger", "one"])
    assert code == 3 and not out and "There is no role 'lodger'" in err


def test_the_owner_keeps_its_own_rights(cluster: Cluster, clock: Clock) -> None:
    cluster.execute("CREATE ROLE keeper LOGIN PASSWORD 'k'", "CREATE DATABASE kept OWNER keeper")
    cluster.execute("CREATE EXTENSION vector", database="kept")
    url = cluster.url("kept", "keeper", "k")
    try:
        with closing(Administration(url)) as keeper:
            assert keeper.grant("keeper", ["team"]) is None
            assert keeper.revoke("keeper", ["team"]) == 1
        with new_mind(url, clock, namespace="another") as mind:
            mind.remember("The owner may make namespaces, and write to them")
            assert len(mind.recall("namespaces")) == 1
    finally:
        cluster.execute("DROP DATABASE kept WITH (FORCE)", "DROP ROLE keeper")
