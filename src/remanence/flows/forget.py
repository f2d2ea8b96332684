"""forget: memories by filter, words or id → a plan that makes them forgotten.

Forgetting is soft: nothing is destroyed, undo and restore bring everything back. A filter takes older versions and
archived memories with it, so that no recall, not even of an earlier moment, finds what was to be forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from remanence.errors import InvalidInput
from remanence.flows.find import found_all
from remanence.model import checks
from remanence.model.duration import duration, duration_problems
from remanence.model.memory import Memory, State
from remanence.model.moment import earlier
from remanence.model.plan import Change, Plan, Reason, action_for
from remanence.model.selection import selection_from
from remanence.model.words import words
from remanence.store.protocol import Store

MOST_QUERY_WORDS = 64
_FORGETTABLE = (State.LIVE, State.SUPERSEDED, State.ARCHIVED, State.QUARANTINED)


def plan_forget(
    store: Store,
    now: datetime,
    *,
    ids: Iterable[str] | None = None,
    scope: Any = None,
    older_than: str | timedelta | None = None,
    categories: Any = None,
    kinds: Any = None,
    query: str | None = None,
) -> Plan:
    """The plan that forgets what every given filter agrees on; no filter at all is refused."""
    filters = {"scope": scope, "categories": categories, "kinds": kinds}
    if ids is None and older_than is None and query is None and all(value is None for value in filters.values()):
        raise InvalidInput("forget needs at least one of ids, scope, older_than, categories, kinds or query")
    problems = [] if older_than is None else duration_problems(older_than, "older_than")
    problems += [] if query is None else _query_problems(query)
    if problems:
        raise InvalidInput(problems)
    chosen = None if ids is None else found_all(store, ids)
    selection = selection_from(
        **filters,
        ids=None if chosen is None else tuple(memory.id for memory in chosen),
        states=_FORGETTABLE,
        created_before=None if older_than is None else earlier(now, duration(older_than)),
    )
    if query is not None:
        return Plan(tuple(map(_forgotten, _by_words(store, query, selection))), verb="forget")
    columns = store.columns(selection)
    states = tuple(State)
    changes = (
        _change(id, states[state], State.FORGOTTEN)
        for id, state in zip(columns.ids, columns.state.tolist(), strict=True)
    )
    return Plan(tuple(changes), verb="forget")


def _query_problems(query: str) -> list[str]:
    problems = checks.text_problems(query, "query")
    if not problems and (number := len(set(words(query)))) > MOST_QUERY_WORDS:
        return [f"query has {number} words; forgetting by words takes at most {MOST_QUERY_WORDS}"]
    return problems


def _by_words(store: Store, query: str, selection: Any) -> list[Memory]:
    """Memories that hold every word of the query."""
    return [memory for memory, _ in store.matching(query, selection, None, every_word=True)]


def _forgotten(memory: Memory) -> Change:
    return _change(memory.id, memory.state, State.FORGOTTEN)


def _change(id: str, before: State, after: State) -> Change:
    old, new = {"state": before}, {"state": after}
    return Change(memory_id=id, action=action_for(old, new), reason=Reason.ASKED, before=old, after=new)
