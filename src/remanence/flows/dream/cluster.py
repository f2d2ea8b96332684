"""Step 2, cluster: memories of one scope that are alike, five or more → one semantic summary, its sources archived.

A source leaves only where the summary covers it, so nothing that was said is out of recall. Without a language model
the summary is put together from the sources' own sentences; a model's is taken where it covers as many, in fewer words.
At most 5 % of a scope leave in a day. Pinned memories, those that are doubted, expire, or are exempt, and what is two
summaries deep are never taken in; a summary is not merged again for a month.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from remanence.flows.dream.night import APART, Night, Proposal, claim_key, claimed
from remanence.flows.wording import worded
from remanence.lifecycle.clusters import LEAST, clusters
from remanence.lifecycle.merging import Merged, merged
from remanence.lifecycle.summaries import DEEPEST, Allowance, summary_of
from remanence.model import checks
from remanence.model.claim import Claim
from remanence.model.columns import LAYERS
from remanence.model.memory import Layer, Memory, State
from remanence.model.moment import NEVER, earlier, parse_moment, to_micros
from remanence.model.plan import Change, Receipt
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
_PAUSE = timedelta(days=30)
_DAY = timedelta(days=1)
_LAYERS = (Layer.EPISODIC, Layer.SEMANTIC, Layer.PROCEDURAL)
_LASTING = frozenset(("identity", "active_decision"))
_CRITICAL = "critical"
_RECEIPTS_OF_A_DAY = 1_000


def propose(night: Night, cosine: float = COSINE) -> Proposal:
    """A summary for each cluster that may be merged today."""
    if night.encoder is None:
        return Proposal(STEP, warnings=("nothing was compared by meaning: this mind has no embedder",))
    selection = selection_from(scope=night.scopes, unexpired_at=night.now)
    alike = night.store.meanings.alike(night.encoder.model, selection, cosine, _MOST_EACH, mixed_kinds=True)
    ranks = _eligible(night, alike)
    merging = _Merging(night)
    if len(ranks) >= LEAST:
        newer, older, _ = alike.pairs(ranks, None)
        for members in clusters(alike.vectors, newer, older, cosine):
            if night.is_over():
                merging.warnings["the time or the tokens of this run were used up: more wait for the next"] += 1
                break
            merging.cluster(alike, members)
    told = [
        why if number == 1 and why.startswith("the ") else f"{number} {why}" for why, number in merging.warnings.items()
    ]
    return replace(merging.proposal(), warnings=tuple(told))


def _eligible(night: Night, alike: Alike) -> NDArray[np.int64]:
    """Places in the rows that are alike, of what a cluster may take in as far as its columns tell."""
    import numpy as np

    now = to_micros(night.now)
    layers = [number for number, layer in enumerate(LAYERS) if layer in _LAYERS]
    free: set[int] = set()
    for page in night.store.column_pages(selection_from(scope=night.scopes, unexpired_at=night.now)):
        apart = np.array([kind in _LASTING or (kind in APART and kind != "summary") for _, kind in page.places])
        chosen = ~page.pinned & ~page.exempt & np.isin(page.layer, layers) & (page.expires_at == NEVER)
        chosen &= (page.kept_until == NEVER) | (page.kept_until <= now)
        if len(apart):
            chosen &= ~apart[page.place]
        free.update(page.rows[chosen].tolist())
    return np.flatnonzero(np.fromiter((row in free for row in alike.rows.tolist()), dtype=bool, count=len(alike.rows)))


class _Merging:
    """The claims so far."""

    def __init__(self, night: Night) -> None:
        self._night = night
        live = {scope: n for (scope, state), n in night.store.state_counts().items() if state is State.LIVE}
        self._allowance = Allowance(live, _merged_today(night), _leaving(night))
        self._claims: list[Claim] = []
        self._changes: list[Change] = []
        self._dropped: Counter[str] = Counter()
        self._llm = night.llm is not None
        self.warnings: Counter[str] = Counter()

    def proposal(self) -> Proposal:
        return Proposal(
            STEP, tuple(self._claims), tuple(self._changes), llm=self._llm and bool(self._claims), dropped=self._dropped
        )

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
        left = [memory for memory in loaded.values() if self._may_leave(memory)]
        while len(left) >= LEAST:
            most = self._allowance.of(left[0].scope, len(left), LEAST)
            if most == 0:
                self.warnings["clusters wait for another day: at most 5 % of a scope leave in one"] += 1
                return
            central = sorted(left, key=lambda memory: (-near[memory.id], memory.id))[:most]
            covered = self._merge(sorted(central, key=lambda memory: (memory.created_at, memory.id)), near)
            if not covered:
                return
            left = [memory for memory in left if memory.id not in covered]

    def _may_leave(self, memory: Memory) -> bool:
        merged_at = memory.metadata.get(MERGED_AT) if memory.kind == "summary" else None
        return (
            self._night.free(memory)
            and memory.challenged_by is None
            and memory.depth < DEEPEST
            and (memory.valid_from, memory.valid_until) == (None, None)
            and _CRITICAL not in memory.categories
            and (merged_at is None or parse_moment(str(merged_at)) <= earlier(self._night.now, _PAUSE))
        )

    def _merge(self, sources: Sequence[Memory], near: dict[str, float]) -> set[str]:
        """Make one claim of these sources; the ids it covers, none where too few can be covered."""
        from remanence.guard.screening import screen

        # A summary is a dream's, so an instruction in it would put it into quarantine.
        suspects = [memory for memory in sources if screen(memory.text)]
        sources = [memory for memory in sources if memory not in suspects]
        if len(sources) < LEAST:
            self.warnings["clusters were left alone: too much in them reads like an instruction"] += 1
            return set()
        texts = [memory.text for memory in sources]
        summary, by_model = self._worded(merged(texts), texts)
        covered = [sources[place] for place in summary.covered]
        if len(covered) < LEAST:
            self.warnings["clusters were left alone: too long for one summary"] += 1
            return set()
        night = self._night
        metadata = {"merged_from": len(covered), MERGED_AT: night.now.isoformat(), "llm": by_model}
        made = summary_of(covered, summary.text, night.new_id(night.now), metadata)
        if checks.text_problems(summary.text) or screen(summary.text):
            self.warnings["clusters were left alone: their summary reads like an instruction"] += 1
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
        self._claims.append(claim)
        self._changes += claimed(claim, (added, *left))
        self._allowance.take(made.scope, len(covered))
        night.taken.update(ids)
        return set(ids)

    def _worded(self, plain: Merged, texts: Sequence[str]) -> tuple[Merged, bool]:
        """The summary to take, and whether a language model wrote it."""
        taken = worded(self._night.llm, "merge", plain, texts)
        if taken.failure:
            self._llm = False
            self.warnings[f"summaries were made without a model: {taken.failure}"] += 1
        if taken.fault:
            self._dropped[taken.fault] += 1
        return taken.summary, taken.by_model


def _merged_today(night: Night) -> Counter[str]:
    """How many memories of each scope left for summaries in the last day, and are still out."""
    since = earlier(night.now, _DAY)

    def recent(receipt: Receipt) -> bool:
        return since < receipt.at <= night.now

    receipts = filter(recent, night.store.receipts("dream", _RECEIPTS_OF_A_DAY))
    ids = {change.memory_id for receipt in receipts for change in receipt.changes if change.reason == MERGED}
    return Counter(memory.scope for memory in night.store.get(ids).values() if memory.state is State.ARCHIVED)


def _leaving(night: Night) -> Counter[str]:
    return Counter(memory.scope for memory in night.store.get(night.leaving).values())
