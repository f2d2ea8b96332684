"""Idleness: what a trace tells of memories that lay idle, and whether they were used again afterwards.

Asked is, of each memory 1, 2, 4, … days after its birth or a use, if it was not used meanwhile: was it used within the
next 30 days? An outcome is known where the whole 30 days lie within the trace. Beside it stands what the curve `power`
sees of the memory at that moment: days, spaced recalls, feedback, and the policy's own numbers for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle import retention
from remanence.lifecycle.measures import Measures
from remanence.lifecycle.replay import Spells
from remanence.model.moment import MICROS_PER_DAY, NEVER
from remanence.model.policy import LASTING_KINDS, Policy
from remanence.model.trace import RECENT, Moments, Trace

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

CHECKPOINTS_DAYS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
HORIZON_DAYS = 30
PRUNED_AFTER_DAYS = 90
"""The dream lets go of older moments of recall: of a longer past some uses would be missing, but no idleness."""

NAMES = ("stability_days", "stability_gain", "feedback_exponent", "decay_exponent")
"""The numbers of the curve that are learned."""
DEFAULTS = (None, retention.STABILITY_GAIN, retention.FEEDBACK_EXPONENT, None)
_MOST_MEMORIES = 5_000
_OUTWEIGHS = 2.0


@dataclass(frozen=True)
class Idle:
    """Memories that lay idle, each as often as it was asked about: what the curve sees, and what came of it."""

    memory: NDArray[np.intp]
    at: Moments
    kind: NDArray[np.int64]
    kinds: tuple[str, ...]
    days: Floats
    spaced: Floats
    told: Floats
    """The logarithm of (1 + uses) / (1 + rejections)."""
    numbers: Floats
    """The policy's own numbers, in the order of NAMES: one row each, one column an observation."""
    used: Mask
    weight: Floats

    def __len__(self) -> int:
        return len(self.memory)

    def of(self, chosen: Mask) -> Idle:
        names = ("memory", "at", "kind", "days", "spaced", "told", "used", "weight")
        arrays = {name: getattr(self, name)[chosen] for name in names}
        return replace(self, **arrays, numbers=self.numbers[:, chosen])

    @property
    def memories(self) -> int:
        return len(np.unique(self.memory))

    @property
    def used_again(self) -> int:
        return len(np.unique(self.memory[self.used]))

    @property
    def events(self) -> float:
        """n observations of one memory are worth √n: they hang together."""
        return float(np.sqrt(np.unique(self.memory, return_counts=True)[1]).sum())


def whole_from(trace: Trace) -> int:
    """From when on every use is known: from the beginning, or where moments were let go, the last 90 days."""
    return max(trace.begins, trace.ends - PRUNED_AFTER_DAYS * MICROS_PER_DAY) if _has_gaps(trace) else trace.begins


def _has_gaps(trace: Trace) -> bool:
    """Whether moments of use were let go; of what was used more than twenty times, more than those are never known."""
    return bool(((trace.unplaced > 0) & (trace.number < RECENT)).any())


def known_at(trace: Trace, memories: int) -> int | None:
    """When the outcome of so many memories will be known, as things stand; None where there are too few of them."""
    born = np.sort(np.maximum(trace.columns.created_at, whole_from(trace))[trace.left_at == NEVER])
    wait = (CHECKPOINTS_DAYS[0] + HORIZON_DAYS) * MICROS_PER_DAY
    return int(born[memories - 1]) + wait if len(born) >= memories else None


def idle(trace: Trace, policy: Policy) -> Idle:
    """What a trace knows of memories that lay idle; only what was there for the whole horizon after has an outcome.

    Where moments were let go, a spell counts if it began since then: of those that began before, only the ones that
    nothing came of would be known. What was there before the trace begins is asked about from then on.
    """
    spells = Spells.of(trace)
    whole = (np.maximum(trace.known_from, whole_from(trace)) if _has_gaps(trace) else trace.known_from)[spells.row]
    chosen = np.flatnonzero((spells.begins_at >= whole) & _ageing(trace, policy)[spells.row])
    rows = np.unique(spells.row[chosen])
    if len(rows) > _MOST_MEMORIES:
        rows = rows[np.linspace(0, len(rows) - 1, _MOST_MEMORIES).astype(np.int64)]
        chosen = chosen[np.isin(spells.row[chosen], rows)]
    known_until = np.minimum(trace.left_at, trace.ends)[spells.row]
    begins, ends = spells.begins_at, np.where(spells.used, spells.ends_at, NEVER)
    found: list[tuple[NDArray[np.intp], Moments]] = []
    for days in CHECKPOINTS_DAYS:
        at = begins[chosen] + days * MICROS_PER_DAY
        open_ = (at >= trace.begins) & (at < ends[chosen]) & (at + HORIZON_DAYS * MICROS_PER_DAY <= known_until[chosen])
        found.append((chosen[open_], at[open_]))
    spell = np.concatenate([some for some, _ in found])
    at = np.concatenate([moments for _, moments in found])
    used = ends[spell] <= at + HORIZON_DAYS * MICROS_PER_DAY
    return _seen(spells, spell, at, used, policy)


def _ageing(trace: Trace, policy: Policy) -> Mask:
    """The rows that a curve is asked about; by layer they may leave it, which use itself brings about."""
    stays = np.array([kind in (*policy.exempt_kinds, *LASTING_KINDS) for _, kind in trace.columns.places], dtype=bool)
    exempt = stays[trace.columns.place] if len(stays) else np.zeros(len(trace), dtype=bool)
    return ~(exempt | trace.columns.exempt)


def _seen(spells: Spells, spell: NDArray[np.intp], at: Moments, used: Mask, policy: Policy) -> Idle:
    columns = spells.columns(spell)
    measures = Measures(columns, policy)
    numbers = [
        np.broadcast_to(np.asarray(measures.number(name, default), dtype=np.float64), len(spell))
        for name, default in zip(NAMES, DEFAULTS, strict=True)
    ]
    spacing = measures.number("spacing_days", retention.SPACING_DAYS)
    known = (columns.access_count, columns.recent, columns.created_at, columns.last_accessed_at)
    ratio = (1.0 + columns.uses) / (1.0 + columns.rejections)
    memory = spells.row[spell]
    share = 1.0 / np.sqrt(np.bincount(memory, minlength=len(spells.trace))[memory])
    kinds = tuple(sorted({kind for _, kind in columns.places}))
    of = np.array([kinds.index(kind) for _, kind in columns.places], dtype=np.int64)
    return Idle(
        memory=memory,
        at=at,
        kind=of[columns.place] if len(of) else np.zeros(0, dtype=np.int64),
        kinds=kinds,
        days=measures.curve_days(at),
        spaced=retention.spaced_recalls(*known, spacing),
        told=np.log(ratio),
        numbers=np.stack(numbers),
        used=used,
        # That it was found again is better evidence of a need where hosts say so, and worse where they deny it.
        weight=share * np.where(used, np.clip(ratio, 1.0 / _OUTWEIGHS, _OUTWEIGHS), 1.0),
    )
