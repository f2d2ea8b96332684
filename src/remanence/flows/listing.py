"""Lists: memories of any state in an order, or those that hold some words, and how many there are of each sort.

A recall answers a question, counts as a use and knows live and archived memories alone; a list only looks. By birth a
page begins after a place and misses nothing; in other orders, where memories move, and by words, it leaves out so many.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from remanence.model import checks
from remanence.model.memory import Memory
from remanence.model.selection import BY_BIRTH, LIMIT, Order, Place, listing
from remanence.store.protocol import Store

SORTS = ("scope", "kind", "layer", "source", "state")


def listed(
    store: Store,
    now: datetime,
    *,
    limit: int,
    offset: int,
    after: str | None,
    order: str,
    words: str | None,
    ids: Iterable[str] | None,
    **filters: Any,
) -> list[Memory]:
    """The memories meant, in their order."""
    problems = checks.integer_problems(limit, "limit", 1, LIMIT) + checks.integer_problems(offset, "offset", 0)
    problems += checks.choice_problems(order, "order", Order)
    if words is not None:
        problems += checks.text_problems(words, "words")
        if after is not None:
            problems.append("words are listed best first: leave after out, and page by offset")
    elif after is not None and order not in BY_BIRTH:
        problems.append(f"after is a place by birth: with order {checks.shown(order)} page by offset")
    chosen = listing(now, problems, **filters, ids=ids)
    if words is not None:
        return [memory for memory, _ in store.matching(words, chosen, offset + limit)[offset:]]
    place = None if after is None else Place.read(after)
    return store.select(chosen, limit=limit, offset=offset, after=place, order=Order(order))


def counts(store: Store, now: datetime, of: str, **filters: Any) -> dict[str, int]:
    """How many memories there are of each scope, kind, layer, source or state, the most first."""
    return dict(store.counts(listing(now, checks.choice_problems(of, "of", SORTS), **filters), of))
