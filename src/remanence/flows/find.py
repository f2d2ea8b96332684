"""Finding memories by id: all of them, or an error that names each one that is missing."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from remanence.errors import InvalidInput, NotFound
from remanence.model import checks
from remanence.model.memory import Memory
from remanence.store.protocol import Store

MOST_IDS = 100_000


def found(store: Store, id: str) -> Memory:
    """The memory with this id."""
    if not isinstance(id, str):
        raise InvalidInput(checks.id_problems(id))
    return found_all(store, [id])[0]


def versions(store: Store, id: str) -> dict[str, Memory]:
    """A memory and all its other versions that are still there, by id."""
    family: dict[str, Memory] = {}
    waiting = [id]
    while waiting:
        for memory in store.get(waiting.pop() for _ in range(len(waiting))).values():
            family[memory.id] = memory
            beside = (memory.supersedes, memory.superseded_by, *store.versions_beside(memory.id))
            waiting += (id for id in beside if id is not None and id not in family)
    return family


def found_all(store: Store, ids: Iterable[str]) -> list[Memory]:
    """The memories with these ids, in this order, each once."""
    if isinstance(ids, (str, bytes)) or not isinstance(ids, Iterable):
        raise InvalidInput(f"ids must be a list of ids, not {type(ids).__name__}")
    wanted = list(islice(ids, MOST_IDS + 1))
    if len(wanted) > MOST_IDS:
        raise InvalidInput(f"ids has more than {MOST_IDS} entries; name a scope, or go in steps")
    if problems := [p for id in wanted if not isinstance(id, str) for p in checks.id_problems(id)][:20]:
        raise InvalidInput(problems)
    wanted = list(dict.fromkeys(wanted))
    memories = store.get(wanted)
    if missing := [id for id in wanted if id not in memories]:
        shown = ", ".join(repr(id[:60]) for id in missing[:5]) + (" …" if len(missing) > 5 else "")
        raise NotFound(f"There is no memory {shown} in namespace {store.namespace!r}. See: rem list")
    return [memories[id] for id in wanted]
