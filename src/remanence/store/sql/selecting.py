"""Selections as SQL: a condition on `lives l`, also on the state a memory had at an earlier moment."""

from __future__ import annotations

import json
from typing import Any

from remanence.model.memory import State
from remanence.model.moment import to_micros
from remanence.model.scope import ROOT
from remanence.model.selection import EVERY_STATE, Order, Selection
from remanence.store.sql import rows
from remanence.store.sql.connection import Connection

_SUPERSEDED = rows.STATE_NUMBER[State.SUPERSEDED]
_RECALLABLE_AS_OF = tuple(rows.STATE_NUMBER[s] for s in (State.LIVE, State.SUPERSEDED, State.ARCHIVED))

# The state before the first change of state after a moment is the state at that moment. Rows that came by import have
# no such change: there the birth of the successor tells.
_LIVE_AT = f"""coalesce(
  (SELECT j.state_before FROM journal j JOIN receipts r ON /*r.here*/ r.no = j.receipt
   WHERE /*j.here*/ j.no = l.no AND j.state_before IS NOT NULL AND j.state_before IS DISTINCT FROM j.state_after
     AND coalesce(j.effective_at, r.at) > ? ORDER BY j.receipt, j.item LIMIT 1),
  CASE WHEN l.state = {_SUPERSEDED}
     AND NOT EXISTS (SELECT 1 FROM journal j WHERE /*j.here*/ j.no = l.no AND j.state_before IS NOT NULL)
     AND (SELECT n.created_at FROM memories x JOIN lives n ON /*n.here*/ n.no = x.no
          WHERE x.space = ? AND x.id = l.superseded_by) > ?
  THEN {rows.LIVE} ELSE l.state END) = {rows.LIVE}"""

ORDERS = {
    Order.NEWEST: "l.created_at DESC, l.no DESC",
    Order.OLDEST: "l.created_at, l.no",
    Order.IMPORTANCE: "l.importance DESC, l.created_at DESC, l.no DESC",
    Order.RECALLED: "(l.access_count > 0) DESC, l.last_accessed_at DESC, l.no DESC",
    Order.RECALLS: "l.access_count DESC, l.created_at DESC, l.no DESC",
}


def where(selection: Selection, space: int, *, searching: bool = False) -> tuple[str, list[Any]]:
    """The condition on `lives l` (joined to `memories m` only where ids are named) and its values.

    Categories lead to their rows, unless words have found some already (`searching`), which are then asked one by one.
    """
    parts, values = _place(selection, space)
    if selection.as_of is not None:
        moment = to_micros(selection.as_of)
        parts += [f"l.state IN {_RECALLABLE_AS_OF}", "l.created_at <= ?", _LIVE_AT]
        values += [moment, moment, space, moment]
    elif selection.states == (State.QUARANTINED,):
        parts.append(f"l.state = {rows.STATE_NUMBER[State.QUARANTINED]}")  # as the index of them says
    elif selection.states != EVERY_STATE:
        parts.append(f"l.state IN ({','.join(str(rows.STATE_NUMBER[state]) for state in selection.states)})")
    if selection.ids is not None:
        parts.append(
            "l.no IN (SELECT no FROM memories WHERE space=? AND id IN (SELECT unhex(value) FROM json_each(?)))"
        )
        raw = (rows.id_bytes_or_none(id) for id in selection.ids)
        values += [space, json.dumps([found.hex() for found in raw if found is not None])]
    if selection.layers is not None:
        parts.append(f"l.layer IN ({','.join(str(rows.LAYERS.index(layer)) for layer in selection.layers)})")
    if selection.sources is not None:
        parts.append(f"l.source IN ({','.join(str(rows.SOURCES.index(source)) for source in selection.sources)})")
    if selection.categories is not None:
        marks = ",".join("?" * len(selection.categories))
        if searching:
            parts.append(f"EXISTS (SELECT 1 FROM tags t WHERE /*t.here*/ t.category IN ({marks}) AND t.no = l.no)")
        else:
            parts.append(f"l.no IN (SELECT no FROM tags WHERE /*here*/ category IN ({marks}))")
        values += selection.categories
    if selection.challenged:
        parts.append("l.challenged_by IS NOT NULL")
    for column, moment_, sign in (
        ("created_at", selection.created_before, "<"),
        ("created_at", selection.since, ">="),
        ("created_at", selection.until, "<="),
    ):
        if moment_ is not None:
            parts.append(f"l.{column} {sign} ?")
            values.append(to_micros(moment_))
    if selection.unexpired_at is not None:
        parts.append(f"(l.expires_at IS NULL OR l.expires_at >= ? OR l.state <> {rows.LIVE})")
        values.append(to_micros(selection.unexpired_at))
    return " AND ".join(parts), values


def _place(selection: Selection, space: int) -> tuple[list[str], list[Any]]:
    """The namespace, and the shelves of the scopes and kinds where these are named."""
    if (selection.scopes is None or ROOT in selection.scopes) and selection.kinds is None:
        return ["l.space = ?"], [space]
    sql = "SELECT no FROM shelves WHERE space=?"
    values: list[Any] = [space]
    if selection.scopes is not None and ROOT not in selection.scopes:
        if len(selection.scopes) == 1:
            (scope,) = selection.scopes
            sql += " AND (scope = ? OR (scope >= ? AND scope < ?))"
            values += (scope, scope + "/", scope + "0")
        else:
            sql += (
                " AND EXISTS (SELECT 1 FROM json_each(?) a "
                "WHERE scope = a.value OR (scope >= a.value || '/' AND scope < a.value || '0'))"
            )
            values.append(json.dumps(selection.scopes))
    if selection.kinds is not None:
        sql += f" AND kind IN ({','.join('?' * len(selection.kinds))})"
        values += selection.kinds
    return [f"/*l.here*/ l.shelf IN ({sql})"], values


def shelves_of(connection: Connection, selection: Selection, space: int) -> list[int] | None:
    """The shelves of the scopes and kinds a selection names; None where it names none."""
    (part,), values = _place(selection, space)
    if "l.shelf IN" not in part:
        return None
    return [no for (no,) in connection.execute(part.partition("l.shelf IN (")[2].removesuffix(")"), values)]


def narrows(selection: Selection) -> bool:
    """Whether a selection asks for more than place, state and not to have expired."""
    asked = (selection.ids, selection.layers, selection.categories, selection.sources, selection.created_before)
    times = (selection.since, selection.until, selection.as_of)
    return any(condition is not None for condition in (*asked, *times))


def is_broad(selection: Selection) -> bool:
    """Whether most memories of the namespace are likely to be meant."""
    anywhere = selection.scopes is None and selection.kinds is None
    return anywhere and State.LIVE in selection.states and not narrows(selection)
