"""The agenda in PostgreSQL: a row a namespace, taken with SKIP LOCKED, by the server's own clock.

Whoever leaves something to be done says so in the same transaction, and workers that wait are woken by NOTIFY. What
failed comes again after twice the time, up to an hour.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psycopg

from remanence.errors import StoreError
from remanence.store.agenda import Turn
from remanence.store.postgres import faults, migrations
from remanence.store.postgres.pool import Address, Limits, join, leave

CHANNEL = "remanence_work"
NOW = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
_FREE = f"(a.until IS NULL OR a.until < {NOW})"
_CHOSEN = "(%(only)s::text[] IS NULL OR a.space IN (SELECT s.no FROM spaces s WHERE s.name = ANY(%(only)s::text[])))"
_CLAIM = (
    f"UPDATE agenda SET holder = %(holder)s, token = token + 1, until = {NOW} + %(span)s, "
    f"served_from = {NOW} WHERE space = (SELECT a.space FROM agenda a WHERE a.next_at <= {NOW} AND {_FREE} "
    f"AND {_CHOSEN} ORDER BY a.served_at, a.next_at FOR UPDATE SKIP LOCKED LIMIT 1) "
    "RETURNING (SELECT s.name FROM spaces s WHERE s.no = agenda.space), token"
)
_MINE = "space = (SELECT s.no FROM spaces s WHERE s.name = %(namespace)s) AND holder = %(holder)s AND token = %(token)s"
_BEAT = f"UPDATE agenda SET until = {NOW} + %(span)s WHERE {_MINE}"
# In how long the next turn may be taken: when its time has come, and whoever holds it has not beaten.
_NEXT = f"SELECT min(greatest(a.next_at, a.until)) - {NOW} FROM agenda a WHERE {_CHOSEN}"
# What was wanted while it was served comes again at once, unless it failed.
_DONE = (
    f"UPDATE agenda SET holder = NULL, until = NULL, served_at = {NOW}, "
    "tries = CASE WHEN %(failed)s THEN tries + 1 ELSE 0 END, "
    f"next_at = CASE WHEN wanted_at >= served_from AND NOT %(failed)s THEN {NOW} ELSE {NOW} + "
    f"least(%(again)s * CASE WHEN %(failed)s THEN power(2, least(tries, 12)) ELSE 1 END, %(most)s)::bigint END "
    f"WHERE {_MINE}"
)
_MOST_MICROS = 400 * 86_400_000_000
_LEAST_WAIT = 0.5


class PgAgenda:
    """The agenda of one database."""

    def __init__(self, url: str, limits: Limits | None = None) -> None:
        self._pool = join(Address(url), limits or Limits())
        self._listening: psycopg.Connection[tuple[object, ...]] | None = None
        self._only: list[str] | None = None
        self._told, self._tell = os.pipe()
        try:
            with self._translated():
                migrations.bring_up_to_date(self._pool)
        except BaseException:
            self.close()
            raise

    def claim(self, holder: str, seconds: float, only: Sequence[str] | None = None) -> Turn | None:
        self._only = None if only is None else list(only)
        row = self._one(_CLAIM, {"holder": holder, "span": _micros(seconds), "only": self._only})
        return None if row is None else Turn(str(row[0]), holder, int(str(row[1])))

    def beat(self, turn: Turn, seconds: float) -> bool:
        """Keep the turn; False when another has it."""
        return self._changed(_BEAT, turn._asdict() | {"span": _micros(seconds)})

    def done(self, turn: Turn, again_in: float, *, failed: bool = False) -> None:
        """Come again after so many seconds."""
        asked = {"again": _micros(again_in), "failed": failed, "most": _micros(3600) if failed else _MOST_MICROS}
        self._changed(_DONE, turn._asdict() | asked)

    def wait(self, seconds: float) -> None:
        """Until something is wanted, a turn may be taken, the time is up, or `stop`."""
        with suppress(StoreError, *faults.EVERY):
            if self._listening is None:
                self._listening = self._pool.connected()
                self._listening.execute(f"LISTEN {CHANNEL}")
                return  # what was wanted before is to be looked for
            row = self._one(_NEXT, {"only": self._only})
            if row is not None and row[0] is not None:
                seconds = min(seconds, max(int(str(row[0])) / 1_000_000, _LEAST_WAIT))
            ready, _, _ = select.select([self._listening.fileno(), self._told], [], [], seconds)
            if self._listening.fileno() in ready:
                for _ in self._listening.notifies(timeout=0):
                    pass
            return
        if self._listening is not None:
            self._listening.close()
            self._listening = None
        select.select([self._told], [], [], min(seconds, 5.0))

    def stop(self) -> None:
        os.write(self._tell, b".")

    def close(self) -> None:
        if self._listening is not None:
            self._listening.close()
        leave(self._pool)
        os.close(self._told)
        os.close(self._tell)

    def _one(self, sql: str, values: dict[str, object]) -> tuple[object, ...] | None:
        with self._translated(), self._pool.borrowed() as raw:
            return raw.execute(sql, values).fetchone()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except faults.EVERY as error:
            raise (faults.in_our_words(error, str(self._pool.address)) or error) from None

    def _changed(self, sql: str, values: dict[str, object]) -> bool:
        return self._one(f"{sql} RETURNING 1", values) is not None


def _micros(seconds: float) -> int:
    return int(seconds * 1_000_000)
