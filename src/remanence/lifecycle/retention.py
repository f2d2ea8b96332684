"""Retention: how much of a memory is left after a time, from 1 (fresh) down to 0, and what slows the fall.

Everything is computed from stored anchors and never stored: the same days give the same value however often anyone
looks. Times are microseconds since 1970 (int64), spans are days (float), a half-life or stability of infinity never
decays. Arguments are arrays or numbers that broadcast; each row is computed for itself, so a page of a million rows
and a single row give the same bits. A clock that went backwards counts as no time at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remanence.model.columns import LAYERS, SOURCES
from remanence.model.memory import Layer, Source
from remanence.model.moment import MICROS_PER_DAY, NEVER

Floats: TypeAlias = NDArray[np.float64]
Times: TypeAlias = NDArray[np.int64]

DECAY_TRUST_OF = {Source.HUMAN: 1.0, Source.AI: 0.7, Source.INGEST: 0.5, Source.EXTRACTED: 0.0, Source.DREAM: 0.4}
DECAY_TRUST = np.array([DECAY_TRUST_OF[source] for source in SOURCES])
"""How slowly a source's memories decay, by its number; apart from how far it is believed (model.memory.TRUST)."""

HALF_LIFE_OF = {Layer.EPISODIC: 30.0}
LAYER_HALF_LIFE = np.array([HALF_LIFE_OF.get(layer, np.inf) for layer in LAYERS])
"""Half-life in days by a layer's number; working memories leave by promotion or TTL, not by decay."""

BASE_STABILITY_DAYS = 0.04
STABILITY_GAIN = 4.0
SPACING_DAYS = 2.0
FEEDBACK_EXPONENT = 3.0
"""Chosen by benchmarks/curves.py on the first half, by time, of 6,032 reviews of one person's flashcards.

Log-loss there 0.496, on the later half 0.438; FSRS-6 with its defaults has 0.517 and 0.445, a constant fitted on the
first half 0.582 and 0.486. A review that went well counts as a confirmed use there, one that failed as a rejection.
"""

DECAY_TRUST.setflags(write=False)
LAYER_HALF_LIFE.setflags(write=False)

_SHORTEST_DAYS = 1e-9
_SMALLEST_EXPONENT = 1e-3
_FIRST = np.iinfo(np.int64).min
_BLOCK = 1024
_FEW = 64  # rows for which one call over all columns is quicker than one for each

quiet = np.errstate(over="ignore", under="ignore")
"""Decorates a formula: a value too small for a float is nothing, which is what is left of such a memory."""


def floats(values: ArrayLike) -> Floats:
    """The values as float64."""
    return np.asarray(values, dtype=np.float64)


def shares(values: ArrayLike) -> Floats:
    """The values as float64, held between 0 and 1."""
    return floats(np.minimum(np.maximum(values, 0.0), 1.0))


def spread(values: ArrayLike, size: int) -> NDArray[Any]:
    """One value for each of so many rows."""
    found = np.asarray(values)
    return found if found.shape == (size,) else np.broadcast_to(found, size)


# --- time


def elapsed_days(since: ArrayLike, now: ArrayLike) -> Floats:
    """Days from `since` to `now`, not below 0; since NEVER, none: 12 hours → 0.5."""
    until = np.asarray(now, dtype=np.int64)
    # The earlier of the two first: NEVER less a moment before 1970 would not fit into 64 bits.
    return floats((until - np.minimum(np.asarray(since, dtype=np.int64), until)) / MICROS_PER_DAY)


def known_accesses(recent: Times) -> tuple[NDArray[np.intp], Times]:
    """The rows that hold an access, and their accesses with [0] the oldest of each row; the others cost nothing."""
    if not recent.size:
        return np.empty(0, dtype=np.intp), np.empty((0, 0), dtype=np.int64)
    rows = np.flatnonzero(recent[:, 0] != NEVER)
    return rows, np.ascontiguousarray(recent[rows].T)


def blocks(size: int) -> Iterator[slice]:
    """Parts of so many rows, each small enough for its arrays to stay in the processor's cache."""
    return (slice(low, low + _BLOCK) for low in range(0, size, _BLOCK))


def added_up(columns: Floats) -> Floats:
    """The sum of the columns, one after the other: numpy's own adds wide pages in another order than narrow ones."""
    if columns.shape[1] <= _FEW:
        last: Floats = np.add.accumulate(columns, axis=0)[-1]
        return last
    summed: Floats = columns[0].copy()
    for column in columns[1:]:
        summed += column
    return summed


