"""dedup: live memories, page by page → near duplicates by words, then duplicates by meaning → one plan.

Only what is compared is kept of each memory; those that change are read again once it is decided which they are. What
changed in the meantime is left to the next run, and what the words have decided is not decided again by meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any

from remanence.lifecycle.near_duplicates import NearDuplicates, Verdict
from remanence.lifecycle.semantic_duplicates import (
    COSINE,
    KEPT,
    MOST_EACH,
    SEMANTIC_DUPLICATE,
    Fate,
    Pairs,
    SemanticDuplicates,
)
from remanence.model.action import OWN_KINDS
from remanence.model.consolidation import ALSO_FROM
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan, Reason
from remanence.model.selection import Selection, selection_from
from remanence.store.protocol import Alike, Store

_BATCH = 500
# Each takes some 1,600 more for one memory that is kept; where more are alike, another run goes on.
MOST_ROUNDS = 4
_WHY_LEFT_OUT = {
    "waiting": "waiting to be embedded",
    "other model": 'with a vector of another model (see "rem reembed")',
    "coarse": "with a vector that has faded too far",
    "damaged": 'with a damaged vector (see "rem check")',
    "too long": "too long for one vector",
}


def dedup(store: Store, now: datetime, scope: Any = None, *, model: str | None = None) -> Plan:
    """The plan of a sweep for duplicates over these scopes, None being everywhere; by meaning with this model."""
    selection = selection_from(scope=scope, unexpired_at=now)
    near, number = NearDuplicates(now), 0
    for page in store.pages(selection):
        number += len(page)
        for memory in page:
            if memory.kind not in OWN_KINDS:
                near.read(memory)
    verdicts = list(near.verdicts())
    del near
    changes = list(_near_changes(store, iter(verdicts)))
    if model is None:
        warnings = [_unlike(number, "this mind has no embedder")] if number else []
    else:
        fates, warnings = _by_meaning(store, now, selection, model, verdicts)
        changes += _meant_changes(store, fates)
    return Plan(tuple(changes), verb="dedup", automatic=True, warnings=tuple(warnings))


def _near_changes(store: Store, verdicts: Iterator[Verdict]) -> Iterator[Change]:
    while batch := list(islice(verdicts, _BATCH)):
        found = store.get({id for verdict in batch for id in (verdict.id, verdict.other_id)})
        for verdict in batch:
            memory, other = found.get(verdict.id), found.get(verdict.other_id)
            if memory is not None and _as_read(memory, verdict.revision) and _as_read(other, verdict.other_revision):
                yield verdict.change(memory)


def _as_read(memory: Memory | None, revision: int) -> bool:
    return memory is not None and memory.revision == revision


# --- by meaning


def _by_meaning(
    store: Store, now: datetime, selection: Selection, model: str, verdicts: Sequence[Verdict]
) -> tuple[list[Fate], list[str]]:
    """What becomes of memories that mean the same, and what was not compared."""
    import numpy as np

    alike = store.meanings.alike(model, selection, COSINE, MOST_EACH)
    ranks = np.arange(len(alike.rows))
    if gone := {verdict.id for verdict in verdicts if verdict.leaves}:
        ranks = ranks[[id not in gone for id in store.ids(alike.rows.tolist())]]
    pairs = alike.pairs(ranks, None)
    judge = SemanticDuplicates(now, {verdict.id: verdict.other_id for verdict in verdicts if not verdict.leaves})
    met = np.unique(np.concatenate(pairs[:2]))
    for rank, memory in _read(store, alike, met.tolist()):
        judge.read(rank, memory)
    if places := judge.crowded_places(pairs):
        # Who is alike to none but one that has its measure of partners was not met yet.
        for rank, memory in _read(store, alike, np.setdiff1d(ranks, met).tolist()):
            if (memory.scope, memory.kind) in places:
                judge.read(rank, memory)
    pairs, complete = _settled(judge, alike, pairs)
    reasons = {**alike.left_out, "too long": judge.too_long}
    told = [f"{number:,} {_WHY_LEFT_OUT[reason]}" for reason, number in reasons.items() if number]
    warnings = [_unlike(sum(reasons.values()), ", ".join(told))] if told else []
    if not complete:
        warnings.append('So many are alike that this plan does not hold them all. Apply it, then run "rem dedup" again')
    return judge.fates(pairs), warnings


def _read(store: Store, alike: Alike, ranks: Sequence[int]) -> Iterator[tuple[int, Memory]]:
    for start in range(0, len(ranks), _BATCH):
        part = {int(alike.rows[rank]): rank for rank in ranks[start : start + _BATCH]}
        for row, memory in store.memories(list(part)).items():
            if memory.kind not in OWN_KINDS:
                yield part[row], memory


def _settled(judge: SemanticDuplicates, alike: Alike, pairs: Pairs) -> tuple[Pairs, bool]:
    """The pairs of all that stay once everybody has left who can, and whether it came to that."""
    import numpy as np

    def joined(a: Pairs, b: Pairs) -> Pairs:
        return np.concatenate((a[0], b[0])), np.concatenate((a[1], b[1])), np.concatenate((a[2], b[2]))

    for _ in range(MOST_ROUNDS):
        ranks, groups = judge.crowded(pairs)
        if groups.any():
            pairs = joined(pairs, alike.pairs(ranks, groups))
        left = judge.leave(pairs)
        ranks, _groups = judge.crowded(pairs)
        if not left or not len(ranks):
            return pairs, True
        others = ~np.isin(pairs[1], ranks)
        pairs = joined((pairs[0][others], pairs[1][others], pairs[2][others]), alike.pairs(ranks, None))
    return pairs, False


def _meant_changes(store: Store, fates: Iterable[Fate]) -> Iterator[Change]:
    waiting: list[Fate] = []
    ids: set[str] = set()
    for fate in [*fates, None]:
        if waiting and (fate is None or len(ids) >= _BATCH):
            found = store.get(ids)
            for one in waiting:
                yield from _fulfilled(one, found)
            waiting, ids = [], set()
        if fate is not None:
            waiting.append(fate)
            ids |= {fate.id, *(id for id, _, _ in (*fate.merged, *fate.rivals))}


def _fulfilled(fate: Fate, memories: Mapping[str, Memory]) -> Iterator[Change]:
    """Those that leave, then what is written to the one that stays; only where both are as they were read."""
    memory = memories.get(fate.id)
    if memory is None or memory.revision != fate.revision:
        return
    left, rivals = (
        [one for one in some if _as_read(memories.get(one[0]), one[1])] for some in (fate.merged, fate.rivals)
    )
    after: dict[str, Any] = {}
    evidence: dict[str, float] = {}
    for id, revision, cosine in left:
        change = Change.of(memories[id], SEMANTIC_DUPLICATE, state=State.SUPERSEDED, superseded_by=memory.id)
        yield replace(change, revision=revision, evidence={"cosine": cosine})
    if left:
        known = memory.metadata.get(ALSO_FROM, [])
        also = {*map(str, known if isinstance(known, list) else [known]), *(id for id, _, _ in left)}
        after["metadata"] = {**memory.metadata, ALSO_FROM: sorted(also)}
        evidence = {"merged": len(left), "cosine": min(cosine for _, _, cosine in left)}
    for id, _, cosine in rivals:
        after["challenged_by"], evidence["cosine"] = id, cosine
    if after:
        reason = Reason.CONTRADICTED if rivals else KEPT
        yield replace(Change.of(memory, reason, **after), revision=fate.revision, evidence=evidence)


def _unlike(number: int, why: str) -> str:
    return f"{number:,} {'memory was' if number == 1 else 'memories were'} not compared by meaning: {why}"
