"""Tier semantic: the newest 20 session summaries of a scope, 5 at least → facts that outlive them, with confidence.

By rules each summary is taken apart; a fact said in one has confidence 0.5, and 0.1 more for each further summary that
says it, at most 0.9. A model's facts are held against the summaries, and those that stand in none are dropped. Of
statements that contradict or outdate each other the newest counts. A fact that is live already gets the higher
confidence and remembers the new summaries; what newer memories contradict is left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from remanence.errors import LlmFailed
from remanence.flows.consolidate import asking
from remanence.flows.consolidate.making import (
    also_from,
    by_scope,
    is_suspicious,
    made,
    made_before,
    skipped,
    unmet,
    with_also,
)
from remanence.flows.dream.night import Proposal, claim_key, claimed
from remanence.lifecycle.admission import admit
from remanence.lifecycle.duplicates import Kinship, Statement, continues, kinship
from remanence.lifecycle.grounding import Ground
from remanence.model.claim import Claim
from remanence.model.consolidation import SEMANTIC
from remanence.model.extraction import Fact
from remanence.model.memory import Layer, Memory, Source, State
from remanence.model.plan import Change
from remanence.model.selection import Selection
from remanence.model.words import folded

if TYPE_CHECKING:
    from remanence.flows.dream.night import Night

SUMMARY_KINDS = ("session_summary", "summary")
LEAST_SUMMARIES = 5
MOST_SUMMARIES = 20
FIRST_CONFIDENCE = 0.5
CONFIDENCE_GAIN = 0.1
MOST_CONFIDENCE = 0.9
MOST_STATEMENTS = 1_000
LONGEST_SUMMARY = 50_000
LONGEST_FACT = 1_000
MET_AGAIN = "met again"
CONSOLIDATED = "consolidated"
_PASSING = frozenset(("observation", "session_state", "project_status", "tool_output"))
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": 100,
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "minLength": 1, "maxLength": 1000},
                    "confidence": {"type": "number"},
                },
                "required": ["text", "confidence"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}


@dataclass(slots=True)
class _Said:
    """A fact, the summaries that say it, newest first, and how many older ones say otherwise."""

    fact: Fact
    statement: Statement
    summaries: list[Memory]
    confidence: float | None = None
    outdated: int = 0
    llm: bool = False

    @property
    def sureness(self) -> float:
        if self.confidence is not None:
            return round(min(MOST_CONFIDENCE, max(0.0, self.confidence)), 3)
        return round(min(MOST_CONFIDENCE, FIRST_CONFIDENCE + CONFIDENCE_GAIN * (len(self.summaries) - 1)), 3)


@dataclass(slots=True)
class _Made:
    """What a run has come to so far."""

    claims: list[Claim] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    llm: bool = False
    left: Counter[str] = field(default_factory=Counter)

    def add(self, claim: Claim, changes: Sequence[Change], night: Night) -> None:
        self.claims.append(claim)
        self.changes += claimed(claim, changes)
        night.taken |= {change.memory_id for change in changes if change.memory is None}


def semantic(night: Night) -> Proposal:
    """The facts of the newest session summaries."""
    run, whys = _Made(), {}
    ran = False
    for scope, summaries in by_scope(_summaries(night)).items():
        if len(summaries) < LEAST_SUMMARIES:
            number = f"{len(summaries)} session {'summary' if len(summaries) == 1 else 'summaries'}"
            whys[scope] = f"{number}, {LEAST_SUMMARIES} are needed"
        elif night.is_over():
            whys[scope] = "the time of this run is used up"
        else:
            ran = True
            read = [one for one in summaries[:MOST_SUMMARIES] if len(one.text) <= LONGEST_SUMMARY]
            if len(read) < len(summaries[:MOST_SUMMARIES]):
                run.left[f"summaries left out, as they are longer than {LONGEST_SUMMARY:,} characters"] += 1
            if read:
                _scope(night, read, run)
    run.warnings += skipped(SEMANTIC, whys, f"0 session summaries, {LEAST_SUMMARIES} are needed", ran=ran)
    run.warnings += asking.told(SEMANTIC, run.dropped, run.failures)
    run.warnings += (f"{SEMANTIC}: {number} {why}" for why, number in sorted(run.left.items()))
    return Proposal(
        SEMANTIC, tuple(run.claims), tuple(run.changes), tuple(run.warnings), llm=run.llm, dropped=run.dropped
    )


def _summaries(night: Night) -> Iterable[Memory]:
    """Live session summaries, newest first; summaries that dreams made are none."""
    selection = Selection(scopes=night.scopes, kinds=SUMMARY_KINDS, unexpired_at=night.now)
    found = [one for page in night.store.pages(selection) for one in page if one.source is not Source.DREAM]
    return sorted(found, key=lambda one: (one.created_at, one.id), reverse=True)


def _scope(night: Night, summaries: Sequence[Memory], run: _Made) -> None:
    said = _by_model(night, summaries, run) if asking.can_ask(night) else None
    if said is None:
        said = _joined(((fact, one) for one in summaries for fact in _by_rules(one.text)), run)
    said.sort(key=lambda one: (-one.sureness, -one.summaries[0].created_at.timestamp(), one.fact.text))
    purged = night.store.tombstones([one.fact.text for one in said])
    before = {folded(memory.text): memory for memory in made_before(night, summaries)}
    kinds = _kinds_in(night, summaries[0].scope)
    for one in said:
        if one.fact.text in purged:
            run.left["facts left out, as they were purged"] += 1
            continue
        known = before.get(folded(one.fact.text)) or _same(night, summaries[0].scope, kinds, one.fact.text)
        if known is not None:
            _again(night, known, one, run)
        else:
            _new(night, one, run)


# --- what the summaries say


def _by_rules(text: str) -> list[Fact]:
    from remanence.extraction import decompose  # its words take a while to load

    return decompose(text)


def _joined(stated: Iterable[tuple[Fact, Memory]], run: _Made) -> list[_Said]:
    """Statements, newest first, each with all summaries that say it; older versions and contradictions are counted."""
    found: list[_Said] = []
    same: dict[str, _Said] = {}
    for place, (fact, summary) in enumerate(stated):
        if place >= MOST_STATEMENTS:
            run.left["statements and more were not read, as the summaries are too long"] += 1
            break
        if fact.kind in _PASSING or len(fact.text) > LONGEST_FACT:
            run.left["statements that pass, or are too long, stay in their summaries"] += 1
            continue
        key = folded(fact.text).rstrip(".!。 ")
        if key not in same:
            one = _Said(fact, Statement.of(fact.text), [])
            same[key] = _head(one, found)
            if same[key] is one:
                found.append(one)
        head = same[key]
        if key != folded(head.fact.text).rstrip(".!。 ") and not _holds(head.statement, fact.text):
            head.outdated += 1
        elif summary not in head.summaries:
            head.summaries.append(summary)
    return found


def _head(one: _Said, found: Iterable[_Said]) -> _Said:
    """The newer statement that says the same, or otherwise; the statement itself where there is none."""
    close = [(overlap, other) for other in found if (overlap := _closeness(one.statement, other.statement))]
    return max(close, key=lambda pair: pair[0])[1] if close else one


def _closeness(one: Statement, other: Statement) -> float:
    """How alike two statements of the same thing are; 0 for two that differ in what they speak of."""
    relation, overlap = kinship(one, other)
    same = relation is Kinship.VERSION or (relation is Kinship.FLIPPED and continues(one.text, other.text))
    return overlap if same else 0.0


def _holds(head: Statement, text: str) -> bool:
    """Whether two statements, of which one may say more, do not contradict each other."""
    other = Statement.of(text)
    contained = head.tokens <= other.tokens or other.tokens <= head.tokens
    return contained and kinship(other, head)[0] is Kinship.VERSION


def _by_model(night: Night, summaries: Sequence[Memory], run: _Made) -> list[_Said] | None:
    """The model's facts that stand in the summaries; None where it gave nothing that stands."""
    assert night.llm is not None
    from remanence.extraction.traits import described

    plain = [[fact.text for fact in _by_rules(one.text)] for one in summaries]
    grounds = [Ground(one.text, statements) for one, statements in zip(summaries, plain, strict=True)]
    found: dict[str, _Said] = {}
    for part in asking.parts([one.text for one in summaries]):
        if not asking.can_ask(night):
            run.failures.append("the model may not be asked any more in this run")
            break
        try:
            given = asking.answer(night.llm, "consolidate_semantic", [summaries[place].text for place in part], SCHEMA)
        except LlmFailed as failed:
            run.failures.append(str(failed))
            continue
        for answered in given["facts"]:
            text, confidence = " ".join(answered["text"].split()), float(answered["confidence"])
            faults = [asking.fault_of(text, grounds[place]) for place in part]
            stands = [summaries[place] for place, fault in zip(part, faults, strict=True) if fault is None]
            if not stands or not math.isfinite(confidence):
                run.dropped[next((fault for fault in faults if fault), "without a confidence")] += 1
                continue
            one = found.setdefault(folded(text), _Said(described(text), Statement.of(text), [], llm=True))
            one.summaries += (summary for summary in stands if summary not in one.summaries)
            one.confidence = max(confidence, one.confidence or 0.0)
    run.llm = run.llm or bool(found)
    return list(found.values()) or None


