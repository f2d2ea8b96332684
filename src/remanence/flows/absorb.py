"""absorb: a text → its facts, each remembered with lineage to one source memory that holds the text.

The source goes straight to the archive: it is there to look things up in, and its facts are what is recalled. All of it
is one receipt and, up to 500 facts, one transaction; cut off in between, the same text again completes it. A text
that is not fully trusted and reads like an instruction is quarantined as a whole, and nothing is taken out of it.
Waiting for a language model or an embedder comes before the transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from typing import Any

from remanence.errors import InvalidInput
from remanence.flows.door import Cleaned, cleaned, limited, suspicions
from remanence.flows.extract import Model, extract, readable
from remanence.flows.remember import BATCH, remember_one, vectors_of
from remanence.model.draft import Draft, draft_from
from remanence.model.extraction import Extraction, Fact
from remanence.model.hit import Absorbed, Remembered
from remanence.model.memory import SOURCE_TEXT, Source, State
from remanence.model.plan import Change, Plan, Reason
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Store

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
    if refused := _refused(store, source, now, new_id):
        return Absorbed([refused], Extraction(redacted=source.redacted))
    extraction = extract(source.draft.text, model, personal)
    drafts = [cleaned(_draft(fact, for_all), personal) for fact in extraction.facts]
    vectors = vectors_of(store, encoder, [one.draft for one in drafts])
    remembered: list[Remembered] = []
    source_id, receipt_id = "", None
    for start in range(0, max(len(drafts), 1), BATCH):
        with store.transaction():
            if not source_id:
                source_id, receipt_id = _keep(store, source, now, new_id)
            for one, vector in zip(drafts[start : start + BATCH], vectors[start : start + BATCH], strict=True):
                made = Cleaned(replace(one.draft, lineage=(source_id,)), one.redacted)
                result = remember_one(store, made, vector, now, new_id, receipt_id)
                receipt_id = result.receipt_id or receipt_id
                remembered.append(result)
    return Absorbed(remembered, extraction)


def _refused(store: Store, source: Cleaned, now: datetime, new_id: Callable[[datetime], str]) -> Remembered | None:
    """What became of a text that is not to be taken apart: purged before, or quarantined; None for any other."""
    draft = source.draft
    with store.transaction():
        purged = not draft.relearn and store.tombstones([draft.text])
        if not purged and not suspicions(store, limited(store, draft.memory(new_id(now), store.namespace, now))):
            return None
        return remember_one(store, source, None, now, new_id, None)


def _keep(store: Store, source: Cleaned, now: datetime, new_id: Callable[[datetime], str]) -> tuple[str, str | None]:
    """The id of the source memory, which the same text in the same scope has only once, and the receipt."""
    draft = source.draft
    digest = blake2b(f"{draft.scope}\n{draft.text}".encode(), digest_size=16).hexdigest()
    key = draft.key or f"absorbed:{digest}"
    if (known := store.keyed(key)) is not None:
        return known, None
    if draft.relearn and store.tombstones([draft.text]):
        store.lift([draft.text], now)
    memory = limited(store, draft.memory(new_id(now), store.namespace, now)).but(state=State.ARCHIVED)
    change = Change.add(memory, Reason.ABSORBED, **source.evidence)
    receipt = store.apply(Plan((change,), verb="absorb"), now)
    store.claim_key(key, memory.id)
    return memory.id, receipt.id


def _draft(fact: Fact, given: Mapping[str, Any]) -> Draft:
    """A fact as a draft: what the caller said of all of them stands above what was guessed of it."""
    values: dict[str, Any] = {
        **fact.to_dict(),
        **given,
        "categories": [*given.get("categories", ()), *fact.categories],
        "concepts": [*given.get("concepts", ()), *fact.concepts],
        "files": [*given.get("files", ()), *fact.files],
        "source": Source.EXTRACTED.value,
        "text": fact.text,
    }
    return draft_from(values)
