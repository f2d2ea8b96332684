"""Connections to one server, shared by all stores of a process that name the same address."""

from __future__ import annotations

import logging
import os
import re
import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from remanence.errors import InvalidInput
from remanence.store.postgres import faults
from remanence.store.postgres.connection import Connection, Raw, prepare

SCHEMA = "remanence"
_WAIT_SECONDS = 15.0
_LOOK_SECONDS = 2.0
_IDLE_SECONDS = 300.0
# Which life of the server a connection belongs to: another after a restart, and after a crash that it got over alone.
_LIFE = "SELECT concat(pg_postmaster_start_time(), ' ', (SELECT stats_reset FROM pg_stat_wal))"
_PLACE = (
    "SELECT concat(s.system_identifier, '/', d.oid) FROM pg_control_system() s, pg_database d "
    "WHERE d.datname = current_database()"
)
# A server may not know yet that a client is gone: its transaction is then ended, unless the number is another's.
_END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = %s AND backend_xid = %s::xid8::xid"
_PORTS = re.compile(r"\d{0,5}(,\d{0,5})*")
_QUOTED = re.compile(r'\s*"[^"]{2}.*', re.DOTALL)
# What is wrong is told to whoever asked, in our own words; where a log has no handler it goes to the terminal.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class Limits:
    """How many connections a process may have, and how long a statement may take."""

    connections: int = 10
    statement_timeout_seconds: float = 300.0


_SPELLING = (
    "It is postgresql://USER:PASSWORD@HOST:PORT/DATABASE, where signs like @ / : % of a user or password are written "
    "%40 %2F %3A %25"
)


class Address:
    """Where a server is. As text it is without the password, for messages."""

    def __init__(self, url: str) -> None:
        try:
            parts = conninfo_to_dict(url)
        except psycopg.ProgrammingError as wrong:
            # What libpq quotes may be the password, or hold it.
            raise InvalidInput(f"location: {_QUOTED.sub('', str(wrong)).strip(' :')}. {_SPELLING}") from None
        host, ports, name = (str(parts.get(one) or "") for one in ("host", "port", "dbname"))
        behind = url.partition("://")[2].partition("/")[2].partition("?")[0]
        if "@" in host or "@" in behind or not _PORTS.fullmatch(ports):
            raise InvalidInput(f"location: the parts of the address cannot be told apart. {_SPELLING}")
        self.url = url
        self._shown = f"postgresql://{host or 'localhost'}{ports and ':' + ports}/{name or parts.get('user') or ''}"
        self._parts = parts

    def __str__(self) -> str:
        return self._shown

    @property
    def role(self) -> str:
        """The role it names, as a command takes it; ROLE where it names none, or one that a shell would split."""
        named = str(self._parts.get("user") or "")
        return named if re.fullmatch(r"\w+", named) else "ROLE"

    def dsn(self, limits: Limits) -> str:
        """As psycopg takes it, with what every connection of ours is set to."""
        settings = {
            "search_path": f"{SCHEMA},public",
            "statement_timeout": f"{int(limits.statement_timeout_seconds * 1000)}",
            "hnsw.iterative_scan": "relaxed_order",
            "hnsw.ef_search": "120",
            "hnsw.max_scan_tuples": "40000",
            # Indexes lead to few rows, which are in memory or on a disk that does not turn.
            "random_page_cost": "1.1",
            "jit": "off",
            "application_name": "remanence",
            # A client that was cut off lets go of what it held after a minute.
            "tcp_keepalives_idle": "30",
            "tcp_keepalives_interval": "10",
            "tcp_keepalives_count": "3",
        }
        options = "".join(f" -c {name}={value}" for name, value in settings.items())
        given: dict[str, Any] = {"connect_timeout": 10, "client_encoding": "utf8"}
        given |= {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3} | self._parts
        given["options"] = f"{self._parts.get('options') or ''}{options}".strip()
        return make_conninfo(**given)


