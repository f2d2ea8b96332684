"""Fitting: the weights of content's signals from sets of talks, pulled to their priors.

A turn is evidence with chance 1 - Π(1 - p) over its sentences, p = logistic(bias + Σ weight · signal); each set has a
bias of its own, since one asks about every fourth turn and another about every hundredth. The weights maximise the
likelihood of which turns are evidence, less strength/2 · (weight - prior)². A weight keeps its prior's sign: a question
never comes to speak for a turn. Damped Fisher scoring from the priors until nothing is gained: deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remanence.lifecycle.content import NAMES, PRIOR, sentences
from remanence.simulator.forgetting.talks import Talk, answering

Floats = NDArray[np.float64]
STRENGTH = 15.0
_MOST_STEPS = 100
_ENOUGH = 1e-8
_FIRST_BIAS = -4.0
_EDGE = 30.0
_TINY = 1e-12
_MOST_DAMPING = 1e9


@dataclass(frozen=True)
class _Evidence:
    """The signals of each sentence behind a column for each set's bias, the turn it is of, and which turns count."""

    signals: Floats
    owner: NDArray[np.intp]
    labels: Floats
    prior: Floats
    pull: Floats

    @property
    def biases(self) -> int:
        return len(self.prior) - len(NAMES)

    def loss(self, weights: Floats) -> float:
        missed = self._missed(self.signals @ weights)
        whole = np.maximum(-np.expm1(-missed), _TINY)
        unlikely = np.where(self.labels > 0, -np.log(whole), missed).sum()
        return float(unlikely + (self.pull * (weights - self.prior) ** 2).sum() / 2)

    def slopes(self, weights: Floats) -> tuple[Floats, Floats]:
        """Gradient, and the expected curvature."""
        sums = np.clip(self.signals @ weights, -_EDGE, _EDGE)
        missed = self._missed(sums)
        whole = np.clip(-np.expm1(-missed), _TINY, 1 - _TINY)
        chance = 1 / (1 + np.exp(-sums))
        each = np.column_stack([np.bincount(self.owner, chance * column, len(whole)) for column in self.signals.T])
        odds = (1 - whole) / whole
        gradient = each.T @ ((1 - self.labels) - self.labels * odds) + self.pull * (weights - self.prior)
        return gradient, (each * odds[:, None]).T @ each + np.diag(self.pull)

    def kept_signs(self, weights: Floats) -> Floats:
        signed = weights[self.biases :]
        signed[np.sign(self.prior[self.biases :]) * signed < 0] = 0.0
        return weights

    def _missed(self, sums: Floats) -> Floats:
        each: Floats = np.logaddexp(0.0, np.clip(sums, -_EDGE, _EDGE))
        return np.bincount(self.owner, each, len(self.labels)).astype(np.float64)


def fitted(sets: Sequence[Sequence[Talk]], strength: float = STRENGTH) -> dict[str, float]:
    """The weights that tell evidence best in all these sets, by name."""
    told = _told(sets, strength)
    weights = told.prior.copy()
    weights[: told.biases] = _FIRST_BIAS
    loss, damping = told.loss(weights), 1.0
    for _ in range(_MOST_STEPS):
        gradient, curvature = told.slopes(weights)
        stuck = (weights == 0) & (np.sign(told.prior) * gradient > 0)
        free = ~stuck
        while True:
            part = curvature[np.ix_(free, free)]
            step = np.zeros_like(weights)
            step[free] = -np.linalg.solve(part + damping * np.diag(np.diag(part)), gradient[free])
            tried = told.kept_signs(weights + step)
            new = told.loss(tried)
            if new <= loss or damping > _MOST_DAMPING:
                break
            damping *= 4
        gained, weights, loss, damping = loss - new, tried, new, max(damping / 4, _TINY)
        if gained <= _ENOUGH * abs(loss):
            break
    return {name: round(float(weight), 2) for name, weight in zip(NAMES, weights[told.biases :], strict=True)}


def _told(sets: Sequence[Sequence[Talk]], strength: float) -> _Evidence:
    rows: list[tuple[float, ...]] = []
    owners: list[int] = []
    labels: list[float] = []
    for place, talks in enumerate(sets):
        bias = tuple(float(place == number) for number in range(len(sets)))
        for talk in talks:
            evidence = frozenset().union(*(question.evidence for question in talk.questions))
            for number, (turn, answer) in enumerate(zip(talk.turns, answering(talk), strict=True)):
                read = sentences(turn.said, answer)
                rows += (bias + signals for signals in read)
                owners += [len(labels)] * len(read)
                labels.append(float(number in evidence))
    return _Evidence(
        signals=np.array(rows),
        owner=np.array(owners, dtype=np.intp),
        labels=np.array(labels),
        prior=np.array([*([0.0] * len(sets)), *(PRIOR[name] for name in NAMES)]),
        pull=np.array([*([0.0] * len(sets)), *([strength] * len(NAMES))]),
    )
