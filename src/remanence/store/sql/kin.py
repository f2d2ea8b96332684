"""Kin: the live memories of a shelf that share enough words with a text to be its older version, or similar to it.

Each live memory stands in the index under its rarest words, in two rows of places. The first holds so many of them
(n − ⌈0.7·n⌉ + 1 of n) that a text with a Jaccard similarity of 0.7 or more must meet it there often enough; the second
adds what is needed for 0.4. Which words are rare is an estimate, made from texts this process has seen; it decides
what a look-up costs, never what it finds.

What is similar is found as long as look-ups of so many words meet fewer than 512 places. In a shelf crowded beyond
that, the second row is left out: versions are found all the same, and of the others the most promising are compared.
Each database keeps the places in its own way, and copes in its own way with thousands of texts of one template.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import nlargest
from zlib import crc32

from remanence.model.words import folded, tokens_of
from remanence.store.sql.connection import Connection
from remanence.store.sql.rarity import Rarity

VERSION = (7, 10)
SIMILAR = (2, 5)
MOST_MET = 512
MOST_AT_ONCE = 4096
MOST_SIMILAR = 256
NEVER = 1 << 30
_AT_ONCE = 512
_MOST_PROMISING = 32
_PROMISING = 0.4
_WHOLE_TEXT = 0x5EED


def tokens_at(words: Iterable[str]) -> list[int]:
    """The place of each word."""
    return [crc32(word.encode()) for word in words]


def whole(text: str) -> int:
    """The place of the whole text, case and space folded: where its duplicates stand."""
    return crc32(folded(text).encode(), _WHOLE_TEXT)


def indexed_share(size: int, alike: tuple[int, int]) -> int:
    """How many of `size` words a text that is so much alike cannot avoid: of 20 words 7 for 7/10, 13 for 2/5."""
    part, whole = alike
    return size + (-part * size // whole) + 1


@lru_cache(maxsize=1 << 14)
def needed(size: int, other: int, alike: tuple[int, int], indexed: tuple[int, int]) -> int:
    """How many of the places the other stands under must be among these `size` words: of 20 and 20, 4 for VERSION.

    So much alike means an overlap of at least 7 / 17 of both sizes together (17), and the other may have all words
    outside the index in it (13). Texts of too different lengths cannot be so much alike.
    """
    part, whole = alike
    overlap = -(-part * (size + other) // (part + whole))
    return NEVER if overlap > min(size, other) else overlap - (other - indexed_share(other, indexed))


def lengths(size: int, alike: tuple[int, int]) -> tuple[int, int]:
    """How many words a text that is so much alike has at least and at most."""
    part, whole = alike
    return -(-part * size // whole), size * whole // part


class Kin:
    """The index of one namespace as one process sees it; which rows it has, each database says."""

    def __init__(self) -> None:
        self._rarity = Rarity(self.sample)

    def sample(self, connection: Connection) -> Iterable[str]:
        """Some texts of the namespace, or of more than it."""
        raise NotImplementedError

    def forget(self) -> None:
        """Drop what was read: rows may have changed since."""

    def enter(self, connection: Connection, shelf: int, no: int, text: str) -> None:
        """Put a memory that is live from now on into the index."""
        raise NotImplementedError

    def leave(self, connection: Connection, shelf: int, no: int) -> None:
        """Take a memory that is live no longer out of the index."""
        raise NotImplementedError

    def strike(self, connection: Connection, shelf: int, no: int, text: str) -> None:
        """Take every trace of a memory out of the index, live or not."""
        raise NotImplementedError

    def candidates(self, connection: Connection, shelf: int, text: str, tokens: frozenset[str]) -> list[int]:
        """Numbers of the live memories to compare: all that may be a version, and the likely others."""
        raise NotImplementedError

    def places(self, connection: Connection, text: str) -> tuple[int, set[int], set[int]]:
        """How many words a memory has that is to enter, and its places in the two rows."""
        tokens = tokens_of(text)
        size = len(tokens)
        rarest = self._rarity.rarest(connection, tokens, indexed_share(size, SIMILAR))
        self._rarity.saw(tokens)
        first = indexed_share(size, VERSION)
        at = tokens_at(rarest)
        front = {*at[:first], whole(text)}
        return size, front, set(at[first:]) - front

    def similar(self, connection: Connection, shelf: int, text: str) -> list[int]:
        """Numbers of the shelf's live memories with a Jaccard similarity of 0.4 or more to this text, or the same text.

        The most similar first, and at most 256: a shelf full of one template would else be read whole for each write.
        In a crowded shelf all from 0.7 are found, and some of the others.
        """
        tokens = tokens_of(text)
        near = []
        compared = self.candidates(connection, shelf, text, tokens)
        for no, other in _texts(connection, compared):
            others = tokens_of(other)
            shared = len(tokens & others)
            united = len(tokens) + len(others) - shared
            if shared == united and folded(other) == folded(text):
                near.append((2.0, no))
            elif 5 * shared >= 2 * united > 0:
                near.append((shared / united, no))
        return [no for _, no in sorted(near, reverse=True)[:MOST_SIMILAR]]


def _texts(connection: Connection, numbers: list[int]) -> Iterator[tuple[int, str]]:
    for start in range(0, len(numbers), _AT_ONCE):
        asked = padded(numbers[start : start + _AT_ONCE])
        yield from connection.execute(
            f"SELECT no, text FROM memories WHERE /*here*/ no IN ({','.join('?' * len(asked))})", asked
        )


def complete(found: Sequence[tuple[int, int, int, int]], shelf: int, text: str) -> bool:
    tokens = tokens_of(text)
    size = len(tokens)
    allowed = [*tokens_at(tokens), whole(text)]
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


def weighed(
    met: Counter[tuple[int, int]], others: Iterable[tuple[int, int, int]], places: Sequence[int], *, crowded: bool
) -> list[int]:
    """Whom to compare: of those met, by number and size, how often; and of others (number, size, how often)."""
    size, clashes = len(places) - 1, len(places) - len(set(places))
    near: list[int] = []
    likely: list[tuple[float, int]] = []
    # With how many of its places, and in the rows for which likeness, each is among those asked for.
    first = VERSION if crowded else SIMILAR
    each = [(no, other, shared + clashes, first) for (no, other), shared in met.items()]
    each += [(no, other, shared + clashes, SIMILAR) for no, other, shared in others]
    for no, other, shared, indexed in each:
        # Most share too little even to be similar, which is less than a version shares.
        if not crowded and shared < needed(size, other, SIMILAR, indexed):
            continue
        if shared >= needed(size, other, VERSION, indexed):
            near.append(no)
        elif not crowded or (shared > 1 and shared >= _PROMISING * indexed_share(other, indexed)):
            likely.append((shared / (size + other), no))
    most = _MOST_PROMISING if crowded else MOST_SIMILAR
    return near + [no for _, no in nlargest(most, likely)]


def padded(values: list[int]) -> list[int]:
    """The values and the last of them again, up to a round number of them: few statements to prepare."""
    step = 8 if len(values) <= 64 else 64
    return values + values[-1:] * (-len(values) % step)
