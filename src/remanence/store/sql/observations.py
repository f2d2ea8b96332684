"""The rows of what was observed, and which of what is told is new.

Two ways may tell of one session, a host's hook and its transcript. What has a key that is known was told before. What
says the same (role, text and call, by a digest) as something told by other ways, and not by this one yet, is that: each
way tells everything once, so the first "yes" of one way is the first "yes" of the other. All else is new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

from remanence.errors import InvalidInput
from remanence.model.moment import from_micros, to_micros
from remanence.model.session import ROLES, Observation
from remanence.store.sql.connection import Connection

SEQ_BITS = 32
LAST = (1 << SEQ_BITS) - 1
"""The last place there can be in a session."""
_DIGEST_BYTES = 16
_ROLE_NUMBER = {role: number for number, role in enumerate(ROLES)}
_COLUMNS = f"place & {LAST}, at, role, failed, tool, call, text"
_PAGE = f"SELECT {_COLUMNS} FROM observations WHERE /*here*/ place > ? AND place <= ? ORDER BY place LIMIT ?"
_KNOWN = "SELECT seq FROM observation_keys WHERE /*here*/ session=? AND key=?"
_UNTOLD = (
    "SELECT seq FROM tellings WHERE /*here*/ session=? AND digest=? "
    "GROUP BY seq HAVING max(CASE WHEN via = ? THEN 1 ELSE 0 END) = 0 ORDER BY seq"
)
_IS_THERE = "SELECT 1 FROM observations WHERE /*here*/ place=?"


def first_place(session: int) -> int:
    """The place before the first observation of a session; the last of them is `last_place`."""
    return session << SEQ_BITS


def last_place(session: int) -> int:
    return first_place(session) | LAST


def pages(read: Callable[[str, Sequence[Any]], list[Any]], session: int, after: int, size: int) -> Iterator[list[Any]]:
    """The observations of a session after a place in it, in order, a page at a time."""
    place = first_place(session) + max(after, 0)
    while found := read(_PAGE, (place, last_place(session), size)):
        yield [_observation(row) for row in found]
        place = first_place(session) + found[-1][0]


def _observation(row: tuple[Any, ...]) -> Observation:
    seq, at, role, failed, tool, call, text = row
    return Observation(
        role=ROLES[role], text=text, at=from_micros(at), tool=tool, call=call, failed=bool(failed), seq=seq
    )


class Telling:
    """What one way tells of a session, one observation after the other; written by `write`."""

    def __init__(self, connection: Connection, session: int, last: int, via: str) -> None:
        self._connection = connection
        self._session = session
        self._via = via
        self.last = self._known_to = last
        self._untold: dict[bytes, dict[int, None]] = {}
        self._rows: list[tuple[Any, ...]] = []
        self._keys: dict[bytes, int] = {}
        self._told: list[tuple[Any, ...]] = []

    def add(self, one: Observation) -> bool:
        """Whether it is new."""
        if one.role not in _ROLE_NUMBER:
            raise InvalidInput(f"role {one.role!r} must be one of {', '.join(ROLES)}")
        digest = _digest(one.role, one.text, one.call)
        key = None if one.key is None else _digest(one.key)
        untold = self._untold_of(digest)
        seq = None if key is None else self._keyed(key)
        if seq is not None:
            untold.pop(seq, None)
            if not self._is_there(seq):
                return False
        else:
            seq = next(iter(untold), None)
            if seq is not None:
                del untold[seq]
            if key is not None:
                self._keys[key] = self.last + 1 if seq is None else seq
        self._told.append((self._session, digest, self.last + 1 if seq is None else seq, self._via))
        if seq is not None:
            return False
        self.last += 1
        at, role = to_micros(one.at), _ROLE_NUMBER[one.role]
        place = first_place(self._session) + self.last
        self._rows.append((place, at, role, int(one.failed), one.tool, one.call, one.text))
        return True

    def write(self) -> None:
        self._connection.executemany("INSERT INTO observations VALUES(/*?,*/ ?,?,?,?,?,?,?)", self._rows)
        self._connection.executemany("INSERT INTO tellings VALUES(/*?,*/ ?,?,?,?) ON CONFLICT DO NOTHING", self._told)
        keys = [(self._session, key, seq) for key, seq in self._keys.items()]
        self._connection.executemany("INSERT INTO observation_keys VALUES(/*?,*/ ?,?,?) ON CONFLICT DO NOTHING", keys)

    def _keyed(self, key: bytes) -> int | None:
        if key in self._keys:
            return self._keys[key]
        found: int | None = self._connection.execute(_KNOWN, (self._session, key)).get
        return found

    def _is_there(self, seq: int) -> bool:
        """Whether an observation was not let go: what is gone is told by nobody."""
        place = first_place(self._session) + seq
        return seq > self._known_to or self._connection.execute(_IS_THERE, (place,)).get is not None

    def _untold_of(self, digest: bytes) -> dict[int, None]:
        """What says the same and was told by other ways alone, in order."""
        if digest not in self._untold:
            found = self._connection.execute(_UNTOLD, (self._session, digest, self._via))
            self._untold[digest] = {seq: None for (seq,) in found}
        return self._untold[digest]


def _digest(*parts: str) -> bytes:
    digest = blake2b(digest_size=_DIGEST_BYTES)
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.digest()
