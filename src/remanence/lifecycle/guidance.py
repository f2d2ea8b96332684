"""Guidance: which memories the next session of a project is told, in which order, and under which heading.

The most worthy come first; of those that are equally worthy (to two digits, so that an hour changes nothing) the kinds
that help an agent most, then the newest. Synopses of sessions come last, newest first. A document goes by headings and
by age instead, so that it changes only where a memory comes or goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.measures import Measures
from remanence.model.columns import Columns
from remanence.model.memory import SOURCE_TEXT, Memory
from remanence.model.policy import Policy
from remanence.model.session import SUMMARY

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
_DIGITS = 2


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
    return _by_kind(columns, lambda kind: kind not in UNTOLD and kind != SUMMARY)


def of_kinds(columns: Columns, kinds: Iterable[str]) -> NDArray[np.bool_]:
    """Which rows are of one of these kinds."""
    wanted = frozenset(kinds)
    return _by_kind(columns, lambda kind: kind in wanted)


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


def _by_kind(columns: Columns, is_meant: Callable[[str], bool]) -> NDArray[np.bool_]:
    flags = np.array([is_meant(kind) for _, kind in columns.places], dtype=np.bool_)
    return flags[columns.place] if len(flags) else np.zeros(len(columns), dtype=np.bool_)
