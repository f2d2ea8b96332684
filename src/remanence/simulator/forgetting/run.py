"""A run: talks and traces × access models × budgets × contenders → one table, with skill and its interval.

Data sets: LoCoMo and LongMemEval from a folder; `talks` and `unseen-talks`, written for this and part of the package,
in LoCoMo's layout, of which the weights have seen the first and never the second; `worlds`, which are made up; and
`store`, the past of the user's own store. Everything but the clock of the machine hangs on the data, the seed and the
weights, so a second run gives the same table, in however many processes. The product takes part at 30 % kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from remanence.errors import InvalidInput
from remanence.model.policy import Policy
from remanence.simulator.contenders.bm25 import Bm25
from remanence.simulator.datasets import files, locomo, longmemeval
from remanence.simulator.forgetting import contenders, talks, traces
from remanence.simulator.forgetting.fitting import fitted
from remanence.simulator.forgetting.product import Product
from remanence.simulator.forgetting.replay import ACCESS_MODELS, Known
from remanence.simulator.forgetting.scoring import REFIT, Contest, Score, Sums, asked_of, scored, table

__all__ = ["BUDGETS", "PERSONA", "REFIT", "SETS", "Report", "Score", "forgetting", "problems_of"]

FROM_FOLDER = ("locomo", "longmemeval")
WORLDS, STORE = "worlds", "store"
WRITTEN = {"talks": "talks.json", "unseen-talks": "unseen_talks.json"}
SETS = (*FROM_FOLDER, *WRITTEN, WORLDS, STORE)
UNFITTED = ("unseen-talks",)
PERSONA = "longmemeval, persona sessions"
BUDGETS = (0.5, 0.3, 0.2, 0.1)
ACCESS = ("none", "dialogue")
PRODUCT_BUDGET = 0.3
PRODUCT_TALKS = 20
"""It is slow: where nobody asked for it by name it takes part in so many talks of a set."""
Progress = Callable[[int, int], None]


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


def needs_folder(only: Sequence[str] | None) -> tuple[str, ...]:
    """Which of the sets asked for come from a folder: talks."""
    return FROM_FOLDER if only is None else tuple(name for name in FROM_FOLDER if name in only)


def problems_of(
    data: Path | None,
    names: Sequence[str],
    only: Sequence[str] | None = None,
    budgets: Sequence[float] = BUDGETS,
    access: Sequence[str] = ACCESS,
) -> list[str]:
    """All that is wrong with what was asked for."""
    problems = [
        f"no data set is called {name!r}; known are {', '.join(SETS)}" for name in only or () if name not in SETS
    ]
    problems += contenders.problems_of(names)
    problems += [
        f"a budget of {100 * budget:g} % leaves nothing to choose; give one above 0 and below 100"
        for budget in dict.fromkeys(budgets)
        if not 0 < budget < 1
    ]
    problems += [
        f"no access model is called {name!r}; known are {', '.join(ACCESS_MODELS)}, for talks; worlds and store go by "
        "their own uses"
        for name in dict.fromkeys(access)
        if name not in ACCESS_MODELS
    ]
    wanted = needs_folder(only)
    if wanted and data is None:
        where = "say where the data is: --data DIR, or the setting bench.data; --only talks,worlds needs none"
        problems += [where, *files.sources(wanted)]
    elif wanted and data is not None:
        try:
            files.present(data, None if only is None else wanted, FROM_FOLDER)
        except InvalidInput as missing:
            problems += missing.problems
    return problems


def forgetting(
    data: Path | None,
    names: Sequence[str],
    policies: Mapping[str, Policy],
    *,
    version: str,
    only: Sequence[str] | None = None,
    budgets: Sequence[float] = BUDGETS,
    access: Sequence[str] = ACCESS,
    seed: int = 0,
    store: talks.Talk | None = None,
    product: Product | None = None,
    product_talks: int | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Run the benchmark of forgetting: on the sets of a folder and on worlds, or only on those named.

    `store` is a store's own past; `product` takes part at `PRODUCT_BUDGET` in talks, at most so many of each set.
    """
    started = perf_counter()
    if problems := problems_of(data, names, only, budgets, access):
        raise InvalidInput(problems)
    budgets, access, names = list(dict.fromkeys(budgets)), list(dict.fromkeys(access)), contenders.called(names)
    read: list[Mapping[str, str]] = []
    found = {} if data is None else _from_folder(data, only, read)
    for name, file in WRITTEN.items():
        if only is None or name in only:
            loaded = files.packaged(file)
            read.append({"name": loaded.name, "sha256": loaded.sha256})
            found[name] = talks.of_locomo(locomo.read([loaded]))
    fitting = [name for name in (*FROM_FOLDER, *WRITTEN) if name in found and name not in UNFITTED]
    fits = {name: fitted([found[name]]) for name in fitting if contenders.OURS in names}
    if only is None or WORLDS in only:
        found[WORLDS] = traces.of_worlds(seed)
    if store is not None:
        found[STORE] = [_used(store)]
    contest = Contest(names=names, policies=policies, weights=fits, budgets=budgets, seed=seed)
    models = {name: _models(some, access) for name, some in found.items()}
    if not any(models.values()):
        raise InvalidInput([f"{name}: {_NO_HALF}; ask with --access none or dialogue" for name in found])
    lived = _of_product(found, models, product, budgets, product_talks)
    done = 0
    total = sum(len(models[name]) * len(some) for name, some in found.items()) + sum(map(len, lived.values()))

    def step(number: int = 1) -> None:
        nonlocal done
        done += number
        if progress is not None:
            progress(done, total)

    step(0)
    sums: dict[str, list[Mapping[str, Sums]]] = {name: [] for name in found}
    asked = [(name, talk) for name, some in found.items() for talk in some]
    outcomes = scored([(talk, models[name]) for name, talk in asked], contest, jobs)
    for (name, _), outcome in zip(asked, outcomes, strict=True):
        sums[name].append(outcome)
        step(len(models[name]))
    notes = _notes(found, access)
    if contenders.PRODUCT in names and (past := [name for name, some in found.items() if some[0].past is not None]):
        notes.append(f"{contenders.PRODUCT} takes part in talks alone, not in {' and '.join(past)}")
    scores: list[Score] = []
    words = Bm25()
    for name, some in found.items():
        for model in models[name]:
            scores += table(name, model, [one[model] for one in sums[name]], budgets, seed)
        if product is not None and (places := lived[name]):
            chosen = [sums[name][place]["none"] for place in places]
            for place, one in zip(places, chosen, strict=True):
                known = Known(some[place], words)
                kept = product.kept(known, PRODUCT_BUDGET)
                one.of[product.name, PRODUCT_BUDGET] = asked_of(known, kept, some[place].questions)
                step()
            rows = {score.contender: score for score in table(name, "none", chosen, [PRODUCT_BUDGET], seed)}
            scores.append(rows[product.name])
            if len(places) < len(some):
                notes.append(
                    f"{name}: {product.name} took part in {len(places)} of {len(some)} conversations, evenly spaced, "
                    f"where chance finds {rows[contenders.RANDOM].share:.3f} and the oracle "
                    f"{rows[contenders.ORACLE].share:.3f}; named by --contender it takes part in all"
                )
    if product is not None and PRODUCT_BUDGET not in budgets:
        notes.append(f"{product.name} takes part at {PRODUCT_BUDGET:.0%} kept alone, which is not among the budgets")
    return Report(
        version=version,
        data="" if data is None else data.name,
        seed=seed,
        files=read,
        notes=notes,
        weights=fits,
        scores=scores,
        seconds=perf_counter() - started,
    )


