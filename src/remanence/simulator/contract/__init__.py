"""The forgetting contract: what must be found is found, what must not be is in no answer and in no byte.

A scene tells a small world to a contender, takes something out of it, and looks again and again: at once, after every
job, after reopening, after the same was told again, after an old copy was put back. Each look is the probe of one
promise: kept, broken with the reason in words, or "cannot" where the contender's published interface has no such act.
What it cannot do is counted apart; how it does what it can is measured, whether it promises that or not.

`scenes_*` say what happens, `looks` how it is looked at, `world` what is told, `run` who takes part; `ours` is the
product as a contender.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol


class Cannot(Exception):
    """A contender's published interface has no such act; the message says what is missing."""


class Promise(StrEnum):
    FOUND = "what must be found is found"
    HIDDEN = "what was forgotten is in no answer"
    BACK = "what was forgotten comes back on request"
    CURRENT = "what was corrected is in no answer"
    PAST = "an older value can be looked up"
    GONE = "what was purged is in no answer"
    BYTES = "what was purged is in no byte of the files"
    DERIVED = "nothing made from it holds it"
    BLOCKED = "what was purged is not learned again"
    COPIES = "copies made after hold none of it"
    RETURN = "no old copy brings it back"


class Outcome(StrEnum):
    KEPT = "kept"
    BROKEN = "broken"
    CANNOT = "cannot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One look: in which scene and when, at which promise, and what was seen."""

    contender: str
    scene: str
    moment: str
    promise: Promise
    outcome: Outcome
    why: str = ""


class Held(Protocol):
    """An open memory; a scope is a path such as /team/api, an id whatever the contender calls a memory.

    `purge` is the contender's strongest way to delete, `forget` its softest; with one way only both are that.
    """

    def add(self, text: str, scope: str, *, relearn: bool = False) -> str | None:
        """Tell one statement; None where it was not taken."""
        ...

    def add_many(self, texts: Sequence[str], scope: str) -> list[str | None]: ...

    def succeed(self, text: str, scope: str) -> str | None:
        """Tell a newer value of something known, which is to be noticed by itself."""
        ...

    def replace(self, id: str, text: str) -> str:
        """Give a memory another text; its id from now on."""
        ...

    def absorb(self, text: str, scope: str) -> dict[str, str]:
        """Take a longer text apart; what was made of it, by id."""
        ...

    def capture(self, turns: Sequence[tuple[str, str]], scope: str, session: str) -> None:
        """Take in what was said in a session, by speaker (user or assistant)."""
        ...

    def search(self, question: str, scope: str | None = None) -> list[str]:
        """The texts that answer, best first."""
        ...

    def answers(self, question: str) -> Mapping[str, Sequence[str]]:
        """What every way of asking gives, by its name."""
        ...

    def kept_texts(self) -> dict[str, str]:
        """Every text that the memory still gives out on request, in whatever state, by id."""
        ...

    def derived(self) -> Sequence[str]:
        """The texts that the memory itself made of others."""
        ...

    def past(self, id: str, question: str) -> Sequence[str]:
        """What it says of earlier values, when asked for them."""
        ...

    def forget(self, ids: Sequence[str]) -> None: ...

    def forget_scope(self, scope: str) -> None: ...

    def bring_back(self, ids: Sequence[str]) -> None: ...

    def purge(self, ids: Sequence[str]) -> None: ...

    def purge_scope(self, scope: str) -> None: ...

    def purge_about(self, name: str) -> None: ...

    def run_jobs(self) -> None:
        """Everything that it does unasked, now, a day later."""
        ...

    def backup(self, path: Path) -> None: ...

    def export(self, path: Path) -> None: ...

    def import_(self, path: Path) -> None: ...

    def files(self) -> Sequence[Path]:
        """Every file that belongs to it."""
        ...

    def traces(self, text: str) -> Sequence[bytes]:
        """What else in a file would betray a text, such as its vector."""
        ...

    def close(self) -> None: ...


class Contender(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def opened(self, folder: Path) -> Held:
        """The memory in a folder: a new one where there is none."""
        ...

    def restored(self, copy: Path, folder: Path) -> Held:
        """Put a backup in the place of the memory in a folder, and open it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    version: str
    contenders: Mapping[str, str]
    """Names, with what each of them says of its version."""
    probes: Sequence[Probe]
    seconds: float

    def counts(self, contender: str, promise: Promise | None = None) -> dict[Outcome, int]:
        """How many promises a contender kept, broke and could not be asked for; of one kind, or of all."""
        mine = [p for p in self.probes if p.contender == contender and promise in (None, p.promise)]
        return {outcome: sum(probe.outcome is outcome for probe in mine) for outcome in Outcome}

    @property
    def broken(self) -> list[Probe]:
        return [probe for probe in self.probes if probe.outcome is Outcome.BROKEN]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
