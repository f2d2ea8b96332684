"""A real replica: it answers recalls, never hides one's own writes, takes no writes, and is done without when away."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic, perf_counter, sleep
from typing import Any

import psycopg
import pytest

from remanence import Mind
from remanence.errors import InvalidInput, StoreReadOnly
from remanence.settings import Settings
from remanence.store.postgres import replica as replica_
from tests.interfaces.doors import typed
from tests.postgres import Cluster, _free_port

LONGEST_ANSWER_SECONDS = 25


class Replica:
    """A streaming copy of a cluster, as pg_basebackup makes it."""

    def __init__(self, primary: Cluster) -> None:
        self._primary = primary
        self._data = primary.folder / "replica"
        self.port = _free_port()
        primary._run("pg_basebackup", "-D", str(self._data), "-R", "-c", "fast", "--no-sync", "-d", primary.url())
        self.start()

    def start(self) -> None:
        options = f"-p {self.port} -h 127.0.0.1 -k {self._data} -c max_connections=200 -c max_locks_per_transaction=512"
        self._primary._run("pg_ctl", "-D", str(self._data), "-w", "-t", "60", "-l", "/dev/null", "-o", options, "start")

    def stop(self) -> None:
        self._primary._run("pg_ctl", "-D", str(self._data), "-w", "-t", "60", "-m", "immediate", "stop")

    def close(self) -> None:
        with suppress(subprocess.SubprocessError):
            self.stop()
        shutil.rmtree(self._data, ignore_errors=True)

    def url(self, name: str) -> str:
        return f"postgresql://postgres:{self._primary.password}@127.0.0.1:{self.port}/{name}"

    def paused(self, name: str, *, paused: bool) -> None:
        with psycopg.connect(self.url(name), autocommit=True) as raw:
            raw.execute("SELECT pg_wal_replay_pause()" if paused else "SELECT pg_wal_replay_resume()")
            while paused and raw.execute("SELECT pg_get_wal_replay_pause_state()").fetchone() != ("paused",):
                sleep(0.05)

    def caught_up(self, name: str) -> None:
        with psycopg.connect(self._primary.url(name)) as raw:
            row = raw.execute("SELECT pg_current_wal_insert_lsn()::text").fetchone()
        assert row is not None
        until = monotonic() + 30
        with psycopg.connect(self.url("postgres"), autocommit=True) as raw:
            while raw.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", row).fetchone() != (True,):
                assert monotonic() < until
                sleep(0.05)


@pytest.fixture(scope="module")
def replica(cluster: Cluster) -> Iterator[Replica]:
    replica = Replica(cluster)
    yield replica
    replica.close()


@pytest.fixture
def name(url: str, replica: Replica) -> str:
    name = url.rsplit("/", 1)[1]
    replica.caught_up(name)
    return name


def opened(url: str, **settings: Any) -> Mind:
    chosen = Settings(upkeep__on_open=False, recall__log=False, **settings)
    return Mind(url, namespace="test", settings=chosen, embedder=False)


def connections(url: str) -> int:
    """How many connections of ours a server has."""
    with psycopg.connect(url, autocommit=True) as raw:
        row = raw.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'remanence'").fetchone()
    assert row is not None
    return int(row[0])


def test_recalls_are_answered_by_the_replica_and_own_writes_are_found(url: str, name: str, replica: Replica) -> None:
    with opened(url, postgres__replica=replica.url(name)) as mind:
        for number in range(10):
            id = mind.remember(f"Ship {number} of {number * 7919}", kind=f"k{number}").memory.id
            assert id in {hit.memory.id for hit in mind.recall(f"ship {number * 7919}", reinforce=False)}
        replica.caught_up(name)
        mind.recall("ship", reinforce=False)
        assert connections(replica.url(name)) >= 1, "it was asked"
        replica.paused(name, paused=True)
        try:
            with opened(url) as other:
                unseen = other.remember("A lighthouse that another process wrote").memory.id
            assert mind.recall("lighthouse", reinforce=False) == [], "the replica answers, and is behind"
            own = mind.remember("A harbour of one's own").memory.id
            assert [hit.memory.id for hit in mind.recall("harbour", reinforce=False)] == [own]
            assert [hit.memory.id for hit in mind.recall("lighthouse", reinforce=False)] == [unseen]
        finally:
            replica.paused(name, paused=False)


def test_a_replica_that_is_away_is_done_without(
    url: str, name: str, replica: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped while it is used, away when a mind is opened, and back again."""
    monkeypatch.setattr(replica_, "_LEFT_ALONE_SECONDS", 1.0)
    with opened(url, postgres__replica=replica.url(name)) as mind:
        id = mind.remember("The lighthouse keeper counts ships").memory.id
        replica.caught_up(name)
        assert mind.recall("lighthouse")
        replica.stop()
        try:
            for _ in range(3):
                begun = perf_counter()
                assert [hit.memory.id for hit in mind.recall("lighthouse")] == [id]
                assert perf_counter() - begun < LONGEST_ANSWER_SECONDS
            with opened(url, postgres__replica=replica.url(name)) as late:
                assert [hit.memory.id for hit in late.recall("lighthouse")] == [id]
                late.remember("Written while the replica is away")
        finally:
            replica.start()
        replica.caught_up(name)
        sleep(1.5)
        until = monotonic() + 30
        while not connections(replica.url(name)):
            assert [hit.memory.id for hit in mind.recall("lighthouse")] == [id]
            assert monotonic() < until, "it is asked again"
            sleep(0.2)


