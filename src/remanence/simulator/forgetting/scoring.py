"""Scoring: what each contender keeps of a talk under every budget, and what many talks come to.

A talk is scored alone, from what can be handed to another process, so several may be scored at once; the numbers hang
on the talk and the seed and are the same either way. Chance is the mean of eight drawings. Of questions, found is the
share of the evidence among ten; of a trace, the share of later uses that find their memory.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from remanence.model.policy import Policy
from remanence.simulator.contenders.bm25 import Bm25
from remanence.simulator.forgetting import contenders
from remanence.simulator.forgetting.replay import Asked, Forgetter, Known, halved, replayed
from remanence.simulator.forgetting.skill import Floats, interval, share, skill
from remanence.simulator.forgetting.talks import Talk
from remanence.simulator.forgetting.traces import USES, later, relived

REFIT = "refitted on "
_CHANCES = 8
_HALVES = 6
_Half = tuple[Mapping[int, Sequence[Asked]], Sequence[Asked]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One contender under one access model and budget; `budget` None is the mean over the budgets of the run.

    `all` keeps everything; its budget is the one whose bounds its skill is told by.
    """

    dataset: str
    access: str
    budget: float | None
    contender: str
    share: float
    """Of the evidence, found among ten; of later uses, those that found their memory."""
    evidence_kept: float
    """Of a trace: the share of the memories used later that were held to their last use."""
    skill: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Who takes part, under which budgets; `weights` are fitted anew, by the set they were fitted on."""

    names: Sequence[str]
    policies: Mapping[str, Policy]
    weights: Mapping[str, Mapping[str, float]]
    budgets: Sequence[float]
    seed: int

    def runners(self, access: str) -> list[Forgetter]:
        """Those that choose, the oracle first; of talks with accesses who looks at them: the rest choose alike."""
        chosen = contenders.made(self.names, self.policies)
        if access == "none":
            ours = self.policies[contenders.OURS]
            chosen += [contenders.ours(ours, some, name=REFIT + name) for name, some in self.weights.items()]
        elif access != USES:
            chosen = [one for one in chosen if one.name in contenders.USING]
        return [contenders.oracle(), *chosen]


@dataclass(slots=True)
class Sums:
    """Of one talk under one access model: what was found and what was kept, over its questions or later uses."""

    questions: float
    of: dict[tuple[str, float], tuple[float, float]] = field(default_factory=dict)


def scored(
    asked: Sequence[tuple[Talk, Sequence[str]]], contest: Contest, jobs: int = 1
) -> Iterator[Mapping[str, Sums]]:
    """Each talk under its access models, in the order given, in so many processes."""
    jobs = min(jobs, len(asked))
    if jobs <= 1:
        words = Bm25()
        yield from (_of_talk(talk, models, contest, words) for talk, models in asked)
        return
    # A fresh process rather than a copy of this one, which may hold threads and an open store.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=fresh, initializer=_Worker.begin, initargs=(contest,)) as pool:
        yield from pool.map(_Worker.work, asked)


class _Worker:
    """What a process that scores talks holds."""

    contest: Contest
    words: Bm25

    @classmethod
    def begin(cls, contest: Contest) -> None:
        cls.contest, cls.words = contest, Bm25()

    @classmethod
    def work(cls, asked: tuple[Talk, Sequence[str]]) -> Mapping[str, Sums]:
        return _of_talk(*asked, cls.contest, cls.words)


def _of_talk(talk: Talk, models: Sequence[str], contest: Contest, words: Bm25) -> dict[str, Sums]:
    known = Known(talk, words)
    return {model: _of_model(known, model, contest) for model in models}


def _of_model(known: Known, access: str, contest: Contest) -> Sums:
    halves = _halves(known, access, contest.seed)
    sums = Sums(float(np.mean([_number(known, scored) for _, scored in halves])))
    runners = contest.runners(access)
    chances = [contenders.random(contest.seed + number) for number in range(_CHANCES)]
    for budget in contest.budgets:
        for runner in runners:
            sums.of[runner.name, budget] = _mean([_run(known, runner, budget, access, half) for half in halves])
        # By lot, whatever was accessed.
        drawn = [_run(known, chance, budget, "none", ({}, half[1])) for half in halves for chance in chances]
        sums.of[contenders.RANDOM, budget] = _mean(drawn)
        if contenders.ALL in contest.names:
            sums.of[contenders.ALL, budget] = _mean([_whole(known, half) for half in halves])
    return sums


def _halves(known: Known, access: str, seed: int) -> list[_Half]:
    if access != "questions":
        return [({}, known.talk.questions)]
    return [halved(known.talk, seed + number) for number in range(_HALVES)]


def _number(known: Known, questions: Sequence[Asked]) -> int:
    return len(questions) if known.talk.past is None else sum(later(known.talk))


def _run(known: Known, runner: Forgetter, budget: float, access: str, half: _Half) -> tuple[float, float]:
    if known.talk.past is None:
        return asked_of(known, replayed(known, runner, budget, access, half[0]), half[1])
    found, whole = relived(known, runner, budget)
    return found, whole * sum(later(known.talk))


def _whole(known: Known, half: _Half) -> tuple[float, float]:
    if known.talk.past is None:
        return asked_of(known, np.ones(len(known.talk.turns), dtype=bool), half[1])
    number = float(sum(later(known.talk)))
    return number, number


def asked_of(known: Known, kept: NDArray[np.bool_], questions: Sequence[Asked]) -> tuple[float, float]:
    """The sums over questions of what is found, and of the evidence that is still there."""
    found = sum(known.answers(kept, questions))
    still = sum(float(np.mean([kept[row] for row in question.evidence])) for question in questions)
    return found, still


def _mean(each: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return float(np.mean([found for found, _ in each])), float(np.mean([kept for _, kept in each]))


def table(dataset: str, access: str, talks: Sequence[Sums], budgets: Sequence[float], seed: int) -> list[Score]:
    """Every contender under every budget, and over all of them where there are several."""
    several = [tuple(budgets)] if len(budgets) > 1 else []
    return [
        _score(dataset, access, name, some, talks, seed)
        for name in dict.fromkeys(name for name, _ in talks[0].of)
        for some in (*((budget,) for budget in budgets), *several)
        if all((name, budget) in talks[0].of for budget in some)
    ]


def _score(dataset: str, access: str, name: str, budgets: Sequence[float], talks: Sequence[Sums], seed: int) -> Score:
    questions = np.array([one.questions for one in talks])

    def columns(who: str, number: int = 0) -> list[Floats]:
        return [np.array([one.of[who, budget][number] for one in talks]) for budget in budgets]

    mine, chance, best = (columns(who) for who in (name, contenders.RANDOM, contenders.ORACLE))
    low, high = interval(mine, chance, best, seed)
    return Score(
        dataset=dataset,
        access=access,
        budget=budgets[0] if len(budgets) == 1 else None,
        contender=name,
        share=float(np.mean([share(sums, questions) for sums in mine])),
        evidence_kept=float(np.mean([share(sums, questions) for sums in columns(name, 1)])),
        skill=float(np.mean([skill(m, c, o) for m, c, o in zip(mine, chance, best, strict=True)])),
        low=low,
        high=high,
    )
