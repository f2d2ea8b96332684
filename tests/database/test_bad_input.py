"""A server or an address that will not do: one clear line with the next step, nothing half-made, never a password."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from time import perf_counter, sleep
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from remanence import Mind
from remanence.errors import (
    Forbidden,
    InvalidInput,
    RemanenceError,
    StoreReadOnly,
    StoreTooNew,
    StoreUnavailable,
)
from remanence.interfaces.working import Worker
from remanence.places import is_database, shown
from remanence.settings import Settings
from remanence.store.postgres import migrations
from remanence.store.postgres.admin import Administration
from tests.interfaces.doors import typed
from tests.postgres import Cluster

LONGEST_ANSWER_SECONDS = 25
SECRET = "xyzzy-plugh-42"
SETTINGS = Settings(upkeep__on_open=False)


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))


def opened(url: str, namespace: str = "test", **settings: Any) -> Mind:
    chosen = Settings(upkeep__on_open=False, **settings)
    return Mind(url, namespace=namespace, settings=chosen, embedder=False)


def told(error: type[RemanenceError], use: Callable[[], object], *words: str) -> str:
    """What is said; one line, within a reasonable time."""
    begun = perf_counter()
    with pytest.raises(error) as refused:
        use()
    assert type(refused.value) is error
    assert perf_counter() - begun < LONGEST_ANSWER_SECONDS
    line = str(refused.value)
    assert "\n" not in line and "Traceback" not in line
    for word in words:
        assert word in line
    return line


def store_there(cluster: Cluster, name: str) -> bool:
    with psycopg.connect(cluster.url(name)) as raw:
        row = raw.execute("SELECT to_regnamespace('remanence')").fetchone()
    return row is not None and row[0] is not None


def database_of(url: str) -> str:
    return url.rsplit("/", 1)[1]


@pytest.fixture
def role(cluster: Cluster) -> Iterator[str]:
    """A role of the server that owns nothing."""
    cluster.execute(f"CREATE ROLE visitor LOGIN PASSWORD '{SECRET}'")
    yield "visitor"
    cluster.execute("DROP ROLE visitor")


# -- the address


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://user:{SECRET}%@localhost/db",
        f"postgresql://user:50%of{SECRET}@localhost/db",
        f"postgresql://user:{SECRET}@[::1/db",
        f"postgresql://user:{SECRET}@[::1]x/db",
        f"postgresql://user:{SECRET}@localhost:port/db",
        f"postgresql://user:{SECRET}@localhost:99999999/db",
        f"postgresql://user:{SECRET}/{SECRET}@localhost/db",
        f"postgresql://user:12/{SECRET}@localhost/db",
        f"postgresql://user:a@{SECRET}@localhost/db",
        f"postgresql://user:a {SECRET}@localhost/db",
        f"postgresql://user:{SECRET}@localhost/db?password={SECRET}%",
        f"postgresql://user:{SECRET}@localhost/db?unknown={SECRET}",
        f"postgresql://user:{SECRET}@localhost/db?{SECRET}",
        f"postgres://user:{SECRET}@localhost/db?sslmode",
    ],
)
def test_an_address_that_is_none(address: str) -> None:
    assert is_database(address)
    said = told(InvalidInput, lambda: opened(address), "location: ", "postgresql://USER:PASSWORD@HOST:PORT/DATABASE")
    assert SECRET not in said
    for words in (["stats"], ["db", "check"], ["work", "--all", "--once"]):
        code, out, err = typed(["--db", address, *words])
        assert code == 2 and SECRET not in out + err and err.count("\n") == 1, err


@pytest.mark.parametrize(
    "tail", ["", "?options=-c%20work_mem%3D8MB", "?application_name=mine&connect_timeout=3", "?sslmode=prefer"]
)
def test_an_address_with_more_to_it(url: str, tail: str) -> None:
    with opened(url + tail) as mind:
        mind.remember("The lighthouse keeper counts ships")
        assert mind.recall("lighthouse")


def test_an_address_of_a_socket_in_a_folder(url: str, cluster: Cluster) -> None:
    place = f"host={quote(str(cluster.folder), safe='')}&port={cluster.port}"
    with opened(f"postgresql://postgres:{cluster.password}@/{database_of(url)}?{place}") as mind:
        mind.remember("The lighthouse keeper counts ships")
        assert mind.recall("lighthouse")
        assert cluster.password not in mind._store._engine.location  # type: ignore[attr-defined]


def test_signs_in_a_password_are_written_in_percent(url: str, cluster: Cluster) -> None:
    cluster.execute("CREATE ROLE odd LOGIN SUPERUSER PASSWORD 'a@b/c:d%e?f'")
    try:
        with opened(cluster.url(database_of(url), "odd", "a%40b%2Fc%3Ad%25e%3Ff")) as mind:
            assert "a@b" not in repr(mind.settings) + mind._store._engine.location  # type: ignore[attr-defined]
            mind.remember("The lighthouse keeper counts ships")
    finally:
        cluster.execute("DROP ROLE odd")


# -- the server


@pytest.mark.promise("R12")
def test_nobody_listens() -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"postgresql://user:{SECRET}@127.0.0.1:{taken.getsockname()[1]}/db"
        said = told(StoreUnavailable, lambda: opened(url), "cannot be reached", "Check the address")
        assert SECRET not in said
        code, out, err = typed(["--db", url, "stats"])
        assert code != 0 and SECRET not in out + err and err.count("\n") == 1, err


def test_somebody_else_listens() -> None:
    """A server that takes the connection and says nothing is not waited for without end."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"postgresql://user:{SECRET}@127.0.0.1:{mute.getsockname()[1]}/db?connect_timeout=2"
        assert SECRET not in told(StoreUnavailable, lambda: opened(url), "cannot be reached")


