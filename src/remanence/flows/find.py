"""Finding memories by id: all of them, or an error that names each one that is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from remanence.errors import InvalidInput, NotFound
from remanence.model import checks
from remanence.model.memory import Memory
from remanence.store.protocol import Store

MOST_IDS = 100_000


def found(store: Store, id: str, what: str = "memory", see: str = "rem list") -> Memory:
    """The memory with this id; `what` it is called, and the command that lists such."""
    if not isinstance(id, str):
        raise InvalidInput(checks.id_problems(id))
    return found_all(store, [id], what=what, see=see)[0]


def versions(store: Store, id: str, after: Mapping[str, Mapping[str, Any]] | None = None) -> dict[str, Memory]:
    """A memory and all its other versions that are still there, by id; as they will be with `after` written over them.

    A tie that `after` cuts holds no longer: what only it held together are two memories again.
    """
    written = after or {}
    family: dict[str, Memory] = {}
    waiting: list[tuple[str, str | None]] = [(id, None)]
    while waiting:
        reached, waiting = [tie for tie in waiting if tie[0] not in family], []
        memories = store.get({other for other, _ in reached})
        for other, named_by in reached:
            if other in family or other not in memories:
                continue
            memory = memories[other].but(**written.get(other, {}))
            if named_by is not None and named_by not in (memory.supersedes, memory.superseded_by):
                continue
            family[other] = memory
            waiting += ((tied, None) for tied in (memory.supersedes, memory.superseded_by) if tied is not None)
            waiting += ((tied, other) for tied in store.versions_beside(other))
    return family


def found_all(
    store: Store, ids: Iterable[str], *, name: str = "ids", what: str = "memory", see: str = "rem list"
) -> list[Memory]:
    """The memories with these ids, in this order, each once; `name` is what the caller calls the ids."""
    if isinstance(ids, (str, bytes)) or not isinstance(ids, Iterable):
        raise InvalidInput(f"{name} must be a list of ids, not {type(ids).__name__}")
    wanted = list(islice(ids, MOST_IDS + 1))
    if len(wanted) > MOST_IDS:
        raise InvalidInput(f"{name} has more than {MOST_IDS} entries; name a scope, or go in steps")
    wrong = [id for id in wanted if not isinstance(id, str)][:20]
    if problems := [p for id in wrong for p in checks.id_problems(id, f"each of {name}:")]:
        raise InvalidInput(problems)
    wanted = list(dict.fromkeys(wanted))
    memories = store.get(wanted)
    if missing := [id for id in wanted if id not in memories]:
        shown = ", ".join(repr(id[:60]) for id in missing[:5]) + (" …" if len(missing) > 5 else "")
        raise NotFound(f"There is no {what} {shown} in namespace {store.namespace!r}. See: {see}")
    return [memories[id] for id in wanted]
