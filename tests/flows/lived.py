"""A store that was lived in: a world's memories and their uses, taken in from a file as from another store."""

from __future__ import annotations

import json
from pathlib import Path

from remanence import Mind
from remanence.model.memory import Layer, Memory, Source
from remanence.model.moment import from_micros
from remanence.simulator.worlds import World
from tests.conftest import Clock, new_mind


def settled(world: World, folder: Path, *, db: Path | str = ":memory:", broken: int = 0) -> tuple[Mind, Clock]:
    """A mind that holds this world at its end; so many memories have a recall from before their birth."""
    clock = Clock(from_micros(world.trace.ends))
    mind = new_mind(db, clock, namespace="default")
    path = folder / "world.jsonl"
    columns = world.trace.columns
    with path.open("w", encoding="utf-8") as lines:
        for row, uses in enumerate(world.trace.uses):
            born = from_micros(int(columns.created_at[row]))
            moments = tuple(from_micros(int(at)) for at in uses[-20:])
            early = (from_micros(int(columns.created_at[row]) - 1),) if row < broken else ()
            memory = Memory(
                id=f"01890000-0000-7000-8000-{row:012x}",
                namespace="default",
                scope=columns.scopes[row],
                layer=Layer.EPISODIC,
                kind=columns.kinds[row],
                text=world.texts[row],
                source=Source.HUMAN,
                importance=float(columns.importance[row]),
                created_at=born,
                last_accessed_at=moments[-1] if moments else born,
                access_count=len(uses) + len(early),
                recent_accesses=(*early, *moments)[-20:],
            )
            lines.write(json.dumps(memory.to_dict()) + "\n")
    mind.import_(path)
    return mind, clock
