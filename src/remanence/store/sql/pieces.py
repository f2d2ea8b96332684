"""What of a purged text is looked for: its beginning and its end, 48 bytes each.

In files they are looked for byte for byte, in what was observed by their folds: case, composed forms and white space do
not count there. A piece of a few letters stands in everything, so it must be all that was said.

Many pieces are found at the cost of few: every so many characters of a text a short run is looked up among the runs
that the pieces begin with, at such a distance that no piece fits between two looks.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable

from remanence.model.words import folded

SIZE = 48
"""Short enough to lie in one page of a file."""
LEAST_IN_FILES = 16
_LEAST = 8
_FEW = 8
_LONG = 24
_RUN = 8
_MOST_RUNS = 2_000_000


def in_files(text: str) -> set[bytes]:
    """What of a text is looked for in files; nothing of one so short that it may be there by chance."""
    raw = text.encode()
    return {raw[:SIZE], raw[-SIZE:]} if len(raw) >= LEAST_IN_FILES else set()


def holder(texts: Iterable[str]) -> Callable[[str], bool] | None:
    """Tells whether something said holds a piece of one of these texts; None where nothing can."""
    whole: set[str] = set()
    parts: set[str] = set()
    for text in texts:
        for said in _folds(text):
            (parts if len(said.encode()) >= _LEAST else whole).add(said)
    whole.discard("")
    if not parts and not whole:
        return None
    long = [part for part in parts if len(part) >= _LONG]
    finders = [_finder(some) for some in (long, [part for part in parts if len(part) < _LONG]) if some]

    def holds(said: str) -> bool:
        plain = folded(said)
        return plain in whole or any(finds(plain) for finds in finders)

    return holds


def _folds(text: str) -> tuple[str, str]:
    """The folds of both pieces. Letters at a cut may belong together with what was cut off, so they are left out."""
    raw = text.encode()
    head, tail = raw[:SIZE].decode(errors="ignore"), raw[-SIZE:].decode(errors="ignore")
    if len(raw) > SIZE and not text.isascii():
        end, start = len(head) - 1, 0
        while end > 0 and unicodedata.combining(head[end]):
            end -= 1
        while start < len(tail) - 1 and unicodedata.combining(tail[start]):
            start += 1
        head, tail = head[:end], tail[start + 1 :]
    return folded(head), folded(tail)


def _finder(parts: list[str]) -> Callable[[str], bool]:
    if len(parts) <= _FEW:
        return lambda said: any(part in said for part in parts)
    shortest = min(map(len, parts))
    run = min(_RUN, (shortest + 1) // 2)
    step = max(1, min(shortest - run + 1, _MOST_RUNS // len(parts)))
    runs: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for part in parts:
        for offset in range(step):
            runs[part[offset : offset + run]].append((part, offset))
    known = dict(runs)

    def finds(said: str) -> bool:
        for at in range(0, len(said) - run + 1, step):
            for part, offset in known.get(said[at : at + run], ()):
                if at >= offset and said.startswith(part, at - offset):
                    return True
        return False

    return finds
