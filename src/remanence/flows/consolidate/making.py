"""What the tiers of consolidation make: memories of source dream, with lineage to what they stand in.

What someone took out of recall is not made again from the same sources, nor what was purged: a person who forgot a
fact would otherwise have to forget it after every run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from remanence.model.checks import TAGS, metadata_problems
from remanence.model.consolidation import ALSO_FROM, ALSO_UNTIL
from remanence.model.memory import Layer, Memory, Source, State

if TYPE_CHECKING:
    from remanence.flows.dream.night import Night

_MOST_SHOWN = 5
_MOST_ALSO = 500


def made(
    night: Night,
    text: str,
    sources: Sequence[Memory],
    *,
    kind: str,
    layer: Layer,
    confidence: float,
    metadata: Mapping[str, Any],
    importance: float = 0.5,
    categories: Iterable[str] = (),
    concepts: Iterable[str] = (),
    files: Iterable[str] = (),
) -> Memory:
    """A new memory of this run, of the scope of its sources."""
    return Memory(
        id=night.new_id(night.now),
        namespace=night.store.namespace,
        scope=sources[0].scope,
        layer=layer,
        kind=kind,
        text=text,
        source=Source.DREAM,
        importance=importance,
        confidence=confidence,
        created_at=night.now,
        last_accessed_at=night.now,
        lineage=tuple(dict.fromkeys(source.id for source in sources)),
        depth=max(source.depth for source in sources),
        metadata=dict(metadata),
        categories=_each(categories),
        concepts=_each(concepts),
        files=_each(files),
    )


def _each(tags: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tags))[:TAGS]


def is_suspicious(memory: Memory) -> bool:
    """Whether it would be quarantined: what reads like an instruction stays in its sources."""
    from remanence.flows.door import reasons_of

    return bool(reasons_of(memory))


def made_before(night: Night, sources: Iterable[Memory]) -> list[Memory]:
    """What was made from any of these, in whatever state; live ones last."""
    ids = {id for found in night.store.made_from([source.id for source in sources]).values() for id in found}
    memories = night.store.get(ids).values()
    return sorted(memories, key=lambda one: (one.state is State.LIVE, one.created_at, one.id))


def also_from(memory: Memory) -> frozenset[str]:
    """All that a memory was made from, or that was met again later."""
    later = memory.metadata.get(ALSO_FROM, ())
    return frozenset((*memory.lineage, *(map(str, later) if isinstance(later, list) else ())))


def unmet(memory: Memory, sources: Iterable[Memory]) -> list[str]:
    """Those of the sources that a memory was not made from, nor met in: each counts once, listed or no longer."""
    met, until = also_from(memory), _until(memory)
    return [source.id for source in sources if source.id not in met and source.id > until]


def with_also(memory: Memory, ids: Iterable[str], **more: Any) -> dict[str, Any] | None:
    """The metadata of a memory that was met again in these, the newest 500 of them; None where that does not fit."""
    later = sorted(also_from(memory).union(ids).difference(memory.lineage))
    metadata = {**memory.metadata, ALSO_FROM: later[-_MOST_ALSO:], **more}
    if left_out := later[:-_MOST_ALSO]:
        metadata[ALSO_UNTIL] = max(left_out[-1], _until(memory))
    return None if metadata_problems(metadata) else metadata


def _until(memory: Memory) -> str:
    until = memory.metadata.get(ALSO_UNTIL)
    return until if isinstance(until, str) else ""


def by_scope(memories: Iterable[Memory]) -> dict[str, list[Memory]]:
    """Memories of each scope, in their order: what is said in one scope is no evidence for another."""
    scopes: dict[str, list[Memory]] = {}
    for memory in memories:
        scopes.setdefault(memory.scope, []).append(memory)
    return dict(sorted(scopes.items()))


def skipped(tier: str, whys: Mapping[str, str], everywhere: str, *, ran: bool = False) -> list[str]:
    """Why a tier did nothing in these scopes, `ran` where it did in others; `everywhere` where there are none."""
    if ran and not whys:
        return []
    if not whys or (len(whys) == 1 and not ran):
        return [f"{tier} skipped: {next(iter(whys.values()), everywhere)}"]
    lines = [f"{tier} skipped in {scope}: {why}" for scope, why in list(whys.items())[:_MOST_SHOWN]]
    more = len(whys) - _MOST_SHOWN
    return [*lines, f"{tier} skipped in {more} more scopes for the same reasons"] if more > 0 else lines
