"""Kin: the live memories of a shelf that share enough words with a text to be its older version, or similar to it.

Each live memory stands in the index under some of its words: so many (n − ⌈0.4·n⌉ + 1 of n, the rarest) that two
texts with a Jaccard similarity of 0.4 or more must meet there. Which words are rare is an estimate, made from texts
this process has seen; it decides what a look-up costs, never what it finds. A word that more than 256 live memories
of the shelf stand under is too common to tell them apart: it is left out of the count, and what must be shared
shrinks by one. Only for a text made of such words alone are the newest 256 compared instead of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import ceil
from zlib import crc32

import apsw

from remanence.model.words import folded, words

FOUND_FROM = 0.4
_LONGEST_LIST = 256
_SAMPLE = 400
_MOST_WORDS = 200_000
_WHOLE_TEXT = 0x5EED


def _token(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass"))


def _whole(text: str) -> int:
    """The place of the whole text, case and space folded: where its duplicates stand."""
    return crc32(folded(text).encode(), _WHOLE_TEXT)


def indexed_share(size: int) -> int:
    """How many of `size` words a memory stands under: 13 of 20."""
    return size - ceil(FOUND_FROM * size) + 1


def _least_shared(size: int, other: int) -> int:
    """The least overlap of two word sets with Jaccard 0.4 or more: 12 for 20 and 20."""
    return ceil(FOUND_FROM * (size + other) / (1 + FOUND_FROM) - 1e-9)


class Rarity:
    """How often words were seen, from a sample of the file and from what this process wrote."""

    def __init__(self) -> None:
        self._seen: Counter[str] | None = None

    def rarest_first(self, connection: apsw.Connection, tokens: Iterable[str]) -> list[str]:
        if self._seen is None:
            self._seen = self._sampled(connection)
        seen = self._seen
        return sorted(tokens, key=lambda word: (seen[word], -len(word), word))

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
        for (text,) in connection.execute(
            "SELECT substr(text, 1, 2000) FROM memories WHERE no IN "
            "(WITH RECURSIVE pick(n) AS (SELECT ? UNION ALL SELECT n - ? FROM pick WHERE n - ? > 0) "
            "SELECT n FROM pick)",
            (last, stride, stride),
        ):
            seen.update(set(words(text)))
        return seen


def enter(connection: apsw.Connection, rarity: Rarity, shelf: int, no: int, text: str) -> None:
    """Put a memory that is live from now on into the index."""
    tokens = set(words(text))
    size = len(tokens)
    places = {_token(word) for word in rarity.rarest_first(connection, tokens)[: indexed_share(size)]}
    places.add(_whole(text))
    rarity.saw(tokens)
    connection.executemany(
        "INSERT OR IGNORE INTO kin VALUES(?,?,?,?)", ((shelf, place, no, size) for place in sorted(places))
    )


def leave(connection: apsw.Connection, shelf: int, no: int, text: str) -> None:
    """Take a memory that is live no longer out of the index."""
    places = {_token(word) for word in set(words(text))} | {_whole(text)}
    connection.executemany(
        "DELETE FROM kin WHERE shelf=? AND token=? AND no=?", ((shelf, place, no) for place in sorted(places))
    )


def similar(connection: apsw.Connection, rarity: Rarity, shelf: int, text: str) -> list[int]:
    """Numbers of the shelf's live memories with a Jaccard similarity of 0.4 or more to this text, or the same text."""
    tokens = set(words(text))
    same = folded(text)
    find = "SELECT text FROM memories WHERE no=?"
    near = []
    for no in _candidates(connection, rarity, shelf, text, tokens):
        other = connection.execute(find, (no,)).get
        others = set(words(other))
        shared = len(tokens & others)
        if shared >= FOUND_FROM * (len(tokens) + len(others) - shared) or folded(other) == same:
            near.append(no)
    return near


def _candidates(connection: apsw.Connection, rarity: Rarity, shelf: int, text: str, tokens: set[str]) -> list[int]:
    """Numbers of the live memories that share enough places to be similar; few others."""
    size = len(tokens)
    find = "SELECT no, size FROM kin WHERE shelf=? AND token=? ORDER BY no DESC LIMIT ?"
    same = [no for no, _ in connection.execute(find, (shelf, _whole(text), _LONGEST_LIST))]
    shared: Counter[int] = Counter()
    sizes: dict[int, int] = {}
    common: list[int] = []
    too_common = 0
    for word in rarity.rarest_first(connection, tokens):
        rows = connection.execute(find, (shelf, _token(word), _LONGEST_LIST + 1)).fetchall()
        if len(rows) > _LONGEST_LIST:
            too_common += 1
            common += (no for no, _ in rows)
            sizes.update(rows)
            continue
        for no, other in rows:
            shared[no] += 1
            sizes[no] = other
    near = [no for no, count in shared.items() if count >= _needed(size, sizes[no]) - too_common]
    unproven = {no for no in common if _needed(size, sizes[no]) <= too_common}
    return list(dict.fromkeys([*same, *near, *sorted(unproven, reverse=True)[:_LONGEST_LIST]]))


def _needed(size: int, other: int) -> int:
    """How many of the words the other stands under must be among these `size` words."""
    return _least_shared(size, other) - (other - indexed_share(other))
