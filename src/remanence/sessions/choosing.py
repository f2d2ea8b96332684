"""Which memories are told of a project, gathered by columns, so that many cost little.

Its own are those of its scope. What is remembered in the scopes above it holds for it too, as far as it is of a kind
that holds in general: preferences, rules, lessons; and so does everything of /user. Mere facts of other scopes are not
told. Nothing is told that is not live, has expired, or is raw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from remanence.lifecycle.guidance import (
    GENERAL,
    Ranked,
    in_scopes,
    joined,
    most_worthy,
    newest,
    of_kinds,
    says_more,
    settled,
    told,
)
from remanence.model.columns import Columns
from remanence.model.memory import Memory, State
from remanence.model.moment import to_micros
from remanence.model.policy import Policy
from remanence.model.scope import ROOT, holds
from remanence.model.selection import Selection
from remanence.model.session import SUMMARY
from remanence.store.protocol import Store

USER = "/user"
"""The scope of what is known of the user, in whatever project."""
_NONE = Ranked([], [])


class Gathered(NamedTuple):
    """Statements, most worthy first, and synopses of sessions that say more than those, newest first.

    `general` are the ids of those statements that are not the project's own; `more` of its own are not among them.
    """

    statements: Sequence[Memory]
    sessions: Sequence[Memory]
    general: frozenset[str]
    more: int

    @property
    def own(self) -> list[Memory]:
        return [memory for memory in self.statements if memory.id not in self.general]


def gathered(
    store: Store,
    policy: Policy,
    scope: str,
    now: datetime,
    *,
    most: int,
    most_general: int,
    most_sessions: int,
    ranked_at: int | None = None,
) -> Gathered:
    """What is told of the project in this scope, at most so much of each; by the worth it has now, or had then."""
    at, number = to_micros(now) if ranked_at is None else ranked_at, 0
    own = sessions = _NONE
    for page in store.column_pages(Selection(scopes=(scope,), unexpired_at=now)):
        stated, held = page.take(told(page)), page.take(of_kinds(page, (SUMMARY,)))
        number += len(stated)
        own = joined((own, _by_row(stated, most_worthy(stated, policy, at, most))), most)
        sessions = joined((sessions, _by_row(held, newest(held, most_sessions))), most_sessions)
    general = _general(store, policy, scope, now, at, most_general)
    rows = [_first(store, ranked, number) for ranked, number in ((own, most), (general, most_general))]
    synopses = _first(store, sessions, most_sessions)
    found = _live(store, [*rows[0], *rows[1], *synopses])
    keys = dict(zip((*own.places, *general.places), (*own.keys, *general.keys), strict=True))
    both = sorted((row for some in rows for row in some if row in found), key=lambda row: (keys[row], found[row].id))
    stated_in: dict[str | None, list[str]] = {}
    for row in both:
        stated_in.setdefault(found[row].origin, []).append(found[row].text)
    told_of = [found[row] for row in synopses if row in found]
    return Gathered(
        statements=[found[row] for row in both],
        sessions=[one for one in told_of if says_more(one.text, stated_in.get(one.origin, ()))],
        general=frozenset(found[row].id for row in rows[1] if row in found),
        more=max(0, number - len(rows[0])),
    )


def of_these_kinds(
    store: Store, policy: Policy, scope: str, now: datetime, kinds: Iterable[str], most: int, ranked_at: int
) -> list[Memory]:
    """The project's own memories of some kinds, those first that were most worthy then, at most so many."""
    ranked = _NONE
    for page in store.column_pages(Selection(scopes=(scope,), kinds=tuple(kinds), unexpired_at=now)):
        ranked = joined((ranked, _by_row(page, most_worthy(page, policy, ranked_at, most))), most)
    found = _live(store, rows := _first(store, ranked, most))
    return [found[row] for row in rows if row in found]


def is_told_of(project: str, scope: str) -> bool:
    """Whether memories of a scope may be told of a project: its own, and what holds for it, too."""
    return holds(project, scope) or holds(USER, scope) or scope in _above(project)


def _general(store: Store, policy: Policy, scope: str, now: datetime, at: int, most: int) -> Ranked:
    """What other scopes hold that holds for this one, too."""
    if scope == ROOT or most < 1:
        return _NONE
    above = _above(scope)
    there = {kind for where, kind, state in store.totals() if where in above and state is State.LIVE}
    pages: list[Columns] = []
    if not holds(USER, scope):
        pages += store.column_pages(Selection(scopes=(USER,), unexpired_at=now))
    if kinds := GENERAL & there:
        held = store.column_pages(Selection(kinds=tuple(sorted(kinds)), unexpired_at=now))
        pages += (page.take(in_scopes(page, above)) for page in held)
    stated = [page.take(told(page)) for page in pages]
    return joined([_by_row(page, most_worthy(page, policy, at, most)) for page in stated], most)


def _above(scope: str) -> frozenset[str]:
    """The scopes that hold this one: /project/api → /, /project."""
    parts = scope.split("/")[:-1]
    return frozenset("/".join(parts[: length + 1]) or ROOT for length in range(len(parts)))


def _by_row(columns: Columns, ranked: Ranked) -> Ranked:
    """The same by the store's numbers, which hold for other columns, too."""
    return Ranked(columns.rows[ranked.places].tolist(), ranked.keys)


def _first(store: Store, ranked: Ranked, most: int) -> list[int]:
    return settled(ranked, store.ids(ranked.places), most)


def _live(store: Store, rows: Sequence[int]) -> dict[int, Memory]:
    """The memories of these rows, but for those that have left recall since the columns were read."""
    return {row: memory for row, memory in store.memories(rows).items() if memory.state is State.LIVE}
