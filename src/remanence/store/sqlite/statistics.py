"""What a namespace holds, read from the counters, and what its file costs."""

from __future__ import annotations

from pathlib import Path

from remanence.model.memory import State
from remanence.model.report import Stats
from remanence.store.sqlite import migrations, rows
from remanence.store.sqlite.engine import Engine

_STATES = ",".join(f"({number}, '{state.value}')" for number, state in enumerate(rows.STATES))
_BY_STATE = (
    f"WITH names(no, name) AS (VALUES {_STATES}) SELECT n.name, sum(c.{{}}) FROM counts c "
    "JOIN shelves s ON s.no = c.shelf JOIN names n ON n.no = c.state "
    "WHERE s.space=? AND c.memories > 0 GROUP BY n.no ORDER BY n.no"
)
_LIVE_BY = (
    "SELECT s.{0}, sum(c.memories) FROM counts c JOIN shelves s ON s.no = c.shelf "
    f"WHERE s.space=? AND c.memories > 0 AND c.state={rows.LIVE} GROUP BY 1 ORDER BY 2 DESC, 1"
)


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
            purge_pending=bool(connection.execute("SELECT value FROM meta WHERE name='purge_pending'").get),
            location=str(engine.path or ":memory:"),
            schema=migrations.current_schema(),
            file_bytes=_bytes(engine.path),
            pending_accesses=pending_accesses,
        )


def state_counts(engine: Engine, space: int) -> dict[tuple[str, State], int]:
    """How many memories each scope holds in each state."""
    with engine.read() as connection:
        return {
            (scope, rows.STATES[state]): number
            for scope, state, number in connection.execute(
                "SELECT s.scope, c.state, sum(c.memories) FROM counts c JOIN shelves s ON s.no = c.shelf "
                "WHERE s.space=? GROUP BY s.scope, c.state HAVING sum(c.memories) > 0",
                (space,),
            )
        }


def _bytes(path: Path | None) -> int:
    if path is None:
        return 0
    return sum(file.stat().st_size for file in (path, Path(f"{path}-wal")) if file.exists())
