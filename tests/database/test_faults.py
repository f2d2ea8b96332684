"""R25: whatever is killed or cut off, nothing acknowledged is lost or half-written, and it goes on afterwards."""

from __future__ import annotations

import os
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import psycopg
import pytest

from remanence import Mind
from remanence.errors import RemanenceError, StoreUnavailable
from remanence.settings import Settings
from remanence.store.postgres import migrations
from remanence.store.postgres import pool as pool_
from tests.conftest import new_mind
from tests.crash.stores import opened
from tests.crash.test_kills import _answers_for, _told, _verify
from tests.database.proxy import Proxy, proxied
from tests.database.workers import crew
from tests.embedders import Toy
from tests.postgres import Cluster, new_template
from tests.reliability.recording import Measured

LONGEST_ANSWER_SECONDS = 25
_END_ITSELF = (
    "CREATE FUNCTION public.end_itself() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NEW; END $$"
)


@pytest.fixture
def start() -> Iterator[Callable[..., Any]]:
    with crew() as start:
        yield start


@pytest.fixture(scope="module")
def own_cluster() -> Iterator[Cluster]:
    """A server that may be stopped, and keeps what it acknowledged."""
    cluster = Cluster(fsync="on", shared_buffers="64MB")
    yield cluster
    cluster.close()


@pytest.fixture
def own_url(own_cluster: Cluster) -> str:
    return own_cluster.url(new_template(own_cluster))


def at(url: str) -> Mind:
    return opened(url, at=None)  # type: ignore[arg-type]


def texts(mind: Mind) -> Counter[str]:
    found: Counter[str] = Counter()
    while page := mind.list(state="all", scope="/", limit=1000, offset=found.total()):
        found.update(memory.text for memory in page)
    return found


def sound(mind: Mind, at: str = "") -> None:
    """No drift."""
    assert mind.check().problems == (), at


def backends_ended(cluster: Cluster, url: str, state: str = "%") -> int:
    """How many connections of ours to a database were ended by the server."""
    name = url.rsplit("/", 1)[1]
    ended = (
        "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid, 10000)) FROM pg_stat_activity "
        "WHERE application_name = 'remanence' AND datname = %s AND state LIKE %s"
    )
    with psycopg.connect(cluster.url(), autocommit=True) as raw:
        row = raw.execute(ended, (name, state)).fetchone()
    return int(row[0]) if row else 0


@pytest.mark.promise("R1", "R25")
@pytest.mark.parametrize("kills", [8, pytest.param(200, marks=[pytest.mark.full, pytest.mark.timeout(3600)])])
def test_a_killed_writer_loses_nothing_acknowledged(
    url: str, tmp_path: Path, start: Callable[..., Any], kills: int, measured: Measured
) -> None:
    seed = int(os.environ.get("CRASH_SEED", "2501"))
    print(f"seed {seed}")
    chance = random.Random(seed)
    acked = 0
    for number in range(kills):
        export = tmp_path / f"other-{number}.jsonl"
        with opened(Path(":memory:"), seed=number) as other:
            other.remember_many([f"Elsewhere {number} it was {word}" for word in ("said", "seen", "done", "left")])
            other.export(export)
        writer = start("write_until_killed", url, f"/round{number}", chance.randrange(2**32), export)
        answers = [writer.next()]
        answers += _answers_for(writer, chance.uniform(0, 1.0))
        groups, under_way = _told(answers)
        acked += len(groups)
        with at(url) as mind:
            _verify(mind, groups, under_way, f"kill {number}")
            sound(mind, f"kill {number}, during {under_way}")
    measured(f"{kills} kills", seed=seed, groups_acked=acked, lost=0, half_applied=0)


@pytest.mark.promise("R25")
def test_a_backend_ended_within_a_plan_leaves_nothing_of_it(url: str, cluster: Cluster) -> None:
    with at(url) as mind:
        kept = mind.remember("The lighthouse keeper counts ships").memory.id
        with pytest.raises(StoreUnavailable, match="Try again") as told, mind._store.transaction():
            mind.remember("The first half")
            assert backends_ended(cluster, url, "idle in transaction") == 1
            mind.remember("The second half")
        assert "\n" not in str(told.value)
        assert mind.get(kept)
        assert mind.count(state="all") == 1
        mind.remember("Written on a new connection")
        assert mind.count() == 2
        assert mind.check().problems == ()


