"""lineage: the memories that one is tied to, by what it was made from, by what was made from it, and by its versions.

Read a ring at a time, nearest first, by ids alone, until nobody new is named or there are as many as were asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from remanence.errors import InvalidInput
from remanence.flows.find import found
from remanence.model import checks
from remanence.model.lineage import MADE, VERSION, Lineage, Relative, link
from remanence.model.memory import Memory
from remanence.model.selection import LIMIT
from remanence.store.protocol import Store

Tie = tuple[str, str, str]


def lineage(store: Store, id: str, limit: int) -> Lineage:
    """The memory and at most so many in all that it is tied to."""
    if problems := checks.integer_problems(limit, "limit", 1, LIMIT):
        raise InvalidInput(problems)
    first = found(store, id)
    memories: dict[str, Memory] = {}
    ties: dict[Tie, None] = {}
    named: dict[str, None] = {first.id: None}
    purged: dict[str, None] = {}
    more = False
    while waiting := [one for one in named if one not in memories and one not in purged]:
        room = limit - len(memories)
        if room <= 0:
            more = any(store.get([one]) for one in waiting)
            break
        ring = store.get(waiting[:room])
        purged |= dict.fromkeys(one for one in waiting[:room] if one not in ring)
        memories |= {one: ring[one] for one in waiting if one in ring}
        made = store.made_from(ring)
        for memory in ring.values():
            for tie in _ties(store, memory, made):
                ties[tie] = None
                named |= dict.fromkeys(tie[:2])
    drawn = dict.fromkeys(_turned(tie, memories) for tie in ties if tie[0] in memories and tie[1] in memories)
    return Lineage(
        id=first.id,
        memories=tuple(map(Relative.of, memories.values())),
        links=tuple(link(*tie) for tie in drawn),
        purged=tuple(purged),
        more=more,
    )


def _turned(tie: Tie, memories: Mapping[str, Memory]) -> Tie:
    """A tie with the older version first: one that was restored took the place of a newer one."""
    older, newer, how = tie
    back = how == VERSION and memories[newer].version < memories[older].version
    return (newer, older, how) if back else tie


def _ties(store: Store, memory: Memory, made: Mapping[str, tuple[str, ...]]) -> Iterator[Tie]:
    """What ties a memory to others, the older of both first."""
    for source in memory.lineage:
        yield source, memory.id, MADE
    for result in made[memory.id]:
        yield memory.id, result, MADE
    if memory.supersedes is not None:
        yield memory.supersedes, memory.id, VERSION
    if memory.superseded_by is not None:
        yield memory.id, memory.superseded_by, VERSION
    for other in store.get(store.versions_beside(memory.id)).values():
        yield (memory.id, other.id, VERSION) if other.supersedes == memory.id else (other.id, memory.id, VERSION)
