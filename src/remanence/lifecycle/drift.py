"""Drift: what becomes of a memory that speaks of a source tree, given what was found there.

Each thing it asserts is alive, moved, dead or unknown. What never was there is unknown, not dead: only what is known
to have been, and is no more, speaks against a memory. One dead thing and the memory is challenged; where everything
that is wrong has moved to one certain place, a new version names that place. The text of a memory itself never changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from remanence.lifecycle.admission import next_version
from remanence.model.checks import TAG_CHARACTERS
from remanence.model.memory import Memory

CHALLENGER = "drift"
"""Stands in `challenged_by` where no memory and no person, but the source tree speaks against a memory."""
MOVED_FROM = "moved_from"
_GOES_ON = r"[\w/-]|\.\w"
"""What may not stand behind a path, or it would be another one; ":12" and a full stop may."""


class Verdict(StrEnum):
    ALIVE = "alive"
    MOVED = "moved"
    DEAD = "dead"
    UNKNOWN = "unknown"


_STRONGEST = (Verdict.ALIVE, Verdict.MOVED, Verdict.DEAD, Verdict.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one assertion. `old` and `new` are paths as the memory writes them, for what moved."""

    about: str
    verdict: Verdict
    says: str = ""
    """For a person: "src/a.py is gone"."""
    old: str | None = None
    new: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a memory: challenged for a reason, or told anew with paths replaced, or neither."""

    reason: str | None = None
    title: str = ""
    moves: Mapping[str, str] = field(default_factory=dict)
    evidence: Mapping[str, float] = field(default_factory=dict)


def of_file(*, present: bool, moved_to: str | None, known: bool) -> Verdict:
    """A file or folder: it is there, went to one place, was known and is gone, or never was."""
    if present:
        return Verdict.ALIVE
    if moved_to is not None:
        return Verdict.MOVED
    return Verdict.DEAD if known else Verdict.UNKNOWN


def of_name(
    *, defined: bool | None, mentioned: bool, known: bool, tied: bool, elsewhere: Sequence[str] | None
) -> Verdict:
    """A name in a file: a file that merely uses it keeps it alive, unless it was known to define it.

    `defined` is None where the file cannot be read, `elsewhere` None where nobody looked; `tied` says that the memory
    itself puts the name into that file.
    """
    if defined or (mentioned and not known):
        return Verdict.ALIVE
    if defined is None or elsewhere is None or not (known or tied):
        return Verdict.UNKNOWN
    return Verdict.MOVED if len(elsewhere) == 1 else Verdict.DEAD


def of_version(answers: Sequence[bool | None]) -> Verdict:
    """A version, by what each manifest that names the package says: it is the one, it is not, or that is left open."""
    if not answers or (None in answers and True not in answers):
        return Verdict.UNKNOWN
    return Verdict.ALIVE if True in answers else Verdict.DEAD


def strongest(findings: Iterable[Finding]) -> Finding:
    """One finding of several trees: what lives in one of them is alive."""
    return min(findings, key=lambda finding: _STRONGEST.index(finding.verdict))


def decide(findings: Sequence[Finding]) -> Decision:
    """What becomes of a memory of which this was found."""
    dead = [one for one in findings if one.verdict is Verdict.DEAD]
    moved = [one for one in findings if one.verdict is Verdict.MOVED]
    places = {(one.old, one.new) for one in moved}
    kept = {one.old for one in findings if one.verdict is Verdict.ALIVE and one.about == "name"}
    certain = len({old for old, _ in places}) == len(places) and not any(old in kept for old, _ in places)
    evidence = {str(verdict): float(sum(one.verdict is verdict for one in findings)) for verdict in Verdict}
    # A file that is gone is not dead where all that the memory says of it is in one other place.
    dead = [one for one in dead if not (certain and one.about == "path" and one.old in {old for old, _ in places})]
    if dead or (moved and not certain):
        first = (dead or moved)[0]
        return Decision(f"drift: {_REASONS[first.about]}", first.says, {}, evidence)
    if moved:
        moves = {str(old): str(new) for old, new in places}
        return Decision("drift: moved", moved[0].says, dict(sorted(moves.items())), evidence)
    return Decision(evidence=evidence)


# Reasons go into the journal, which holds no text of a memory and is never erased.
_REASONS = {
    "path": "a file it names is gone",
    "name": "a name it speaks of is gone",
    "command": "a command it names is gone",
    "version": "a version it names is no longer in use",
}


def relocated(text: str, moves: Mapping[str, str]) -> str:
    """The text with each path in its new place, where it stands as a whole path."""
    if not moves:
        return text
    paths = "|".join(re.escape(old) for old in sorted(moves, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w/@+~-])(?<!\w\.)(?:\./)?({paths})(?!{_GOES_ON})")
    return pattern.sub(lambda match: moves[match[1]], text)


def told_anew(memory: Memory, moves: Mapping[str, str], id: str, now: datetime) -> Memory:
    """The next version of a memory whose paths moved: of the same source, and trusted no further than the old one."""
    files = (relocated(path, moves)[:TAG_CHARACTERS] for path in memory.files)
    new = memory.but(
        id=id,
        text=relocated(memory.text, moves),
        files=tuple(dict.fromkeys(files)),
        created_at=now,
        last_accessed_at=now,
        access_count=0,
        recent_accesses=(),
        kept_until=None,
        superseded_by=None,
        challenged_by=None,
        lineage=(memory.id,),
        metadata={**memory.metadata, MOVED_FROM: sorted(moves)},
        revision=1,
    )
    return next_version(memory, new)
