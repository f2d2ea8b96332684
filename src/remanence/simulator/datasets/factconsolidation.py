"""FactConsolidation (of MemoryAgentBench, conflict resolution): numbered facts, of which later ones override earlier.

A task is one list of facts ("0. Thomas Kyd was born in the city of London.") with questions and their current answers.
Its name says how many hops a question takes and how long the list is: `factconsolidation_sh_6k` is single-hop, 6k
tokens. Multi-hop questions are read and marked; no single fact answers them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from remanence.simulator.datasets.files import File, Problems, rows

_FACT = re.compile(r"^\s*(\d+)\.\s+(\S.*?)\s*$", re.MULTILINE)
_NAME = re.compile(r"factconsolidation_(?P<hops>[a-z]+)_(?P<size>\w+?)(?:_no\d+)?")


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: str
    answers: tuple[str, ...]
    """Ways to write the current value."""


@dataclass(frozen=True, slots=True)
class Task:
    name: str
    single_hop: bool
    facts: tuple[str, ...]
    """In their order: later ones override earlier."""
    questions: tuple[Question, ...]


def read(files: Sequence[File]) -> list[Task]:
    """The tasks of all files; one of a name that comes again is left out."""
    tasks: dict[str, Task] = {}
    for file in files:
        problems = Problems(file.name)
        for number, row in enumerate(rows(file)):
            where = f"task {number}"
            context = problems.field(where, row, "context", str)
            asked = problems.field(where, row, "questions", list)
            answers = problems.field(where, row, "answers", list)
            if context is None or asked is None or answers is None:
                continue
            if len(asked) != len(answers):
                problems.add(where, f"{len(asked)} questions and {len(answers)} answers")
                continue
            facts = sorted((int(no), text) for no, text in _FACT.findall(context))
            if not facts:
                problems.add(where, "its context has no numbered fact")
                continue
            name, single = _named(row, f"{file.name}#{number}")
            questions = tuple(
                Question(f"{name}/{n}", str(text), _ways(answer))
                for n, (text, answer) in enumerate(zip(asked, answers, strict=True))
            )
            tasks.setdefault(name, Task(name, single, tuple(text for _, text in facts), questions))
        problems.raise_any()
    return list(tasks.values())


def _named(row: dict[str, object], otherwise: str) -> tuple[str, bool]:
    metadata = row.get("metadata")
    source = metadata.get("source") if isinstance(metadata, dict) else None
    if source is None and isinstance(metadata, dict) and metadata.get("qa_pair_ids"):
        source = metadata["qa_pair_ids"][0]
    match = _NAME.fullmatch(str(source))
    return (f"{match['hops']} {match['size']}", match["hops"] == "sh") if match else (otherwise, True)


def _ways(answer: object) -> tuple[str, ...]:
    return tuple(map(str, answer)) if isinstance(answer, list) else (str(answer),)
