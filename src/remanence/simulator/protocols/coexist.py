"""Coexist: of facts that are alike and must all stay, how many are lost? They are told in order, a second apart.

lost: facts that no longer answer to their own text, or are not among the first five that their question finds; the
goal is 0. found@5 is the share of the questions that find their fact, live the share of facts that are still there.
A contender that has jobs (sweeps, deduplication, dreams) is asked again two days later, when all of them have run.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from remanence.simulator.contenders import Contender, Haystack, Item, Resting
from remanence.simulator.datasets.coexist import NAME, Fact
from remanence.simulator.protocols import Step, Tally
from remanence.simulator.report import Result

DATASET = NAME
FIRST = 5
_BORN = datetime(2026, 1, 5, 9, tzinfo=UTC)
_BETWEEN = timedelta(seconds=1)
_LATER = timedelta(days=2)


def run(facts: Sequence[Fact], contender: Contender, step: Step) -> list[Result]:
    """The results of one contender: at once and, where it has jobs, after them."""
    items = [Item(fact.text, fact.text, _BORN + number * _BETWEEN) for number, fact in enumerate(facts)]
    haystack = contender.filled(items)
    at = items[-1].at + _BETWEEN
    results = [_asked(haystack, facts, at, "at once", contender.name)]
    if isinstance(haystack, Resting):
        haystack.rest(at + _LATER)
        results.append(_asked(haystack, facts, at + _LATER, "after every job", contender.name))
    for _ in facts:
        step()
    haystack.close()
    return results


def _asked(haystack: Haystack, facts: Sequence[Fact], at: datetime, protocol: str, contender: str) -> Result:
    tally = Tally()
    tally.memories = len(facts)
    tally.counts.update(haystack.counts())
    failures: dict[str, list[str]] = {}
    for fact in facts:
        live = fact.text in haystack.asked(fact.text, at, len(facts))
        found = fact.text in haystack.asked(fact.question, at, FIRST)
        tally.note(fact.question, "found@5", found_at_5=float(found), live=float(live))
        if not (live and found):
            failures[fact.text] = [*([] if live else ["it is no longer live"]), *([] if found else ["not found"])]
    metrics = {**tally.metrics(), "lost": float(len(failures))}
    return tally.result(DATASET, protocol, contender, "found@5", metrics=metrics, failures=failures)
