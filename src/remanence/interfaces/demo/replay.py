"""Making a demo: a story is lived through in a namespace that is for demos, and ends now.

It begins with one pinned memory that says so, and is whole once that was confirmed. What was stopped midway is removed
when it is made anew: all of it is older than its beginning, and what somebody wrote of their own since is not. Settings
are the caller's, without language models, and without what would look into the caller's own files.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from remanence import settings as settings_
from remanence.errors import Conflict, InvalidInput, NotFound
from remanence.interfaces.demo.living import Clock, Life, Progress
from remanence.interfaces.demo.story import DAYS, MARK, story
from remanence.mind import Mind, is_address
from remanence.model.memory import Memory
from remanence.model.plan import Certificate
from remanence.model.scope import ROOT
from remanence.settings import Settings

NAMESPACE = "demo"
LEAST_DAYS, MOST_DAYS = 14, 3 * DAYS
ENDED = "the demo is over"
_OLDEST = 100
NOTE = "Everything in this namespace is made up: a demo of an agent's life. rem demo --remove takes it away"
BEGUN = "demo_begun"
"""Name in the note's metadata: when the demo was begun, by the clock on the wall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a demo holds once it is made."""

    namespace: str
    days: int
    memories: dict[str, int]
    receipts: int
    sessions: int
    dreams: int
    recalls: int
    regrets: int
    due: int
    waiting_for_review: int

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def is_demo(namespace: str) -> bool:
    """Whether a namespace may hold a demo: demo, or demo- and anything."""
    return namespace == NAMESPACE or namespace.startswith(NAMESPACE + "-")


def make(
    location: str | Path,
    namespace: str,
    now: datetime,
    progress: Progress | None = None,
    days: int = DAYS,
    settings: Settings | None = None,
    seed: int | None = None,
) -> Made:
    """Make a demo of so many days that end now; Conflict where the namespace holds anything else.

    `progress` is told the days that are done, several times a second; what it raises stops the making there.
    """
    check(location, namespace, days)
    chosen = _without_others(settings or settings_.load())
    with Mind(location, namespace=namespace, clock=lambda: now, settings=chosen) as mind:
        if is_unfinished(mind):
            mind.purge(scope="/", reason="a demo that was stopped is made anew")
        # Made again after a removal it is another one, since what it said then is not learned again by itself.
        number = mind.stats().tombstones if seed is None else seed
        # Looked after now, while it is empty: so no timer, which has another clock, takes it in hand for a day.
        mind.upkeep()
        before = mind.stats().receipts, len(mind.dreams.report(1000))
    clock = Clock(now - timedelta(days=days))
    with Mind(location, namespace=namespace, clock=clock, settings=chosen) as mind:
        note = _begun(mind, now)
        Life(mind, clock, now, note, story(number, days), number, progress or _silent).live()
        mind.confirm(note)  # whole from here on
        return _told(mind, days, *before)


def check(location: object, namespace: str, days: int = DAYS) -> None:
    """InvalidInput with every reason why no demo can be made there."""
    problems = []
    if is_address(location) or str(location) == ":memory:":
        problems.append(f"a demo needs a store that is a file, not {str(location)[:80]!r}")
    if not is_demo(namespace):
        problems.append(f"namespace {namespace[:80]!r} is not for demos: take demo, or a name that begins with demo-")
    if not isinstance(days, int) or isinstance(days, bool) or not LEAST_DAYS <= days <= MOST_DAYS:
        problems.append(f"days must be a whole number from {LEAST_DAYS} to {MOST_DAYS}")
    if problems:
        raise InvalidInput(problems)


def note_of(mind: Mind) -> Memory | None:
    """The memory that says that a namespace holds a demo; what only looks like it was written by somebody else.

    It is among the oldest notes, and stands at the root, where a client that is kept to a scope cannot write.
    """
    older = max(0, mind.count(ROOT, "all", "note") - _OLDEST)
    found = (NOTE, "demo", ROOT, True)
    notes = mind.list(ROOT, "all", "note", limit=_OLDEST, offset=older)
    return next((one for one in notes if (one.text, one.origin, one.scope, one.pinned) == found and _when(one)), None)


