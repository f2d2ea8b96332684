"""Which words of a sentence stand within brackets, quotes or code that close again: nothing is cut there."""

from __future__ import annotations

_SIGNS = frozenset('()[]"“”„`')


def inside(tokens: list[str]) -> list[bool]:
    """For each token, whether it stands inside; the one that opens does not."""
    if not _SIGNS.intersection("".join(tokens)):
        return [False] * len(tokens)
    found: list[bool] = []
    depth, quoted, coded = 0, False, False
    for token in tokens:
        found.append(depth > 0 or quoted or coded)
        depth = max(0, depth + token.count("(") + token.count("[") - token.count(")") - token.count("]"))
        quoted ^= (token.count('"') + token.count("“") + token.count("”") + token.count("„")) % 2 == 1
        coded ^= token.count("`") % 2 == 1
    if depth or quoted or coded:  # never closed: they were no brackets
        return [False] * len(tokens)
    return found
