"""why_not: why a memory did not come in a recall: its state, the filters, or its rank with every part of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from remanence.errors import InvalidInput
from remanence.flows.find import found
from remanence.flows.recall import Asked, question_of, ranked
from remanence.lifecycle.ranking import within
from remanence.model.hit import Hit, WhyNot
from remanence.model.memory import Memory, State
from remanence.model.policy import Policy
from remanence.model.scope import holds
from remanence.model.selection import EVERY_STATE, LIMIT, Selection
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Store

_STATES = {
    State.SUPERSEDED: "it is superseded: {superseded_by} says it now. Older versions come with as_of",
    State.ARCHIVED: "it is archived. Look there with include=archived, or bring it back with: rem restore {id}",
    State.FORGOTTEN: "it is forgotten. Bring it back with: rem restore {id}",
    State.QUARANTINED: "it is quarantined, and waits for review",
}


def why_not(
    store: Store, encoder: Encoder | None, policy: Policy, ask: Asked, id: str, now: datetime, *, per_session: int
) -> WhyNot:
    """Why this memory is not among the hits, or at which place it is."""
    if ask.as_of is not None:
        raise InvalidInput("why_not speaks of now: leave as_of out")
    memory = found(store, id)
    question, notes = question_of(store, encoder, ask)
    best, _ = ranked(store, policy, question, ask, ask.selection, now, per_session)
    hits = within(best[: ask.limit], ask.budget_tokens)
    place = next((place for place, hit in enumerate(best, 1) if hit.memory.id == id), None)
    hit = next((hit for hit in best if hit.memory.id == id), None)
    if hit in hits:
        came = (f"it came: it is hit {1 + hits.index(hit)}",)
        return WhyNot(memory_id=id, found=True, place=1 + hits.index(hit), reasons=came, hit=hit, notes=notes)
    reasons = _excluded(memory, ask, now)
    if hit is None:
        anywhere = replace(ask, limit=LIMIT, least=0.0)
        selection = Selection(ids=(id,), states=EVERY_STATE)
        alone, _ = ranked(store, policy, question, anywhere, selection, now, per_session, ids=[id])
        hit = next((hit for hit in alone if hit.memory.id == id), None)
    last = best[ask.limit - 1] if len(best) >= ask.limit else None
    return WhyNot(
        memory_id=id,
        found=False,
        place=place,
        reasons=tuple(reasons or _ranked(hit, place, last, ask)),
        hit=hit,
        last=last,
        notes=notes,
    )


def _excluded(memory: Memory, ask: Asked, now: datetime) -> list[str]:
    """What keeps a memory out whatever is asked."""
    selection = ask.selection
    reasons = []
    if memory.state not in selection.states:
        reasons.append(_STATES[memory.state].format(id=memory.id, superseded_by=memory.superseded_by))
    if memory.state is State.LIVE and memory.is_over(now):
        reasons.append(f"it expired on {memory.expires_at:%d %B %Y}")
    if selection.scopes is not None and not any(holds(scope, memory.scope) for scope in selection.scopes):
        reasons.append(f"it is in scope {memory.scope}, which {', '.join(selection.scopes)} does not hold")
    if selection.kinds is not None and memory.kind not in selection.kinds:
        reasons.append(f"its kind is {memory.kind}, and only {', '.join(selection.kinds)} was asked for")
    if selection.layers is not None and memory.layer not in selection.layers:
        reasons.append(f"its layer is {memory.layer}, and only {', '.join(selection.layers)} was asked for")
    if selection.categories is not None and not set(selection.categories) & set(memory.categories):
        reasons.append(f"it has none of the categories {', '.join(selection.categories)}")
    if selection.sources is not None and memory.source not in selection.sources:
        reasons.append(f"its source is {memory.source}, and only {', '.join(selection.sources)} was asked for")
    if selection.since is not None and memory.created_at < selection.since:
        reasons.append(f"it was born on {memory.created_at:%d %B %Y}, before what was asked for")
    if selection.until is not None and memory.created_at > selection.until:
        reasons.append(f"it was born on {memory.created_at:%d %B %Y}, after what was asked for")
    if memory.id == ask.like:
        reasons.append("it is the example itself")
    return reasons


def _ranked(hit: Hit | None, place: int | None, last: Hit | None, ask: Asked) -> list[str]:
    if hit is None:
        return ["it shares no telling word with the query, and means something else"]
    if hit.parts["answer"] < ask.least:
        return [f"it answers {hit.parts['answer']:.3f}, and at least {ask.least:g} was asked for"]
    if place is not None and place <= ask.limit:
        return [f"it is at place {place}, but does not fit into {ask.budget_tokens} tokens with those before it"]
    where = "behind all that were looked at" if place is None else f"at place {place}"
    if last is None:
        return [f"it is {where}"]
    reasons = [f"it is {where} with rank {hit.rank:.4f}; the last of {ask.limit} has {last.rank:.4f}"]
    return reasons + _weaknesses(hit, last)


def _weaknesses(hit: Hit, last: Hit) -> list[str]:
    """The parts in which it falls behind the last hit, in words."""
    named = {
        "text": "fewer of the words asked for",
        "vector": "a meaning that is further away",
        "retention": "less retention",
        "worth": "less worth",
        "trust": "a less trusted source",
        "useful": "it was said to be of less use",
        "repeats": "it repeats a better hit",
        "session": "its session has enough hits",
    }
    return [
        f"{words}: {name} {hit.parts.get(name, default):.3f} against {last.parts.get(name, default):.3f}"
        for name, words in named.items()
        for default in (1.0 if name in ("useful", "repeats", "session") else 0.0,)
        if hit.parts.get(name, default) < last.parts.get(name, default)
    ]
