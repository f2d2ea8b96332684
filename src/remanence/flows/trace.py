"""trace: what this store knows of its own past, gathered for back-tests and for learning.

Moments of use are the newest twenty accesses of each memory, the recalls logged in the last 30 days, and when an
archived memory was last missed. Why a memory left is in the journal: what a rule of a policy took lives on in a
trace, since another policy might have kept it; what was replaced, merged or put away by hand ends there.
"""

from __future__ import annotations

from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from remanence.model.columns import STATES, Columns, joined
from remanence.model.memory import State
from remanence.model.moment import NEVER, to_micros
from remanence.model.selection import EVERY_STATE, Selection
from remanence.model.trace import Trace
from remanence.store.protocol import Progress, Store

_LIVE = STATES.index(State.LIVE)
_ASKED_AT_ONCE = 400
_ALL = 2**31


def recorded(store: Store, now: datetime, progress: Progress | None = None) -> Trace:
    """The past of a store up to now; uses with broken times (before birth, in the future) are left out and counted."""
    store.flush()
    total = sum(store.state_counts().values())
    pages: list[Columns] = []
    for page in store.column_pages(Selection(states=EVERY_STATE)):
        pages.append(page)
        if progress is not None:
            progress(min(sum(map(len, pages)), total), total)
    columns, ends = joined(pages), to_micros(now)
    rows, moments, unplaced = _uses(store, columns)
    # What was taken in from another store was used before this one began.
    begun = min([ends, *([] if (at := store.begun_at()) is None else [to_micros(at)]), *moments.tolist()])
    return Trace.from_uses(
        columns,
        rows,
        moments,
        begins=max(int(columns.created_at.min(initial=ends)), begun),
        ends=ends,
        left_at=_left_at(store, columns),
        unplaced=unplaced,
    )


def _uses(store: Store, columns: Columns) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Rows and moments of all known uses, and how many accesses of each row are known by number alone."""
    at, of = columns.recent.T.ravel(), np.tile(np.arange(len(columns)), columns.recent.shape[1])
    rows, moments = of[at != NEVER].tolist(), at[at != NEVER].tolist()
    known = set(zip(rows, moments, strict=True))
    last = np.flatnonzero((columns.access_count > 0) & (columns.last_accessed_at > columns.created_at))
    more = [*zip(last.tolist(), columns.last_accessed_at[last].tolist(), strict=True)]
    numbers = {row: number for number, row in enumerate(columns.rows.tolist())}
    missed: list[tuple[int, int]] = []
    for use in store.log.uses():
        if (number := numbers.get(use.row)) is not None:
            (missed if use.missed else more).append((number, use.at))
    accesses = [(number, moment) for number, moment in dict.fromkeys(more) if (number, moment) not in known]
    rows += [number for number, _ in accesses]
    moments += [moment for _, moment in accesses]
    placed = np.bincount(np.array(rows, dtype=np.int64), minlength=len(columns))
    rows += [number for number, _ in missed]
    moments += [moment for _, moment in missed]
    unplaced = np.maximum(columns.access_count - placed, 0)
    return np.array(rows, dtype=np.int64), np.array(moments, dtype=np.int64), unplaced


def _left_at(store: Store, columns: Columns) -> NDArray[np.int64]:
    """When each row left for another reason than a policy's rule, NEVER where it did not."""
    left_at = np.full(len(columns), NEVER, dtype=np.int64)
    away = np.flatnonzero(columns.state != _LIVE)
    for start in range(0, len(away), _ASKED_AT_ONCE):
        some = away[start : start + _ASKED_AT_ONCE]
        ids = dict(zip(store.ids(columns.rows[some].tolist()), some.tolist(), strict=True))
        for entry in reversed(store.journal(_ALL, memory_ids=ids)):
            row = ids[entry.memory_id]
            if entry.state_before == entry.state_after:
                continue
            if entry.state_after is State.LIVE:
                left_at[row] = NEVER
            elif entry.state_before is None:  # it came as it is: an imported archive, a text that was absorbed
                left_at[row] = columns.last_accessed_at[row]
            elif left_at[row] == NEVER and not entry.by_rule:
                left_at[row] = to_micros(entry.at)
    return left_at
