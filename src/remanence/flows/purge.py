"""purge: the only verb that destroys. Everything that holds the same words goes with it, and a certificate proves it.

With a memory go its older versions, everything made from it (by lineage, to any depth), and a newer version whose
text is the same. A newer version that says something else is kept and named on the certificate. The text that a memory
was absorbed from, or the summary of its session, holds its words too and goes; what else was taken out of that stays.
Where a summary of memories goes, those of its sources that stay, which had left recall for it, come back.

What was captured raw goes too: what was read of the sessions that purged memories came from, and whatever else was
observed that holds their words. A purge of a scope takes the sessions of its projects whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from remanence.errors import InvalidInput
from remanence.flows.find import found_all
from remanence.flows.restore import kept_live
from remanence.guard.secrets import redact
from remanence.lifecycle.summaries import is_summary
from remanence.model import checks
from remanence.model.memory import SOURCE_TEXT, Memory, State
from remanence.model.plan import Action, Certificate, Change, Plan, Reason
from remanence.model.selection import EVERY_STATE, selection_from
from remanence.model.session import SESSION, SUMMARY
from remanence.model.words import folded
from remanence.store.protocol import Store

_MERGING = ("dream", "compact", "undo")
_WHOLE_JOURNAL = 2**31 - 1


def purge(
    store: Store,
    now: datetime,
    *,
    ids: Iterable[str] | None,
    scope: Any,
    reason: str,
    wait_seconds: float,
    follow: bool = True,
) -> Certificate:
    """Destroy memories for good, and prove it; without `follow` these alone."""
    if ids is None and scope is None:
        raise InvalidInput("purge needs ids or a scope")
    if problems := checks.string_problems(reason, "reason", 1000):
        raise InvalidInput(problems)
    reason = redact(reason).text
    with store.transaction():
        asked = [] if ids is None else found_all(store, ids)
        scopes: tuple[str, ...] = ()
        if scope is not None:
            selection = selection_from(
                scope=scope, states=EVERY_STATE, ids=None if ids is None else tuple(m.id for m in asked)
            )
            asked = [memory for page in store.pages(selection) for memory in page]
            # Ids within a scope are meant for themselves: the sessions of the scope stay.
            scopes = selection.scopes or () if ids is None else ()
        doomed = {memory.id: memory for memory in asked}
        older, derived, kept = _with_the_same_words(store, doomed) if follow else ([], [], [])
        sources = _absorbed_from(store, doomed) if follow else {}
        doomed |= sources
        freed = _left_for(store, doomed) if follow else []
        back = tuple(Change.of(memory, Reason.SUMMARY_PURGED, **kept_live(now)) for memory in freed)
        changes = (*back, *(Change(memory_id=id, action=Action.PURGE, reason="purged") for id in doomed))
        texts = [memory.text for memory in doomed.values()]
        sessions = store.sessions.count()
        observations = store.sessions.erase(
            _sessions_of(doomed.values()), now, scopes=scopes, texts=texts, summaries=doomed
        )
        sessions -= store.sessions.count()
        something = changes or sessions or observations
        receipt = store.apply(Plan(changes, verb="purge", note=reason), now) if something else None
    certificate = Certificate(
        receipt_id=receipt.id if receipt is not None else None,
        at=now,
        reason=reason,
        purged=tuple(doomed),
        older_versions=tuple(older),
        derived=tuple(derived),
        kept_newer_versions=tuple(kept),
        sources=tuple(sources),
        restored=tuple(memory.id for memory in freed),
        sessions=sessions,
        observations=observations,
    )
    return store.erase(certificate, texts, wait_seconds) if something else certificate


def _with_the_same_words(store: Store, doomed: dict[str, Memory]) -> tuple[list[str], list[str], list[str]]:
    """Add to `doomed` what must go too: (older versions, derived memories); and what is kept: newer versions."""
    older: dict[str, None] = {}
    derived: dict[str, None] = {}
    kept: dict[str, None] = {}
    waiting = list(doomed.values())
    while waiting:
        memory = waiting.pop()
        for id in store.made_from([memory.id])[memory.id]:
            derived.setdefault(id)
        if memory.supersedes is not None:
            older.setdefault(memory.supersedes)
        for other in store.get(store.versions_beside(memory.id)).values():
            if other.superseded_by == memory.id and _age(other) < _age(memory):
                older.setdefault(other.id)
        if memory.superseded_by is not None:
            newer = store.get([memory.superseded_by]).get(memory.superseded_by)
            if newer is not None and folded(newer.text) == folded(memory.text):
                derived.setdefault(newer.id)
            elif newer is not None:
                kept.setdefault(newer.id)
        fresh = store.get([id for id in (*older, *derived) if id not in doomed])
        doomed |= fresh
        waiting += fresh.values()
    gone = doomed.keys()
    return (
        [id for id in older if id in gone],
        [id for id in derived if id in gone and id not in older],
        [id for id in kept if id not in gone],
    )


def _absorbed_from(store: Store, doomed: dict[str, Memory]) -> dict[str, Memory]:
    """The texts that doomed memories were taken out of, and the summaries of the sessions they come from."""
    sessions = filter(None, map(store.sessions.get, _sessions_of(doomed.values())))
    waiting = {id for memory in doomed.values() for id in memory.lineage}
    waiting |= {session.summary for session in sessions if session.summary is not None}
    sources: dict[str, Memory] = {}
    while waiting := waiting - doomed.keys() - sources.keys():
        found = [one for one in store.get(sorted(waiting)).values() if one.kind in (SOURCE_TEXT, SUMMARY)]
        sources |= {memory.id: memory for memory in found}
        # Of a session that went on after it was read there is more than one summary.
        versions = (id for one in found if one.kind == SUMMARY for id in (one.supersedes, one.superseded_by))
        waiting = set(filter(None, versions))
    return sources


def _sessions_of(doomed: Iterable[Memory]) -> list[str]:
    """The sessions these memories were learned in."""
    origins = dict.fromkeys(memory.origin for memory in doomed if memory.origin)
    return [origin.removeprefix(SESSION) for origin in origins if origin.startswith(SESSION)]


def _left_for(store: Store, doomed: Mapping[str, Memory]) -> list[Memory]:
    """Memories that left recall for a summary that goes now, and for none that stays."""
    left = {id for one in doomed.values() if is_summary(one) for id in one.lineage if id not in doomed}
    freed = []
    for memory in store.get(sorted(left)).values():
        others = store.get(id for id in store.made_from([memory.id])[memory.id] if id not in doomed)
        covered = any(is_summary(one) and one.state is State.LIVE for one in others.values())
        if memory.state is State.ARCHIVED and not covered and _merged(store, memory.id):
            freed.append(memory)
    return freed


def _merged(store: Store, id: str) -> bool:
    """Whether the last thing that took a memory out of recall was a merge, and no rule or person."""
    moves = (
        entry for entry in store.journal(_WHOLE_JOURNAL, memory_ids=[id]) if entry.state_after is not entry.state_before
    )
    return any(entry.verb in _MERGING for entry in islice(moves, 1))


def _age(memory: Memory) -> tuple[datetime, str]:
    return memory.created_at, memory.id
