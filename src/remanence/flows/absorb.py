"""absorb: a text → its facts, each remembered with lineage to one source memory that holds the text.

The source goes straight to the archive: it is there to look things up in, and its facts are what is recalled. All of it
is one receipt and, up to 200 facts, one transaction; cut off in between, the same text again completes it. The same
text again (case and space folded) brings back none of its facts that were forgotten or corrected since, and of a text
that says what was purged only the other facts are kept as its source. A text that is not fully trusted and reads like
an instruction is quarantined as a whole, and nothing is taken out of it. Waiting for a language model or an embedder
comes before the transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from typing import Any

from remanence.errors import InvalidInput
from remanence.flows.door import Cleaned, cleaned, looked_at, made_from
from remanence.flows.extract import Model, extract, readable
from remanence.flows.remember import EMBEDDED_AT_ONCE, remember_one, screened_key, vectors_of
from remanence.lifecycle.provenance import held_for
from remanence.model.checks import TAGS
from remanence.model.draft import Draft, draft_from
from remanence.model.extraction import Extraction, Fact
from remanence.model.hit import Absorbed, Outcome, Remembered
from remanence.model.memory import SOURCE_TEXT, Memory, Source, State, is_untried
from remanence.model.plan import Change, Plan, Reason
from remanence.model.words import folded
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Embedded, Store

BATCH = 200
_OF_THE_SOURCE = ("scope", "source", "origin", "created_at", "key", "relearn", "lineage", "categories")
_NOT_OF_A_FACT = ("source", "key", "lineage")


def absorb(
    store: Store,
    encoder: Encoder | None,
    text: str,
    given: Mapping[str, Any],
    now: datetime,
    new_id: Callable[[datetime], str],
    model: Model | None = None,
    personal: Collection[str] = (),
) -> Absorbed:
    """What became of each fact of a text.

    The text itself where it was blocked or quarantined, as the only one.
    """
    text = readable(text)
    if problems := [f"unknown argument {name!r}" for name in given if name not in Draft.__slots__ or name == "text"]:
        raise InvalidInput(problems)
    if not text:
        return Absorbed()
    common = {name: value for name, value in given.items() if name in _OF_THE_SOURCE and value is not None}
    source = cleaned(draft_from({**common, "text": text, "kind": SOURCE_TEXT}), personal)
    for_all = {name: value for name, value in given.items() if name not in _NOT_OF_A_FACT and value is not None}
    draft_from({**for_all, "text": text})  # what is wrong with the arguments is wrong before anything is sent
    source = looked_at(source)
    if answer := _answered(store, source, now, new_id):
        return Absorbed([answer], Extraction(redacted=source.redacted), answer.receipt_id)
    extraction = extract(source.draft.text, model, personal)
    drafts = [cleaned(_draft(fact, for_all), personal) for fact in extraction.facts]
    vectors = vectors_of(store, encoder, [one.draft for one in drafts])
    made = [looked_at(one, vector) for one, vector in zip(drafts, vectors, strict=True)]
    kept = _without_purged(store, source, made).draft
    (of_kept,) = vectors_of(store, encoder if len(made) <= EMBEDDED_AT_ONCE and kept.text else None, [kept])
    remembered: list[Remembered] = []
    source_id, receipt_id, left = "", None, dict[str, Memory]()
    for start in range(0, max(len(made), 1), BATCH):
        with store.transaction():
            if not source_id and (source := _without_purged(store, source, made)).draft.text:
                vector = of_kept if source.draft.text == kept.text else None
                source_id, receipt_id = _keep(store, source, vector, now, new_id)
                left = {} if receipt_id or source.draft.relearn else _left(store, source_id)
            for one, vector in zip(made[start : start + BATCH], vectors[start : start + BATCH], strict=True):
                if (gone := left.get(folded(one.draft.text))) is not None:
                    remembered.append(Remembered(gone, Outcome.DUPLICATE))
                    continue
                fact = replace(one, draft=replace(one.draft, lineage=(source_id,)))
                result = remember_one(store, fact, vector, now, new_id, receipt_id)
                receipt_id = result.receipt_id or receipt_id
                remembered.append(result)
    return Absorbed(remembered, extraction, receipt_id)


def _answered(store: Store, source: Cleaned, now: datetime, new_id: Callable[[datetime], str]) -> Remembered | None:
    """What became of a text that is not taken apart: its key stands for another, it was purged, or it is quarantined.

    One that a person accepted in review is.
    """
    draft = source.draft
    with store.transaction():
        if (known := _known(store, draft)) is not None:
            same = known.kind == SOURCE_TEXT and folded(known.text) == folded(draft.text)
            is_it = same and known.state is not State.QUARANTINED
            return None if is_it and not is_untried(known) else Remembered(known, Outcome.DUPLICATE)
        if not draft.relearn and store.tombstones([draft.text]):
            return Remembered(None, Outcome.BLOCKED)
        memory, poisoned = made_from(store, draft.memory(new_id(now), store.namespace, now))
        if not held_for(memory, source.suspicions, poisoned):
            return None
        return remember_one(store, source, None, now, new_id, None)


def _known(store: Store, draft: Draft) -> Memory | None:
    """The memory that this very text, or the caller's own key, stands for."""
    for key in (draft.key, *_own_keys(draft), screened_key(draft.scope, SOURCE_TEXT, draft.text)):
        if key is not None and (id := store.keyed(key)) is not None:
            memory = store.get([id])[id]
            # One that waits for review, or was rejected, is answered as such.
            return None if key.startswith("screened:") and is_untried(memory) else memory
    return None


