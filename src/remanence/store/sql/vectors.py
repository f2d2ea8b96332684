"""Writing vectors: each in the precision its retention earns, with its model and a hash, in its memory's transaction.

A memory without a vector waits for one. How the bytes of a vector are kept, and who is told of it, each database says.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from remanence.store.protocol import Embedded
from remanence.store.sql import rows
from remanence.store.sql.connection import Connection, Engine
from remanence.store.sql.shelves import Shelves

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FINEST, COARSEST = 32, 2
EMBED, JUDGE, PUT_OFF = 1, 2, 2
"""What a memory waits for: a vector, or a vector and then its surprise; both plus PUT_OFF once it could not be had."""
_ADD = (
    "INSERT INTO meanings(space, no, shelf, state, waits, model, bits, signs, hash, fades_at) "
    "VALUES(?,?,?,?,?,?,?,?,?,?)"
)
_SET = "UPDATE meanings SET waits=?, model=?, bits=?, signs=?, hash=?, fades_at=? WHERE space=? AND no=?"
_RECODED = "UPDATE meanings SET bits=?, hash=? WHERE space=? AND no=?"


def hash_of(no: int, model: int, bits: int, code: bytes) -> bytes:
    """Eight bytes over a vector as it is kept."""
    return blake2b(b"%d %d %d " % (no, model, bits) + code, digest_size=8).digest()


class Vectors:
    """The vectors of one namespace, written inside a transaction."""

    def __init__(self, engine: Engine, shelves: Shelves) -> None:
        self._engine = engine
        self._shelves = shelves
        self._generation = engine.generation
        self._models: dict[tuple[str, int], int] = {}

    # -- what a database does in its own way

    def keep(self, connection: Connection, no: int, model: int, bits: int, code: bytes, *, replaces: bool) -> None:
        """Keep a code of a model in so many bits, in the place of one that is held."""
        raise NotImplementedError

    def drop(self, connection: Connection, no: int) -> None:
        """Keep nothing of a memory any more."""
        raise NotImplementedError

    def codes(self, connection: Connection, nos: Sequence[int]) -> list[tuple[int, int, int, bytes, int]]:
        """(number, model, bits, code, dimension) of those of these rows that have a vector, in this order."""
        raise NotImplementedError

    def entered(
        self, no: int, shelf: int, state: int, model: int, bits: int, signs: bytes, vector: NDArray[np.float32]
    ) -> None:
        """A new memory was written with its vector."""

    def changed(self, connection: Connection, no: int) -> None:
        """A meaning changed after it was first written."""

    # -- what all do alike

    def forget(self) -> None:
        """Drop the numbers of models: others wrote meanwhile, or they were given inside what was rolled back."""
        self._models.clear()
        self._generation = self._engine.generation

    def model(self, connection: Connection, name: str, dimension: int) -> int | None:
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

    def _model(self, connection: Connection, name: str, dimension: int) -> int:
        known = self.model(connection, name, dimension)
        if known is None:
            add = "INSERT INTO models(name, dimension) VALUES(?,?) ON CONFLICT DO NOTHING"
            connection.execute(add, (name, dimension))
            known = self.model(connection, name, dimension)  # where another namespace was first, its number
            assert known is not None
        return known

    def enter(
        self,
        connection: Connection,
        no: int,
        shelf: int,
        state: int,
        embedded: Embedded | None,
        fades_at: int,
        waits: int,
    ) -> None:
        """A new memory's meaning: its vector, or that it waits for one."""
        if embedded is None:
            self._engine.wanted()
            connection.execute(_ADD, (self._shelves.space, no, shelf, state, waits, None, None, None, None, None))
            return
        from remanence.index import codecs

        bits, vector = FINEST if state == rows.LIVE else COARSEST, embedded.vector
        model = self._model(connection, embedded.model, len(vector))
        code, signs = codecs.encode_one(vector, bits), codecs.signs_of_one(vector)
        self.keep(connection, no, model, bits, code, replaces=False)
        said = (model, bits, signs, hash_of(no, model, bits, code))
        connection.execute(_ADD, (self._shelves.space, no, shelf, state, 0, *said, fades_at))
        self.entered(no, shelf, state, model, bits, signs, vector)

    def place(
        self,
        connection: Connection,
        no: int,
        name: str | None,
        dimension: int | None,
        bits: int | None,
        code: bytes | None,
        waits: int,
        fades_at: int | None,
    ) -> None:
        """Give a memory that is there the vector another store kept for it, as it is, or none."""
        self.drop(connection, no)
        if name is None or dimension is None or bits is None or code is None:
            connection.execute(_SET, (waits or EMBED, None, None, None, None, None, self._space, no))
        else:
            from remanence.index import codecs

            model = self._model(connection, name, dimension)
            signs = codecs.signs_of_one(codecs.decode([code], bits, dimension)[0])
            said = (waits, model, bits, signs, hash_of(no, model, bits, code), fades_at)
            connection.execute(_SET, (*said, self._space, no))
            self.keep(connection, no, model, bits, code, replaces=False)
        self.changed(connection, no)

    def put(
        self,
        connection: Connection,
        nos: Sequence[int],
        embedded: Sequence[Embedded],
        live: Sequence[bool],
        held: Sequence[bool],
    ) -> list[tuple[int, int, bytes, bytes]]:
        """Give memories that are there their vectors, all of one model, in the place of those that are held.

        What their meanings say now: model, bits, signs, hash.
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
            self.changed(connection, no)
        return kept

    def move(self, connection: Connection, no: int, state: int) -> None:
        """A memory changed its state: soon its precision is looked at again."""
        connection.execute(
            "UPDATE meanings SET state=?, fades_at = CASE WHEN model IS NOT NULL THEN 0 END WHERE space=? AND no=?",
            (state, self._shelves.space, no),
        )
        self.changed(connection, no)

    def strike(self, connection: Connection, no: int) -> None:
        """A memory was purged."""
        self.drop(connection, no)
        connection.execute("DELETE FROM meanings WHERE space=? AND no=?", (self._shelves.space, no))
        self.changed(connection, no)

    def recode(self, connection: Connection, nos: Sequence[int], bits: int) -> None:
        """Keep these vectors, which are finer, in so many bits."""
        from remanence.index import codecs

        alike: dict[tuple[int, int], list[tuple[int, int, bytes]]] = {}
        for no, model, had, code, dimension in self.codes(connection, nos):
            if len(code) == codecs.code_bytes(had, dimension):  # what is damaged is left for the check to find
                alike.setdefault((had, dimension), []).append((no, model, code))
        for (had, dimension), found in alike.items():
            coarse = codecs.recode([code for _, _, code in found], had, bits, dimension)
            for (no, model, _), code in zip(found, coarse, strict=True):
                self.keep(connection, no, model, bits, code, replaces=True)
                connection.execute(_RECODED, (bits, hash_of(no, model, bits, code), self._space, no))
                self.changed(connection, no)

    @property
    def _space(self) -> int:
        return self._shelves.space

    def _kept(
        self,
        connection: Connection,
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
        for no, precision, code, replaces in zip(nos, bits, codes, held, strict=True):
            self.keep(connection, no, model, precision, code, replaces=replaces)
        return [
            (model, precision, signs, hash_of(no, model, precision, code))
            for no, precision, code, signs in zip(
                nos, bits, codes, codecs.signs_bytes(codecs.signs(vectors)), strict=True
            )
        ]
