"""dream report: what each past dream merged and freed, and whether recalls have missed what it took out."""

from __future__ import annotations

from remanence.flows.dream.cluster import MERGED
from remanence.flows.dream.plan import VERB
from remanence.model.dream import Dreamt
from remanence.model.memory import State
from remanence.model.plan import Action, Receipt
from remanence.model.words import estimate_tokens
from remanence.store.protocol import Store

_UNDOS = 1_000


def report(store: Store, limit: int) -> list[Dreamt]:
    """The last dreams, newest first."""
    undone = _undone(store)
    receipts = [receipt for receipt in store.receipts(VERB, limit) if receipt.changes]
    return [_told(store, receipt, undone.get(receipt.id)) for receipt in receipts]


def _undone(store: Store) -> dict[str, str]:
    """Receipts that were taken back, and by which; an undo that was itself taken back counts no more."""
    undone: dict[str, str] = {}
    for undo in store.receipts("undo", _UNDOS, whole=False):
        if undo.undoes is not None and undo.id not in undone:
            undone[undo.undoes] = undo.id
    return undone


def _told(store: Store, receipt: Receipt, undone: str | None) -> Dreamt:
    made = [change.memory_id for change in receipt.changes if change.action is Action.ADD]
    out = [
        change.memory_id
        for change in receipt.changes
        if change.before.get("state") == State.LIVE and change.after.get("state") not in (None, State.LIVE)
    ]
    merged = [change.memory_id for change in receipt.changes if change.reason == MERGED]
    tokens = {id: estimate_tokens(memory.text) for id, memory in store.get([*made, *out]).items()}
    missed = {id: number for id in out if (number := store.log.regrets(id)[0])}
    return Dreamt(
        receipt_id=receipt.id,
        at=receipt.at,
        note=receipt.note or "",
        made=tuple(made),
        merged=tuple(merged),
        archived=len(out) - len(merged),
        adjusted=sum("state" not in change.after for change in receipt.changes),
        tokens_freed=sum(tokens.get(id, 0) for id in out) - sum(tokens.get(id, 0) for id in made),
        missed=sum(missed.values()),
        missed_ids=tuple(missed),
        undone=undone,
    )