def test_a_wrong_password(cluster: Cluster, url: str) -> None:
    for user in ("postgres", "nobody"):
        wrong = cluster.url(database_of(url), user, SECRET)
        said = told(StoreUnavailable, lambda wrong=wrong: opened(wrong), "refuses this user or password")
        assert SECRET not in said


def test_no_such_database(cluster: Cluster) -> None:
    told(StoreUnavailable, lambda: opened(cluster.url("nowhere")), "does not exist", "createdb")


def test_no_right_to_the_database(cluster: Cluster, url: str, role: str) -> None:
    name = database_of(url)
    cluster.execute(f"REVOKE CONNECT ON DATABASE {name} FROM PUBLIC")
    told(Forbidden, lambda: opened(cluster.url(name, role, SECRET)), "permission denied", "GRANT CONNECT")


@pytest.mark.promise("R12")
def test_a_server_that_is_full(cluster: Cluster, url: str, role: str) -> None:
    cluster.execute(f"ALTER ROLE {role} CONNECTION LIMIT 0")
    told(StoreUnavailable, lambda: opened(cluster.url(database_of(url), role, SECRET)), "takes nobody just now")


def test_a_server_without_pgvector(cluster: Cluster, empty_url: str) -> None:
    name = database_of(empty_url)
    cluster.execute(f"ALTER DATABASE {name} SET extension_control_path = '/nowhere'")
    told(StoreUnavailable, lambda: opened(empty_url), "has no pgvector", "Install it")
    assert not store_there(cluster, name)
    cluster.execute(f"ALTER DATABASE {name} RESET extension_control_path")
    with opened(empty_url) as mind:
        mind.remember("The lighthouse keeper counts ships")


def test_pgvector_that_the_role_may_not_switch_on(cluster: Cluster, empty_url: str, role: str) -> None:
    name = database_of(empty_url)
    own = cluster.url(name, role, SECRET)
    told(Forbidden, lambda: opened(own), "may not make a store", f"GRANT CREATE ON DATABASE {name} TO {role}")
    cluster.execute(f"GRANT CREATE ON DATABASE {name} TO {role}")
    try:
        told(Forbidden, lambda: opened(own), "CREATE EXTENSION vector")
        assert not store_there(cluster, name)
        cluster.execute("CREATE EXTENSION vector", database=name)
        with opened(own) as mind:
            mind.remember("The lighthouse keeper counts ships")
    finally:
        cluster.execute(f"DROP OWNED BY {role}", database=name)


