"""Whom a step of a dream listens to, and where it may write.

A memory has a say where it is live, still holds, does not leave by the same plan, is no outline of a source tree, and
was accepted by a person if it ever was in quarantine. Kinds with a form of their own have none, except those a step
names.
"""

from __future__ import annotations

from collections.abc import Collection

from remanence.flows.dream.night import Night
from remanence.lifecycle.summaries import APART
from remanence.model.entity import Entity
from remanence.model.memory import Layer, Memory, State, is_untried
from remanence.model.scope import holds

MOST_FAILURES = 3
"""After so many answers that did not come or did not fit, a step asks a model no more."""
TOLD = frozenset(("summary",))
"""Of the kinds with a form of their own, those that tell of entities as other memories do."""


def within(night: Night, scope: str) -> bool:
    """Whether this run may write into a scope."""
    return night.scopes is None or any(holds(one, scope) for one in night.scopes)


def has_a_say(night: Night, memory: Memory, among: Collection[str]) -> bool:
    """Whether a step may go by what this memory says; `among` are the kinds with a form of their own that it hears."""
    has_ended = any(moment is not None and moment < night.now for moment in (memory.expires_at, memory.valid_until))
    return (
        memory.state is State.LIVE
        and not has_ended
        and (memory.kind not in APART or memory.kind in among)
        and memory.layer is not Layer.CODEBASE
        and memory.id not in night.leaving
        and not is_untried(memory)
    )


def spoken_of(night: Night, entity: Entity, most: int, held: dict[str, Memory | None] | None = None) -> list[Memory]:
    """The memories of all scopes that say something of an entity and stay, newest first.

    `held` is for who asks of many: what was read is kept there and not read again, None for what has no say.
    """
    known = {} if held is None else held
    ids = night.store.entities.memories(entity.keys, None, most)
    read = night.store.get([id for id in ids if id not in known])
    known |= {id: memory if has_a_say(night, memory, TOLD) else None for id, memory in read.items()}
    found = [memory for id in ids if (memory := known.get(id)) is not None]
    return sorted(found, key=lambda memory: (memory.created_at, memory.id), reverse=True)
