"""Step 5, beliefs: old beliefs and contradictions are held against newer memories; what no longer holds loses weight.

Five beliefs a run that nobody read for 14 days, and every pair of memories that contradict each other. Without a
language model a pair is settled where the evidence is plain, else it waits for a person; an old belief that a newer
memory contradicts is challenged. A model's verdict counts only where it names a newer memory it was shown, about the
same, trusted at least as much. An invalidated belief keeps 0.7 of its importance; nothing is archived here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from remanence.errors import LlmFailed
from remanence.flows.asking import asked
from remanence.flows.claims import leaves
from remanence.flows.dream.night import Collecting, Night, Proposal, claim_key
from remanence.flows.dream.speaking import MOST_FAILURES, has_a_say, within
from remanence.flows.mark import BY_A_PERSON
from remanence.flows.review import challenged
from remanence.lifecycle import beliefs as rules
from remanence.lifecycle.drift import CHALLENGER
from remanence.lifecycle.summaries import APART
from remanence.lifecycle.turns import of_the_day
from remanence.model.claim import Claim
from remanence.model.memory import Layer, Memory
from remanence.model.moment import earlier, to_micros
from remanence.model.plan import Action, Change, Reason
from remanence.model.record import adjustment_problems
from remanence.model.selection import Selection

if TYPE_CHECKING:
    from remanence.flows.extract import Model

STEP = "beliefs"
INVALIDATED, SETTLED, PROBED = "belief invalidated", "contradiction settled", "belief probed"
MOST_A_RUN = 5
MOST_PAIRS = 1_000
BY_MODEL = "model"
INVENTED, UNSUPPORTED = "invented ids", "invalidated without evidence"
_BELIEVED = frozenset(("procedure", "insight", "lesson"))
"""Of the kinds with a form of their own, those that state something about the world."""
_LAYERS = (Layer.SEMANTIC, Layer.PROCEDURAL)
_NEIGHBOURS = 12
_SHOWN = 6
_ASKED_CHARACTERS = 1_000
_ANSWER_TOKENS = 400
_SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["holds", "invalidated", "unsure"]},
        "because": {"type": "array", "maxItems": 20, "items": {"type": "string", "maxLength": 100}},
    },
    "required": ["verdict", "because"],
    "additionalProperties": False,
}


class Beside(NamedTuple):
    """A newer memory that may speak against a belief, and the cosine between them, None where it is not known."""

    memory: Memory
    cosine: float | None = None

    @property
    def evidence(self) -> dict[str, float]:
        known = {} if self.cosine is None else {"cosine": round(self.cosine, 4)}
        return {**known, "confirmations_against": float(self.memory.confirmations)}


def propose(night: Night) -> Proposal:
    """The verdicts of today."""
    probing = _Probing(night)
    probing.pairs()
    probing.old()
    return probing.proposal()


class _Probing:
    """The claims so far."""

    def __init__(self, night: Night) -> None:
        self._night = night
        self._model = night.llm
        self._collected = Collecting(STEP)
        self._llm = False
        self._failures = 0

    def proposal(self) -> Proposal:
        return self._collected.proposal(llm=self._llm)

    # -- contradictions

    def pairs(self) -> None:
        """Settle contradictions, and count those that wait for a person."""
        night = self._night
        waiting = 0
        for memory, rival in challenged(night.store, night.scopes, MOST_PAIRS):
            if night.is_over():
                break
            if memory.challenged_by in (BY_A_PERSON, CHALLENGER):
                continue
            belief, other = _by_age(memory, rival)
            if belief is None or other is None or not has_a_say(night, other, _BELIEVED):
                waiting += 1
            elif rules.is_settled(belief, other):
                continue
            elif self._may_settle(belief, other):
                waiting += not self._pair(belief, other)
            else:
                waiting += 1
        if waiting:
            what = "contradiction waits" if waiting == 1 else "contradictions wait"
            self._collected.warn(f"{waiting} {what} for a person. Run: rem review --challenged")

    def _may_settle(self, belief: Memory, other: Memory) -> bool:
        """Whether the contradiction is open: a belief that is not challenged any more was confirmed by a person."""
        night = self._night
        if rules.is_probed(belief, night.now) or belief.challenged_by != other.id:
            return False
        return night.free(belief) and within(night, belief.scope)

    def _pair(self, belief: Memory, other: Memory) -> bool:
        """Whether one contradiction was settled."""
        beside = Beside(other, self._cosine(belief, other))
        if self._model is not None:
            shown = [beside, *(one for one in self._newer(belief) if one.memory.id != other.id)][:_SHOWN]
            verdict = self._verdict(self._model, belief, shown)
            if verdict is not None:
                by = next((one for one in verdict.because if one.memory.id == other.id), None)
                return self._judged(belief, verdict, frees=other if by else None)
        why = rules.evidence_against(belief, other)
        if why is None:
            return False
        return self._invalidate(belief, [beside], why, frees=other, by_model=False)

    # -- old beliefs

    def old(self) -> None:
        """Probe the beliefs of today; which they are does not depend on what was probed before."""
        night = self._night
        for id in of_the_day(self._unread(), night.now, MOST_A_RUN):
            if night.is_over():
                return
            belief = night.store.get([id]).get(id)
            if belief is None or not night.free(belief) or belief.challenged_by is not None:
                continue
            if rules.is_probed(belief, night.now):
                continue
            beside = self._newer(belief)
            if not beside:
                continue
            if self._model is not None:
                verdict = self._verdict(self._model, belief, beside[:_SHOWN])
                if verdict is not None:
                    self._judged(belief, verdict, frees=None)
                    continue
            self._challenge(belief, beside)

    def _unread(self) -> list[str]:
        """Every belief nobody read for 14 days, whatever was found out about it, and as it was before today's dreams.

        Else another dream of the same day would choose others.
        """
        import numpy as np

        night = self._night
        today = night.today("dream")
        became = {change.memory_id for change in today if change.action is Action.ADD or "layer" in change.after}
        left = night.store.get({change.memory_id for change in today if leaves(change)})
        before = to_micros(earlier(night.now, rules.UNREAD))
        rows: list[int] = []
        selection = Selection(scopes=night.scopes, layers=_LAYERS, unexpired_at=night.now)
        for page in night.store.column_pages(selection):
            apart = np.array([kind in APART and kind not in _BELIEVED for _, kind in page.places], dtype=bool)
            chosen = ~page.pinned & (page.last_accessed_at < before) & ~apart[page.place]
            rows += page.rows[chosen].tolist()
        gone = (
            id
            for id, memory in left.items()
            if memory.layer in _LAYERS and to_micros(memory.last_accessed_at) < before and not memory.pinned
        )
        return [id for id in dict.fromkeys((*night.store.ids(rows), *gone)) if id not in became]

    def _challenge(self, belief: Memory, beside: Sequence[Beside]) -> None:
        """A newer memory contradicts it: both are challenged, and neither loses anything yet."""
        night = self._night
        rival = next((one for one in beside if rules.contradicts(belief.text, one.memory.text)), None)
        if rival is None:
            return
        other = rival.memory
        metadata = rules.probed(belief.metadata, night.now, other.id)
        changes = [Change.of(belief, Reason.CONTRADICTED, challenged_by=other.id, metadata=metadata)]
        if night.free(other) and other.challenged_by is None:
            changes.append(Change.of(other, Reason.CONTRADICTED, challenged_by=belief.id))
        evidence = {"confirmations": float(belief.confirmations), **rival.evidence}
        self._claim(belief, [other], "an old belief and a newer memory contradict each other", changes, evidence)

    # -- what a model says

    def _verdict(self, model: Model, belief: Memory, shown: Sequence[Beside]) -> _Verdict | None:
        """A model's verdict with the memories it names of those it was shown; None where it fails."""
        lines = [_line(memory) for memory in (belief, *(one.memory for one in shown))]
        try:
            answer = asked(model, "belief", _SCHEMA, lines, _ANSWER_TOKENS)
        except LlmFailed as failed:
            self._failures += 1
            if self._failures == MOST_FAILURES:
                self._model = None
            self._collected.warn(f"probed without a model: {failed}")
            return None
        self._llm = True
        named = list(dict.fromkeys(map(str, answer["because"])))
        known = {one.memory.id: one for one in shown}
        if invented := sum(id not in known for id in named):
            self._collected.dropped[INVENTED] += invented
        return _Verdict(answer["verdict"], [known[id] for id in named if id in known])

    def _judged(self, belief: Memory, verdict: _Verdict, frees: Memory | None) -> bool:
        """Act on a verdict; whether the belief was invalidated."""
        if verdict.word == "invalidated":
            standing = [one for one in verdict.because if _stands(belief, one.memory)]
            if standing:
                freed = frees if frees is not None and any(one.memory is frees for one in standing) else None
                return self._invalidate(belief, standing, "so a model says", frees=freed, by_model=True)
            self._collected.dropped[UNSUPPORTED] += 1
        metadata = rules.probed(belief.metadata, self._night.now, BY_MODEL)
        word = "is not certain" if verdict.word != "holds" else "holds"
        change = Change.of(belief, PROBED, metadata=metadata)
        self._claim(belief, [], f"a model was asked, and the belief {word}", [change], {}, by_model=True)
        return False

    def _invalidate(
        self, belief: Memory, against: Sequence[Beside], why: str, *, frees: Memory | None, by_model: bool
    ) -> bool:
        night = self._night
        after = rules.weakened(belief.importance)
        ids = tuple(one.memory.id for one in against)
        metadata = rules.probed(belief.metadata, night.now, ids[0], ids)
        fields: dict[str, Any] = {"metadata": metadata}
        if after != belief.importance:
            fields["importance"] = after
        changes = [Change.of(belief, INVALIDATED, **fields)]
        if frees is not None and frees.challenged_by == belief.id and night.free(frees) and within(night, frees.scope):
            changes.append(Change.of(frees, SETTLED, challenged_by=None))
        evidence = {
            "importance_before": belief.importance,
            "importance_after": after,
            "confirmations": float(belief.confirmations),
            **against[0].evidence,
        }
        title = f"a belief no longer holds: {why}"
        return self._claim(belief, [one.memory for one in against], title, changes, evidence, by_model=by_model)

    def _claim(
        self,
        belief: Memory,
        others: Sequence[Memory],
        title: str,
        changes: Sequence[Change],
        evidence: dict[str, float],
        *,
        by_model: bool = False,
    ) -> bool:
        if any(adjustment_problems(change.after) for change in changes):
            self._collected.warn(f"memory {belief.id} was left alone: its metadata has no room")
            return False
        sources = (belief.id, *(memory.id for memory in others))
        claim = Claim(
            key=claim_key(STEP, sources), step=STEP, title=title, sources=sources, evidence=evidence, llm=by_model
        )
        self._collected.add(claim, [replace(change, evidence=evidence) for change in changes])
        self._night.taken.update(change.memory_id for change in changes)
        return True

    # -- what may speak against a belief

    def _newer(self, belief: Memory) -> list[Beside]:
        """Newer memories of its scope that are like it by meaning or by words, the nearest first."""
        found: dict[str, float | None] = {}
        store = self._night.store
        encoder = self._night.encoder
        if encoder is not None:
            from remanence.store.protocol import Embedded

            vectors = store.meanings.of([belief.id], encoder.model)
            if belief.id in vectors:
                embedded = Embedded(encoder.model, vectors[belief.id])
                found.update(store.meanings.neighbours(embedded, _NEIGHBOURS, belief.id))
        selection = Selection(scopes=(belief.scope,), unexpired_at=self._night.now)
        for memory, _ in store.matching(belief.text[:_ASKED_CHARACTERS], selection, _NEIGHBOURS):
            found.setdefault(memory.id, None)
        memories = store.get(found)
        beside = [
            Beside(memories[id], cosine)
            for id, cosine in found.items()
            if id in memories and self._speaks(memories[id], belief)
        ]
        return sorted(beside, key=lambda one: (-(one.cosine or 0.0), one.memory.id))

    def _speaks(self, other: Memory, belief: Memory) -> bool:
        """Whether it may be evidence: where both already stand against each other, that is settled elsewhere."""
        return (
            other.id != belief.id
            and other.scope == belief.scope
            and other.challenged_by != belief.id
            and has_a_say(self._night, other, _BELIEVED)
            and rules.may_invalidate(other, belief)
        )

    def _cosine(self, one: Memory, other: Memory) -> float | None:
        encoder = self._night.encoder
        if encoder is None:
            return None
        vectors = self._night.store.meanings.of([one.id, other.id], encoder.model)
        if len(vectors) < 2 or len(vectors[one.id]) != len(vectors[other.id]):
            return None
        return float(vectors[one.id] @ vectors[other.id])


class _Verdict(NamedTuple):
    word: str
    because: list[Beside]


def _by_age(memory: Memory, rival: Memory | None) -> tuple[Memory | None, Memory | None]:
    """The older and the newer of two; nobody where they are of the same age."""
    if rival is None:
        return None, None
    if rules.is_newer(rival, memory):
        return memory, rival
    return (rival, memory) if rules.is_newer(memory, rival) else (None, None)


def _stands(belief: Memory, other: Memory) -> bool:
    """Whether a memory that a model names is evidence: newer, trusted as much, about the same, no repetition of it."""
    return rules.may_invalidate(other, belief) and rules.speaks_against(belief.text, other.text)


def _line(memory: Memory) -> str:
    day = memory.created_at.date().isoformat()
    return f"{memory.id} ({day}, trust {memory.trust:g}): {memory.text[:_ASKED_CHARACTERS]}"
