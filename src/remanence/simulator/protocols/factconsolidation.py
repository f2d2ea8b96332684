"""FactConsolidation, single-hop: is the first hit the current value? Facts are fed in order, born a second apart.

first: the first hit's words hold one way to write the current answer. any@10: the fact that says so is among the first
ten; of the facts that hold the answer, that is the one with most of the question's words, so another subject of the
same value does not count. Where the two differ it was found behind one that is out of date or about something else;
where any@10 is missed it was taken for out of date. Multi-hop tasks are left out: no single memory answers them.

A forerunner of a current fact came before it and says the same words up to the value, and another value. hidden: of the
questions that have forerunners, the share where none is among the first ten. superseded hidden: the same of those that
share more than 0.7 of their words with the current fact, which is what the rule at the door takes for an older version.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from remanence.lifecycle.duplicates import SUPERSEDE_JACCARD, jaccard
from remanence.model.words import tokens_of, words
from remanence.simulator.contenders import Contender, Item
from remanence.simulator.contenders.stems import stems
from remanence.simulator.datasets.factconsolidation import Question, Task
from remanence.simulator.protocols import Step, Tally
from remanence.simulator.report import Result

DATASET = "factconsolidation"
_BORN = datetime(2024, 1, 1, tzinfo=UTC)
_BETWEEN = timedelta(seconds=1)
_FIRST = 10


def run(task: Task, contender: Contender, step: Step) -> list[Result]:
    """The result of one single-hop task."""
    wanted = [current(task, question) for question in task.questions]
    tally = Tally()
    items = [Item(str(number), text, _BORN + number * _BETWEEN) for number, text in enumerate(task.facts)]
    haystack = contender.filled(items)
    tally.memories = len(items)
    tally.counts.update(haystack.counts())
    asked_at = _BORN + len(items) * _BETWEEN
    for question, right in zip(task.questions, wanted, strict=True):
        found = [task.facts[int(label)] for label in haystack.asked(question.text, asked_at, _FIRST)]
        first = float(any(holds(text, question.answers) for text in found[:1]))
        metrics = {"first": first, "any_at_10": float(bool(right & set(found)))}
        old = forerunners(task, question, right)
        for name, some in (("hidden", old), ("superseded hidden", versions(old, right))):
            if some:
                metrics[name] = float(some.isdisjoint(found))
        tally.note(question.id, "first", **metrics)
        step()
    haystack.close()
    return [tally.result(DATASET, task.name, contender.name, "first")]


def current(task: Task, question: Question) -> set[str]:
    """The facts that give the current value: they hold the answer, and most of the question's words."""
    asked = set(stems(question.text))
    shared = {text: len(asked & set(stems(text))) for text in task.facts if holds(text, question.answers)}
    most = max(shared.values(), default=0)
    return {text for text, number in shared.items() if number == most}


def forerunners(task: Task, question: Question, right: set[str]) -> set[str]:
    """The facts that gave the asked subject another value before the current fact did."""
    openings = [opening for text in right if (opening := _before(text, question.answers))]
    last = max((place for place, text in enumerate(task.facts) if text in right), default=0)
    others = {text for text in task.facts[:last] if not holds(text, question.answers)}
    return {text for text in others if any(f"{' '.join(words(text))} ".startswith(one) for one in openings)}


def versions(old: set[str], right: set[str]) -> set[str]:
    """Those that share so many words with the current fact that they are older versions of it."""
    return {
        text
        for text in old
        if any(jaccard(tokens_of(text), tokens_of(current)) > SUPERSEDE_JACCARD for current in right)
    }


def _before(text: str, answers: Sequence[str]) -> str:
    """The words before an answer, which is what a fact is about; empty where it begins with one."""
    said = f"{' '.join(words(text))} "
    parts = [said.split(f" {' '.join(words(answer))} ", maxsplit=1)[0] for answer in answers if words(answer)]
    return f"{min(parts, key=len)} " if parts and min(map(len, parts)) < len(said) else ""


def holds(text: str, answers: Sequence[str]) -> bool:
    """Whether the text has the words of one of the answers, side by side."""
    said = f" {' '.join(words(text))} "
    return any(f" {' '.join(words(answer))} " in said for answer in answers if words(answer))
