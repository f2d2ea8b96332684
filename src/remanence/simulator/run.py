"""A run: the sets that are there, every protocol of theirs, every contender; one report.

Contenders take turns under one protocol, so that a slow hour of the machine is shared by all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter

from remanence.errors import InvalidInput
from remanence.simulator.contenders import Contender
from remanence.simulator.contenders.bm25 import Bm25
from remanence.simulator.contenders.encoder import Cached, Encoder
from remanence.simulator.contenders.ours import Ours
from remanence.simulator.contenders.rrf import Rrf
from remanence.simulator.datasets import coexist, files, locomo, longmemeval, precisionmembench
from remanence.simulator.datasets import factconsolidation as facts
from remanence.simulator.protocols import Step
from remanence.simulator.protocols import coexist as ask_coexist
from remanence.simulator.protocols import factconsolidation as ask_facts
from remanence.simulator.protocols import locomo as ask_locomo
from remanence.simulator.protocols import longmemeval as ask_longmemeval
from remanence.simulator.protocols import precisionmembench as ask_precisionmembench
from remanence.simulator.report import Report, Result

CONTENDERS = ("ours", "bm25", "rrf")
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Job:
    """One protocol for all contenders: how many questions it asks of each, and how to ask."""

    questions: int
    ask: Callable[[Contender, Step], list[Result]]


def contenders(
    names: Sequence[str], encoder: Encoder | None = None, settings: dict[str, object] | None = None
) -> list[Contender]:
    """The contenders of these names; they share one cache of embedded texts."""
    if unknown := [name for name in names if name not in CONTENDERS]:
        raise InvalidInput([f"no contender is called {n!r}; known are {', '.join(CONTENDERS)}" for n in unknown])
    if "rrf" in names and encoder is None:
        raise InvalidInput("rrf needs an embedding model, and this version of remanence has none")
    cached = None if encoder is None else Cached(encoder)
    words = Bm25()
    made: dict[str, Callable[[], Contender]] = {
        "ours": lambda: Ours(embedder=cached, settings=settings),
        "bm25": lambda: words,
        "rrf": lambda: Rrf(cached, words),  # type: ignore[arg-type]
    }
    return [made[name]() for name in dict.fromkeys(names)]


def sources() -> list[str]:
    """Where each data set comes from."""
    return files.sources(files.SETS)


def recall(
    data: Path | None,
    runners: Sequence[Contender],
    *,
    version: str,
    only: Sequence[str] | None = None,
    limit: int | None = None,
    granularity: str = "session",
    progress: Progress | None = None,
) -> Report:
    """Run the benchmarks of recall on a data folder; `limit` takes only so many questions of each protocol.

    Without a folder, only the set that comes with the package.
    """
    started = perf_counter()
    read: list[dict[str, str]] = []
    notes: list[str] = []
    results: list[Result] = []
    jobs: list[Job] = []
    for name in _sets(data, only):
        loaded = [coexist.load()] if name == coexist.NAME or data is None else files.load(data, name)
        read += ({"name": file.name, "sha256": file.sha256} for file in loaded)
        jobs += _JOBS[name](loaded, limit, granularity, notes)
    done, total = 0, sum(job.questions for job in jobs) * len(runners)

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    if progress is not None:
        progress(0, total)
    for job in jobs:
        for runner in runners:
            results += job.ask(runner, step)
    return Report(
        version=version,
        data="" if data is None else data.name,
        limit=limit,
        files=read,
        notes=notes,
        results=results,
        seconds=perf_counter() - started,
    )


def _sets(data: Path | None, only: Sequence[str] | None) -> tuple[str, ...]:
    """The sets to run: those of the folder, and the one of the package."""
    if data is None:
        if only is None or set(only) != {coexist.NAME}:
            raise InvalidInput(
                [f"only {coexist.NAME} comes with the package; the other sets need a folder", *sources()]
            )
        return (coexist.NAME,)
    own = (coexist.NAME,) if only is None or coexist.NAME in only else ()
    rest = None if only is None else tuple(name for name in only if name != coexist.NAME)
    return (*(files.present(data, rest) if rest != () else ()), *own)


def _coexist(loaded: list[files.File], limit: int | None, granularity: str, notes: list[str]) -> Iterator[Job]:
    asked = coexist.facts_of([group for file in loaded for group in coexist.read(file)])[:limit]
    yield Job(len(asked), partial(ask_coexist.run, asked))


def _longmemeval(loaded: list[files.File], limit: int | None, granularity: str, notes: list[str]) -> Iterator[Job]:
    questions = longmemeval.read(loaded)
    answerable = [question for question in questions if question.answerable]
    asked = answerable[:limit]
    notes.append(f"longmemeval: {len(questions) - len(answerable)} abstention questions are not asked")
    if again := sum(len(file.content) for file in loaded) - len(questions):
        notes.append(f"longmemeval: {again} questions come again in a later file and are left out")
    # A limit shortens the pooled store too, or a quick look would not be quick; the number is then another one.
    kept = questions if limit is None else asked
    for part in ask_longmemeval.PARTS:
        yield Job(len(asked), partial(ask_longmemeval.run, kept, part, granularity))


def _locomo(loaded: list[files.File], limit: int | None, granularity: str, notes: list[str]) -> Iterator[Job]:
    conversations = locomo.read(loaded)
    notes.append(
        f"locomo: {sum(c.repaired for c in conversations)} malformed evidence ids were read, "
        f"{sum(c.unreadable for c in conversations)} could not be or name no turn, "
        f"{sum(c.without_evidence for c in conversations)} questions have no evidence and are not asked; "
        "adversarial questions (category 5) count like the others"
    )
    left = sum(len(c.questions) for c in conversations) if limit is None else limit
    kept: list[locomo.Conversation] = []
    for conversation in conversations:
        chosen = conversation.questions[:left]
        left -= len(chosen)
        if chosen:
            kept.append(replace(conversation, questions=chosen))
    asked = sum(len(c.questions) for c in kept)
    for part in ask_locomo.PARTS:
        yield Job(asked, partial(ask_locomo.run, kept, part))


def _facts(loaded: list[files.File], limit: int | None, granularity: str, notes: list[str]) -> Iterator[Job]:
    tasks = facts.read(loaded)
    if hops := [task.name for task in tasks if not task.single_hop]:
        notes.append(f"factconsolidation: {', '.join(hops)} is multi-hop and not asked: no single fact answers it")
    for task in tasks:
        if task.single_hop:
            short = replace(task, questions=task.questions[:limit])
            yield Job(len(short.questions), partial(ask_facts.run, short))


def _precisionmembench(
    loaded: list[files.File], limit: int | None, granularity: str, notes: list[str]
) -> Iterator[Job]:
    beliefs, cases = precisionmembench.read(loaded)
    yield Job(len(cases[:limit]), partial(ask_precisionmembench.run, beliefs, cases[:limit]))


_JOBS: dict[str, Callable[[list[files.File], int | None, str, list[str]], Iterator[Job]]] = {
    "longmemeval": _longmemeval,
    "locomo": _locomo,
    "factconsolidation": _facts,
    "precisionmembench": _precisionmembench,
    coexist.NAME: _coexist,
}
