"""Kin in PostgreSQL: a row for each live memory with its places, found by an index of arrays.

A place is a digest of the shelf and a word under the namespace's key, so the index leads to the memories of one shelf
alone, and tells nobody else which words they hold. In a
shelf full of one template, where even the first row of places is met over 4,096 times, those who share most are
compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b

from remanence.model.words import tokens_of
from remanence.store.sql.connection import Connection
from remanence.store.sql.kin import (
    MOST_AT_ONCE,
    MOST_MET,
    MOST_SIMILAR,
    SIMILAR,
    VERSION,
    Kin,
    lengths,
    tokens_at,
    weighed,
    whole,
)

_NEWEST = "SELECT substr(text, 1, 2000) FROM memories WHERE /*here*/ true ORDER BY no DESC LIMIT 400"
_ADD = (
    "INSERT INTO kin VALUES(/*?,*/ ?,?,?,?::bigint[],?::bigint[]) ON CONFLICT(space, no) DO UPDATE SET "
    "shelf = excluded.shelf, size = excluded.size, front = excluded.front, back = excluded.back"
)
_DROP = "DELETE FROM kin WHERE /*here*/ no = ?"
# A planner that sees the array counts each place as if many had it, and would rather read the whole namespace.
_ASKED = "(SELECT ?1::bigint[])"
_SHARED = "(SELECT count(*) FROM unnest({}) p WHERE p = ANY(?1::bigint[]))"
_FRONT = (
    f"SELECT no, size, {_SHARED.format('front')} AS shared FROM kin WHERE /*here*/ front && {_ASKED} "
    "AND size BETWEEN ?2 AND ?3 ORDER BY shared DESC, no DESC LIMIT ?4"
)
_BOTH = (
    f"SELECT no, size, {_SHARED.format('front || back')} AS shared FROM kin "
    f"WHERE /*here*/ (front && {_ASKED} OR back && {_ASKED}) AND size BETWEEN ?2 AND ?3 LIMIT ?4"
)


class ArrayKin(Kin):
    """The index of one namespace."""

    def __init__(self, key: Callable[[], bytes]) -> None:
        super().__init__()
        self._key = key
        self._place = lru_cache(maxsize=1 << 15)(self._digest)

    def _digest(self, shelf: int, token: int) -> int:
        said = b"%d %d" % (shelf, token)
        return int.from_bytes(blake2b(said, key=self._key(), digest_size=8).digest(), signed=True)

    def _placed(self, shelf: int, tokens: Iterable[int]) -> list[int]:
        return [self._place(shelf, token) for token in sorted(tokens)]

    def found(self, row: tuple[int, list[int], list[int]], shelf: int, text: str) -> list[tuple[int, int, int, int]]:
        """A row of a memory as `complete` takes it; a place that is none of its words' is in no shelf."""
        size, *both = row
        token_at = {self._place(shelf, token): token for token in (*tokens_at(tokens_of(text)), whole(text))}
        return [
            (shelf if at in token_at else -1, size, side, token_at.get(at, at))
            for side, places in enumerate(both)
            for at in places
        ]

    def sample(self, connection: Connection) -> Iterator[str]:
        return (text for (text,) in connection.execute(_NEWEST))

    def enter(self, connection: Connection, shelf: int, no: int, text: str) -> None:
        size, front, back = self.places(connection, text)
        connection.execute(_ADD, (no, shelf, size, self._placed(shelf, front), self._placed(shelf, back)))

    def leave(self, connection: Connection, shelf: int, no: int) -> None:
        connection.execute(_DROP, (no,))

    def strike(self, connection: Connection, shelf: int, no: int, text: str) -> None:
        connection.execute(_DROP, (no,))

    def candidates(self, connection: Connection, shelf: int, text: str, tokens: frozenset[str]) -> list[int]:
        places = [*tokens_at(tokens), whole(text)]
        asked, size = self._placed(shelf, set(places)), len(tokens)
        met = connection.execute(_BOTH, (asked, *lengths(size, SIMILAR), MOST_MET)).fetchall()
        crowded = sum(shared for _, _, shared in met) >= MOST_MET
        if crowded:
            met = connection.execute(_FRONT, (asked, *lengths(size, VERSION), MOST_AT_ONCE)).fetchall()
            if sum(shared for _, _, shared in met) >= MOST_AT_ONCE:
                return [no for no, _, _ in met[:MOST_SIMILAR]]
        there = Counter({(no, other): shared for no, other, shared in met})
        return weighed(there, (), places, crowded=crowded)
