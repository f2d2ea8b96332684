"""What a namespace holds, read from the counters, and what its file costs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from remanence.model.memory import State
from remanence.model.moment import from_micros, to_micros
from remanence.model.report import Stats
from remanence.store.protocol import Total
from remanence.store.sql import rows
from remanence.store.sql.connection import Engine

_EPOCH_DAY = date(1970, 1, 1).toordinal()
_STATES = ",".join(f"({number}, '{state.value}')" for number, state in enumerate(rows.STATES))
_BY_STATE = (
    f"WITH names(no, name) AS (VALUES {_STATES}) SELECT n.name, sum(c.{{}}) FROM counts c "
    "JOIN shelves s ON s.no = c.shelf JOIN names n ON n.no = c.state "
    "WHERE /*c.here*/ s.space=? AND c.memories > 0 GROUP BY n.no, n.name ORDER BY n.no"
)
_LIVE_BY = (
    "SELECT s.{0}, sum(c.memories) FROM counts c JOIN shelves s ON s.no = c.shelf "
    f"WHERE /*c.here*/ s.space=? AND c.memories > 0 AND c.state={rows.LIVE} GROUP BY 1 ORDER BY 2 DESC, 1"
)
_VECTORS = (
    "SELECT o.name, count(*) FROM meanings e JOIN models o ON o.no = e.model WHERE e.space=? GROUP BY o.name ORDER BY 1"
)
_WAITING = "SELECT count(*) FROM meanings INDEXED BY meanings_waiting WHERE space=? AND waits > 0"

_DUE = f"SELECT count(*) FROM lives INDEXED BY lives_due WHERE space=? AND due_at >> {rows.SPAN} {{}} ? AND due_at {{}}"


_OF: dict[str, tuple[str, str, Callable[[Any], str]]] = {
    "scope": ("s.scope", " JOIN shelves s ON /*s.here*/ s.no = l.shelf", str),
    "kind": ("s.kind", " JOIN shelves s ON /*s.here*/ s.no = l.shelf", str),
    "layer": ("l.layer", "", lambda number: rows.LAYERS[number].value),
    "source": ("l.source", "", lambda number: rows.SOURCES[number].value),
    "state": ("l.state", "", lambda number: rows.STATES[number].value),
}


def counts(engine: Engine, condition: str, values: list[Any], of: str) -> dict[str, int]:
    """How many memories there are of each sort, the most first."""
    column, joined, name = _OF[of]
    sql = f"SELECT {column}, count(*) FROM lives l{joined} WHERE {condition} GROUP BY 1 ORDER BY 2 DESC, 1"
    with engine.read(snapshot=False) as connection:
        return {name(value): int(number) for value, number in connection.execute(sql, values)}


def stats(engine: Engine, namespace: str, space: int, pending_accesses: int) -> Stats:
    """The figures of one namespace."""
    with engine.read() as connection:

        def tally(sql: str) -> dict[str, int]:
            return dict(connection.execute(sql, (space,)))

        layers = connection.execute(
            "SELECT layer, count(*) FROM lives WHERE space=? AND state=? GROUP BY layer", (space, rows.LIVE)
        )
        return Stats(
            namespace=namespace,
            memories=tally(_BY_STATE.format("memories")),
            tokens=tally(_BY_STATE.format("tokens")),
            scopes=tally(_LIVE_BY.format("scope")),
            kinds=tally(_LIVE_BY.format("kind")),
            layers={rows.LAYERS[layer].value: number for layer, number in layers},
            receipts=connection.execute("SELECT count(*) FROM receipts WHERE space=?", (space,)).get,
            tombstones=connection.execute("SELECT count(*) FROM tombstones WHERE space=?", (space,)).get,
            purge_pending=bool(connection.execute("SELECT value FROM meta WHERE /*here*/ name='purge_pending'").get),
            location=engine.location,
            schema=engine.schema(),
            file_bytes=engine.size(),
            pending_accesses=pending_accesses,
            vectors=tally(_VECTORS),
            waiting=connection.execute(_WAITING, (space,)).get,
            recalls=connection.execute("SELECT count(*) FROM recalls WHERE space=?", (space,)).get,
            regrets=connection.execute("SELECT coalesce(sum(times), 0) FROM regrets WHERE space=?", (space,)).get,
        )


def state_counts(engine: Engine, space: int) -> dict[tuple[str, State], int]:
    """How many memories each scope holds in each state."""
    with engine.read() as connection:
        return {
            (scope, rows.STATES[state]): number
            for scope, state, number in connection.execute(
                "SELECT s.scope, c.state, sum(c.memories) FROM counts c JOIN shelves s ON s.no = c.shelf "
                "WHERE /*c.here*/ s.space=? GROUP BY s.scope, c.state HAVING sum(c.memories) > 0",
                (space,),
            )
        }


def holds(engine: Engine, space: int, state: State) -> bool:
    """Whether any memory is in this state."""
    sql = (
        "SELECT 1 FROM shelves s CROSS JOIN counts c ON /*c.here*/ c.shelf = s.no "
        "WHERE s.space=? AND c.state=? AND c.memories > 0 LIMIT 1"
    )
    with engine.read(snapshot=False) as connection:
        return connection.execute(sql, (space, rows.STATE_NUMBER[state])).get is not None


def totals(engine: Engine, space: int) -> dict[tuple[str, str, State], Total]:
    """What each scope holds of each kind in each state."""
    with engine.read() as connection:
        return {
            (scope, kind, rows.STATES[state]): Total(memories, tokens)
            for scope, kind, state, memories, tokens in connection.execute(
                "SELECT s.scope, s.kind, c.state, c.memories, c.tokens FROM counts c JOIN shelves s ON s.no = c.shelf "
                "WHERE /*c.here*/ s.space=? AND c.memories > 0",
                (space,),
            )
        }


def total_tagged(engine: Engine, space: int, category: str) -> Total:
    """What the live memories of a category hold."""
    with engine.read() as connection:
        return Total(
            *connection.execute(
                "SELECT count(*), coalesce(sum(l.tokens), 0) FROM tags t CROSS JOIN lives l ON l.no = t.no "
                f"WHERE /*t.here*/ t.category=? AND l.space=? AND l.state={rows.LIVE}",
                (category, space),
            ).get
        )


def total_born_before(engine: Engine, space: int, day: date) -> Total:
    """What the live memories hold that were created before this day began, in UTC."""
    with engine.read() as connection:
        return Total(
            *connection.execute(
                "SELECT coalesce(sum(memories), 0), coalesce(sum(tokens), 0) FROM days "
                f"WHERE space=? AND state={rows.LIVE} AND day < ?",
                (space, day.toordinal() - _EPOCH_DAY),
            ).get
        )


def due_count(engine: Engine, space: int, at: datetime) -> int:
    """How many memories are due; whole spans of the index are counted without looking at their rows."""
    moment = to_micros(at)
    span = moment >> rows.SPAN
    with engine.read() as connection:
        whole = connection.execute(_DUE.format("<", "IS NOT NULL"), (space, span)).get
        begun = connection.execute(_DUE.format("=", "<= ?"), (space, span, moment)).get
    return int(whole + begun)


def begun_at(engine: Engine, space: int) -> datetime | None:
    """When something was first written to the namespace."""
    with engine.read() as connection:
        found = connection.execute("SELECT at FROM receipts WHERE space=? ORDER BY no LIMIT 1", (space,)).get
    return None if found is None else from_micros(found)
