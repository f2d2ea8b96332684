"""The words of a file's memories in its full-text index, which ranks them itself.

How common a word is, the index tells, once for as long as there are about as many memories; in a large namespace a
sample tells first, and of common ones alone. The index is one for all namespaces of the file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import apsw

from remanence.store.sql import rows
from remanence.store.sql.connection import Connection
from remanence.store.sql.words import FEW, Condition, Expression, Term, Words, cutters

RANK_FIRST_FROM = 30_000
_MOST_HELD = 20_000
_COUNT_AGAIN = 64
_MERGED_FROM, _MERGED_PAGES = 2, 64
_SAMPLE = 1000
_SAMPLED_FROM = 2_000
_SAMPLED_CHARACTERS = 4_000_000
_HOLDING = "SELECT doc FROM temp.held WHERE term=?"
_RANKED = (
    "SELECT rowid, -bm25(search) AS score FROM search WHERE search MATCH ? ORDER BY score DESC, rowid DESC LIMIT ?"
)
_SCORED = (
    "SELECT l.no, -bm25(search) AS score FROM search CROSS JOIN lives l ON l.no = search.rowid "
    "WHERE search MATCH ? AND {} ORDER BY score DESC, l.no DESC LIMIT ?"
)
# The outer joins are left ones: a row that misses a part must not vanish in silence.
_BEST = (
    f"SELECT {rows.COLUMNS}, best.score FROM (SELECT l.no AS no, -bm25(search) AS score "
    "FROM search CROSS JOIN lives l ON l.no = search.rowid WHERE search MATCH ? AND {} "
    "ORDER BY score DESC, l.no DESC LIMIT ?) best "
    "LEFT JOIN memories m ON m.no = best.no LEFT JOIN lives l ON l.no = best.no LEFT JOIN shelves s ON s.no = m.shelf "
    "ORDER BY best.score DESC, best.no DESC"
)
_AMONG = (
    f"SELECT l.no, {rows.COLUMNS} FROM lives l LEFT JOIN memories m ON m.no = l.no "
    "LEFT JOIN shelves s ON s.no = m.shelf WHERE l.no IN (SELECT value FROM json_each(?)) AND {}"
)
# So many memories of a file whose last has this number, spread without a pattern: a large prime steps over them all.
_SPREAD = (
    "WITH RECURSIVE pick(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM pick WHERE k + 1 < ?) "
    "SELECT substr(s.text, 1, ?) FROM pick CROSS JOIN lives l ON l.no = 1 + (pick.k * 2654435761) % ? "
    "CROSS JOIN searchable s ON s.no = l.no WHERE l.space = ?"
)


class FullText(Words):
    """The words of one namespace."""

    def __init__(self, space: Callable[[], int]) -> None:
        super().__init__(space)
        self._seen: Counter[str] = Counter()
        self._held: dict[str, int] = {}
        self._merges = False
        self.whole = self._sampled = self._sampled_at = self._held_at = self._counted = 0

    def enter(self, connection: Connection, no: int, words: str) -> None:
        connection.execute("INSERT INTO search(rowid, text) VALUES(?,?)", (no, words))

    def strike(self, connection: Connection, no: int, words: str) -> None:
        connection.execute("INSERT INTO search(search, rowid, text) VALUES('delete', ?, ?)", (no, words))

    def tidy(self, connection: Connection) -> None:
        """Merge parts of the index, some pages at a time: a search looks each of its words up in every part.

        By itself the index merges when four parts are of one size, and only while more is written. A damaged one is
        left as it is, for the check to find.
        """
        assert isinstance(connection, apsw.Connection)
        with suppress(apsw.CorruptError), connection:
            if not self._merges:
                if connection.execute("SELECT v FROM search_config WHERE k='usermerge'").get != _MERGED_FROM:
                    connection.execute("INSERT INTO search(search, rank) VALUES('usermerge', ?)", (_MERGED_FROM,))
                self._merges = True
            connection.execute("INSERT INTO search(search, rank) VALUES('merge', ?)", (_MERGED_PAGES,))

    def is_large(self) -> bool:
        return self.total > RANK_FIRST_FROM

    def best(
        self, connection: Connection, expression: Expression, condition: Condition, limit: int | None, *, broad: bool
    ) -> list[tuple[Any, ...]]:
        """A broad condition is asked of the best few alone; only where too few of them meet it, of every match.

        That saves time where matches are many: from tens of thousands of memories on.
        """
        where_, values = condition
        asked = _written(expression)
        if broad and limit is not None:
            first = 2 * limit
            ranked = connection.execute(_RANKED, (asked, first)).fetchall()
            among = connection.execute(_AMONG.format(where_), (json.dumps([no for no, _ in ranked]), *values))
            met = {no: row for no, *row in among}
            if len(met) >= limit or len(ranked) < first:
                return [(*met[no], score) for no, score in ranked if no in met][:limit]
        most = -1 if limit is None else limit
        return connection.execute(_BEST.format(where_), (asked, *values, most)).fetchall()

    def scored(
        self, connection: Connection, expression: Expression, condition: Condition, limit: int, *, broad: bool
    ) -> list[tuple[int, float]]:
        where_, values = condition
        asked = _written(expression)
        if broad:
            first = 2 * limit
            ranked = connection.execute(_RANKED, (asked, first)).fetchall()
            met = f"SELECT l.no FROM lives l WHERE l.no IN (SELECT value FROM json_each(?)) AND {where_}"
            fit = {no for (no,) in connection.execute(met, (json.dumps([no for no, _ in ranked]), *values))}
            if len(fit) >= limit or len(ranked) < first:
                return [(no, score) for no, score in ranked if no in fit][:limit]
        return connection.execute(_SCORED.format(where_), (asked, *values, limit)).fetchall()

    def holding(self, connection: Connection, terms: Sequence[Term]) -> dict[str, tuple[float, int]]:
        return {term.stem: self._holding(connection, term.stem) for term in terms}

    def _holding(self, connection: Connection, stem: str) -> tuple[float, int]:
        """As the index has it, or a guess where the word is common."""
        seen = self._seen[stem]
        if self._sampled and seen > _SAMPLED_FROM * self._sampled / max(self.total, 1):
            return seen * self.total / self._sampled, self.total
        if (known := self._held.get(stem)) is not None:
            return known, self.whole
        try:
            found = connection.execute(_HOLDING, (stem,)).get or 0
        except apsw.SQLError:
            connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.held USING fts5vocab(main, search, row)")
            found = connection.execute(_HOLDING, (stem,)).get or 0
        if found:  # a word nobody has used yet may be used at any time
            self._held[stem] = found
        return found, self.whole

    def count(self, connection: Connection) -> None:
        """Count anew: the memories of the namespace, their mean length, and all of the file."""
        super().count(connection)
        self.whole = connection.execute("SELECT coalesce(sum(memories), 0) FROM counts").get
        self._counted += 1
        changed = 100 * abs(self.whole - self._held_at) > self.whole
        if changed or self.whole < FEW or len(self._held) > _MOST_HELD or self._counted % _COUNT_AGAIN == 0:
            self._held, self._held_at = {}, self.whole

    def look(self, connection: Connection) -> None:
        """Count anew, and in a large namespace take a new sample once it has grown by half, or shrunk by as much."""
        self.count(connection)
        total = self.total
        if total < FEW or self._sampled_at / 1.5 <= total <= 1.5 * self._sampled_at:
            return
        self._sampled_at = total
        last = connection.execute("SELECT max(no) FROM lives").get
        picks = min(last, last * _SAMPLE // total)
        spread = (picks, _SAMPLED_CHARACTERS // picks, last, self._space())
        texts = [text for (text,) in connection.execute(_SPREAD, spread)]
        _, stems = cutters()
        self._seen = Counter(term for text in texts for term in set(stems(text)))
        self._sampled = len(texts)


def _written(expression: Expression) -> str:
    """As the index reads it: quoted words, since a raw one may be a command."""
    groups = (" AND ".join(f'"{term.word}"{"*" if term.begins else ""}' for term in group) for group in expression)
    return " OR ".join(f"({group})" for group in groups) if len(expression) > 1 else next(groups)
