"""Promotion by hand: one step on the ladder working → episodic → semantic.

Procedural and codebase memories are off the ladder: what is done and what is code do not become facts by rank.
"""

from __future__ import annotations

from remanence.model.memory import Layer

LADDER = (Layer.WORKING, Layer.EPISODIC, Layer.SEMANTIC)


def step(layer: Layer, by: int) -> Layer | None:
    """The layer one step up (by=1) or down (by=-1); None where there is no such step."""
    if layer not in LADDER:
        return None
    place = LADDER.index(layer) + by
    return LADDER[place] if 0 <= place < len(LADDER) else None
