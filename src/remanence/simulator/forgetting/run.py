"""A run: talks × access models × budgets × contenders → one table, with skill and its interval.

Chance is the mean of eight drawings. Everything but the clock of the machine hangs on the data, the seed and the
weights, so a second run gives the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence.errors import InvalidInput
from remanence.model.policy import Policy
from remanence.simulator.contenders.bm25 import Bm25
from remanence.simulator.datasets import files, locomo, longmemeval
from remanence.simulator.forgetting import contenders, talks
from remanence.simulator.forgetting.fitting import fitted
from remanence.simulator.forgetting.product import Product
from remanence.simulator.forgetting.replay import ACCESS_MODELS, Asked, Forgetter, Known, halved, replayed
from remanence.simulator.forgetting.skill import Floats, interval, share, skill

SETS = ("locomo", "longmemeval")
PERSONA = "longmemeval, persona sessions"
BUDGETS = (0.5, 0.3, 0.2, 0.1)
PRODUCT_BUDGET = 0.3
REFIT = "refitted on "
_CHANCES = 8
_HALVES = 6
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One contender under one access model and budget; `budget` None is the mean over the budgets of the run."""

    dataset: str
    access: str
    budget: float | None
    contender: str
    share: float
    """Of the evidence, found among ten."""
    evidence_kept: float
    skill: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    version: str
    data: str
    seed: int
    files: Sequence[Mapping[str, str]]
    notes: Sequence[str]
    weights: Mapping[str, Mapping[str, float]]
    """Of the rows that were fitted anew, by the set they were fitted on."""
    scores: Sequence[Score]
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def problems_of(budgets: Sequence[float], access: Sequence[str]) -> list[str]:
    """What is wrong with what was asked for."""
    problems = [
        f"a budget of {100 * budget:g} % leaves nothing to choose; give one above 0 and below 100"
        for budget in budgets
        if not 0 < budget < 1
    ]
    problems += [
        f"no access model is called {name!r}; known are {', '.join(ACCESS_MODELS)}"
        for name in access
        if name not in ACCESS_MODELS
    ]
    return problems


def forgetting(
    data: Path,
    names: Sequence[str],
    policies: Mapping[str, Policy],
    *,
    version: str,
    only: Sequence[str] | None = None,
    budgets: Sequence[float] = BUDGETS,
    access: Sequence[str] = ("none", "dialogue"),
    seed: int = 0,
    product: Product | None = None,
    progress: Progress | None = None,
) -> Report:
    """Run the benchmark of forgetting on a data folder; `product` takes part at `PRODUCT_BUDGET`, as it is slow."""
    started = perf_counter()
    chosen = contenders.made(list(names), policies)
    if problems := problems_of(budgets, access):
        raise InvalidInput(problems)
    sets = files.present(data, tuple(only) if only else None)
    if not (there := [name for name in SETS if name in sets]):
        raise InvalidInput([f"{data} holds neither locomo nor longmemeval", *files.sources(SETS)])
    read: list[Mapping[str, str]] = []
    found: dict[str, list[talks.Talk]] = {}
    for name in there:
        loaded = files.load(data, name)
        read += ({"name": file.name, "sha256": file.sha256} for file in loaded)
        if name == "locomo":
            found[name] = talks.of_locomo(locomo.read(loaded))
        else:
            questions = longmemeval.read(loaded)
            found[name] = talks.of_longmemeval(questions)
            found[PERSONA] = talks.of_longmemeval(questions, persona=True)
    weights = {name: fitted([found[name]]) for name in there} if contenders.OURS in names else {}
    refits = [contenders.ours(policies[contenders.OURS], weights[name], name=REFIT + name) for name in weights]
    notes = _notes(found, access)
    words = Bm25()
    done, total = 0, sum(map(len, found.values())) * len(access)

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    scores: list[Score] = []
    for dataset, some in found.items():
        known = [Known(talk, words) for talk in some]
        for model in access:
            if model == "questions" and all(len(talk.questions) < 2 for talk in some):
                continue
            runners = [*chosen, *refits] if model == "none" else [c for c in chosen if c.name in contenders.USING]
            whole = product if model == "none" and PRODUCT_BUDGET in budgets else None
            scores += _table(dataset, model, known, runners, budgets, seed, contenders.ALL in names, whole, step)
    return Report(
        version=version,
        data=data.name,
        seed=seed,
        files=read,
        notes=notes,
        weights=weights,
        scores=scores,
        seconds=perf_counter() - started,
    )


def _notes(found: Mapping[str, Sequence[talks.Talk]], access: Sequence[str]) -> list[str]:
    notes = [
        f"{name}: {len(some)} conversations, {sum(len(talk.questions) for talk in some):,} questions, "
        f"{sum(len(talk.turns) for talk in some):,} turns"
        for name, some in found.items()
    ]
    if "questions" in access and "longmemeval" in found:
        notes.append("longmemeval: one question a conversation, so there is no other half to ask: not run")
    return notes


