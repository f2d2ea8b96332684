"""Reading memories: selections as SQL, search by words, and the state a memory had at an earlier moment."""

from __future__ import annotations

from typing import Any

import apsw

from remanence.model.memory import State
from remanence.model.moment import to_micros
from remanence.model.scope import ROOT, below
from remanence.model.selection import EVERY_STATE, Selection
from remanence.model.words import segmented
from remanence.store.sqlite import rows

TOKENIZER = ("porter", "unicode61", "remove_diacritics", "2", "categories", "L* N* Co M*")
_COMMON_SHARE = 0.02
_PRUNE_FROM = 1000
_MOST_TERMS = 64
_SUPERSEDED = rows.STATE_NUMBER[State.SUPERSEDED]
_RECALLABLE_AS_OF = tuple(rows.STATE_NUMBER[s] for s in (State.LIVE, State.SUPERSEDED, State.ARCHIVED))

# The state before the first change of state after a moment is the state at that moment. Rows that came by import have
# no such change: there the birth of the successor tells.
_LIVE_AT = f"""coalesce(
  (SELECT j.state_before FROM journal j JOIN receipts r ON r.no = j.receipt
   WHERE j.no = l.no AND j.state_before IS NOT NULL AND j.state_before IS NOT j.state_after
     AND coalesce(j.effective_at, r.at) > ? ORDER BY j.receipt, j.item LIMIT 1),
  CASE WHEN l.state = {_SUPERSEDED}
     AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.no = l.no AND j.state_before IS NOT NULL)
     AND (SELECT n.created_at FROM memories x JOIN lives n ON n.no = x.no
          WHERE x.space = ? AND x.id = l.superseded_by) > ?
  THEN {rows.LIVE} ELSE l.state END) = {rows.LIVE}"""


def where(selection: Selection, space: int) -> tuple[str, list[Any]]:
    """The condition on `lives l` (joined to `memories m` only where ids are named) and its values."""
    shelf, values = _shelves(selection, space)
    parts = [f"l.shelf IN ({shelf})"]
    if selection.as_of is not None:
        moment = to_micros(selection.as_of)
        parts += [f"l.state IN {_RECALLABLE_AS_OF}", "l.created_at <= ?", _LIVE_AT]
        values += [moment, moment, space, moment]
    elif selection.states != EVERY_STATE:
        parts.append(f"l.state IN ({','.join(str(rows.STATE_NUMBER[state]) for state in selection.states)})")
    if selection.ids is not None:
        marks = ",".join("?" * len(selection.ids))
        parts.append(f"l.no IN (SELECT no FROM memories WHERE space=? AND id IN ({marks}))")
        values += [space, *map(rows.id_bytes, selection.ids)]
    if selection.layers is not None:
        parts.append(f"l.layer IN ({','.join(str(rows.LAYERS.index(layer)) for layer in selection.layers)})")
    if selection.categories is not None:
        marks = ",".join("?" * len(selection.categories))
        parts.append(f"EXISTS (SELECT 1 FROM tags t WHERE t.category IN ({marks}) AND t.no = l.no)")
        values += selection.categories
    for column, moment_, sign in (
        ("created_at", selection.created_before, "<"),
        ("created_at", selection.since, ">="),
        ("created_at", selection.until, "<="),
    ):
        if moment_ is not None:
            parts.append(f"l.{column} {sign} ?")
            values.append(to_micros(moment_))
    if selection.unexpired_at is not None:
        parts.append("(l.expires_at IS NULL OR l.expires_at > ?)")
        values.append(to_micros(selection.unexpired_at))
    return " AND ".join(parts), values


def _shelves(selection: Selection, space: int) -> tuple[str, list[Any]]:
    sql, values = "SELECT no FROM shelves WHERE space=?", [space]
    if selection.scopes is not None and ROOT not in selection.scopes:
        sql += f" AND ({' OR '.join(['scope=? OR (scope>=? AND scope<?)'] * len(selection.scopes)) or 'FALSE'})"
        for scope in selection.scopes:
            values += (scope, *below(scope))  # type: ignore[arg-type]
    if selection.kinds is not None:
        sql += f" AND kind IN ({','.join('?' * len(selection.kinds))})"
        values += selection.kinds  # type: ignore[arg-type]
    return sql, values


class Terms:
    """Query words as the full-text index knows them, with how many memories hold each.

    Above a thousand memories, words that stand in more than 2 % of them are left out of a query that has rarer ones:
    they cost the most and tell the least.
    """

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._known_at = 0

    def expression(self, connection: apsw.Connection, query: str, *, every_word: bool) -> str | None:
        """The query as a full-text expression of quoted terms; None when it has no usable word."""
        tokenizer = connection.fts5_tokenizer(TOKENIZER[0], list(TOKENIZER[1:]))
        cut = segmented(query)
        flags = apsw.FTS5_TOKENIZE_QUERY
        found: list[str] = tokenizer(
            (cut or query).encode(), flags, None, include_offsets=False, include_colocated=False
        )
        terms = list(dict.fromkeys(found))
        single = {term for term in terms if cut and len(term) == 1 and not term.isascii()}
        if cut and len(terms) > len(single):
            # The last character of each run stands in the index for one-character queries only.
            terms = [term for term in terms if term not in single]
            single = set()
        if not terms:
            return None
        if not every_word:
            terms = self._telling(connection, terms)
        quoted = [f'"{term.replace(chr(34), chr(34) * 2)}"' + ("*" if term in single else "") for term in terms]
        return (" AND " if every_word else " OR ").join(quoted)

    def _telling(self, connection: apsw.Connection, terms: list[str]) -> list[str]:
        total = connection.execute("SELECT max(no) FROM memories").get or 0
        if total <= _PRUNE_FROM:
            return terms[:_MOST_TERMS]
        if total > self._known_at * 1.05:
            self._known, self._known_at = {}, total
        counted = sorted((self._count(connection, term), number, term) for number, term in enumerate(terms))
        most = _COMMON_SHARE * total
        kept = [term for count, _, term in counted if 0 < count <= most][:_MOST_TERMS]
        return kept or [term for count, _, term in counted if count][:1] or terms[:1]

    def _count(self, connection: apsw.Connection, term: str) -> int:
        known = self._known.get(term)
        if known is None:
            try:
                known = connection.execute("SELECT doc FROM temp.terms WHERE term=?", (term,)).get or 0
            except apsw.SQLError:
                connection.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, search, row)")
                known = connection.execute("SELECT doc FROM temp.terms WHERE term=?", (term,)).get or 0
            self._known[term] = known
        return known
