"""Candidates for a recall: by words, by meaning and by file, on one snapshot, each with both of its scores.

Words go through the full-text index; meaning through what is held in memory, where scope and state are looked at before
anything is multiplied. Every other condition of the selection first gives the rows that may be compared. Files and
neighbours are found whatever the selection says: whoever loads them looks.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from remanence.index.search import Fetch
from remanence.model.selection import Selection
from remanence.model.words import beginnings, spaced
from remanence.store.protocol import Candidates, Embedded
from remanence.store.sql import rows, selecting
from remanence.store.sql.connection import Connection, Engine
from remanence.store.sql.nearest import Field, Nearest
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.words import Telling, Words

_BY_FILE = (
    "SELECT p.no, m.files FROM paths p CROSS JOIN lives l ON /*l.here*/ l.no = p.no "
    "CROSS JOIN memories m ON /*m.here*/ m.no = p.no WHERE /*p.here*/ p.name=? AND {} ORDER BY p.no DESC"
)
_TEXTS = (
    "SELECT m.no, coalesce(m.words, m.text), l.tokens FROM memories m JOIN lives l ON /*l.here*/ l.no = m.no "
    "WHERE /*m.here*/ m.no IN (SELECT value FROM json_each(?))"
)
# A partial index is used where the statement says the same as it does.
_SESSION = "origin >= 'session:' AND origin < 'session;'"
_ANY_SESSION = f"SELECT 1 FROM memories INDEXED BY memories_session WHERE space=? AND {_SESSION} LIMIT 1"
_IN_SESSIONS = (
    f"SELECT no, origin FROM memories WHERE no IN (SELECT value FROM json_each(?)) AND space=? AND {_SESSION}"
)
_BESIDE = f"SELECT no FROM memories INDEXED BY memories_session WHERE space=? AND origin=? AND {_SESSION} AND no"
_SHORT = "AND length(text) < 750"
_BEFORE, _AFTER = f"{_BESIDE} < ? {_SHORT} ORDER BY no DESC LIMIT 2", f"{_BESIDE} > ? {_SHORT} ORDER BY no LIMIT 2"
_PREVIOUS = (
    "SELECT m.no, (SELECT max(b.no) FROM memories b INDEXED BY memories_session WHERE b.space = m.space AND "
    f"b.origin = m.origin AND {_SESSION.replace('origin', 'b.origin')} AND b.no < m.no) FROM memories m "
    f"WHERE m.no IN (SELECT value FROM json_each(?)) AND m.space=? AND {_SESSION.replace('origin', 'm.origin')}"
)
_LEADING = 20
_COUNTED_CHARACTERS = 20_000


class Searching:
    """Finds the candidates of one namespace."""

    def __init__(self, engine: Engine, shelves: Shelves, nearest: Nearest, words: Words) -> None:
        self._engine = engine
        self._shelves = shelves
        self._nearest = nearest
        self._words = words

    def candidates(
        self,
        query: str | None,
        embedded: Embedded | None,
        selection: Selection,
        number: int,
        files: Sequence[str],
        also: Sequence[int],
        *,
        exactly: bool,
        quick: bool,
    ) -> Candidates:
        """The best of each way, at most so many, by meaning half as many; and the rows that are asked for anyhow."""
        look = self._words.asked()
        with self._engine.read() as connection:
            if look:
                self._words.look(connection)
            telling = Telling() if query is None else self._words.telling(connection, query, number)
            by_words, rough = self._by_words(connection, telling, selection, number, quick=quick)
            by_files = self._by_files(connection, files, selection, number)
            near: dict[int, float] = {}
            matrix, fetch = self._matrix(connection, embedded)
            if embedded is not None and matrix is not None:
                near = self._by_meaning(connection, matrix, fetch, embedded, selection, number // 2, exactly=exactly)
            beside = self._beside(connection, (*islice(by_words, _LEADING), *islice(near, _LEADING)))
            numbers = list(dict.fromkeys((*by_words, *near, *by_files, *also, *(no for _, no in beside))))
            if embedded is not None and matrix is not None and len(numbers) > len(near):
                rest = [no for no in numbers if no not in near]
                compared = matrix.similarities(embedded.vector, np.array(rest, dtype=np.int64), fetch)
                near |= zip(rest, compared.tolist(), strict=True)
            place = {no: at for at, no in enumerate(numbers)} if beside else {}
            held = 0 if matrix is None else len(matrix)
            if embedded is not None and held < self._words.total:
                self._words.count(connection)  # what was counted may be long ago
                held = self._nearest.number(connection, matrix)
            return Candidates(
                np.array(numbers, dtype=np.int64),
                np.array([by_words.get(no, 0.0) for no in numbers], dtype=np.float64),
                np.array([near.get(no, math.nan) for no in numbers], dtype=np.float64),
                np.isin(numbers, by_files) if by_files else np.zeros(len(numbers), dtype=np.bool_),
                telling.idf,
                telling.found_by,
                rough,
                [(place[one], place[other]) for one, other in beside],
                0 if embedded is None else max(0, self._words.total - held),
            )

    def _matrix(self, connection: Connection, embedded: Embedded | None) -> tuple[Field | None, Fetch]:
        model, size = ("", 1) if embedded is None else (embedded.model, len(embedded.vector))
        matrix = None if embedded is None else self._nearest.matrix(connection, model, size)
        return matrix, self._nearest.reader(connection, model, size)

    def _by_words(
        self, connection: Connection, telling: Telling, selection: Selection, number: int, *, quick: bool
    ) -> tuple[dict[int, float], frozenset[int]]:
        """The best with their scores; and which of them were found by two common words, and scored by those.

        Where the telling words find nothing, the common ones are tried alone, unless it must be quick.
        """
        condition = selecting.where(selection, self._shelves.space, searching=True)
        broad = selecting.is_broad(selection) and self._words.is_large()
        found: dict[int, float] = {}
        for expression in telling.expressions[: 1 if quick else None]:
            if found := dict(self._words.scored(connection, expression, condition, number, broad=broad)):
                break
        rough: dict[int, float] = {}
        if telling.together:
            rough = dict(self._words.scored(connection, telling.together, condition, number // 2, broad=broad))
        return rough | found, frozenset(rough.keys() - found.keys())

    def _by_meaning(
        self,
        connection: Connection,
        matrix: Field,
        fetch: Fetch,
        embedded: Embedded,
        selection: Selection,
        number: int,
        *,
        exactly: bool,
    ) -> dict[int, float]:
        shelves = selecting.shelves_of(connection, selection, self._shelves.space)
        nos, cosines = matrix.nearest(
            embedded.vector,
            number,
            states=tuple(rows.STATE_NUMBER[state] for state in selection.states),
            shelves=None if shelves is None else np.array(shelves, dtype=np.int32),
            among=self._nearest.among(connection, selection, exactly=exactly),
            fetch=fetch,
        )
        return dict(zip(nos.tolist(), cosines.tolist(), strict=True))

    def _beside(self, connection: Connection, leading: Iterable[int]) -> list[tuple[int, int]]:
        """Each of the leading candidates with what stands next to it in its session, two places each way."""
        beside: list[tuple[int, int]] = []
        if not connection.execute(_ANY_SESSION, (self._shelves.space,)).get:
            return beside
        asked = (json.dumps(list(dict.fromkeys(leading))), self._shelves.space)
        for no, origin in connection.execute(_IN_SESSIONS, asked).fetchall():
            for sql in (_BEFORE, _AFTER):
                beside += [(no, other) for (other,) in connection.execute(sql, (self._shelves.space, origin, no))]
        return beside

    def before_in_session(self, nos: Sequence[int]) -> dict[int, int]:
        """What was written just before each of them in its session, live or not."""
        with self._engine.read(snapshot=False) as connection:
            found = connection.execute(_PREVIOUS, (json.dumps(list(nos)), self._shelves.space)).fetchall()
        return {no: earlier for no, earlier in found if earlier is not None}

    def counted(self, candidates: Candidates, places: Sequence[int]) -> NDArray[np.float64]:
        """BM25 of some candidates over every telling word: what the index did not tell is counted in their texts."""
        text = candidates.text[places]
        left_out = [stem for stem in candidates.telling if stem not in candidates.searched]
        nos = candidates.rows[places].tolist()
        text[[no in candidates.rough for no in nos]] = 0.0
        place = {no: place for place, no in enumerate(nos) if left_out or not text[place]}
        if not candidates.telling or not place:
            return text
        mean = max(self._words.mean_tokens, 1.0)
        every = {beginnings(stem): 2.2 * idf for stem, idf in candidates.telling.items()}
        unknown = {beginnings(stem): 2.2 * candidates.telling[stem] for stem in left_out}
        with self._engine.read(snapshot=False) as connection:
            found = connection.execute(_TEXTS, (json.dumps(list(place)),)).fetchall()
        for no, said, tokens in found:
            at = place[no]
            padded = spaced(said[:_COUNTED_CHARACTERS])
            length = 1.2 * (0.25 + 0.75 * tokens / mean)
            added = 0.0
            for begun, most in (unknown if text[at] else every).items():
                if times := sum(map(padded.count, begun)):
                    added += most * times / (times + length)
            text[at] += added
        return text

    def _by_files(self, connection: Connection, files: Sequence[str], selection: Selection, number: int) -> list[int]:
        """The newest that name one of these files: where one path is short, its last parts must agree."""
        if not files:
            return []
        condition, values = selecting.where(selection, self._shelves.space, searching=True)
        found: dict[int, None] = {}
        for wanted in files:
            parts = _parts(wanted)
            named = connection.execute(_BY_FILE.format(condition), (parts[-1], *values))
            met = (no for no, paths in named if any(_same_file(parts, _parts(path)) for path in rows.listed(paths)))
            found |= dict.fromkeys(islice(met, number))
        return sorted(found, reverse=True)[:number]


def _parts(path: str) -> list[str]:
    return path.replace("\\", "/").strip("/").split("/")


def _same_file(one: list[str], other: list[str]) -> bool:
    length = min(len(one), len(other))
    return one[-length:] == other[-length:]
