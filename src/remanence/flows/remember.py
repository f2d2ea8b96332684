"""remember: drafts → their meaning → what is there already → admission, surprise → plan → store.

The look-up and the write share a transaction, one a batch, so two processes that remember the same text at once make
one memory. A few texts are embedded at once, before it; many are written first and embedded later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from remanence.errors import InvalidInput
from remanence.flows.find import found
from remanence.flows.meaning import embedded_texts, judge
from remanence.lifecycle.admission import admit, next_version, superseded
from remanence.model.draft import Draft, draft_from
from remanence.model.hit import Outcome, Remembered
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan, Reason
from remanence.model.words import folded
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Embedded, Store

BATCH = 500
EMBEDDED_AT_ONCE = 32
MOST_PROBLEMS = 50
MOST_ITEMS = 1_000_000


def drafts_from(items: Iterable[Any]) -> list[Draft]:
    """Texts or dicts as drafts; InvalidInput naming every problem with its item."""
    problems: list[str] = []
    drafts: list[Draft] = []
    for number, item in enumerate(items):
        if number >= MOST_ITEMS:
            raise InvalidInput(f"more than {MOST_ITEMS} items at once; go in steps")
        try:
            if not isinstance(item, (str, dict)):
                raise InvalidInput(f"must be a text or a dict, not {type(item).__name__}")
            drafts.append(draft_from({"text": item} if isinstance(item, str) else item))
        except InvalidInput as invalid:
            problems += (f"item {number}: {problem}" for problem in invalid.problems)
            if len(problems) > MOST_PROBLEMS:
                problems[MOST_PROBLEMS:] = ["and perhaps more: the rest was not looked at"]
                break
    if problems:
        raise InvalidInput(problems)
    return drafts


def remember(
    store: Store,
    encoder: Encoder | None,
    drafts: Sequence[Draft],
    now: datetime,
    new_id: Callable[[datetime], str],
) -> list[Remembered]:
    """Remember each draft, in order; later ones see earlier ones. One receipt a batch."""
    vectors = embedded_texts(encoder if len(drafts) <= EMBEDDED_AT_ONCE else None, [draft.text for draft in drafts])
    remembered: list[Remembered] = []
    for start in range(0, len(drafts), BATCH):
        receipt_id: str | None = None
        with store.transaction():
            for place in range(start, min(start + BATCH, len(drafts))):
                result = _remember_one(store, drafts[place], vectors[place], now, new_id, receipt_id)
                receipt_id = result.receipt_id or receipt_id
                remembered.append(result)
    return remembered


def _remember_one(
    store: Store,
    draft: Draft,
    embedded: Embedded | None,
    now: datetime,
    new_id: Callable[[datetime], str],
    receipt_id: str | None,
) -> Remembered:
    if draft.key is not None and (known := store.keyed(draft.key)) is not None:
        return Remembered(store.get([known])[known], Outcome.DUPLICATE)
    if store.tombstones([draft.text]):
        if not draft.relearn:
            return Remembered(None, Outcome.BLOCKED)
        store.lift([draft.text], now)
    memory = draft.memory(new_id(now), store.namespace, now)
    admission = admit(memory, store.kin(draft.scope, draft.kind, draft.text), now)
    unjudged = draft.importance is None
    if embedded is not None and unjudged and admission.outcome in (Outcome.ADDED, Outcome.SUPERSEDED):
        admission = admission.with_memory(judge(store, admission.memory, embedded, but=admission.memory.supersedes))
    receipt = None
    if admission.changes:
        plan = Plan(admission.changes, verb="remember")
        vectors = None if embedded is None else {memory.id: embedded}
        receipt = store.apply(
            plan, now, receipt_id=receipt_id, embedded=vectors, unjudged=unjudged and embedded is None
        ).id
    if draft.key is not None:
        store.claim_key(draft.key, admission.memory.id)
    return Remembered(admission.memory, admission.outcome, list(admission.similar), receipt)


_REVISABLE = frozenset(
    [
        "text",
        "importance",
        "scope",
        "kind",
        "layer",
        "categories",
        "concepts",
        "files",
        "source",
        "valence",
        "confidence",
        "ttl",
        "expires_at",
        "pinned",
        "exempt",
        "metadata",
        "origin",
    ]
)


def revise(
    store: Store,
    encoder: Encoder | None,
    id: str,
    changes: dict[str, Any],
    now: datetime,
    new_id: Callable[[datetime], str],
) -> Remembered:
    """A new version of a memory with some fields changed; the old one is superseded."""
    text = draft_from(_revised(found(store, id), changes)).text
    (embedded,) = embedded_texts(encoder, [text])
    with store.transaction():
        old = found(store, id)
        draft = draft_from(_revised(old, changes))
        if old.state is not State.LIVE:
            raise InvalidInput(f"memory {id} is {old.state}, and only a live one can be revised. Run: rem restore {id}")
        if folded(draft.text) != folded(old.text) and store.tombstones([draft.text]):
            return Remembered(None, Outcome.BLOCKED)
        new = next_version(old, draft.memory(new_id(now), store.namespace, now))
        new = new.but(confirmations=old.confirmations, valid_from=old.valid_from, valid_until=old.valid_until)
        plan = Plan((Change.add(new, Reason.REVISED), superseded(old, new, Reason.REVISED)), verb="revise")
        receipt = store.apply(plan, now, embedded=None if embedded is None else {new.id: embedded})
    return Remembered(new, Outcome.SUPERSEDED, [], receipt.id)


def _revised(old: Memory, changes: dict[str, Any]) -> dict[str, Any]:
    """The old memory's fields as a draft's values, with the changes laid over."""
    given = {name: value for name, value in changes.items() if value is not None}
    problems = [f"{name!r} cannot be revised" for name in given if name not in _REVISABLE]
    if not given:
        problems.append(f"nothing to revise: give at least one of {', '.join(sorted(_REVISABLE))}")
    if problems:
        raise InvalidInput(problems)
    kept = {name: getattr(old, name) for name in _REVISABLE - {"ttl"}} | {"lineage": old.lineage}
    if "ttl" in given:
        kept.pop("expires_at")
    return kept | given