@contextmanager
def ended_at(cluster: Cluster, url: str, table: str) -> Iterator[None]:
    """Within it a backend ends itself as soon as it writes to that table."""
    name = url.rsplit("/", 1)[1]
    trigger = f"TRIGGER ends BEFORE INSERT OR UPDATE OR DELETE ON remanence.{table} FOR EACH ROW EXECUTE FUNCTION"
    cluster.execute(f"CREATE {trigger} public.end_itself()", database=name)
    try:
        yield
    finally:
        cluster.execute(f"DROP TRIGGER ends ON remanence.{table}", database=name)


@pytest.mark.promise("R2")
def test_a_backend_ended_at_any_table_leaves_all_or_nothing(url: str, cluster: Cluster, measured: Measured) -> None:
    """Wherever a plan is cut off: it is as if it had not been, and the next one is whole."""
    cluster.execute(_END_ITSELF, database=url.rsplit("/", 1)[1])
    cut: set[str] = set()
    with new_mind(url, namespace="main", embedder=Toy()) as mind:
        for number, table in enumerate(sorted(set(migrations.tables()) - {"turns"})):
            old = mind.remember(f"Before {number} {number * 7919}", kind=f"a{number}", categories=["x"]).memory
            there = mind.count(state="all")
            for use in (
                lambda n=number: mind.remember(f"New {n} {n * 31}", kind=f"b{n}", categories=["y"], key=f"key {n}"),
                lambda id=old.id: mind.revise(id, text=f"Otherwise than {id}"),
                lambda id=old.id: mind.forget(ids=[id]),
            ):
                try:
                    with ended_at(cluster, url, table):
                        use()
                except StoreUnavailable:
                    cut.add(table)
                    assert mind.count(state="all") == there, table
                there = mind.count(state="all")
            sound(mind, table)
    measured("add, revise and forget, at each table", cut_at=len(cut))
    assert cut >= {"memories", "lives", "stems", "wordage", "journal", "receipts", "meanings", "vectors", "tags"}


def test_a_failed_write_is_not_counted_with_the_next(url: str, cluster: Cluster) -> None:
    cluster.execute(_END_ITSELF, database=url.rsplit("/", 1)[1])
    with at(url) as mind:
        with ended_at(cluster, url, "wordage"), pytest.raises(StoreUnavailable):
            mind.remember("The lighthouse keeper counts ships")
        mind.remember("The harbour master counts gulls")
        assert mind.check().problems == ()


@pytest.mark.promise("R25")
@pytest.mark.parametrize("rounds", [3, pytest.param(60, marks=pytest.mark.full)])
def test_backends_ended_at_random_moments(url: str, cluster: Cluster, rounds: int, measured: Measured) -> None:
    """Each batch is there as a whole where it was acknowledged, and else as a whole or not at all."""
    seed = int(os.environ.get("CRASH_SEED", "2502"))
    print(f"seed {seed}")
    chance = random.Random(seed)
    outcomes: Counter[str] = Counter()
    with at(url) as mind, ThreadPoolExecutor(1) as threads:
        for number in range(rounds):
            batch = [{"text": f"Batch {number} line {n}", "scope": f"/b{number}", "kind": f"k{n}"} for n in range(400)]
            written = threads.submit(mind.remember_many, batch)
            sleep(chance.uniform(0.02, 1.0))
            backends_ended(cluster, url)
            try:
                written.result(60)
                outcomes["acknowledged"] += 1
                assert mind.count(scope=f"/b{number}") == 400
            except StoreUnavailable as error:
                outcomes["failed"] += 1
                assert "\n" not in str(error)
                assert mind.count(scope=f"/b{number}", state="all") == 0
        measured(f"{rounds} rounds of 400", seed=seed, half_written=0, **outcomes)
        sound(mind)


