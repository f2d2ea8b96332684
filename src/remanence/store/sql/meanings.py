"""The meanings of a namespace, behind their protocol: who waits for a vector, who is near, whose precision is due.

Apart from the store because it needs numpy.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence.model.moment import NEVER, to_micros
from remanence.model.selection import Selection
from remanence.store.protocol import Alike, Embedded, Fading, Waiting
from remanence.store.sql import rows, selecting
from remanence.store.sql.columns import Lives
from remanence.store.sql.connection import Connection, Engine, Transaction
from remanence.store.sql.loading import Loader
from remanence.store.sql.nearest import Nearest
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.vectors import FINEST, JUDGE, PUT_OFF, Vectors

Numbers = NDArray[np.int64]
_SPAN = f"fades_at >> {rows.SPAN}"
_WAITING = (
    "SELECT m.id, m.text, e.waits FROM meanings e INDEXED BY meanings_waiting "
    "JOIN memories m ON /*m.here*/ m.no = e.no "
    f"WHERE e.space=? AND e.waits > 0 AND (? OR e.waits <= {JUDGE}) ORDER BY e.no LIMIT ?"
)
_OTHERS = (
    "e.space=? AND e.waits = 0 AND e.model IS NOT NULL "
    "AND e.model NOT IN (SELECT no FROM models WHERE name=? AND dimension=?)"
)
_OUTDATED = (
    "SELECT m.id, m.text FROM meanings e JOIN memories m ON /*m.here*/ m.no = e.no "
    f"WHERE {_OTHERS} AND e.no > ? ORDER BY e.no LIMIT ?"
)
_STANDING = (
    f"SELECT m.id, m.no, l.state = {rows.LIVE}, e.model IS NOT NULL, l.shelf FROM memories m "
    "JOIN lives l ON /*l.here*/ l.no = m.no LEFT JOIN meanings e ON e.space = m.space AND e.no = m.no "
    "WHERE m.space=? AND m.id IN ({})"
)
_MODELS = (
    "SELECT o.name, count(*) FROM meanings e JOIN models o ON o.no = e.model WHERE e.space=? GROUP BY o.name ORDER BY 1"
)
_FADING = (
    "SELECT no, coalesce(bits, 0) FROM meanings INDEXED BY meanings_fading "
    f"WHERE space=? AND {_SPAN} <= ? AND fades_at <= ? ORDER BY {_SPAN}, no LIMIT ?"
)
_COMPARED = (
    "SELECT l.no, l.shelf, coalesce(e.model, 0), coalesce(e.bits, 0) FROM lives l "
    "JOIN memories m ON /*m.here*/ m.no = l.no LEFT JOIN meanings e ON e.space = l.space AND e.no = l.no "
    "WHERE {} ORDER BY l.created_at DESC, m.id DESC"
)
_SCOPES = "SELECT no, min(no) OVER (PARTITION BY scope) FROM shelves WHERE space=?"
_LEAST_BITS = 8
_AT_ONCE = 2000


class SqlMeanings:
    """The vectors of one namespace."""

    def __init__(
        self,
        engine: Engine,
        shelves: Shelves,
        loader: Loader,
        lives: Lives,
        vectors: Vectors,
        nearest: Nearest,
        transaction: Transaction,
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
        return id in self.put_all([Waiting(id, "", False)], [embedded], 0, 0.0)

    def put_all(
        self, waiting: Sequence[Waiting], vectors: Sequence[Embedded], number: int, named_from: float
    ) -> dict[str, list[tuple[str, float]]]:
        """Give memories their vectors, all of one model and length, in this order; those that are gone are left out.

        For each that is unjudged, its neighbours when its turn came: what stood before, and those before it here.
        """
        if not waiting:
            return {}
        with self._transaction() as connection:
            standing = self._standing(connection, [rows.id_bytes(one.id) for one in waiting])
            found = [standing.get(rows.id_bytes(one.id)) for one in waiting]
            there = [place for place, row in enumerate(found) if row is not None]
            given, unjudged = [vectors[place] for place in there], [waiting[place].unjudged for place in there]
            nos, live, held, shelves = ([row[column] for row in found if row is not None] for column in range(4))
            near: Sequence[Sequence[tuple[int, float]]] = [()] * len(there)
            if any(unjudged):
                near = self._near_in_turn(connection, given, nos, live, sum(held), unjudged, number)
            if there:
                in_step = self._nearest.in_step
                said = self._vectors.put(connection, nos, given, live, held)
                if in_step and all(live):
                    self._nearest.took(nos, shelves, said, [one.vector for one in given])
            named = self._named(near, named_from)
        return {waiting[place].id: neighbours for place, neighbours in zip(there, named, strict=True)}

    def _standing(self, connection: Connection, ids: Sequence[bytes]) -> dict[bytes, tuple[Any, ...]]:
        """By id: number, whether it is live, whether it has a vector, shelf; of those that are there."""
        found: dict[bytes, tuple[Any, ...]] = {}
        for start in range(0, len(ids), _AT_ONCE):
            part = ids[start : start + _AT_ONCE]
            sql = _STANDING.format(",".join("?" * len(part)))
            found |= {bytes(row[0]): row[1:] for row in connection.execute(sql, (self._shelves.space, *part))}
        return found

    def _near_in_turn(
        self,
        connection: Connection,
        given: Sequence[Embedded],
        nos: Sequence[int],
        live: Sequence[bool],
        held: int,
        unjudged: Sequence[bool],
        number: int,
    ) -> list[list[tuple[int, float]]]:
        """(number, cosine) of the live memories nearest to each that is unjudged, as if those before it were written.

        `held` is how many have a vector now: where one of them is met, it counts as it will be.
        """
        from remanence.index import codecs

        vectors = np.stack([one.vector for one in given])
        matrix = self._nearest.matrix(connection, given[0].model, vectors.shape[1])
        fetch = self._nearest.reader(connection, given[0].model, vectors.shape[1])
        bits = np.full(len(nos), FINEST, dtype=np.int8)
        asked = [place for place, wanted in enumerate(unjudged) if wanted]
        met: dict[int, tuple[Numbers, NDArray[np.float32]]] = {}
        if matrix is not None:
            each = matrix.near_each(vectors[asked], number + held, states=(rows.LIVE,), fetch=fetch)
            met = dict(zip(asked, each, strict=True))
        near: list[list[tuple[int, float]]] = []
        for place, wanted in enumerate(unjudged):
            found: list[tuple[int, float]] = []
            if wanted:
                before = [at for at in range(place) if live[at]]
                cosines = codecs.similarity(vectors[place], vectors[before], bits[before])
                found = [(nos[at], cosine) for at, cosine in zip(before, cosines.tolist(), strict=True)]
            if place in met:
                anew = set(nos[: place + 1])
                others = zip(*(column.tolist() for column in met[place]), strict=True)
                found += (one for one in others if one[0] not in anew)
            near.append(sorted(found, key=lambda one: (-one[1], -one[0]))[:number])
        return near

    def _named(self, near: Sequence[Sequence[tuple[int, float]]], named_from: float) -> list[list[tuple[str, float]]]:
        """With ids, where a cosine is so high; the others stay without a name."""
        wanted = list({no for found in near for no, cosine in found if cosine >= named_from})
        ids = dict(zip(wanted, self._loader.ids(wanted), strict=True)) if wanted else {}
        return [[(ids.get(no, ""), cosine) for no, cosine in found] for found in near]

    def waiting(self, size: int, *, tried: bool = True) -> list[Waiting]:
        """The memories that wait to be embedded, in the order of writing; also those that were put off, or not."""
        with self._engine.read(snapshot=False) as connection:
            return [
                Waiting(rows.id_text(raw), text, waits in (JUDGE, PUT_OFF + JUDGE))
                for raw, text, waits in connection.execute(_WAITING, (self._shelves.space, tried, size))
            ]

    def put_off(self, ids: Iterable[str]) -> None:
        """These could not be embedded, though others could."""
        with self._transaction() as connection:
            off = f"UPDATE meanings SET waits = max(waits, 1) + {PUT_OFF} WHERE space=? AND no=? AND waits <= {PUT_OFF}"
            connection.executemany(off, [(self._shelves.space, self._loader.number(id)) for id in ids])

    def take_up(self) -> None:
        """What was put off is to be tried again."""
        off = f"space=? AND waits > 0 AND waits > {PUT_OFF}"
        tried = f"SELECT 1 FROM meanings INDEXED BY meanings_waiting WHERE {off} LIMIT 1"
        with self._engine.read(snapshot=False) as connection:
            some = connection.execute(tried, (self._shelves.space,)).get
        if some:
            with self._transaction() as connection:
                connection.execute(f"UPDATE meanings SET waits = waits - {PUT_OFF} WHERE {off}", (self._shelves.space,))

    def waiting_count(self) -> int:
        count = "SELECT count(*) FROM meanings INDEXED BY meanings_waiting WHERE space=? AND waits > 0"
        with self._engine.read(snapshot=False) as connection:
            return int(connection.execute(count, (self._shelves.space,)).get)

    def outdated(self, model: str, dimension: int, size: int, after: str | None = None) -> list[Waiting]:
        """Memories whose vector another model made, or this one in another length, in the order of writing."""
        last = 0 if after is None else self._loader.number(after) or 0
        asked = (self._shelves.space, model, dimension, last, size)
        with self._engine.read(snapshot=False) as connection:
            return [Waiting(rows.id_text(raw), text, False) for raw, text in connection.execute(_OUTDATED, asked)]

    def outdated_count(self, model: str, dimension: int) -> int:
        asked = (self._shelves.space, model, dimension)
        with self._engine.read(snapshot=False) as connection:
            return int(connection.execute(f"SELECT count(*) FROM meanings e WHERE {_OTHERS}", asked).get)

    def models(self) -> Mapping[str, int]:
        """How many vectors each model made."""
        with self._engine.read(snapshot=False) as connection:
            return dict(connection.execute(_MODELS, (self._shelves.space,)))

    def ready(self, embedded: Embedded) -> None:
        """Hold what is held in memory: read inside a transaction, all who write would wait for it."""
        if not self._nearest.held:
            with self._engine.read() as connection:
                self._nearest.matrix(connection, embedded.model, len(embedded.vector))

    def neighbours(
        self, embedded: Embedded, number: int, but: str | None = None, *, named_from: float = -math.inf
    ) -> list[tuple[str, float]]:
        """The nearest live memories with their cosines, nearest first, found quickly rather than with certainty.

        Those whose cosine is below `named_from` are given without their id.
        """
        excluded = None if but is None else self._loader.number(but)
        dimension = len(embedded.vector)
        with self._engine.read() as connection:
            matrix = self._nearest.matrix(connection, embedded.model, dimension)
            if matrix is None:
                return []
            nos, near = matrix.nearest(
                embedded.vector,
                number + (excluded is not None),
                states=(rows.LIVE,),
                fetch=self._nearest.reader(connection, embedded.model, dimension),
                few=True,
            )
            # Another thread may be writing later ones, unless this one is.
            last = math.inf if self._engine.in_transaction else self._nearest.last(connection)
        met = zip(nos.tolist(), near.tolist(), strict=True)
        found = [(no, cosine) for no, cosine in met if no != excluded and no <= last][:number]
        return self._named([found], named_from)[0]

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
        with self._engine.read(snapshot=False) as connection:
            matrix = self._nearest.matrix(connection, embedded.model, dimension)
            if matrix is None:
                return np.full((len(rows), len(rows)), np.nan, dtype=np.float32)
            fetch = self._nearest.reader(connection, embedded.model, dimension)
            found = matrix.vectors(np.array(rows, dtype=np.int64), fetch)
        return found @ found.T

    def alike(
        self, model: str, selection: Selection, threshold: float, most_each: int, *, mixed_kinds: bool = False
    ) -> Alike:
        """Which memories of a selection are alike by their vectors of this model, in 8 bits or more.

        A row is given at most `most_each` newer partners. The vectors are held for as long as the answer is.
        """
        from remanence.index.pairs import similar_pairs

        condition, values = selecting.where(selection, self._shelves.space)
        with self._engine.read() as connection:
            named = dict(connection.execute("SELECT no, dimension FROM models WHERE name=?", (model,)))
            found = connection.execute(_COMPARED.format(condition), values).fetchall()
            scopes = dict(connection.execute(_SCOPES, (self._shelves.space,))) if mixed_kinds else None
        nos, shelves, made_by, bits = np.array(found, dtype=np.int64).reshape(-1, 4).T.copy()
        # One name may stand for several dimensions: the most common is this model's.
        number = max(named, key=lambda no: (np.count_nonzero(made_by == no), no), default=-1)
        ours = made_by == number
        fine = np.flatnonzero(ours & (bits >= _LEAST_BITS))
        vectors, whole = self._decoded(nos[fine], number, named.get(number, 1))
        nos, shelves = nos[fine[whole]], shelves[fine[whole]]
        if scopes is not None:
            shelves = np.array([scopes[shelf] for shelf in shelves.tolist()], dtype=np.int64)
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

        return Alike(nos, pairs, left_out, vectors)

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
        if strays := had.keys() - set(columns.rows.tolist()):  # for the check to find, not for this to meet again
            with self._transaction() as connection:
                never = "UPDATE meanings SET fades_at=NULL WHERE space=? AND no=?"
                connection.executemany(never, [(self._shelves.space, no) for no in strays])
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
