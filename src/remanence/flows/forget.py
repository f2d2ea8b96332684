"""forget: memories by filter, words or id → a plan that makes them forgotten.

Forgetting is soft: nothing is destroyed, undo and restore bring everything back. A filter takes older versions and
archived memories with it, so that no recall, not even of an earlier moment, finds what was to be forgotten.

What dreams made of it holds its words and goes too: summaries and cards, and whatever else repeats its text, unless
somebody pinned it. Memories that had left recall for such a summary come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from remanence.errors import InvalidInput
from remanence.flows.find import found_all
from remanence.flows.purge import MADE_FROM_IT, left_for
from remanence.flows.restore import kept_live
from remanence.lifecycle.summaries import is_summary
from remanence.model import checks
from remanence.model.duration import duration, duration_problems
from remanence.model.memory import Memory, Source, State
from remanence.model.moment import earlier
from remanence.model.plan import Change, Plan, Reason, action_for
from remanence.model.selection import Selection, selection_from
from remanence.model.words import folded, words
from remanence.store.protocol import Store

MOST_QUERY_WORDS = 64
SUMMARY_FORGOTTEN = "its summary was forgotten"
_ASKED_ONE_BY_ONE = 200
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
        leaving = {memory.id: memory.state for memory in _by_words(store, query, selection)}
    else:
        columns = store.columns(selection)
        states = tuple(State)
        leaving = {id: states[state] for id, state in zip(columns.ids, columns.state.tolist(), strict=True)}
    asked = (_change(id, state) for id, state in leaving.items())
    return Plan((*asked, *_with_what_was_made(store, leaving, now)), verb="forget")


def _with_what_was_made(store: Store, leaving: Mapping[str, State], now: datetime) -> Iterator[Change]:
    """What was made of memories that leave goes too; what had left for a summary that goes comes back."""
    made: dict[str, Memory] = {}
    waiting = set(leaving)
    while waiting:
        found = [one for one in _made_by_dreams(store, waiting) if one.id not in made and one.state in _FORGETTABLE]
        made |= {one.id: one for one in found if one.id in leaving or (not one.pinned and _holds(store, one, leaving))}
        waiting = {one.id for one in found if one.id in made and one.id not in leaving}
    for memory in made.values():
        if memory.id not in leaving:
            yield _change(memory.id, memory.state, MADE_FROM_IT)
    for memory in left_for(store, made) if made else ():
        if memory.id not in leaving:
            yield Change.of(memory, SUMMARY_FORGOTTEN, **kept_live(now))


def _made_by_dreams(store: Store, ids: set[str]) -> Iterator[Memory]:
    """What dreams made of these; of many ids all that dreams made is read, as asking for each would take longer."""
    if len(ids) <= _ASKED_ONE_BY_ONE:
        made = {one for some in store.made_from(sorted(ids)).values() for one in some}
        yield from (memory for memory in store.get(sorted(made)).values() if memory.source is Source.DREAM)
        return
    for page in store.pages(Selection(states=_FORGETTABLE, sources=(Source.DREAM,))):
        yield from (memory for memory in page if not ids.isdisjoint(memory.lineage))


def _holds(store: Store, made: Memory, leaving: Mapping[str, State]) -> bool:
    """Whether what was made stands for memories that leave, or repeats the text of one."""
    from remanence.lifecycle.cards import KIND as CARD

    if is_summary(made) or made.kind == CARD:
        return True
    said = folded(made.text)
    return any(folded(memory.text) in said for memory in store.get(id for id in made.lineage if id in leaving).values())


def _query_problems(query: str) -> list[str]:
    problems = checks.text_problems(query, "query")
    if not problems and (number := len(set(words(query)))) > MOST_QUERY_WORDS:
        return [f"query has {number} words; forgetting by words takes at most {MOST_QUERY_WORDS}"]
    return problems


def _by_words(store: Store, query: str, selection: Any) -> list[Memory]:
    """Memories that hold every word of the query."""
    return [memory for memory, _ in store.matching(query, selection, None, every_word=True)]


def _change(id: str, before: State, reason: str = Reason.ASKED) -> Change:
    old, new = {"state": before}, {"state": State.FORGOTTEN}
    return Change(memory_id=id, action=action_for(old, new), reason=reason, before=old, after=new)
