"""recall: words → matching memories → ranking → hits; what was returned counts as accessed.

Only a plain recall of live memories counts as access. With `as_of`, memories are found and shown as they were then,
unless they were forgotten since. Search by words never waits for a writer.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from remanence.errors import InvalidInput
from remanence.lifecycle.ranking import ranked, within
from remanence.model import checks
from remanence.model.hit import Hit
from remanence.model.memory import State
from remanence.model.moment import moment_problems
from remanence.model.selection import LIMIT, Selection, selection_from
from remanence.store.protocol import Store

INCLUDES = {"live": (State.LIVE,), "archived": (State.LIVE, State.ARCHIVED)}


def recall(
    store: Store,
    query: str,
    now: datetime,
    *,
    limit: int,
    include: str,
    as_of: datetime | None,
    budget_tokens: int | None,
    reinforce: bool,
    **filters: Any,
) -> list[Hit]:
    """The best hits for a query, best first."""
    problems = checks.text_problems(query, "query")
    problems += checks.integer_problems(limit, "limit", 1, LIMIT)
    problems += checks.choice_problems(include, "include", INCLUDES)
    problems += checks.flag_problems(reinforce, "reinforce")
    if as_of is not None:
        problems += moment_problems(as_of, "as_of")
        problems += [] if include == "live" else ["as_of shows what was live then: leave include out"]
    if budget_tokens is not None:
        problems += checks.integer_problems(budget_tokens, "budget_tokens", 1)
    try:
        selection = selection_from(
            **filters, states=INCLUDES.get(str(include), ()), unexpired_at=now if as_of is None else None, as_of=as_of
        )
    except InvalidInput as invalid:
        problems += invalid.problems
    if problems:
        raise InvalidInput(problems)
    if as_of is not None:
        return within(_as_it_was(store, query, selection, as_of)[:limit], budget_tokens)
    hits = within(ranked(store.matching(query, selection, limit)), budget_tokens)
    if reinforce and include == "live" and hits:
        store.touch([hit.memory.id for hit in hits], now)
    return hits


def _as_it_was(store: Store, query: str, selection: Selection, moment: datetime) -> list[Hit]:
    """Hits with the fields they had at that moment, chosen by those fields."""
    anyhow = replace(selection, layers=None, categories=None)
    hits = ranked(store.matching(query, anyhow, None))
    then = store.revert([hit.memory for hit in hits], moment)
    return [
        Hit(memory, hit.rank, hit.parts)
        for hit, memory in zip(hits, then, strict=True)
        if (memory.expires_at is None or memory.expires_at >= moment)
        and (selection.layers is None or memory.layer in selection.layers)
        and (selection.categories is None or set(selection.categories) & set(memory.categories))
    ]
