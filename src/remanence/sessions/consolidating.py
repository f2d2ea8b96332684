"""Consolidation by a language model: what the memories of a project come to together becomes memories, with lineage.

They are shown heading by heading, in parts that a model can read, with the synopses of their sessions; a part that it
was asked about within a month is not shown again. A fact must stand in two memories and be said by none alone; a skill
must stand in its memories, which must tell a way of working. What does not stand there is dropped and counted. What a
person took out of recall is not made again. All of it is one plan that can be undone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from remanence.errors import InvalidInput, LlmFailed
from remanence.flows.apply import apply
from remanence.flows.consolidate.asking import MOST_ANSWER_TOKENS, fault_of, parts, told
from remanence.flows.consolidate.making import made, made_before
from remanence.flows.dream.night import Night, claim_key, claimed
from remanence.flows.extract import Model
from remanence.lifecycle.duplicates import SUPERSEDE_JACCARD, jaccard
from remanence.lifecycle.grounding import Ground
from remanence.lifecycle.guidance import SESSIONS, documented
from remanence.lifecycle.procedures import FIRST_STRENGTH, MOST_STEPS, is_same, place_of, text_of, trigger_of
from remanence.model.claim import Claim
from remanence.model.consolidation import Procedure
from remanence.model.lease import Lease
from remanence.model.memory import Layer, Memory, Source
from remanence.model.plan import Change, Plan
from remanence.model.policy import Policy
from remanence.model.scope import common_scope
from remanence.model.selection import EVERY_STATE, Selection
from remanence.model.words import STOP_WORDS, estimate_tokens, folded, tokens_of
from remanence.providers.protocol import Encoder
from remanence.sessions.choosing import gathered
from remanence.sessions.guidance import shortened
from remanence.sessions.skills import is_met, told_by
from remanence.store.protocol import Store

VERB, PROMPT = "stage2", "consolidation"
MOST_MEMORIES = 1_000
LEAST_IN_A_PART = 2
LEAST_SOURCES = 2
_MOST_SESSIONS = 200
_SESSIONS_SHOWN = 5
_LONGEST_SYNOPSIS = 600
_MOST_KNOWN = 2_000
_LEAST_SHARE = 0.25
"""Of the telling words of a fact, how many a memory must have that it stands in."""
_KINDS = frozenset(("fact", "decision", "preference", "architecture", "gotcha", "bug", "workflow", "finding"))
"""Kinds that a fact may have from its sources: of the others some never fade, or mean more than their text."""
REASON = "consolidated"
ALONE, KNOWN, UNKNOWN, LEFT = "said by one memory alone", "known already", "of unknown memories", "taken out before"
UNMET = "met in one session alone"
"""Why an answer is dropped."""
_NUMBERS = {"type": "array", "minItems": 1, "maxItems": 20, "items": {"type": "integer"}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": 50,
            "items": {
                "type": "object",
                "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 1000}, "from": _NUMBERS},
                "required": ["text", "from"],
                "additionalProperties": False,
            },
        },
        "skills": {
            "type": "array",
            "maxItems": 50,
            "items": {
                "type": "object",
                "properties": {
                    "trigger": {"type": "string", "minLength": 2, "maxLength": 200},
                    "steps": {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": MOST_STEPS,
                        "items": {"type": "string", "minLength": 1, "maxLength": 300},
                    },
                    "from": _NUMBERS,
                },
                "required": ["trigger", "steps", "from"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["facts", "skills"],
    "additionalProperties": False,
}


class Consolidated(NamedTuple):
    """What came of it: the receipt, whether a model answered, and what is to be said of its answers."""

    receipt_id: str | None = None
    llm: bool = False
    notes: tuple[str, ...] = ()


def consolidated(
    store: Store,
    encoder: Encoder | None,
    policy: Policy,
    project: str,
    now: datetime,
    new_id: Callable[[datetime], str],
    *,
    model: Model,
    personal: Collection[str],
    token_limit: int,
    lease: Lease,
    beat: Callable[[], None],
) -> Consolidated:
    """Ask a model what the memories of a project come to, and remember what stands in them."""
    night = Night(store, policy, now, new_id, scopes=(project,), encoder=encoder, model=model)
    found = gathered(store, policy, project, now, most=MOST_MEMORIES, most_general=0, most_sessions=_MOST_SESSIONS)
    run = _Run(night, found.own)
    left, waiting, asked = token_limit, 0, []
    for part in _parts(found.own):
        question = _Question.about(part, found.sessions)
        if night.was_asked(question.digest):
            continue
        try:
            prompt = question.prompt(model)
            if (tokens := estimate_tokens(prompt)) > left:
                waiting += 1
                continue
            left -= tokens
            run.take(part, model.writer.json(prompt, SCHEMA, most_tokens=_most_answered(part)))
        except LlmFailed as failed:
            run.failures.append(str(failed))
            break
        asked.append(question.digest)
        beat()
    notes = told(VERB, run.dropped, run.failures)
    if waiting:
        notes.append(f"{VERB}: {waiting} parts wait for the next run: memories.stageTwoTokenLimit is {token_limit}")
    receipt_id = None
    if run.claims:
        plan = Plan(tuple(run.changes), VERB, automatic=True, claims=tuple(run.claims))
        receipt = apply(store, plan, now, lease=lease, personal=personal, encoder=encoder)
        notes += (f"{VERB}: left out: {why}" for why in dict.fromkeys(receipt.skipped.values()))
        receipt_id = receipt.id if receipt.applied else None
    for digest in asked:  # only now: what came of it is remembered
        night.note_asked(digest)
    return Consolidated(receipt_id, bool(asked), tuple(notes))


# --- what is asked


def _parts(memories: Iterable[Memory]) -> list[list[Memory]]:
    """Memories of one heading, oldest first, in parts that a model can read; what a dream made is not shown again."""
    found = []
    for heading, some in documented(one for one in memories if one.source is not Source.DREAM):
        if heading != SESSIONS:
            found += [[some[place] for place in places] for places in parts([one.text for one in some])]
    return [part for part in found if len(part) >= LEAST_IN_A_PART]


def _most_answered(part: Sequence[Memory]) -> int:
    return min(MOST_ANSWER_TOKENS, 300 + 2 * sum(estimate_tokens(one.text) for one in part))


class _Question(NamedTuple):
    """Memories, and synopses of the sessions they come from, newest first."""

    memories: Sequence[Memory]
    synopses: Sequence[Memory]

    @classmethod
    def about(cls, part: Sequence[Memory], sessions: Iterable[Memory]) -> _Question:
        sources = {id for one in part for id in one.lineage}
        return cls(part, [one for one in sessions if one.id in sources][:_SESSIONS_SHOWN])

    @property
    def digest(self) -> str:
        """The same for the same memories."""
        ids = " ".join(one.id for one in (*self.memories, *self.synopses))
        return f"{VERB}-{blake2b(ids.encode(), digest_size=16).hexdigest()}"

    def prompt(self, model: Model) -> str:
        """What the model is given; LlmFailed where it cannot be asked now, or the prompt cannot be used."""
        if not model.writer.available():
            raise LlmFailed("the language model is left alone for a while after failures.")
        boundary = model.boundary()
        try:
            return model.prompts.render(
                PROMPT,
                raw_memories=_bounded((one.text for one in self.memories), boundary),
                rollout_summaries=_bounded((shortened(one.text, _LONGEST_SYNOPSIS) for one in self.synopses), boundary),
            )
        except InvalidInput as wrong:
            raise LlmFailed(f"its prompts cannot be used: {wrong}.") from None


def _bounded(texts: Iterable[str], boundary: str) -> str:
    lines = [f"[{number}] {' '.join(text.split()).replace(boundary, '')}" for number, text in enumerate(texts, 1)]
    return "\n".join([boundary, *(lines or ["(none)"]), boundary])


# --- what becomes of the answers


class _Run:
    """What was taken of the answers so far, and why the rest was dropped."""

    def __init__(self, night: Night, memories: Sequence[Memory]) -> None:
        self._night = night
        self._said = [tokens_of(one.text) for one in memories]
        self._procedures = _Procedures(night, memories)
        self.claims: list[Claim] = []
        self.changes: list[Change] = []
        self.dropped: Counter[str] = Counter()
        self.failures: list[str] = []

    def take(self, part: Sequence[Memory], answer: Mapping[str, Any]) -> None:
        """Take what stands in the memories it names; drop and count the rest."""
        for given in answer["facts"]:
            text = " ".join(given["text"].split())
            sources = _named(part, given["from"])
            if fault := self._fact_fault(text, sources):
                self.dropped[fault] += 1
                continue
            stands = [one for one in sources if _share(text, one.text) >= _LEAST_SHARE]
            self._said.append(tokens_of(text))
            kinds = {one.kind for one in stands}
            kind = kinds.pop() if len(kinds) == 1 and kinds <= _KINDS else "fact"
            self._add(text, stands, kind, Layer.SEMANTIC, {})
        for given in answer["skills"]:
            found = Procedure(trigger_of(given["trigger"]), tuple(" ".join(step.split()) for step in given["steps"]))
            sources = _named(part, given["from"])
            if fault := self._skill_fault(found, sources):
                self.dropped[fault] += 1
                continue
            self._procedures.add(found)
            metadata = found.metadata(len(sources), FIRST_STRENGTH)
            self._add(text_of(found), sources, "procedure", Layer.PROCEDURAL, metadata)

    def _fact_fault(self, text: str, sources: Sequence[Memory]) -> str | None:
        if not sources:
            return UNKNOWN
        if fault := _ungrounded([text], sources):
            return fault
        shares = [_share(text, one.text) for one in sources]
        if max(shares) == 1.0 or sum(share >= _LEAST_SHARE for share in shares) < LEAST_SOURCES:
            return ALONE
        words = tokens_of(text)
        if any(jaccard(words, said) > SUPERSEDE_JACCARD for said in self._said):
            return KNOWN
        return self._made_before(text, sources)

    def _skill_fault(self, found: Procedure, sources: Sequence[Memory]) -> str | None:
        if not sources:
            return UNKNOWN
        if fault := _ungrounded((found.trigger, *found.steps), sources):
            return fault
        if not is_met(sources):
            return UNMET
        return KNOWN if found in self._procedures else self._made_before(text_of(found), sources)

    def _made_before(self, text: str, sources: Sequence[Memory]) -> str | None:
        """Why it is not made again: it was made of the same before, or purged."""
        if self._night.store.tombstones([text]):
            return LEFT
        before = made_before(self._night, sources)
        return LEFT if any(folded(one.text) == folded(text) for one in before) else None

    def _add(self, text: str, sources: Sequence[Memory], kind: str, layer: Layer, metadata: Mapping[str, Any]) -> None:
        memory = made(
            self._night,
            text,
            sources,
            kind=kind,
            layer=layer,
            confidence=FIRST_STRENGTH,
            metadata=metadata,
            importance=max(one.importance for one in sources),
            concepts=[tag for one in sources for tag in one.concepts],
            files=[path for one in sources for path in one.files],
        ).but(scope=common_scope(one.scope for one in sources))
        evidence = {"sources": float(len(sources))}
        claim = Claim(
            key=claim_key(VERB, [*memory.lineage, folded(text)]),
            step=VERB,
            title=text,
            made=(memory.id,),
            sources=memory.lineage,
            evidence=evidence,
            llm=True,
        )
        self.claims.append(claim)
        self.changes += claimed(claim, [Change.add(memory, REASON, **evidence)])


class _Procedures:
    """The procedures that are known of a project, in whatever state, or told by its memories."""

    def __init__(self, night: Night, memories: Iterable[Memory]) -> None:
        self._found: dict[object, list[Procedure]] = {}
        selection = Selection(scopes=night.scopes, kinds=("procedure",), states=EVERY_STATE)
        for memory in (*memories, *night.store.select(selection, limit=_MOST_KNOWN)):
            if (procedure := told_by(memory)) is not None:
                self.add(procedure)

    def add(self, procedure: Procedure) -> None:
        self._found.setdefault(place_of(procedure), []).append(procedure)

    def __contains__(self, procedure: Procedure) -> bool:
        return any(is_same(one, procedure) for one in self._found.get(place_of(procedure), ()))


def _named(part: Sequence[Memory], numbers: Iterable[int]) -> list[Memory]:
    """The memories with these numbers; none where one of them is unknown."""
    places = [number - 1 for number in dict.fromkeys(numbers)]
    return [part[place] for place in places] if all(0 <= place < len(part) for place in places) else []


def _ungrounded(texts: Iterable[str], sources: Sequence[Memory]) -> str | None:
    """Why one of these texts does not stand in the memories."""
    said = [one.text for one in sources]
    ground = Ground("\n".join(said), said)
    return next((fault for text in texts if (fault := fault_of(text, ground))), None)


def _share(text: str, source: str) -> float:
    """Of the telling words of a text, how many stand in another, 0 to 1."""
    telling = tokens_of(text) - STOP_WORDS
    return len(telling & tokens_of(source)) / len(telling) if telling else 0.0
