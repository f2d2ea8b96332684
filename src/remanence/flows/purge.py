"""purge: the only verb that destroys. Everything that holds the same words goes with it, and a certificate proves it.

With a memory go its older versions, everything made from it (by lineage, to any depth), and a newer version whose
text is the same. A newer version that says something else is kept and named on the certificate. The text that a memory
was absorbed from, or the summary of its session, holds its words too and goes; what else was taken out of that stays.
Where a summary of memories goes, those of its sources that stay, which had left recall for it, come back.

What was captured raw goes too: what was read of the sessions that purged memories came from, and whatever else was
observed that holds their words. A purge of a scope takes the sessions of its projects whole.

A purge about somebody takes every memory, in whatever state, that names them under any name they are known by, and
every observation that does. The plan says first under which names they are looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from remanence.errors import InvalidInput, NotFound, PlanOutOfDate
from remanence.flows.find import found_all
from remanence.flows.naming import Names, names_of, names_one, observed
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
_WARNED = 20
OLDER_VERSION, MADE_FROM_IT, TAKEN_FROM_IT = "older version", "made from it", "taken from it"
"""Why a memory goes that was not asked for itself; texts and session summaries hold what was taken from them."""


def purge(
    store: Store,
    now: datetime,
    *,
    ids: Iterable[str] | None,
    scope: Any,
    reason: str,
    wait_seconds: float,
    about: str | None = None,
    plan: Plan | None = None,
) -> Certificate:
    """Destroy memories for good, and prove it; no other ones than a plan names that somebody has looked at."""
    if problems := checks.string_problems(reason, "reason", 1000):
        raise InvalidInput(problems)
    if plan is not None and not (isinstance(plan, Plan) and plan.verb == "purge"):
        raise InvalidInput("plan must be one that plan_purge made")
    _named_somehow("purge", ids, scope, about)
    reason = redact(reason).text
    names = None if about is None else names_of(store, about)
    with store.transaction():
        doom = _doom(store, ids, scope, names, about)
        _refuse_unseen(doom, plan)
        back = tuple(Change.of(memory, Reason.SUMMARY_PURGED, **kept_live(now)) for memory in doom.freed)
        changes = (*back, *(Change(memory_id=id, action=Action.PURGE, reason="purged") for id in doom.doomed))
        texts = [memory.text for memory in doom.doomed.values()]
        sessions = store.sessions.count()
        observations = store.sessions.erase(
            _sessions_of(doom.doomed.values()),
            now,
            scopes=doom.scopes,
            texts=texts,
            summaries=doom.doomed,
            places=doom.places,
        )
        sessions -= store.sessions.count()
        something = changes or sessions or observations
        receipt = store.apply(Plan(changes, verb="purge", note=reason), now) if something else None
    certificate = Certificate(
        receipt_id=receipt.id if receipt is not None else None,
        at=now,
        reason=reason,
        purged=tuple(doom.doomed),
        older_versions=tuple(doom.older),
        derived=tuple(doom.derived),
        kept_newer_versions=tuple(doom.kept),
        sources=tuple(doom.sources),
        restored=tuple(memory.id for memory in doom.freed),
        sessions=sessions,
        observations=observations,
    )
    return store.erase(certificate, texts, wait_seconds) if something else certificate


def plan_purge(store: Store, now: datetime, *, ids: Iterable[str] | None, scope: Any, about: str | None) -> Plan:
    """What purge would destroy with these arguments, why each of it, and what would come back."""
    _named_somehow("plan_purge", ids, scope, about)
    names = None if about is None else names_of(store, about)
    doom = _doom(store, ids, scope, names, about)
    reasons: dict[str, str] = dict.fromkeys(doom.doomed, str(Reason.ASKED))
    reasons |= dict.fromkeys(doom.older, OLDER_VERSION) | dict.fromkeys(doom.derived, MADE_FROM_IT)
    reasons |= dict.fromkeys(doom.sources, TAKEN_FROM_IT) | dict.fromkeys(doom.asked, str(Reason.ASKED))
    gone = (
        Change(memory_id=id, action=Action.PURGE, reason=reasons[id], before={"state": memory.state})
        for id, memory in doom.doomed.items()
    )
    back = (Change.of(memory, Reason.SUMMARY_PURGED, **kept_live(now)) for memory in doom.freed)
    return Plan((*gone, *back), verb="purge", warnings=tuple(_warnings(store, doom, names)))


def _refuse_unseen(doom: _Doom, plan: Plan | None) -> None:
    """Somebody looked at the plan and said yes to that; what came since is not what they said yes to."""
    if plan is None:
        return
    unseen = doom.doomed.keys() - {change.memory_id for change in plan if change.action is Action.PURGE}
    if unseen:
        raise PlanOutOfDate(
            f"{len(unseen)} memories more would be destroyed than the plan says, such as {min(unseen)}; nothing was. "
            "Look at a new plan"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Doom:
    """What a purge takes, by why it goes, and what it leaves."""

    asked: frozenset[str]
    doomed: Mapping[str, Memory]
    older: Sequence[str]
    derived: Sequence[str]
    kept: Sequence[str]
    sources: Mapping[str, Memory]
    freed: Sequence[Memory]
    scopes: tuple[str, ...]
    places: Mapping[str, Sequence[int]]


def _named_somehow(verb: str, ids: object, scope: object, about: object) -> None:
    if ids is None and scope is None and about is None:
        raise InvalidInput(f"{verb} needs ids, a scope, or the name of whom it is about")


def _doom(store: Store, ids: Iterable[str] | None, scope: Any, names: Names | None, about: str | None) -> _Doom:
    """All that goes with what is asked for; ids, a scope and names narrow each other."""
    asked = [] if ids is None else found_all(store, ids)
    scopes: tuple[str, ...] = ()
    places: dict[str, list[int]] = {}
    if scope is not None or names is not None:
        selection = selection_from(
            scope=scope, states=EVERY_STATE, ids=None if ids is None else tuple(m.id for m in asked)
        )
        asked = [m for page in store.pages(selection) for m in page if names is None or names_one(m, names)]
        if names is not None and ids is None:
            places = observed(store, names, selection.scopes)
        # Ids and names within a scope are meant for themselves: the sessions of the scope stay.
        scopes = selection.scopes or () if ids is None and names is None else ()
    if names is not None and not asked and not places:
        where = f"namespace {store.namespace!r}" if ids is None and scope is None else "what was asked for"
        raise NotFound(f"No memory of {where} names {checks.shown(about)!r}. See: rem entities")
    doomed = {memory.id: memory for memory in asked}
    older, derived, kept = _with_the_same_words(store, doomed)
    sources = _absorbed_from(store, doomed)
    doomed |= sources
    return _Doom(
        asked=frozenset(memory.id for memory in asked),
        doomed=doomed,
        older=older,
        derived=derived,
        kept=kept,
        sources=sources,
        freed=left_for(store, doomed),
        scopes=scopes,
        places=places,
    )


def _warnings(store: Store, doom: _Doom, names: Names | None) -> Iterator[str]:
    """What was looked for, what a purge keeps though it is near, and what it takes besides memories."""
    if names is not None:
        yield f"Looked for: {', '.join(names.shown)}"
    for id in doom.kept[:_WARNED]:
        yield f"the newer version {id} says something else, and is kept"
    if len(doom.kept) > _WARNED:
        yield f"and {len(doom.kept) - _WARNED} more newer versions are kept"
    if doom.scopes and (whole := len(store.sessions.listed(doom.scopes))):
        yield f"{whole} captured {'session goes' if whole == 1 else 'sessions go'} whole, with all that was observed"
    if number := sum(map(len, doom.places.values())):
        what = "observation names it, and goes" if number == 1 else "observations name it, and go"
        yield f"{number:,} captured {what}"
    read = [id for id in _sessions_of(doom.doomed.values()) if store.sessions.get(id) is not None]
    if read and not doom.scopes:
        many = f"the {len(read)} captured sessions" if len(read) > 1 else "the captured session"
        yield f"what was read of {many} that these were learned in goes too"
    if doom.doomed and store.sessions.count():
        yield "captured observations that hold the words of these memories go too"


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


def left_for(store: Store, doomed: Mapping[str, Memory]) -> list[Memory]:
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