def _never_earlier(times: Times) -> None:
    """Each column at least as late as the one before it."""
    if times.shape[1] <= _FEW:
        np.maximum.accumulate(times, axis=0, out=times)
        return
    for earlier, later in pairwise(times):
        np.maximum(earlier, later, out=later)


# --- curves


@quiet
def _ratio(days: ArrayLike, span_days: ArrayLike) -> Floats:
    return np.maximum(floats(days), 0.0) / np.maximum(floats(span_days), _SHORTEST_DAYS)


@quiet
def halflife(days: ArrayLike, half_life_days: ArrayLike) -> Floats:
    """0.5^(d/h): 30 days at a half-life of 30 → 0.5, so 0.8 becomes 0.4."""
    return shares(np.exp2(-_ratio(days, half_life_days)))


@quiet
def huber(days: ArrayLike, half_life_days: ArrayLike, delta: ArrayLike = 0.5) -> Floats:
    """`halflife` up to d = δ·h, then its tangent there, not below 0: h = 30 → 0.4620 at 30 days, 0 from 58.28 on."""
    ratio, knee = _ratio(days, half_life_days), floats(delta)
    curve = np.exp2(-np.minimum(ratio, knee))
    return shares(curve * (1.0 - np.log(2.0) * np.maximum(ratio - knee, 0.0)))


@quiet
def elastic(days: ArrayLike, half_life_days: ArrayLike, rho: ArrayLike = 0.3) -> Floats:
    """ρ·max(0, 1 - d/2h) + (1-ρ)·0.5^(d/h): 30 days at a half-life of 30 → 0.15 + 0.35 = 0.5."""
    ratio, linear = _ratio(days, half_life_days), floats(rho)
    return shares(linear * np.maximum(1.0 - ratio / 2.0, 0.0) + (1.0 - linear) * np.exp2(-ratio))


@quiet
def exponential(days: ArrayLike, rate: ArrayLike = 0.01) -> Floats:
    """e^(-λd), λ per day: 100 days → 0.3679."""
    return shares(np.exp(-np.maximum(floats(days), 0.0) * floats(rate)))


@quiet
def hyperbolic(days: ArrayLike, tau_days: ArrayLike = 30.0) -> Floats:
    """1 / (1 + d/τ): 30 days → 0.5, 90 days → 0.25."""
    return shares(1.0 / (1.0 + _ratio(days, tau_days)))


@quiet
def power(days: ArrayLike, stability_days: ArrayLike, exponent: ArrayLike = 0.1542) -> Floats:
    """(1 + F·d/S)^(-c) with F such that d = S gives 0.9, the forgetting curve of FSRS-6: d = 10·S → 0.6928."""
    bend = np.maximum(floats(exponent), _SMALLEST_EXPONENT)
    factor = np.expm1(-np.log(0.9) / bend)
    return shares(np.exp(-bend * np.log1p(factor * _ratio(days, stability_days))))


CURVES: Mapping[str, Callable[..., Floats]] = {
    "halflife": halflife,
    "l2": halflife,
    "huber": huber,
    "elastic": elastic,
    "exponential": exponential,
    "hyperbolic": hyperbolic,
    "power": power,
}


# --- what slows or hastens them


def trusted_half_life(half_life_days: ArrayLike, trust: ArrayLike) -> Floats:
    """h / (1 + 2·(1-t)), in days: 30 becomes 30 (human), 18.75 (ai), 15 (ingest), 13.64 (dream), 10 (extracted)."""
    return floats(half_life_days) / (1.0 + 2.0 * (1.0 - floats(trust)))


def reinforcement(access_count: ArrayLike, rate: ArrayLike = 0.05, most: ArrayLike = 0.3) -> Floats:
    """min(most, rate·ln(1+n)), added to a retention: 2 recalls → 0.0549; 403 recalls or more → 0.3."""
    return shares(np.minimum(most, floats(rate) * np.log1p(np.maximum(floats(access_count), 0.0))))