def test_a_server_that_is_too_old(empty_url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrations, "OLDEST_SERVER", 99)
    told(StoreUnavailable, lambda: opened(empty_url), "PostgreSQL 1", "99 or newer is needed")
    assert not store_there(cluster, database_of(empty_url))


@pytest.mark.promise("R12")
def test_a_server_that_only_reads(cluster: Cluster, url: str, empty_url: str) -> None:
    with opened(url) as mind:
        kept = mind.remember("The lighthouse keeper counts ships").memory.id
    for one in (url, empty_url):
        cluster.execute(f"ALTER DATABASE {database_of(one)} SET default_transaction_read_only = on")
    told(StoreReadOnly, lambda: opened(empty_url), "read-only replica", "Give the address of the server that writes")
    assert not store_there(cluster, database_of(empty_url))
    with opened(url) as mind:
        assert [hit.memory.id for hit in mind.recall("lighthouse", reinforce=False)] == [kept]
        for use in (
            lambda: mind.remember("Not here"),
            lambda: mind.remember_many(["Nor", "this"]),
            lambda: mind.forget(ids=[kept]),
            mind.upkeep,
        ):
            told(StoreReadOnly, use, "read only", "Give the address of the server that writes")
        assert mind.count(state="all") == 1
        mind.recall("lighthouse")
        told(StoreReadOnly, mind.close, "read only")  # that it was recalled is lost, and said
    with opened(url, "another") as mind:
        told(StoreReadOnly, lambda: mind.remember("Not here"), "read only")


def test_a_namespace_without_rights(cluster: Cluster, url: str, role: str) -> None:
    own = cluster.url(database_of(url), role, SECRET)
    told(Forbidden, lambda: opened(own), "may not", "rem db grant ROLE NAMESPACE")
    with opened(url, "mine") as mind:
        mind.remember("The lighthouse keeper counts ships")
    with closing(Administration(url)) as keeper:
        keeper.grant(role, ["mine"])
    try:
        with opened(own, "mine") as mind:
            assert mind.recall("lighthouse")
        for namespace in ("theirs", "new"):
            told(Forbidden, lambda name=namespace: opened(own, name), f"rem db grant {role} {namespace}")
        with opened(own, "mine") as mind:
            with closing(Administration(url)) as keeper:
                keeper.revoke(role, ["mine"])
            told(Forbidden, lambda: mind.remember("Not any more"), "rem db grant ROLE NAMESPACE")
            told(Forbidden, lambda: mind.recall("lighthouse"), "rem db grant ROLE NAMESPACE")
        with opened(url, "mine") as mind:
            assert mind.count(state="all") == 1
    finally:
        cluster.execute(f"DROP OWNED BY {role}", database=database_of(url))


@pytest.mark.promise("R12")
def test_a_store_of_a_newer_remanence(cluster: Cluster, url: str) -> None:
    with opened(url) as mind:
        mind.remember("The lighthouse keeper counts ships")
    newer = "UPDATE remanence.facts SET number = 99 WHERE name = 'schema'"
    cluster.execute(newer, database=database_of(url))
    told(StoreTooNew, lambda: opened(url), "has schema 99", "pip install --upgrade remanence")
    told(StoreTooNew, lambda: Worker(url, SETTINGS), "has schema 99")
    with psycopg.connect(url) as raw:
        assert raw.execute("SELECT count(*) FROM remanence.memories").fetchone() == (1,)


def test_a_statement_that_takes_too_long(cluster: Cluster, url: str) -> None:
    with opened(url, postgres__statement_timeout_seconds=1.0) as mind, psycopg.connect(url) as other:
        mind.remember("The lighthouse keeper counts ships")
        other.execute("UPDATE remanence.turns SET writes = writes")
        told(StoreUnavailable, lambda: mind.remember("Somebody is in the way"), "postgres.statement_timeout_seconds")
        assert mind.recall("lighthouse")
        other.rollback()
        mind.remember("Nobody is")
        assert mind.count(state="all") == 2
        assert mind.check().problems == ()


