"""Kin: the live memories of a shelf that share enough words with a text to be its older version, or similar to it.

Each live memory stands in the index under its rarest words, in two rows of places. The first holds so many of them
(n − ⌈0.7·n⌉ + 1 of n) that a text with a Jaccard similarity of 0.7 or more must meet it there often enough; the second
adds what is needed for 0.4. Which words are rare is an estimate, made from texts this process has seen; it decides
what a look-up costs, never what it finds.

What is similar is found as long as look-ups of so many words meet fewer than 512 rows each. In a shelf crowded
beyond that, the second row is left out: versions are found all the same, and of the others the most promising are
compared. Where even the first row gives over 4,096 (thousands of texts of one template), a place under which more than
256 memories stand tells nothing: it is left out of the count, what must be shared shrinks by one, and the 256 that
share most are compared.

A write would touch a page of the index for each word. So who came and who left is noted first, one row a memory, in
`kin_news`, and moved into the index when a shelf has 128 such notes. A process keeps the notes it has read in memory
until another connection writes.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import nlargest
from zlib import crc32

import apsw

from remanence.model.words import folded, tokens_of
from remanence.store.sqlite.rarity import Rarity

VERSION = (7, 10)
SIMILAR = (2, 5)
_MOST_MET = 512
_MOST_AT_ONCE = 4096
_AT_ONCE = 512
_LONGEST_LIST = 256
_MOST_SIMILAR = 256
_MOST_PROMISING = 32
_PROMISING = 0.4
_MOST_NEWS = 128
_MOST_SHELVES = 128
_WHOLE_TEXT = 0x5EED
_NEVER = 1 << 30

_ONE_LIST = "SELECT no, size FROM kin WHERE shelf=? AND row=0 AND token=? ORDER BY no DESC LIMIT ?"
_NEWS = "SELECT no, size, places FROM kin_news WHERE shelf=?"
_NO_NEWS = "DELETE FROM kin_news WHERE shelf=? AND no=?"
_STRIKE = "DELETE FROM kin WHERE shelf=? AND row=? AND token=? AND no=?"


@lru_cache(maxsize=1 << 15)
def _token(word: str) -> int:
    return crc32(word.encode())


def _whole(text: str) -> int:
    """The place of the whole text, case and space folded: where its duplicates stand."""
    return crc32(folded(text).encode(), _WHOLE_TEXT)


def indexed_share(size: int, alike: tuple[int, int]) -> int:
    """How many of `size` words a text that is so much alike cannot avoid: of 20 words 7 for 7/10, 13 for 2/5."""
    part, whole = alike
    return size + (-part * size // whole) + 1


@lru_cache(maxsize=1 << 14)
def _needed(size: int, other: int, alike: tuple[int, int], indexed: tuple[int, int]) -> int:
    """How many of the places the other stands under must be among these `size` words: of 20 and 20, 4 for VERSION.

    So much alike means an overlap of at least 7 / 17 of both sizes together (17), and the other may have all words
    outside the index in it (13). Texts of too different lengths cannot be so much alike.
    """
    part, whole = alike
    overlap = -(-part * (size + other) // (part + whole))
    return _NEVER if overlap > min(size, other) else overlap - (other - indexed_share(other, indexed))


def _lengths(size: int, alike: tuple[int, int]) -> tuple[int, int]:
    """How many words a text that is so much alike has at least and at most."""
    part, whole = alike
    return -(-part * size // whole), size * whole // part


def _front_and_back(size: int, rarest: Sequence[str], text: str) -> tuple[set[int], set[int]]:
    """The places of a memory in the two rows, given its words, the rarest first."""
    first = indexed_share(size, VERSION)
    front = {*map(_token, rarest[:first]), _whole(text)}
    return front, {*map(_token, rarest[first:])} - front


class _News:
    """The notes of a shelf: who came, by place, and who left.

    A place may name one who left again, or name one twice who came again: that makes a look-up compare more, not less.
    """

    def __init__(self, crowded_from: int = _NEVER) -> None:
        self.sizes: dict[int, int] = {}
        self.under: dict[int, list[int]] = {}
        self.left: set[int] = set()
        self.crowded_from = crowded_from

    def __len__(self) -> int:
        return len(self.sizes) + len(self.left)

    def came(self, no: int, size: int, places: Iterable[int]) -> None:
        self.sizes[no] = size
        for place in places:
            self.under.setdefault(place, []).append(no)

    def met(self, places: Iterable[int]) -> dict[int, int]:
        """How many of the places each of those who came stands under."""
        shared: dict[int, int] = {}
        for place in places:
            for no in self.under.get(place, ()):
                shared[no] = shared.get(no, 0) + 1
        return {no: count for no, count in shared.items() if no in self.sizes}


class Kin:
    """The index as one process sees it. What it has read is used until `forget`, which whoever begins a transaction
    calls when rows may have changed behind it.
    """

    def __init__(self) -> None:
        self._rarity = Rarity()
        self._news: dict[int, _News] = {}

    def forget(self) -> None:
        """Drop what was read."""
        self._news.clear()

    def _news_of(self, connection: apsw.Connection, shelf: int) -> _News:
        news = self._news.get(shelf)
        if news is None:
            if len(self._news) >= _MOST_SHELVES:
                self._news.pop(next(iter(self._news)))
            news = self._news[shelf] = _News()
            for no, size, places in connection.execute(_NEWS, (shelf,)):
                if places is None:
                    news.left.add(no)
                else:
                    news.came(no, size, array("I", places)[1:])
        return news

    def enter(self, connection: apsw.Connection, shelf: int, no: int, text: str) -> None:
        """Put a memory that is live from now on into the index."""
        news = self._news_of(connection, shelf)
        if no in news.left:
            news.left.remove(no)
            connection.execute(_NO_NEWS, (shelf, no))
            return
        tokens = tokens_of(text)
        size = len(tokens)
        rarest = self._rarity.rarest(connection, tokens, indexed_share(size, SIMILAR))
        front, back = _front_and_back(size, rarest, text)
        self._rarity.saw(tokens)
        packed = array("I", [len(front), *front, *back]).tobytes()
        connection.execute("INSERT OR REPLACE INTO kin_news VALUES(?,?,?,?)", (shelf, no, size, packed))
        news.came(no, size, front | back)
        self._settle(connection, shelf, news)

    def leave(self, connection: apsw.Connection, shelf: int, no: int) -> None:
        """Take a memory that is live no longer out of the index."""
        news = self._news_of(connection, shelf)
        if news.sizes.pop(no, None) is not None:
            connection.execute(_NO_NEWS, (shelf, no))
            return
        connection.execute("INSERT OR REPLACE INTO kin_news VALUES(?,?,0,NULL)", (shelf, no))
        news.left.add(no)
        self._settle(connection, shelf, news)

    def _settle(self, connection: apsw.Connection, shelf: int, news: _News) -> None:
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

    def strike(self, connection: apsw.Connection, shelf: int, no: int, text: str) -> None:
        """Take every trace of a memory out of the index, live or not."""
        news = self._news_of(connection, shelf)
        news.sizes.pop(no, None)
        news.left.discard(no)
        connection.execute(_NO_NEWS, (shelf, no))
        connection.executemany(_STRIKE, _all_places(shelf, no, text))

    def similar(self, connection: apsw.Connection, shelf: int, text: str) -> list[int]:
        """Numbers of the shelf's live memories with a Jaccard similarity of 0.4 or more to this text, or the same text.

        The most similar first, and at most 256: a shelf full of one template would else be read whole for each write.
        In a crowded shelf all from 0.7 are found, and some of the others.
        """
        tokens = tokens_of(text)
        near = []
        compared = _candidates(connection, shelf, text, tokens, self._news_of(connection, shelf))
        for no, other in _texts(connection, compared):
            others = tokens_of(other)
            shared = len(tokens & others)
            united = len(tokens) + len(others) - shared
            if shared == united and folded(other) == folded(text):
                near.append((2.0, no))
            elif 5 * shared >= 2 * united > 0:
                near.append((shared / united, no))
        return [no for _, no in sorted(near, reverse=True)[:_MOST_SIMILAR]]


def _texts(connection: apsw.Connection, numbers: list[int]) -> Iterator[tuple[int, str]]:
    for start in range(0, len(numbers), _AT_ONCE):
        asked = _padded(numbers[start : start + _AT_ONCE])
        yield from connection.execute(
            f"SELECT no, text FROM memories WHERE no IN ({','.join('?' * len(asked))})", asked
        )


def unpacked(packed: bytes) -> list[tuple[int, int]]:
    """The (row, place) pairs of a note."""
    first, *places = array("I", packed)
    return [(int(number >= first), place) for number, place in enumerate(places)]


def _all_places(shelf: int, no: int, text: str) -> list[tuple[int, int, int, int]]:
    """Every place at which a memory may stand, in the order of the index."""
    places = sorted({*map(_token, tokens_of(text)), _whole(text)})
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
        return not live and left == [shelf] and not came and _complete(settled, shelf, text)
    if came and settled:
        return False
    return _complete(came or settled, shelf, text) if live else not (came or settled)


def _complete(found: Sequence[tuple[int, int, int, int]], shelf: int, text: str) -> bool:
    tokens = tokens_of(text)
    size = len(tokens)
    allowed = [*map(_token, tokens), _whole(text)]
    clashes = len(allowed) - len(set(allowed))
    fronts = [token for at, n, row, token in found if (at, n, row) == (shelf, size, 0)]
    backs = [token for at, n, row, token in found if (at, n, row) == (shelf, size, 1)]
    front = (indexed_share(size, VERSION) if size else 0) + 1
    both = (indexed_share(size, SIMILAR) if size else 0) + 1
    return (
        len({*fronts, *backs}) == len(found)
        and {*fronts, *backs} <= set(allowed)
        and allowed[-1] in fronts
        and front - clashes <= len(fronts) <= front
        and both - clashes <= len(found) <= both
    )


def _candidates(connection: apsw.Connection, shelf: int, text: str, tokens: frozenset[str], news: _News) -> list[int]:
    """Numbers of the live memories to compare: all that share enough places to be a version, and the likely others."""
    places = [*map(_token, tokens), _whole(text)]
    if len(places) > _MOST_AT_ONCE:
        return _patiently(connection, shelf, text, tokens, news)
    asked = _padded(places)
    size = len(tokens)
    crowded = len(places) >= news.crowded_from
    if not crowded:
        lists = _lists(len(asked), "0, 1", _MOST_MET)
        met = connection.execute(lists, (shelf, *asked, *_lengths(size, SIMILAR))).fetchall()
        crowded = len(met) == _MOST_MET
    if crowded:
        news.crowded_from = min(news.crowded_from, len(places))
        lists = _lists(len(asked), "0", _MOST_AT_ONCE)
        met = connection.execute(lists, (shelf, *asked, *_lengths(size, VERSION))).fetchall()
        if len(met) == _MOST_AT_ONCE:
            return _patiently(connection, shelf, text, tokens, news)
    found = _Found(size, places, crowded=crowded)
    for (no, other), shared in Counter(met).items():
        if no not in news.left:
            found.weigh(no, other, shared, VERSION if crowded else SIMILAR)
    for no, shared in news.met(places).items():
        found.weigh(no, news.sizes[no], shared, SIMILAR)
    most = _MOST_PROMISING if crowded else _MOST_SIMILAR
    return found.near + [no for _, no in nlargest(most, found.likely)]


class _Found:
    """Who was met: `near` may be versions, `likely` may be similar, with a measure of how much."""

    def __init__(self, size: int, places: Sequence[int], *, crowded: bool) -> None:
        self.near: list[int] = []
        self.likely: list[tuple[float, int]] = []
        self._size = size
        self._crowded = crowded
        self._clashes = len(places) - len(set(places))

    def weigh(self, no: int, other: int, shared: int, indexed: tuple[int, int]) -> None:
        """Judge one by how many of its places, in the rows for `indexed`, are among those asked for."""
        size, shared = self._size, shared + self._clashes
        # Most share too little even to be similar, which is less than a version shares.
        if not self._crowded and shared < _needed(size, other, SIMILAR, indexed):
            return
        if shared >= _needed(size, other, VERSION, indexed):
            self.near.append(no)
        elif not self._crowded or (shared > 1 and shared >= _PROMISING * indexed_share(other, indexed)):
            self.likely.append((shared / (size + other), no))


def _padded(values: list[int]) -> list[int]:
    """The values and the last of them again, up to a round number of them: few statements to prepare."""
    step = 8 if len(values) <= 64 else 64
    return values + values[-1:] * (-len(values) % step)


@lru_cache(maxsize=256)
def _lists(places: int, rows: str, most: int) -> str:
    tokens = ",".join("?" * places)
    return (
        f"SELECT no, size FROM kin WHERE shelf=? AND row IN ({rows}) AND token IN ({tokens}) AND size BETWEEN ? AND ? "
        f"LIMIT {most}"
    )


def _patiently(connection: apsw.Connection, shelf: int, text: str, tokens: frozenset[str], news: _News) -> list[int]:
    """Versions only, list by list, for words that very many memories stand under; the longest are left out."""
    shared: Counter[int] = Counter()
    sizes = dict(news.sizes)

    def under(place: int) -> list[int]:
        """Who stands under a place, newest first; one more than the longest list when there are more."""
        longest = _LONGEST_LIST + 1 + len(news.left)
        settled = connection.execute(_ONE_LIST, (shelf, place, longest)).fetchall()
        sizes.update(settled)
        return [*news.met([place]), *(no for no, _ in settled if no not in news.left)][: _LONGEST_LIST + 1]

    same = under(_whole(text))
    common: list[int] = []
    left_out = len(tokens) - len(set(map(_token, tokens)))
    for place in set(map(_token, tokens)):
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
        if count + left_out >= _needed(size, sizes[no], VERSION, VERSION)
    ]
    return list(dict.fromkeys([*same, *(no for _, no in nlargest(_MOST_SIMILAR, near))]))
