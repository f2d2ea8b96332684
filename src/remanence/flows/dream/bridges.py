"""Step 4, bridges: entities of different scopes that are related → a memory that says so, at most five a run.

Candidates are found by meaning: three memories or more each, centroids at a cosine from .75 to .90. A language model
says whether they are related and why, in words of both sides; without one, words that both sides use must confirm it,
and candidates that only a model could confirm are counted. A pair that has a bridge, also one that somebody archived
or forgot, gets no other. Which pairs have their turn is chosen by the day. Beside names, a
bridge says only what stands in the memories it is made from, so it goes when those are purged. Nothing else is changed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from remanence.errors import LlmFailed
from remanence.flows.asking import asked
from remanence.flows.door import reasons_of
from remanence.flows.dream.night import Collecting, Night, Proposal, claim_key
from remanence.flows.dream.speaking import spoken_of, within
from remanence.flows.entities import known
from remanence.lifecycle.grounding import ORDER
from remanence.lifecycle.turns import of_the_day
from remanence.model.claim import Claim
from remanence.model.entity import Entity
from remanence.model.memory import Layer, Memory, Source
from remanence.model.plan import Change
from remanence.model.scope import common_scope
from remanence.model.selection import EVERY_STATE, Selection

if TYPE_CHECKING:
    from remanence.flows.extract import Model
    from remanence.lifecycle.bridges import Pair, Vectors

STEP = "bridges"
REASON = "two entities are related"
MOST_A_RUN = 5
MOST_ENTITIES = 2_000
MOST_LOOKED_AT = 5 * MOST_ENTITIES
"""Of so many entities, the most named, those that enough memories speak of are compared."""
MOST_EACH = 50
MOST_PAIRS = 2_000
MOST_ASKED_ABOUT = 200
"""Of so many pairs, those that share most words, a model is asked about five a run."""
_ANSWER_TOKENS = 300
_WITH_MODEL, _WITHOUT = 0.7, 0.5
_SIDES = ("One", "Other")
_SCHEMA = {
    "type": "object",
    "properties": {"related": {"type": "boolean"}, "why": {"type": "string", "maxLength": 400}},
    "required": ["related", "why"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class _Side:
    """An entity with its memories, newest first, their vectors and words, its place, and how many hold each word."""

    entity: Entity
    memories: dict[str, Memory]
    vectors: dict[str, Vectors]
    tokens: dict[str, frozenset[str]]
    centre: Vectors
    words: Counter[str]

    @property
    def home(self) -> str:
        return common_scope(memory.scope for memory in self.memories.values())


@dataclass(frozen=True, slots=True)
class _Found:
    """A candidate: its sides, how near they are, and the telling words they share."""

    one: _Side
    other: _Side
    cosine: float
    words: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, str]:
        first, second = sorted((self.one.entity.key, self.other.entity.key))
        return first, second

    @property
    def key(self) -> str:
        return "\n".join(self.keys)

    @property
    def scope(self) -> str:
        return common_scope((self.one.home, self.other.home))


def propose(night: Night) -> Proposal:
    """The bridges of today."""
    if night.encoder is None:
        return Proposal(STEP, warnings=("no bridges were looked for: this mind has no embedder",))
    bridged = _bridged(night)
    found = {one.key: one for one in _candidates(night, night.encoder.model)}
    if not found:
        return Proposal(STEP)
    building = _Building(night)
    building.build(found, bridged)
    return building.proposal()


def _bridged(night: Night) -> set[str]:
    """The pairs that have or had a bridge."""
    pairs: set[str] = set()
    for page in night.store.pages(Selection(kinds=("bridge",), states=EVERY_STATE)):
        for bridge in page:
            keys = bridge.metadata.get("entities")
            if isinstance(keys, list) and len(keys) == 2 and all(isinstance(key, str) for key in keys):
                pairs.add("\n".join(sorted(keys)))
    return pairs


def _candidates(night: Night, model: str) -> list[_Found]:
    """The pairs of entities that are near, in different scopes, within the scopes of this run."""
    import numpy as np

    from remanence.lifecycle import bridges as rules

    sides, tokens = _sides(night, model)
    if len(sides) < 2:
        return []
    homes = [frozenset(memory.scope for memory in side.memories.values()) for side in sides]
    pairs = rules.candidates(np.array([side.centre for side in sides], dtype=np.float32), homes, MOST_PAIRS)
    counts, total = rules.counted(tokens.values()), night.store.count(Selection())

    def found(pair: Pair) -> _Found:
        one, other = sides[pair.one], sides[pair.other]
        names = (*one.entity.keys, *other.entity.keys)
        words = rules.shared_words(one.words, other.words, counts, total, names)
        return _Found(one, other, pair.cosine, tuple(words))

    return [one for one in map(found, pairs) if within(night, one.scope)]


def _sides(night: Night, model: str) -> tuple[list[_Side], dict[str, frozenset[str]]]:
    """The entities with enough memories that have a vector, the most named first; and the words of all of those."""
    from remanence.lifecycle import bridges as rules
    from remanence.model.words import tokens_of

    named = (entity for entity in known(night.store, least=rules.LEAST_MEMORIES) if entity.kind != "path")
    held: dict[str, Memory | None] = {}
    read: list[tuple[Entity, list[Memory]]] = []
    for entity in islice(named, MOST_LOOKED_AT):
        if len(read) == MOST_ENTITIES or night.is_over():
            break
        memories = spoken_of(night, entity, MOST_EACH, held)
        if len(memories) >= rules.LEAST_MEMORIES:
            read.append((entity, memories))
    tokens = {memory.id: tokens_of(memory.text) for _, memories in read for memory in memories}
    vectors = night.store.meanings.of(tokens, model)
    sides = []
    for entity, memories in read:
        own = {memory.id: vectors[memory.id] for memory in memories if memory.id in vectors}
        if len(own) >= rules.LEAST_MEMORIES and len({len(vector) for vector in own.values()}) == 1:
            kept = {memory.id: memory for memory in memories if memory.id in own}
            said = {id: tokens[id] for id in kept}
            centre = rules.centroid(list(own.values()))
            sides.append(_Side(entity, kept, own, said, centre, rules.counted(said.values())))
    # One name of a model may stand for several dimensions: the most common is compared.
    sizes = Counter(len(side.centre) for side in sides)
    size = max(sizes, key=lambda one: (sizes[one], one), default=0)
    return [side for side in sides if len(side.centre) == size], tokens


class _Building:
    """The claims so far."""

    def __init__(self, night: Night) -> None:
        self._night = night
        self._collected = Collecting(STEP)
        self._llm = False

    def proposal(self) -> Proposal:
        return self._collected.proposal(llm=self._llm)

    def build(self, found: dict[str, _Found], bridged: set[str]) -> None:
        """Bridges for today's pairs that have none; which pairs are today's does not depend on what has one."""
        from remanence.lifecycle.bridges import LEAST_WORDS

        confirmed = [key for key, one in found.items() if len(one.words) >= LEAST_WORDS]
        if self._night.llm is not None and self._ask_about(self._night.llm, found, bridged):
            return
        for key in of_the_day(confirmed, self._night.now, MOST_A_RUN):
            if key not in bridged and not self._night.is_over():
                self._bridge(found[key], None)
        waiting = len(found.keys() - set(confirmed) - bridged)
        if waiting:
            many = "1 candidate bridge waits" if waiting == 1 else f"{waiting} candidate bridges wait"
            self._collected.warn(f"{many} for a language model")

    def _ask_about(self, model: Model, found: dict[str, _Found], bridged: set[str]) -> bool:
        """Ask a model about today's pairs; False where it fails before it has answered."""
        from remanence.lifecycle.bridges import LEAST_WORDS

        best = sorted(found, key=lambda key: (-min(len(found[key].words), LEAST_WORDS), -found[key].cosine, key))
        for key in of_the_day(best[:MOST_ASKED_ABOUT], self._night.now, MOST_A_RUN):
            if key in bridged or self._night.is_over() or self._night.was_asked(_digest(key)):
                continue
            try:
                why = self._why(model, found[key])
            except LlmFailed as failed:
                self._collected.warn(f"bridges were looked for without a model: {failed}")
                return self._llm
            self._llm = True
            if why:
                self._bridge(found[key], why)
            else:
                self._night.note_asked(_digest(key))
        return True

    def _why(self, model: Model, pair: _Found) -> str | None:
        """What a model says they have to do with each other; None where nothing, or nothing that stands."""
        from remanence.guard.screening import screen
        from remanence.guard.secrets import redact
        from remanence.lifecycle.bridges import fault_of

        names = [side.entity.name for side in (pair.one, pair.other)]
        sources = _sources(pair)[:2]
        lines = [f"{side} is: {name}" for side, name in zip(_SIDES, names, strict=True)]
        lines += [f"{side}: {memory.text}" for side, some in zip(_SIDES, sources, strict=True) for memory in some]
        answer = asked(model, "bridge", _SCHEMA, lines, _ANSWER_TOKENS)
        if answer["related"] is not True:
            return None
        why = redact(" ".join(str(answer["why"]).split())).text
        one, other = ([memory.text for memory in side] for side in sources)
        fault = ORDER if screen(why) else fault_of(why, one, other, names)
        if fault is not None:
            self._collected.dropped[fault] += 1
            return None
        return why

    def _bridge(self, pair: _Found, why: str | None) -> None:
        from remanence.lifecycle.bridges import COSINE, ENTITIES, KIND, MOST_WORDS_SHOWN

        night = self._night
        one, other = (f'"{side.entity.name}" in {side.home}' for side in (pair.one, pair.other))
        *sides, words = _sources(pair)
        shared = ", ".join(words[:MOST_WORDS_SHOWN])
        text = f"{one} and {other} may be related: memories of both speak of {shared}."
        if why is not None:
            text = f"{one} and {other} are related: {why}"
        sources = [memory for side in sides for memory in side]
        bridge = Memory(
            id=night.new_id(night.now),
            namespace=night.store.namespace,
            scope=pair.scope,
            layer=Layer.SEMANTIC,
            kind=KIND,
            text=text,
            source=Source.DREAM,
            importance=sum(memory.importance for memory in sources) / len(sources),
            confidence=_WITHOUT if why is None else _WITH_MODEL,
            created_at=night.now,
            last_accessed_at=night.now,
            lineage=tuple(dict.fromkeys(memory.id for memory in sources)),
            depth=max(memory.depth for memory in sources),
            trust_limit=min(memory.trust for memory in sources),
            metadata={ENTITIES: list(pair.keys), COSINE: pair.cosine, "llm": why is not None},
        )
        if reasons_of(bridge):
            self._collected.dropped[ORDER] += 1
            return
        if night.store.tombstones([text]):
            return
        evidence = {
            "cosine": pair.cosine,
            "shared_words": float(len(words)),
            "memories": float(len(pair.one.memories) + len(pair.other.memories)),
        }
        claim = Claim(
            key=claim_key(STEP, pair.keys),
            step=STEP,
            title=f"{pair.one.entity.name} and {pair.other.entity.name} are related",
            made=(bridge.id,),
            sources=bridge.lineage,
            evidence=evidence,
            llm=why is not None,
        )
        self._collected.add(claim, [Change.add(bridge, REASON, **evidence)])


def _sources(pair: _Found) -> tuple[list[Memory], list[Memory], list[str]]:
    """The memories of either side that the bridge is made from, and the words of both it may say.

    Those that carry the words they share; among equals, and where they share none, those nearest to the other side.
    """
    from remanence.lifecycle.bridges import carried, nearest

    sides = ((pair.one, pair.other.centre), (pair.other, pair.one.centre))
    one, other = ({id: side.tokens[id] for id in nearest(side.vectors, to)} for side, to in sides)
    found = carried(pair.words, one, other)
    memories = pair.one.memories | pair.other.memories
    return [memories[id] for id in found.one], [memories[id] for id in found.other], found.words


def _digest(key: str) -> str:
    """A pair without its names, which stand nowhere but in memories."""
    return claim_key(STEP, [key])
