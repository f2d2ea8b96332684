"""dedup: live memories, page by page → near duplicates → a plan that supersedes the older of each.

Only what is compared is kept of each memory; those that change are read again once it is decided which they are. What
changed in the meantime is left to the next run.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from remanence.lifecycle.near_duplicates import NearDuplicates, Verdict
from remanence.model.memory import Memory
from remanence.model.plan import Change, Plan
from remanence.model.selection import selection_from
from remanence.store.protocol import Store

_BATCH = 500


def dedup(store: Store, now: datetime, scope: Any = None) -> Plan:
    """The plan of a near-duplicate sweep over these scopes; None is everywhere."""
    found = NearDuplicates(now)
    for page in store.pages(selection_from(scope=scope, unexpired_at=now)):
        for memory in page:
            found.read(memory)
    return Plan(tuple(_changes(store, found.verdicts())), verb="dedup", automatic=True)


def _changes(store: Store, verdicts: Iterator[Verdict]) -> Iterator[Change]:
    while batch := list(islice(verdicts, _BATCH)):
        found = store.get({id for verdict in batch for id in (verdict.id, verdict.other_id)})
        for verdict in batch:
            memory, other = found.get(verdict.id), found.get(verdict.other_id)
            if memory is not None and _as_read(memory, verdict.revision) and _as_read(other, verdict.other_revision):
                yield verdict.change(memory)


def _as_read(memory: Memory | None, revision: int) -> bool:
    return memory is not None and memory.revision == revision
