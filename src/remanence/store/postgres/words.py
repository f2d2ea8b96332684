"""The words of memories as arrays of stems: an index finds who holds them, BM25 ranks by what is stored of each.

A stem is a number: a digest of it under the namespace's key. So the index leads to the memories of one namespace alone,
whatever else its partition holds, and no word can be read from it without that key. What begins with a character of
a script without spaces is found by that character with a star, which stands beside the stems.

How many memories hold a stem stands in `terms` up to the memory `settled_to`; of the few after it the stems themselves
are counted. They are added when there are some 256 of them, so that a memory does not cost a row for each of its words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from hashlib import blake2b
from time import monotonic
from typing import Any

from remanence.store.sql import rows
from remanence.store.sql.connection import Connection
from remanence.store.sql.shelves import Shelves
from remanence.store.sql.words import Condition, Expression, Term, Words, cutters

_SETTLED_AT, _LOOKED_AT = 256, 64
_KNOWN_SECONDS = 1.0
_MOST_TIMES = 255
_ADD = "INSERT INTO stems VALUES(/*?,*/ ?,?::bigint[],?,?)"
_COUNT = (
    "INSERT INTO wordage VALUES(/*?,*/ ?,?,?) ON CONFLICT(space) DO UPDATE SET "
    "memories = wordage.memories + excluded.memories, length = wordage.length + excluded.length"
)
_UNSETTLED = "SELECT settled_to FROM wordage WHERE /*here*/ true"
_SETTLE = (
    "INSERT INTO terms SELECT x.space, s.stem, count(*) FROM stems x, unnest(x.stems) s(stem) "
    "WHERE /*x.here*/ x.no > ? AND x.no <= ? GROUP BY 1, 2 "
    "ON CONFLICT(space, stem) DO UPDATE SET held = terms.held + excluded.held"
)
_TAKE_OFF = (
    "UPDATE terms SET held = held - 1 FROM stems x, unnest(x.stems) s(stem) "
    "WHERE /*x.here*/ x.no = ? AND terms.space = x.space AND terms.stem = s.stem"
)
_DROP = (
    "DELETE FROM terms WHERE /*here*/ held <= 0 AND stem IN "
    "(SELECT unnest(x.stems) FROM stems x WHERE /*x.here*/ x.no = ?)"
)
# The few that are not settled are read first: an index would lead to all that hold a word.
_HELD = (
    "SELECT stem, sum(held) FROM (SELECT stem, held FROM terms WHERE /*here*/ stem = ANY(?1::bigint[]) UNION ALL "
    "SELECT s.stem, count(*) FROM (SELECT stems FROM stems WHERE /*here*/ "
    "no > coalesce((SELECT w.settled_to FROM wordage w WHERE /*w.here*/ true), 0) OFFSET 0) x, unnest(x.stems) s(stem) "
    "WHERE x.stems && ?1::bigint[] AND s.stem = ANY(?1::bigint[]) GROUP BY 1) h GROUP BY 1"
)
_WHOLE = "SELECT memories, length FROM wordage WHERE /*here*/ true"
# How often the n-th stem stands there is the n-th byte. A word of a group counts where all of the group stand there.
_BM25 = (
    "(SELECT sum(i.idf * 2.2 * t.times / (t.times + 1.2 * (0.25 + 0.75 * w.length / ?3::float8))) "
    "FROM unnest(?1::bigint[], ?2::float8[], ?4::integer[]) i(stem, idf, of), "
    "LATERAL (SELECT get_byte(w.times, array_position(w.stems, i.stem) - 1)::float8) t(times) "
    "WHERE i.of = 0 OR w.met[i.of])"
)
# On its own: joined to rows behind the wall, the index of arrays could not be used. What is long is stored apart and
# packed, and is unpacked here once rather than for each word.
_UNPACKED = (
    "CASE WHEN length > 200 THEN stems || '{{}}'::bigint[] ELSE stems END AS stems, "
    "CASE WHEN length > 200 THEN times || ''::bytea ELSE times END AS times"
)
_SCORED = (
    f"WITH w AS MATERIALIZED (SELECT no, {_UNPACKED}, length, {{}}::boolean[] AS met FROM stems WHERE /*here*/ {{}}) "
    f"SELECT l.no, {_BM25} AS score FROM w JOIN lives l ON /*l.here*/ l.no = w.no "
    "WHERE {} ORDER BY score DESC, l.no DESC LIMIT ?"
)


class Stems(Words):
    """The words of one namespace."""

    def __init__(self, shelves: Shelves, key: Callable[[], bytes]) -> None:
        super().__init__(lambda: shelves.space)
        self._shelves = shelves
        self._key = key
        self._memories = 0
        self._mean = 1.0
        self._entered = self._length = self._last = 0
        self._looks = False
        self._taken_off: set[int] = set()
        self._counted: tuple[float, dict[int, int]] = (0.0, {})
        self._number = lru_cache(maxsize=1 << 16)(self._digest)

    def _digest(self, space: int, stem: str) -> int:
        said = b"%d " % space + stem.encode()
        return int.from_bytes(blake2b(said, key=self._key(), digest_size=8).digest(), signed=True)

    def numbers(self, words: str) -> tuple[Counter[int], int]:
        """How often each stem stands in a text, and how many words it has."""
        _, cut = cutters()
        space, stems = self._space(), cut(words)
        times = Counter(self._number(space, stem) for stem in stems)
        for stem in stems:
            if stem and not stem[0].isascii():  # a mark that stands alone is a word without letters
                times[self._number(space, stem[0] + "*")] += 1
        return times, len(stems)

    def enter(self, connection: Connection, no: int, words: str) -> None:
        times, length = self.numbers(words)
        often = bytes(min(number, _MOST_TIMES) for number in times.values())
        connection.execute(_ADD, (no, list(times), often, length))
        if no in self._taken_off:  # it is placed anew, among those that are settled
            self._taken_off.remove(no)
            connection.execute(_SETTLE, (no - 1, no))
        self._entered += 1
        self._length += length
        self._looks |= no % _LOOKED_AT == 0
        self._last = max(self._last, no)
        self._counted = (0.0, {})

    def strike(self, connection: Connection, no: int, words: str) -> None:
        self._counted = (0.0, {})
        if no <= (connection.execute(_UNSETTLED).get or 0):
            connection.execute(_TAKE_OFF, (no,))
            connection.execute(_DROP, (no,))
            self._taken_off.add(no)
        length = connection.execute("DELETE FROM stems WHERE /*here*/ no = ? RETURNING length", (no,)).get
        if length is not None:
            connection.execute(_COUNT, (-1, -length, 0))

    def forget(self) -> None:
        self._entered = self._length = self._last = 0
        self._looks = False
        self._taken_off.clear()

    def settle(self, connection: Connection) -> None:
        if not self._entered:
            self.forget()
            return
        connection.execute(_COUNT, (self._entered, self._length, self._shelves.before_first))
        looks, last = self._looks, self._last
        self.forget()
        settled = connection.execute(_UNSETTLED).get if looks else last
        if last - settled >= _SETTLED_AT:
            connection.execute(_SETTLE, (settled, last))
            connection.execute("UPDATE wordage SET settled_to = ? WHERE /*here*/ true", (last,))

    def count(self, connection: Connection) -> None:
        super().count(connection)
        memories, length = connection.execute(_WHOLE).get or (0, 0)
        self._memories, self._mean = memories, max(length, 1) / max(memories, 1)

    def holding(self, connection: Connection, terms: Sequence[Term]) -> dict[str, tuple[float, int]]:
        space = self._space()
        numbers = {self._number(space, term.stem): term.stem for term in terms}
        held = self._holding(connection, numbers)
        return {stem: (held[number], self._memories) for number, stem in numbers.items()}

    def _holding(self, connection: Connection, numbers: Collection[int]) -> dict[int, int]:
        """How many memories hold each of these stems; a recall asks more than once, and is answered once."""
        until, counted = self._counted
        if monotonic() > until or not counted.keys() >= set(numbers):
            counted = dict.fromkeys(numbers, 0) | dict(connection.execute(_HELD, (list(numbers),)))
            self._counted = (monotonic() + _KNOWN_SECONDS, counted)
        return counted

    def scored(
        self, connection: Connection, expression: Expression, condition: Condition, limit: int, *, broad: bool
    ) -> list[tuple[int, float]]:
        where, values = condition
        space = self._space()
        groups = [[self._number(space, term.stem + "*" * term.begins) for term in group] for group in expression]
        alone = Counter(group[0] for group in groups if len(group) == 1)
        together = [group for group in groups if len(group) > 1]
        weighed = [(number, often, 0) for number, often in alone.items()]
        weighed += [(number, 1, place) for place, group in enumerate(together, 1) for number in group]
        numbers = [number for number, _, _ in weighed]
        held = self._holding(connection, set(numbers))
        idf = [self._idf(held[number], self._memories) * often for number, often, _ in weighed]
        asked = [list(alone)] * bool(alone) + together
        # Seen by the planner, many rare words count as common ones, for which it reads the whole namespace.
        held_there = [f"stems {{}} (SELECT ?{place}::bigint[])" for place in range(5, 5 + len(asked))]
        found = [held_there[0].format("&&")] if alone else []
        met = [one.format("@>") for one in held_there[len(found) :]]
        sql = _SCORED.format(f"ARRAY[{', '.join(met)}]", f"({' OR '.join(found + met)})", where)
        places = [place for _, _, place in weighed]
        return connection.execute(sql, (numbers, idf, self._mean, places, *asked, *values, limit)).fetchall()

    def best(
        self, connection: Connection, expression: Expression, condition: Condition, limit: int | None, *, broad: bool
    ) -> list[tuple[Any, ...]]:
        score = dict(self.scored(connection, expression, condition, -1 if limit is None else limit, broad=broad))
        sql = (
            f"SELECT {rows.COLUMNS} FROM lives l LEFT JOIN memories m ON /*m.here*/ m.no = l.no "
            "LEFT JOIN shelves s ON /*s.here*/ s.no = m.shelf WHERE /*l.here*/ l.no = ANY(?::bigint[])"
        )
        found = {row[0]: row for row in connection.execute(sql, (list(score),))}
        return [(*found[no], score[no]) for no in score if no in found]
