"""remember: drafts → the door → their meaning → what is there already → admission, surprise → plan → store.

The look-up and the write share a transaction, one a batch, so two processes that remember the same text at once make
one memory. A few texts are embedded at once, before it; many are written first and embedded later. What the door
quarantines meets no other memory: it replaces and contradicts nothing, and the same text again is no second one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from typing import Any

from remanence.errors import InvalidInput
from remanence.flows.door import Cleaned, cleaned, looked_at, made_from
from remanence.flows.find import found
from remanence.flows.meaning import embedded_texts, judge
from remanence.lifecycle.admission import admit, next_version, superseded
from remanence.lifecycle.provenance import held_for, quarantined, says_the_same
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
    personal: Collection[str] = (),
) -> list[Remembered]:
    """Remember each draft, in order; later ones see earlier ones. One receipt a batch."""
    clean = [cleaned(draft, personal) for draft in drafts]
    vectors = vectors_of(store, encoder, [one.draft for one in clean])
    clean = [looked_at(one, vector) for one, vector in zip(clean, vectors, strict=True)]
    remembered: list[Remembered] = []
    for start in range(0, len(drafts), BATCH):
        receipt_id: str | None = None
        with store.transaction():
            for place in range(start, min(start + BATCH, len(drafts))):
                result = remember_one(store, clean[place], vectors[place], now, new_id, receipt_id)
                receipt_id = result.receipt_id or receipt_id
                remembered.append(result)
    return remembered


def vectors_of(store: Store, encoder: Encoder | None, drafts: Sequence[Draft]) -> list[Embedded | None]:
    """The vectors of a few drafts; None for what was purged, which no embedder gets to see again, and for many.

    Asked before the transaction in which they are written.
    """
    if encoder is None or len(drafts) > EMBEDDED_AT_ONCE:
        return [None] * len(drafts)
    blocked = store.tombstones([draft.text for draft in drafts if not draft.relearn])
    texts = [draft.text for draft in drafts if draft.text not in blocked]
    vectors = dict(zip(texts, embedded_texts(encoder, texts), strict=True))
    if made := [vector for vector in vectors.values() if vector is not None]:
        store.meanings.ready(made[0])
    return [vectors.get(draft.text) for draft in drafts]


def remember_one(
    store: Store,
    clean: Cleaned,
    embedded: Embedded | None,
    now: datetime,
    new_id: Callable[[datetime], str],
    receipt_id: str | None,
) -> Remembered:
    """Remember one draft inside an open transaction."""
    draft = clean.draft
    if draft.key is not None and (known := store.keyed(draft.key)) is not None:
        return Remembered(store.get([known])[known], Outcome.DUPLICATE)
    if store.tombstones([draft.text]):
        if not draft.relearn:
            return Remembered(None, Outcome.BLOCKED)
        store.lift([draft.text], now)
    memory, poisoned = made_from(store, draft.memory(new_id(now), store.namespace, now))
    if reasons := held_for(memory, clean.suspicions, poisoned):
        return _quarantine(store, memory, reasons, clean, embedded, now, receipt_id)
    admission = admit(memory, store.kin(draft.scope, draft.kind, draft.text), now)
    unjudged = draft.importance is None
    if embedded is not None and unjudged and admission.outcome in (Outcome.ADDED, Outcome.SUPERSEDED):
        admission = admission.with_memory(judge(store, admission.memory, embedded, but=admission.memory.supersedes))
    receipt = None
    if admission.changes:
        plan = Plan(_with_evidence(admission.changes, clean), verb="remember")
        vectors = None if embedded is None else {memory.id: embedded}
        receipt = store.apply(
            plan, now, receipt_id=receipt_id, embedded=vectors, unjudged=unjudged and embedded is None
        ).id
    if draft.key is not None:
        store.claim_key(draft.key, admission.memory.id)
    return Remembered(admission.memory, admission.outcome, list(admission.similar), receipt, clean.redacted)


def _quarantine(
    store: Store,
    memory: Memory,
    reasons: Sequence[str],
    clean: Cleaned,
    embedded: Embedded | None,
    now: datetime,
    receipt_id: str | None,
) -> Remembered:
    """Keep it apart for review; what was accepted before is known already, what was rejected stays so."""
    key = screened_key(memory.scope, memory.kind, memory.text)
    if (known := store.keyed(key)) is not None:
        before = store.get([known])[known]
        outcome = Outcome.QUARANTINED if before.state in (State.QUARANTINED, State.FORGOTTEN) else Outcome.DUPLICATE
        return Remembered(before, outcome, redacted=clean.redacted)
    memory = quarantined(memory, reasons)
    change = Change.add(memory, f"{Reason.SCREENED}: {reasons[0]}", **clean.evidence)
    vectors = None if embedded is None else {memory.id: embedded}
    receipt = store.apply(Plan((change,), verb="remember"), now, receipt_id=receipt_id, embedded=vectors)
    store.claim_key(key, memory.id)
    if clean.draft.key is not None:
        store.claim_key(clean.draft.key, memory.id)
    return Remembered(memory, Outcome.QUARANTINED, [], receipt.id, clean.redacted)


def screened_key(scope: str, kind: str, text: str) -> str:
    """The key under which a quarantined text of a scope and kind is known."""
    digest = blake2b(repr((scope, kind, folded(text))).encode(), digest_size=16).hexdigest()
    return f"screened:{digest}"


def _with_evidence(changes: tuple[Change, ...], clean: Cleaned) -> tuple[Change, ...]:
    if not clean.redacted:
        return changes
    return tuple(
        change if change.memory is None else replace(change, evidence={**change.evidence, **clean.evidence})
        for change in changes
    )


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
    personal: Collection[str] = (),
) -> Remembered:
    """A new version of a memory with some fields changed; the old one is superseded.

    One that is quarantined stands beside the old one, which stays as it is.
    """
    before = found(store, id)
    clean = cleaned(draft_from(_revised(before, changes)), personal)
    (embedded,) = vectors_of(store, encoder, [clean.draft])
    clean = looked_at(clean, embedded)
    with store.transaction():
        old = found(store, id)
        if old != before:
            clean = looked_at(cleaned(draft_from(_revised(old, changes)), personal), embedded)
        draft = clean.draft
        if old.state is not State.LIVE:
            raise InvalidInput(f"memory {id} is {old.state}, and only a live one can be revised. Run: rem restore {id}")
        if folded(draft.text) != folded(old.text) and store.tombstones([draft.text]):
            return Remembered(None, Outcome.BLOCKED)
        new, poisoned = made_from(store, draft.memory(new_id(now), store.namespace, now))
        new = new.but(trust_limit=min(new.trust_limit, old.trust_limit))
        if says_the_same(old, new):  # what a person accepted once stays accepted
            new = new.but(metadata=old.metadata)
        elif reasons := held_for(new, clean.suspicions, poisoned):
            return _quarantine(store, new, reasons, clean, embedded, now, None)
        new = next_version(old, new)
        new = new.but(confirmations=old.confirmations, valid_from=old.valid_from, valid_until=old.valid_until)
        changed = (Change.add(new, Reason.REVISED, **clean.evidence), superseded(old, new, Reason.REVISED))
        vectors = None if embedded is None else {new.id: embedded}
        receipt = store.apply(Plan(changed, verb="revise"), now, embedded=vectors)
    return Remembered(new, Outcome.SUPERSEDED, [], receipt.id, clean.redacted)


def _revised(old: Memory, changes: dict[str, Any]) -> dict[str, Any]:
    """The old memory's fields as a draft's values, with the changes laid over."""
    given = {name: value for name, value in changes.items() if value is not None}
    known = ", ".join(sorted(_REVISABLE))
    problems = [f"{name!r} cannot be revised: give {known}" for name in given if name not in _REVISABLE]
    if not given:
        problems.append(f"nothing to revise: give at least one of {known}")
    if problems:
        raise InvalidInput(problems)
    kept = {name: getattr(old, name) for name in _REVISABLE - {"ttl"}} | {"lineage": old.lineage}
    if "ttl" in given:
        kept.pop("expires_at")
    return kept | given