def test_a_session_that_the_server_ends_by_its_own_rules(cluster: Cluster, url: str) -> None:
    """Administrators bound idle sessions: one that was ended while it lay idle is replaced unseen."""
    cluster.execute(f"ALTER DATABASE {database_of(url)} SET idle_session_timeout = '300ms'")
    with opened(url) as mind:
        for number in range(2):
            mind.remember(f"Number {number} {number * 7919}", kind=f"k{number}")
            sleep(0.8)
            assert mind.recall("number")
        assert mind.count() == 2


# -- what is said elsewhere


def test_a_password_is_said_nowhere(
    cluster: Cluster, url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("REMANENCE_POSTGRES__REPLICA", url.replace("127.0.0.1", "localhost"))
    monkeypatch.setenv("REMANENCE_EMBEDDER", "none")
    said = ""
    for words in (["stats"], ["doctor"], ["db", "check"], ["check"], ["recall", "nothing"]):
        for form in ([], ["--json"]):
            code, out, err = typed([*form, "--db", url, *words])
            assert code in (0, 1), (words, out, err)
            said += out + err
    with opened(url) as mind:
        said += f"{mind!r} {mind.settings!r} {mind.settings.to_dict()} {mind.stats().to_dict()}"
        mind.remember("The lighthouse keeper counts ships")
        with psycopg.connect(cluster.url(), autocommit=True) as raw:
            raw.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'remanence'")
        mind.recall("lighthouse")
    assert cluster.password not in said
    assert cluster.password not in caplog.text


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_password_is_no_part_of_the_configuration_shown(cluster: Cluster, url: str, form: list[str]) -> None:
    code, out, err = typed([*form, "--db", url, "config"])
    assert code == 0 and cluster.password not in out + err


def test_a_password_with_a_question_mark_is_not_shown() -> None:
    assert SECRET not in shown(f"postgresql://user:{SECRET}?x@localhost/db")


@pytest.mark.parametrize("name", ["", "  ", "a" * 1025])
def test_a_namespace_that_nothing_can_open_is_not_granted(url: str, role: str, name: str) -> None:
    said = told(InvalidInput, lambda: opened(url, name), "namespace")
    with closing(Administration(url)) as keeper:
        assert told(InvalidInput, lambda: keeper.grant(role, ["mine", name])) == said
    with psycopg.connect(url) as raw:
        assert raw.execute("SELECT count(*) FROM remanence.spaces").fetchone() == (0,)
        assert raw.execute("SELECT count(*) FROM remanence.grants").fetchone() == (0,)


@pytest.mark.parametrize(
    "location",
    [
        f"POSTGRESQL://user:{SECRET}@localhost/db",
        f"postgresql+psycopg://user:{SECRET}@localhost/db",
        f"foo://user:{SECRET}@x",
        f"host=localhost password={SECRET} dbname=db",
        f"password = {SECRET}",
        "dbname=memory host=localhost",
    ],
)
def test_a_location_that_is_neither_a_path_nor_an_address(
    location: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert SECRET not in told(InvalidInput, lambda: opened(location), "location ", "postgresql://")
    for words in (["stats"], ["doctor"], ["check"], ["db", "check"], ["work", "--once"], ["work", "--all", "--once"]):
        code, out, err = typed(["--db", location, *words])
        assert code == 2 and not out and SECRET not in err and err.count("\n") == 1, (words, out, err)
    for form in ([], ["--json"]):
        assert SECRET not in "".join(map(str, typed([*form, "--db", location, "config"])))
    assert list(tmp_path.iterdir()) == []


def test_a_path_may_hold_signs(tmp_path: Any) -> None:
    for name in ("a=b.db", "my host.db", "x/host=y.db"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        with opened(str(tmp_path / name)) as mind:
            mind.remember("The lighthouse keeper counts ships")