def _when(note: Memory) -> datetime | None:
    """When the demo of this note was begun; None for a note that does not say."""
    try:
        begun = datetime.fromisoformat(str(note.metadata.get(BEGUN)))
    except ValueError:
        return None
    return begun if begun.tzinfo is not None else None


def remove(mind: Mind) -> Certificate:
    """Destroy all that a namespace holds, for good; what `to_be_removed` says where that is no demo."""
    to_be_removed(mind)
    return mind.purge(scope=ROOT, reason=ENDED)


def to_be_removed(mind: Mind, rem: str | None = None) -> int:
    """How many memories a removal would destroy; NotFound where there is no demo, Conflict where it is none."""
    number = mind.count(state="all")
    rem = rem or shlex.join(["rem", "--namespace", mind.namespace])
    if not number:
        raise NotFound(f"There is no demo in namespace {mind.namespace!r}. Make one with: {rem} demo")
    if note_of(mind) is None:
        raise Conflict(
            f"Namespace {mind.namespace!r} holds {number:,} memories that are no demo. "
            f"If they are to go: {rem} purge --scope / --reason WHY"
        )
    return number


def is_unfinished(mind: Mind) -> bool:
    """Whether a namespace holds a demo that was stopped; False where it holds nothing, Conflict for all else."""
    number = mind.count(state="all")
    if not number:
        return False
    name, rem = f"Namespace {mind.namespace!r}", shlex.join(["rem", "--namespace", mind.namespace])
    note = note_of(mind)
    if note is None:
        raise Conflict(f"{name} holds {number:,} memories that are no demo. Take another one, such as demo-2")
    if note.confirmations:
        raise Conflict(f"{name} holds a demo of {number:,} memories already. Remove it with: {rem} demo --remove")
    begun = _when(note)
    if begun is None or begun > mind.clock() or any(one.created_at >= begun for one in mind.list(state="all", limit=1)):
        raise Conflict(
            f"{name} holds a demo that was stopped, and memories written since. Remove both with: {rem} demo --remove"
        )
    return True


def _begun(mind: Mind, now: datetime) -> str:
    """The id of the note, which is written first."""
    made = mind.remember(
        NOTE,
        kind="note",
        origin="demo",
        pinned=True,
        importance=1.0,
        metadata={**MARK, BEGUN: now.isoformat()},
        relearn=True,
    ).memory
    assert made is not None
    return made.id


def _told(mind: Mind, days: int, receipts: int, dreams: int) -> Made:
    """What was made, without the receipts and dreams of an earlier demo, which a removal leaves in the journal."""
    stats = mind.stats()
    return Made(
        namespace=mind.namespace,
        days=days,
        memories=dict(stats.memories),
        receipts=stats.receipts - receipts,
        sessions=len(mind.sessions.list(limit=1000)),
        dreams=len(mind.dreams.report(1000)) - dreams,
        recalls=stats.recalls,
        regrets=stats.regrets,
        due=stats.due,
        waiting_for_review=mind.review.count() + len(mind.review.challenged()),
    )


def _silent(done: int, total: int) -> None:
    pass


def _without_others(settings: Settings) -> Settings:
    """The settings without what would ask a model, look after the store meanwhile, or read the user's own files."""
    return replace(
        settings,
        llm__name="none",
        llm__url=None,
        llm__model=None,
        llm__key=None,
        llm__smol__name=None,
        llm__smol__url=None,
        llm__smol__model=None,
        llm__smol__key=None,
        upkeep__on_open=False,
        dream__roots=(),
        dream__seconds_per_run=None,
        memories__enabled=False,
    )
