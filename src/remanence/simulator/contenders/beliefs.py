"""How PrecisionMemBench is asked: of a mind through its public verbs, and of a plain retriever as its authors ask one.

Of a mind (`MindDesk`):
  user           a namespace of one store; a user nobody spoke of is an empty one
  a belief       remember(text, kind=type, scope="/domain/code" for "domain:code", concepts=aliases, pinned,
                 confidence), the clock at its `created_at`. The text is "name (aliases): content". Why it matters is a
                 remark for the reader of an answer, kept in the metadata and not searched
  superseded_by  the successor comes as revise(old, …), in the order of dates; only the newest version is live
  resolved_at    forget(ids=[…]) at that moment: a question that is answered is closed
  persona        list(scope="/user/universal"): what holds for the user everywhere, as text
  pinned facts   list(scope=…), those that are pinned and no open question; the recalled ones first, then the newest
  open questions list(scope=…, kind="open_question"), those that are pinned
  relevant       recall(query, scope=…, kinds= all but open questions, least=0.25), without what another tier shows
                 already; a blank query recalls nothing. A relation brings its participants of the same scopes along,
                 from its metadata, as the authors' harness does for every system. Pinned facts take the budget first

Of a plain retriever (`PlainDesk`): the authors' own harness for other systems. It knows users, scopes, pinned facts
and open questions from the file and takes only the relevant tier from the retriever: the first `budget` texts of that
user and scope, less the pinned facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from remanence.model.memory import Memory, State
from remanence.simulator.contenders import Contender, Haystack, Item
from remanence.simulator.contenders.ours import Clock, Ours
from remanence.simulator.datasets.precisionmembench import QUESTION, Belief, Case

UNIVERSAL = "user:universal"
_EVERYTHING = 1000
# Three quarters of what a memory of mean length that holds every word of a question answers by its words alone (1/3).
_LEAST = 0.25


@dataclass(frozen=True, slots=True)
class Answer:
    """The four tiers of a context, by belief ids; the prelude is text."""

    prelude: str
    pinned: tuple[str, ...]
    relevant: tuple[str, ...]
    questions: tuple[str, ...]


class Desk(Protocol):
    def answer(self, case: Case) -> Answer: ...

    def close(self) -> None: ...


class MindDesk:
    def __init__(self, ours: Ours, beliefs: Sequence[Belief], folder: Path) -> None:
        self._ours = ours
        self._file = folder / "beliefs.db"
        ends = [moment for belief in beliefs for moment in (belief.created_at, belief.resolved_at) if moment]
        self._clock = Clock(max(ends))
        self._minds: dict[str, Any] = {}
        self._memories: dict[str, str] = {}
        self._kinds = tuple(sorted({belief.kind for belief in beliefs} - {QUESTION}))
        for belief in in_order(beliefs):
            self._remember(belief, [old for old in beliefs if old.superseded_by == belief.id])
        for belief in beliefs:
            if belief.resolved_at is not None:
                self._clock.at = belief.resolved_at
                self._mind(belief.user).forget(ids=[self._memories[belief.id]])
        self._clock.at = max(ends)

    def _mind(self, user: str) -> Any:
        if user not in self._minds:
            self._minds[user] = self._ours.mind(self._clock, location=self._file, namespace=user)
        return self._minds[user]

    def _remember(self, belief: Belief, olds: Sequence[Belief]) -> None:
        mind = self._mind(belief.user)
        self._clock.at = belief.created_at
        fields: dict[str, Any] = {
            "text": statement(belief),
            "kind": belief.kind,
            "scope": scope_of(belief.scopes[0]),
            "concepts": belief.aliases,
            "pinned": belief.pinned,
            "confidence": belief.confidence,
            "metadata": {"belief": belief.id, "why": belief.why, "participants": list(belief.participants)},
        }
        old = [self._memories[one.id] for one in olds if one.id in self._memories]
        made = mind.revise(old[0], **fields) if old else mind.remember(**fields)
        if old[1:]:
            mind.forget(ids=old[1:])
        self._memories[belief.id] = made.memory.id

    def answer(self, case: Case) -> Answer:
        mind = self._mind(case.user)
        scopes = [scope_of(scope) for scope in case.scopes]
        persona = mind.list(scope=scope_of(UNIVERSAL), limit=_EVERYTHING)
        listed = mind.list(scope=scopes, limit=_EVERYTHING)
        questions = [memory for memory in listed if memory.pinned and memory.kind == QUESTION]
        facts = [memory for memory in listed if memory.pinned and memory.kind != QUESTION]
        hits: list[Any] = []
        if case.query.strip() and case.most:
            hits = mind.recall(
                case.query, scope=scopes, kinds=self._kinds, limit=_EVERYTHING, least=_LEAST, reinforce=False
            )
        places = {hit.memory.id: place for place, hit in enumerate(hits)}
        pinned = sorted(facts, key=lambda memory: places.get(memory.id, len(hits)))[: case.most]
        shown = {memory.id for memory in (*persona, *facts, *questions)}
        relevant = [hit.memory for hit in hits if hit.memory.id not in shown]
        shown |= {memory.id for memory in relevant}
        relevant += self._participants(mind, relevant, scopes, shown)
        return Answer(
            "\n".join(memory.text for memory in persona),
            _beliefs(pinned),
            _beliefs(relevant)[: max(case.most - len(pinned), 0)],
            _beliefs(questions),
        )

    def _participants(self, mind: Any, found: Sequence[Memory], scopes: list[str], shown: set[str]) -> list[Memory]:
        ids = [self._memories.get(one) for memory in found for one in memory.metadata.get("participants", ())]
        known = [mind.get(id) for id in dict.fromkeys(ids) if id is not None and id not in shown]
        return [m for m in known if m.state is State.LIVE and m.kind != QUESTION and m.scope in scopes]

    def close(self) -> None:
        for mind in self._minds.values():
            mind.close()


class PlainDesk:
    def __init__(self, contender: Contender, beliefs: Sequence[Belief]) -> None:
        self._beliefs = {belief.id: belief for belief in beliefs}
        self._persona: dict[str, str] = {}
        self._haystacks: dict[tuple[str, str], Haystack] = {}
        parts: dict[tuple[str, str], list[Item]] = {}
        for belief in in_order(beliefs):
            words = (belief.name, *belief.aliases, belief.content, belief.why)
            item = Item(belief.id, " ".join(filter(None, words)), belief.created_at)
            parts.setdefault((belief.user, belief.scopes[0]), []).append(item)
            if UNIVERSAL in belief.scopes:
                self._persona[belief.user] = f"{self._persona.get(belief.user, '')}{belief.content}\n"
        self._haystacks = {key: contender.filled(items) for key, items in parts.items()}
        self._at = max(belief.created_at for belief in beliefs)

    def answer(self, case: Case) -> Answer:
        pinned = [
            one.id
            for one in self._beliefs.values()
            if one.pinned and one.kind != QUESTION and not one.superseded_by and self._open(one, case)
        ]
        questions = [one.id for one in self._beliefs.values() if one.pinned and one.kind == QUESTION]
        questions = [id for id in questions if self._open(self._beliefs[id], case)]
        found = self._found(case, self._at) if case.query.strip() and case.most else []
        relevant = [id for id in found if id not in pinned]
        for id in list(relevant):
            for one in self._beliefs[id].participants:
                other = self._beliefs.get(one)
                if other and other.kind != QUESTION and one not in (*pinned, *relevant) and self._in_scope(other, case):
                    relevant.append(one)
        room = max(case.most - len(pinned[: case.most]), 0)
        return Answer(
            self._persona.get(case.user, ""), tuple(pinned[: case.most]), tuple(relevant[:room]), tuple(questions)
        )

    def _found(self, case: Case, at: datetime) -> list[str]:
        """The lists of the scopes, merged place by place."""
        lists = [
            self._haystacks[case.user, scope].asked(case.query, at, case.most)
            for scope in case.scopes
            if (case.user, scope) in self._haystacks
        ]
        longest = max(map(len, lists), default=0)
        merged = [found[place] for place in range(longest) for found in lists if place < len(found)]
        return list(dict.fromkeys(merged))[: case.most]

    def _open(self, belief: Belief, case: Case) -> bool:
        return belief.resolved_at is None and self._in_scope(belief, case)

    def _in_scope(self, belief: Belief, case: Case) -> bool:
        return belief.user == case.user and bool(set(belief.scopes) & set(case.scopes))

    def close(self) -> None:
        for haystack in self._haystacks.values():
            haystack.close()


def in_order(beliefs: Sequence[Belief]) -> list[Belief]:
    """By date; what was superseded before what superseded it, also where their dates are equal."""
    later = {belief.id: belief.superseded_by for belief in beliefs}

    def successors(id: str | None) -> int:
        seen: list[str] = []
        while id is not None and id not in seen:
            seen.append(id)
            id = later.get(id)
        return len(seen)

    return sorted(beliefs, key=lambda belief: (belief.created_at, -successors(belief.id)))


def statement(belief: Belief) -> str:
    """kubernetes, k8s, kube → "kubernetes (k8s, kube): Deploys services to …"."""
    name = belief.name.replace("_", " ")
    called = f"{name} ({', '.join(belief.aliases)})" if belief.aliases else name
    return f"{called}: {belief.content}"


def scope_of(scope: str) -> str:
    return "/" + scope.replace(":", "/")


def _beliefs(memories: Sequence[Memory]) -> tuple[str, ...]:
    return tuple(str(memory.metadata["belief"]) for memory in memories)
