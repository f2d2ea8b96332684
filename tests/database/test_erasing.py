"""What a purge could not take off the pages is known to be there, and goes at the next chance."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
import pytest

from remanence.interfaces.working import Worker
from remanence.mind import Mind
from remanence.settings import Settings
from remanence.store.postgres.admin import Administration
from tests.conftest import Clock, new_mind
from tests.interfaces.doors import typed
from tests.postgres import Cluster

pytestmark = pytest.mark.promise("S7")

MARKER = "zanzibar-4711-marker"
SETTINGS = Settings(upkeep__on_open=False, embedder__name="none")


@pytest.fixture(params=["url", "partitioned_url"])
def place(request: pytest.FixtureRequest) -> str:
    """A database, with and without partitions, that no autovacuum cleans."""
    url: str = request.getfixturevalue(request.param)
    with psycopg.connect(url, autocommit=True) as raw:
        tables = raw.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'remanence'::regnamespace AND relkind = 'r'"
        ).fetchall()
        for (table,) in tables:
            raw.execute(f"ALTER TABLE remanence.{table} SET (autovacuum_enabled = off)")
    return url


@contextmanager
def reading(url: str, begin: str = "BEGIN ISOLATION LEVEL REPEATABLE READ") -> Iterator[psycopg.Connection[Any]]:
    """A transaction that is open for a while."""
    with psycopg.connect(url, autocommit=True) as reader:
        reader.execute(begin)
        reader.execute("SELECT count(*) FROM remanence.facts")
        yield reader


def left_pending(mind: Mind, url: str, where: str = "lake") -> None:
    mind._wait_seconds = 0.1
    gone = mind.remember(f"A sentence about {MARKER} and the {where}").memory
    with reading(url):
        assert mind.purge(ids=[gone.id], reason="asked").pending
    assert mind.stats().purge_pending


def dead_rows(url: str) -> int:
    """Deleted versions of memories that are on their pages, as the pages themselves say."""
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute("CREATE EXTENSION IF NOT EXISTS pageinspect WITH SCHEMA public")
        pages = raw.execute(
            "SELECT c.oid::regclass::text, n FROM pg_class c, "
            "generate_series(0, pg_relation_size(c.oid) / current_setting('block_size')::int - 1) n "
            "WHERE c.relnamespace = 'remanence'::regnamespace AND c.relkind = 'r' "
            "AND c.relname ~ '^memories(_[0-9]+)?$'"
        ).fetchall()
        return sum(
            raw.execute(
                "SELECT count(*) FROM heap_page_items(get_raw_page(%s, %s)) WHERE t_xmax::text::bigint <> 0",
                (table, page),
            ).fetchall()[0][0]
            for table, page in pages
        )


@pytest.mark.parametrize(
    "begin",
    [
        "BEGIN ISOLATION LEVEL REPEATABLE READ",
        "BEGIN; CREATE TEMPORARY TABLE held ON COMMIT DROP AS SELECT 1",
    ],
)
def test_a_purge_stays_pending_until_the_rows_are_off_their_pages(place: str, clock: Clock, begin: str) -> None:
    """Whoever was there before holds it up, by what is read or by what is written."""
    with new_mind(place, clock) as mind:
        mind._wait_seconds = 0.1
        gone = mind.remember(f"A sentence about {MARKER} and the lake").memory
        with reading(place, begin):
            assert mind.purge(ids=[gone.id], reason="asked").pending
            assert mind.stats().purge_pending and dead_rows(place)
            assert "a purge is not finished: a transaction from before it is still open" in mind.upkeep().warnings[-1]
            assert mind.stats().purge_pending and dead_rows(place)
        assert mind.upkeep().warnings == ()
        assert not mind.stats().purge_pending and not dead_rows(place)


def test_a_purge_that_meets_nobody_leaves_nothing_pending(place: str, clock: Clock) -> None:
    with new_mind(place, clock) as mind:
        gone = mind.remember(f"A sentence about {MARKER} and the lake").memory
        assert not mind.purge(ids=[gone.id], reason="asked").pending
        assert not mind.stats().purge_pending and not dead_rows(place)


def test_the_next_purge_or_check_finishes_it(place: str, clock: Clock) -> None:
    with new_mind(place, clock) as mind:
        left_pending(mind, place)
        other = mind.remember(f"Another about {MARKER} and the river").memory
        assert not mind.purge(ids=[other.id], reason="asked").pending
        assert not mind.stats().purge_pending and not dead_rows(place)
        left_pending(mind, place, "meadow")
        assert mind.check().problems == ()
        assert not mind.stats().purge_pending and not dead_rows(place)


def test_a_process_that_ends_before_it_cleaned_up_leaves_it_pending(place: str, clock: Clock) -> None:
    with new_mind(place, clock) as mind:
        gone = mind.remember(f"A sentence about {MARKER} and the lake").memory
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(mind._store), "erase", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                mind.purge(ids=[gone.id], reason="asked")
        mind._store._engine.has_destroyed = False  # type: ignore[attr-defined]
    with new_mind(place, clock) as mind:
        assert mind.stats().purge_pending
        mind.upkeep()
        assert not mind.stats().purge_pending and not dead_rows(place)


def test_a_process_that_closes_tries_once_more(place: str, clock: Clock) -> None:
    with new_mind(place, clock) as mind:
        left_pending(mind, place)
    with new_mind(place, clock) as mind:
        assert not mind.stats().purge_pending and not dead_rows(place)


def test_a_worker_finishes_it(place: str) -> None:
    with Mind(place, namespace="team", settings=SETTINGS) as mind:
        mind.upkeep()
        with closing(Worker(place, SETTINGS)) as worker:
            worker.once(lambda _: None)
        left_pending(mind, place)
        mind._store._engine.has_destroyed = False  # type: ignore[attr-defined]
    with psycopg.connect(place) as raw:
        raw.execute("UPDATE remanence.leases SET finished_at = finished_at - 400 * 1000000 WHERE name = 'upkeep'")
    with closing(Worker(place, SETTINGS)) as worker:
        worker.once(lambda _: None)
    with Mind(place, namespace="team", settings=SETTINGS) as mind:
        assert not mind.stats().purge_pending and not dead_rows(place)


def test_a_page_that_is_read_just_now_keeps_it_pending(url: str, clock: Clock) -> None:
    """VACUUM passes over a page that somebody has in hand, be their snapshot ever so new."""
    with new_mind(url, clock) as mind:
        for number in range(3):
            mind.remember(f"The lighthouse keeper of island {number} counts {number * 7919} ships")
        left_pending(mind, url)
        with reading(url) as reader:
            reader.execute("DECLARE held CURSOR FOR SELECT * FROM remanence.memories")
            assert reader.execute("FETCH 1 FROM held").fetchone()
            assert "a purge is not finished: somebody reads the page it is on" in mind.upkeep().warnings[-1]
            assert mind.stats().purge_pending
        mind.upkeep()
        assert not mind.stats().purge_pending


def test_a_role_that_owns_no_table_claims_nothing(cluster: Cluster, place: str, clock: Clock) -> None:
    name = place.rsplit("/", 1)[1]
    cluster.execute("CREATE ROLE tenant LOGIN PASSWORD 'tenant'")
    try:
        with closing(Administration(place)) as keeper:
            keeper.grant("tenant", ["test"])
        with new_mind(cluster.url(name, "tenant", "tenant"), clock) as mind:
            gone = mind.remember(f"A sentence about {MARKER} and the lake").memory
            assert mind.purge(ids=[gone.id], reason="asked").pending
            assert "let the role that owns the store run: rem work --once" in mind.upkeep().warnings[-1]
            assert mind.stats().purge_pending
        with new_mind(place, clock) as mind:
            mind.upkeep()
            assert not mind.stats().purge_pending and not dead_rows(place)
    finally:
        cluster.execute("DROP OWNED BY tenant", database=name)
        cluster.execute("DROP ROLE tenant")


def test_what_is_pending_is_said(url: str, clock: Clock) -> None:
    with new_mind(url, clock) as mind:
        left_pending(mind, url)
        mind._store._engine.has_destroyed = False  # type: ignore[attr-defined]
    code, out, _ = typed(["--db", url, "--namespace", "test", "stats"])
    assert code == 0 and "A purge is pending" in out
    assert typed(["--db", url, "--namespace", "test", "check"])[0] == 0
    assert "A purge is pending" not in typed(["--db", url, "--namespace", "test", "stats"])[1]
