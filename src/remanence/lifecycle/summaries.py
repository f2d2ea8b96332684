"""Summaries: the memory that stands for several others, and how much of a scope may leave for such memories in a day.

It is born when the newest of them was, was recalled when any of them was, is as important as the most important and as
sure as the least sure, and one step deeper. What is two steps deep is never made into another: the losses of a summary
of a summary of a summary add up. Memories of a kind that rules treat for itself, such as decisions, are merged among
themselves, and their summary stays of that kind, so that it lives as long as they would have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from remanence.lifecycle.duplicates import Kinship, Statement, kinship
from remanence.lifecycle.safety import LEAST_TAKEN, excesses
from remanence.model.checks import TAGS
from remanence.model.memory import Layer, Memory, Source

DEEPEST = 2
DAILY_SHARE = 0.05
FEW = 100
"""Below so many live memories 5 % would never be a cluster: there, fewer than the breaker counts may leave."""
SUMMARY = "summary"
_FORMED = ("peer_card", "bridge", "crystal", "insight", "procedure", "lesson", "action", "source_text")
APART = frozenset((SUMMARY, *_FORMED))
"""Kinds with a form of their own, made of other memories or of actions: no card or insight is made of them."""
LASTING = frozenset(("identity", "active_decision"))
"""Kinds that no merge takes out of recall."""
MADE_FROM = frozenset(("merged_from", "compacted_from"))
"""Names in a summary's metadata that say of how many memories it was made."""
_MIXED = frozenset(("fact", "observation", "finding", "tool_output", "session_state", "project_status", SUMMARY))
"""Kinds that are merged with each other."""
_RECENT = 20


def summary_of(sources: Sequence[Memory], text: str, id: str, metadata: Mapping[str, Any]) -> Memory:
    """The summary of these memories of one scope."""
    newest = max(sources, key=lambda memory: (memory.created_at, memory.id))
    accesses = sorted(moment for memory in sources for moment in memory.recent_accesses)
    return newest.but(
        id=id,
        layer=Layer.SEMANTIC,
        kind=merged_kind(newest.kind),
        text=text,
        source=Source.DREAM,
        importance=max(memory.importance for memory in sources),
        confidence=min(memory.confidence for memory in sources),
        valence=_mean(memory.valence for memory in sources),
        confirmations=max(memory.confirmations for memory in sources),
        access_count=max(memory.access_count for memory in sources),
        last_accessed_at=max(memory.last_accessed_at for memory in sources),
        recent_accesses=tuple(accesses[-_RECENT:]),
        categories=_tags(memory.categories for memory in sources),
        concepts=_tags(memory.concepts for memory in sources),
        files=_tags(memory.files for memory in sources),
        origin=None,
        expires_at=None,
        kept_until=None,
        challenged_by=None,
        exempt=False,
        version=1,
        supersedes=None,
        superseded_by=None,
        lineage=tuple(memory.id for memory in sources),
        depth=max(memory.depth for memory in sources) + 1,
        surprise=None,
        uses=max(memory.uses for memory in sources),
        rejections=0,
        trust_limit=min(memory.trust for memory in sources),
        metadata=dict(metadata),
        revision=1,
    )


def merged_kind(kind: str) -> str:
    """The kind of a summary of memories of this kind; those with the same one may be merged."""
    return SUMMARY if kind in _MIXED else kind


def is_mergeable(kind: str) -> bool:
    """Whether a summary may take in memories of this kind, as far as the kind says; summaries may be merged again."""
    return kind not in LASTING and (kind not in APART or kind == SUMMARY)


def kept_apart(memory: Memory) -> str:
    """Why a memory leaves recall for no summary, in words that follow its number; "" where it may."""
    if memory.pinned:
        return "pinned"
    if memory.expires_at is not None or (memory.valid_from, memory.valid_until) != (None, None):
        return "with an end of their own"
    if memory.challenged_by is not None:
        return "that contradict others and wait to be settled"
    if memory.exempt or memory.kind in LASTING:
        return "that never decay"
    return "" if is_mergeable(memory.kind) else f"of kind {memory.kind}"


def is_summary(memory: Memory) -> bool:
    """Whether a memory stands for others that left recall for it."""
    return memory.source is Source.DREAM and not MADE_FROM.isdisjoint(memory.metadata)


def without_rivals(memories: Sequence[Memory]) -> list[Memory]:
    """Those of the memories that no other of them speaks against, or says otherwise: there the newer one must lead."""
    read = [Statement.of(memory.text) for memory in memories]
    rivals: set[int] = set()
    for place, one in enumerate(read):
        for other in range(place + 1, len(read)):
            relation, _ = kinship(one, read[other])
            said, told = one.tokens, read[other].tokens
            replaced = relation is Kinship.VERSION and not (said <= told or told <= said)
            if replaced or relation is Kinship.FLIPPED:
                rivals |= {place, other}
    return [memory for place, memory in enumerate(memories) if place not in rivals]


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return round(sum(numbers) / len(numbers), 6)


def _tags(several: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Those that most of them have first, as many as a memory may have."""
    counts = Counter(tag for tags in several for tag in dict.fromkeys(tags))
    return tuple(tag for tag, _ in counts.most_common(TAGS))


class Allowance:
    """How many memories may leave each scope for summaries today, and stay below the breaker's limit of every scope.

    `live` are the live memories of each scope now, `today` those that left for summaries in the last day, `made` the
    summaries they left for, `leaving` those that other parts of the same plan take.
    """

    def __init__(
        self,
        live: Mapping[str, int],
        today: Mapping[str, int],
        made: Mapping[str, int],
        leaving: Mapping[str, int],
    ) -> None:
        self._live = live
        self._leaving = Counter(leaving)
        self._left: dict[str, int] = {}
        for scope, number in live.items():
            before, gone = number + today.get(scope, 0) - made.get(scope, 0), today.get(scope, 0)
            self._left[scope] = (LEAST_TAKEN - 1 if before < FEW else int(DAILY_SHARE * before)) - gone

    def of(self, scope: str, wanted: int, least: int) -> int:
        """How many of the wanted may leave this scope; 0 where it would be fewer than the least."""
        most = min(wanted, self._left.get(scope, 0))
        while most >= least and excesses(self._leaving + Counter({scope: most}), self._live):
            most -= 1
        return most if most >= least else 0

    def take(self, scope: str, number: int) -> None:
        self._left[scope] -= number
        self._leaving[scope] += number
