"""Traces of uses as talks: made-up years, or a store's own past. A memory is a turn, a week is a session.

Nothing is asked: the later uses of a memory tell what was lost. Memories come and are used as in the trace; a use of
what is held counts as an access; after each week the store must fit its budget, and what is dropped is gone, with all
its later uses. Uses in the week in which a memory came are accesses too, but nobody could lose them: they do not
count. What left for another reason than its age leaves here too. Pins are not asked about, as nowhere here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from remanence.model.moment import MICROS_PER_DAY, from_micros
from remanence.model.trace import Trace
from remanence.simulator.forgetting.replay import Forgetter, Held, Known, fit
from remanence.simulator.forgetting.talks import Past, Said, Talk
from remanence.simulator.worlds import world

USES = "uses"
"""The access model of every trace."""
WORLDS, MEMORIES = 5, 300
_WEEK = 7 * MICROS_PER_DAY


def of_worlds(seed: int, worlds: int = WORLDS, memories: int = MEMORIES) -> list[Talk]:
    """Made-up years, one a seed from this one on."""
    made = [world(seed + number, memories) for number in range(worlds)]
    return [of_trace(f"world {one.seed}", one.trace, one.texts) for one in made]


def of_trace(id: str, trace: Trace, texts: Sequence[str]) -> Talk:
    """A trace and what its memories say; those of whose uses only a number is known are left out."""
    came_at = np.maximum(trace.known_from, trace.begins)
    known = np.flatnonzero(came_at < np.minimum(trace.ends, trace.left_at))
    rows = known[np.argsort(trace.columns.created_at[known], kind="stable")]
    came_at, every = came_at[rows], trace.uses
    past = Past(
        columns=trace.knowing(rows, np.zeros(len(rows), dtype=np.int64)),
        left_at=trace.left_at[rows],
        uses=tuple(every[row][every[row] >= at] for row, at in zip(rows.tolist(), came_at.tolist(), strict=True)),
        begins=trace.begins,
        ends=trace.ends,
    )
    born = trace.columns.created_at[rows].tolist()
    weeks = ((came_at - trace.begins) // _WEEK).tolist()
    turns = tuple(
        Said(texts[row], texts[row], from_micros(at), week)
        for row, at, week in zip(rows.tolist(), born, weeks, strict=True)
    )
    return Talk(id, turns, (), by_session=False, past=past)


def later(talk: Talk) -> list[int]:
    """How many uses of each memory come after the week in which it came."""
    return [len(uses) - early for uses, early in zip(_past(talk).uses, _early(talk), strict=True)]


def relived(known: Known, forgetter: Forgetter, budget: float) -> tuple[float, float]:
    """How many later uses found their memory, and of the memories used later the share held to the last of them."""
    held, past = Held.empty(known), _past(known.talk)
    most = budget * known.talk.characters
    for came, used, left, held.now in _weeks(known):
        held.kept[came] = True
        for row, moment in used:
            if held.kept[row]:
                held.accesses[row].append(moment)
        held.kept[left] = False
        fit(held, forgetter, most)
    found = [len(accesses) - early for accesses, early in zip(held.accesses, _early(known.talk), strict=True)]
    wanted = [row for row, number in enumerate(later(known.talk)) if number]
    whole = sum(len(held.accesses[row]) == len(past.uses[row]) for row in wanted)
    return float(sum(found)), whole / max(len(wanted), 1)


def _past(talk: Talk) -> Past:
    assert talk.past is not None, "only a trace has a past"
    return talk.past


def _early(talk: Talk) -> list[int]:
    past = _past(talk)
    ends = [past.begins + (turn.session + 1) * _WEEK for turn in talk.turns]
    return [int(np.searchsorted(uses, end, side="left")) for uses, end in zip(past.uses, ends, strict=True)]


def _weeks(known: Known) -> Iterator[tuple[list[int], list[tuple[int, int]], list[int], int]]:
    """Week after week: which rows come, which are used when, which leave, and when it ends."""
    past = _past(known.talk)
    uses = sorted((int(at), row) for row, some in enumerate(past.uses) for at in some)
    place = 0
    for week in range((past.ends - past.begins) // _WEEK + 1):
        ends = past.begins + (week + 1) * _WEEK
        used = []
        while place < len(uses) and uses[place][0] < ends:
            used.append((uses[place][1], uses[place][0]))
            place += 1
        left = np.flatnonzero((past.left_at >= ends - _WEEK) & (past.left_at < ends)).tolist()
        yield np.flatnonzero(known.session == week).tolist(), used, left, min(ends, past.ends)
