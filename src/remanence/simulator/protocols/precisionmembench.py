"""PrecisionMemBench: cases passed. A case passes when every tier it expects something of is as expected.

passed: cases; active: those among them that want at least one relevant belief, which neither returning nothing nor
returning everything can pass. precision, recall: of the relevant beliefs, averaged over the cases where they apply.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from remanence.simulator.contenders import Contender
from remanence.simulator.contenders.beliefs import Answer, Desk, MindDesk, PlainDesk
from remanence.simulator.contenders.ours import Ours
from remanence.simulator.datasets.precisionmembench import Belief, Case
from remanence.simulator.protocols import Step, Tally
from remanence.simulator.report import Result, mean

DATASET = "precisionmembench"


def run(beliefs: Sequence[Belief], cases: Sequence[Case], contender: Contender, step: Step) -> list[Result]:
    tally = Tally()
    failures: dict[str, list[str]] = {}
    precision: list[float] = []
    recall: list[float] = []
    with tempfile.TemporaryDirectory(prefix="remanence-bench-") as folder:
        desk: Desk
        if isinstance(contender, Ours):
            desk = MindDesk(contender, beliefs, Path(folder))
        else:
            desk = PlainDesk(contender, beliefs)
        for case in cases:
            answer = desk.answer(case)
            if problems := problems_of(case, answer):
                failures[case.id] = problems
            right = len(set(case.wanted) & set(answer.relevant))
            if answer.relevant or case.wanted:
                precision.append(right / max(len(answer.relevant), 1))
            if case.wanted:
                recall.append(right / len(case.wanted))
            step()
        desk.close()
    metrics = {
        "passed": len(cases) - len(failures),
        "active": sum(bool(case.wanted) and case.id not in failures for case in cases),
        "precision": mean(precision),
        "recall": mean(recall),
    }
    numbers = {"questions": len(cases), "memories": len(beliefs)}
    told = {"missed": list(failures), "failures": failures}
    return [tally.result(DATASET, "cases", contender.name, "passed", metrics=metrics, **numbers, **told)]


def problems_of(case: Case, answer: Answer) -> list[str]:
    """Why a case fails; empty when it passes."""
    problems: list[str] = []
    prelude = case.expect.get("personaPrelude", {})
    if prelude.get("nonEmpty") and not answer.prelude:
        problems.append("prelude: empty")
    if prelude.get("isNull") and answer.prelude:
        problems.append("prelude: not empty")
    problems += (f"prelude: lacks {text!r}" for text in prelude.get("contains", ()) if text not in answer.prelude)
    problems += (f"prelude: has {text!r}" for text in prelude.get("mustNotContain", ()) if text in answer.prelude)
    problems += _tier("pinned", case.expect.get("pinnedFacts", {}), answer.pinned)
    problems += _tier("questions", case.expect.get("openQuestions", {}), answer.questions)
    relevant = case.expect.get("relevantBeliefs", {})
    problems += _tier("relevant", relevant, (*answer.pinned, *answer.relevant))
    problems += _relevant(relevant, answer.relevant)
    return problems


def _tier(name: str, expect: Mapping[str, Any], got: Sequence[str]) -> list[str]:
    wanted = (*expect.get("mustInclude", ()), *expect.get("shouldInclude", ()))
    missing = [f"{name}: lacks {id}" for id in wanted if id not in got]
    return missing + [f"{name}: has {id}" for id in expect.get("mustExclude", ()) if id in got]


def _relevant(expect: Mapping[str, Any], got: Sequence[str]) -> list[str]:
    problems: list[str] = []
    only = expect.get("shouldOnlyInclude")
    if only is not None:
        problems += (f"relevant: lacks {id}" for id in only if id not in got)
        problems += (f"relevant: also {id}" for id in got if id not in only)
    if len(got) > expect.get("maxCount", len(got)):
        problems.append(f"relevant: {len(got)} beliefs, at most {expect['maxCount']}")
    if len(got) < expect.get("minCount", 0):
        problems.append(f"relevant: {len(got)} beliefs, at least {expect['minCount']}")
    for first, second in expect.get("orderedBefore", ()):
        if not (first in got and second in got and got.index(first) < got.index(second)):
            problems.append(f"relevant: {first} is not before {second}")
    return problems