def test_a_replica_that_goes_away_in_the_middle_of_a_recall(
    url: str, name: str, replica: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(url, postgres__replica=replica.url(name)) as mind:
        id = mind.remember("The lighthouse keeper counts ships").memory.id
        replica.caught_up(name)
        words = mind._store._words  # type: ignore[attr-defined]
        telling, asked = words.telling, []

        def stopped_first(connection: Any, *rest: Any, **more: Any) -> Any:
            asked.append(connection.raw.info.port)
            if len(asked) == 1:
                replica.stop()
            return telling(connection, *rest, **more)

        monkeypatch.setattr(words, "telling", stopped_first)
        try:
            assert [hit.memory.id for hit in mind.recall("lighthouse", reinforce=False)] == [id]
        finally:
            replica.start()
        assert asked[0] == replica.port and replica.port not in asked[1:]


def test_a_replica_takes_no_writes(url: str, name: str, replica: Replica) -> None:
    with opened(url) as mind:
        id = mind.remember("The lighthouse keeper counts ships").memory.id
    replica.caught_up(name)
    with opened(replica.url(name)) as mind:
        assert [hit.memory.id for hit in mind.recall("lighthouse", reinforce=False)] == [id]
        with pytest.raises(StoreReadOnly, match=r"Give the address of the server that writes; .* postgres\.replica"):
            mind.remember("Not here")


def test_there_is_no_store_on_a_replica_to_be_made(empty_url: str, replica: Replica) -> None:
    name = empty_url.rsplit("/", 1)[1]
    replica.caught_up(name)
    with pytest.raises(StoreReadOnly, match="read-only replica"):
        opened(replica.url(name))


def test_another_store_is_no_replica(url: str, empty_url: str, cluster: Cluster, template: str) -> None:
    other = cluster.url(cluster.new_database(template))
    with opened(other) as mind:
        mind.remember("The lighthouse is somebody else's")
    with opened(url, postgres__replica=other) as mind:
        id = mind.remember("The lighthouse keeper counts ships").memory.id
        with pytest.raises(InvalidInput, match="is no replica of") as refused:
            mind.recall("lighthouse")
        assert cluster.password not in str(refused.value)
        assert mind.get(id).id == id
    with opened(url, postgres__replica=empty_url) as mind:
        assert [hit.memory.id for hit in mind.recall("lighthouse")] == [id]


def test_a_check_says_how_the_replica_is(
    url: str, name: str, replica: Replica, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def checked(address: str) -> dict[str, Any]:
        monkeypatch.setenv("REMANENCE_POSTGRES__REPLICA", address)
        _, out, err = typed(["--json", "--db", url, "db", "check"])
        assert cluster.password not in out + err
        (one,) = [one for one in json.loads(out)["findings"] if one["what"] == "replica"]
        return one

    replica.caught_up(name)
    good, own = checked(replica.url(name)), checked(url.replace("127.0.0.1", "localhost"))
    assert good["ok"] and "bytes behind" in good["detail"]
    assert own["ok"] and "the server that writes" in own["detail"]
    assert "no copy" in checked(cluster.url("postgres"))["detail"]
    away = checked("postgresql://postgres@127.0.0.1:1/nowhere")
    assert not away["ok"] and "127.0.0.1:1" in away["detail"]
