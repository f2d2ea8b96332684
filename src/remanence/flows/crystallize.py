"""crystallize: actions that have ended → one crystal that keeps what they say, and the lessons they taught.

One plan, so that undo takes back all of it: the crystal, each lesson (one that is known already is reinforced), and
each action marked with its crystal and free to age from now on. Without a language model the narrative is the actions'
own words in order; with one, what it answers is held against them, and what does not stand there is dropped and
counted. Waiting for it comes before anything is looked up to be written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from remanence.errors import InvalidInput, LlmFailed, PlanRefused
from remanence.flows.actions import USABLE, action_memories, every
from remanence.flows.apply import apply
from remanence.flows.asking import asked
from remanence.flows.door import through_the_door
from remanence.flows.extract import Model
from remanence.guard.screening import screen
from remanence.guard.secrets import redact
from remanence.lifecycle import crystals
from remanence.lifecycle.coverage import sentences
from remanence.lifecycle.crystals import Learned
from remanence.lifecycle.grounding import EMPTY, ORDER, Ground, unsaid
from remanence.lifecycle.lessons import reinforced
from remanence.model import checks
from remanence.model.action import CRYSTAL, DONE, Action, Crystals
from remanence.model.lesson import CONFIDENCE, LESSON
from remanence.model.memory import Layer, Memory, Source, State
from remanence.model.plan import Change, Plan
from remanence.model.words import estimate_tokens, folded
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Store

OLDER_THAN_DAYS = 7
CRYSTALLIZED, LEARNED = "crystallized", "learned"
MOST_DEPTH = 2
MOST_TOKENS = 3_000
_INCOMPLETE = "an incomplete narrative"
_LINE = {"type": "string", "minLength": 1, "maxLength": 1000}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "narrative": {"type": "string", "minLength": 1, "maxLength": 8000},
        "outcomes": {"type": "array", "maxItems": 100, "items": _LINE},
        "lessons": {"type": "array", "maxItems": 50, "items": _LINE},
    },
    "required": ["narrative", "outcomes", "lessons"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class _Told:
    """What a crystal says, and how it came to that."""

    narrative: str
    outcomes: Sequence[str]
    lessons: Sequence[Learned]
    llm: bool = False
    dropped: Counter[str] = field(default_factory=Counter)


def crystallize(
    store: Store,
    encoder: Encoder | None,
    action_ids: Iterable[str],
    now: datetime,
    new_id: Callable[[datetime], str],
    model: Model | None = None,
    personal: Collection[str] = (),
) -> Memory:
    """One crystal of these actions; InvalidInput, and nothing written, where one is open or has a crystal already."""
    memories = action_memories(store, action_ids)
    _check([Action.of(memory) for memory in memories])
    return _crystal(store, encoder, memories, now, new_id, model, personal)


def auto_crystallize(
    store: Store,
    encoder: Encoder | None,
    now: datetime,
    new_id: Callable[[datetime], str],
    model: Model | None = None,
    personal: Collection[str] = (),
    *,
    older_than_days: float = OLDER_THAN_DAYS,
    project: str | None = None,
) -> Crystals:
    """A crystal of each group of actions done longer ago than that, and why others have none; again at once, none.

    What was cancelled is crystallized only where someone names it.
    """
    problems = checks.number_problems(older_than_days, "older_than_days", 0, 36_500)
    problems += [] if project is None else checks.string_problems(project, "project", checks.TAG_CHARACTERS)
    if problems:
        raise InvalidInput(problems)
    done = [one for one, _ in every(store) if one.status == DONE and one.crystal is None]
    made = Crystals()
    for group in crystals.groups(done, now, older_than_days, project):
        for part in crystals.parts(group):
            memories = store.get([action.id for action in part])
            standing = [memories[action.id] for action in part if _as_it_was(memories.get(action.id), action)]
            if len(standing) < len(part):
                continue  # another process is at it; the next run sees what is left
            try:
                made.append(_crystal(store, encoder, standing, now, new_id, model, personal))
            except (InvalidInput, PlanRefused) as refused:  # of a text that was purged, or there is no room for it
                made.left_out[part[0].id] = f"{len(part)} {'action' if len(part) == 1 else 'actions'}: {refused}"
    return made


def _as_it_was(memory: Memory | None, action: Action) -> bool:
    return memory is not None and memory.state in USABLE and Action.of(memory) == action


def _check(actions: Sequence[Action]) -> None:
    """All reasons why these actions make no crystal."""
    if not actions:
        raise InvalidInput("give at least one action to crystallize. See: rem action list --status done")
    problems = [
        f"action {one.id} is still pending. End it with: rem action done {one.id}, or: rem action cancel {one.id}"
        for one in actions
        if one.is_open
    ]
    problems += (
        f"action {one.id} is in crystal {one.crystal} already. See: rem show {one.crystal}"
        for one in actions
        if one.crystal is not None
    )
    scopes = sorted({one.scope for one in actions})
    if len(scopes) > 1:
        problems.append(f"one crystal holds one scope, these are of {', '.join(scopes[:5])}: crystallize each alone")
    if len(actions) > crystals.MOST_ACTIONS:
        problems.append(f"{len(actions)} actions are more than the {crystals.MOST_ACTIONS} of a crystal: go in steps")
    elif not problems and len(list(crystals.parts(crystals.in_order(actions)))) != 1:
        problems.append(f"these actions have more text than a crystal can ({checks.TEXT_BYTES} bytes): go in steps")
    if problems:
        raise InvalidInput(problems[:50])


def _crystal(
    store: Store,
    encoder: Encoder | None,
    memories: Sequence[Memory],
    now: datetime,
    new_id: Callable[[datetime], str],
    model: Model | None,
    personal: Collection[str],
) -> Memory:
    """Write the crystal of actions that may have one."""
    actions = crystals.in_order(map(Action.of, memories))
    told = _told(actions, model, personal)
    if store.tombstones([told.narrative]):
        raise PlanRefused("The crystal of these actions was purged, and is not made again")
    crystal = _memory(store, memories, actions, told, now, new_id(now))
    lessons, lesson_ids = _lessons(store, told.lessons[: crystals.MOST_LESSONS], crystal, now, new_id)
    crystal = crystal.but(metadata={**crystal.metadata, "lessons": lesson_ids})
    added = Change.add(crystal, CRYSTALLIZED, actions=len(actions), lessons=len(lesson_ids))
    passed = through_the_door(store, Plan((added,), verb="crystallize"), personal).changes[0].memory
    # As long as nobody has accepted the crystal, its actions are all there is of this.
    waits = passed is not None and passed.state is not State.LIVE
    freed: dict[str, Any] = {} if waits else {"exempt": False}
    marked = [
        Change.of(memory, CRYSTALLIZED, **{"metadata": {**memory.metadata, CRYSTAL: crystal.id}, **freed})
        for memory in memories
    ]
    plan = Plan((added, *lessons, *marked), verb="crystallize")
    apply(store, plan, now, strict=True, personal=personal, encoder=encoder)
    return store.get([crystal.id])[crystal.id]


def _memory(
    store: Store, memories: Sequence[Memory], actions: Sequence[Action], told: _Told, now: datetime, id: str
) -> Memory:
    files = dict.fromkeys(path for action in actions for path in action.files)
    metadata: dict[str, Any] = {
        "outcomes": list(told.outcomes),
        "actions": len(actions),
        "project": crystals.project_of(actions),
        "llm": told.llm,
    }
    if told.dropped:
        metadata["dropped"] = dict(told.dropped)
    if len(told.lessons) > crystals.MOST_LESSONS:
        metadata["lessons_left_out"] = len(told.lessons) - crystals.MOST_LESSONS
    return Memory(
        id=id,
        namespace=store.namespace,
        scope=actions[0].scope,
        layer=Layer.SEMANTIC,
        kind=CRYSTAL,
        text=told.narrative,
        source=Source.DREAM,
        importance=max(memory.importance for memory in memories),
        created_at=now,
        last_accessed_at=now,
        files=tuple(files)[: checks.TAGS],
        exempt=True,
        lineage=tuple(action.id for action in actions),
        depth=min(MOST_DEPTH, 1 + max(memory.depth for memory in memories)),
        metadata=metadata,
    )


def _lessons(
    store: Store, learned: Sequence[Learned], crystal: Memory, now: datetime, new_id: Callable[[datetime], str]
) -> tuple[list[Change], list[str]]:
    """The changes that keep each lesson, and the ids of the lessons; what was purged once is not learned again."""
    purged = store.tombstones([one.text for one in learned])
    changes: list[Change] = []
    ids: list[str] = []
    for one in learned:
        if one.text in purged:
            continue
        same = [old for old in store.kin(crystal.scope, LESSON, one.text) if folded(old.text) == folded(one.text)]
        same = [old for old in same if not old.is_over(now)]
        if same:
            known = max(same, key=lambda old: (old.created_at, old.id))
            changes.append(reinforced(known, now))
            ids.append(known.id)
            continue
        lesson = crystal.but(
            id=new_id(now),
            layer=Layer.EPISODIC,  # where the rule for lessons sees it, under every policy
            kind=LESSON,
            text=one.text,
            confidence=CONFIDENCE,
            files=(),
            exempt=False,
            lineage=one.action_ids,
            metadata={CRYSTAL: crystal.id},
        )
        changes.append(Change.add(lesson, LEARNED, confidence=CONFIDENCE))
        ids.append(lesson.id)
    return changes, ids


def _told(actions: Sequence[Action], model: Model | None, personal: Collection[str]) -> _Told:
    """What these actions come to: by a model where one answers well, else in their own words."""
    text = crystals.narrative(actions)
    plain = _Told(text, crystals.outcomes(actions), crystals.lessons(actions))
    if model is None or estimate_tokens(text) > MOST_TOKENS:
        return plain
    try:
        lines = redact(text, personal=personal).text.splitlines()
        answer = asked(model, "crystallize", _SCHEMA, lines, 600 + 2 * estimate_tokens(text))
    except LlmFailed:
        return plain
    ground = Ground(text, sentences(text))
    dropped: Counter[str] = Counter()

    def standing(statement: str) -> str | None:
        clean = " ".join(redact(statement, personal=personal).text.split())
        fault = EMPTY if checks.text_problems(clean) else ground.fault(clean)
        if fault is None and screen(clean):
            fault = ORDER
        if fault is not None:
            dropped[fault] += 1
        return clean if fault is None else None

    said = standing(answer["narrative"])
    if said is not None and not crystals.is_covered(said, actions):
        dropped[_INCOMPLETE] += 1
        said = None
    outcomes = [kept for one in answer["outcomes"] if (kept := standing(one)) is not None]
    ids = tuple(action.id for action in actions)
    lessons = {folded(k): Learned(k, ids) for one in answer["lessons"] if (k := standing(one)) is not None}
    left = unsaid([one.text for one in plain.lessons], [one.text for one in lessons.values()])
    lessons |= {folded(plain.lessons[place].text): plain.lessons[place] for place in left}
    return _Told(
        said or plain.narrative,
        crystals.fitting(outcomes) or plain.outcomes,
        list(lessons.values()),
        llm=said is not None,
        dropped=dropped,
    )
