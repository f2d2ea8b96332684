"""The meanings of a namespace, behind their protocol: who waits for a vector, who is near, whose precision is due.

Apart from the store because it needs numpy.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

import apsw
import numpy as np
from numpy.typing import NDArray

from remanence.model.moment import NEVER, to_micros
from remanence.model.selection import Selection
from remanence.store.protocol import Alike, Embedded, Fading, Waiting
from remanence.store.sqlite import reading, rows
from remanence.store.sqlite.columns import Lives
from remanence.store.sqlite.engine import Engine
from remanence.store.sqlite.loading import Loader
from remanence.store.sqlite.nearest import Nearest
from remanence.store.sqlite.shelves import Shelves
from remanence.store.sqlite.vectors import JUDGE, Vectors

Numbers = NDArray[np.int64]
_SPAN = f"fades_at >> {rows.SPAN}"
_WAITING = (
    "SELECT m.id, m.text, e.waits FROM meanings e INDEXED BY meanings_waiting JOIN memories m ON m.no = e.no "
    "WHERE e.space=? AND e.waits > 0 ORDER BY e.no LIMIT ?"
)
_OUTDATED = (
    "SELECT m.id, m.text FROM meanings e JOIN memories m ON m.no = e.no "
    "WHERE e.space=? AND e.no > ? AND e.waits = 0 AND e.model IS NOT NULL "
    "AND e.model NOT IN (SELECT no FROM models WHERE name=?) ORDER BY e.no LIMIT ?"
)
_MODELS = (
    "SELECT o.name, count(*) FROM meanings e JOIN models o ON o.no = e.model WHERE e.space=? GROUP BY o.name ORDER BY 1"
)
_FADING = (
    "SELECT no, coalesce(bits, 0) FROM meanings INDEXED BY meanings_fading "
    f"WHERE space=? AND {_SPAN} <= ? AND fades_at <= ? ORDER BY {_SPAN}, no LIMIT ?"
)
_COMPARED = (
    "SELECT l.no, l.shelf, coalesce(e.model, 0), coalesce(e.bits, 0) FROM lives l JOIN memories m ON m.no = l.no "
    "LEFT JOIN meanings e ON e.space = l.space AND e.no = l.no WHERE {} ORDER BY l.created_at DESC, m.id DESC"
)
_LEAST_BITS = 8
_AT_ONCE = 2000


class SqliteMeanings:
    """The vectors of one namespace."""

    def __init__(
        self,
        engine: Engine,
        shelves: Shelves,
        loader: Loader,
        lives: Lives,
        vectors: Vectors,
        nearest: Nearest,
        transaction: Callable[[], AbstractContextManager[apsw.Connection]],
    ) -> None:
        self._engine = engine
        self._shelves = shelves
        self._loader = loader
        self._lives = lives
        self._vectors = vectors
        self._nearest = nearest
        self._transaction = transaction

    def put(self, id: str, embedded: Embedded) -> bool:
        """Give a memory its vector; False when the memory is gone."""
        with self._transaction() as connection:
            no = self._loader.number(id)
            if no is None:
                return False
            state = connection.execute("SELECT state FROM lives WHERE no=?", (no,)).get
            self._vectors.put(connection, no, embedded, live=state == rows.LIVE)
        return True

    def waiting(self, size: int) -> list[Waiting]:
        """The memories that wait to be embedded, in the order of writing."""
        with self._engine.read() as connection:
            return [
                Waiting(rows.id_text(raw), text, waits == JUDGE)
                for raw, text, waits in connection.execute(_WAITING, (self._shelves.space, size))
            ]

    def waiting_count(self) -> int:
        count = "SELECT count(*) FROM meanings INDEXED BY meanings_waiting WHERE space=? AND waits > 0"
        with self._engine.read() as connection:
            return int(connection.execute(count, (self._shelves.space,)).get)

    def outdated(self, model: str, size: int, after: str | None = None) -> list[Waiting]:
        """Memories whose vector another model made, in the order of writing, after this one."""
        last = 0 if after is None else self._loader.number(after) or 0
        with self._engine.read() as connection:
            return [
                Waiting(rows.id_text(raw), text, False)
                for raw, text in connection.execute(_OUTDATED, (self._shelves.space, last, model, size))
            ]

    def models(self) -> Mapping[str, int]:
        """How many vectors each model made."""
        with self._engine.read() as connection:
            return dict(connection.execute(_MODELS, (self._shelves.space,)))

    def neighbours(self, embedded: Embedded, number: int, but: str | None = None) -> list[tuple[str, float]]:
        """The nearest live memories with their cosines, nearest first, found quickly rather than with certainty."""
        excluded = None if but is None else self._loader.number(but)
        dimension = len(embedded.vector)
        with self._engine.read() as connection:
            matrix = self._nearest.matrix(connection, embedded.model, dimension)
            if matrix is None:
                return []
            nos, near = matrix.nearest(
                embedded.vector,
                number + 1,
                states=(rows.LIVE,),
                fetch=self._nearest.reader(connection, dimension),
                few=True,
            )
        found = [(int(no), float(cosine)) for no, cosine in zip(nos, near, strict=True) if no != excluded][:number]
        return list(zip(self._loader.ids([no for no, _ in found]), (cosine for _, cosine in found), strict=True))

    def of(self, ids: Iterable[str], model: str) -> dict[str, NDArray[np.float32]]:
        """The vectors of those of these memories that have one of this model."""
        from remanence.index import codecs

        numbers = {no: id for id in ids if (no := self._loader.number(id)) is not None}
        with self._engine.read() as connection:
            named = {no for (no,) in connection.execute("SELECT no FROM models WHERE name=?", (model,))}
            found = self._vectors.codes(connection, list(numbers))
        return {
            numbers[no]: codecs.decode([code], bits, dimension)[0]
            for no, made_by, bits, code, dimension in found
            if made_by in named and len(code) == codecs.code_bytes(bits, dimension)
        }

    def likeness(self, rows: Sequence[int], embedded: Embedded) -> NDArray[np.float32]:
        """The cosine of every two of these rows by their vectors of this model; NaN where one has none."""
        dimension = len(embedded.vector)
        with self._engine.read() as connection:
            matrix = self._nearest.matrix(connection, embedded.model, dimension)
            if matrix is None:
                return np.full((len(rows), len(rows)), np.nan, dtype=np.float32)
            found = matrix.vectors(np.array(rows, dtype=np.int64), self._nearest.reader(connection, dimension))
        return found @ found.T

    def alike(self, model: str, selection: Selection, threshold: float, most_each: int) -> Alike:
        """Which memories of a selection are alike by their vectors of this model, in 8 bits or more.

        A row is given at most `most_each` newer partners. The vectors are held for as long as the answer is.
        """
        from remanence.index.pairs import similar_pairs

        condition, values = reading.where(selection, self._shelves.space)
        with self._engine.read() as connection:
            named = dict(connection.execute("SELECT no, dimension FROM models WHERE name=?", (model,)))
            found = connection.execute(_COMPARED.format(condition), values).fetchall()
        nos, shelves, made_by, bits = np.array(found, dtype=np.int64).reshape(-1, 4).T.copy()
        # One name may stand for several dimensions: the most common is this model's.
        number = max(named, key=lambda no: (np.count_nonzero(made_by == no), no), default=-1)
        ours = made_by == number
        fine = np.flatnonzero(ours & (bits >= _LEAST_BITS))
        vectors, whole = self._decoded(nos[fine], number, named.get(number, 1))
        nos, shelves = nos[fine[whole]], shelves[fine[whole]]
        left_out = {
            "waiting": int(np.count_nonzero(made_by == 0)),
            "other model": int(np.count_nonzero((made_by != 0) & ~ours)),
            "coarse": int(np.count_nonzero(ours & (bits < _LEAST_BITS))),
            "damaged": len(fine) - len(nos),
        }

        def pairs(ranks: Numbers, groups: Numbers | None) -> tuple[Numbers, Numbers, NDArray[np.float32]]:
            within = shelves[ranks]
            if groups is not None:
                within = np.unique(np.stack((within, groups)), axis=1, return_inverse=True)[1].ravel()
            held = vectors if len(ranks) == len(vectors) else vectors[ranks]
            newer, older, cosines = similar_pairs(held, threshold, groups=within, most_each=most_each)
            return ranks[newer], ranks[older], cosines

        return Alike(nos, pairs, left_out)

    def _decoded(self, nos: Numbers, model: int, dimension: int) -> tuple[NDArray[np.float32], Numbers]:
        """The vectors of those of these rows that have a whole one of this model in enough bits, and their places."""
        from remanence.index import codecs

        vectors = np.empty((len(nos), dimension), dtype=np.float32)
        whole = np.zeros(len(nos), dtype=bool)
        places = {no: place for place, no in enumerate(nos.tolist())}
        for start in range(0, len(nos), _AT_ONCE):
            with self._engine.read() as connection:
                codes = self._vectors.codes(connection, nos[start : start + _AT_ONCE].tolist())
            for bits in codecs.BITS:
                size = codecs.code_bytes(bits, dimension)
                some = [
                    (places[no], code) for no, by, had, code, _ in codes if (by, had, len(code)) == (model, bits, size)
                ]
                if some and bits >= _LEAST_BITS:
                    at = [place for place, _ in some]
                    vectors[at] = codecs.decode([code for _, code in some], bits, dimension)
                    whole[at] = True
        kept = np.flatnonzero(whole)
        return vectors if len(kept) == len(nos) else vectors[kept], kept

    def fading(self, at: datetime, size: int) -> Fading | None:
        """The next rows whose precision is to be looked at; None when there are none."""
        moment = to_micros(at)
        with self._engine.read() as connection:
            found = connection.execute(_FADING, (self._shelves.space, moment >> rows.SPAN, moment, size)).fetchall()
        if not found:
            return None
        had = dict(found)
        columns = self._lives.read("l.no IN (SELECT value FROM json_each(?))", (json.dumps(list(had)),))
        return Fading(columns, np.array([had[no] for no in columns.rows.tolist()], dtype=np.int8))

    def fade(self, fading: Fading, bits: NDArray[np.int8], fades_at: NDArray[np.int64]) -> int:
        """Give each row its precision and the date to look at it again; how many vectors became coarser.

        One that is to be finer than it is waits to be embedded anew; until then it is as it was.
        """
        changed = 0
        space = self._shelves.space
        with self._transaction() as connection:
            for wanted in set(bits.tolist()):
                coarser = fading.columns.rows[(bits == wanted) & (fading.bits > wanted)]
                changed += len(coarser)
                self._vectors.recode(connection, coarser.tolist(), wanted)
            finer = fading.columns.rows[bits > fading.bits]
            waits = "UPDATE meanings SET waits = 1 WHERE space=? AND no=? AND waits = 0"
            connection.executemany(waits, [(space, no) for no in finer.tolist()])
            dates = [None if date == NEVER else date for date in fades_at.tolist()]
            connection.executemany(
                "UPDATE meanings SET fades_at=? WHERE space=? AND no=?",
                [(date, space, no) for date, no in zip(dates, fading.columns.rows.tolist(), strict=True)],
            )
        return changed