# --- against what is known


def _kinds_in(night: Night, scope: str) -> list[str]:
    """Kinds of live memories in a scope; a summary says what it says only until it leaves."""
    totals = night.store.totals().items()
    live = {kind for (where, kind, state), total in totals if (where, state) == (scope, State.LIVE) and total.memories}
    return sorted(live.difference(SUMMARY_KINDS))


def _same(night: Night, scope: str, kinds: Iterable[str], text: str) -> Memory | None:
    """The live memory of this scope that says just this, of whatever kind."""
    fold = folded(text)
    for kind in kinds:
        for memory in night.store.kin(scope, kind, text):
            if folded(memory.text) == fold:
                return memory
    return None


def _again(night: Night, known: Memory, said: _Said, run: _Made) -> None:
    """A known fact gets the higher confidence, and one of ours remembers the summaries it was met in."""
    if known.state is not State.LIVE or known.kind != "fact" or not night.free(known):
        return
    sureness = max(known.confidence, said.sureness)
    new = unmet(known, said.summaries)
    after: dict[str, Any] = {} if sureness == known.confidence else {"confidence": sureness}
    if known.source is Source.DREAM and (new or after):
        metadata = with_also(known, new, strength=sureness)
        after |= {} if metadata is None else {"metadata": metadata}
    if not after:
        return
    claim = Claim(
        key=claim_key(SEMANTIC, [*(one.id for one in said.summaries), known.id]),
        step=SEMANTIC,
        title=f"Known already: {known.text}",
        sources=tuple(one.id for one in said.summaries),
        evidence={"confidence": sureness, "summaries": len(said.summaries), "met_again": len(new)},
        llm=said.llm,
        met=(known.id,) if new else (),
    )
    run.add(claim, [Change.of(known, MET_AGAIN, **after)], night)