def _from_folder(data: Path, only: Sequence[str] | None, read: list[Mapping[str, str]]) -> dict[str, list[talks.Talk]]:
    """The talks of the sets that are there; InvalidInput names those without a question."""
    found: dict[str, list[talks.Talk]] = {}
    wanted = needs_folder(only)
    for name in files.present(data, None if only is None else wanted, FROM_FOLDER) if wanted else ():
        loaded = files.load(data, name)
        read += ({"name": file.name, "sha256": file.sha256} for file in loaded)
        if name == "locomo":
            found[name] = talks.of_locomo(locomo.read(loaded))
        else:
            questions = longmemeval.read(loaded)
            found[name] = talks.of_longmemeval(questions)
            if persona := talks.of_longmemeval(questions, persona=True):
                found[PERSONA] = persona
    if empty := [name for name, some in found.items() if not some]:
        given = {
            name: ", ".join(file["name"] for file in read if file["name"].startswith(f"{name}/")) for name in empty
        }
        raise InvalidInput(
            [
                f"{name}: no question with evidence in {given[name]}, so nothing tells what was lost; "
                "get the whole file, or leave the set out with --only"
                for name in empty
            ]
        )
    return found


def _used(store: talks.Talk) -> talks.Talk:
    """The past of a store, where something was used later than in the week it came."""
    if not sum(traces.later(store)):
        raise InvalidInput(
            "store: no memory was recalled after the week in which it was written, so no loss can be known: go on "
            "using the store and ask again, or ask with --only worlds"
        )
    return store


_NO_HALF = "one question a conversation, so there is no other half to ask"


def _models(some: Sequence[talks.Talk], access: Sequence[str]) -> list[str]:
    """The access models that a set can be asked under."""
    if some[0].past is not None:
        return [traces.USES]
    return [model for model in access if model != "questions" or any(len(talk.questions) > 1 for talk in some)]


def _of_product(
    found: Mapping[str, Sequence[talks.Talk]],
    models: Mapping[str, Sequence[str]],
    product: Product | None,
    budgets: Sequence[float],
    most: int | None,
) -> dict[str, list[int]]:
    """In which talks of each set the product takes part: all, or so many, evenly spaced."""
    lived: dict[str, list[int]] = {}
    for name, some in found.items():
        takes_part = product is not None and PRODUCT_BUDGET in budgets and "none" in models[name]
        number = len(some) if most is None else min(most, len(some))
        lived[name] = np.linspace(0, len(some) - 1, number).round().astype(int).tolist() if takes_part else []
    return lived


def _notes(found: Mapping[str, Sequence[talks.Talk]], access: Sequence[str]) -> list[str]:
    notes = []
    for name, some in found.items():
        number = sum(len(talk.turns) for talk in some)
        if some[0].past is None:
            asked = sum(len(talk.questions) for talk in some)
            notes.append(f"{name}: {_counted(len(some))}, {asked:,} questions, {number:,} turns")
            if "questions" in access and "questions" not in _models(some, access):
                notes.append(f"{name}: {_NO_HALF}: not run")
        else:
            uses = sum(sum(traces.later(talk)) for talk in some)
            years = f"{len(some)} made-up years" if name == WORLDS else "the past of this store"
            notes.append(
                f"{name}: {years}, {number:,} memories, {uses:,} uses later than in the week a memory came; found: the "
                "share of these that find it; evidence: of the memories so used, those held to their last use"
            )
            if name == STORE:
                notes.append(f"{name}: no interval, since memories of one past stand and fall together")
        if len(some) == 1 and name != STORE:
            notes.append(f"{name}: no interval, which is by bootstrap over conversations, and there is one")
    return notes


def _counted(number: int) -> str:
    return f"{number:,} conversation{'s' * (number != 1)}"
