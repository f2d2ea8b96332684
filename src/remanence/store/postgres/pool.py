"""Connections to one server, shared by all stores of a process that name the same address."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from remanence.errors import InvalidInput
from remanence.store.postgres import faults
from remanence.store.postgres.connection import Raw, prepare

SCHEMA = "remanence"
_WAIT_SECONDS = 15.0
_IDLE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Limits:
    """How many connections a process may have, and how long a statement may take."""

    connections: int = 10
    statement_timeout_seconds: float = 300.0


class Address:
    """Where a server is. As text it is without the password, for messages."""

    def __init__(self, url: str) -> None:
        try:
            parts = conninfo_to_dict(url)
        except psycopg.ProgrammingError as wrong:
            raise InvalidInput(f"location: {str(wrong).strip().splitlines()[0]}") from None
        self.url = url
        host, name = parts.get("host") or "localhost", parts.get("dbname") or parts.get("user") or ""
        self._shown = f"postgresql://{host}{':' + str(parts['port']) if 'port' in parts else ''}/{name}"
        self._parts = parts

    def __str__(self) -> str:
        return self._shown

    def dsn(self, limits: Limits) -> str:
        """As psycopg takes it, with what every connection of ours is set to."""
        settings = {
            "search_path": f"{SCHEMA},public",
            "statement_timeout": f"{int(limits.statement_timeout_seconds * 1000)}",
            "hnsw.iterative_scan": "relaxed_order",
            "hnsw.ef_search": "120",
            "hnsw.max_scan_tuples": "40000",
            "jit": "off",
            "application_name": "remanence",
        }
        options = "".join(f" -c {name}={value}" for name, value in settings.items())
        given: dict[str, Any] = {"connect_timeout": 10, "keepalives_idle": 30, "client_encoding": "utf8"}
        given |= self._parts
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
            timeout=_WAIT_SECONDS,
            max_idle=_IDLE_SECONDS,
            num_workers=1,
            open=False,
            kwargs={"autocommit": True},
            configure=_prepared,
            connection_class=psycopg.Connection,
        )

    def open(self) -> None:
        """Try the address once, so that what is wrong with it is said at once; then let others use it."""
        self.try_it()
        self._pool.open()

    def take(self) -> Raw:
        try:
            return self._pool.getconn()
        except PoolTimeout:
            self.try_it()  # the server may be away, and not all connections in use
            raise

    def try_it(self) -> None:
        """Connect once, to say what is wrong with the address or the server."""
        try:
            with psycopg.connect(self._dsn, autocommit=True, connect_timeout=10) as raw:
                raw.execute("SELECT 1")
        except faults.EVERY as error:
            raise faults.at_the_door(error, str(self.address)) from None

    def give_back(self, raw: Raw) -> None:
        self._pool.putconn(raw)

    @contextmanager
    def alone(self) -> Iterator[Raw]:
        """A connection of one's own, for what must not be in a transaction, or must outlast a timeout."""
        with psycopg.connect(self._dsn, autocommit=True) as raw:
            yield raw

    def connected(self) -> Raw:
        """A connection that the caller closes."""
        return psycopg.connect(self._dsn, autocommit=True)

    @contextmanager
    def borrowed(self) -> Iterator[Raw]:
        """One of the shared connections; once more with another, where it was dead before anything was done."""
        raw = self.take()
        try:
            if not raw.broken:
                raw.execute("SELECT 1")
        except faults.EVERY:
            self.give_back(raw)
            raw = self.take()
        try:
            yield raw
        finally:
            self.give_back(raw)

    def close(self) -> None:
        self._pool.close(timeout=5.0)


def _prepared(raw: psycopg.Connection[Any]) -> None:
    prepare(raw)


_guard = threading.Lock()
_pools: dict[tuple[str, Limits, int], Pool] = {}


def join(address: Address, limits: Limits) -> Pool:
    """The pool for an address, opened where it is new."""
    of = (address.url, limits, os.getpid())
    with _guard:
        pool = _pools.get(of)
        if pool is None:
            pool = Pool(address, limits)
            pool.open()
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
