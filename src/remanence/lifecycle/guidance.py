"""Guidance: which memories the next session of a project is told, in which order, and under which heading.

The most worthy come first; of those that are equally worthy (to two digits, so that an hour changes nothing) the kinds
that help an agent most, then the newest. Synopses of sessions come last, newest first. A document goes by headings and
by age instead, so that it changes only where a memory comes or goes; where not all have room in it, those are chosen
that were the most worthy at the beginning of the week.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.measures import Measures
from remanence.model.columns import Columns
from remanence.model.memory import SOURCE_TEXT, Memory
from remanence.model.moment import MICROS_PER_DAY
from remanence.model.policy import Policy
from remanence.model.session import SUMMARY, TOLD_OF

DECISIONS, RULES, PREFERENCES = "Decisions", "Constraints and rules", "Preferences"
ARCHITECTURE, WORKFLOWS, PITFALLS, FACTS = "Architecture", "Workflows", "Pitfalls", "Facts"
SESSIONS = "Recent sessions"
HEADINGS = (DECISIONS, RULES, PREFERENCES, ARCHITECTURE, WORKFLOWS, PITFALLS, FACTS, SESSIONS)
_HELPFUL = (DECISIONS, RULES, PREFERENCES, PITFALLS, WORKFLOWS, ARCHITECTURE, FACTS, SESSIONS)
"""The headings as they follow each other where memories are equally worthy."""
_KINDS = {
    DECISIONS: ("decision", "active_decision"),
    RULES: ("constraint", "rule", "policy", "convention"),
    PREFERENCES: ("preference", "identity"),
    ARCHITECTURE: ("architecture", "codebase", "project_status"),
    WORKFLOWS: ("workflow", "procedure", "pattern", "command"),
    PITFALLS: ("gotcha", "bug", "lesson", "fix", "pitfall"),
    SESSIONS: (SUMMARY,),
}
_HEADING = {kind: heading for heading, kinds in _KINDS.items() for kind in kinds}
_RULED = frozenset(("fact", "finding", "observation", "decision", "preference"))
"""Kinds of which a signal may say that they are rules."""
_SIGNALS = {"constraint": RULES, "rule": RULES}
UNTOLD = frozenset((SOURCE_TEXT, "tool_output", "session_state", "action"))
"""Kinds that are raw, or of the moment: no document and no guidance tells of them."""
GENERAL = frozenset((*_KINDS[RULES], *_KINDS[PREFERENCES], "lesson"))
"""Kinds that hold below their scope, too: what a person prefers is preferred in every project, a mere fact is not."""
_DIGITS = 2
_WEEK = 7 * MICROS_PER_DAY
_MONDAY = 4 * MICROS_PER_DAY
"""The first Monday after the beginning of 1970, which was a Thursday."""


def heading_of(kind: str, signal: object = None) -> str:
    """Where a memory of this kind stands; what stage 1 noted of it may say more than the kind does."""
    if kind in _RULED and isinstance(signal, str) and signal in _SIGNALS:
        return _SIGNALS[signal]
    return _HEADING.get(kind, FACTS)


class Ranked(NamedTuple):
    """Places of rows, and for each what it is ranked by; rows with equal keys are still to be put in order."""

    places: list[int]
    keys: list[tuple[float, int, int]]


def told(columns: Columns) -> NDArray[np.bool_]:
    """Which rows may be told of at all, apart from synopses."""
    return _by_place(columns, lambda _, kind: kind not in UNTOLD and kind != SUMMARY)


def of_kinds(columns: Columns, kinds: Iterable[str]) -> NDArray[np.bool_]:
    """Which rows are of one of these kinds."""
    wanted = frozenset(kinds)
    return _by_place(columns, lambda _, kind: kind in wanted)


def week_of(at: int) -> int:
    """The Monday before a moment, 00:00 UTC: documents choose by the worth of then, and so do not change daily."""
    return at - (at - _MONDAY) % _WEEK


def in_scopes(columns: Columns, scopes: Iterable[str]) -> NDArray[np.bool_]:
    """Which rows are in one of these scopes, not below it."""
    wanted = frozenset(scopes)
    return _by_place(columns, lambda scope, _: scope in wanted)


def most_worthy(columns: Columns, policy: Policy, now: int, most: int) -> Ranked:
    """The most worthy rows, at least `most` where there are so many: all that are like the last of them come too."""
    if not len(columns) or most < 1:
        return Ranked([], [])
    worth = -np.round(Measures(columns, policy).worth(now), _DIGITS)
    ranks = np.array([_HELPFUL.index(heading_of(kind)) for _, kind in columns.places], dtype=np.int64)[columns.place]
    age = -columns.created_at
    order = np.lexsort((age, ranks, worth))
    if most < len(order):
        last = order[most - 1]
        rest = order[most:]
        tied = (worth[rest] == worth[last]) & (ranks[rest] == ranks[last]) & (age[rest] == age[last])
        order = order[: most + int(tied.sum())]
    keys = zip(worth[order].tolist(), ranks[order].tolist(), age[order].tolist(), strict=True)
    return Ranked(order.tolist(), list(keys))


def newest(columns: Columns, most: int) -> Ranked:
    """The newest rows, and all that are as new as the last of them."""
    age = -columns.created_at
    order = np.argsort(age, kind="stable")
    if most < len(order):
        order = order[: int(np.searchsorted(age[order], age[order[most - 1]], side="right"))] if most else order[:0]
    return Ranked(order.tolist(), [(0.0, 0, value) for value in age[order].tolist()])


def joined(some: Iterable[Ranked], most: int) -> Ranked:
    """The first `most` of several together, and all that are like the last of them."""
    ordered = sorted(pair for ranked in some for pair in zip(ranked.keys, ranked.places, strict=True))
    if 0 < most < len(ordered):
        last = ordered[most - 1][0]
        ordered = [pair for pair in ordered if pair[0] <= last]
    return Ranked([place for _, place in ordered], [key for key, _ in ordered])


def settled(ranked: Ranked, ids: Iterable[str], most: int) -> list[int]:
    """The places of the first `most`, equal ones by their ids: the same whatever order they were stored in."""
    ordered = sorted(zip(ranked.keys, ids, ranked.places, strict=True))
    return [place for _, _, place in ordered[:most]]


def documented(memories: Iterable[Memory]) -> list[tuple[str, list[Memory]]]:
    """Memories under their headings, oldest first; headings without any are left out."""
    found: dict[str, list[Memory]] = {heading: [] for heading in HEADINGS}
    for memory in sorted(memories, key=lambda one: (one.created_at, one.id)):
        found[heading_of(memory.kind, memory.metadata.get("signal"))].append(memory)
    return [(heading, some) for heading, some in found.items() if some]


def _by_place(columns: Columns, is_meant: Callable[[str, str], bool]) -> NDArray[np.bool_]:
    flags = np.array([is_meant(scope, kind) for scope, kind in columns.places], dtype=np.bool_)
    return flags[columns.place] if len(flags) else np.zeros(len(columns), dtype=np.bool_)


def says_more(synopsis: str, statements: Iterable[str]) -> bool:
    """Whether the synopsis of a session says anything beside these statements, which are told by themselves."""
    if not synopsis.startswith(TOLD_OF):
        return True
    rest = synopsis.removeprefix(TOLD_OF)
    known = sorted((text.rstrip(". ") for text in statements), key=len, reverse=True)
    for one in known:
        rest = rest.replace(one, " ")
    left = rest.strip(" .…")
    is_cut = synopsis.endswith("…") and any(one.startswith(left) for one in known)
    return not is_cut and any(sign.isalnum() for sign in left)