def _own_keys(draft: Draft) -> list[str]:
    """The keys of a text as it stands, and of the same text in whatever case and spacing."""
    said = (f"{draft.scope}\n{text}".encode() for text in dict.fromkeys((draft.text, folded(draft.text))))
    return ["absorbed:" + blake2b(one, digest_size=16).hexdigest() for one in said]


def _left(store: Store, source_id: str) -> dict[str, Memory]:
    """What was taken out of a text and has been forgotten or corrected since, by its folded text."""
    made = store.get(store.made_from([source_id])[source_id]).values()
    live = {folded(memory.text) for memory in made if memory.state is State.LIVE}
    left = [memory for memory in made if memory.state in (State.FORGOTTEN, State.SUPERSEDED)]
    return {text: memory for memory in left if (text := folded(memory.text)) not in live}


def _without_purged(store: Store, source: Cleaned, made: Sequence[Cleaned]) -> Cleaned:
    """The source as it may be kept: where a fact of it was purged, its other facts alone."""
    blocked = set() if source.draft.relearn else store.tombstones([one.draft.text for one in made])
    if not blocked:
        return source
    rest = "\n".join(one.draft.text for one in made if one.draft.text not in blocked)
    return replace(source, draft=replace(source.draft, text=rest))


def _keep(
    store: Store, source: Cleaned, embedded: Embedded | None, now: datetime, new_id: Callable[[datetime], str]
) -> tuple[str, str | None]:
    """The id of the source memory, which the same text in the same scope has only once, and the receipt."""
    draft = source.draft
    if (known := _known(store, draft)) is not None:
        if known.state is not State.FORGOTTEN:
            return known.id, None
        back = Change.of(known, Reason.ABSORBED, state=State.ARCHIVED)
        return known.id, store.apply(Plan((back,), verb="absorb"), now).id
    if draft.relearn and store.tombstones([draft.text]):
        store.lift([draft.text], now)
    memory, _ = made_from(store, draft.memory(new_id(now), store.namespace, now))
    change = Change.add(memory.but(state=State.ARCHIVED), Reason.ABSORBED, **source.evidence)
    vectors = None if embedded is None else {memory.id: embedded}
    receipt = store.apply(Plan((change,), verb="absorb"), now, embedded=vectors)
    for key in {*([] if draft.key is None else [draft.key]), *_own_keys(draft)}:
        store.claim_key(key, memory.id)
    return memory.id, receipt.id


def _draft(fact: Fact, given: Mapping[str, Any]) -> Draft:
    """A fact as a draft: what the caller said of all of them stands above what was guessed of it."""
    values: dict[str, Any] = {
        **fact.to_dict(),
        **given,
        **{name: _tags(given.get(name, ()), getattr(fact, name)) for name in ("categories", "concepts", "files")},
        "source": Source.EXTRACTED.value,
        "text": fact.text,
    }
    return draft_from(values)


def _tags(given: Iterable[str], guessed: Sequence[str]) -> list[str]:
    """The caller's own, and of those guessed as many as there is room for."""
    own = list(dict.fromkeys(given))
    return [*own, *(tag for tag in guessed if tag not in own)][: max(len(own), TAGS)]
