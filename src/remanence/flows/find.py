"""Finding memories by id: all of them, or an error that names each one that is missing."""

from __future__ import annotations

from collections.abc import Iterable

from remanence.errors import InvalidInput, NotFound
from remanence.model import checks
from remanence.model.memory import Memory
from remanence.store.protocol import Store


def found(store: Store, id: str) -> Memory:
    """The memory with this id."""
    return found_all(store, [id])[0]


def versions(store: Store, id: str) -> dict[str, Memory]:
    """A memory and all its other versions that are still there, by id."""
    family: dict[str, Memory] = {}
    waiting = [id]
    while waiting:
        for memory in store.get(waiting.pop() for _ in range(len(waiting))).values():
            family[memory.id] = memory
            waiting += (v for v in (memory.supersedes, memory.superseded_by) if v is not None and v not in family)
    return family


def found_all(store: Store, ids: Iterable[str]) -> list[Memory]:
    """The memories with these ids, in this order, each once."""
    if isinstance(ids, str):
        raise InvalidInput("ids must be a list of ids, not one text")
    wanted = list(dict.fromkeys(ids))
    if problems := [p for id in wanted if not isinstance(id, str) for p in checks.id_problems(id)]:
        raise InvalidInput(problems)
    memories = store.get(wanted)
    if missing := [id for id in wanted if id not in memories]:
        shown = ", ".join(repr(id[:60]) for id in missing[:5]) + (" …" if len(missing) > 5 else "")
        raise NotFound(f"There is no memory {shown} in namespace {store.namespace!r}. See: rem list")
    return [memories[id] for id in wanted]