def _new(night: Night, said: _Said, run: _Made) -> None:
    """The fact as a memory, unless newer memories say otherwise."""
    fact, sureness = said.fact, said.sureness
    memory = made(
        night,
        fact.text,
        said.summaries,
        kind="fact",
        layer=Layer.SEMANTIC,
        confidence=sureness,
        metadata={"strength": sureness},
        importance=fact.importance,
        categories=fact.categories,
        concepts=fact.concepts,
        files=fact.files,
    )
    if is_suspicious(memory):
        run.left["facts left out, as they read like instructions"] += 1
        return
    kin = night.store.kin(memory.scope, memory.kind, memory.text)
    statement = Statement.of(memory.text)
    rivals = [one for one in kin if _closeness(Statement.of(one.text), statement)]
    newest = said.summaries[0].created_at
    if any(_said_at(night, one) > newest or not night.free(one) for one in rivals):
        run.left["facts left out, as newer or pinned memories say otherwise"] += 1
        return
    changes = admit(memory, kin, night.now).changes
    added = next(change.memory for change in changes if change.memory is not None)
    evidence = {"confidence": sureness, "summaries": float(len(said.summaries))}
    if said.outdated:
        evidence["older_versions"] = float(said.outdated)
    claim = Claim(
        key=claim_key(SEMANTIC, [*memory.lineage, folded(memory.text)]),
        step=SEMANTIC,
        title=fact.text,
        made=(added.id,),
        sources=memory.lineage,
        leaving=tuple(change.memory_id for change in changes if change.after.get("state") is State.SUPERSEDED),
        evidence=evidence,
        llm=said.llm,
    )
    others = [change for change in changes if change.memory is None]
    run.add(claim, [Change.add(added, CONSOLIDATED, **evidence), *others], night)


def _said_at(night: Night, memory: Memory) -> Any:
    """When a memory was said; one of ours when the newest summary it stands in was."""
    if memory.source is not Source.DREAM:
        return memory.created_at
    sources = night.store.get(also_from(memory)).values()
    return max((one.created_at for one in sources), default=memory.created_at)
