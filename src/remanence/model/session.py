"""Sessions: what an agent did, as it was observed, and what is known of working it off.

An observation is one thing that happened: what a person or an agent said, or what a tool was called with and gave
back. They are no memories: raw, kept for 90 days, and read by stage 1, which makes memories of them. The watermark
(`processed_to`) is the place of the last observation that was read.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from remanence.model import checks
from remanence.model.memory import plain

USER, ASSISTANT, TOOL, SYSTEM = ROLES = ("user", "assistant", "tool", "system")
SESSION = "session:"
"""How the origin of what was learned in a session begins; its id follows."""
SUMMARY = "session_summary"
"""The kind of the memory that tells what a session was about; what was learned in it has it as its lineage."""
TOLD_OF = "Told: "
"""How it begins where nothing was asked in the session: what follows are statements that were learned in it."""
STAGE_ONE, STAGE_TWO = "stage1:", "stage2:"
"""How the names of jobs begin; the id of a session, or the scope of a project, follows."""
LONGEST_NAME = 200
TAKEN = (".", "..", "queue", "run")
"""What no session may be called: steps in a path, and what else stands below /v1/sessions in the REST API."""
MOST_SAID = 100_000
MOST_RETURNED = 8_000
"""Characters of one observation that are kept: of what was said, and of what a tool gave back."""


def id_problems(id: object) -> list[str]:
    """Why a new session cannot have this id: it stands in addresses and lists, so it must be one part of a path."""
    problems = checks.printable_problems(id, "session id", LONGEST_NAME)
    if problems or not isinstance(id, str):
        return problems
    if "/" in id:
        problems.append(f"session id {checks.shown(id)!r} has a '/', which no address of a session can hold")
    if id in TAKEN:
        problems.append(f"session id {id!r} is taken: no session may be called {', '.join(TAKEN[:-1])} or {TAKEN[-1]}")
    return problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One thing that happened in a session.

    Of a tool: its name, what it was called with, and in `text` what it gave back. `key` is the host's own id of it,
    by which the same one is known again; `seq` is its place in the session, from 1, and 0 until it is stored.
    """

    role: str
    text: str
    at: datetime
    tool: str | None = None
    call: str = ""
    failed: bool = False
    key: str | None = None
    seq: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session: of which agent, in which project (a scope), when, and how far it was read."""

    id: str
    project: str
    agent: str
    started_at: datetime
    last_at: datetime
    ended_at: datetime | None = None
    observations: int = 0
    processed_to: int = 0
    processed_at: datetime | None = None
    summary: str | None = None
    transcript: str | None = None

    @property
    def changed(self) -> bool:
        """Whether something was observed since it was last processed."""
        return self.observations > self.processed_to

    @property
    def origin(self) -> str:
        return SESSION + self.id

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__} | {"changed": self.changed}


@dataclass(frozen=True, slots=True)
class Watched:
    """A session with what was observed in it and what was learned from it (ids of memories)."""

    session: Session
    observations: tuple[Observation, ...] = ()
    learned: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.session.to_dict(),
            "observed": plain(self.observations),
            "learned": list(self.learned),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A job that is wanted or has failed: since when, how often it was tried, and why it failed last.

    `again_at` is when it is tried next; a dead one is not tried again until it is wanted anew.
    """

    name: str
    wanted_at: datetime | None = None
    tries: int = 0
    failed_at: datetime | None = None
    again_at: datetime | None = None
    why: str = ""
    dead: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


def fitted(observation: Observation) -> Observation:
    """The observation with what is too long of it cut in the middle, so that both ends are kept."""
    most = MOST_RETURNED if observation.role == TOOL else MOST_SAID
    text, call = _cut(observation.text, most), _cut(observation.call, MOST_RETURNED)
    if text is observation.text and call is observation.call:
        return observation
    return replace(observation, text=text, call=call)


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    head = most * 3 // 5
    return f"{text[:head]}\n[… {len(text) - most} characters left out …]\n{text[len(text) - (most - head) :]}"


@dataclass(frozen=True, slots=True)
class Processed:
    """What stage 1 made of one session: its memories by outcome, its summary, and whether a model helped."""

    session: str
    project: str
    read: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    summary: str | None = None
    receipt_id: str | None = None
    llm: bool = False
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Written:
    """What stage 2 wrote for one project: the files that changed, those that stayed as they were, those it removed."""

    project: str
    folder: str
    written: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    llm: bool = False
    receipt_id: str | None = None
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class SessionRun:
    """What one run of the pipeline did: events taken in, sessions processed, artifacts written, what failed and why."""

    at: datetime
    drained: int = 0
    processed: tuple[Processed, ...] = ()
    written: tuple[Written, ...] = ()
    failed: tuple[Task, ...] = ()
    left: int = 0
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}
