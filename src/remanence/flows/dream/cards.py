"""Step 3, cards: every entity that five or more live memories name has one live card, made of their own statements.

A card is written anew when the memories behind it changed, and archived when fewer than five are left. Without a
language model it is a choice of statements as they stand; a model may word it, and its words are taken only where every
sentence stands in those statements. A card that somebody forgot, or that waits for review, is not made again of the
same memories. A run that is limited to scopes looks after entities all of whose memories lie within them.
"""

from __future__ import annotations

from collections.abc import Sequence

from remanence.errors import LlmFailed
from remanence.flows.asking import asked
from remanence.flows.door import reasons_of
from remanence.flows.dream.night import USED_UP, Collecting, Night, Proposal, claim_key
from remanence.flows.dream.speaking import MOST_FAILURES, TOLD, has_a_say, spoken_of, within
from remanence.flows.entities import known
from remanence.lifecycle import cards as rules
from remanence.lifecycle.admission import next_version, superseded
from remanence.lifecycle.cards import Card
from remanence.lifecycle.coverage import ended
from remanence.lifecycle.grounding import ORDER
from remanence.model.claim import Claim
from remanence.model.entity import Entity, key_of
from remanence.model.memory import Layer, Memory, Source, State
from remanence.model.plan import Change
from remanence.model.scope import common_scope
from remanence.model.selection import Selection

STEP = "cards"
NEW, CHANGED = "card of an entity", "its memories changed"
FEW, SECOND = "fewer than 5 memories name it now", "another card speaks of it"
MOST_READ = 500
MOST_ASKED = 20
"""Cards a model words in one run, those of the most named entities; the others stand as they are."""
_ANSWER_TOKENS = 800
_ASKED_ABOUT = (State.LIVE, State.QUARANTINED, State.FORGOTTEN)
_SCHEMA = {
    "type": "object",
    "properties": {
        "sentences": {
            "type": "array",
            "minItems": 1,
            "maxItems": 40,
            "items": {"type": "string", "minLength": 1, "maxLength": 600},
        }
    },
    "required": ["sentences"],
    "additionalProperties": False,
}


def propose(night: Night) -> Proposal:
    """The cards that are missing or have changed, and those that are to leave."""
    writing = _Writing(night)
    if not writing.may_do_anything():
        return writing.collected.proposal()
    entities = known(night.store)
    writing.new = _new_ones(night, entities)
    for entity in entities:
        if night.is_over():
            writing.collected.warn(USED_UP)
            return writing.collected.proposal()
        if entity.memories + len(writing.new.get(entity.key, ())) >= rules.LEAST_MEMORIES:
            writing.entity(entity)
    writing.archive_the_rest()
    return writing.collected.proposal()


def _new_ones(night: Night, entities: Sequence[Entity]) -> dict[str, list[Memory]]:
    """What earlier steps of the same plan add, by the entities it names: the next dream will find it in the index."""
    from remanence.extraction.entities import entities_of

    owners = {key: entity.key for entity in entities for key in entity.keys}
    found: dict[str, list[Memory]] = {}
    for memory in night.made.values():
        if has_a_say(night, memory, TOLD):
            named = {owners.get(key_of(name)) for name, _ in entities_of(memory.text, memory.concepts, memory.files)}
            for key in named - {None}:
                found.setdefault(str(key), []).append(memory)
    return found


