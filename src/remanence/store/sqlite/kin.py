"""Kin: the live memories of a shelf that share enough words with a text to be its older version, or similar to it.

Each live memory stands in the index under some of its words: so many (n − ⌈0.4·n⌉ + 1 of n, the rarest) that two
texts with a Jaccard similarity of 0.4 or more must meet there. Which words are rare is an estimate, made from texts
this process has seen; it decides what a look-up costs, never what it finds. A word that more than 256 live memories
of the shelf stand under is too common to tell them apart: it is left out of the count, and what must be shared
shrinks by one. Only for a text made of such words alone are the newest 256 compared instead of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil
from zlib import crc32

import apsw

from remanence.model.words import folded, tokens_of, words

FOUND_FROM = 0.4
_LONGEST_LIST = 256
_MOST_AT_ONCE = 4096
_MOST_SIMILAR = 256
_SAMPLE = 400
_MOST_WORDS = 200_000
_WHOLE_TEXT = 0x5EED

_ONE_LIST = "SELECT no, size FROM kin WHERE shelf=? AND token=? ORDER BY no DESC LIMIT ?"


@lru_cache(maxsize=1 << 15)
def _token(word: str) -> int:
    return crc32(word.encode())


def _whole(text: str) -> int:
    """The place of the whole text, case and space folded: where its duplicates stand."""
    return crc32(folded(text).encode(), _WHOLE_TEXT)


def indexed_share(size: int) -> int:
    """How many of `size` words a memory stands under: 13 of 20."""
    return size - ceil(FOUND_FROM * size) + 1


@lru_cache(maxsize=1 << 12)
def _needed(size: int, other: int) -> int:
    """How many of the words the other stands under must be among these `size` words: 5 for 20 and 20.

    Jaccard 0.4 or more means an overlap of at least 0.4 / 1.4 of both sizes together (12), and the other may have at
    most ⌈0.4·n⌉ − 1 (7) of its words outside the index.
    """
    return ceil(FOUND_FROM / (1 + FOUND_FROM) * (size + other) - 1e-9) - (other - indexed_share(other))


class Rarity:
    """How often words were seen, from a sample of the file and from what this process wrote."""

    def __init__(self) -> None:
        self._seen: Counter[str] | None = None

    def rarest(self, connection: apsw.Connection, tokens: Iterable[str], number: int) -> list[str]:
        if self._seen is None:
            self._seen = self._sampled(connection)
        seen = self._seen
        rare = [word for word in tokens if word not in seen]
        if len(rare) < number:
            rare += sorted((word for word in tokens if word in seen), key=seen.__getitem__)
        return rare[:number]

    def saw(self, tokens: Iterable[str]) -> None:
        if self._seen is not None:
            self._seen.update(tokens)
            if len(self._seen) > _MOST_WORDS:
                self._seen = Counter({word: n // 2 for word, n in self._seen.items() if n > 1})

    @staticmethod
    def _sampled(connection: apsw.Connection) -> Counter[str]:
        last = connection.execute("SELECT max(no) FROM memories").get or 0
        stride = max(1, last // _SAMPLE)
        seen: Counter[str] = Counter()
        for (raw,) in connection.execute(
            "SELECT substr(CAST(text AS BLOB), 1, 2000) FROM memories WHERE no IN "
            "(WITH RECURSIVE pick(n) AS (SELECT ? UNION ALL SELECT n - ? FROM pick WHERE n - ? > 0) "
            "SELECT n FROM pick)",
            (last, stride, stride),
        ):
            seen.update(set(words(bytes(raw or b"").decode(errors="ignore"))))
        return seen


def enter(connection: apsw.Connection, rarity: Rarity, shelf: int, no: int, text: str) -> None:
    """Put a memory that is live from now on into the index."""
    tokens = tokens_of(text)
    size = len(tokens)
    places = {_token(word) for word in rarity.rarest(connection, tokens, indexed_share(size))}
    places.add(_whole(text))
    rarity.saw(tokens)
    connection.executemany("INSERT OR IGNORE INTO kin VALUES(?,?,?,?)", [(shelf, p, no, size) for p in sorted(places)])


def leave(connection: apsw.Connection, shelf: int, no: int, text: str) -> None:
    """Take a memory that is live no longer out of the index."""
    places = {*map(_token, tokens_of(text)), _whole(text)}
    connection.executemany(
        "DELETE FROM kin WHERE shelf=? AND token=? AND no=?", [(shelf, place, no) for place in sorted(places)]
    )


def stands(found: Sequence[tuple[int, int, int]], shelf: int, text: str | None) -> bool:
    """Whether these rows (shelf, size, token) are what a memory with this text should have; None: no longer live."""
    if text is None:
        return not found
    tokens = tokens_of(text)
    allowed = [*map(_token, tokens), _whole(text)]
    clashes = len(allowed) - len(set(allowed))
    expected = (indexed_share(len(tokens)) if tokens else 0) + 1
    places = {token for at, size, token in found if at == shelf and size == len(tokens)}
    return (
        len(places) == len(found)
        and places <= set(allowed)
        and allowed[-1] in places
        and expected - clashes <= len(places) <= expected
    )


def similar(connection: apsw.Connection, shelf: int, text: str) -> list[int]:
    """Numbers of the shelf's live memories with a Jaccard similarity of 0.4 or more to this text, or the same text.

    The most similar first, and at most 256: a shelf full of one template would else be read whole for each write.
    """
    tokens = tokens_of(text)
    same = folded(text)
    find = "SELECT text FROM memories WHERE no=?"
    near = []
    for no in _candidates(connection, shelf, text, tokens):
        other = connection.execute(find, (no,)).get
        others = frozenset(words(other))
        shared = len(tokens & others)
        united = len(tokens) + len(others) - shared
        if folded(other) == same:
            near.append((2.0, no))
        elif shared >= FOUND_FROM * united:
            near.append((shared / united, no))
    return [no for _, no in sorted(near, reverse=True)[:_MOST_SIMILAR]]


def _candidates(connection: apsw.Connection, shelf: int, text: str, tokens: frozenset[str]) -> list[int]:
    """Numbers of the live memories that share enough places to be similar; few others."""
    places = [*map(_token, tokens), _whole(text)]
    if len(places) > _MOST_AT_ONCE:
        return _patiently(connection, shelf, text, tokens)
    met = connection.execute(_lists(len(places)), (shelf, *places)).fetchall()
    if len(met) >= _MOST_AT_ONCE:
        return _patiently(connection, shelf, text, tokens)
    size = len(tokens)
    return [no for (no, other), shared in Counter(met).items() if shared >= _needed(size, other)]


@lru_cache(maxsize=256)
def _lists(places: int) -> str:
    return f"SELECT no, size FROM kin WHERE shelf=? AND token IN ({','.join('?' * places)}) LIMIT {_MOST_AT_ONCE}"


def _patiently(connection: apsw.Connection, shelf: int, text: str, tokens: frozenset[str]) -> list[int]:
    """The same for words that many memories stand under: list by list, the longest left out of the count."""
    same = [no for no, _ in connection.execute(_ONE_LIST, (shelf, _whole(text), _LONGEST_LIST))]
    shared: Counter[int] = Counter()
    sizes: dict[int, int] = {}
    common: list[int] = []
    too_common = 0
    for word in tokens:
        rows = connection.execute(_ONE_LIST, (shelf, _token(word), _LONGEST_LIST + 1)).fetchall()
        sizes.update(rows)
        if len(rows) > _LONGEST_LIST:
            too_common += 1
            common += (no for no, _ in rows)
        else:
            shared.update(no for no, _ in rows)
    size = len(tokens)
    near = [no for no, count in shared.items() if count >= _needed(size, sizes[no]) - too_common]
    unproven = {no for no in common if _needed(size, sizes[no]) <= too_common}
    return list(dict.fromkeys([*same, *near, *sorted(unproven, reverse=True)[:_LONGEST_LIST]]))
