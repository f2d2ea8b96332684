"""Vectors in pgvector: whole in 32 bits a component; coarser ones as their codes, with their signs to be found by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from remanence.store.postgres.connection import Connection as PgConnection
from remanence.store.sql.connection import Connection
from remanence.store.sql.vectors import FINEST, Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KEEP = (
    "INSERT INTO vectors(space, no, model, dimension, whole, code, signs) VALUES(/*?,*/ ?,?,?,?,?,?::bit varying) "
    "ON CONFLICT(space, no) DO UPDATE SET model = excluded.model, dimension = excluded.dimension, "
    "whole = excluded.whole, code = excluded.code, signs = excluded.signs"
)
_DROP = "DELETE FROM vectors WHERE /*here*/ no = ?"
_CODES = (
    "SELECT v.no, v.model, e.bits, v.dimension, v.whole, v.code FROM vectors v "
    "JOIN meanings e ON /*e.here*/ e.no = v.no WHERE /*v.here*/ v.no = ANY(?::bigint[])"
)


class PgVectors(Vectors):
    """The vectors of one namespace."""

    def keep(self, connection: Connection, no: int, model: int, bits: int, code: bytes, *, replaces: bool) -> None:
        from remanence.index import codecs

        dimension = self._dimension(connection, model)
        if bits == FINEST:
            whole = codecs.decode([code], bits, dimension)[0]
            connection.execute(_KEEP, (no, model, dimension, whole, None, None))
            return
        signs = as_bits(codecs.decode([code], bits, dimension)[0])
        connection.execute(_KEEP, (no, model, dimension, None, code, signs))

    def _dimension(self, connection: Connection, model: int) -> int:
        for (_, dimension), number in self._models.items():
            if number == model:
                return dimension
        found = connection.execute("SELECT name, dimension FROM models WHERE no = ?", (model,)).get
        self._models[found] = model
        return int(found[1])

    def drop(self, connection: Connection, no: int) -> None:
        connection.execute(_DROP, (no,))

    def codes(self, connection: Connection, nos: Sequence[int]) -> list[tuple[int, int, int, bytes, int]]:
        assert isinstance(connection, PgConnection)
        fetched = connection.fetched
        found = {
            no: (no, model, bits, whole.to_numpy().astype("<f4").tobytes() if code is None else code, dimension)
            for no, model, bits, dimension, whole, code in fetched(_CODES, (list(nos),))
            if code is not None or whole is not None
        }
        return [found[no] for no in nos if no in found]


def as_bits(vector: NDArray[np.float32]) -> str:
    """The signs of a vector, as the server writes bits."""
    return "".join("1" if positive else "0" for positive in (vector > 0).tolist())
