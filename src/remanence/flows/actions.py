"""actions: things to do, each a memory of kind "action" that no rule ages until it went into a crystal.

Adding one is a plan of its own: two actions that are alike are two. A caller's key makes it the same one again. What
changes as an action ends is its metadata; its text stays as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from remanence.errors import InvalidInput, PlanRefused
from remanence.flows.apply import apply
from remanence.flows.door import cleaned, evidence_of
from remanence.flows.find import found, found_all
from remanence.flows.remember import vectors_of
from remanence.guard.secrets import redact
from remanence.model import checks
from remanence.model.action import ACTION, CANCELLED, DONE, PENDING, STATUSES, Action
from remanence.model.draft import draft_from
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan, Reason
from remanence.model.selection import LIMIT, Selection, selection_from
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Store

TEXT_CHARACTERS = 10_000
OUTCOME_CHARACTERS = 8_000
MOST_ABOVE = 100
USABLE = (State.LIVE, State.ARCHIVED)
_PAGE = 500
_WORDS = {DONE: "done", CANCELLED: "cancelled"}
_MENDING = {
    State.FORGOTTEN: "Bring it back with: rem restore {id}",
    State.QUARANTINED: "Look at it, then: rem review accept {id}",
    State.SUPERSEDED: "See its newer version with: rem history {id}",
}


def add(
    store: Store,
    encoder: Encoder | None,
    given: dict[str, Any],
    now: datetime,
    new_id: Callable[[datetime], str],
    personal: Collection[str] = (),
) -> Action:
    """Write down something to do: text, scope, parent, project, files, source, key."""
    parent, project = given.pop("parent"), given.pop("project")
    problems = [] if project is None else checks.string_problems(project, "project", checks.TAG_CHARACTERS)
    problems += _long(given["text"], "text", TEXT_CHARACTERS)
    try:
        draft = draft_from({**given, "kind": ACTION, "exempt": True, "metadata": _standing(parent, project)})
    except InvalidInput as invalid:
        problems = list(dict.fromkeys([*problems, *invalid.problems]))
    if problems:
        raise InvalidInput(problems)
    if parent is not None:
        _check_parent(store, parent)
    clean = cleaned(draft, personal)
    (embedded,) = vectors_of(store, encoder, [clean.draft])
    with store.transaction():
        if clean.draft.key is not None and (known := store.keyed(clean.draft.key)) is not None:
            return action(store, known)
        if store.tombstones([clean.draft.text]):
            raise PlanRefused("The text of this action was purged, and is not stored again. Say it in other words")
        memory = clean.draft.memory(new_id(now), store.namespace, now)
        plan = Plan((Change.add(memory, Reason.ASKED, **clean.evidence),), verb=ACTION)
        apply(store, plan, now, personal=personal, strict=True)
        if clean.draft.key is not None:
            store.claim_key(clean.draft.key, memory.id)
    if embedded is not None:
        store.meanings.put(memory.id, embedded)
    return action(store, memory.id)


def _standing(parent: str | None, project: str | None) -> dict[str, Any]:
    return {
        "status": PENDING,
        "parent": parent,
        "project": project,
        "done_at": None,
        "outcome": None,
        "crystal": None,
    }


def _check_parent(store: Store, parent: object) -> None:
    """InvalidInput for a parent that is no action in use, is below itself, or has too many above it."""
    if not isinstance(parent, str):
        raise InvalidInput(checks.id_problems(parent, "parent"))
    usable(action_memory(store, parent), "be a parent")
    seen: set[str] = set()
    above: str | None = parent
    while above is not None:
        if above in seen:
            raise InvalidInput(f"parent {parent} is below itself, by way of {above}. Give it another: rem revise")
        if len(seen) == MOST_ABOVE:
            raise InvalidInput(
                f"parent {parent} has {MOST_ABOVE} actions above it or more; the limit is {MOST_ABOVE}. "
                f"Give one further up as the parent: rem action show {parent}"
            )
        seen.add(above)
        memory = store.get([above]).get(above)
        above = Action.of(memory).parent if memory is not None and memory.kind == ACTION else None


def end(
    store: Store, id: str, status: str, outcome: str | None, now: datetime, personal: Collection[str] = ()
) -> Action:
    """An action that is done or cancelled from now on; one that is so already stays as it is."""
    said, evidence = None, {}
    if outcome is not None:
        problems = checks.text_problems(outcome, "outcome") or _long(outcome, "outcome", OUTCOME_CHARACTERS)
        if problems:
            raise InvalidInput(problems)
        clean = redact(outcome, personal=personal)
        said, evidence = clean.text, evidence_of(clean.counts)
    with store.transaction():
        memory = action_memory(store, id)
        was = Action.of(memory)
        usable(memory, f"be {_WORDS[status]}")
        if was.crystal is not None:
            raise InvalidInput(
                f"action {id} went into crystal {was.crystal} and changes no more. "
                f"Take that back with rem undo (see: rem history {was.crystal}), or add a new action"
            )
        if not was.is_open and was.status != status:
            raise InvalidInput(
                f"action {id} is {was.status} and cannot be {_WORDS[status]}. "
                f"Take that back with rem undo (see: rem history {id}), or add a new action"
            )
        if was.status == status and said in (None, was.outcome):
            return was
        if was.status == status and was.outcome is not None:
            raise InvalidInput(
                f"action {id} is {status} already, with another outcome. "
                f"Take that back with rem undo (see: rem history {id}) to give it this one"
            )
        ended = now if was.done_at is None or was.is_open else was.done_at
        told = {**_standing(was.parent, was.project), **memory.metadata}
        told |= {"status": status, "done_at": ended.isoformat(), "outcome": said or was.outcome}
        change = replace(Change.of(memory, status, metadata=told), evidence=evidence)
        apply(store, Plan((change,), verb=ACTION), now, personal=personal, strict=True)
        return action(store, id)


def _long(text: object, name: str, most: int) -> list[str]:
    if not isinstance(text, str) or len(text) <= most:
        return []
    return [f"{name} has {len(text)} characters; the limit is {most}. Keep the rest in a file or in memories"]


def listed(
    store: Store,
    *,
    status: str | None = None,
    project: str | None = None,
    parent: str | None = None,
    scope: str | Iterable[str] | None = None,
    limit: int = 100,
    offset: int = 0,
) -> list[Action]:
    """Actions, newest first."""
    problems = checks.integer_problems(limit, "limit", 1, LIMIT) + checks.integer_problems(offset, "offset", 0)
    problems += [] if status is None else checks.choice_problems(status, "status", STATUSES)
    problems += [] if project is None else checks.string_problems(project, "project", checks.TAG_CHARACTERS)
    try:
        selection = selection_from(scope=scope, kinds=ACTION)
    except InvalidInput as invalid:
        problems += invalid.problems
    if problems:
        raise InvalidInput(problems)
    if parent is not None:
        action_memory(store, parent)
    if (status, project, parent) == (None, None, None):
        return [Action.of(memory) for memory in store.select(selection, limit=limit, offset=offset)]
    wanted: list[Action] = []
    for one in _each(store, selection):
        if status in (None, one.status) and project in (None, one.project) and parent in (None, one.parent):
            wanted.append(one)
            if len(wanted) == offset + limit:
                break
    return wanted[offset:]


def _each(store: Store, selection: Selection) -> Iterator[Action]:
    """All of a selection, newest first."""
    offset = 0
    while page := store.select(selection, limit=_PAGE, offset=offset):
        yield from map(Action.of, page)
        offset += _PAGE


def every(store: Store) -> Iterator[tuple[Action, Memory]]:
    """Every action in use, with its memory."""
    for page in store.pages(Selection(kinds=(ACTION,), states=USABLE)):
        yield from ((Action.of(memory), memory) for memory in page)


def action(store: Store, id: str) -> Action:
    """The action with this id, in whatever state."""
    return Action.of(action_memory(store, id))


def action_memory(store: Store, id: str) -> Memory:
    """The memory of an action; NotFound without one, InvalidInput where it is another kind of memory."""
    memory = found(store, id, what="action", see="rem action list")
    if memory.kind != ACTION:
        raise InvalidInput(_no_action(memory))
    return memory


def action_memories(store: Store, ids: Iterable[str]) -> list[Memory]:
    """The memories of actions, each once; one error that names all that are none, or are not in use."""
    memories = found_all(store, ids, name="action_ids", what="action", see="rem action list")
    problems = [_no_action(memory) for memory in memories if memory.kind != ACTION]
    problems += [
        _unusable(one, "be crystallized") for one in memories if one.kind == ACTION and one.state not in USABLE
    ]
    if problems:
        raise InvalidInput(problems[:50])
    return memories


def usable(memory: Memory, what: str) -> None:
    """InvalidInput for an action that was forgotten, is quarantined, or has a newer version."""
    if memory.state not in USABLE:
        raise InvalidInput(_unusable(memory, what))


def _unusable(memory: Memory, what: str) -> str:
    mending = _MENDING.get(memory.state, "See: rem show {id}").format(id=memory.id)
    return f"action {memory.id} is {memory.state} and cannot {what}. {mending}"


def _no_action(memory: Memory) -> str:
    return f"memory {memory.id} is no action but of kind {memory.kind!r}. See: rem action list"
