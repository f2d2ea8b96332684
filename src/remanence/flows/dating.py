"""Dating: every memory gets its due date under the policy in force, in pages; killed, it goes on where it stopped.

Each page is read, solved and written in one short transaction, so writers wait little and several processes that date
at once share the work.
"""

from __future__ import annotations

from remanence.lifecycle.dater import dated_as
from remanence.lifecycle.due import due_at
from remanence.model.policy import Policy
from remanence.store.protocol import Progress, Store

PAGE = 20_000


def is_dated(store: Store, policy: Policy) -> bool:
    """Whether every memory is dated under this policy."""
    fingerprint, complete = store.dated_under()
    return complete and fingerprint == dated_as(policy)


def date_all(store: Store, policy: Policy, progress: Progress | None = None, most: int | None = None) -> int:
    """Date what is not dated under this policy yet, at most so many memories; how many were looked at."""
    if is_dated(store, policy):
        return 0
    store.flush()
    fingerprint, _ = store.dated_under()
    if fingerprint != dated_as(policy):
        store.begin_dating(dated_as(policy))
    total = store.undated_count()
    done = 0
    while most is None or done < most:
        with store.transaction():
            page = store.undated(PAGE if most is None else min(PAGE, most - done))
            if page is None:
                break
            store.redate(page, due_at(page, policy), onwards=True)
        done += len(page)
        if progress is not None:
            progress(done, max(total, done))
    return done