class Pool:
    """The connections of this process to one address; closed with the last store that uses it."""

    def __init__(self, address: Address, limits: Limits) -> None:
        self.address = address
        self.process = os.getpid()
        self.users = 0
        self.secret: bytes | None = None
        self._dsn = address.dsn(limits)
        self._pool = ConnectionPool(
            self._dsn,
            min_size=0,
            max_size=limits.connections,
            # Whoever waits has it tried again; a pool that goes on by itself pauses ever longer.
            reconnect_timeout=_LOOK_SECONDS,
            max_idle=_IDLE_SECONDS,
            num_workers=1,
            open=False,
            kwargs={"autocommit": True},
            configure=_prepared,
            connection_class=psycopg.Connection,
        )

    def open(self, *, tried: bool) -> None:
        """Let others use it; first the address is tried once, so that what is wrong with it is said at once."""
        if tried:
            self.try_it()
        self._pool.open()

    def take(self, *, patient: bool = True) -> Raw:
        """A connection, in turn; one that the server ended while it lay idle is thrown away."""
        until = time.monotonic() + _WAIT_SECONDS
        while True:
            raw = self._next(patient=patient)
            if not _is_cut_off(raw):
                return raw
            self.give_back(raw)
            if time.monotonic() > until:
                raise PoolTimeout("connections are ended as soon as they are made")

    def begun(self, begin: Callable[[Connection], None], *, patient: bool = True) -> Connection:
        """A connection on which this was begun; one that turns out to be dead is thrown away."""
        until = time.monotonic() + _WAIT_SECONDS
        while True:
            raw = self.take(patient=patient)
            connection = Connection(raw)
            try:
                begin(connection)
                return connection
            except BaseException as error:
                gone = raw.closed
                with suppress(*faults.EVERY):
                    connection.settled()
                with suppress(*faults.EVERY):
                    if not gone and raw.info.transaction_status:
                        raw.execute("ROLLBACK")
                self.give_back(raw)
                if not (gone and faults.is_gone(error)) or time.monotonic() > until:
                    raise

    def _next(self, *, patient: bool) -> Raw:
        """Where none comes soon, first a look whether the server is there at all."""
        try:
            return self._pool.getconn(min(_LOOK_SECONDS, _WAIT_SECONDS))
        except PoolTimeout:
            if not patient:
                raise
        self.try_it()
        return self._pool.getconn(_WAIT_SECONDS)

    def try_it(self) -> None:
        """Connect once, to say what is wrong with the address or the server."""
        try:
            with psycopg.connect(self._dsn, autocommit=True) as raw:
                raw.execute("SELECT 1")
        except faults.EVERY as error:
            raise faults.at_the_door(error, str(self.address)) from None

    def give_back(self, raw: Raw) -> None:
        self._pool.putconn(raw)

    @contextmanager
    def alone(self) -> Iterator[Raw]:
        """A connection of one's own, for what must not be in a transaction, or takes as long as it takes."""
        with psycopg.connect(self._dsn, autocommit=True) as raw:
            raw.execute("SET statement_timeout = 0")
            yield raw

    def connected(self) -> Raw:
        """A connection that the caller closes."""
        return psycopg.connect(self._dsn, autocommit=True)

    @contextmanager
    def borrowed(self, *, patient: bool = True) -> Iterator[Raw]:
        """One of the shared connections."""
        raw = self.take(patient=patient)
        try:
            yield raw
        finally:
            self.give_back(raw)

    def was_committed(self, transaction: str, lost: Raw) -> bool | None:
        """What became of a transaction; asked until the server answers, or for some seconds. None: it cannot tell.

        A server that crashed may give the number of a transaction that left no trace once more, so "committed" counts
        in the same life of the server alone.
        """
        until = time.monotonic() + _WAIT_SECONDS
        while time.monotonic() < until:
            with suppress(*faults.EVERY), self.alone() as raw:
                try:
                    row = raw.execute("SELECT pg_xact_status(%s::xid8)", (transaction,)).fetchone()
                except pg.InvalidParameterValue:  # a number that is still to come
                    return False
                status = None if row is None else row[0]
                if status == "committed":
                    return True if _life(raw) == getattr(lost, "remanence_life", None) else None
                if status != "in progress":
                    return False if status == "aborted" else None
                if time.monotonic() > until - _WAIT_SECONDS / 2:
                    raw.execute(_END, (getattr(lost, "remanence_pid", 0), transaction))
            time.sleep(0.2)
        return None

    def close(self) -> None:
        self._pool.close(timeout=5.0)


def _prepared(raw: psycopg.Connection[Any]) -> None:
    prepare(raw)
    raw.remanence_life, raw.remanence_pid = _life(raw), raw.info.backend_pid  # type: ignore[attr-defined]


def _is_cut_off(raw: Raw) -> bool:
    """A server that ends a connection says so; where nothing was said, nothing is asked."""
    said = select.poll()
    try:
        said.register(raw.fileno(), select.POLLIN)
        if said.poll(0):
            raw.execute("SELECT 1")
    except faults.EVERY:
        return True
    return False


def place_of(raw: Raw) -> str:
    """Which database of which server this is, by whatever address: a replica of it is the same."""
    row = raw.execute(_PLACE).fetchone()
    return "" if row is None else str(row[0])


def _life(raw: Raw) -> str:
    row = raw.execute(_LIFE).fetchone()
    return "" if row is None else str(row[0])


_guard = threading.Lock()
_pools: dict[tuple[str, Limits, int], Pool] = {}


def join(address: Address, limits: Limits, *, tried: bool = True) -> Pool:
    """The pool for an address, opened where it is new; an address that is not tried may be of a server that is away."""
    of = (address.url, limits, os.getpid())
    with _guard:
        pool = _pools.get(of)
        if pool is None:
            pool = Pool(address, limits)
            pool.open(tried=tried)
            _pools[of] = pool
        pool.users += 1
        return pool


def leave(pool: Pool) -> None:
    """One store less uses it."""
    with _guard:
        pool.users -= 1
        if pool.users:
            return
        for of in [of for of, known in _pools.items() if known is pool]:
            del _pools[of]
    pool.close()