def test_idle_connections_that_were_ended_are_replaced_unseen(url: str, cluster: Cluster) -> None:
    with at(url) as mind:
        id = mind.remember("The lighthouse keeper counts ships").memory.id
        for _ in range(3):
            assert backends_ended(cluster, url) >= 1
            assert [hit.memory.id for hit in mind.recall("lighthouse")] == [id]
            backends_ended(cluster, url)
            mind.pin(id)


@pytest.mark.parametrize("connections", [1, 10])
def test_connections_that_end_right_after_they_were_looked_at(
    url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, connections: int
) -> None:
    """The server's last word may come between the look at an idle connection and the first statement on it."""
    settings = Settings(upkeep__on_open=False, postgres__connections=connections)
    with Mind(url, settings=settings, embedder=False) as mind:
        id = mind.remember("The lighthouse keeper counts ships").memory.id
        monkeypatch.setattr(pool_, "_is_cut_off", lambda raw: False)
        for use in (
            lambda: [hit.memory.id for hit in mind.recall("lighthouse")],
            lambda: [mind.get(id).id],
            lambda: [memory.id for memory in mind.list()],
            lambda: [id] * mind.count(),
            lambda: [id] * mind.stats().memories.get("live", 0),
            lambda: [id] * len(mind.history(id)),
        ):
            assert backends_ended(cluster, url) >= 1
            assert use() == [id]


@pytest.mark.promise("R25")
@pytest.mark.parametrize("restarts", [2, pytest.param(30, marks=[pytest.mark.full, pytest.mark.timeout(1800)])])
def test_a_server_stopped_at_once_comes_back_with_all_it_acknowledged(
    own_cluster: Cluster, own_url: str, start: Callable[..., Any], restarts: int, measured: Measured
) -> None:
    with at(own_url) as mind:
        kept = mind.remember("The lighthouse keeper counts ships").memory.id
        writers = [start("write_with_keys", own_url, name) for name in ("north", "south")]
        assert [writer.next() for writer in writers] == ["ready"] * 2
        for number in range(restarts):
            sleep(0.7)
            own_cluster.stop("immediate")
            try:
                if number == 0:
                    for use in (lambda: mind.recall("lighthouse"), lambda: mind.remember("Nobody hears this")):
                        begun = perf_counter()
                        with pytest.raises(StoreUnavailable) as told:
                            use()
                        assert perf_counter() - begun < LONGEST_ANSWER_SECONDS
                        assert "\n" not in str(told.value) and own_cluster.password not in str(told.value)
            finally:
                own_cluster.start()
            assert [hit.memory.id for hit in mind.recall("lighthouse")] == [kept]
        sleep(0.5)
        for writer in writers:
            writer.say("stop")
        answers = [answer for writer in writers for answer in writer.finish()]
        acked = {answer["acked"]: answer["text"] for answer in answers if "acked" in answer}
        failed = [answer for answer in answers if "error" in answer]
        print(Counter(one["message"][:60] for one in failed))
        measured(f"{restarts} stops -m immediate, 2 writers", acked=len(acked), lost=0, twice=0, told_no=len(failed))
        assert acked and {one["error"] for one in failed} <= {"StoreUnavailable"}
        there = texts(mind)
        assert {id for id, text in acked.items() if mind.get(id).text != text} == set()
        assert set(acked.values()) <= there.keys()
        assert [text for text, times in there.items() if times > 1] == []
        sound(mind)


class Lost:
    """A mind whose connection a proxy loses at a COMMIT."""

    def __init__(self, url: str, proxy: Proxy) -> None:
        self.mind, self.proxy = at(url), proxy

    def remember(self, when: str) -> str:
        self.proxy.lose = when
        try:
            return self.mind.remember("The lighthouse keeper counts ships", key="once").memory.id
        finally:
            assert self.proxy.lost == 1 and self.proxy.lose is None


@pytest.fixture
def lost(url: str) -> Iterator[Lost]:
    with proxied(url) as (proxy, through):
        lost = Lost(through, proxy)
        yield lost
        assert lost.mind.check().problems == ()
        lost.mind.close()


@pytest.mark.promise("R25")
def test_a_commit_whose_answer_is_lost_is_acknowledged(lost: Lost) -> None:
    id = lost.remember("answer")
    assert [memory.id for memory in lost.mind.list(state="all")] == [id]


