"""Writing vectors: each in the precision its retention earns, with its model and a hash, in its memory's transaction.

A memory without a vector waits for one. Which meanings changed after they were first written stands in `meaning_news`,
so that a process which holds them in memory can follow.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol

import apsw

from remanence.store.protocol import Embedded
from remanence.store.sqlite import rows
from remanence.store.sqlite.engine import Engine
from remanence.store.sqlite.shelves import Shelves

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PART = 768
# Room for the parts of 8,192 numbers in 32 bits, the most that can be encoded: 43.
_PARTS = 64
FINEST, COARSEST = 32, 2
EMBED, JUDGE, PUT_OFF = 1, 2, 2
"""What a memory waits for: a vector, or a vector and then its surprise; both plus PUT_OFF once it could not be had."""
_NEWS_KEPT = 8_192
_ADD = (
    "INSERT INTO meanings(space, no, shelf, state, waits, model, bits, signs, hash, fades_at) "
    "VALUES(?,?,?,?,?,?,?,?,?,?)"
)
_SET = "UPDATE meanings SET waits=?, model=?, bits=?, signs=?, hash=?, fades_at=? WHERE space=? AND no=?"
_RECODED = "UPDATE meanings SET bits=?, hash=? WHERE space=? AND no=?"
_NEWS = "INSERT INTO meaning_news(space, no) VALUES(?,?)"
_KEEP = "INSERT OR REPLACE INTO vectors(at, code) VALUES(?,?)"
DROP = "DELETE FROM vectors WHERE at BETWEEN ? AND ?"
_CODES = (
    "SELECT e.no, e.model, e.bits, o.dimension, v.code FROM json_each(?) j "
    "CROSS JOIN meanings e ON e.space = ? AND e.no = j.value CROSS JOIN models o ON o.no = e.model "
    f"LEFT JOIN vectors v ON v.at BETWEEN {_PARTS} * e.no AND {_PARTS} * e.no + {_PARTS - 1}"
)


def hash_of(no: int, model: int, bits: int, code: bytes) -> bytes:
    """Eight bytes over a vector as it is kept."""
    return blake2b(b"%d %d %d " % (no, model, bits) + code, digest_size=8).digest()


def parts_of(no: int) -> tuple[int, int]:
    """Where the first and the last part of a memory's vector may stand."""
    return _PARTS * no, _PARTS * no + _PARTS - 1


class Follower(Protocol):
    """Who holds meanings in memory, and is told what this process writes."""

    def entered(
        self, no: int, shelf: int, state: int, model: int, bits: int, signs: bytes, vector: NDArray[np.float32]
    ) -> None:
        """This row was written, behind all others."""
        ...

    def behind(self) -> None:
        """Something else was written, or may have been: look at the file before the next search."""
        ...


