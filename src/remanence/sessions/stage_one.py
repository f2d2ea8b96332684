"""Stage 1: what was observed in a session since it was last read → a summary of it, and memories made from that.

All of it passes the door like everything else: no secrets, nothing purged, what reads like an order is quarantined. The
memories are of source extracted, of the session's origin, and have its summary as their lineage; they are born when
it was said. Summary, memories and watermark are one transaction under the job's lease: a worker that was replaced
meanwhile writes nothing. Reading and asking a model come before it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from remanence.flows.door import Cleaned, cleaned, looked_at
from remanence.flows.meaning import embedded_texts
from remanence.flows.remember import EMBEDDED_AT_ONCE, remember_one, vectors_of
from remanence.lifecycle.admission import next_version, superseded
from remanence.model.draft import draft_from
from remanence.model.lease import Lease
from remanence.model.memory import Memory, Source, State
from remanence.model.plan import Change, Plan, Reason
from remanence.model.session import SUMMARY, TOOL, Observation, Processed, Session
from remanence.providers.protocol import Encoder
from remanence.sessions.learning import Lesson, Statement, learned
from remanence.sessions.reading import Reading
from remanence.sessions.skills import SIGNAL
from remanence.store.protocol import Embedded, Store

if TYPE_CHECKING:
    from remanence.flows.extract import Model

VERB = "session"
SUMMARY_IMPORTANCE = 0.5
_SESSIONS_LISTED, _SESSIONS_LOOKED_AT = 50, 8
_CALLS_LOOKED_AT = 300
_FILES = re.compile(r"(?:^|(?<= ))Changed: [^ ]+(?:, [^ ]+)*\.(?: |$)")


def stage_one(
    store: Store,
    encoder: Encoder | None,
    session: Session,
    now: datetime,
    new_id: Callable[[datetime], str],
    *,
    model: Model | None = None,
    personal: Collection[str] = (),
    token_limit: int,
    lease: Lease,
    beat: Callable[[], None],
    also: Callable[[], None] = lambda: None,
) -> Processed:
    """Read what is new in a session, and remember what it tells; `also` is done in the same transaction."""
    reading = Reading(_observed(store, session.id, session.processed_to), token_limit)
    lesson, llm, notes = _lesson(reading, session, _earlier(store, session, reading), model, beat)
    if reading.left_out:
        notes = (*notes, f"{reading.left_out} observations in the middle were not read: {token_limit} tokens at most.")
    if session.processed_to:
        whole = Reading(_observed(store, session.id, 0), token_limit)
        lesson = Lesson(lesson.statements, learned(whole.observations, session.project).synopsis)
    said_at = {one.seq: one.at for one in reading}
    drafts = [_draft(one, session, min(now, said_at.get(one.seq, now)), personal) for one in lesson.statements]
    vectors = _vectors(store, encoder, drafts, beat)
    facts = [looked_at(one, vector) for one, vector in zip(drafts, vectors, strict=True)]
    text = _harmless(lesson.synopsis, session)
    embedded = None if encoder is None else embedded_texts(encoder, [text])[0]
    outcomes: Counter[str] = Counter()
    receipt_id = summary = None
    with store.transaction():
        if facts or lesson.synopsis:
            summary, receipt_id = _summarised(store, session, text, embedded, now, new_id)
        for fact, vector in zip(facts, vectors, strict=True):
            one = fact if summary is None else replace(fact, draft=replace(fact.draft, lineage=(summary,)))
            result = remember_one(store, one, vector, now, new_id, receipt_id)
            receipt_id = result.receipt_id or receipt_id
            outcomes[result.outcome.value] += 1
        store.sessions.processed(session.id, reading.last, now, summary=summary, lease=lease)
        also()
    return Processed(
        session=session.id,
        project=session.project,
        read=len(reading.observations),
        outcomes=dict(outcomes),
        summary=summary,
        receipt_id=receipt_id,
        llm=llm,
        notes=notes,
    )


def _observed(store: Store, id: str, after: int) -> Iterator[Observation]:
    return (one for page in store.sessions.observations(id, after) for one in page)


def _earlier(store: Store, session: Session, reading: Reading) -> list[list[Observation]]:
    """The last calls of tools in the sessions of this project before this one, oldest first: routines span sessions."""
    if not any(one.role == TOOL for one in reading.observations):
        return []
    listed = store.sessions.listed([session.project], limit=_SESSIONS_LISTED)
    before = [one for one in listed if one.project == session.project and one.last_at <= session.started_at]
    return [
        [seen for seen in _observed(store, one.id, max(0, one.observations - _CALLS_LOOKED_AT)) if seen.role == TOOL]
        for one in reversed([one for one in before if one.id != session.id][:_SESSIONS_LOOKED_AT])
    ]


def _lesson(
    reading: Reading,
    session: Session,
    earlier: Sequence[Sequence[Observation]],
    model: Model | None,
    beat: Callable[[], None],
) -> tuple[Lesson, bool, tuple[str, ...]]:
    """What a session tells, whether a model had a part in it, and what is to be known about that."""
    plain = learned(reading.observations, session.project, earlier)
    if model is None:
        return plain, False, ()
    from remanence.sessions.by_model import told

    found = told(model, session.id, reading.observations, plain, beat)
    return found.lesson, found.llm, found.notes


def _draft(one: Statement, session: Session, said_at: datetime, personal: Collection[str]) -> Cleaned:
    values: dict[str, Any] = {
        **one.fact.to_dict(),
        "scope": session.project,
        "source": Source.EXTRACTED.value,
        "origin": session.origin,
        "created_at": said_at,
        "metadata": {SIGNAL: one.signal, **one.more},
    }
    return cleaned(draft_from(values), personal)


def _vectors(
    store: Store, encoder: Encoder | None, drafts: Sequence[Cleaned], beat: Callable[[], None]
) -> list[Embedded | None]:
    """The vectors of all of them: nobody waits here as one does for a single write."""
    found: list[Embedded | None] = []
    for start in range(0, len(drafts), EMBEDDED_AT_ONCE):
        found += vectors_of(store, encoder, [one.draft for one in drafts[start : start + EMBEDDED_AT_ONCE]])
        beat()
    return found


def _harmless(synopsis: str, session: Session) -> str:
    """The synopsis without what reads like an order: quarantined, it would take everything made from it along."""
    from remanence.guard.screening import screen

    said = _FILES.sub("", synopsis)  # names of files give no orders
    if not screen(said):
        return synopsis or _nameless(session)
    kept = "; ".join(part for part in said.split("; ") if not screen(part)).strip()
    return kept if kept and not screen(kept) else _nameless(session)


def _nameless(session: Session) -> str:
    return f"A session with {session.agent} that began on {session.started_at:%Y-%m-%d}."


def _summarised(
    store: Store,
    session: Session,
    text: str,
    embedded: Embedded | None,
    now: datetime,
    new_id: Callable[[datetime], str],
) -> tuple[str, str | None]:
    """The id of the session's summary as it is now, and the receipt: added, a new version, or the one there is.

    It meets no other memory: two sessions that began alike are two.
    """
    if store.tombstones([text]):
        text, embedded = _nameless(session), None
    before = _live_summary(store, session)
    if before is not None and before.text == text:
        return before.id, None
    draft = draft_from(
        {
            "text": text,
            "kind": SUMMARY,
            "scope": session.project,
            "source": Source.EXTRACTED.value,
            "origin": session.origin,
            "importance": SUMMARY_IMPORTANCE,
            "created_at": min(now, session.last_at),
        }
    )
    memory = draft.memory(new_id(now), store.namespace, now)
    changes: tuple[Change, ...]
    if before is None:
        changes = (Change.add(memory, Reason.ABSORBED),)
    else:
        memory = next_version(before, memory)
        changes = (Change.add(memory, Reason.REVISED), superseded(before, memory, Reason.REVISED))
    vectors = None if embedded is None else {memory.id: embedded}
    return memory.id, store.apply(Plan(changes, verb=VERB), now, embedded=vectors).id


def _live_summary(store: Store, session: Session) -> Memory | None:
    if session.summary is None:
        return None
    found = store.get([session.summary]).get(session.summary)
    return found if found is not None and found.state is State.LIVE else None