@pytest.mark.promise("R25")
@pytest.mark.parametrize("way", ["question", "cable"])
def test_a_commit_that_never_arrives_is_refused(lost: Lost, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the server waits for more of a client that it believes to be there."""
    monkeypatch.setattr(pool_, "_WAIT_SECONDS", 4.0)
    with pytest.raises(StoreUnavailable, match=r"not half-written\. Try again"):
        lost.remember(way)
    assert lost.mind.list(state="all") == []
    assert lost.mind.remember("The lighthouse keeper counts ships", key="once").memory.access_count == 0
    assert lost.mind.count() == 1


@pytest.mark.promise("R25")
def test_a_commit_whose_fate_nobody_can_tell(
    own_cluster: Cluster, own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the server is away too long, or began a new life, in which a number may be given again."""
    for started_again in (True, False):

        def meanwhile(start: bool = started_again) -> None:
            own_cluster.stop("immediate")
            if start:
                own_cluster.start()

        monkeypatch.setattr(pool_, "_WAIT_SECONDS", 10.0 if started_again else 1.0)
        with proxied(own_url) as (proxy, through):
            lost = Lost(through, proxy)
            proxy.meanwhile = meanwhile
            with pytest.raises(StoreUnavailable, match="Look before you write it again, or give it a key"):
                lost.remember("answer")
            if not started_again:
                own_cluster.start()
            again = lost.mind.remember("The lighthouse keeper counts ships", key="once").memory
            assert [memory.id for memory in lost.mind.list(state="all")] == [again.id]
            lost.mind.close()


@pytest.mark.promise("R25")
@pytest.mark.parametrize("connections", [1, 2])
def test_few_connections_are_used_in_turn(url: str, connections: int) -> None:
    settings = Settings(upkeep__on_open=False, postgres__connections=connections)
    with Mind(url, settings=settings, embedder=False) as mind, Mind(url, settings=settings, embedder=False) as other:

        def use(number: int) -> None:
            for n in range(4):
                (mind, other)[n % 2].remember(f"Thread {number} writes {n}", kind=f"k{number}-{n}")
                (other, mind)[n % 2].recall(f"thread {number}")

        with ThreadPoolExecutor(12) as threads:
            list(threads.map(use, range(12)))
        assert mind.count() == 48
        assert mind.check().problems == ()


@pytest.mark.promise("R25")
def test_connections_that_are_held_too_long_are_said(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_, "_WAIT_SECONDS", 0.5)
    settings = Settings(upkeep__on_open=False, postgres__connections=1)
    with Mind(url, settings=settings, embedder=False) as mind:
        mind.remember("The lighthouse keeper counts ships")
        held, over = threading.Event(), threading.Event()

        def hold() -> None:
            with mind._store._engine.read():
                held.set()
                over.wait(30)

        thread = threading.Thread(target=hold)
        thread.start()
        assert held.wait(10)
        try:
            for use in (lambda: mind.recall("lighthouse"), lambda: mind.remember("Not now")):
                with pytest.raises(StoreUnavailable, match=r"in use .* postgres\.connections") as told:
                    use()
                assert "\n" not in str(told.value)
        finally:
            over.set()
            thread.join()
        assert mind.recall("lighthouse")
        mind.remember("Now")


def test_two_namespaces_meet_a_new_model_at_once(url: str) -> None:
    with new_mind(url, namespace="one", embedder=Toy()) as one, new_mind(url, namespace="two", embedder=Toy()) as two:
        with ThreadPoolExecutor(1) as threads, one._store.transaction():
            one.remember("The first of one")
            waiting = threads.submit(two.remember, "The first of two")
            sleep(1)
        assert waiting.result(30)


def test_a_statement_that_failed_unseen_takes_the_whole_write_back(url: str) -> None:
    """A transaction in which something failed is rolled back by the server, whatever it is told then."""
    with at(url) as mind:
        with pytest.raises(StoreUnavailable, match="taken back"), mind._store.transaction() as connection:
            mind.remember("Half of it")
            with pytest.raises((psycopg.Error, RemanenceError)):
                connection.execute("SELECT 1/0")
        assert mind.count(state="all") == 0
        mind.remember("The next one")
        assert mind.count() == 1
