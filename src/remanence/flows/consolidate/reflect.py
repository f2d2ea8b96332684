"""Tier reflect: what recurs across sessions → insights, each with what recurs, how often, and its most typical words.

Read are the newest 5,000 live memories; what dreams made, raw output and what has an end of its own is left out.
Memories of one scope belong together when they name the same subject and say similar things, or mean the same (cosine
above 0.75). A model may say what such a group comes to; where that does not stand in the memories it is dropped. The
same group is told once; one that grew gets a new version, and one whose insight somebody took out of recall is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from remanence.errors import LlmFailed
from remanence.flows.consolidate import asking
from remanence.flows.consolidate.making import by_scope, is_suspicious, made, made_before
from remanence.flows.dream.night import Proposal, claim_key, claimed
from remanence.lifecycle.admission import next_version, superseded
from remanence.lifecycle.grounding import Ground
from remanence.lifecycle.recurring import ALIKE_MEANING, LEAST_MEMBERS, Group, Likeness, Seen, by_words, groups
from remanence.lifecycle.summaries import APART
from remanence.model.claim import Claim
from remanence.model.consolidation import REFLECT
from remanence.model.memory import Layer, Memory, Source, State
from remanence.model.plan import Change
from remanence.model.selection import Selection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from remanence.flows.dream.night import Night

RECURS = "recurs"
MOST_READ = 5_000
MOST_INSIGHTS = 200
LONGEST_TEXT = 1_000
CLUSTER_COSINE = 0.75
_MOST_EACH = 64
_FIRST_CONFIDENCE, _CONFIDENCE_GAIN, _MOST_CONFIDENCE = 0.5, 0.1, 0.9
_LEFT_OUT = APART | {"tool_output", "session_state", "session_summary"}
_NONE = "no 3 memories of 2 sessions share a subject"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"insight": {"type": "string", "maxLength": 600}},
    "required": ["insight"],
    "additionalProperties": False,
}


def reflect(night: Night) -> Proposal:
    """Insights into what recurs."""
    memories = _read(night)
    claims: list[Claim] = []
    changes: list[Change] = []
    warnings: list[str] = []
    dropped: Counter[str] = Counter()
    failures: list[str] = []
    recurring = waiting = unfit = 0
    for some in by_scope(memories).values():
        by_id = {one.id: one for one in some}
        for group in _groups(night, some):
            recurring += 1
            members = [by_id[id] for id in group.ids]
            known = _known(night, group, members)
            if known is not None and (known.state is not State.LIVE or not _grew(known, group, night)):
                continue
            if len(claims) == MOST_INSIGHTS or night.is_over():
                waiting += 1
                continue
            text, llm = _text(night, group, dropped, failures)
            claim, insight, others = _proposed(night, group, members, known, text, llm=llm)
            if night.store.tombstones([text]) or is_suspicious(insight):
                unfit += 1
                continue
            claims.append(claim)
            changes += claimed(claim, [Change.add(insight, RECURS, **claim.evidence), *others])
            night.taken |= {change.memory_id for change in others}
    if not recurring:
        warnings.append(f"{REFLECT} skipped: {_NONE}, of {len(memories)} looked at")
    elif not claims and not waiting and not unfit:
        warnings.append(f"{REFLECT}: nothing new, {recurring} known")
    if unfit:
        warnings.append(f"{REFLECT}: {unfit} left out, as they were purged or read like instructions")
    if waiting:
        warnings.append(f"{REFLECT}: {waiting} more wait for the next run")
    warnings += asking.told(REFLECT, dropped, failures)
    llm = any(claim.llm for claim in claims)
    return Proposal(REFLECT, tuple(claims), tuple(changes), tuple(warnings), llm=llm, dropped=dropped)


def _read(night: Night) -> list[Memory]:
    selection = Selection(scopes=night.scopes, unexpired_at=night.now)
    return [
        one
        for one in night.store.select(selection, limit=MOST_READ)
        if one.kind not in _LEFT_OUT
        and one.source is not Source.DREAM
        and one.expires_at is None
        and len(one.text) <= LONGEST_TEXT
    ]


# --- which belong together


def _groups(night: Night, memories: Sequence[Memory]) -> list[Group]:
    seen = [Seen(one.id, one.text, one.origin, one.created_at, _subjects(one)) for one in memories]
    if len({one.session for one in seen if one.session is not None}) < 2:
        return []
    vectors, clusters = _meant(night, memories)
    return groups(seen, _likeness(vectors), clusters)


def _subjects(memory: Memory) -> tuple[str, ...]:
    from remanence.extraction.entities import entities_of  # its words take a while to load

    return tuple(name for name, _ in entities_of(memory.text, memory.concepts, memory.files))


def _likeness(vectors: Mapping[str, NDArray[np.float32]]) -> Likeness:
    def alike(one: Seen, other: Seen) -> float:
        if one.id in vectors and other.id in vectors:
            return float(vectors[one.id] @ vectors[other.id]) / ALIKE_MEANING
        return by_words(one, other)

    return alike if vectors else by_words


def _meant(night: Night, memories: Sequence[Memory]) -> tuple[dict[str, NDArray[np.float32]], Iterable[Sequence[str]]]:
    """The vectors of these memories by id, and the ids of those that mean the same."""
    if night.encoder is None:
        return {}, []
    import numpy as np

    from remanence.lifecycle.clusters import clusters

    scope, oldest = memories[0].scope, min(one.created_at for one in memories)
    selection = Selection(scopes=(scope,), since=oldest, unexpired_at=night.now)
    alike = night.store.meanings.alike(night.encoder.model, selection, CLUSTER_COSINE, _MOST_EACH, mixed_kinds=True)
    ids = night.store.ids(alike.rows.tolist())
    wanted = {one.id for one in memories}
    ranks = np.array([rank for rank, id in enumerate(ids) if id in wanted], dtype=np.int64)
    vectors = {ids[rank]: alike.vectors[rank] for rank in ranks.tolist()}
    if len(ranks) < LEAST_MEMBERS:
        return vectors, []
    found = clusters(alike.vectors, alike.pairs(ranks, None), CLUSTER_COSINE, LEAST_MEMBERS)
    return vectors, [[ids[rank] for rank in rows.tolist()] for rows in found]


# --- what is known of them


def _known(night: Night, group: Group, members: Sequence[Memory]) -> Memory | None:
    """The newest insight that at least half of which was made from this group, or of which at least half this is."""
    ids = set(group.ids)

    def is_of(one: Memory) -> bool:
        shared = 2 * len(ids.intersection(one.lineage))
        return one.kind == "insight" and (shared >= len(one.lineage) or shared >= len(ids))

    before = [one for one in made_before(night, members) if is_of(one) and one.state is not State.SUPERSEDED]
    return before[-1] if before else None


def _grew(known: Memory, group: Group, night: Night) -> bool:
    return night.free(known) and not set(group.ids).issubset(known.lineage)


# --- what it comes to


def _text(night: Night, group: Group, dropped: Counter[str], failures: list[str]) -> tuple[str, bool]:
    """In the model's words where they stand in the memories, else in those of the most typical one."""
    if night.llm is None or not asking.can_ask(night):
        return group.text, False
    texts = [one.text for one in group.members]
    readable = next(iter(asking.parts(texts)), [])
    if len(readable) < len(texts):
        return group.text, False
    try:
        said = asking.answer(night.llm, "consolidate_reflect", texts, SCHEMA, f"Subject: {group.about}")["insight"]
    except LlmFailed as failed:
        failures.append(str(failed))
        return group.text, False
    said = " ".join(said.split())
    fault = asking.fault_of(said, Ground("\n".join(texts), texts))
    if fault is not None:
        dropped[fault] += 1
        return group.text, False
    opening = group.text.partition(" Most typical: ")[0]
    return f"{opening} {said}", True


def _proposed(
    night: Night, group: Group, members: Sequence[Memory], known: Memory | None, text: str, *, llm: bool
) -> tuple[Claim, Memory, list[Change]]:
    confidence = round(min(_MOST_CONFIDENCE, _FIRST_CONFIDENCE + _CONFIDENCE_GAIN * (group.sessions - 2)), 3)
    evidence = {"memories": float(len(members)), "sessions": float(group.sessions)}
    insight = made(
        night,
        text,
        members,
        kind="insight",
        layer=Layer.SEMANTIC,
        confidence=confidence,
        metadata={"about": group.about, "sessions": group.sessions, "centre": group.centre.id},
        importance=max(one.importance for one in members),
        concepts=[group.about[:200]],
    )
    changes: list[Change] = []
    if known is not None:
        insight = next_version(known, insight)
        changes.append(superseded(known, insight))
    claim = Claim(
        key=claim_key(REFLECT, group.ids),
        step=REFLECT,
        title=text,
        made=(insight.id,),
        sources=group.ids,
        leaving=() if known is None else (known.id,),
        evidence=evidence,
        llm=llm,
    )
    return claim, insight, changes