@quiet
def feedback_factor(uses: ArrayLike, rejections: ArrayLike, exponent: ArrayLike = FEEDBACK_EXPONENT) -> Floats:
    """((1 + uses) / (1 + rejections))^exponent, what stability is multiplied by: used twice, rejected once → 3.375."""
    told = np.log1p(np.maximum(floats(uses), 0.0)) - np.log1p(np.maximum(floats(rejections), 0.0))
    return floats(np.exp(floats(exponent) * told))


@quiet
def stability_days(
    base_days: ArrayLike,
    access_count: ArrayLike,
    recent: Times,
    created_at: ArrayLike,
    last_accessed_at: ArrayLike | None = None,
    *,
    uses: ArrayLike = 0,
    rejections: ArrayLike = 0,
    gain: ArrayLike = STABILITY_GAIN,
    spacing_days: ArrayLike = SPACING_DAYS,
    feedback_exponent: ArrayLike = FEEDBACK_EXPONENT,
) -> Floats:
    """Stability for `power`, in days: base·(1 + gain·spaced recalls)·feedback; base 1, recalled after 2, 3, 3.5 d → 8.

    A recall counts min(1, days since the one before / spacing): those above count 1, ½ and ¼; one a minute after
    another next to nothing. Accesses known by number alone count as if evenly spread between creation and the oldest
    known one: min(number, days / spacing), the most they can have counted. Hence no recall, known or forgotten, ever
    lowers stability: min(m, x) + min(1, y) ≤ min(m+1, x+y). Feedback is `feedback_factor`: a recall that proved useful
    counts for more than one of which nothing is known, one of no use for less.
    """
    spaced = spaced_recalls(access_count, recent, created_at, last_accessed_at, spacing_days)
    grown = floats(base_days) * (1.0 + floats(gain) * spaced)
    return floats(grown * feedback_factor(uses, rejections, feedback_exponent))


@quiet
def spaced_recalls(
    access_count: ArrayLike,
    recent: Times,
    created_at: ArrayLike,
    last_accessed_at: ArrayLike | None = None,
    spacing_days: ArrayLike = SPACING_DAYS,
) -> Floats:
    """How many recalls there were, those sooner than the spacing after another in part: after 2, 3, 3.5 days → 1.75."""
    count = spread(np.maximum(floats(access_count), 0.0), len(recent))
    created = spread(created_at, len(recent))
    spacing = spread(floats(spacing_days), len(recent))
    newest = created if last_accessed_at is None else last_accessed_at
    spaced = np.minimum(count, _ratio(elapsed_days(created, newest), spacing))
    rows, accesses = known_accesses(recent)
    if rows.size:
        unknown = np.maximum(count[rows] - (accesses != NEVER).sum(axis=0), 0.0)
        before = np.maximum(accesses[0], created[rows])
        known = np.minimum(unknown + 1.0, _ratio(elapsed_days(created[rows], before), spacing[rows]))
        for part in blocks(rows.size):
            times = np.where(accesses[:, part] != NEVER, accesses[:, part], _FIRST)
            times[0] = before[part]
            _never_earlier(times)
            counted = np.minimum(1.0, _ratio(elapsed_days(times[:-1], times[1:]), spacing[rows[part]]))
            spaced[rows[part]] = added_up(np.concatenate([known[None, part], counted]))
    return floats(spaced)


@quiet
def strength(
    base: ArrayLike, idle_days: ArrayLike, period_days: float = 30.0, factor: float = 0.9, floor: float = 0.1
) -> Floats:
    """base·factor per full idle period, not below the floor: 0.8 idle 95 days → 0.8·0.9³ = 0.5832.

    A base below the floor stays as it is: nothing grows by lying idle.
    """
    first = floats(base)
    periods = np.floor(_ratio(idle_days, period_days))
    return shares(np.maximum(np.minimum(first, floor), first * np.power(factor, periods)))


def lesson_confidence(confidence: ArrayLike, days: ArrayLike, per_week: float = 0.05) -> Floats:
    """A lesson's confidence less 0.05 per full week since it was last reinforced: 0.6 after 20 days → 0.5."""
    held = floats(confidence)
    left = np.round(held - per_week * np.floor(_ratio(days, 7.0)), 12)  # 0.55 after nine weeks is 0.1, not more
    return shares(np.minimum(held, left))


@quiet
def reinforced_confidence(confidence: ArrayLike, gain: float = 0.1) -> Floats:
    """c + gain·(1-c), a lesson met again: 0.6 → 0.64."""
    held = floats(confidence)
    return shares(held + gain * (1.0 - held))