class Vectors:
    """The vectors of one namespace, written inside a transaction."""

    def __init__(self, engine: Engine, shelves: Shelves) -> None:
        self._engine = engine
        self._shelves = shelves
        self._generation = engine.generation
        self._models: dict[tuple[str, int], int] = {}
        self.follower: Follower | None = None

    def forget(self) -> None:
        """Drop the numbers of models: others wrote meanwhile, or they were given inside what was rolled back."""
        self._models.clear()
        self._generation = self._engine.generation
        if self.follower is not None:
            self.follower.behind()

    def model(self, connection: apsw.Connection, name: str, dimension: int) -> int | None:
        """The number of a model, where it has made a vector before."""
        if self._generation != self._engine.generation:
            self.forget()
        known = self._models.get((name, dimension))
        if known is None:
            find = "SELECT no FROM models WHERE name=? AND dimension=?"
            known = connection.execute(find, (name, dimension)).get
            if known is not None:
                self._models[name, dimension] = known
        return known

    def _model(self, connection: apsw.Connection, name: str, dimension: int) -> int:
        known = self.model(connection, name, dimension)
        if known is None:
            connection.execute("INSERT INTO models(name, dimension) VALUES(?,?)", (name, dimension))
            known = self._models[name, dimension] = connection.last_insert_rowid()
        return known

    def enter(
        self,
        connection: apsw.Connection,
        no: int,
        shelf: int,
        state: int,
        embedded: Embedded | None,
        fades_at: int,
        waits: int,
    ) -> None:
        """A new memory's meaning: its vector, or that it waits for one."""
        if embedded is None:
            connection.execute(_ADD, (self._shelves.space, no, shelf, state, waits, None, None, None, None, None))
            return
        from remanence.index import codecs

        bits, vector = FINEST if state == rows.LIVE else COARSEST, embedded.vector
        model = self._model(connection, embedded.model, len(vector))
        code, signs = codecs.encode_one(vector, bits), codecs.signs_of_one(vector)
        self._write(connection, no, code, replaces=False)
        said = (model, bits, signs, hash_of(no, model, bits, code))
        connection.execute(_ADD, (self._shelves.space, no, shelf, state, 0, *said, fades_at))
        if self.follower is not None:
            self.follower.entered(no, shelf, state, model, bits, signs, vector)

    def put(
        self,
        connection: apsw.Connection,
        nos: Sequence[int],
        embedded: Sequence[Embedded],
        live: Sequence[bool],
        held: Sequence[bool],
    ) -> list[tuple[int, int, bytes, bytes]]:
        """Give memories that are there their vectors, all of one model, in the place of those that are held.

        What their meanings say now: model, bits, signs, hash. The last row written is the news of the last of them.
        """
        bits = [FINEST if lives else COARSEST for lives in live]
        kept = self._kept(connection, nos, embedded, bits, held)
        connection.executemany(
            _SET,
            [
                (0, *said, 0 if lives else None, self._space, no)
                for no, lives, said in zip(nos, live, kept, strict=True)
            ],
        )
        for no in nos:
            self._news(connection, no)
        return kept

    def move(self, connection: apsw.Connection, no: int, state: int) -> None:
        """A memory changed its state: soon its precision is looked at again."""
        connection.execute(
            "UPDATE meanings SET state=?, fades_at = CASE WHEN model IS NOT NULL THEN 0 END WHERE space=? AND no=?",
            (state, self._shelves.space, no),
        )
        self._news(connection, no)

    def strike(self, connection: apsw.Connection, no: int) -> None:
        """A memory was purged."""
        connection.execute(DROP, parts_of(no))
        connection.execute("DELETE FROM meanings WHERE space=? AND no=?", (self._shelves.space, no))
        self._news(connection, no)

    def recode(self, connection: apsw.Connection, nos: Sequence[int], bits: int) -> None:
        """Keep these vectors, which are finer, in so many bits."""
        from remanence.index import codecs

        alike: dict[tuple[int, int], list[tuple[int, int, bytes]]] = {}
        for no, model, had, code, dimension in self.codes(connection, nos):
            if len(code) == codecs.code_bytes(had, dimension):  # what is damaged is left for the check to find
                alike.setdefault((had, dimension), []).append((no, model, code))
        for (had, dimension), found in alike.items():
            coarse = codecs.recode([code for _, _, code in found], had, bits, dimension)
            for (no, model, _), code in zip(found, coarse, strict=True):
                self._write(connection, no, code, replaces=True)
                connection.execute(_RECODED, (bits, hash_of(no, model, bits, code), self._space, no))
                self._news(connection, no)

    @property
    def _space(self) -> int:
        return self._shelves.space

    def codes(self, connection: apsw.Connection, nos: Sequence[int]) -> list[tuple[int, int, int, bytes, int]]:
        """(number, model, bits, code, dimension) of those of these rows that have a vector."""
        found: list[tuple[int, int, int, bytes, int]] = []
        last, parts = None, [b""]
        for no, model, bits, dimension, code in connection.execute(_CODES, (json.dumps(nos), self._space)):
            code = code if isinstance(code, bytes) else b""
            if no == last:
                parts.append(code)
                found[-1] = (no, model, bits, b"".join(parts), dimension)
            else:
                last, parts = no, [code]
                found.append((no, model, bits, code, dimension))
        return found

    def _kept(
        self,
        connection: apsw.Connection,
        nos: Sequence[int],
        embedded: Sequence[Embedded],
        bits: Sequence[int],
        held: Sequence[bool],
    ) -> list[tuple[int, int, bytes, bytes]]:
        """Write vectors of one model; what their meanings say of them: model, bits, signs, hash."""
        import numpy as np

        from remanence.index import codecs

        vectors: NDArray[np.float32] = np.array([one.vector for one in embedded])
        model = self._model(connection, embedded[0].model, vectors.shape[1])
        codes = [b""] * len(nos)
        for wanted in set(bits):
            places = [place for place, precision in enumerate(bits) if precision == wanted]
            some = vectors if len(places) == len(nos) else vectors[places]
            for place, code in zip(places, codecs.encode(some, wanted), strict=True):
                codes[place] = code
        for no, code, replaces in zip(nos, codes, held, strict=True):
            self._write(connection, no, code, replaces=replaces)
        return [
            (model, precision, signs, hash_of(no, model, precision, code))
            for no, precision, code, signs in zip(
                nos, bits, codes, codecs.signs_bytes(codecs.signs(vectors)), strict=True
            )
        ]

    @staticmethod
    def _write(connection: apsw.Connection, no: int, code: bytes, *, replaces: bool) -> None:
        first, last = parts_of(no)
        if replaces:
            connection.execute(DROP, (first, last))
        connection.executemany(_KEEP, [(first + at // PART, code[at : at + PART]) for at in range(0, len(code), PART)])

    def _news(self, connection: apsw.Connection, no: int) -> None:
        if self.follower is not None:
            self.follower.behind()
        connection.execute(_NEWS, (self._space, no))
        if (last := connection.last_insert_rowid()) % 4096 == 0:
            connection.execute("DELETE FROM meaning_news WHERE seq <= ?", (last - _NEWS_KEPT,))
