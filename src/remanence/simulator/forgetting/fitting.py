"""Fitting: the weights of content's signals from talks, pulled to their priors.

A turn is evidence with chance 1 - Π(1 - p) over its sentences, p = logistic(bias + Σ weight · signal); the weights
maximise the likelihood of which turns are evidence, less strength/2 · (weight - prior)². A weight keeps its prior's
sign: a question never comes to speak for a turn. Deterministic: Adam from the priors, a fixed number of steps.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from remanence.lifecycle.content import NAMES, PRIOR, sentences
from remanence.simulator.forgetting.talks import Talk

STRENGTH = 15.0
_STEPS = 800
_RATE = 0.09
_FIRST_BIAS = -4.0
_EDGE = 30.0
_TINY = 1e-9


def fitted(talks: Sequence[Talk], strength: float = STRENGTH) -> dict[str, float]:
    """The weights that tell evidence best, by name."""
    rows: list[tuple[float, ...]] = []
    owners: list[int] = []
    evidence: list[float] = []
    for talk in talks:
        answering = frozenset().union(*(question.evidence for question in talk.questions))
        for number, turn in enumerate(talk.turns):
            read = sentences(turn.said)
            rows += read
            owners += [len(evidence)] * len(read)
            evidence.append(float(number in answering))
    signals = np.column_stack([np.ones(len(rows)), np.array(rows)])
    owner, labels = np.array(owners), np.array(evidence)
    prior = np.array([0.0, *(PRIOR[name] for name in NAMES)])
    pull = np.array([0.0, *([strength] * len(NAMES))])
    weights = prior.copy()
    weights[0] = _FIRST_BIAS
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        chance = 1 / (1 + np.exp(-np.clip(signals @ weights, -_EDGE, _EDGE)))
        missed = np.bincount(owner, -np.log1p(-np.minimum(chance, 1 - _TINY)), len(labels))
        whole = np.clip(-np.expm1(-missed), _TINY, 1 - _TINY)
        slope = (1 - labels) - labels * (1 - whole) / whole
        gradient = signals.T @ (slope[owner] * chance) + pull * (weights - prior)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        weights = weights - _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        weights[1:] = np.where(np.sign(prior[1:]) * weights[1:] < 0, 0.0, weights[1:])
    return {name: round(float(weight), 2) for name, weight in zip(NAMES, weights[1:], strict=True)}
