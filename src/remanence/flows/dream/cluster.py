"""Step 2, cluster: memories of one scope that are alike, five or more → one semantic summary, its sources archived.

A source leaves only where the summary covers it, so nothing that was said is out of recall. Without a language model
the summary is put together from the sources' own sentences; a model's is taken where it covers as many, in fewer words.
At most 5 % of a scope leave in a day. Pinned memories, those that are doubted, expire, or are exempt, those that say
otherwise of the same, what a dream changed within the day, and what is two summaries deep are never taken in; a summary
is not merged again for a month.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from remanence.flows.breaker import live_by_scope
from remanence.flows.dream.night import USED_UP, Collecting, Night, Proposal, claim_key
from remanence.flows.wording import worded
from remanence.lifecycle.clusters import LEAST, clusters
from remanence.lifecycle.merging import MOST_CHARACTERS, Merged, merged
from remanence.lifecycle.summaries import (
    DEEPEST,
    Allowance,
    is_mergeable,
    is_summary,
    kept_apart,
    merged_kind,
    summary_of,
    without_rivals,
)
from remanence.model import checks
from remanence.model.claim import Claim
from remanence.model.columns import LAYERS
from remanence.model.memory import Layer, Memory, State
from remanence.model.moment import NEVER, earlier, moment_in, to_micros
from remanence.model.plan import Change
from remanence.model.selection import selection_from
from remanence.model.words import estimate_tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from remanence.store.protocol import Alike

STEP = "cluster"
COSINE = 0.8
MERGED = "merged into a summary"
SUMMARY = "summary of memories that are alike"
MERGED_AT = "merged_at"
_MOST_EACH = 50
_MOST_SOURCES = 60
"""Of one summary: comparing every sentence with every other has its price."""
_PAUSE = timedelta(days=30)
_LAYERS = (Layer.EPISODIC, Layer.SEMANTIC, Layer.PROCEDURAL)
_CRITICAL = "critical"


def propose(night: Night, cosine: float = COSINE) -> Proposal:
    """A summary for each cluster that may be merged today."""
    if night.encoder is None:
        return Proposal(STEP, warnings=("nothing was compared by meaning: this mind has no embedder",))
    selection = selection_from(scope=night.scopes, unexpired_at=night.now)
    alike = night.store.meanings.alike(night.encoder.model, selection, cosine, _MOST_EACH, mixed_kinds=True)
    ranks = _eligible(night, alike)
    merging = _Merging(night)
    if len(ranks) >= LEAST:
        for members in clusters(alike.vectors, alike.pairs(ranks, None), cosine, is_over=night.is_over):
            if night.is_over():
                merging.collected.warn(USED_UP)
                break
            merging.cluster(alike, members)
    return merging.collected.proposal()


def _eligible(night: Night, alike: Alike) -> NDArray[np.int64]:
    """Places in the rows that are alike, of what a cluster may take in as far as its columns tell."""
    import numpy as np

    now = to_micros(night.now)
    layers = [number for number, layer in enumerate(LAYERS) if layer in _LAYERS]
    free: set[int] = set()
    for page in night.store.column_pages(selection_from(scope=night.scopes, unexpired_at=night.now)):
        apart = np.array([not is_mergeable(kind) for _, kind in page.places], dtype=bool)
        chosen = ~page.pinned & ~page.exempt & np.isin(page.layer, layers) & (page.expires_at == NEVER)
        chosen &= (page.kept_until == NEVER) | (page.kept_until <= now)
        chosen &= ~apart[page.place]
        free.update(page.rows[chosen].tolist())
    return np.flatnonzero(np.fromiter((row in free for row in alike.rows.tolist()), dtype=bool, count=len(alike.rows)))


class _Merging:
    """The claims so far."""

    def __init__(self, night: Night) -> None:
        self._night = night
        self._today = night.today("dream")
        gone = {change.memory_id for change in self._today if change.reason == MERGED}
        made = {change.memory_id for change in self._today if change.reason == SUMMARY}
        self._allowance = Allowance(
            live_by_scope(night.store),
            _scopes(night, gone, State.ARCHIVED),
            _scopes(night, made, State.LIVE),
            _scopes(night, night.leaving, State.LIVE),
        )
        self._changed = {change.memory_id for change in self._today} - made
        self.collected = Collecting(STEP)

    def cluster(self, alike: Alike, members: NDArray[np.int64]) -> None:
        """Merge what may be merged of one cluster, in one or more summaries."""
        vectors = alike.vectors[members]
        nearness = vectors @ vectors.mean(axis=0)
        loaded = self._night.store.memories(alike.rows[members].tolist())
        near = {
            loaded[row].id: float(value)
            for row, value in zip(alike.rows[members].tolist(), nearness.tolist(), strict=True)
            if row in loaded
        }
        by_kind: dict[str, list[Memory]] = defaultdict(list)
        for memory in loaded.values():
            if self._may_leave(memory):
                by_kind[merged_kind(memory.kind)].append(memory)
        for some in by_kind.values():
            self._merge_all(sorted(some, key=lambda memory: (-near[memory.id], memory.id)), near)

    def _merge_all(self, left: list[Memory], near: dict[str, float]) -> None:
        """Merge memories that are alike, and of kinds that may be merged, as far as today allows; the central first."""
        while len(left) >= LEAST and not self._night.is_over():
            most = self._allowance.of(left[0].scope, min(len(left), _MOST_SOURCES), LEAST)
            if most == 0:
                self.collected.leave_out("clusters wait for another day: at most 5 % of a scope leave in one")
                return
            central, rest = left[:most], left[most:]
            agreeing = without_rivals(sorted(central, key=lambda memory: (memory.created_at, memory.id)))
            covered = self._merge(agreeing, near) if len(agreeing) >= LEAST else set()
            if not covered and len(agreeing) == len(central):
                return
            # Rivals stay as they are; what was not covered may fit into the next summary.
            left = [memory for memory in agreeing if memory.id not in covered] + rest if covered else rest

    def _may_leave(self, memory: Memory) -> bool:
        merged_at = moment_in(memory.metadata, MERGED_AT) if is_summary(memory) else None
        return (
            self._night.free(memory)
            and memory.id not in self._changed
            and not kept_apart(memory)
            and memory.depth < DEEPEST
            and _CRITICAL not in memory.categories
            and len(memory.text) <= MOST_CHARACTERS
            and (merged_at is None or merged_at <= earlier(self._night.now, _PAUSE))
        )

    def _merge(self, sources: Sequence[Memory], near: dict[str, float]) -> set[str]:
        """Make one claim of these sources; the ids it covers, none where too few can be covered."""
        from remanence.guard.screening import screen

        # A summary is a dream's, so an instruction in it would put it into quarantine.
        suspects = [memory for memory in sources if screen(memory.text)]
        sources = [memory for memory in sources if memory not in suspects]
        if len(sources) < LEAST:
            self.collected.leave_out("clusters were left alone: too much in them reads like an instruction")
            return set()
        texts = [memory.text for memory in sources]
        summary, by_model = self._worded(merged(texts), texts)
        covered = [sources[place] for place in summary.covered]
        if len(covered) < LEAST:
            self.collected.leave_out("clusters were left alone: too long for one summary")
            return set()
        night = self._night
        metadata = {"merged_from": len(covered), MERGED_AT: night.now.isoformat(), "llm": by_model}
        made = summary_of(covered, summary.text, night.new_id(night.now), metadata)
        if checks.text_problems(summary.text) or screen(summary.text):
            self.collected.leave_out("clusters were left alone: their summary reads like an instruction")
            return set()
        before, after = sum(estimate_tokens(memory.text) for memory in covered), estimate_tokens(summary.text)
        ids = [memory.id for memory in covered]
        claim = Claim(
            key=claim_key(STEP, ids),
            step=STEP,
            title=f"{len(covered)} memories of {made.scope} that are alike become one summary",
            made=(made.id,),
            sources=tuple(ids),
            leaving=tuple(ids),
            staying={
                **{sources[place].id: ", ".join(misses[:6]) for place, misses in summary.lost.items()},
                **{memory.id: "what reads like an instruction" for memory in suspects},
            },
            evidence={
                "coverage": round(len(covered) / len(sources), 4),
                "nearness": round(min(near[id] for id in ids), 4),
                "tokens_before": before,
                "tokens_after": after,
            },
            llm=by_model,
        )
        added = Change.add(made, SUMMARY, **claim.evidence)
        left = [
            replace(
                Change.of(memory, MERGED, state=State.ARCHIVED),
                revision=memory.revision,
                evidence={"nearness": round(near[memory.id], 4), "tokens": estimate_tokens(memory.text)},
            )
            for memory in covered
        ]
        self.collected.add(claim, (added, *left))
        self._allowance.take(made.scope, len(covered))
        night.taken.update(ids)
        return set(ids)

    def _worded(self, plain: Merged, texts: Sequence[str]) -> tuple[Merged, bool]:
        """The summary to take, and whether a language model wrote it."""
        taken = worded(self._night.llm, "merge", plain, texts)
        if taken.failure:
            self.collected.leave_out(f"summaries were made without a model: {taken.failure}")
        if taken.fault:
            self.collected.dropped[taken.fault] += 1
        return taken.summary, taken.by_model


def _scopes(night: Night, ids: Iterable[str], state: State) -> Counter[str]:
    """How many of these memories are in this state, by their scopes."""
    return Counter(memory.scope for memory in night.store.get(ids).values() if memory.state is state)
