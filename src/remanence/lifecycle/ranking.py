"""Ranking: the order of hits, and which of them fit a budget of tokens.

For now a hit's rank is its BM25 score alone; equal scores are ordered newest first, then by id, so that an order is
never a matter of chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from remanence.model.hit import Hit
from remanence.model.memory import Memory, State
from remanence.model.words import estimate_tokens


def ranked(matches: Iterable[tuple[Memory, float]]) -> list[Hit]:
    """Hits, best first."""
    hits = [Hit(memory, score, {"text": score}, memory.state is State.ARCHIVED) for memory, score in matches]
    if all(better.rank > worse.rank for better, worse in pairwise(hits)):
        return hits
    return sorted(hits, key=lambda hit: (-hit.rank, -hit.memory.created_at.timestamp(), hit.memory.id))


def within(hits: list[Hit], budget_tokens: int | None) -> list[Hit]:
    """The best hits that fit the budget together; one too large is passed over for smaller ones after it."""
    if budget_tokens is None:
        return hits
    fitting, left = [], budget_tokens
    for hit in hits:
        tokens = estimate_tokens(hit.memory.text)
        if tokens <= left:
            fitting.append(hit)
            left -= tokens
    return fitting
