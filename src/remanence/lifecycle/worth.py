"""Worth: what a memory is worth keeping, from nine factors, each between 0 and 1.

Six are read off the memory (importance, use, feeling, layer, source, confirmations), two off its newest accesses (are
they regular, and is it active in the sense of ACT-R), and recency is given by the policy's curve. Worth is their
weighted mean; it is computed, never stored, and raising a factor never lowers it. Times are microseconds since 1970;
`recent` holds a row's newest accesses, oldest first, padded with NEVER.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remanence.lifecycle.retention import (
    Floats,
    Times,
    added_up,
    blocks,
    elapsed_days,
    floats,
    known_accesses,
    quiet,
    shares,
    spread,
)
from remanence.model.columns import LAYERS, SOURCES
from remanence.model.memory import TRUST, Layer
from remanence.model.moment import NEVER

WEIGHTS: Mapping[str, float] = {
    "importance": 0.30,
    "frequency": 0.12,
    "recency": 0.12,
    "valence": 0.06,
    "stability": 0.06,
    "layer": 0.12,
    "trust": 0.08,
    "confirmations": 0.06,
    "activation": 0.08,
}
LAYER_WEIGHTS: Mapping[Layer, float] = {
    Layer.SEMANTIC: 1.0,
    Layer.PROCEDURAL: 0.8,
    Layer.CODEBASE: 0.6,
    Layer.EPISODIC: 0.4,
    Layer.WORKING: 0.0,
}
FULL_FREQUENCY = 50
FULL_CONFIRMATIONS = 5
LEAST_ACCESSES = 3
MINUTE_DAYS = 1 / 1440

_LAYER_WEIGHT = np.array([LAYER_WEIGHTS[layer] for layer in LAYERS])
SOURCE_TRUST = np.array([TRUST[source] for source in SOURCES])


def frequency(access_count: ArrayLike) -> Floats:
    """min(1, ln(1+n) / ln 51): 5 recalls → 0.4557, 50 → 1."""
    return _logarithmic(access_count, FULL_FREQUENCY)


def confirmation(confirmations: ArrayLike) -> Floats:
    """min(1, ln(1+c) / ln 6): one → 0.3869, 5 → 1."""
    return _logarithmic(confirmations, FULL_CONFIRMATIONS)


def stability(recent: Times, access_count: ArrayLike) -> Floats:
    """How regular the accesses are: 1 evenly spaced, towards 0 in bursts; 0.5 with fewer than 3 or no time between.

    (1-B)/2 with the burstiness B = (σ-μ)/(σ+μ) of the gaps, which is μ/(σ+μ): gaps of 1 and 3 days → 2/(1+2) = 0.6667.
    """
    regular = np.full(len(recent), 0.5)
    if recent.ndim < 2 or recent.shape[1] < LEAST_ACCESSES:
        return regular
    often = spread(access_count, len(recent)) >= LEAST_ACCESSES
    rows = np.flatnonzero(often & (recent[:, LEAST_ACCESSES - 1] != NEVER))
    if not rows.size:
        return regular
    gaps, present = _gaps(np.ascontiguousarray(recent[rows].T))
    number = present.sum(axis=0)
    mean = added_up(gaps) / number
    deviation = np.sqrt(added_up(np.where(present, (gaps - mean) ** 2, 0.0)) / number)
    together = deviation + mean
    regular[rows] = np.divide(mean, together, out=np.full(rows.size, 0.5), where=together > 0.0)
    return shares(regular)


def activation(created_at: ArrayLike, recent: Times, now: ArrayLike) -> Floats:
    """Base-level activation of ACT-R: logistic(ln x) = x/(1+x) with x = Σ t^-½ over creation and recent accesses.

    t in days, at least a minute: created 4 days ago and recalled a day ago → x = 0.5 + 1, 0.6.
    """
    size = len(recent)
    summed = np.array(spread(_trace(created_at, now), size))
    rows, accesses = known_accesses(recent)
    if rows.size:
        moment = np.asarray(now)
        moment = moment if moment.ndim == 0 else spread(moment, size)[rows]
        for part in blocks(rows.size):
            until = moment if moment.ndim == 0 else moment[part]
            traces = np.where(accesses[:, part] != NEVER, _trace(accesses[:, part], until), 0.0)
            summed[rows[part]] = added_up(np.concatenate([summed[rows[part]][None], traces]))
    return shares(summed / (1.0 + summed))


def layer_weight(layer: ArrayLike) -> Floats:
    """What a layer adds, by its number: semantic 1, procedural 0.8, codebase 0.6, episodic 0.4, working 0."""
    return floats(_LAYER_WEIGHT[np.asarray(layer)])


def trust(source: ArrayLike, limit: ArrayLike = 1.0) -> Floats:
    """How far it is believed: as its source (human 1, ai and extracted 0.7, ingest 0.5, dream 0.4), up to a limit."""
    return np.minimum(floats(SOURCE_TRUST[np.asarray(source)]), floats(limit))


def factors(
    *,
    importance: ArrayLike,
    access_count: ArrayLike,
    recency: ArrayLike,
    valence: ArrayLike,
    recent: Times,
    layer: ArrayLike,
    source: ArrayLike,
    trust_limit: ArrayLike = 1.0,
    confirmations: ArrayLike,
    created_at: ArrayLike,
    now: ArrayLike,
) -> dict[str, Floats]:
    """Every factor by name; `recency` is the policy's retention since the last access, trust-weighted."""
    return {
        "importance": shares(importance),
        "frequency": frequency(access_count),
        "recency": shares(recency),
        "valence": shares(np.abs(floats(valence))),
        "stability": stability(recent, access_count),
        "layer": layer_weight(layer),
        "trust": trust(source, trust_limit),
        "confirmations": confirmation(confirmations),
        "activation": activation(created_at, recent, now),
    }


@quiet
def worth(factors: Mapping[str, Floats], weights: Mapping[str, float] = WEIGHTS) -> Floats:
    """Σ weight·factor / Σ weight: every factor at 0.5 → 0.5; without any weight 0."""
    summed: Floats = np.zeros(())
    total = 0.0
    for name, weight in weights.items():
        summed = summed + weight * factors[name]
        total += weight
    return shares(summed / total) if total > 0.0 else floats(np.zeros_like(summed))


def _logarithmic(count: ArrayLike, full: int) -> Floats:
    return shares(np.log1p(np.maximum(floats(count), 0.0)) / np.log1p(float(full)))


def _trace(times: ArrayLike, now: ArrayLike) -> Floats:
    """What is left of one use: t^-½, t in days."""
    return 1.0 / np.sqrt(np.maximum(elapsed_days(times, now), MINUTE_DAYS))


def _gaps(accesses: Times) -> tuple[Floats, NDArray[np.bool_]]:
    """The days between one access and the next, 0 where there is no next; and where there is one."""
    present = accesses[1:] != NEVER
    return np.where(present, elapsed_days(accesses[:-1], accesses[1:]), 0.0), present
