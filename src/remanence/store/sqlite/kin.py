"""Kin in a file: a row for each place of a memory.

A write would touch a page of the index for each word. So who came and who left is noted first, one row a memory, in
`kin_news`, and moved into the index when a shelf has 128 such notes. A process keeps the notes it has read in memory
until another connection writes.

Where even the first row of places gives over 4,096 (thousands of texts of one template), a place under which more than
256 memories stand tells nothing: it is left out of the count, what must be shared shrinks by one, and the 256 that
share most are compared.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import nlargest

from remanence.model.words import tokens_of
from remanence.store.sql.connection import Connection
from remanence.store.sql.kin import (
    MOST_AT_ONCE,
    MOST_MET,
    MOST_SIMILAR,
    NEVER,
    SIMILAR,
    VERSION,
    Kin,
    complete,
    lengths,
    needed,
    padded,
    tokens_at,
    weighed,
    whole,
)

_LONGEST_LIST = 256
_SAMPLE = 400
_MOST_NEWS = 128
_MOST_SHELVES = 128
_UNSORTED_LOOK_UPS = 8
_ONE_LIST = "SELECT no, size FROM kin WHERE shelf=? AND row=0 AND token=? ORDER BY no DESC LIMIT ?"
_NEWS = "SELECT no, size, places FROM kin_news WHERE shelf=?"
_SPREAD = (
    "SELECT substr(CAST(text AS BLOB), 1, 2000) FROM memories WHERE no IN "
    "(WITH RECURSIVE pick(n) AS (SELECT ? UNION ALL SELECT n - ? FROM pick WHERE n - ? > 0) SELECT n FROM pick)"
)
_NO_NEWS = "DELETE FROM kin_news WHERE shelf=? AND no=?"
_STRIKE = "DELETE FROM kin WHERE shelf=? AND row=? AND token=? AND no=?"


class _News:
    """The notes of a shelf: who came, by place, and who left.

    A place may name one who left again, or name one twice who came again: that makes a look-up compare more, not less.
    Notes that were read are gone through as they are; sorting them by place pays after some look-ups.
    """

    def __init__(self, crowded_from: int = NEVER) -> None:
        self.sizes: dict[int, int] = {}
        self.left: set[int] = set()
        self.crowded_from = crowded_from
        self._under: dict[int, list[int]] = {}
        self._unsorted: dict[int, array[int]] = {}
        self._look_ups = 0

    def __len__(self) -> int:
        return len(self.sizes) + len(self.left)

    def read(self, no: int, size: int, packed: bytes) -> None:
        """Take a note as it is written."""
        self.sizes[no] = size
        self._unsorted[no] = _places(packed)

    def came(self, no: int, size: int, places: Iterable[int]) -> None:
        self.sizes[no] = size
        for place in places:
            self._under.setdefault(place, []).append(no)

    def met(self, places: Sequence[int]) -> dict[int, int]:
        """How many of the places each of those who came stands under; a place given twice counts twice."""
        shared: dict[int, int] = {}
        if self._unsorted:
            self._look_ups += 1
            if self._look_ups > _UNSORTED_LOOK_UPS or len(places) != len(asked := frozenset(places)):
                self._sort()
            else:
                for no, own in self._unsorted.items():
                    if count := len(asked.intersection(own)):
                        shared[no] = count
        for place in places:
            for no in self._under.get(place, ()):
                shared[no] = shared.get(no, 0) + 1
        return {no: count for no, count in shared.items() if no in self.sizes}

    def _sort(self) -> None:
        for no, own in self._unsorted.items():
            if (size := self.sizes.get(no)) is not None:
                self.came(no, size, own)
        self._unsorted.clear()


class FileKin(Kin):
    """What it has read is used until `forget`, which whoever begins a transaction calls when rows may have changed."""

    def __init__(self) -> None:
        super().__init__()
        self._news: dict[int, _News] = {}

    def forget(self) -> None:
        self._news.clear()

    def sample(self, connection: Connection) -> Iterator[str]:
        last = connection.execute("SELECT max(no) FROM memories").get or 0
        stride = max(1, last // _SAMPLE)
        for (raw,) in connection.execute(_SPREAD, (last, stride, stride)):
            yield bytes(raw or b"").decode(errors="ignore")

    def _news_of(self, connection: Connection, shelf: int) -> _News:
        news = self._news.get(shelf)
        if news is None:
            if len(self._news) >= _MOST_SHELVES:
                self._news.pop(next(iter(self._news)))
            news = self._news[shelf] = _News()
            for no, size, places in connection.execute(_NEWS, (shelf,)):
                if places is None:
                    news.left.add(no)
                else:
                    news.read(no, size, places)
        return news

    def enter(self, connection: Connection, shelf: int, no: int, text: str) -> None:
        news = self._news_of(connection, shelf)
        if no in news.left:
            news.left.remove(no)
            connection.execute(_NO_NEWS, (shelf, no))
            return
        size, front, back = self.places(connection, text)
        packed = array("I", [len(front), *front, *back]).tobytes()
        connection.execute("INSERT OR REPLACE INTO kin_news VALUES(?,?,?,?)", (shelf, no, size, packed))
        news.came(no, size, front | back)
        self._settle(connection, shelf, news)

    def leave(self, connection: Connection, shelf: int, no: int) -> None:
        news = self._news_of(connection, shelf)
        if news.sizes.pop(no, None) is not None:
            connection.execute(_NO_NEWS, (shelf, no))
            return
        connection.execute("INSERT OR REPLACE INTO kin_news VALUES(?,?,0,NULL)", (shelf, no))
        news.left.add(no)
        self._settle(connection, shelf, news)

    def _settle(self, connection: Connection, shelf: int, news: _News) -> None:
        """Move the notes of a shelf into the index when they are many."""
        if len(news) < _MOST_NEWS:
            return
        find = "SELECT text FROM memories WHERE no=?"
        came, left = [], []
        for no, size, packed in connection.execute(_NEWS, (shelf,)):
            if packed is None:
                text = connection.execute(find, (no,)).get or ""
                left += _all_places(shelf, no, text)
            else:
                came += [(shelf, row, place, no, size) for row, place in unpacked(packed)]
        connection.executemany("INSERT OR IGNORE INTO kin VALUES(?,?,?,?,?)", sorted(came))
        connection.executemany(_STRIKE, sorted(left))
        connection.execute("DELETE FROM kin_news WHERE shelf=?", (shelf,))
        self._news[shelf] = _News(news.crowded_from)

    def strike(self, connection: Connection, shelf: int, no: int, text: str) -> None:
        news = self._news_of(connection, shelf)
        news.sizes.pop(no, None)
        news.left.discard(no)
        connection.execute(_NO_NEWS, (shelf, no))
        connection.executemany(_STRIKE, _all_places(shelf, no, text))

    def candidates(self, connection: Connection, shelf: int, text: str, tokens: frozenset[str]) -> list[int]:
        news = self._news_of(connection, shelf)
        places = [*tokens_at(tokens), whole(text)]
        if len(places) > MOST_AT_ONCE:
            return _patiently(connection, shelf, text, tokens, news)
        asked = padded(places)
        size = len(tokens)
        crowded = len(places) >= news.crowded_from
        if not crowded:
            lists = _lists(len(asked), "0, 1", MOST_MET)
            met = connection.execute(lists, (shelf, *asked, *lengths(size, SIMILAR))).fetchall()
            crowded = len(met) == MOST_MET
        if crowded:
            news.crowded_from = min(news.crowded_from, len(places))
            lists = _lists(len(asked), "0", MOST_AT_ONCE)
            met = connection.execute(lists, (shelf, *asked, *lengths(size, VERSION))).fetchall()
            if len(met) == MOST_AT_ONCE:
                return _patiently(connection, shelf, text, tokens, news)
        there = Counter([one for one in met if one[0] not in news.left] if news.left else met)
        came = ((no, news.sizes[no], shared) for no, shared in news.met(places).items())
        return weighed(there, came, places, crowded=crowded)


def _places(packed: bytes) -> array[int]:
    """All places of a note."""
    return array("I", packed[4:])


def unpacked(packed: bytes) -> list[tuple[int, int]]:
    """The (row, place) pairs of a note."""
    first, *places = array("I", packed)
    return [(int(number >= first), place) for number, place in enumerate(places)]


def _all_places(shelf: int, no: int, text: str) -> list[tuple[int, int, int, int]]:
    """Every place at which a memory may stand, in the order of the index."""
    places = sorted({*tokens_at(tokens_of(text)), whole(text)})
    return [(shelf, row, place, no) for row in (0, 1) for place in places]


def stands(
    settled: Sequence[tuple[int, int, int, int]],
    news: Sequence[tuple[int, int, bytes | None]],
    shelf: int,
    text: str,
    *,
    live: bool,
) -> bool:
    """Whether these rows (shelf, size, row, token) and notes (shelf, size, places) are what a memory should have."""
    left = [at for at, _, places in news if places is None]
    came = [(at, size, row, token) for at, size, places in news if places for row, token in unpacked(places)]
    if left:
        return not live and left == [shelf] and not came and complete(settled, shelf, text)
    if came and settled:
        return False
    return complete(came or settled, shelf, text) if live else not (came or settled)


@lru_cache(maxsize=256)
def _lists(places: int, rows: str, most: int) -> str:
    tokens = ",".join("?" * places)
    return (
        f"SELECT no, size FROM kin WHERE shelf=? AND row IN ({rows}) AND token IN ({tokens}) AND size BETWEEN ? AND ? "
        f"LIMIT {most}"
    )


def _patiently(connection: Connection, shelf: int, text: str, tokens: frozenset[str], news: _News) -> list[int]:
    """Versions only, list by list, for words that very many memories stand under; the longest are left out."""
    shared: Counter[int] = Counter()
    sizes = dict(news.sizes)

    def under(place: int) -> list[int]:
        """Who stands under a place, newest first; one more than the longest list when there are more."""
        longest = _LONGEST_LIST + 1 + len(news.left)
        settled = connection.execute(_ONE_LIST, (shelf, place, longest)).fetchall()
        sizes.update(settled)
        return [*news.met([place]), *(no for no, _ in settled if no not in news.left)][: _LONGEST_LIST + 1]

    same = under(whole(text))
    common: list[int] = []
    at = set(tokens_at(tokens))
    left_out = len(tokens) - len(at)
    for place in at:
        found = under(place)
        if len(found) > _LONGEST_LIST:
            left_out += 1
            common += found
        else:
            shared.update(found)
    size = len(tokens)
    shared.update(dict.fromkeys(common, 0))
    near = [
        (count / (size + sizes[no] + 1), no)
        for no, count in shared.items()
        if count + left_out >= needed(size, sizes[no], VERSION, VERSION)
    ]
    return list(dict.fromkeys([*same, *(no for _, no in nlargest(MOST_SIMILAR, near))]))
