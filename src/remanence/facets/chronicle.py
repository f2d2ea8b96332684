"""The verbs of Mind that tell what happened, and take it back: receipts, journal, history, lineage, past, undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from remanence.errors import InvalidInput
from remanence.facets.artifacts import Artifacts
from remanence.facets.policies import Policies
from remanence.flows import history as flow
from remanence.model import checks
from remanence.model.journal import POLICY, Brief, Entry, Event, Past, place_in_journal, receipt_number
from remanence.model.lineage import Lineage
from remanence.model.plan import Receipt
from remanence.model.selection import LIMIT
from remanence.store.protocol import Store


class Chronicle:
    """What happened in a namespace, and to each of its memories."""

    artifacts: Artifacts
    policies: Policies
    _store: Store
    _now: Callable[[], datetime]

    def undo(self, receipt_id: str) -> Receipt:
        """Take back what a receipt applied, or a change of policy; undoing an undo is redo."""
        if isinstance(receipt_id, str):
            receipt = self._store.receipt(receipt_id)
            if receipt.verb == POLICY and not receipt.changes:
                return self.policies.take_back(receipt_id)
        undone = flow.undo(self._store, receipt_id, self._now())
        self.artifacts.refresh(back=undone.applied)
        return undone

    def history(self, id: str, limit: int = LIMIT, *, before: str | None = None) -> Sequence[Event]:
        """What happened to a memory and its versions, oldest first: the last `limit` of it (fewer of very long texts).

        What came before those: before=events[0].entry.place, until nothing comes.
        """
        return flow.history(self._store, id, limit, before)

    def lineage(self, id: str, limit: int = 200) -> Lineage:
        """What a memory was made from and what was made from it, to any depth, and its versions; nearest first."""
        from remanence.flows.lineage import lineage

        return lineage(self._store, id, limit)

    def receipt(self, receipt_id: str) -> Receipt:
        """A past receipt with its changes."""
        if problems := checks.string_problems(receipt_id, "receipt_id"):
            raise InvalidInput(problems)
        return self._store.receipt(receipt_id)

    def receipts(self, limit: int = 50, *, verb: str | None = None, before: str | None = None) -> Sequence[Brief]:
        """Past receipts in brief, newest first: of one verb, and those before a receipt, where these are named."""
        problems = checks.integer_problems(limit, "limit", 1, LIMIT)
        problems += [] if verb is None else checks.string_problems(verb, "verb")
        if problems:
            raise InvalidInput(problems)
        return self._store.briefs(limit, verb=verb, before=None if before is None else receipt_number(before, "before"))

    def journal(self, limit: int = 50, *, before: str | None = None, after: str | None = None) -> Sequence[Entry]:
        """What happened in this namespace, newest first; after a place (`entry.place`): what came next, in order."""
        if problems := checks.integer_problems(limit, "limit", 1, LIMIT):
            raise InvalidInput(problems)
        start = None if before is None else place_in_journal(before, "before")
        end = None if after is None else place_in_journal(after, "after")
        return self._store.journal(limit, before=start, after=end)

    def past(self, days: int = 90) -> Past:
        """How many memories there were on each of the last days, and how many came and left."""
        from remanence.flows.past import past

        return past(self._store, self._now(), days)