class _Writing:
    """The claims so far, and which of the cards there are were met."""

    def __init__(self, night: Night) -> None:
        self._night = night
        self._live: dict[str, list[Memory]] = {}
        self._refused: set[tuple[str, str]] = set()
        self._owners: dict[str, str] = {}
        selection = Selection(kinds=(rules.KIND,), states=_ASKED_ABOUT)
        for page in night.store.pages(selection):
            for card in page:
                key, digest = card.metadata.get(rules.ENTITY), card.metadata.get(rules.OF)
                if card.source is not Source.DREAM or not isinstance(key, str):
                    continue
                if card.state is State.LIVE:
                    self._live.setdefault(key, []).append(card)
                    if isinstance(digest, str):
                        self._owners[digest] = key
                elif isinstance(digest, str):
                    self._refused.add((key, digest))
        self._met: set[str] = set()
        self.collected = Collecting(STEP)
        self._asked = 0
        self._failures = 0
        self.new: dict[str, list[Memory]] = {}

    def may_do_anything(self) -> bool:
        """Whether there is a card, or enough memories for one."""
        return bool(self._live) or self._night.store.count(Selection()) >= rules.LEAST_MEMORIES

    def entity(self, entity: Entity) -> None:
        """One entity: its card is made, made anew, or left alone."""
        night = self._night
        sources = [*self.new.get(entity.key, ()), *spoken_of(night, entity, MOST_READ)]
        if len(sources) < rules.LEAST_MEMORIES:
            return
        live = sorted(
            (card for key in entity.keys for card in self._live.get(key, ())),
            key=lambda card: (card.created_at, card.id),
            reverse=True,
        )
        self._met |= {card.id for card in live}
        if entity.kind not in rules.WORTHY or not within(night, common_scope(one.scope for one in sources)):
            return
        digest = rules.digest_of(sources)
        if self._owners.setdefault(digest, entity.key) not in entity.keys:
            # All its memories name somebody else as well, who has a card of them: two names of one, most likely.
            for card in live:
                self._leave(card, SECOND)
            return
        old = live[0] if live else None
        if old is None or not (rules.is_of(old, digest) or not night.free(old)):
            self._write(entity, sources, digest, old)
        for second in live[1:]:
            self._leave(second, SECOND)

    def archive_the_rest(self) -> None:
        """Cards of entities of whom too little is left."""
        for cards in self._live.values():
            for card in cards:
                if card.id not in self._met:
                    self._leave(card, FEW)

    def _leave(self, card: Memory, reason: str) -> None:
        if not self._night.free(card) or not within(self._night, card.scope):
            return
        claim = Claim(
            key=claim_key(STEP, [card.id]),
            step=STEP,
            title=f"the card of {_named(card)} leaves: {reason}",
            leaving=(card.id,),
        )
        self._claim(claim, [Change.of(card, reason, state=State.ARCHIVED)])

    def _write(self, entity: Entity, sources: Sequence[Memory], digest: str, old: Memory | None) -> None:
        night = self._night
        if any((key, digest) in self._refused for key in entity.keys):
            return
        made = _unsuspicious(entity, sources)
        if made is None or (old is not None and rules.says_the_same(old, made)):
            return
        text, by_model = self._worded_text(entity, made)
        card = _card(night, entity, made, sources, text)
        card = card.but(metadata=card.metadata | {rules.OF: digest, rules.BY_MODEL: by_model})
        if night.store.tombstones([text]):
            self.collected.leave_out("cards were left out: their text was purged")
            return
        if reasons_of(card):
            self.collected.leave_out("cards were left out: they read like an instruction")
            return
        evidence = {"memories": float(len(sources)), "used": float(len(made.used))}
        changes = [Change.add(card, NEW, **evidence)]
        if old is not None:
            card = next_version(old, card)
            changes = [Change.add(card, CHANGED, **evidence), superseded(old, card)]
        claim = Claim(
            key=claim_key(STEP, (entity.key, *card.lineage)),
            step=STEP,
            title=f"{'a card of' if old is None else 'another card of'} {entity.name}",
            made=(card.id,),
            sources=card.lineage,
            leaving=() if old is None else (old.id,),
            evidence=evidence,
            llm=by_model,
        )
        self._claim(claim, changes)

    def _claim(self, claim: Claim, changes: Sequence[Change]) -> None:
        self.collected.add(claim, changes)
        self._night.taken.update(claim.leaving)
        self._night.leaving.update(claim.leaving)

    def _worded_text(self, entity: Entity, made: Card) -> tuple[str, bool]:
        """The card's text, in a model's words where they stand in the statements."""
        night = self._night
        if night.llm is None or self._failures == MOST_FAILURES or self._asked == MOST_ASKED:
            return made.text, False
        self._asked += 1
        lines = (f"Entity: {made.name}", *made.statements)
        try:
            answer = asked(night.llm, "card", _SCHEMA, lines, _ANSWER_TOKENS)
        except LlmFailed as failed:
            self._failures += 1
            self.collected.leave_out(f"cards were worded without a model: {failed}")
            return made.text, False
        worded = [ended(" ".join(sentence.split())) for sentence in answer["sentences"]]
        text, fault = _judged(made.name, worded, made)
        if fault is not None:
            self.collected.dropped[fault] += 1
            return made.text, False
        return text, True


def _judged(name: str, worded: Sequence[str], made: Card) -> tuple[str, str | None]:
    from remanence.guard.screening import screen
    from remanence.guard.secrets import redact

    text = redact(f"{name}: {' '.join(worded)}").text
    fault = rules.fault_of(name, worded, made.statements)
    if fault is None and (screen(text) or any(map(screen, worded))):
        fault = ORDER
    return text, fault


def _unsuspicious(entity: Entity, sources: Sequence[Memory]) -> Card | None:
    """The card without what reads like an instruction: a dream vouches for nothing, so it would be quarantined."""
    from remanence.guard.screening import screen

    left = list(sources)
    while made := rules.card_of((entity.name, *entity.aliases), entity.keys, left):
        suspects = {memory.id for memory, said in zip(made.used, made.statements, strict=True) if screen(said)}
        if not suspects:
            return made
        left = [memory for memory in left if memory.id not in suspects]
    return None


def _card(night: Night, entity: Entity, made: Card, sources: Sequence[Memory], text: str) -> Memory:
    return Memory(
        id=night.new_id(night.now),
        namespace=night.store.namespace,
        scope=common_scope(memory.scope for memory in sources),
        layer=Layer.SEMANTIC,
        kind=rules.KIND,
        text=text,
        source=Source.DREAM,
        importance=max(memory.importance for memory in made.used),
        confidence=min(memory.confidence for memory in made.used),
        created_at=night.now,
        last_accessed_at=night.now,
        lineage=tuple(memory.id for memory in made.used),
        depth=max(memory.depth for memory in made.used),
        trust_limit=min(memory.trust for memory in made.used),
        metadata={rules.ENTITY: key_of(made.name), rules.NAME: made.name},
    )


def _named(card: Memory) -> str:
    name = card.metadata.get(rules.NAME)
    return name if isinstance(name, str) else str(card.metadata.get(rules.ENTITY))