@dataclass(slots=True)
class _Sums:
    """Of one contender, a conversation a place: what was found and what evidence was kept, over its questions."""

    found: Floats
    kept: Floats


def _table(
    dataset: str,
    access: str,
    known: Sequence[Known],
    runners: Sequence[Forgetter],
    budgets: Sequence[float],
    seed: int,
    everything: bool,
    product: Product | None,
    step: Callable[[], None],
) -> list[Score]:
    """Every contender and budget under one access model."""
    chances = [contenders.random(seed + number) for number in range(_CHANCES)]
    columns: dict[tuple[str, float], _Sums] = {}
    questions = np.zeros(len(known))
    for place, one in enumerate(known):
        halves = _halves(one, access, seed)
        questions[place] = sum(len(scored) for _, scored in halves) / len(halves)
        if everything:
            _add(columns, contenders.ALL, budgets, place, len(known), partial(_whole, one), halves)
        for runner in (contenders.oracle(), *runners):

            def run(budget: float, half: _Half, one: Known = one, runner: Forgetter = runner) -> tuple[float, float]:
                return _asked(one, replayed(one, runner, budget, access, half[0]), half[1])

            _add(columns, runner.name, budgets, place, len(known), run, halves)

        def drawn(budget: float, half: _Half, one: Known = one) -> tuple[float, float]:
            each = [_asked(one, replayed(one, chance, budget, "none"), half[1]) for chance in chances]
            return float(np.mean([f for f, _ in each])), float(np.mean([k for _, k in each]))

        _add(columns, contenders.RANDOM, budgets, place, len(known), drawn, halves)
        if product is not None:
            kept = product.kept(one, PRODUCT_BUDGET)
            _add(columns, product.name, [PRODUCT_BUDGET], place, len(known), partial(_left, one, kept), halves)
        step()
    several = [list(budgets)] if len(budgets) > 1 else []
    return [
        _score(dataset, access, name, some, columns, questions, seed)
        for name in dict.fromkeys(name for name, _ in columns)
        for some in (*([budget] for budget in budgets), *several)
        if all((name, budget) in columns for budget in some)
    ]


_Half = tuple[Mapping[int, Sequence[Asked]], Sequence[Asked]]


def _halves(known: Known, access: str, seed: int) -> list[_Half]:
    if access != "questions":
        return [({}, known.talk.questions)]
    return [halved(known.talk, seed + number) for number in range(_HALVES)]


def _add(
    columns: dict[tuple[str, float], _Sums],
    name: str,
    budgets: Sequence[float],
    place: int,
    size: int,
    run: Callable[[float, _Half], tuple[float, float]],
    halves: Sequence[_Half],
) -> None:
    for budget in budgets:
        sums = columns.setdefault((name, budget), _Sums(np.zeros(size), np.zeros(size)))
        each = [run(budget, half) for half in halves]
        sums.found[place] = float(np.mean([found for found, _ in each]))
        sums.kept[place] = float(np.mean([kept for _, kept in each]))


def _asked(known: Known, kept: NDArray[np.bool_], questions: Sequence[Asked]) -> tuple[float, float]:
    """The sums over questions of what is found, and of the evidence that is still there."""
    found = sum(known.answers(kept, questions))
    still = sum(float(np.mean([kept[row] for row in question.evidence])) for question in questions)
    return found, still


def _whole(known: Known, _: float, half: _Half) -> tuple[float, float]:
    return _asked(known, np.ones(len(known.talk.turns), dtype=bool), half[1])


def _left(known: Known, kept: NDArray[np.bool_], _: float, half: _Half) -> tuple[float, float]:
    return _asked(known, kept, half[1])


def _score(
    dataset: str,
    access: str,
    name: str,
    budgets: Sequence[float],
    columns: Mapping[tuple[str, float], _Sums],
    questions: Floats,
    seed: int,
) -> Score:
    mine = [columns[name, budget].found for budget in budgets]
    chance = [columns[contenders.RANDOM, budget].found for budget in budgets]
    best = [columns[contenders.ORACLE, budget].found for budget in budgets]
    low, high = interval(mine, chance, best, seed)
    return Score(
        dataset=dataset,
        access=access,
        budget=budgets[0] if len(budgets) == 1 else None,
        contender=name,
        share=float(np.mean([share(sums, questions) for sums in mine])),
        evidence_kept=float(np.mean([share(columns[name, budget].kept, questions) for budget in budgets])),
        skill=float(np.mean([skill(m, c, o) for m, c, o in zip(mine, chance, best, strict=True)])),
        low=low,
        high=high,
    )
